"""Tables in files of other programs: workbooks, statistical packages, ARFF, JSON, Feather, packed files."""

import bz2
import datetime
import gzip
import io
import json
import lzma
import shutil
import sys
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather

from treecore.data import ReadOptions, infer_kinds, read_raw, read_table
from treecore.data.readers import reader_process
from treecore.data.readers.source import TooManyColumns
from treecore.errors import TreecoreError

xlsxwriter = pytest.importorskip("xlsxwriter")
pyreadstat = pytest.importorskip("pyreadstat")
pyreadr = pytest.importorskip("pyreadr")
pytest.importorskip("python_calamine")

DAY = datetime.date(2020, 1, 1)
CSV = b"a,b\n1,x\n2,y\n3,x\n"
HOSTILE = "<img src=x onerror=alert(1)>"


def values(raw, name):
    """The values of a column, row by row; None where there is none."""
    column = raw.column(name)
    cells = column.cells.to_pylist() if column.content == "text" else list(column.cells)
    return [None if code < 0 else cells[code] for code in column.codes]


def workbook(**sheets):
    """An .xlsx file of these sheets, each a list of rows."""
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True, "default_date_format": "yyyy-mm-dd"})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for at, row in enumerate(rows):
            for place, cell in enumerate(row):
                if cell is not None:
                    sheet.write(at, place, cell)
    book.close()
    return file.getvalue()


