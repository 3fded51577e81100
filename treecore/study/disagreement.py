"""Where in the plane of two features, or along one, two trees answer differently: exact rectangles, or polygons."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.study.metrics import check_same_target
from treecore.study.plane import Axis, Plane, at_middles, axis_of, feature_index, fixed_codes, tiles_of
from treecore.study.polygons import area, boxes, inside, is_slanted, overlap, polygons, rectangles
from treecore.tree.oblique import own_parts
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix

WHOLE = (0.0, 1.0)
"""The second side of the rectangles where there is one feature only."""
THINNEST = 1e-6
"""Of the range shown: thinner rectangles are left out, as thresholds that differ by rounding alone make them."""


@dataclass(frozen=True, eq=False, repr=False)
class Disagreement(Brief):
    """Rectangles in which two trees answer differently; entry i of each array is one. They do not overlap.

    x, y : the axes, y None for one feature. x0, x1, y0, y1 : float64, half-open as in Regions; y from 0 to 1 for one
    feature. node_a, node_b : int64, where the rows of the rectangle end in each tree.
    value_a, value_b : int64 class indices (-1: no answer) or float64 means.
    corners : where a tree has oblique splits, float64 (k, 2) of each convex polygon, which x0 to y1 are the box around.
    share : of the area shown that they cover; levels are one wide. units : of numbers, what values are multiplied by
    where they are shown.
    """

    x: Axis
    y: Axis | None
    x0: np.ndarray
    x1: np.ndarray
    y0: np.ndarray
    y1: np.ndarray
    node_a: np.ndarray
    node_b: np.ndarray
    value_a: np.ndarray
    value_b: np.ndarray
    target: str
    classes: tuple[str, ...]
    corners: tuple[np.ndarray, ...] | None = None
    units: float = 1.0

    def __len__(self) -> int:
        return len(self.node_a)

    @property
    def share(self) -> float:
        height = 1.0 if self.y is None else self.y.high - self.y.low
        return float(self.areas.sum()) / ((self.x.high - self.x.low) * height)

    @property
    def areas(self) -> np.ndarray:
        """float64 (n,), of each of them."""
        if self.corners is not None:
            return np.array([area(corners) for corners in self.corners])
        return (self.x1 - self.x0) * (self.y1 - self.y0)

    @property
    def middles(self) -> np.ndarray:
        """float64 (n, 2), a point within each of them."""
        if self.corners is not None:
            return np.array([corners.mean(axis=0) for corners in self.corners]).reshape(-1, 2)
        return np.stack([self.x0 + self.x1, self.y0 + self.y1], axis=1) / 2

    @property
    def outlines(self) -> list[np.ndarray]:
        """float64 (k, 2), the corners of each of them in turn."""
        return list(self.corners) if self.corners is not None else rectangles(self.x0, self.x1, self.y0, self.y1)

    def covers(self, x: np.ndarray, y: np.ndarray | None = None) -> np.ndarray:
        """bool (n,): which points lie in one of the rectangles; y is left out for one feature."""
        y = np.full(len(x), 0.5) if self.y is None else y
        result = np.zeros(len(x), bool)
        if self.corners is not None:
            return np.logical_or.reduce([result, *(inside(corners, x, y) for corners in self.corners)])
        for x0, x1, y0, y1 in zip(self.x0, self.x1, self.y0, self.y1, strict=True):
            result |= (x0 <= x) & (x < x1) & (y0 <= y) & (y < y1)
        return result


def disagreement(
    tree_a: Tree,
    tree_b: Tree,
    features: tuple[str | Axis, ...],
    fixed: Mapping[str, object],
    ranges: Mapping[str, tuple[float, float]] | None = None,
) -> Disagreement:
    """The exact rectangles of one or two features in which the trees' answers differ, the other features fixed.

    features : names, or axes that `shown_axes` made for both trees.
    fixed : feature -> number, level, or None for missing, for every other feature that one of the trees tests.
    ranges : numeric feature -> (low, high) to show; without it a range around both trees' thresholds.
    Raises TreecoreError for one feature on both axes, and where the trees have a feature in different kinds or levels.
    """
    check_same_target(tree_a, tree_b)
    names = [feature.name if isinstance(feature, Axis) else feature for feature in features]
    if len(set(names)) != len(names):
        where = f"Feature {names[0]!r}"
        raise TreecoreError("Both axes show the same feature", where=where, remedy="Choose two features")
    check_same_values(tree_a, tree_b, tuple(names))
    axes = tuple(_common_axis(tree_a, tree_b, name, ranges) for name in features)
    if len(axes) == 2 and (is_slanted(tree_a) or is_slanted(tree_b)):
        return _slanted(tree_a, tree_b, axes, fixed)
    first, second = (_rectangles(tree, axes, fixed) for tree in (tree_a, tree_b))
    pairs, boxes = _overlaps(first, second, tree_a, tree_b)
    wide = _wide_enough(boxes, axes)
    boxes = boxes[:, wide]
    nodes = first[0][pairs[0][wide]], second[0][pairs[1][wide]]
    if _has_lines(tree_a, tree_b):
        nodes, boxes, values = _in_tiles(tree_a, tree_b, axes, fixed, nodes, boxes)
    else:
        values = tree_a.value[nodes[0]], tree_b.value[nodes[1]]
    y = axes[1] if len(axes) > 1 else None
    units = tree_a.target_kind.units_shown(tree_a)
    x0, x1, y0, y1 = boxes
    return Disagreement(
        axes[0], y, x0, x1, y0, y1, nodes[0], nodes[1], values[0], values[1], tree_a.schema.target, tree_a.classes,
        units=units,
    )  # fmt: skip


def _has_lines(tree_a: Tree, tree_b: Tree) -> bool:
    return tree_a.lines is not None or tree_b.lines is not None


def _in_tiles(tree_a: Tree, tree_b: Tree, axes: tuple[Axis, ...], fixed: Mapping, nodes, boxes: np.ndarray):
    """(nodes, boxes, values) of the small rectangles in whose middle two trees, one with lines, answer otherwise."""
    of, tiles = tiles_of(axes, boxes.T)
    nodes = tuple(which[of] for which in nodes)
    values = [at_middles(tree, axes, fixed, which, tiles) for tree, which in zip((tree_a, tree_b), nodes, strict=True)]
    if tree_a.classes:
        values = [
            said if tree.lines is None else tree.target_kind.labels_of_shares(tree, said)
            for tree, said in zip((tree_a, tree_b), values, strict=True)
        ]
    here = _differ(tree_a, *values)
    return tuple(which[here] for which in nodes), tiles[here].T, tuple(value[here] for value in values)


def _slanted(tree_a: Tree, tree_b: Tree, axes: tuple[Axis, Axis], fixed: Mapping[str, object]) -> Disagreement:
    """The polygons, where a tree has oblique splits."""
    nodes_a, first, _ = polygons(tree_a, axes, fixed_codes(tree_a, axes, fixed))
    nodes_b, second, _ = polygons(tree_b, axes, fixed_codes(tree_b, axes, fixed))
    whole = (axes[0].high - axes[0].low) * (axes[1].high - axes[1].low)
    pairs, corners, others = [], [], tree_b.value[np.array(nodes_b, np.int64)]
    for a, outline in zip(nodes_a, first, strict=True):
        for j in np.flatnonzero(_differ(tree_a, tree_a.value[a], others)):
            both = overlap(outline, second[j])
            if area(both) > THINNEST * whole:
                pairs.append((a, nodes_b[j]))
                corners.append(both)
    nodes = np.array(pairs, np.int64).reshape(-1, 2).T
    values = tree_a.value[nodes[0]], tree_b.value[nodes[1]]
    x0, x1, y0, y1 = boxes(corners)
    return Disagreement(
        axes[0], axes[1], x0, x1, y0, y1, nodes[0], nodes[1], values[0], values[1], tree_a.schema.target,
        tree_a.classes, tuple(corners), tree_a.target_kind.units_shown(tree_a),
    )  # fmt: skip


def check_same_values(tree_a: Tree, tree_b: Tree, features: tuple[str, ...]) -> None:
    """TreecoreError unless the features shown, and those that a tree tests, are of one kind in both trees."""
    for name in dict.fromkeys([*features, *tested_features(tree_a), *tested_features(tree_b)]):
        a, b = (tree.schema.features[feature_index(tree, name)] for tree in (tree_a, tree_b))
        if a.numeric != b.numeric or a.levels != b.levels:
            raise TreecoreError(
                "The two trees were grown on different values of it",
                where=f"Feature {name!r}",
                remedy="Choose trees from tables that are prepared alike",
            )


def tested_features(tree: Tree) -> list[str]:
    """Names of the features that a tree's answers depend on, surrogates left aside, in the order of the schema."""
    asked = own_parts(tree.schema, tree.asked.tolist())
    return [tree.schema.features[f].name for f in sorted(asked)]


