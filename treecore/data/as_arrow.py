"""A raw table as it stood in its file, for writing it again with more columns."""

import pyarrow as pa

from treecore.data.column import number_labels
from treecore.data.harmless import harmless_text
from treecore.data.raw import RawColumn
from treecore.data.raw_table import RawTable


def arrow_of(raw: RawTable, guarded: bool = True) -> pa.Table:
    """The columns with the cells they had. guarded : text that a spreadsheet would work out is not left to it."""
    said = [column.original or column.name for column in raw.columns]
    names = [name if said.count(name) == 1 else column.name for name, column in zip(said, raw.columns, strict=True)]
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
