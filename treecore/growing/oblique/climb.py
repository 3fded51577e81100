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
        rows = np.sort(random.choice(len(cases.x), MOST_ROWS, replace=False))
        cases = Cases(cases.x[rows], cases.target[rows], cases.weight[rows], cases.n_classes, cases.least)
    d = cases.x.shape[1]
    axes = np.eye(d)
    single = axes[int(np.argmin([cases.cut_bits(cases.x[:, f]) for f in range(d)]))]
    starts = np.vstack([starts, single, random.standard_normal((RESTARTS, d))])
    return np.array([_summit(cases, w / max(np.linalg.norm(w), EPSILON), random) for w in starts])


def _summit(cases: Cases, w: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """float64 (d,): where no single coefficient can be changed for the better."""
    w, offset, bits = w.copy(), *_best_offset(cases, cases.x @ w)
    for _ in range(SWEEPS):
        before = bits
        for f in random.permutation(len(w)):
            value, here = _best_coefficient(cases, cases.x, w, offset, f)
            if here < bits - 1e-9:
                w[f], bits = value, here
        offset, bits = _best_offset(cases, cases.x @ w)
        if bits > before - 1e-9:
            break
    return w


def _best_offset(cases: Cases, place: np.ndarray) -> tuple[float, float]:
    """(offset, bits) of the best x · w + offset > 0."""
    order = np.argsort(place, kind="stable")
    low, ahead = np.cumsum(cases.sums[order], axis=0)[:-1], place[order]
    bits = np.where(ahead[1:] - ahead[:-1] > EPSILON, cases.bits_of_sides(low), np.inf)
    at = int(np.argmin(bits))
    return -float(ahead[at] + ahead[at + 1]) / 2, float(bits[at])


def _best_coefficient(cases: Cases, x: np.ndarray, w: np.ndarray, offset: float, f: int) -> tuple[float, float]:
    """(value, bits) of the best coefficient of feature f, the others as they are.

    A row changes sides where the coefficient passes -(the rest of its sum) / x_f.
    """
    column, rest = x[:, f], x @ w + offset - w[f] * x[:, f]
    moving = np.abs(column) > EPSILON
    turn = -rest[moving] / column[moving]
    order = np.argsort(turn, kind="stable")
    sign = np.where(column[moving] > 0, 1.0, -1.0)[order]
    high = cases.sums[~moving & (rest > 0)].sum(axis=0) + cases.sums[moving & (column < 0)].sum(axis=0)
    above = high + np.cumsum(sign[:, None] * cases.sums[moving][order], axis=0)
    turn = turn[order]
    if len(turn) < 2:
        return float(w[f]), np.inf
    apart = turn[1:] - turn[:-1] > EPSILON * (np.abs(turn[1:]) + np.abs(turn[:-1]))
    bits = np.where(apart, cases.bits_of_sides(cases.total - above[:-1]), np.inf)
    at = int(np.argmin(bits))
    return float(turn[at] + turn[at + 1]) / 2, float(bits[at])
