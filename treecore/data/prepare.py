"""What happens to the rows before growing: missing values are filled or left out, then numbers are put in bins.

Everything is learned from the training rows as they are then; the rows of other roles are put in the same bins, and
their missing values stay: in prediction the tree puts `Column.fill` in their place.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from treecore.data.column import Column, frozen, quoted
from treecore.data.discretize import BINNINGS, binned, check_bins, cuts_of
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.registry import Registry


class MissingCount(NamedTuple):
    """n missing cells of one column, and their share of the rows (0 for a table without rows)."""

    column: str
    n: int
    share: float


def missing_report(table: Table) -> list[MissingCount]:
    """One count per column of the table, in the table's order."""
    counts = [(column.name, column.n_missing) for column in table.columns]
    return [MissingCount(name, n, n / table.n_rows if table.n_rows else 0.0) for name, n in counts]


# Preparations for missing values before growing: rows or columns left out, cells filled.
#
# All of them learn from the rows they are given, which are the training rows; other rows stay as they are. What
# stands in for a missing value of a row to be predicted travels with the column (`Column.fill`) into the tree.

TIE = 1e-10  # weights that differ by less than this share of their sum count as equal
MOST_NAMED = 8  # columns or classes that a note lists


def filled(table: Table, method: str, limit: float = 0.7) -> Table:
    """The training rows as a method of FILLS prepares them; notes say what was filled or dropped.

    table : training rows only. limit : share of missing values, 0 to 1, above which "drop_columns" leaves a
    feature out. Kept as they are: the target, columns that are no feature, row numbers and, unless rows are
    dropped, the case weights, which count in every mean, median and mode. After a filling method no feature has
    a missing cell, and every feature's `fill` holds the mean, median or mode of all training rows.
    Raises TreecoreError when a feature has no value to learn from, when every row or feature would be dropped,
    and for a method by class when the target is numeric.
    """
    return FILLS[method].prepare(table, limit)


def _unchanged(table: Table, limit: float) -> Table:
    return table


def _drop_rows(table: Table, limit: float) -> Table:
    missing = np.zeros(table.n_rows, dtype=bool)
    for column in table.feature_columns:
        missing |= column.missing
    n = int(missing.sum())
    if n == 0:
        return table
    counts = sorted(((c.n_missing, c.name) for c in table.feature_columns if c.n_missing), key=lambda pair: -pair[0])
    worst = _listed([f"{name} {count}" for count, name in counts])
    if n == table.n_rows:
        raise TreecoreError(
            f"Every one of the {n} training rows misses a feature",
            where="Missing values",
            remedy=f"Fill them, or leave out the columns where most are missing: {worst}",
        )
    note = f"{n} of {table.n_rows} training rows were left out, as a feature is missing: {worst}."
    kept = table.take(~missing)
    return replace(kept, notes=(*kept.notes, note))


def _drop_columns(table: Table, limit: float) -> Table:
    if not 0 <= limit <= 1:
        raise TreecoreError(f"{limit!r} is no share", where="limit", remedy="Give a number from 0 to 1")
    dropped = [count for count in missing_report(table) if count.column in table.features and count.share > limit]
    if dropped and len(dropped) == len(table.features):
        raise TreecoreError(
            f"Every feature has more than {limit:.6g} of its values missing",
            where="Missing values",
            remedy="Raise the limit, or fill the missing values",
        )
    names = {count.column for count in dropped}
    notes = (
        f"{count.column}: left out of the features, {count.share:.1%} of its values are missing (limit {limit:.6g})."
        for count in dropped
    )
    kept = table.with_features(name for name in table.features if name not in names)
    return replace(kept, notes=(*kept.notes, *notes))


def _fill(table: Table, limit: float, *, average: str, by_class: bool = False) -> Table:
    """average : "mean" or "median", for numeric columns."""
    if by_class and table.task == "regression":
        raise TreecoreError(
            f"The target {table.target!r} is numeric, so no row has a class to fill by",
            where="Missing values",
            remedy='Fill with "mean" or "median" of all rows, or make the target nominal',
        )
    if table.n_rows == 0:
        return table
    new, notes = {}, list(table.notes)
    for column in table.feature_columns:
        new[column.name] = _with_fill(column, table.weights, average)
        if column.n_missing:
            by_level = _class_averages(new[column.name], table, average) if by_class else {}
            notes.append(_note(new[column.name], table, average, by_level))
            new[column.name] = _without_missing(new[column.name], table, by_level)
    return replace(table, columns=tuple(new.get(c.name, c) for c in table.columns), notes=tuple(notes))


