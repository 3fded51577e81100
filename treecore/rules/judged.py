"""Rows with their target, ready to judge rules on."""

from dataclasses import dataclass

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.rules.rule import Figures, Rule
from treecore.tree.rounding import distances
from treecore.tree.target import true_labels, true_numbers
from treecore.tree.tree import Tree
from treecore.tree.values import n_rows_of, value_matrix


def values_for(rules, tree: Tree, rows) -> np.ndarray:
    """float64 (n_features, n_rows): the features that the rules ask for, NaN in the others; see value_matrix."""
    conditions = {id(c): c for rule in rules for c in rule.conditions}  # paths have them in common
    used = np.array(sorted({i for c in conditions.values() for i in c.indices}), np.int64)
    values = np.full((len(tree.schema.features), n_rows_of(rows)), np.nan)
    values[used] = value_matrix(tree.schema, used, rows)
    return values


@dataclass(frozen=True, eq=False)
class Judged:
    """The rows of a table.

    values : float64 (n_features, n_rows). truth : int64 class indices, -1 unknown, or float64 numbers.
    weight : float64 (n_rows,), 0 where the target is missing or of a class the tree does not know.
    known : bool (n_rows,), where it is not.
    """

    values: np.ndarray
    truth: np.ndarray
    weight: np.ndarray
    known: np.ndarray
    classes: tuple[str, ...]

    @classmethod
    def of(cls, rules, tree: Tree, table: Table) -> "Judged":
        """TreecoreError for a table that has the target as another kind, or lacks a column that rules ask for."""
        target = table.column(tree.schema.target)
        if (target.kind == "numeric") == bool(tree.classes):
            raise TreecoreError(
                f"The rules answer with {'classes' if tree.classes else 'numbers'}, this table has it as {target.kind}",
                where=f"Column {target.name!r}",
                remedy="Judge them on the kind of target that their tree was grown with",
            )
        if tree.classes:
            truth = true_labels(tree, table)
            known = truth >= 0
        else:
            truth = true_numbers(tree, table)
            known = ~np.isnan(truth)
        weight = np.where(known, table.case_weights, 0.0)
        return cls(values_for(rules, tree, table), truth, weight, known, tree.classes)

    def loss(self, answer, rows=slice(None)) -> np.ndarray:
        """float64: of this answer (or one answer per row) on these rows: 1 where it is wrong, or the squared error;
        0 where the target is not known."""
        off = self.truth[rows] != answer if self.classes else distances(self.truth[rows], answer) ** 2
        return np.where(self.known[rows], off, 0.0).astype(float)

    def error(self, answer, rows=slice(None)) -> float:
        """Weighted mean of the loss; NaN without weight."""
        weight = self.weight[rows]
        total = float(weight.sum())
        return float(self.loss(answer, rows) @ weight) / total if total > 0 else float("nan")

    def figures(self, rule: Rule) -> Figures:
        """How one rule does on these rows."""
        rows = rule.covered(self.values)
        weight, whole = float(self.weight[rows].sum()), float(self.weight.sum())
        n, support = int(self.known[rows].sum()), weight / whole if whole > 0 else float("nan")
        error = self.error(rule.answer, rows)
        if not self.classes:
            return Figures(n, weight, support, error)
        of_class = float(self.weight[self.truth == rule.answer].sum()) / whole if whole > 0 else float("nan")
        lift = (1 - error) / of_class if of_class > 0 else float("nan")
        return Figures(n, weight, support, error, 1 - error, lift)

    def totals(self, rows: np.ndarray) -> np.ndarray:
        """float64 (n_classes,): weight of every class among these rows."""
        known = rows[self.known[rows]]
        return np.bincount(self.truth[known], self.weight[known], len(self.classes))
