"""Trees that answer together: their votes, and how good the first one, the first two, … of them are."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.data.table_like import refuse_counts_in
from treecore.tree.node_statistics import true_labels, true_numbers
from treecore.tree.predict import predicted_labels, probabilities
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble(Brief):
    """Trees and what each counts.

    trees : in the order of growth. weights : float64 (n_trees,), of each vote or summand. by_shares : do trees vote
    with the class shares of their leaves, or with one class? adds : are answers summed up, from `start` on, as in
    boosting of numbers, or averaged? times : uint8 (n_trees, n_rows), how often each row of `table` was drawn; None
    where all were there. table : the rows it was grown on.
    """

    table: Table
    trees: tuple[Tree, ...]
    weights: np.ndarray
    by_shares: bool = True
    adds: bool = False
    start: float = 0.0
    times: np.ndarray | None = None

    def __post_init__(self):
        if self.table is not None:
            refuse_counts_in(self.table, "an ensemble")

    @property
    def classes(self) -> tuple[str, ...]:
        return self.table.classes

    def votes(self, rows: Table) -> Iterator[np.ndarray]:
        """After each tree: float64 (n_rows, n_classes) of votes, or (n_rows,) of numbers, of all trees so far."""
        total, weight = None, 0.0
        for tree, counts in zip(self.trees, self.weights, strict=True):
            answer = counts * self._answer(tree, rows)
            total, weight = answer if total is None else total + answer, weight + counts
            yield self.start + total if self.adds else total if self.classes else total / weight

    def predict(self, rows: Table) -> np.ndarray:
        """Labels (object), or float64 numbers, of all trees together."""
        found = self.answers(rows)
        return np.array(self.classes, object)[found] if self.classes else found

    def answers(self, rows: Table) -> np.ndarray:
        """int64 class indices, or float64 numbers, of all trees together."""
        *_, last = self.votes(rows)
        return last.argmax(axis=1) if self.classes else last

    def shares(self, rows: Table) -> np.ndarray:
        """float64 (n_rows, n_classes): the share of the trees, by what each counts, that answer each class."""
        classes, total = np.arange(len(self.classes)), 0.0
        for tree, counts in zip(self.trees, self.weights, strict=True):
            total = total + counts * (predicted_labels(tree, rows)[:, None] == classes)
        return total / self.weights.sum()

    def error(self, rows: Table) -> float:
        """Error rate, or mean squared error, of all trees together, by case weight."""
        *_, last = self.votes(rows)
        return self._error(last, self._truth(rows), rows.case_weights)

    def errors(self, rows: Table) -> np.ndarray:
        """float64 (n_trees,): error rate, or mean squared error, of the first tree, the first two, … by case weight."""
        truth = self._truth(rows)
        return np.array([self._error(votes, truth, rows.case_weights) for votes in self.votes(rows)])

    def out_of_bag(self) -> np.ndarray:
        """float64 (n_trees,): the same on the rows of `table`, each judged by the trees alone that have not seen it;
        NaN as long as there is no such row. Source: Breiman (1996), Out-of-bag estimation."""
        truth = self.table.target_column.codes if self.classes else self.table.target_column.values()
        total, n = None, np.zeros(self.table.n_rows)
        found = []
        for tree, times in zip(self.trees, self.times, strict=True):
            left_out = times == 0
            answer = self._answer(tree, self.table)
            total = np.zeros_like(answer) if total is None else total
            total[left_out] += answer[left_out]
            n += left_out
            seen = n > 0
            votes = total[seen] if self.classes else total[seen] / n[seen]
            found.append(self._error(votes, truth[seen], self.table.case_weights[seen]) if seen.any() else np.nan)
        return np.array(found)

    def _truth(self, rows: Table) -> np.ndarray:
        """The target as `_error` takes it."""
        return true_labels(self.trees[0], rows) if self.classes else true_numbers(self.trees[0], rows)

    def _answer(self, tree: Tree, rows: Table) -> np.ndarray:
        """float64 (n_rows, n_classes), or (n_rows,): what one tree says."""
        if not self.classes:
            return np.asarray(tree.predict(rows), float)
        if self.by_shares:
            return np.nan_to_num(probabilities(tree, rows))
        return (predicted_labels(tree, rows)[:, None] == np.arange(len(self.classes))).astype(float)

    def _error(self, votes: np.ndarray, truth: np.ndarray, weights: np.ndarray) -> float:
        known = truth >= 0 if self.classes else ~np.isnan(truth)
        if not weights[known].any():
            return float("nan")
        wrong = votes.argmax(axis=1) != truth if self.classes else (votes - truth) ** 2
        return float(np.average(wrong[known], weights=weights[known]))
