"""The page Grow: a limit's slider to the new diagram, a click to the inspector."""

import time
from collections.abc import Iterator
from pathlib import Path

import treecore as tc
from benchmarks.interactive_app import App
from benchmarks.interactive_data import write_csv
from benchmarks.interactive_row import Row, told
from benchmarks.interactive_watch import Watch
from treecore.data import guess_target, read_raw
from treecore.data.read import build_table

N_ROUNDS = 3
CLICKS = (1, 2, 0, 5, 1, 6, 2, 4, 0, 3)


def small(app: App, folder: Path) -> Iterator[Row]:
    """Depths from 2 to 6, each grown anew, and nodes that were and were not looked at before."""
    path = write_csv(folder / "small.csv", 10_000, 20, 3)
    app.upload(path)
    watch = app.grow_page()
    yield from _limits(app, watch, (4, 5, 3, 6, 2), "0.4 s")
    yield _growing(path, 5)
    app.drag_depth(5)
    app.session.settled()
    app.rest()
    yield from _clicks(app, watch, "0.25 s")


def large(app: App, folder: Path) -> Iterator[Row]:
    """The same on a million rows; the limit comes first, so that no full tree is grown."""
    path = write_csv(folder / "large.csv", 1_000_000, 10, 3)
    app.warm_up(folder)
    app.upload(path)
    app.limited_before_growing(6)
    watch = app.grow_page()
    yield from _limits(app, watch, (5, 4, 6), "1.5 s")
    yield _growing(path, 6)
    yield from _clicks(app, watch, "")


def _limits(app: App, watch: Watch, depths: tuple[int, ...], goal: str) -> Iterator[Row]:
    seen = []
    for round_ in range(N_ROUNDS):
        app.at_least_in_a_branch(7 + round_)  # no tree of an earlier round fits
        for depth in depths:
            app.rest()
            seen.append(watch.times(lambda depth=depth: app.drag_depth(depth), "drawing"))
    yield from told("release of the depth slider to the new diagram", seen, "drawing", goal)


def _clicks(app: App, watch: Watch, goal: str) -> Iterator[Row]:
    seen = []
    for node in CLICKS:
        if app.session.card(node).count() and not app.is_selected(node):
            app.rest()
            seen.append(watch.times(lambda node=node: app.session.click_card(node), "inspector"))
    yield from told("click on a node to its inspector", seen, "inspector", goal)


def _growing(path: Path, depth: int) -> Row:
    """What of that is growing alone, in this process: the same rows, the app's own settings."""
    raw = read_raw(path)
    train = build_table(raw, target=guess_target(raw.guesses)).split(tc.Roles())[0]
    tc.grow(train, "cart", max_depth=1)
    found = []
    for least in range(7, 7 + N_ROUNDS):
        begin = time.perf_counter()
        tc.grow(train, "cart", max_depth=depth, min_rows_leaf=least)
        found.append(1000 * (time.perf_counter() - begin))
    return Row(f"growing alone, depth {depth}", found)
