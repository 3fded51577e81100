"""What was made survives a reload and another server, and nobody else ever sees it."""

import json
from urllib.parse import urlparse

import pytest

from tests.browser.app_steps import APP, Session, loans
from tests.browser.running import start_server, stop_server
from tests.browser.wire import Wire
from treecore.command_line.opened import OPENED

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


def test_another_browser_sees_nothing_another_tab_is_asked_and_what_is_forgotten_does_not_come_back(app, chromium):
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


def test_a_dropped_connection_loses_nothing_though_the_server_has_let_the_session_go(page, tmp_path, monkeypatch):
    """What is clicked next is answered, too: parts of the page that the new session does not know are drawn anew."""
    monkeypatch.setenv("STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL", "0")
    process, address = start_server(APP, tmp_path / "log.txt")
    wire = Wire(urlparse(address).port)
    try:
        app = Session(page, wire.address)
        made = at_work(app)
        app.go("Predict")
        ask_by = page.locator(".st-key-predict_tab")
        ask_by.get_by_text("Table", exact=True).click()
        app.text("Rows to answer for").wait_for()
        app.settled()
        app.upload("new.csv", loans(50))
        app.text("50 rows answered").wait_for()
        app.settled()
        ask_by.get_by_text("Questions", exact=True).click()
        app.text("1. What is").wait_for()
        app.settled()
        ask_by.evaluate("drawn => { drawn.dataset.of = 'the former session'; }")
        wire.cut()
        page.locator("[data-test-connection-state=CONNECTED]").wait_for(state="detached")
        wire.mend()
        page.locator(".st-key-predict_tab:not([data-of])").wait_for()
        app.settled()
        ask_by.get_by_text("Table", exact=True).click()
        app.text("50 rows answered").wait_for()
        assert verdict(app) == made
        app.page.locator(".bench #n1.leaf").wait_for()
        app.button("Undo").click()
        app.page.locator(".bench #n1.inner").wait_for()
    finally:
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        wire.close()
        stop_server(process)


def test_a_server_that_was_killed_goes_on_once_the_file_is_given(page, tmp_path):
    process, address = start_server(APP, tmp_path / "one.txt")
    try:
        app = Session(page, address)
        made = at_work(app)
        note = json.loads(page.evaluate("() => sessionStorage.treecore"))
        assert "salaried" not in json.dumps(note), "no row of the table is in the note"
        process.kill()
        process.wait()
        process, _ = start_server(APP, tmp_path / "two.txt", urlparse(address).port)
        page.goto(address)
        app.page.get_by_text("its settings and 1 step by hand are kept").wait_for()
        app.upload("loans.csv", loans())
        app.heading("Explore").wait_for()
        app.page.locator(".bench #n1.leaf").wait_for()
        assert verdict(app) == made
        app.button("Undo").click()
        app.page.locator(".bench #n1.inner").wait_for()
    finally:
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        stop_server(process)


def test_a_link_and_a_recipe_open_the_tree_again(app, chromium, tmp_path):
    app.sample("Iris")
    app.tree()
    made = verdict(app)
    app.button("Share").click()
    link = app.page.get_by_test_id("stCode").filter(has_text="recipe=").inner_text().strip()
    other = chromium.new_context(viewport={"width": 1280, "height": 860}).new_page()
    other.goto(link)
    other.locator(".bench .node").first.wait_for()
    assert other.get_by_test_id("verdict").inner_text() == made
    other.context.close()
    with app.page.expect_download() as saved:
        app.button("Recipe").click()
    app.page.keyboard.press("Escape")
    app.click_card(0)
    app.settled()
    app.press("x")
    app.page.locator(".bench #n0.leaf").wait_for()
    app.settled()
    app.button("Share").click()
    place = app.page.get_by_test_id("stFileUploader").filter(has_text="Open a recipe")
    place.locator("input[type=file]").set_input_files(saved.value.path().rename(tmp_path / "recipe.json"))
    app.page.locator(".bench #n0.inner").wait_for()
    assert verdict(app) == made


def test_the_app_begins_with_the_file_of_the_command_line_and_a_reload_with_the_work(page, tmp_path, monkeypatch):
    (tmp_path / "my loans.csv").write_bytes(loans())
    monkeypatch.setenv(OPENED, str(tmp_path / "my loans.csv"))
    process, address = start_server(APP, tmp_path / "log.txt")
    try:
        app = Session(page, address)
        app.drawn()
        app.page.locator(".bench #n1 .card-face").click()
        app.page.keyboard.press("x")
        app.page.locator(".bench #n1.leaf").wait_for()
        app.settled()
        app.page.reload()
        app.page.locator(".bench #n1.leaf").wait_for()
    finally:
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        stop_server(process)


def test_twenty_questions_by_keyboard_alone(app):
    """Tab, arrows and Enter, from the first question to the answer."""
    app.sample("Titanic")
    app.tree()
    app.go("Predict")
    app.page.locator(".st-key-predict_tab").get_by_text("Questions", exact=True).click()
    asked = app.page.get_by_text("What is", exact=False)
    asked.first.wait_for()
    app.settled()
    for n in range(1, 20):
        if not app.page.get_by_text(f"{n}. What is").count():
            break
        field = app.page.locator("[data-testid=stForm] input").first
        field.focus()
        if field.get_attribute("type") == "radio":
            app.page.keyboard.press("Space")
            app.page.keyboard.press("Tab")
            app.page.keyboard.press("Enter")
        elif n % 2:
            app.page.keyboard.type("30")
            app.page.keyboard.press("Enter")
        else:
            dont_know = app.page.get_by_role("button", name="I don't know")
            for _ in range(8):
                app.page.keyboard.press("Tab")
                if dont_know.evaluate("button => button === document.activeElement"):
                    break
            app.page.keyboard.press("Enter")
        app.page.get_by_text(f"{n}. What is").wait_for(state="detached")
        app.settled()
    assert n > 1
    app.page.get_by_role("heading", name="survived = ").wait_for()
