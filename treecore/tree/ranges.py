"""Many ranges of whole numbers, one after the other."""

import numpy as np


def ranges(first: np.ndarray, n: np.ndarray) -> np.ndarray:
    """int64 (n.sum(),): first[i], first[i] + 1, ..., n[i] numbers for every i. first, n : whole numbers, (k,)."""
    n = np.asarray(n, np.int64)
    return np.arange(n.sum()) + np.repeat(first - np.cumsum(n) + n, n)
