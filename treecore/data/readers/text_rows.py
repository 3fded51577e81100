"""The rows of a text file as Arrow splits them, block by block, and an account of every line."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from treecore.data.kinds import LABEL_LIKE
from treecore.data.number_reading import DOT_THOUSANDS, SEPARATED
from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect, LineCount, RaggedLines, RawColumn, Reject, Rejected, matches
from treecore.data.readers.arrow import number_column
from treecore.data.readers.dialect import is_blank, ragged_lines
from treecore.data.readers.quotes import Quoting, look_at_quotes, n_lines, without
from treecore.data.readers.source import gigabytes
from treecore.errors import TreecoreError
from treecore.figures import counted

MIN_ROWS = 1000  # in a shorter block nothing is said of how many different cells there are
MANY = 0.5  # share of different cells in the first block beyond which numbers are kept as numbers
FIRST = 1000  # cells tried before all of a block
GROUPED = DOT_THOUSANDS.pattern


class TextBlocks:
    """Every cell as text: per block its different texts, and which of them stands in each row."""

    def __init__(self):
        self.texts, self.codes = [], []
        self.last = ""

    def add(self, texts) -> bool:
        """One more block, a pyarrow string array with a cell or more; always True."""
        encoded = texts.dictionary_encode()
        codes = encoded.indices.to_numpy(zero_copy_only=False)
        self.texts.append(encoded.dictionary)
        self.codes.append(codes.astype(np.min_scalar_type(len(encoded.dictionary))))
        self.last = texts[-1].as_py()
        return True

    def holds(self) -> bool:
        return True

    def keeps_many(self) -> bool:
        """Are most cells of the first block different?"""
        n_rows = len(self.codes[0])
        return n_rows >= MIN_ROWS and len(self.texts[0]) > MANY * n_rows

    def first_block(self):
        """pyarrow string array: the cells of the first block."""
        return self.texts[0].take(self.codes[0])

    def column(self, name: str, original: str) -> RawColumn:
        """The raw column, its cells in the order in which they first appear; the blocks are given up."""
        import pyarrow as pa

        if len(self.texts) == 1:
            [codes], [texts] = self.codes, self.texts
            return RawColumn(name, original, codes.astype(np.int32, copy=False), texts)
        whole = pa.chunked_array(self.texts, pa.string()).dictionary_encode().unify_dictionaries().combine_chunks()
        of_all = whole.indices.to_numpy(zero_copy_only=False)
        ends = np.cumsum([0, *map(len, self.texts)])
        codes = [of_all[start:][block] for start, block in zip(ends[:-1], self.codes, strict=True)]
        self.texts, self.codes = [], []
        return RawColumn(name, original, np.concatenate(codes).astype(np.int32, copy=False), whole.dictionary)


class NumberBlocks:
    """Cells that are plain numbers, or missing under any reading of the column.

    expected : rows there will be, about. One array for all: many small ones, freed later, would leave holes in memory.
    """

    last = ""

    def __init__(self, options: ReadOptions, expected: int):
        self.values, self.n_rows = np.empty(expected), 0
        self.missing = options.missing_tokens(among_numbers=False)
        self.numbers_missing = any(_is_number(token) for token in self.missing)
        self.absent: Counter[str] = Counter()
        self.separated = self.fractions = False
        self.grouped = options.decimal is None

    def add(self, texts) -> bool:
        """One more block, a pyarrow string array; False when its texts say something else or more than numbers do.

        grouped : so far 1.234 could be a thousand and more. separated : a decimal point was seen.
        """
        values = _numbers(texts)
        if values is None or self.numbers_missing or np.isnan(values).any():
            texts = self._null_where_missing(texts)
            values = _numbers(texts)
        if values is None or np.isnan(values).sum() > texts.null_count:
            return False
        known, values_known = texts.drop_null(), values[~np.isnan(values)]
        whole = np.floor(values_known) == values_known
        if whole.any() and matches(known.filter(whole), LABEL_LIKE).any():
            return False
        self.fractions |= not whole.all()
        self.separated = self.separated or _any(known, SEPARATED)
        self.grouped = bool(self.grouped and matches(known[:FIRST], GROUPED).all() and matches(known, GROUPED).all())
        self._keep(values)
        return True

    def _keep(self, values: np.ndarray) -> None:
        end = self.n_rows + len(values)
        if end > len(self.values):
            self.values = np.append(self.values[: self.n_rows], np.empty(end // 8 + len(values)))
        self.values[self.n_rows : end] = values
        self.n_rows = end

    def _null_where_missing(self, texts):
        import pyarrow as pa
        from pyarrow import compute

        texts = compute.utf8_trim_whitespace(texts)
        missing = compute.is_in(texts, value_set=pa.array(self.missing, pa.string()))
        self.absent.update(texts.filter(missing).to_pylist())
        return compute.if_else(missing, pa.scalar(None, pa.string()), texts)

    def holds(self) -> bool:
        """Is it certain what the numbers are?"""
        return not (self.grouped and self.fractions)

    def column(self, name: str, original: str) -> RawColumn:
        """The raw column; the values are given up."""
        values, self.values = self.values[: self.n_rows], np.empty(0)
        column = number_column(name, original, values, decimal="." if self.separated else "")
        return replace(column, absent=tuple(self.absent.items())) if self.absent else column


def _numbers(texts) -> np.ndarray | None:
    """float64 (n,), NaN for null; None when a text is no number as Arrow reads them."""
    import pyarrow as pa
    from pyarrow import compute

    try:
        return compute.cast(texts, pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None


def _is_number(text: str) -> bool:
    import pyarrow as pa

    return _numbers(pa.array([text.strip()])) is not None


def _any(texts, pattern: str) -> bool:
    """Has any text a part that matches the regular expression (RE2)?"""
    from pyarrow import compute

    return bool(compute.any(compute.match_substring_regex(texts, pattern=pattern)).as_py())


class Wanted(NamedTuple):
    """How many columns a file has, and the places of those that are read."""

    n_columns: int
    places: tuple[int, ...]


class ColumnBlocks:
    """The columns of a file as its blocks come in.

    n_blocks : how many there will be, about. as_text : places of columns that are kept as texts in any case.
    """

    def __init__(self, n_columns: int, n_blocks: float, options: ReadOptions, as_text: Iterable[int] = ()):
        self.options, self.as_text, self.expected_blocks = options, set(as_text), n_blocks
        self.columns: list[TextBlocks | NumberBlocks | None] = [TextBlocks() for _ in range(n_columns)]
        self.n_rows = self.n_blocks = 0

    def add(self, block) -> None:
        """The next rows, a pyarrow RecordBatch of strings."""
        if block.num_rows == 0:
            return
        if self.n_blocks == 1 and self.options.decimal != ",":
            self._choose_numbers()
        self.n_rows += block.num_rows
        self.n_blocks += 1
        for place, column in enumerate(self.columns):
            if column is not None and not column.add(block.column(place)):
                self.columns[place] = None

    def _choose_numbers(self) -> None:
        """After the first of several blocks: which columns go on as numbers."""
        expected = int(1.05 * self.expected_blocks * self.n_rows)
        for place, column in enumerate(self.columns):
            if place not in self.as_text and isinstance(column, TextBlocks) and column.keeps_many():
                numbers = NumberBlocks(self.options, expected)
                self.columns[place] = numbers if numbers.add(column.first_block()) else column

    def lost(self) -> set[int]:
        """Places of columns that went on as numbers and should not have: to be read again as texts."""
        return {place for place, column in enumerate(self.columns) if column is None or not column.holds()}

    def last_cells(self) -> list[str]:
        """The last row, '' for numbers."""
        return [column.last for column in self.columns]

    def raw_columns(self, names: Sequence[str], originals: Sequence[str]) -> tuple[RawColumn, ...]:
        """The raw columns; what was gathered goes column by column, so that both are never there at once."""
        return tuple(column.column(*called) for column, *called in zip(self.columns, names, originals, strict=True))


# The rows of a text file as Arrow splits them, block by block.

RECORD_BYTES = 1 << 26  # of one row; Arrow takes ten times as much memory for it
WIDER = 4  # how many times larger blocks become for a record that does not fit into one


class LongRecord(Exception):
    """A record is longer than a block: a cell between quotes, or a line of very many columns."""


def read_blocks(
    rows: memoryview, wanted: Wanted, found: Dialect, options: ReadOptions, block_bytes: int
) -> tuple[ColumnBlocks, int]:
    """(the columns, how many records were rejected). Where numbers turn out to be something else it reads twice.

    LongRecord when one does not fit into blocks of this size.
    """
    as_text: set[int] = set()
    while True:
        start = partial(ColumnBlocks, len(wanted.places), len(rows) / block_bytes, options, tuple(as_text))
        gathered, n_rejected = _gathered(rows, wanted, found, start, block_bytes)
        if not gathered.lost():
            return gathered, n_rejected
        as_text |= gathered.lost()


def read_long_blocks(
    rows: memoryview, wanted: Wanted, found: Dialect, options: ReadOptions, block_bytes: int
) -> tuple[ColumnBlocks, int]:
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
    rows: memoryview, wanted: Wanted, found: Dialect, start: Callable[[], ColumnBlocks], block_bytes: int
) -> tuple[ColumnBlocks, int]:
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
    none: dict[str, list[str]] = {"null_values": [], "true_values": [], "false_values": []}
    return arrow_csv.open_csv(
        pa.py_buffer(rows),
        read_options=arrow_csv.ReadOptions(column_names=handles, block_size=n_bytes),
        parse_options=parse,
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(read, pa.string()), include_columns=read, **none
        ),
    )


# The rows of a text file, and an account of every line: read, skipped and why, or blank.

NAMED = 10  # skipped lines named in a note


class TextRows(NamedTuple):
    """The columns as gathered, the lines left out, what every line is, and sentences for the user."""

    gathered: ColumnBlocks
    rejected: Rejected
    lines: LineCount
    notes: list[str]


def read_rows(
    text: bytes, begins: int, n_all: int, wanted: Wanted, found: Dialect, options: ReadOptions, block_bytes: int
) -> TextRows:
    """The rows from byte `begins` on, the beginning of the first of n_all lines.

    Arrow says nothing of a quote that swallows lines. So their number is held against that of the rows, and only
    where the two differ the quotes are looked at, and lines read without those that hold an ill one.
    RaggedLines where a line is no row, unless the options leave it out.
    """
    n_header = n_lines(text, 0, begins)
    try:
        gathered, n_rejected = read_blocks(memoryview(text)[begins:], wanted, found, options, block_bytes)
    except LongRecord:
        gathered, n_rejected = None, 0
    quoting = Quoting([])
    if found.quote and (gathered is None or gathered.n_rows + n_rejected < n_all):
        quoting = look_at_quotes(text, begins, found)
    if quoting.faults:
        text = without(text, quoting.faults)
    if quoting.faults or gathered is None:
        gathered, n_rejected = read_long_blocks(memoryview(text)[begins:], wanted, found, options, block_bytes)
    ragged = ragged_lines(text, found, wanted.n_columns, n_header) if n_rejected else Rejected()
    rejected = _together(quoting, ragged)
    if (quoting.faults and not options.skip_open_quotes) or (ragged.n_lines and not options.skip_ragged):
        raise RaggedLines.of(rejected, wanted.n_columns, gathered.n_rows, found.quote)
    lines = _account(n_header, n_all, gathered.n_rows, n_rejected, rejected, quoting)
    return TextRows(gathered, rejected, lines, [*_long_notes(lines, gathered.n_rows, quoting), *_skip_notes(rejected)])


def _together(quoting: Quoting, ragged: Rejected) -> Rejected:
    quotes = [fault.reject for fault in quoting.faults]
    listed = sorted([*quotes, *ragged.listed], key=lambda reject: reject.line)
    return Rejected(tuple(listed), sum(reject.n_lines for reject in quotes) + ragged.n_lines)


def _account(n_header: int, n_all: int, n_rows: int, n_ragged: int, rejected: Rejected, quoting: Quoting) -> LineCount:
    n_quotes = sum(fault.reject.n_lines for fault in quoting.faults)
    of_records = n_rows + n_ragged + quoting.n_more_lines
    of_rows = of_records - (rejected.n_lines - n_quotes)
    return LineCount(n_header, of_rows, rejected.n_lines, n_all - of_rows - rejected.n_lines)


def _long_notes(lines: LineCount, n_rows: int, quoting: Quoting) -> list[str]:
    more = lines.rows - n_rows
    if not more:
        return []
    return [
        f"Cells between quotes hold line breaks: {counted(n_rows, 'row')} were read from "
        f"{counted(lines.rows, 'line')}, the first of several lines at line {quoting.first_long}. "
        "If each line should be a row, choose no quotes."
    ]


def _skip_notes(rejected: Rejected) -> list[str]:
    ragged = [reject for reject in rejected.listed if not reject.quote]
    n_quotes = sum(reject.n_lines for reject in rejected.listed if reject.quote)
    notes = []
    if rejected.n_lines > n_quotes:
        notes.append(_skipped(rejected.n_lines - n_quotes, "with the wrong number of fields", ragged))
    if n_quotes:
        quotes = [reject for reject in rejected.listed if reject.quote]
        notes.append(_skipped(n_quotes, "with a quote that is not properly closed", quotes))
    return notes


def _skipped(n: int, why: str, rejects: list[Reject]) -> str:
    named = ", ".join(reject.lines for reject in rejects[:NAMED])
    more = ", ..." if n > sum(reject.n_lines for reject in rejects[:NAMED]) else ""
    return f"{counted(n, 'line')} {why} {'was' if n == 1 else 'were'} skipped: {named}{more}."
