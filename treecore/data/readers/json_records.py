"""JSON: a list of flat records, one record a line, or an object of columns."""

import json
import re

from treecore.data.level_index import label_of
from treecore.data.options import ReadOptions
from treecore.data.raw_table import RawTable
from treecore.data.readers.arrow import typed_table
from treecore.data.readers.source import Source, gigabytes, limit_of, nested_note, refuse_only_nested
from treecore.errors import TreecoreError

JSON = re.compile(rb"(\xef\xbb\xbf)?\s*(\[\s*[\[{\]]|\{\s*(\"[^\"\n]*\"\s*:|\}))")
OBJECT_BYTES = 30  # of Python's objects for every byte of a record, at most
SHAPE = 'Save a list of records such as [{"a": 1}, {"a": 2}], or one record in a line.'


def is_json(source: Source) -> bool:
    """Does it begin as a list or a record of JSON does?"""
    return JSON.match(source.content[:4096]) is not None


def read_json(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of records of JSON, in a list or one in a line, or of lists of equal length by name.

    A column is there from the first record that has it; what a record lacks is missing. Columns with lists or records
    in their cells are left out, as a note says. TreecoreError when it is no such JSON, or too large for the memory.
    """
    where = f"File '{source.name}'"
    need, limit = len(source.content) * OBJECT_BYTES, limit_of(options)
    if need > limit:
        raise TreecoreError(
            f"Reading the records takes up to {gigabytes(need)} of memory; the limit is {gigabytes(limit)}",
            where=where,
            remedy="Save the table as Parquet or CSV, load part of it, or raise the limit",
            setting="max_memory",
        )
    columns = _columns(_parsed(_text(source.content, where), where), where)
    nested = [name for name, cells in columns.items() if any(isinstance(cell, dict | list) for cell in cells)]
    refuse_only_nested(nested, len(columns) - len(nested), where)
    flat = [(name, _array(cells)) for name, cells in columns.items() if name not in nested]
    return typed_table(source, options, flat, nested_note(nested))


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"Line {line:,} is not UTF-8, as JSON has to be"
        raise TreecoreError(what, where=where, remedy="Save the file again as UTF-8.") from None


def _parsed(text: str, where: str):
    """What the text says: a list or an object, or a list of its lines."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        whole = error
    lines = [(at, line) for at, line in enumerate(text.split("\n"), start=1) if line.strip()]
    first = lines[0][1].strip()
    if first.startswith("{") and first.endswith("}") and len(lines) > 1:
        return [_record(line, at, where) for at, line in lines]
    raise _ill(whole, getattr(whole, "lineno", 1), where) from None


def _record(line: str, at: int, where: str):
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _ill(error, at, where) from None


def _ill(error: Exception, line: int, where: str) -> TreecoreError:
    if isinstance(error, RecursionError):
        message = "lists within lists too deep to read"
    else:
        message = f"{getattr(error, 'msg', str(error)[:80])}, column {getattr(error, 'colno', 1)}"
    return TreecoreError(
        f"Line {line:,} is no JSON ({message})", where=where, remedy="Correct it, or save the file again."
    )


def _columns(data, where: str) -> dict[str, list]:
    """Name -> cells."""
    if isinstance(data, dict):
        records = [value for value in data.values() if _are_records(value)]
        if len(records) == 1:  # an answer of a service: {"data": [...], "page": 1}
            data = records[0]
        elif data and all(isinstance(value, list) for value in data.values()):
            if len(set(map(len, data.values()))) > 1:
                what = "It is an object of lists of different lengths"
                raise TreecoreError(what, where=where, remedy="Give every column as many values.")
            return data
        else:
            raise TreecoreError("It is one object, not a list of records", where=where, remedy=SHAPE)
    if not data:
        raise TreecoreError("The list is empty", where=where, remedy=SHAPE)
    odd = next((at for at, record in enumerate(data, start=1) if not isinstance(record, dict)), None)
    if odd is not None:
        raise TreecoreError(f"Element {odd:,} of the list is no record", where=where, remedy=SHAPE)
    names = dict.fromkeys(name for record in data for name in record)
    return {name: [record.get(name) for record in data] for name in names}


def _are_records(value) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(record, dict) for record in value)


def _array(cells: list):
    """Numbers, truth values or texts; cells of several types as their texts."""
    import pyarrow as pa

    kinds = {type(cell) for cell in cells} - {type(None)}
    if len(kinds) == 1 or kinds == {int, float}:
        try:
            return pa.array(cells, pa.float64() if float in kinds else None)
        except (pa.ArrowException, OverflowError, UnicodeError):
            pass
    texts = (None if cell is None else cell if isinstance(cell, str) else label_of(cell) for cell in cells)
    return pa.array([text and text.encode("utf-8", "replace").decode() for text in texts], pa.string())
