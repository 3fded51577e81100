"""Text that a spreadsheet takes for text and not for a formula, in frames and in tables written again."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import pyarrow as pa

from treecore.data.column import number_labels
from treecore.data.raw import RawColumn
from treecore.data.raw_table import RawTable

if TYPE_CHECKING:
    import pandas as pd

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet works out instead of showing it."""
GUARD = "\u2060"
"""Goes before it: takes no room on a screen, and no formula begins with it."""


def harmless_text(text: str) -> str:
    """The text, guarded if a spreadsheet would work it out; a sign alone is none."""
    return GUARD + text if len(text) > 1 and text.startswith(FORMULA) else text


def harmless(frame: "pd.DataFrame") -> "pd.DataFrame":
    """The same frame with all of its text guarded, names of columns and of rows too; numbers stay what they are."""
    import pandas as pd

    made, rows = with_texts(frame, harmless_text), frame.index.to_series()
    guarded = _changed(rows, harmless_text)
    return made if guarded is rows else made.set_axis(pd.Index(guarded.to_numpy(), name=frame.index.name), axis=0)


def with_texts(frame: "pd.DataFrame", change: Callable[[str], str]) -> "pd.DataFrame":
    """The frame with what `change` makes of every text of its cells and names of columns; the frame itself where that
    is the same, as it mostly is: pandas takes milliseconds to make another one, however small."""
    made, names = frame, frame.columns.map(lambda name: change(name) if isinstance(name, str) else name)
    if any(a is not b and a != b for a, b in zip(names, frame.columns, strict=True)):
        made = frame.set_axis(names, axis=1)
    for place in range(frame.shape[1]):
        column = frame.iloc[:, place]
        changed = _changed(column, change)
        if changed is not column:
            made = frame.copy(deep=False) if made is frame else made
            made.isetitem(place, changed)
    return made


def _changed(column: "pd.Series", change: Callable[[str], str]) -> "pd.Series":
    """The column itself where no text changes."""
    import pandas as pd

    of_cell = lambda cell: change(cell) if isinstance(cell, str) else cell  # noqa: E731
    if isinstance(column.dtype, pd.CategoricalDtype):
        levels = column.cat.categories
        return column if _same(levels, of_cell) else column.cat.rename_categories(of_cell)
    if not (column.dtype == object or isinstance(column.dtype, pd.StringDtype)) or _same(column, of_cell):
        return column
    return column.map(of_cell, na_action="ignore")


def _same(cells: Iterable, of_cell: Callable) -> bool:
    return all(not isinstance(cell, str) or of_cell(cell) == cell for cell in cells)


# A raw table as it stood in its file, for writing it again with more columns.


def arrow_of(raw: RawTable, guarded: bool = True) -> pa.Table:
    """The columns with the cells they had. guarded : text that a spreadsheet would work out is not left to it."""
    originals = [column.original or column.name for column in raw.columns]
    names = [
        name if originals.count(name) == 1 else column.name for name, column in zip(originals, raw.columns, strict=True)
    ]
    return pa.table([_column(column, guarded) for column in raw.columns], names=names)


def _column(column: RawColumn, guarded: bool) -> pa.Array:
    codes, cells = pa.array(column.codes, mask=column.codes < 0), _cells(column, guarded)
    return pa.DictionaryArray.from_arrays(codes, cells).cast(cells.type)


def _cells(column: RawColumn, guarded: bool) -> pa.Array:
    if column.content == "number":
        return pa.array(number_labels(column.cells), pa.string())
    if column.content == "date":
        return pa.array(column.cells)
    texts = column.cells.to_pylist() if column.content == "text" else column.cells
    return pa.array([_guarded(text) for text in texts] if guarded else list(texts), pa.string())


def _guarded(text: str) -> str:
    """Numbers keep their signs."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return harmless_text(text)
    return text
