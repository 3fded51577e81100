"""Rows of any source as the values that routing reads: cells feature by feature, or codes on the scale of a column."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column
from treecore.data.level_index import MISSING, NO_LEVEL, level_index, number_of
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.kernels.codes import UNSEEN
from treecore.kernels.ranks import ABSENT, numbers_of_keys
from treecore.tree.oblique import weighted_sum
from treecore.tree.schema import FeatureSchema, Schema

# A column's codes in place of its values: the same routes, and no values need be looked up.


@dataclass(frozen=True, eq=False, repr=False)
class Scale(Brief):
    """The place of a value is its code; that of a number in between lies halfway between two codes.

    distinct : float64 (n,), ascending, the value of each code. fill : the number that stands in for a missing value, or
    None. precision : "float32" where values are rounded to it before a threshold is applied. binned : the feature
    branches by bins, and no value is above an infinite cut.
    """

    distinct: np.ndarray
    fill: float | None
    precision: str
    binned: bool

    @property
    def missing(self) -> float:
        """The place of a missing value; NaN where nothing is filled in."""
        if self.fill is None:
            return np.nan
        at = int(np.searchsorted(self.distinct, self.fill))
        return at if at < len(self.distinct) and self.distinct[at] == self.fill else at - 0.5

    def limits(self, threshold: np.ndarray, closed: np.ndarray) -> np.ndarray:
        """float64: the largest place on the low side of each threshold, -1 where there is none.

        closed : bool, a value equal to the threshold is on the low side.
        """
        if self.binned:
            closed = closed | (threshold == np.inf)
        if self.precision == "float32":
            threshold, closed = before_rounding(threshold, closed)
        n = np.searchsorted(self.distinct, threshold, side="left")
        n[closed] = np.searchsorted(self.distinct, threshold[closed], side="right")
        limit = n - 1.0
        if self.fill is None:
            return limit
        filled_low = np.where(closed, self.fill <= threshold, self.fill < threshold)
        return np.where(filled_low, np.maximum(limit, self.missing), limit)


def before_rounding(threshold: np.ndarray, closed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(threshold, closed) that part values as the given ones part the same values rounded to float32."""
    with np.errstate(over="ignore"):
        low = threshold.astype(np.float32)
        low = np.where(closed & (low <= threshold) | (low < threshold), low, np.nextafter(low, np.float32(-np.inf)))
        high = np.nextafter(low, np.float32(np.inf))
        # what rounds to infinity lies nearer to 2 ** 128 than to the largest float32
        ends = [np.clip(x.astype(np.float64), -(2.0**128), 2.0**128) for x in (low, high)]
        middle = np.where(low == np.inf, np.inf, 0.5 * ends[0] + 0.5 * ends[1])
        middle[~closed & (threshold == -np.inf)] = -np.inf  # nothing is below it
        return middle, middle.astype(np.float32) <= low


# The cells of one feature of some rows, read a stretch of rows at a time.

SMALL = tuple(map(np.dtype, ("f4", "f2", "i2", "u2", "i1", "u1", "?")))
"""NumberCells of these makes are float32 numbers too."""
ROUNDED_ONCE = tuple(map(np.dtype, ("f8", "i4", "u4")))
"""NumberCells of these makes are rounded to the same float32 whether or not they are taken for float64 before."""
MOST_PLACES = 1 << 22
"""Places on a scale, and those halfway between two, that float32 can tell apart; see Scale."""


class CellReader(Protocol):
    """Anything that a stretch of values can be read from."""

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        """Write the values of rows begin to stop, NaN where one is missing, into `out` of a kind that holds them."""

    def fits(self, kind: np.dtype) -> bool:
        """Does this kind hold every value? float64 always does; keys are uint32."""

    @property
    def as_they_are(self) -> np.ndarray | None:
        """All of the values, numbers or keys, if they need not be read first."""


