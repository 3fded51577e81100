"""A binary tree as another package lists its nodes, and the tree of ours that it becomes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.source import unsaid
from treecore.kernels.codes import LEAF, LEVELS, STAYS, THRESHOLD
from treecore.tree.columns import LARGEST_MEAN
from treecore.tree.schema import Schema
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree
from treecore.tree.validate import validate

MOST_PLACES = 100_000_000
"""Places of levels that the splits of all trees have together: each has one for every level of its feature."""


@dataclass(frozen=True, eq=False, repr=False)
class BinaryNodes(Brief):
    """Nodes in any order, the root first; those that no branch leads to are left out.

    left, right : int64 (n,), the children, -1 at a leaf. feature : int64, into the schema's. threshold : float64.
    closed : is x <= threshold on the left, or x < threshold? Of all, or bool (n,). missing_left, bool, where a missing
    value goes; None where it stays at the node. outputs : float64 (n, K) or (n, 1), NaN where the model says nothing of
    a node. cover : float64 (n,), training weight; n_rows : int64 (n,); None where the model does not say. listed : node
    -> levels, of a split by levels, that go left where listed_left says so, else right; all others the other way.
    unseen_left : bool (n,), where levels go that are not in the schema; None: with the others.
    """

    left: np.ndarray
    right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    closed: bool | np.ndarray
    missing_left: np.ndarray | None
    outputs: np.ndarray
    cover: np.ndarray | None = None
    n_rows: np.ndarray | None = None
    listed: Mapping[int, np.ndarray] = field(default_factory=dict)
    listed_left: bool = True
    unseen_left: np.ndarray | None = None


def tree_of(nodes: BinaryNodes, schema: Schema, growth: GrowSettings, criterion: str, where: str = "tree") -> Tree:
    """The tree that answers as these nodes do, without any rows counted.

    growth : the settings that come nearest to how it was grown. criterion : an impurity's name. where : what messages
    call it. TreecoreError for nodes that are no tree, and for numbers that a tree cannot have.
    """
    order = breadth_first(nodes.left, nodes.right, where)
    inner = nodes.left[order] >= 0
    outputs = nodes.outputs[order]
    if not schema.classes and (np.abs(outputs) >= LARGEST_MEAN).any():
        raise unsaid(where, f"A leaf answers with {LARGEST_MEAN:g} or more", "Scale the target down and train again")
    n, new_id = len(order), np.full(len(nodes.left), -1, np.int64)
    new_id[order] = np.arange(n)
    first_child = np.where(inner, new_id[nodes.left[order]], -1)
    parent = np.full(n, -1, np.int64)
    parent[first_child[inner]] = parent[first_child[inner] + 1] = np.flatnonzero(inner)
    depth = np.zeros(n, np.int64)
    for i in range(1, n):
        depth[i] = depth[parent[i]] + 1
    cover = None if nodes.cover is None else nodes.cover[order]
    unknown = np.zeros(n)
    tree = Tree(
        schema=schema, parent=parent, first_child=first_child, n_children=np.where(inner, 2, 0), node_depth=depth,
        splits=_splits(nodes, schema, order, inner), stats=np.zeros((n, len(schema.classes) or 3)),
        n_rows=unknown if nodes.n_rows is None else nodes.n_rows[order], impurity=unknown,
        gain=np.where(inner, 0.0, np.nan), score=np.where(inner, 0.0, np.nan),
        answer=np.where(np.isnan(outputs).any(axis=1), -1, np.arange(n)), criterion=criterion,
        growth=growth.to_dict(), outputs=outputs, cover=cover,
    )  # fmt: skip
    return checked(tree, where)


def check_places(schema: Schema, asked: Iterable[int]) -> None:
    """TreecoreError where splits by levels of these features, one for each split, take too much memory."""
    if sum(len(schema.features[f].levels) for f in asked) > MOST_PLACES:
        what = f"Their splits ask for more than {MOST_PLACES:,} categories together"
        raise unsaid("trees", what, "Train fewer trees, or on features with fewer categories")


def shares_that_answer(shares: np.ndarray, k: int, name: str) -> np.ndarray:
    """Shares of a node's classes by which it answers with class k, as its model says. name : of the class.

    TreecoreError where other classes are likelier: the model answers by costs, which its file does not have.
    """
    if shares[k] < shares.max() - 1e-9:
        what = f"A node answers {name}, and has other classes that are likelier"
        raise unsaid("nodes", what, "Save the tree without costs of errors: they are not in the file")
    if shares.argmax() != k:  # equally likely: it is the one that is named
        shares = shares.copy()
        shares[k] = np.nextafter(shares.max(), 2)
    return shares


def checked(tree: Tree, where: str) -> Tree:
    """The tree; TreecoreError saying where it is no tree of ours. where : what messages call it."""
    try:
        validate(tree)
    except TreecoreError as fault:
        told = f"{fault.where.removeprefix('Saved tree, ')}: {fault.what}"
        raise unsaid(where, told, "Save the model again where it was made") from None
    return tree


def breadth_first(left: np.ndarray, right: np.ndarray, where: str) -> np.ndarray:
    """int64: the nodes level by level, siblings side by side. TreecoreError where they are no tree."""
    broken = unsaid(where, "Its nodes are no tree", "Save the model again where it was made")
    n = len(left)
    if not n or len(right) != n or ((left < 0) != (right < 0)).any():
        raise broken
    level, seen, order = np.zeros(1, np.int64), np.zeros(n, bool), []
    while len(level):
        if (level >= n).any() or seen[level].any() or len(np.unique(level)) < len(level):
            raise broken
        seen[level] = True
        order.append(level)
        inner = level[left[level] >= 0]
        level = np.stack([left[inner], right[inner]], axis=1).ravel()
    return np.concatenate(order)


def _splits(nodes: BinaryNodes, schema: Schema, order: np.ndarray, inner: np.ndarray) -> Splits:
    n, missing = len(order), np.full(len(order), STAYS)
    closed = np.broadcast_to(nodes.closed, len(nodes.left))[order]
    unseen = int(nodes.listed_left) if nodes.unseen_left is None else np.where(nodes.unseen_left[order], 0, 1)
    feature = np.where(inner, nodes.feature[order], -1)
    if nodes.missing_left is not None:
        missing = np.where(inner, np.where(nodes.missing_left[order], 0, 1), STAYS)
    by_levels = inner & np.isin(order, np.fromiter(nodes.listed, np.int64, len(nodes.listed)))
    check_places(schema, feature[by_levels].tolist())
    tables, size = [np.zeros(0, np.int32)], np.zeros(n, np.int64)
    for i in np.flatnonzero(by_levels):
        levels, there = nodes.listed[int(order[i])], schema.features[feature[i]].levels
        table = np.full(len(there), int(nodes.listed_left), np.int32)
        table[levels[(levels >= 0) & (levels < len(there))]] = 1 - nodes.listed_left
        tables.append(table)
        size[i] = len(table)
    return Splits(
        kind=np.where(inner, np.where(by_levels, LEVELS, THRESHOLD), LEAF), feature=feature,
        threshold=np.where(inner & ~by_levels, nodes.threshold[order], np.nan), closed=closed,
        low_branch=np.zeros(n), level_start=np.concatenate([[0], np.cumsum(size)]), level_branch=np.concatenate(tables),
        missing_branch=missing, unseen_branch=np.where(by_levels, unseen, STAYS),
    )  # fmt: skip
