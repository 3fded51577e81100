"""Steps with the tree on its canvas, of a file that is no sample."""

import re

from tests.browser.app_steps import loans

TREE_PAGES = ("Size & pruning", "Regions", "Pruning methods", "Compare", "Rules")
BENCH = """[...document.querySelectorAll("*")].map(e => e.shadowRoot?.querySelector(".bench")).find(Boolean)"""
"""The canvas in the page, which hides what is in it from `querySelector`."""
UNDER_ACTS = f"""parts => {{
    const acts = {BENCH}.querySelector(".acts").getBoundingClientRect();
    return [...{BENCH}.querySelectorAll(parts)].filter(part => {{
        const box = part.getBoundingClientRect();
        const beside = box.left >= acts.right || box.right <= acts.left;
        return box.width && !beside && box.top < acts.bottom && box.bottom > acts.top;
    }}).length;
}}"""
"""How many of these parts lie under the actions of the selected node."""
TOOLS, CARDS = ".tools button", ".card-face, .condition text"


def grown(app) -> None:
    """The tree of a file, drawn."""
    app.upload("my loans.csv", loans())
    app.page.get_by_test_id("tree").wait_for()
    app.drawn()
    app.fitted()


def grown_whole(app) -> None:
    """The unpruned tree, by the right end of the dock."""
    app.page.get_by_test_id("dock").get_by_role("slider").focus()
    app.page.keyboard.press("End")
    app.page.get_by_test_id("verdict").get_by_text(re.compile(r"\d\d+ leaves")).wait_for()
    app.settled()
    app.drawn()


def place(app, node: int) -> tuple[float, float]:
    """Pixels of the middle of its card in the window."""
    box = app.page.locator(f".bench #n{node} .card-face").first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
