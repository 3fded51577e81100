"""A real Chromium and a running app for the browser tests.

`serve("tests/browser/some_app.py")` starts a Streamlit script on a free port and returns its address;
`page` is an empty tab; `outside_requests` collects every request that would leave this machine.
"""

import os
import subprocess
from urllib.parse import urlparse

import pytest

from tests.browser.app_steps import APP, FORGET, Session
from tests.browser.running import FLAGS, find_chromium, start_server, stop_server

JAVASCRIPT = "--js-flags=--no-opt,--invocation-count-for-maglev=6000,--min-semi-space-size=32"
"""Every load of the app is young: optimising its code takes longer than the optimised code saves, but where it is
called very often."""
NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"
"""Other machines are not found. Playwright would hold up every request, and keep no file, where it is to stop some."""
WINDOW = {"width": 1280, "height": 860}
STILL = """(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { animation: none !important; transition: none !important; }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()"""
"""Streamlit's signs of work and what it fades are drawn 60 times a second, by the processor. Our own canvas moves."""


def pytest_collection_modifyitems(items):
    """A browser test that fails is tried once more, and reported as such; one that names more tries has these.

    Three browsers and their servers on two processors starve each other now and then: of 236 tests about one. A fault
    of ours fails each time.
    """
    for item in items:
        if item.get_closest_marker("browser") and not item.get_closest_marker("flaky"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def chromium():
    """One browser for the whole session."""
    path = find_chromium()
    if path is None:
        reason = "no Chromium found: install it or set CHROMIUM to its path"
        if os.environ.get("CI", "").lower() in ("1", "true"):
            pytest.fail(reason)
        pytest.skip(reason)
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=[*FLAGS, JAVASCRIPT, NOWHERE])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def tabs(chromium):
    """The one tab of the session, as a list: empty before the first test and after a tab that crashed."""
    found: list = []
    yield found
    for tab in found:
        tab.context.close()


@pytest.fixture
def color_scheme():
    """Override in a module or by parametrising to test 'dark'."""
    return "light"


@pytest.fixture
def page(chromium, tabs, color_scheme):
    """A tab with nothing in it and nothing stored, 1280 × 860, whatever the test before it made of them.

    It is the same for every test: a new one would compile all scripts of the app again, for longer than a test takes.
    """
    if not tabs:
        tabs.append(_new_tab(chromium, tabs))
    (tab,) = tabs
    tab.set_viewport_size(WINDOW)
    tab.emulate_media(color_scheme=color_scheme)
    tab.mouse.move(0, 0)
    yield tab
    if tabs:
        tab.evaluate(FORGET)
        tab.goto("about:blank")
        tab.unroute_all()
        tab.context.clear_cookies()


def _new_tab(chromium, tabs: list):
    tab = chromium.new_context(viewport=WINDOW).new_page()
    tab.set_default_timeout(60_000)
    tab.add_init_script(STILL)
    tab.on("crash", lambda _: tabs.clear())
    return tab


@pytest.fixture
def listen(page):
    """listen(event, heard): `heard` is called at every such event of the tab, until the test ends."""
    heard: list[tuple] = []

    def on(event: str, function) -> None:
        page.on(event, function)
        heard.append((event, function))

    yield on
    for event, function in heard:
        page.remove_listener(event, function)


@pytest.fixture
def outside_requests(page, listen):
    """Addresses outside this machine the page asked for, in vain: see NOWHERE. Must stay empty."""
    found: list[str] = []
    for event in ("request", "websocket"):
        listen(event, lambda asked: found.append(asked.url) if _is_outside(asked.url) else None)
    return found


def _is_outside(url: str) -> bool:
    parts = urlparse(url)
    return parts.scheme not in ("data", "blob", "about") and parts.hostname not in ("127.0.0.1", "localhost")


@pytest.fixture
def dialogs(listen):
    """Messages of every alert, confirm or prompt that opened. Must stay empty."""
    found: list[str] = []

    def note(dialog):
        found.append(dialog.message)
        dialog.dismiss()

    listen("dialog", note)
    return found


@pytest.fixture
def faults(listen):
    """Uncaught errors and console errors of the page."""
    found: list[str] = []
    listen("pageerror", lambda error: found.append(str(error)))
    listen("console", lambda line: found.append(line.text) if line.type == "error" else None)
    return found


@pytest.fixture
def sent(listen):
    """What the page sends to the server. Name it before what loads the page, whose connection it is to hear of."""
    found: list = []
    listen("websocket", lambda socket: socket.on("framesent", lambda data: found.append(data)))
    return found


@pytest.fixture
def app(page, serve, outside_requests, dialogs):
    """A tab of the app; at the end nothing may have asked outside or opened a dialog."""
    yield Session(page, serve(APP))
    assert outside_requests == []
    assert dialogs == []


@pytest.fixture
def laptop(page, app, faults):
    """The app in the window of a laptop; at the end the console may have said nothing either."""
    page.set_viewport_size({"width": 1366, "height": 768})
    yield app
    assert faults == []


@pytest.fixture(scope="session")
def serve(tmp_path_factory):
    """Start a Streamlit script once per session: serve(path) -> 'http://127.0.0.1:port'."""
    running: dict[str, tuple[subprocess.Popen, str]] = {}

    def start(script: str) -> str:
        if script not in running:
            running[script] = start_server(script, tmp_path_factory.mktemp("server") / "log.txt")
        return running[script][1]

    yield start
    for process, _ in running.values():
        stop_server(process)
