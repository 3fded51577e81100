"""Workbooks of Excel and LibreOffice: one sheet, its names and rows found as in a text file, its values typed.

The sheet is written as text with tabs, one line a row, and read as one: so titles, units, totals, gaps and odd
cells are what they are in CSV. Columns whose cells are all numbers, dates or truth values get these as they stand.
"""

import csv
import datetime
import io
import re
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from treecore.data.options import ReadOptions
from treecore.data.raw import RawColumn, bytes_fingerprint
from treecore.data.raw_table import RawTable
from treecore.data.readers.archive import ZIP, chosen_part, main_part, other_parts, zip_chunks
from treecore.data.readers.arrow import raw_column
from treecore.data.readers.delimited import read_delimited
from treecore.data.readers.heading_and_footer import HEAD_BYTES
from treecore.data.readers.reader_process import ask
from treecore.data.readers.source import Source, library, places_to_read, refuse_too_many_cells, unique_names
from treecore.errors import TreecoreError
from treecore.figures import counted

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
SMALL_SHEET = 2_000
"""Cells of a sheet from which on nobody asks whether the table is on another one."""
CELL_BYTES = 120  # of a cell in the library and as an object of Python
GROUPED = re.compile(r"-?\d{1,3}\.\d{3}")
BREAKS = re.compile(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
ROW = re.compile(rb"<(?:\w+:)?row[\s/>]")
CELL = re.compile(rb"<(?:\w+:)?c[\s/>]")
ROW_NUMBER = re.compile(rb"\br=[\"'][A-Za-z]{0,3}(\d{1,9})[\"']")  # of rows and of cells, such as B7
COLUMN = re.compile(rb"\br=[\"']([A-Za-z]{1,3})\d")
SHARED = re.compile(rb"\bt=[\"']s[\"'][^>]*>\s*<(?:\w+:)?v>\s*(\d{1,9})")
SHARED_TEXT = re.compile(rb"<(?:\w+:)?si\b.*?</(?:\w+:)?si>|<(?:\w+:)?si\s*/>", re.DOTALL)
ODS_ROW = re.compile(rb"<table:table-row\b([^>]*?)(?:/>|>(.*?)</table:table-row>)", re.DOTALL)
ODS_CELL = re.compile(
    rb"<table:(?:covered-)?table-cell\b([^>]*?)(?:/>|>(.*?)</table:(?:covered-)?table-cell>)", re.DOTALL
)
REPEATED = re.compile(rb"number-(?:rows|columns)-repeated=[\"'](\d{1,9})[\"']")


class _Sheet(NamedTuple):
    """A sheet as text, with tabs between cells.

    names : of all sheets, those in view first. strings : per column, the cells that are texts in the workbook.
    n_filled : cells that got the value of the merged one that they belong to.
    """

    names: tuple[str, ...]
    name: str
    utf8: bytes
    strings: list[set[str]]
    n_filled: int


def is_workbook(source: Source) -> bool:
    """An old workbook of Excel, or a zip archive that is a document: those of other files are unpacked before."""
    return source.content.startswith((OLE, ZIP))


def read_workbook(source: Source, options: ReadOptions) -> RawTable:
    """The raw table of one sheet: the one that options.part names, else the one that holds the table, see `_cells`.

    Formulas count by the values that the workbook keeps. TreecoreError when it is damaged, protected by a password,
    has no such sheet, or would take more memory than it may.
    """
    sheet = _sheet_apart(source, options) if source.content.startswith(OLE) else _sheet(source, options)
    in_text = Source(f"{source.name}, sheet {sheet.name}", data=sheet.utf8)
    raw = read_delimited(in_text, replace(options, delimiter="\t", quote='"', escape="", encoding="utf-8"))
    notes = list(raw.notes)
    if sheet.n_filled:
        cells = counted(sheet.n_filled, "cell")
        notes.append(f"Cells merged over several rows: {cells} below the first row of one got the value that it shows.")
    doubts = raw.doubts
    if len(sheet.names) > 1:
        doubts = (*doubts, other_parts("sheet", sheet.names, sheet.name))
        notes.append(doubts[-1].text)
    return replace(
        raw,
        columns=_typed(raw, sheet, options),
        source=source.name,
        fingerprint=bytes_fingerprint(source.content, options),
        options=options,
        notes=tuple(notes),
        doubts=doubts,
        head=sheet.utf8[:HEAD_BYTES],
        parts=sheet.names if len(sheet.names) > 1 else (),
        part=sheet.name,
    )


def _sheet(source: Source, options: ReadOptions) -> _Sheet:
    """The sheet that options.part names, else the one that holds the table."""
    where = f"File '{source.name}'"
    book, names, n_in_view = _opened(source, where, options)
    asked = chosen_part(options.part, names, "sheet", where)
    name, cells = _cells(book, [asked] if asked else names, n_in_view, where)
    return _Sheet(names, name, *_as_text(cells, where, options))


def sheet_of_file(source: Source, options: ReadOptions) -> tuple[dict, bytes]:
    """The same for the process that asks for it: of the old format nobody can say how large it is before it is read."""
    sheet = _sheet(source, options)
    return {**sheet._asdict(), "utf8": "", "strings": [sorted(texts) for texts in sheet.strings]}, sheet.utf8


def _sheet_apart(source: Source, options: ReadOptions) -> _Sheet:
    reply, utf8 = ask("xls", source, options)
    strings = [set(texts) for texts in reply["strings"]]
    return _Sheet(tuple(reply["names"]), reply["name"], utf8, strings, reply["n_filled"])


def _opened(source: Source, where: str, options: ReadOptions):
    """(the workbook, its sheets, those in view first, and how many these are)."""
    calamine = library("python_calamine", "python-calamine", where)
    protected = TreecoreError(
        "The workbook is protected by a password",
        where=where,
        remedy="Save it without one, or export the sheet as CSV.",
    )
    if source.content.startswith(OLE) and ENCRYPTED in source.content:
        raise protected
    if source.content.startswith(ZIP):
        _refuse_large(source, where, options)
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(source.content))
        visible = calamine.SheetVisibleEnum.Visible
        sheets = [one for one in book.sheets_metadata if one.typ == calamine.SheetTypeEnum.WorkSheet]
    except calamine.PasswordError:
        raise _protected(where) from None
    except (calamine.CalamineError, OSError, ValueError) as error:
        raise _unreadable(error, where) from None
    sheets.sort(key=lambda one: one.visible != visible)
    return book, tuple(one.name for one in sheets), sum(one.visible == visible for one in sheets)


