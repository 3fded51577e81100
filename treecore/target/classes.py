"""A target of classes: weights of each, labels of least expected cost, errors, costs and losses of class shares."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treecore.criteria.criterion import missed
from treecore.errors import TreecoreError
from treecore.figures import percent
from treecore.target.rounding import settled
from treecore.target.target import OWN, Target, TreeLike


def smoothed_shares(tree: TreeLike) -> np.ndarray:
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


def _of_labels(tree: TreeLike) -> np.ndarray:
    return _by_label(tree, 1.0 - np.eye(len(tree.classes)) if tree.loss is None else tree.loss)


def _by_label(tree: TreeLike, loss: np.ndarray) -> np.ndarray:
    worst = np.append(loss, loss.max(axis=1, keepdims=True), axis=1)  # column -1: no answer
    return worst.T[tree.value]


def _right_or_wrong(tree: TreeLike) -> np.ndarray:
    return (tree.value[:, None] != np.arange(len(tree.classes))).astype(float)


def _brier(tree: TreeLike) -> np.ndarray:
    """sum_j (p_j - [j is the class])^2 = 1 - 2 p_k + sum_j p_j^2."""
    shares = np.nan_to_num(tree.proba)
    return 1.0 - 2.0 * shares + (shares**2).sum(axis=1, keepdims=True)


def _log_loss(tree: TreeLike) -> np.ndarray:
    return -np.log(smoothed_shares(tree))


OF_ANSWERS = (OWN, "cost", "profit")
"""Measures that follow from the label alone, by the tree's matrix of costs or profits."""


