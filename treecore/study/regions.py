"""Decision regions: the exact rectangles in which a tree gives one answer, for two features."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Any

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import exact, number
from treecore.judging.interest import Interest, Tint, around_zero, observed_shares, shown_class, tint
from treecore.study.plane import (
    Axis,
    Plane,
    at_middles,
    axis_of,
    feature_index,
    fixed_codes,
    fixed_words,
    lines_at,
    low_ends,
    plot_ranges,
    tiles_of,
)
from treecore.study.polygons import area, boxes, inside, is_slanted, node_polygons, overlap, polygons, rectangles
from treecore.tree.node_statistics import true_labels
from treecore.tree.predict import predicted_labels
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix

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
    interest, else the answer. tints : the colour of each, () for numbers but effects. n_rows : int64, rows in the node,
    whatever their place; rows_named says which.
    limits : least and greatest mean of the tree's nodes (regression), the ends of a colour scale; of effects both are
    as far from 0.
    fixed : (feature, value in words) of the other features the tree tests.
    reached : int64, the nodes that lie in this plane and its range.
    depth : float64, 0 to 1, how strongly a rectangle is painted where rows are counted (`occupied`); else None.
    interest : the class by whose share they are coloured, None for none.
    units, quantity : of numbers what values are multiplied by where they are shown, and what they are then: "claims per
    10 years".
    corners : of a tree with oblique splits, float64 (k, 2) of each convex polygon, which x0 to y1 are the box around.
    tiles : of a tree whose leaves answer with lines, the same plane in small rectangles with the answer in the middle
        of each, by which it is painted; `value` is then that in the middle of a whole rectangle, and `spans`, float64
        (n, 2), its least and largest one, or of classes those of `rate`. Else None.
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
    units: float = 1.0
    quantity: str = ""
    tiles: "Regions | None" = None
    spans: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.node)

    @property
    def outlines(self) -> list[np.ndarray]:
        """float64 (k, 2), the corners of each in turn."""
        return list(self.corners) if self.corners is not None else rectangles(self.x0, self.x1, self.y0, self.y1)

    def index_at(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """int64 (n,): the rectangle that contains each point, -1 outside of the range."""
        result = np.full(len(x), -1, np.int64)
        for start in range(0, len(self), 256):
            i = slice(start, start + 256)
            lies = (self.x0[i, None] <= x) & (x < self.x1[i, None])
            lies &= (self.y0[i, None] <= y) & (y < self.y1[i, None])
            for row, corners in enumerate(self.corners[i] if self.corners else ()):
                lies[row] &= inside(corners, x, y)
            hit = lies.any(axis=0)
            result[hit] = start + lies[:, hit].argmax(axis=0)
        return result


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
        result = [(*a, *b) for a in axes[0].spans(piece_x) for b in spans_y]
        reached[node] |= bool(result)
        if ends:
            nodes += [node] * len(result)
            rectangles += result
    ends_in, boxed = np.array(nodes, np.int64), np.array(rectangles, np.float64).reshape(-1, 4)
    if tree.lines is not None:
        return _shaded(tree, axes, fixed, ends_in, boxed, ids, interest, {"fixed": words, "reached": ids[reached]})
    x0, x1, y0, y1 = boxed.T.copy()
    said = _answers(tree, ends_in, interest) | {"fixed": words, "reached": ids[reached]}
    return Regions(axes[0], axes[1], x0, x1, y0, y1, ids[ends_in], **said)


def _shaded(
    tree: Tree, axes: tuple[Axis, Axis], fixed: Mapping, node: np.ndarray, boxed: np.ndarray, ids, interest, more
) -> Regions:
    """The plane of a tree with lines: the answer changes within a leaf. boxed : float64 (n, 4), x0, x1, y0, y1."""
    of, tiles = tiles_of(axes, boxed)
    values, middles = (at_middles(tree, axes, fixed, *where) for where in ((node[of], tiles), (node, boxed)))
    if tree.classes:
        return _shaded_shares(tree, axes, (node, boxed, middles), (of, tiles, values), ids, interest, more)
    spans = _spans(of, values, middles)
    ends = np.concatenate([tree.summary, values])
    limits = float(np.nanmin(ends)), float(np.nanmax(ends))
    plain: dict[str, Any] = {
        "target": tree.schema.target,
        "classes": (),
        "rows_named": tree.rows_named,
        "limits": limits,
        "tints": (),
    }
    plain |= {"units": tree.target_kind.units_shown(tree), "quantity": tree.target_kind.scale_name(tree)}

    def made(node: np.ndarray, boxed: np.ndarray, value: np.ndarray, **rest) -> Regions:
        unknown = np.full(len(node), np.nan)
        said = {"value": value, "n_rows": tree.n_rows[node], "share": unknown, "rate": unknown, "told": value}
        x0, x1, y0, y1 = boxed.T.copy()
        return Regions(axes[0], axes[1], x0, x1, y0, y1, ids[node], **(said | plain | more | rest))

    return made(node, boxed, middles, tiles=made(node[of], tiles, values), spans=spans)


def _spans(of: np.ndarray, values: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """float64 (n, 2): the least and largest value of each rectangle, of its tiles and in its middle. of : int64 (m,),
    the rectangle of each tile."""
    spans = np.stack([middles, middles], axis=1)
    np.minimum.at(spans[:, 0], of, values)
    np.maximum.at(spans[:, 1], of, values)
    return spans


def _shaded_shares(
    tree: Tree, axes: tuple[Axis, Axis], whole: tuple, parts: tuple, ids: np.ndarray, interest, more
) -> Regions:
    """The same where lines give the shares of classes. whole : (node, rectangle, class shares in its middle) of each
    rectangle. parts : (its place among these, rectangle, class shares) of each tile."""
    (node, boxed, middles), (of, tiles, values) = whole, parts
    kind = tree.target_kind
    plain: dict[str, Any] = {
        "target": tree.schema.target, "classes": tree.class_names, "rows_named": tree.rows_named, "limits": (0.0, 0.0),
        "interest": interest,
    }  # fmt: skip

    def made(node: np.ndarray, boxed: np.ndarray, shares: np.ndarray, **rest) -> Regions:
        label = kind.labels_of_shares(tree, shares)
        share = np.where(label < 0, np.nan, shares[np.arange(len(label)), label])
        said = {"value": label, "n_rows": tree.n_rows[node], "share": share} | rates_of(shares, label, interest)
        x0, x1, y0, y1 = boxed.T.copy()
        return Regions(axes[0], axes[1], x0, x1, y0, y1, ids[node], **(said | plain | more | rest))

    painted = made(node[of], tiles, values)
    told = made(node, boxed, middles).told
    spans = _spans(of, values[np.arange(len(of)), told[of]], middles[np.arange(len(told)), told])
    return made(node, boxed, middles, tiles=painted, spans=spans)


def _slanted(tree: Tree, axes: tuple[Axis, Axis], codes: list[float], words, ids: np.ndarray, interest) -> Regions:
    """The polygons of a tree with oblique splits."""
    nodes, corners, reached = polygons(tree, axes, codes)
    node = np.array(nodes, np.int64)
    said = _answers(tree, node, interest) | {"fixed": words, "reached": ids[reached], "corners": tuple(corners)}
    x0, x1, y0, y1 = boxes(corners)
    return Regions(axes[0], axes[1], x0, x1, y0, y1, ids[node], **said)


def _answers(tree: Tree, node: np.ndarray, interest: Interest | None) -> dict[str, Any]:
    """What Regions says of the nodes its rectangles end in."""
    value = tree.value[node]
    names = {"target": tree.schema.target, "classes": tree.class_names, "rows_named": tree.rows_named}
    same = {"value": value, "n_rows": tree.n_rows[node]} | names
    if not tree.classes:
        kind = tree.target_kind
        same |= {"units": kind.units_shown(tree), "quantity": kind.scale_name(tree)}
        unknown, limits = np.full(len(node), np.nan), (float(np.nanmin(tree.value)), float(np.nanmax(tree.value)))
        tints = [around_zero(tree, answer) for answer in value.tolist()]
        if kind.diverging:
            limits = (-max(map(abs, limits)), max(map(abs, limits)))
        tints = tuple(tint for tint in tints if tint is not None)
        return same | {"share": unknown, "rate": unknown, "told": value, "tints": tints, "limits": limits}
    shares = observed_shares(tree)[node]
    share = np.where(value < 0, np.nan, shares[np.arange(len(node)), value])
    return same | {"share": share, "limits": (0.0, 0.0), "interest": interest} | rates_of(shares, value, interest)


def rates_of(shares: np.ndarray, value: np.ndarray, interest: Interest | None) -> dict:
    """`rate`, `told` and `tints` of Regions. shares : float64 (n, n_classes). value : int64 (n,), the answers."""
    rows = list(zip(shares.tolist(), value.tolist(), strict=True))
    told = np.array([shown_class(*row, interest) for row in rows], np.int64)
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


# A regression tree along one numeric feature: a step function, exactly.


@dataclass(frozen=True, eq=False, repr=False)
class StepFunction(Brief):
    """What a tree predicts along one feature, the others fixed.

    edges : float64 (k + 1,), rising from the left to the right end of the range shown; piece i holds for
    edges[i] <= x < edges[i + 1]. printed : the edges in print, on the same side of the table's values. value : float64
    (k,), its prediction, at its left end where leaves answer with lines, `ends` (else None) is that at its right one,
    and pieces are straight. node : int64 (k,), where it ends. units, quantity : as of Regions.
    """

    axis: Axis
    target: str
    edges: np.ndarray
    value: np.ndarray
    node: np.ndarray
    fixed: tuple[tuple[str, str], ...]
    printed: tuple[str, ...] = ()
    units: float = 1.0
    quantity: str = ""
    ends: np.ndarray | None = None

    @property
    def until(self) -> np.ndarray:
        """float64 (k,): the prediction at the right end of each piece."""
        return self.value if self.ends is None else self.ends

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
    words, line_ends = fixed_words(tree, (axis,), fixed), None
    if tree.lines is None:
        value = tree.value[node]
    else:
        edges, node = _bent(tree, feature, edges, node)
        value, line_ends = (lines_at(tree, {feature: at}, fixed, node) for at in (edges[:-1], edges[1:]))
    node, printed = node if ids is None else ids[node], _printed(tree, feature, edges.tolist())
    shown = tree.target_kind.units_shown(tree), tree.target_kind.scale_name(tree)
    return StepFunction(axis, tree.schema.target, edges, value, node, words, printed, *shown, line_ends)


def _bent(tree: Tree, feature: str, edges: np.ndarray, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(edges, node), the pieces cut where a line stops at an end of the range of its rows, too."""
    bends = [edges[0]]
    made: list[int] = []
    assert tree.lines is not None
    for left, right, t in zip(edges[:-1].tolist(), edges[1:].tolist(), node.tolist(), strict=True):
        terms = tree.lines.line(int(tree.answer[t])).terms if tree.answer[t] >= 0 else ()
        ends = {
            end for term in terms if tree.schema.features[term.feature].name == feature for end in (term.low, term.high)
        }
        cuts = [*sorted(end for end in ends if left < end < right), right]
        bends, made = bends + cuts, made + [t] * len(cuts)
    return np.array(bends), np.array(made)


