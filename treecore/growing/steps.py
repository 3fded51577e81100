"""The order in which a tree's nodes were split, and what one of these steps computed."""

from dataclasses import replace

import numpy as np

from treecore.growing.arithmetic import gain_arithmetic
from treecore.growing.candidates import Candidate, Candidates
from treecore.kernels.node_impurity import impurity_of
from treecore.tree.tree import Tree


def split_order(tree: Tree) -> np.ndarray:
    """int64 (n_splits,): the node split first, second and so on; `tree.after(k)` has the first k of them."""
    inner = np.flatnonzero(~tree.is_leaf)
    return inner[np.argsort(tree.first_child[inner])]


def step_arithmetic(tree: Tree, node: int, found: Candidates) -> list[str]:
    """Lines of LaTeX that compute a split's gain. With missing values: over the rows whose value is known, and
    then times their share, which is how the split was judged.

    found : the candidates of that node on the training rows.
    """
    chosen = next((c for c in found.ranked if c.chosen), None)
    children = list(tree.children(node))
    if chosen is None or len(chosen.stats) != len(children):
        return gain_arithmetic(tree, node)
    known = float(chosen.stats.sum() if tree.classes else chosen.stats[:, 0].sum())
    if known >= tree.weight[node] * (1 - 1e-12):
        return gain_arithmetic(tree, node)
    lines = gain_arithmetic(_of_known_rows(tree, node, _in_tree_order(tree, node, chosen)), node)
    share = rf"\tfrac{{{known:.6g}}}{{{tree.weight[node]:.6g}}}"
    gain = tree.gain[node] * tree.weight[node] / known
    return [*lines, rf"\Delta i \cdot {share} = {gain:.5g} \cdot {share} = {tree.gain[node]:.5g}"]


def _in_tree_order(tree: Tree, node: int, chosen: Candidate) -> np.ndarray:
    """float64 (n_branches, S): the candidate's statistics in the order of the node's branches."""
    if chosen.threshold is not None:
        return chosen.stats if tree.splits.low_branch[node] == 0 else chosen.stats[::-1]
    levels, branch = tree.schema.features[tree.splits.feature[node]].levels, tree.splits.levels(node)
    ordered = np.empty_like(chosen.stats)
    ordered[[branch[levels.index(group[0])] for group in chosen.branches]] = chosen.stats
    return ordered


def _of_known_rows(tree: Tree, node: int, branches: np.ndarray) -> Tree:
    """The tree with this node and its branches as the rows with a known value make them.

    branches : float64 (n_branches, S).
    """
    stats, impurity, gain = tree.stats.copy(), tree.impurity.copy(), tree.gain.copy()
    stats[list(tree.children(node))], stats[node] = branches, branches.sum(axis=0)
    for i in (node, *tree.children(node)):
        weight = float(stats[i].sum() if tree.classes else stats[i, 0])
        impurity[i] = impurity_of(tree.judge, stats[i], weight)
    gain[node] = tree.gain[node] * tree.weight[node] / float(stats[node].sum() if tree.classes else stats[node, 0])
    return replace(tree, stats=stats, impurity=impurity, gain=gain)
