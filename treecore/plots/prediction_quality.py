"""How good answers are: ROC and its kin, calibration and residuals."""

from collections.abc import Callable, Mapping

import numpy as np
import plotly.graph_objects as go

from treecore.errors import TreecoreError
from treecore.figures import brief, percent
from treecore.judging.ranking import Ranking
from treecore.judging.uplift import QiniCurve
from treecore.plots.picture_style import (
    EDGE,
    LINE,
    NEUTRAL,
    ROLE_LINES,
    ROLE_SYMBOLS,
    SMALL,
    digits,
    figure,
    legend_key,
    text,
)
from treecore.study.questions.answer_quality import SHAPES, Calibration, OfNode, Residuals

_AXES = {
    "ROC": ("false alarms among other rows", "found, of the class"),
    "precision and recall": ("recall: found, of the class", "precision: right, of those called so"),
    "gains": ("rows, the surest first", "found, of the class"),
    "lift": ("rows, the surest first", "times as many as by chance"),
}


def ranking_curve(
    found: Mapping[str, Ranking], shape: str = "ROC", threshold: float | None = None, perfect: bool = False
) -> go.Figure:
    """One line per role; its points are the thresholds that rows are told apart by.

    found : role -> Ranking. shape : one of SHAPES. threshold : marked on every line, at the rows of at least it.
    perfect : also, for gains and lift, what a perfect order of the first role's rows would give.
    """
    if shape not in SHAPES:
        raise TreecoreError(f"There is no curve {shape!r}", where="shape", remedy="Choose " + ", ".join(SHAPES))
    traces = [_chance(shape, found)] if found else []
    traces += [_perfect(shape, found)] if found and perfect and shape in ("gains", "lift") else []
    for role, of in found.items():
        if of.positives > 0 and of.negatives > 0:
            traces += [_ranking_line(role, of, shape), *([] if threshold is None else [_mark(of, shape, threshold)])]
    x, y = ({"title": title} for title in _AXES[shape])
    share = {"tickformat": ".0%", "range": [-0.02, 1.02]}
    return figure(traces, x | share, y | ({"rangemode": "tozero"} if shape == "lift" else share))


def qini_chart(found: Mapping[str, QiniCurve], name: str, units: float = 1.0) -> go.Figure:
    """One Qini curve per role over the share of rows that are treated, and the line of rows taken by chance.

    name : of the height, in the unit of the outcome. units : by which gains are multiplied, 100 for percentage points.
    """
    traces = []
    for role, of in found.items():
        corners = zip(of.share.tolist(), (units * of.gain).tolist(), (units * of.line).tolist(), strict=True)
        hover = [
            f"{text(role)}: the first {percent(share)} of rows gain {brief(gain)}, by chance {brief(by_chance)}"
            for share, gain, by_chance in corners
        ]
        line = {"color": LINE} | ROLE_LINES.get(role, ROLE_LINES["cross"])
        mark = {"size": 5, "symbol": ROLE_SYMBOLS.get(role, "cross"), "color": LINE}
        by_chance = {"color": LINE, "width": 1, "dash": "dot"}
        traces.append(
            go.Scatter(x=of.share[[0, -1]], y=units * of.line[[0, -1]], line=by_chance, mode="lines", showlegend=False,
                       hoverinfo="skip")
        )  # fmt: skip
        traces.append(
            go.Scatter(x=of.share, y=units * of.gain, mode="lines+markers", line=line, marker=mark, hovertext=hover,
                       name=text(f"{role}, Qini {brief(of.coefficient)}"), hovertemplate="%{hovertext}<extra></extra>")
        )  # fmt: skip
    share = {"title": "share of rows, largest predicted effect first", "tickformat": ".0%", "range": [-0.02, 1.02]}
    return figure(traces, share, {"title": text(name)})


