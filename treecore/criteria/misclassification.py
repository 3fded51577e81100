"""The share of rows that the majority label gets wrong."""

from treecore.criteria.criterion import Criterion
from treecore.jit import inner


@inner
def misclassification(stats, total):
    """1 - max p_k."""
    if total <= 0.0:
        return 0.0
    most = 0.0
    for k in range(stats.shape[0]):
        weight = stats[k]
        most = max(most, weight)
    return 1.0 - most / total


MISCLASSIFICATION = Criterion(
    name="misclassification",
    label="Misclassification rate",
    code=2,
    task="classification",
    formula=r"1 - \max_k p_k",
    source="Breiman et al. (1984)",
    node=misclassification,
)
