"""Pruning strategies: one file each, one registry. Each answers which nodes are cut, and by which numbers."""

from typing import Any

from treecore.plugins import plugins
from treecore.pruning.adjusted_error import ADJUSTED_ERROR
from treecore.pruning.cost_complexity import COST_COMPLEXITY
from treecore.pruning.critical_value import CRITICAL_VALUE
from treecore.pruning.cuts import CUT, KEEP, RAISED, Cuts, PruneDecision, Reason
from treecore.pruning.error_based import ERROR_BASED
from treecore.pruning.j48 import J48_COLLAPSE, J48_REDUCED_ERROR
from treecore.pruning.mdl import MDL
from treecore.pruning.merge_siblings import MERGE_SIBLINGS
from treecore.pruning.minimum_error import MINIMUM_ERROR
from treecore.pruning.pessimistic import PESSIMISTIC
from treecore.pruning.pruner import Parameter, PruneProgress, Pruner, PruningContext
from treecore.pruning.reduced_error import REDUCED_ERROR
from treecore.pruning.reptree import REPTREE
from treecore.pruning.rpart_cp import RPART_CP
from treecore.pruning.sequence import Sequence, sequence
from treecore.pruning.validation import CrossValidated
from treecore.pruning.validation_peak import VALIDATION_PEAK
from treecore.registry import Registry


def _nothing(tree: Any, given: Any) -> Cuts:
    """The grown tree as it is."""
    return Cuts.none(tree)


NO_PRUNING = Pruner("none", "No pruning", "T", "", _nothing)
_OWN = (
    NO_PRUNING, COST_COMPLEXITY, REDUCED_ERROR, PESSIMISTIC, MINIMUM_ERROR, CRITICAL_VALUE, MDL, MERGE_SIBLINGS,
    VALIDATION_PEAK, ADJUSTED_ERROR, RPART_CP, J48_COLLAPSE, REPTREE, ERROR_BASED, J48_REDUCED_ERROR,
)  # fmt: skip
PRUNERS: Registry[Pruner] = Registry("pruner", *_OWN, others=lambda: plugins("treecore.pruners", Pruner, *_OWN))

__all__ = [
    "CUT", "KEEP", "PRUNERS", "RAISED", "CrossValidated", "Cuts", "Parameter", "PruneDecision", "PruneProgress",
    "Pruner", "PruningContext", "Reason", "Sequence", "sequence",
]  # fmt: skip