@dataclass(frozen=True)
class ClassTarget(Target):
    """Classes, answered by the label of least expected cost and by their shares."""

    classes: tuple[str, ...]
    task: ClassVar[str] = "classification"
    held: ClassVar[str] = "classes"
    noun: ClassVar[str] = "rate"
    losses: ClassVar[dict[str, Callable]] = {
        OWN: _of_labels, "accuracy": _right_or_wrong, "cost": _of_labels, "profit": _of_labels, "brier": _brier,
        "log_loss": _log_loss,
    }  # fmt: skip
    """Measure -> (tree) -> float64 (n_nodes, n_classes), the loss of a row of each class at each node; profits are
    losses below 0."""
    link: ClassVar[str] = "logit"
    settings: ClassVar[dict[str, tuple]] = {"leaf_model": ("constant", "linear")}
    instead: ClassVar[str] = "a number"

    def allows(self, setting: str, value: object) -> bool:
        return super().allows(setting, value) and (value == "constant" or self.leaves_open(setting))

    def leaves_open(self, setting: str) -> bool:
        return super().leaves_open(setting) and (setting != "leaf_model" or len(self.classes) == 2)

    def why_not(self, setting: str) -> str:
        return "a line gives the log-odds of one of two classes" if setting == "leaf_model" else ""

    @property
    def width(self) -> int:
        return len(self.classes)

    def weight_of(self, stats: np.ndarray) -> np.ndarray:
        return stats.sum(axis=-1)

    def mean_of(self, stats: np.ndarray) -> np.ndarray:
        """The mean class index."""
        w = stats.sum(axis=-1)
        return np.divide(stats @ np.arange(len(self.classes)), w, out=np.zeros(np.shape(w)), where=w > 0)

    def row_sums(self, cell: np.ndarray, n: int, weight: np.ndarray, truth: np.ndarray) -> np.ndarray:
        n_columns = len(self.classes) + 1  # the first one for rows without a class
        return np.bincount(cell * n_columns + truth + 1, weight, n * n_columns).reshape(-1, n_columns)[:, 1:].copy()

    def is_known(self, truth: np.ndarray) -> np.ndarray:
        return truth >= 0

    def values(self, tree: TreeLike) -> np.ndarray:
        labels = tree.labels_of(tree.stats[tree.answer])
        if tree.outputs is not None:
            shares = tree.outputs[tree.answer]
            labels = np.where(np.isnan(shares).any(axis=1), labels, shares.argmax(axis=1))
        return np.where(tree.answer < 0, -1, labels)

    def constant_line(self, tree: TreeLike, node: int) -> float:
        """The log-odds of the second of two classes."""
        with np.errstate(divide="ignore"):
            first, second = np.log(tree.summary_shares[node][:2])
        return float(second - first)

    def labels_of_shares(self, tree: TreeLike, shares: np.ndarray) -> np.ndarray:
        """int64 (m,): the class of least expected cost, the first of equals, by these
        class shares, float64 (m, K); -1 where they are NaN."""
        best = np.argmax(shares, axis=1) if tree.loss is None else np.argmin(shares @ tree.loss, axis=1)
        return np.where(np.isnan(shares).any(axis=1), -1, best)

    def check_loss(self, tree: TreeLike, measure: str) -> None:
        super().check_loss(tree, measure)
        if measure == "profit" and tree.loss is None:
            remedy = "Grow it with profit, a row per true class and a column per answer, or choose another measure"
            raise TreecoreError("The tree knows no profit of its answers", where="measure", remedy=remedy)

    def answer_losses(self, truth: np.ndarray, answer) -> np.ndarray:
        """1 for every wrong one, also where the tree reckons with costs or priors."""
        return (truth != answer).astype(float)

    def leaf_errors(self, tree: TreeLike, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
        if measure == OWN and tree.loss is None:
            return self.misclassified(tree, stats)
        return (stats * self.compared_losses(tree, measure)).sum(axis=1)

    def scale_of_errors(self, tree: TreeLike, through: np.ndarray) -> np.ndarray:
        return np.full(tree.n_nodes, through[0])

    def misclassified(self, tree: TreeLike, stats: np.ndarray) -> np.ndarray:
        """float64 (n_nodes,): weight of the rows that are not of the node's label, whatever the error costs.

        stats : float64 (n_nodes, n_classes), of any rows; with priors they are weighted by prior over training share.
        """
        stats = stats * tree.prior_factor
        right = np.where(tree.value < 0, 0.0, stats[np.arange(tree.n_nodes), tree.value])
        whole = stats.sum(axis=1)
        return settled(whole - right, whole)

    def class_losses(self, tree: TreeLike, measure: str = OWN, factor: np.ndarray | None = None) -> np.ndarray:
        """float64 (n_nodes, n_classes): what a row of each class costs where it ends in the node.

        measure : a name in losses. factor : float64 (n_classes,), by which rows of each class count; None takes the
            tree's own (prior over training share). "No answer" is as dear as the dearest of the class.
        """
        self.check_loss(tree, measure)
        return self.losses[measure](tree) * (tree.prior_factor if factor is None else factor)

    def compared_losses(self, tree: TreeLike, measure: str = OWN) -> np.ndarray:
        """float64 (n_nodes, n_classes): class_losses as nodes are compared by them; of profits what is missed."""
        if measure in OF_ANSWERS and tree.earns and tree.loss is not None:
            return _by_label(tree, missed(tree.loss)) * tree.prior_factor
        return self.class_losses(tree, measure)

    def own_measure(self, tree: TreeLike) -> str:
        return "accuracy" if tree.loss is None else "profit" if tree.earns else "cost"

    @property
    def mean_loss(self) -> str:
        return "error rate"

    def loss_name(self, tree: TreeLike) -> str:
        return "error rate" if tree.loss is None else "missed profit" if tree.earns else "mean cost"

    def risk_name(self, tree: TreeLike) -> str:
        name = "error rate" if tree.loss is None else "mean profit" if tree.earns else "mean cost"
        return name if tree.priors is None else f"{name} by the priors"

    def error_name(self, tree: TreeLike, measure: str = OWN) -> str:
        if measure in ("brier", "log_loss"):
            named = {"brier": "Brier score", "log_loss": "log loss"}[measure]
        else:
            named = "errors" if tree.loss is None or measure == "accuracy" else "cost of errors"
            named = "missed profit" if tree.earns and measure != "accuracy" else named
        return named if tree.priors is None else f"{named} weighted by priors"

    def answer_text(self, tree: TreeLike, node: int) -> str:
        label = tree.value[node]
        return tree.class_names[label] if label >= 0 else "no answer"

    def node_text(self, tree: TreeLike, node: int) -> str:
        weight = float(tree.weight[node])
        if not (weight > 0 and tree.answer[node] >= 0):
            return ""
        return f"{percent(float(tree.stats[node][tree.value[node]]) / weight)} right"
