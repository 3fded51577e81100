"""How to read a file: everything a user may set, and what a missing value looks like."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from treecore.errors import TreecoreError

MOST_LINES = 1 << 31
SPREADSHEET_ERRORS = (
    *("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"),
    *("#NV", "#WERT!", "#BEZUG!", "#ZAHL!", "#N/D", "#N/B", "#VALEUR!", "#NOMBRE!", "#NOM?", "#NOME?", "#VALORE!"),
)
DATABASE_NULLS = ("\\N", "(null)", "(NULL)", "<null>", "<NULL>", "[null]", "[NULL]", "NaT")
MISSING_TOKENS = (
    *("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "?", "<NA>"),
    *(*SPREADSHEET_ERRORS, *DATABASE_NULLS),
)
# These are values of their own in a column of words ("None" is a level of Patrons, "-" a blood factor),
# and missing only where everything else is a number.
MISSING_AMONG_NUMBERS = ("None", "none", "-", "--", "–", "—", ".", "missing", "Missing")


@dataclass(frozen=True)
class ReadOptions:
    """None means: find out from the file.

    encoding : a Python codec name such as "utf-8", "cp1252".
    delimiter : one character between the fields; quote : one character around them, "" for none. escape : the sign
        before quotes within cells, a backslash, or "" for none.
    decimal : "." or ","; the other of the two may then separate thousands. decimals : {column: "." or ","} for those in
        which 1.234 could be either.
    header : whether the first line holds the names.
    skip_lines : lines above the names that are no part of the table. comment : a sign such as "#"; lines that begin
        with it are left out. "" and None for none: lines of remarks above the names are found without it.
    footer : how many lines at the end are no rows, such as totals and remarks; 0 for none.
    without_lines : lines, from 1, that are left out, such as one of units below the names.
    dayfirst : whether 3/4/2020 is the 3rd of April. not_dates : columns that hold none, though 20240131 looks like one.
    skip_ragged : leave out lines with too few or too many fields instead of stopping.
    skip_open_quotes : leave out lines in which a quote opens that is never properly closed.
    missing : cells that are missing values everywhere; missing_among_numbers : only in a numeric column;
    extra_missing : more tokens of the first sort. not_missing : {column: words} that are words there, whatever the
        others say; a column with none of them has no such word though it looks like one, as NA among codes.
    missing_in : {column: words} that are missing values in this column alone, such as 9999 among ages; numbers whatever
        way they are written.
    same_levels : {column: {spelling: level}}: words of this column that are another of its words in another spelling.
    distinct_rows : whether of rows that are equal in every column the first one alone is read.
    keep_spaces : whether words that differ only by spaces around them, by signs that cannot be seen (a zero-width
        space) or by how accents are written are different; else they are the same.
    part : of several tables in one file the one that is read: a workbook's sheet, a file in an archive, an object of
        R's; None for the first.
    columns : those that are read, by name; () for all. max_columns : refuse a table of more, unless columns says which.
    max_bytes : refuse larger sources, and what a compressed one unpacks to. max_memory : refuse a table that would take
        about so many bytes once it is read, which a small file can; None for a quarter of what the machine has.
    """

    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    escape: str | None = None
    decimal: str | None = None
    decimals: tuple[tuple[str, str], ...] = ()
    header: bool | None = None
    skip_lines: int | None = None
    comment: str | None = None
    footer: int | None = None
    without_lines: tuple[int, ...] = ()
    dayfirst: bool | None = None
    not_dates: tuple[str, ...] = ()
    skip_ragged: bool = False
    skip_open_quotes: bool = False
    missing: tuple[str, ...] = MISSING_TOKENS
    missing_among_numbers: tuple[str, ...] = MISSING_AMONG_NUMBERS
    extra_missing: tuple[str, ...] = ()
    not_missing: tuple[tuple[str, tuple[str, ...]], ...] = ()
    missing_in: tuple[tuple[str, tuple[str, ...]], ...] = ()
    same_levels: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    distinct_rows: bool = False
    keep_spaces: bool = False
    part: str | None = None
    columns: tuple[str, ...] = ()
    max_columns: int | None = None
    max_bytes: int = 1 << 30
    max_memory: int | None = None

    def __post_init__(self):
        for name in ("missing", "missing_among_numbers", "extra_missing", "not_dates", "columns"):
            given = getattr(self, name)
            object.__setattr__(self, name, (given,) if isinstance(given, str) else tuple(given))
        object.__setattr__(self, "without_lines", _line_numbers(self.without_lines))
        object.__setattr__(self, "decimals", _pairs(self.decimals))
        for name in ("not_missing", "missing_in"):
            given = dict(getattr(self, name)).items()
            object.__setattr__(self, name, _pairs({c: (w,) if isinstance(w, str) else tuple(w) for c, w in given}))
        merged = {column: _final(dict(words)) for column, words in dict(self.same_levels).items()}
        object.__setattr__(self, "same_levels", _pairs(merged))
        for name in ("encoding", "delimiter", "quote", "comment"):
            _check_text(name, getattr(self, name))
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise TreecoreError(
                f"{self.delimiter!r} cannot separate fields",
                where="delimiter",
                remedy="Use one character, such as a comma, semicolon or tab.",
            )
        if self.quote is not None and (len(self.quote) > 1 or self.quote == self.delimiter):
            raise TreecoreError(
                f"{self.quote!r} cannot quote fields",
                where="quote",
                remedy='Use one character, such as ", or an empty text for none.',
            )
        for where, sign in (("decimal", self.decimal), *(("decimals", sign) for _, sign in self.decimals)):
            if sign not in (None, ".", ","):
                raise TreecoreError(f"{sign!r} is no decimal sign", where=where, remedy='Use "." or ",".')
        if self.escape not in (None, "", "\\"):
            remedy = "Use a backslash, or an empty text for none."
            raise TreecoreError(f"{self.escape!r} is no such sign", where="escape", remedy=remedy)
        for name in ("skip_lines", "footer"):
            given = getattr(self, name)
            if given is not None and not 0 <= given < MOST_LINES:
                what = f"{str(given)[:20]} lines cannot be skipped"
                raise TreecoreError(what, where=name, remedy=f"Use 0 to {MOST_LINES - 1:,}.")

    def changed(self) -> tuple[tuple[str, Any], ...]:
        """(name, value) of what is not the default, but for limits of columns and memory: no row depends on them."""
        settings = ((field.name, getattr(self, field.name), field.default) for field in fields(self))
        return tuple(
            (name, value)
            for name, value, default in settings
            if value != default and name not in ("max_columns", "max_memory")
        )

    def with_more(self, more: Iterable[tuple[str, Any]]) -> "ReadOptions":
        """These options and more: of what is said by column each gains what it has not, other settings are replaced."""
        changes: dict[str, Any] = dict(more)
        for name in changes.keys() & {"missing_in", "same_levels"}:
            result = dict(getattr(self, name))
            for column, words in dict(changes[name]).items():
                result[column] = tuple(dict.fromkeys((*result.get(column, ()), *words)))
            changes[name] = tuple(result.items())
        return replace(self, **changes)

    def missing_tokens(self, *, among_numbers: bool) -> tuple[str, ...]:
        """Every token that is a missing value in a numeric column, or in a column of words."""
        always = self.missing + self.extra_missing
        return always + self.missing_among_numbers if among_numbers else always

    def missing_words(self, column: str) -> tuple[str, ...]:
        """Every token that is a missing value in this column of words."""
        kept = dict(self.not_missing).get(column, ()) if self.not_missing else ()
        return tuple(token for token in self.tokens_like_missing(column) if token not in kept)

    def tokens_like_missing(self, column: str) -> tuple[str, ...]:
        """Every token that is a missing value in this column of words unless it is said to be a word there."""
        own = dict(self.missing_in).get(column, ()) if self.missing_in else ()
        return (*self.missing_tokens(among_numbers=False), *own)


def _pairs(given) -> tuple[tuple[str, Any], ...]:
    """A mapping by column as pairs, each column once, in the order of the names."""
    return tuple(sorted(dict(given).items()))


def _final(words: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Each spelling with the level that is meant in the end, where that is a spelling of another one again."""
    result = {}
    for spelling, level in words.items():
        passed = {spelling}
        while level in words and level not in passed:
            passed.add(level)
            level = words[level]
        if level != spelling:
            result[spelling] = level
    return _pairs(result)


