"""Columns that have types: Arrow's own, those of data frames, Feather and Parquet, as raw columns and raw tables."""

import hashlib
import struct
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from treecore.data.column import numeric_column
from treecore.data.frames import is_beyond, without_null_level
from treecore.data.level_index import label_of
from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn, bytes_fingerprint
from treecore.data.raw_table import RawTable
from treecore.data.readers.source import (
    MemoryBudget,
    Source,
    is_nested,
    n_leaves,
    nested_note,
    places_to_read,
    refuse_only_nested,
    refuse_too_many_cells,
    storage,
    unique_names,
)
from treecore.errors import TreecoreError

if TYPE_CHECKING:
    import pyarrow as pa


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
    fingerprint = bytes_fingerprint(source.content, options)
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
    if pa.types.is_decimal(kind) and kind.scale <= 0 and is_beyond(array):  # whole numbers without a type of their own
        return _texts(name, original, array)
    if pa.types.is_decimal(kind):  # Arrow's own cast multiplies by 0.01: 0.07 would not be the number that 0.07 is
        array, kind = array.cast(pa.string()).cast(pa.float64()), pa.float64()
    if pa.types.is_floating(kind):
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
    result = numeric_column(name, values)
    codes = np.where(result.missing, np.int32(-1), result.codes) if result.n_missing else result.codes
    return RawColumn(name, original, codes, result.distinct, "number", decimal=decimal)


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


# A pandas DataFrame: typed columns, categories as declared levels; the index is ignored unless it has a name.


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
    return RawTable(columns, len(frame), source.name, _frame_fingerprint(columns, options), options, notes=tuple(notes))


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


def _frame_fingerprint(columns: tuple[RawColumn, ...], options: ReadOptions) -> str:
    digest = hashlib.sha256(repr(options.changed()).encode("utf-8", "surrogatepass"))
    for column in columns:
        digest.update(repr((column.name, column.content)).encode("utf-8", "surrogatepass"))
        digest.update(np.ascontiguousarray(column.codes).data)
        cells = column.cells
        if column.content == "text":
            cells = cells.to_pylist()
        digest.update(
            repr(cells).encode("utf-8", "surrogatepass") if isinstance(cells, (list, tuple)) else cells.tobytes()
        )
    return digest.hexdigest()


# Feather, Arrow's own file: columns that have types, compressed or not.

FEATHER_MAGIC = b"ARROW1\0\0"
FEATHER_1 = b"FEA1"


def is_feather(source: Source) -> bool:
    return source.content.startswith((FEATHER_MAGIC, FEATHER_1))


