"""The target of a regression node's rows beside that of all rows."""

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import figure, vertical
from treecore.plots.palette import COLORS, EDGE, NEUTRAL, pattern
from treecore.plots.words import digits, text
from treecore.study.column_counts import TargetHistogram


def target_histogram(histogram: TargetHistogram, role: str = "train") -> go.Figure:
    """Bars of all rows with the node's rows in front; lines at what the node predicts and at everybody's mean.

    role : which rows were counted, for the words.
    """
    traces = [
        _bars(histogram.edges, histogram.everyone, f"all rows ({text(role)})", NEUTRAL, "", 0.45),
        _bars(histogram.edges, histogram.here, f"node {histogram.node}", COLORS[0], "/", 1.0),
    ]
    lines = [
        (histogram.prediction, COLORS[5], "solid", "node predicts"),
        (histogram.mean, NEUTRAL, "dash", "mean of all"),
    ]
    lines = [line for line in lines if line[0] == line[0]]
    shapes = [vertical(x, shade, dash, 2) for x, shade, dash, _ in lines]
    traces += [_key(f"{words} {digits(x)}", shade, dash) for x, shade, dash, words in lines]
    xaxis = {"title": text(histogram.target, 48), "showgrid": False}
    return figure(traces, xaxis, {"title": "rows"}, shapes=shapes, barmode="overlay", bargap=0)


def _bars(edges: np.ndarray, counts: np.ndarray, name: str, shade: str, hatch: str, opacity: float) -> go.Bar:
    ends = np.stack([edges[:-1], edges[1:]], axis=1)
    return go.Bar(
        x=(edges[:-1] + edges[1:]) / 2, y=counts, width=np.diff(edges), name=name, opacity=opacity, customdata=ends,
        marker={"color": shade, "line": {"color": EDGE, "width": 1}, "pattern": pattern(hatch)},
        hovertemplate=f"{name}<br>%{{customdata[0]:.4g}} to %{{customdata[1]:.4g}}: %{{y:.6g}}<extra></extra>",
    )  # fmt: skip


def _key(name: str, shade: str, dash: str) -> go.Scatter:
    line = {"color": shade, "dash": dash, "width": 2}
    return go.Scatter(x=[None], y=[None], mode="lines", name=name, line=line, hoverinfo="skip")
