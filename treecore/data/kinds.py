"""What each column of a source probably is: its kind, whether a tree may split on it, and why."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treecore.data.column import number_labels, quoted, row_list
from treecore.data.dates import FIRST_COMPACT, LAST_COMPACT, DateReading, compact_dates, offered_parts, read_dates
from treecore.data.number_reading import (
    COMMA,
    COMMA_THOUSANDS,
    DOT_THOUSANDS,
    PLAIN,
    SPACES,
    NumberReading,
    has_unit,
    is_negative,
    is_number,
    parsed,
)
from treecore.data.options import ReadOptions
from treecore.data.raw import (
    Doubt,
    RawColumn,
    cell_counts,
    is_one_of,
    matches,
    number_texts,
    rows_with,
    sorted_words,
    words_of,
)
from treecore.data.vocabulary import (
    boolean_levels,
    is_key_name,
    missing_words,
    ordered_levels,
    spelling_doubt,
)
from treecore.figures import counted

FEATURE, LEFT_OUT = "feature", "left out"


@dataclass(frozen=True)
class ColumnGuess:
    """kind, use ("feature" or "left out") and one sentence saying why.

    examples : the commonest values. derived : parts of a date that can become columns (`derive=`).
    levels : proposed levels in order; None for numbers and for columns left out.
    n_missing, n_distinct : missing cells, and different known ones.
    whole_numbers : all numbers are whole (then few of them may be classes). negative : some are below 0. positive : all
    are above 0. unit : that of its cells, such as "€"; "" where they have none.
    odd : the few texts that keep a column of numbers from being numeric.
    doubts : what its cells were taken to mean where they could mean something else, with what undoes it.
    """

    name: str
    kind: str
    use: str
    reason: str
    n_missing: int
    n_distinct: int
    examples: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    levels: tuple[str, ...] | None = None
    n_rows: int = 0
    whole_numbers: bool = False
    odd: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    negative: bool = False
    positive: bool = False
    unit: str = ""

    @property
    def is_count(self) -> bool:
        """Is it a whole number from 0 on, as how often something happened is?"""
        return self.kind == "numeric" and self.may_count

    @property
    def may_count(self) -> bool:
        """The same, or no more than 0 and 1: did it happen? What has a unit is an amount, such as a price."""
        return self.whole_numbers and not self.negative and not self.unit


def nothing_known(column: RawColumn) -> ColumnGuess:
    """The guess for a column without any value."""
    return ColumnGuess(
        column.name,
        "nominal",
        LEFT_OUT,
        "Left out: every value is missing.",
        column.n_rows,
        0,
        n_rows=column.n_rows,
    )


# Columns that tell rows apart instead of describing them: running numbers, keys, free text.

INDEX_NAME = re.compile(r"(unnamed: ?\d+|index|row[._ ]?names?|)", re.IGNORECASE)
YEAR_NAME = re.compile(r"(^|[_\W])(year|jahr|annee|année|anno|año)($|[_\W])", re.IGNORECASE)
COUNTS_ROWS = "it numbers the rows"
MIN_ROWS = 5  # with fewer rows everything is distinct
MIN_ROWS_NEARLY = 20  # with fewer rows "nearly" says little
NEARLY = 0.95
MANY = 0.5  # share of different words beyond which a column of words is left out
FREE_TEXT_LENGTH = 30  # characters on average


def numeric_identifier(name: str, first: bool, numbers: np.ndarray) -> str:
    """Why a column of numbers is taken for an identifier; "" when it is not.

    name : as in the source, "" for none. first : whether the column stands first.
    numbers : float64 (n_rows,) in the order of the rows, NaN where missing.
    """
    known = numbers[~np.isnan(numbers)]
    if len(known) < MIN_ROWS or not np.array_equal(known, np.floor(known)):
        return ""
    n = len(np.unique(known))
    if is_key_name(name) and n >= NEARLY * len(known):
        return f"its name and its {n:,} different whole numbers in {len(known):,} rows look like an identifier"
    if n < len(numbers) or YEAR_NAME.search(name):
        return ""
    low, high = known.min(), known.max()
    if high - low == n - 1 and INDEX_NAME.fullmatch(name):
        return f"it has no name and numbers the rows from {low:.0f} to {high:.0f}"
    rising = bool((np.diff(numbers) > 0).all())
    if high - low == n - 1 and (low in (0, 1) or first or rising):
        return f"{COUNTS_ROWS} from {low:.0f} to {high:.0f}"
    if first and rising and n >= MIN_ROWS_NEARLY and high - low < 2 * n:
        return f"it rises from row to row from {low:.0f} to {high:.0f}, like a row number with gaps"
    return ""


def word_identifier(name: str, n_known: int, n_distinct: int, mean_length: float) -> str:
    """Why a column of words is left out; "" when it may be a feature."""
    if mean_length > FREE_TEXT_LENGTH and n_distinct > MANY * n_known and n_known >= MIN_ROWS:
        return f"it is free text ({n_distinct:,} different texts in {n_known:,} rows)"
    if n_known >= MIN_ROWS and n_distinct == n_known:
        return f"every row has a text of its own ({n_known:,} rows), like an identifier"
    if n_known >= MIN_ROWS_NEARLY and (
        n_distinct > MANY * n_known or (is_key_name(name) and n_distinct >= NEARLY * n_known)
    ):
        return f"it has {n_distinct:,} different texts in {n_known:,} rows, nearly one for each"
    return ""


# What a column of numbers is: a measurement, a yes or no, an identifier.

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
    identifier = ""
    if whole and len(distinct) >= NEARLY * (column.n_rows - n_missing):  # to look closer takes longer
        by_row = np.append(reading.values, np.nan)[column.codes]
        identifier = numeric_identifier(column.original, first, by_row)
    if identifier:
        return guess(LEFT_OUT, f"Left out: {identifier}.")
    noun = "whole numbers" if whole else "numbers"
    doubt = _endless(column, reading) if len(finite) < len(distinct) else ""
    unit = {"": "", "%": " in per cent"}.get(reading.sign, f" in {reading.sign}")
    minus = f", those below zero as {quoted(reading.minus)}" if reading.minus else ""
    result = guess(FEATURE, f"All known values are {noun}{unit}{_written(reading)}{minus}{doubt}.{absent}")
    doubts = separator_doubts(column.name, reading, options)
    signs = {"negative": bool(distinct[0] < 0), "positive": bool(distinct[0] > 0)}
    return replace(result, doubts=doubts, unit=reading.sign, **signs)


def coded_doubts(column: RawColumn, reading: NumberReading, options: ReadOptions) -> tuple[Doubt, ...]:
    """What is said of numbers that the user has called missing values, with what makes them numbers again."""
    if reading.coded is None:
        return ()
    n = int(cell_counts(column)[reading.coded].sum())
    others = {name: words for name, words in options.missing_in if name != column.name}
    codes = ", ".join(map(quoted, dict(options.missing_in)[column.name]))
    text = (
        f"{codes} in {counted(n, 'row')} read as missing, in this column alone. Rows that come by another way than a "
    )
    text += "file need empty cells there."
    return (Doubt(text, (("Read as numbers again", (("missing_in", tuple(others.items())),)),), False),)


def separator_doubts(name: str, reading: NumberReading, options: ReadOptions) -> tuple[Doubt, ...]:
    """What is said of a separator that could be a decimal sign or stand between thousands; () where it could not."""
    if reading.other is None and not reading.is_ambiguous:
        return ()
    taken = reading.formats[0]
    sign = {".": "point", ",": "comma"}[taken.thousands or taken.decimal]
    text = next(t for t in reading.texts.to_pylist() if re.search("[.,]", t))
    thousands, decimal = f"The {sign}s of '{name}' stand between thousands", f"The {sign} of '{name}' is a decimal sign"
    as_said = lambda sign: (("decimals", tuple(sorted((dict(options.decimals) | {name: sign}).items()))),)  # noqa: E731
    formats = reading.formats if reading.is_ambiguous or reading.other is None else (reading.other,)
    remedies = tuple((thousands if f.thousands else decimal, as_said(f.decimal)) for f in formats)
    if reading.is_ambiguous:
        return (Doubt(f"{quoted(text)} can have a decimal or a thousands separator.", remedies),)
    as_number = number_labels(parsed(reading.texts.filter(matches(reading.texts, re.escape(text))), taken))[0]
    because = f", {reading.settled_by}" if reading.settled_by else ""
    meant = f"a {sign} between thousands" if taken.thousands else f"a decimal {sign}"
    if reading.is_open:
        remedies += ((thousands if taken.thousands else decimal, as_said(taken.decimal)),)
    return (Doubt(f"{quoted(text)} is read as {as_number}, with {meant}{because}.", remedies, reading.is_open),)


def _endless(column: RawColumn, reading: NumberReading) -> str:
    """How many of the known values are infinite, and where."""
    rows = rows_with(column, np.isinf(reading.values))
    return f"; {len(rows)} of them infinite (first at {row_list(rows)})"


def _absent(column: RawColumn, reading: NumberReading) -> str:
    """Which words were taken for missing values, and how often; "" where only empty cells were."""
    if not column.absent and not reading.missing.any():
        return ""
    result = Counter(dict(column.absent))
    if column.content == "text":
        counts = cell_counts(column)
        for place in np.flatnonzero(reading.missing & (counts > 0)):
            result[column.cells[int(place)].as_py().strip()] += int(counts[place])
    words = [(word, n) for word, n in result.most_common() if word]
    if not words:
        return ""
    listed = ", ".join(f"{quoted(word)} ({n:,})" for word, n in words[:LISTED])
    listed += f" and {counted(len(words) - LISTED, 'more word')}" if len(words) > LISTED else ""
    return f" Missing values are {listed}{' and empty cells' if result[''] else ''}."


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


# What a column of words is: a yes or no, an order, dates, names, free text.

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
    result = _guess_known(column, reading, options, texts, missing, counts)
    return replace(
        result, reason=f"{result.reason}{gaps.sentence}", doubts=(*result.doubts, *gaps.doubts(column.name, options))
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
    text = f"In dates such as {quoted(examples[0])} day and month could change places."
    return replace(guess, doubts=(Doubt(text, orders, is_open=False),))


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
        text = f"{known[0]:.0f} could be the date {str(dates.stamps[0])[:10]}; it is a number, as you said."
        guess = guess_numbers(column, reading, options, first=False)
        return replace(guess, doubts=(Doubt(text, (remedy,), is_open=False),))
    examples = [f"{number:.0f}" for number in known[:: max(1, len(known) // 3)][:3]]
    guess = guess_dates(column, dates, examples, n_missing, options)
    remedy = ("They are numbers", (("not_dates", (*options.not_dates, column.name)),))
    text = f"{examples[0]} is read as the date {str(dates.stamps[0])[:10]}, as every value is one of the calendar."
    return replace(guess, doubts=(Doubt(text, (remedy,), is_open=False),))


def _boolean_or_ordered(base: ColumnGuess, words) -> ColumnGuess | None:
    if len(words) > MAX_WORDS_LOOKED_AT:
        return None
    listed = words.to_pylist()
    levels = boolean_levels(listed)
    if levels:
        return replace(base, kind="boolean", levels=levels, reason=_pair_reason(sorted(listed), levels))
    scale = ordered_levels(listed)
    if scale:
        return replace(
            base,
            kind="ordinal",
            levels=scale,
            reason="The words have a usual order: " + " < ".join(scale) + ".",
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


# What each column of a source probably is, with a reason a person understands.


def guessed(
    columns: Sequence[RawColumn], readings: Mapping[str, NumberReading], options: ReadOptions
) -> tuple[ColumnGuess, ...]:
    """One guess per column, in their order. readings : every column read as numbers, by name."""
    guesses = tuple(
        _with_spellings(_guess(c, readings[c.name], options, place == 0), c, options) for place, c in enumerate(columns)
    )
    return _with_running_number_if_alone(guesses)


def _with_running_number_if_alone(guesses: tuple[ColumnGuess, ...]) -> tuple[ColumnGuess, ...]:
    """A table of x = 1..n and y has only x to split on, so there x is a feature after all."""
    if sum(guess.use == FEATURE for guess in guesses) != 1:
        return guesses
    reason = "Whole numbers that count the rows; a feature because there is no other."
    return tuple(replace(g, use=FEATURE, reason=reason) if COUNTS_ROWS in g.reason else g for g in guesses)


def _with_spellings(found: ColumnGuess, column: RawColumn, options: ReadOptions) -> ColumnGuess:
    """The guess with what is said of spellings that are one level, and what makes them levels of their own."""
    same = dict(options.same_levels).get(column.name)
    if not same or found.kind == "numeric":
        return found
    others = tuple((name, words) for name, words in options.same_levels if name != column.name)
    return replace(found, doubts=(*found.doubts, spelling_doubt(same, others)))


def _guess(column: RawColumn, reading: NumberReading, options: ReadOptions, first: bool) -> ColumnGuess:
    if column.content == "levels":
        return guess_levels(column)
    if column.content == "date":
        stamps = np.asarray(column.cells)
        times = bool((stamps != stamps.astype("datetime64[D]")).any())
        texts = [str(stamp).replace("T", " ") if times else str(stamp)[:10] for stamp in stamps[:3]]
        return guess_dates(column, DateReading(stamps, False, times), texts, int((column.codes < 0).sum()), options)
    if reading.is_numeric and not reading.is_ambiguous:
        dates = guess_compact_dates(column, reading, options)
        if dates:
            return dates
    if reading.is_numeric and not reading.is_ambiguous and not is_label_like(reading):
        result = guess_numbers(column, reading, options, first)
        return replace(result, doubts=(*result.doubts, *coded_doubts(column, reading, options)))
    return guess_words(column, reading, options)