@dataclass(frozen=True, eq=False, repr=False)
class CodeCells(Brief):
    """A column's codes as they are, for tests on their scale. missing : what a missing value is read as."""

    column: Column
    missing: float
    as_they_are = None

    @cached_property
    def _complete(self) -> bool:
        return self.column.n_missing == 0

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        codes = self.column.codes[begin:stop]
        out[:] = codes
        if not self._complete:
            out[codes == self.column.n_distinct] = self.missing

    def fits(self, kind: np.dtype) -> bool:
        return kind == np.float64 or (kind == np.float32 and self.column.n_distinct < MOST_PLACES)


@dataclass(frozen=True, eq=False, repr=False)
class LookedUpCells(Brief):
    """Codes, each read as `by_code[code]`, float64 (n_distinct + 1,)."""

    codes: np.ndarray
    by_code: np.ndarray
    as_they_are = None

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        np.take(self.by_code.astype(out.dtype, copy=False), self.codes[begin:stop], out=out, mode="clip")

    def fits(self, kind: np.dtype) -> bool:
        with np.errstate(over="ignore"):
            small = self.by_code.astype(np.float32)
        return kind == np.float64 or (kind == np.float32 and np.array_equal(small, self.by_code, equal_nan=True))


@dataclass(frozen=True, eq=False, repr=False)
class NumberCells(Brief):
    """NumberCells of any make, NaN where one is missing; see read_as."""

    numbers: np.ndarray
    feature: FeatureSchema
    precision: str

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        read_as(self.feature, self.precision, self.numbers[begin:stop], out)

    def fits(self, kind: np.dtype) -> bool:
        if kind == np.float64:
            return True
        made = self.numbers.dtype
        small = made in SMALL or (self.precision == "float32" and made in ROUNDED_ONCE)
        return kind == np.float32 and small and _is_plain(self.feature)

    @property
    def as_they_are(self) -> np.ndarray | None:
        made = self.numbers.dtype
        is_exact = made == np.float32 or (made == np.float64 and self.precision == "float64")
        return self.numbers if is_exact and _is_plain(self.feature) else None


@dataclass(frozen=True, eq=False, repr=False)
class KeyedCells(Brief):
    """A column of float32 numbers known by their keys; as keys or as numbers, see read_as."""

    column: Column
    feature: FeatureSchema
    precision: str

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        keys = self.column.keys[begin:stop]
        if out.dtype == np.uint32:
            out[:] = keys
        else:
            read_as(self.feature, self.precision, numbers_of_keys(keys), out)

    def fits(self, kind: np.dtype) -> bool:
        return kind == np.float64 or _is_plain(self.feature)

    @property
    def as_they_are(self) -> np.ndarray | None:
        return self.column.keys if _is_plain(self.feature) else None


@dataclass(frozen=True, eq=False, repr=False)
class BinnedCells(Brief):
    """The bins of the values of other cells."""

    cells: CellReader
    feature: FeatureSchema
    as_they_are = None

    def read(self, begin: int, stop: int, out: np.ndarray) -> None:
        self.cells.read(begin, stop, out)
        out[:] = bins_of(self.feature, out)

    def fits(self, kind: np.dtype) -> bool:
        return kind == np.float64


def _is_plain(feature: FeatureSchema) -> bool:
    """Does read_as give the feature's numbers as they are, but for rounding?"""
    return feature.fill is None and not feature.branches_by_bins


def read_as(feature: FeatureSchema, precision: str, numbers: np.ndarray, out: np.ndarray) -> None:
    """Write numbers into `out`, of a kind that holds them, as a tree's tests are to read them.

    A missing one becomes the feature's fill, and all are rounded where the tree's thresholds are.
    """
    with np.errstate(over="ignore"):  # beyond every threshold, as infinity is
        out[:] = numbers
        if feature.fill is not None:
            out[np.isnan(out)] = feature.fill
        if precision != "float64" and (numbers.dtype != np.float32 or feature.fill is not None):
            out[:] = out.astype(np.float32)
    if feature.branches_by_bins:
        np.minimum(out, np.finfo(np.float64).max, out=out)  # above an infinite cut nothing is known


