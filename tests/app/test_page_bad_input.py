"""Bad files through the page: a message with the place and the remedy, and the former table still loaded."""

import re
from dataclasses import replace

import pytest

from pages.shared.node.alternatives import MOST

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256))
UNREADABLE = {
    "empty": (b"", r"f\.csv.*empty.*at least one row"),
    "spaces": (b" \n\r\n ", r"f\.csv.*empty"),
    "header only": (b"a,b,y\n", r"f\.csv.*header but no row"),
    "picture": (PNG, r"f\.csv.*PNG image.*CSV or Parquet"),
    "torn archive": (b"PK\x03\x04rest", r"f\.csv.*damaged or not complete"),
    "zeros": (b"a,b\n1,2\n\0\0\0", r"f\.csv.*not text"),
    "open quote": (b'a,b\n1,"x\n2,3\n4,5\n', r"line 2 is never closed"),
    "torn parquet": (b"PAR1 but not really", r"f\.csv.*Parquet file cannot be read"),
}


def test_a_file_that_cannot_be_read_costs_nothing(app):
    app.sample("iris").go("grow", selected=1).go("data")
    record = app.record()
    for fault, (content, words) in UNREADABLE.items():
        app.upload(content)
        assert len(app.errors()) == 1, fault
        assert re.search(words, app.errors()[0], re.S), fault
        assert "The table iris.csv is still loaded" in app.text(), fault
        assert "iris.csv: 150 rows" in app.text().replace("**", ""), fault
        assert replace(app.record(), choices=record.choices) == record, fault
        app.click("Go on with it")
        assert app.errors() == [], fault
    app.upload(PNG).go("grow")
    assert app.errors() == []
    assert app.at.subheader[0].value == "Node 1"


def test_the_same_as_the_first_file(app):
    app.upload(PNG)
    assert len(app.errors()) == 1
    assert "Your file is read by this app alone" in app.text(), "the page still says how to begin"
    app.set("sample", "iris")
    assert app.errors() == []


def test_ragged_lines_are_listed_and_the_user_decides(app):
    content = b"a,b,y\n" + b"1,2,n\n3,4,y\n" * 9 + b"5,6\n" + b"1,2,n\n" + b"1,2,3,4\n"
    app.sample("iris").upload(content)
    assert "line 20 has 2; line 22 has 4" in app.errors()[0]
    assert "skip_ragged" not in app.errors()[0]
    listed = app.at.dataframe[0].value
    assert listed["line"].tolist() == [20, 22]
    assert listed["fields"].tolist() == [2, 4]
    assert "iris.csv is still loaded" in app.text()
    app.click("Read the file without these 2 lines")
    assert app.errors() == []
    assert "19 rows, 3 columns" in app.text()
    assert "20, 22" in app.text(), "the lines left out stay on the page"
    assert app.go("grow").errors() == []


def test_an_open_quote_is_named_and_its_line_can_be_left_out(app):
    app.upload(b"x,y\n" + b"1.5,a\n2.5,b\n" * 50 + b'3.5,"a\n' + b"1.5,a\n2.5,b\n" * 50)
    assert "opened in line 102 is never closed" in app.errors()[0]
    assert "skip_" not in app.errors()[0], "names of the library have no place on the page"
    assert "Without them 200 rows would be read" in app.text()
    assert "Read the file without quotes" in [b.label for b in app.at.button]
    app.click("Read the file without this line")
    assert app.errors() == []
    assert "200 rows, 2 columns" in app.text()
    assert "1 line with a quote that is not properly closed was skipped: 102." in app.text()


def test_a_wrong_encoding_names_the_line_and_can_be_changed(app):
    app.upload("größe,y\n1,ä\n2,ö\n3,ä\n4,ö\n".encode("cp1252"))
    assert app.errors() == []
    app.set("encoding", "utf-8")
    assert re.search(r"Line 1 is not utf-8.*cp1252", app.errors()[0], re.S)
    assert "f.csv is still loaded" in app.text()
    app.set("encoding", "cp1252")
    assert app.errors() == []
    assert "größe" in app.own["raw table"].names


def rows(template: str, n: int = 20) -> bytes:
    return "".join(template.format(i=i, p="ab"[i % 2], s=f"{i % 7}.5") + "\n" for i in range(n)).encode()


UNTRAINABLE = {
    "one column": (b"y\n" + rows("{p}"), r"Columns.*one column, 'y'.*delimiter"),
    "as many classes as rows": (b"x,y\n" + rows("{s},word{i}x"), r"Target 'y'.*every row is a class"),
}


@pytest.mark.parametrize("fault", UNTRAINABLE)
def test_a_table_no_tree_can_learn_from_says_why(app, fault):
    content, words = UNTRAINABLE[fault]
    app.upload(content)
    if app.record().target != "y" and fault != "one column":
        app.change(target="y", features=("x",))
    assert any(re.search(words, e, re.S) for e in app.errors())
    assert app.uploader("upload"), "another file can be given"
    for page in ("grow", "regions", "size_and_pruning", "compare"):
        assert any(re.search(words, e, re.S) for e in app.go(page).errors()), page
    assert app.sample("iris").go("grow").errors() == []


