"""Scores of a recipe along a scale, with bands of one standard deviation, and leaves below."""

import numpy as np
import plotly.graph_objects as go

from treecore.judging.measures import Measure
from treecore.plots.frame import SHARE, figure
from treecore.plots.palette import LINE, ROLE_LINES
from treecore.plots.words import text
from treecore.study.questions.learning_curve import Along, Outlook

BAND = "rgba(128,128,128,0.18)"


def along(found: Along, measure: Measure, scale: str, share: bool, ahead: Outlook | None = None) -> go.Figure:
    """Rows held back and training rows, each with a band. scale : what the axis below is. share : is it a part of rows?
    ahead : the curve of rows held back carried on, dashed."""
    number = ".1%" if measure.percent else ".4g"
    traces = []
    for name, values, role in (("rows held back", found.score, "validation"), ("training rows", found.train, "train")):
        mean, spread = values.mean(axis=1), values.std(axis=1, ddof=min(1, values.shape[1] - 1))
        if role == "validation":
            ends = (np.clip(end, 0, 1) if measure.percent else end for end in (mean - spread, mean + spread))
            traces.append(_band(found.at, *ends))
        traces.append(_line(found.at, mean, name, {"color": LINE} | ROLE_LINES[role], number))
    if ahead is not None:
        traces.append(_band(ahead.at, ahead.low, ahead.high))
        traces.append(_line(ahead.at, ahead.score, "carried on", {"color": LINE, "dash": "7px,5px"}, number, "lines"))
    high = {"title": text(measure.label, None)} | ({"tickformat": SHARE} if measure.percent else {})
    return figure(traces, _axis(found, scale, share, ahead), high)


def leaves(found: Along, scale: str, share: bool) -> go.Figure:
    """Mean number of leaves, with its band."""
    mean, spread = found.n_leaves.mean(axis=1), found.n_leaves.std(axis=1)
    band = _band(found.at, np.maximum(mean - spread, 1.0), mean + spread)
    traces = [band, _line(found.at, mean, "leaves", {"color": LINE}, ".1f")]
    return figure(traces, _axis(found, scale, share), {"title": "leaves", "rangemode": "tozero"}, showlegend=False)


def _axis(found: Along, scale: str, share: bool, ahead: Outlook | None = None) -> dict:
    """Shares of rows evenly; numbers of rows, and what becomes ever rarer, by their logarithm."""
    if share and found.at.min() > 0:
        return {"title": text(scale, 60), "type": "log", "tickmode": "array", "tickvals": found.at, "tickformat": SHARE}
    if share:
        return {"title": text(scale, 60), "tickformat": SHARE}
    places = [*found.at[[0, 2, len(found.at) // 2, -1]], *([] if ahead is None else [ahead.at[-1]])]
    return {"title": text(scale, 60), "type": "log", "tickmode": "array", "tickvals": places, "tickformat": ",.0f"}


def _line(x: np.ndarray, y: np.ndarray, name: str, line: dict, number: str, mode: str = "lines+markers") -> go.Scatter:
    told = f"{name}: %{{y:{number}}} at %{{x:.4~g}}<extra></extra>"
    return go.Scatter(x=x, y=y, mode=mode, name=name, line=line, marker={"size": 6, "color": LINE}, hovertemplate=told)


def _band(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> go.Scatter:
    return go.Scatter(
        x=np.append(x, x[::-1]), y=np.append(high, low[::-1]), mode="lines", line={"width": 0}, fill="toself",
        fillcolor=BAND, hoverinfo="skip", showlegend=False,
    )  # fmt: skip
