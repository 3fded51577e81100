"""What a node costs as a leaf, by each measure that adds up over rows."""

from collections.abc import Callable

import numpy as np

from treecore.criteria.criterion import missed
from treecore.errors import TreecoreError
from treecore.tree.rounding import settled
from treecore.tree.tree import Tree

OWN = "error"
"""The name of the measure that labels are chosen by: the error rate, the mean cost where errors have costs, the profit
where answers earn something, and the mean squared error of numbers."""


def reckons(tree: Tree) -> bool:
    """Do costs, profits or priors make its risk another number than the error rate?"""
    return tree.loss is not None or tree.priors is not None


def measure_of(tree: Tree) -> str:
    """What a tree is pruned by, and the size curve of it shows, is called."""
    if not tree.classes:
        return "mean squared error"
    name = "error rate" if tree.loss is None else "mean profit" if tree.earns else "mean cost"
    return name if tree.priors is None else f"{name} by the priors"


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


def smoothed_shares(tree: Tree) -> np.ndarray:
    """float64 (n_nodes, n_classes): class shares of every node that are never 0, for the logarithmic loss.

    Where the tree has an estimate of its own (`added`), that; else the m-estimate with m = n_classes rows of average
    weight that have the shares of the root, themselves by Laplace: (n_k + m p_k) / (n + m). A node without an answer
    has the shares of the root. Source: Cestnik (1990), Estimating probabilities.
    """
    if tree.added is not None and (tree.added > 0).all():
        return np.where(np.isnan(tree.proba), tree.proba[0], tree.proba)
    stats = np.where((tree.answer < 0)[:, None], 0.0, tree.stats[tree.answer]) * tree.prior_factor
    m = len(tree.classes) * tree.weight[0] / max(int(tree.n_rows[0]), 1)
    root = stats[0] + m / len(tree.classes)
    stats = stats + m * root / root.sum()
    return stats / stats.sum(axis=1, keepdims=True)


def _of_labels(tree: Tree) -> np.ndarray:
    return _by_label(tree, 1.0 - np.eye(len(tree.classes)) if tree.loss is None else tree.loss)


def _missed(tree: Tree) -> np.ndarray:
    return _by_label(tree, missed(tree.loss))


def _by_label(tree: Tree, loss: np.ndarray) -> np.ndarray:
    worst = np.append(loss, loss.max(axis=1, keepdims=True), axis=1)  # column -1: no answer
    return worst.T[tree.value]


def _right_or_wrong(tree: Tree) -> np.ndarray:
    return (tree.value[:, None] != np.arange(len(tree.classes))).astype(float)


def _brier(tree: Tree) -> np.ndarray:
    """sum_j (p_j - [j is the class])^2 = 1 - 2 p_k + sum_j p_j^2."""
    shares = np.nan_to_num(tree.proba)
    return 1.0 - 2.0 * shares + (shares**2).sum(axis=1, keepdims=True)


def _log_loss(tree: Tree) -> np.ndarray:
    return -np.log(smoothed_shares(tree))


OF_CLASSES: dict[str, Callable[[Tree], np.ndarray]] = {
    OWN: _of_labels, "accuracy": _right_or_wrong, "cost": _of_labels, "profit": _of_labels, "brier": _brier,
    "log_loss": _log_loss,
}  # fmt: skip
"""Measure -> (tree) -> float64 (n_nodes, n_classes), the loss of a row of each class at each node; profits are losses
below 0."""
OF_ANSWERS = (OWN, "cost", "profit")
"""Measures that follow from the label alone, by the tree's matrix of costs or profits."""
OF_NUMBERS: dict[str, int] = {OWN: 2, "mse": 2, "mae": 1}
"""Measure -> the power of the distance between a number and its answer."""


def row_losses(tree: Tree, measure: str = OWN, factor: np.ndarray | None = None) -> np.ndarray:
    """float64 (n_nodes, n_classes): what a row of each class costs where it ends in the node.

    measure : a name in OF_CLASSES. factor : float64 (n_classes,), by which rows of each class count; None takes the
        tree's own (prior over training share). "No answer" is as dear as the dearest of the class.
    """
    check_additive(tree, measure)
    return OF_CLASSES[measure](tree) * (tree.prior_factor if factor is None else factor)