def bins_of(feature: FeatureSchema, numbers: np.ndarray) -> np.ndarray:
    """float64: the bin of each number, NaN where it is missing."""
    bins = np.searchsorted(np.array(feature.cuts, np.float64), numbers, side="right").astype(np.float64)
    return np.where(np.isnan(numbers), np.nan, bins)


# Rows of a matrix as the values that routing reads.


def matrix_values(schema: Schema, f: int, rows: np.ndarray) -> np.ndarray:
    """(n_rows,): the numbers of a feature as the matrix has them, or the indices of its levels.

    Raises TreecoreError where the matrix has not one column of numbers for each of the tree's features.
    """
    own = schema.own
    if rows.ndim != 2 or rows.shape[1] != len(own) or rows.dtype.kind not in "biuf":
        raise TreecoreError(
            f"A matrix of shape {rows.shape} and type {rows.dtype} does not belong to {len(own)} features",
            where="rows",
            remedy="Give numbers, one column per feature in the order of the tree's schema, or a DataFrame",
        )
    feature, numbers = schema.features[f], rows[:, own.index(f)]
    if feature.numeric:
        return numbers
    if feature.cuts is not None:
        return bins_of(feature, numbers)
    level = np.trunc(numbers.astype(np.float64))
    level[level < 0] = np.nan
    level[level >= len(feature.levels)] = np.nan if feature.kind == "ordinal" else UNSEEN
    return level


def value_matrix(schema: Schema, features: np.ndarray, rows) -> np.ndarray:
    """float64 (len(features), n_rows): numbers, or indices of the schema's levels.

    A missing value is the feature's fill, or NaN where it has none. A level that the tree does not know is
    UNSEEN, but counts as missing where levels are ordered: no threshold can place it. Where the levels are bins of
    numbers, rows may have the numbers themselves.
    features : indices of the features wanted. rows : a Table, a pandas DataFrame, or a matrix that has a column for
    every feature of the tree in its order, with indices of levels where a feature has levels.
    Raises TreecoreError naming a column that is absent or, in a numeric one, the cells that are no numbers.
    """
    matrix = np.empty((len(features), n_rows_of(rows)))
    for slot, f in enumerate(features):
        cells_of(schema, f, rows).read(0, matrix.shape[1], matrix[slot])
    return matrix


def plain_numbers(schema: Schema, features: np.ndarray, rows) -> np.ndarray:
    """float64 (len(features), n_rows): value_matrix of numbers as the rows have them, NaN where one is missing.

    Lines in nodes read them as they are, also in a tree whose thresholds are for numbers rounded to float32.
    """
    return value_matrix(replace(schema, precision="float64"), features, rows)


def cells_of(schema: Schema, f: int, rows) -> CellReader:
    """One row of value_matrix, to be read in parts, without its memory. Arguments and errors as there."""
    feature = schema.features[f]
    if feature.terms and not _has_sum(schema, feature, rows):
        return NumberCells(_weighted_sum(schema, feature, rows), feature, schema.precision)
    if isinstance(rows, np.ndarray):
        return NumberCells(matrix_values(schema, f, rows), feature, schema.precision)
    if not isinstance(rows, Table):
        return NumberCells(_frame_values(feature, rows), feature, schema.precision)
    column = _table_column(feature, rows)
    if _is_keyed(feature, column):
        return KeyedCells(column, feature, schema.precision)
    by_code = _by_code(feature, column)
    read = np.empty(len(by_code))
    read_as(feature, schema.precision, by_code, read)
    return LookedUpCells(column.codes, read)


def scaled_cells_of(schema: Schema, f: int, rows) -> tuple[CellReader, Scale | None]:
    """(cells, their scale): the codes of a table's numeric column as they are; else cells_of and None."""
    feature = schema.features[f]
    if not (feature.numeric and isinstance(rows, Table) and (not feature.terms or _has_sum(schema, feature, rows))):
        return cells_of(schema, f, rows), None
    column = _table_column(feature, rows)
    if column.kind != "numeric":
        return cells_of(schema, f, rows), None
    if _is_keyed(feature, column):
        return KeyedCells(column, feature, schema.precision), None
    scale = Scale(column.numbers, feature.fill, schema.precision, feature.branches_by_bins)
    return CodeCells(column, scale.missing), scale


