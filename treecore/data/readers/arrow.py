"""Columns of Arrow (from Parquet, a data frame or another typed file) as raw columns, and as a raw table."""

from collections.abc import Container, Sequence
from dataclasses import replace

import numpy as np

from treecore.data.column import numeric_column
from treecore.data.frames import is_beyond, without_null_level
from treecore.data.level_index import label_of
from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn, bytes_fingerprint
from treecore.data.raw_table import RawTable
from treecore.data.readers.columns import places_to_read, unique_names
from treecore.data.readers.source import Source
from treecore.errors import TreecoreError


def typed_table(
    source: Source, options: ReadOptions, columns: Sequence[tuple], notes: Sequence[str] = (), left_out: Container = ()
) -> RawTable:
    """The raw table of a file whose columns have types.

    columns : (name, pyarrow array) of all. left_out : names, as they are made unique, of those that are not read.
    """
    where = f"File '{source.name}'"
    refuse_empty(len(columns[0][1]) if columns else 0, len(columns), where)
    names, told = unique_names([name for name, _ in columns])
    places = [place for place in places_to_read(names, options, where) if names[place] not in left_out]
    made = tuple(raw_column(names[place], str(columns[place][0]), columns[place][1]) for place in places)
    fingerprint = bytes_fingerprint(source.data, options)
    return RawTable(made, made[0].n_rows, source.name, fingerprint, options, notes=(*told, *notes))


def refuse_empty(n_rows: int, n_columns: int, where: str) -> None:
    """TreecoreError for a table without rows or columns."""
    if n_rows == 0 or n_columns == 0:
        raise TreecoreError(
            "The table has columns but no rows" if n_columns else "The table is empty",
            where=where,
            remedy="Load a file with at least one row of values.",
        )


def raw_column(name: str, original: str, array) -> RawColumn:
    """The raw column of one pyarrow Array or ChunkedArray; NaN and null become code -1."""
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)
        if isinstance(array, pa.ChunkedArray):
            array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    kind = array.type
    if pa.types.is_null(kind):  # every cell is None, so nobody knows what the others would be
        array, kind = array.cast(pa.string()), pa.string()
    if pa.types.is_dictionary(kind):
        return _levels(name, original, without_null_level(array))
    if pa.types.is_boolean(kind):
        codes = _filled(array.cast("int8"))
        return RawColumn(name, original, codes, ("False", "True"), "levels", boolean=True)
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return number_column(name, original, array.cast(pa.float64()).to_numpy(zero_copy_only=False))
    if pa.types.is_integer(kind) and not is_beyond(array):
        return number_column(name, original, array.cast(pa.float64()).to_numpy(zero_copy_only=False))
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return _dates(name, original, array)
    return _texts(name, original, array)


def _filled(array) -> np.ndarray:
    return array.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)


def number_column(name: str, original: str, values: np.ndarray, decimal: str = "") -> RawColumn:
    """The raw column of float64 (n_rows,), NaN for missing; decimal : as in RawColumn."""
    if np.isinf(values).any():
        missing = np.isnan(values)
        distinct, known = np.unique(values[~missing], return_inverse=True)
        return RawColumn(name, original, _scattered(known, ~missing), distinct, "number", decimal=decimal)
    found = numeric_column(name, values)
    codes = np.where(found.missing, np.int32(-1), found.codes) if found.n_missing else found.codes
    return RawColumn(name, original, codes, found.distinct, "number", decimal=decimal)


def _scattered(known: np.ndarray, where: np.ndarray) -> np.ndarray:
    codes = np.full(len(where), -1, dtype=np.int32)
    codes[where] = known
    return codes


def _dates(name: str, original: str, array) -> RawColumn:
    import pyarrow as pa

    if getattr(array.type, "tz", None):
        array = array.cast(pa.timestamp(array.type.unit))  # as UTC
    stamps = array.to_numpy(zero_copy_only=False).astype("datetime64[s]")
    missing = np.isnat(stamps)
    distinct, known = np.unique(stamps[~missing], return_inverse=True)
    return RawColumn(name, original, _scattered(known, ~missing), distinct, "date")


def _levels(name: str, original: str, array) -> RawColumn:
    """Categories of text are levels in the order declared; categories of anything else are read as cells."""
    import pyarrow as pa

    kind = array.type.value_type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or array.type.ordered):
        return _categories(name, original, array)
    levels = tuple(label_of(level) for level in array.dictionary.to_pylist())
    return RawColumn(name, original, _filled(array.indices), levels, "levels", ordered=array.type.ordered)


def _categories(name: str, original: str, array) -> RawColumn:
    """Categories that are no text, each looked at once; those without a row are no cells."""
    codes = _filled(array.indices)
    used, known = np.unique(codes[codes >= 0], return_inverse=True)
    column = raw_column(name, original, array.dictionary.take(used))
    return replace(column, codes=_scattered(column.codes[known], codes >= 0))


def words_column(name: str, original: str, words) -> RawColumn:
    """The raw column of a dictionary array of words; they are no declared levels."""
    return RawColumn(name, original, _filled(words.indices), _as_text(words.dictionary))


def _texts(name: str, original: str, array) -> RawColumn:
    import pyarrow as pa

    try:
        words = array.dictionary_encode()
    except pa.ArrowNotImplementedError:  # lists and records
        words = _as_text(array).dictionary_encode()
    return words_column(name, original, words)


def _as_text(array):
    """Its cells as strings; bytes that are no text as Python writes them."""
    import pyarrow as pa

    if pa.types.is_time(array.type) or pa.types.is_duration(array.type):  # as Python writes them, of frames too
        return pa.array([None if cell is None else label_of(cell) for cell in array.to_pylist()], pa.string())
    try:
        return array.cast(pa.string())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return pa.array([None if cell is None else str(cell) for cell in array.to_pylist()], pa.string())
