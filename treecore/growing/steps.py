"""The order in which a tree's nodes were split."""

import numpy as np

from treecore.tree.tree import Tree


def split_order(tree: Tree) -> np.ndarray:
    """int64 (n_splits,): the node split first, second and so on; `tree.after(k)` has the first k of them."""
    inner = np.flatnonzero(~tree.is_leaf)
    return inner[np.argsort(tree.first_child[inner])]
