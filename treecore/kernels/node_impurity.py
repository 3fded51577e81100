"""The impurity of one node, for callers in Python."""

import numpy as np

from treecore.criteria import N_COMPILED, Judge
from treecore.criteria.impurity import impurity
from treecore.criteria.in_numpy import impurities
from treecore.engine.jit import jit


@jit
def _compiled(judge, stats, total):
    return impurity(judge, stats, total)


def impurity_of(judge: Judge, stats: np.ndarray, total: float) -> float:
    """Impurity under a Judge, from statistics float64 (S,) and their weight."""
    if judge.code < N_COMPILED or judge.address:
        return _compiled(judge, stats, total)
    return float(impurities(judge, stats, np.float64(total)))
