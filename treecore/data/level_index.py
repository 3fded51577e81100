"""Which level of a column a cell is, whatever make it has and however it is spelled.

A level has a label, which people see, and a value, which the label spells: true or false, a number, a moment, or just
this text. Frames, files, engines and every export ask here, so that a level is the same one everywhere. What a label
spells depends on the labels beside it: 0 and 1 are a no and a yes only where there is no 2.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cached_property, lru_cache

import numpy as np

from treecore.data.column import (
    Column,
    frozen,
    kind_and_levels,
    number_labels,
    numeric_column_of_codes,
    quoted,
    row_list,
    unknown_level,
)
from treecore.data.frames import EXACT
from treecore.data.raw import UNSEEN
from treecore.data.vocabulary import LITERALS, truth_words, yes_or_no
from treecore.errors import TreecoreError

MISSING, NO_LEVEL = -1, -2
"""The place of a missing value, and that of a value which is none of the levels."""
_UNSEEN = re.compile(UNSEEN)
_DIGITS = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
_EXPONENT = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+", re.ASCII)
_NAME = re.compile(r"[+-]?0\d+", re.ASCII)
_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.\d*)?)?(?:Z|[+-]00(?::?00)?)?)?", re.ASCII
)  # fmt: skip
MIDNIGHT = "00:00:00"
ZONES = "", "+00", "+00:00", "Z"
DECIMALS = 4
"""With up to so many decimals a number may be written out, as 1.00 is."""


class LevelIndex:
    """The levels of one column, found by any cell.

    A cell that has the text of a label is that level. Another one is the level whose value it has, unless two levels
    have this value: then only their own texts tell them apart.
    labels : the levels in order. truths : False and True -> place. numbers : number -> place. moments : ISO text ->
    place. words : other words for true and false, in small letters -> place.
    """

    def __init__(self, labels: Iterable[str]):
        self.labels = tuple(labels)
        self._texts = {label: place for place, label in enumerate(self.labels)}
        self._seen = _sole((as_seen(label), place) for label, place in self._texts.items())
        numbers = [number_of(label) for label in self.labels]
        self.all_numbers = bool(numbers) and None not in numbers
        self.numbers = _sole((number, place) for place, number in enumerate(numbers) if number is not None)
        self.moments = _sole((moment, place) for place, label in enumerate(self.labels) if (moment := moment_of(label)))
        pair = _pair(self.labels, numbers)
        self.is_boolean = pair is not None
        if pair is not None:
            self.truths = dict(zip((False, True), pair, strict=True))
            self.numbers = {float(truth): place for truth, place in self.truths.items()}
            words = truth_words(*(self.labels[place] for place in pair)) or truth_words("0", "1")
            assert words is not None
            self.words = {word: place for alike, place in zip(words, pair, strict=True) for word in alike}
        else:
            self.words = _sole((c, p) for p, label in enumerate(self.labels) if (c := label.casefold()) in LITERALS)
            self.truths = {LITERALS[word]: place for word, place in self.words.items()}

    @property
    def values(self) -> tuple[bool | float | str, ...]:
        """The value of each level: true or false, a number, or its text."""
        result: list[bool | float | str] = list(self.labels)
        for values in (self.numbers, self.truths):
            for value, place in values.items():
                result[place] = value
        return tuple(result)

    def place(self, cell: object) -> int:
        """The level that a cell of any make is; MISSING or NO_LEVEL where it is none."""
        if type(cell) is str:
            return self._place_of_text(cell)
        cell = plain_cell(cell)
        if cell is None:
            return MISSING
        if isinstance(cell, str):
            return self._place_of_text(cell)
        place = self._texts.get(label_of(cell))
        if place is None and isinstance(cell, float) and cell.is_integer():  # digits of more than float64 tells apart
            place = self._texts.get(str(int(cell)))
        if place is not None:
            return place
        if isinstance(cell, bool):
            place = self.truths.get(cell)
        elif isinstance(cell, int | float | Decimal):
            place = self.numbers.get(_float(cell))
        elif isinstance(cell, date):
            place = self.moments.get(moment_of(label_of(cell)))
        return NO_LEVEL if place is None else place

    def _place_of_text(self, text: str) -> int:
        place = self._texts.get(text)
        if place is None:
            seen = as_seen(text)
            place = self._seen.get(seen)
            if place is None:
                place = self._place_by_value(seen)
        return NO_LEVEL if place is None else place

    def _place_by_value(self, text: str) -> int | None:
        if text == "":
            return MISSING
        word = text.casefold()
        if word in self.words:
            return self.words[word]
        if self.numbers:
            number = number_of(text, exponents=self.all_numbers or self.is_boolean)
            if number is not None:
                return self.numbers.get(number)
            if word == "nan" and (self.all_numbers or self.is_boolean):
                return MISSING
        return self.moments.get(moment_of(text)) if self.moments else None

    @cached_property
    def number_at(self) -> dict[int, float]:
        """place -> the number that no other level has."""
        return {place: number for number, place in self.numbers.items()}

    @cached_property
    def has_spaces(self) -> bool:
        """Do levels differ by nothing but spaces around them, or are there some around one?"""
        return any(label != label.strip() for label in self.labels)

    def spellings(self, place: int) -> tuple[str, ...]:
        """The texts that this level has in the usual programs, its label first: for targets that compare text alone.

        None of them is another level's.
        """
        label = self.labels[place]
        wanted = [label, *(_spelled_moment(label) if self.moments.get(moment_of(label)) == place else ())]
        wanted += spelled_number(self.number_at[place]) if place in self.number_at else ()
        for word, at in self.words.items():
            wanted += (word, word.upper(), word.capitalize()) if at == place else ()
        wanted += [unicodedata.normalize("NFD", label)]
        return tuple(dict.fromkeys(text for text in wanted if self._place_of_text(text) == place))


@lru_cache(maxsize=64)
def level_index(labels: tuple[str, ...]) -> LevelIndex:
    """The index of these levels; made once, as every block of rows asks for it."""
    return LevelIndex(labels)


def places_among(levels: tuple[str, ...], cells: Iterable[object]) -> np.ndarray:
    """int64 (k,): the place of each cell among the levels, MISSING or NO_LEVEL for none."""
    place = level_index(tuple(levels)).place
    return np.array([place(cell) for cell in cells], np.int64)


def plain_cell(cell: object) -> object:
    """The cell as Python's own type: None where it is missing, a datetime in UTC for a moment."""
    if hasattr(cell, "as_py"):  # a scalar of Arrow
        cell = cell.as_py()
    if isinstance(cell, np.datetime64):
        cell = cell.astype("datetime64[us]").item()
    elif isinstance(cell, np.generic):
        cell = cell.item()
    if is_missing(cell):
        return None
    if isinstance(cell, bytes):
        try:
            return cell.decode("utf-8")
        except UnicodeDecodeError:
            return str(cell)
    if isinstance(cell, datetime) and cell.tzinfo is not None:
        return cell.astimezone(UTC)
    return cell


