"""The rows of a text file as Arrow splits them, block by block."""

from collections.abc import Callable, Iterator
from functools import partial

from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect
from treecore.data.readers.gathered import Gathered, Wanted
from treecore.data.readers.lines import is_blank
from treecore.data.readers.size import gigabytes
from treecore.errors import TreecoreError

RECORD_BYTES = 1 << 26  # of one row; Arrow takes ten times as much memory for it
WIDER = 4  # how many times larger blocks become for a record that does not fit into one


class LongRecord(Exception):
    """A record is longer than a block: a cell between quotes, or a line of very many columns."""


def read_blocks(
    rows: memoryview, wanted: Wanted, found: Dialect, options: ReadOptions, block_bytes: int
) -> tuple[Gathered, int]:
    """(the columns, how many records were rejected). Where numbers turn out to be something else it reads twice.

    LongRecord when one does not fit into blocks of this size.
    """
    as_text: set[int] = set()
    while True:
        start = partial(Gathered, len(wanted.places), len(rows) / block_bytes, options, tuple(as_text))
        gathered, n_rejected = _gathered(rows, wanted, found, start, block_bytes)
        if not gathered.lost():
            return gathered, n_rejected
        as_text |= gathered.lost()


def read_long_blocks(
    rows: memoryview, wanted: Wanted, found: Dialect, options: ReadOptions, block_bytes: int
) -> tuple[Gathered, int]:
    """The same where records are long: in blocks as large as they need. TreecoreError for one beyond RECORD_BYTES."""
    while True:
        try:
            return read_blocks(rows, wanted, found, options, block_bytes)
        except LongRecord:
            if block_bytes >= RECORD_BYTES:
                raise TreecoreError(
                    f"The lines of one cell between quotes, or of one row, have more than {gigabytes(RECORD_BYTES)}",
                    where="Lines",
                    remedy="See whether a quote is closed where it should be, or read the file without quotes",
                    setting='quote=""',
                ) from None
            block_bytes = min(WIDER * block_bytes, RECORD_BYTES)


def _gathered(
    rows: memoryview, wanted: Wanted, found: Dialect, start: Callable[[], Gathered], block_bytes: int
) -> tuple[Gathered, int]:
    """All blocks gathered, and the number of records rejected."""
    import pyarrow as pa

    gathered, n_rejected = start(), [0]
    n_bytes = min(block_bytes, len(rows) + 1, 2**31 - 1)
    try:
        for batch in _blocks(rows, found, wanted, n_bytes, n_rejected):
            gathered.add(batch)
    except pa.ArrowInvalid as error:
        if "straddling" in str(error) and n_bytes == block_bytes:
            raise LongRecord from None
        raise TreecoreError(
            f"The lines cannot be split into fields ({error})",
            where="Lines",
            remedy="Check the delimiter and the quotes.",
        ) from None
    return gathered, n_rejected[0]


def _blocks(rows: memoryview, found: Dialect, wanted: Wanted, n_bytes: int, n_rejected: list[int]) -> Iterator:
    """Record batches of strings; the one number of `n_rejected` counts the records of another width."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    def reject(row):
        if not is_blank(row.text):
            n_rejected[0] += 1
        return "skip"

    handles = [str(place) for place in range(wanted.n_columns)]
    read = [handles[place] for place in wanted.places]
    parse = arrow_csv.ParseOptions(
        delimiter=found.delimiter,
        quote_char=found.quote or False,
        newlines_in_values=True,
        invalid_row_handler=reject,
    )
    # words for null and for yes or no, which no text is read as, would take most of 9 KB of memory for every column
    none = {"null_values": [], "true_values": [], "false_values": []}
    return arrow_csv.open_csv(
        pa.py_buffer(rows),
        read_options=arrow_csv.ReadOptions(column_names=handles, block_size=n_bytes),
        parse_options=parse,
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(read, pa.string()), include_columns=read, **none
        ),
    )
