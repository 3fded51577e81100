"""What a tree said of rows, and what is true: all that any measure needs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from treecore.brief import Brief
from treecore.criteria.row_losses import RowLoss
from treecore.data.table import Table
from treecore.judging.confusion import NO_ANSWER, Confusion
from treecore.judging.interest import class_of_interest
from treecore.judging.losses import smoothed_shares
from treecore.target import CountedTarget, CountTarget, Target, target_of
from treecore.tree.node_statistics import true_counts, true_labels, true_numbers
from treecore.tree.predict import answered_with, predicted_labels, probabilities
from treecore.tree.tree import Tree

PER_ROW = ("truth", "said", "weight", "row", "shares", "smoothed", "exposure")


@dataclass(frozen=True, eq=False, repr=False)
class Answers(Brief):
    """Rows with a known target and the answers to them; entry i of each array is one row.

    classes : () for a target of numbers. truth, said : int64 class indices (said -1: no answer) or float64 (NaN).
    weight : float64, case weights. row : int64, the row's position in the table that was answered.
    shares : float64 (n, n_classes), the shares of the classes where the row ends; None for numbers.
    smoothed : the same as the logarithmic loss takes them, none of them 0; see judging.losses.smoothed_shares.
    loss : float64 (n_classes, n_classes), what an answer costs, or None where every error costs 1.
    exposure : float64, of a target of two columns the second one: in how much each count was counted, or 1 where a row
        was treated and 0 where it was not; None for other targets.
    kind : what such a target is; its answers are rates or effects.
    row_loss : the loss of single rows that numbers are answered by; see Schema.row_loss.
    interest : the class that is looked for, see judging.interest; None for numbers and more than two classes.
    """

    classes: tuple[str, ...]
    truth: np.ndarray
    said: np.ndarray
    weight: np.ndarray
    row: np.ndarray
    shares: np.ndarray | None = None
    loss: np.ndarray | None = None
    smoothed: np.ndarray | None = None
    interest: str | None = None
    exposure: np.ndarray | None = None
    kind: CountedTarget | None = None
    row_loss: RowLoss | None = None

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def target(self) -> Target:
        """The kind of target."""
        return target_of(self.classes, self.row_loss) if self.exposure is None else self.kind or CountTarget()

    @property
    def task(self) -> str:
        return self.target.task

    @property
    def targets(self) -> np.ndarray:
        """The target of each row as its kind takes it: truth, with the second one of a target of two columns."""
        return self.truth if self.exposure is None else np.stack([self.truth, self.exposure], axis=1)

    def take(self, places: np.ndarray) -> "Answers":
        """Those at these positions, integers or a boolean mask."""
        arrays: dict[str, Any] = {name: getattr(self, name) for name in PER_ROW}
        taken: dict[str, Any] = {name: None if array is None else array[places] for name, array in arrays.items()}
        return replace(self, **taken)

    @cached_property
    def right(self) -> np.ndarray:
        """bool (n,): which answers are the true class."""
        return self.said == self.truth

    @cached_property
    def confusion(self) -> Confusion:
        """The rows by class and answer; the last answer is "no answer", with or without rows."""
        k = len(self.classes)
        cell = self.truth * (k + 1) + np.where(self.said < 0, k, self.said)
        counts = np.bincount(cell, self.weight, k * (k + 1)).reshape(k, k + 1)
        return Confusion(self.classes, (*self.classes, NO_ANSWER), counts, len(self), 0, self.loss)


def answers_of(tree: Tree, table: Table) -> Answers:
    """What a tree says of the rows of a table whose target is known to it.

    Raises TreecoreError if the table lacks a column the tree needs or has its target as another kind.
    """
    row = np.arange(table.n_rows)
    if tree.schema.counts is not None:
        events, exposure = true_counts(tree, table).T
        answers = Answers(
            (), events, tree.predict(table), table.case_weights, row, exposure=exposure, kind=tree.schema.counts
        )
        return answers.take(~np.isnan(events + exposure))
    if not tree.classes:
        truth = true_numbers(tree, table)
        answers = Answers((), truth, tree.predict(table), table.case_weights, row, row_loss=tree.schema.row_loss)
        return answers.take(~np.isnan(truth))
    truth, predicted, shares = true_labels(tree, table), predicted_labels(tree, table), probabilities(tree, table)
    if tree.lines is None:
        smoothed = answered_with(tree, table, smoothed_shares(tree))
    else:  # no line gives a share of 0
        smoothed = np.where(np.isnan(shares), tree.summary_shares[0], shares)
    answers = Answers(
        tree.classes, truth, predicted, table.case_weights, row, shares, tree.loss, smoothed, class_of_interest(tree)
    )
    return answers.take(truth >= 0)


def joined(parts: Sequence[Answers]) -> Answers:
    """The answers of several trees to different rows as one, in the order given; one loss for all."""
    first = parts[0]
    arrays = {name: [getattr(part, name) for part in parts] for name in PER_ROW}
    together: dict[str, Any] = {n: None if a[0] is None else np.concatenate(a) for n, a in arrays.items()}
    return replace(first, **together)
