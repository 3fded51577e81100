"""Text that a spreadsheet takes for text: a file of the app may be opened by somebody who trusts it."""

import pandas as pd

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet works out instead of showing it."""
GUARD = "\u2060"
"""Goes before it: takes no room on a screen, and no formula begins with it."""


def harmless_text(text: str) -> str:
    """The text, guarded if a spreadsheet would work it out; a sign alone is none."""
    return GUARD + text if len(text) > 1 and text.startswith(FORMULA) else text


def harmless(frame: pd.DataFrame) -> pd.DataFrame:
    """The same frame with all of its text guarded, names of columns and of rows too; numbers stay what they are."""
    made = pd.DataFrame({i: _column(frame.iloc[:, i]) for i in range(frame.shape[1])}, index=frame.index)
    made.columns, made.index = frame.columns.map(_cell), _column(frame.index.to_series()).to_numpy()
    return made.rename_axis(frame.index.name)


def _column(column: pd.Series) -> pd.Series:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.rename_categories(_cell)
    holds_text = column.dtype == object or isinstance(column.dtype, pd.StringDtype)
    return column.map(_cell, na_action="ignore") if holds_text else column


def _cell(cell):
    return harmless_text(cell) if isinstance(cell, str) else cell
