"""Mean squared distance from the node's mean."""

import numpy as np

from treecore.criteria.criterion import Criterion
from treecore.engine.jit import inner
from treecore.figures import tex, weight

CANCELLING = 1e-5
"""Of the mean square: a smaller difference from the square of the mean would not show in the digits written out."""


@inner
def squared_error(stats, total, loss):
    """wyy/w - (wy/w)^2 from (w, wy, wyy); targets are centred by the caller, so little cancels."""
    if total <= 0.0:
        return 0.0
    mean = stats[1] / total
    return max(stats[2] / total - mean * mean, 0.0)


def _many(stats, total, loss):
    mean = stats[1] / total
    return np.maximum(stats[2] / total - mean * mean, 0.0)


def _written(stats, loss, center) -> list[str]:
    w, wy, wyy = stats
    squares, total = wyy + 2 * center * wy + center**2 * w, wy + center * w
    within = wyy - wy * wy / w
    if within < CANCELLING * squares:
        return [
            rf"\tfrac{{1}}{{{weight(w)}}} \sum (y - {tex(total / w, 7)})^2",
            rf" = \tfrac{{{tex(within, 8)}}}{{{weight(w)}}}",
        ]
    mean_square, mean = (rf"\tfrac{{{tex(amount, 8)}}}{{{weight(w)}}}" for amount in (squares, total))
    return [mean_square, rf" - \left({mean}\right)^2"]


SQUARED_ERROR = Criterion(
    name="squared_error",
    label="Squared error",
    task="regression",
    formula=r"\frac{1}{n}\sum_i (y_i - \bar y)^2",
    source="Breiman et al. (1984)",
    node=squared_error,
    has_scan=True,
    many=_many,
    written=_written,
    unit="target²",
)
