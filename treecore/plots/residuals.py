"""How far answers in numbers are off: row by row against the answer, and leaf by leaf."""

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import figure, legend_key
from treecore.plots.palette import EDGE, LINE, NEUTRAL, ROLE_SYMBOLS
from treecore.plots.words import digits, text
from treecore.study.questions.answer_quality import OfNode, Residuals

MOST_POINTS = 3000
MOST_NODES = 40


def residuals(found: dict[str, Residuals], name: str, most: int = MOST_POINTS) -> go.Figure:
    """A point per row, at most `most` of a role, evenly chosen. found : by role. name : of the target."""
    traces = [_points(role, of, most) for role, of in found.items() if len(of.off)]
    title = text(name)
    found_figure = figure(traces, {"title": f"the tree's {title}"}, {"title": f"true {title} − the tree's"})
    return found_figure.add_hline(0, line={"color": NEUTRAL, "width": 1})


def _points(role: str, of: Residuals, most: int) -> go.Scatter:
    rows = np.linspace(0, len(of.off) - 1, min(len(of.off), most)).astype(int)
    mark = {"symbol": ROLE_SYMBOLS.get(role, "cross") + "-open", "size": 6, "color": LINE, "opacity": 0.7}
    told = f"{text(role)}: answer %{{x:.4g}}, off by %{{y:.4g}}, node %{{customdata}}<extra></extra>"
    return go.Scatter(x=of.said[rows], y=of.off[rows], mode="markers", name=text(role), marker=mark,
                      customdata=of.node[rows], hovertemplate=told)  # fmt: skip


def by_leaf(found: list[OfNode], name: str) -> go.Figure:
    """A line per leaf, by rising answer: quartiles of its residuals, and how wide they are.

    found : see experiments.residuals.by_node, at most about MOST_NODES. name : of the target.
    """
    place = list(range(len(found)))
    told = [
        f"node {e.node}: answer {digits(e.said)}, {e.n_rows:,} rows<br>mean {digits(e.mean)}, RMSE {digits(e.rmse)}"
        for e in found
    ]
    middle = {"symbol": "line-ns", "size": 14, "color": LINE, "line": {"width": 3, "color": LINE}}
    x, y = [], []
    for i, e in zip(place, found, strict=True):
        x += [e.low, e.high, None]
        y += [i, i, None]
    traces = [
        go.Scatter(x=x, y=y, mode="lines", line={"color": EDGE, "width": 7}, hoverinfo="skip", showlegend=False),
        go.Scatter(x=[e.middle for e in found], y=place, mode="markers", marker=middle, hovertext=told,
                   hoverinfo="text", showlegend=False),
        legend_key("median", middle), legend_key("half of the rows", {"symbol": "square", "color": EDGE}),
    ]  # fmt: skip
    ticks = {"tickmode": "array", "tickvals": place, "ticktext": [f"{digits(e.said)}  ({e.n_rows:,})" for e in found]}
    axes = {"title": f"true {text(name)} − the leaf's"}, {"showgrid": False, "title": "leaf's answer (rows)"} | ticks
    return figure(traces, *axes).add_vline(0, line={"color": NEUTRAL, "width": 1})