def compared_losses(tree: Tree, measure: str = OWN) -> np.ndarray:
    """float64 (n_nodes, n_classes): row_losses as nodes are compared by them; of profits what the label misses."""
    if measure in OF_ANSWERS and tree.earns:
        return _missed(tree) * tree.prior_factor
    return row_losses(tree, measure)


def leaf_errors(tree: Tree, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
    """float64 (n_nodes,): what every node, taken as a leaf, loses on rows with these statistics.

    stats : float64 (n_nodes, S), of any rows (training, validation ...), as in Tree.stats.
    Classification: by default the weight of the rows whose class is not the node's label (label by training rows); with
    costs and priors what these errors cost, rows weighted by prior over training share. Of profits it is what the label
    misses of the best answer to each row, never below 0: less than the cost by the same sum, least_cost, in all trees.
    Regression: sum of squared distances from the node's training mean; NaN where rows find no answer. Absolute
    distances do not follow from sums: TreecoreError.
    """
    if tree.classes:
        if measure == OWN and tree.loss is None:
            return misclassified(tree, stats)
        return (stats * compared_losses(tree, measure)).sum(axis=1)
    check_additive(tree, measure)
    if OF_NUMBERS[measure] != 2:
        remedy = "Take the squared error, or the impurity of a tree that was grown by absolute errors"
        raise TreecoreError("Absolute errors cannot be told from a node's sums", where="measure", remedy=remedy)
    own = tree.value - tree.center
    squares, around = stats[:, 2], own * own * stats[:, 0]
    errors = np.maximum(settled(squares - 2 * own * stats[:, 1] + around, squares + around), 0.0)
    return np.where(stats[:, 0] == 0, 0.0, errors)


def least_cost(tree: Tree, stats: np.ndarray) -> float:
    """What rows of these classes cost with the best answer to each: 0 but for profits, the best of which is below 0.

    stats : float64 (S,), of any rows.
    """
    return float(stats @ (tree.loss.min(axis=1) * tree.prior_factor)) if tree.earns else 0.0


def misclassified(tree: Tree, stats: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): weight of the rows that are not of the node's label, whatever the error costs.

    stats : float64 (n_nodes, n_classes), of any rows; with priors they are weighted by prior over training share.
    """
    stats = stats * tree.prior_factor
    right = np.where(tree.value < 0, 0.0, stats[np.arange(tree.n_nodes), tree.value])
    whole = stats.sum(axis=1)
    return settled(whole - right, whole)


def is_additive(classes: tuple[str, ...], measure: str) -> bool:
    """Is the measure a sum over the rows, for a target of these classes (() for numbers)?"""
    return measure in (OF_CLASSES if classes else OF_NUMBERS)


def check_additive(tree: Tree, measure: str) -> None:
    """TreecoreError unless the measure is a sum over the rows that has a meaning for the tree's target."""
    if not is_additive(tree.classes, measure):
        held = "classes" if tree.classes else "numbers"
        remedy = "Choose one of: " + ", ".join(OF_CLASSES if tree.classes else OF_NUMBERS)
        what = f"{measure!r} has no meaning for a target of {held}: it is no loss of single rows there"
        raise TreecoreError(what, where="measure", remedy=remedy)
    if measure == "profit" and tree.loss is None:
        remedy = "Grow it with profit, a row per true class and a column per answer, or choose another measure"
        raise TreecoreError("The tree knows no profit of its answers", where="measure", remedy=remedy)


def error_name(tree: Tree, measure: str = OWN) -> str:
    """What leaf_errors adds up, in words: "errors", "cost of errors", "missed profit" ..."""
    if measure in ("brier", "log_loss"):
        named = {"brier": "Brier score", "log_loss": "log loss"}[measure]
    elif not tree.classes:
        return "absolute error" if measure == "mae" else "squared error"
    else:
        named = "errors" if tree.loss is None or measure == "accuracy" else "cost of errors"
        named = "missed profit" if tree.earns and measure != "accuracy" else named
    return named if tree.priors is None else f"{named} weighted by priors"
