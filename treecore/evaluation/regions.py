"""Decision regions: the exact rectangles in which a tree gives one answer, for two features."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import or_

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.evaluation.axes import Axis, axis_of
from treecore.evaluation.fixed import fixed_codes, fixed_words
from treecore.evaluation.plane import Plane
from treecore.evaluation.polygon import boxes, inside, rectangles
from treecore.evaluation.slanted import is_slanted, node_polygons, polygons
from treecore.judging.interest import Interest, Tint, class_told, observed_shares, tint
from treecore.tree.tree import Tree

NO_ANSWER = 255
"""In a raster: the tree has no answer here."""
SHADES = 250
"""Indices a raster uses, a multiple of the palette's 10 colours."""


@dataclass(frozen=True, eq=False, repr=False)
class Regions(Brief):
    """Rectangles that fill the plane of two features once; entry i of each array is one rectangle.

    x, y : the axes. x0, x1, y0, y1 : float64, half-open: x0 <= x < x1, y0 <= y < y1, clipped to the axes.
    node : int64, where the rows of the rectangle end; several rectangles may have the same node.
    value : int64 class index (-1: no answer) or float64 mean. share : float64, the answer's share of the node's
    training weight (NaN for regression). rate : float64, the same of the class that is told, int64 `told`: that of
    interest, else the answer. tints : the colour of each; () for numbers. n_rows : int64, rows in the node,
    whatever their place; rows_named says which.
    limits : least and greatest mean of the tree's nodes (regression), the ends of a colour scale.
    fixed : (feature, value in words) of the other features the tree tests.
    reached : int64, the nodes that lie in this plane and its range.
    depth : float64, 0 to 1, how strongly a rectangle is painted where rows are counted (`occupied`); else None.
    interest : the class by whose share they are coloured, None for none.
    corners : of a tree with oblique splits, float64 (k, 2) of each convex polygon, which x0 to y1 are the box around.
    """

    x: Axis
    y: Axis
    x0: np.ndarray
    x1: np.ndarray
    y0: np.ndarray
    y1: np.ndarray
    node: np.ndarray
    value: np.ndarray
    share: np.ndarray
    n_rows: np.ndarray
    target: str
    classes: tuple[str, ...]
    limits: tuple[float, float]
    fixed: tuple[tuple[str, str], ...]
    reached: np.ndarray
    rate: np.ndarray
    told: np.ndarray
    tints: tuple[Tint, ...]
    depth: np.ndarray | None = None
    interest: Interest | None = None
    corners: tuple[np.ndarray, ...] | None = None
    rows_named: str = "training rows"

    def __len__(self) -> int:
        return len(self.node)

    @property
    def outlines(self) -> list[np.ndarray]:
        """float64 (k, 2), the corners of each in turn."""
        return list(self.corners) if self.corners is not None else rectangles(self.x0, self.x1, self.y0, self.y1)

    def index_at(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """int64 (n,): the rectangle that contains each point, -1 outside of the range."""
        found = np.full(len(x), -1, np.int64)
        for start in range(0, len(self), 256):
            i = slice(start, start + 256)
            lies = (self.x0[i, None] <= x) & (x < self.x1[i, None])
            lies &= (self.y0[i, None] <= y) & (y < self.y1[i, None])
            for row, corners in enumerate(self.corners[i] if self.corners else ()):
                lies[row] &= inside(corners, x, y)
            hit = lies.any(axis=0)
            found[hit] = start + lies[:, hit].argmax(axis=0)
        return found


def regions(
    tree: Tree,
    x: str | Axis,
    y: str | Axis,
    fixed: Mapping[str, object],
    ranges: Mapping[str, tuple[float, float]] | None = None,
    ids: np.ndarray | None = None,
    interest: Interest | None = None,
) -> Regions:
    """The exact regions of a tree over the features x and y, the others at fixed values.

    x, y : names, or axes that `shown_axes` made for this tree.
    fixed : feature -> number, level, or None for missing; default_fixed(tree, train) gives typical ones.
    ranges : numeric feature -> (low, high) to show; plot_ranges gives them.
    ids : int64 (n_nodes,), what the nodes are called: Cuts.standing, for a pruned tree with the grown one's ids.
    interest : the class whose share is told, and by which they are coloured; None: the answer's.
    """
    axes = axis_of(tree, x, ranges), axis_of(tree, y, ranges)
    if axes[0].name == axes[1].name:
        where = f"Feature {axes[0].name!r}"
        raise TreecoreError("Both axes show the same feature", where=where, remedy="Choose two features")
    codes, words = fixed_codes(tree, axes, fixed), fixed_words(tree, axes, fixed)
    ids = np.arange(tree.n_nodes) if ids is None else ids
    if is_slanted(tree):
        return _slanted(tree, axes, codes, words, ids, interest)
    plane = Plane(tree, axes, codes)
    reached, nodes, rectangles = np.zeros(tree.n_nodes, bool), [], []
    for node, (piece_x, piece_y), ends in plane.ends_in(tree.is_leaf):
        spans_y = axes[1].spans(piece_y)
        found = [(*a, *b) for a in axes[0].spans(piece_x) for b in spans_y]
        reached[node] |= bool(found)
        if ends:
            nodes += [node] * len(found)
            rectangles += found
    node = np.array(nodes, np.int64)
    x0, x1, y0, y1 = np.array(rectangles, np.float64).reshape(-1, 4).T.copy()
    said = _answers(tree, node, interest)
    return Regions(*axes, x0, x1, y0, y1, ids[node], **said, fixed=words, reached=ids[reached])


def _slanted(tree: Tree, axes: tuple[Axis, Axis], codes: list[float], words, ids: np.ndarray, interest) -> Regions:
    """The polygons of a tree with oblique splits."""
    nodes, corners, reached = polygons(tree, axes, codes)
    node = np.array(nodes, np.int64)
    said = _answers(tree, node, interest)
    return Regions(*axes, *boxes(corners), ids[node], **said, fixed=words, reached=ids[reached], corners=tuple(corners))


def _answers(tree: Tree, node: np.ndarray, interest: Interest | None) -> dict:
    """What Regions says of the nodes its rectangles end in."""
    value = tree.value[node]
    names = {"target": tree.schema.target, "classes": tree.class_names, "rows_named": tree.rows_named}
    same = {"value": value, "n_rows": tree.n_rows[node]} | names
    if not tree.classes:
        unknown, limits = np.full(len(node), np.nan), (float(np.nanmin(tree.value)), float(np.nanmax(tree.value)))
        return same | {"share": unknown, "rate": unknown, "told": value, "tints": (), "limits": limits}
    shares = observed_shares(tree)[node]
    share = np.where(value < 0, np.nan, shares[np.arange(len(node)), value])
    return same | {"share": share, "limits": (0.0, 0.0), "interest": interest} | rates_of(shares, value, interest)


def rates_of(shares: np.ndarray, value: np.ndarray, interest: Interest | None) -> dict:
    """`rate`, `told` and `tints` of Regions. shares : float64 (n, n_classes). value : int64 (n,), the answers."""
    rows = list(zip(shares.tolist(), value.tolist(), strict=True))
    told = np.array([class_told(*row, interest) for row in rows], np.int64)
    return {
        "rate": shares[np.arange(len(told)), told],
        "told": told,
        "tints": tuple(tint(*row, interest) for row in rows),
    }


def node_box(
    tree: Tree,
    node: int,
    x: str | Axis,
    y: str | Axis,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    fixed: Mapping[str, object] | None = None,
) -> np.ndarray | list[np.ndarray]:
    """What a node's path asks of two features: float64 (n, 4), rectangles x0, x1, y0, y1 clipped to the range.

    Half-open as in Regions. Conditions on other features are not looked at: `Regions.reached` says whether
    the fixed values lead to the node at all. Levels may take several rectangles. Of a tree with oblique splits, the
    corners (k, 2) of polygons; what its sums come to takes the `fixed` values.
    """
    axes = axis_of(tree, x, ranges), axis_of(tree, y, ranges)
    if is_slanted(tree):
        return node_polygons(tree, node, axes, fixed_codes(tree, axes, fixed or {}))
    plane = Plane(tree, axes, None)
    box, path = plane.whole, tree.path(node)
    for parent, child in pairwise(path):
        if tree.splits.feature[parent] in plane.axes:
            box = _towards(plane, parent, child, box)
    rectangles = [(*a, *b) for a in axes[0].spans(box[0]) for b in axes[1].spans(box[1])]
    return np.array(rectangles, np.float64).reshape(-1, 4)


def _towards(plane: Plane, parent: int, child: int, box: tuple) -> tuple:
    """The part of a box that a test on an axis lets through to one child."""
    tree, branch = plane.tree, child - int(plane.tree.first_child[parent])
    axis = plane.axes[int(tree.splits.feature[parent])]
    # a level the test does not know may come here by its stated route, or by a surrogate's word
    unsure = tree.splits.unseen_branch[parent] == branch or len(plane.tests(parent)) > 1
    parts = [p[axis] for b, p in plane.divide(0, parent, box) if b == branch or (b < 0 and unsure)]
    nothing = (0.0, 0.0)
    piece = next(iter(parts), nothing) if plane.numeric[axis] else reduce(or_, parts, 0)
    return (*box[:axis], piece, *box[axis + 1 :])


def raster(regions: Regions, nx: int, ny: int, shade: np.ndarray | None = None) -> np.ndarray:
    """uint8 (ny, nx): the answer at the centre of every pixel, the top row first.

    Class index modulo SHADES, or for regression 0 (regions.limits[0]) to SHADES - 1 (limits[1]); NO_ANSWER.
    shade : uint8 (n,), what stands for each rectangle instead.
    """
    image = np.full((ny, nx), NO_ANSWER, np.uint8)
    left, right = (_pixels(edge, regions.x, nx) for edge in (regions.x0, regions.x1))
    bottom, top = (_pixels(edge, regions.y, ny) for edge in (regions.y0, regions.y1))
    bounds = zip(left.tolist(), right.tolist(), (ny - top).tolist(), (ny - bottom).tolist(), strict=True)
    shade = shades(regions) if shade is None else shade
    for i, (c0, c1, r0, r1) in enumerate(bounds):
        image[r0:r1, c0:c1] = shade[i]
    return image


def shades(regions: Regions) -> np.ndarray:
    """uint8 (n,): the raster's index for every rectangle's answer."""
    if regions.classes:
        return np.where(regions.value < 0, NO_ANSWER, regions.value % SHADES).astype(np.uint8)
    low, high = regions.limits
    place = (regions.value - low) / (high - low) if high > low else np.zeros(len(regions))
    return np.where(np.isnan(place), NO_ANSWER, np.rint(place * (SHADES - 1))).astype(np.uint8)


def _pixels(edge: np.ndarray, axis: Axis, n: int) -> np.ndarray:
    """int64: the first pixel whose centre is not below the edge."""
    return np.ceil((edge - axis.low) / (axis.high - axis.low) * n - 0.5).astype(np.int64).clip(0, n)


def cells(regions: Regions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The plane cut along every edge of every rectangle: (x_edges, y_edges, index).

    index : int64 (len(y_edges) - 1, len(x_edges) - 1), the rectangle of each cell, the lowest row first.
    """
    x_edges = np.unique(np.concatenate([regions.x0, regions.x1]))
    y_edges = np.unique(np.concatenate([regions.y0, regions.y1]))
    index = np.full((len(y_edges) - 1, len(x_edges) - 1), -1, np.int64)
    columns = (np.searchsorted(x_edges, edge).tolist() for edge in (regions.x0, regions.x1))
    rows = (np.searchsorted(y_edges, edge).tolist() for edge in (regions.y0, regions.y1))
    for i, (c0, c1, r0, r1) in enumerate(zip(*columns, *rows, strict=True)):
        index[r0:r1, c0:c1] = i
    return x_edges, y_edges, index
