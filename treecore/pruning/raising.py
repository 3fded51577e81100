"""Subtree raising: a branch takes its parent's place, and the rows of the place go down it anew."""

from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.pruning.standing import Standing
from treecore.tree.tree import Tree


def raised_tree(tree: Tree, standing: Standing, train: Table | None) -> Tree:
    """The tree of these standing nodes with the statistics of the training rows that reach them now."""
    if train is None:
        remedy = "Give the training rows to tc.prune as well: train="
        raise TreecoreError("Raising a subtree sends the rows of the place down it anew", where="train", remedy=remedy)
    return _shape(tree, standing)


def _shape(tree: Tree, standing: Standing) -> Tree:
    """The structure; statistics are still those of the places where the nodes grew."""
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


def with_added(pruned: Tree, stats: np.ndarray) -> Tree:
    """The tree with these statistics (float64 (n_nodes, S)) added to those of its nodes."""
    return replace(pruned, stats=pruned.stats + stats)
