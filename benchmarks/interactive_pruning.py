"""The slider of the page Size & pruning, on a tree of more than 1000 nodes."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.interactive_app import App
from benchmarks.interactive_data import write_csv
from benchmarks.interactive_row import Row, told
from benchmarks.interactive_watch import Watch

N_STEPS = 15


def rows(app: App, folder: Path) -> Iterator[Row]:
    """Steps of the slider by key: until the tree in force, the ghosts and the curve are those of the new size."""
    app.upload(write_csv(folder / "pruning.csv", 5000, 10, 3))
    app.session.go("Size & pruning")
    app.slider("Nodes drawn, level by level").press("End")
    app.page.get_by_text("301 of").first.wait_for()
    app.session.settled()
    app.slider("Pruned to").press("Home")
    app.rest()
    watch, found = Watch(app.page, app.pid), []
    app.slider("Pruned to").focus()
    for _ in range(N_STEPS):
        found.append(watch.times(lambda: app.page.keyboard.press("ArrowRight"), "in force"))
        app.rest()
    yield from told("slider to diagram, curve and table", found, "settled")
