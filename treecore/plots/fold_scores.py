"""Scores of recipes on the same folds: a point for each fold, mean, spread and standard error."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.judging.measures import Measure
from treecore.plots.frame import SHARE, figure
from treecore.plots.palette import EDGE, LINE, NEUTRAL
from treecore.plots.words import text, texts
from treecore.study.score_tests import summary

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
    found = figure(traces, across, {"showgrid": False} | ticks)
    return found.update_layout(showlegend=False, margin={"t": 30})


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
