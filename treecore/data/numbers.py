"""Numbers written as text: decimal point or comma, thousands separators, and when that cannot be told."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from treecore.data.cells import FEW, all_match, is_one_of, matches, stripped_texts
from treecore.data.column import frozen
from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn

EXPONENT = r"(?:[eE][+-]?\d+)?"
INFINITE = r"[+-]?(?i:inf|infinity)"
WHOLE = r"[+-]?\d+"
SEPARATED = r"\d[.,]\d"
SIGNS = "%$€£¥"
SPACES = "[ \u00a0\u202f']"


class NumberFormat(NamedTuple):
    """How numbers are written: the decimal sign, what separates thousands ("" for nothing), and a pattern."""

    decimal: str
    thousands: str
    pattern: str


PLAIN = NumberFormat(".", "", rf"[+-]?(?:\d+\.?\d*|\.\d+){EXPONENT}|{INFINITE}")
COMMA = NumberFormat(",", "", rf"[+-]?(?:\d+,?\d*|,\d+){EXPONENT}|{INFINITE}")
COMMA_THOUSANDS = NumberFormat(".", ",", r"[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?")
DOT_THOUSANDS = NumberFormat(",", ".", r"[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d*)?")
SPACE_THOUSANDS = NumberFormat(".", SPACES, rf"[+-]?(?:\d{{1,3}}(?:{SPACES}\d{{3}})+|\d+)(?:\.\d*)?")
SPACE_THOUSANDS_COMMA = NumberFormat(",", SPACES, rf"[+-]?(?:\d{{1,3}}(?:{SPACES}\d{{3}})+|\d+)(?:,\d*)?")
PLAIN_AND_FINITE = re.compile(rf"[+-]?(?:\d+\.?\d*|\.\d+){EXPONENT}", re.ASCII).fullmatch
DOTS_GROUP = re.compile(DOT_THOUSANDS.pattern, re.ASCII).fullmatch
FORMATS = (PLAIN, COMMA, COMMA_THOUSANDS, DOT_THOUSANDS, SPACE_THOUSANDS, SPACE_THOUSANDS_COMMA)


@dataclass(frozen=True, eq=False)
class NumberReading:
    """The distinct cells of one column read as numbers.

    values : float64 (k,), NaN where missing or no number. missing, bad : bool (k,), what is missing, and what is
    no number. formats : every format that fits all known cells; more than one means it is ambiguous.
    sign : what stands before or behind every number, such as "%"; it is no part of `texts`.
    settled_by : why one of several formats was taken, "" when there was no doubt.
    """

    values: np.ndarray
    missing: np.ndarray
    bad: np.ndarray
    formats: tuple[NumberFormat, ...]
    settled_by: str = ""
    texts: object = None
    sign: str = ""

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
    if not any(reading.is_ambiguous for reading in readings.values()):
        return readings
    decimal = file_decimal(readings.values(), options)
    return {
        name: _settled(reading, decimal, delimiter) if reading.is_ambiguous else reading
        for name, reading in readings.items()
    }


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
    missing = is_one_of(texts, options.missing_tokens(among_numbers=True))
    known = texts.filter(~missing) if missing.any() else texts
    sign, signed, known = _without_sign(known)
    formats = _fitting(known, options)
    chosen = formats[0] if formats else _most_fitting(known, options)
    values = np.full(n_cells, np.nan)
    values[~missing] = np.where(signed, parsed(known, chosen), np.nan)
    bad = np.isnan(values) & ~missing
    return NumberReading(values, missing, bad, formats if signed.all() else (), texts=known, sign=sign)


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


def _without_sign(texts) -> tuple[str, np.ndarray, object]:
    """(the sign that most numbers have, which of the texts have it, the texts without it).

    Where most have one, a number without it is something else.
    """
    sign = next((sign for sign in SIGNS if sign in texts[0].as_py()), "") if len(texts) else ""
    if not sign:
        return "", np.ones(len(texts), dtype=bool), texts
    escaped = re.escape(sign)
    signed = matches(texts, rf"{escaped}\s*[-+.,\d].*|.*[.,\d]\s*{escaped}")
    if 2 * signed.sum() < len(texts):
        return "", np.ones(len(texts), dtype=bool), texts
    from pyarrow import compute

    return sign, signed, compute.replace_substring_regex(texts, pattern=rf"^{escaped}\s*|\s*{escaped}$", replacement="")


def _fitting(texts, options: ReadOptions) -> tuple[NumberFormat, ...]:
    """Every format that fits all texts and that they tell apart; () when none does."""
    if len(texts) == 0 or not _could_be_number(texts[0].as_py()):
        return ()
    if options.decimal is None and all_match(texts, WHOLE):
        return (PLAIN,)
    usable = [f for f in FORMATS if options.decimal in (None, f.decimal)]
    fitting = [f for f in usable if all_match(texts, f.pattern)]
    if PLAIN in fitting and COMMA in fitting:  # whole numbers: every format fits, and all say the same
        return (PLAIN,)
    plain = [f for f in fitting if not f.thousands]
    signs = {f.decimal for f in plain}  # without a thousands separator in sight, the grouped twin says the same
    grouped = [f for f in fitting if f.thousands and f.decimal not in signs]
    return tuple(plain + [f for f in grouped if f.thousands != SPACES]) or tuple(grouped[:1])


def _could_be_number(text: str) -> bool:
    return any(character.isdigit() for character in text) or "inf" in text.lower()


def _most_fitting(texts, options: ReadOptions) -> NumberFormat:
    usable = [f for f in FORMATS if options.decimal in (None, f.decimal)]
    return max(usable, key=lambda f: matches(texts, f.pattern).sum())


def _settled(reading: NumberReading, decimal: str | None, delimiter: str | None) -> NumberReading:
    """One format for a column that fits two: by the other columns, else by the delimiter, else still two."""
    reason = "as in the other columns"
    if decimal is None and PLAIN in reading.formats:
        decimal, reason = ".", ""  # 1.234 alone is a decimal number nearly everywhere
    elif decimal is None and delimiter in (",", ";"):
        decimal, reason = (
            (".", "as usual in files with commas between the fields")
            if delimiter == ","
            else (",", "as usual in files with semicolons between the fields")
        )
    chosen = [f for f in reading.formats if f.decimal == decimal]
    if not chosen:
        return reading
    values = reading.values.copy()
    values[~reading.missing] = parsed(reading.texts, chosen[0])
    return replace(reading, values=values, formats=(chosen[0],), settled_by=reason)


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
