"""Workbooks of Excel: every number a number, every text a text that nothing works out."""

import io
import zipfile
from datetime import date
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest

from treecore.data import ReadOptions, read_raw
from treecore.errors import TreecoreError
from treecore.export import spreadsheets
from treecore.export.spreadsheets import as_excel

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
HOSTILE = ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2", "</t></is></c><c><f>1+1</f></c>", "<&>\"'", " x "]
UNSEEN = "\x00\x1b"
"""Not allowed in XML at all."""


def sheet_of(content: bytes) -> ElementTree.Element:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        assert book.testzip() is None
        parts = {name: ElementTree.fromstring(book.read(name)) for name in book.namelist()}  # each is sound XML
    return parts["xl/worksheets/sheet1.xml"]


def cells_of(content: bytes) -> list[list]:
    """(type, text) of every cell, row by row."""
    rows = []
    for row in sheet_of(content).iter(f"{MAIN}row"):
        rows.append([(cell.get("t", "n"), "".join(cell.itertext())) for cell in row])
    return rows


def test_numbers_stay_numbers_and_gaps_stay_empty():
    numbers = {"n": [1, None, -3], "x": [0.1, float("nan"), 1e300]}
    table = pa.table({**numbers, "b": [True, False, None], "d": [date(2026, 1, 2)] * 3})
    head, *rows = cells_of(as_excel(table))
    assert head == [("inlineStr", name) for name in "nxbd"]
    assert rows[0] == [("n", "1"), ("n", "0.1"), ("b", "1"), ("inlineStr", "2026-01-02")]
    assert rows[1][:2] == [("n", ""), ("n", "")]
    assert rows[2][1] == ("n", "1e+300")


def test_no_text_is_a_formula_or_ends_its_cell():
    content = as_excel(pa.table({name: [name] for name in [*HOSTILE, UNSEEN]}), name="a/b:[c]*?" * 9)
    head, row = cells_of(content)
    assert {kind for kind, _ in (*head, *row)} == {"inlineStr"}
    assert not list(sheet_of(content).iter(f"{MAIN}f"))
    assert [text for _, text in row] == [text for _, text in head] == [*HOSTILE, "[U+0000][U+001B]"]


def test_another_reader_finds_every_bit_and_every_text():
    pytest.importorskip("python_calamine")
    numbers = np.random.default_rng(0).normal(size=500) * 10.0 ** np.arange(-250, 250)
    words = ([*HOSTILE, "#N/A", "007", "é"] * 50)[:500]
    content = as_excel(pa.table({"x": numbers, "w": words}), name="<b>")
    raw = read_raw(content, options=ReadOptions(header=True, skip_lines=0, footer=0, keep_spaces=True))
    x, w = raw.columns
    assert (x.cells[x.codes] == numbers).all()
    assert [w.cells[code].as_py() for code in w.codes] == words
    assert raw.part == "<b>"
    assert len(content) < 60 * len(words), "it is packed"


def test_a_table_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(spreadsheets, "MOST_ROWS", 3)
    with pytest.raises(TreecoreError, match="do not fit"):
        as_excel(pa.table({"a": [1, 2, 3]}))
