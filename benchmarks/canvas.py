"""How the canvas moves, in Chromium: milliseconds from the click on "+n" until it rests.

uv run python benchmarks/canvas.py; on a busy machine they say nothing.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import sync_playwright

from tests.browser.app_steps import APP, Session, loans
from tests.browser.conftest import FLAGS, find_chromium, start_server, stop_server

SIZE, PILLS = {"width": 1366, "height": 768}, 5
RESTED = """pill => new Promise(done => {
    const root = pill.getRootNode().querySelector(".bench"), start = performance.now();
    let moved = false;
    const look = () => {
        moved ||= "moving" in root.dataset;
        if (moved && !("moving" in root.dataset)) done(performance.now() - start);
        else requestAnimationFrame(look);
    };
    const at = pill.getBoundingClientRect(), about = { bubbles: true, composed: true, pointerId: 1, button: 0,
        clientX: at.x + at.width / 2, clientY: at.y + at.height / 2 };
    for (const name of ["pointerdown", "pointerup"]) pill.dispatchEvent(new PointerEvent(name, about));
    pill.dispatchEvent(new MouseEvent("click", about));
    look();
})"""


def pill_times(app: Session) -> list[float]:
    """Milliseconds from the click on "+n" until everything stands still, one pill after the other."""
    found = []
    for _ in range(PILLS):
        pill = app.page.locator(".bench .pill rect").first
        found.append(pill.evaluate(RESTED))
        app.settled()
        app.page.wait_for_timeout(600)
    return found


def measure(tab, address: str) -> None:
    """On the unpruned tree of a file of 20 000 loans."""
    tab.set_default_timeout(120_000)
    app = Session(tab, address)
    app.upload("loans.csv", loans(20_000))
    tab.get_by_test_id("tree").wait_for()
    app.drawn()
    app.settled()
    tab.get_by_test_id("dock").get_by_role("slider").focus()
    tab.keyboard.press("End")
    tab.wait_for_timeout(1500)
    app.settled()
    app.drawn()
    print("a pill until it rests, ms:", *(f"{ms:.0f}" for ms in pill_times(app)))


def main() -> None:
    """Start the app and a browser, measure, and end both."""
    with tempfile.TemporaryDirectory() as folder:
        server, address = start_server(APP, Path(folder) / "log.txt")
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
                measure(browser.new_context(viewport=SIZE).new_page(), address)
                browser.close()
        finally:
            stop_server(server)


if __name__ == "__main__":
    main()
