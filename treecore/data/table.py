"""A table: encoded columns, which of them is the target and which are features, and case weights."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import as_strided

from treecore.brief import DERIVED, text_table
from treecore.data.column import Column, frozen
from treecore.data.frames import AnyFrame, as_kind
from treecore.data.level_index import recoded, truths
from treecore.data.roles import FRACTIONS, Roles, assign_roles
from treecore.data.table_like import FromColumns, check_trainable, with_arms
from treecore.errors import TreecoreError
from treecore.target import Counted, CountedTarget, EffectTarget
from treecore.target.numbers import mean_of

# The features of a table as the fast kernels read them: made once and kept with the table.

AT_ONCE = 4096


class Keys(NamedTuple):
    """matrix : uint32 (n_rows, d), see Column.keys. absent : uint32 (d,), the key of missing values; n_absent : int64
    (d,), how many there are. The first two are read-only, which is part of the type for which kernels are compiled."""

    matrix: np.ndarray
    absent: np.ndarray
    n_absent: np.ndarray


def keys_of_columns(columns: tuple[Column, ...]) -> Keys:
    """The keys of these columns; without a copy where they stand one behind the other already."""
    keys = [column.keys for column in columns]
    absent = frozen(np.array([column.absent for column in columns], np.uint32))
    n_absent = np.array([column.n_missing for column in columns], np.int64)
    return Keys(_side_by_side(keys), absent, n_absent)


def _side_by_side(columns: list[np.ndarray]) -> np.ndarray:
    """The arrays as the columns of one matrix: a view if they are columns of one already, in this order."""
    first, n, d = columns[0], len(columns[0]), len(columns)
    begin, row = first.__array_interface__["data"][0], (4 * d,)
    together = first.base is not None and n > 1 and all(
        column.base is first.base and column.strides == row and column.__array_interface__["data"][0] == begin + 4 * j
        for j, column in enumerate(columns)
    )  # fmt: skip
    if together:
        return as_strided(first, (n, d), (4 * d, 4), writeable=False)
    matrix = np.empty((n, d), np.uint32)
    for at in range(0, n, AT_ONCE):  # some rows at a time, so that what is written stays near
        matrix[at : at + AT_ONCE] = np.array([column[at : at + AT_ONCE] for column in columns]).T
    return frozen(matrix)


@dataclass(frozen=True, eq=False, repr=False)
class Table(FromColumns):
    """Columns of equal length, immutable; every method returns a new table that shares the arrays.

    columns : every column kept: features, target, and those left out.
    features : names of the columns a tree may split on, in this order; target : name or None.
    weights : float64 (n_rows,) case weights >= 0, or None for 1 each.
    row_numbers : int32 (n_rows,), 0-based row of the source each row came from.
    notes : sentences for the user: what was renamed, left out or recoded on the way in.
    counts : how a target of two columns is taken, None for one of classes or numbers; see target.Counts and Effect.
    frame : kind of the frames it gives, see data.frames: that of the one it was read from.
    """

    columns: tuple[Column, ...]
    target: str | None = None
    features: tuple[str, ...] = ()
    weights: np.ndarray | None = None
    row_numbers: np.ndarray = DERIVED
    notes: tuple[str, ...] = ()
    frame: str = "pandas"
    counts: CountedTarget | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "features", tuple(self.features))
        lengths = {column.n_rows for column in self.columns}
        if len(lengths) > 1 or len(self._by_name) != len(self.columns):
            raise TreecoreError(
                "The columns differ in length or share a name",
                where="Table",
                remedy="Give columns of one length with different names.",
            )
        if self.row_numbers is None:
            object.__setattr__(self, "row_numbers", frozen(np.arange(max(lengths, default=0), dtype=np.int32)))
        if self.weights is not None:
            object.__setattr__(self, "weights", checked_weights(self.weights, self.n_rows))
        _ = self.feature_columns  # a name that no column has is an error
        if self.target is not None:
            self.column(self.target)
        exposure = self.exposure
        for name, what in ((self.target, "target"), (exposure, self._beside)):
            if name is not None and (name in self.features or (what != "target" and name == self.target)):
                raise TreecoreError(
                    f"The {what} is also {'a feature' if name in self.features else 'the target'}",
                    where=f"Column '{name}'",
                    remedy="Leave it out of the features." if name in self.features else "Choose another column.",
                )
        if exposure is not None:
            self.column(exposure)

    def __getstate__(self) -> dict:
        """For pickles and copies: what can be found again, such as what growing has made of the table, stays here."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict) -> None:
        vars(self).update(state)

    def __str__(self) -> str:
        """Each column with its kind and what is in it."""
        rows = ((c.name, c.kind, self._part_of(c.name), str(c.n_missing or ""), c.content) for c in self.columns)
        head = ("column", "kind", "", "missing", "values")
        return f"{self._size_in_words}\n\n{text_table(head, rows, len(self.columns), 'columns more')}"

    def _part_of(self, name: str) -> str:
        named = {self.target: "target", self.exposure: self._beside}
        return named.get(name, "" if name in self.features else "left out")

    @property
    def n_rows(self) -> int:
        return len(self.row_numbers)

    @property
    def exposure(self) -> str | None:
        """The column that says in how much the target was counted, or who was treated; None where there is none."""
        return (self.counts.exposure or None) if self.counts is not None else None

    @property
    def _beside(self) -> str:
        """What the column beside the target is called."""
        return "treatment" if isinstance(self.counts, EffectTarget) else "exposure"

    @property
    def case_weights(self) -> np.ndarray:
        """float64 (n_rows,): the weights, 1 each where the table has none."""
        return np.ones(self.n_rows) if self.weights is None else self.weights

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    @cached_property
    def keys(self) -> Keys:
        """The features as the fast kernels read them."""
        return keys_of_columns(self.feature_columns)

    def keep_keys(self, keys: Keys) -> None:
        """Spare the table the search for its keys: these are what keys_of_columns would find."""
        vars(self)["keys"] = keys

    @cached_property
    def target_center(self) -> float:
        """Weighted mean of a numeric target, around which sums of all rows do not cancel; 0 for classes and counts."""
        return mean_of(self.target_column.values(), self.weights) if self.target_kind.around_center else 0.0

    def column(self, name: str) -> Column:
        """The column called `name`; TreecoreError naming the columns there are."""
        try:
            return self._by_name[name]
        except (KeyError, TypeError):
            raise no_such_column(name, self.column_names) from None

    @cached_property
    def feature_columns(self) -> tuple[Column, ...]:
        return tuple(self.column(name) for name in self.features)

    @cached_property
    def is_plain(self) -> bool:
        """Are all features numbers, none of them missing?"""
        return all(column.kind == "numeric" and not column.n_missing for column in self.feature_columns)

    @property
    def target_column(self) -> Column:
        """The target's column; TreecoreError when no target is chosen."""
        if self.target is None:
            raise TreecoreError(
                "No target is chosen", where="Target", remedy="Choose the column that the tree shall predict."
            )
        return self.column(self.target)

    @cached_property
    def fingerprint(self) -> str:
        """sha256 of the content (names, kinds, levels, values, weights), the same in every process.

        It does not depend on which column is the target or a feature, nor on the encoding: the same rows
        read on their own and taken from a larger table agree.
        """
        digest = hashlib.sha256(f"treecore table 1, {self.n_rows} rows".encode())
        for column in self.columns:
            digest.update(repr((column.name, column.kind, column.levels)).encode("utf-8", "surrogatepass"))
            cells = column.values() if column.kind == "numeric" else column.codes
            digest.update(np.ascontiguousarray(cells, dtype=cells.dtype.newbyteorder("<")).data)
        if self.weights is not None:
            digest.update(b"weights")
            digest.update(np.ascontiguousarray(self.weights, dtype="<f8").data)
        return digest.hexdigest()

    def take(self, rows: np.ndarray) -> "Table":
        """The table of these rows (integer positions or a boolean mask), in this order."""
        rows = np.asarray(rows)
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.int64)
        weights = None if self.weights is None else frozen(self.weights[rows])
        return replace(
            self,
            columns=tuple(column.take(rows) for column in self.columns),
            weights=weights,
            row_numbers=frozen(self.row_numbers[rows]),
        )

    def with_target(self, name: str | Counted | None, kind: object = None) -> "Table":
        """Another target; it leaves the features, and a former target stays out of them too.

        name : a column, Counts of one with its exposure, Survival or Effect. kind : as one value of `kinds=`; None
        keeps the column's kind, but counts, times and outcomes are numbers.
        """
        spec = name if isinstance(name, Counted) else None
        counts = None if spec is None else spec.kind
        name = name.name if isinstance(name, Counted) else name
        apart = (name, counts.exposure if counts else None)
        table = replace(self, target=name, features=tuple(f for f in self.features if f not in apart), counts=None)
        if spec is not None and counts is not None:
            if spec.takes_words and table.target_column.kind != "numeric":
                columns = (truths(column) if column.name == name else column for column in table.columns)
                table = replace(table, columns=tuple(columns))
            levelled = [n for n in spec.numbers if table.column(n).kind != "numeric"]
            table = table.with_kinds(dict.fromkeys(levelled, "numeric"))
            if isinstance(counts, EffectTarget):
                counts = with_arms(counts, table.target_column, table.column(counts.treatment))
            return replace(table, counts=counts)
        return table if kind is None else table.with_kinds({name: kind})

    def with_features(self, names: Iterable[str]) -> "Table":
        """Exactly these features, in this order."""
        return replace(self, features=tuple(names))

    def with_kinds(self, kinds: Mapping) -> "Table":
        """Columns read as other kinds: {"size": Ordinal(["S", "M", "L"]), "year": "nominal"}."""
        for name in kinds:
            self.column(name)
        columns = tuple(recoded(c, kinds[c.name]) if c.name in kinds else c for c in self.columns)
        return replace(self, columns=columns)

    def with_weights(self, weights: np.ndarray | None) -> "Table":
        """Other case weights, float64 (n_rows,) >= 0, or None for 1 each."""
        return replace(self, weights=weights)

    def without_missing_target(self) -> "Table":
        """Only the rows whose target is known; a note says how many were dropped. All of them where none is known: what
        is wrong then is the target, as training says."""
        missing = self.target_column.missing
        if self.exposure is not None:
            missing = missing | self.column(self.exposure).missing
        n = int(missing.sum())
        if n in (0, self.n_rows):
            return self
        named = f"'{self.target}'" + (f" or {self._beside} '{self.exposure}'" if self.exposure else "")
        note = f"{n} of {self.n_rows} rows were left out: their target {named} is missing."
        table = self.take(~missing)
        return replace(table, notes=(*table.notes, note))

    def split(self, roles: Roles) -> tuple["Table", ...]:
        """(train, validation, test), and, where there are any, the rows for pruning alone and those for estimation:
        disjoint, together all rows, sharing the encoding.

        A column that names the roles is no feature of the parts.
        """
        return tuple(self.by_role(roles).values())

    def by_role(self, roles: Roles) -> dict[str, "Table"]:
        """The same with the names of the roles: "train", "validation", "test", and "pruning" and "estimation" where
        there are such rows."""
        assigned = assign_roles(self, roles)
        table = self
        if roles.column in self.features:
            table = self.with_features(name for name in self.features if name != roles.column)
        rows = {name: np.flatnonzero(assigned == role) for role, name in enumerate(FRACTIONS)}
        return {name: table.take(rows[name]) for name in FRACTIONS if name in FRACTIONS[:3] or len(rows[name])}

    def check_trainable(self, any_target: bool = False) -> None:
        """TreecoreError when no tree can be grown on this table, with the remedy."""
        check_trainable(self, any_target)

    def to_frame(self, kind: str | None = None) -> AnyFrame:
        """A frame: numbers as float64, levels as categories; of pandas with the row_numbers as index.

        kind : "pandas", "polars" or "pyarrow"; None for the kind that the table was read from, pandas for a file.
        """
        import pandas as pd

        data = {}
        for column in self.columns:
            if column.kind == "numeric":
                data[column.name] = column.values()
            else:
                codes = np.where(column.missing, -1, column.codes)
                data[column.name] = pd.Categorical.from_codes(
                    codes, categories=list(column.level_names), ordered=column.kind == "ordinal"
                )
        return as_kind(pd.DataFrame(data, index=self.row_numbers), kind or self.frame)


