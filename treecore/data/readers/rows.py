"""The rows of a text file, and an account of every line: read, skipped and why, or blank."""

from typing import NamedTuple

from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect, LineCount, RaggedLines, Reject, Rejected
from treecore.data.readers.blocks import LongRecord, read_blocks, read_long_blocks
from treecore.data.readers.gathered import Gathered, Wanted
from treecore.data.readers.lines import ragged_lines
from treecore.data.readers.quotes import Quoting, look_at_quotes, n_lines, without
from treecore.figures import counted

NAMED = 10  # skipped lines named in a note


class Rows(NamedTuple):
    """The columns as gathered, the lines left out, what every line is, and sentences for the user."""

    gathered: Gathered
    rejected: Rejected
    lines: LineCount
    notes: list[str]


def read_rows(
    text: bytes, begins: int, n_all: int, wanted: Wanted, found: Dialect, options: ReadOptions, block_bytes: int
) -> Rows:
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
    return Rows(gathered, rejected, lines, [*_long_notes(lines, gathered.n_rows, quoting), *_skip_notes(rejected)])


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
