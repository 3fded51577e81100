"""Which nodes have nothing but leaves below them while a tree is pruned from the bottom up."""

import numpy as np

from treecore.pruning.cuts import KEEP
from treecore.tree.tree import Tree


def above_leaves(tree: Tree, verdict: np.ndarray, node: int) -> bool:
    """Are all children of an inner node leaves, as they grew or by the verdicts (n_nodes,) so far?"""
    return all(tree.is_leaf[child] or verdict[child] != KEEP for child in tree.children(node))
