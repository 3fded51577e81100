"""Values so near each other that a threshold rule counts them as one, such as those of scikit-learn within 1e-7.

Kernels tell all keys apart. A tree whose every cut stands between values further apart than the rule asks is the tree
of the rule, as its cuts are among those that the kernels compare. Where one does not, its two values become one key,
which forbids nothing that the rule allows: whatever else a node has, no cut of the rule parts them. Few cuts of few
trees are like that, so it is far cheaper to grow such a tree again than to look at every pair of values in every node.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from treecore.data.column import frozen
from treecore.data.table import Table
from treecore.data.table_keys import Keys
from treecore.growing.fast.tree import Listed, numbers_of
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.growing.settings.thresholds import rounded
from treecore.tree.tree import Tree

ROUNDS = 8
"""So often a tree is grown; after that the general kernels take over."""
MOST_JOINED = 200
"""Pairs of values, in all rounds: with more of them hardly a cut is one of the rule's."""


class Grown(NamedTuple):
    """Nodes that are no Tree yet. found : they, in order. made : what makes them one."""

    found: Listed
    made: Callable[[Listed], Tree]

    def tree(self) -> Tree:
        return self.made(self.found)


def grow_apart(table: Table, growth: GrowSettings, grow: Callable[[Keys], Grown]) -> Tree | None:
    """The tree of a threshold rule for which near values are one; None where there are too many of them.

    grow : grows by some keys.
    """
    runs: dict[int, np.ndarray] = {}  # feature -> int64 (m, 2), the first and last key of values that are one
    for _ in range(ROUNDS):
        grown = grow(_joined(table.keys, runs) if runs else table.keys)
        feature, bounds = grown.found.feature, _outer(runs, grown.found.feature, grown.found.bounds)
        near = _are_near(table, growth, feature, bounds)
        if not near.any():
            return _with_own_bounds(table, grown, runs, bounds)
        runs = _with_pairs(table, growth, runs, feature[near], bounds[:, near])
        if runs is None:
            return None
    return None


def _are_near(table: Table, growth: GrowSettings, feature: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """bool (m,): does a cut stand between values that the rule counts as one? bounds : keys, uint32 (2, m)."""
    rule = THRESHOLD_RULES[growth.threshold]
    low, high = rounded(rule, numbers_of(table, feature, bounds))
    return high <= low + rule.min_gap  # False where no known value lies above


def _with_pairs(table, growth, runs: dict, feature: np.ndarray, bounds: np.ndarray) -> dict | None:
    """The runs with these pairs of keys; None if a run would be wider than the rule counts as one, or for too many."""
    made = {}
    for f in {*runs, *feature.tolist()}:
        pairs = np.vstack([runs.get(f, np.empty((0, 2), np.int64)), bounds[:, feature == f].T.astype(np.int64)])
        made[f] = _united(pairs)
        ends = made[f].T.astype(np.uint32)
        if not _are_near(table, growth, np.full(len(made[f]), f), ends).all():
            return None
    return made if sum(map(len, made.values())) <= MOST_JOINED else None


def _united(pairs: np.ndarray) -> np.ndarray:
    """int64 (m, 2): the pairs as runs that have no key in common, ascending."""
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    last = np.maximum.accumulate(pairs[:, 1])
    begins = np.append(True, pairs[1:, 0] > last[:-1])
    return np.column_stack([pairs[begins, 0], last[np.append(np.flatnonzero(begins)[1:] - 1, len(pairs) - 1)]])


def _joined(keys: Keys, runs: dict[int, np.ndarray]) -> Keys:
    """The keys of the rows, every key within a run as its first one."""
    matrix = keys.matrix.copy()
    for f, ends in runs.items():
        matrix[:, f] = _first(ends, matrix[:, f])
    return keys._replace(matrix=frozen(matrix))


def _first(ends: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The keys, those within a run as its first one."""
    at = np.searchsorted(ends[:, 0], keys, side="right") - 1
    inside = (at >= 0) & (keys <= ends[np.maximum(at, 0), 1])
    return np.where(inside, ends[np.maximum(at, 0), 0], keys).astype(keys.dtype)


def _outer(runs: dict, feature: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """uint32 (2, m): the keys below and above every cut, of a run below the last one: between them lies no other key
    of the table that this cut could part."""
    made = bounds.copy()
    for f, ends in runs.items():
        here = np.flatnonzero(feature == f)
        at = np.minimum(np.searchsorted(ends[:, 0], made[0, here]), len(ends) - 1)
        inside = ends[at, 0] == made[0, here]
        made[0, here[inside]] = ends[at[inside], 1]
    return made


def _with_own_bounds(table: Table, grown: Grown, runs: dict, bounds: np.ndarray) -> Tree:
    """The tree, its thresholds between values that its nodes have."""
    tree = grown.made(grown.found._replace(bounds=bounds))
    if not runs:
        return tree
    first, feature, bounds = grown.found.bounds, grown.found.feature, bounds.copy()
    doubtful = np.zeros(len(feature), bool)
    for f, ends in runs.items():
        doubtful |= (feature == f) & np.isin(first, ends[:, 0]).any(axis=0)
    if not doubtful.any():
        return tree
    ends = tree.apply(table)
    for i in np.flatnonzero(doubtful):
        node, f = int(grown.found.cut[i]), int(feature[i])
        inside = tree.descendants(node)
        inside[node] = True
        keys = table.keys.matrix[inside[ends], f]
        keys = keys[keys != table.keys.absent[f]]
        low = _first(runs[f], keys) <= first[0, i]
        if low.any() and not low.all():  # else the cut parts known values from missing ones
            bounds[:, i] = keys[low].max(), keys[~low].min()
    return grown.made(grown.found._replace(bounds=bounds))
