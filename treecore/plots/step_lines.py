"""Lines of steps: a regression tree along one feature, and Kaplan-Meier curves of nodes."""

import itertools

import numpy as np
import plotly.graph_objects as go

from treecore.figures import brief, percent
from treecore.plots.decision_regions import plain_points
from treecore.plots.picture_style import COLORS, INK, NEUTRAL, SHARE, feature_axis, figure, strip, text
from treecore.study.points import Points
from treecore.study.regions import StepFunction
from treecore.study.survival_curves import NodeCurve, SurvivalCurve

MOST = 1000
"""Steps that are drawn of a curve: more of them cannot be told apart."""
BAND = "rgba(128,128,128,0.22)"


def survival_curve(found: NodeCurve, horizon: float | None = None) -> go.Figure:
    """The share of rows without an event over time, as steps: of the node with its 95 % band, of all rows dotted, and
    where the median is reached dashed lines to it; or in their place a line at the horizon."""
    name = f"node {found.node}" if found.node else "all rows"
    traces = [*_band(found.here), _steps(found.here, name, {"color": COLORS[5], "width": 3})]
    if found.node:
        traces.insert(2, _steps(found.whole, "all rows", {"color": NEUTRAL, "width": 2, "dash": "dot"}))
    yaxis = {"title": f"without {text(found.event, 24)}", "range": [0, 1.02], "tickformat": SHARE}
    xaxis = {"title": text(found.time, 36), "range": [0, found.whole.until * 1.02]}
    return figure(traces, xaxis, yaxis, shapes=_median(found.here) if horizon is None else _at(horizon, found.here))


def _at(horizon: float, curve: SurvivalCurve) -> list[dict]:
    """A line at the horizon, thick where it is above the curve: so high is the risk."""
    share = 1.0 - curve.risk(horizon)[0]
    line = {"type": "line", "x0": horizon, "x1": horizon}
    return [
        line | {"y0": 0, "y1": share, "line": {"color": NEUTRAL, "width": 1.5, "dash": "dash"}},
        line | {"y0": share, "y1": 1, "line": {"color": COLORS[5], "width": 3}},
    ]


def _steps(curve: SurvivalCurve, name: str, line: dict) -> go.Scatter:
    x, y = _from_start(curve, curve.share)
    told = [f"{name}: {percent(share)} at {brief(time)}" for time, share in zip(x.tolist(), y.tolist(), strict=True)]
    look = {"hovertext": told, "hoverinfo": "text"}
    return go.Scatter(x=x, y=y, mode="lines", name=name, line={"shape": "hv", **line}, **look)


def _band(curve: SurvivalCurve) -> list[go.Scatter]:
    """Its lower and upper end; behind a share of 0 there is none."""
    ends = [_from_start(curve, bound) for bound in (curve.low, curve.high)]
    look = {"mode": "lines", "line": {"shape": "hv", "width": 0}, "hoverinfo": "skip"}
    (x, low), (_, high) = ends
    ends_at = int(np.flatnonzero(np.isfinite(high))[-1]) + 1
    x, low, high = x[:ends_at], low[:ends_at], high[:ends_at]
    lower = go.Scatter(x=x, y=low, showlegend=False, **look)
    return [lower, go.Scatter(x=x, y=high, fill="tonexty", fillcolor=BAND, name="95 % interval", **look)]


def _from_start(curve: SurvivalCurve, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(times, values) from time 0, where all rows are without an event, to the last time that one was watched."""
    drawn = np.unique(np.linspace(0, max(len(values) - 1, 0), MOST).round().astype(int))[: len(values)]
    y = np.concatenate([[1.0], values[drawn]])
    return np.concatenate([[0.0], curve.time[drawn], [curve.until]]), np.append(y, y[-1])


def _median(curve: SurvivalCurve) -> list[dict]:
    if not np.isfinite(curve.median):
        return []
    line = {"type": "line", "line": {"color": NEUTRAL, "width": 1.5, "dash": "dash"}}
    return [
        line | {"x0": 0, "x1": curve.median, "y0": 0.5, "y1": 0.5},
        line | {"x0": curve.median, "x1": curve.median, "y0": 0, "y1": 0.5},
    ]


def step_function(steps: StepFunction, points: Points | None = None, selected: np.ndarray | None = None) -> go.Figure:
    """The prediction as level pieces, or as pieces of lines, the rows as points.

    selected : float64 (n, 2), the range (low, high) of the selected node, shaded. The customdata of a row is
    (0-based row of the source, node), that of a piece (node,).
    """
    traces = [] if points is None else plain_points(points, steps.target)
    traces.append(_step_line(steps))
    shapes = [] if selected is None else [_selected_piece(low, high) for low, high in selected.tolist()]
    xaxis = feature_axis(steps.axis) | {"showgrid": True}
    return figure(traces, xaxis, {"title": text(steps.quantity or steps.target, 48)}, shapes=shapes)


def _step_line(steps: StepFunction) -> go.Scatter:
    # every piece has its own two ends and a gap after it: the jumps are no values of the function
    gap = np.full(len(steps.value), np.nan)
    x = np.stack([steps.edges[:-1], steps.edges[1:], gap], axis=1).ravel()
    value, until = steps.units * steps.value, steps.units * steps.until
    y = np.stack([value, until, gap], axis=1).ravel()
    ends = np.stack([steps.edges[:-1], steps.edges[1:], steps.node], axis=1).repeat(3, axis=0)
    texts = [f"{low} to {high}" for low, high in itertools.pairwise(steps.printed)]
    told = "%{text}<br>predicted: %{y:.4g} (node %{customdata[2]})<extra></extra>"
    look = {"line": {"color": COLORS[5], "width": 3.5}, "text": np.repeat(texts, 3), "hovertemplate": told}
    return go.Scatter(x=x, y=y, mode="lines", name="prediction", customdata=ends, **look)


def _selected_piece(low: float, high: float) -> dict:
    line = {"color": INK, "width": 1}
    place = {"type": "rect", "x0": low, "x1": high, "y0": 0, "y1": 1, "yref": "y domain"}
    return strip(**place, fillcolor="rgba(128,128,128,0.2)", line=line)
