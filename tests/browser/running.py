"""The app and a Chromium, started for tests, for measuring and for the pictures of the documentation."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


@contextmanager
def opened(**context) -> Iterator[Session]:
    """The app in a tab of its own, server and browser ended afterwards. context : of Playwright's `new_context`."""
    from playwright.sync_api import sync_playwright  # where it is not installed, the tests are skipped

    with tempfile.TemporaryDirectory() as folder:
        server, address = start_server(APP, Path(folder) / "log.txt")
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
                tab = browser.new_context(**context).new_page()
                tab.set_default_timeout(120_000)
                yield Session(tab, address)
                browser.close()
        finally:
            stop_server(server)


def settings(port: int) -> dict[str, str]:
    """Of the app's server, as variables of its environment."""
    return {f"STREAMLIT_{name}": value for name, value in SETTINGS.items()} | {"STREAMLIT_SERVER_PORT": str(port)}


def start_server(script: str, log: Path, port: int | None = None) -> tuple[subprocess.Popen, str]:
    port = port or free_port()
    env = os.environ | settings(port) | {"PYTHONPATH": str(ROOT)}
    with log.open("w") as out:
        process = started("streamlit", "run", str(ROOT / script), env=env, stdout=out, stderr=out)
    try:
        wait_for(process, port, log)
    except BaseException:
        stop_server(process)
        raise
    return process, f"http://127.0.0.1:{port}"


def started(module: str, *args: str, **options) -> subprocess.Popen:
    """`python -m module args`, which ends when this process does, however it ends. options : of Popen."""
    command = [sys.executable, "-m", "tests.browser.served", module, *args]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, **options)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(process: subprocess.Popen, port: int, log: Path, path: str = "_stcore/health") -> None:
    """Until the server answers; RuntimeError with its log where it does not. path : that it is asked for."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"the server did not start:\n{log.read_text()[-2000:]}")


def stop_server(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
