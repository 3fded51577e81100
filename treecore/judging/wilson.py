"""The interval of a share that was counted in a few rows."""

from statistics import NormalDist

import numpy as np


def wilson(part, whole, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """(low, high), float64 of the broadcast shape: Wilson's score interval of part / whole (Wilson 1927).

    part, whole : counts or weights, 0 <= part <= whole. level : of confidence, between 0 and 1. Without rows nothing
    is known: (0, 1).
    """
    part, whole = np.broadcast_arrays(np.asarray(part, np.float64), np.asarray(whole, np.float64))
    z2 = NormalDist().inv_cdf(0.5 + level / 2) ** 2
    share = np.divide(part, whole, out=np.full(part.shape, 0.5), where=whole > 0)
    centre = (part + z2 / 2) / (whole + z2)
    half = np.sqrt(z2 * (whole * share * (1 - share) + z2 / 4)) / (whole + z2)
    # at 0 and 1 the limit is exact, but for the last digits
    low = np.where(part <= 0, 0.0, np.maximum(centre - half, 0.0))
    return low, np.where((part >= whole), 1.0, np.minimum(centre + half, 1.0))
