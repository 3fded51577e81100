"""A target of counts and its exposure, from the columns of a table."""

import numpy as np

from treecore.data.column import row_list
from treecore.data.table_like import TableLike
from treecore.errors import TreecoreError
from treecore.target import CountTarget, SurvivalTarget


def refuse_counts_in(table: TableLike, what: str) -> None:
    """TreecoreError for a table whose target is counts. what : that has no meaning for it yet, "a forest"."""
    if table.counts is not None:
        raise TreecoreError(
            f"The target is {table.counts.held}, and {what} is for targets of classes and of numbers",
            where=f"Target '{table.target}'",
            remedy=f"Predict {table.counts.instead}: with_target of its name alone",
        )


def counts_of(table: TableLike, target: str, kind: CountTarget, whole: bool = False) -> np.ndarray:
    """float64 (n_rows, 2): events and exposure of every row (1 where the kind names no column), NaN where missing.

    whole : refuse counts with decimals, too. TreecoreError names the column and the first rows of what is no count, or
    no exposure.
    """
    column = _numbers(table, target, "counts")
    events, remedy = column.values(), "Correct these rows or leave them out, or predict the column as a number."
    timed = isinstance(kind, SurvivalTarget)
    if timed:
        only = "Write 1 where a row ended in an event and 0 where it was only watched so long."
        _refuse(table, ~np.isnan(events) & (events != 0) & (events != 1), target, "An event is neither 0 nor 1", only)
    _refuse(table, events < 0, target, "A count is below 0", remedy)
    if whole:
        _refuse(table, ~np.isnan(events) & (events != np.floor(events)), target, "A count has decimals", remedy)
    if not kind.exposure:
        return np.stack([events, np.where(np.isnan(events), np.nan, 1.0)], axis=1)
    exposure = _numbers(table, kind.exposure, "exposure").values()
    remedy = "An exposure is above 0: correct these rows or leave them out, or choose another column."
    what = "A time" if timed else "An exposure"
    _refuse(table, exposure <= 0, kind.exposure, f"{what} is not above 0", remedy.replace("An exposure", what))
    return np.stack([events, kind.scaled(events, exposure)], axis=1)


def _numbers(table: TableLike, name: str, what: str):
    column = table.column(name)
    if column.kind != "numeric":
        raise TreecoreError(
            f"It is {column.kind}, and {what} are numbers",
            where=f"Column '{name}'",
            remedy="Choose a column of numbers, or make this one numeric.",
        )
    return column


def _refuse(table: TableLike, bad: np.ndarray, name: str, what: str, remedy: str) -> None:
    """TreecoreError where a value is bad, with the rows of the file."""
    rows = table.row_numbers[bad]
    if len(rows):
        raise TreecoreError(f"{what} (first at {row_list(rows)})", where=f"Column '{name}'", remedy=remedy)
