"""Hill climbing over the coefficients of a hyperplane, one at a time, with restarts."""

import numpy as np

from treecore.growing.oblique.cases import EPSILON, Cases

RESTARTS = 2
ROUNDS = 4
FEW_ROWS, MOST_ROWS = 150, 1000
"""Rows that the first round from every start sees, and the climb to the summit; of more, as many drawn at random."""


def climbed(cases: Cases, starts: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """float64 (1, d): the summit above these starts (m, d), the best single feature and random ones.

    One round is climbed from each of them, and on from where fewest bits are left, those of the coefficients counted.
    Source: Murthy, Kasif and Salzberg (1994), A system for induction of oblique decision trees.
    """
    cases = _drawn(cases, MOST_ROWS, random)
    few, d = _drawn(cases, FEW_ROWS, random), cases.x.shape[1]
    single = np.eye(d)[few.best_feature()[1]]
    starts = np.vstack([starts, single, random.standard_normal((RESTARTS, d))])
    starts /= np.maximum(np.sqrt((starts * starts).sum(axis=1, keepdims=True)), EPSILON)
    planes = np.column_stack([starts, np.zeros(len(starts))])
    order = np.append(d, random.permutation(d))  # the threshold first
    left = [few.climb(order, 1, plane) for plane in planes]
    best = planes[int(np.argmin(left + (planes != 0) @ few.prices))]
    if np.count_nonzero(best[:-1]) > 1 and _pays(cases, best[:-1]):
        best[:-1] /= np.linalg.norm(best[:-1])
        best[-1] = 0.0
        cases.climb(np.append(d, random.permutation(d)), ROUNDS, best)
    return best[None, :-1]


def _pays(cases: Cases, w: np.ndarray) -> bool:
    """Does a direction leave fewer bits than the best single feature, those of its further coefficients counted?"""
    price = cases.coefficient_bits * (np.count_nonzero(w) - 1)
    return cases.best_line((cases.x @ w)[None], np.array([price]), cases.best_feature()[0])[1] >= 0


def _drawn(cases: Cases, n: int, random: np.random.Generator) -> Cases:
    """So many of the rows, or all where there are no more."""
    return cases if len(cases.x) <= n else cases.some(np.sort(random.choice(len(cases.x), n, replace=False)))
