"""The share of rows that the majority label gets wrong."""

import numpy as np

from treecore.criteria.criterion import Criterion
from treecore.engine.jit import inner
from treecore.figures import fraction


@inner
def misclassification(stats, total, loss):
    """1 - max p_k."""
    if total <= 0.0:
        return 0.0
    most = 0.0
    for k in range(stats.shape[0]):
        weight = stats[k]
        most = max(most, weight)
    return 1.0 - most / total


def _many(stats, total, loss):
    return 1.0 - np.maximum.reduce(list(stats)) / total


def _written(stats, loss, center) -> list[str]:
    return [f"1 - {fraction(stats.max(initial=0), stats.sum())}"]


MISCLASSIFICATION = Criterion(
    name="misclassification",
    label="Misclassification rate",
    task="classification",
    formula=r"1 - \max_k p_k",
    source="Breiman et al. (1984)",
    node=misclassification,
    many=_many,
    written=_written,
)
