"""Delimiter, quote and header of a text file, found from its first lines."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_BYTES = 1 << 16
SAMPLE_RECORDS = 200
MIN_RECORDS_FOR_SHIFT = 3  # fewer rows with one field too many are simply ragged
NUMBER = re.compile(r"[+-]?(\d[\d.,' ]*|[.,]\d+)([eE][+-]?\d+)?")


def find_dialect(sample: str, encoding: str, options: ReadOptions) -> Dialect:
    """The dialect of the text; what `options` sets is taken as given.

    sample : the first lines of the file, without a cut line at the end.
    """
    quote = quote_of(sample) if options.quote is None else options.quote
    delimiter = options.delimiter or _delimiter(sample, quote)
    spaces = (
        bool(quote)
        and delimiter != " "
        and bool(re.search(re.escape(delimiter) + " +" + re.escape(quote), _without_quoted(sample, quote)))
    )
    dialect = Dialect(encoding, delimiter, quote, True, spaces)
    header = options.header
    if header is None:
        first = next(iter(records(sample, dialect)), [])
        known = [cell.strip() for cell in first if cell.strip()]
        header = not known or not all(NUMBER.fullmatch(cell) for cell in known)
    return Dialect(encoding, delimiter, quote, header, spaces)


def reader_settings(dialect: Dialect) -> dict:
    """The dialect in the words of Python's csv module."""
    quoting = {"quotechar": dialect.quote} if dialect.quote else {"quoting": csv.QUOTE_NONE}
    return {"delimiter": dialect.delimiter, "skipinitialspace": dialect.space_after_delimiter, **quoting}


def records(sample: str, dialect: Dialect) -> list[list[str]]:
    """The first records of the sample that are not blank."""
    lines = io.StringIO(sample, newline="")  # not splitlines(): that also splits at form feeds and U+2028
    kept = (record for record in csv.reader(lines, **reader_settings(dialect)) if any(map(str.strip, record)))
    return list(islice(kept, SAMPLE_RECORDS))


def numbered_records(sample: str, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """(line, fields) of the first records that are not blank."""
    reader, line = csv.reader(io.StringIO(sample, newline=""), **reader_settings(dialect)), 1
    for fields in islice(reader, SAMPLE_RECORDS):
        if any(map(str.strip, fields)):
            yield line, fields
        line = reader.line_num + 1


def other_delimiter(sample: str, dialect: Dialect) -> str | None:
    """A delimiter that would split the sample into more columns than this one-column reading."""
    better = _delimiter(sample, dialect.quote, (*DELIMITERS, ":", " "))
    split = _agreement(sample, better, dialect.quote)
    return better if better != dialect.delimiter and split[1] > 1 and split[0] > 0.9 else None


def _delimiter(sample: str, quote: str, candidates: tuple[str, ...] = DELIMITERS) -> str:
    """The candidate whose records agree best with the header's width; a comma when none splits the header."""
    scores = {candidate: _agreement(sample, candidate, quote) for candidate in candidates}
    splitting = [candidate for candidate in candidates if scores[candidate][1] > 1]
    return max(splitting, key=lambda candidate: scores[candidate], default=",")


def _agreement(sample: str, delimiter: str, quote: str) -> tuple[float, int]:
    """(share of the records as wide as the header to one decimal, the header's width).

    A header one field short of nearly all records (row names) counts as agreeing.
    """
    widths = [len(record) for record in records(sample, Dialect("", delimiter, quote))]
    if not widths:
        return 0.0, 0
    same = sum(width == widths[0] for width in widths[1:])
    shifted = sum(width == widths[0] + 1 for width in widths[1:])
    body = max(len(widths) - 1, 1)
    share = max(same, shifted if len(widths) > MIN_RECORDS_FOR_SHIFT else 0) / body if len(widths) > 1 else 1.0
    return round(share, 1), widths[0]


def quote_of(sample: str) -> str:
    """The double quote, unless fields are plainly wrapped in single ones."""
    single = len(re.findall(r"(?:^|[,;\t|])'[^'\r\n]*'(?=[,;\t|\r\n]|$)", sample, flags=re.MULTILINE))
    return "'" if single >= 3 and single > 2 * sample.count('"') else '"'


def _without_quoted(sample: str, quote: str) -> str:
    """The sample with the inside of properly quoted fields removed."""
    q = re.escape(quote)
    return re.sub(f"(?<![^,;\\t|\\r\\n]){q}[^{q}]*{q}", quote * 2, sample)
