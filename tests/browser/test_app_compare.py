"""Two trees, and tables beside the training rows, in a real browser: both in sight, a click in one selects in the
other, both zoom together, the overlay; bars of two tables, whose nodes that differ are hatched; a bad table's message.
"""

import re

import pytest

from tests.browser.app_steps import csv, loans
from tests.browser.bench import UNDER_ACTS

pytestmark = pytest.mark.browser
NASTY = '"<b>&![x](http://e)</b>"'
RULE = csv(f"{NASTY},b,y", n=200)
TURNED = RULE.replace(b"yes", b"-").replace(b"no", b"yes").replace(b"-", b"no")


def view(app, place: int):
    """One of the canvases on the page."""
    return app.page.locator(".bench").nth(place)


def selected(app, place: int) -> str:
    chosen = view(app, place).locator(".node.selected")
    chosen.wait_for()
    return chosen.get_attribute("id")


def scale(app, place: int) -> float:
    app.page.wait_for_timeout(120)  # the camera moves with the next frame
    return float(re.search(r"scale\(([\d.]+)", view(app, place).locator(".world").get_attribute("transform"))[1])


FITTED = """() => [...document.querySelectorAll("*")].map(e => e.shadowRoot?.querySelector(".bench")).filter(Boolean)
    .every(bench => {
        const right = part => part.getBoundingClientRect().right, end = right(bench.querySelector(".stage"));
        return [...bench.querySelectorAll(".card-face")].every(face => right(face) <= end);
    })"""
"""Each tree is all in sight."""


def both_drawn(app) -> None:
    app.page.get_by_test_id("other-tree").wait_for()
    app.fitted()


def menu(app, side: str, group: str) -> None:
    """Open the menu of a side and choose a group."""
    app.page.locator(f".st-key-menu_{side} button").first.click()
    app.page.locator(f".st-key-compared_{side}_group").get_by_text(group, exact=True).click()
    app.settled()


def close_menu(app) -> None:
    app.page.keyboard.press("Escape")
    app.page.get_by_test_id("stPopoverBody").wait_for(state="hidden")


def test_two_trees_stand_side_by_side_and_one_over_the_other_and_tables_beside_their_rows(laptop):
    two_trees_are_looked_at_together(laptop)
    laptop.go("Data")
    laptop.upload("rule.csv", RULE)
    laptop.named("rule.csv")
    laptop.tree()
    bad_tables_are_messages(laptop)
    a_table_of_ones_own_hatches_the_nodes_that_differ(laptop)
    another_level_marks_other_nodes_and_moves_nothing(laptop)
    an_overlay_of_a_kept_tree_with_a_hostile_name(laptop)


def two_trees_are_looked_at_together(app) -> None:
    app.upload("my loans.csv", loans())
    app.page.get_by_test_id("tree").wait_for()
    app.drawn()
    app.settled()
    fitted = app.camera()
    app.go("Compare")
    both_drawn(app)
    app.page.wait_for_function(FITTED)
    both_are_drawn_on_one_scale_and_in_one_shape(app)
    app.go("Explore")
    app.drawn()
    assert app.camera() == fitted, "what is fitted for less room is left as it was"
    app.go("Compare")
    both_drawn(app)
    menu(app, "B", "Another pruning")
    app.page.locator(".st-key-compared_B").get_by_text("Reduced error", exact=True).click()
    app.settled()
    close_menu(app)
    both_drawn(app)
    main = app.page.get_by_test_id("stMain")
    assert main.evaluate("e => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth]") == [0, 0]
    for name in ("tree", "other-tree"):
        box = app.page.get_by_test_id(name).bounding_box()
        assert box["width"] >= 500
        assert box["height"] >= 240
        assert box["x"] + box["width"] <= 1366
        assert box["y"] + box["height"] <= 768
    assert (selected(app, 0), selected(app, 1)) == ("n0", "n0")
    the_name_of_a_tree_is_not_covered(app)
    view(app, 0).locator(".node.inner:not(#n0) .card-face").first.click()
    view(app, 1).locator(".node.selected:not(#n0)").wait_for()
    app.settled()
    assert selected(app, 1) == selected(app, 0), "both are cuts of one tree, whose nodes come in one order"
    view(app, 1).locator("#n0 .card-face").click()
    view(app, 0).locator("#n0.selected").wait_for()

    before = scale(app, 0), scale(app, 1)
    view(app, 0).get_by_role("button", name="Zoom in (+)").click()
    view(app, 1).locator(".stage").focus()
    app.page.keyboard.press("+")
    after = scale(app, 0), scale(app, 1)
    for old, new in zip(before, after, strict=True):
        assert new / old == pytest.approx(1.25**2, rel=1e-3)

    menu(app, "B", "Another algorithm")  # whose answers differ
    close_menu(app)
    both_drawn(app)
    app.page.locator(".st-key-compare_tab").get_by_text("Rows", exact=True).click()
    app.text("Select a row to show").wait_for()
    app.settled()
    rows = app.page.get_by_test_id("stDataFrame").first
    rows.scroll_into_view_if_needed()
    app.settled()
    app.page.wait_for_timeout(300)
    rows.click(position={"x": 16, "y": 52})
    view(app, 0).locator(".node.leaf.selected").wait_for()
    assert app.faults() == []


