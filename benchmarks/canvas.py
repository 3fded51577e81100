"""How the canvas moves, in Chromium: milliseconds from the click on "+n" until it rests.

uv run python benchmarks/canvas.py; on a busy machine they say nothing.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.browser.app_steps import Session, loans
from tests.browser.running import opened

PILLS = 5
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


def measure(app: Session) -> None:
    """On the unpruned tree of a file of 20 000 loans."""
    tab = app.page
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


if __name__ == "__main__":
    with opened(viewport={"width": 1366, "height": 768}) as session:
        measure(session)
