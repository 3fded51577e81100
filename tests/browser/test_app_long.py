"""Very long names, many classes and long sums in a real browser: the page stays a page."""

import pytest

from tests.browser.app_steps import TITLES

pytestmark = pytest.mark.browser
OVERFLOW = """() => [...document.querySelectorAll('.katex-display')].map(
    e => [e.scrollWidth > e.clientWidth, getComputedStyle(e).overflowX])"""


def test_a_name_of_five_thousand_letters_does_not_fill_a_page(app):
    name, level = "n" * 5000, "lev" * 1700
    rows = [f"{i % 20}.5,{i * 7 % 13},{level if i % 20 > 9 else 'no'}" for i in range(100)]
    app.upload("long.csv", "\n".join([f"{name},b,y", *rows]).encode())
    app.named("long.csv")
    for page in TITLES:
        app.go(page)
        app.settled()
        main = app.page.get_by_test_id("stMain")
        assert main.evaluate("e => e.scrollHeight") < 3600, page
        assert main.evaluate("e => e.scrollWidth <= e.clientWidth"), page
        assert app.faults() == []


def test_sixty_classes_have_a_legend_that_opens_and_sums_that_scroll(app):
    rows = [f"{i * 37 % 101 / 100},{i * 53 % 97 / 100},class {i % 60}" for i in range(900)]
    app.upload("many.csv", "\n".join(["a,b,y", *rows]).encode())
    app.named("many.csv")
    app.tree()
    legend = app.page.locator(".bench .legend").first
    shown = legend.locator("li:not(:has(button)):visible")
    assert shown.count() == 10
    more = legend.get_by_role("button")
    assert more.inner_text() == "+50"
    more.click()
    assert shown.count() == 60
    assert more.get_attribute("aria-expanded") == "true"
    more.click()
    assert shown.count() == 10
    app.go("Step by step")
    app.page.locator(".katex-display").first.wait_for()
    app.settled()
    sums = app.page.evaluate(OVERFLOW)
    assert sums
    assert all(how == "auto" for too_long, how in sums if too_long)
