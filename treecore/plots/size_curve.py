"""Error or accuracy against size: the picture of over-fitting, from which a size can be picked."""

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.errors import TreecoreError
from treecore.plots.picture_style import (
    EDGE,
    HALO,
    LINE,
    NEUTRAL,
    ROLE_LINES,
    ROLE_SYMBOLS,
    SMALL,
    figure,
    text,
    vertical,
)
from treecore.study.curves import SizeCurve

# Which sizes of a long curve are drawn: as many as can be told apart, with every extreme.

MOST = 1000
"""Sizes that are all drawn: a browser takes seconds for tens of thousands of marks, most of which hide each other."""
STRIPS = 200
"""Of a longer curve's picture, side by side, each narrower than a mark."""


def steps_to_draw(x: np.ndarray, curves: Iterable[np.ndarray], log_x: bool, kept: Iterable[int] = ()) -> np.ndarray:
    """int64, descending: the steps of a curve that are drawn; all of them where they are few.

    x : the sizes, one per step, in falling order. curves : float64 of the same shape, which may be NaN. Of the steps
    in a strip the first, the last, and of each curve one of the least and one of the greatest are drawn. kept : steps
    that are drawn wherever they are.
    """
    step = np.arange(len(x))[::-1]
    if len(x) <= MOST:
        return step
    place = np.log(x) if log_x else x.astype(np.float64)
    strip = np.floor((place - place[-1]) * (STRIPS / max(place[0] - place[-1], 1e-9)))
    last = np.flatnonzero(np.append(strip[1:] != strip[:-1], True))
    first = np.append(0, last[:-1] + 1)
    drawn = [first, last, np.fromiter(kept, np.int64)]
    for curve in curves:
        order = np.lexsort((curve, -strip))  # strip after strip, from the least to the greatest
        drawn += [order[first], order[last]]
    return np.unique(np.concatenate(drawn))[::-1]


# Cross-validation over the sizes of a tree: its mean, a band of one standard error, and the sizes rules choose.

BAND = "rgba(128,128,128,0.20)"
SYMBOLS = ("hourglass", "bowtie", "x-thin-open")


def cross_validation_traces(
    curve: SizeCurve, x: np.ndarray, step: np.ndarray, measure: str, number: str, marks: Sequence[tuple[int, str]] = ()
) -> list[go.Scatter]:
    """Band, mean and marks over the sizes x; nothing where the curve has no cross-validation in this measure.

    step : int64, the steps to draw, descending. measure, number : as of plots.size_curve, and how a value is written.
    The mean is an error, and its accuracy is 1 - error; with costs there is no accuracy to be had from it.
    """
    if curve.cv_mean is None or (measure == "accuracy" and curve.measure != "error rate"):
        return []
    mean = 1 - curve.cv_mean if measure == "accuracy" else curve.cv_shown
    told = f"cross-validation: %{{y:{number}}} ± %{{customdata[1]:{number}}}<extra></extra>"
    line = go.Scatter(
        x=x[step], y=mean[step], customdata=np.column_stack([step, curve.cv_error_shown[step]]), mode="lines+markers",
        name="cross-validation", hovertemplate=told,
        line={"shape": "hv", "color": LINE} | ROLE_LINES["cross"],
        marker={"symbol": "triangle-up", "color": ROLE_LINES["cross"]["color"], "size": 7 if len(curve) <= 40 else 5},
        unselected={"marker": {"opacity": 1}},
    )  # fmt: skip
    return [*_band(x[step], mean[step], curve.cv_error_shown[step]), line, *_marks(x, mean, marks)]


def _band(x: np.ndarray, mean: np.ndarray, error: np.ndarray) -> list[go.Scatter]:
    quiet = {"mode": "lines", "hoverinfo": "skip", "showlegend": False, "line": {"width": 0, "shape": "hv"}}
    low, high = go.Scatter(x=x, y=mean - error, **quiet), go.Scatter(x=x, y=mean + error, **quiet)
    return [low, high.update(fill="tonexty", fillcolor=BAND)]


def _marks(x: np.ndarray, mean: np.ndarray, marks: Sequence[tuple[int, str]]) -> list[go.Scatter]:
    """A sign on each chosen size, with the names of all rules that choose it; neighbours are named below and above."""
    names: dict[float, list[str]] = {}
    for step, name in marks:
        names.setdefault(float(x[step]), []).append(name)
    first = {size: next(step for step, _ in marks if x[step] == size) for size in names}
    places, line = itertools.cycle(("bottom center", "top center")), {"width": 1.25, "color": HALO}
    return [
        go.Scatter(
            x=[x[step]], y=[mean[step]], mode="markers+text", hoverinfo="skip", customdata=[[step]],
            text=text(f"{', '.join(names[size])} {x[step]}"), textposition=place, textfont=SMALL,
            marker={"symbol": symbol, "size": 15, "color": LINE, "line": line},
        )
        for (size, step), symbol, place in zip(first.items(), SYMBOLS, places, strict=False)
    ]  # fmt: skip


