"""The critical-difference diagram: recipes on a line of their mean ranks, joined where they cannot be told apart."""

from collections.abc import Sequence

import plotly.graph_objects as go

from treecore.plots.frame import figure
from treecore.plots.palette import EDGE, LINE
from treecore.plots.words import digits, text
from treecore.study.score_tests import Ranks

STEP, BAR = 1.0, 0.45
"""Of the height: from recipe to recipe, from bar to bar."""


def critical_difference(found: Ranks, names: Sequence[str]) -> go.Figure:
    """Best on the left. A thick bar joins recipes whose mean ranks lie less than the critical difference apart; this
    is drawn above the line. Source: Demsar (2006), JMLR 7."""
    order = found.mean.argsort(kind="stable")
    bars = found.groups
    floor = -BAR * (len(bars) + 1)
    traces = [_critical(found)]
    for place, i in enumerate(order):
        y = floor - STEP * place
        x = float(found.mean[i])
        told = f"{text(names[i])}: mean rank {digits(x)}<extra></extra>"
        traces.append(go.Scatter(x=[x, x], y=[0, y], mode="lines", line={"color": EDGE, "width": 1}, hoverinfo="skip"))
        traces.append(go.Scatter(
            x=[x], y=[y], mode="markers+text", text=[f" {text(names[i])}  {x:.2f} "], hovertemplate=told,
            textposition="middle right" if place < len(order) / 2 else "middle left",
            marker={"color": LINE, "size": 6}, cliponaxis=False,
        ))  # fmt: skip
    for n, group in enumerate(bars):
        ends = [float(found.mean[i]) for i in (group[0], group[-1])]
        y = [-BAR * (n + 1)] * 2
        traces.append(go.Scatter(x=ends, y=y, mode="lines", line={"color": LINE, "width": 5}, hoverinfo="skip"))
    k = len(names)
    hidden = {"visible": False, "range": [floor - STEP * k, 1.6]}
    ranks = {"title": "mean rank, 1 is best", "range": [0.8, k + 0.2], "dtick": 1, "showgrid": False, "side": "bottom"}
    return figure(traces, ranks, hidden, showlegend=False, margin={"l": 8, "r": 8, "t": 8, "b": 8})


def _critical(found: Ranks) -> go.Scatter:
    """How far is far enough, as a line above the others."""
    width = min(found.critical, len(found.mean) - 1)
    told = f"critical difference {found.critical:.2f}"
    mark = {"symbol": "line-ns", "size": 9, "line": {"width": 1.5, "color": LINE}}
    return go.Scatter(
        x=[1, 1 + width / 2, 1 + width], y=[0.7] * 3, mode="lines+text+markers", text=["", told, ""],
        textposition="top center", line={"color": LINE, "width": 1.5}, marker=mark, hoverinfo="skip",
    )  # fmt: skip