def is_missing(cell: object) -> bool:
    """None, NaN and NaT, which differ from themselves, and NA, of which that is neither true nor false."""
    try:
        return cell is None or bool(cell != cell)
    except (TypeError, ValueError):
        return not hasattr(cell, "__len__")


def label_of(cell: object) -> str:
    """How a known cell is labelled where it becomes a level: 1.0 is '1', a midnight its day."""
    cell = plain_cell(cell)
    if isinstance(cell, str):
        return as_seen(cell)
    if isinstance(cell, float):
        return number_labels(np.array([cell]))[0]
    if isinstance(cell, Decimal):
        number = float(cell)
        whole = cell == cell.to_integral_value()
        return str(int(cell)) if whole else number_labels(np.array([number]))[0]
    if isinstance(cell, datetime):
        return f"{cell:%Y-%m-%d}" if f"{cell:%H:%M:%S}" == MIDNIGHT else f"{cell:%Y-%m-%d %H:%M:%S}"
    if isinstance(cell, timedelta):  # pandas' own writes itself in another way
        cell = timedelta(cell.days, cell.seconds, cell.microseconds)
    return cell.isoformat() if isinstance(cell, date) else as_seen(str(cell))


def moment_labels(moments: np.ndarray) -> list[str]:
    """The labels of datetime64 (k,) where they become levels: days alone where no time of day is said."""
    days = moments.astype("datetime64[D]")
    labels = (days if (days == moments).all() else moments.astype("datetime64[s]")).astype(str).tolist()
    return [label.replace("T", " ") for label in labels]


