"""The records of a text file one by one with their line numbers: slow, exact, used where numbers matter."""

import csv
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from treecore.data.raw import Dialect, Reject
from treecore.data.readers.dialect import reader_settings
from treecore.errors import TreecoreError

TEXT_KEPT = 1000  # rejected lines whose text is kept; the others keep only their numbers
TEXT_LENGTH = 200


class Record(NamedTuple):
    """Fields, the line the record starts at (from 1), and its text as it stands in the file."""

    fields: list[str]
    line: int
    text: str


def iterate_records(utf8: bytes, dialect: Dialect) -> Iterator[Record]:
    """Every record of the file, blank lines included."""
    with io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline="") as lines, _long_fields():
        taken: list[str] = []

        def remembering():
            for line in lines:
                taken.append(line)
                yield line

        reader = csv.reader(remembering(), **reader_settings(dialect))
        start = 1
        for fields in reader:
            yield Record(fields, start, "".join(taken))
            taken.clear()
            start = reader.line_num + 1


@contextmanager
def _long_fields():
    """The csv module refuses fields beyond 128 KB by a setting of the whole process; lift it meanwhile."""
    before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def is_blank(line: str) -> bool:
    """Whether there is nothing but ASCII white space in it (str.strip would also take a no-break space)."""
    return not line.strip(" \t\r\n\f\v")


def ragged_lines(utf8: bytes, dialect: Dialect, n_columns: int) -> tuple[Reject, ...]:
    """Every record that has not n_columns fields; TreecoreError when a quote is never closed."""
    rejects: list[Reject] = []
    record = None
    for record in iterate_records(utf8, dialect):
        if len(record.fields) != n_columns and not is_blank(record.text):
            text = record.text.rstrip("\r\n")[:TEXT_LENGTH] if len(rejects) < TEXT_KEPT else ""
            rejects.append(Reject(record.line, len(record.fields), n_columns, text))
    if record is not None:
        refuse_open_quote(record, dialect)
    return tuple(rejects)


def refuse_open_quote(last: Record, dialect: Dialect) -> None:
    """TreecoreError when the last record swallowed several lines because its quote is never closed."""
    if not dialect.quote or last.text.rstrip("\r\n").count("\n") == 0:
        return
    try:
        list(csv.reader(io.StringIO(last.text, newline=""), strict=True, **reader_settings(dialect)))
    except csv.Error as error:
        if "end of data" in str(error):
            raise TreecoreError(
                f"A quote ({dialect.quote}) opened in line {last.line} is never closed",
                where="Lines",
                remedy='Close it, or read the file without quotes (quote="").',
            ) from None
