"""What stands in the window until Streamlit has drawn the page, and that it goes."""

import pytest

from tests.browser.app_steps import APP, TITLES

pytestmark = pytest.mark.browser


@pytest.fixture
def without_scripts(page, serve, outside_requests):
    """go(path): the page of this address, whose scripts do not come."""
    page.route("**/static/js/**", lambda route: route.abort())
    return lambda path: page.goto(f"{serve(APP)}/{path}", wait_until="load")


def test_the_start_can_be_seen_before_any_script_has_come(page, without_scripts):
    without_scripts("")
    shell = page.locator("#shell")
    assert shell.is_visible()
    assert shell.locator("main").is_visible()
    box = shell.locator(".drop").bounding_box()
    assert 600 < box["width"] < 1280
    assert 150 < box["y"] < 200, "where the place for a file will be"
    assert shell.get_attribute("aria-hidden") == "true"
    assert page.evaluate("() => document.body.innerText.trim()") == "", "nothing to be found twice"


def test_another_page_shows_nothing_of_the_start(page, without_scripts):
    without_scripts("grow")
    assert page.locator("#shell nav").is_visible()
    assert not page.locator("#shell main").is_visible()


def test_a_page_loaded_again_begins_as_it_was_left(app, page):
    """With the pages over it where they stood beside the settings, and without the start page where work comes back."""
    app.sample("Iris")
    app.tree()
    app.open_sidebar()
    left = page.get_by_test_id("stTopNavLink").get_by_text("Data").bounding_box()["x"]
    page.route("**/static/js/**", lambda route: route.abort())
    page.reload(wait_until="load")
    shell = page.locator("#shell")
    assert shell.locator("nav span").first.bounding_box()["x"] == pytest.approx(left, abs=2)
    assert not shell.locator("main").is_visible()
    assert page.evaluate("() => document.documentElement.hasAttribute('data-returning')")
    page.unroute_all()
    page.reload()
    app.drawn()
    app.counts("html[data-returning]", 0)


def test_what_moves_behind_it_is_not_seen(app):
    main = app.page.get_by_test_id("stMain")
    assert main.is_visible()
    app.page.evaluate("() => document.body.append(Object.assign(document.createElement('div'), { id: 'shell' }))")
    assert not main.is_visible()


def test_it_goes_when_the_page_is_there(app):
    app.heading(TITLES["Data"]).wait_for()
    assert app.page.locator("#shell").count() == 0


def test_a_request_to_another_machine_is_noticed_and_goes_nowhere(page, outside_requests):
    page.goto("about:blank")
    page.set_content('<img src="http://example.org/a.png"><img src="http://93.184.215.14/b.png">')
    page.wait_for_function("() => [...document.images].every(image => image.complete)")
    assert page.evaluate("() => [...document.images].map(image => image.naturalWidth)") == [0, 0]
    assert sorted(outside_requests) == ["http://93.184.215.14/b.png", "http://example.org/a.png"]
