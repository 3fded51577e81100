"""What each column of a raw table probably is, with a reason a person understands."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treecore.data.dates import DateReading
from treecore.data.guess import FEATURE, LEFT_OUT, ColumnGuess
from treecore.data.identifiers import COUNTS_ROWS
from treecore.data.number_guess import guess_numbers, is_label_like
from treecore.data.raw import RawColumn, RawTable
from treecore.data.word_guess import guess_dates, guess_levels, guess_words

__all__ = ["FEATURE", "LEFT_OUT", "ColumnGuess", "guess_target", "infer_kinds", "target_kind"]

TARGET_NAMES = ("class", "target", "label", "y", "outcome", "response", "result", "klass", "category", "output")
MAX_CLASSES = 10  # whole numbers up to this many different values may be classes
MIN_ROWS_PER_CLASS = 10


def infer_kinds(raw: RawTable) -> tuple[ColumnGuess, ...]:
    """One guess per column, in the order of the columns. The same object is returned for the same table."""
    return raw.guesses


def guessed(raw: RawTable) -> tuple[ColumnGuess, ...]:
    """The guesses, worked out afresh."""
    guesses = tuple(_guess(raw, column, place == 0) for place, column in enumerate(raw.columns))
    return _with_running_number_if_alone(guesses)


def guess_target(guesses: Sequence[ColumnGuess]) -> str | None:
    """The column that is probably to be predicted: one with a telling name, else the last usable one."""
    usable = [guess.name for guess in guesses if guess.use == FEATURE]
    by_word = {name.strip().casefold(): name for name in reversed(usable)}
    telling = [by_word[word] for word in TARGET_NAMES if word in by_word]
    return (telling or usable[-1:] or [None])[0]


def target_kind(guess: ColumnGuess) -> str:
    """The kind to take when this column is the target: few whole numbers are classes, so nominal."""
    few = guess.n_distinct <= MAX_CLASSES and guess.n_distinct * MIN_ROWS_PER_CLASS <= guess.n_rows
    return "nominal" if guess.kind == "numeric" and guess.whole_numbers and few else guess.kind


def _with_running_number_if_alone(guesses: tuple[ColumnGuess, ...]) -> tuple[ColumnGuess, ...]:
    """A table of x = 1..n and y has only x to split on, so there x is a feature after all."""
    if sum(guess.use == FEATURE for guess in guesses) != 1:
        return guesses
    reason = "Whole numbers that count the rows; a feature because there is no other."
    return tuple(replace(g, use=FEATURE, reason=reason) if COUNTS_ROWS in g.reason else g for g in guesses)


def _guess(raw: RawTable, column: RawColumn, first: bool) -> ColumnGuess:
    if column.content == "levels":
        return guess_levels(column)
    if column.content == "date":
        stamps = np.asarray(column.cells)
        times = bool((stamps != stamps.astype("datetime64[D]")).any())
        texts = [str(stamp).replace("T", " ") if times else str(stamp)[:10] for stamp in stamps[:3]]
        return guess_dates(column, DateReading(stamps, False, times), texts, int((column.codes < 0).sum()))
    reading = raw.number_readings[column.name]
    if reading.is_numeric and not reading.is_ambiguous and not is_label_like(reading):
        return guess_numbers(column, reading, first)
    return guess_words(raw, column, reading)