def checked_weights(weights: np.ndarray, n_rows: int, where: str = "Weights") -> np.ndarray:
    """float64 (n_rows,), read-only; TreecoreError for a wrong length, or a weight that is negative or no number."""
    try:
        weights = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TreecoreError("They are no numbers", where=where, remedy="Give one weight per row.") from None
    if weights.shape != (n_rows,):
        raise TreecoreError(f"{weights.size} weights for {n_rows} rows", where=where, remedy="Give one weight per row.")
    bad = np.flatnonzero(~((weights >= 0) & np.isfinite(weights)))
    if len(bad):
        raise TreecoreError(
            f"The weight of row {bad[0] + 1} is {weights[bad[0]]:g}",
            where=where,
            remedy="Weights must be finite numbers that are 0 or more.",
        )
    return frozen(weights)


def no_such_column(name: object, names: Iterable[str]) -> TreecoreError:
    """The error for an unknown column; it lists the known ones."""
    names = tuple(names)
    shown = ", ".join(f"'{known}'" for known in names[:12])
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return TreecoreError(
        f"There is no column {str(name)!r}", where="Columns", remedy=f"The columns are: {shown}{more}."
    )


# What is handed in and out, as a type checker sees it; nothing of it is there when a program runs.

if TYPE_CHECKING:
    import pandas as pd

    Frame: TypeAlias = pd.DataFrame

    class Columnar(Protocol):
        """A frame of another library, see data.frames."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

    RowsLike: TypeAlias = Table | Frame | Columnar | np.ndarray
    """Rows to answer: a table, a frame with the features' columns, or a matrix."""
    SourceLike: TypeAlias = str | Path | bytes | IO[bytes] | Frame | Columnar
    """What a table is read from."""