WEDGES = """bench => [...bench.querySelectorAll(".node:has(.wedge)")].map(node => {
    const folded = node.querySelector(".pill text").textContent.slice(1).replace(",", "");
    return [parseInt(folded), node.querySelector(".wedge").getBBox().width];
})"""
"""Of every folded branch: how many nodes it has, and how wide it is drawn."""


def both_are_drawn_on_one_scale_and_in_one_shape(app) -> None:
    """In halves as wide; what is folded in either is as wide as its leaves, and what A lacks is dotted in B."""
    assert scale(app, 0) == pytest.approx(scale(app, 1), rel=1e-3)
    wide = [view(app, place).locator(".stage").bounding_box()["width"] for place in (0, 1)]
    assert wide[0] == pytest.approx(wide[1], rel=0.06)
    wedges = view(app, 1).evaluate(WEDGES)
    assert len(wedges) > 3
    more, most = max(wedges)
    for nodes, width in wedges:  # every split has two branches: of n nodes n / 2 + 1 are leaves
        assert width == pytest.approx(most * (nodes / 2 + 1) / (more / 2 + 1), abs=0.2)
    assert view(app, 1).locator(".node.only-b").count() > 0
    for name in ("Icicle", "Tree"):
        view(app, 0).get_by_role("button", name=name, exact=True).click()
        view(app, 1).locator(".whole-box").wait_for(state="visible" if name == "Icicle" else "hidden")
    app.fitted()


def the_name_of_a_tree_is_not_covered(app) -> None:
    """By the actions of a node that is moved to where they would stand over it."""
    name, root, acts = (view(app, 0).locator(part).bounding_box() for part in (".tag", "#n0 .card-face", ".acts"))
    x, y = root["x"] + root["width"] / 2, root["y"] + 1.5 * root["height"]  # below the card: a hand on the paper
    app.page.mouse.move(x, y)
    app.page.mouse.down()
    app.page.mouse.move(x + name["x"] + acts["width"] + 16 - root["x"], y + name["y"] + 4 - root["y"], steps=3)
    app.page.mouse.up()
    assert view(app, 0).locator("#n0 .card-face").bounding_box()["y"] == pytest.approx(name["y"] + 4, abs=2)
    view(app, 0).locator(".acts button").first.wait_for()
    assert app.page.evaluate(UNDER_ACTS, ".tag") == 0
    view(app, 0).get_by_role("button", name="Fit").click()


def beside(app, name: str, content: bytes) -> None:
    """Upload a table to stand beside the training rows."""
    label = app.page.get_by_text("Another table with the same columns")
    if not label.is_visible():
        app.page.get_by_text("Bars", exact=True).click()
    label.wait_for()
    app.upload(name, content)


def hatched(app) -> list[str]:
    return app.page.locator(".bench .node.differs").evaluate_all("found => found.map(e => e.id)")


