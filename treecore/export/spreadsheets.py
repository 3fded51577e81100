"""Tables for spreadsheets, as CSV and Excel workbooks, in which no text from data is ever worked out as a formula."""

import csv
import io
import math
import re
import zipfile
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

import pyarrow as pa

from treecore.brief import visible
from treecore.errors import TreecoreError
from treecore.export.format import ExportRequest
from treecore.pruning import sequence
from treecore.study.curves import size_curve


def csv_text(head: Sequence[str], rows: Iterable[Sequence]) -> str:
    """UTF-8 text with a header. None and NaN are empty cells; text that looks like a formula is guarded."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow([_csv_cell(name) for name in head])
    writer.writerows([_csv_cell(cell) for cell in row] for row in rows)
    return made.getvalue()


def _csv_cell(cell):
    from treecore.data.formula_injection import harmless_text

    if isinstance(cell, str):
        return harmless_text(cell)
    return "" if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell


# Tables of what the tree holds: its nodes, and its size against its error.


def nodes_csv(given: ExportRequest) -> str:
    """One row per node: what leads there, what it asks, its rows, impurity, gain and answer, and its class weights."""
    tree = given.tree
    head = ["node", "parent", "depth", "condition", "feature", "rows", "weight", "impurity", "gain", "predicted"]
    rows = []
    for t in range(tree.n_nodes):
        v, parent = tree.node(t), int(tree.parent[t])
        answer = tree.target_kind.cell_text(tree, t)
        about = [v.condition, v.feature, v.n_rows, v.weight, v.impurity, v.gain, answer]
        rows.append([t, None if parent < 0 else parent, int(tree.node_depth[t]), *about, *v.counts.values()])
    return csv_text([*head, *(f"weight of {name}" for name in tree.classes)], rows)


def curve_csv(given: ExportRequest) -> str:
    """One row per subtree of cost-complexity pruning: alpha, leaves, nodes, depth, and the error on the rows given."""
    curve = size_curve(sequence(given.tree), {} if given.rows is None else {"rows": given.rows})
    columns = {"alpha": curve.alpha, "leaves": curve.n_leaves, "nodes": curve.n_nodes, "depth": curve.depth}
    if given.rows is not None:
        error = curve.error["rows"]  # as the sequence reckons with it, for programs
        columns[curve.measure.lower() or "error"] = 0.0 - error if curve.of_profit else error
    if "rows" in curve.accuracy:
        columns["accuracy"] = curve.accuracy["rows"]
    return csv_text(list(columns), zip(*(column.tolist() for column in columns.values()), strict=True))


def why_not_curve(given: ExportRequest) -> str:
    """Sizes are decided by training rows."""
    if given.tree.figures_of == "train":
        return ""
    return "The figures of the tree are of estimation rows, by which no size is chosen: write the curve before"


# A table as an Excel workbook of one sheet, in which every text is a text: no cell can be worked out.
#
# Why not XlsxWriter (3.3): it writes numbers with 16 digits, which changed 8,468 of 20,000 normal numbers, and takes
# five times as long. Here every number is the one that was computed.

MEDIA = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MOST_ROWS, MOST_COLUMNS, MOST_LETTERS = 1_048_576, 16_384, 32_767
"""What a sheet and a cell can hold."""
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TYPES = (
    f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{MEDIA}.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
    '<Override PartName="/xl/styles.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>'
)
_STYLES = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}"><fonts count="2">'
    '<font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf xfId="0"/><xf fontId="1" xfId="0" applyFont="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def as_excel(table: pa.Table, name: str = "table") -> bytes:
    """An .xlsx file: a bold head that stays in view, numbers as numbers, everything else as text.

    name : of the sheet. TreecoreError where a sheet has too few rows or columns for the table.
    """
    if table.num_rows >= MOST_ROWS or table.num_columns > MOST_COLUMNS:
        what = f"{table.num_rows:,} rows and {table.num_columns:,} columns do not fit into a sheet of Excel"
        raise TreecoreError(what, where="Excel", remedy="Take the CSV or the Parquet file")
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as book:
        for part, content in (
            ("[Content_Types].xml", _TYPES),
            ("_rels/.rels", _relations("officeDocument", "xl/workbook.xml")),
            ("xl/_rels/workbook.xml.rels", _relations("worksheet", "worksheets/sheet1.xml", "styles", "styles.xml")),
            ("xl/workbook.xml", _workbook(name)),
            ("xl/styles.xml", _STYLES),
        ):
            book.writestr(_entry(part), content)
        with book.open(_entry("xl/worksheets/sheet1.xml"), "w") as sheet:
            _write_sheet(sheet, table)
    return made.getvalue()


def _entry(part: str) -> zipfile.ZipInfo:
    """Packed, and without the time, so that equal tables are equal files."""
    entry = zipfile.ZipInfo(part)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _relations(*pairs: str) -> str:
    told = "".join(
        f'<Relationship Id="rId{i + 1}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(zip(pairs[::2], pairs[1::2], strict=True))
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{told}</Relationships>'


def _workbook(name: str) -> str:
    shown = re.sub(r"[\[\]:*?/\\']", " ", visible(name)).strip()[:31] or "table"
    sheet = f'<sheet name={quoteattr(shown)} sheetId="1" r:id="rId1"/>'
    return f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheet}</sheets></workbook>'


def _write_sheet(sheet, table: pa.Table) -> None:
    pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    head = f'<sheetViews><sheetView workbookViewId="0">{pane}</sheetView></sheetViews><sheetData>'
    sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}">{head}'.encode())
    sheet.write(_row(_text(name, ' s="1"') for name in table.column_names))
    for batch in table.to_batches(1 << 12):
        for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            sheet.write(_row(_workbook_cell(cell) for cell in cells))
    sheet.write(b"</sheetData></worksheet>")


def _row(cells) -> bytes:
    return f"<row>{''.join(cells)}</row>".encode("utf-8", "replace")


def _workbook_cell(value) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float) and math.isfinite(value):
        return f"<c><v>{value!r}</v></c>"
    return _text(str(value))


def _text(value: str, style: str = "") -> str:
    """An inline text, which no program takes for a formula, whatever it begins with."""
    return f'<c t="inlineStr"{style}><is><t xml:space="preserve">{escape(visible(value)[:MOST_LETTERS])}</t></is></c>'
