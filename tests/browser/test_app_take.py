"""Taking another split in a real browser: from a row of the table, from a point of the landscape; and step by step."""

import re

import pytest

pytestmark = pytest.mark.browser


def test_a_row_of_the_table_is_taken_undone_and_redone(app):
    app.sample("Titanic")
    app.tree()
    app.click_card(2)
    app.node_is(2)
    app.tab("Rivals")
    table = app.page.locator("[data-testid=stDataFrame]").last
    table.scroll_into_view_if_needed()
    table.click(position={"x": 18, "y": 35 + 35 + 17})  # the box of the second row
    app.page.get_by_role("combobox", name=re.compile("Another split")).wait_for()
    take = app.button("Take this split instead")
    app.page.wait_for_function(
        "() => [...document.querySelectorAll('button')].some(b => b.innerText.includes('Take this') && !b.disabled)"
    )
    take.click()
    app.text(re.compile(r"Recipe: .*take fare at .* instead of pclass \(1\)")).wait_for()
    app.page.get_by_test_id("undo").click()
    app.text(re.compile(r"Recipe: (?!.*take )")).wait_for()
    app.settled()
    app.page.get_by_test_id("redo").click()
    app.text(re.compile(r"Recipe: .*take fare at ")).wait_for()
    assert app.faults() == []


def test_a_point_of_the_landscape_is_offered_and_taken(app):
    app.sample("Iris")
    app.tree()
    app.tab("Rivals")
    app.page.get_by_text(re.compile("Split landscape: what every cut at node 0")).click()
    app.text("Click a point or a bar").wait_for()
    app.settled()
    chart = app.page.locator("[data-testid=stPlotlyChart]").last
    point = chart.locator(".scatterlayer .trace .points path").first
    point.scroll_into_view_if_needed()
    app.page.wait_for_timeout(400)
    box = point.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    app.page.mouse.move(x, y)
    chart.locator(".hoverlayer .hovertext").first.wait_for()
    assert "training rows below" in chart.locator(".hoverlayer").text_content()
    app.page.mouse.click(x, y)
    app.text("Chosen: ").wait_for()
    app.button("Take this split instead").last.click()
    app.text(re.compile(r"Recipe: .*take petal.* at ")).wait_for()
    assert app.page.get_by_test_id("undo").is_enabled()
    assert app.faults() == []


def test_step_by_step_with_the_keyboard_alone(app):
    app.sample("Titanic")
    app.tree()
    app.open_page("Step by step")
    app.heading("Split 1: node 0").wait_for()
    app.drawn()
    app.press("PageDown")
    app.page.get_by_role("heading", name=re.compile("^Split 2: ")).wait_for()
    app.page.keyboard.press("PageDown")
    app.page.get_by_role("heading", name=re.compile("^Split 3: ")).wait_for()
    app.settled()
    assert app.page.locator(".bench .node:not(.unborn)").count() == 7
    where = app.card(0).bounding_box()
    app.page.keyboard.press("PageUp")
    app.heading("Split 2: node 1").wait_for()
    app.settled()
    assert app.page.locator(".bench .node:not(.unborn)").count() == 5
    assert app.card(0).bounding_box() == where, "the picture stands still"
    app.press("Home", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    last = app.page.locator(".bench .stage").get_attribute("aria-activedescendant")
    assert app.page.locator(f".bench #{last}.unborn").count() == 0, "what is still to come is not walked to"
    app.press("Home", "Enter")
    app.page.locator(".bench #n1:not(.unborn)").wait_for()
    app.click_card(0)
    app.heading("Split 1: node 0").wait_for()
    assert app.faults() == []
