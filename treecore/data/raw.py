"""A table as it was read, before anybody decides what its columns are."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from treecore.data.options import ReadOptions
from treecore.errors import TreecoreError

LISTED = 10  # rejected lines named in a message


class Reject(NamedTuple):
    """A line that has too few or too many fields; `line` counts from 1, as an editor does."""

    line: int
    n_fields: int
    expected: int
    text: str


class RaggedLines(TreecoreError):
    """Lines with too few or too many fields; `rejects` lists all of them."""

    rejects: tuple[Reject, ...] = ()

    @classmethod
    def of(cls, rejects: tuple[Reject, ...], n_columns: int) -> "RaggedLines":
        listed = "; ".join(f"line {r.line} has {r.n_fields}" for r in rejects[:LISTED])
        more = f"; and {len(rejects) - LISTED} more" if len(rejects) > LISTED else ""
        noun = "line has" if len(rejects) == 1 else "lines have"
        error = cls(
            f"{len(rejects)} {noun} not the {n_columns} fields of the header: {listed}{more}",
            where="Lines",
            remedy="Correct the lines, choose another delimiter, or read the file without them (skip_ragged).",
        )
        error.rejects = tuple(rejects)
        return error


@dataclass(frozen=True)
class Dialect:
    """How a text file is written; `header` says whether its first line held the names."""

    encoding: str
    delimiter: str
    quote: str = '"'
    header: bool = True
    space_after_delimiter: bool = False


@dataclass(frozen=True, eq=False)
class RawColumn:
    """A column as codes into its distinct cells, so that every later step looks at each cell once.

    codes : int32 (n_rows,), -1 where the source has no value.
    content : what `cells` holds. "text": pyarrow string array (k,); "number": float64 (k,);
        "date": datetime64[s] (k,); "levels": tuple of str, declared by the source. Numbers ascend.
    original : the name in the source, when it had to be changed.
    decimal : the decimal sign that "number" cells were seen to have as texts; "" where there was none.
    """

    name: str
    original: str
    codes: np.ndarray
    cells: object
    content: str = "text"
    ordered: bool = False
    boolean: bool = False
    decimal: str = ""

    @property
    def n_rows(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns read from one source, with what was found out and what was done on the way.

    rejects : lines skipped because they are ragged. notes : sentences for the user.
    fingerprint : sha256 of the source's content and the options.
    """

    columns: tuple[RawColumn, ...]
    n_rows: int
    source: str
    fingerprint: str
    options: ReadOptions = field(default_factory=ReadOptions)
    dialect: Dialect | None = None
    rejects: tuple[Reject, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def _by_name(self) -> dict[str, RawColumn]:
        return {column.name: column for column in self.columns}

    def column(self, name: str) -> RawColumn:
        """The column called `name`; TreecoreError naming the columns there are."""
        from treecore.data.table import no_such_column

        if name not in self._by_name:
            raise no_such_column(name, self.names)
        return self._by_name[name]

    @cached_property
    def number_readings(self) -> dict:
        """NumberReading of each column by name; see treecore.data.numbers."""
        from treecore.data.numbers import number_readings

        return number_readings(self)

    @cached_property
    def guesses(self) -> tuple:
        """ColumnGuess of each column; see treecore.data.infer."""
        from treecore.data.infer import guessed

        return guessed(self)

    @property
    def decimal(self) -> str:
        """The decimal sign of the numbers in this file, "." unless they say otherwise."""
        from treecore.data.numbers import file_decimal

        return file_decimal(self.number_readings.values(), self.options) or "."


def bytes_fingerprint(data: bytes, options: ReadOptions) -> str:
    """sha256 of a file's bytes and of the options it is read with."""
    digest = hashlib.sha256(data)
    digest.update(repr(options).encode())
    return digest.hexdigest()