def _common_axis(tree_a: Tree, tree_b: Tree, name: str | Axis, ranges) -> Axis:
    """The axis of a feature, wide enough for both trees."""
    if isinstance(name, Axis):
        return name
    a, b = (axis_of(tree, name, ranges) for tree in (tree_a, tree_b))
    return Axis(a.name, a.kind, min(a.low, b.low), max(a.high, b.high), a.levels)


def _rectangles(tree: Tree, axes: tuple[Axis, ...], fixed) -> tuple[np.ndarray, np.ndarray]:
    """(node of each rectangle, float64 (n, 4): x0, x1, y0, y1) that fill the area shown once."""
    plane = Plane(tree, axes, fixed_codes(tree, axes, fixed))
    nodes, boxes = [], []
    for node, pieces, ends in plane.ends_in(tree.is_leaf):
        if not ends:
            continue
        across, *up = (axis.spans(piece) for axis, piece in zip(axes, pieces, strict=True))
        result = [(*a, *b) for a in across for b in (up[0] if up else [WHOLE])]
        nodes += [node] * len(result)
        boxes += result
    return np.array(nodes, np.int64), np.array(boxes, float).reshape(-1, 4)


def _overlaps(first, second, tree_a: Tree, tree_b: Tree) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """(rectangle of A, rectangle of B) wherever they overlap and answer differently, and the overlaps (4, n)."""
    found_a, found_b, boxes = [], [], []
    for i, (node, (x0, x1, y0, y1)) in enumerate(zip(first[0], first[1], strict=True)):
        low_x, high_x = np.maximum(x0, second[1][:, 0]), np.minimum(x1, second[1][:, 1])
        low_y, high_y = np.maximum(y0, second[1][:, 2]), np.minimum(y1, second[1][:, 3])
        here = (low_x < high_x) & (low_y < high_y)
        if not _has_lines(tree_a, tree_b):
            here &= _differ(tree_a, tree_a.value[node], tree_b.value[second[0]])
        found_a.append(np.full(np.count_nonzero(here), i))
        found_b.append(np.flatnonzero(here))
        boxes.append(np.stack([low_x, high_x, low_y, high_y])[:, here])
    return (np.concatenate(found_a), np.concatenate(found_b)), np.concatenate(boxes, axis=1)


