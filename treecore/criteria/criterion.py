"""What an impurity is: a name, a formula to show, traits, and the code the kernels know it by."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Criterion:
    """One impurity of a node.

    code : the integer by which kernels call `node` (functions passed to compiled code are never
        cached on disk, integers are).
    task : "classification" (statistics are class weights) or "regression" (w, wy, wyy).
    formula : LaTeX, shown beside the number it produces.
    unit : of the impurity, '' for a pure number.
    concave : no split of a node can raise the weighted impurity.
    node : compiled, (statistics float64 (S,), total weight) -> impurity; 0 for an empty node.
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
