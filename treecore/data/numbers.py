"""Numbers written as text: decimal point or comma, thousands separators, and when that cannot be told."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from treecore.brief import Brief
from treecore.data.cells import FEW, all_match, is_one_of, matches, stripped_texts
from treecore.data.column import frozen
from treecore.data.number_signs import without_signs
from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn

EXPONENT = r"(?:[eE][+-]?\d+)?"
INFINITE = r"[+-]?(?i:inf|infinity)"
WHOLE = r"[+-]?\d+"
DATE_WITH_POINTS = r"\s*(?:\d{1,2}\.\s?\d{1,2}\.\s?\d{2}(?:\d{2})?.*)?"
SEPARATED = r"\d[.,]\d"
SPACES = "[ \u00a0\u2009\u202f'’]"


class NumberFormat(NamedTuple):
    """How numbers are written: the decimal sign, what separates thousands ("" for nothing), and a pattern."""

    decimal: str
    thousands: str
    pattern: str


PLAIN = NumberFormat(".", "", rf"[+-]?(?:\d+\.?\d*|\.\d+){EXPONENT}|{INFINITE}")
COMMA = NumberFormat(",", "", rf"[+-]?(?:\d+,?\d*|,\d+){EXPONENT}|{INFINITE}")
COMMA_THOUSANDS = NumberFormat(  # the second group as in India: 1,23,456
    ".", ",", r"[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}|\d+)(?:\.\d*)?"
)
DOT_THOUSANDS = NumberFormat(",", ".", r"[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d*)?")
SPACE_THOUSANDS = NumberFormat(".", SPACES, rf"[+-]?(?:\d{{1,3}}(?:{SPACES}\d{{3}})+|\d+)(?:\.\d*)?")
SPACE_THOUSANDS_COMMA = NumberFormat(",", SPACES, rf"[+-]?(?:\d{{1,3}}(?:{SPACES}\d{{3}})+|\d+)(?:,\d*)?")
PLAIN_AND_FINITE = re.compile(rf"[+-]?(?:\d+\.?\d*|\.\d+){EXPONENT}", re.ASCII).fullmatch
DOTS_GROUP = re.compile(DOT_THOUSANDS.pattern, re.ASCII).fullmatch
NOT, PERHAPS, SURELY = 0, 1, 2
MUCH_LARGER = 20
DELIMITERS = {",": "commas", ";": "semicolons"}
FORMATS = (PLAIN, COMMA, COMMA_THOUSANDS, DOT_THOUSANDS, SPACE_THOUSANDS, SPACE_THOUSANDS_COMMA)


@dataclass(frozen=True, eq=False, repr=False)
class NumberReading(Brief):
    """The distinct cells of one column read as numbers.

    values : float64 (k,), NaN where missing or no number. missing, bad : bool (k,), what is missing, and what is
    no number. formats : every format that fits all known cells; more than one means it is ambiguous.
    sign : what stands before or behind every number, such as "%"; it is no part of `texts`.
    minus : how a number below zero is written where that is not "-5", "" else.
    settled_by : why one of several formats was taken, "" when there was no doubt. other : the format that was not
    taken. is_open : whether the user should say which it is. coded : bool (k,), cells that are missing because the
    user said so of these numbers; None for none.
    """

    values: np.ndarray
    missing: np.ndarray
    bad: np.ndarray
    formats: tuple[NumberFormat, ...]
    settled_by: str = ""
    texts: object = None
    sign: str = ""
    minus: str = ""
    other: NumberFormat | None = None
    is_open: bool = False
    coded: np.ndarray | None = None

    @property
    def is_numeric(self) -> bool:
        return not self.bad.any() and not self.missing.all()

    @property
    def is_ambiguous(self) -> bool:
        return len(self.formats) > 1


def number_readings(
    columns: Sequence[RawColumn], options: ReadOptions, delimiter: str | None = None
) -> dict[str, NumberReading]:
    """Every column as numbers; the columns that leave no doubt settle the decimal sign of those that do.

    delimiter : between the cells of a text file, None of any other source.
    """
    readings = {column.name: _reading(column, options) for column in columns}
    if any(reading.is_ambiguous for reading in readings.values()):
        context = _Context(file_decimal(readings.values(), options), delimiter, _dates_with_points(columns, readings))
        asked = dict(options.decimals)
        readings = {
            name: _settled(reading, context, asked.get(name)) if reading.is_ambiguous else reading
            for name, reading in readings.items()
        }
    own, by_name = dict(options.missing_in), {column.name: column for column in columns}
    coded = {name: _without_codes(by_name[name], readings[name], own[name]) for name in own if name in readings}
    return readings | coded


def _without_codes(column: RawColumn, reading: NumberReading, words: Sequence[str]) -> NumberReading:
    """The same with what the user calls missing in this column: these numbers, however they are written, and words."""
    coded = np.isin(reading.values, [float(word) for word in words if PLAIN_AND_FINITE(word)])
    if column.content == "text":
        coded |= reading.missing & is_one_of(stripped_texts(column), words)
    if not coded.any():
        return reading
    texts = reading.texts if reading.texts is None else reading.texts.filter(~coded[~reading.missing])
    values = np.where(coded, np.nan, reading.values)
    return replace(reading, values=values, missing=reading.missing | coded, texts=texts, coded=coded)


class _Context(NamedTuple):
    """What the rest of the file says of a separator that could be either sign.

    decimal : the decimal sign of the columns that leave no doubt, or None. delimiter : as above. dates_with_points :
    whether a column holds dates such as 31.12.2024.
    """

    decimal: str | None
    delimiter: str | None
    dates_with_points: bool


def _dates_with_points(columns: Sequence[RawColumn], readings: Mapping[str, NumberReading]) -> bool:
    words = (column for column in columns if column.content == "text" and readings[column.name].bad.any())
    return any(all_match(column.cells.slice(0, FEW).drop_null(), DATE_WITH_POINTS) for column in words)


def file_decimal(readings: Iterable[NumberReading], options: ReadOptions) -> str | None:
    """The decimal sign of the columns that leave no doubt; None when there are none, or they disagree."""
    if options.decimal:
        return options.decimal
    signs = {
        reading.formats[0].decimal for reading in readings if len(reading.formats) == 1 and _has_separator(reading)
    }
    return signs.pop() if len(signs) == 1 else None


def _has_separator(reading: NumberReading) -> bool:
    from pyarrow import compute

    if reading.texts is None:
        return True  # numbers have a format only where their texts showed one
    return compute.any(compute.match_substring_regex(reading.texts, pattern=SEPARATED)).as_py() or False


def _reading(column: RawColumn, options: ReadOptions) -> NumberReading:
    n_cells = len(column.cells)
    if column.content == "number":
        none = np.zeros(n_cells, dtype=bool)
        return NumberReading(column.cells, none, none, (PLAIN,) if column.decimal else ())
    if column.content != "text":
        return NumberReading(np.full(n_cells, np.nan), np.zeros(n_cells, bool), np.ones(n_cells, bool), ())
    if n_cells <= FEW and options.decimal is None and (values := _plain_numbers(column, options)) is not None:
        return NumberReading(values, _none(n_cells), _none(n_cells), (PLAIN,), texts=column.cells)
    texts = stripped_texts(column)
    own = [word for word in dict(options.missing_in).get(column.name, ()) if not PLAIN_AND_FINITE(word)]
    missing = is_one_of(texts, (*options.missing_tokens(among_numbers=True), *own))
    known = texts.filter(~missing) if missing.any() else texts
    sign, signed, known, minus = without_signs(known)
    formats = _fitting(known, options.decimal)
    chosen = formats[0] if formats else _most_fitting(known, options.decimal)
    values = np.full(n_cells, np.nan)
    values[~missing] = np.where(signed, parsed(known, chosen), np.nan)
    bad = np.isnan(values) & ~missing
    return NumberReading(values, missing, bad, formats if signed.all() else (), texts=known, sign=sign, minus=minus)


def _plain_numbers(column: RawColumn, options: ReadOptions) -> np.ndarray | None:
    """float64 (k,): the few cells of a column where all are plain numbers and nothing else, which is most columns of a
    wide table: found cell by cell, as asking Arrow takes longer. None where it has to be looked at more closely.
    """
    cells = column.cells.to_pylist()
    if not cells or not all(map(PLAIN_AND_FINITE, cells)) or not _missing_texts(options).isdisjoint(cells):
        return None
    grouped = all(map(DOTS_GROUP, cells)) and any("." in cell for cell in cells)  # 1.234 may be a thousand and more
    return None if grouped else np.array(list(map(float, cells)))


@lru_cache(maxsize=8)
def _missing_texts(options: ReadOptions) -> frozenset[str]:
    """The texts that stand for a missing value among numbers."""
    return frozenset(options.missing_tokens(among_numbers=True))


@lru_cache(maxsize=FEW + 1)
def _none(n: int) -> np.ndarray:
    """bool (n,), all False, shared and read-only."""
    return frozen(np.zeros(n, dtype=bool))


def _fitting(texts, decimal: str | None) -> tuple[NumberFormat, ...]:
    """Every format that fits all texts and that they tell apart; () when none does."""
    if len(texts) == 0 or not _could_be_number(texts[0].as_py()):
        return ()
    if decimal is None and all_match(texts, WHOLE):
        return (PLAIN,)
    usable = [f for f in FORMATS if decimal in (None, f.decimal)]
    fitting = [f for f in usable if all_match(texts, f.pattern)]
    if PLAIN in fitting and COMMA in fitting:  # whole numbers: every format fits, and all say the same
        return (PLAIN,)
    plain = [f for f in fitting if not f.thousands]
    signs = {f.decimal for f in plain}  # without a thousands separator in sight, the grouped twin says the same
    grouped = [f for f in fitting if f.thousands and f.decimal not in signs]
    return tuple(plain + [f for f in grouped if f.thousands != SPACES]) or tuple(grouped[:1])


def _could_be_number(text: str) -> bool:
    return any(character.isdigit() for character in text) or "inf" in text.lower()


def _most_fitting(texts, decimal: str | None) -> NumberFormat:
    usable = [f for f in FORMATS if decimal in (None, f.decimal)]
    return max(usable, key=lambda f: matches(texts, f.pattern).sum())


def _settled(reading: NumberReading, context: _Context, asked: str | None) -> NumberReading:
    """One format for a column that fits two; still two where nothing speaks for one of them."""
    grouped = next(f for f in reading.formats if f.thousands)
    plain = next(f for f in reading.formats if not f.thousands)
    decimal, reason, is_open = (asked, "as you said", False) if asked else _decimal(reading, plain, grouped, context)
    if decimal is None:
        return replace(reading, is_open=True)
    chosen, other = (grouped, plain) if decimal == grouped.decimal else (plain, grouped)
    values = reading.values.copy()
    values[~reading.missing] = parsed(reading.texts, chosen)
    return replace(reading, values=values, formats=(chosen,), settled_by=reason, other=other, is_open=is_open)


def _decimal(
    reading: NumberReading, plain: NumberFormat, grouped: NumberFormat, context: _Context
) -> tuple[str | None, str, bool]:
    """(the decimal sign, why it is this one, whether the user should be asked): by the other columns, the column's own
    numbers, how dates are written, and the delimiter, in this order."""
    own = _looks_grouped(reading.texts, plain)
    if context.decimal:
        return context.decimal, "as in the other columns", own == SURELY and context.decimal == plain.decimal
    if own == SURELY:
        return grouped.decimal, "as whole numbers without one are all below 1000", False
    by_delimiter = f"as usual in files with {DELIMITERS.get(context.delimiter)} between the fields"
    if plain is COMMA:
        signs = {",": (".", by_delimiter, False), ";": (",", by_delimiter, own == PERHAPS)}
        return signs.get(context.delimiter, (None, "", True))
    if context.dates_with_points:
        return grouped.decimal, "as usual where dates are written 31.12.2024", False
    if own == PERHAPS and context.delimiter == ";":
        return grouped.decimal, by_delimiter, False
    return ".", "", own == PERHAPS or context.delimiter == ";"  # 1.234 alone is a decimal number nearly everywhere


def _looks_grouped(texts, plain: NumberFormat) -> int:
    """Do separators before three digits each stand between thousands? NOT, PERHAPS or SURELY.

    Thousands leave whole numbers below 1000 without a separator and none above. Decimal numbers that are not filled up
    with zeros never end with one, and whole ones among them are about as large as the others.
    """
    bare = matches(texts, WHOLE)
    if matches(texts, r"[+-]?\d{4,}").any() or not matches(texts, r"[+-]?[1-9]\d*").any() or bare.all():
        return NOT
    if (matches(texts, ".*0") & ~bare).any():
        return SURELY
    values = np.abs(parsed(texts, plain))
    return SURELY if np.median(values[bare]) > MUCH_LARGER * np.median(values[~bare]) else PERHAPS


def parsed(texts, written: NumberFormat) -> np.ndarray:
    """float64 (k,): the texts as numbers, NaN where one is no number in this format."""
    import pyarrow as pa
    from pyarrow import compute

    if len(texts) <= FEW:
        fits = matches(texts, written.pattern).tolist()
        known = zip(texts.to_pylist(), fits, strict=True)
        return np.array([_number(text, written) if fit else np.nan for text, fit in known], dtype=np.float64)
    fits = compute.match_substring_regex(texts, pattern=f"^(?:{written.pattern})$")
    texts = compute.if_else(fits, texts, pa.scalar(None, pa.string()))
    if written.thousands:
        pattern = SPACES if written.thousands == SPACES else rf"\{written.thousands}"
        texts = compute.replace_substring_regex(texts, pattern=pattern, replacement="")
    if written.decimal == ",":
        texts = compute.replace_substring(texts, pattern=",", replacement=".")
    return compute.cast(texts, pa.float64()).to_numpy(zero_copy_only=False)


def _number(text: str, written: NumberFormat) -> float:
    plain = text.translate(dict.fromkeys(map(ord, written.thousands.strip("[]")))) if written.thousands else text
    return float(plain.replace(",", ".") if written.decimal == "," else plain)
