"""Rows of any source as the values that routing reads."""

from dataclasses import replace

import numpy as np

from treecore.data.column import Column, number_labels
from treecore.data.combine import weighted_sum
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.kernels.codes import UNSEEN
from treecore.kernels.encode.keys import ABSENT
from treecore.tree.cells import Cells, Codes, Keyed, LookedUp, Numbers, bins_of, read_as
from treecore.tree.matrix import matrix_values
from treecore.tree.scale import Scale
from treecore.tree.schema import FeatureSchema, Schema


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


def cells_of(schema: Schema, f: int, rows) -> Cells:
    """One row of value_matrix, to be read in parts, without its memory. Arguments and errors as there."""
    feature = schema.features[f]
    if feature.terms and not _has_sum(schema, feature, rows):
        return Numbers(_weighted_sum(schema, feature, rows), feature, schema.precision)
    if isinstance(rows, np.ndarray):
        return Numbers(matrix_values(schema, f, rows), feature, schema.precision)
    if not isinstance(rows, Table):
        return Numbers(_frame_values(feature, rows), feature, schema.precision)
    column = _table_column(feature, rows)
    if _is_keyed(feature, column):
        return Keyed(column, feature, schema.precision)
    by_code = _by_code(feature, column)
    read = np.empty(len(by_code))
    read_as(feature, schema.precision, by_code, read)
    return LookedUp(column.codes, read)


def scaled_cells_of(schema: Schema, f: int, rows) -> tuple[Cells, Scale | None]:
    """(cells, their scale): the codes of a table's numeric column as they are; else cells_of and None."""
    feature = schema.features[f]
    if not (feature.numeric and isinstance(rows, Table) and (not feature.terms or _has_sum(schema, feature, rows))):
        return cells_of(schema, f, rows), None
    column = _table_column(feature, rows)
    if _is_keyed(feature, column):
        return Keyed(column, feature, schema.precision), None
    scale = Scale(column.distinct, feature.fill, schema.precision, feature.branches_by_bins)
    return Codes(column, scale.missing), scale


def _has_sum(schema: Schema, feature: FeatureSchema, rows) -> bool:
    """Does a table have this sum as a column? Not where the tree fills a missing term, as the column does not."""
    if not isinstance(rows, Table):
        return False
    terms = {name for name, _ in feature.terms}
    has_fill = any(known.fill is not None for known in schema.features if known.name in terms)
    return not has_fill and any(c.name == feature.name and c.terms == feature.terms for c in rows.columns)


def _weighted_sum(schema: Schema, feature: FeatureSchema, rows) -> np.ndarray:
    """float64 (n_rows,), NaN where a term is missing: as data.combine adds them up, so that no row changes sides."""
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
    if not _in_bins(feature, column) and feature.numeric != (column.kind == "numeric"):
        raise TreecoreError(
            f"The tree was grown with it as {feature.kind}, this table has it as {column.kind}",
            where=f"Column {feature.name!r}",
            remedy=f"Make it {feature.kind}",
        )
    return column


def _is_keyed(feature: FeatureSchema, column: Column) -> bool:
    """Is it a column of numbers that are known by keys of their own, so that codes would have to be found first?"""
    return feature.numeric and column.absent == ABSENT


def _in_bins(feature: FeatureSchema, column: Column) -> bool:
    """Are the column's numbers to be put into the bins that are the feature's levels?"""
    return not feature.numeric and feature.cuts is not None and column.kind == "numeric"


def _by_code(feature: FeatureSchema, column: Column) -> np.ndarray:
    """float64 (n_distinct + 1,): what each code of the column is to the tree, and NaN for a missing value."""
    if column.kind == "numeric":
        by_code = np.append(column.distinct, np.nan)
        return bins_of(feature, by_code) if _in_bins(feature, column) else by_code
    index = {level: float(i) for i, level in enumerate(feature.levels)}
    return np.array([index.get(level, _unknown(feature)) for level in column.levels] + [np.nan])


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
    """Indices of the schema's levels; every distinct cell is looked up once, where equal cells have equal names."""
    index = {level: float(i) for i, level in enumerate(feature.levels)}
    cells, missing = _objects(column)
    # True and 1 are equal, but are not called the same
    if column.dtype.kind != "O" or not isinstance(column.dtype, np.dtype) or _all_text(cells[~missing]):
        codes, cells = column.factorize()
        known = [index.get(_level(cell), _unknown(feature)) for cell in np.asarray(cells, object)]
        return np.array([*known, np.nan])[codes]
    values = np.full(len(cells), np.nan)
    for i in np.flatnonzero(~missing):
        values[i] = index.get(_level(cells[i]), _unknown(feature))
    return values


def _all_text(cells: np.ndarray) -> bool:
    return set(map(type, cells.tolist())) <= {str}


def _frame_bins(feature: FeatureSchema, column) -> np.ndarray:
    """Bins that the cells name, and those of the cells that are numbers."""
    index, (cells, missing) = {level: float(i) for i, level in enumerate(feature.levels)}, _objects(column)
    named = np.array([isinstance(cell, str) and cell in index for cell in cells], bool)
    values = bins_of(feature, _numbers(feature, cells, missing | named))
    values[named] = [index[cell] for cell in cells[named]]
    return values


def _unknown(feature: FeatureSchema) -> float:
    return np.nan if feature.kind == "ordinal" else UNSEEN


def _level(cell) -> str:
    """A cell's text as the readers would have it: 1.0 is the level '1'."""
    return number_labels(np.array([cell]))[0] if isinstance(cell, float) else str(cell).strip()


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
