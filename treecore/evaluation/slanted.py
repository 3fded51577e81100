"""A tree with oblique splits in the plane of two features: convex polygons, exact but for rounding of their corners."""

from collections.abc import Iterator
from itertools import pairwise, product
from math import isnan, nan

import numpy as np

from treecore.evaluation.axes import Axis, feature_index
from treecore.evaluation.plane import Plane
from treecore.evaluation.polygon import area, below
from treecore.tree.tree import Tree

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
    found = []
    for plane in planes_of(tree, axes, codes):
        box = plane.whole
        for parent, child in pairwise(tree.path(node)):
            if int(tree.splits.feature[parent]) in plane.axes and len(box):
                branch = child - int(tree.first_child[parent])
                box = next((part for b, part in plane.divide(0, parent, box) if b == branch), box[:0])
        found += [box] if len(box) else []
    return found
