"""How far answers in numbers are from the truth: row by row, and leaf by leaf."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.judging.answers import Answers
from treecore.tree.target import true_target
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Residuals(Brief):
    """Rows whose target is known; entry i of each array is one row.

    node : int64, where the row ends; -1 where several trees have answered. said, off : float64, the answer, and the
    truth less the answer; NaN without one. weight : float64.
    """

    node: np.ndarray
    said: np.ndarray
    off: np.ndarray
    weight: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class OfNode(Brief):
    """Residuals of the rows that end in one node. low, middle, high : quartiles of rows, whatever they weigh."""

    node: int
    said: float
    n_rows: int
    mean: float
    low: float
    middle: float
    high: float
    rmse: float


def residuals(tree: Tree, table: Table) -> Residuals:
    """Truth less answer for every row; TreecoreError for a tree that predicts classes."""
    if tree.classes:
        remedy = "Look at the confusion matrix instead"
        raise TreecoreError("A tree that predicts classes leaves no residuals", where="residuals", remedy=remedy)
    truth, said = true_target(tree, table), tree.predict(table)
    known = tree.target_kind.is_known(truth)
    node, weight = np.asarray(tree.apply(table), np.int64), table.case_weights
    return Residuals(node[known], said[known], tree.target_kind.residuals(truth, said)[known], weight[known])


def residuals_of(answers: Answers) -> Residuals:
    """The same of answers in numbers that several trees gave, such as those of the folds."""
    none = np.full(len(answers), -1)
    expected = answers.said if answers.exposure is None else answers.said * answers.exposure
    return Residuals(none, answers.said, answers.truth - expected, answers.weight)


def by_node(found: Residuals, most: int | None = None) -> list[OfNode]:
    """One entry per node in which rows end, by rising answer. most : nodes of most rows alone."""
    known = np.flatnonzero(~np.isnan(found.off) & (found.weight > 0))
    known = known[np.argsort(found.node[known], kind="stable")]
    _, first, n = np.unique(found.node[known], return_index=True, return_counts=True)
    largest = np.argsort(-n, kind="stable")[:most]
    entries = [_of_node(found, known[a : a + b]) for a, b in zip(first[largest], n[largest], strict=True)]
    return sorted(entries, key=lambda e: (e.said, e.node))


def _of_node(found: Residuals, rows: np.ndarray) -> OfNode:
    """rows : int64, all that end in one node and have a residual and a weight."""
    off, weight = found.off[rows], found.weight[rows]
    low, middle, high = np.quantile(off, [0.25, 0.5, 0.75])
    mean, square = np.average(off, weights=weight), np.average(off**2, weights=weight)
    node, said = int(found.node[rows[0]]), float(found.said[rows].mean())
    return OfNode(node, said, len(rows), float(mean), low, middle, high, float(square**0.5))
