"""What a kind of target has to say; readers of trees ask it instead of asking which kind it is."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

import numpy as np

from treecore.errors import TreecoreError

OWN = "error"
"""The name of the measure that labels are chosen by: the error rate, the mean cost where errors have costs, the profit
where answers earn something, the mean squared error of numbers and the mean deviance of counts."""


class TreeLike(Protocol):
    """The columns of a tree that its kind of target reads; see tree.TreeColumns."""

    schema: Any
    classes: tuple[str, ...]
    class_names: tuple[str, ...]
    stats: np.ndarray
    center: np.ndarray
    answer: np.ndarray
    n_rows: np.ndarray
    weight: np.ndarray
    value: np.ndarray
    proba: np.ndarray
    median: np.ndarray | None
    outputs: np.ndarray | None
    added: np.ndarray | None
    priors: np.ndarray | None
    loss: np.ndarray | None
    prior_factor: np.ndarray
    n_nodes: int
    earns: bool

    def labels_of(self, stats: np.ndarray) -> np.ndarray:
        """The class of least expected cost among rows with these class weights."""


class Target:
    """A kind of target.

    Everywhere stats : float64 (..., width), statistics of rows together, as in Tree.stats; they add up over rows and
    nodes. tree : the tree whose nodes answer.

    task : its name, by which entries of registries say what they are for. held : what the target is made of, in
    sentences. width : how many statistics there are. losses : measure -> what computes the loss of single rows.
    """

    task: ClassVar[str]
    held: ClassVar[str]
    width: int
    losses: ClassVar[Mapping[str, object]]

    # statistics, and how they add

    def weight_of(self, stats: np.ndarray) -> np.ndarray:
        """float64 (...): weight of the rows."""
        return stats[..., 0]

    def mean_of(self, stats: np.ndarray) -> np.ndarray:
        """float64 (...): mean target, less the center of the sums of numbers, by which levels and branches are put in
        order; 0 without rows."""
        raise NotImplementedError

    def moved(self, stats: np.ndarray, by: np.ndarray | float) -> np.ndarray:
        """The statistics around a center that lies below theirs `by` so much; see Tree.center."""
        return stats

    def row_sums(self, cell: np.ndarray, n: int, weight: np.ndarray, truth: np.ndarray) -> np.ndarray:
        """float64 (n, width): statistics of rows by cell.

        cell : int (m,), 0 to n - 1. weight : float64 (m,). truth : the target of each, less the center of its node:
        class indices (-1 where it is missing or unknown), or float64 (m,) or (m, 2), NaN where it is missing.
        """
        raise NotImplementedError

    def is_known(self, truth: np.ndarray) -> np.ndarray:
        """bool (m,): is the target of these rows known, to the tree, too?"""
        return ~np.isnan(truth)

    # the answer

    def values(self, tree: TreeLike) -> np.ndarray:
        """What every node answers: int64 class indices (-1: none), or float64 numbers (NaN: none)."""
        raise NotImplementedError

    # losses

    def answer_losses(self, truth: np.ndarray, answer) -> np.ndarray:
        """float64 (m,): the usual loss of an answer, or of one per row, as values gives them."""
        raise NotImplementedError

    def has_loss(self, measure: str) -> bool:
        """Is the measure a sum over the rows of such a target?"""
        return measure in self.losses

    def check_loss(self, tree: TreeLike, measure: str) -> None:
        """TreecoreError unless it is one for this tree."""
        if measure not in self.losses:
            remedy = "Choose one of: " + ", ".join(self.losses)
            what = f"{measure!r} has no meaning for a target of {self.held}: it is no loss of single rows there"
            raise TreecoreError(what, where="measure", remedy=remedy)

    def leaf_errors(self, tree: TreeLike, stats: np.ndarray, measure: str = OWN) -> np.ndarray:
        """float64 (n_nodes,): what every node, taken as a leaf, loses on rows with these statistics, one per node."""
        raise NotImplementedError

    def scale_of_errors(self, tree: TreeLike, through: np.ndarray) -> np.ndarray:
        """float64 (n_nodes,): how large errors are at each node, for what is rounding there. through : losses of the
        rows in question."""
        return self.leaf_errors(tree, tree.stats)

    def row_losses(self, tree: TreeLike, measure: str) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        """(truth of rows, node that answers) -> float64 (m,), of a target whose losses follow from no statistics."""
        raise NotImplementedError

    # words

    def loss_name(self, tree: TreeLike) -> str:
        """What alpha and the risk of a nested sequence are counted in: a mean over rows."""
        raise NotImplementedError

    def risk_name(self, tree: TreeLike) -> str:
        """What a tree is pruned by, and the size curve of it shows."""
        return self.loss_name(tree)

    def error_name(self, tree: TreeLike, measure: str = OWN) -> str:
        """What leaf_errors adds up, in words."""
        raise NotImplementedError

    def answer_text(self, tree: TreeLike, node: int) -> str:
        """The answer of a node as people read it; "no answer" where there is none."""
        raise NotImplementedError

    def node_text(self, tree: TreeLike, node: int) -> str:
        """How well the answer fits the node's training rows, behind their number in an outline; '' for nothing."""
        return ""
