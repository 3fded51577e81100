"""The rows that a tree is grown on: those of a table whose target is known, and what some peers leave out besides."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from treecore.data.table import Table
from treecore.data.table_like import cached_with_table
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import MISSING_STRATEGIES


def training_rows(table: Table, growth: GrowSettings) -> Table:
    """The rows that count while a tree grows; the table itself where these are all of them.

    Rows without a target are left out, with a note. Then those that the missing-value strategy leaves out.
    """
    known = _cached(table, Table.without_missing_target)
    if not known.n_rows:
        return table  # whose target has no value at all is said when it is checked
    if known.counts is not None:
        known = _cached(known, _learned)
    leaves_out = MISSING_STRATEGIES[growth.missing].leaves_out
    if not leaves_out:
        return known
    return _cached(known, _without, leaves_out)


def _cached(table: Table, make: Callable[..., Table], *args: str) -> Table:
    """What the function makes of the table, made once, as encodings stay with a table."""
    rows = _another(table, make, *args)
    return table if rows is None else rows


@cached_with_table
def _another(table: Table, make: Callable[..., Table], *args: str) -> Table | None:
    """None for the table itself, which would never be let go if it held itself."""
    rows = make(table, *args)
    return None if rows is table else rows


def _learned(table: Table) -> Table:
    """The table whose kind of target knows what it has to know of all training rows."""
    events, exposure = table.target_column, table.exposure and table.column(table.exposure)
    if not exposure or events.kind != "numeric" or exposure.kind != "numeric":
        return table  # what is wrong is said when it is checked
    if events.n_missing or exposure.n_missing:
        return table
    kind = table.counts.learned(events.values(), exposure.values())
    return table if kind is table.counts else replace(table, counts=kind)


def _without(table: Table, leaves_out: str) -> Table:
    """The table without the rows that LEFT_OUT finds by this name, with a note."""
    left_out, why = LEFT_OUT[leaves_out](table)
    n = int(np.count_nonzero(left_out))
    if n in (0, table.n_rows):
        return table
    note = f"{n} of {table.n_rows} rows were left out: {why}."
    return replace(table.take(~left_out), notes=(*table.notes, note))


def _empty(table: Table) -> tuple[np.ndarray, str]:
    """(bool (n_rows,), rows without a value of any feature; why they are left out). To rpart a column of weights is one
    more column, which never lacks a value."""
    lacking = [column.n_missing for column in table.feature_columns]
    some = table.weights is None and bool(lacking) and min(lacking) > 0
    without = [column.missing for column in table.feature_columns] if some else [np.zeros(table.n_rows, bool)]
    return np.logical_and.reduce(without), "they have no value of any feature"


def _weightless(table: Table) -> tuple[np.ndarray, str]:
    """(bool (n_rows,), rows of weight 0; why they are left out)."""
    return np.zeros(table.n_rows, bool) if table.weights is None else table.weights == 0, "they weigh 0"


LEFT_OUT = {"empty": _empty, "weightless": _weightless}
"""MissingStrategy.leaves_out -> which rows these are, and why."""
