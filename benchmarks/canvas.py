"""How the canvas moves, in Chromium: milliseconds from the click on "+n" until it rests, and frames a second while the
handle of the size curve is dragged over a tree of 500 drawn nodes, with what is sent to the server meanwhile.

uv run python benchmarks/canvas.py; on a busy machine they say nothing.
"""

import itertools
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.browser.app_steps import Session, loans
from tests.browser.running import opened

PILLS, NODES, DRAGGED = 5, 500, 4.0
"""Clicks on "+n"; nodes that are drawn before the handle is dragged, and for how many seconds."""
PRESSED = """pill => {
    const at = pill.getBoundingClientRect(), about = { bubbles: true, composed: true, pointerId: 1, button: 0,
        clientX: at.x + at.width / 2, clientY: at.y + at.height / 2 };
    for (const name of ["pointerdown", "pointerup"]) pill.dispatchEvent(new PointerEvent(name, about));
    pill.dispatchEvent(new MouseEvent("click", about));
}"""
FRAMES = """() => {
    window.frames_seen = [];
    const look = (now) => { window.frames_seen.push(now); window.looking = requestAnimationFrame(look); };
    window.looking = requestAnimationFrame(look);
}"""
SEEN = """() => { cancelAnimationFrame(window.looking); return window.frames_seen; }"""
RESTED = """pill => new Promise(done => {
    const root = pill.getRootNode().querySelector(".bench"), start = performance.now();
    const press = PRESSED;
    let moved = false;
    const look = () => {
        moved ||= "moving" in root.dataset;
        if (moved && !("moving" in root.dataset)) done(performance.now() - start);
        else requestAnimationFrame(look);
    };
    press(pill);
    look();
})""".replace("PRESSED", PRESSED)


def pill_times(app: Session) -> list[float]:
    """Milliseconds from the click on "+n" until everything stands still, one pill after the other."""
    found = []
    for _ in range(PILLS):
        pill = app.page.locator(".bench .pill rect").first
        found.append(pill.evaluate(RESTED))
        app.settled()
        app.page.wait_for_timeout(600)
    return found


def open_to(app: Session, n: int) -> int:
    """Open one "+n" after the other until so many nodes are drawn."""
    nodes, pills = app.page.locator(".bench .node"), app.page.locator(".bench .pill rect")
    while (now := nodes.count()) < n and pills.count():
        pills.first.evaluate(PRESSED)
        while nodes.count() <= now:
            app.page.wait_for_timeout(20)
    app.settled()
    app.drawn()
    return nodes.count()


def dragged(app: Session, sent: list) -> tuple[list[float], int]:
    """(ms of every frame while the handle is dragged to and fro, messages sent to the server before it is let go)."""
    tab, mouse = app.page, app.page.mouse
    dock = tab.get_by_test_id("dock")
    knob, plot = dock.locator(".knob").bounding_box(), dock.bounding_box()
    y = knob["y"] + knob["height"] / 2
    mouse.move(knob["x"] + knob["width"] / 2, y)
    mouse.down()
    tab.evaluate(FRAMES)
    before, end, i = len(sent), time.monotonic() + DRAGGED, 0
    while time.monotonic() < end:
        share = abs((i * 0.011) % 2 - 1)
        mouse.move(plot["x"] + plot["width"] * (0.06 + 0.72 * share), y)
        i += 1
    frames, messages = tab.evaluate(SEEN), len(sent) - before
    tab.keyboard.press("Escape")
    mouse.up()
    return [b - a for a, b in itertools.pairwise(frames)], messages


def whole(app: Session, n_rows: int) -> None:
    """The unpruned tree of a file of so many loans."""
    tab = app.page
    app.upload(f"loans{n_rows}.csv", loans(n_rows))
    app.named(f"loans{n_rows}")
    tab.get_by_test_id("tree").wait_for()
    app.drawn()
    app.settled()
    tab.get_by_test_id("dock").get_by_role("slider").focus()
    tab.keyboard.press("End")
    tab.wait_for_timeout(1500)
    app.settled()
    app.drawn()


def measure(app: Session) -> None:
    """On the unpruned trees of files of 20 000 and 40 000 loans."""
    sent: list = []
    app.page.on("websocket", lambda socket: socket.on("framesent", lambda told: sent.append(told)))
    app.anew()
    whole(app, 20_000)
    print("a pill until it rests, ms:", *(f"{ms:.0f}" for ms in pill_times(app)))
    app.anew()
    whole(app, 40_000)
    drawn = open_to(app, NODES)
    frames, messages = dragged(app, sent)
    longest = sorted(frames)[-3:]
    print(
        f"dragging over {drawn} nodes: {1000 * len(frames) / sum(frames):.0f} frames/s, the longest three "
        f"{', '.join(f'{ms:.0f}' for ms in longest)} ms; messages to the server before letting go: {messages}"
    )


if __name__ == "__main__":
    with opened(viewport={"width": 1366, "height": 768}) as session:
        measure(session)
