"""Parquet: columns that already have types."""

from treecore.data.options import ReadOptions
from treecore.data.raw import RawTable, bytes_fingerprint
from treecore.data.readers.arrow import raw_column
from treecore.data.readers.names import unique_names
from treecore.data.readers.source import Source
from treecore.errors import TreecoreError

MAGIC = b"PAR1"


def read_parquet(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a Parquet file; TreecoreError when it is damaged or has no rows."""
    import pyarrow as pa
    from pyarrow import parquet

    where = f"File '{source.name}'"
    try:
        table = parquet.ParquetFile(pa.BufferReader(source.data)).read()
    except (pa.ArrowException, OSError) as error:
        raise TreecoreError(
            f"The Parquet file cannot be read ({str(error).splitlines()[0]})",
            where=where,
            remedy="Save it again, or export the table as CSV.",
        ) from None
    if table.num_rows == 0 or table.num_columns == 0:
        raise TreecoreError(
            "The table has columns but no rows" if table.num_columns else "The table is empty",
            where=where,
            remedy="Load a file with at least one row of values.",
        )
    names, notes = unique_names(table.column_names)
    columns = tuple(
        raw_column(name, original, column)
        for name, original, column in zip(names, table.column_names, table.columns, strict=True)
    )
    return RawTable(
        columns, table.num_rows, source.name, bytes_fingerprint(source.data, options), options, notes=tuple(notes)
    )
