"""What a column of words is: a yes or no, an order, dates, names, free text."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treecore.data.cells import (
    cell_counts,
    is_one_of,
    matches,
    number_texts,
    rows_with,
    sorted_words,
    words_of,
)
from treecore.data.column import quoted, row_list
from treecore.data.dates import FIRST_COMPACT, LAST_COMPACT, DateReading, compact_dates, offered_parts, read_dates
from treecore.data.guess import FEATURE, LEFT_OUT, ColumnGuess, nothing_known
from treecore.data.identifiers import word_identifier
from treecore.data.missing_words import missing_words
from treecore.data.number_guess import LABEL_LIKE, guess_numbers, separator_doubts
from treecore.data.number_signs import has_unit, is_negative, is_number
from treecore.data.numbers import NumberReading
from treecore.data.options import ReadOptions
from treecore.data.raw import Doubt, RawColumn
from treecore.data.words import boolean_levels, ordered_levels

MAX_WORDS_LOOKED_AT = 50
MOST_ODD, ODD_SHARE = 6, 4  # so few different texts, in a row for four of numbers at most, are odd ones


def guess_words(column: RawColumn, reading: NumberReading, options: ReadOptions) -> ColumnGuess:
    counts = cell_counts(column)
    if column.content == "number":
        texts = number_texts(column)
        missing = is_one_of(texts, options.missing_words(column.name))
    else:
        texts, missing = words_of(column, options)
    n_known = int(counts[~missing].sum())
    if n_known == 0:
        return nothing_known(column)
    gaps = missing_words(column, options)
    found = _guess_known(column, reading, options, texts, missing, counts)
    return replace(
        found, reason=f"{found.reason}{gaps.told}", doubts=(*found.doubts, *gaps.doubts(column.name, options))
    )


def _guess_known(
    column: RawColumn, reading: NumberReading, options: ReadOptions, texts, missing: np.ndarray, counts: np.ndarray
) -> ColumnGuess:
    """The guess for words, some of them known. texts, missing, counts : (k,), of the different cells."""
    known = texts.filter((~missing) & (counts > 0))
    n_known = int(counts[~missing].sum())
    words = known.unique()
    base = ColumnGuess(
        column.name,
        "nominal",
        FEATURE,
        "",
        column.n_rows - n_known,
        len(words),
        _commonest(texts, np.where(missing, 0, counts)),
        n_rows=column.n_rows,
    )
    if len(words) == 1:
        return replace(base, use=LEFT_OUT, reason=f"Left out: every known value is {quoted(words[0].as_py())}.")
    special = _boolean_or_ordered(base, words)
    if special:
        return special
    dates = None if column.name in options.not_dates else read_dates(words, options.dayfirst)
    if dates:
        return guess_dates(column, dates, base.examples, base.n_missing, options)
    return _guess_names(column, base, reading, options, _mean_length(texts, counts, missing), words)


def guess_levels(column: RawColumn) -> ColumnGuess:
    counts = cell_counts(column)
    n_known, n_used = int(counts.sum()), int((counts > 0).sum())
    if n_known == 0:
        return nothing_known(column)
    kind = "boolean" if column.boolean else "ordinal" if column.ordered else "nominal"
    common = tuple(column.cells[i] for i in np.argsort(-counts, kind="stable")[:3] if counts[i])
    base = ColumnGuess(
        column.name,
        kind,
        FEATURE,
        "Its type declares its levels.",
        column.n_rows - n_known,
        n_used,
        common,
        levels=column.cells,
        n_rows=column.n_rows,
    )
    if n_used == 1:
        return replace(base, use=LEFT_OUT, levels=None, reason=f"Left out: every known value is {quoted(common[0])}.")
    mean_length = float(np.dot(counts, [len(level) for level in column.cells])) / n_known
    identifier = "" if column.ordered else word_identifier(column.name, n_known, n_used, mean_length)
    return replace(base, use=LEFT_OUT, levels=None, reason=f"Left out: {identifier}.") if identifier else base


def guess_dates(
    column: RawColumn, dates: DateReading, examples: Sequence[str], n_missing: int, options: ReadOptions
) -> ColumnGuess:
    if len(dates.stamps) == 0:
        return nothing_known(column)
    parts = offered_parts(dates)
    doubt = " Day and month could change places: say which comes first." if dates.ambiguous else ""
    guess = ColumnGuess(
        column.name,
        "nominal",
        LEFT_OUT,
        f"Left out: these are dates; {', '.join(parts)} can be derived.{doubt}",
        n_missing,
        len(np.unique(dates.stamps)),
        tuple(examples),
        parts,
        n_rows=column.n_rows,
    )
    if not dates.ambiguous:
        return guess
    orders = (("The day comes first", (("dayfirst", True),)), ("The month comes first", (("dayfirst", False),)))
    told = f"In dates such as {quoted(examples[0])} day and month could change places."
    return replace(guess, doubts=(Doubt(told, orders, is_open=False),))


def guess_compact_dates(column: RawColumn, reading: NumberReading, options: ReadOptions) -> ColumnGuess | None:
    """The guess for numbers such as 20240131; None where they are no dates."""
    first = float(reading.values[0]) if len(reading.values) else 0.0
    if first < FIRST_COMPACT or first > LAST_COMPACT:  # nearly always: not to be looked at more closely
        return None
    known = np.unique(reading.values[(cell_counts(column) > 0) & ~np.isnan(reading.values)])
    dates = compact_dates(column.name, known)
    if dates is None or reading.sign:
        return None
    n_missing = column.n_rows - int(cell_counts(column)[~np.isnan(reading.values)].sum())
    if column.name in options.not_dates:
        remedy = ("They are dates", (("not_dates", tuple(n for n in options.not_dates if n != column.name)),))
        told = f"{known[0]:.0f} could be the date {str(dates.stamps[0])[:10]}; it is a number, as you said."
        guess = guess_numbers(column, reading, options, first=False)
        return replace(guess, doubts=(Doubt(told, (remedy,), is_open=False),))
    examples = [f"{number:.0f}" for number in known[:: max(1, len(known) // 3)][:3]]
    guess = guess_dates(column, dates, examples, n_missing, options)
    remedy = ("They are numbers", (("not_dates", (*options.not_dates, column.name)),))
    told = f"{examples[0]} is read as the date {str(dates.stamps[0])[:10]}, as every value is one of the calendar."
    return replace(guess, doubts=(Doubt(told, (remedy,), is_open=False),))


def _boolean_or_ordered(base: ColumnGuess, words) -> ColumnGuess | None:
    if len(words) > MAX_WORDS_LOOKED_AT:
        return None
    listed = words.to_pylist()
    levels = boolean_levels(listed)
    if levels:
        return replace(base, kind="boolean", levels=levels, reason=_pair_reason(sorted(listed), levels))
    levels = ordered_levels(listed)
    if levels:
        return replace(
            base,
            kind="ordinal",
            levels=levels,
            reason="The words have a usual order: " + " < ".join(levels) + ".",
        )
    return None


def _pair_reason(words: list[str], levels: tuple[str, str]) -> str:
    if set(words) == set(levels):
        return f"Only {levels[0]} and {levels[1]} occur."
    return f"{', '.join(words[:-1])} and {words[-1]} are read as {levels[0]} and {levels[1]}."


def _guess_names(
    column: RawColumn, base: ColumnGuess, reading: NumberReading, options: ReadOptions, mean_length: float, words
) -> ColumnGuess:
    reason = _why_no_numbers(column, reading)
    identifier = word_identifier(base.name, column.n_rows - base.n_missing, base.n_distinct, mean_length)
    base = replace(base, odd=_odd(column, reading), doubts=separator_doubts(column.name, reading, options))
    if identifier:
        return replace(base, use=LEFT_OUT, reason=f"Left out: {identifier}.{' ' + reason if reason else ''}")
    levels = sorted_words(words)
    return replace(base, levels=levels, reason=reason or f"{base.n_distinct} different words without an order.")


def _why_no_numbers(column: RawColumn, reading: NumberReading) -> str:
    """What keeps a column that looks like numbers from being numeric; "" when it does not look like it."""
    if reading.texts is None:
        return ""
    if reading.is_ambiguous:
        example = reading.texts[0].as_py()
        return (
            f"Values such as {example!r} can have a decimal or a thousands separator: "
            "say which is the decimal sign to make it numeric."
        )
    if reading.is_numeric:
        label = reading.texts.filter(matches(reading.texts, LABEL_LIKE))[0].as_py()
        why = "start with zeros" if label.lstrip("+-").startswith("0") else "have more digits than a number keeps"
        return f"Values such as {label!r} {why}, so they are names rather than numbers."
    counts = cell_counts(column)
    n_bad = int(counts[reading.bad].sum())
    n_good = int(counts[~reading.bad & ~reading.missing].sum())
    if n_bad > n_good or n_bad == 0:
        return ""
    rows = rows_with(column, reading.bad)
    text = column.cells[int(column.codes[rows[0]])].as_py()
    good = "1 value is a number" if n_good == 1 else f"{n_good} values are numbers"
    bad = "1 is not," if n_bad == 1 else f"{n_bad} are not, such as"
    remedy = "such cells are rare, treat them" if n_bad == 1 else "treat them"
    where = f"{quoted(text)} (first at {row_list(rows)})"
    if reading.sign and (is_number(text) or has_unit(text)):
        return f"{good}, but {bad} {where}, which is one with another sign or unit: write all alike to make it numeric."
    return f"{good}, but {bad} {where}: {remedy} as missing to make it numeric."


def _odd(column: RawColumn, reading: NumberReading) -> tuple[str, ...]:
    """The texts that are no numbers, where most rows hold numbers and these are few."""
    if column.content != "text" or reading.is_numeric or reading.is_ambiguous:
        return ()
    counts = cell_counts(column)
    bad = np.flatnonzero(reading.bad & (counts > 0))
    n_good = int(counts[~reading.bad & ~reading.missing].sum())
    if not 0 < len(bad) <= MOST_ODD or ODD_SHARE * int(counts[bad].sum()) > n_good:
        return ()
    texts = tuple(column.cells[int(place)].as_py().strip() for place in bad)
    return () if any(map(is_negative, texts)) else texts  # as missing values, all that is below zero would be lost


def _commonest(texts, counts: np.ndarray) -> tuple[str, ...]:
    """The three commonest texts; one that several cells have counts once."""
    encoded = texts.dictionary_encode()
    rows = np.bincount(encoded.indices.to_numpy(zero_copy_only=False), weights=counts, minlength=1)
    top = np.argsort(-rows, kind="stable")[:3]
    return tuple(encoded.dictionary[int(i)].as_py() for i in top if rows[i])


def _mean_length(texts, counts: np.ndarray, missing: np.ndarray) -> float:
    from pyarrow import compute

    lengths = compute.utf8_length(texts).to_numpy(zero_copy_only=False)
    weights = np.where(missing, 0, counts)
    return float(np.dot(lengths, weights) / max(weights.sum(), 1))
