"""Scores of recipes on the same folds, and the critical-difference diagram of their mean ranks."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.judging.measures import Measure
from treecore.plots.picture_style import EDGE, LINE, NEUTRAL, SHARE, digits, figure, text, texts
from treecore.study.score_tests import Ranks, summary

HEIGHT = 0.26
"""How far from its recipe's line a point may be, in lines: each fold has its own place."""
MOST_JOINED = 30
"""So many folds are joined from recipe to recipe."""


def fold_scores(names: Sequence[str], scores: np.ndarray, measure: Measure) -> go.Figure:
    """A line for each recipe, the first on top. scores : float64 (n_recipes, n_folds), NaN where there is none."""
    n, n_folds = scores.shape
    place = np.arange(n)[:, None] + HEIGHT * np.linspace(-1, 1, n_folds) if n_folds > 1 else np.arange(n)[:, None]
    number = ".1%" if measure.percent else ".4g"
    traces = [_joined(scores, place)] if 1 < n_folds <= MOST_JOINED and n > 1 else []
    traces += [_points(text(name), s, y, number) for name, s, y in zip(names, scores, place, strict=True)]
    traces += [_mean(i, s, number) for i, s in enumerate(scores) if np.isfinite(s).all()]
    ticks = {"tickmode": "array", "tickvals": list(range(n)), "ticktext": texts(names), "range": [n - 0.5, -0.5]}
    across = {"title": text(measure.label, None)} | ({"tickformat": SHARE} if measure.percent else {})
    result = figure(traces, across, {"showgrid": False} | ticks)
    return result.update_layout(showlegend=False, margin={"t": 30})


def _joined(scores: np.ndarray, place: np.ndarray) -> go.Scatter:
    """Thin lines from each fold's score by one recipe to that by the next."""
    gap = np.full((1, scores.shape[1]), np.nan)
    x, y = (np.concatenate([v, gap]).T.ravel() for v in (scores, place))
    return go.Scatter(x=x, y=y, mode="lines", hoverinfo="skip", line={"color": EDGE, "width": 0.75})


def _points(name: str, scores: np.ndarray, place: np.ndarray, number: str) -> go.Scatter:
    told = f"{name}, fold %{{customdata}}: %{{x:{number}}}<extra></extra>"
    mark = {"color": NEUTRAL, "size": 6, "symbol": "circle-open"}
    return go.Scatter(x=scores, y=place, mode="markers", customdata=np.arange(1, len(scores) + 1), marker=mark,
                      hovertemplate=told)  # fmt: skip


def _mean(i: int, scores: np.ndarray, number: str) -> go.Scatter:
    """The mean as a bar across, with one standard deviation to either side."""
    of = summary(scores)
    told = f"mean %{{x:{number}}}<extra></extra>"
    spread = {"type": "data", "array": [of.sd if len(scores) > 1 else 0.0], "color": LINE, "thickness": 1.5, "width": 6}
    mark = {"symbol": "line-ns", "size": 22, "line": {"width": 3, "color": LINE}}
    return go.Scatter(x=[of.mean], y=[i], mode="markers", marker=mark, error_x=spread, hovertemplate=told)


# The critical-difference diagram: recipes on a line of their mean ranks, joined where they cannot be told apart.

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
