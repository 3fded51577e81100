"""A real Chromium and a running app for the browser tests.

`serve("tests/browser/some_app.py")` starts a Streamlit script on a free port and returns its address;
`page` is an empty tab; `outside_requests` collects every request that would leave this machine.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlparse

import pytest

from tests.browser.app_steps import APP, FORGET, Session

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Set here too, so that the tests do not depend on the configuration they are to protect.
SETTINGS = {
    "BROWSER_GATHER_USAGE_STATS": "false",
    "SERVER_ADDRESS": "127.0.0.1",
    "SERVER_HEADLESS": "true",
    "SERVER_FILE_WATCHER_TYPE": "none",
    "GLOBAL_DEVELOPMENT_MODE": "false",
}


def pytest_collection_modifyitems(items):
    """A browser test that fails is tried once more, and reported as such.

    Streamlit may lose a page when a word of the former one comes in while it is drawn: with three browsers and their
    servers on two processors about one test of a hundred meets that. A fault of ours fails twice.
    """
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def find_chromium() -> str | None:
    """The browser named by CHROMIUM, else the system's."""
    names = [os.environ.get("CHROMIUM"), "/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome"]
    return next((found for name in names if name and (found := shutil.which(name))), None)


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
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
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
    """A tab with nothing in it and nothing stored, 1280 × 860.

    It is the same for every test: a new one would compile all scripts of the app again, for longer than a test takes.
    """
    if not tabs:
        tabs.append(_new_tab(chromium, tabs))
    (tab,) = tabs
    tab.emulate_media(color_scheme=color_scheme)
    tab.mouse.move(0, 0)
    yield tab
    if tabs:
        tab.evaluate(FORGET)
        tab.goto("about:blank")
        tab.unroute_all()
        tab.context.clear_cookies()


def _new_tab(chromium, tabs: list):
    tab = chromium.new_context(viewport={"width": 1280, "height": 860}).new_page()
    tab.set_default_timeout(60_000)
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
    """Addresses outside this machine the page asked for; all of them are blocked. Must stay empty."""
    found: list[str] = []

    def guard(route):
        found.append(route.request.url)
        route.abort()

    page.route(_is_outside, guard)
    listen("websocket", lambda socket: found.append(socket.url) if _is_outside(socket.url) else None)
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
def app(page, serve, outside_requests, dialogs):
    """A tab of the app; at the end nothing may have asked outside or opened a dialog."""
    yield Session(page, serve(APP))
    assert outside_requests == []
    assert dialogs == []


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


def start_server(script: str, log: Path, port: int | None = None) -> tuple[subprocess.Popen, str]:
    port = port or _free_port()
    env = os.environ | {f"STREAMLIT_{name}": value for name, value in SETTINGS.items()}
    env |= {"STREAMLIT_SERVER_PORT": str(port), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / script)]
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=out)
    try:
        _wait(process, port, log)
    except BaseException:
        stop_server(process)
        raise
    return process, f"http://127.0.0.1:{port}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(process: subprocess.Popen, port: int, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"the app did not start:\n{log.read_text()[-2000:]}")


def stop_server(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
