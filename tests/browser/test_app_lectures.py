"""Figures of the lecture notes in a real browser, by the clicks that docs/lectures.md tells from the start page, and
the rules of that tree: a click on a rule selects its leaf everywhere, and a click on a leaf its rule.

All of all examples: tests/app/test_page_guides.py, and tests/golden/test_lectures.py for what docs/lectures.md tells.
"""

import re
from pathlib import Path

import pytest

from treecore.teach.index import GUIDES

pytestmark = pytest.mark.browser
PAGE = Path(__file__).parents[2] / "docs" / "lectures.md"
EXAMPLE = "play_tennis"
FIGURES = ("entropy of the 14 days", "expected entropy after Outlook", "entropy of Humidity = Normal")
"""Each at the first step that has it and is no earlier than that of the one before."""
ROWS = """() => [...document.querySelectorAll("[data-testid=stTable] tr")]
    .map(row => [...row.querySelectorAll("td")].map(cell => cell.textContent.trim()).join("|"))"""


def documented(name: str) -> list[tuple[int, list[str]]]:
    """(how often Next, [figure, printed, computed]) of an example, as the page tells them."""
    part = PAGE.read_text("utf-8").split(f"## {GUIDES[name].label}\n")[1].split("\n## ")[0]
    cells = [re.split(r" (?<!\\)\| ", line.strip("| ")) for line in part.splitlines() if re.match(r"\| \d", line)]
    return [(int(c[1].removeprefix("L").lstrip(" +") or 0), [c[2].replace("\\|", "|"), c[3], c[5]]) for c in cells]


def stands(app, row: list[str]) -> None:
    """Until the table of the step has this row."""
    app.page.wait_for_function(f"row => ({ROWS})().some(cells => cells.startsWith(row))", arg="|".join(row))


def test_figures_and_rules_of_an_example_from_the_start_page(app):
    figures_stand_at_the_steps_that_are_told(app)
    a_click_on_a_rule_selects_its_leaf_and_a_click_on_a_leaf_its_rule(app)
    assert app.faults() == []


def figures_stand_at_the_steps_that_are_told(app) -> None:
    app.settled()
    app.open_page("Worked examples")
    app.button(GUIDES[EXAMPLE].label).click()
    here, told = 0, documented(EXAMPLE)
    for figure in FIGURES:
        clicks, row = next((n, row) for n, row in told if row[0] == figure and n >= here)
        for step in range(here + 1, clicks + 1):
            app.page.locator(".st-key-guide_next button").click()
            app.text(f"step {step + 1} of").wait_for()
            app.settled()
        here = clicks
        stands(app, row)
    app.drawn()
    assert here > 1


def a_click_on_a_rule_selects_its_leaf_and_a_click_on_a_leaf_its_rule(app) -> None:
    app.go("Rules")
    app.drawn()
    app.button("Rule 1").click()
    heading = app.page.get_by_role("heading", name=re.compile(r"^Rule \d+ of \d+: node \d+$"))
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