def _wide_enough(boxes: np.ndarray, axes: tuple[Axis, ...]) -> np.ndarray:
    wide = np.ones(boxes.shape[1], bool)
    for (low, high), axis in zip((boxes[:2], boxes[2:]), axes, strict=False):
        wide &= high - low > THINNEST * (axis.high - axis.low)
    return wide


def _differ(tree: Tree, answer, others: np.ndarray) -> np.ndarray:
    """bool: which answers are others; numbers that differ by rounding alone are the same."""
    return others != answer if tree.classes else ~np.isclose(others, answer, rtol=1e-9, atol=0, equal_nan=True)


def places_of(found: Disagreement, tree: Tree, table: Table) -> list[np.ndarray]:
    """float64 (n_rows,) per axis: where the rows of a table lie, NaN without a value."""
    axes = (found.x,) if found.y is None else (found.x, found.y)
    features = np.array([feature_index(tree, axis.name) for axis in axes])
    values = value_matrix(tree.schema, features, table)
    return [axis.places(along) for axis, along in zip(axes, values, strict=True)]


def weight_inside(found: Disagreement, tree: Tree, table: Table) -> tuple[int, float]:
    """(rows of a table whose values lie in the rectangles, their share of its case weight), the other features aside.

    Rows without a value on an axis lie nowhere. The share is NaN without rows.
    """
    inside, weight = found.covers(*places_of(found, tree, table)), table.case_weights
    total = float(weight.sum())
    return int(inside.sum()), float(weight[inside].sum()) / total if total > 0 else float("nan")
