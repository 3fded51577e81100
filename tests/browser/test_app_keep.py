"""What was made survives a reload and another server, and nobody else ever sees it."""

import json
from urllib.parse import urlparse

import pytest

from tests.browser.app_steps import APP, Session
from tests.browser.conftest import start_server, stop_server
from tests.browser.test_bench import loans

pytestmark = pytest.mark.browser


def at_work(app) -> str:
    """A file with a node cut by hand on the page Explore; what the strip says of it."""
    app.upload("loans.csv", loans())
    app.named("loans.csv")
    app.go("Explore")
    app.drawn()
    before = verdict(app)
    app.page.locator(".bench #n1 .card-face").click()
    app.page.keyboard.press("x")
    app.page.locator(".bench #n1.leaf").wait_for()
    app.settled()
    assert verdict(app) != before
    return verdict(app)


def verdict(app) -> str:
    return app.page.get_by_test_id("verdict").inner_text()


def test_a_reload_brings_back_the_file_the_edit_the_page_and_undo(app):
    app.page.goto(app.address)
    made = at_work(app)
    app.page.reload()
    app.drawn()
    app.page.locator(".bench #n1.leaf").wait_for()
    assert verdict(app) == made
    assert app.heading("Explore").is_visible()
    app.button("Undo").click()
    app.page.locator(".bench #n1.inner").wait_for()
    app.page.reload()
    app.page.locator(".bench #n1.inner").wait_for()
    app.button("Redo").click()
    app.page.locator(".bench #n1.leaf").wait_for()


def test_another_browser_sees_nothing_and_another_tab_is_asked(app, chromium):
    app.page.goto(app.address)
    made = at_work(app)
    stranger = chromium.new_context().new_page()
    stranger.goto(app.address)
    stranger.get_by_text("Or look around in a sample").wait_for()
    stranger.wait_for_timeout(1500)
    assert "loans" not in stranger.inner_text("body")
    assert stranger.get_by_text("Go on with it").count() == 0
    stranger.context.close()
    other = app.page.context.new_page()
    try:
        other.goto(app.address)
        other.get_by_role("button", name="Go on with it").click()
        other.get_by_text("loans.csv").first.wait_for()
        other.get_by_test_id("stTopNavSection").filter(has_text="Tree").click()
        other.get_by_test_id("stTopNavDropdownLink").filter(has_text="Explore").click()
        other.locator(".bench #n1.leaf").wait_for()
        assert other.get_by_test_id("verdict").inner_text() == made
    finally:
        other.close()


def test_what_is_forgotten_does_not_come_back(app):
    app.page.goto(app.address)
    at_work(app)
    app.go("Data")
    app.button("Forget my work").click()
    app.text("Or look around in a sample").wait_for()
    app.settled()
    app.page.reload()
    app.text("Or look around in a sample").wait_for()
    app.page.wait_for_timeout(1500)
    assert app.page.get_by_text("Go on with it").count() == 0
    assert app.page.evaluate(
        "() => [localStorage.treecore, sessionStorage.treecore].every((kept) => kept === undefined)"
    )


def test_a_server_that_was_killed_goes_on_once_the_file_is_given(page, tmp_path):
    process, address = start_server(APP, tmp_path / "one.txt")
    try:
        app = Session(page, address)
        page.goto(address)
        made = at_work(app)
        note = json.loads(page.evaluate("() => sessionStorage.treecore"))
        assert "salaried" not in json.dumps(note), "no row of the table is in the note"
        process.kill()
        process.wait()
        process, _ = start_server(APP, tmp_path / "two.txt", urlparse(address).port)
        page.goto(address)
        app.page.get_by_text("its settings and 1 step by hand are kept").wait_for()
        app.upload("loans.csv", loans())
        app.named("loans.csv")
        app.go("Explore")
        app.page.locator(".bench #n1.leaf").wait_for()
        assert verdict(app) == made
    finally:
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        stop_server(process)


def test_a_link_opens_the_tree_in_another_browser(app, chromium):
    app.sample("Iris")
    app.tree()
    made = verdict(app)
    app.button("Export").click()
    link = app.page.get_by_test_id("stCode").filter(has_text="recipe=").inner_text().strip()
    other = chromium.new_context(viewport={"width": 1280, "height": 860}).new_page()
    other.goto(link)
    other.locator(".bench .node").first.wait_for()
    assert other.get_by_test_id("verdict").inner_text() == made
    other.context.close()
