"""Edges of bins on their histogram in a real browser: dragged, moved by keys, added and taken away."""

import re

import pytest

from tests.browser.app_steps import loans

pytestmark = pytest.mark.browser


def edges(app, told: str) -> None:
    """Until the page has these."""
    from playwright.sync_api import expect  # where it is not installed, the tests are skipped

    expect(app.page.get_by_role("textbox", name="Own bin edges")).to_have_value(told, timeout=30_000)
    app.settled()


def test_edges_are_moved_on_the_histogram(app, faults):
    app.upload("my loans.csv", loans(400))
    app.named("my loans")
    app.go("Data")
    app.pick(app.page.get_by_role("combobox", name="Look at a column"), "age", "age")
    box = app.page.get_by_role("textbox", name="Own bin edges")
    box.fill("30, 50")
    box.press("Enter")
    handles = app.page.get_by_role("slider", name=re.compile(r"^Edge \d$"))
    handles.nth(1).wait_for()
    handles.nth(1).scroll_into_view_if_needed()
    app.settled()
    knobs = app.page.locator(".edges .knob")
    before, other = knobs.nth(1).bounding_box(), knobs.nth(0).bounding_box()
    per_year = (before["x"] - other["x"]) / 20
    app.page.mouse.move(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    app.page.mouse.down()
    app.page.mouse.move(before["x"] + before["width"] / 2 - 10 * per_year, before["y"] + 30, steps=4)
    app.page.mouse.up()
    edges(app, "30, 40")
    handles.nth(0).focus()
    app.page.keyboard.press("ArrowRight")
    app.page.keyboard.press("ArrowRight")
    edges(app, "32, 40")
    handles.nth(1).focus()
    app.page.keyboard.press("Delete")
    edges(app, "32")
    assert handles.count() == 1
    picture = app.page.locator(".edges .picture").bounding_box()
    app.page.mouse.dblclick(knobs.nth(0).bounding_box()["x"] + 7 + 20 * per_year, picture["y"] + 120)
    edges(app, "32, 52")
    assert faults == []
