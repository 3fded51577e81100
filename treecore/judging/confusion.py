"""Answers by true class: counted row by row or in an engine, and as a confusion matrix in weights, shares and costs."""

from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.tree.node_statistics import true_labels
from treecore.tree.predict import predicted_labels
from treecore.tree.tree import Tree

# What was answered for which class: row by row, or counted where the rows stay in an engine.


@dataclass(frozen=True, eq=False, repr=False)
class AnswerCounts(Brief):
    """Rows of a known class with their answer, one by one or those alike together.

    truth, answer : int64 (m,), class indices, an answer of -1 for none. weight : float64 (m,). n_rows : how many rows
    these are. n_left_out : rows whose class is missing or unknown to the tree.
    """

    truth: np.ndarray
    answer: np.ndarray
    weight: np.ndarray
    n_rows: int
    n_left_out: int


def is_counted(table) -> bool:
    """Do its rows stay where they are, so that it counts them itself?"""
    return hasattr(table, "end_statistics")


def answer_counts(tree: Tree, table) -> AnswerCounts:
    """The answers of a tree of classes for a table, in memory or in an engine."""
    if is_counted(table):
        stats = table.end_statistics(tree)
        node, truth = np.nonzero(stats)
        weight, answer = stats[node, truth], np.asarray(tree.value, np.int64)[node]
        n = round(float(weight.sum()))
        return AnswerCounts(truth, answer, weight, n, table.n_rows - n)
    truth = true_labels(tree, table)
    known = truth >= 0
    n, weight, answer = int(known.sum()), table.case_weights[known], predicted_labels(tree, table)[known]
    return AnswerCounts(truth[known], answer, weight, n, table.n_rows - n)


NO_ANSWER = "no answer"


@dataclass(frozen=True)
class Outcome:
    """A cell of a two-class table by its name.

    short, name : such as "FN", "false negative". truth, answer : the classes. weight : of its rows.
    """

    short: str
    name: str
    truth: str
    answer: str
    weight: float


@dataclass(frozen=True, eq=False, repr=False)
class Confusion(Brief):
    """The rows of a table by their true class and the tree's answer; matrices are float64 (n_classes, n_answers).

    classes : the true classes. answers : the classes, and "no answer" last if the tree had none for a row.
    counts : weight of the rows of class [true] answered by [answer].
    n_rows, n_left_out : rows counted; rows that are not, because their class is missing or unknown to the tree.
    loss : float64 (n_classes, n_classes), cost of a row of class [true] called [answer], below 0 where it earns
        something; None: every error costs 1.
    priors : float64 (n_classes,), the shares of the classes that the tree reckons with; None: those of the rows.
    Shares and means of no rows are NaN.
    """

    classes: tuple[str, ...]
    answers: tuple[str, ...]
    counts: np.ndarray
    n_rows: int
    n_left_out: int
    loss: np.ndarray | None = None
    priors: np.ndarray | None = None

    @property
    def weight(self) -> float:
        """Weight of all rows counted."""
        return float(self.counts.sum())

    @property
    def shares(self) -> np.ndarray:
        """Counts over the weight of all rows."""
        return _ratio(self.counts, self.counts.sum())

    @property
    def by_true(self) -> np.ndarray:
        """Counts over the weight of their true class: the diagonal is the recall."""
        return _ratio(self.counts, self.counts.sum(axis=1, keepdims=True))

    @property
    def by_predicted(self) -> np.ndarray:
        """Counts over the weight of their answer: the diagonal is the precision."""
        return _ratio(self.counts, self.counts.sum(axis=0, keepdims=True))

    @cached_property
    def unit_cost(self) -> np.ndarray:
        """What one row of each cell costs; a row without an answer as much as its class's dearest one."""
        cost = 1.0 - np.eye(len(self.classes)) if self.loss is None else self.loss
        unanswered = np.ones(len(cost)) if self.loss is None else cost.max(axis=1)
        return np.column_stack([cost, unanswered])[:, : len(self.answers)]

    @property
    def cost(self) -> np.ndarray:
        """Counts times the cost of one row."""
        return self.counts * self.unit_cost

    @property
    def earns(self) -> bool:
        """Does some answer earn something, so that one speaks of profit: costs turned over?"""
        return self.loss is not None and bool(self.loss.min() < -1e-8 * np.abs(self.loss).max())

    @property
    def worth(self) -> np.ndarray:
        """What `worth_name` says of every cell: the profit of its rows, or their cost."""
        return 0.0 - self.cost if self.earns else self.cost

    @property
    def worth_name(self) -> str:
        return "profit" if self.earns else "cost"

    @property
    def total_cost(self) -> float:
        return float(self.cost.sum())

    @property
    def mean_cost(self) -> float:
        """Cost per unit of weight."""
        return self.total_cost / self.weight if self.weight > 0 else nan

    @property
    def error_rate(self) -> float:
        """Share of the weight off the diagonal; "no answer" counts as wrong."""
        return (self.weight - float(np.trace(self.counts))) / self.weight if self.weight > 0 else nan

    @property
    def expected_cost(self) -> float | None:
        """The mean cost if classes occurred by the priors: sum_i prior_i sum_j L_ij n_ij / n_i.

        The same as weighing each row by prior_i / share_i, with the class's share of these rows. None without
        priors; NaN if a class with a prior above 0 has no weight here.
        Source: Breiman et al. (1984), section 4.4.
        """
        if self.priors is None:
            return None
        counted = self.priors > 0
        return float(self.priors[counted] @ (self.by_true * self.unit_cost)[counted].sum(axis=1))

    def named(self, positive: str) -> dict[str, Outcome]:
        """The cells of two classes as "TP", "FN", "FP" and "TN"; rows without an answer are in none of them.

        positive : the class that is looked for. TreecoreError unless it is one of just two classes.
        """
        if len(self.classes) != 2 or positive not in self.classes:
            raise TreecoreError(
                f"{positive!r} is not one of two classes",
                where="positive",
                remedy="Name one of two classes; these are: " + ", ".join(self.classes),
            )
        p = self.classes.index(positive)
        cells = {
            "TP": ("true positive", p, p), "FN": ("false negative", p, 1 - p),
            "FP": ("false positive", 1 - p, p), "TN": ("true negative", 1 - p, 1 - p),
        }  # fmt: skip
        return {
            short: Outcome(short, name, self.classes[i], self.classes[j], float(self.counts[i, j]))
            for short, (name, i, j) in cells.items()
        }


def confusion(tree: Tree, table: Table) -> Confusion:
    """Count a table's rows by their true class and the tree's answer.

    Raises TreecoreError if the tree predicts numbers, or the table lacks a column the tree needs or has its
    target as another kind.
    """
    if not tree.classes:
        raise TreecoreError("A tree that predicts numbers has no confusion matrix", remedy="Look at its errors instead")
    tally, k = answer_counts(tree, table), len(tree.classes)
    cell = tally.truth * (k + 1) + np.where(tally.answer < 0, k, tally.answer)
    counts, answers = np.bincount(cell, tally.weight, k * (k + 1)).reshape(k, k + 1), (*tree.class_names, NO_ANSWER)
    if (tally.answer >= 0).all():
        counts, answers = counts[:, :-1], tree.class_names
    return Confusion(tree.class_names, answers, counts, tally.n_rows, tally.n_left_out, tree.loss, tree.priors)


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, NaN where the whole is 0."""
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=np.broadcast_to(whole > 0, part.shape))
