"""Tables on a page: what is shown is also what the button over it downloads."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from pages.shared.widgets import literal, present
from treecore.data.harmless import harmless, harmless_text
from treecore.figures import brief
from treecore.tree.text import visible

COUNT = st.column_config.NumberColumn(format="localized")
"""How a column of counts is written: with thousands separators, and sorted as numbers."""
PERCENT = "%.1f %%"
SHARE = st.column_config.NumberColumn(format=PERCENT)
"""How a column of figures.per_cent is written."""
LINE, FRAME = 31, 4
"""Pixels of a row of a table in the app's letters, and of the lines around it."""


def height(rows: int, most: int = 2**15) -> int:
    """Pixels of a table of so many rows and their heads: no empty row, and `most` at most."""
    return min(LINE * (rows + 1) + FRAME, most)


def show(
    frame: pd.DataFrame, column_config: dict | None = None, css: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    **settings,
):  # fmt: skip
    """st.dataframe, of text in which everything can be seen and that no spreadsheet works out.

    css : the frame shown -> the CSS of every cell. While the page is presented a table that is only read has large
    letters, too.
    """
    if present.on() and "on_select" not in settings:
        return whole(frame)
    looks = {_named(name): look for name, look in (column_config or {}).items()}
    shown = harmless(literal.frame(frame))
    return st.dataframe(
        shown if css is None else shown.style.apply(css, axis=None), column_config=looks or None, **settings
    )


def whole(frame: pd.DataFrame):
    """A small table of which every cell is in view, in as many lines as it needs."""
    return st.table(_in_words(frame), hide_index=True)


def _in_words(frame: pd.DataFrame) -> pd.DataFrame:
    """Every cell as Markdown that shows exactly its text; numbers with four digits."""
    told = lambda cell: literal.plain(brief(cell) if isinstance(cell, float) else cell)  # noqa: E731
    return frame.map(told).rename(columns=lambda name: literal.plain(name))


def _named(column: object) -> object:
    """A column's name as it is shown."""
    return harmless_text(visible(column)) if isinstance(column, str) else column