def _cells(book, names, n_in_view: int, where: str):
    """(name, sheet) of the first with two rows and two columns, else of the first with anything in it.

    A cover or a list of the columns often stands before the table: a small sheet gives way to a much larger one.
    """
    import python_calamine as calamine

    first = None
    tables: list[tuple[str, calamine.CalamineSheet]] = []
    for place, name in enumerate(names):
        if tables and (place == n_in_view or tables[0][1].height * tables[0][1].width >= SMALL_SHEET):
            break
        try:
            sheet = book.get_sheet_by_name(name)
        except (calamine.CalamineError, OSError, ValueError) as error:
            raise _unreadable(error, where) from None
        if sheet.height > 1 and sheet.width > 1:
            tables.append((name, sheet))
        if sheet.height and first is None:
            first = name, sheet
    if tables:
        sizes = [sheet.height * sheet.width for _, sheet in tables]
        return tables[main_part(sizes)]
    if first is None:
        what = "The sheet is empty" if len(names) == 1 else "There is no sheet with anything in it"
        raise TreecoreError(
            what, where=where, remedy="Load a sheet with a row of names and at least one row of values."
        )
    return first


def _unreadable(error: Exception, where: str) -> TreecoreError:
    message = (str(error).splitlines() or [""])[0][:200]
    if "password" in message.lower() or "encrypt" in message.lower():
        return _protected(where)
    return TreecoreError(
        f"It is no workbook of .xlsx, .xls or .ods that can be read ({message})",
        where=where,
        remedy="Save it again as .xlsx, or export the sheet as CSV.",
    )