def _with_fill(column: Column, weights: np.ndarray | None, average: str) -> Column:
    fill = _average(column, weights, average)
    if fill is None:
        raise TreecoreError(
            "No training row of a weight above 0 has a value, so there is nothing to fill with",
            where=f"Column {column.name!r}",
            remedy="Leave the column out",
        )
    return replace(column, fill=fill)


def _class_averages(column: Column, table: Table, average: str) -> dict[int, float]:
    """Class index -> what stands in for a missing value of that class, for the classes that miss one.

    A class without any value of its own, and a row without a class, get the average of all rows.
    """
    target = table.target_column
    result: dict[int, float] = {}
    assert column.fill is not None
    for label in np.unique(target.codes[column.missing]).tolist():
        rows = np.flatnonzero(target.codes == label)
        weights = None if table.weights is None else table.weights[rows]
        own = _average(column.take(rows), weights, average) if label < target.n_distinct else None
        result[label] = column.fill if own is None else own
    return result


def _without_missing(column: Column, table: Table, by_level: Mapping[int, float]) -> Column:
    """The column with every missing cell filled: by class where `by_level` has classes, else with its fill."""
    rows = np.flatnonzero(column.missing)
    values = np.full(len(rows), column.fill)
    for label, value in by_level.items():
        values[table.target_column.codes[rows] == label] = value
    if column.kind != "numeric":
        codes = column.codes.copy()
        codes[rows] = values
        return replace(column, codes=frozen(codes))
    distinct = np.union1d(column.numbers, values)
    rank = np.append(np.searchsorted(distinct, column.numbers), 0).astype(np.int32)
    codes = rank[column.codes]
    codes[rows] = np.searchsorted(distinct, values)
    return replace(column, codes=frozen(codes), distinct=frozen(distinct))


def _average(column: Column, weights: np.ndarray | None, average: str) -> float | None:
    """Mean or median of numbers, median of ordered levels, mode of others; None when no known row has weight.

    Half the weight on either side of a gap: the median of numbers is the mid-point of the gap, that of levels
    the lower one. Several modes: the first level in declared order.
    """
    totals = np.bincount(column.codes, weights, minlength=column.n_distinct + 1)[: column.n_distinct]
    codes = np.flatnonzero(totals > 0)
    if len(codes) == 0:
        return None
    totals = totals[codes].astype(np.float64)
    if column.kind == "numeric":
        numbers = column.numbers[codes]
        return _mean(numbers, totals) if average == "mean" else _median(numbers, totals)
    if column.kind == "ordinal":
        return float(codes[_middle(totals)[0]])
    return float(codes[np.argmax(totals >= totals.max() - TIE * totals.sum())])


