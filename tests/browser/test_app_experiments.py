"""Recipes tried in a real browser: unasked nothing, then points, a verdict and its arithmetic, which fits its place;
and edges of bins on their histogram: dragged, moved by keys, added and taken away.
"""

import re

import pytest

from tests.browser.app_steps import loans

pytestmark = pytest.mark.browser


def test_recipes_are_tried_and_edges_are_moved(laptop):
    laptop.upload("tried.csv", loans(600))
    laptop.named("tried.csv")
    two_recipes_are_tried_and_the_test_is_opened(laptop)
    edges_are_moved_on_the_histogram(laptop)
    assert laptop.faults() == []


def two_recipes_are_tried_and_the_test_is_opened(app) -> None:
    app.go("Experiments")
    app.drawn()
    app.companion()
    camera, chart = app.camera(), app.page.locator(".st-key-fold_scores .js-plotly-plot")
    app.counts(".st-key-fold_scores", 0)
    app.button("Try them").click()
    chart.wait_for(timeout=60_000)
    app.counts(".st-key-fold_scores .scatterlayer .trace", 5)  # folds joined, two lines of points, two means
    app.text("on average").wait_for()
    app.text("The paired t-test, step by step").click()
    app.text("H₀: A and B score the same").wait_for()
    assert app.wide_formulas() == 0
    assert app.page.get_by_test_id("stMain").evaluate("e => e.scrollWidth <= e.clientWidth")
    assert app.camera() == camera, "the tree stays where it is"
    app.go("Explore")
    app.go("Experiments")
    chart.wait_for(timeout=60_000)
    app.pick(app.page.get_by_role("combobox", name="Experiment"), "Is it stable?")
    app.button("Regrow").click()
    badge = app.page.locator(".bench #n0 .badge title")  # in SVG, so never in view
    badge.filter(has_text="of the regrown trees").first.wait_for(state="attached", timeout=120_000)


def edges(app, told: str) -> None:
    """Until the page has these."""
    from playwright.sync_api import expect  # where it is not installed, the tests are skipped

    expect(app.page.get_by_role("textbox", name="Own bin edges")).to_have_value(told, timeout=30_000)
    app.settled()


def edges_are_moved_on_the_histogram(app) -> None:
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
