"""Trees that answer together: by votes or by the sum of their leaves, one by one and over the plane of two features."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column, level_column, numeric_column
from treecore.data.table import Table
from treecore.data.table_like import refuse_counts_in
from treecore.tree.node_statistics import labels_among, true_labels, true_numbers
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
        result = self.answers(rows)
        return np.array(self.classes, object)[result] if self.classes else result

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
        result = []
        for tree, times in zip(self.trees, self.times, strict=True):
            left_out = times == 0
            answer = self._answer(tree, self.table)
            total = np.zeros_like(answer) if total is None else total
            total[left_out] += answer[left_out]
            n += left_out
            seen = n > 0
            votes = total[seen] if self.classes else total[seen] / n[seen]
            result.append(self._error(votes, truth[seen], self.table.case_weights[seen]) if seen.any() else np.nan)
        return np.array(result)

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


# Trees whose leaves each add to the score of every class, or to a number.


@dataclass(frozen=True, eq=False, repr=False)
class Additive(Ensemble):
    """The class of the largest sum is answered, or the sum itself.

    steps : of each tree float64 (n_nodes, n_classes), or (n_nodes, 1) of numbers: what a row adds that ends there.
    starts : float64 (n_classes,) or (1,), the sums without any tree.
    """

    steps: tuple[np.ndarray, ...] = ()
    starts: np.ndarray = None

    def votes(self, rows: Table) -> Iterator[np.ndarray]:
        """After each tree: float64 (n_rows, n_classes) of scores, or (n_rows,) of numbers, of all trees so far."""
        total = np.tile(self.starts, (rows.n_rows, 1))
        for tree, step in zip(self.trees, self.steps, strict=True):
            total = total + step[tree.apply(rows)]
            yield total if self.classes else total[:, 0]

    def shares(self, rows: Table) -> np.ndarray:
        """float64 (n_rows, n_classes): the classes' probabilities, as these trees do not vote."""
        *_, scores = self.votes(rows)
        return softmax(scores)

    def _truth(self, rows: Table) -> np.ndarray:
        # its trees may be of numbers where it is of classes
        target = rows.column(self.table.target)
        return labels_among(self.classes, target) if self.classes else target.values()


def softmax(scores: np.ndarray) -> np.ndarray:
    """float64 (n_rows, n_classes): the probabilities of which these are the scores."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def summed_below(tree: Tree, ends: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """float64 (n_nodes, q): for each node the sum of the numbers of the rows that pass it.

    ends : int64 (n_rows,), where each row ends. numbers : float64 (n_rows, q).
    """
    total = np.stack([np.bincount(ends, column, tree.n_nodes) for column in numbers.T], axis=1)
    for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parents
        total[tree.parent[node]] += total[node]
    return total


# What many trees say everywhere in the plane of two features, the others held.

Side = tuple[str, np.ndarray]
"""A feature, and float64 (n,): its numbers, or the indices of its levels, at the places that are asked about."""


def votes_in_plane(ensemble: Ensemble, x: Side, y: Side, fixed: Mapping[str, object]) -> np.ndarray:
    """float64 (n_y, n_x, n_classes): the share of the trees, by what each counts, that answer each class there; of a
    numeric target (n_y, n_x), the number that all answer together.

    fixed : feature -> number, level, or None for missing, of the features that are not on a side.
    """
    (across, at_x), (up, at_y) = x, y
    on_sides = {across: np.tile(at_x, len(at_y)), up: np.repeat(at_y, len(at_x))}
    n, columns = len(at_x) * len(at_y), []
    for column in ensemble.table.feature_columns:
        columns.append(
            _at(column, on_sides[column.name]) if column.name in on_sides else _held(column, fixed.get(column.name), n)
        )
    rows = Table(tuple(columns), None, ensemble.table.features)
    result = ensemble.shares(rows) if ensemble.classes else ensemble.predict(rows)
    return result.reshape(len(at_y), len(at_x), *result.shape[1:])


def _at(column: Column, values: np.ndarray) -> Column:
    """A column of this kind with these numbers, or levels of these indices."""
    if column.kind == "numeric":
        return numeric_column(column.name, values)
    return level_column(column.name, column.kind, values.astype(np.int64), column.level_names)


def _held(column: Column, value: object, n: int) -> Column:
    """A column of this kind that is the same everywhere; missing for None and for what is no level of it."""
    if column.kind == "numeric":
        return _at(column, np.full(n, np.nan if value is None else float(value)))
    return _at(column, np.full(n, column.level_names.index(value) if value in column.level_names else -1))
