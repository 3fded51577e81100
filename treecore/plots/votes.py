"""The votes of many trees in the plane of two features: a class's colour, the deeper the more trees say so."""

import numpy as np
import plotly.graph_objects as go

from treecore.export.png import palette_png
from treecore.plots.frame import feature_axis, figure, legend_key, upward_axis
from treecore.plots.palette import COLORS, SCALE, rgb, scale_rgb
from treecore.plots.points import class_points, value_points
from treecore.plots.words import digits, percent, text, texts
from treecore.study.plane import Axis
from treecore.study.points import Points
from treecore.study.regions import SHADES

STEPS = SHADES // len(COLORS)
"""Shades of each class's colour."""
DEEPEST = 0.6
TOLD = 60
"""Places on each side that say their votes where one points at them."""


def vote_map(
    x: Axis, y: Axis, votes: np.ndarray, target: str, classes: tuple[str, ...], points: Points | None = None
) -> go.Figure:
    """votes : float64 (n_y, n_x, n_classes), shares, or (n_y, n_x) of numbers; the lowest row first."""
    names = texts(classes, 24)
    traces = [_told(x, y, votes, names)]
    if points is not None:
        traces += class_points(points, target, names) if classes else value_points(points, target)
    limits = (float(votes.min()), float(votes.max()))
    image = palette_png(_shades(votes, limits, bool(classes))[::-1], _colors(bool(classes)))
    place = {"xref": "x", "yref": "y", "x": x.low, "y": y.high, "sizex": x.high - x.low, "sizey": y.high - y.low}
    layout = {"images": [place | {"source": image, "sizing": "stretch", "layer": "below"}]}
    if not classes:
        bar = {"title": {"text": text(target, 24)}, "thickness": 12, "outlinewidth": 0}
        layout["coloraxis"] = {"colorscale": SCALE, "cmin": limits[0], "cmax": limits[1], "colorbar": bar}
        traces.append(legend_key("", {"color": [limits[0]], "coloraxis": "coloraxis"}, showlegend=False))
    return figure(traces, feature_axis(x), upward_axis(y), **layout)


def _shades(votes: np.ndarray, limits: tuple[float, float], by_class: bool) -> np.ndarray:
    """uint8 (n_y, n_x): the colour of the class with most votes, as deep as its share; or the place on the scale."""
    if by_class:
        deep = np.rint(votes.max(axis=2) * (STEPS - 1)).astype(np.int64)
        return (votes.argmax(axis=2) % len(COLORS) * STEPS + deep).astype(np.uint8)
    span = limits[1] - limits[0]
    return np.rint((votes - limits[0]) / (span or 1.0) * (SHADES - 1)).astype(np.uint8)


def _colors(by_class: bool) -> np.ndarray:
    """uint8 (256, 4)."""
    rgba = np.zeros((256, 4), np.uint8)
    if by_class:
        alpha = np.rint(255 * DEEPEST * np.arange(STEPS) / (STEPS - 1))
        rgba[: len(COLORS) * STEPS] = [(*rgb(k), a) for k in range(len(COLORS)) for a in alpha]
    else:
        rgba[:SHADES, :3], rgba[:SHADES, 3] = scale_rgb(), 255
    return rgba


def _told(x: Axis, y: Axis, votes: np.ndarray, names: list[str]) -> go.Heatmap:
    """An unseen layer that says the votes wherever one points."""
    rows, columns = (np.unique(np.linspace(0, n - 1, min(n, TOLD)).astype(int)) for n in votes.shape[:2])
    some = votes[np.ix_(rows, columns)]
    shown = np.array([[_words(each, names) for each in row] for row in some], object)
    place = lambda axis, at, n: axis.low + (at + 0.5) / n * (axis.high - axis.low)  # noqa: E731
    return go.Heatmap(
        x=place(x, columns, votes.shape[1]), y=place(y, rows, votes.shape[0]), z=np.zeros(shown.shape, np.uint8),
        text=shown, opacity=0, showscale=False, hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip


def _words(vote: np.ndarray, names: list[str]) -> str:
    if not names:
        return digits(float(vote))
    best = np.argsort(-vote, kind="stable")[:3]
    return "<br>".join(f"{names[k]}: {percent(float(vote[k]))} of the votes" for k in best if vote[k] > 0)
