"""Parquet: columns that already have types."""

from collections.abc import Iterator

from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn, RawTable, bytes_fingerprint
from treecore.data.readers.arrow import raw_column, words_column
from treecore.data.readers.names import unique_names
from treecore.data.readers.size import refuse_too_many_cells
from treecore.data.readers.source import Source
from treecore.errors import TreecoreError

MAGIC = b"PAR1"


def read_parquet(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a Parquet file; TreecoreError when it is damaged or has no rows."""
    import pyarrow as pa
    from pyarrow import parquet

    where = f"File '{source.name}'"
    try:
        file = parquet.ParquetFile(pa.BufferReader(source.data))
        size, fields = file.metadata, file.schema_arrow
        file = _with_words_once(file, source.data)
        n_bytes = sum(size.row_group(i).total_byte_size for i in range(size.num_row_groups))
        refuse_too_many_cells(size.num_rows, size.num_columns, n_bytes, source.name, options)
        _refuse_empty(size.num_rows, len(fields), where)
        names, notes = unique_names(fields.names)
        columns = tuple(
            _column(name, field, column) for name, field, column in zip(names, fields, _columns(file), strict=True)
        )
    except (pa.ArrowException, OSError) as error:
        raise TreecoreError(
            f"The Parquet file cannot be read ({str(error).splitlines()[0]})",
            where=where,
            remedy="Save it again, or export the table as CSV.",
        ) from None
    return RawTable(
        columns, size.num_rows, source.name, bytes_fingerprint(source.data, options), options, notes=tuple(notes)
    )


def _with_words_once(file, data: bytes):
    """The same file, its columns of words read as the file holds them: each word once."""
    import pyarrow as pa
    from pyarrow import parquet

    words = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
    return parquet.ParquetFile(pa.BufferReader(data), read_dictionary=words) if words else file


def _columns(file) -> Iterator:
    """The columns one after the other, so that only one of them is there as the file has it."""
    if file.metadata.num_columns == len(file.schema_arrow):
        yield from (file.reader.read_column(place) for place in range(file.metadata.num_columns))
    else:  # some hold several values in a cell
        yield from file.read().columns


def _column(name: str, field, column) -> RawColumn:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type) and not pa.types.is_dictionary(field.type):
        return words_column(name, field.name, column)
    return raw_column(name, field.name, column)


def _refuse_empty(n_rows: int, n_columns: int, where: str) -> None:
    if n_rows == 0 or n_columns == 0:
        raise TreecoreError(
            "The table has columns but no rows" if n_columns else "The table is empty",
            where=where,
            remedy="Load a file with at least one row of values.",
        )
