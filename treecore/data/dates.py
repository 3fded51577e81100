"""Dates and times in a column of text, and the columns that can be derived from them."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from treecore.brief import Brief
from treecore.data.raw import all_match
from treecore.data.vocabulary import MONTHS, WEEKDAYS, is_key_name
from treecore.registry import Registry

LETTERS = "[A-Za-zÀ-ÖØ-öø-ÿĀ-žА-Яа-яЁё]"
CLOCK = r"(?P<H>\d{1,2})[:.h](?P<M>\d{2})(?:[:.](?P<S>\d{2})(?:[.,]\d+)?)?"
TIME = rf"(?:[T ,:]+{CLOCK} *(?P<half>[AaPp]\.?[Mm]\.?)?\s*(?:Z|UTC|GMT|Uhr|[+-]\d{{2}}:?\d{{2}})?)?"
WEEKDAY = rf"(?:{LETTERS}{{2,13}}[.,]* +)?"
MONTH = rf"(?P<b>{LETTERS}{{3,12}})\.?"
DAY = r"(?P<a>\d{1,2})(?:\.|er|st|nd|rd|th|º|°)?"
OF = r"(?: de | del | of |[ ,./-]*)"
EITHER_ORDER = r"(?P<a>\d{1,2})[-/](?P<b>\d{1,2})[-/](?P<y>\d{4}|\d{2})" + TIME
POINTS = r"(?P<a>\d{1,2})\.\s?(?P<b>\d{1,2})\.\s?"
TWO_DIGIT_YEAR = POINTS + r"(?P<y>\d{2})" + TIME
YEAR_FIRST_OF_TWO = r"(?P<y>\d{2})\.\s?(?P<b>\d{1,2})\.\s?(?P<a>\d{1,2})" + TIME
COMPACT = r"(?P<y>(?:19|20)\d{2})(?P<b>\d{2})(?P<a>\d{2})"
PATTERNS = (  # a, b: day and month, in an order that `a day first` decides; y: year
    r"(?P<y>\d{4})[-/.] ?(?P<b>\d{1,2})[-/.] ?(?P<a>\d{1,2})\.?" + TIME,
    EITHER_ORDER,
    WEEKDAY + POINTS + r"(?P<y>\d{4})" + TIME,
    TWO_DIGIT_YEAR,
    WEEKDAY + DAY + OF + MONTH + OF + r"(?P<y>\d{4}|\d{2})" + TIME,
    WEEKDAY + MONTH + " ?-?" + DAY + r",?[ -](?P<y>\d{4})" + TIME,
    r"(?P<y>\d{4})[ -]?" + MONTH + r"[ -]?(?P<a>\d{1,2})" + TIME,
    r"(?P<y>\d{4}) ?[年년] ?(?P<b>\d{1,2}) ?[月월] ?(?P<a>\d{1,2}) ?[日일]" + TIME,
    COMPACT,
)
CENTURY_TURN = 69  # two-digit years: 68 is 2068, 69 is 1969, as in POSIX
NO_BREAK = "[\u00a0\u2009\u202f]"
LOOKED_AT = 20
LONGEST = 200  # bytes of a date
A_DIGIT = re.compile(r"\d", re.ASCII).search
FIRST_COMPACT, LAST_COMPACT = 1900_01_01, 2099_12_31
DATE_NAME = re.compile(
    r"date|datum|dato|data|fecha|tag($|_)|day|jour|dia|giorno|when|time|zeit|_dt|dt_|^dt$|yyyymmdd|日期|日付|年月日",
    re.IGNORECASE,
)
NO_DATE_NAME = re.compile(
    r"price|amount|cost|salary|income|revenue|turnover|population|count|total|value|phone|zip|code|account|"
    r"preis|betrag|kosten|gehalt|umsatz|einwohner|anzahl|summe|wert|telefon|plz|konto|prix|montant|precio|importe",
    re.IGNORECASE,
)
MONTH_NAMES = """
jan january januar jänner janvier janv enero ene gennaio gen januari janeiro janv styczeń stycznia январь
    января янв
feb february februar feber février févr fév febrero febbraio februari fevereiro fev luty lutego февраль
    февраля фев
mar march märz maerz mär mrz mars marzo maart mrt março marts marzec marca март марта мар
apr april avril avr abril abr aprile kwiecień kwietnia апрель апреля апр
may mai mayo maggio mag mei maio maj maja май мая
jun june juni juin junio giugno giu junho czerwiec czerwca июнь июня июн
jul july juli juillet juil julio luglio lug julho lipiec lipca июль июля июл
aug august août aoû agosto ago augustus augusti sierpień sierpnia август августа авг
sep sept september septembre septiembre setiembre settembre set setembro wrzesień września сентябрь сентября
    сен сент
