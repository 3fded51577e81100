"""Values so near each other that a threshold rule counts them as one, such as those of scikit-learn within 1e-7.

Kernels tell all keys apart. A tree whose every cut stands between values further apart than the rule asks is the tree
of the rule, as its cuts are among those that the kernels compare. Where one does not, its two values become one key,
which forbids nothing that the rule allows: whatever else a node has, no cut of the rule parts them. Few cuts of few
trees are like that, so it is far cheaper to grow what is below them again than to look at every pair of values in every
node.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from treecore.data.column import frozen
from treecore.data.table import Keys, Table
from treecore.growing.fast.fast_tree import ListedNodes, numbers_of
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.growing.settings.thresholds import rounded
from treecore.kernels.records.record_block import GAP, N_NODES, FastNodes, TrainingRows
from treecore.tree.tree import Tree

ROUNDS, MENDED = 8, 30
"""So often a tree is grown, and mended; after that the general kernels take over."""
MOST_AGAIN = 0.5
"""Share of the rows up to which nodes are grown again alone."""
MOST_JOINED = 200
"""Pairs of values, in all rounds: with more of them hardly a cut is one of the rule's."""


class GrownApart(NamedTuple):
    """Nodes that are no Tree yet.

    found : they, in order. made : what makes them one. mended : given other keys and int64 nodes of the tree, the same
    with these nodes grown anew; None where all have to be, or there is no such way. rows_at : the rows of a node of the
    tree; None where that is not known.
    """

    found: ListedNodes
    made: Callable[[ListedNodes], Tree]
    mended: Callable[[Keys, np.ndarray], "GrownApart | None"] = lambda keys, of: None
    rows_at: Callable[[int], np.ndarray | None] = lambda node: None

    def tree(self) -> Tree:
        return self.made(self.found)


def grow_apart(table: Table, growth: GrowSettings, grow: Callable[[Keys], GrownApart]) -> Tree | None:
    """The tree of a threshold rule for which near values are one; None where there are too many of them.

    grow : grows by some keys.
    """
    runs: dict[int, np.ndarray] = {}  # feature -> int64 (m, 2), the first and last key of values that are one
    grown, n_grown = grow(table.keys), 1
    for _ in range(MENDED):
        feature, bounds = grown.found.feature, _outer(runs, grown.found.feature, grown.found.bounds)
        near = _are_near(table, growth, feature, bounds)
        if not near.any():
            return _with_own_bounds(table, grown, runs, bounds)
        more = _with_pairs(table, growth, runs, feature[near], bounds[:, near])
        if more is None:
            return None
        runs = more
        keys = _joined(table.keys, runs)
        mended = grown.mended(keys, grown.found.cut[near])
        if mended is None and n_grown == ROUNDS:
            return None
        n_grown += mended is None
        grown = mended or grow(keys)
    return None


def put_back(rows: TrainingRows, nodes: FastNodes, of: np.ndarray) -> tuple[dict[int, np.ndarray], int] | None:
    """Make some nodes leaves again: (node -> its rows, int32, ascending; how many nodes were below them). None where
    too many rows are theirs, or it is not known which.

    of : int32, the nodes; of those below one another the uppermost stands for all.
    """
    top = _uppermost(nodes, of)
    total = int(nodes.of["n_rows"][top].sum())
    if total > MOST_AGAIN * len(rows.keys) or rows.nominal.any() or nodes.counts[N_NODES] + 2 * total > len(nodes.of):
        return None
    members: dict[int, np.ndarray] = {}
    for node in top:
        there = rows_at(rows, nodes, node)
        if there is None:
            return None
        members[node] = there
    n_below = sum(len(_below(nodes, node)) for node in top)
    for name, value in (("feature", -1), ("first_child", -1), ("swapped", 0)):
        nodes.of[name][top] = value
    if len(nodes.gaps):
        nodes.gaps[top] = np.zeros((), GAP)
    return members, n_below


def _uppermost(nodes: FastNodes, of: np.ndarray) -> list[int]:
    """Those of the nodes that are below none of the others."""
    given, parent = set(of.tolist()), nodes.of["parent"]

    def is_below(node: int) -> bool:
        while (node := int(parent[node])) >= 0:
            if node in given:
                return True
        return False

    return sorted(node for node in given if not is_below(node))


def _below(nodes: FastNodes, node: int) -> np.ndarray:
    """All nodes below a node."""
    first, level, result = nodes.of["first_child"], np.array([node]), []
    while len(level):
        children = first[level]
        children = children[children >= 0]
        level = np.concatenate([children, children + 1])
        result.append(level)
    return np.concatenate(result)


def rows_at(rows: TrainingRows, nodes: FastNodes, node: int) -> np.ndarray | None:
    """int32: the rows of a node, ascending; None where something else than cuts, or a branch for all rows without a
    value, has said where they go."""
    path, below = [], node
    while (above := int(nodes.of["parent"][below])) >= 0:
        path.append((above, below > nodes.of["first_child"][above]))
        below = above
    result = np.arange(len(rows.keys), dtype=np.int32)
    for above, is_second in reversed(path):
        f = nodes.of["feature"][above]
        if rows.nominal[f]:
            return None
        keys = rows.keys[result, f]
        is_left = keys <= nodes.of["low"][above]
        if len(nodes.gaps) and nodes.gaps["rows"][above]:
            is_left[keys == rows.absent[f]] = nodes.gaps["branch"][above] == 0
        result = result[is_left != is_second]
    return result if len(result) == nodes.of["n_rows"][node] else None


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


def _with_own_bounds(table: Table, grown: GrownApart, runs: dict, bounds: np.ndarray) -> Tree:
    """The tree, its thresholds between values that its nodes have."""
    if not runs:
        return grown.made(grown.found._replace(bounds=bounds))
    first, feature, bounds = grown.found.bounds, grown.found.feature, bounds.copy()
    doubtful = np.zeros(len(feature), bool)
    for f, ends in runs.items():
        doubtful |= (feature == f) & np.isin(first, ends[:, 0]).any(axis=0)
    tree, ends = None, None
    for i in np.flatnonzero(doubtful):
        node, f = int(grown.found.cut[i]), int(feature[i])
        rows = grown.rows_at(node)
        if rows is None:
            tree = tree or grown.made(grown.found._replace(bounds=bounds))
            ends = tree.apply(table) if ends is None else ends
            inside = tree.descendants(node)
            inside[node] = True
            rows = inside[ends]
        keys = table.keys.matrix[rows, f]
        keys = keys[keys != table.keys.absent[f]]
        low = _first(runs[f], keys) <= first[0, i]
        if low.any() and not low.all():  # else the cut parts known values from missing ones
            bounds[:, i] = keys[low].max(), keys[~low].min()
    return grown.made(grown.found._replace(bounds=bounds))
