"""One picture per page, for docs/screens: uv run python docs/make_screens.py; Chromium at $CHROMIUM or installed."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pages import PAGES  # noqa: E402
from tests.browser.app_steps import APP, Session, loans  # noqa: E402
from tests.browser.conftest import FLAGS, find_chromium, start_server, stop_server  # noqa: E402

SIZE = {"width": 1366, "height": 768}
REST = 2500
"""Milliseconds until charts stand still."""


def take(tab, address: str) -> None:
    """The start page, then every page with the tree of a file."""
    tab.set_default_timeout(120_000)
    app, folder = Session(tab, address), ROOT / "docs" / "screens"
    tab.wait_for_timeout(REST)
    tab.screenshot(path=folder / "start.png")
    app.upload("loans.csv", loans())
    tab.get_by_test_id("tree").wait_for()
    app.drawn()
    for page in PAGES.values():
        app.go(page.label)
        tab.wait_for_timeout(REST)
        app.settled()
        tab.screenshot(path=folder / f"{'explore' if page.name == 'grow' else page.name}.png")


def main() -> None:
    """Start the app and a browser, take the pictures, and end both."""
    with tempfile.TemporaryDirectory() as folder:
        server, address = start_server(APP, Path(folder) / "log.txt")
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
                take(browser.new_context(viewport=SIZE, color_scheme="light").new_page(), address)
                browser.close()
        finally:
            stop_server(server)


if __name__ == "__main__":
    main()