def changed(data, **files):
    """The same zip archive with other contents of some of its files."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            new.writestr(info.filename, files.get(info.filename.rsplit("/")[-1].split(".")[0], old.read(info)))
    return made.getvalue()


def fault(data, name="f", **options):
    with pytest.raises(TreecoreError) as caught:
        read_raw(data, name=name, options=ReadOptions(**options))
    return str(caught.value)


ROWS = [(f"S{k % 3}", DAY + datetime.timedelta(days=k), 1.234 + k / 8, k % 2 == 0, None if k == 2 else k // 2, f"0{k}")
        for k in range(9)]  # fmt: skip
NAMES = ("shop", "day", "price\n(EUR)", "open", "size", "code")


@pytest.fixture
def sales():
    title, footer = [("Sales of 2020",), (), NAMES], [("Total", None, sum(row[2] for row in ROWS))]
    return workbook(Notes=[("made by hand",)], **{"All shops": [*title, *ROWS, *footer]})


def test_a_sheet_is_read_as_its_cells_are(sales):
    raw = read_raw(sales, name="sales.xlsx")
    assert raw.names == ("shop", "day", "price (EUR)", "open", "size", "code")
    assert raw.n_rows == 9
    assert values(raw, "price (EUR)") == [row[2] for row in ROWS], "1.234 is no thousand"
    assert [str(day)[:10] for day in values(raw, "day")] == [str(row[1]) for row in ROWS]
    assert values(raw, "open") == [str(row[3]) for row in ROWS]
    assert values(raw, "size") == [row[4] for row in ROWS]
    assert values(raw, "code") == [row[5] for row in ROWS], "zeros in front stay"
    kinds = {guess.name: guess.kind for guess in infer_kinds(raw)}
    assert (kinds["open"], kinds["price (EUR)"], kinds["size"]) == ("boolean", "numeric", "numeric")


def test_titles_totals_and_other_sheets_are_said(sales):
    raw = read_raw(sales, name="sales.xlsx")
    said = " ".join(raw.notes)
    assert "2 lines are no part of the table ('Sales of 2020')" in said
    assert "the names stand in line 3" in said
    assert "The last line is left out ('Total" in said
    assert "Of 2 sheets 'All shops' was read." in said
    assert (raw.parts, raw.part) == (("Notes", "All shops"), "All shops")
    assert [doubt.remedies for doubt in raw.doubts][-1] == (("Read 'Notes'", (("part", "Notes"),)),)


def test_another_sheet_may_be_asked_for():
    data = workbook(one=[("a", "y"), (1, "u"), (2, "v")], two=[("b", "y"), (3, "u"), (4, "v")])
    assert read_table(data).column_names == ("a", "y")
    assert read_table(data, part="two").column("b").values().tolist() == [3, 4]
    assert "There is no sheet 'three'. There are: 'one', 'two' (part)" in fault(data, part="three")


def test_a_cover_and_a_list_of_columns_give_way_to_the_table():
    cover, listed = [["Exported by", "on"], ["PMS", "March"]], [["column", "means"], ["a", "size"], ["b", "what it is"]]
    rows = [["a", "b"], *([row, "xy"[row % 2]] for row in range(60))]
    table = read_table(workbook(Info=cover, Columns=listed, Bookings=rows))
    assert table.n_rows == 60
    assert "Of 3 sheets 'Bookings' was read." in " ".join(table.notes)
    months = [["a", "b"], *([row, "xy"[row % 2]] for row in range(20))]
    assert read_table(workbook(January=months, February=rows)).n_rows == 20, "of tables alike the first"


def test_what_stands_beside_a_table_in_an_archive_gives_way_to_it():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("README.md", "This is what the columns mean. " * 400)
        archive.writestr("codes.csv", "code,name\n1,one\n2,two\n")
        archive.writestr("rows.csv", "a,b\n" + "".join(f"{row},{'xy'[row % 2]}\n" for row in range(200)))
    assert read_table(made.getvalue()).n_rows == 200


def test_sheets_in_view_come_before_hidden_ones():
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True})
    for name in ("hidden", "shown"):
        sheet = book.add_worksheet(name)
        for at, row in enumerate([("a", "b"), (1, 2), (3, 4)]):
            sheet.write_row(at, 0, row)
    book.get_worksheet_by_name("hidden").hide()
    book.get_worksheet_by_name("shown").activate()
    book.close()
    assert read_raw(file.getvalue()).part == "shown"


def test_a_table_may_begin_anywhere_and_have_empty_columns():
    rows = [(), (None, None, "a", None, "b"), *((None, None, k, None, "uv"[k % 2]) for k in range(5))]
    raw = read_raw(workbook(s=rows))
    assert raw.names == ("a", "b")
    assert values(raw, "a") == [0, 1, 2, 3, 4]


def test_formulas_count_by_their_values_and_errors_are_missing():
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True})
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ("n", "double"))
    for row in range(1, 7):
        sheet.write(row, 0, row)
        sheet.write_formula(row, 1, f"=A{row + 1}*2", None, "#DIV/0!" if row == 2 else 2 * row)
    book.close()
    table = read_table(file.getvalue())
    assert table.column("double").kind == "numeric"
    assert table.column("double").values().tolist()[::2] == [2, 6, 10]
    assert np.isnan(table.column("double").values()[1])


def test_cells_merged_over_rows_hold_their_value_in_each():
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True})
    sheet = book.add_worksheet()
    sheet.merge_range("B1:C1", "Measured")
    sheet.merge_range("B2:B3", "group")
    sheet.write("C3", "value")
    sheet.merge_range("B4:B6", "first")
    sheet.merge_range("B7:B9", "second")
    for row in range(6):
        sheet.write(3 + row, 2, row)
    book.close()
    raw = read_raw(file.getvalue())
    assert raw.names == ("group", "value")
    assert values(raw, "group") == ["first"] * 3 + ["second"] * 3
    assert any("merged over several rows" in note for note in raw.notes)


def test_texts_among_numbers_are_read_as_in_csv():
    raw = read_raw(workbook(s=[("a", "b"), *((1.234 * k, k) for k in range(1, 9)), ("n/a", 3), ("12,5", 4)]))
    assert raw.column("a").content == "text"
    [a, _] = infer_kinds(raw)
    assert a.odd == ("12,5",)
    assert raw.number_readings["a"].values[0] == 1.234


def test_texts_with_a_decimal_comma_are_numbers():
    raw = read_raw(workbook(s=[("a", "b\tc"), *((f"{k},5", f"x\ty {k % 2}") for k in range(9)), ("Summe", "40,5")]))
    table = read_table(workbook(s=[("a", "b"), *((f"{k},25", f"u{k % 2}") for k in range(9))]))
    assert table.column("a").values()[:2].tolist() == [0.25, 1.25]
    assert raw.names == ("a", "b c")


def test_old_workbooks_are_read():
    xlwt = pytest.importorskip("xlwt")
    book, file = xlwt.Workbook(), io.BytesIO()
    sheet, days = book.add_sheet("one"), xlwt.easyxf(num_format_str="YYYY-MM-DD")
    for place, name in enumerate(("a", "day", "b")):
        sheet.write(0, place, name)
    for row in range(1, 6):
        sheet.write(row, 0, row + 0.5)
        sheet.write(row, 1, DAY, days)
        sheet.write(row, 2, "uv"[row % 2])
    book.save(file)
    raw = read_raw(file.getvalue(), name="f.xls")
    assert values(raw, "a") == [1.5, 2.5, 3.5, 4.5, 5.5]
    assert raw.column("day").content == "date"
    assert values(raw, "b") == ["v", "u", "v", "u", "v"]


def ods(rows):
    """An .ods file: each row a list of (attributes, text) of cells; "rows" repeats a row."""
    space = "urn:oasis:names:tc:opendocument:xmlns"
    made = "".join(
        f"<table:table-row {about}>"
        + "".join(f"<table:table-cell {told}><text:p>{text}</text:p></table:table-cell>" for told, text in cells)
        + "</table:table-row>"
        for about, cells in rows
    )
    content = (
        f'<office:document-content xmlns:office="{space}:office:1.0" xmlns:table="{space}:table:1.0" '
        f'xmlns:text="{space}:text:1.0"><office:body><office:spreadsheet><table:table table:name="s">{made}'
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    manifest = f'<manifest:manifest xmlns:manifest="{space}:manifest:1.0"/>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr("content.xml", content)
    return file.getvalue()


def cell(value):
    if isinstance(value, str):
        return 'office:value-type="string"', value
    return f'office:value-type="float" office:value="{value}"', value


def test_workbooks_of_libreoffice_are_read_and_their_repetitions_counted_first():
    head, rows = ("", [cell("a"), cell("b")]), [("", [cell(k + 0.5), cell("uv"[k % 2])]) for k in range(5)]
    raw = read_raw(ods([head, *rows, ('table:number-rows-repeated="1048000"', [("", "")])]), name="f.ods")
    assert values(raw, "a") == [0.5, 1.5, 2.5, 3.5, 4.5]
    many = ('table:number-rows-repeated="1000000"', [('table:number-columns-repeated="9000" ' + cell(1)[0], 1)])
    assert "1,000,006 rows x 9,000 columns" in fault(ods([head, *rows, many]))


SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'
TEXTS = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>%s</t></si></sst>'


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        (b'<row r="1"><c r="A1"/></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', "16,384 columns"),
        (b"<row/>" * 1_000_000 + b"<row>" + b"<c><v>1</v></c>" * 9_000 + b"</row>", "1,000,001 rows x 9,000"),
        (b"".join(b'<row><c t="s"><v>0</v></c></row>' for _ in range(50_000)), "50,000 rows x 1 columns, about 3.0 GB"),
    ],
    ids=["far corner", "without places", "one text shared"],
)  # fmt: skip
def test_small_workbooks_of_large_tables_are_refused_before_they_are_read(sheet, words):
    data = changed(workbook(s=[("a",), (1,)]), sheet1=SHEET % sheet, sharedStrings=TEXTS % (b"x" * 30_000))
    assert len(data) < 200_000
    assert words in fault(data, max_memory=1 << 30)
    assert "the limit is" in fault(data, max_memory=1 << 30)


def test_what_a_workbook_unpacks_to_has_a_limit():
    data = changed(workbook(s=[("a",), (1,)]), sheet1=SHEET % (b" " * 30_000_000))
    assert "It unpacks to more than 10 MB, the limit" in fault(data, max_bytes=10_000_000)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2000, "It is no workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 900 + "EncryptedPackage".encode("utf-16-le"), "by a password"),
        (workbook(s=[("a", "b")]), "header but no row"),
        (workbook(s=[]), "The sheet is empty"),
        (workbook(s=[], t=[]), "no sheet with anything in it"),
    ],
    ids=["ole", "password", "names only", "empty", "all empty"],
)
def test_workbooks_that_cannot_be_read(data, words):
    assert words in fault(data, name="f.xlsx")


def test_a_torn_workbook_and_a_document_are_refused(sales):
    assert "damaged or not complete" in fault(sales[: len(sales) // 2], name="f.xlsx")
    assert "It is no workbook" in fault(changed(sales, workbook=b"<x/>", sheet1=b"<x/>"))


def test_hostile_names_of_sheets_and_cells_stay_text():
    data = workbook(**{"a": [("x", HOSTILE), (1, "=1+1"), (2, HOSTILE)], "=cmd": [(1,)]})
    raw = read_raw(data)
    assert raw.names == ("x", HOSTILE)
    assert raw.parts == ("a", "=cmd")


@pytest.fixture
def survey():
    """Columns of a file of SPSS: labels of all values, of one, dates, texts; 9 and 99 are missing."""
    frame = pd.DataFrame(
        {
            "sat": [3.0, 1, 2, 2, 9, np.nan],
            "age": [20.0, 30, 99, 40, 50, 98],
            "sex": ["m", "f", "f", "m", "", "f"],
            "day": [DAY + datetime.timedelta(days=k) for k in range(6)],
        }
    )
    more = {
        "column_labels": ["How satisfied?", "Age in years", HOSTILE, ""],
        "variable_value_labels": {
            "sat": {1: "low", 2: "fair", 3: "high", 9: "refused"},
            "age": {98: "98 or more", 99: "no answer"},
            "sex": {"m": "man", "f": "woman"},
        },
    }
    return frame, more


@pytest.mark.parametrize("compress", [False, True])
def test_spss_labels_become_levels_and_declared_missing_values_missing(survey, tmp_path, compress):
    frame, more = survey
    path = tmp_path / "s.sav"
    ranges = {"sat": [9], "age": [{"lo": 99, "hi": 99}]}
    pyreadstat.write_sav(
        frame, path, **more, missing_ranges=ranges, variable_measure={"sat": "ordinal"}, compress=compress
    )
    raw = read_raw(path)
    sat = raw.column("sat")
    assert (sat.cells, sat.ordered) == (("low", "fair", "high"), True)
    assert values(raw, "sat") == ["high", "low", "fair", "fair", None, None]
    assert values(raw, "age") == [20, 30, None, 40, 50, 98]
    assert values(raw, "sex") == ["man", "woman", "woman", "man", None, "woman"]
    assert raw.column("sex").cells == ("woman", "man")
    assert raw.column("day").content == "date"
    assert raw.labels == {"sat": "How satisfied?", "age": "Age in years", "sex": HOSTILE}
    assert any("1 column has labels for some values only" in note and "'age'" in note for note in raw.notes)
    assert {guess.name: guess.kind for guess in infer_kinds(raw)}["sat"] == "ordinal"


@pytest.mark.parametrize("suffix", ["dta", "xpt", "por"])
def test_other_statistical_files(survey, tmp_path, suffix):
    frame, more = survey
    path, frame = tmp_path / f"s.{suffix}", frame.drop(columns="day")
    if suffix == "dta":
        labels = {"sat": more["variable_value_labels"]["sat"]}
        pyreadstat.write_dta(frame, path, column_labels=more["column_labels"][:3], variable_value_labels=labels)
    else:
        {"xpt": pyreadstat.write_xport, "por": pyreadstat.write_por}[suffix](frame, path)
    raw = read_raw(path)
    sat, age, sex = raw.names
    assert values(raw, age) == [20, 30, 99, 40, 50, 98]
    assert values(raw, sex) == ["m", "f", "f", "m", None, "f"]
    levels = ["high", "low", "fair", "fair", "refused", None]
    assert values(raw, sat) == (levels if suffix == "dta" else [3, 1, 2, 2, 9, None])


def test_some_columns_of_a_statistical_file(survey, tmp_path):
    path = tmp_path / "s.sav"
    pyreadstat.write_sav(survey[0], path, column_labels=survey[1]["column_labels"])
    raw = read_raw(path, options=ReadOptions(columns=("sex", "age")))
    assert raw.names == ("age", "sex")
    assert raw.labels == {"age": "Age in years", "sex": HOSTILE}
    with pytest.raises(TooManyColumns) as caught:
        read_raw(path, options=ReadOptions(max_columns=2))
    assert caught.value.names == ("sat", "age", "sex", "day")
    assert "nothing" in fault(path, columns=("nothing",))
    assert "6 rows x 4 columns" in fault(path, max_memory=5000)
    assert "SPSS file cannot be read" in fault(path.read_bytes()[:300])


def test_a_library_that_is_brought_down_takes_nothing_with_it(survey, tmp_path, monkeypatch):
    path = tmp_path / "s.sav"
    pyreadstat.write_sav(survey[0], path)
    monkeypatch.setattr(reader_process.sys, "executable", shutil.which("false"))
    assert "The file is damaged, or reading it takes more than" in fault(path)


@pytest.fixture
def frame_of_r():
    levels = pd.Categorical(["lo", "hi", "lo", "hi"], categories=["lo", "mid", "hi"])
    return pd.DataFrame({"x": [1.5, np.nan, 3, 4], "f": levels, "s": ["a", None, "b", "a"], "n": [1, 2, 3, 4]})


def test_data_of_r(frame_of_r, tmp_path):
    pyreadr.write_rds(tmp_path / "d.rds", frame_of_r, compress="gzip")
    raw = read_raw(tmp_path / "d.rds")
    assert values(raw, "x") == [1.5, None, 3, 4]
    assert values(raw, "n") == [1, 2, 3, 4]
    assert values(raw, "s")[2:] == ["b", "a"]
    packed = lzma.compress(gzip.decompress((tmp_path / "d.rds").read_bytes()))
    assert read_raw(packed).names == raw.names
    assert "file of R cannot be read" in fault(gzip.decompress((tmp_path / "d.rds").read_bytes())[:120])
    pyreadr.write_rdata(tmp_path / "d.rda", frame_of_r, df_name="mine")
    assert read_raw(tmp_path / "d.rda", options=ReadOptions(part="mine")).n_rows == 4


def test_a_sequence_of_r_is_counted_before_it_is_made():
    """data.frame(a = 1:2e8) as R 4.4 writes it: 1:n is two numbers."""
    symbol = lambda text: b"\0\0\0\x01\0\4\0\x09" + len(text).to_bytes(4) + text  # noqa: E731
    pair, kind = b"\0\0\0\2", b"\0\0\0\x0d\0\0\0\1\0\0\0\x0d"
    info = pair + symbol(b"compact_intseq") + pair + symbol(b"base") + pair + kind
    state = b"\0\0\0\xfe\0\0\0\x0e\0\0\0\3" + np.array([2e8, 1, 1], ">f8").tobytes()
    data = b"X\n\0\0\0\3\0\4\4\0\0\3\5\0\0\0\0\5UTF-8\0\0\3\x13\0\0\0\1\0\0\0\xee" + info + state + b"\0\0\0\xfe"
    assert "200,000,000 rows" in fault(data, max_memory=1 << 28)


ARFF = """% remark
@RELATION 'w x'
@attribute outlook {sunny, 'over cast', rainy}
@attribute "temp c" real
@ATTRIBUTE windy {TRUE,FALSE}
@attribute s string

