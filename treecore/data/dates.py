"""Dates and times in a column of text, and the columns that can be derived from them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.data.cells import all_match
from treecore.data.words import MONTHS, WEEKDAYS
from treecore.registry import Registry

TIME = r"(?:[T ]+(?P<H>\d{1,2}):(?P<M>\d{2})(?::(?P<S>\d{2})(?:[.,]\d+)?)?\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?)?"
MONTH = r"(?P<b>[A-Za-z]{3,9})\.?"
YEAR_FIRST = r"(?P<y>\d{4})[-/.](?P<b>\d{1,2})[-/.](?P<a>\d{1,2})" + TIME
PATTERNS = (  # a, b: day and month, in an order that `a day first` decides; y: year
    YEAR_FIRST,
    r"(?P<a>\d{1,2})[-/](?P<b>\d{1,2})[-/](?P<y>\d{4}|\d{2})" + TIME,
    r"(?P<a>\d{1,2})\.\s?(?P<b>\d{1,2})\.\s?(?P<y>\d{4})" + TIME,
    r"(?P<a>\d{1,2})[ -]" + MONTH + r"[ ,-]+(?P<y>\d{4})" + TIME,
    MONTH + r"[ -](?P<a>\d{1,2}),?[ -](?P<y>\d{4})" + TIME,
)
EITHER_ORDER = PATTERNS[1]
CENTURY_TURN = 69  # two-digit years: 68 is 2068, 69 is 1969, as in POSIX


@dataclass(frozen=True, eq=False)
class DateReading:
    """datetime64[s] (k,) for the distinct cells; `ambiguous` when day and month could change places."""

    stamps: np.ndarray
    ambiguous: bool
    has_time: bool


@dataclass(frozen=True)
class DatePart:
    """A column derived from a date: numbers, or ordinal levels when it has some (compute gives their index)."""

    name: str
    label: str
    compute: Callable[[np.ndarray], np.ndarray]
    levels: tuple[str, ...] | None = None
    needs_order: bool = True
    needs_time: bool = False


def _year(stamps):
    return stamps.astype("datetime64[Y]").astype(np.int64) + 1970


def _month(stamps):
    return stamps.astype("datetime64[M]").astype(np.int64) % 12


def _day(stamps):
    return (stamps.astype("datetime64[D]") - stamps.astype("datetime64[M]")).astype(np.int64) + 1


def _weekday(stamps):
    return (stamps.astype("datetime64[D]").astype(np.int64) + 3) % 7  # 1 January 1970 was a Thursday


def _hour(stamps):
    return (stamps - stamps.astype("datetime64[D]")).astype(np.int64) // 3600


DATE_PARTS = Registry(
    "part of a date",
    DatePart("year", "Year", _year, needs_order=False),
    DatePart("month", "Month", _month, MONTHS),
    DatePart("weekday", "Day of the week", _weekday, WEEKDAYS),
    DatePart("day", "Day of the month", _day),
    DatePart("quarter", "Quarter", lambda stamps: _month(stamps) // 3, ("Q1", "Q2", "Q3", "Q4")),
    DatePart("hour", "Hour", _hour, needs_time=True),
)


def offered_parts(reading: DateReading) -> tuple[str, ...]:
    """Names of the parts that can be derived: those in need of the month only when it is certain."""
    return tuple(
        part.name
        for part in DATE_PARTS.values()
        if not (part.needs_order and reading.ambiguous) and (reading.has_time or not part.needs_time)
    )


def read_dates(texts, dayfirst: bool | None) -> DateReading | None:
    """The texts as dates; None when one of them is no date, or they are written in different ways.

    texts : pyarrow string array (k,) without missing tokens.
    """
    if len(texts) == 0:
        return None
    for pattern in PATTERNS:
        if all_match(texts, pattern):
            return _reading(texts, pattern, dayfirst)
    return None


def _reading(texts, pattern: str, dayfirst: bool | None) -> DateReading | None:
    from pyarrow import compute

    parts = compute.extract_regex(texts, pattern=f"^(?:{pattern})$")
    part = {name: compute.struct_field(parts, name).to_pylist() for name in ("y", "a", "b", "H", "M", "S")}
    day, year = _whole(part["a"]), _whole(part["y"])
    month = _month_numbers(part["b"]) if "A-Z" in pattern else _whole(part["b"])
    if month is None:
        return None
    ambiguous = False
    if pattern == EITHER_ORDER:
        day, month, ambiguous = _ordered(day, month, dayfirst)
        year = np.where(year < 100, year + np.where(year < CENTURY_TURN, 2000, 1900), year)
    stamps = _stamps(year, month, day)
    if stamps is None:
        return None
    clock = [_whole(part[name]) for name in "HMS"]
    seconds = clock[0] * 3600 + clock[1] * 60 + clock[2]
    return DateReading(stamps + seconds.astype("timedelta64[s]"), ambiguous, bool(seconds.any()))


def _whole(texts: list) -> np.ndarray:
    return np.array([int(text) if text else 0 for text in texts], dtype=np.int64)


def _month_numbers(names: list[str]) -> np.ndarray | None:
    known = {month[:length].lower(): i + 1 for i, month in enumerate(MONTHS) for length in (3, len(month))}
    known["sept"] = 9
    numbers = [known.get(name.lower()) for name in names]
    return None if None in numbers else np.array(numbers, dtype=np.int64)


def _ordered(first: np.ndarray, second: np.ndarray, dayfirst: bool | None):
    """(day, month, ambiguous): a number above 12 tells which is the day; else the setting, else it is open."""
    if dayfirst is None:
        dayfirst = True if first.max() > 12 else False if second.max() > 12 else None
    day, month = (second, first) if dayfirst is False else (first, second)
    return day, month, dayfirst is None


def _stamps(year, month, day) -> np.ndarray | None:
    """datetime64[s] (k,); None when one of them is not in the calendar."""
    if month.min() < 1 or month.max() > 12 or day.min() < 1:
        return None
    months = (year - 1970).astype("timedelta64[Y]").astype("timedelta64[M]") + (month - 1).astype("timedelta64[M]")
    first = np.datetime64("1970-01", "M") + months
    stamps = first.astype("datetime64[D]") + (day - 1).astype("timedelta64[D]")
    return stamps.astype("datetime64[s]") if (stamps.astype("datetime64[M]") == first).all() else None
