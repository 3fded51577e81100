"""Impurities: one small file each, one registry."""

from dataclasses import replace

from treecore.criteria.cost_gini import COST_GINI
from treecore.criteria.criterion import Criterion, CriterionArgs, coded, of_packages
from treecore.criteria.effect import HONEST_EFFECT, SQUARED_EFFECT
from treecore.criteria.entropy import ENTROPY, ENTROPY_NATS
from treecore.criteria.gini import GINI, HALF_GINI, TWO_CLASS_VARIANCE
from treecore.criteria.misclassification import MISCLASSIFICATION
from treecore.criteria.poisson import POISSON
from treecore.criteria.row_losses import ABSOLUTE_ERROR, HUBER, QUANTILE
from treecore.criteria.squared_error import SQUARED_ERROR
from treecore.plugins import plugins
from treecore.registry import Registry

_OWN = coded(
    ENTROPY, ENTROPY_NATS, GINI, HALF_GINI, TWO_CLASS_VARIANCE, MISCLASSIFICATION, COST_GINI, SQUARED_ERROR,
    ABSOLUTE_ERROR, QUANTILE, HUBER,
)  # fmt: skip
N_COMPILED = len({entry.code for entry in _OWN})
"""Kernels know the codes below it, and call others by their address."""
_BY_ADDRESS = tuple(replace(c, code=1000 + i) for i, c in enumerate((POISSON, SQUARED_EFFECT, HONEST_EFFECT)))
"""Ours that kernels call by their address; codes of packages' entries follow the compiled ones."""
CRITERIA: Registry[Criterion] = Registry(
    "criterion",
    *_OWN,
    *_BY_ADDRESS,
    others=lambda: of_packages(N_COMPILED, plugins("treecore.criteria", Criterion, *_OWN, *_BY_ADDRESS)),
)
_BY_CODE: dict[int, Criterion] = {c.code: c for c in reversed(_OWN)}


def by_code(code: int) -> Criterion:
    """The first entry of a code: entries that share one differ by their scale and the words they are told in."""
    return _BY_CODE[code] if code < N_COMPILED else next(c for c in CRITERIA.values() if c.code == code)


def needs_rows(judge: CriterionArgs) -> bool:
    """Does the impurity follow from no statistics of a node?"""
    return not by_code(judge.code).additive


def criteria_for(task: str, n_classes: int = 0, costs: bool = False) -> tuple[Criterion, ...]:
    """The criteria that can judge a node of this task ("classification", "regression", "counts" or "effects").

    n_classes : of the target. costs : there is a loss matrix.
    """
    entries = (c for c in CRITERIA.values() if c.task == task and (costs or not c.needs_loss))
    return tuple(c for c in entries if c.max_classes is None or n_classes <= c.max_classes)


__all__ = ["CRITERIA", "N_COMPILED", "Criterion", "CriterionArgs", "by_code", "criteria_for", "needs_rows"]
