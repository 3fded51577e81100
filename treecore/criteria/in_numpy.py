"""Impurities of many nodes at once, in NumPy: of any criterion, also of one that kernels do not know."""

import numpy as np

from treecore.criteria import Judge, by_code


def impurities(judge: Judge, stats, total: np.ndarray) -> np.ndarray:
    """float64: impurity of nodes with these statistics and weights, rounded as compiled code rounds; 0 if empty.

    stats : one array per statistic (class weights, or w, wy, wyy), all of the shape of `total`.
    """
    found = by_code(judge.code).of_many(stats, total, judge.loss)
    return np.where(total > 0.0, judge.scale * found, 0.0)