def _protected(where: str) -> TreecoreError:
    remedy = "Save it without one, or export the sheet as CSV."
    return TreecoreError("The workbook is protected by a password", where=where, remedy=remedy)


def _as_text(sheet, where: str, options: ReadOptions) -> tuple[bytes, list[set[str]], int]:
    """(text, strings, n_filled), see _Sheet: without columns that have no cell; a row without any is an empty line."""
    n_rows, width = sheet.end[0] + 1, sheet.width
    refuse_too_many_cells(n_rows, width, n_rows * width * CELL_BYTES, where, options)
    strings: list[set[str]] = [set() for _ in range(width)]
    spans, n_filled, rows = _spans(sheet), 0, []
    active: dict[int, tuple[str, int]] = {}
    for at, cells in enumerate(sheet.iter_rows()):
        row = [cell if type(cell) is str else _text(cell) for cell in cells]
        for place, cell in enumerate(cells):
            if type(cell) is str and cell:
                row[place] = BREAKS.sub(" ", cell)
                strings[place].add(row[place])
        for place, (value, last) in tuple(active.items()):
            if at > last:
                del active[place]
            elif not row[place]:
                row[place], n_filled = value, n_filled + 1
        active.update({place: (row[place], last) for place, last in spans.get(at, ())})
        rows.append(row)
    used = [place for place in range(width) if any(row[place] for row in rows)]
    made = io.StringIO()
    write = csv.writer(made, delimiter="\t", lineterminator="\n").writerow
    for row in rows:
        if any(row):
            write([row[place] for place in used])
        else:
            made.write("\n")
    return made.getvalue().encode("utf-8", "replace"), [strings[place] for place in used], n_filled


def _spans(sheet) -> dict[int, list[tuple[int, int]]]:
    """First row -> (column, last row) of cells merged over several rows of one column."""
    spans: dict[int, list[tuple[int, int]]] = {}
    first = sheet.start[1]  # rows are given from the first one on, columns from the first that holds anything
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        if left == right and bottom > top and first <= left < first + sheet.width:
            spans.setdefault(top, []).append((left - first, bottom))
    return spans


def _text(cell) -> str:
    """As a text file has it: numbers with a point, dates as 2020-01-31, durations in days as the workbook counts."""
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, datetime.timedelta):
        cell = cell / datetime.timedelta(days=1)
    if isinstance(cell, int | float):
        text = str(int(cell)) if abs(cell) < 1e15 and cell == int(cell) else repr(float(cell))
        return text + "0" if GROUPED.fullmatch(text) else text  # 1.234 as a text could be a thousand and more
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(" ")
    return cell.isoformat() if isinstance(cell, datetime.date | datetime.time) else str(cell)


def _typed(raw: RawTable, sheet: _Sheet, options: ReadOptions) -> tuple[RawColumn, ...]:
    """The columns, with values where no cell of the rows was a text."""
    assert raw.lines is not None
    assert raw.dialect is not None
    line = sheet.utf8.split(b"\n", raw.lines.header)[raw.lines.header - 1] if raw.dialect.header else b""
    names = next(csv.reader([line.decode()], delimiter="\t"), []) if line else [""] * len(sheet.strings)
    places = places_to_read(unique_names(names)[0], options, "")
    return tuple(_values(c, sheet.strings[place]) for c, place in zip(raw.columns, places, strict=True))


def _values(column: RawColumn, strings: set[str]) -> RawColumn:
    import pyarrow as pa

    if column.content != "text":
        return column
    texts = column.cells.to_pylist()
    if not any(texts) or any(text in strings for text in texts):
        return column
    for kind, value in (
        (pa.bool_(), {"True": True, "False": False}.__getitem__),
        (pa.float64(), float),
        (pa.timestamp("s"), datetime.datetime.fromisoformat),
    ):
        try:
            cells = pa.array([value(text) if text else None for text in texts], kind)
        except (ValueError, KeyError):
            continue
        codes = pa.array(column.codes, mask=column.codes < 0)
        return raw_column(column.name, column.original, cells.take(codes))
    return column