oct october oktober okt octobre octubre ottobre ott outubro out październik października октябрь октября окт
nov november novembre noviembre novembro novembre listopad listopada ноябрь ноября ноя нояб
dec december dezember dez décembre déc diciembre dic dicembre dezembro desember des grudzień grudnia декабрь
    декабря дек
"""
"""Of January and so on: English, German, French, Spanish, Italian, Dutch, Portuguese, the Nordic languages, Polish,
Russian, with what they are shortened to."""


@dataclass(frozen=True, eq=False, repr=False)
class DateReading(Brief):
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
    first = texts.slice(0, LOOKED_AT).to_pylist()
    if not first or not all(map(A_DIGIT, first)):
        return None
    from pyarrow import compute

    if compute.max(compute.binary_length(texts)).as_py() > LONGEST:
        return None
    texts = compute.replace_substring_regex(texts, pattern=NO_BREAK, replacement=" ")
    for pattern in PATTERNS:
        if all_match(texts, pattern):
            return _reading(texts, pattern, dayfirst)
    return None


def compact_dates(name: str, numbers: np.ndarray) -> DateReading | None:
    """Numbers such as 20240131 as dates, where all of them are in the calendar; None where they or the name say that
    they are something else.

    numbers : float64 (k,), different ones, ascending.
    """
    if not len(numbers) or numbers[0] < FIRST_COMPACT or numbers[-1] > LAST_COMPACT or is_key_name(name):
        return None
    whole = numbers.astype(np.int64)
    stamps = _stamps(whole // 10_000, whole // 100 % 100, whole % 100) if (whole == numbers).all() else None
    counts_on = len(whole) > 1 and whole[-1] - whole[0] == len(whole) - 1  # within a month, as numbers given out do
    is_named = DATE_NAME.search(name)
    if stamps is None or NO_DATE_NAME.search(name) or (counts_on and not is_named):
        return None
    return DateReading(stamps, False, False)


def _reading(texts, pattern: str, dayfirst: bool | None) -> DateReading | None:
    from pyarrow import compute

    parts = compute.extract_regex(texts, pattern=f"^(?:{pattern})$")
    given = {field.name for field in parts.type}
    part = {name: compute.struct_field(parts, name).to_pylist() for name in given}
    day, year = _whole(part["a"]), _whole(part["y"])
    month = _month_numbers(part["b"]) if MONTH in pattern else _whole(part["b"])
    if month is None:
        return None
    ambiguous = False
    if pattern == EITHER_ORDER:
        day, month, ambiguous = _ordered(day, month, dayfirst)
    if pattern == TWO_DIGIT_YEAR and not _is_surely_date(texts, day):
        return None
    year = np.where(year < 100, year + np.where(year < CENTURY_TURN, 2000, 1900), year)
    stamps = _stamps(year, month, day)
    if stamps is None and pattern == TWO_DIGIT_YEAR:  # 99.12.31
        return _reading(texts, YEAR_FIRST_OF_TWO, dayfirst)
    if stamps is None:
        return None
    seconds = _seconds(part) if "H" in part else np.zeros(len(texts), np.int64)
    return DateReading(stamps + seconds.astype("timedelta64[s]"), ambiguous, bool(seconds.any()))


def _is_surely_date(texts, day: np.ndarray) -> bool:
    """Three numbers between points may also be a version: 1.2.10. Dates have two digits each, or days beyond 12."""
    return all_match(texts, r"\d{2}\.\s?\d{2}\..*") or int(day.max()) > 12


def _seconds(part: dict[str, list]) -> np.ndarray:
    """int64 (k,): of the day; 12 AM is midnight and 12 PM noon."""
    hour, minute, second = (_whole(part[name]) for name in "HMS")
    half = np.array([(text or " ")[0].upper() for text in part["half"]])
    hour = np.where(half == " ", hour, hour % 12 + 12 * (half == "P"))
    return hour * 3600 + minute * 60 + second


def _whole(texts: list) -> np.ndarray:
    return np.array([int(text) if text else 0 for text in texts], dtype=np.int64)


def _month_numbers(names: list[str]) -> np.ndarray | None:
    known = _known_months()
    numbers = [known.get(_plain(name)) for name in names]
    return None if None in numbers else np.array(numbers, dtype=np.int64)


@cache
def _known_months() -> dict[str, int]:
    lines = re.split(r"\n(?! )", MONTH_NAMES.strip())
    return {_plain(name): month for month, names in enumerate(lines, 1) for name in names.split()}


def _plain(name: str) -> str:
    """In small letters without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))


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