def read_feather(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a Feather file, without columns of lists or records, as a note says.

    TreecoreError when it is damaged, has no rows or nothing but such columns, or takes more memory than it may: asked
    of the sizes that its parts declare, before any of them is unpacked.
    """
    import pyarrow as pa

    where, data = f"File '{source.name}'", source.content
    remedy = "Save it again, as Parquet or Feather (version 2)."
    if data.startswith(FEATHER_1):
        raise TreecoreError("It is Feather of version 1, which is read no longer", where=where, remedy=remedy)
    try:
        if not data.endswith(FEATHER_MAGIC.rstrip(b"\0")):
            raise OSError("its end is missing")
        body = pa.py_buffer(data).slice(len(FEATHER_MAGIC))
        n_rows, n_bytes = _sizes(body)
        stream = pa.ipc.open_stream(body)  # the parts whose sizes were asked, whatever the end of the file says
        fields = stream.schema
        refuse_empty(n_rows, len(fields), where)
        names = unique_names(fields.names)[0]
        places = places_to_read(names, options, where)
        left_out = [names[place] for place in places if is_nested(fields.field(place).type)]
        refuse_only_nested(left_out, len(places) - len(left_out), where)
        refuse_too_many_cells(n_rows, len(places), n_bytes, where, options)
        table = stream.read_all()
    except (pa.ArrowException, OSError, struct.error, IndexError, OverflowError) as error:
        message = (str(error).splitlines() or ["not complete"])[0][:200]
        raise TreecoreError(f"The Feather file cannot be read ({message})", where=where, remedy=remedy) from None
    columns = [(name, table.column(place)) for place, name in enumerate(fields.names)]
    return typed_table(source, options, columns, nested_note(left_out), left_out)


def _sizes(body) -> tuple[int, int]:
    """(rows, bytes once unpacked) of all parts of a stream of Arrow."""
    import pyarrow as pa

    n_rows = n_bytes = 0
    for message in pa.ipc.MessageReader.open_stream(body):
        if message.type in ("record batch", "dictionary"):
            rows, unpacked = _batch(message.metadata.to_pybytes(), message.body)
            n_rows += rows if message.type == "record batch" else 0
            n_bytes += unpacked
    return n_rows, n_bytes


def _batch(meta: bytes, body) -> tuple[int, int]:
    """(rows, bytes once unpacked) of one part, read from its head as FlatBuffers lays it out.

    Source: Apache Arrow, format/Message.fbs: Message, RecordBatch, DictionaryBatch, Buffer.
    """
    message = struct.unpack_from("<I", meta, 0)[0]
    batch = _flat_table(meta, message, 2)
    if meta[_flat_field(meta, message, 1)] == 2:  # a dictionary, which holds a batch
        batch = _flat_table(meta, batch, 1)
    at = _flat_field(meta, batch, 0)
    n_rows = struct.unpack_from("<q", meta, at)[0] if at else 0
    buffers, packed = _flat_field(meta, batch, 2), _flat_field(meta, batch, 3)
    if not buffers:
        return n_rows, 0
    first = buffers + struct.unpack_from("<I", meta, buffers)[0]
    n_bytes = 0
    for place in range(struct.unpack_from("<I", meta, first)[0]):
        start, length = struct.unpack_from("<qq", meta, first + 4 + 16 * place)
        unpacked = struct.unpack("<q", body.slice(start, 8).to_pybytes())[0] if packed and length >= 8 else -1
        n_bytes += max(length, unpacked, 0)
    return n_rows, n_bytes


def _flat_field(meta: bytes, table: int, place: int) -> int:
    """Where a field of a table stands, 0 for nowhere."""
    offsets = table - struct.unpack_from("<i", meta, table)[0]
    if 4 + 2 * place >= struct.unpack_from("<H", meta, offsets)[0]:
        return 0
    offset = struct.unpack_from("<H", meta, offsets + 4 + 2 * place)[0]
    return table + offset if offset else 0


def _flat_table(meta: bytes, table: int, place: int) -> int:
    at = _flat_field(meta, table, place)
    return at + struct.unpack_from("<I", meta, at)[0]


# Words of a Parquet column, gathered part by part: every word is kept once, and no more than there is room for.

MERGE_BYTES = 1 << 24  # of words that may be waiting, repeated ones among them, before each is kept once
MOST_ROWS, FEWEST_ROWS = 4096, 16  # of a part whose words are not in a dictionary
SHARE = 16  # of the limit, what one such part may take
DICTIONARY_ROWS = 1 << 20  # of a part that brings its own dictionary, a copy for each part


def is_words(kind) -> bool:
    """Do cells of this type have a length of their own, or one that the type leaves to whoever wrote it?"""
    import pyarrow as pa

    kind, of = storage(kind), pa.types
    known = (of.is_string, of.is_large_string, of.is_string_view, of.is_binary, of.is_large_binary, of.is_binary_view)
    return of.is_fixed_size_binary(kind) or of.is_dictionary(kind) or any(is_one(kind) for is_one in known)


def gathered_words(file, place: int, spelt: bool, room: MemoryBudget, name: str) -> "pa.DictionaryArray":
    """The words of one column, read part by part.

    file : ParquetFile. place : of the column among all that hold values. spelt : whether every row's word is read, and
    not each once. TreecoreError as soon as the room is taken: by words kept or, if spelt, by those read, as of a text.
    """
    import pyarrow as pa

    words, n_spelt = _Words(), 0
    for part in _parts(file, place, spelt, room):
        n_spelt += part.nbytes if spelt else 0
        words.add(part if pa.types.is_dictionary(part.type) else part.dictionary_encode())
        if words.waiting > max(words.n_merged, MERGE_BYTES):
            words.merge()
        room.refuse(max(words.n_merged, n_spelt), name)
    words.merge()
    room.take(words.n_merged, name)
    return words.whole


class _Words:
    """n_merged, waiting : bytes of words that are there once, and of those that may repeat them."""

    def __init__(self):
        self.parts, self.whole, self.n_merged, self.waiting = [], None, 0, 0

    def add(self, part) -> None:
        self.parts.append(part)
        self.waiting += part.dictionary.nbytes

    def merge(self) -> None:
        import pyarrow as pa

        self.whole = pa.chunked_array(self.parts).unify_dictionaries().combine_chunks()
        if isinstance(self.whole, pa.ChunkedArray):
            self.whole = self.whole.chunk(0)
        self.parts, self.n_merged, self.waiting = [self.whole], self.whole.dictionary.nbytes, 0


def _parts(file, place: int, spelt: bool, room: MemoryBudget) -> Iterator:
    length = file.schema.column(place).length  # of each word where all have the same
    for groups, n_bytes in _runs(file.metadata, place):
        n_rows = _rows_at_once(max(length, n_bytes, 1), room) if spelt else DICTIONARY_ROWS
        for batch in file.reader.iter_batches(n_rows, row_groups=groups, column_indices=[place]):
            part = batch.column(0)
            yield getattr(part, "storage", part)


def _runs(size, place: int) -> Iterator:
    """(row groups, their encoded bytes): small ones are read together, each alone costs a third of a millisecond."""
    groups: list[int] = []
    n_bytes = 0
    for group in range(size.num_row_groups):
        more = size.row_group(group).column(place).total_uncompressed_size
        if groups and n_bytes + more > MERGE_BYTES:
            yield groups, n_bytes
            groups, n_bytes = [], 0
        groups.append(group)
        n_bytes += more
    if groups:
        yield groups, n_bytes


def _rows_at_once(longest: int, room: MemoryBudget) -> int:
    """longest : no word is longer than all that is encoded with it, though many can repeat what stands there once."""
    return min(max(room.limit // SHARE // longest, FEWEST_ROWS), MOST_ROWS)


def is_spelt(size, place: int) -> bool:
    """Can pyarrow read the words of this column row by row only? So it is where some are written as differences."""
    groups = (size.row_group(group).column(place) for group in range(size.num_row_groups))
    return size.schema.column(place).physical_type != "BYTE_ARRAY" or any(
        encoding.startswith("DELTA") for column in groups for encoding in column.encodings
    )


# Parquet: columns that already have types.

PARQUET_MAGIC = b"PAR1"


class ParquetColumn(NamedTuple):
    """A column with one value in a cell.

    name : no other column has it. field : of the file's schema, the index-th. at : place among all that hold values.
    words, spelt : whether it holds words, and whether every row's word has to be read, not each once.
    """

    name: str
    field: Any
    index: int  # type: ignore[assignment]  # of the file, where a tuple has a method
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
        room = MemoryBudget(size.num_rows, len(places), source.name, options)
        file = _with_words_once(file, places, source.content)
        columns = tuple(_parquet_column(file, place, room) for place in places)
    except (pa.ArrowException, OSError) as error:
        raise TreecoreError(
            f"The Parquet file cannot be read ({str(error).splitlines()[0]})",
            where=where,
            remedy="Save it again, or export the table as CSV.",
        ) from None
    notes += nested_note(left_out)
    fingerprint = bytes_fingerprint(source.content, options)
    return RawTable(columns, size.num_rows, source.name, fingerprint, options, notes=tuple(notes))


def _places(names: list[str], size, fields) -> list[ParquetColumn]:
    """Those that can be read. A column of lists or records takes the places of all that it holds."""
    places, at = [], 0
    for index, (name, field) in enumerate(zip(names, fields, strict=True)):
        if not is_nested(field.type):
            words = is_words(field.type)
            places.append(ParquetColumn(name, field, index, at, words, words and is_spelt(size, at)))
        at += n_leaves(field.type)
    return places


def _encoded_bytes(size, places: list[ParquetColumn]) -> int:
    groups = [size.row_group(i) for i in range(size.num_row_groups)]
    if len(places) == size.num_columns:
        return sum(group.total_byte_size for group in groups)
    return sum(group.column(place.at).total_uncompressed_size for group in groups for place in places)


def _with_words_once(file, places: list[ParquetColumn], data: bytes):
    """The same file, its columns of words read as the file holds them: each word once."""
    import pyarrow as pa
    from pyarrow import parquet

    words = [  # a declared category is read so anyhow, and with its order
        place.field.name
        for place in places
        if place.words and not place.spelt and not pa.types.is_dictionary(place.field.type)
    ]
    return parquet.ParquetFile(pa.BufferReader(data), read_dictionary=words) if words else file


def _parquet_column(file, place: ParquetColumn, room: MemoryBudget) -> RawColumn:
    """Only this column is there as the file has it. Numbers and dates have the size that their type says."""
    import pyarrow as pa

    name, original = place.name, place.field.name
    if not place.words:
        return raw_column(name, original, file.reader.read_column(place.index))
    words = gathered_words(file, place.at, place.spelt, room, name)
    read = raw_column if pa.types.is_dictionary(place.field.type) else words_column
    return read(name, original, words)
