"""Pruning in a real browser: play, the curve, and the tables of weakest links and of the court."""

import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
WATCH = """(size, tree) => {
    window.shown = [];
    const note = () => window.shown.push([size.textContent, tree.querySelectorAll(".node.fallen").length]);
    new MutationObserver(note).observe(size, { childList: true, characterData: true, subtree: true });
}"""
"""What it says and how many branches have fallen, at every change: some are over before a test could look."""


def leaves(app) -> int:
    return int(re.search(r"Your tree: ([\d,]+) lea", app.text("Your tree: ").inner_text())[1].replace(",", ""))


def until_leaves(app, test: str, value: int) -> None:
    app.page.wait_for_function(
        f"""value => {{
            const found = /Your tree: ([\\d,]+) lea/.exec(document.body.innerText);
            return found && Number(found[1].replace(",", "")) {test} value;
        }}""",
        arg=value,
    )


def pick_row(app, table: int, row: int) -> None:
    """Tick the box in front of a row; the canvas of the table has no elements to click."""
    frame = app.page.get_by_test_id("stDataFrame").nth(table)
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    app.page.mouse.click(box["x"] + 14, box["y"] + 35 * (row + 1) + 17)


def use(app, method: str) -> None:
    """Show the cuts of a method in the tree, then prune the tree by it."""
    app.pick(app.page.get_by_role("combobox", name="The tree shows the cuts of"), method)
    button = app.button(f"Prune your tree by {method}")
    button.click()
    button.wait_for(state="detached")


BAND = """() => {
    const curve = document.querySelector('[data-testid="stMain"]').ownerDocument, found = [];
    const look = (root) => root.querySelectorAll("*").forEach((part) => {
        if (part.matches(".dock")) found.push(part);
        if (part.shadowRoot) look(part.shadowRoot);
    });
    look(curve);
    const dock = found.find((one) => one.dataset.testid === "size-curve"), band = dock.querySelector(".band").getBBox();
    const grid = [...dock.querySelectorAll(".hand")].map((line) => Number(line.getAttribute("y2")));
    const names = [...dock.querySelectorAll(".mark text")].map((text) => text.getBoundingClientRect().right);
    const begin = dock.querySelector(".name").getBoundingClientRect().left;
    return [band.y, band.y + band.height, grid[0], Math.max(...names), begin];
}"""
"""Of the large curve: top and bottom of the band of cross-validation, where the lines end below, how far names of marks
reach to the right, and where the names of the lines begin."""


def rare(n: int = 1500) -> bytes:
    """One row in 25 is "yes", and little tells which: folds differ more than sizes do."""
    rng = np.random.default_rng(3)
    x, z = rng.normal(size=n).round(2), rng.normal(size=n).round(2)
    yes = rng.random(n) < np.where(x > 1.6, 0.2, 0.03)
    return pd.DataFrame({"x": x, "z": z, "left": np.where(yes, "yes", "no")}).to_csv(index=False).encode()


def test_the_band_of_the_folds_and_the_names_of_sizes_stay_in_the_plot(app):
    app.upload("rare.csv", rare())
    app.page.get_by_test_id("tree").wait_for()
    app.go("Size & pruning")
    app.drawn()
    top, bottom, base, names, begin = app.page.evaluate(BAND)
    assert top >= 39
    assert bottom <= base + 1
    assert names <= begin


def test_sizes_by_curve_slider_and_play_and_the_tables_that_tell_of_them(app):
    app.sample("Titanic")
    app.go("Size & pruning")
    app.drawn()
    whole = the_whole_tree(app)
    whole = leaves_of_single_rows(app, whole)
    a_click_on_the_curve_and_the_slider_prune(app, whole)
    play_shows_every_size_and_chooses_none(app)
    the_root_alone_says_why_it_is_a_leaf(app)
    a_row_of_the_links_selects_its_node(app)
    app.go("Compare")
    app.page.locator(".st-key-view").get_by_text("Ghosts", exact=True).click()
    app.ghosts().first.wait_for()
    app.go("Size & pruning")
    app.drawn()
    settings_follow_a_chosen_size(app, whole)
    app.go("Pruning methods")
    a_row_of_the_court_selects_its_node(app)
    app.go("Explore")
    app.node_is(node_selected(app))
    app.go("Pruning methods")
    use(app, "Reduced error")
    app.page.locator(".st-key-toggle_wider button").first.click()  # room for more of the tree
    app.fitted()
    app.button("Ghosts").click()
    app.ghosts().first.wait_for()
    a_raised_branch_is_seen_and_its_place_says_who_took_it(app)
    assert app.faults() == []


def node_selected(app) -> int:
    return int(app.page.locator(".bench .node.selected").first.get_attribute("data-node"))


def leaves_of_single_rows(app, before: int) -> int:
    """Leaves of a tree that is large enough to have branches that pruning raises."""
    app.open_sidebar()
    settings = app.page.get_by_test_id("stSidebar")
    app.pick(settings.get_by_role("combobox", name="Impurity"), "Gini")
    app.settled()
    least = settings.get_by_role("spinbutton", name="Smallest leaf")
    least.fill("1")
    least.press("Enter")
    until_leaves(app, ">", before)
    app.settled()
    app.page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    app.page.get_by_test_id("stExpandSidebarButton").wait_for()
    app.fitted()
    app.drawn()
    return leaves(app)


