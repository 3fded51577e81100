"""A user's way through the app in a real browser: from a file to a pruned tree, and nothing lost on the way; costs
typed into their table are in force or refused, one after the other.
"""

import io
import re

import numpy as np
import pandas as pd
import pytest

from tests.browser.app_steps import APP, TITLES, Session, csv

pytestmark = pytest.mark.browser


def test_from_a_file_to_a_tree_cut_by_hand_and_grown_anew(app):
    app.drop("dropped.csv", csv("width,height,kind"))
    app.named("dropped.csv")
    app.tree()
    clicks_and_keys_walk_and_the_wheel_zooms(app)
    costs_typed_in_change_the_tree_and_what_is_said_of_it(app)
    app.go("Data")
    app.text("60 rows, 3 columns").wait_for()
    app.sample("Titanic")
    app.tree()
    a_cut_is_undone_and_stays_on_other_pages(app)
    limits_of_the_settings_grow_another_tree(app)
    assert app.faults() == []


def clicks_and_keys_walk_and_the_wheel_zooms(app) -> None:
    app.node_is(0)
    app.click_card(1)
    app.node_is(1)
    app.page.get_by_text(re.compile(r"^width < ")).first.wait_for()
    sideways = "lr" in app.page.locator(".bench").get_attribute("class").split()
    app.press("ArrowDown" if sideways else "ArrowRight", "Enter")
    app.node_is(2)
    app.press("Home", "Enter")
    app.node_is(0)
    before = app.scale()
    app.press("+", "+")
    assert app.scale() == pytest.approx(1.5625 * before, rel=0.01)
    app.click_card(1)
    app.node_is(1)
    app.settled()
    assert app.scale() == pytest.approx(1.5625 * before, rel=0.01), "selecting keeps the view"
    app.page.get_by_test_id("tree").hover()
    app.page.mouse.wheel(0, 200)
    assert app.scale() < 1.5 * before


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


def costs_typed_in_change_the_tree_and_what_is_said_of_it(app) -> None:
    app.open_sidebar()
    app.page.get_by_test_id("stSidebar").get_by_text("All settings", exact=True).click()
    app.button("Edit costs and class weights").wait_for()
    app.settled()  # a click on what is still being sent is lost
    app.button("Edit costs and class weights").click()
    app.text("Rows: true class").wait_for()
    app.settled()
    first, second = 0.35, 0.85  # the columns of "no" and "yes"
    type_into(app, second, 0, "-3")
    app.text("A cost of -3 is not possible in row “no”, column “yes”").wait_for()
    assert not app.page.get_by_text(re.compile(r"Recipe: .*loss \d")).count()
    type_into(app, first, 1, "4")
    app.text(re.compile(r"Recipe: .*loss 0 1 \| 4 0")).wait_for()
    assert app.faults() == []
    type_into(app, 0.5, 1, "7", table=1)  # the table beside it takes the first click after that
    app.text(re.compile(r"Recipe: .*cost of height 7 · loss 0 1 \| 4 0")).wait_for()
    app.text(re.compile("Mean cost: train")).wait_for()


def a_cut_is_undone_and_stays_on_other_pages(app) -> None:
    app.text(re.compile(r"Drawn: \d+ of 257 nodes")).wait_for()
    app.click_card(2)
    app.node_is(2)
    app.button("Ghosts").wait_for(state="detached")
    app.button("Prune here").click()
    app.button("Ghosts").wait_for()
    app.settled()  # a click on what is still being sent is lost
    app.button("Ghosts").click()
    app.ghosts().first.wait_for()
    below = app.ghosts().first.get_attribute("id")
    assert app.page.get_by_test_id("undo").is_enabled()
    app.go("Data")
    app.tree()
    app.node_is(2)
    app.page.locator(f".bench #{below}.fallen").wait_for()
    app.page.get_by_test_id("undo").click()
    app.page.locator(f".bench #{below}:not(.fallen)").wait_for()
    app.node_is(2)
    app.page.keyboard.press("Control+Shift+Z")
    app.page.locator(f".bench #{below}.fallen").wait_for()
    app.page.keyboard.press("Control+Z")
    app.page.locator(f".bench #{below}:not(.fallen)").wait_for()
    app.settled()


def limits_of_the_settings_grow_another_tree(app) -> None:
    app.open_sidebar()
    depth = app.page.get_by_role("slider", name="Maximum depth")
    depth.focus()
    app.page.keyboard.press("Home")
    app.text("Drawn: 3 of 3 nodes").wait_for()
    app.go("Data")
    app.tree()
    app.text("Drawn: 3 of 3 nodes").wait_for()
    app.open_sidebar()
    assert depth.get_attribute("aria-valuetext") == "1"
    leaves = app.page.get_by_role("spinbutton", name="Maximum number of leaves")
    leaves.fill("1")
    leaves.press("Enter")
    app.text("Drawn: 1 of 1 nodes").wait_for()
    leaves.fill("")
    leaves.press("Enter")
    app.text("Drawn: 3 of 3 nodes").wait_for()


def test_a_deep_link_says_what_to_do_and_a_long_fit_can_be_stopped(page, serve, outside_requests):
    # './' makes it a server of its own, whose entry no session has run yet.
    app = Session(page, serve(f"./{APP}"), "explore")  # which people call it: the page's own address is grow
    app.heading(TITLES["Explore"]).wait_for()
    app.text("Load a table first").wait_for()
    assert app.faults() == []
    page.get_by_test_id("stMain").get_by_role("link", name="Data").click()
    app.heading(TITLES["Data"]).wait_for()
    app.settled()
    growing_is_stopped_and_taken_up_again(app)
    assert app.faults() == []
    assert outside_requests == []


def growing_is_stopped_and_taken_up_again(app) -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2000, (500_000, 20)).astype(np.float32) / 4
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(20)])
    frame["y"] = np.where(rng.random(len(x)) < 0.5, "a", "b")
    out = io.BytesIO()
    frame.to_parquet(out)
    app.upload("noise.parquet", out.getvalue())
    app.stop()
    app.text("Growing was stopped").wait_for()
    app.go("Data")
    app.go("Explore")
    app.text("Growing was stopped").wait_for()
    app.open_sidebar()
    depth = app.page.get_by_role("slider", name="Maximum depth")
    depth.wait_for()  # limits can be changed
    app.button("Grow this tree").click()
    app.stop()
    app.text("Growing was stopped").wait_for()
    depth.focus()
    app.page.keyboard.press("Home")
    app.drawn()
