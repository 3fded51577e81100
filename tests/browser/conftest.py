"""A real Chromium and a running app for the browser tests.

`serve("tests/browser/some_app.py")` starts a Streamlit script on a free port and returns its address;
`page` is a fresh tab; `outside_requests` collects every request that would leave this machine.
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

from tests.browser.app_steps import APP, Session

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


@pytest.fixture
def color_scheme():
    """Override in a module or by parametrising to test 'dark'."""
    return "light"


@pytest.fixture
def page(chromium, color_scheme):
    """A fresh tab with nothing stored, 1280 × 860."""
    context = chromium.new_context(viewport={"width": 1280, "height": 860}, color_scheme=color_scheme)
    tab = context.new_page()
    tab.set_default_timeout(20_000)
    yield tab
    context.close()


@pytest.fixture
def outside_requests(page):
    """Addresses outside this machine the page asked for; all of them are blocked. Must stay empty."""
    found: list[str] = []

    def guard(route):
        found.append(route.request.url)
        route.abort()

    page.route(_is_outside, guard)
    page.on("websocket", lambda socket: found.append(socket.url) if _is_outside(socket.url) else None)
    return found


def _is_outside(url: str) -> bool:
    parts = urlparse(url)
    return parts.scheme not in ("data", "blob", "about") and parts.hostname not in ("127.0.0.1", "localhost")


@pytest.fixture
def dialogs(page):
    """Messages of every alert, confirm or prompt that opened. Must stay empty."""
    found: list[str] = []

    def note(dialog):
        found.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    return found


@pytest.fixture
def faults(page):
    """Uncaught errors and console errors of the page."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda line: found.append(line.text) if line.type == "error" else None)
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


def start_server(script: str, log: Path) -> tuple[subprocess.Popen, str]:
    port = _free_port()
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
