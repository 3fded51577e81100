"""Mean absolute distance from the node's median."""

import math

from treecore.criteria.criterion import Criterion
from treecore.engine.jit import inner
from treecore.figures import tex, weight


@inner
def absolute_error(stats, total, loss):
    """Not a number: it needs the rows, see kernels.absolute_search and kernels.medians."""
    return math.nan


def written_of_rows(middle: float, total: float, n: float) -> list[str]:
    """The sum of distances from the median over the weight, in LaTeX."""
    return [
        rf"\tfrac{{1}}{{{weight(n)}}} \sum \lvert y - {tex(middle, 7)} \rvert",
        rf" = \tfrac{{{tex(total, 7)}}}{{{weight(n)}}}",
    ]


ABSOLUTE_ERROR = Criterion(
    name="absolute_error",
    label="Absolute error",
    task="regression",
    formula=r"\frac{1}{n}\sum_i \lvert y_i - \tilde y \rvert",
    source="Breiman et al. (1984), section 8.11",
    node=absolute_error,
    many=None,
    written=None,
    unit="target",
    additive=False,
)
