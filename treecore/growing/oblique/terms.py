"""A direction in the user's units: small coefficients dropped, few digits, and only where it is worth its length."""

import numpy as np

from treecore.data.combine import weighted_sum
from treecore.data.described import Terms
from treecore.growing.oblique.cases import Cases

DIGITS = (2, 3, 4, 6, 9, 13)
"""How many a coefficient may have; the fewest that part the rows as well as all of them."""


def without_small(cases: Cases, w: np.ndarray) -> tuple[np.ndarray, float]:
    """(weights, bits): coefficients go, the smallest first, while what is lost costs less than what they cost.

    w : float64 (d,), of standardised features.
    """
    each, order = cases.coefficient_bits, np.argsort(-np.abs(w), kind="stable")[: np.count_nonzero(w)]
    bits = cases.cuts_bits(np.cumsum(cases.x.T[order] * w[order, None], axis=0))  # of the first, the first two, ...
    n = len(order)
    while n > 1 and bits[n - 2] <= bits[n - 1] + each + 1e-9:
        n -= 1
    kept = np.zeros_like(w)
    kept[order[:n]] = w[order[:n]]
    return kept, float(bits[n - 1])


def as_terms(names: list[str], weights: np.ndarray, values: np.ndarray, cases: Cases, limit: float) -> Terms:
    """The sum of the features with a weight, the first one's being 1, in the fewest digits that leave no more
    bits than `limit`.

    names, weights : (d,), in the user's units. values : float64 (d, n), the features there.
    """
    kept = np.flatnonzero(weights)
    scaled, found = weights[kept] / weights[kept[0]], ()
    for digits in DIGITS:
        numbers = [float(f"{w:.{digits}g}") for w in scaled]
        found = tuple((names[f], number) for f, number in zip(kept, numbers, strict=True))
        if cases.cut_bits(weighted_sum(values[kept], numbers)) <= limit + 1e-9:
            break
    return found
