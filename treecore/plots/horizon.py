"""Stopped early and pruned afterwards: error of rows held back against leaves."""

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import SHARE, figure
from treecore.plots.palette import LINE
from treecore.study.questions.horizon import Horizon


def horizon(found: Horizon) -> go.Figure:
    """Two lines of points; the best of each has a ring."""
    number = ".1%" if found.share else ".4g"
    families = (
        ("stopped early", found.stopped_leaves, found.stopped_error, "square", "2px,3px"),
        ("grown and pruned", found.pruned_leaves, found.pruned_error, "circle", "solid"),
    )
    traces = []
    for (name, leaves, error, symbol, dash), best in zip(families, found.best, strict=True):
        order, error = np.lexsort((error, leaves)), found.sign * error
        told = f"{name}: %{{x:,}} leaves, {found.measure} %{{y:{number}}}<extra></extra>"
        traces.append(go.Scatter(
            x=leaves[order], y=error[order], mode="lines+markers", name=name, hovertemplate=told,
            line={"color": LINE, "dash": dash, "width": 1.75}, marker={"symbol": symbol, "size": 6, "color": LINE},
        ))  # fmt: skip
        ring = {"symbol": f"{symbol}-open", "size": 15, "color": LINE, "line": {"width": 2.5}}
        traces.append(go.Scatter(x=[leaves[best]], y=[error[best]], mode="markers", marker=ring, hoverinfo="skip",
                                 showlegend=False))  # fmt: skip
    ticks = {"type": "log", "tickmode": "array", "tickvals": [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000]}
    high = {"title": f"{found.measure} of rows held back", "rangemode": "tozero" if found.sign > 0 else "normal"}
    high |= {"tickformat": SHARE} if found.share else {}
    return figure(traces, {"title": "leaves"} | ticks, high)
