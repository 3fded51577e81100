"""Mean squared distance from the node's mean."""

from treecore.criteria.criterion import Criterion
from treecore.jit import inner


@inner
def squared_error(stats, total):
    """wyy/w - (wy/w)^2 from (w, wy, wyy); targets are centred by the caller, so little cancels."""
    if total <= 0.0:
        return 0.0
    mean = stats[1] / total
    return max(stats[2] / total - mean * mean, 0.0)


SQUARED_ERROR = Criterion(
    name="squared_error",
    label="Squared error",
    code=3,
    task="regression",
    formula=r"\frac{1}{n}\sum_i (y_i - \bar y)^2",
    source="Breiman et al. (1984)",
    node=squared_error,
    unit="target²",
)