def _refuse_large(source: Source, where: str, options: ReadOptions) -> None:
    """TreecoreError when the sheets would take more memory than they may: asked of their text, before cells are made.

    The library makes a cell of every place up to the last one, and a text of its own of every cell.
    """
    sheets: dict[str, _Area] = {}
    texts: list[bytes] = []
    content: list[bytes] = []
    is_sheet = lambda name: name.lower().startswith("xl/worksheets/")  # noqa: E731
    for name, piece in zip_chunks(source.content, where, options):
        if is_sheet(name):
            sheets.setdefault(name, _Area()).add(piece)
        elif name.lower() == "xl/sharedstrings.xml":
            texts.append(piece)
        elif name.lower() == "content.xml":
            content.append(piece)
    lengths = np.array([len(text) for text in SHARED_TEXT.findall(b"".join(texts))], dtype=np.int64)
    for area in sheets.values():
        refuse_too_many_cells(area.n_rows, area.n_columns, area.n_bytes(lengths), where, options)
    if content:
        n_rows, n_columns, n_bytes = _ods_area(b"".join(content))
        refuse_too_many_cells(n_rows, n_columns, n_bytes + n_rows * n_columns * CELL_BYTES, where, options)


class _Area:
    """How far a sheet of .xlsx reaches, and the shared texts that its cells ask for, from its pieces in turn."""

    def __init__(self):
        self.rest, self.shared = b"", []
        self.counted_rows = self.last_row = self.last_column = self.most_cells = self.cells = 0

    def add(self, piece: bytes) -> None:
        text = self.rest + piece
        end = max(text.rfind(b"<row"), text.rfind(b":row"))
        end = end if end > 0 else text.rfind(b"<")
        text, self.rest = text[:end], text[end:]
        self._take(text)

    def _take(self, text: bytes) -> None:
        for row in ROW.split(text):
            self.most_cells = max(self.most_cells, len(CELL.findall(row)))
        self.counted_rows += len(ROW.findall(text))
        self.last_column = max([self.last_column, *map(_column_number, set(COLUMN.findall(text)))])
        self.last_row = max([self.last_row, *map(int, set(ROW_NUMBER.findall(text)))])
        self.shared.append(np.array(SHARED.findall(text), dtype=np.int64))

    @property
    def n_rows(self) -> int:
        self._finish()
        return max(self.counted_rows, self.last_row)

    @property
    def n_columns(self) -> int:
        self._finish()
        return max(self.last_column, self.most_cells)

    def n_bytes(self, lengths: np.ndarray) -> int:
        """Of the cells and of the texts that they share."""
        self._finish()
        places = np.concatenate(self.shared)
        texts = int(lengths[places[places < len(lengths)]].sum()) if len(lengths) else 0
        return self.n_rows * self.n_columns * CELL_BYTES + 2 * texts

    def _finish(self) -> None:
        rest, self.rest = self.rest, b""
        if rest:
            self._take(rest)


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def _ods_area(content: bytes) -> tuple[int, int, int]:
    """(rows, columns, bytes of text) of all sheets of an .ods file up to their last cells that hold something."""
    n_rows = n_columns = n_bytes = passed = 0
    for attributes, inner in ODS_ROW.findall(content):
        times, width, at = _repeated(attributes), 0, 0
        for cell, value in ODS_CELL.findall(inner):
            at += _repeated(cell)
            if b"office:value" in cell or b"office:string" in cell or value:
                width = at
                n_bytes += len(value) * times * _repeated(cell)
        passed += times
        if width:
            n_rows, n_columns = passed, max(n_columns, width)
    return n_rows, n_columns, n_bytes


def _repeated(attributes: bytes) -> int:
    result = REPEATED.search(attributes)
    return int(result[1]) if result else 1
