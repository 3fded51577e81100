"""A table as it was read, before anybody decides what its columns are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.data.column import Column
from treecore.data.kinds import ColumnGuess, guessed
from treecore.data.number_reading import NumberReading, file_decimal, number_readings
from treecore.data.options import ReadOptions
from treecore.data.raw import Dialect, Doubt, LineCount, RawColumn, Reject, merged_by_spaces, merged_unseen
from treecore.data.table import no_such_column
from treecore.data.vocabulary import codes_like_missing, telling_doubt


@dataclass(frozen=True, eq=False, repr=False)
class RawTable(Brief):
    """Columns read from one source, with what was found out and what was done on the way.

    rejects : the first of the lines skipped because they are no rows. lines : what every line of a text file is.
    notes : sentences for the user. doubts : those of them that have remedies.
    fingerprint : sha256 of the source's content and the options.
    reader : what has read it, by its name in READERS.
    head : the beginning of a sheet as the text that it was read as; b"" for other files.
    parts : the tables of the file, such as a workbook's sheets, where there are several. part : the one that was read.
    labels : {column: what the source says that it holds}.
    """

    columns: tuple[RawColumn, ...]
    n_rows: int
    source: str
    fingerprint: str
    options: ReadOptions = field(default_factory=ReadOptions)
    dialect: Dialect | None = None
    rejects: tuple[Reject, ...] = ()
    notes: tuple[str, ...] = ()
    lines: LineCount | None = None
    doubts: tuple[Doubt, ...] = ()
    reader: str = ""
    head: bytes = b""
    parts: tuple[str, ...] = ()
    part: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @cached_property
    def _by_name(self) -> dict[str, RawColumn]:
        return {column.name: column for column in self.columns}

    def column(self, name: str) -> RawColumn:
        """The column called `name`; TreecoreError naming the columns there are."""
        if name not in self._by_name:
            raise no_such_column(name, self.names)
        return self._by_name[name]

    @cached_property
    def encoded(self) -> dict:
        """The columns that were encoded last, by name, each with what was asked of it."""
        return {}

    @cached_property
    def number_readings(self) -> dict[str, NumberReading]:
        """Every column read as numbers, by name."""
        return number_readings(self.columns, self.options, self.dialect.delimiter if self.dialect else None)

    @cached_property
    def value_options(self) -> ReadOptions:
        """The options, and in which columns NA is a code."""
        result = codes_like_missing(self.columns, self.options)
        known = tuple((result | dict(self.options.not_missing)).items())
        return replace(self.options, not_missing=known) if result else self.options

    @property
    def decimals(self) -> tuple[tuple[str, str], ...]:
        """The decimal sign that was taken in each column that could have another: so that its like is read alike."""
        settled = {name: reading.formats[0].decimal for name, reading in self.number_readings.items() if reading.other}
        return tuple(sorted((dict(self.options.decimals) | settled).items()))

    @cached_property
    def guesses(self) -> tuple[ColumnGuess, ...]:
        """What each column probably is."""
        return guessed(self.columns, self.number_readings, self.value_options)

    @property
    def column_doubts(self) -> list[tuple[str, Doubt]]:
        """(column, what its cells were taken to mean where they could mean something else)."""
        return [(guess.name, doubt) for guess in self.guesses for doubt in guess.doubts]

    def telling_doubts(self, target: Column, rows: np.ndarray | None = None) -> list[tuple[str, Doubt]]:
        """(column, what is said of words read as missing that tell something of the target).

        rows : int (n,), those of this table that the target's are; None for all.
        """
        rows = np.arange(self.n_rows) if rows is None else rows
        gaps = [c for c, guess in zip(self.columns, self.guesses, strict=True) if guess.doubts and c.content == "text"]
        result = ((column.name, telling_doubt(column, self.value_options, target, rows)) for column in gaps)
        return [(name, doubt) for name, doubt in result if doubt]

    @property
    def is_open(self) -> bool:
        """Should the user say something of the lines, or of what cells mean, before going on?"""
        return any(doubt.is_open for doubt in (*self.doubts, *(doubt for _, doubt in self.column_doubts)))

    @cached_property
    def merged(self) -> dict[str, list[tuple[str, int]]]:
        """Words that were made the same as others, which differ by spaces around them, by column; see raw."""
        return self._merged(merged_by_spaces)

    @cached_property
    def merged_unseen(self) -> dict[str, list[tuple[str, int]]]:
        """The same of words that differ by signs that cannot be seen, or by how accents are written."""
        return self._merged(merged_unseen)

    def _merged(self, of_column: Callable) -> dict[str, list[tuple[str, int]]]:
        columns = [c for c, guess in zip(self.columns, self.guesses, strict=True) if guess.kind != "numeric"]
        result = {column.name: of_column(column, self.value_options) for column in columns}
        return {name: words for name, words in result.items() if words}

    @property
    def decimal(self) -> str:
        """The decimal sign of the numbers in this file, "." unless they say otherwise."""
        return file_decimal(self.number_readings.values(), self.options) or "."


def infer_kinds(raw: RawTable) -> tuple[ColumnGuess, ...]:
    """One guess per column, in the order of the columns. The same object is returned for the same table."""
    return raw.guesses
