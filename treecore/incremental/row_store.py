"""The rows that a growing tree has seen, with room for more: codes in one block, so that one more costs little."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treecore.data.column import Column, frozen
from treecore.data.level_index import places_among
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import problem_of
from treecore.kernels.state import Problem


@dataclass(frozen=True)
class Step:
    """n_rows : seen by now. n_new : of this batch.

    updated : nodes whose counts changed. shifted : of these, those whose test changed while their rows stay parted as
    they were. replaced : splits that part the rows otherwise than before, or that begin or cease to be. regrown :
    subtrees grown anew for that. whole : why all of the tree was grown anew; "" if it was not.
    """

    n_rows: int
    n_new: int
    updated: int = 0
    shifted: int = 0
    replaced: int = 0
    regrown: int = 0
    whole: str = ""


class RowStore:
    """All rows so far. Features and target are those of the first table.

    codes : int32 (d + 1, capacity), the features' and, last, the target's; see Column. Only the first n are rows.
    """

    def __init__(self, table: Table):
        if table.task != "classification":
            remedy = "Choose a target of words, or put its numbers in bins"
            raise TreecoreError("Trees of classes alone are fed with rows", where="Target", remedy=remedy)
        table.check_trainable(any_target=True)
        self._take_columns((*table.feature_columns, table.target_column))
        self._like = replace(table, columns=self._columns, notes=())
        self.codes = np.stack([column.codes for column in self._columns])
        self._weights, self.n = table.weights, table.n_rows
        self.may_lack = any(column.n_missing for column in table.feature_columns)

    @property
    def labels(self) -> np.ndarray:
        """int32 (capacity,): the class of every row."""
        return self.codes[-1]

    @property
    def has_weights(self) -> bool:
        return self._weights is not None

    def n_codes(self, feature: int) -> int:
        """The code of a missing value, one above all others."""
        return self._columns[feature].n_distinct

    def append(self, table: Table) -> dict[int, np.ndarray]:
        """More rows, which get the numbers from n on.

        Returns feature -> int64 (n_distinct + 1,), the new code of every former one, where new numbers stand between
        those there were. TreecoreError for rows without one of the columns, of another kind, with new levels, or
        whose target is missing.
        """
        if table.n_rows == 0:
            return {}
        columns = [table.column(column.name) for column in self._columns]
        if columns[-1].n_missing:
            remedy = "Leave out the rows whose target is missing"
            raise TreecoreError("Some rows have no class", where=f"Target {self._like.target!r}", remedy=remedy)
        if (self._weights is None) != (table.weights is None):
            raise TreecoreError("Some rows have weights, others none", where="Weights", remedy="Give all rows weights")
        merged = [_merged(old, new) for old, new in zip(self._columns, columns, strict=True)]
        moved = {f: place for f, (_, place, _) in enumerate(merged) if place is not None}
        for f, place in moved.items():
            self.codes[f, : self.n] = place[self.codes[f, : self.n]]
        added = np.array([codes for _, _, codes in merged])
        self._keep(added, table.weights)
        if moved:
            self._take_columns([column for column, _, _ in merged])
        self.may_lack = self.may_lack or bool((added == self._absent).any())
        return moved

    def _take_columns(self, columns: Sequence[Column]) -> None:
        self._columns = tuple(columns)
        self._absent = np.array([[column.n_distinct] for column in columns])

    def _keep(self, codes: np.ndarray, weights: np.ndarray | None) -> None:
        stop = self.n + codes.shape[1]
        if stop > self.codes.shape[1]:
            longer = np.zeros((len(codes), 2 * stop), np.int32)
            longer[:, : self.n] = self.codes[:, : self.n]
            self.codes = longer
        self.codes[:, self.n : stop] = codes
        self._weights = None if weights is None else np.concatenate([self._weights, weights])
        self.n = stop

    def table(self, rows: np.ndarray | None = None) -> Table:
        """The rows of these numbers, in this order; all by default."""
        codes = self.codes[:, : self.n] if rows is None else self.codes[:, rows]
        rows = np.arange(self.n) if rows is None else rows
        columns = [replace(c, codes=frozen(own.copy())) for c, own in zip(self._columns, codes, strict=True)]
        weights = None if self._weights is None else self._weights[rows]
        return replace(
            self._like, columns=tuple(columns), weights=weights, row_numbers=frozen(rows.astype(np.int32))
        )  # fmt: skip


def _merged(old: Column, new: Column) -> tuple[Column, np.ndarray | None, np.ndarray]:
    """(the column of both, new codes of the former codes or None where they stay, codes of the new rows)."""
    if old.kind != new.kind:
        what = f"It was {old.kind}, and is {new.kind} in the new rows"
        raise TreecoreError(what, where=f"Column {old.name!r}", remedy="Read the new rows with the same kinds")
    if old.kind != "numeric":
        return old, None, _codes_of_levels(old, new)
    if new.numbers is old.numbers or np.array_equal(new.numbers, old.numbers):
        return old, None, new.codes
    used = new.numbers[np.unique(new.codes[~new.missing])]
    both = np.union1d(old.numbers, used)
    place = np.append(np.searchsorted(both, old.numbers), len(both))
    codes = np.append(np.searchsorted(both, new.numbers), len(both))[new.codes].astype(np.int32)
    if len(both) == old.n_distinct:
        return old, None, codes
    return replace(old, codes=codes, distinct=frozen(both)), place, codes


def _codes_of_levels(old: Column, new: Column) -> np.ndarray:
    """int32 (n,): the codes of the new rows among the former levels."""
    if new.levels == old.levels:
        return new.codes
    place = places_among(old.level_names, new.level_names)
    used = np.unique(new.codes[~new.missing])
    if unknown := [new.level_names[code] for code in used if place[code] < 0]:
        remedy = "Declare all levels in the first table, as with tc.Nominal([...])"
        raise TreecoreError(f"{unknown[0]!r} is no level so far", where=f"Column {old.name!r}", remedy=remedy)
    table = np.append(np.maximum(place, 0), old.n_distinct).astype(np.int32)
    return table[new.codes]


def problem_of_rows(rows: RowStore, growth: GrowSettings) -> Problem:
    """The kernels' view of the rows where they stand, by their numbers, with room for more: their codes appear there by
    themselves, their classes have to be told. Every row counts once."""
    problem = problem_of(rows.table(), growth)
    records = np.zeros(rows.codes.shape[1], problem.rows.dtype)
    records["weight"] = records["case"] = 1.0
    records["label"] = rows.labels
    return problem._replace(codes=rows.codes[:-1], rows=records)