@pytest.mark.parametrize(("cell", "told"), [("same", "only one class, 'same'"), ("3.7", "only one value, '3")])
def test_a_target_of_one_value_grows_a_leaf_that_says_so(app, cell, told):
    app.upload(b"x,y\n" + rows("{s}," + cell)).change(target="y", features=("x",))
    assert app.go("data").errors() == []
    assert told in app.text()
    assert app.go("grow").errors() == []
    assert [told in one.value and "Choose another target" in one.value for one in app.at.warning] == [True]
    assert app.leaves() == 1
    for page in ("size_and_pruning", "predict", "rules", "compare"):
        assert app.go(page).errors() == [], page


def test_rows_without_a_target_are_left_out_and_said(app):
    app.upload(b"x,y\n" + rows("{s},{p}") + b"1.5,\n2.5,\n")
    assert app.errors() == []
    assert "22 rows" in app.text()
    assert re.search(r"2 rows.*target", app.text())
    assert app.go("grow").errors() == []


def test_a_target_without_any_value(app):
    app.upload(b"x,y\n" + rows("{s},"))
    app.change(target="y", features=("x",))
    assert re.search(r"Target 'y'.*All its values are missing.*Choose another", app.errors()[0], re.S)
    assert app.go("grow").errors() != []
    app.go("data", target="x", features=None)
    assert app.uploader("upload")


def test_infinite_values_are_the_users_to_decide(app):
    app.upload(b"x,z,y\n" + rows("{s},{i}.5,{p}") + b"inf,1.5,a\n")
    assert re.search(r"Column 'x'.*1 infinite values \(first at row 21\)", app.errors()[0], re.S)
    assert len(app.go("grow").errors()) == 1
    app.go("data").set("infinite", True)
    assert app.errors() == []
    assert "x 1 (4.8\u00a0%)" in app.text()
    assert app.go("grow").errors() == []
    app.go("data").set("infinite", False)
    assert app.has("infinite"), "and to take back"
    app.change(features=("z",))
    assert app.errors() == [], "leaving the column out is a remedy too"


def test_a_column_of_missing_values_is_left_out(app):
    app.upload(b"x,empty,y\n" + rows("{s},,{p}"))
    assert app.errors() == []
    assert "'empty' is left out: every value is missing" in app.text()
    assert "from 1 feature" in app.go("grow").text()


def test_names_that_are_empty_or_double_are_made_unique(app):
    app.upload(b"x,x,,y\n" + rows("{s},{i}.5,1.5,{p}"))
    assert app.errors() == []
    names = app.own["raw table"].names
    assert len(set(names)) == 4
    assert all(names)
    assert re.search(r"• .*(twice|unique|renamed|name)", app.text())


def test_thousands_and_decimal_commas_are_numbers(app):
    app.upload(b"x;y\n" + b"".join(b"1.23%d,5;%s\n" % (i % 10, b"ab"[i % 2 : i % 2 + 1]) for i in range(40)))
    assert app.errors() == []
    guess = {g.name: g for g in app.own["raw table"].guesses}["x"]
    assert guess.kind == "numeric"


def test_an_identifier_a_date_and_free_text_are_not_used(app):
    app.upload(
        b"id,day,note,x,y\n"
        + rows("K-{i},2024-01-{i:02},some words number {i} and more of them,{s},{p}", 30).replace(b"01-00", b"01-30")
    )
    assert "from 1 feature" in app.go("grow").text()
    for name in ("id", "day", "note"):
        assert name in app.go("data").own["raw table"].names
    assert app.has("derive day"), "parts of a date are offered"
    app.set("derive day", ["weekday"])
    assert "from 2 features" in app.go("grow").text()
    assert app.go("data").widget("derive day").value == ["weekday"]


def test_three_hundred_columns(app):
    header = ",".join(f"c{i}" for i in range(299)) + ",y\n"
    cells = [[str(i * j % 11 + 0.5) for j in range(1, 300)] + ["ab"[i % 2]] for i in range(60)]
    body = "".join(",".join(row) + "\n" for row in cells)
    app.upload((header + body).encode())
    assert "60 rows, 300 columns" in app.text()
    for page in ("grow", "regions", "size_and_pruning", "compare"):
        assert app.go(page).errors() == []
    assert len(app.go("grow").tab("Rivals").rivals()) == MOST


def test_a_kind_the_values_do_not_have_names_them_and_can_be_put_back(app):
    app.upload(b"x,y\n" + rows("k{p},{p}"))
    app.change(kinds=(("x", "numeric"),))
    assert re.search(r"Column 'x'.*is not a number \(first at row", app.errors()[0], re.S)
    app.change(kinds=())
    assert app.errors() == []


HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "$x$ **b** ![i](http://x/y.png)",
    '"];evil',
    "a:red[b] :smile: _c_ `d` #e &amp;",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_message_shows_a_hostile_name_exactly(app, name):
    quoted = '"' + name.replace('"', '""') + '"'
    app.upload(f"{quoted},y\n".encode() + rows("{s},{p}") + b"inf,a\n")
    assert f"Column '{name}'" in app.errors()[0]
    app.set("infinite", True)
    assert app.errors() == []
    assert f"{name} 1 (" in app.text()


def test_a_role_column_that_goes_does_not_lock_the_page(app):
    app.upload(b"x,part,y\n" + rows("{s},train,{p}", 40) + rows("{s},test,{p}", 40))
    app.set("roles_column", "part")
    assert "train 40, validation 0, test 40" in app.text()
    assert app.go("compare").errors() == []
    assert app.sample("iris").errors() == []
    assert app.widget("roles_column").value == "drawn at random"


def test_day_and_month_that_could_change_places_are_the_users_to_order(app):
    lines = "".join(f"{i % 11 + 1}/{i % 12 + 1}/2020,{'ab'[i % 2]}\n" for i in range(40))
    app.upload(("sold,y\n" + lines).encode())
    [why] = [r for r in app.own["raw table"].guesses if r.name == "sold"]
    assert "say which comes first" in why.reason
    assert "dayfirst" not in why.reason
    app.set("dayfirst", "month first")
    [why] = [r for r in app.own["raw table"].guesses if r.name == "sold"]
    assert "could change places" not in why.reason
    assert app.record().options.dayfirst is False


def test_lines_above_the_names_are_passed_over_shown_and_under_control(app):
    app.upload(b"Sales of 2024\n\nx,y\n" + b"1.5,a\n2.5,b\n" * 20)
    assert app.errors() == []
    assert "40 rows, 2 columns" in app.text()
    assert "the names stand in line 3" in app.text()
    shown = next(d.value for d in app.at.dataframe if "read as" in d.value)
    assert shown["read as"].tolist()[:4] == ["skipped", "skipped", "names", "row"]
    app.set("skip_lines", 2)
    assert app.record().options.skip_lines == 2
    assert app.own["raw table"].names == ("x", "y")


def test_a_title_of_as_many_fields_is_said_and_skipped_by_a_button(app):
    app.follow()
    app.upload(b"Report,north\nx,y\n" + b"1.5,a\n2.5,b\n" * 20)
    assert "Line 2 ('x, y') is read as a row" in app.text()
    shown = next(d.value for d in app.at.dataframe if "read as" in d.value)
    assert shown["read as"].tolist()[:3] == ["names", "row", "row"]
    app.click("Line 2 holds the names")
    assert app.own["raw table"].names == ("x", "y")
    assert app.record().options.skip_lines == 1


def test_names_that_are_numbers_can_be_said_to_be_names(app):
    app.upload(b"2019,2020,2021\n" + b"1.5,2,3\n2.5,3,4\n" * 20)
    assert "41 rows, 3 columns" in app.text()
    app.click("The first line holds the names")
    assert app.own["raw table"].names == ("2019", "2020", "2021")
    app.set("header", "a row")
    assert app.own["raw table"].names[0] == "column 1"


def test_many_lines_above_the_names_are_skipped_by_a_button(app):
    app.upload(b"Part of the report\n" * 60 + b"x,y\n" + b"1.5,a\n2.5,b\n" * 20)
    app.click("Skip the first 60 lines")
    assert app.errors() == []
    assert "40 rows, 2 columns" in app.text()


def test_a_line_of_units_is_said_and_left_out_by_a_button(app):
    app.upload(b"x,y\ncm,\n" + b"1.5,a\n2.5,b\n" * 20)
    app.click("Leave line 2 out")
    assert app.record().options.without_lines == (2,)
    assert "40 rows, 2 columns" in app.text()
    assert "Left out as you said: line 2." in app.text()
    shown = next(d.value for d in app.at.dataframe if "read as" in d.value)
    assert shown["read as"].tolist()[:3] == ["names", "skipped", "row"]


def test_a_comment_sign_can_be_chosen(app):
    app.upload(b"x,y\n" + b"1.5,a\n2.5,b\n" * 19 + b"# the rest\n" + b"1.5,a\n2.5,b\n")
    assert "line 40 has 1" in app.errors()[0]
    app.set("comment", "#")
    assert app.errors() == []
    assert "40 rows" in app.text()


def test_leaving_out_every_line_is_not_offered(app):
    app.upload(b"a,b\n" + b"1,2,3,4\n" * 20)
    [button] = [b for b in app.at.button if b.label == "Read the file without these 20 lines"]
    assert button.disabled


def test_odd_cells_among_numbers_can_be_made_missing_values(app):
    app.upload(b"x,y\n" + b"1.5,a\n2.5,b\n" * 20 + b"12 kg,a\n")
    assert "1 is not, '12 kg' (first at row 41)" in app.text()
    app.click("odd x")
    assert app.errors() == []
    assert app.record().options.missing_in == (("x", ("12 kg",)),)
    assert "x 1 (2.4\u00a0%)" in app.text()
    assert "'12 kg' in 1 row read as missing, in this column alone" in app.text()
