"""Impurities: one small file each, one registry."""

from treecore.criteria.criterion import Criterion
from treecore.criteria.entropy import ENTROPY
from treecore.criteria.gini import GINI
from treecore.criteria.misclassification import MISCLASSIFICATION
from treecore.criteria.squared_error import SQUARED_ERROR
from treecore.registry import Registry

CRITERIA: Registry[Criterion] = Registry("criterion", ENTROPY, GINI, MISCLASSIFICATION, SQUARED_ERROR)


def criteria_for(task: str) -> tuple[Criterion, ...]:
    """The criteria that can judge a node of this task ("classification" or "regression")."""
    return tuple(entry for entry in CRITERIA.values() if entry.task == task)


__all__ = ["CRITERIA", "Criterion", "criteria_for"]
