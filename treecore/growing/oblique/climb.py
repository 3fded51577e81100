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
    single = np.eye(d)[int(np.argmin(few.cuts_bits(few.x.T)))]
    starts = np.vstack([starts, single, random.standard_normal((RESTARTS, d))])
    best, _ = min((_climb(few, start, 1, random) for start in starts), key=lambda found: found[1])
    if np.count_nonzero(best) < 2:
        return best[None]
    return _climb(cases, best, ROUNDS, random)[0][None]


def _drawn(cases: Cases, n: int, random: np.random.Generator) -> Cases:
    """So many of the rows, or all where there are no more."""
    return cases if len(cases.x) <= n else cases.some(np.sort(random.choice(len(cases.x), n, replace=False)))


def _climb(cases: Cases, start: np.ndarray, rounds: int, random: np.random.Generator) -> tuple[np.ndarray, float]:
    """(weights, float64 (d,); bits with the price of them) after so many rounds, or where none changes anything."""
    d = len(start)
    w = np.append(start / max(np.linalg.norm(start), EPSILON), 0.0)
    bits = cases.climb(np.append(d, random.permutation(d)), rounds, w)
    return w[:-1], bits + float(cases.prices @ (w != 0))
