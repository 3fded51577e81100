"""What was answered for which class: row by row, or counted where the rows stay in an engine."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.tree.predict import predicted_labels
from treecore.tree.target import true_labels
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Answered(Brief):
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


def answered(tree: Tree, table) -> Answered:
    """The answers of a tree of classes for a table, in memory or in an engine."""
    if is_counted(table):
        stats = table.end_statistics(tree)
        node, truth = np.nonzero(stats)
        weight, answer = stats[node, truth], np.asarray(tree.value, np.int64)[node]
        n = round(float(weight.sum()))
        return Answered(truth, answer, weight, n, table.n_rows - n)
    truth = true_labels(tree, table)
    known = truth >= 0
    n, weight, answer = int(known.sum()), table.case_weights[known], predicted_labels(tree, table)[known]
    return Answered(truth[known], answer, weight, n, table.n_rows - n)
