"""Numbers written as text: signs and units around them, decimal and thousands separators."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from treecore.brief import Brief
from treecore.data.column import frozen
from treecore.data.options import ReadOptions
from treecore.data.raw import FEW, RawColumn, all_match, is_equal, is_one_of, matches, stripped_texts

SPACE = "[ \t\u00a0\u2002\u2003\u2007\u2009\u200a\u202f]"
MINUSES = "[\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d]"
MINUS = dict.fromkeys(map(ord, MINUSES.strip("[]")), "-")
MONEY = """
US$ NZ$ HK$ AU$ CA$ R$ A$ C$ S$ € $ £ ¥ ￥ ₹ ₽ ₺ ₩ ₪ ฿ ₫ ₱ ₦ ₴ ₸ ₡ ₲ ₵ ₾ ₼ ¢ 円 元 원 % ‰
"""
CURRENCIES = """
EUR USD GBP CHF JPY CNY RMB SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH TRY INR PKR LKR BRL MXN ARS CLP COP PEN UYU
AUD CAD NZD SGD HKD TWD KRW ZAR NGN KES EGP MAD ILS AED SAR QAR THB IDR MYR PHP VND Euro SFr. SFr Fr. Fr Rs. Rs Rp RM
kr. kr zł Kč Ft lei лв. лв руб. руб грн
"""
ATTACHED = "EUR USD GBP CHF Rs. Rs Fr."
"""These words may stand right before a whole number; of others "PEN12" is a code, and "PEN 12" or "PEN12.50" money."""
UNITS = """
kg mg µg lb lbs oz km cm mm µm nm ft mi ml cl dl ha km² m² m³ kWh MWh kW MW GHz MHz kHz Hz TB GB MB KB km/h mph m/s °C
°F ppm bpm px min sec hrs hPa mbar kcal mmHg
"""


def _one_of(*signs: str) -> str:
    """An expression for any of the signs that stand in these texts, the longest first, as "$" stands in "R$"."""
    return "|".join(map(re.escape, sorted(" ".join(signs).split(), key=len, reverse=True)))


SIGN = _one_of(MONEY, CURRENCIES, UNITS)
BEFORE = re.compile(
    rf"[-+(]*{SPACE}*(?:({_one_of(MONEY, ATTACHED)}){SPACE}*[-+(.,]*\d"
    rf"|({_one_of(CURRENCIES)})(?:{SPACE}+[-+(.,]*\d|[-+(]*\d+[.,'’]\d))"
)
BEHIND = re.compile(rf"[-+(]*{SPACE}*[.,]?\d.*?[-)]?{SPACE}*(?<![^\W\d_])({SIGN})[-)]*")
"""Known signs may stand beside a number without a space."""
UNIT_WORD = re.compile(rf".*[\d.,]{SPACE}+([^\W\d_][^\s\d()+,;-]{{0,14}})\)?")
"""Any other word is a unit where it stands behind every number, a space between: "3 Zimmer", but not "Zimmer 3"."""
DIGITS = "\\d[\\d.,'’ \u00a0\u2009\u202f]*|[.,]\\d+"
TRAILING = rf"({DIGITS}){SPACE}*-"
BRACKETED = rf"\({SPACE}*({DIGITS}){SPACE}*\)"
TWO_DIGITS = r"[^\d]*\d.*\d.*"
USUAL_PATTERN = r"[-+]?[\d.,]+(?:[eE][-+]?\d+)?"
USUAL = re.compile(USUAL_PATTERN, re.ASCII).fullmatch
A_DIGIT = re.compile(r"\d", re.ASCII).search
LOOKED_AT = 50
LONGEST = 100  # characters of a number with all that stands around it; on longer texts some expressions take their time
A_NUMBER = re.compile(
    rf"[-+(]*{SPACE}*(?:{SIGN})?{SPACE}*[-+(]*{SPACE}*(?:{DIGITS})(?:[eE][-+]?\d+)?[-)]?{SPACE}*(?:{SIGN})?[-)]?"
)


class Unsigned(NamedTuple):
    """Texts without what stands around the numbers.

    sign : what stands before or behind the numbers, such as "%"; "" for nothing. signed : bool (k,), which texts have
    it, all of them where there is none. minus : how a negative number is written where that is not "-5"; "" else.
    texts : pyarrow string array (k,).
    """

    sign: str
    signed: np.ndarray
    texts: Any
    minus: str = ""


def without_signs(texts) -> Unsigned:
    """The texts (pyarrow string array (k,)) with a minus in front where one is meant, and without a common sign.

    Where most have a sign, a number without it is something else.
    """
    texts = _without_long(texts)
    every, first = np.ones(len(texts), dtype=bool), texts[:LOOKED_AT].to_pylist()
    if not any(map(A_DIGIT, first)) or (all(map(USUAL, first)) and all_match(texts, USUAL_PATTERN)):
        return Unsigned("", every, texts)
    plain = texts if _is_ascii(texts) else _replaced(texts, MINUSES, "-")
    sign = _common_sign(plain)
    signed, bare = _without_sign(plain, sign) if sign else (every, plain)
    if 2 * signed.sum() < len(texts):
        sign, signed, bare = "", every, plain
    negative = _with_minus_in_front(bare)
    changed = np.flatnonzero(~is_equal(negative, bare)) if negative is not bare else np.empty(0, np.int64)
    if not len(changed) and plain is not texts:
        changed = np.flatnonzero(~is_equal(plain, texts) & matches(negative, r"-.*\d.*"))
    return Unsigned(sign, signed, negative, texts[int(changed[0])].as_py() if len(changed) else "")


def is_number(text: str) -> bool:
    """Is the text a number, whatever stands around it?"""
    return len(text) <= LONGEST and A_NUMBER.fullmatch(text.translate(MINUS)) is not None


def is_negative(text: str) -> bool:
    """Is the text a number with a minus, or in brackets?"""
    plain = text.strip().translate(MINUS)
    return any(sign in plain for sign in "-(") and is_number(plain)


def has_unit(text: str) -> bool:
    """Is the text a number with a word behind it?"""
    return text[:1].isdigit() and len(text) <= LONGEST and UNIT_WORD.fullmatch(text) is not None


def _common_sign(texts) -> str:
    """The sign that most of the first texts have; "" for none. A word that is no known sign has to stand in all."""
    first = [text for text in texts[:LOOKED_AT].to_pylist() if any(map(str.isdigit, text))]
    result = (BEFORE.match(text) or BEHIND.fullmatch(text) for text in first)
    known = Counter(one[one.lastindex] for one in result if one)
    if known:
        sign, n = known.most_common(1)[0]
        return sign if 2 * n >= len(first) else ""
    words = {unit[1] if (unit := UNIT_WORD.fullmatch(text)) else "" for text in first}
    return words.pop() if len(words) == 1 else ""


def _without_sign(texts, sign: str) -> tuple[np.ndarray, object]:
    """(which texts have the sign, the texts without it)."""
    escaped = re.escape(sign)
    before = rf"([-+(]*){SPACE}*{escaped}{SPACE}*([-+(]*){SPACE}*([\d.,].*)"
    behind = rf"(.*[\d.,)]-?){SPACE}*{escaped}{SPACE}*([-)]*)"
    signed = matches(texts, rf"(?:{before})|(?:{behind})")
    bare = _replaced(texts, rf"^{behind}$", r"\1\2")
    return signed, bare if sign in UNITS.split() else _replaced(bare, rf"^{before}$", r"\1\2\3")


def _with_minus_in_front(texts):
    """The texts with "-" before numbers that have it behind them, or stand in brackets.

    Brackets around every number, and a minus behind digits that stand alone ("2-" is a mark at school), mean something
    else.
    """
    trailing, bracketed = matches(texts, TRAILING), matches(texts, BRACKETED)
    if trailing.any() and matches(texts.filter(trailing), TWO_DIGITS).any():
        texts = _replaced(texts, rf"^{TRAILING}$", r"-\1")
    if bracketed.any() and not bracketed.all():
        texts = _replaced(texts, rf"^{BRACKETED}$", r"-\1")
    return _replaced(texts, rf"^([-+]){SPACE}+([\d.,])", r"\1\2")


def _without_long(texts):
    """The texts, "" for those that are too long for a number."""
    from pyarrow import compute

    longest = compute.max(compute.binary_length(texts)).as_py() or 0
    if longest <= LONGEST:
        return texts
    return compute.if_else(compute.greater(compute.utf8_length(texts), LONGEST), "", texts)


def _replaced(texts, pattern: str, replacement: str):
    """The texts with what matches (RE2) replaced; the same object where nothing does."""
    from pyarrow import compute

    if not compute.any(compute.match_substring_regex(texts, pattern=pattern)).as_py():
        return texts
    return compute.replace_substring_regex(texts, pattern=pattern, replacement=replacement)


def _is_ascii(texts) -> bool:
    from pyarrow import compute

    return compute.all(compute.string_is_ascii(texts)).as_py() is not False


# Numbers written as text: decimal point or comma, thousands separators, and when that cannot be told.

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
    texts: Any = None
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
    delimiter = context.delimiter or ""
    by_delimiter = f"as usual in files with {DELIMITERS.get(delimiter)} between the fields"
    if plain is COMMA:
        signs: dict[str, tuple[str | None, str, bool]] = {
            ",": (".", by_delimiter, False),
            ";": (",", by_delimiter, own == PERHAPS),
        }
        return signs.get(delimiter, (None, "", True))
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


# The unit of a column's numbers, from what stands around them in the file or at the end of the column's name.

TIMES = """
years year yrs months month weeks week days day hours hour minutes seconds Jahre Monate Wochen Tage Stunden Minuten
Sekunden
"""
"""Spans of time, which names of columns write out."""
LONGEST_NAME = 200


@lru_cache(maxsize=256)
def unit_in(name: str) -> str:
    """The known unit at the end of a column's name: "€" of "price (€)", "Preis in €" and "price €", "€/m²" of
    "rent, €/m²"; "" where there is none, as in "Complaints (12m)" or "price (net)"."""
    result = unit_at_end().fullmatch(name.strip()) if len(name) <= LONGEST_NAME else None
    return "" if result is None else next(text for text in result.groups() if text)


@lru_cache(maxsize=1)
def unit_at_end() -> re.Pattern:
    """What a whole name matches that ends in a unit, which is one of its groups."""
    words = sorted(f"{MONEY} {CURRENCIES} {UNITS} {TIMES}".split(), key=len, reverse=True)
    signs = "|".join(map(re.escape, sorted(MONEY.split(), key=len, reverse=True)))
    one = "|".join(map(re.escape, words))
    unit = rf"(?:{one})(?:/(?:{one}))?"
    return re.compile(rf".*(?:[(\[]\s*(?:in\s+)?({unit})\s*[)\]]|(?:\sin|,)\s+({unit})|\s({signs}))")
