"""Impurities and what cuts are worth, of many nodes at once, rounded as criteria.impurity rounds.

Everywhere stats : one array per statistic (class weights, or w, wy, wyy), all of the shape of `total`.
"""

import numpy as np

from treecore.criteria import CRITERIA, Judge

_GINI, _ENTROPY, _MISCLASSIFICATION, _SQUARED_ERROR = (
    CRITERIA[name].code for name in ("gini", "entropy", "misclassification", "squared_error")
)
JUDGED = (_GINI, _ENTROPY, _MISCLASSIFICATION, _SQUARED_ERROR)
"""Codes of the criteria that are known here."""
_TINY = np.finfo(np.float64).tiny


def impurities(judge: Judge, stats, total: np.ndarray) -> np.ndarray:
    """float64: impurity of nodes with these statistics and weights; 0 for an empty one."""
    if judge.code == _SQUARED_ERROR:
        mean = stats[1] / total
        found = np.maximum(stats[2] / total - mean * mean, 0.0)
    elif judge.code == _GINI:
        found = sum(part * (total - part) for part in stats) / (total * total)
    elif judge.code == _ENTROPY:
        found = entropies(stats, total)
    else:
        found = 1.0 - np.maximum.reduce(list(stats)) / total
    return np.where(total > 0.0, judge.scale * found, 0.0)


def entropies(stats, total: np.ndarray) -> np.ndarray:
    """float64: entropy in bits."""
    found = 0.0
    for part in stats:
        share = np.maximum(part / total, 0.0)
        logarithm = np.maximum(share, _TINY)
        np.log2(logarithm, out=logarithm)
        logarithm *= share
        found = found - logarithm
    return np.maximum(found, 0.0)


def decreases(judge: Judge, parent: np.ndarray, left, n_left: np.ndarray, right, n_right: np.ndarray) -> np.ndarray:
    """float64: what the impurity `parent` falls by when nodes are parted into these two."""
    if judge.code == _SQUARED_ERROR:
        total, gap = n_left + n_right, left[1] * n_right - right[1] * n_left
        return gap * gap / (n_left * n_right * total * total)
    if judge.code != _GINI:
        remaining = n_left * impurities(judge, left, n_left) + n_right * impurities(judge, right, n_right)
        return parent - remaining / (n_left + n_right)
    remaining = _mixed(left, n_left)
    remaining *= n_right
    more = _mixed(right, n_right)
    more *= n_left
    remaining += more
    remaining /= n_left * n_right * (n_left + n_right)
    np.subtract(parent / judge.scale, remaining, out=remaining)
    remaining *= judge.scale
    return remaining


def _mixed(stats, total: np.ndarray) -> np.ndarray:
    """float64: total^2 less the squares of the class weights."""
    found = total * total - stats[0] * stats[0]
    for part in stats[1:]:
        found -= part * part
    return found


def part_informations(n: np.ndarray, total: np.ndarray) -> np.ndarray:
    """float64: -n/total log2 n/total, 0 for n = 0."""
    share = n / total
    return np.where(n > 0.0, -share * np.log2(np.where(n > 0.0, share, 1.0)), 0.0)


def informations(n_left: np.ndarray, n_right: np.ndarray, n_missing: np.ndarray, total: np.ndarray) -> np.ndarray:
    """float64: split information of two branches and the rows without a value, in bits."""
    parts = (part_informations(n, total) for n in (n_left, n_right, n_missing))
    return sum(parts)


def mean_targets(stats, total: np.ndarray, n_classes: int) -> np.ndarray:
    """float64: mean target, the mean class index for classes; 0 for an empty node."""
    sums = sum(k * part for k, part in enumerate(stats)) if n_classes else stats[1]
    return np.where(total > 0.0, sums / total, 0.0)
