"""Columns derived from dates: `sold: year`, `sold: month`."""

from collections.abc import Mapping

import numpy as np

from treecore.data.cells import is_one_of, number_texts, stripped_texts
from treecore.data.column import Column, level_column, numeric_column_of_codes
from treecore.data.dates import DATE_PARTS, DatePart, DateReading, read_dates
from treecore.data.raw import RawColumn
from treecore.data.raw_table import RawTable
from treecore.errors import TreecoreError


def derived_columns(raw: RawTable, derive: Mapping[str, tuple[str, ...]]) -> list[Column]:
    """One column per date column and part, named "column: part", in the order asked for.

    TreecoreError for a column that holds no dates, an unknown part, or one that depends on which of two numbers
    is the month when the file leaves that open.
    """
    columns = []
    for name, parts in derive.items():
        parts = (parts,) if isinstance(parts, str) else parts
        codes, dates = _dates(raw, raw.column(name))
        for part in (DATE_PARTS[part] for part in parts):
            columns.append(_part(name, codes, dates, part))
    return columns


def _dates(raw: RawTable, column: RawColumn) -> tuple[np.ndarray, DateReading]:
    """Codes (n_rows,), -1 for missing, into the dates."""
    if column.content == "date":
        return column.codes, DateReading(np.asarray(column.cells), False, True)
    dates = None
    if column.content in ("text", "number"):
        texts = stripped_texts(column) if column.content == "text" else number_texts(column)
        known = ~is_one_of(texts, raw.options.missing_tokens(among_numbers=True))
        dates = read_dates(texts.filter(known), raw.options.dayfirst)
    if dates is None:
        raise TreecoreError(
            "It does not hold dates throughout",
            where=f"Column '{column.name}'",
            remedy="Derive parts only of a column of dates, all written in the same way.",
        )
    place = np.where(known, np.cumsum(known) - 1, -1)
    return np.append(place, -1)[column.codes], dates


def _part(name: str, codes: np.ndarray, dates: DateReading, part: DatePart) -> Column:
    if part.needs_order and dates.ambiguous:
        raise TreecoreError(
            f"The {part.name} is uncertain: day and month could change places in every date",
            where=f"Column '{name}'",
            remedy="Say which comes first",
            setting="dayfirst=True or dayfirst=False",
        )
    values = part.compute(dates.stamps)
    new_name = f"{name}: {part.name}"
    if part.levels is None:
        return numeric_column_of_codes(new_name, codes, values.astype(np.float64))
    return level_column(new_name, "ordinal", np.append(values, -1)[codes], part.levels)
