"""Subtree raising: a branch takes its parent's place. Which nodes are in the pruned tree, and where."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.pruning.recount import with_entries, with_new_impurities
from treecore.pruning.rerouting import everywhere, ground_of, zero_counts
from treecore.tree.line_fit import refitted
from treecore.tree.tree import Tree

# Which nodes of a grown tree are in the pruned one, and where.


@dataclass(frozen=True, eq=False, repr=False)
class Standing(Brief):
    """The pruned tree's structure in the ids of the grown one; entry i is node i of the pruned tree.

    nodes : int64, parents first, siblings adjacent. place : int64, the node of the grown tree whose place it takes:
        itself, or the topmost of those that it was raised over. leaf : bool, it has no branches any more, or never had.
    """

    nodes: np.ndarray
    place: np.ndarray
    leaf: np.ndarray

    @property
    def any_raised(self) -> bool:
        return bool((self.nodes != self.place).any())

    @property
    def raised(self) -> np.ndarray:
        """int64: positions of the nodes that stand in the place of another one."""
        return np.flatnonzero(self.nodes != self.place)


def stand(tree: Tree, cut: np.ndarray, replaced_by: np.ndarray) -> Standing:
    """cut : bool (n_nodes,), leaves in the pruned tree. replaced_by : int32 (n_nodes,), a descendant or -1."""
    if not (replaced_by >= 0).any():
        nodes = np.flatnonzero(~tree.below(cut))
        return Standing(nodes, nodes, cut[nodes] | tree.is_leaf[nodes])
    ids: list[int] = []
    place: list[int] = []
    leaf: list[bool] = []
    waiting = [0]
    for p in waiting:  # grows while it is read: breadth first, so that siblings stay together
        node = p
        while replaced_by[node] >= 0:
            node = int(replaced_by[node])
        ids.append(node)
        place.append(p)
        leaf.append(bool(cut[node] or tree.is_leaf[node]))
        if not leaf[-1]:
            waiting += tree.children(node)
    return Standing(np.array(ids, np.int64), np.array(place, np.int64), np.array(leaf, bool))


COUNTED = ("stats", "n_rows", "missing_rows", "missing_weight")


def raised_tree(tree: Tree, standing: Standing, train: Table | None) -> Tree:
    """The tree of these standing nodes with the statistics of the training rows that reach them now.

    At and below a raised node counts, impurity, gain, rows without a value and rows sent by surrogates are those of
    its place's rows: shared rows go by the weights of the branches as they are now; routes that growing fixed stay
    (to the larger branch, to that of the mean or of unknown levels). What a split was selected by and how well
    surrogates agree stays, and so does every other node.
    """
    if train is None:
        remedy = "Give the training rows to tc.prune as well: train="
        raise TreecoreError("Raising a subtree sends the rows of the place down it anew", where="train", remedy=remedy)
    anew = _anew(tree, standing)
    return refitted(_answering(_shape(_recounted(tree, standing, anew, train), standing), anew), train)


def _anew(tree: Tree, standing: Standing) -> np.ndarray:
    """bool (n_standing,): at or below a raised node."""
    anew, above = standing.nodes != standing.place, np.zeros(tree.n_nodes, bool)
    for i, place in enumerate(standing.place):  # parents first
        anew[i] |= place > 0 and above[tree.parent[place]]
        above[standing.nodes[i]] = anew[i]
    return anew


def _recounted(tree: Tree, standing: Standing, anew: np.ndarray, train: Table) -> Tree:
    """The grown tree with the new numbers of the nodes that are to be counted anew."""
    ground, counts = ground_of(tree, train), zero_counts(tree)
    ground.standing[standing.place] = standing.nodes
    ground.leaf[standing.nodes] = standing.leaf
    everywhere(ground, counts)
    nodes, split = standing.nodes[anew], standing.nodes[anew & ~standing.leaf]
    columns: dict[str, Any] = {
        name: with_entries(getattr(tree, name), nodes, getattr(counts, name)) for name in COUNTED
    }
    sent = np.repeat(np.isin(np.arange(tree.n_nodes), split), np.diff(tree.surrogate_start))
    columns["surrogate_rows"] = np.where(sent, counts.surrogate_rows, tree.surrogate_rows)
    return with_new_impurities(replace(tree, **columns), ground, counts, nodes, split)


def _shape(tree: Tree, standing: Standing) -> Tree:
    """The structure; the statistics are those that the grown tree's columns have."""
    nodes, place, leaf = standing.nodes, standing.place, standing.leaf
    at_place = np.full(tree.n_nodes, -1, np.int64)
    at_place[place] = np.arange(len(nodes))
    position = np.full(tree.n_nodes, -1, np.int64)
    position[nodes] = np.arange(len(nodes))
    parent = np.where(place == 0, -1, position[tree.parent[place]])
    depth = np.zeros(len(nodes), np.int64)
    for i in range(1, len(nodes)):
        depth[i] = depth[parent[i]] + 1
    return replace(
        tree.keep(nodes, leaf),
        parent=parent,
        first_child=np.where(leaf, -1, at_place[np.where(leaf, 0, tree.first_child[nodes])]),
        node_depth=depth,
    )


def _answering(pruned: Tree, anew: np.ndarray) -> Tree:
    """The tree in which nodes without rows answer as their parents do, or not at all; others for themselves."""
    answer, elsewhere = pruned.answer.copy(), pruned.growth.get("empty_leaf") != "none"
    for i in np.flatnonzero(anew):  # parents first
        above = answer[pruned.parent[i]] if elsewhere and i > 0 else -1
        answer[i] = i if pruned.weight[i] > 0 else above
    return replace(pruned, answer=answer)
