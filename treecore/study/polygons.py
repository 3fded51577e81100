"""Convex polygons of a plane: float64 (k, 2), the corners in turn, against the clock."""

from collections.abc import Iterable, Iterator
from itertools import pairwise, product
from math import inf, isnan, nan

import numpy as np

from treecore.study.plane import Axis, Plane, feature_index
from treecore.tree.tree import Tree


def rectangles(x0: np.ndarray, x1: np.ndarray, y0: np.ndarray, y1: np.ndarray) -> list[np.ndarray]:
    """The corners of each."""
    edges = zip(x0.tolist(), x1.tolist(), y0.tolist(), y1.tolist(), strict=True)
    return [np.array([[left, low], [right, low], [right, high], [left, high]]) for left, right, low, high in edges]


def boxes(polygons: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(x0, x1, y0, y1), float64 (n,) each: the rectangles around them."""
    ends = [(*corners.min(axis=0), *corners.max(axis=0)) for corners in polygons]
    x0, y0, x1, y1 = np.array(ends, np.float64).reshape(-1, 4).T.copy()
    return x0, x1, y0, y1


def overlap(corners: np.ndarray, other: np.ndarray) -> np.ndarray:
    """What two convex polygons, both against the clock, have in common; no corners for nothing."""
    for (x0, y0), (x1, y1) in pairwise([*other, other[0]]):
        outward = np.array([y1 - y0, x0 - x1])
        corners = below(corners, outward, float(outward @ (x0, y0)))
    return corners


def inside(corners: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """bool (n,): which points lie in a convex polygon whose corners go round against the clock."""
    result = np.ones(len(x), bool)
    for (x0, y0), (x1, y1) in pairwise([*corners, corners[0]]):
        result &= (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= 0
    return result


def area(corners: np.ndarray) -> float:
    """Of a polygon; 0 for less than three corners."""
    if len(corners) < 3:
        return 0.0
    (x, y), (x_next, y_next) = corners.T, np.roll(corners, -1, axis=0).T
    return abs(float((x * y_next - x_next * y).sum())) / 2


def below(corners: np.ndarray, direction: np.ndarray, limit: float) -> np.ndarray:
    """The part of a convex polygon in which direction · point is below the limit."""
    if limit == inf or not len(corners):
        return corners
    over = corners @ direction - limit
    if (over <= 0).all():
        return corners
    kept = []
    for i, here in enumerate(over):
        before = over[i - 1]
        if (here <= 0) != (before <= 0):
            share = before / (before - here)
            kept.append(corners[i - 1] + share * (corners[i] - corners[i - 1]))
        if here <= 0:
            kept.append(corners[i])
    return np.array(kept).reshape(-1, 2)


# A tree with oblique splits in the plane of two features: convex polygons, exact but for rounding of their corners.

THINNEST = 1e-12
"""Of the area shown: what is smaller is left by rounding."""


def is_slanted(tree: Tree) -> bool:
    """Does it ask for weighted sums?"""
    return any(feature.terms for feature in tree.schema.features)


class SlantedPlane(Plane):
    """As a Plane of the numeric axes; a box is a polygon: float64 (k, 2), the corners in turn, within the range shown.

    axes : both of them. codes : the fixed values (fixed_codes), with those of axes of levels.
    """

    slanted = True

    def __init__(self, tree: Tree, axes: tuple[Axis, ...], codes: list[float], whole: np.ndarray):
        super().__init__(tree, tuple(axis for axis in axes if axis.kind == "numeric"), list(codes))
        self.whole = whole
        self._place = {feature_index(tree, axis.name): i for i, axis in enumerate(axes) if axis.kind == "numeric"}
        self.forms = {f: (np.eye(2)[place], 0.0) for f, place in self._place.items()}
        for f, feature in enumerate(tree.schema.features):
            if feature.terms:
                self._add_sum(f, dict(feature.terms))

    def _add_sum(self, f: int, terms: dict[str, float]) -> None:
        """What a sum comes to in the plane: a direction and a constant, or a fixed value."""
        direction, constant = np.zeros(2), 0.0
        for name, weight in terms.items():
            term = feature_index(self.tree, name)
            if term in self._place:
                direction[self._place[term]] += weight
            else:
                constant += weight * self._fixed(term)
        if direction.any() and not isnan(constant):
            self.axes[f], self.forms[f] = -1, (direction, constant)
        else:
            self.codes[f] = nan if direction.any() else constant

    def _fixed(self, term: int) -> float:
        value, fill = self.codes[term], self.tree.schema.features[term].fill
        return fill if isnan(value) and fill is not None else value

    def divide(self, which: int, entry: int, box: np.ndarray) -> list[tuple[int, np.ndarray]]:
        direction, constant = self.forms[int(self.splits[which].feature[entry])]
        parts = []
        for branch, low, end in self._runs(which, entry):
            part = below(below(box, direction, end - constant), -direction, constant - low)
            if area(part) > THINNEST * area(self.whole):
                parts.append((branch, part))
        return parts


def planes_of(tree: Tree, axes: tuple[Axis, Axis], codes: list[float]) -> Iterator[SlantedPlane]:
    """The planes that make up a picture: one, or one for each band of an axis of levels."""
    ranges = [[(axis.low, axis.high)] if axis.kind == "numeric" else _bands(axis) for axis in axes]
    for number, spans in enumerate(product(*ranges)):
        (x0, x1), (y0, y1) = spans
        here = list(codes)
        place = np.unravel_index(number, [len(r) for r in ranges])
        for axis, band in zip(axes, place, strict=True):
            if axis.kind != "numeric":
                here[feature_index(tree, axis.name)] = float(axis.codes[band])
        yield SlantedPlane(tree, axes, here, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float))


def _bands(axis: Axis) -> list[tuple[float, float]]:
    return [(band - 0.5, band + 0.5) for band in range(len(axis.levels))]


def polygons(tree: Tree, axes: tuple[Axis, Axis], codes: list[float]) -> tuple[list[int], list[np.ndarray], np.ndarray]:
    """(node of each polygon, its corners (k, 2); bool (n_nodes,): which nodes lie in the picture)."""
    nodes, corners, reached = [], [], np.zeros(tree.n_nodes, bool)
    for plane in planes_of(tree, axes, codes):
        for node, box, ends in plane.ends_in(tree.is_leaf):
            reached[node] = True
            if ends:
                nodes.append(node)
                corners.append(box)
    return nodes, corners, reached


def node_polygons(tree: Tree, node: int, axes: tuple[Axis, Axis], codes: list[float]) -> list[np.ndarray]:
    """What a node's path asks of the plane, as polygons; tests of fixed values are not looked at."""
    result = []
    for plane in planes_of(tree, axes, codes):
        box = plane.whole
        for parent, child in pairwise(tree.path(node)):
            if int(tree.splits.feature[parent]) in plane.axes and len(box):
                branch = child - int(tree.first_child[parent])
                box = next((part for b, part in plane.divide(0, parent, box) if b == branch), box[:0])
        result += [box] if len(box) else []
    return result
