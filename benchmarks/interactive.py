"""How long the app takes to answer, in Chromium: from what a hand does to the picture that shows it.

    uv run python benchmarks/interactive.py [pruning] [small] [large] [csv] [abandon]

Makes its own tables (fixed seed), starts the app as the README does and prints a table; without names all parts run.
Times are of the browser, in milliseconds from the event; memory is the server's, from /proc (Linux).
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import interactive_abandon, interactive_csv, interactive_grow, interactive_pruning  # noqa: E402
from benchmarks.interactive_app import running_app  # noqa: E402


class Part(NamedTuple):
    """One group of rows: (app, folder for its files) -> Rows."""

    measure: Callable
    about: str


PARTS = {
    "pruning": Part(interactive_pruning.rows, "5000 rows x 10 columns, 301 nodes drawn"),
    "small": Part(interactive_grow.small, "10 000 rows x 20 columns"),
    "large": Part(interactive_grow.large, "1 000 000 rows x 10 columns, depth 6 and less"),
    "csv": Part(interactive_csv.rows, "a CSV file of about 100 MB, 1 000 000 rows x 10 columns"),
    "abandon": Part(interactive_abandon.rows, "1 000 000 rows x 20 columns, growing without limits"),
}


def lines(name: str) -> Iterator[str]:
    """The rows of one part, measured with a server of its own, as a table in Markdown."""
    yield f"\n{PARTS[name].about}\n"
    yield "| what | unit | median | lowest | highest | n | to reach |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    with tempfile.TemporaryDirectory() as folder, running_app() as app:
        for row in PARTS[name].measure(app, Path(folder)):
            found = np.array(row.figures)
            middle, low, high = np.median(found), found.min(), found.max()
            yield f"| {row.what} | {row.unit} | {middle:.0f} | {low:.0f} | {high:.0f} | {len(found)} | {row.goal} |"


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        for line in lines(name):
            print(line, flush=True)


if __name__ == "__main__":
    main()
