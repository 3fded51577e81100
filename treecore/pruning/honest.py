"""Honest leaves: the figures of a tree counted on rows that had no say in its splits or its size.

Source: Athey and Imbens (2016), Recursive partitioning for heterogeneous causal effects.
"""

from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.pruning.descend_uncompiled import descend_uncompiled
from treecore.pruning.ground import all_entries, ground_of_any, nothing_found
from treecore.pruning.raising import judged_anew
from treecore.tree.tree import Tree


def recounted(tree: Tree, estimation: Table) -> Tree:
    """The same splits with the statistics of these rows; see fit.honest.

    Rows go as the tree sends rows to come; those without a value are shared by the weights of the training rows. What
    the splits were selected by (score), surrogates' agreement and the centers stay. A node without rows answers as the
    nearest one above it that has some. TreecoreError where none has a target that the tree knows, or a weight.
    """
    ground, found = ground_of_any(tree, estimation), nothing_found(tree)
    entry, fixed = all_entries(ground), ground.routing.share
    descend_uncompiled(ground, found, 0, entry, np.ones(len(entry)), fixed)
    if not tree.weight_of(found.stats[0]) > 0:
        what = "None of the estimation rows has a target that the tree knows, and a weight"
        raise TreecoreError(what, where="Estimation", remedy="Set aside more rows for estimation")
    counted = replace(
        tree,
        stats=found.stats,
        n_rows=found.n_rows,
        missing_rows=found.missing_rows,
        missing_weight=found.missing_weight,
        surrogate_rows=found.surrogate_rows,
        share_weight=tree.weight if tree.share_weight is None else tree.share_weight,
        training_missing=tree.missing_rows if tree.training_missing is None else tree.training_missing,
        training_route=None,
        outputs=None,  # of a model made elsewhere, too, the rows say what is answered
        cover=None,
    )
    everything, split = np.arange(tree.n_nodes), np.flatnonzero(~tree.is_leaf)
    counted = judged_anew(counted, ground, found, everything, split, fixed)
    return replace(counted, answer=_answers(counted))


def _answers(tree: Tree) -> np.ndarray:
    """int32 (n_nodes,): each node, or the nearest one above it that has rows."""
    answer = np.arange(tree.n_nodes)
    for nodes in tree.levels[1:]:
        answer[nodes] = np.where(tree.weight[nodes] > 0, nodes, answer[tree.parent[nodes]])
    return answer


def check_of_training(tree: Tree, what: str) -> None:
    """TreecoreError for an honest tree: its size must not be decided by the rows that its figures are of."""
    if tree.figures_of != "train":
        raise TreecoreError(
            f"The figures of this tree are of {int(tree.n_rows[0]):,} estimation rows, which must not decide: {what} "
            "looks at the training rows",
            where="tree",
            remedy="Prune the tree as it grew, and make the pruned one honest",
        )
