"""Mean absolute distance from the node's median."""

from treecore.criteria.criterion import Criterion
from treecore.criteria.squared_error import squared_error

ABSOLUTE_ERROR = Criterion(
    name="absolute_error",
    label="Absolute error",
    code=5,
    task="regression",
    formula=r"\frac{1}{n}\sum_i \lvert y_i - \tilde y \rvert",
    source="Breiman et al. (1984), section 8.11",
    node=squared_error,
    unit="target",
    additive=False,
)
