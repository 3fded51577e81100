"""What was made survives a reload and another server, and nobody else ever sees it."""

from urllib.parse import urlparse

import pytest

from tests.browser.app_steps import APP, Session, loans
from tests.browser.running import start_server, stop_server
from tests.browser.shifts import stood_still
from tests.browser.wire import Wire
from treecore.command_line.files import FILE_TO_OPEN

pytestmark = pytest.mark.browser


def cut(app) -> str:
    """Node 2 cut by hand on the page Explore; what the strip says of it."""
    before = verdict(app)
    app.page.locator(".bench #n2 .card-face").click()
    app.page.keyboard.press("x")
    app.page.locator(".bench #n2.leaf").wait_for()
    app.settled()
    assert verdict(app) != before
    return verdict(app)


def verdict(app) -> str:
    return app.page.get_by_test_id("verdict").inner_text()


def asked(app, text: str) -> None:
    """A way to ask on the page Predict."""
    app.page.locator(".st-key-predict_tab").get_by_text(text, exact=True).click()


def test_work_outlives_a_reload_a_dropped_connection_and_its_server(page, tmp_path, monkeypatch):
    """On a server that lets a session go with its connection, with the file of the command line."""
    (tmp_path / "my loans.csv").write_bytes(loans())
    monkeypatch.setenv(FILE_TO_OPEN, str(tmp_path / "my loans.csv"))
    monkeypatch.setenv("STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL", "0")
    process, address = start_server(APP, tmp_path / "one.txt")
    wire = Wire(port := urlparse(address).port)
    try:
        app = Session(page, wire.address)
        app.drawn()
        made = cut(app)
        after_a_reload(app, made)
        rows_are_answered(app)
        questions_by_keyboard(app)
        after_a_dropped_connection(app, wire, made)
        assert "salaried" not in page.evaluate("() => sessionStorage.treecore"), "no row of the table is in the note"
        secret = noted_secret(page)
        process.kill()
        process.wait()
        assert secret not in (tmp_path / "one.txt").read_text(), "who reads the log could ask for the work"
        monkeypatch.delenv(FILE_TO_OPEN)
        process, _ = start_server(APP, tmp_path / "two.txt", port)
        on_another_server(app, made)
    finally:
        wire.close()
        stop_server(process)


def noted_secret(page) -> str:
    """By which the tab asks for its work."""
    return page.evaluate("() => JSON.parse(sessionStorage.treecore).secret")


def after_a_reload(app, made: str) -> None:
    """The page, the step by hand and undo are back, each part in its place beside the settings."""
    app.open_sidebar()
    app.page.reload()
    app.page.locator(".bench #n2.leaf").wait_for()
    app.drawn()
    stood_still(app, "the tree beside the settings comes back")
    assert app.page.get_by_test_id("stSidebarCollapseButton").count() == 1
    assert verdict(app) == made
    assert app.heading("Explore").is_visible()
    app.button("Undo").click()
    app.page.locator(".bench #n2.inner").wait_for()


def rows_are_answered(app) -> None:
    app.go("Predict")
    asked(app, "Table")
    app.text("Rows to predict").wait_for()
    app.settled()
    app.upload("new.csv", loans(50))
    app.text("50 rows predicted").wait_for()
    app.settled()


def questions_by_keyboard(app) -> None:
    """Tab, arrows and Enter, from the first question to the answer."""
    asked(app, "Questions")
    app.text("1. What is").wait_for()
    app.settled()
    for n in range(1, 20):
        if not (question := app.page.get_by_text(f"{n}. What is")).count():
            break
        field = app.page.locator("[data-testid=stForm] input").first
        field.focus()
        if field.get_attribute("type") == "radio":
            app.page.keyboard.press("Space")
            app.page.keyboard.press("Tab")
        elif n % 2:
            app.page.keyboard.type("30")
        else:
            tab_to(app, app.page.get_by_role("button", name="I don't know"))
        app.page.keyboard.press("Enter")
        question.wait_for(state="detached")
        app.settled()
    assert n > 1
    app.page.get_by_role("heading", name="defaulted = ").wait_for()


def tab_to(app, button) -> None:
    for _ in range(8):
        app.page.keyboard.press("Tab")
        if button.evaluate("button => button === document.activeElement"):
            return