def _printed(tree: Tree, feature: str, edges: list[float]) -> tuple[str, ...]:
    gaps = next(f for f in tree.schema.features if f.name == feature).gaps
    inner = ((edge, gaps.holding(edge, closed=False)) for edge in edges[1:-1])
    texts = (exact(edge if gap is None else gap.printed(edge)) for edge, gap in inner)
    return (number(edges[0]), *texts, number(edges[-1]))


# What a tree answers to the rows that really lie in each part of a plane, whatever their other features are.

MOST = 16
"""Parts of an axis of numbers."""


def occupied(tree: Tree, plane: Regions, rows: Table) -> Regions:
    """The plane cut along the tree's thresholds on its two axes, each cell with the rows that lie in it.

    Entry by entry: value : the answer to most of the cell's rows, or the mean of their answers. share : of those rows
    that are answered so (NaN for numbers). rate, told, tints : by the true classes of the rows there. n_rows : how many
    they are. depth : the square root of their number over that of the fullest cell. Cells without rows are left out;
    `node` is -1, as rows of many nodes may lie in one.
    plane : regions of the same tree, for axes and names. Of many thresholds on an axis those that part most rows count.
    """
    edges = [_edges(tree, axis) for axis in (plane.x, plane.y)]
    features = np.array([feature_index(tree, axis.name) for axis in (plane.x, plane.y)])
    at = [axis.places(v) for axis, v in zip((plane.x, plane.y), value_matrix(tree.schema, features, rows), strict=True)]
    column, line = (np.searchsorted(e, v, side="right") - 1 for e, v in zip(edges, at, strict=True))
    nx, ny = len(edges[0]) - 1, len(edges[1]) - 1
    inside = ~np.isnan(at[0]) & ~np.isnan(at[1]) & (column >= 0) & (column < nx) & (line >= 0) & (line < ny)
    if tree.lines is None:
        said = tree.value[tree.apply(rows)]
    else:
        said = predicted_labels(tree, rows) if tree.classes else tree.predict(rows)
    cell, answer = (line * nx + column)[inside], said[inside]
    truth = true_labels(tree, rows)[inside] if tree.classes else None
    if truth is not None:
        kept = (answer >= 0) & (truth >= 0)
        cell, answer, truth = cell[kept], answer[kept], truth[kept]
    n = np.bincount(cell, minlength=nx * ny)
    full = np.flatnonzero(n)
    value, share = _common(tree, cell, answer, nx * ny)
    x, y = full % nx, full // nx
    if truth is not None:
        k = len(tree.classes)
        counts = np.bincount(cell * k + truth, minlength=nx * ny * k).reshape(-1, k)[full]
        plane = replace(plane, **rates_of(counts / n[full][:, None], value[full], plane.interest))
    elif plane.tints:
        plane = replace(plane, tints=tuple(around_zero(tree, answer) for answer in value[full].tolist()))
    return replace(
        plane, corners=None, tiles=None, spans=None,
        x0=edges[0][x], x1=edges[0][x + 1], y0=edges[1][y], y1=edges[1][y + 1], node=np.full(len(full), -1),
        value=value[full], share=share[full], n_rows=n[full], depth=np.sqrt(n[full] / max(n.max(initial=0), 1)),
    )  # fmt: skip


