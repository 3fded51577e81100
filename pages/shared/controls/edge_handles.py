"""A column's histogram with a handle at every edge of its bins: dragged, moved by keys, added and taken away."""

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import streamlit as st

from pages.shared.session import state
from treecore.export.cards import PALETTE
from treecore.figures import number
from treecore.study.column_counts import ColumnCounts
from treecore.tree.short_text import apart, shorten
from treecore.view.modules import joined, styles

ASSETS = Path(__file__).resolve().parents[3] / "assets" / "workbench"
KEY = "edge handles"
MOST, TICKS, STEPS = 200, 5, 100
"""Edges taken from the browser; numbers under the bars; about so many places of a handle."""
HINT = "Drag an edge, or move it by the arrow keys; a double click adds one, Delete takes one away."

Take = Callable[[tuple[float, ...]], None]

_component = st.components.v2.component(
    "treecore_edges", html='<div class="edges"></div>', css=styles(ASSETS / "edges.css"),
    js=joined(ASSETS / "edges_main.js"),
)  # fmt: skip


def show(counts: ColumnCounts, edges: tuple[float, ...], whole: bool, take: Take) -> None:
    """whole : are all values whole numbers? take : called with the edges once a handle is let go."""
    _component(key=KEY, data=_drawn(counts, edges, whole), on_taken_change=lambda: _taken(take))


def _drawn(counts: ColumnCounts, edges: tuple[float, ...], whole: bool) -> dict:
    ends = counts.edges.tolist()
    low, high = min(ends[0], edges[0]), max(ends[-1], edges[-1])
    step = 10.0 ** math.floor(math.log10(max(high - low, 1e-12) / STEPS))
    places = apart(counts.groups)
    names = [shorten(name, 40, places) for name in counts.groups]
    return {
        "low": low, "high": high, "step": max(step, 1.0) if whole else step,
        "bins": list(pairwise(ends)), "counts": counts.counts.tolist(),
        "told": [_told(name, counts, k) for k, name in enumerate(names or ["rows"])], "edges": list(edges),
        "groups": names, "colors": list(PALETTE), "ticks": _ticks(low, high),
        "words": {"name": f"Edges of the bins of {counts.name}", "edge": "Edge", "hint": HINT},
    }  # fmt: skip


def _told(name: str, counts: ColumnCounts, k: int) -> list[str]:
    """What each bar of a class says when it is pointed at."""
    ends = [number(edge) for edge in counts.edges]
    return [f"{ends[i]} to {ends[i + 1]}, {name}: {n:,}" for i, n in enumerate(counts.counts[k].tolist())]


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Places under the bars, with the numbers that stand there: round ones."""
    rough = max(high - low, 1e-12) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-9))
    places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [(at * step, number(round(at * step, 12))) for at in places]


def _taken(take: Take) -> None:
    told = state.widget(KEY).get("taken")
    if not isinstance(told, list) or len(told) > MOST:
        return
    if all(isinstance(edge, int | float) and math.isfinite(edge) for edge in told):
        take(tuple(sorted({float(edge) for edge in told})))
