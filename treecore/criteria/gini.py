"""The Gini index, 1 - sum of squared shares (not its half)."""

from treecore.criteria.criterion import Criterion
from treecore.jit import inner


@inner
def gini(stats, total):
    """sum p_k (1 - p_k)."""
    if total <= 0.0:
        return 0.0
    result = 0.0
    for k in range(stats.shape[0]):
        result += stats[k] * (total - stats[k])
    return result / (total * total)


GINI = Criterion(
    name="gini",
    label="Gini index",
    code=1,
    task="classification",
    formula=r"\sum_k p_k (1 - p_k) = 1 - \sum_k p_k^2",
    source="Breiman et al. (1984)",
    node=gini,
)

HALF_GINI = Criterion(
    name="half_gini",
    label="Half Gini",
    code=GINI.code,
    task="classification",
    formula=r"\tfrac12 \left(1 - \sum_k p_k^2\right)",
    source="Duda, Hart and Stork (2001), who count each pair of classes once",
    node=gini,
    scale=0.5,
)

TWO_CLASS_VARIANCE = Criterion(
    name="two_class_variance",
    label="Two-class variance",
    code=GINI.code,
    task="classification",
    formula=r"p_1 p_2",
    source="Duda, Hart and Stork (2001)",
    node=gini,
    scale=0.5,
    max_classes=2,
)