def _edges(tree: Tree, axis: Axis) -> np.ndarray:
    """float64, ascending: where the tree cuts the axis, and its two ends."""
    if axis.kind != "numeric":
        return np.arange(len(axis.levels) + 1) - 0.5
    here = np.flatnonzero((tree.splits.feature == feature_index(tree, axis.name)) & ~tree.is_leaf)
    ends = np.array(low_ends(tree, tree.splits))[here]
    often = np.argsort(-tree.n_rows[here], kind="stable")
    if is_slanted(tree) and len(often) < MOST - 1:  # slanted lines cut no axis
        return np.linspace(axis.low, axis.high, MOST + 1)
    inside = ends[often][(ends[often] > axis.low) & (ends[often] < axis.high)]
    kept = list(dict.fromkeys(inside.tolist()))[: MOST - 1]
    return np.array([axis.low, *sorted(kept), axis.high])


def _common(tree: Tree, cell: np.ndarray, answer: np.ndarray, n_cells: int) -> tuple[np.ndarray, np.ndarray]:
    """(commonest answer of each cell, its share), or (mean, NaN) of numbers; anything where there are no rows."""
    n = np.maximum(np.bincount(cell, minlength=n_cells), 1)
    if not tree.classes:
        return np.bincount(cell, answer, n_cells) / n, np.full(n_cells, np.nan)
    k = len(tree.classes)
    counts = np.bincount(cell * k + answer, minlength=n_cells * k).reshape(n_cells, k)
    return counts.argmax(axis=1), counts.max(axis=1) / n