def _has_sum(schema: Schema, feature: FeatureSchema, rows) -> bool:
    """Does a table have this sum as a column? Not where the tree fills a missing term, as the column does not."""
    if not isinstance(rows, Table):
        return False
    terms = {name for name, _ in feature.terms}
    has_fill = any(known.fill is not None for known in schema.features if known.name in terms)
    return not has_fill and any(c.name == feature.name and c.terms == feature.terms for c in rows.columns)


def _weighted_sum(schema: Schema, feature: FeatureSchema, rows) -> np.ndarray:
    """float64 (n_rows,), NaN where a term is missing: as tree.oblique adds them up, so that no row changes sides."""
    index = {known.name: f for f, known in enumerate(schema.features)}
    plain = replace(schema, precision="float64")
    values = np.empty((len(feature.terms), n_rows_of(rows)))
    for term, (name, _) in enumerate(feature.terms):
        cells_of(plain, index[name], rows).read(0, values.shape[1], values[term])
    return weighted_sum(values, [weight for _, weight in feature.terms])


def n_rows_of(rows) -> int:
    """Number of rows of a Table, a DataFrame or a matrix; TreecoreError for anything else."""
    if isinstance(rows, Table):
        return rows.n_rows
    if hasattr(rows, "end_statistics"):
        remedy = "Choose a way that counts them, such as cost complexity or reduced error, or take a sample of them"
        raise TreecoreError("This needs the rows themselves, which stay where they are", where="Rows", remedy=remedy)
    if not hasattr(rows, "shape") or rows.ndim != 2:
        remedy = "Give a Table, a DataFrame, or a matrix with a column for each feature"
        raise TreecoreError(f"{type(rows).__name__} is no table of rows", where="rows", remedy=remedy)
    return len(rows)


def _table_column(feature: FeatureSchema, table: Table) -> Column:
    column = table.column(feature.name)
    if feature.numeric != (column.kind == "numeric") and not _can_be_read(feature, column):
        raise TreecoreError(
            f"The tree was grown with it as {feature.kind}, this table has it as {column.kind}",
            where=f"Column {feature.name!r}",
            remedy=f"Make it {feature.kind}",
        )
    return column


def _can_be_read(feature: FeatureSchema, column: Column) -> bool:
    """Has a column of another kind the feature's values all the same: levels that are numbers, or numbers in bins?"""
    if feature.numeric:
        return None not in map(number_of, column.level_names)
    return _in_bins(feature, column) or (column.absent != ABSENT and bool(level_index(feature.levels).numbers))


def _is_keyed(feature: FeatureSchema, column: Column) -> bool:
    """Is it a column of numbers that are known by keys of their own, so that codes would have to be found first?"""
    return feature.numeric and column.absent == ABSENT


def _in_bins(feature: FeatureSchema, column: Column) -> bool:
    """Are the column's numbers to be put into the bins that are the feature's levels?"""
    return not feature.numeric and feature.cuts is not None and column.kind == "numeric"


def level_places(feature: FeatureSchema, column: Column) -> np.ndarray:
    """int64 (n_distinct,): the place of each of a column's levels among those of the feature, -1 for none of them."""
    result = _by_code(feature, column)[:-1]
    return np.where(np.isfinite(result) & (result < len(feature.levels)), result, -1).astype(np.int64)


def _by_code(feature: FeatureSchema, column: Column) -> np.ndarray:
    """float64 (n_distinct + 1,): what each code of the column is to the tree, and NaN for a missing value."""
    if column.kind == "numeric" and (feature.numeric or feature.cuts is not None):
        by_code = np.append(column.numbers, np.nan)
        return bins_of(feature, by_code) if _in_bins(feature, column) else by_code
    if column.kind == "numeric":
        return np.append(_places(feature, column.numbers.tolist()), np.nan)
    if feature.numeric:
        return np.array([number_of(level, exponents=True) for level in column.level_names] + [np.nan], np.float64)
    return np.append(_places(feature, column.level_names), np.nan)


