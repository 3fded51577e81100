"""Impurities against the share of a class, with a node and its branches on a curve; a triangle for three classes."""

import numpy as np
import plotly.graph_objects as go

from treecore.criteria import CRITERIA
from treecore.figures import brief
from treecore.plots.frame import SMALL, figure
from treecore.plots.palette import COLORS, HALO, INK, SCALE
from treecore.plots.words import text, texts
from treecore.study.impurity_curves import Placed, curve, impurity, in_triangle, measures, simplex

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def impurity_curves(label: str, measure: str, scaled: bool, at: Placed | None = None) -> go.Figure:
    """All measures over the share of one class. measure : whose curve carries the node. at : None for no node."""
    traces = []
    for place, name in enumerate(measures()):
        p, height = curve(name, scaled)
        line = {"color": COLORS[place % len(COLORS)], "dash": DASHES[place % len(DASHES)],
                "width": 3 if name == measure else 1.5}  # fmt: skip
        traces.append(go.Scatter(x=p, y=height, name=CRITERIA[name].label, line=line, mode="lines",
                                 hovertemplate="%{x:.3f}: %{y:.4f}"))  # fmt: skip
    traces += [] if at is None else _marks(measure, scaled, at)
    xaxis = {"title": f"share of {text(label, 32)}", "range": [-0.02, 1.02]}
    return figure(traces, xaxis, {"title": "impurity, scaled to 1" if scaled else "impurity", "rangemode": "tozero"},
                  height=430)  # fmt: skip


def _marks(measure: str, scaled: bool, at: Placed) -> list[go.Scatter]:
    """The node, its parent and branches on the curve, the chord between the branches, and the gain above it."""
    point = lambda name, shares, symbol: go.Scatter(  # noqa: E731
        x=shares[:, 0], y=impurity(measure, shares, scaled), mode="markers", name=name,
        marker={"symbol": symbol, "size": 12, "color": HALO, "line": {"color": INK, "width": 2}},
        hovertemplate=f"{name}: %{{x:.3f}}, %{{y:.4f}}<extra></extra>",
    )  # fmt: skip
    traces = []
    if len(at.branches) > 1:
        order = np.argsort(at.branches[:, 0])
        ends = at.branches[order]
        here = float(at.shares[0])
        traces.append(go.Scatter(
            x=ends[:, 0], y=impurity(measure, ends, scaled), mode="lines", showlegend=False, hoverinfo="skip",
            line={"color": "#8a9099", "width": 1.5, "dash": "dot"},
        ))  # fmt: skip
        traces.append(go.Scatter(
            x=[here, here], y=[at.left(measure, scaled), float(impurity(measure, at.shares, scaled))], mode="lines",
            name=f"gain {brief(at.gain(measure, scaled))}", line={"color": "#8a9099", "width": 5},
        ))  # fmt: skip
    if at.parent is not None:
        traces.append(point("node above", at.parent[None], "diamond"))
    if len(at.branches):
        traces.append(point("branches", at.branches, "triangle-up"))
    return [*traces, point("this node", at.shares[None], "circle")]


def impurity_triangle(classes: tuple[str, ...], measure: str, at: Placed) -> go.Figure:
    """The impurity of three classes over their shares, the node and its branches as points."""
    x, y, height = simplex(measure)
    bar = {"title": "impurity", "tickfont": SMALL}
    traces = [go.Heatmap(x=x, y=y, z=height, colorscale=SCALE, hoverinfo="skip", colorbar=bar)]
    above = np.empty((0, 3)) if at.parent is None else at.parent[None]
    marks = ("node above", above, "diamond"), ("branches", at.branches, "triangle-up")
    for name, shares, symbol in (*marks, ("this node", at.shares[None], "circle")):
        if len(shares):
            a, b = in_triangle(shares)
            look = {"symbol": symbol, "size": 13, "color": HALO, "line": {"color": INK, "width": 2}}
            traces.append(go.Scatter(x=a, y=b, mode="markers", name=name, marker=look, customdata=shares,
                                     hovertemplate=f"{name}: %{{customdata}}<extra></extra>"))  # fmt: skip
    corners = ((0, -0.05), (1, -0.05), (0.5, np.sqrt(3) / 2 + 0.05))
    named = [{"x": a, "y": b, "text": name, "showarrow": False} for (a, b), name in zip(corners, texts(classes, 24),
             strict=True)]  # fmt: skip
    hidden = {"visible": False, "range": [-0.1, 1.1]}
    return figure(traces, hidden, hidden | {"range": [-0.12, 1.0], "scaleanchor": "x"}, annotations=named, height=430)
