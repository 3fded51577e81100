"""Files of other programs through the page: a workbook with titles, dates and two sheets; SPSS; JSON; pasted cells."""

import datetime
import io

import pytest

xlsxwriter = pytest.importorskip("xlsxwriter")
pytest.importorskip("python_calamine")


@pytest.fixture
def workbook():
    """Two sheets below titles: who buys follows from the age, and the other sheet has two columns."""
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True, "default_date_format": "yyyy-mm-dd"})
    sheet = book.add_worksheet("May <b>")
    sheet.merge_range("A1:D1", "Customers")
    sheet.write_row(2, 0, ["since", "age", "city", "buys"])
    for k in range(40):
        sheet.write(3 + k, 0, datetime.date(2020, 1, 1) + datetime.timedelta(days=k))
        age = 20 + 7 * k % 40
        sheet.write_row(3 + k, 1, [age, ["Rome", "Oslo"][k % 2], ["no", "yes"][age > 39]])
    sheet = book.add_worksheet("June")
    for at, row in enumerate([("age", "buys"), *((k, "yn"[k % 3 == 0]) for k in range(30))]):
        sheet.write_row(at, 0, row)
    book.close()
    return file.getvalue()


def test_from_a_workbook_to_its_tree(app, workbook):
    app.upload(workbook, "mine.xlsx", as_it_opens=True).go("data")
    assert "40 rows, 4 columns" in app.text()
    assert "The first 2 lines are no part of the table ('Customers')" in app.text()
    assert app.widget("target").value == "buys"
    [lines] = [d.value for d in app.at.dataframe if "read as" in d.value.columns]
    assert lines["read as"].tolist()[:4] == ["skipped", "skipped", "names", "row"]
    assert lines["text"].iloc[2].split() == ["since", "age", "city", "buys"]
    assert app.go("grow").leaves() == 2
    app.go("data").set("part", "June")
    assert "30 rows, 2 columns" in app.text()
    assert app.errors() == []
    assert not app.has("delimiter"), "a sheet has none"
    assert app.has("skip_lines")
    app.click(r"Read 'May \<b\>'")
    assert "40 rows, 4 columns" in app.text()
    assert "<b>" not in app.own["raw table"].names


def test_labels_of_columns_are_shown(app, tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"q1": [1.0, 2, 1, 2] * 10, "age": [float(k) for k in range(40)]})
    labels = {"q1": {1: "agrees", 2: "does not"}}
    pyreadstat.write_sav(frame, tmp_path / "s.sav", column_labels=["Do you agree?", ""], variable_value_labels=labels)
    app.upload((tmp_path / "s.sav").read_bytes(), "s.sav").go("data")
    assert app.own["raw table"].column("q1").cells == ("agrees", "does not")
    [frame] = [d.value for d in app.at.dataframe if "description" in d.value.columns]
    assert not app.has("skip_lines")
    assert app.has("extra_missing")
    assert frame["description"].tolist() == ["Do you agree?", ""]


@pytest.mark.parametrize("text", ["age\tbuys\n" + "".join(f"{k}\t{'ny'[k > 9]}\n" for k in range(20))])
def test_a_pasted_table_is_read(app, text):
    [key] = [w.key for w in app.at.text_area if w.key.startswith("pasted ")]
    app.set(key, text).click("read_pasted").go("data")
    assert "pasted table: 20 rows, 2 columns" in app.text().replace("**", "")
    app.set(next(w.key for w in app.at.text_area if w.key.startswith("pasted ")), "  ").click("read_pasted")
    assert app.errors() == []
    assert "20 rows, 2 columns" in app.text()


@pytest.mark.parametrize("lines", [False, True])
def test_json_of_records_is_a_table_and_no_recipe(app, lines):
    records = [f'{{"age": {k}, "buys": "{"ny"[k > 9]}"}}' for k in range(20)]
    text = "\n".join(records) if lines else "[" + ",".join(records) + "]"
    app.upload(text.encode(), "t.json", as_it_opens=True).go("data")
    assert "20 rows, 2 columns" in app.text()
    assert not any("read as" in d.value.columns for d in app.at.dataframe), "its lines are no names and rows"
    app.upload(b'{"version": 1}', "recipe.json", as_it_opens=True)
    assert app.errors()
    assert "t.json" in app.own["raw table"].source