SIZES = {"leaves": "leaves", "nodes": "nodes", "depth": "depth"}
MEASURES = ("error", "accuracy")
APART = 0.075
"""Least distance of two names, as a share of the height."""
LONG = 20
"""From this size on the axis is logarithmic unless told otherwise."""


def size_curve(
    curve: SizeCurve,
    chosen: int | None = None,
    measure: str = "error",
    size: str = "leaves",
    log_x: bool | None = None,
    marks: Sequence[tuple[int, str]] = (),
) -> go.Figure:
    """One line per role over the size of the subtrees; every marker's customdata is its step. Of a long curve only
    the steps that can be told apart are drawn, see plots.thinned.

    chosen : the step in force, marked by a vertical line and rings. measure : "accuracy" or "error", which is the
    number that the axis names: a mean cost where errors have costs, a mean profit where answers earn something.
    size : "leaves", "nodes" or "depth" on the x axis. A curve with a cross-validation shows its mean and a band of one
    standard error on either side. marks : (step, name) of sizes that a rule chose on that mean.
    """
    _check(curve, measure, size)
    x = {"leaves": curve.n_leaves, "nodes": curve.n_nodes, "depth": curve.depth}[size]
    values = curve.accuracy if measure == "accuracy" else curve.shown
    log_x = bool(x.max() > LONG and size != "depth") if log_x is None else log_x and size != "depth"
    number = ".1%" if _is_share(curve, measure) else ".4g"
    kept = [chosen, curve.best(), *(step for step, _ in marks)]
    cross = [] if curve.cv_mean is None else [curve.cv_shown]
    drawn = steps_to_draw(x, [*values.values(), *cross], log_x, [step for step in kept if step is not None])
    traces = [*_baselines(curve, x, values, number), *cross_validation_traces(curve, x, drawn, measure, number, marks)]
    traces += _lines(curve, x, drawn, values, number)
    shapes = []
    if chosen is not None:
        traces.append(_rings(x, values, chosen))
        shapes = [vertical(float(x[chosen]), NEUTRAL, "dot", 2) | {"layer": "below"}]
    traces += _best(curve, x, values)
    xaxis = {"title": f"{size} of the pruned tree"} | _ticks(int(x.max()), log_x)
    yaxis = {"title": "accuracy" if measure == "accuracy" else curve.name}
    yaxis |= {"rangemode": "tozero" if measure == "error" and _is_share(curve, measure) else "normal"}
    if _is_share(curve, measure):
        yaxis |= {"tickformat": ".1~%"}
    more = {"shapes": shapes, "annotations": _names(traces) + _best_named(curve, x, log_x), "showlegend": False}
    more["clickmode"] = "event+select"
    return figure(traces, xaxis, yaxis, margin={"l": 8, "r": 116, "t": 26, "b": 8}, **more)


def _names(traces: list[go.Scatter]) -> list[dict]:
    """What each line is called, at its right end; names that would lie on each other are moved apart."""
    lines = [t for t in traces if t.name and t.mode.startswith("lines") and t.x is not None and t.x[0] is not None]
    heights = np.concatenate([np.asarray(t.y, float) for t in lines] or [np.zeros(1)])
    gap = APART * (np.nanmax(heights) - np.nanmin(heights))
    ends = sorted(((float(t.y[int(np.argmax(t.x))]), t.name, t.line.color) for t in lines), key=lambda end: end[0])
    result, least = [], -np.inf
    for y, name, color in ends:
        least = max(y, least + gap)
        place = {"x": 1.01, "xref": "paper", "xanchor": "left", "y": least, "yref": "y", "yanchor": "middle"}
        result.append({"text": name, "showarrow": False, "font": SMALL | {"color": color}} | place)
    return result


def _check(curve: SizeCurve, measure: str, size: str) -> None:
    if measure not in MEASURES or size not in SIZES:
        remedy = f"Use {' or '.join(MEASURES)} against {', '.join(SIZES)}"
        raise TreecoreError(f"There is no curve of {measure!r} against {size!r}", remedy=remedy)
    if measure == "accuracy" and curve.task != "classification":
        raise TreecoreError("A tree without classes has no accuracy", where="measure", remedy="Use its error")


def _is_share(curve: SizeCurve, measure: str) -> bool:
    """Is it a share of rows, to be shown in percent?"""
    return measure == "accuracy" or curve.measure == "error rate"


