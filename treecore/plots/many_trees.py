"""Error against the number of trees that answer together, beside the one tree."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import SHARE, figure
from treecore.plots.palette import LINE, NEUTRAL, ROLE_LINES
from treecore.plots.words import text

OUT_OF_BAG = "out of bag"


def many_trees(errors: Mapping[str, np.ndarray], single: Mapping[str, float], share: bool) -> go.Figure:
    """errors : role (or "out of bag") -> float64 (n_trees,). single : role -> error of your tree, a dotted line.
    share : is the error a part of rows?"""
    number = ".1%" if share else ".4g"
    n = max(len(values) for values in errors.values())
    traces = [_line(role, values, number) for role, values in errors.items()]
    traces += [_level(role, value, n, number) for role, value in single.items()]
    high = {"title": "error rate" if share else "mean squared error", "rangemode": "normal"}
    return figure(traces, {"title": "trees", "range": [1, max(n, 2)]}, high | ({"tickformat": SHARE} if share else {}))


def of_one_height(*charts: go.Figure) -> tuple[go.Figure, ...]:
    """The charts with the range of the first one's errors, from 0, so that heights can be compared; what is higher in
    the others, such as a lone root, is not in sight."""
    highest = max(float(np.nanmax(trace.y)) for trace in charts[0].data)
    for chart in charts:
        chart.update_yaxes(range=[0, 1.1 * highest or 1])
    return charts


def _line(role: str, values: np.ndarray, number: str) -> go.Scatter:
    look = {"color": LINE} | ROLE_LINES["cross" if role == OUT_OF_BAG else role]
    told = f"{text(role)}: %{{y:{number}}} with %{{x}} trees<extra></extra>"
    return go.Scatter(x=np.arange(1, len(values) + 1), y=values, mode="lines", name=role, line=look, hovertemplate=told)


def _level(role: str, value: float, n: int, number: str) -> go.Scatter:
    told = f"your tree, {text(role)}: %{{y:{number}}}<extra></extra>"
    return go.Scatter(
        x=[1, max(n, 2)], y=[value, value], mode="lines", name=f"your tree, {role}",
        line={"color": NEUTRAL, "dash": "dot", "width": 1.25}, hovertemplate=told,
    )  # fmt: skip
