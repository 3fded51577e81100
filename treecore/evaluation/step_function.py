"""A regression tree along one numeric feature: a step function, exactly."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.evaluation.axes import Axis, axis_of, plot_ranges
from treecore.evaluation.fixed import fixed_codes, fixed_words
from treecore.evaluation.plane import Plane
from treecore.figures import exact, number
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class StepFunction(Brief):
    """What a tree predicts along one feature, the others fixed.

    edges : float64 (k + 1,), rising from the left to the right end of the range shown; piece i holds for
    edges[i] <= x < edges[i + 1]. printed : the edges in print, on the same side of the table's values. value : float64
    (k,), its prediction. node : int64 (k,), where it ends.
    """

    axis: Axis
    target: str
    edges: np.ndarray
    value: np.ndarray
    node: np.ndarray
    fixed: tuple[tuple[str, str], ...]
    printed: tuple[str, ...] = ()

    @property
    def breaks(self) -> np.ndarray:
        """float64 (k - 1,): the first value of every piece but the leftmost."""
        return self.edges[1:-1]


def step_function(
    tree: Tree, table: Table, feature: str, fixed: Mapping[str, object], ids: np.ndarray | None = None
) -> StepFunction:
    """The piecewise constant prediction over the range that a table's rows have.

    fixed, ids : as for `regions`.
    """
    if tree.classes:
        remedy = "Look at the decision regions instead"
        raise TreecoreError("A tree that predicts classes has no step function", remedy=remedy)
    axis = axis_of(tree, feature, plot_ranges([feature], table))
    if axis.kind != "numeric":
        remedy = "Choose a numeric feature"
        raise TreecoreError(f"It is {axis.kind}", where=f"Feature {feature!r}", remedy=remedy)
    plane = Plane(tree, (axis,), fixed_codes(tree, (axis,), fixed))
    ends = [(node, piece) for node, (piece,), end in plane.ends_in(tree.is_leaf) if end]
    pieces = sorted((a, b, node) for node, piece in ends for a, b in axis.spans(piece))
    left, right, node = (np.array(column) for column in zip(*pieces, strict=True))
    edges = np.append(left, right[-1])
    value, words = tree.value[node], fixed_words(tree, (axis,), fixed)
    node, printed = node if ids is None else ids[node], _printed(tree, feature, edges.tolist())
    return StepFunction(axis, tree.schema.target, edges, value, node, words, printed)


def _printed(tree: Tree, feature: str, edges: list[float]) -> tuple[str, ...]:
    gaps = next(f for f in tree.schema.features if f.name == feature).gaps
    inner = ((edge, gaps.holding(edge, closed=False)) for edge in edges[1:-1])
    texts = (exact(edge if gap is None else gap.printed(edge)) for edge, gap in inner)
    return (number(edges[0]), *texts, number(edges[-1]))