def _check_text(name: str, value) -> None:
    """TreecoreError for a sign that no file has: NUL, or half of a character."""
    if value is not None and (not isinstance(value, str) or re.search("[\0\ud800-\udfff]", value)):
        raise TreecoreError(f"{value!r} is not possible", where=name, remedy="Use a sign that a text file may hold.")


def _line_numbers(given) -> tuple[int, ...]:
    """The numbers in order, each once; TreecoreError for what is none."""
    given = tuple(given) if isinstance(given, Iterable) else (given,)
    for line in given:
        if isinstance(line, bool) or not isinstance(line, int) or not 1 <= line < MOST_LINES:
            remedy = "Give whole numbers from 1, such as [2] for a line of units below the names."
            raise TreecoreError(f"{str(line)[:20]!r} is the number of no line", where="without_lines", remedy=remedy)
    return tuple(sorted(set(given)))


def read_options(settings: dict) -> ReadOptions:
    """ReadOptions from keyword settings; TreecoreError naming the known ones for an unknown one."""
    known = [field.name for field in fields(ReadOptions)]
    for name in settings:
        if name not in known:
            raise TreecoreError(
                f"{name!r} is not a setting for reading",
                where="read_table",
                remedy="The settings are: " + ", ".join(known) + ".",
            )
    return ReadOptions(**settings)
