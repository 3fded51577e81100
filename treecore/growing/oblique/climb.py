"""Hill climbing over the coefficients of a hyperplane, one at a time, with restarts."""

import numpy as np

from treecore.growing.oblique.cases import EPSILON, Cases

RESTARTS = 4
ROUNDS = 6
FEW_ROWS, MOST_ROWS = 250, 2000
"""Rows that are climbed on from every start, and from the best summit on; of more, as many drawn at random."""


def climbed(cases: Cases, starts: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """float64 (m, d): the summits from these starts (m, d), from the best single feature and from random ones.

    Source: Murthy, Kasif and Salzberg (1994), A system for induction of oblique decision trees.
    """
    cases = _drawn(cases, MOST_ROWS, random)
    few, d = _drawn(cases, FEW_ROWS, random), cases.x.shape[1]
    single = np.eye(d)[int(np.argmin(few.cuts_bits(few.x.T)))]
    starts = np.vstack([starts, single, random.standard_normal((RESTARTS, d))])
    found = _summits(few, starts, random)
    if few is cases:
        return found
    best = int(np.argmin(cases.cuts_bits(found @ cases.x.T)))
    return np.vstack([found, _summits(cases, found[[best]], random)])


def _drawn(cases: Cases, n: int, random: np.random.Generator) -> Cases:
    """So many of the rows, or all where there are no more."""
    return cases if len(cases.x) <= n else cases.some(np.sort(random.choice(len(cases.x), n, replace=False)))


def _summits(cases: Cases, starts: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """float64 (m, d): where no single coefficient can be changed for the better, from each of the starts."""
    columns = np.ascontiguousarray(cases.x.T)
    return np.array([_summit(cases, columns, w / max(np.linalg.norm(w), EPSILON), random) for w in starts])


def _summit(cases: Cases, columns: np.ndarray, w: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """float64 (d,): the summit from w, which is written on. columns : float64 (d, n), the rows."""
    bits, where = cases.best_cut(w @ columns)
    for _ in range(ROUNDS):
        before = bits
        cases.climb(columns, random.permutation(len(w)), w, w @ columns - where, bits)
        bits, where = cases.best_cut(w @ columns)
        if not bits < before - 1e-9:
            break
    return w