def _frame_values(feature: FeatureSchema, frame) -> np.ndarray:
    """(n_rows,): the numbers as the frame has them, or the indices of levels."""
    if feature.name not in frame:
        raise TreecoreError(
            "The tree needs this column and the rows do not have it",
            where=f"Column {feature.name!r}",
            remedy="Add the column; fill it with missing values if nothing is known",
        )
    column = frame[feature.name]
    numbers = _plain_numbers(column)
    if feature.numeric:
        return _numbers(feature, *_objects(column)) if numbers is None else numbers
    if feature.cuts is not None:
        return _frame_bins(feature, column) if numbers is None else bins_of(feature, numbers)
    return _frame_levels(feature, column)


def _plain_numbers(column) -> np.ndarray | None:
    """A Series' numbers, without a copy where it can be; None for a Series of anything else."""
    if column.dtype.kind not in "biuf":
        return None
    return column.to_numpy() if isinstance(column.dtype, np.dtype) else column.to_numpy(np.float64, na_value=np.nan)


def _objects(column) -> tuple[np.ndarray, np.ndarray]:
    """(cells, bool: where one is missing) of a Series, both (n_rows,)."""
    return np.asarray(column, object), np.asarray(column.isna(), bool)


def _frame_levels(feature: FeatureSchema, column) -> np.ndarray:
    """Indices of the schema's levels; every distinct cell is looked up once."""
    cells, missing = _objects(column)
    # True and 1 are equal, but are not called the same
    if column.dtype.kind != "O" or not isinstance(column.dtype, np.dtype) or _all_text(cells[~missing]):
        codes, cells = column.factorize()
        return np.append(_places(feature, np.asarray(cells, object)), np.nan)[codes]
    values, known = np.full(len(cells), np.nan), cells[~missing]
    distinct = {(type(cell), str(cell)): cell for cell in known}
    place = dict(zip(distinct, _places(feature, distinct.values()), strict=True))
    values[~missing] = [place[type(cell), str(cell)] for cell in known]
    return values


def _places(feature: FeatureSchema, cells: Iterable) -> np.ndarray:
    """float64 (k,): the index of the level that each cell is, NaN for a missing one."""
    place = level_index(feature.levels).place
    other = {MISSING: np.nan, NO_LEVEL: np.nan if feature.kind == "ordinal" else UNSEEN}
    return np.array([other.get(at := place(cell), at) for cell in cells], np.float64)


def _all_text(cells: np.ndarray) -> bool:
    return set(map(type, cells.tolist())) <= {str}


def _frame_bins(feature: FeatureSchema, column) -> np.ndarray:
    """Bins that the cells name, and those of the cells that are numbers."""
    index, (cells, missing) = {level: float(i) for i, level in enumerate(feature.levels)}, _objects(column)
    missing = missing | np.array([isinstance(cell, str) and not cell.strip() for cell in cells], bool)
    named = np.array([isinstance(cell, str) and cell in index for cell in cells], bool)
    values = bins_of(feature, _numbers(feature, cells, missing | named))
    values[named] = [index[cell] for cell in cells[named]]
    return values


def _numbers(feature: FeatureSchema, cells: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """float64: cells of all kinds as numbers."""
    values = np.full(len(cells), np.nan)
    try:
        values[~missing] = cells[~missing].astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        row = next(i for i in np.flatnonzero(~missing) if not _is_number(cells[i]))
        raise TreecoreError(
            f"{cells[row]!r} is not a number (row {row})",
            where=f"Column {feature.name!r}",
            remedy="Correct the cell or leave it empty",
        ) from None
    return values


def _is_number(cell) -> bool:
    try:
        float(cell)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
