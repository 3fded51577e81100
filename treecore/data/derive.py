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


def months(raw: RawTable, name: str | None = None) -> list[str] | None:
    """The month of each row of a file such as "2026-11", "" where no date is known.

    name : the column of dates; None takes the only one there is, and gives None where there is none or several.
    TreecoreError for a column that is absent or holds no dates, or whose months could be days.
    """
    if name is None:
        dated = [guess.name for guess in raw.guesses if "month" in guess.derived]
        return months(raw, dated[0]) if len(dated) == 1 else None
    codes, dates = _dates(raw, raw.column(name))
    _refuse_uncertain(name, "month", dates)
    names = np.append(np.asarray(dates.stamps, "datetime64[M]").astype(str), "")
    return np.where(names == "NaT", "", names)[codes].tolist()


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
    if part.needs_order:
        _refuse_uncertain(name, part.name, dates)
    values = part.compute(dates.stamps)
    new_name = f"{name}: {part.name}"
    if part.levels is None:
        return numeric_column_of_codes(new_name, codes, values.astype(np.float64))
    return level_column(new_name, "ordinal", np.append(values, -1)[codes], part.levels)


def _refuse_uncertain(name: str, part: str, dates: DateReading) -> None:
    if dates.ambiguous:
        raise TreecoreError(
            f"The {part} is uncertain: day and month could change places in every date",
            where=f"Column '{name}'",
            remedy="Say which comes first",
            setting="dayfirst=True or dayfirst=False",
        )