@data
sunny,85,FALSE,'it\\'s'
'over cast', ?, TRUE, "a, b"
rainy,1e2,?, 'c', {5}
% more
rainy,3,TRUE,?
"""


def test_arff_declares_levels_and_their_order():
    raw = read_raw(ARFF.encode(), name="w.arff")
    assert raw.column("outlook").cells == ("sunny", "over cast", "rainy")
    assert values(raw, "outlook") == ["sunny", "over cast", "rainy", "rainy"]
    assert values(raw, "temp c") == [85, None, 100, 3]
    assert raw.column("windy").cells == ("TRUE", "FALSE")
    assert values(raw, "s") == ["it's", "a, b", "c", None]
    assert any("1 instance with a weight" in note for note in raw.notes)


def test_sparse_arff_has_zeros_and_first_levels():
    head = "@relation r\n@attribute a numeric\n@attribute b {u,v}\n@attribute c numeric\n@data\n"
    raw = read_raw((head + "{0 3, 1 v}\n{2 5}\n{}\n{1 ?}\n").encode())
    assert (values(raw, "a"), values(raw, "b"), values(raw, "c")) == (
        [3, 0, 0, 0], ["v", "u", "u", None], [0, 5, 0, 0],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("rainy,3", "rany,3", "Line 13: 'rany' is no level of 'outlook', which line 3 declares.*sunny, over cast"),
        ("1e2", "abc", "Line 11: 'abc' is no number, which 'temp c' is declared to hold.*line 4"),
        ("TRUE,?", "TRUE", "Line 13 has 3 values; 4 attributes are declared"),
        ("string", "relational", "Line 6 declares no kind"),
        ("@data", "", "Line 9 is no declaration"),
    ],
)
def test_faults_of_arff_name_their_line(old, new, words):
    with pytest.raises(TreecoreError, match=words):
        read_raw(ARFF.replace(old, new).encode())


@pytest.mark.parametrize(
    "data",
    [
        b'[{"a": 1, "b": "x", "c": true, "d": [1]}, {"a": 2.5, "b": "y", "c": null}, {"b": 7, "c": false}]',
        b'{"a": 1, "b": "x", "c": true, "d": [1]}\r\n{"a": 2.5, "b": "y"}\n\n{"b": 7, "c": false}\n',
        b'{"page": 1, "rows": [{"a": 1, "b": "x", "c": true, "d": {}}, {"a": 2.5, "b": "y"}, {"b": 7, "c": false}]}',
        b'{"a": [1, 2.5, null], "b": ["x", "y", 7], "c": [true, null, false], "d": [[1], 2, 3]}',
    ],
    ids=["list", "lines", "within", "columns"],
)
def test_records_of_json(data):
    raw = read_raw(b"\xef\xbb\xbf" + data)
    assert (values(raw, "a"), values(raw, "b"), values(raw, "c")) == (
        [1, 2.5, None], ["x", "y", "7"], ["True", None, "False"],
    )  # fmt: skip
    assert raw.names == ("a", "b", "c")
    assert any("'d'" in note and "lists or records" in note for note in raw.notes)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'[{"a": 1},\n{"a": }]', "Line 2 is no JSON (Expecting value, column 7)"),
        (b'{"a": 1}\n{"a": 2\n', "Line 2 is no JSON"),
        (b"[]", "The list is empty"),
        (b'[{"a": 1}, 3]', "Element 2 of the list is no record"),
        (b'{"a": [1], "b": [1, 2]}', "lists of different lengths"),
        (b'[{"a": {"b": 1}}]', "Every column has lists or records"),
        (b'[{"a":' + b"[" * 50_000 + b"]" * 50_000 + b"}]", "too deep"),
        (b'[{"a":' + b"9" * 5000 + b"}]", "Line 1 is no JSON"),
        (b'[{"a":\n"\xff"}]', "Line 2 is not UTF-8"),
        (b'[{"a": 1}]', "Reading the records takes up to"),
    ],
)
def test_json_that_is_no_table(data, words):
    assert words in fault(data, max_memory=200 if "takes up" in words else None)


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather(compression):
    sizes = pd.Categorical(["b", "a", "b"], categories=["b", "a", "z"], ordered=True)
    frame = pd.DataFrame({"x": [1.5, None, 2], "c": sizes, "t": pd.to_datetime([DAY] * 3), "l": [[1], [2], [3]]})
    file = io.BytesIO()
    feather.write_feather(frame, file, compression=compression)
    raw = read_raw(file.getvalue())
    assert raw.names == ("x", "c", "t")
    assert values(raw, "x") == [1.5, None, 2]
    assert (raw.column("c").cells, raw.column("c").ordered) == (("b", "a", "z"), True)
    assert raw.column("t").content == "date"
    assert "Feather file cannot be read" in fault(file.getvalue()[:-600])


def test_feather_is_asked_how_much_it_unpacks_to():
    file = io.BytesIO()
    feather.write_feather(pa.table({"a": np.zeros(3_000_000)}), file, compression="zstd")
    assert len(file.getvalue()) < 100_000
    said = fault(file.getvalue(), max_memory=80_000_000)
    assert "3,000,000 rows x 1 columns, about 96 MB" in said, "8 bytes of a number and 24 of its code"
    assert "version 1" in fault(b"FEA1" + b"\0" * 60)


@pytest.mark.parametrize(
    ("pack", "name"),
    [
        (gzip.compress, "t.csv.gz"),
        (bz2.compress, "t.csv.bz2"),
        (lzma.compress, "t.csv.xz"),
        (lambda data: pa.Codec("zstd").compress(data, asbytes=True), "t.csv.zst"),
    ],
)
def test_packed_files_are_unpacked_no_further_than_the_limit(pack, name):
    raw = read_raw(pack(CSV), name=name)
    assert (raw.names, raw.n_rows, raw.source) == (("a", "b"), 3, "t.csv")
    assert raw.fingerprint == read_raw(CSV).fingerprint
    assert "damaged or not complete" in fault(pack(CSV * 50)[:-9], name=name)
    assert "It unpacks to more than 1 MB, the limit" in fault(
        pack(b"a,b\n" + b"1,2\n" * 1_000_000), max_bytes=1_000_000
    )
    assert values(read_raw(pack(b'[{"a": 1}, {"a": 2}]')), "a") == [1, 2]


def archive(**files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return made.getvalue()


def test_archives_hold_tables():
    data = archive(**{"__MACOSX/x": b"?", ".hidden": b"?", "d/one.csv": CSV, "two.json": b'[{"z": 1}, {"z": 2}]'})
    raw = read_raw(data, name="t.zip")
    assert (raw.names, raw.source, raw.parts, raw.part) == (
        ("a", "b"),
        "d/one.csv",
        ("d/one.csv", "two.json"),
        "d/one.csv",
    )
    assert read_raw(data, options=ReadOptions(part="two.json")).names == ("z",)
    assert "There is no file 'x'. There are: 'd/one.csv', 'two.json'" in fault(data, part="x")
    assert read_raw(archive(a=CSV)).parts == ()
    assert "no file in the archive" in fault(archive())
    assert "It unpacks to more than 1 MB" in fault(archive(a=b"0" * 5_000_000), max_bytes=1_000_000)
    sheets = workbook(s=[("a", "b"), (1, 2), (3, 4)])
    assert read_raw(archive(**{"t.xlsx": sheets})).names == ("a", "b")


def test_archives_with_a_password_are_refused():
    data = bytearray(archive(a=CSV))
    for sign in (b"PK\3\4", b"PK\1\2"):
        data[data.index(sign) + (6 if sign == b"PK\3\4" else 8)] |= 1
    assert "'a' in it is protected by a password" in fault(bytes(data))


@pytest.mark.parametrize(
    ("module", "data"),
    [("python_calamine", workbook(s=[("a",), (1,)])), ("pyreadr", b"X\n\0\0\0\3"), ("pyreadstat", b"$FL2")],
)
def test_a_library_that_is_not_there_is_named_with_the_command(module, data, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(reader_process.sys, "platform", "emscripten")  # asked in this process
    assert "is not installed, and reads such files. Install it (pip install 'treecore[files]')" in fault(data)


def test_an_answer_of_json_is_written_and_read_back():
    frame = pd.DataFrame({"a": [1.5, 2.5], "b": ["x", "y"]})
    assert read_table(json.dumps(frame.to_dict("records")).encode()).to_frame().equals(read_table(frame).to_frame())
