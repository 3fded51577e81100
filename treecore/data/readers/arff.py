"""ARFF, the format of Weka: declared kinds and levels, in their order."""

import re
from typing import NamedTuple

import numpy as np

from treecore.data.options import ReadOptions
from treecore.data.raw_table import RawTable
from treecore.data.readers.arrow import typed_table
from treecore.data.readers.dialect import decoded
from treecore.data.readers.source import Source, refuse_too_many_cells
from treecore.errors import TreecoreError
from treecore.figures import counted

BEGIN = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:%[^\n]*)?\r?\n)*+[ \t]*@relation\b", re.IGNORECASE)
QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
NAME = re.compile(rf"@attribute\s+({QUOTED}|[^\s{{]+)\s*(.*)", re.IGNORECASE | re.DOTALL)
FIELD = re.compile(rf"\s*({QUOTED}|[^,]*?)\s*,")
WORD = re.compile(rf"({QUOTED}|[^\s,]+)")
SPARSE = re.compile(rf"\s*(\d+)\s+({QUOTED}|[^,]*?)\s*(?:,|$)")
WEIGHT = re.compile(r",?\s*\{\s*[-+.\deE]+\s*\}\s*$")
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
LISTED = 10
CELL_BYTES = 60  # of a cell as a text of Python
NUMERIC = ("numeric", "real", "integer")


class _Attribute(NamedTuple):
    """kind : "numeric", "nominal" or "text". line : where it is declared."""

    name: str
    kind: str
    levels: tuple[str, ...]
    line: int


def is_arff(source: Source) -> bool:
    """Does it begin with @relation, remarks aside?"""
    return BEGIN.match(source.content[: 1 << 16]) is not None