def _ticks(most: int, log_x: bool) -> dict:
    """Whole numbers only; 1, 3, 10, 30 ... on a logarithmic axis, from a thousand on 1, 10, 100 ...: they stand apart
    where there is little room, too."""
    if not log_x:
        return {"dtick": 1} if most <= 12 else {}
    places = [m * 10**e for e in range(len(str(most)) + 1) for m in ((1, 3) if most < 1000 else (1,))]
    at = {"tickmode": "array", "tickangle": 0, "tickformat": ",", "tickvals": [n for n in places if n <= 2 * most]}
    return {"type": "log"} | at


def _lines(
    curve: SizeCurve, x: np.ndarray, step: np.ndarray, values: dict[str, np.ndarray], number: str
) -> list[go.Scatter]:
    """At these steps, from the smallest tree to the largest. Between two sizes no new tree exists: the smaller one
    still is the best that fits, so the line runs level to the next size and only then steps (hv)."""
    sizes = np.stack([curve.n_leaves, curve.n_nodes, curve.depth, curve.alpha], axis=1)
    told = "%{customdata[1]} leaves, %{customdata[2]} nodes, depth %{customdata[3]}<br>α = %{customdata[4]:.4g}<br>"
    marks = {"size": 7 if len(step) <= 40 else 5 if len(step) <= 100 else 3}
    return [
        go.Scatter(
            x=x[step], y=value[step], customdata=np.column_stack([step, sizes[step]]), mode="lines+markers",
            name=text(role), line={"shape": "hv", "color": LINE} | ROLE_LINES[role],
            marker=marks | {"symbol": ROLE_SYMBOLS.get(role, "circle"), "color": ROLE_LINES[role]["color"]},
            unselected={"marker": {"opacity": 1}},
            hovertemplate=told + f"{text(role)}: %{{y:{number}}}<extra></extra>",
        )
        for role, value in values.items()
        if np.isfinite(value).any()
    ]  # fmt: skip


def _baselines(curve: SizeCurve, x: np.ndarray, values: dict[str, np.ndarray], number: str) -> list[go.Scatter]:
    """Dotted: what always giving the root's answer gets."""
    traces, by_accuracy = [], values is curve.accuracy
    for role, value in values.items():
        # of accuracy that of the last subtree, which is the root alone
        level = value[-1] if by_accuracy else curve.baseline_shown[role]
        if np.isfinite(level):
            told = f"{text(role)}: %{{y:{number}}}, always answering {_answer(curve)} of train<extra></extra>"
            traces.append(
                go.Scatter(
                    x=[x.min(), x.max()], y=[level, level], mode="lines",
                    line={"color": NEUTRAL, "dash": "dot", "width": 1}, hovertemplate=told,
                )
            )  # fmt: skip
    if traces:
        traces[0].update(name=_answer(curve))
    return traces


def _answer(curve: SizeCurve) -> str:
    """What the root alone answers."""
    whole = {"regression": "the mean", "counts": "the root"}.get(curve.task)
    if whole is not None:
        return whole
    return "the majority" if curve.measure == "error rate" else "the root's class"


def _rings(x: np.ndarray, values: dict[str, np.ndarray], chosen: int) -> go.Scatter:
    result = [value[chosen] for value in values.values()]
    ring = {"symbol": "circle-open", "size": 15, "color": EDGE, "line": {"width": 2.5}}
    at = np.full(len(result), x[chosen])
    return go.Scatter(x=at, y=result, mode="markers", name="chosen", marker=ring, hoverinfo="skip")


def _best(curve: SizeCurve, x: np.ndarray, values: dict[str, np.ndarray]) -> list[go.Scatter]:
    """A star on the smallest tree of least error (or cost) on the rows that judge."""
    best = curve.best()
    if best is None:
        return []
    star = {"symbol": "star", "size": 15, "color": LINE, "line": {"width": 1.25, "color": HALO}}
    at = {"x": [x[best]], "y": [values[curve.judge][best]], "customdata": [[best]]}
    return [go.Scatter(mode="markers", marker=star, hoverinfo="skip", **at)]


def _best_named(curve: SizeCurve, x: np.ndarray, log_x: bool) -> list[dict]:
    """What the star is, over the plot, where no marker is."""
    best = curve.best()
    if best is None:
        return []
    across = float(np.log10(x[best])) if log_x else float(x[best])  # Plotly places notes on a logarithmic axis so
    place = {"x": across, "xref": "x", "xanchor": "center", "y": 1, "yref": "paper", "yanchor": "bottom"}
    return [{"text": f"★ best {x[best]:,}", "showarrow": False, "font": SMALL} | place]
