"""A column read as another kind: numbers as levels, levels as numbers, levels in another order."""

from dataclasses import replace

import numpy as np

from treecore.data.column import (
    Column,
    frozen,
    number_labels,
    numeric_column_of_codes,
    quoted,
    row_list,
    unknown_level,
)
from treecore.data.kinds import kind_and_levels
from treecore.data.level_index import places_among
from treecore.data.words import yes_or_no
from treecore.errors import TreecoreError


def recoded(column: Column, spec) -> Column:
    """The column as `spec` says: a kind's name, Ordinal([...]) or Nominal([...]).

    TreecoreError when a level is no number, a value is not among the declared levels, or a boolean would
    have more than two levels.
    """
    where = f"Column '{column.name}'"
    kind, levels = kind_and_levels(spec, where=where)
    if kind == "numeric":
        return column if column.kind == "numeric" else _as_numbers(column)
    if column.kind == "numeric":
        column = replace(column, levels=tuple(number_labels(column.distinct)), distinct=None)
    if levels is not None:
        column = _with_levels(column, levels)
    if kind == "boolean":
        require_two_levels(column.name, column.levels)
    return replace(column, kind=kind)


def require_two_levels(name: str, levels: tuple[str, ...]) -> None:
    """TreecoreError when a boolean column would have more than two levels."""
    if len(levels) > 2:
        raise TreecoreError(
            f"{len(levels)} different values ({', '.join(map(quoted, levels[:4]))}, ...) cannot be boolean",
            where=f"Column '{name}'",
            remedy="Make the column nominal or ordinal.",
        )


def not_a_number(name: str, text: str, rows: np.ndarray) -> TreecoreError:
    """The error for a cell that should be a number; rows are 0-based."""
    return TreecoreError(
        f"{quoted(text)} is not a number (first at {row_list(rows)})",
        where=f"Column '{name}'",
        remedy="Treat it as missing, or make the column nominal.",
    )


def truths(column: Column) -> Column:
    """The column of events as numbers: 1 for yes and true, 0 for no and false. TreecoreError for other words."""
    said = [yes_or_no(level) for level in column.levels]
    rows = np.flatnonzero(~column.missing & np.append([answer is None for answer in said], False)[column.codes])
    if len(rows):
        raise TreecoreError(
            f"{quoted(column.levels[column.codes[rows[0]]])} does not say whether an event happened (first at "
            f"{row_list(rows)})",
            where=f"Column '{column.name}'",
            remedy="In the file, write 1 where a row ended in an event and 0 where it was only watched so long.",
        )
    codes = np.where(column.missing, -1, column.codes)
    return numeric_column_of_codes(column.name, codes, np.array([answer is True for answer in said], float))


def _as_numbers(column: Column) -> Column:
    numbers = np.full(column.n_distinct, np.nan)
    present = column.present() > 0
    for code, level in enumerate(column.levels):
        try:
            numbers[code] = float(level)
        except ValueError:
            if present[code]:
                raise not_a_number(column.name, level, np.flatnonzero(column.codes == code)) from None
    codes = np.where(column.missing, -1, column.codes)
    return numeric_column_of_codes(column.name, codes, numbers)


def _with_levels(column: Column, levels: tuple[str, ...]) -> Column:
    """The same cells coded by these levels; a present level that is not declared is an error."""
    new_code = np.append(places_among(levels, column.levels), len(levels)).astype(np.int32)
    codes = new_code[column.codes]
    unknown = np.flatnonzero(codes < 0)
    if len(unknown):
        raise unknown_level(column.name, column.levels[column.codes[unknown[0]]], unknown, levels)
    return replace(column, codes=frozen(codes), levels=levels, fill=None, cuts=None)