def read_arff(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of an ARFF file, dense or sparse: nominal attributes with the levels they declare, in their order.

    Weights of instances are passed over, which a note says. TreecoreError names the line of what is no such file, or
    does not fit its declaration.
    """
    where = f"File '{source.name}'"
    text = decoded(source.content, options.encoding, source.name).utf8.decode()
    lines = [(at, line.strip()) for at, line in enumerate(re.split(r"\r\n?|\n", text), start=1)]
    lines = [(at, line) for at, line in lines if line and not line.startswith("%")]
    attributes, first = _head(lines, where)
    rows = lines[first:]
    if not rows:
        raise TreecoreError("There is no row below @data", where=where, remedy="Load a file with at least one row.")
    refuse_too_many_cells(len(rows), len(attributes), len(rows) * len(attributes) * CELL_BYTES, where, options)
    n_weighted = 0
    cells: list[list[str | None]] = [[] for _ in attributes]
    for at, line in rows:
        plain = line if line.startswith("{") and line.count("{") == 1 else WEIGHT.sub("", line)
        n_weighted += plain != line
        fields = _sparse(plain, at, attributes, where) if plain.startswith("{") else _fields(plain)
        if len(fields) != len(attributes):
            what = (
                f"Line {at:,} has {counted(len(fields), 'value')}; {counted(len(attributes), 'attribute')} are declared"
            )
            raise TreecoreError(what, where=where, remedy="Correct the line, or the attributes above.")
        for column, field in zip(cells, fields, strict=True):
            column.append(field)
    arrays = [(a.name, _array(a, column, rows, where)) for a, column in zip(attributes, cells, strict=True)]
    note = f"{counted(n_weighted, 'instance')} with a weight: weights in braces are passed over."
    return typed_table(source, options, arrays, [note] if n_weighted else [])


def _head(lines: list[tuple[int, str]], where: str) -> tuple[list[_Attribute], int]:
    """(the attributes, how many lines stand above the first row)."""
    attributes: list[_Attribute] = []
    for place, (at, line) in enumerate(lines):
        word = line.split(None, 1)[0].lower()
        if word == "@data":
            if not attributes:
                break
            return attributes, place + 1
        if word == "@attribute":
            attributes.append(_attribute(at, line, where))
        elif word != "@relation":
            what = f"Line {at:,} is no declaration: '{line[:60]}'"
            raise TreecoreError(what, where=where, remedy="Above @data stand @relation and @attribute only.")
    what = "No attribute is declared" if not attributes else "There is no line @data"
    raise TreecoreError(what, where=where, remedy="Save the file again, or export the table as CSV.")


def _attribute(at: int, line: str, where: str) -> _Attribute:
    result = NAME.match(line)
    kind = result[2].strip() if result else ""
    if kind.startswith("{") and kind.endswith("}"):
        levels = tuple(dict.fromkeys(field for field in _fields(kind[1:-1]) if field is not None))
        if levels:
            return _Attribute(_unquoted(result[1]), "nominal", levels, at)
    word = kind.split(None, 1)[0].lower() if kind else ""
    if word in (*NUMERIC, "string", "date"):
        return _Attribute(_unquoted(result[1]), "numeric" if word in NUMERIC else "text", (), at)
    what = f"Line {at:,} declares no kind that can be read: '{line[:60]}'"
    raise TreecoreError(what, where=where, remedy="Kinds are numeric, real, integer, string, date and {levels, ...}.")


def _fields(line: str) -> list[str | None]:
    """Of a row or of levels: between commas, without any between spaces; None for ?."""
    if "'" not in line and '"' not in line:
        parts = line.split(",") if "," in line else line.split()
        return [None if part in ("?", "") else part for part in map(str.strip, parts)]
    if not re.search(r",", re.sub(QUOTED, "", line)):
        return [_value(word) for word in WORD.findall(line)]
    return [_value(field) for field in FIELD.findall(line + ",")]


def _sparse(line: str, at: int, attributes: list[_Attribute], where: str) -> list[str | None]:
    """{place value, ...}: of the others a number is 0, a nominal attribute its first level."""
    fields: list[str | None] = ["0" if a.kind == "numeric" else a.levels[0] if a.levels else None for a in attributes]
    for pair in SPARSE.finditer(line.strip("{}")):
        place = int(pair[1][:9])
        if place >= len(fields):
            what = f"Line {at:,} has a value for attribute {place:,}; the last is {len(fields) - 1:,}"
            raise TreecoreError(what, where=where, remedy="Correct the line; attributes count from 0.")
        fields[place] = _value(pair[2])
    return fields


def _value(field: str) -> str | None:
    return None if field in ("?", "") else _unquoted(field)


def _unquoted(field: str) -> str:
    if len(field) > 1 and field[0] == field[-1] and field[0] in "'\"":
        return ESCAPED.sub(lambda sign: {"n": "\n", "t": "\t", "r": "\r"}.get(sign[1], sign[1]), field[1:-1])
    return field


def _array(attribute: _Attribute, cells: list[str | None], rows: list[tuple[int, str]], where: str):
    import pyarrow as pa

    if attribute.kind == "text":
        return pa.array(cells, pa.string())
    if attribute.kind == "nominal":
        place = {level: code for code, level in enumerate(attribute.levels)}
        codes = [None if cell is None else place.get(cell, -1) for cell in cells]
        if -1 in codes:
            odd = codes.index(-1)
            levels = ", ".join(attribute.levels[:LISTED]) + (", ..." if len(attribute.levels) > LISTED else "")
            raise TreecoreError(
                f"Line {rows[odd][0]:,}: '{cells[odd]}' is no level of '{attribute.name}', which line "
                f"{attribute.line:,} declares",
                where=where,
                remedy=f"Correct it, or declare it there: {levels}.",
            )
        return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(attribute.levels, pa.string()))
    values = np.full(len(cells), np.nan)
    for row, cell in enumerate(cells):
        try:
            values[row] = np.nan if cell is None else float(cell)
        except ValueError:
            what = f"Line {rows[row][0]:,}: '{cell}' is no number, which '{attribute.name}' is declared to hold"
            remedy = f"Correct it, or the declaration in line {attribute.line:,}."
            raise TreecoreError(what, where=where, remedy=remedy) from None
    return pa.array(values, from_pandas=True)
