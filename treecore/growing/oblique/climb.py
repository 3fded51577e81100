"""Hill climbing over the coefficients of a hyperplane, one at a time, with restarts."""

import numpy as np

from treecore.growing.oblique.cases import EPSILON, Cases

RESTARTS = 4
SWEEPS = 6
MOST_ROWS = 2000
"""Rows that are climbed on; of more, as many drawn at random."""


def climbed(cases: Cases, starts: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """float64 (m, d): the summits from these starts (m, d), from the best single feature and from random ones.

    Source: Murthy, Kasif and Salzberg (1994), A system for induction of oblique decision trees.
    """
    if len(cases.x) > MOST_ROWS:
        cases = cases.some(np.sort(random.choice(len(cases.x), MOST_ROWS, replace=False)))
    d = cases.x.shape[1]
    single = np.eye(d)[int(np.argmin(cases.cuts_bits(cases.x)))]
    starts = np.vstack([starts, single, random.standard_normal((RESTARTS, d))])
    columns = np.ascontiguousarray(cases.x.T)
    return np.array([_summit(cases, columns, w / max(np.linalg.norm(w), EPSILON), random) for w in starts])


def _summit(cases: Cases, columns: np.ndarray, w: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """float64 (d,): where no single coefficient can be changed for the better. columns : float64 (d, n), the rows."""
    w = w.copy()
    bits, where = cases.best_cut(w @ columns)
    for _ in range(SWEEPS):
        before = bits
        place = w @ columns - where
        for f in random.permutation(len(w)):
            rest = place - w[f] * columns[f]
            here, value = _best_coefficient(cases, columns[f], rest)
            if here < bits - 1e-9:
                w[f], bits, place = value, here, rest + value * columns[f]
        bits, where = cases.best_cut(w @ columns)
        if bits > before - 1e-9:
            break
    return w


def _best_coefficient(cases: Cases, column: np.ndarray, rest: np.ndarray) -> tuple[float, float]:
    """(bits, value) of the best coefficient of a feature, float64 (n,), beside the rest of the sum, float64 (n,).

    A row changes sides where the coefficient passes -rest / x: upwards it becomes a high one where x > 0. Rows without
    the feature, x = 0, stay where the rest puts them.
    """
    moving, up = np.abs(column) > EPSILON, column > 0
    turns = np.divide(-rest, column, out=np.full(len(column), np.inf), where=moving)
    low = cases.sums[np.where(moving, up, rest <= 0)].sum(axis=0)
    return cases.best_cut(turns, np.where(moving, np.where(up, -cases.weight, cases.weight), 0.0), low)
