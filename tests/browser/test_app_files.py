"""Difficult files in a real browser: hostile names, ragged lines, pictures, many columns, identifiers."""

import pytest

from tests.browser.app_steps import csv

pytestmark = pytest.mark.browser


def test_a_fault_names_a_hostile_column_exactly(app):
    name = "$x$ **b** ![i](http://x/y.png)"
    app.upload("f.csv", csv(f"{name},b,y") + b"inf,1,no\n")
    app.text(f"Column '{name}'").wait_for()
    app.page.locator("label", has_text="Treat infinite values as missing").click()
    app.text(f"Missing values: {name} 1 (1.6 %)").wait_for()
    assert app.page.locator(".katex, img").count() == 0


def test_a_ragged_file_is_read_without_its_lines(app):
    app.upload("ragged.csv", csv("a,b,y") + b"1,2\n3.5,4.25,yes\n1,2,3,4\n")
    app.text("line 62 has 2; line 64 has 4").wait_for()
    app.button("Read the file without these 2 lines").click()
    app.named("ragged.csv")
    app.page.get_by_test_id("tree").wait_for()
    app.go("Data")
    app.text("61 rows, 3 columns").wait_for()
    app.tree()
    assert app.faults() == []


def test_what_is_wrong_with_a_first_file_and_what_helps_are_in_view(laptop):
    laptop.upload("ragged.csv", csv("a,b,y") + b"1,2\n")
    help_ = laptop.button("Read the file without this line")
    help_.wait_for()
    assert_in_view(laptop.text("line 62 has 2"), help_)


def test_infinite_values_and_what_helps_are_in_view_with_many_columns(laptop):
    names = [f"n{i}" for i in range(40)]
    rows = [",".join([str(i % 7 + j / 8) for j in range(len(names))] + ["ab"[i % 2]]) for i in range(60)]
    laptop.upload("wide.csv", "\n".join([",".join([*names, "y"]), *rows, "inf," + rows[0].split(",", 1)[1]]).encode())
    toggle = laptop.page.locator("label", has_text="Treat infinite values as missing")
    toggle.wait_for()
    assert_in_view(laptop.text("1 infinite value"), toggle)


def assert_in_view(*elements) -> None:
    for element in elements:
        box = element.bounding_box()
        assert 0 <= box["y"] <= 768 - box["height"], box


def test_a_picture_named_csv_leaves_the_former_table(app):
    app.sample("Iris")
    app.upload("photo.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)))
    app.text("It is a PNG image").wait_for()
    app.text("The table iris.csv is still loaded").wait_for()
    app.named("iris.csv")
    app.button("Go on with it").click()
    app.page.get_by_text("It is a PNG image").wait_for(state="detached")
    assert app.button("Remove photo.csv").count() == 0, "the uploader holds no file that could be taken for the table's"
    app.named("iris.csv")
    app.tree()
    assert app.faults() == []


def test_an_identifier_is_not_split_on(app):
    app.upload("people.csv", csv("customer_id,b,y", n=80, row="K{i:04},{b},{c}"))
    app.named("people.csv")
    app.tree()
    app.text("→ predict").wait_for()
    assert "customer_id" not in app.card(0).get_attribute("aria-label")
