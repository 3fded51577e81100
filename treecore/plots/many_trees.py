"""Error against the number of trees that answer together, beside the one tree."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import SHARE, SMALL, figure
from treecore.plots.palette import LINE, NEUTRAL, ROLE_LINES
from treecore.plots.words import text

OUT_OF_BAG = "out of bag"


def many_trees(errors: Mapping[str, np.ndarray], single: Mapping[str, float], share: bool) -> go.Figure:
    """errors : role (or "out of bag") -> float64 (n_trees,). single : role -> error of your tree, a dotted line.
    share : is the error a part of rows?"""
    number = ".1%" if share else ".4g"
    n = max(len(values) for values in errors.values())
    traces = [_line(role, values, number) for role, values in errors.items()]
    traces += [_level(role, value, n, number, place == 0) for place, (role, value) in enumerate(single.items())]
    high = {"title": "error rate" if share else "mean squared error", "rangemode": "normal"}
    high |= {"tickformat": SHARE} if share else {}
    return figure(traces, {"title": "trees", "range": [1, max(n, 2)]}, high, annotations=_roles(single))


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


def _level(role: str, value: float, n: int, number: str, in_legend: bool) -> go.Scatter:
    """One key stands for the levels of all roles, which are named beside them: long keys fill a narrow picture."""
    told = f"your tree, {text(role)}: %{{y:{number}}}<extra></extra>"
    return go.Scatter(
        x=[1, max(n, 2)], y=[value, value], mode="lines", name="your tree", hovertemplate=told, legendgroup="your tree",
        showlegend=in_legend, line={"color": NEUTRAL, "dash": "dot", "width": 1.25},
    )  # fmt: skip


def _roles(single: Mapping[str, float]) -> list[dict]:
    """Each role at the right end of its level: above it, the lowest one's below, so that two close ones are apart."""
    lowest = min(single, key=single.get, default=None)
    place = {"xref": "x domain", "x": 1, "xanchor": "right", "showarrow": False, "font": SMALL}
    return [
        place | {"text": text(role), "y": value, "yanchor": "top" if role == lowest and len(single) > 1 else "bottom"}
        for role, value in single.items()
    ]
