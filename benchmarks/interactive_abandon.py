"""A long fit that the user gives up: how soon the server has stopped working on it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.interactive_app import App
from benchmarks.interactive_data import write_csv
from benchmarks.interactive_row import Row
from benchmarks.interactive_server import seconds_until_idle

N_STOPS = 3
LONG_ENOUGH = 0.5  # seconds of growing, after its Stop button has come, before it is given up


def rows(app: App, folder: Path) -> Iterator[Row]:
    """Stop, another setting (a stump, which is grown at once), a closed tab."""
    app.upload(write_csv(folder / "abandon.csv", 1_000_000, 20, 3))  # it must not be done before it is given up
    app.limited_before_growing(1)
    app.grow_page()
    stops = []
    for _ in range(N_STOPS):
        _start(app)
        stops.append(_given_up(app, app.session.button("Stop").click))
        app.drag_depth(1)
        app.session.settled()
        app.rest()
    yield Row("Stop to an idle server", stops, goal="0.5 s")
    _start(app)
    changed = [_given_up(app, lambda: app.drag_depth(1))]
    yield Row("another limit to an idle server, its tree drawn", changed)
    _start(app)
    closed = [_given_up(app, app.page.close)]
    yield Row("a closed tab to an idle server", closed, goal="0.5 s")


def _start(app: App) -> None:
    """Grow without a limit of depth, until it has gone on for a while."""
    app.drag_depth(None)
    app.page.get_by_test_id("stMain").get_by_role("button", name="Stop").wait_for()
    time.sleep(LONG_ENOUGH)


def _given_up(app: App, act: Callable[[], None]) -> float:
    """Milliseconds from the end of the act until the server has nothing more to do."""
    act()
    return 1000 * seconds_until_idle(app.pid, time.perf_counter())
