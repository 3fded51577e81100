"""Pruning in a real browser: play, the curve, and the tables of weakest links and of the court."""

import re

import pytest

from tests.browser.app_steps import csv

pytestmark = pytest.mark.browser


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


def test_play_advances_until_it_is_paused(app):
    app.sample("Titanic")
    app.go("Size & pruning")
    app.drawn()
    assert leaves(app) == 129
    app.button("Play").click()
    until_leaves(app, "<", 98)
    app.button("Pause").click()
    app.button("Play").wait_for()
    app.settled()
    there = leaves(app)
    assert 1 <= there < 98
    app.page.wait_for_timeout(1500)
    assert leaves(app) == there, "it stands still"
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
    assert app.faults() == []


def test_play_ends_at_the_root_alone(app):
    app.sample("Iris")
    app.go("Size & pruning")
    before = leaves(app)
    assert before > 3
    app.button("Play").click()
    app.text("Your tree: 1 leaf").wait_for(timeout=30_000)
    app.button("Play").wait_for()
    app.settled()
    assert app.page.get_by_role("slider", name="Pruned to").get_attribute("aria-valuetext") == "1 leaf"
    app.page.get_by_test_id("undo").click()
    until_leaves(app, "===", before)


def test_a_row_of_the_links_selects_its_node(app):
    app.sample("Titanic")
    app.go("Size & pruning")
    app.drawn()
    app.settled()
    app.page.get_by_role("slider", name="Pruned to").focus()
    app.page.keyboard.press("Home")
    app.text("Your tree: 1 leaf").wait_for()
    app.page.keyboard.press("ArrowRight")
    app.text("Your tree: 2 leaves").wait_for()
    app.settled()
    tables = app.page.get_by_test_id("stDataFrame").count()
    pick_row(app, tables - 1, 1)
    app.page.wait_for_function("() => !document.body.innerText.includes('Node 0\\n')")
    text = app.page.get_by_text(re.compile(r"^Node \d+$")).last.inner_text()
    node = int(text.split()[1])
    assert node > 0
    app.go("Explore")
    app.node_is(node)


def test_stubs_say_method_and_number(app):
    app.sample("Titanic")
    app.go("Size & pruning")
    app.drawn()
    app.settled()
    app.page.get_by_role("slider", name="Pruned to").focus()
    app.page.keyboard.press("Home")
    app.text("Your tree: 1 leaf").wait_for()
    mark = app.page.locator(".bench #n0 .badge title")
    mark.wait_for(state="attached")
    app.settled()
    assert re.match(r"cost complexity, .*\d\.\d+", mark.text_content())


def test_a_row_of_the_court_selects_its_node_everywhere(app):
    app.sample("Titanic")
    app.go("Pruning court")
    app.heading("Node 0").wait_for()
    pick_row(app, app.page.get_by_test_id("stDataFrame").count() - 1, 1)
    app.page.wait_for_function("() => document.querySelector('h3#node-0') === null")
    node = int(app.page.get_by_role("heading", name=re.compile(r"^Node \d+$")).first.inner_text().split()[1])
    assert node > 0
    app.settled()
    app.page.locator(f".bench #n{node}.selected").wait_for()
    app.go("Explore")
    app.node_is(node)
    app.go("Pruning court")
    use(app, "Reduced error")
    app.button("Ghosts").click()
    app.ghosts().first.wait_for()
    assert app.faults() == []


def test_a_raised_branch_is_seen_and_its_place_says_who_took_it(app):
    app.sample("Titanic")
    app.go("Pruning court")
    use(app, "C4.5 error-based")
    app.settled()
    app.button("Ghosts").click()
    risen = app.page.locator(
        ".bench .node", has=app.page.locator(".badge title", has_text="Raised to the place of node")
    )
    risen.first.wait_for()
    assert "fallen" not in risen.first.get_attribute("class").split()
    node = risen.first.get_attribute("id")
    app.button("Ghosts").click()
    app.page.locator(".bench .node.fallen").first.wait_for(state="detached")
    assert app.page.locator(f".bench #{node}").count() == 1, "what hides its ghost place does not hide the branch"
    assert app.faults() == []


@pytest.mark.parametrize("color_scheme", ["dark"])
def test_hostile_names_and_long_ones(app):
    app.upload("own.csv", csv('"<img src=x onerror=alert(1)>","' + "very long " * 30 + '",$kind$'))
    app.named("own.csv")
    for page in ("Size & pruning", "Pruning court"):
        app.go(page)
        app.drawn()
        assert app.faults() == []
