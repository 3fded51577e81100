"""Twin bars in a real browser: a table of the user's own, hatched nodes, light and dark, and a bad table's message."""

import pytest

from tests.browser.app_steps import csv

pytestmark = pytest.mark.browser
RULE = csv("a,b,y", n=200)
TURNED = RULE.replace(b"yes", b"-").replace(b"no", b"yes").replace(b"-", b"no")


def test_other_tables_hatch_what_differs_move_nothing_and_bad_ones_are_messages(app, faults):
    app.upload("rule.csv", RULE)
    app.named("rule.csv")
    app.tree()
    bad_tables_are_messages(app)
    a_table_of_ones_own_hatches_the_nodes_that_differ(app)
    another_level_marks_other_nodes_and_moves_nothing(app)
    assert faults == []


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
    assert "bars differ beyond chance: train ≠ other, p < 0.001" in app.card(1).get_attribute("aria-label")
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
    app.page.get_by_text("beyond chance.").first.wait_for()
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
    app.text("It is tested by the tree, and the table narrow.csv has no such column").wait_for()
    assert len(app.faults()) == 1
    app.page.get_by_role("button", name="Remove narrow.csv").click()  # the uploader's own
    app.page.get_by_text("has no such column").first.wait_for(state="detached")
    assert app.faults() == []
    assert hatched(app) == []