def as_seen(text: str) -> str:
    """The text without spaces around it and signs that cannot be seen, each accented letter as one sign (NFC)."""
    text = text.strip()
    return text if text.isascii() else unicodedata.normalize("NFC", _UNSEEN.sub("", text)).strip()


def number_of(text: str, exponents: bool = False) -> float | None:
    """The number that a text spells; None for a word, and for digits that are a name: 01067, or more than float64 has.

    exponents : may a text be any 1e5? Else only a number that is written so in short, as 1e+16 is.
    """
    if _DIGITS.fullmatch(text):
        if _NAME.fullmatch(text):
            return None
        number = float(text) + 0.0
        return number if abs(number) <= EXACT or "." in text else None
    if not _EXPONENT.fullmatch(text):
        return None
    number = float(text) + 0.0
    return number if np.isfinite(number) and (exponents or number_labels(np.array([number]))[0] == text) else None


def moment_of(text: str) -> str | None:
    """A day or a moment as ISO text, midnight being the day alone; None for another text. Parts of seconds are left
    out, as they are in reading."""
    result = _MOMENT.fullmatch(text)
    if not result:
        return None
    day, minutes, seconds = result.groups()
    at = f"{minutes or '00:00'}:{seconds or '00'}"
    return day if at == MIDNIGHT else f"{day} {at}"


def _spelled_moment(label: str) -> list[str]:
    day, _, at = (moment_of(label) or "").partition(" ")
    at = at or MIDNIGHT
    return [*([day] if at == MIDNIGHT else []), *(f"{day}{sep}{at}{zone}" for sep in " T" for zone in ZONES)]


def spelled_number(number: float) -> list[str]:
    """The texts that a number has in databases and programs: 1, 1.0, and those with an exponent."""
    short = number_labels(np.array([number]))[0]
    plain = format(Decimal(repr(number)), "f")
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    result = [short, plain, repr(number), plain if "." in plain else plain + ".0"]
    result += [text for n in range(1, DECIMALS + 1) if float(text := f"{number:.{n}f}") == number]
    if number == 0:
        return [*dict.fromkeys(result), "-0", "-0.0"]
    mantissa, _, power = format(Decimal(repr(number)).normalize(), "e").replace("E", "e").partition("e")
    mantissa, size = mantissa if "." in mantissa else mantissa + ".0", int(power)
    if size >= 7 or size < -3:
        result += [f"{mantissa}E{size}", f"{mantissa}e{size:+03d}", f"{mantissa.removesuffix('.0')}e{size:+03d}"]
    if abs(number) < 1:
        result.append(plain.replace("0.", ".", 1))
    if not float(number).is_integer():
        with np.errstate(over="ignore"):
            small = np.float32(number)
        result += [str(small)] if float(small) == number else []
        result.append(f"{number:.15g}")
    return list(dict.fromkeys(result))


def _float(number: int | float | Decimal) -> float | None:
    """None where float64 has no such number."""
    try:
        result = float(number) + 0.0
    except OverflowError:
        return None
    return result if isinstance(number, float | Decimal) or int(result) == number else None


