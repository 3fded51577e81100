"""A pandas DataFrame: typed columns, categories as declared levels; the index is ignored unless it has a name."""

import hashlib

import numpy as np

from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn, RawTable
from treecore.data.readers.arrow import raw_column
from treecore.data.readers.names import unique_names
from treecore.data.readers.source import Source
from treecore.errors import TreecoreError


def read_frame(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a DataFrame; TreecoreError when it has no rows or no columns."""
    frame = source.frame
    if any(frame.index.names):
        frame = frame.reset_index()
    if frame.shape[0] == 0 or frame.shape[1] == 0:
        raise TreecoreError(
            f"The table has {frame.shape[0]} rows and {frame.shape[1]} columns",
            where=source.name,
            remedy="Give a frame with at least one row and one column.",
        )
    originals = [str(name) for name in frame.columns]
    names, notes = unique_names(originals)
    columns = tuple(
        raw_column(name, original, _arrow(frame.iloc[:, place]))
        for place, (name, original) in enumerate(zip(names, originals, strict=True))
    )
    return RawTable(columns, len(frame), source.name, _fingerprint(columns, options), options, notes=tuple(notes))


def _arrow(series):
    """The series as Arrow; objects of several types become their texts."""
    import pyarrow as pa

    try:
        return pa.array(series, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        known = series.notna()
        return pa.array([str(cell) if ok else None for cell, ok in zip(series, known, strict=True)], pa.string())


def _fingerprint(columns: tuple[RawColumn, ...], options: ReadOptions) -> str:
    digest = hashlib.sha256(repr(options).encode())
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
