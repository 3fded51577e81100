"""All of the tree at once, for the icicle and the rings: the heaviest nodes as shares of the training rows."""

import numpy as np

import treecore as tc
from pages.shared.trees import groups, interest, work
from treecore.study.outline import outline
from treecore.view.canvas_nodes import whole


def of_tree() -> list[dict]:
    """Your tree, and in it what is pruned away."""
    tree = work.grown()
    found = work.kept("outline", make=lambda: outline(tree))
    return whole(tree, found, work.cuts().hidden(tree), interest.of(tree), groups.of_grown())


def of(tree: tc.Tree) -> list[dict]:
    """Another tree."""
    return whole(tree, outline(tree), np.zeros(tree.n_nodes, bool), interest.of(tree))
