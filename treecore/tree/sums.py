"""Statistics of nodes added up: those of a numeric target are sums around each node's own center, see Tree.center."""

import numpy as np

from treecore.tree.tree import Tree


def around_parent(tree: Tree, stats: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """float64 (m, S): statistics (m, S) of these nodes, none the root, as their parents count them."""
    return tree.target_kind.moved(stats, tree.center[nodes] - tree.center[tree.parent[nodes]])


def add_up_statistics(tree: Tree, ends: np.ndarray) -> np.ndarray:
    """float64 (n_nodes, S): of all rows that pass through or end in each node.

    ends : float64 (n_nodes, S), of the rows whose route ends there.
    """
    total = np.array(ends)
    for nodes in reversed(tree.levels[1:]):
        np.add.at(total, tree.parent[nodes], around_parent(tree, total[nodes], nodes))
    return total


def children_statistics(tree: Tree, node: int) -> np.ndarray:
    """float64 (branches, S): of the training rows of a node's children, around the node's own center."""
    children = np.array(tree.children(node))
    return around_parent(tree, tree.stats[children], children)
