"""The records of a text file one by one with their line numbers: slow, exact, used where numbers matter."""

import csv
import io
import sys
from collections.abc import Iterator
from typing import NamedTuple

from treecore.data.raw import Dialect, Reject, Rejected
from treecore.data.readers.dialect import reader_settings

TEXT_KEPT = 1000  # rejected lines whose text is kept; the others keep only their numbers
TEXT_LENGTH = 200
LISTED = 10_000  # rejected records that are listed; the others are only counted


class Record(NamedTuple):
    """Fields, the line the record starts at (from 1), its text as it stands in the file, and its number of lines."""

    fields: list[str]
    line: int
    text: str
    n_lines: int = 1


def iterate_records(utf8: bytes, dialect: Dialect) -> Iterator[Record]:
    """Every record of the file, blank lines included."""
    _allow_long_fields()
    with io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline="") as lines:
        taken: list[str] = []

        def remembering():
            for line in lines:
                taken.append(line)
                yield line

        reader = csv.reader(remembering(), **reader_settings(dialect))
        start = 1
        for fields in reader:
            yield Record(fields, start, "".join(taken), reader.line_num + 1 - start)
            taken.clear()
            start = reader.line_num + 1


def _allow_long_fields() -> None:
    """The csv module refuses fields beyond 128 KB by a setting of the whole process, so of every thread: lift it."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


def is_blank(line: str) -> bool:
    """Whether there is nothing but ASCII white space in it (str.strip would also take a no-break space)."""
    return not line.strip(" \t\r\n\f\v")


def ragged_lines(utf8: bytes, dialect: Dialect, n_columns: int, n_header: int) -> Rejected:
    """Every record below the header's lines that has not n_columns fields; the first of them are listed."""
    listed: list[Reject] = []
    n_lines = 0
    for record in iterate_records(utf8, dialect):
        if record.line > n_header and len(record.fields) != n_columns and not is_blank(record.text):
            n_lines += record.n_lines
            if len(listed) < LISTED:
                text = reject_text(record.text, len(listed))
                listed.append(Reject(record.line, len(record.fields), n_columns, text, record.n_lines))
    return Rejected(tuple(listed), n_lines)


def reject_text(text: str, nth: int) -> str:
    """What is kept of a rejected record: the beginning of its text, unless there are many before it."""
    return text.rstrip("\r\n")[:TEXT_LENGTH] if nth < TEXT_KEPT else ""
