"""How time and memory grow with rows (1e3 ... 1e6), columns (5 ... 200) and classes (2 ... 50).

    uv run --extra peers python -m benchmarks.scaling --out scaling.md --svg scaling.svg     # on a quiet machine
    uv run python -m benchmarks.scaling --base 1000 --most-rows 10000                        # a small try

Full trees of continuous columns. What is not varied stays at --base rows (10 000), 20 columns, 2 classes. Measured as
in benchmarks/peers.py: interleaved, a process per peer and setting, one core. Prints a table; --svg draws it, both axes
logarithmic.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.peers import absent, compared
from benchmarks.peers_fits import PEERS
from benchmarks.peers_settings import Setting
from benchmarks.peers_table import machine
from benchmarks.scaling_plot import Panel, svg

AXES = {
    "rows": ("n_rows", (1_000, 10_000, 100_000, 1_000_000)),
    "columns": ("n_columns", (5, 20, 50, 100, 200)),
    "classes": ("n_classes", (2, 3, 5, 10, 20, 50)),
}
FIGURES = {"seconds": "seconds", "MB": "peak_mb"}


def measured(base: Setting, most_rows: int, peers: list[str], limit: float) -> dict[str, dict[int, dict[str, dict]]]:
    """Axis -> value -> peer -> figures; settings that two axes share are measured once."""
    known: dict[Setting, dict] = {}
    found: dict[str, dict] = {}
    for axis, (field, values) in AXES.items():
        found[axis] = {}
        for value in values:
            setting = replace(base, **{field: value})
            if setting.n_rows > most_rows:
                continue
            if setting not in known:
                known[setting] = compared(setting, peers, limit)
                print(f"{setting.name}: {known[setting]}", flush=True)
            found[axis][value] = known[setting]
    return found


def table(found: dict, peers: list[str]) -> Iterator[str]:
    """One row per setting: seconds and megabytes of every peer."""
    names = [f"{peer}, {unit}" for unit in FIGURES for peer in peers]
    yield f"| what | n | {' | '.join(names)} |"
    yield "| --- " * (len(names) + 2) + "|"
    for axis, values in found.items():
        for value, figures in values.items():
            cells = [figures[peer].get(figure) for figure in FIGURES.values() for peer in peers]
            texts = ["-" if cell is None else f"{cell:.3g}" for cell in cells]
            yield f"| {axis} | {value} | {' | '.join(texts)} |"


def panels(found: dict, peers: list[str]) -> list[Panel]:
    """Seconds of every axis, then megabytes; a line per peer."""
    return [
        Panel(axis, unit, {peer: _line(values, peer, figure) for peer in peers})
        for unit, figure in FIGURES.items()
        for axis, values in found.items()
    ]


def _line(values: dict[int, dict[str, dict]], peer: str, figure: str) -> list[tuple[float, float]]:
    """Points above 0: a fit within memory that the process had already adds none."""
    found = [(value, figures[peer].get(figure, 0)) for value, figures in values.items()]
    return [(x, y) for x, y in found if y > 0]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--base", type=int, default=10_000)
    asked.add_argument("--most-rows", type=int, default=1_000_000)
    asked.add_argument("--peers", default=";".join(PEERS))
    asked.add_argument("--limit", type=float, default=150.0)
    asked.add_argument("--out", type=Path)
    asked.add_argument("--svg", type=Path)
    given = asked.parse_args()
    peers = [name for name in map(str.strip, given.peers.split(";")) if not absent(name)]
    found = measured(Setting("cont", given.base), given.most_rows, peers, given.limit)
    text = "\n".join([*machine(peers), "", *table(found, peers)]) + "\n"
    print(text)
    if given.out:
        given.out.write_text(text)
    if given.svg:
        given.svg.write_text(svg(panels(found, peers), columns=len(AXES)))


if __name__ == "__main__":
    main()
