"""Lines of a text file that may be rows or none: said with their number and what can be done."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect, Doubt, RawColumn
from treecore.data.readers.heading import heading
from treecore.data.readers.lines import iterate_records

LISTED, SHOWN = 10, 60
NUMBERED = "The first line holds only numbers, so it was read as a row and the columns were numbered."
ARE_NAMES = ("The first line holds the names", (("header", True),))
FRACTION = re.compile(r"\d[.,]\d")


def doubts_of(sample: str, dialect: Dialect, options: ReadOptions) -> tuple[Doubt, ...]:
    """The first line, where it could be names as well as a row, and lines of words below the names."""
    if not dialect.header:
        return () if options.header is False else (Doubt(NUMBERED, (ARE_NAMES,)),)
    found = heading(sample, dialect, options)
    is_open = options.header is None and found.could_be_row and not _is_run(found.could_be_row)
    return (*([_of_first(found.could_be_row)] if is_open else []), *_of_words(found.doubtful, options))


def _of_first(cells: Sequence[str]) -> Doubt:
    told = f"The first line ('{_text(cells)}') was read as the names, but holds numbers where the lines below do, too."
    return Doubt(told, (("The first line is a row", (("header", False),)), ARE_NAMES))


def _is_run(cells: Sequence[str]) -> bool:
    """Are the numbers among the cells whole and one step apart, as years over columns are?"""
    numbers = [int(cell) for cell in map(str.strip, cells) if cell.isascii() and cell.isdigit()]
    steps = {after - before for before, after in pairwise(numbers)}
    return len(steps) == 1 and steps != {0} and not any(FRACTION.search(cell) for cell in cells)


def _text(cells: Sequence[str]) -> str:
    return ", ".join(cell.strip() for cell in cells)[:SHOWN]


def _of_words(doubtful: Sequence[tuple[int, list[str]]], options: ReadOptions) -> tuple[Doubt, ...]:
    """What is said of these (line, cells) below the names; () where there are none."""
    if not doubtful:
        return ()
    lines = tuple(line for line, _ in doubtful)
    last, text = lines[-1], _text(doubtful[-1][1])
    is_read = "is read as a row, but holds" if len(lines) == 1 else "are read as rows, but hold"
    told = (
        f"{listed_lines(lines).capitalize()} ('{text}') {is_read} words, such as names or units, that the "
        "lines below do not hold."
    )
    remedies = (leave_out(lines, options), (f"Line {last} holds the names", (("skip_lines", last - 1),)))
    return (Doubt(told, remedies),)


def repeated_names(utf8: bytes, names: Sequence[str], columns: Sequence[RawColumn], dialect: Dialect) -> list[int]:
    """The lines that hold the names once more, read as rows: where files were put one below the other.

    names : as they stand in the file. columns : of all rows, which tell quickly whether there are such lines.
    """
    if not dialect.header or not _is_any_row(columns):
        return []
    found = [record.line for record in iterate_records(utf8, dialect) if record.fields == list(names)]
    return found[1:]


def of_repeated_names(lines: Sequence[int], options: ReadOptions) -> tuple[Doubt, ...]:
    """What is said of lines that repeat the names; () where there are none."""
    if not lines:
        return ()
    verbs = "repeats the names and is read as a row" if len(lines) == 1 else "repeat the names and are read as rows"
    return (Doubt(f"{listed_lines(lines).capitalize()} {verbs}.", (leave_out(tuple(lines), options),)),)


def _is_any_row(columns: Sequence[RawColumn]) -> bool:
    """Does any row hold the names?"""
    rows = np.arange(columns[0].n_rows)
    for column in columns:
        code = _code_of(column.original, column)
        rows = rows[column.codes[rows] == code] if code >= 0 else rows[:0]
        if not len(rows):
            return False
    return True


def _code_of(cell: str, column: RawColumn) -> int:
    """The code of a text, -1 where it does not occur."""
    from pyarrow import compute

    return compute.index(column.cells, cell).as_py() if column.content == "text" else -1


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


def leave_out(lines: tuple[int, ...], options: ReadOptions) -> tuple[str, tuple]:
    """The remedy that leaves these lines out, beside those that are left out already."""
    words = f"Leave {listed_lines(lines)} out"
    return words, (("without_lines", tuple(sorted({*options.without_lines, *lines}))),)