def after_a_dropped_connection(app, wire: Wire, made: str) -> None:
    """What is clicked next is answered by the new session, which has the work once its note is there."""
    former = noted_secret(app.page)
    wire.cut()
    app.page.locator("[data-test-connection-state=CONNECTED]").wait_for(state="detached")
    wire.mend()
    app.page.wait_for_function("former => JSON.parse(sessionStorage.treecore).secret !== former", arg=former)
    app.settled()
    asked(app, "Table")
    app.text("50 rows predicted").wait_for()
    assert verdict(app) != made
    app.button("Redo").click()
    app.page.locator(".bench #n2.leaf").wait_for()
    assert verdict(app) == made
    app.settled()


def on_another_server(app, made: str) -> None:
    """It goes on once the file is given."""
    app.page.goto(app.address)
    app.page.get_by_text("its settings and 1 step by hand are kept").wait_for()
    app.upload("my loans.csv", loans())
    app.page.locator(".bench #n2.leaf").wait_for()
    assert verdict(app) == made
    app.button("Undo").click()
    app.page.locator(".bench #n2.inner").wait_for()


@pytest.fixture
def stranger(chromium):
    """A tab of another browser."""
    found = chromium.new_context(viewport={"width": 1280, "height": 860}).new_page()
    yield found
    found.context.close()


def test_work_is_seen_by_whom_it_is_given_to(app, stranger, tmp_path):
    app.upload("loans.csv", loans())
    app.drawn()
    made = cut(app)
    sees_nothing(app, stranger)
    another_tab_is_asked(app, made)
    the_first_tab_still_has_its_work(app, made)
    what_is_forgotten_does_not_come_back(app)
    app.sample("Iris")
    app.tree()
    made = verdict(app)
    a_link_opens_the_tree(app, stranger, made)
    a_recipe_opens_the_tree(app, made, tmp_path / "recipe.json")


def sees_nothing(app, stranger) -> None:
    stranger.goto(app.address)
    stranger.get_by_text("Or look around in a sample").wait_for()
    stranger.wait_for_timeout(1500)
    assert "loans" not in stranger.inner_text("body")
    assert stranger.get_by_text("Go on with it").count() == 0


def another_tab_is_asked(app, made: str) -> None:
    other = app.page.context.new_page()
    try:
        other.goto(app.address)
        other.get_by_role("button", name="Go on with it").click()
        other.get_by_text("loans.csv").first.wait_for()
        other.get_by_test_id("stTopNavSection").filter(has_text="Tree").click()
        other.get_by_test_id("stTopNavDropdownLink").filter(has_text="Explore").click()
        other.locator(".bench #n2.leaf").wait_for()
        assert other.get_by_test_id("verdict").inner_text() == made
    finally:
        other.close()


def the_first_tab_still_has_its_work(app, made: str) -> None:
    app.page.reload()
    app.page.locator(".bench #n2.leaf").wait_for()
    assert verdict(app) == made
    app.drawn()
    app.settled()


def test_a_page_loaded_again_at_once_has_its_work(app):
    """Before the browser has a note of it: as soon as the server has the file, and while the tree grows."""
    app.page.evaluate(
        """() => {
            const keep = Storage.prototype.setItem;
            Storage.prototype.setItem = function (name, text) { if (name !== "treecore") keep.call(this, name, text); };
        }"""
    )
    app.upload("at once.csv", loans())
    app.named("at once.csv")
    app.page.reload()
    app.drawn()
    app.named("at once.csv")
    assert app.page.get_by_text("Give at once.csv again").count() == 0


def what_is_forgotten_does_not_come_back(app) -> None:
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


def a_link_opens_the_tree(app, stranger, made: str) -> None:
    app.button("Share").click()
    stranger.goto(app.page.get_by_test_id("stCode").filter(has_text="recipe=").inner_text().strip())
    stranger.locator(".bench .node").first.wait_for()
    assert stranger.get_by_test_id("verdict").inner_text() == made


def a_recipe_opens_the_tree(app, made: str, path) -> None:
    """Saved from the menu that is open, and opened once the tree is another one."""
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
    place.locator("input[type=file]").set_input_files(saved.value.path().rename(path))
    app.page.locator(".bench #n0.inner").wait_for()
    assert verdict(app) == made
