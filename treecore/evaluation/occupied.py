"""What a tree answers to the rows that really lie in each part of a plane, whatever their other features are."""

from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.evaluation.axes import Axis, feature_index
from treecore.evaluation.plane import low_ends
from treecore.evaluation.regions import Regions, rates_of
from treecore.evaluation.slanted import is_slanted
from treecore.tree.target import true_labels
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix

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
    cell, answer = (line * nx + column)[inside], tree.value[tree.apply(rows)][inside]
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
    return replace(
        plane, corners=None,
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
