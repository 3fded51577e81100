"""What a node costs as a leaf, by each measure that adds up over rows."""

import numpy as np

from treecore.target import OWN, ClassTarget, NumberTarget
from treecore.target.classes import OF_ANSWERS, smoothed_shares
from treecore.tree.tree import Tree

OF_CLASSES, OF_NUMBERS = ClassTarget.losses, NumberTarget.losses


def reckons(tree: Tree) -> bool:
    """Do costs, profits or priors make its risk another number than the error rate?"""
    return tree.loss is not None or tree.priors is not None


def measure_of(tree: Tree) -> str:
    """What a tree is pruned by, and the size curve of it shows, is called."""
    return tree.target_kind.risk_name(tree)


def row_costs(tree: Tree, truth: np.ndarray, answer: np.ndarray) -> np.ndarray:
    """float64 (n_rows,): what each answer costs, times the prior over the training share of the true class.

    truth, answer : int64 (n_rows,), class indices; an answer of -1 ("no answer") costs as much as the class's
    dearest one. What an answer earns is a cost below 0. Source: Breiman et al. (1984), section 4.4.
    """
    if tree.loss is None:
        cost = (answer != truth).astype(float)
    else:
        cost = np.append(tree.loss, tree.loss.max(axis=1, keepdims=True), axis=1)[truth, answer]
    return cost * tree.prior_factor[truth]


def row_losses(tree: Tree, measure: str = OWN, factor: np.ndarray | None = None) -> np.ndarray:
    """float64 (n_nodes, n_classes): what a row of each class costs where it ends in the node; see
    target.ClassTarget.class_losses."""
    return tree.target_kind.class_losses(tree, measure, factor)


def compared_losses(tree: Tree, measure: str = OWN) -> np.ndarray:
    """float64 (n_nodes, n_classes): row_losses as nodes are compared by them; of profits what the label misses."""
    return tree.target_kind.compared_losses(tree, measure)


def leaf_errors(tree: Tree, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
    """float64 (n_nodes,): what every node, taken as a leaf, loses on rows with these statistics.

    stats : float64 (n_nodes, S), of any rows (training, validation ...), as in Tree.stats.
    Classification: by default the weight of the rows whose class is not the node's label (label by training rows); with
    costs and priors what these errors cost, rows weighted by prior over training share. Of profits it is what the label
    misses of the best answer to each row, never below 0: less than the cost by the same sum, least_cost, in all trees.
    Regression: sum of squared distances from the node's training mean; NaN where rows find no answer. Absolute
    distances do not follow from sums: TreecoreError.
    """
    return tree.target_kind.leaf_errors(tree, stats, measure)


def least_cost(tree: Tree, stats: np.ndarray) -> float:
    """What rows of these classes cost with the best answer to each: 0 but for profits, the best of which is below 0.

    stats : float64 (S,), of any rows.
    """
    if tree.loss is None or not tree.earns:
        return 0.0
    return float(stats @ (tree.loss.min(axis=1) * tree.prior_factor))


def misclassified(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): weight of the rows that are not of the node's label, whatever the error costs."""
    return tree.target_kind.misclassified(tree, stats)


def check_additive(tree: Tree, measure: str) -> None:
    """TreecoreError unless the measure is a sum over the rows that has a meaning for the tree's target."""
    tree.target_kind.check_loss(tree, measure)


def error_name(tree: Tree, measure: str = OWN) -> str:
    """What leaf_errors adds up, in words: "errors", "cost of errors", "missed profit" ..."""
    return tree.target_kind.error_name(tree, measure)


__all__ = [
    "OF_ANSWERS", "OF_CLASSES", "OF_NUMBERS", "OWN", "check_additive", "compared_losses", "error_name", "leaf_errors",
    "least_cost", "measure_of", "misclassified", "reckons", "row_costs", "row_losses", "smoothed_shares",
]  # fmt: skip
