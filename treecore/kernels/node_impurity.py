"""The impurity of one node, for callers in Python."""

from treecore.criteria.impurity import impurity
from treecore.jit import jit


@jit
def impurity_of(criterion, stats, total):
    """Impurity by the criterion's code, from statistics float64 (S,) and their weight."""
    return impurity(criterion, stats, total)
