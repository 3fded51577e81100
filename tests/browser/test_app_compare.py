"""Two trees in a real browser: a click in one selects in the other, both zoom together, the overlay, rows, a click."""

import re

import pytest

from tests.browser.app_steps import APP, Session, csv

pytestmark = pytest.mark.browser
NASTY = '"<b>&![x](http://e)</b>"'


@pytest.fixture
def app(page, serve, outside_requests, dialogs, faults):
    yield Session(page, serve(APP))
    assert outside_requests == []
    assert dialogs == []
    assert faults == []


def view(app, place: int):
    """One of the diagrams on the page."""
    return app.page.locator(".tree-view").nth(place)


def selected(app, place: int) -> str:
    chosen = view(app, place).locator(".node.selected")
    chosen.wait_for()
    return chosen.get_attribute("id")


def scale(app, place: int) -> float:
    app.page.wait_for_timeout(120)  # the camera moves with the next frame
    return float(re.search(r"scale\(([\d.]+)", view(app, place).locator(".camera").get_attribute("transform"))[1])


def choose(app, box: str, label: str) -> None:
    found = app.page.get_by_role("combobox", name=box)
    found.click()
    found.fill(label)
    app.page.get_by_role("option", name=label, exact=True).first.click()
    app.settled()


def show(app, name: str) -> None:
    app.page.get_by_test_id("stMain").get_by_text(name, exact=True).first.click()
    app.settled()


def test_two_trees_are_looked_at_together(app):
    app.sample("Titanic")
    app.go("Compare")
    choose(app, "Tree B", "Pruned otherwise: Reduced error")
    view(app, 1).locator(".camera[transform]").wait_for()
    assert (selected(app, 0), selected(app, 1)) == ("n0", "n0")
    view(app, 0).locator("#n2 .test").first.click()
    view(app, 1).locator("#n2.selected").wait_for()
    view(app, 1).locator("#n5 .test").first.click()
    view(app, 0).locator("#n2:not(.selected)").wait_for()
    app.settled()
    assert selected(app, 1) == "n5"
    same = view(app, 0).locator(".node.selected .test").all_inner_texts()
    assert same == view(app, 1).locator(".node.selected .test").all_inner_texts()

    before = scale(app, 0), scale(app, 1)
    view(app, 0).get_by_role("button", name="Zoom in (+)").click()
    view(app, 1).locator(".stage").focus()
    app.page.keyboard.press("+")
    after = scale(app, 0), scale(app, 1)
    for old, new in zip(before, after, strict=True):
        assert new / old == pytest.approx(1.25**2, rel=1e-3)
    view(app, 0).get_by_role("button", name="Fit").click()
    assert (scale(app, 0), scale(app, 1)) == pytest.approx(before, rel=1e-3)

    app.text("exact McNemar test").wait_for()
    rows = app.page.get_by_test_id("stDataFrame").nth(2)
    rows.scroll_into_view_if_needed()
    app.page.wait_for_timeout(300)
    rows.click(position={"x": 16, "y": 52})
    view(app, 0).locator(".node.leaf.selected").wait_for()
    assert app.faults() == []


def test_an_overlay_of_a_kept_tree_with_a_hostile_name(app):
    app.upload("mine.csv", csv(f"{NASTY},height,kind"))
    app.named("mine.csv")
    app.tree()
    app.page.get_by_test_id("dock").get_by_role("slider").focus()
    app.page.keyboard.press("End")  # the tree as it was grown
    app.page.get_by_test_id("verdict").get_by_text(re.compile("[3-9] leaves|\\d\\d leaves")).wait_for()
    app.go("Compare")
    app.text("Keep the tree in force").click()
    app.page.get_by_role("textbox", name="Name").fill(NASTY)
    app.button("Keep this tree").click()
    app.page.get_by_text(NASTY, exact=True).first.wait_for()
    choose(app, "Tree A", f"Kept: {NASTY}")
    choose(app, "Tree B", "Grown otherwise, unpruned: Conditional inference tree")
    show(app, "overlay")
    view(app, 0).locator(".camera[transform]").wait_for()
    app.text("Places").wait_for()
    marks = view(app, 0).get_by_text("only in A").count() + view(app, 0).get_by_text("B stops").count()
    assert marks > 0
    dashed = view(app, 0).locator(".node.only-a .card").first
    assert dashed.evaluate("shape => getComputedStyle(shape).strokeDasharray") not in ("none", "")
    node = view(app, 0).locator(".node.only-a").first
    node.locator(".test").first.click()
    view(app, 0).locator(".node.only-a.selected").wait_for()
    assert app.page.locator("b").filter(has_text="![x]").count() == 0
    assert app.faults() == []
