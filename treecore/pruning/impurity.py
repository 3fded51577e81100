"""The impurity of nodes whose rows are others than those they grew on."""

import numpy as np

from treecore.criteria import N_COMPILED, in_numpy
from treecore.kernels.impurities import impurities
from treecore.tree.tree import Tree


def impurities_of(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """float64 (n,): by the criterion that the tree grew by, which must be one that reads additive statistics.

    stats : float64 (n, S), as splits were judged with: times tree.class_factor.
    """
    judge = tree.judge
    if judge.code >= N_COMPILED and not judge.address:
        return in_numpy.impurities(judge, np.moveaxis(stats, -1, 0), tree.weight_of(stats))
    return impurities(judge, np.ascontiguousarray(stats), np.ascontiguousarray(tree.weight_of(stats)))