def a_table_of_ones_own_hatches_the_nodes_that_differ(app) -> None:
    assert hatched(app) == []
    app.text("In no node do train and validation differ").wait_for()
    before = app.camera()
    beside(app, "turned <b>.csv", TURNED)
    app.text("turned <b>.csv: 200 rows.").wait_for()
    app.page.locator(".bench #n1.differs").wait_for()
    app.settled()
    assert app.faults() == []
    assert {"n1", "n2"} <= set(hatched(app))
    assert "bars differ significantly: train ≠ other, p < 0.001" in app.card(1).get_attribute("aria-label")
    assert app.page.locator(".bench #n1 .badge text").first.inner_html() == "≠"
    seen = []
    for color_scheme in ("dark", "light"):
        app.page.emulate_media(color_scheme=color_scheme)
        app.page.wait_for_timeout(300)
        badge = app.page.locator(".bench #n1 .badge circle").first
        ink, paper = badge.evaluate("e => [getComputedStyle(e).stroke, getComputedStyle(e).fill]")
        assert ink != paper
        seen.append(paper)
    assert seen[0] != seen[1]
    app.click_card(2)
    app.node_is(2)
    app.text("turned <b>.csv: ").wait_for()
    app.page.get_by_text("a significant difference.").first.wait_for()
    assert app.camera() == before, "marks move nothing"
    app.page.get_by_role("button", name="Put turned <b>.csv away").click()
    app.page.locator(".bench .node.differs").first.wait_for(state="detached")
    app.text("train, validation.").wait_for()


def another_level_marks_other_nodes_and_moves_nothing(app) -> None:
    some = b"\n".join(line.replace(b"no", b"yes") if i % 9 == 0 else line for i, line in enumerate(RULE.split(b"\n")))
    beside(app, "some.csv", some)
    app.text("some.csv: 200 rows.").wait_for()
    app.settled()
    places = "found => found.map(e => e.getAttribute('transform'))"
    drawn = app.page.locator(".bench .node").evaluate_all(places)
    strict = hatched(app)
    box = app.page.get_by_role("combobox", name="Correction for many tests")
    app.pick(box, "None")
    app.text("not corrected, level").wait_for()
    app.settled()
    assert set(strict) <= set(hatched(app))
    assert app.page.locator(".bench .node").evaluate_all(places) == drawn


def bad_tables_are_messages(app) -> None:
    beside(app, "photo.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)))
    app.text("It is a PNG image").wait_for()
    beside(app, "narrow.csv", b"b,y\n1,yes\n2,no\n")
    app.text("tested by the tree, and the table narrow.csv has no").wait_for()
    assert len(app.faults()) == 1
    app.page.get_by_role("button", name="Remove narrow.csv").click()  # the uploader's own
    app.page.get_by_text("the table narrow.csv has no").first.wait_for(state="detached")
    assert app.faults() == []
    assert hatched(app) == []


def an_overlay_of_a_kept_tree_with_a_hostile_name(app) -> None:
    app.page.get_by_test_id("dock").get_by_role("slider").focus()
    app.page.keyboard.press("End")  # the tree as it was grown
    app.page.get_by_test_id("verdict").get_by_text(re.compile("[3-9] leaves|\\d\\d leaves")).wait_for()
    app.go("Compare")
    both_drawn(app)
    app.page.locator(".st-key-kept_trees button").first.click()
    app.page.get_by_role("textbox", name="Name").fill(NASTY)
    app.button("Keep your tree").click()
    app.page.get_by_text(NASTY, exact=True).first.wait_for()
    close_menu(app)
    menu(app, "A", "Kept")
    close_menu(app)
    menu(app, "B", "Another algorithm")
    app.pick(app.page.get_by_role("combobox", name="Algorithm").last, "Conditional inference tree", "Conditional")
    app.settled()
    close_menu(app)
    app.page.locator(".st-key-view").get_by_text("Overlay", exact=True).click()
    app.text("Places").wait_for()
    app.drawn()
    marks = view(app, 0).get_by_text("only in A").count() + view(app, 0).get_by_text("B stops").count()
    assert marks > 0
    dashed = view(app, 0).locator(".node.only-a .card-face").first
    assert dashed.evaluate("shape => getComputedStyle(shape).strokeDasharray") not in ("none", "")
    view(app, 0).locator(".node.only-a .card-face").first.click()
    view(app, 0).locator(".node.only-a.selected").wait_for()
    assert app.page.locator("b").filter(has_text="![x]").count() == 0
    assert app.faults() == []
