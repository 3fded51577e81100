"""Impurities and what cuts are worth, of many nodes at once, rounded as criteria.impurity rounds.

Everywhere stats : one array per statistic (class weights, or w, wy, wyy), all of the shape of `total`.
"""

import numpy as np

from treecore.criteria import CRITERIA, CriterionArgs
from treecore.criteria.impurity import impurities
from treecore.kernels.sums import CANCELLED

_GINI, SQUARED_ERROR = CRITERIA["gini"].code, CRITERIA["squared_error"].code


def decreases(
    judge: CriterionArgs, parent: np.ndarray, left, n_left: np.ndarray, right, n_right: np.ndarray
) -> np.ndarray:
    """float64: what the impurity `parent` falls by when nodes are parted into these two."""
    if judge.code == SQUARED_ERROR:
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


def have_cancelled(stats) -> np.ndarray:
    """bool: the twin of kernels.sums.has_cancelled."""
    w, wy, wyy = stats
    there = (w > 0.0) & (wyy > 0.0)
    return there & (wyy - wy * wy / np.where(there, w, 1.0) <= CANCELLED * wyy)


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
