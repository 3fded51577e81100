"""Impurities of many nodes, for callers in Python."""

import numpy as np

from treecore.criteria.impurity import impurity
from treecore.engine.jit import jit


@jit
def impurities(judge, stats, weight):
    """float64 (n,): impurity under a Judge of nodes with statistics float64 (n, S) of these weights."""
    result = np.empty(stats.shape[0])
    for i in range(stats.shape[0]):
        result[i] = impurity(judge, stats[i], weight[i])
    return result
