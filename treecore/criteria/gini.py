"""The Gini index, 1 - sum of squared shares (not its half)."""

from treecore.criteria.criterion import Criterion
from treecore.engine.jit import inner
from treecore.figures import fraction, summed


@inner
def gini(stats, total, loss):
    """sum p_k (1 - p_k)."""
    if total <= 0.0:
        return 0.0
    result = 0.0
    for k in range(stats.shape[0]):
        result += stats[k] * (total - stats[k])
    return result / (total * total)


def _many(stats, total, loss):
    return sum(part * (total - part) for part in stats) / (total * total)


def _written(stats, loss, center) -> list[str]:
    return ["1", *summed((rf"\left({fraction(c, stats.sum())}\right)^2" for c in stats if c > 0), "-")]


def _half_written(stats, loss, center) -> list[str]:
    first, *terms = _written(stats, loss, center)
    return [rf"\tfrac{{1}}{{2}} \big({first}", *terms[:-1], rf"{terms[-1]}\big)"]


def _product_written(stats, loss, center) -> list[str]:
    return [r" \cdot ".join(fraction(c, stats.sum()) for c in stats)]


GINI = Criterion(
    name="gini",
    label="Gini index",
    task="classification",
    formula=r"\sum_k p_k (1 - p_k) = 1 - \sum_k p_k^2",
    source="Breiman et al. (1984)",
    node=gini,
    has_scan=True,
    many=_many,
    written=_written,
)

HALF_GINI = Criterion(
    name="half_gini",
    label="Half Gini",
    task="classification",
    formula=r"\tfrac12 \left(1 - \sum_k p_k^2\right)",
    source="Duda, Hart and Stork (2001), who count each pair of classes once",
    node=gini,
    has_scan=True,
    many=_many,
    written=_half_written,
    scale=0.5,
)

TWO_CLASS_VARIANCE = Criterion(
    name="two_class_variance",
    label="Two-class variance",
    task="classification",
    formula=r"p_1 p_2",
    source="Duda, Hart and Stork (2001)",
    node=gini,
    has_scan=True,
    many=_many,
    written=_product_written,
    scale=0.5,
    max_classes=2,
)
