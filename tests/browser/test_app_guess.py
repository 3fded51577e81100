"""Guessing a split by keyboard, and presenting the page, in a real browser."""

import re

import pytest

pytestmark = pytest.mark.browser

FILLS = """() => {
    const host = [...document.querySelectorAll("*")].find((e) => e.shadowRoot?.querySelector(".bench"));
    const pane = (host?.shadowRoot ?? document).querySelector(".bench.presenting");
    return pane && Math.abs(pane.getBoundingClientRect().bottom - innerHeight) < 2
        && pane.getBoundingClientRect().top < 4;
}"""


def test_a_guess_is_told_its_rank_and_shown_to_a_class(app, faults):
    app.sample("Titanic")
    app.tree()
    app.go("Guess")
    app.drawn()
    drawer = app.page.locator(".st-key-drawer")
    drawer.get_by_text("fare", exact=True).click()
    app.page.locator(".st-key-guess_tell button:enabled").first.wait_for()
    app.settled()
    app.page.keyboard.press("Alt+t")
    drawer.get_by_text(re.compile(r"Rank \d of 7")).first.wait_for()
    app.text(re.compile("^The tree asks")).wait_for()
    app.settled()
    strip = app.page.locator(".st-key-strip")
    app.page.keyboard.press("Alt+p")
    strip.wait_for(state="hidden")
    app.page.wait_for_function(FILLS)
    app.settled()
    app.page.keyboard.press("PageDown")
    drawer.get_by_text("2 of", exact=False).first.wait_for()
    drawer.get_by_text(re.compile("Node 1: which split")).first.wait_for()
    app.settled()
    app.page.keyboard.press("Alt+p")
    strip.wait_for()
    assert [*app.faults(), *faults] == []
