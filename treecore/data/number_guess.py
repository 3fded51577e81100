"""What a column of numbers is: a measurement, a yes or no, an identifier."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np

from treecore.data.cells import cell_counts, matches, rows_with
from treecore.data.column import number_labels, quoted, row_list
from treecore.data.counted import counted
from treecore.data.guess import FEATURE, LEFT_OUT, ColumnGuess, nothing_known
from treecore.data.identifiers import NEARLY, numeric_identifier
from treecore.data.numbers import COMMA, COMMA_THOUSANDS, DOT_THOUSANDS, PLAIN, SPACES, NumberReading, parsed
from treecore.data.options import ReadOptions
from treecore.data.raw import Doubt, RawColumn

LISTED = 5  # words that stand for a missing value
LABEL_LIKE = r"[+-]?0\d+|[+-]?\d{16,}"  # 00123, or more digits than a float64 keeps


def is_label_like(reading: NumberReading) -> bool:
    """Whether digits are names rather than numbers: 00123, or more than 15 of them."""
    return reading.texts is not None and bool(matches(reading.texts, LABEL_LIKE).any())


def guess_numbers(column: RawColumn, reading: NumberReading, options: ReadOptions, first: bool) -> ColumnGuess:
    """The guess for a column all of whose known cells are numbers; first : whether it stands first."""
    counts = cell_counts(column)
    used = (counts > 0) & ~np.isnan(reading.values)
    known = reading.values if used.all() else reading.values[used]
    distinct = known if (known[1:] > known[:-1]).all() else np.unique(known)
    if len(distinct) == 0:
        return nothing_known(column)
    finite = distinct[np.isfinite(distinct)]
    whole = bool(len(finite)) and bool((finite == np.floor(finite)).all())
    examples = tuple(number_labels(distinct[:: max(1, len(distinct) // 3)][:3]))
    n_missing, absent = column.n_rows - int(counts[used].sum()), _absent(column, reading)

    def guess(use: str, reason: str, kind: str = "numeric", levels: tuple[str, str] | None = None) -> ColumnGuess:
        return ColumnGuess(
            column.name, kind, use, reason, n_missing, len(distinct), examples, (), levels, column.n_rows, whole
        )

    if len(distinct) == 1:
        return guess(LEFT_OUT, f"Left out: every known value is {examples[0]}.{absent}")
    if len(distinct) == 2 and distinct[0] == 0.0 and distinct[1] == 1.0 and not reading.sign:
        return guess(FEATURE, f"Only 0 and 1 occur.{absent}", "boolean", ("0", "1"))
    nearly_all_differ = whole and len(distinct) >= NEARLY * (column.n_rows - n_missing)  # to look closer takes longer
    identifier = numeric_identifier(column.original, first, _by_row(column, reading)) if nearly_all_differ else ""
    if identifier:
        return guess(LEFT_OUT, f"Left out: {identifier}.")
    noun = "whole numbers" if whole else "numbers"
    doubt = _endless(column, reading) if len(finite) < len(distinct) else ""
    unit = {"": "", "%": " in per cent"}.get(reading.sign, f" in {reading.sign}")
    minus = f", those below zero as {quoted(reading.minus)}" if reading.minus else ""
    found = guess(FEATURE, f"All known values are {noun}{unit}{_written(reading)}{minus}{doubt}.{absent}")
    doubts = separator_doubts(column.name, reading, options)
    return replace(found, doubts=doubts, negative=bool(distinct[0] < 0), positive=bool(distinct[0] > 0))


def coded_doubts(column: RawColumn, reading: NumberReading, options: ReadOptions) -> tuple[Doubt, ...]:
    """What is said of numbers that the user has called missing values, with what makes them numbers again."""
    if reading.coded is None:
        return ()
    n = int(cell_counts(column)[reading.coded].sum())
    others = {name: words for name, words in options.missing_in if name != column.name}
    codes = ", ".join(map(quoted, dict(options.missing_in)[column.name]))
    told = (
        f"{codes} in {counted(n, 'row')} read as missing, in this column alone. Rows that come by another way than a "
    )
    told += "file need empty cells there."
    return (Doubt(told, (("Read as numbers again", (("missing_in", tuple(others.items())),)),), False),)


def separator_doubts(name: str, reading: NumberReading, options: ReadOptions) -> tuple[Doubt, ...]:
    """What is said of a separator that could be a decimal sign or stand between thousands; () where it could not."""
    if reading.other is None and not reading.is_ambiguous:
        return ()
    taken = reading.formats[0]
    sign = {".": "point", ",": "comma"}[taken.thousands or taken.decimal]
    text = next(t for t in reading.texts.to_pylist() if re.search("[.,]", t))
    thousands, decimal = f"The {sign}s of '{name}' stand between thousands", f"The {sign} of '{name}' is a decimal sign"
    as_said = lambda sign: (("decimals", _with(options.decimals, name, sign)),)  # noqa: E731
    formats = reading.formats if reading.is_ambiguous else (reading.other,)
    remedies = tuple((thousands if f.thousands else decimal, as_said(f.decimal)) for f in formats)
    if reading.is_ambiguous:
        return (Doubt(f"{quoted(text)} can have a decimal or a thousands separator.", remedies),)
    as_number = number_labels(parsed(reading.texts.filter(matches(reading.texts, re.escape(text))), taken))[0]
    because = f", {reading.settled_by}" if reading.settled_by else ""
    meant = f"a {sign} between thousands" if taken.thousands else f"a decimal {sign}"
    if reading.is_open:
        remedies += ((thousands if taken.thousands else decimal, as_said(taken.decimal)),)
    return (Doubt(f"{quoted(text)} is read as {as_number}, with {meant}{because}.", remedies, reading.is_open),)


def _with(pairs: tuple, name: str, value: object) -> tuple:
    return tuple(sorted((dict(pairs) | {name: value}).items()))


def _endless(column: RawColumn, reading: NumberReading) -> str:
    """How many of the known values are infinite, and where."""
    rows = rows_with(column, np.isinf(reading.values))
    return f"; {len(rows)} of them infinite (first at {row_list(rows)})"


def _absent(column: RawColumn, reading: NumberReading) -> str:
    """Which words were taken for missing values, and how often; "" where only empty cells were."""
    if not column.absent and not reading.missing.any():
        return ""
    found = Counter(dict(column.absent))
    if column.content == "text":
        counts = cell_counts(column)
        for place in np.flatnonzero(reading.missing & (counts > 0)):
            found[column.cells[int(place)].as_py().strip()] += int(counts[place])
    words = [(word, n) for word, n in found.most_common() if word]
    if not words:
        return ""
    listed = ", ".join(f"{quoted(word)} ({n:,})" for word, n in words[:LISTED])
    listed += f" and {counted(len(words) - LISTED, 'more word')}" if len(words) > LISTED else ""
    return f" Missing values are {listed}{' and empty cells' if found[''] else ''}."


def _by_row(column: RawColumn, reading: NumberReading) -> np.ndarray:
    """float64 (n_rows,): the numbers in the order of the rows, NaN where missing."""
    return np.append(reading.values, np.nan)[column.codes]


def _written(reading: NumberReading) -> str:
    """How the numbers are written, where that is worth a word."""
    if not reading.formats or reading.formats[0] == PLAIN:
        return ""
    written = reading.formats[0]
    words = {
        COMMA: " with a decimal comma",
        COMMA_THOUSANDS: " with commas between thousands",
        DOT_THOUSANDS: " with points between thousands",
    }.get(written, " with spaces between thousands")
    texts = reading.texts[:1000].to_pylist()
    spaced = next((t for t in texts if re.search(SPACES, t)), "")  # rather than one that has a decimal sign alone
    example = spaced or next((t for t in texts if re.search("[.,]", t)), "")
    if re.search("['’]", example):
        words = " with apostrophes between thousands"
    because = f", {reading.settled_by}" if reading.settled_by else ""
    return f"{words} ('{example}'{because})" if example else words
