"""What an impurity is: a name, a formula to show, traits, and the code the kernels know it by."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Judge(NamedTuple):
    """A criterion as compiled code takes it.

    code, scale : of the Criterion. loss : float64 (K, K), cost of true class i called j; (0, 0) where it plays no part.
    """

    code: int
    scale: float
    loss: np.ndarray


@dataclass(frozen=True)
class Criterion:
    """One impurity of a node.

    code : the integer by which kernels call `node` (functions passed to compiled code are never
        cached on disk, integers are).
    task : "classification" (statistics are class weights) or "regression" (w, wy, wyy).
    formula : LaTeX, shown beside the number it produces.
    unit : of the impurity, '' for a pure number.
    concave : no split of a node can raise the weighted impurity.
    additive : the impurity follows from the statistics; absolute error needs the rows.
    scale : the impurity is `node` times this. max_classes : most classes it is defined for, None for any.
    needs_loss : it reads the matrix of costs.
    node : compiled, (statistics float64 (S,), total weight[, loss]) -> impurity; 0 for an empty node.
    """

    name: str
    label: str
    code: int
    task: str
    formula: str
    source: str
    node: Callable
    unit: str = ""
    concave: bool = True
    additive: bool = True
    scale: float = 1.0
    max_classes: int | None = None
    needs_loss: bool = False

    def judge(self, loss: np.ndarray | None = None) -> Judge:
        """The criterion for compiled code; loss as in Judge, for a criterion that needs it."""
        matrix = loss if self.needs_loss and loss is not None else np.zeros((0, 0))
        # a copy: whether an array may be written to is part of the type for which kernels are compiled
        return Judge(self.code, self.scale, np.array(matrix, np.float64, order="C"))
