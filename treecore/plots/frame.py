"""What all pictures share: a transparent page, quiet axes, a legend above."""

from collections.abc import Iterable

import numpy as np
import plotly.graph_objects as go

from treecore.plots.palette import CLEAR, EDGE, GRID, NEUTRAL
from treecore.plots.words import text, texts
from treecore.study.plane import Axis

NO_BUTTONS = ["sendChartToCloud", "lasso2d", "select2d", "autoScale2d"]
"""Nothing leaves the machine, and what the pictures have no use for."""
SHARE = "~%"
"""How ticks of shares are written: without decimals where none are needed, and never two of them alike."""
SMALL = {"size": 12}
"""The least letters of a picture, in pixels: a page's theme may have smaller ones."""


def figure(traces: list, xaxis: dict, yaxis: dict, **layout) -> go.Figure:
    """A figure on a transparent ground. Typeface and text colours are left to the page's theme."""
    base = {
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "margin": {"l": 8, "r": 8, "t": 36, "b": 8},
        "legend": {
            "orientation": "h",
            "traceorder": "normal",
            "x": 0,
            "y": 1.02,
            "xanchor": "left",
            "yanchor": "bottom",
            "bgcolor": CLEAR,
            "font": SMALL,
        },
        "modebar": {"bgcolor": CLEAR, "color": EDGE, "activecolor": NEUTRAL, "remove": NO_BUTTONS},
        "hovermode": "closest",
        "hoverlabel": {"align": "left", "namelength": -1},
        "xaxis": axis(**xaxis),
        "yaxis": axis(**yaxis),
    }
    return go.Figure(traces, base | layout)


def axis(title: str = "", **more) -> dict:
    """An axis with a thin line and light grid; `title` is already safe text."""
    quiet = {"zeroline": False, "gridcolor": GRID, "linecolor": EDGE, "showline": True, "automargin": True}
    return quiet | {"tickfont": SMALL, "title": {"text": title}} | more


def feature_axis(side: Axis) -> dict:
    """The axis of a feature: its range, or a tick per level. A plane beside the tree is as wide as 36 letters."""
    found = {"title": text(side.name, 36), "range": [side.low, side.high], "showgrid": False}
    if side.kind == "numeric":
        return found
    return found | level_ticks(side.levels)


def upward_axis(side: Axis) -> dict:
    """The same of an axis that goes up, along which the title is written: a small plane is as high as 24 letters."""
    return feature_axis(side) | {"title": text(side.name, 24)}


def level_ticks(levels) -> dict:
    """Ticks 0, 1, 2 ... with the levels' names: as positions, no name is ever read as a number or a date."""
    names = texts(levels, 20)
    return {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": names, "type": "linear"}


def strip(**shape) -> dict:
    """A shape below the marks."""
    return {"layer": "below", "line": {"width": 0}} | shape


def vertical(x: float, color: str, dash: str = "solid", width: float = 1.5) -> dict:
    """A line over the full height."""
    line = {"color": color, "dash": dash, "width": width}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "xref": "x", "yref": "y domain", "line": line}


def legend_key(name: str, marker: dict, **more) -> go.Scatter:
    """An entry of the legend that stands for no trace of its own; `name` is already safe text."""
    return go.Scatter(x=[None], y=[None], mode="markers", name=name, marker=marker, hoverinfo="skip", **more)


def closed(outlines: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """(x, y), float64: every polygon of corners (k, 2) as a closed line, and a gap after it."""
    gap = np.full((1, 2), np.nan)
    parts = [part for outline in outlines for part in (outline, outline[:1], gap)]
    return tuple(np.concatenate([*parts, gap[:0]]).T)
