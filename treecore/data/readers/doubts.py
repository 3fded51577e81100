"""Lines of a text file that are read as rows and may be none: said with their number and what can be done."""

from collections.abc import Sequence
from itertools import pairwise

from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect, Doubt
from treecore.data.readers.heading import heading

LISTED, SHOWN = 10, 60


def doubts_of(sample: str, dialect: Dialect, options: ReadOptions) -> tuple[Doubt, ...]:
    """The lines of words below the names, where the lines below them hold numbers."""
    if not dialect.header:
        return ()
    return tuple(_of_words(line, fields, options) for line, fields in heading(sample, dialect, options).doubtful)


def without_lines(utf8: bytes, lines: Sequence[int]) -> bytes:
    """The text with blank lines instead of these, so that the others keep their numbers. lines : from 1, ascending."""
    kept, at = [], 0
    for before, line in pairwise((0, *lines)):
        begin = at
        for _ in range(line - before - 1):
            at = _next_line(utf8, at)
        end = _next_line(utf8, at)
        kept += [utf8[begin:at], b"\n" * (end > at)]
        at = end
    return b"".join([*kept, utf8[at:]]) if lines else utf8


def _next_line(utf8: bytes, at: int) -> int:
    return utf8.find(b"\n", at) + 1 or len(utf8)


def listed_lines(lines: Sequence[int]) -> str:
    """'line 2' or 'lines 2, 7, 12'; the first of many."""
    more = ", ..." if len(lines) > LISTED else ""
    return f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines[:LISTED]))}{more}"


def _of_words(line: int, fields: list[str], options: ReadOptions) -> Doubt:
    text = ", ".join(field.strip() for field in fields)
    told = (
        f"Line {line} ('{text[:SHOWN]}') is read as a row, but holds words, such as names or units, where the lines "
        "below it hold numbers."
    )
    return Doubt(told, (leave_out((line,), options), (f"Line {line} holds the names", (("skip_lines", line - 1),))))


def leave_out(lines: tuple[int, ...], options: ReadOptions) -> tuple[str, tuple]:
    """The remedy that leaves these lines out, beside those that are left out already."""
    words = f"Leave {listed_lines(lines)} out"
    return words, (("without_lines", tuple(sorted({*options.without_lines, *lines}))),)
