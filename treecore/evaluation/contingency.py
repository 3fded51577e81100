"""Two columns counted together, for all rows or for each level of a third one: counts, shares, and what independence
would lead one to expect."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column
from treecore.data.discretize import binned_column, cut_points
from treecore.data.table import Table

MOST_LEVELS, BINS = 12, 4


@dataclass(frozen=True, eq=False, repr=False)
class Contingency(Brief):
    """names : of the two columns, and of the third where there is one. rows, columns : their levels. counts : float64
    (r, c), rows of each pair (not weighted). left_out : rows that miss a value of one of the columns, or hold a level
    that is too rare to be shown. within : the third column's level that the rows have; "" where there is none."""

    names: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: np.ndarray
    left_out: int
    within: str = ""

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
    return _counted(table, (first, second), np.zeros(table.n_rows, int), ("",))[0]


def layers(table: Table, first: str, second: str, third: str) -> tuple[Contingency, ...]:
    """The same table of two columns for each level of a third, all with the same rows and columns."""
    return _counted(table, (first, second, third), *_levels(table.column(third)))


def _counted(
    table: Table, names: tuple[str, ...], layer: np.ndarray, within: tuple[str, ...]
) -> tuple[Contingency, ...]:
    """layer : int64 (n_rows,), place in `within`, -1 for none."""
    (a, rows), (b, columns) = (_levels(table.column(name)) for name in names[:2])
    known = (a >= 0) & (b >= 0) & (layer >= 0)
    shape = (len(within), len(rows), len(columns))
    cells = np.ravel_multi_index((layer[known], a[known], b[known]), shape)
    counts = np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape).astype(float)
    left_out = int((~known).sum())
    return tuple(
        Contingency(names, rows, columns, part, left_out, level) for part, level in zip(counts, within, strict=True)
    )


def _levels(column: Column) -> tuple[np.ndarray, tuple[str, ...]]:
    """(int64 (n_rows,) place among the levels shown, -1 for none of them; those levels)."""
    if column.kind == "numeric":
        cuts = cut_points(column.values(), None, None, 0, "equal_frequency", BINS)
        column = binned_column(column, cuts)
    shown = np.sort(np.argsort(-column.present(), kind="stable")[:MOST_LEVELS])
    place = np.full(column.n_distinct + 1, -1)
    place[shown] = np.arange(len(shown))
    return place[column.codes], tuple(column.levels[i] for i in shown)
