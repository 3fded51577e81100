"""Quotes of a text file: which cells stretch over several lines, and which quotes are never properly closed.

A quote that is not closed swallows the lines that follow, up to the next quote or to the end of the file. Here one
regular expression runs from one cell with a line break to the next: 100 MB take less than a second and no memory
besides, where Python's csv module builds each cell in four times its size.
"""

import re
from typing import NamedTuple

import numpy as np

from treecore.data.raw import NEVER_CLOSED, WRONGLY_CLOSED, Dialect, Reject
from treecore.data.readers.dialect import TEXT_LENGTH, reject_text
from treecore.errors import TreecoreError

ENDS = b"\r\n"
SOMETHING = re.compile(rb"\S")
LINE_END = re.compile(rb"\r\n?|\n")
CHUNK = 1 << 18
MOST_FAULTS = 10_000  # with more of them quotes mean something else in this file


ESCAPED = re.compile(rb'(?:(?<=[,;\t|\r\n])|\A)"(?:[^"\\\r\n]|\\.)*+"(?=[,;\t|\r\n]|\Z)')
INNER = re.compile(rb'\\"[^,;\t|\r\n"]')
"""A cell between quotes in which one stands behind a backslash, and that one neither doubled nor at the cell's end."""
PATH = re.compile(rb'(?:(?<=[,;\t|\r\n])|\A)"(?:[^"\\\r\n]|\\[^"\r\n])*+\\"(?=[,;\t|\r\n]|\Z)')  # "C:\\data\\"
ESCAPED_CELL = re.compile(rb'(?:(?<=[,;\t|\r\n])|\A)"(?:[^"\\]|\\.|"")*+"(?=[ \t]*(?:[,;\t|\r\n]|\Z))', re.DOTALL)
LOOKED_AT = 1 << 20  # bytes from the first backslash before a quote on


class Fault(NamedTuple):
    """Lines from byte `start` to byte `end` that hold an ill quote, as what is to be said of them."""

    start: int
    end: int
    reject: Reject


class Quoting(NamedTuple):
    """The faults; records that stretch over several lines, their lines beyond one each, the line of the first."""

    faults: list[Fault]
    n_long: int = 0
    n_more_lines: int = 0
    first_long: int = 0


class _Patterns(NamedTuple):
    """within : everything up to a cell that holds a line break; rest : the same up to the end of the line.

    cell : a cell between quotes, whatever it holds; its group is the closing quote, empty where there is none.
    closed : what may follow it.
    """

    within: re.Pattern
    rest: re.Pattern
    cell: re.Pattern
    closed: re.Pattern


def is_backslash_before_quotes(text: bytes) -> bool:
    """Do cells between double quotes write a quote of their own with a backslash before it?"""
    first = text.find(b'\\"')
    if first < 0:
        return False
    begins = max(text.rfind(b"\n", 0, first), 0)
    part = text[begins : begins + LOOKED_AT]
    return sum(INNER.search(cell) is not None for cell in ESCAPED.findall(part)) > len(PATH.findall(part))


def with_doubled_quotes(text: bytes) -> bytes:
    """The text with quotes doubled that have a backslash before them in a cell between quotes; lines stay lines."""
    double = lambda sign: b'""' if sign[1] == b'"' else sign[1]  # noqa: E731
    inner = re.compile(rb'\\(["\\])')
    cell = lambda found: b'"' + inner.sub(double, found[0][1:-1]) + b'"' if b"\\" in found[0] else found[0]  # noqa: E731
    return ESCAPED_CELL.sub(cell, text)


def n_lines(text: bytes, start: int = 0, end: int | None = None) -> int:
    """How many lines there are from byte start to byte end, by the ends of Unix, Windows and old Macs."""
    end = len(text) if end is None else end
    ends = _count(text, b"\n", start, end)
    n_returns = _count(text, b"\r", start, end) if text.find(b"\r", start, end) >= 0 else 0
    if n_returns:
        ends += n_returns - text.count(b"\r\n", start, end)
    return ends + (end > start and text[end - 1] not in ENDS)


def _count(text: bytes, byte: bytes, start: int, end: int) -> int:
    """How often the byte occurs; in many bytes by NumPy, which takes a fifth of the time where it occurs often."""
    if end - start < CHUNK:
        return text.count(byte, start, end)
    whole = np.frombuffer(text, dtype=np.uint8)[start:end]
    chunks = (whole[at : at + CHUNK] for at in range(0, len(whole), CHUNK))
    return sum(int(np.count_nonzero(chunk == byte[0])) for chunk in chunks)


