"""Rows that decided about a tree are put back into it."""

from dataclasses import replace

import numpy as np

from treecore.errors import TreecoreError
from treecore.pruning.impurity import impurities_of
from treecore.tree.tree import Tree


def check_sums(tree: Tree, method: str) -> None:
    """TreecoreError for a tree whose nodes answer with medians: they do not follow from sums."""
    if tree.median is not None:
        raise TreecoreError(
            f"{method} cannot put rows back into nodes that answer with the median",
            where="backfit",
            remedy="Set backfit to False, or grow the tree by squared_error",
        )


def with_added(pruned: Tree, stats: np.ndarray) -> Tree:
    """The tree with these statistics added to those of its nodes.

    stats : float64 (n_nodes, S), of other rows in every node; sums of a numeric target are around the nodes' centers.
    Labels, means, shares, impurities and weights are those of all rows together, and a node that had none before
    answers for itself if it has one now. Tests, gains and counts of training rows stay, and rows without a value are
    still shared by the weights of the training rows.
    """
    shared_by = pruned.weight if pruned.share_weight is None else pruned.share_weight
    added = replace(pruned, stats=pruned.stats + stats, share_weight=shared_by)
    answer = np.where(added.weight > 0, np.arange(added.n_nodes), pruned.answer)
    return replace(added, answer=answer, impurity=impurities_of(added, added.stats * added.class_factor))