# Where in the plane of two features two trees answer differently, exactly.

ROUNDING = 1e-9
"""Of the largest answer: numbers that differ by less are the same."""
BLOCK = 256
"""Rectangles laid over all others at once: memory stays small."""


@dataclass(frozen=True, eq=False, repr=False)
class PlaneChange(Brief):
    """x0, x1, y0, y1 : float64, rectangles in which the second tree answers otherwise; half-open as those of Regions.

    corners : where a tree has oblique splits, float64 (k, 2) of each convex polygon, which x0 to y1 are the box around.
    share : part of the area shown that they take, 0 to 1.
    """

    x0: np.ndarray
    x1: np.ndarray
    y0: np.ndarray
    y1: np.ndarray
    share: float
    corners: tuple[np.ndarray, ...] | None = None

    @property
    def outlines(self) -> list[np.ndarray]:
        """float64 (k, 2), the corners of each in turn."""
        return list(self.corners) if self.corners is not None else rectangles(self.x0, self.x1, self.y0, self.y1)


def plane_change(a: Regions, b: Regions) -> PlaneChange:
    """Every rectangle of one laid over every rectangle of the other; what both cover with two answers is changed.

    a, b : of the same axes and classes, which fill the plane. A level of an axis takes as much room as any other.
    """
    if (a.x, a.y, a.classes) != (b.x, b.y, b.classes):
        remedy = "Draw both trees over the same axes"
        raise TreecoreError("They are of two planes", where="plane change", remedy=remedy)
    a, b = (plane if plane.tiles is None else plane.tiles for plane in (a, b))
    one, other = _pairs(a, b)
    x0, y0 = np.maximum(a.x0[one], b.x0[other]), np.maximum(a.y0[one], b.y0[other])
    x1, y1 = np.minimum(a.x1[one], b.x1[other]), np.minimum(a.y1[one], b.y1[other])
    whole = (a.x.high - a.x.low) * (a.y.high - a.y.low)
    if a.corners is not None or b.corners is not None:
        first, second = a.outlines, b.outlines
        both = [overlap(first[i], second[j]) for i, j in zip(one, other, strict=True)]
        corners = tuple(outline for outline in both if area(outline) > ROUNDING * whole)
        left, right, below, above = boxes(corners)
        return PlaneChange(left, right, below, above, sum(map(area, corners)) / whole, corners)
    return PlaneChange(x0, x1, y0, y1, float(((x1 - x0) * (y1 - y0)).sum() / whole) if whole > 0 else 0.0)


def _pairs(a: Regions, b: Regions) -> tuple[np.ndarray, np.ndarray]:
    """int64 (n,) each: a rectangle of a and one of b that have room in common and two answers."""
    result = [np.empty((2, 0), np.int64)]
    for start in range(0, len(a), BLOCK):
        i = slice(start, start + BLOCK)
        here = _differ(a.value[i, None], b.value[None, :], bool(a.classes))
        for low_a, high_a, low_b, high_b in ((a.x0, a.x1, b.x0, b.x1), (a.y0, a.y1, b.y0, b.y1)):
            here &= np.maximum(low_a[i, None], low_b) < np.minimum(high_a[i, None], high_b)
        one, other = np.nonzero(here)
        result.append(np.stack([one + start, other]))
    return tuple(np.concatenate(result, axis=1))


def _differ(one: np.ndarray, other: np.ndarray, classes: bool) -> np.ndarray:
    """bool: two answers; of two that are none neither is another."""
    if classes:
        return one != other
    scale = max(float(np.nanmax(np.abs(v), initial=0.0)) for v in (one, other))
    apart = np.abs(one - other) > ROUNDING * scale
    return apart | (np.isnan(one) != np.isnan(other))