def _ranking_line(role: str, of: Ranking, shape: str) -> go.Scatter:
    x, y = _ranking_points(of, shape)
    least = of.threshold if len(x) == len(of.threshold) else np.append(1.0, of.threshold)
    height = "{:.2f}".format if shape == "lift" else percent
    hover = [
        f"{text(role)}: share at least {percent(at)}<br>{percent(a)} → {height(b)}"
        for at, a, b in zip(least.tolist(), x.tolist(), y.tolist(), strict=True)
    ]
    line = {"color": LINE} | ROLE_LINES.get(role, ROLE_LINES["cross"])
    mark = {"size": 5, "symbol": ROLE_SYMBOLS.get(role, "cross"), "color": LINE}
    return go.Scatter(
        x=x, y=y, mode="lines+markers", name=_name(role, of, shape), line=line, marker=mark,
        hovertext=hover, hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _ranking_points(of: Ranking, shape: str) -> tuple[np.ndarray, np.ndarray]:
    """Where the line goes; ROC and gains begin at 0, where nothing is called so."""
    if shape == "ROC":
        return np.append(0.0, of.fall_out), np.append(0.0, of.recall)
    if shape == "gains":
        return np.append(0.0, of.answered), np.append(0.0, of.recall)
    return (of.answered, of.lift) if shape == "lift" else (of.recall, of.precision)


def _name(role: str, of: Ranking, shape: str) -> str:
    if shape == "ROC":
        low, high = of.interval
        spread = "" if np.isnan(of.area_error) else f" ({low:.2f} to {high:.2f})"
        return f"{text(role)}: area {of.area:.3f}{spread}"
    return f"{text(role)}: average {of.average_precision:.3f}" if shape == "precision and recall" else text(role)


def _mark(of: Ranking, shape: str, threshold: float) -> go.Scatter:
    """The last point whose rows all have at least this share; at 0 of the rows if none has."""
    x, y = _ranking_points(of, shape)
    at = int((of.threshold >= threshold - 1e-9).sum()) + (len(x) - len(of.threshold)) - 1
    ring = {"symbol": "circle-open", "size": 14, "color": LINE, "line": {"width": 2.5}}
    hidden = {"showlegend": False, "hoverinfo": "skip"}
    return go.Scatter(x=[x[at]] if at >= 0 else [None], y=[y[at]] if at >= 0 else [None], mode="markers", marker=ring,
                      **hidden)  # fmt: skip


def _perfect(shape: str, found: Mapping[str, Ranking]) -> go.Scatter:
    """All rows of the class before all others."""
    first = next(iter(found.values()))
    share = first.positives / max(first.positives + first.negatives, 1e-300)
    x = np.array([0.0, share, 1.0]) if shape == "gains" else np.append(np.linspace(share, 1.0, 60), 1.0)
    x = x if shape == "gains" else np.append(0.0, x)
    y = np.array([0.0, 1.0, 1.0]) if shape == "gains" else 1.0 / np.maximum(x, max(share, 1e-300))
    return go.Scatter(x=x, y=y, mode="lines", name="perfect", hoverinfo="skip",
                      line={"color": NEUTRAL, "dash": "dash", "width": 1})  # fmt: skip


def _chance(shape: str, found: Mapping[str, Ranking]) -> go.Scatter:
    """What answers by a coin would give."""
    first = next(iter(found.values()))
    share = first.positives / max(first.positives + first.negatives, 1e-300)
    ends: Callable = {"precision and recall": lambda: (share, share), "lift": lambda: (1, 1)}.get(shape, lambda: (0, 1))
    told = f"by chance: {percent(share)}" if shape == "precision and recall" else "by chance"
    return go.Scatter(x=[0, 1], y=ends(), mode="lines", name=told, hoverinfo="skip",
                      line={"color": NEUTRAL, "dash": "dot", "width": 1})  # fmt: skip


# Is a class as frequent as the tree says? The share that rows are told against the share among them.

LARGEST = 26
"""Pixels across of the marker of the fullest bin."""


def calibration(found: Mapping[str, Calibration]) -> go.Figure:
    """One line per role, a marker per bin, its area by the bin's rows, which stand beside it. found : by role."""
    ideal = {"color": NEUTRAL, "dash": "dot", "width": 1}
    traces = [go.Scatter(x=[0, 1], y=[0, 1], mode="lines", name="as it says", line=ideal, hoverinfo="skip")]
    traces += [_calibration_line(role, of) for role, of in found.items() if len(of.said)]
    share = {"tickformat": ".0%", "range": [-0.04, 1.04]}
    return figure(traces, {"title": "the tree's share"} | share, {"title": "share among these rows"} | share)


def _calibration_line(role: str, of: Calibration) -> go.Scatter:
    size = LARGEST * np.sqrt(of.n_rows / of.n_rows.max())
    mark = {"size": np.maximum(size, 5), "symbol": ROLE_SYMBOLS.get(role, "cross"), "color": LINE, "opacity": 0.75}
    told = f"{text(role)}: %{{hovertext}} of them are<extra></extra>"
    bins = zip(of.n_rows.tolist(), of.said.tolist(), of.true.tolist(), strict=True)
    hover = [f"{n:,} rows are told {percent(said)}; {percent(true)}" for n, said, true in bins]
    return go.Scatter(
        x=of.said, y=of.true, mode="lines+markers+text", name=f"{text(role)}: off by {percent(of.error)} on average",
        line={"color": LINE} | ROLE_LINES.get(role, ROLE_LINES["cross"]), marker=mark, hovertext=hover,
        text=[f"{n:,}" for n in of.n_rows], textposition="top left", textfont=SMALL, hovertemplate=told,
    )  # fmt: skip


# How far answers in numbers are off: row by row against the answer, and leaf by leaf.

MOST_POINTS = 3000


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

    found : see answer_quality.by_node, some tens of them. name : of the target.
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
