"""A large CSV file: from giving it to the page Data to the first tree, and what memory the server takes."""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.interactive_app import App
from benchmarks.interactive_data import write_csv
from benchmarks.interactive_row import Row
from benchmarks.interactive_server import MEGABYTE, forget_peak, memory, peak_memory


def rows(app: App, folder: Path) -> Iterator[Row]:
    """Six digits after the point: nearly every number is another one."""
    path = write_csv(folder / "csv.csv", 1_000_000, 10, 6)
    size = path.stat().st_size / MEGABYTE
    app.warm_up(folder)
    idle = memory(app.pid)
    forget_peak(app.pid)
    begin = perf_counter()
    app.upload(path)
    table = perf_counter() - begin
    at_table = peak_memory(app.pid)
    app.limited_before_growing(6)
    begin_tree = perf_counter()
    app.session.tree()
    tree = table + perf_counter() - begin_tree
    app.session.settled()
    app.rest()
    peak = peak_memory(app.pid)
    yield Row("the file", [size], "MB")
    yield Row("upload to its table on the page", [1000 * table])
    yield Row("upload to the first tree (depth 6), without the hand's own time", [1000 * tree], goal="10 s")
    yield Row("server before", [idle], "MB")
    yield Row("server's peak, until the table", [at_table], "MB")
    yield Row("server's peak, until the tree", [peak], "MB")
    yield Row("server's peak, in percent of the file", [100 * peak / size], "%")
    yield Row("growth of the server, in percent of the file", [100 * (peak - idle) / size], "%", "400 %")
