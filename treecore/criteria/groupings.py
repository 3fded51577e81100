"""How many ways there are to merge categories into groups."""

import math
from functools import lru_cache

import numpy as np

NOMINAL, ORDERED, FLOATING = "nominal", "ordered", "floating"
"""Which categories may be merged: any two; neighbours; neighbours, but the last one, which has no place in the
order, with any."""


@lru_cache(maxsize=4096)
def log_groupings(kind: str, c: int, r: int) -> float:
    """ln of the number of ways to merge c categories into r groups: Kass's Bonferroni multiplier.

    kind : NOMINAL, ORDERED or FLOATING; of a floating predictor, c counts the floating category.
    -inf where there is no way.
    """
    if kind == NOMINAL:
        return _log_stirling(c, r)
    if kind == ORDERED:
        return _log_binomial(c - 1, r - 1)
    return float(np.logaddexp(_log_binomial(c - 2, r - 2), math.log(r) + _log_binomial(c - 2, r - 1)))


def _log_binomial(n: int, k: int) -> float:
    if not 0 <= k <= n:
        return -math.inf
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _log_stirling(c: int, r: int) -> float:
    """ln S(c, r), by S(c, r) = r S(c-1, r) + S(c-1, r-1): Kass's alternating sum would cancel."""
    if not 0 < r <= c:
        return -math.inf
    row = np.full(r + 1, -math.inf)
    row[0] = 0.0
    times = np.log(np.arange(1, r + 1))
    for _ in range(c):
        row[1:] = np.logaddexp(row[1:] + times, row[:-1])
        row[0] = -math.inf
    return float(row[r])
