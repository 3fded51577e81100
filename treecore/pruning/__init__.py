"""Pruning strategies: one file each, one registry. Each answers which nodes are cut, and by which numbers."""

from treecore.pruning.cost_complexity import COST_COMPLEXITY
from treecore.pruning.cuts import CUT, KEEP, RAISED, Cuts, Decision, Reason
from treecore.pruning.j48_collapse import J48_COLLAPSE
from treecore.pruning.pruner import CrossValidated, Given, Parameter, Pruner
from treecore.pruning.reduced_error import REDUCED_ERROR
from treecore.pruning.rpart_cp import RPART_CP
from treecore.pruning.sequence import Sequence, sequence
from treecore.registry import Registry


def _nothing(tree, given) -> Cuts:
    """The grown tree as it is."""
    return Cuts.none(tree)


NO_PRUNING = Pruner("none", "No pruning", "T", "", _nothing)
PRUNERS: Registry[Pruner] = Registry("pruner", NO_PRUNING, COST_COMPLEXITY, REDUCED_ERROR, RPART_CP, J48_COLLAPSE)

__all__ = [
    "CUT", "KEEP", "PRUNERS", "RAISED", "CrossValidated", "Cuts", "Decision", "Given", "Parameter", "Pruner", "Reason",
    "Sequence", "sequence",
]  # fmt: skip
