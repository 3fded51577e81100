"""What each column of a source probably is, with a reason a person understands."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from treecore.data.dates import DateReading
from treecore.data.guess import FEATURE, ColumnGuess
from treecore.data.identifiers import COUNTS_ROWS
from treecore.data.missing_words import spelling_doubt
from treecore.data.number_guess import coded_doubts, guess_numbers, is_label_like
from treecore.data.numbers import NumberReading
from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn
from treecore.data.word_guess import guess_compact_dates, guess_dates, guess_levels, guess_words


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
        found = guess_numbers(column, reading, options, first)
        return replace(found, doubts=(*found.doubts, *coded_doubts(column, reading, options)))
    return guess_words(column, reading, options)