def _mean(numbers: np.ndarray, totals: np.ndarray) -> float:
    """The weighted mean of ascending numbers, never beyond them: equal numbers keep their mean to the last bit."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.sum(numbers * totals) / totals.sum()
    if not np.isfinite(mean):
        mean = np.sum(numbers * (totals / totals.sum()))
    return float(np.clip(mean, numbers[0], numbers[-1])) + 0.0  # + 0.0 turns -0.0 into 0.0


def _median(numbers: np.ndarray, totals: np.ndarray) -> float:
    low, high = numbers[list(_middle(totals))]
    return float(low if low == high else low / 2 + high / 2)


def _middle(totals: np.ndarray) -> tuple[int, int]:
    """Positions of the two values between which half the weight lies; twice the same where one value spans it."""
    below = np.cumsum(totals)
    half, tie = below[-1] / 2, TIE * below[-1]
    return int(np.searchsorted(below, half - tie)), int(np.searchsorted(below, half + tie, side="right"))


def _note(column: Column, table: Table, average: str, by_level: Mapping[int, float]) -> str:
    word = {"numeric": average, "ordinal": "median"}.get(column.kind, "mode")
    n = column.n_missing
    head = f"{column.name}: {n} missing value{'s' if n > 1 else ''} filled with the {word}"
    assert column.fill is not None
    if not by_level:
        return f"{head}, {_words(column, column.fill)}."
    names = (*table.classes, "no class")
    shown = _listed([f"{names[label]} {_words(column, value)}" for label, value in by_level.items()])
    return f"{head} of the row's class ({shown}); in prediction with that of all rows, {_words(column, column.fill)}."


def _words(column: Column, value: float) -> str:
    return f"{value:.6g}" if column.kind == "numeric" else quoted(column.level_names[int(value)])


def _listed(words: list[str]) -> str:
    more = len(words) - MOST_NAMED
    return ", ".join(words[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True)
class Fill:
    """One preparation. prepare : (training table, limit) -> Table. needs_classes : not for a numeric target."""

    name: str
    label: str
    note: str
    prepare: Callable[[Table, float], Table]
    needs_classes: bool = False


FILLS: Registry[Fill] = Registry(
    "preparation of missing values",
    Fill("none", "Leave missing values as they are", "The tree decides where rows without a value go.", _unchanged),
    Fill("drop_rows", "Leave out rows", "Training rows that miss a feature are left out.", _drop_rows),
    Fill("drop_columns", "Leave out columns", "Features that miss too large a share are left out.", _drop_columns),
    Fill(
        "mean",
        "Mean or mode",
        "Numbers: the mean; ordered levels: the median; other levels: the most frequent one.",
        partial(_fill, average="mean"),
    ),
    Fill(
        "median",
        "Median or mode",
        "Numbers and ordered levels: the median; other levels: the most frequent one.",
        partial(_fill, average="median"),
    ),
    Fill(
        "class_mean",
        "Mean or mode of the class",
        "As the mean, over the training rows of the row's own class; rows to be predicted get that of all rows.",
        partial(_fill, average="mean", by_class=True),
        needs_classes=True,
    ),
    Fill(
        "class_median",
        "Median or mode of the class",
        "As the median, over the training rows of the row's own class; rows to be predicted get that of all rows.",
        partial(_fill, average="median", by_class=True),
        needs_classes=True,
    ),
)


BINS = 5
"""How many there are where nothing else is asked for."""
OTHERS = ""
"""Stands in place of a name for every numeric feature without bins of its own."""
Bins = tuple[tuple[str, str, int], ...]


def prepare(
    train: Table, *others: Table, missing: str = "none", limit: float = 0.7, bins: str | Iterable = ()
) -> tuple[Table, ...]:
    """The training rows as trees shall see them, and the rows of other roles with the same features and bins.

    missing, limit : see filled. bins : (feature, method, number of bins) triples, where the feature "" stands for
    all other numeric ones, or the name of a method in BINNINGS for all of them, in 5 bins.
    Raises TreecoreError as `filled` and `discretized` do. A feature that was left out needs no bins.
    """
    made = filled(train, missing, limit)
    cuts = _cuts(made, checked_bins(bins), known=train.features)
    parts = (other.with_features(made.features) for other in others)
    return tuple(binned(table, cuts) if cuts else table for table in (made, *parts))


def _cuts(train: Table, bins: Bins, known: tuple[str, ...]) -> Mapping[str, np.ndarray]:
    """Thresholds of every feature that is put in bins. known : features before any was left out."""
    named = {feature: (method, n) for feature, method, n in bins}
    numeric = [c.name for c in train.feature_columns if c.kind == "numeric"]
    everywhere = {name: named[OTHERS] for name in numeric} if OTHERS in named else {}
    left_out = {OTHERS, *(set(known) - set(train.features))}
    wanted = everywhere | {name: how for name, how in named.items() if name not in left_out}
    return {name: cuts_of(train, name, *how) for name, how in wanted.items()}


def checked_bins(bins: str | Iterable) -> Bins:
    """The triples in order of the features; TreecoreError for what is none, or a feature named twice."""
    try:
        given = ((OTHERS, bins, BINS),) if isinstance(bins, str) else tuple(bins)
        triples = tuple(_triple(*entry) for entry in given)
    except TypeError:
        remedy = 'Give (feature, method, number of bins) triples, such as ("age", "equal_width", 5)'
        raise TreecoreError(f"{bins!r} is not possible", where="bins", remedy=remedy) from None
    names = [name for name, *_ in triples]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        what = f"The feature {twice!r} is" if twice else "All other features are"
        raise TreecoreError(f"{what} put in bins twice", where="bins", remedy="Name each feature once")
    return tuple(sorted(triples))


def _triple(feature: object, method: str, n: Any) -> tuple[str, str, int]:
    if not isinstance(feature, str) or (isinstance(n, float) and not n.is_integer()):
        raise TypeError
    BINNINGS[method]
    n = int(n) if isinstance(n, Integral | float) and not isinstance(n, bool) else n
    check_bins(n)
    return feature, method, n
