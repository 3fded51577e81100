"""Two columns counted together: rows per pair of levels, shares, and what independence would lead one to expect."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column
from treecore.data.discretize import binned_column, cut_points
from treecore.data.table import Table

MOST_LEVELS, BINS = 12, 4


@dataclass(frozen=True, eq=False, repr=False)
class Contingency(Brief):
    """names : of the two columns. rows, columns : their levels. counts : float64 (r, c), rows of each pair (not
    weighted). left_out : rows that miss a value of one of the two, or hold a level that is too rare to be shown."""

    names: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: np.ndarray
    left_out: int

    @property
    def shares(self) -> np.ndarray:
        """float64 (r, c): of each row of the table, 0 where it is empty."""
        total = self.counts.sum(axis=1, keepdims=True)
        return np.divide(self.counts, total, out=np.zeros_like(self.counts), where=total > 0)

    @property
    def expected(self) -> np.ndarray:
        """float64 (r, c): counts if the two had nothing to do with each other."""
        n = max(self.counts.sum(), 1e-300)
        return np.outer(self.counts.sum(axis=1), self.counts.sum(axis=0)) / n


def contingency(table: Table, first: str, second: str) -> Contingency:
    """Count two columns together; numbers in four bins of equal frequency, of many levels the twelve commonest."""
    (a, rows), (b, columns) = (_levels(table.column(name)) for name in (first, second))
    known = (a >= 0) & (b >= 0)
    cells = np.bincount(a[known] * len(columns) + b[known], minlength=len(rows) * len(columns))
    counts = cells.reshape(len(rows), len(columns)).astype(float)
    return Contingency((first, second), rows, columns, counts, int((~known).sum()))


def _levels(column: Column) -> tuple[np.ndarray, tuple[str, ...]]:
    """(int64 (n_rows,) place among the levels shown, -1 for none of them; those levels)."""
    if column.kind == "numeric":
        cuts = cut_points(column.values(), None, None, 0, "equal_frequency", BINS)
        column = binned_column(column, cuts)
    shown = np.sort(np.argsort(-column.present(), kind="stable")[:MOST_LEVELS])
    place = np.full(column.n_distinct + 1, -1)
    place[shown] = np.arange(len(shown))
    return place[column.codes], tuple(column.levels[i] for i in shown)
