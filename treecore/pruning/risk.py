"""The cost of taking a node as a leaf, on any rows."""

import numpy as np

from treecore.tree.tree import Tree


def leaf_errors(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): what every node, taken as a leaf, gets wrong on rows with these statistics.

    stats : float64 (n_nodes, S), of any rows (training, validation ...), as in Tree.stats.
    Classification: weight of the rows whose class is not the node's label (label by training rows); with
    costs and priors what these errors cost, rows weighted by prior over training share.
    Regression: sum of squared distances from the node's training mean.
    """
    if tree.classes:
        label = tree.value
        stats = stats * tree.prior_factor
        if tree.loss is not None:
            worst = np.append(tree.loss, tree.loss.max(axis=1, keepdims=True), axis=1)  # column -1: no answer
            return (stats * worst.T[label]).sum(axis=1)
        right = np.where(label < 0, 0.0, stats[np.arange(tree.n_nodes), label])
        return stats.sum(axis=1) - right
    own = tree.value - tree.center
    return np.maximum(stats[:, 2] - 2 * own * stats[:, 1] + own * own * stats[:, 0], 0.0)


def node_weight(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): weight of the rows with these statistics."""
    return stats.sum(axis=1) if tree.classes else stats[:, 0]
