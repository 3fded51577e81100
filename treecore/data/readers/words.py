"""Words of a Parquet column, gathered part by part: every word is kept once, and no more than there is room for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from treecore.data.readers.columns import storage
from treecore.data.readers.size import Room

if TYPE_CHECKING:
    import pyarrow as pa

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


def gathered_words(file, place: int, spelt: bool, room: Room, name: str) -> "pa.DictionaryArray":
    """The words of one column, read part by part.

    file : ParquetFile. place : of the column among all that hold values. spelt : whether every row's word is read, and
    not each once. TreecoreError as soon as the room is taken: by words kept or, if spelt, by those read, as of a text.
    """
    import pyarrow as pa

    words, n_spelt = _Words(), 0
    for part in _parts(file, place, spelt, room):
        n_spelt += part.nbytes if spelt else 0
        words.add(part if pa.types.is_dictionary(part.type) else part.dictionary_encode())
        if words.waiting > max(words.kept, MERGE_BYTES):
            words.merge()
        room.refuse(max(words.kept, n_spelt), name)
    words.merge()
    room.take(words.kept, name)
    return words.whole


class _Words:
    """kept, waiting : bytes of words that are there once, and of those that may repeat them."""

    def __init__(self):
        self.parts, self.whole, self.kept, self.waiting = [], None, 0, 0

    def add(self, part) -> None:
        self.parts.append(part)
        self.waiting += part.dictionary.nbytes

    def merge(self) -> None:
        import pyarrow as pa

        self.whole = pa.chunked_array(self.parts).unify_dictionaries().combine_chunks()
        if isinstance(self.whole, pa.ChunkedArray):
            self.whole = self.whole.chunk(0)
        self.parts, self.kept, self.waiting = [self.whole], self.whole.dictionary.nbytes, 0


def _parts(file, place: int, spelt: bool, room: Room) -> Iterator:
    length = file.schema.column(place).length  # of each word where all have the same
    for groups, n_bytes in _runs(file.metadata, place):
        n_rows = _rows_at_once(max(length, n_bytes, 1), room) if spelt else DICTIONARY_ROWS
        for batch in file.reader.iter_batches(n_rows, row_groups=groups, column_indices=[place]):
            part = batch.column(0)
            yield getattr(part, "storage", part)


def _runs(size, place: int) -> Iterator:
    """(row groups, their encoded bytes): small ones are read together, each alone costs a third of a millisecond."""
    groups, n_bytes = [], 0
    for group in range(size.num_row_groups):
        more = size.row_group(group).column(place).total_uncompressed_size
        if groups and n_bytes + more > MERGE_BYTES:
            yield groups, n_bytes
            groups, n_bytes = [], 0
        groups.append(group)
        n_bytes += more
    if groups:
        yield groups, n_bytes


def _rows_at_once(longest: int, room: Room) -> int:
    """longest : no word is longer than all that is encoded with it, though many can repeat what stands there once."""
    return min(max(room.limit // SHARE // longest, FEWEST_ROWS), MOST_ROWS)


def is_spelt(size, place: int) -> bool:
    """Can pyarrow read the words of this column row by row only? So it is where some are written as differences."""
    groups = (size.row_group(group).column(place) for group in range(size.num_row_groups))
    return size.schema.column(place).physical_type != "BYTE_ARRAY" or any(
        encoding.startswith("DELTA") for column in groups for encoding in column.encodings
    )
