"""Costs typed into their table in a real browser: in force or refused, one after the other."""

import re

import pytest

from tests.browser.app_steps import csv

pytestmark = pytest.mark.browser


def type_into(app, at: float, row: int, value: str, table: int = 0) -> None:
    """Type into a cell of a table of the page: at is a share of its width, rows are those below the header."""
    table = app.page.get_by_test_id("stDataFrame").nth(table)
    table.scroll_into_view_if_needed()
    x = int(at * table.bounding_box()["width"])
    app.page.wait_for_timeout(400)  # the table is drawn anew after each edit, without a sign in the page of being ready
    table.dblclick(position={"x": x, "y": 52 + 35 * row})
    cell = app.page.locator("#portal input")
    cell.fill(value)
    cell.press("Enter")
    app.settled()


def test_costs_typed_in_change_the_tree_and_what_is_said_of_it(app):
    app.upload("mine.csv", csv("width,height,kind"))
    app.named("mine.csv")
    app.tree()
    app.open_sidebar()
    app.page.get_by_test_id("stSidebar").get_by_text("All settings", exact=True).click()
    app.button("Edit costs and priors").click()
    app.text("rows are true classes").wait_for()
    app.settled()
    first, second = 0.35, 0.85  # the columns of "no" and "yes"
    type_into(app, second, 0, "-3")
    app.text("A cost of -3 is not possible in row “no”, column “yes”").wait_for()
    assert not app.page.get_by_text(re.compile("Recipe: .*loss")).count()
    type_into(app, first, 1, "4")
    app.text(re.compile(r"Recipe: .*loss 0 1 \| 4 0")).wait_for()
    assert app.faults() == []
    type_into(app, 0.5, 1, "7", table=1)  # the table beside it takes the first click after that
    app.text(re.compile(r"Recipe: .*cost of height 7 · loss 0 1 \| 4 0")).wait_for()
    app.text(re.compile("Mean cost: train")).wait_for()
