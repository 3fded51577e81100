"""Rows of any source as the matrix of values that routing reads."""

import numpy as np

from treecore.data.column import number_labels
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.kernels.codes import UNSEEN
from treecore.tree.schema import FeatureSchema, Schema


def value_matrix(schema: Schema, features: np.ndarray, rows) -> np.ndarray:
    """float64 (len(features), n_rows): numbers, or indices of the schema's levels.

    A missing value is the feature's fill, or NaN where it has none. A level that the tree does not know is
    UNSEEN, but counts as missing where levels are ordered: no threshold can place it. Where the levels are bins of
    numbers, rows may have the numbers themselves.
    features : indices of the features wanted. rows : a Table or a pandas DataFrame.
    Raises TreecoreError naming a column that is absent or, in a numeric one, the cells that are no numbers.
    """
    matrix = np.empty((len(features), n_rows_of(rows)))
    for slot, f in enumerate(features):
        feature = schema.features[f]
        matrix[slot] = (_table_values if isinstance(rows, Table) else _frame_values)(feature, rows)
        if feature.fill is not None:
            matrix[slot, np.isnan(matrix[slot])] = feature.fill
    if schema.precision != "float64":
        with np.errstate(over="ignore"):  # beyond every threshold, as infinity is
            matrix = matrix.astype(np.float32).astype(np.float64)
    by_bins = [schema.features[f].branches_by_bins for f in features]
    matrix[by_bins] = np.minimum(matrix[by_bins], np.finfo(np.float64).max)  # above an infinite cut nothing is known
    return matrix


def n_rows_of(rows) -> int:
    """Number of rows of a Table or a DataFrame."""
    return rows.n_rows if isinstance(rows, Table) else len(rows)


def _table_values(feature: FeatureSchema, table) -> np.ndarray:
    column = table.column(feature.name)
    if not feature.numeric and feature.cuts is not None and column.kind == "numeric":
        return bins_of(feature, np.append(column.distinct, np.nan))[column.codes]
    if feature.numeric != (column.kind == "numeric"):
        raise TreecoreError(
            f"The tree was grown with it as {feature.kind}, this table has it as {column.kind}",
            where=f"Column {feature.name!r}",
            remedy=f"Make it {feature.kind}",
        )
    if feature.numeric or column.levels == feature.levels:
        return column.values()
    index = {level: float(i) for i, level in enumerate(feature.levels)}
    known = np.array([index.get(level, _unknown(feature)) for level in column.levels] + [np.nan])
    return known[column.codes]


def bins_of(feature: FeatureSchema, numbers: np.ndarray) -> np.ndarray:
    """float64: the bin of each number, NaN where it is missing."""
    bins = np.searchsorted(np.array(feature.cuts, np.float64), numbers, side="right").astype(np.float64)
    return np.where(np.isnan(numbers), np.nan, bins)


def _frame_values(feature: FeatureSchema, frame) -> np.ndarray:
    if feature.name not in frame:
        raise TreecoreError(
            "The tree needs this column and the rows do not have it",
            where=f"Column {feature.name!r}",
            remedy="Add the column; fill it with missing values if nothing is known",
        )
    column = frame[feature.name]
    missing = np.asarray(column.isna(), bool)
    cells = np.asarray(column, object)
    if feature.numeric:
        return _numbers(feature, cells, missing)
    index = {level: float(i) for i, level in enumerate(feature.levels)}
    if feature.cuts is not None:
        return _frame_bins(feature, cells, missing, index)
    values = np.full(len(cells), np.nan)
    for i in np.flatnonzero(~missing):
        values[i] = index.get(_level(cells[i]), _unknown(feature))
    return values


def _frame_bins(feature: FeatureSchema, cells: np.ndarray, missing: np.ndarray, index: dict) -> np.ndarray:
    """Bins that the cells name, and those of the cells that are numbers."""
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
    values = np.full(len(cells), np.nan)
    for i in np.flatnonzero(~missing):
        try:
            values[i] = float(cells[i])
        except (TypeError, ValueError):
            raise TreecoreError(
                f"{cells[i]!r} is not a number (row {i})",
                where=f"Column {feature.name!r}",
                remedy="Correct the cell or leave it empty",
            ) from None
    return values
