"""A pandas DataFrame: typed columns, categories as declared levels; the index is ignored unless it has a name."""

import hashlib

import numpy as np

from treecore.data.level_index import label_of
from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn
from treecore.data.raw_table import RawTable
from treecore.data.readers.arrow import raw_column
from treecore.data.readers.columns import places_to_read, unique_names
from treecore.data.readers.size import refuse_too_many_cells
from treecore.data.readers.source import Source
from treecore.errors import TreecoreError


def read_frame(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a DataFrame; TreecoreError when it has no rows or no columns, or too many for the memory.

    What texts kept as Python objects take is not counted before they are read: that is a walk over every cell, and
    unlike those of a small file they are in memory already.
    """
    frame = source.frame
    if any(frame.index.names):
        frame = frame.reset_index()
    if frame.shape[0] == 0 or frame.shape[1] == 0:
        raise TreecoreError(
            f"The table has {frame.shape[0]} rows and {frame.shape[1]} columns",
            where=source.name,
            remedy="Give a frame with at least one row and one column.",
        )
    names, notes = unique_names([str(name) for name in frame.columns])
    frame = frame.iloc[:, list(places_to_read(names, options, source.name))]
    n_bytes = int(frame.memory_usage(index=False, deep=False).sum())
    refuse_too_many_cells(*frame.shape, n_bytes, source.name, options)
    originals = [str(name) for name in frame.columns]
    names = [name for name in names if not options.columns or name in options.columns]
    columns = tuple(
        raw_column(name, original, as_arrow(frame.iloc[:, place]))
        for place, (name, original) in enumerate(zip(names, originals, strict=True))
    )
    return RawTable(columns, len(frame), source.name, _fingerprint(columns, options), options, notes=tuple(notes))


def _is_number(kind) -> bool:
    import pyarrow as pa

    return pa.types.is_floating(kind) or pa.types.is_integer(kind)


def _own_types() -> tuple[type, ...]:
    """Types of pandas that Arrow writes as numbers or records of its own."""
    import pandas as pd

    return pd.PeriodDtype, pd.IntervalDtype


def as_arrow(series):
    """The series as Arrow; objects of several types, periods and intervals become their texts."""
    import pandas as pd
    import pyarrow as pa

    if isinstance(series.dtype, pd.CategoricalDtype) and isinstance(series.cat.categories.dtype, _own_types()):
        series = series.cat.rename_categories(list(map(str, series.cat.categories)))
    try:
        if isinstance(series.dtype, _own_types()):
            raise TypeError
        array = pa.array(series, from_pandas=True)
        # among objects a truth would be the number 1 to Arrow
        if series.dtype == object and _is_number(array.type) and not {bool, np.bool_}.isdisjoint(map(type, series)):
            raise TypeError
        return array
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        known = series.notna()
        return pa.array([label_of(cell) if ok else None for cell, ok in zip(series, known, strict=True)], pa.string())


def _fingerprint(columns: tuple[RawColumn, ...], options: ReadOptions) -> str:
    digest = hashlib.sha256(repr(options.changed()).encode("utf-8", "surrogatepass"))
    for column in columns:
        digest.update(repr((column.name, column.content)).encode("utf-8", "surrogatepass"))
        digest.update(np.ascontiguousarray(column.codes))
        cells = column.cells
        if column.content == "text":
            cells = cells.to_pylist()
        digest.update(
            repr(cells).encode("utf-8", "surrogatepass") if isinstance(cells, (list, tuple)) else cells.tobytes()
        )
    return digest.hexdigest()
