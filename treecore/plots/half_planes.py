"""The half-planes of a rule with slanted conditions in two features, and the region in which all of them hold."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import plotly.graph_objects as go

from treecore.figures import number
from treecore.plots.frame import figure
from treecore.plots.palette import EDGE, color

MARGIN = 0.4
"""Around the crossings of the lines, as a part of their range."""

Condition = tuple[tuple[float, float], float]
"""w, bound of w · x < bound."""


def half_planes(conditions: Sequence[Condition], implied: Sequence[bool]) -> go.Figure:
    """A line for each condition, dashed where it follows from others, and the region of the rule.

    implied : of each condition, does it follow from others? Conditions that never cross are drawn around the origin.
    """
    low, high = _window(conditions)
    region = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    for condition in conditions:
        region = _clipped(region, condition)
    traces: list = []
    if len(region):
        closed = np.vstack([region, region[:1]])
        traces.append(
            go.Scatter(
                x=closed[:, 0], y=closed[:, 1], fill="toself", mode="lines", line={"width": 0}, fillcolor=color(0),
                opacity=0.35, name="all hold", hoverinfo="skip",
            )
        )  # fmt: skip
    for i, (condition, follows) in enumerate(zip(conditions, implied, strict=True)):
        ends = _ends(condition, low, high)
        name = f"{i + 1}: {_words(condition)}" + (" (follows)" if follows else "")
        line = {"color": EDGE if follows else color(i), "dash": "dash" if follows else "solid", "width": 2}
        traces.append(go.Scatter(x=ends[:, 0], y=ends[:, 1], mode="lines", line=line, name=name, hoverinfo="name"))
    xaxis = {"title": "x1", "range": [low[0], high[0]], "showgrid": False}
    yaxis = {"title": "x2", "range": [low[1], high[1]], "showgrid": False}
    found = figure(traces, xaxis, yaxis, height=360)
    return found.update_layout(legend_orientation="v", legend_y=-0.2, legend_yanchor="top")


def _words(condition: Condition) -> str:
    """ "0.27 x1 − 0.44 x2 < −0.02"."""
    (first, second), bound = condition
    sign = "−" if second < 0 else "+"
    return f"{number(first)} x1 {sign} {number(abs(second))} x2 < {number(bound)}".replace("-", "−")


def _window(conditions: Sequence[Condition]) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest x1 and x2 shown: every crossing of two lines, with a margin."""
    crossings = [np.zeros(2)]
    for (a, p), (b, q) in combinations(conditions, 2):
        sides = np.array([a, b])
        if abs(np.linalg.det(sides)) > 1e-12:
            crossings.append(np.linalg.solve(sides, np.array([p, q])))
    found = np.array(crossings[1:] or crossings)
    low, high = found.min(axis=0), found.max(axis=0)
    room = MARGIN * np.maximum(high - low, 1.0)
    return low - room, high + room


def _clipped(region: np.ndarray, condition: Condition) -> np.ndarray:
    """The part of a convex region, float64 (n, 2), where the condition holds (Sutherland and Hodgman, 1974)."""
    w, bound = np.array(condition[0]), condition[1]
    beyond = region @ w - bound
    kept = []
    for i in range(len(region)):
        j = (i + 1) % len(region)
        if beyond[i] <= 0:
            kept.append(region[i])
        if beyond[i] * beyond[j] < 0:
            kept.append(region[i] + (region[j] - region[i]) * beyond[i] / (beyond[i] - beyond[j]))
    return np.array(kept).reshape(-1, 2)


def _ends(condition: Condition, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """float64 (2, 2): where the condition's border enters and leaves the window; empty where it does not."""
    (a, b), bound = condition
    if abs(b) >= abs(a):
        x = np.array([low[0], high[0]])
        return np.column_stack([x, (bound - a * x) / b])
    y = np.array([low[1], high[1]])
    return np.column_stack([(bound - b * y) / a, y])
