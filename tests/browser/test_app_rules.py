"""The Rules page in a real browser: a click on a rule selects its leaf everywhere, and a click on a leaf its rule."""

import re

import pytest

pytestmark = pytest.mark.browser


def rule_heading(app):
    return app.page.get_by_role("heading", name=re.compile(r"^Rule \d+ of \d+: node \d+$"))


def test_a_click_on_a_rule_selects_its_leaf_and_a_click_on_a_leaf_its_rule(app):
    app.sample("PlayTennis")
    app.go("Rules")
    app.drawn()
    app.text("The selected node has branches").wait_for()
    table = app.page.locator("[data-testid=stDataFrame]").first
    table.click(position={"x": 18, "y": 35 + 17})  # the box of the first row
    heading = rule_heading(app)
    heading.wait_for()
    first, node = map(int, re.match(r"Rule (\d+) of \d+: node (\d+)", heading.inner_text()).groups())
    assert first == 1
    app.settled()
    app.page.locator(f".bench #n{node}[aria-selected=true]").wait_for()
    other = next(
        int(e.get_attribute("id")[1:]) for e in reversed(app.page.locator(".bench .node.leaf").all())
        if e.get_attribute("id") != f"n{node}"
    )  # fmt: skip
    app.click_card(other)
    app.page.get_by_role("heading", name=re.compile(rf"^Rule \d+ of \d+: node {other}$")).wait_for()
    app.tree()
    app.node_is(other)
    assert app.faults() == []


def test_post_pruning_strikes_out_what_was_dropped(app):
    app.sample("Titanic")
    app.go("Rules")
    app.drawn()
    app.text("post-pruned by validation rows").click()
    app.text(re.compile(r"preconditions dropped; best on validation first")).wait_for()
    app.settled()
    table = app.page.locator("[data-testid=stDataFrame]").first
    table.click(position={"x": 18, "y": 35 + 17})
    rule_heading(app).wait_for()
    struck = app.page.get_by_test_id("stMain").locator("li del").first
    struck.wait_for()
    line = app.page.get_by_test_id("stMain").locator("li", has=app.page.locator("del")).first.inner_text()
    before, after = re.search(r"validation error ([\d.]+) with it \(.*\), ([\d.]+) without", line).groups()
    assert float(after) <= float(before)
    assert app.faults() == []
