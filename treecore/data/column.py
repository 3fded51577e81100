"""One column of a table: its kind, small integer codes, and what each code stands for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from treecore.brief import FEW, Brief, visible
from treecore.data.gaps import NO_GAPS, Gaps
from treecore.engine import compiling
from treecore.errors import TreecoreError
from treecore.figures import exact
from treecore.kernels.ranks import COUNTERS, rank_numbers

KINDS = ("numeric", "ordinal", "nominal", "boolean")


@dataclass(frozen=True)
class _Levels:
    kind: ClassVar[str]
    levels: tuple[str, ...]

    def __init__(self, levels: Iterable[str]):
        if isinstance(levels, str):
            raise TreecoreError(
                f"The levels are one text, {levels!r}",
                where=type(self).__name__,
                remedy="Give a list of levels, such as ['S', 'M', 'L'].",
            )
        object.__setattr__(self, "levels", tuple(str(level) for level in levels))
        require_distinct(self.levels, where=type(self).__name__)


class Ordinal(_Levels):
    """An ordered column with its levels from lowest to highest: Ordinal(["S", "M", "L"])."""

    kind = "ordinal"


class Nominal(_Levels):
    """An unordered column with its levels declared; the order is kept for display and for ties."""

    kind = "nominal"


def require_distinct(levels: tuple[str, ...], *, where: str) -> None:
    """TreecoreError when a level is declared twice."""
    if len(set(levels)) == len(levels):
        return
    twice = next(level for i, level in enumerate(levels) if level in levels[:i])
    raise TreecoreError(f"Level {twice!r} is declared twice", where=where, remedy="Name each level once.")


def kind_and_levels(spec, *, where: str) -> tuple[str, tuple[str, ...] | None]:
    """The kind and the declared levels (None when none are declared) of one value of `kinds=`."""
    if isinstance(spec, _Levels):
        return spec.kind, spec.levels
    if isinstance(spec, str) and spec in KINDS:
        return spec, None
    raise TreecoreError(
        f"{spec!r} is not a kind of column",
        where=where,
        remedy=f"Use one of {', '.join(KINDS)}, or Ordinal([...]) or Nominal([...]).",
    )


FEW_NUMBERS = 4096
"""Up to so many are ranked by NumPy sooner than a kernel is read from the disk."""


@dataclass(frozen=True, eq=False, repr=False)
class Column(Brief):
    """A named column as codes; the arrays are read-only and may be shared between tables.

    codes : int32 (n_rows,), 0..n_distinct-1; n_distinct itself stands for a missing value.
    distinct : float64 (n_distinct,), ascending, for a numeric column; None otherwise.
    levels : the levels in declared order for the other kinds (also those no row has); None for numeric.
    fill : what a tree grown on this column puts in place of a missing value when it predicts: a number, or
        for other kinds the index of a level; None for nothing (see treecore.data.prepare).
    cuts : of an ordinal column whose levels are bins of numbers, the ascending thresholds between them; else None.
    terms : of a numeric column that is a weighted sum of others, their names and weights; () for a column of its own.
    gaps : of the cuts, between which of the numbers that are in the bins they lie.
    unit : the sign or word that stands beside every number of the file, "" for none.
    A subset of the rows keeps `distinct` and `levels`, so that all roles share one encoding.
    """

    name: str
    kind: str
    codes: np.ndarray
    distinct: np.ndarray | None = None
    levels: tuple[str, ...] | None = None
    fill: float | None = None
    cuts: tuple[float, ...] | None = None
    terms: tuple[tuple[str, float], ...] = ()
    gaps: Gaps = NO_GAPS
    unit: str = ""

    @property
    def n_rows(self) -> int:
        return len(self.codes)

    @property
    def numbers(self) -> np.ndarray:
        """`distinct` of a column that is known to be numeric."""
        assert self.distinct is not None
        return self.distinct

    @property
    def level_names(self) -> tuple[str, ...]:
        """`levels` of a column that is known to have them."""
        assert self.levels is not None
        return self.levels

    @property
    def n_distinct(self) -> int:
        return len(self.numbers) if self.kind == "numeric" else len(self.level_names)

    @property
    def lists_values(self) -> bool:
        """Does `distinct` have every number of the column, without a search for them?"""
        return self.kind == "numeric"

    @property
    def missing(self) -> np.ndarray:
        """bool (n_rows,): where the value is missing."""
        return self.codes == self.n_distinct

    @cached_property
    def n_missing(self) -> int:
        return int(np.count_nonzero(self.missing) if self.kind == "numeric" else self._counts[-1])

    def __str__(self) -> str:
        gaps = f", {self.n_missing:,} missing" if self.n_missing else ""
        return visible(f"{self.name}: {self.kind}, {self.n_rows:,} rows{gaps}, {self.content}")

    @property
    def content(self) -> str:
        """The range of its numbers, or its first levels, in words."""
        if self.kind == "numeric":
            ends = self.numbers[[0, -1]] if len(self.numbers) else ()
            return " to ".join(dict.fromkeys(map(exact, ends))) or "none"
        rest = f", … {self.n_distinct - FEW:,} more" if self.n_distinct > FEW else ""
        return (" < " if self.kind == "ordinal" else ", ").join(self.level_names[:FEW]) + rest

    @property
    def keys(self) -> np.ndarray:
        """uint32 (n_rows,), in the order of the values: here the codes."""
        return self.codes.view(np.uint32)

    @property
    def absent(self) -> int:
        """The key of a missing value, above all others."""
        return self.n_distinct

    def numbers_of(self, keys: np.ndarray) -> np.ndarray:
        """float64, as `values`, of keys: of few of them, without a copy of all numbers."""
        result, known = np.full(keys.shape, np.nan), keys < self.n_distinct
        result[known] = self.numbers[keys[known]] if self.kind == "numeric" else keys[known]
        return result

    def values(self) -> np.ndarray:
        """float64 (n_rows,): the numbers, or for other kinds the index of the level; NaN where missing."""
        by_code = self.numbers if self.kind == "numeric" else np.arange(self.n_distinct, dtype=np.float64)
        return np.append(by_code, np.nan)[self.codes]

    def labels(self) -> np.ndarray:
        """str objects (n_rows,) for display; '' where missing."""
        by_code = np.empty(self.n_distinct + 1, dtype=object)
        by_code[:-1] = number_labels(self.numbers) if self.kind == "numeric" else list(self.level_names)
        by_code[-1] = ""
        return by_code[self.codes]

    def present(self) -> np.ndarray:
        """int64 (n_distinct,): how many rows have each code (missing not counted)."""
        return (self._counted() if self.kind == "numeric" else self._counts)[:-1]

    def examples(self, n: int) -> list[str]:
        """The first n values that rows have, in their order: a subset of a table knows others, too."""
        there = np.flatnonzero(self.present())[:n]
        return (
            number_labels(self.numbers[there]) if self.kind == "numeric" else [self.level_names[code] for code in there]
        )

    @cached_property
    def _counts(self) -> np.ndarray:
        """What _counted gives, of the few levels of a column: those are asked for again."""
        return frozen(self._counted())

    def _counted(self) -> np.ndarray:
        """int64 (n_distinct + 1,): how many rows have each code, the last one being that of a missing value."""
        return np.bincount(self.codes, minlength=self.n_distinct + 1)

    def take(self, rows: np.ndarray) -> "Column":
        """The same column for these rows (integer positions or a boolean mask), with the same encoding."""
        rows = np.asarray(rows)
        result = replace(self, codes=frozen(self.codes.take(np.flatnonzero(rows) if rows.dtype == bool else rows)))
        if self.__dict__.get("n_missing") == 0:  # where nothing is missing, nothing is in a part either
            result.__dict__["n_missing"] = 0
        return result


def frozen(array: np.ndarray) -> np.ndarray:
    """The array itself, made read-only."""
    array.setflags(write=False)
    return array


def number_labels(numbers: np.ndarray) -> list[str]:
    """Shortest texts that name these floats: 3.0 -> '3', 0.1 -> '0.1'."""
    return [str(int(x)) if x.is_integer() and abs(x) < 1e15 else repr(x) for x in numbers.tolist()]


def numeric_column(name: str, values: np.ndarray, *, infinite: str = "error") -> Column:
    """Encode float64 (n_rows,) with NaN for missing.

    infinite : "error" raises TreecoreError with the first rows; "missing" reads them as missing.
    """
    values = np.asarray(values, dtype=np.float64)
    values = refuse_infinite(name, values, infinite)
    codes, distinct = ranks_of(values)
    return Column(name, "numeric", frozen(codes), distinct=frozen(distinct))


def ranks_of(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(int32 (n,) rank of each number, float64 (k,) the different numbers, ascending) of float64 (n,).

    NaN, for missing, has the rank k; of infinite numbers there are none. A radix sort where its kernel is loaded, which
    takes a sixth of the time of NumPy's.
    """
    values = np.asarray(values, np.float64) + 0.0  # turns -0.0 into 0.0
    if _has_kernel(len(values)):
        result = ranks_by_kernel(values)
        if result is not None:
            return result
    known = ~np.isnan(values)
    distinct, known_codes = np.unique(values[known], return_inverse=True)
    codes = np.full(len(values), len(distinct), dtype=np.int32)
    codes[known] = known_codes
    return codes, distinct


