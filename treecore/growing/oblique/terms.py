"""A direction in the user's units: small coefficients dropped, few digits, and only where it is worth its length."""

import numpy as np

from treecore.data.table_like import Terms
from treecore.growing.oblique.cases import Cases
from treecore.tree.oblique import weighted_sum

DIGITS = (2, 3, 4, 6, 9, 13)
"""How many a coefficient may have; the fewest that part the rows as well as all of them."""


def without_small(cases: Cases, w: np.ndarray, limit: float = np.inf) -> tuple[np.ndarray, float] | None:
    """(weights, bits): of the largest coefficients so many, at least two, that the bits left and the price of those
    beyond the first are fewest; None where these come to no fewer than `limit`.

    w : float64 (d,), of standardised features.
    """
    order = np.argsort(-np.abs(w), kind="stable")[: np.count_nonzero(w)]
    lines = np.cumsum(cases.x.T[order] * w[order, None], axis=0)[1:]  # of the first two, the first three, ...
    prices = cases.coefficient_bits * np.arange(1.0, len(lines) + 1)
    told, n = cases.best_line(lines, prices, limit)
    if n < 0:
        return None
    kept = np.zeros_like(w)
    kept[order[: n + 2]] = w[order[: n + 2]]
    return kept, told - float(prices[n])


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
