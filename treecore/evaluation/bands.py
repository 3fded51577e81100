"""Many levels on a side of a picture: those that the trees never tell apart share a band, and few bands are drawn."""

from collections.abc import Iterable

import numpy as np

from treecore.data.table import Table
from treecore.evaluation.axes import Axis, axis_of, feature_index, plot_ranges
from treecore.evaluation.plane import level_branches
from treecore.tree.short_text import Places, apart, shorten
from treecore.tree.tree import Tree
from treecore.tree.values import value_matrix

MOST = 24
"""Bands that can be read; up to as many levels have a band each."""
NAMED = 14
"""Letters of the level that a band is named after."""


def shown_axes(trees: Iterable[Tree], names: Iterable[str], *tables: Table) -> tuple[Axis, ...]:
    """Axes of these features for a picture of the trees: numbers over the range of the tables, levels in bands.

    trees : with the same features and levels. tables : the rows that say which levels are drawn where not all can be.
    """
    trees, names = tuple(trees), tuple(names)
    ranges = plot_ranges(names, *tables)
    return tuple(_banded(axis_of(trees[0], name, ranges), trees, tables) for name in names)


def _banded(axis: Axis, trees: tuple[Tree, ...], tables: tuple[Table, ...]) -> Axis:
    """The axis with at most MOST bands: of more, those with most rows."""
    if axis.kind == "numeric" or len(axis.levels) <= MOST:
        return axis
    group, rows = _told_apart(axis, trees), _rows(axis, trees[0], tables)
    if axis.kind == "ordinal":  # in the order of the levels; else in the order of the branches
        first = np.unique(group, return_index=True)[1]
        group = np.argsort(np.argsort(first))[group]
    weight = np.bincount(group, rows)
    kept = np.sort(np.argsort(-weight, kind="stable")[:MOST])
    bands = [np.flatnonzero(group == k) for k in kept]
    bands = [band[np.argsort(-rows[band], kind="stable")] if axis.kind == "nominal" else band for band in bands]
    places = apart(axis.levels)
    labels = tuple(_label([axis.levels[level] for level in band], places) for band in bands)
    left_out = len(axis.levels) - sum(map(len, bands))
    return Axis(axis.name, axis.kind, -0.5, len(bands) - 0.5, labels, tuple(map(tuple, map(_ints, bands))), left_out)


def _ints(band: np.ndarray) -> list[int]:
    return band.tolist()


def _label(names: list[str], places: Places) -> str:
    short = shorten(names[0], NAMED, places)
    return short if len(names) == 1 else f"{short} +{len(names) - 1:,}"


def _told_apart(axis: Axis, trees: tuple[Tree, ...]) -> np.ndarray:
    """int64 (n levels,): equal for levels that every test of the trees sends the same way; ascending by branches."""
    group = np.zeros(len(axis.levels), np.int64)
    for tree in trees:
        f = feature_index(tree, axis.name)
        for splits in (tree.splits, tree.surrogates):
            for entry in np.flatnonzero(splits.feature == f).tolist():
                branch = level_branches(tree, splits, entry).astype(np.int64)
                group = np.unique(group * (branch.max() + 2) + branch + 1, return_inverse=True)[1]
    return group


def _rows(axis: Axis, tree: Tree, tables: tuple[Table, ...]) -> np.ndarray:
    """int64 (n levels,): how many rows of the tables have each level."""
    f = np.array([feature_index(tree, axis.name)])
    values = np.concatenate([np.empty(0), *(value_matrix(tree.schema, f, table)[0] for table in tables)])
    return np.bincount(values[values >= 0].astype(np.int64), minlength=len(axis.levels))
