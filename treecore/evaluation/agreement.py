"""Where two trees answer differently, and who is right there: in counts, and row by row."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.evaluation.metrics import Score, compare_predictions, score
from treecore.tree.target import true_labels, true_numbers
from treecore.tree.tree import Tree

TEST = "exact McNemar test"
NEITHER, FIRST, SECOND = 0, 1, 2
"""Whose answer is right, or nearer for numbers."""


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Brief):
    """Two trees on the rows of one table.

    differ, gained, lost : int64 positions in the table, rising. `gained` are the rows on which the second tree alone
    is right (nearer, for numbers), `lost` those on which the first alone is; of the other rows in `differ` neither
    is, or their target is not known.
    differ_weight, gained_weight, lost_weight : their case weights together.
    a, b : both trees judged on the rows.
    p : of the exact McNemar test on the counts gained and lost, for classes; None for numbers.
    """

    differ: np.ndarray
    gained: np.ndarray
    lost: np.ndarray
    differ_weight: float
    gained_weight: float
    lost_weight: float
    a: Score
    b: Score
    p: float | None

    @property
    def difference(self) -> float:
        """The headline of the second tree less that of the first: accuracies, root mean squared errors, deviances."""
        return self.b.headline.value - self.a.headline.value


def agreement(tree_a: Tree, tree_b: Tree, table: Table) -> Agreement:
    """Compare the answers of two trees for one target, row by row.

    Raises TreecoreError for trees with different targets, or a table without the target.
    """
    found, weight = compare_predictions(tree_a, tree_b, table), table.case_weights
    rows = found.differ, found.gained, found.lost
    p = mcnemar(len(found.gained), len(found.lost)) if tree_a.classes else None
    weights = (float(weight[r].sum()) for r in rows)
    return Agreement(*rows, *weights, a=score(tree_a, table), b=score(tree_b, table), p=p)


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided p-value of the exact McNemar test: as many rows gained as lost but for chance; 1 without any.

    Twice the binomial probability (one half each) of the smaller count or fewer, at most 1.
    Source: McNemar (1947), in its exact binomial form.
    """
    from scipy.stats import binom

    n = gained + lost
    return min(1.0, 2.0 * float(binom.cdf(min(gained, lost), n, 0.5))) if n else 1.0


@dataclass(frozen=True, eq=False, repr=False)
class ChangedRows(Brief):
    """Rows that two trees answer differently; entry i of each array is one row.

    row : int64, 0-based row of the source. truth, answer_a, answer_b : labels (str; None for no answer or an unknown
    target) or float64 (NaN). right : int64, NEITHER, FIRST or SECOND. values : feature -> labels (str, '' where
    missing) or float64 numbers.
    """

    row: np.ndarray
    truth: np.ndarray
    answer_a: np.ndarray
    answer_b: np.ndarray
    right: np.ndarray
    values: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.row)


def changed_rows(tree_a: Tree, tree_b: Tree, table: Table, found: Agreement) -> ChangedRows:
    """The rows of a table that change their answer, with what they are and what both trees say of them."""
    right = np.full(table.n_rows, NEITHER)
    right[found.gained], right[found.lost] = SECOND, FIRST
    rows = table.take(found.differ)
    values = {c.name: c.values() if c.kind == "numeric" else c.labels() for c in rows.feature_columns}
    answers = [tree.predict(rows) for tree in (tree_a, tree_b)]
    return ChangedRows(rows.row_numbers, _truth(tree_a, rows), *answers, right[found.differ], values)


def _truth(tree: Tree, rows: Table) -> np.ndarray:
    if not tree.classes:
        return true_numbers(tree, rows)
    return np.array([*tree.classes, None], object)[true_labels(tree, rows)]
