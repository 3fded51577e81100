"""Figures of the lecture notes in a real browser, by the clicks that docs/lectures.md tells from the start page.

All of all examples: tests/app/test_page_guides.py, and tests/golden/test_lectures.py for what docs/lectures.md tells.
"""

import re
from pathlib import Path

import pytest

from treecore.lectures import GUIDES

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


def test_figures_of_an_example_from_the_start_page(app):
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
    assert app.faults() == []