def the_whole_tree(app) -> int:
    """Its leaves, by the right end of the slider: the sample opens pruned."""
    small = leaves(app)
    app.page.get_by_role("slider", name="Pruned to").focus()
    app.page.keyboard.press("End")
    until_leaves(app, ">", small)
    app.settled()
    return leaves(app)


def a_click_on_the_curve_and_the_slider_prune(app, whole: int) -> None:
    app.text(f"Your tree: {whole} leaves").wait_for()
    assert app.ghosts().count() == 0
    assert not app.page.get_by_test_id("dock").is_visible(), "one curve is enough"
    curve, mouse = app.page.get_by_test_id("size-curve").bounding_box(), app.page.mouse
    knob = app.page.locator(".sizes .knob").bounding_box()
    mouse.move(knob["x"] + 6, curve["y"] + 200)
    mouse.down()
    mouse.move(curve["x"] + 0.3 * curve["width"], curve["y"] + 200, steps=3)
    assert app.ghosts().count() > 0, "branches fade while the curve is dragged"
    assert str(whole) not in app.page.locator(".sizes .size").text_content()
    mouse.up()
    until_leaves(app, "<", whole)
    there = leaves(app)
    slider = app.page.get_by_role("slider", name="Pruned to")
    assert slider.get_attribute("aria-valuetext") == f"{there} leaves"
    app.settled()
    slider.focus()
    app.page.keyboard.press("ArrowRight")
    until_leaves(app, ">", there)  # to the right is the larger tree, as on the curve


def settings_follow_a_chosen_size(app, whole: int) -> None:
    app.settled()
    app.page.get_by_role("slider", name="Pruned to").focus()
    app.page.keyboard.press("End")
    until_leaves(app, "===", whole)
    app.settled()
    for _ in range(2):
        larger = leaves(app)
        app.button("Smaller").click()
        until_leaves(app, "<", larger)
        app.settled()
    there = leaves(app)
    app.open_sidebar()
    app.page.get_by_test_id("stSidebar").get_by_text("All settings", exact=True).click()
    alpha = app.page.get_by_role("spinbutton", name="Cost of a leaf")
    app.page.wait_for_function(
        "() => Number(document.querySelector('[aria-label=\"Cost of a leaf α\"]')?.value || 0) > 0"
    )
    before = float(alpha.input_value())
    assert before > 0, "the sidebar has followed"
    app.button("Larger").click()
    until_leaves(app, ">", there)
    app.page.wait_for_function(
        "was => Number(document.querySelector('[aria-label=\"Cost of a leaf α\"]')?.value ?? 0) < was", arg=before
    )


def play_shows_every_size_and_chooses_none(app) -> None:
    """Branches fall until the root stands alone and come back; the tree of before is the tree of after."""
    app.settled()
    before, fallen = leaves(app), app.ghosts().count()
    size, play = app.page.locator(".sizes .size"), app.page.get_by_role("button", name="▶ Play")
    chosen = size.text_content()
    size.evaluate(WATCH, app.page.locator(".bench").first.element_handle())
    play.click()
    play.wait_for()
    shown = app.page.evaluate("() => window.shown")
    assert any(re.match("1 leaf", text) for text, _ in shown)
    assert max(n for _, n in shown) > fallen
    assert size.text_content() == chosen
    assert (leaves(app), app.ghosts().count()) == (before, fallen)
    play.click()
    expect(size).not_to_have_text(chosen)
    app.page.get_by_role("button", name="■ Stop").click()
    assert size.text_content() == chosen


def the_root_alone_says_why_it_is_a_leaf(app) -> None:
    """With method and number; one step back is the tree of before."""
    before = leaves(app)
    app.page.get_by_role("slider", name="Pruned to").focus()
    app.page.keyboard.press("Home")
    until_leaves(app, "===", 1)
    mark = app.page.locator(".bench #n0 .badge title")
    mark.wait_for(state="attached")
    assert re.match(r"cost complexity, .*\d\.\d+", mark.text_content())
    app.settled()
    app.page.get_by_test_id("undo").click()
    until_leaves(app, "===", before)
    app.settled()


def a_row_of_the_links_selects_its_node(app) -> None:
    assert node_selected(app) == 0
    pick_row(app, app.page.get_by_test_id("stDataFrame").count() - 1, 1)
    app.page.locator(".bench .node.selected:not(#n0)").wait_for()
    app.page.get_by_text(f"Node {node_selected(app)}", exact=True).last.wait_for()


def a_row_of_the_court_selects_its_node(app) -> None:
    app.drawn()
    app.click_card(0)
    app.node_is(0)
    app.settled()
    pick_row(app, 0, 1)
    app.page.locator(".bench .node.selected:not(#n0)").wait_for()
    app.node_is(node_selected(app))


def a_raised_branch_is_seen_and_its_place_says_who_took_it(app) -> None:
    use(app, "C4.5 error-based")
    app.settled()
    risen = app.page.locator(
        ".bench .node", has=app.page.locator(".badge title", has_text="Raised to the place of node")
    )
    risen.first.wait_for()
    assert "fallen" not in risen.first.get_attribute("class").split()
    node = risen.first.get_attribute("id")
    app.button("Ghosts").click()
    app.page.locator(".bench .node.fallen").first.wait_for(state="detached")
    assert app.page.locator(f".bench #{node}").count() == 1, "what hides its ghost place does not hide the branch"