def look_at_quotes(text: bytes, start: int, dialect: Dialect) -> Quoting:
    """What the quotes do to the lines from byte `start` on, the beginning of a line.

    After a line with an ill quote reading begins afresh. TreecoreError when there are too many of them.
    """
    patterns = _patterns(dialect.quote.encode(), dialect.delimiter.encode())
    result, at, line = Quoting([]), start, n_lines(text, 0, start) + 1
    while len(result.faults) <= MOST_FAULTS:
        opens = patterns.within.match(text, at).end()
        if opens == len(text):
            return result
        begins = max(text.rfind(b"\n", at, opens), text.rfind(b"\r", at, opens), at - 1) + 1
        line += n_lines(text, at, begins)
        last, why = _record(text, opens, patterns)
        at = _next_line(text, last)
        n = n_lines(text, begins, at)
        if why:
            head = text[begins : min(at, begins + 4 * TEXT_LENGTH)].decode("utf-8", errors="ignore")
            reject = Reject(line, 0, 0, reject_text(head, len(result.faults)), n, why)
            result.faults.append(Fault(begins, at, reject))
        else:
            result = Quoting(result.faults, result.n_long + 1, result.n_more_lines + n - 1, result.first_long or line)
        line += n
    raise TreecoreError(
        f"More than {MOST_FAULTS:,} quotes ({dialect.quote}) are never properly closed, the first one in line "
        f"{result.faults[0].reject.line}",
        where="Lines",
        remedy="Read the file without quotes",
        setting='quote=""',
    )


def refuse_ill_header(text: bytes, dialect: Dialect) -> None:
    """TreecoreError when a quote that opens in the first line that is not blank is never properly closed."""
    first = SOMETHING.search(text)
    if not dialect.quote or first is None:
        return
    patterns = _patterns(dialect.quote.encode(), dialect.delimiter.encode())
    begins = max(text.rfind(b"\n", 0, first.start()), text.rfind(b"\r", 0, first.start())) + 1
    ends = LINE_END.search(text, first.start())
    opens = patterns.within.match(text, begins, ends.end() if ends else len(text)).end()
    why = _record(text, opens, patterns)[1] if ends and opens < ends.end() else ""
    if why:
        raise TreecoreError(
            f"A quote ({dialect.quote}) opened in line {n_lines(text, 0, begins) + 1}, the one of the names, {why}",
            where="Lines",
            remedy="Close it, or read the file without quotes",
            setting='quote=""',
        )


def without(text: bytes, faults: list[Fault]) -> bytes:
    """The text with blank lines instead of the faulty ones, so that the others keep their numbers."""
    parts: list[memoryview | bytes] = []
    at, whole = 0, memoryview(text)
    for fault in faults:
        parts += [whole[at : fault.start], b"\n" * fault.reject.n_lines]
        at = fault.end
    return b"".join([*parts, whole[at:]])


def without_spaces(text: bytes, dialect: Dialect) -> bytes:
    """The text without spaces at the beginning of its cells, where Arrow would not see the quote behind them."""
    q, d = re.escape(dialect.quote.encode()), re.escape(dialect.delimiter.encode())
    begins = rb"(?:(?<=[" + d + rb"\r\n])|\A)"
    closed = q + rb"(?=[ \t]*(?:[" + d + rb"\r\n]|\Z))"
    spaced = re.compile(begins + b"( *+)" + _cell(q, b"") + closed + b"|" + begins + b" ++")
    kept, at, whole = bytearray(), 0, memoryview(text)
    for result in spaced.finditer(text):
        after = result.end() if result.group(1) is None else result.end(1)
        if after > result.start():
            kept += whole[at : result.start()]
            at = after
    kept += whole[at:]
    return bytes(kept)


def _record(text: bytes, opens: int, patterns: _Patterns) -> tuple[int, str]:
    """(a byte of the last line to take, what is ill); the record's first cell with a line break opens at `opens`."""
    while True:
        cell = patterns.cell.match(text, opens)
        if not cell.group(1):
            return opens, NEVER_CLOSED
        if not patterns.closed.match(text, cell.end()):
            return opens, WRONGLY_CLOSED
        ends = patterns.rest.match(text, cell.end()).end()
        if ends == len(text) or text[ends] in ENDS:
            return ends, ""
        opens = ends


def _next_line(text: bytes, at: int) -> int:
    """Where the line after the one at this byte begins."""
    result = LINE_END.search(text, at)
    return result.end() if result else len(text)


def _cell(q: bytes, stop: bytes) -> bytes:
    """A cell between quotes without the closing one; two quotes in it stand for one. stop : what it may not hold."""
    return q + b"(?:[^" + q + stop + b"]++|" + q + q + b")*+"


def _patterns(quote: bytes, delimiter: bytes) -> _Patterns:
    """A cell is quoted when a quote stands at its beginning; any other quote is a character like all others."""
    q, d = re.escape(quote), re.escape(delimiter)
    before = b"[" + d + rb"\r\n]"
    no_cell = q + b"(?<!" + before + q + rb")(?<!\A" + q + b")"
    one_of = [b"[^" + q + stop + b"]++|" + no_cell + b"|" + _cell(q, rb"\r\n") + q for stop in (b"", rb"\r\n")]
    within, rest = (re.compile(b"(?:" + one + b")*+") for one in one_of)
    return _Patterns(
        within, rest, re.compile(_cell(q, b"") + b"(" + q + b"?)"), re.compile(rb"[ \t]*(?:" + before + rb"|\Z)")
    )
