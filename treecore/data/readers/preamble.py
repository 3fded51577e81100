"""Lines above the names: the title of a report, remarks behind a comment sign."""

import re
from collections import Counter
from typing import NamedTuple

from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect
from treecore.data.readers import dialect as dialects
from treecore.data.readers.encoding import decoded
from treecore.data.readers.heading import MOST_ABOVE, heading

REMARK = re.compile(r"\s*(#+|%+|//)(\s|$)")  # "#id" is a name, "# id" a remark
LINE = re.compile(r"[^\n]*\n|[^\n]+")  # str.splitlines() would also split at form feeds
AGREE = 0.9  # share of the lines below the names that have as many fields
MIN_BELOW = 2  # lines of as many fields below the names, or nothing is said
ABOVE, NAMES, ROW = "skipped", "names", "row"
SHOWN, SHOWN_LENGTH, HEAD_BYTES = 12, 200, 1 << 14


class FirstLine(NamedTuple):
    """One of the first lines of a file: its number from 1, what it is taken for, and its text."""

    line: int
    what: str
    text: str


def n_lines_above(sample: str, options: ReadOptions) -> int:
    """How many lines stand above the one of the names: as the options say, else found out from the sample."""
    if options.skip_lines is not None:
        return options.skip_lines
    if options.header is False:
        return 0
    lines = LINE.findall(sample)
    remarks = _leading_remarks(lines)
    above = remarks + _titles("".join(lines[remarks:]), options)
    rest = "".join(lines[above:])
    dialect = dialects.find_dialect(rest, "", options)
    is_open = options.header is None and dialect.header
    return above + (heading(rest, dialect, options).names - 1 if is_open else 0)


def without_above(utf8: bytes, n_lines: int) -> bytes:
    """The text with blank lines instead of the first ones, so that the others keep their numbers."""
    at = 0
    for _ in range(n_lines):
        at = utf8.find(b"\n", at) + 1 or len(utf8)
    return b"\n" * n_lines + utf8[at:] if n_lines else utf8


def without_remarks(utf8: bytes, sign: str) -> tuple[bytes, int]:
    """The text with blank lines instead of those that begin with the comment sign, and how many there were."""
    return re.subn(rb"(?m)^[ \t]*" + re.escape(sign.encode()) + rb"[^\r\n]*", b"", utf8)


def above_note(sample: str, n_lines: int) -> str:
    """What is said of the lines that were passed over; "" when nothing stands in them."""
    said = [line.strip(" \t\r\n,;|") for line in LINE.findall(sample)[:n_lines] if line.strip()]
    if not said:
        return ""
    lines = "line is" if n_lines == 1 else f"{n_lines} lines are"
    return (
        f"The first {lines} no part of the table ('{said[0][:60]}'): the names stand in line {n_lines + 1}. "
        "If that is wrong, change the number of lines above the names."
    )


def first_lines(head: bytes, options: ReadOptions) -> list[FirstLine]:
    """The first lines of a text file and what each is taken for; [] when the bytes are no text.

    head : its first bytes, HEAD_BYTES or more of them where there are as many.
    """
    try:
        text = decoded(head[: head.rfind(b"\n") + 1] or head, options.encoding, "").utf8.decode()
    except ValueError:
        return []
    above = n_lines_above(text, options)
    lines = LINE.findall(text)
    left_out = {line - 1 for line in options.without_lines}
    names = next((n for n, line in enumerate(lines) if n >= above and n not in left_out and line.strip()), above)
    has_names = dialects.find_dialect("".join(lines[names:]), "", options).header
    skipped = lambda n: n < names or n in left_out  # noqa: E731
    what = lambda n: ABOVE if skipped(n) else NAMES if n == names and has_names else ROW  # noqa: E731
    shown = lines[: max(SHOWN, names + SHOWN // 2)]
    return [FirstLine(n + 1, what(n), line.rstrip()[:SHOWN_LENGTH]) for n, line in enumerate(shown)]


def _leading_remarks(lines: list[str]) -> int:
    """How many lines at the beginning are remarks, or blank lines above one."""
    last = 0
    for n, line in enumerate(lines[:MOST_ABOVE], 1):
        if REMARK.match(line):
            last = n
        elif line.strip():
            break
    return last if any(line.strip() for line in lines[last:]) else 0


def _titles(sample: str, options: ReadOptions) -> int:
    """How many lines at the beginning have other fields than the table below them, its names included."""
    quote = dialects.quote_of(sample) if options.quote is None else options.quote
    delimiters = [options.delimiter] if options.delimiter else dialects.DELIMITERS
    found = [
        _begins(list(dialects.numbered_records(sample, Dialect("", delimiter, quote)))) for delimiter in delimiters
    ]
    return max((one for one in found if one), default=(0, True, 0, 0))[-1]


def _begins(records: list[tuple[int, list[str]]]) -> tuple[float, bool, int, int] | None:
    """(share of the records that agree, is nothing above, how many fields, lines above); None when that is open."""
    if len(records) <= MIN_BELOW:
        return None
    width = max(Counter(len(fields) for _, fields in records[1:]).items(), key=lambda item: (item[1], item[0]))[0]
    if width < 2:
        return None
    place = next((i for i, (_, f) in enumerate(records) if len(f) == width and not _is_title(f, width)), 0)
    below = [len(fields) == width for _, fields in records[place + 1 :]]
    share = round(sum(below) / max(len(below), 1), 1)
    names = records[place][1]
    is_sure = (
        share >= AGREE and len(below) >= MIN_BELOW and not any(dialects.NUMBER.fullmatch(n.strip()) for n in names)
    )
    if place == 0 or place > MOST_ABOVE or not is_sure or not _is_title(records[0][1], width):
        return share, True, width, 0
    return share, False, width, records[place][0] - 1


def _is_title(fields: list[str], width: int) -> bool:
    """One text alone, perhaps with empty fields beside it as a spreadsheet writes them; a name beside one is none."""
    return len(fields) == 1 or (width > 2 and sum(bool(field.strip()) for field in fields) == 1)
