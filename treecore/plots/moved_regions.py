"""The plane after one row has moved: its way, the borders of before, and hatched what is answered otherwise."""

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import closed
from treecore.plots.palette import CLEAR, EDGE, HALO, INK, NEUTRAL
from treecore.plots.points import STAYS_PUT
from treecore.plots.regions import region_map
from treecore.plots.words import digits, text
from treecore.study.points import Points
from treecore.study.regions import PlaneChange, Regions

GRID = 48, 36
"""Places that can be clicked, across and up."""
Place = tuple[float, float]


def moved_regions(
    regions: Regions, before: Regions, change: PlaneChange, points: Points | None, start: Place | None, now: Place
) -> go.Figure:
    """regions : of the tree that grew anew. start : where the row was, None where it had no value; now : where it is.

    Everywhere a click gives the customdata (x, y, 1) of a place.
    """
    drawn = region_map(regions, points)
    for trace in (*_changed(change), *_borders(before), *_way(start, now), _places(regions)):
        drawn.add_trace(trace)
    return drawn


def _changed(change: PlaneChange) -> list[go.Scatter]:
    """All changed rectangles as one hatched area."""
    if not len(change.x0):
        return []
    x, y = closed(change.outlines)
    hatch = {"shape": "/", "fgcolor": INK, "bgcolor": "rgba(255,255,255,0.35)", "size": 7, "solidity": 0.2}
    return [
        go.Scatter(x=x, y=y, mode="lines", line={"width": 0}, fill="toself", fillpattern=hatch, hoverinfo="skip",
                   fillcolor=CLEAR, name="changed")
    ]  # fmt: skip


def _borders(before: Regions) -> list[go.Scatter]:
    """Edges of the former rectangles."""
    x, y = closed(before.outlines)
    look = {"color": NEUTRAL, "width": 1.5, "dash": "dash"}
    return [go.Scatter(x=x, y=y, mode="lines", line=look, hoverinfo="skip", name="before")]


def _way(start: Place | None, now: Place) -> list[go.Scatter]:
    """From where the row was to where it is, dark upon light."""
    told = f"the row: {digits(now[0])}, {digits(now[1])}<extra></extra>"
    star = {"symbol": "star", "size": 17, "color": HALO, "line": {"width": 2, "color": INK}}
    still = {"mode": "lines+markers", "hoverinfo": "skip", "showlegend": False, "unselected": STAYS_PUT}
    traces = []
    for color, width in ((HALO, 5), (INK, 2)) if start is not None and start != now else ():
        x, y = zip(start, now, strict=True)
        ring = {"symbol": ["circle-open", "circle"], "size": [15, 0.1], "color": color, "line": {"width": width + 0.5}}
        look = {"line": {"color": color, "width": width}, "marker": ring}
        traces.append(go.Scatter(x=x, y=y, name="where it was", **look, **still))
    here = still | {"mode": "markers", "hoverinfo": None}
    return [*traces, go.Scatter(x=now[:1], y=now[1:], marker=star, hovertemplate=told, name="the row now", **here)]


def _places(regions: Regions) -> go.Scatter:
    """Unseen marks all over the plane, for clicks."""
    x, y = (
        np.round(np.linspace(axis.low, axis.high, n), _decimals(axis.high - axis.low))
        for axis, n in ((regions.x, GRID[0]), (regions.y, GRID[1]))
    )
    places = np.stack([g.ravel() for g in np.meshgrid(x, y)], axis=1)
    told_of = np.append(places, np.ones((len(places), 1)), axis=1)
    names = text(regions.x.name, 24), text(regions.y.name, 24)
    told = f"move it to<br>{names[0]} = %{{x:.4g}}<br>{names[1]} = %{{y:.4g}}<extra></extra>"
    mark = {"size": 9, "opacity": 0, "color": EDGE}
    return go.Scatter(
        x=places[:, 0], y=places[:, 1], mode="markers", marker=mark, customdata=told_of, hovertemplate=told,
        showlegend=False, unselected={"marker": {"opacity": 0}}, selected={"marker": {"opacity": 0}},
    )  # fmt: skip


def _decimals(wide: float) -> int:
    """So many that three digits of the range are told."""
    return max(0, 2 - int(np.floor(np.log10(wide)))) if wide > 0 else 0
