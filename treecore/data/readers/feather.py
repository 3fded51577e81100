"""Feather, Arrow's own file: columns that have types, compressed or not."""

import struct

from treecore.data.options import ReadOptions
from treecore.data.raw_table import RawTable
from treecore.data.readers.arrow import refuse_empty, typed_table
from treecore.data.readers.columns import is_nested, nested_note, places_to_read, refuse_only_nested, unique_names
from treecore.data.readers.size import refuse_too_many_cells
from treecore.data.readers.source import Source
from treecore.errors import TreecoreError

MAGIC = b"ARROW1\0\0"
OLD = b"FEA1"


def is_feather(source: Source) -> bool:
    return source.data.startswith((MAGIC, OLD))


def read_feather(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of a Feather file, without columns of lists or records, as a note says.

    TreecoreError when it is damaged, has no rows or nothing but such columns, or takes more memory than it may: asked
    of the sizes that its parts declare, before any of them is unpacked.
    """
    import pyarrow as pa

    where, data = f"File '{source.name}'", source.data
    remedy = "Save it again, as Parquet or Feather (version 2)."
    if data.startswith(OLD):
        raise TreecoreError("It is Feather of version 1, which is read no longer", where=where, remedy=remedy)
    try:
        if not data.endswith(MAGIC.rstrip(b"\0")):
            raise OSError("its end is missing")
        body = pa.py_buffer(data).slice(len(MAGIC))
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
        said = (str(error).splitlines() or ["not complete"])[0][:200]
        raise TreecoreError(f"The Feather file cannot be read ({said})", where=where, remedy=remedy) from None
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
    batch = _table(meta, message, 2)
    if meta[_field(meta, message, 1)] == 2:  # a dictionary, which holds a batch
        batch = _table(meta, batch, 1)
    at = _field(meta, batch, 0)
    n_rows = struct.unpack_from("<q", meta, at)[0] if at else 0
    buffers, packed = _field(meta, batch, 2), _field(meta, batch, 3)
    if not buffers:
        return n_rows, 0
    first = buffers + struct.unpack_from("<I", meta, buffers)[0]
    n_bytes = 0
    for place in range(struct.unpack_from("<I", meta, first)[0]):
        start, length = struct.unpack_from("<qq", meta, first + 4 + 16 * place)
        unpacked = struct.unpack("<q", body.slice(start, 8).to_pybytes())[0] if packed and length >= 8 else -1
        n_bytes += max(length, unpacked, 0)
    return n_rows, n_bytes


def _field(meta: bytes, table: int, place: int) -> int:
    """Where a field of a table stands, 0 for nowhere."""
    offsets = table - struct.unpack_from("<i", meta, table)[0]
    if 4 + 2 * place >= struct.unpack_from("<H", meta, offsets)[0]:
        return 0
    offset = struct.unpack_from("<H", meta, offsets + 4 + 2 * place)[0]
    return table + offset if offset else 0


def _table(meta: bytes, table: int, place: int) -> int:
    at = _field(meta, table, place)
    return at + struct.unpack_from("<I", meta, at)[0]
