"""The tree of rows that were drawn, some of them several times."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from treecore.data.column import frozen
from treecore.data.table import Table
from treecore.growing.grower import grow_tree
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import MISSING_STRATEGIES
from treecore.growing.settings.terms import is_fast
from treecore.tree.tree import Tree


def grown_on(table: Table, times: np.ndarray, growth: GrowSettings, progress: Callable | None = None) -> Tree:
    """The tree of the table's rows, each there as often as `times`, uint8 (n_rows,), says. progress : see grow_tree.

    A row that was drawn k times is one of weight k where the tree is the same and grows sooner; it is counted k times
    all the same.
    """
    drawn = np.flatnonzero(times)
    if table.weights is None and not _counts_rows(growth):
        weighted = _weighted(table, drawn, times[drawn].astype(np.float64))
        if is_fast(weighted, growth):
            return _counted(grow_tree(weighted, growth, progress, any_target=True))
    repeated = table.take(np.repeat(np.arange(table.n_rows), times))
    return grow_tree(repeated, growth, progress, any_target=True)


def _counts_rows(growth: GrowSettings) -> bool:
    """Does anything make a difference between a row that is there twice and one of weight 2: limits, or a larger branch
    that is the one of more rows? Of two equal rows alone a node is pure."""
    strategy = MISSING_STRATEGIES[growth.missing]
    by_rows = strategy.by_rows or strategy.later_by_rows
    return by_rows or growth.min_rows_split > 2 or growth.min_rows_leaf > 1


def _weighted(table: Table, rows: np.ndarray, weights: np.ndarray) -> Table:
    """These rows, with the keys that the fast kernels read: those of the whole table, found once."""
    taken, keys = table.take(rows).with_weights(weights), table.keys
    if keys.n_absent.any():
        n_absent = np.array([column.n_missing for column in taken.feature_columns], np.int64)
        keys = keys._replace(n_absent=n_absent)
    taken.keep_keys(keys._replace(matrix=frozen(keys.matrix.take(rows, axis=0))))
    return taken


def _counted(tree: Tree) -> Tree:
    """The tree with every row counted as often as its weight says."""
    n_rows, missing = np.rint(tree.weight).astype(np.int64), np.rint(tree.missing_weight).astype(np.int64)
    return replace(tree, n_rows=n_rows, missing_rows=missing)
