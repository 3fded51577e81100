"""Traps that a column shows by itself: keys, constants, the target's name in another one."""

import re

import numpy as np

from treecore.data.column import Column
from treecore.data.roles import in_time
from treecore.data.table import Table
from treecore.detectors.finding import BY_DATE, Finding
from treecore.errors import TreecoreError
from treecore.figures import percent

LEAST_ROWS = 15
"""With fewer rows a value in each row says little."""
NEARLY_ALL = 0.9
"""Share of different levels from which on a column of words tells rows apart."""
ONE_VALUE = 0.99
LEAST_LETTERS = 4
"""A shorter name of a target stands in many words."""


def identifiers(table: Table) -> list[Finding]:
    """Features of words with (nearly) a level of its own for every row."""
    result = []
    for column in table.feature_columns:
        known = int((~column.missing).sum())
        if column.kind not in ("nominal", "ordinal") or known < LEAST_ROWS:
            continue
        share = int((column.present() > 0).sum()) / known
        if share >= NEARLY_ALL:
            text = f"{percent(share)} of its values are distinct: it identifies rows instead of describing them."
            result.append(Finding("identifier", column.name, share, text))
    return result


def constants(table: Table) -> list[Finding]:
    """Features that hold one value: there is nothing to split on."""
    ones = [c for c in table.feature_columns if _values(c) <= 1]
    return [Finding("constant", c.name, 1.0, "It has the same value in every row.") for c in ones]


def near_constants(table: Table) -> list[Finding]:
    """Features of which nearly all rows hold one value."""
    result = []
    for column in table.feature_columns:
        present = column.present()
        if _values(column) < 2 or table.n_rows * (1 - ONE_VALUE) < 1:
            continue
        share = float(present.max() / present.sum())
        if share >= ONE_VALUE:
            text = f"{percent(share)} of its rows have the same value, so its splits rest on few rows."
            result.append(Finding("near_constant", column.name, share, text))
    return result


def _values(column: Column) -> int:
    return int((column.present() > 0).sum())


def target_in_name(table: Table) -> list[Finding]:
    """Features whose name holds the target's: often made from it."""
    wanted = _plain(table.target or "")
    if len(wanted) < LEAST_LETTERS:
        return []
    names = [name for name in table.features if wanted in _plain(name)]
    text = "Its name contains the target's: it may have been computed from the target, or be known only later."
    return [Finding("target_in_name", name, len(wanted) / max(len(_plain(name)), 1), text) for name in names]


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def levels_per_row(column: Column) -> float:
    """Different values for each row with a value."""
    known = int(np.count_nonzero(~column.missing))
    return _values(column) / known if known else 0.0


# Dates beside the features: rows drawn at random let the future train a tree that is judged by the past.

LEAST_DATED_ROWS, LEAST_DATES = 40, 10


def shuffled_dates(table: Table) -> list[Finding]:
    """Columns of dates, used or not, with the share of neighbouring rows that go back in time."""
    if table.n_rows < LEAST_DATED_ROWS:
        return []
    result = []
    for column in table.columns:
        time = _dates(column) if column.name != table.target else None
        if time is None:
            continue
        steps = np.diff(time[~np.isnan(time)])
        back = float((steps < 0).sum() / max((steps != 0).sum(), 1))
        ordered = min(back, 1 - back) < 0.01
        where = "" if ordered else f"not in date order ({percent(back)} of steps from row to row go back in time)"
        text = f"Rows are {where or 'in date order'}; a random split lets the tree learn from the future: later rows " \
               "train it, earlier ones test it."  # fmt: skip
        result.append(Finding("shuffled_dates", column.name, back, text, remedy=BY_DATE))
    return result


def _dates(column: Column) -> np.ndarray | None:
    """float64 (n_rows,): seconds; None where the column holds no dates, or too few."""
    if column.kind not in ("nominal", "ordinal") or column.n_distinct < LEAST_DATES:
        return None
    try:
        return in_time(column)
    except TreecoreError:
        return None
