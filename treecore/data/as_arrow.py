"""A raw table as it stood in its file, for writing it again with more columns."""

import pyarrow as pa

from treecore.data.column import number_labels
from treecore.data.harmless import harmless_text
from treecore.data.raw import RawColumn, RawTable


def arrow_of(raw: RawTable) -> pa.Table:
    """The columns with the cells they had; text that a spreadsheet would work out is guarded."""
    return pa.table({column.original or column.name: _column(column) for column in raw.columns})


def _column(column: RawColumn) -> pa.Array:
    codes = pa.array(column.codes, mask=column.codes < 0)
    return pa.DictionaryArray.from_arrays(codes, _cells(column)).cast(_cells(column).type)


def _cells(column: RawColumn) -> pa.Array:
    if column.content == "number":
        return pa.array(number_labels(column.cells), pa.string())
    if column.content == "date":
        return pa.array(column.cells)
    texts = column.cells.to_pylist() if column.content == "text" else column.cells
    return pa.array([_guarded(text) for text in texts], pa.string())


def _guarded(text: str) -> str:
    """Numbers keep their signs."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return harmless_text(text)
    return text
