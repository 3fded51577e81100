"""One picture per page, for docs/screens, and that of the README: uv run python docs/make_screens.py; Chromium at
$CHROMIUM or installed."""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pages import PAGES  # noqa: E402
from tests.browser.app_steps import Session, loans  # noqa: E402
from tests.browser.running import opened  # noqa: E402

SIZE = {"width": 1366, "height": 768}
REST = 2500
"""Milliseconds until charts stand still."""


def take(app: Session) -> None:
    """The start page, then every page with the tree of a file."""
    tab, folder = app.page, ROOT / "docs" / "screens"
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
    shutil.copy(folder / "explore.png", ROOT / "assets" / "screenshot.png")


if __name__ == "__main__":
    with opened(viewport=SIZE, color_scheme="light") as session:
        take(session)