def _sole(pairs: Iterable[tuple]) -> dict:
    """value -> place, of the values that one level alone has."""
    result: dict = {}
    for value, place in pairs:
        result[value] = place if result.get(value, place) == place else None
    return {value: place for value, place in result.items() if place is not None}


def _pair(labels: tuple[str, ...], numbers: list[float | None]) -> tuple[int, int] | None:
    """The places of false and true where these two are all the levels there are."""
    if len(labels) != 2:
        return None
    if set(numbers) == {0.0, 1.0}:
        return numbers.index(0.0), numbers.index(1.0)
    for negative, positive in ((0, 1), (1, 0)):
        if truth_words(labels[negative], labels[positive]):
            return negative, positive
    return None


# A column read as another kind: numbers as levels, levels as numbers, levels in another order.


def recoded(column: Column, spec) -> Column:
    """The column as `spec` says: a kind's name, Ordinal([...]) or Nominal([...]).

    TreecoreError when a level is no number, a value is not among the declared levels, or a boolean would
    have more than two levels.
    """
    where = f"Column '{column.name}'"
    kind, levels = kind_and_levels(spec, where=where)
    if kind == "numeric":
        return column if column.kind == "numeric" else _as_numbers(column)
    if column.kind == "numeric":
        column = replace(column, levels=tuple(number_labels(column.numbers)), distinct=None)
    if levels is not None:
        column = _with_levels(column, levels)
    if kind == "boolean":
        require_two_levels(column.name, column.level_names)
    return replace(column, kind=kind)


def require_two_levels(name: str, levels: tuple[str, ...]) -> None:
    """TreecoreError when a boolean column would have more than two levels."""
    if len(levels) > 2:
        raise TreecoreError(
            f"{len(levels)} different values ({', '.join(map(quoted, levels[:4]))}, ...) cannot be boolean",
            where=f"Column '{name}'",
            remedy="Make the column nominal or ordinal.",
        )


def not_a_number(name: str, text: str, rows: np.ndarray) -> TreecoreError:
    """The error for a cell that should be a number; rows are 0-based."""
    return TreecoreError(
        f"{quoted(text)} is not a number (first at {row_list(rows)})",
        where=f"Column '{name}'",
        remedy="Treat it as missing, or make the column nominal.",
    )


def truths(column: Column) -> Column:
    """The column of events as numbers: 1 for yes and true, 0 for no and false. TreecoreError for other words."""
    answers = [yes_or_no(level) for level in column.level_names]
    rows = np.flatnonzero(~column.missing & np.append([answer is None for answer in answers], False)[column.codes])
    if len(rows):
        raise TreecoreError(
            f"{quoted(column.level_names[column.codes[rows[0]]])} does not say whether an event happened (first at "
            f"{row_list(rows)})",
            where=f"Column '{column.name}'",
            remedy="In the file, write 1 where a row ended in an event and 0 where it was only watched so long.",
        )
    codes = np.where(column.missing, -1, column.codes)
    return numeric_column_of_codes(column.name, codes, np.array([answer is True for answer in answers], float))


def _as_numbers(column: Column) -> Column:
    numbers = np.full(column.n_distinct, np.nan)
    present = column.present() > 0
    for code, level in enumerate(column.level_names):
        try:
            numbers[code] = float(level)
        except ValueError:
            if present[code]:
                raise not_a_number(column.name, level, np.flatnonzero(column.codes == code)) from None
    codes = np.where(column.missing, -1, column.codes)
    return numeric_column_of_codes(column.name, codes, numbers)


def _with_levels(column: Column, levels: tuple[str, ...]) -> Column:
    """The same cells coded by these levels; a present level that is not declared is an error."""
    new_code = np.append(places_among(levels, column.level_names), len(levels)).astype(np.int32)
    codes = new_code[column.codes]
    unknown = np.flatnonzero(codes < 0)
    if len(unknown):
        raise unknown_level(column.name, column.level_names[column.codes[unknown[0]]], unknown, levels)
    return replace(column, codes=frozen(codes), levels=levels, fill=None, cuts=None)
