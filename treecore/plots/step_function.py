"""The step function of a regression tree along one feature, with the rows."""

import itertools

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import feature_axis, figure, strip
from treecore.plots.palette import COLORS, INK
from treecore.plots.points import plain_points
from treecore.plots.words import text
from treecore.study.points import Points
from treecore.study.regions import StepFunction


def step_function(steps: StepFunction, points: Points | None = None, selected: np.ndarray | None = None) -> go.Figure:
    """The prediction as level pieces, the rows as points.

    selected : float64 (n, 2), the range (low, high) of the selected node, shaded. The customdata of a row is
    (0-based row of the source, node), that of a piece (node,).
    """
    traces = [] if points is None else plain_points(points, steps.target)
    traces.append(_line(steps))
    shapes = [] if selected is None else [_band(low, high) for low, high in selected.tolist()]
    xaxis = feature_axis(steps.axis) | {"showgrid": True}
    return figure(traces, xaxis, {"title": text(steps.target, 48)}, shapes=shapes)


def _line(steps: StepFunction) -> go.Scatter:
    # every piece has its own two ends and a gap after it: the jumps are no values of the function
    gap = np.full(len(steps.value), np.nan)
    x = np.stack([steps.edges[:-1], steps.edges[1:], gap], axis=1).ravel()
    y = np.stack([steps.value, steps.value, gap], axis=1).ravel()
    ends = np.stack([steps.edges[:-1], steps.edges[1:], steps.node], axis=1).repeat(3, axis=0)
    texts = [f"{low} to {high}" for low, high in itertools.pairwise(steps.printed)]
    told = "%{text}<br>predicted: %{y:.4g} (node %{customdata[2]})<extra></extra>"
    look = {"line": {"color": COLORS[5], "width": 3.5}, "text": np.repeat(texts, 3), "hovertemplate": told}
    return go.Scatter(x=x, y=y, mode="lines", name="prediction", customdata=ends, **look)


def _band(low: float, high: float) -> dict:
    line = {"color": INK, "width": 1}
    place = {"type": "rect", "x0": low, "x1": high, "y0": 0, "y1": 1, "yref": "y domain"}
    return strip(**place, fillcolor="rgba(128,128,128,0.2)", line=line)
