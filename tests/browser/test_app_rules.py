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
    app.button("Rule 1").click()
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
    app.text("post-pruned").click()
    app.text(re.compile(r"preconditions? dropped; the first rule")).wait_for()
    app.settled()
    app.page.get_by_role("button", name=re.compile(r"^Rule \d+$")).first.click()
    rule_heading(app).wait_for()
    struck = app.page.get_by_test_id("stMain").locator("li del").first
    struck.wait_for()
    line = app.page.get_by_test_id("stMain").locator("li", has=app.page.locator("del")).first.inner_text()
    before, after = re.search(r"validation error ([\d.]+) with it \(.*\), ([\d.]+) without", line).groups()
    assert float(after) <= float(before)
    assert app.faults() == []
