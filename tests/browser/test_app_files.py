"""Difficult files in a real browser: hostile names, ragged lines, pictures, many columns, many classes, long sums."""

import pytest

from tests.browser.app_steps import csv

pytestmark = pytest.mark.browser
OVERFLOW = """() => [...document.querySelectorAll('.katex-display')].map(
    e => [e.scrollWidth > e.clientWidth, getComputedStyle(e).overflowX])"""
INKS = """() => [...document.querySelectorAll("*")].map(e => e.shadowRoot?.querySelector(".bench")).filter(Boolean).map(
    bench => ({
        signs: [...bench.querySelectorAll(".picture pattern")].map(
            p => p.getAttribute("patternTransform") + p.innerHTML),
        shown: getComputedStyle(bench.querySelector(".picture")).display !== "none",
        fills: [...bench.querySelectorAll(".whole .part :is(rect, path)")].map(shape => shape.style.fill),
    }))[0]"""


def test_faults_of_files_and_what_helps_are_in_view_and_the_former_table_stays(laptop):
    a_ragged_file_is_read_without_its_lines(laptop)
    infinite_values_are_told_by_the_exact_name_among_many(laptop)
    a_picture_named_csv_leaves_the_former_table(laptop)
    very_many_classes_have_signs_a_legend_that_opens_and_sums_that_scroll(laptop)
    assert laptop.faults() == []


def a_ragged_file_is_read_without_its_lines(app) -> None:
    app.upload("ragged.csv", csv("a,b,y") + b"1,2\n3.5,4.25,yes\n1,2,3,4\n")
    help_ = app.button("Read the file without these 2 lines")
    help_.wait_for()
    assert_in_view(app.text("line 62 has 2; line 64 has 4"), help_)
    help_.click()
    app.named("ragged.csv")
    app.page.get_by_test_id("tree").wait_for()
    app.go("Data")
    app.text("61 rows, 3 columns").wait_for()


def infinite_values_are_told_by_the_exact_name_among_many(app) -> None:
    name = "$x$ **b** ![i](http://x/y.png)"
    rows = [",".join([str(i % 7 + j / 8) for j in range(40)] + ["ab"[i % 2]]) for i in range(60)]
    names = [name, *(f"n{j}" for j in range(39)), "y"]
    app.upload("wide.csv", "\n".join([",".join(names), *rows, "inf," + rows[0].split(",", 1)[1]]).encode())
    toggle = app.page.locator("label", has_text="Treat infinite values as missing")
    toggle.wait_for()
    assert_in_view(app.text("1 infinite value"), app.text(f"Column '{name}'"), toggle)
    toggle.click()
    app.text(f"Missing values: {name} 1 (1.6 %)").wait_for()
    assert app.page.locator(".katex, img").count() == 0


def a_picture_named_csv_leaves_the_former_table(app) -> None:
    app.upload("photo.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)))
    app.text("It is a PNG image").wait_for()
    app.text("The table wide.csv is still loaded").wait_for()
    app.named("wide.csv")
    app.button("Go on with it").click()
    app.page.get_by_text("It is a PNG image").wait_for(state="detached")
    assert app.button("Remove photo.csv").count() == 0, "the uploader holds no file that could be taken for the table's"
    app.named("wide.csv")


def very_many_classes_have_signs_a_legend_that_opens_and_sums_that_scroll(app) -> None:
    rows = [f"{i * 37 % 101 / 100},{i * 53 % 97 / 100},class {i % 120}" for i in range(1800)]
    app.upload("many.csv", "\n".join(["a,b,y", *rows]).encode())
    app.named("many.csv")
    app.tree()
    legend = app.page.locator(".bench .legend").first
    shown = legend.locator("li:not(:has(button)):visible")
    few = shown.count()
    assert 4 < few < 30, "as many as fit into one line"
    assert legend.bounding_box()["height"] <= 24
    more = legend.get_by_role("button")
    assert more.inner_text() == f"+{120 - few}"
    more.click()
    assert shown.count() == 120
    assert more.get_attribute("aria-expanded") == "true"
    more.click()
    assert shown.count() == few
    app.button("Icicle").click()
    app.page.locator(".whole .part").first.wait_for()
    inks = app.page.evaluate(INKS)
    assert len(set(inks["signs"])) == 110
    assert inks["shown"], "what holds the patterns must be in the page"
    assert any(fill.startswith("url") for fill in inks["fills"])
    app.go("Step by step")
    app.page.locator(".katex-display").first.wait_for()
    app.settled()
    sums = app.page.evaluate(OVERFLOW)
    assert sums
    assert all(how == "auto" for too_long, how in sums if too_long)


def assert_in_view(*elements) -> None:
    for element in elements:
        box = element.bounding_box()
        assert 0 <= box["y"] <= 768 - box["height"], box
