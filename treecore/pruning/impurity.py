"""The impurity of nodes whose rows are others than those they grew on."""

import numpy as np

from treecore.kernels.impurities import impurities
from treecore.tree.tree import Tree


def impurities_of(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """float64 (n,): by the criterion that the tree grew by, which must be one that reads additive statistics.

    stats : float64 (n, S), as splits were judged with: times tree.class_factor.
    """
    return impurities(tree.judge, np.ascontiguousarray(stats), np.ascontiguousarray(tree.weight_of(stats)))
