"""Subtree raising: a branch takes its parent's place, and the rows of the place go down it anew."""

from dataclasses import replace

import numpy as np

from treecore.criteria import CRITERIA
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.kernels.routing.descend import Found, Ground
from treecore.pruning.absolute_anew import absolute_errors
from treecore.pruning.ground import everywhere, ground_of, nothing_found
from treecore.pruning.impurity import impurities_of
from treecore.pruning.standing import Standing
from treecore.target.numbers import moved
from treecore.tree.missing import own_branch
from treecore.tree.tree import Tree

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
    return _answering(_shape(_recounted(tree, standing, anew, train), standing), anew)


def _anew(tree: Tree, standing: Standing) -> np.ndarray:
    """bool (n_standing,): at or below a raised node."""
    anew, above = standing.nodes != standing.place, np.zeros(tree.n_nodes, bool)
    for i, place in enumerate(standing.place):  # parents first
        anew[i] |= place > 0 and above[tree.parent[place]]
        above[standing.nodes[i]] = anew[i]
    return anew


def _recounted(tree: Tree, standing: Standing, anew: np.ndarray, train: Table) -> Tree:
    """The grown tree with the new numbers of the nodes that are to be counted anew."""
    ground, found = ground_of(tree, train), nothing_found(tree)
    ground.standing[standing.place] = standing.nodes
    ground.leaf[standing.nodes] = standing.leaf
    everywhere(ground, found)
    nodes, split = standing.nodes[anew], standing.nodes[anew & ~standing.leaf]
    columns = {name: _with(getattr(tree, name), nodes, getattr(found, name)) for name in COUNTED}
    sent = np.repeat(np.isin(np.arange(tree.n_nodes), split), np.diff(tree.surrogate_start))
    columns["surrogate_rows"] = np.where(sent, found.surrogate_rows, tree.surrogate_rows)
    return judged_anew(replace(tree, **columns), ground, found, nodes, split)


def judged_anew(
    tree: Tree, ground: Ground, found: Found, nodes: np.ndarray, split: np.ndarray, fixed: np.ndarray | None = None
) -> Tree:
    """The tree with the impurities of these nodes, and the gains of those that still split.

    found : what the rows of the ground have been counted to, as they are in the tree. fixed : see descend_uncompiled.
    """
    if CRITERIA[tree.criterion].additive:
        stats, known = found.stats * tree.class_factor, found.known * tree.class_factor
        impurity, gain, median = impurities_of(tree, stats), _gain(tree, ground, split, stats, known), None
    else:
        impurity, gain, median = absolute_errors(tree, ground, fixed)
    return replace(
        tree,
        impurity=_with(tree.impurity, nodes, impurity),
        gain=_with(tree.gain, split, gain),
        median=None if tree.median is None else _with(tree.median, nodes, median),
    )


def _with(column: np.ndarray, nodes: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The column with the new entries of these nodes."""
    changed = column.copy()
    changed[nodes] = new[nodes]
    return changed


def _gain(tree: Tree, ground: Ground, split: np.ndarray, stats: np.ndarray, known: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): the decrease that these nodes achieve, over rows with a value, times their share.

    Over all rows where missing is a value of its own.
    """
    gain, weight = np.full(tree.n_nodes, np.nan), tree.weight_of(stats)
    for t in split:
        children = ground.standing[list(tree.children(t))]
        parts = stats[children] if own_branch(tree, t) is not None else known[children]
        if not tree.classes:
            parts = moved(parts, tree.center[children] - tree.center[t])
        parts = np.concatenate([parts.sum(axis=0, keepdims=True), parts])
        sizes = tree.weight_of(parts)
        amounts = impurities_of(tree, parts) * sizes
        gain[t] = (amounts[0] - amounts[1:].sum()) / weight[t] if weight[t] > 0 else 0.0
    return gain


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