def _has_kernel(n: int) -> bool:
    """Is the kernel in memory, or worth reading from the disk, as numba is there already?"""
    if compiling.is_loaded("fast"):
        return True
    return n > FEW_NUMBERS and compiling.is_any_loaded() and compiling.is_cached("fast")


def ranks_by_kernel(values: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """ranks_of by the kernel; None where too many numbers are too near each other. values : without -0.0."""
    codes, distinct = np.empty(len(values), np.int32), np.empty(len(values))
    memory = *np.empty((2, len(values)), np.uint64), np.empty(COUNTERS, np.uint32)
    k = rank_numbers(values, values.view(np.uint64), codes, distinct, *memory)
    return None if k < 0 else (codes, distinct[:k].copy())


def numeric_column_of_codes(name: str, codes: np.ndarray, numbers: np.ndarray, *, infinite="error") -> Column:
    """Encode a column given as codes into (not sorted, not distinct) numbers; code -1 is missing.

    codes : int (n_rows,); numbers : float64 (k,). Faster than numeric_column when k is far below n_rows.
    """
    if np.isinf(numbers).any():
        return numeric_column(name, np.append(numbers, np.nan)[codes], infinite=infinite)
    if _are_distinct_and_used(codes, numbers):
        if not (numbers[1:] > numbers[:-1]).all():
            order = numbers.argsort()
            ranks = np.empty(len(numbers) + 1, np.int32)
            ranks[order], ranks[-1] = np.arange(len(numbers), dtype=np.int32), -1
            codes, numbers = ranks[codes], numbers[order]
        if codes.min(initial=0) < 0:
            codes = np.where(codes < 0, np.int32(len(numbers)), codes)
        return Column(name, "numeric", frozen(codes.astype(np.int32, copy=False)), distinct=frozen(numbers))
    small = numeric_column(name, np.append(numbers, np.nan))
    used = np.zeros(small.n_distinct + 1, dtype=bool)
    codes = small.codes[codes]
    used[codes] = True
    used[-1] = True
    rank = np.cumsum(used, dtype=np.int32) - 1
    return Column(
        name,
        "numeric",
        frozen(rank[codes].astype(np.int32, copy=False)),
        distinct=frozen(small.numbers[used[:-1]]),
    )


def _are_distinct_and_used(codes: np.ndarray, numbers: np.ndarray) -> bool:
    """Are the numbers what a column keeps, but for their order: known, all different, none without a row?"""
    if not len(numbers):
        return False
    ascending = numbers if (numbers[1:] > numbers[:-1]).all() else np.sort(numbers)
    # what is no number is sorted to the end; a column keeps 0.0 for -0.0
    if ascending[-1] != ascending[-1] or not (ascending[1:] > ascending[:-1]).all():
        return False
    if np.signbit(numbers[numbers == 0]).any():
        return False
    used = np.zeros(len(numbers) + 1, dtype=bool)
    used[codes] = True
    return bool(used[:-1].all())


def refuse_infinite(name: str, values: np.ndarray, infinite: str) -> np.ndarray:
    """The values with infinite ones treated as `infinite` says; see numeric_column."""
    if infinite not in ("error", "missing"):
        raise TreecoreError(f"infinite={infinite!r} is unknown", where="infinite", remedy='Use "error" or "missing".')
    result = np.isinf(values)
    if not result.any():
        return values
    if infinite == "missing":
        return np.where(result, np.nan, values)
    raise TreecoreError(
        f"{result.sum()} infinite values (first at {row_list(np.flatnonzero(result))})",
        where=f"Column '{name}'",
        remedy="Treat infinite values as missing, or leave the column out.",
    )


def level_column(name: str, kind: str, cells: Sequence | np.ndarray, levels: Iterable[str]) -> Column:
    """Encode a column of levels.

    cells : integer codes (n_rows,) with -1 or n_levels for missing, or texts with None for missing.
    levels : every level in order. TreecoreError names the first cells that are not among them.
    """
    levels = tuple(levels)
    if kind not in KINDS or kind == "numeric":
        raise TreecoreError(
            f"'{kind}' is not a kind with levels",
            where=f"Column '{name}'",
            remedy="Use ordinal, nominal or boolean.",
        )
    require_distinct(levels, where=f"Column '{name}'")
    cells = np.asarray(cells)
    codes = cells if cells.dtype.kind in "iu" and len(cells) else _codes_of_texts(name, cells, levels)
    if codes.min(initial=0) < 0:
        codes = np.where(codes < 0, np.int32(len(levels)), codes)
    if codes.max(initial=0) > len(levels):
        raise TreecoreError(
            f"Code {codes.max()} is beyond the {len(levels)} levels",
            where=f"Column '{name}'",
            remedy="Declare as many levels as there are codes.",
        )
    return Column(name, kind, frozen(codes.astype(np.int32)), levels=levels)


def _codes_of_texts(name: str, cells: np.ndarray, levels: tuple[str, ...]) -> np.ndarray:
    index = {level: i for i, level in enumerate(levels)} | {None: -1}
    codes = np.array([index.get(cell, -2) for cell in cells.tolist()], dtype=np.int64)
    unknown = np.flatnonzero(codes == -2)
    if len(unknown):
        raise unknown_level(name, str(cells[unknown[0]]), unknown, levels)
    return codes


def unknown_level(name: str, value: str, rows: np.ndarray, levels: tuple[str, ...]) -> TreecoreError:
    """The error for a value that is not among the declared levels; rows are 0-based."""
    shown = ", ".join(quoted(level) for level in levels[:8]) + (", ..." if len(levels) > 8 else "")
    return TreecoreError(
        f"{quoted(value)} is not one of the declared levels {shown} (first at {row_list(rows)})",
        where=f"Column '{name}'",
        remedy="Add it to the levels, correct the cells, or treat it as missing.",
    )


def row_list(rows: np.ndarray, most: int = 3) -> str:
    """'row 4', 'rows 3 and 17' or 'rows 3, 17 and 20' for 0-based rows; people count from 1."""
    numbers = [str(int(row) + 1) for row in rows[:most]]
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    return f"rows {', '.join(numbers[:-1])} and {numbers[-1]}"


def quoted(text: str, most: int = 60) -> str:
    """The text in quotes for a message, cut when it is long."""
    return repr(text if len(text) <= most else text[: most - 3] + "...")


# Rows that are equal: which, and how many more there are than different ones.


def first_rows(columns: Iterable[np.ndarray]) -> np.ndarray:
    """int64, ascending: the first one of each set of equal rows. columns : int or float64 (n_rows,) each; NaN is equal
    to NaN."""
    group = None
    for values in columns:
        _, code = np.unique(values, return_inverse=True)
        group = (
            code if group is None else np.unique(group * (int(code.max(initial=0)) + 1) + code, return_inverse=True)[1]
        )
    return np.sort(np.unique(group, return_index=True)[1]) if group is not None else np.zeros(0, np.int64)


def row_hashes(columns: Sequence[Column]) -> np.ndarray:
    """uint64 (n_columns, n_rows): a random number for each value of each column.

    Their sums tell rows apart: two different ones have the same with a chance of 1 in 2^64. A sum without one column
    is that of the others.
    """
    rng = np.random.default_rng(len(columns))
    drawn = (rng.integers(0, 2**64, column.n_distinct + 1, np.uint64)[column.codes] for column in columns)
    return np.stack(list(drawn))
