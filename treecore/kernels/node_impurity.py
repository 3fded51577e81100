"""The impurity of one node, for callers in Python."""

from treecore.criteria.impurity import impurity
from treecore.engine.jit import jit


@jit
def impurity_of(judge, stats, total):
    """Impurity under a Judge, from statistics float64 (S,) and their weight."""
    return impurity(judge, stats, total)
