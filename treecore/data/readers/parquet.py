"""Parquet: columns that already have types."""

from typing import NamedTuple

from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn, bytes_fingerprint
from treecore.data.raw_table import RawTable
from treecore.data.readers.arrow import raw_column, refuse_empty, words_column
from treecore.data.readers.columns import (
    is_nested,
    n_leaves,
    nested_note,
    places_to_read,
    refuse_only_nested,
    unique_names,
)
from treecore.data.readers.size import Room, refuse_too_many_cells
from treecore.data.readers.source import Source
from treecore.data.readers.words import gathered_words, is_spelt, is_words
from treecore.errors import TreecoreError

MAGIC = b"PAR1"


class Place(NamedTuple):
    """A column with one value in a cell.

    name : no other column has it. field : of the file's schema, the index-th. at : place among all that hold values.
    words, spelt : whether it holds words, and whether every row's word has to be read, not each once.
    """

    name: str
    field: object
    index: int
    at: int
    words: bool
    spelt: bool


def read_parquet(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a Parquet file, without columns of lists or records, which no tree can use: a note says so.

    TreecoreError when it is damaged, has no rows or nothing but such columns, or takes more memory than it may.
    """
    import pyarrow as pa
    from pyarrow import parquet

    where = f"File '{source.name}'"
    try:
        file = parquet.ParquetFile(pa.BufferReader(source.data))
        size, fields = file.metadata, file.schema_arrow
        refuse_empty(size.num_rows, len(fields), where)
        names, notes = unique_names(fields.names)
        read = {names[at] for at in places_to_read(names, options, where)}
        places = [place for place in _places(names, size, fields) if place.name in read]
        left_out = [name for name, field in zip(names, fields, strict=True) if is_nested(field.type)]
        refuse_only_nested(left_out, len(places), where)
        refuse_too_many_cells(size.num_rows, len(places), _encoded_bytes(size, places), where, options)
        room = Room(size.num_rows, len(places), source.name, options)
        file = _with_words_once(file, places, source.data)
        columns = tuple(_column(file, place, room) for place in places)
    except (pa.ArrowException, OSError) as error:
        raise TreecoreError(
            f"The Parquet file cannot be read ({str(error).splitlines()[0]})",
            where=where,
            remedy="Save it again, or export the table as CSV.",
        ) from None
    notes = tuple(notes + nested_note(left_out))
    return RawTable(columns, size.num_rows, source.name, bytes_fingerprint(source.data, options), options, notes=notes)


def _places(names: list[str], size, fields) -> list[Place]:
    """Those that can be read. A column of lists or records takes the places of all that it holds."""
    places, at = [], 0
    for index, (name, field) in enumerate(zip(names, fields, strict=True)):
        if not is_nested(field.type):
            words = is_words(field.type)
            places.append(Place(name, field, index, at, words, words and is_spelt(size, at)))
        at += n_leaves(field.type)
    return places


def _encoded_bytes(size, places: list[Place]) -> int:
    groups = [size.row_group(i) for i in range(size.num_row_groups)]
    if len(places) == size.num_columns:
        return sum(group.total_byte_size for group in groups)
    return sum(group.column(place.at).total_uncompressed_size for group in groups for place in places)


def _with_words_once(file, places: list[Place], data: bytes):
    """The same file, its columns of words read as the file holds them: each word once."""
    import pyarrow as pa
    from pyarrow import parquet

    words = [  # a declared category is read so anyhow, and with its order
        place.field.name
        for place in places
        if place.words and not place.spelt and not pa.types.is_dictionary(place.field.type)
    ]
    return parquet.ParquetFile(pa.BufferReader(data), read_dictionary=words) if words else file


def _column(file, place: Place, room: Room) -> RawColumn:
    """Only this column is there as the file has it. Numbers and dates have the size that their type says."""
    import pyarrow as pa

    name, original = place.name, place.field.name
    if not place.words:
        return raw_column(name, original, file.reader.read_column(place.index))
    words = gathered_words(file, place.at, place.spelt, room, name)
    read = raw_column if pa.types.is_dictionary(place.field.type) else words_column
    return read(name, original, words)
