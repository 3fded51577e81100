"""Errors and leaves against rows, noise, leaves or trees: lines with bands, one function for each experiment."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.judging.measures import Measure
from treecore.plots.picture_style import LINE, NEUTRAL, ROLE_LINES, SHARE, SMALL, figure, text, vertical
from treecore.study.questions.bias_variance import Parts
from treecore.study.questions.horizon import Horizon
from treecore.study.questions.learning_curve import Along, Outlook
from treecore.study.questions.many_trees import OUT_OF_BAG
from treecore.study.questions.online_learning import Feeding

BAND = "rgba(128,128,128,0.18)"


def score_curve(found: Along, measure: Measure, scale: str, share: bool, ahead: Outlook | None = None) -> go.Figure:
    """Rows held back and training rows, each with a band. scale : what the axis below is. share : is it a part of rows?
    ahead : the curve of rows held back carried on, dashed."""
    number = ".1%" if measure.percent else ".4g"
    traces = []
    for name, values, role in (("rows held back", found.score, "validation"), ("training rows", found.train, "train")):
        mean, spread = values.mean(axis=1), values.std(axis=1, ddof=min(1, values.shape[1] - 1))
        if role == "validation":
            ends = (np.clip(end, 0, 1) if measure.percent else end for end in (mean - spread, mean + spread))
            traces.append(_band(found.at, *ends))
        traces.append(_score_line(found.at, mean, name, {"color": LINE} | ROLE_LINES[role], number))
    if ahead is not None:
        traces.append(_band(ahead.at, ahead.low, ahead.high))
        traces.append(
            _score_line(ahead.at, ahead.score, "carried on", {"color": LINE, "dash": "7px,5px"}, number, "lines")
        )
    high = {"title": text(measure.label, None)} | ({"tickformat": SHARE} if measure.percent else {})
    return figure(traces, _axis(found, scale, share, ahead), high)


def leaves_along(found: Along, scale: str, share: bool) -> go.Figure:
    """Mean number of leaves, with its band."""
    mean, spread = found.n_leaves.mean(axis=1), found.n_leaves.std(axis=1)
    band = _band(found.at, np.maximum(mean - spread, 1.0), mean + spread)
    traces = [band, _score_line(found.at, mean, "leaves", {"color": LINE}, ".1f")]
    return figure(traces, _axis(found, scale, share), {"title": "leaves", "rangemode": "tozero"}, showlegend=False)


def _axis(found: Along, scale: str, share: bool, ahead: Outlook | None = None) -> dict:
    """Shares of rows evenly; numbers of rows, and what becomes ever rarer, by their logarithm."""
    if share and found.at.min() > 0:
        return {"title": text(scale, 60), "type": "log", "tickmode": "array", "tickvals": found.at, "tickformat": SHARE}
    if share:
        return {"title": text(scale, 60), "tickformat": SHARE}
    places = [*found.at[[0, 2, len(found.at) // 2, -1]], *([] if ahead is None else [ahead.at[-1]])]
    return {"title": text(scale, 60), "type": "log", "tickmode": "array", "tickvals": places, "tickformat": ",.0f"}


def _score_line(
    x: np.ndarray, y: np.ndarray, name: str, line: dict, number: str, mode: str = "lines+markers"
) -> go.Scatter:
    told = f"{name}: %{{y:{number}}} at %{{x:.4~g}}<extra></extra>"
    return go.Scatter(x=x, y=y, mode=mode, name=name, line=line, marker={"size": 6, "color": LINE}, hovertemplate=told)


def _band(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> go.Scatter:
    return go.Scatter(
        x=np.append(x, x[::-1]), y=np.append(high, low[::-1]), mode="lines", line={"width": 0}, fill="toself",
        fillcolor=BAND, hoverinfo="skip", showlegend=False,
    )  # fmt: skip


# Bias, variance and noise against the number of leaves, and the error that they add up to.

_LOOKS = {
    "error": ({"width": 2.5, "dash": "solid"}, "circle"),
    "bias": ({"width": 1.75, "dash": "7px,4px"}, "square"),
    "variance": ({"width": 1.75, "dash": "2px,3px"}, "triangle-up"),
    "noise": ({"width": 1.25, "dash": "10px,3px,2px,3px"}, "diamond"),
}


def bias_variance(sizes: np.ndarray, parts: Sequence[Parts], bias: str = "bias", share: bool = True) -> go.Figure:
    """One line per part over the most leaves of a tree.

    sizes : int64 (m,). parts : one per size. bias : what it is called. share : are they shares of rows?
    """
    number = ".1%" if share else ".4g"
    traces = []
    for name, (look, symbol) in _LOOKS.items():
        values = np.array([getattr(p, name) for p in parts])
        if name != "noise" or values.any():
            label = {"error": "error of new rows", "bias": bias}.get(name, name)
            traces.append(line(sizes, values, label, look | {"color": LINE}, symbol, number))
    axis = {"tickformat": SHARE} if share else {}
    return figure(traces, size_axis(sizes), {"title": "", "rangemode": "tozero"} | axis)


def size_axis(sizes: np.ndarray) -> dict:
    """The axis of leaves, by their logarithm."""
    ticks = sizes[np.isin(sizes, _sizes_with_ticks(sizes))].tolist()
    return {"title": "most leaves of a tree", "type": "log", "tickmode": "array", "tickvals": ticks}


def _sizes_with_ticks(sizes: np.ndarray) -> list[int]:
    return [1, 2, 4, 8, 16, 32, 64, 128, 256] if len(sizes) > 6 else sizes.tolist()


def line(x: np.ndarray, y: np.ndarray, name: str, look: dict, symbol: str, number: str) -> go.Scatter:
    """Points joined by a line. number : how values are told."""
    told = f"%{{x}} leaves<br>{name}: %{{y:{number}}}<extra></extra>"
    mark = {"symbol": symbol, "size": 6, "color": look["color"]}
    return go.Scatter(x=x, y=y, mode="lines+markers", name=name, line=look, marker=mark, hovertemplate=told)


# The over-fitting picture: larger trees err ever less on their own rows, and from some size on more on new ones.


def overfitting(sizes: np.ndarray, train: np.ndarray, new: np.ndarray, share: bool = True) -> go.Figure:
    """Two lines over the most leaves of a tree, each the mean of many trees, with their spread behind new rows' one.

    sizes : int64 (m,). train, new : float64 (m, n_trees), error of each tree on its own rows and on new ones. share :
    are they shares of rows? The dotted line stands at the size of least error of new rows.
    """
    number, mean, spread = ".1%" if share else ".4g", new.mean(axis=1), new.std(axis=1)
    band = go.Scatter(
        x=np.append(sizes, sizes[::-1]), y=np.append(mean + spread, np.maximum(mean - spread, 0)[::-1]), mode="lines",
        line={"width": 0}, fill="toself", fillcolor=BAND, hoverinfo="skip", showlegend=False,
    )  # fmt: skip
    best, top = int(mean.argmin()), float(max(mean.max(), train.mean(axis=1).max()))
    rule = go.Scatter(
        x=[sizes[best]] * 2, y=[0, top], mode="lines", line={"color": NEUTRAL, "width": 1.5, "dash": "dot"},
        name=f"least: {sizes[best]:,}", hoverinfo="skip",
    )  # fmt: skip
    traces = [
        band,
        line(sizes, train.mean(axis=1), "training rows", {"width": 1.25, "color": NEUTRAL}, "circle-open", number),
        line(sizes, mean, "new rows", {"width": 2.5, "color": LINE}, "circle", number),
        rule,
    ]
    high = {"title": "error", "rangemode": "tozero"} | ({"tickformat": SHARE} if share else {})
    return figure(traces, size_axis(sizes), high)


# Stopped early and pruned afterwards: error of rows held back against leaves.


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


# Accuracy and leaves against the rows seen, of several ways to learn row by row.

LOOKS = ({"dash": "solid", "width": 1.75}, {"dash": "7px,4px", "width": 1.75})


def accuracy_by_rows(found: Feeding, role: str, step: int) -> go.Figure:
    """On the rows of a role. step : the one looked at, a vertical line."""
    lines = {way.label: way.accuracy[role] for way in found.ways.values()}
    return _lines(found, lines, step, ".1%", {"title": text(f"accuracy, {role} rows"), "tickformat": SHARE})


def leaves_by_rows(found: Feeding, step: int) -> go.Figure:
    lines = {way.label: way.n_leaves for way in found.ways.values()}
    return _lines(found, lines, step, ",", {"title": "leaves", "rangemode": "tozero"}, showlegend=False)


def _lines(found: Feeding, lines: dict[str, np.ndarray], step: int, number: str, high: dict, **more) -> go.Figure:
    traces = [
        go.Scatter(
            x=found.n_rows, y=values, mode="lines", name=name, line={"color": LINE} | look,
            hovertemplate=f"{name}: %{{y:{number}}} after %{{x:,}} rows<extra></extra>",
        )
        for (name, values), look in zip(lines.items(), LOOKS, strict=False)
    ]  # fmt: skip
    shapes = [vertical(float(found.n_rows[step]), NEUTRAL, "dot")]
    return figure(traces, {"title": "rows seen", "tickformat": ","}, high, shapes=shapes, **more)


# Error against the number of trees that answer together, beside the one tree.


def many_trees(errors: Mapping[str, np.ndarray], single: Mapping[str, float], share: bool, name: str) -> go.Figure:
    """errors : role (or "out of bag") -> float64 (n_trees,). single : role -> error of your tree, a dotted line.
    share : is the error a part of rows? name : what it is called."""
    number = ".1%" if share else ".4g"
    n = max(len(values) for values in errors.values())
    traces = [_error_line(role, values, number) for role, values in errors.items()]
    traces += [_level(role, value, n, number, place == 0) for place, (role, value) in enumerate(single.items())]
    high = {"title": name, "rangemode": "normal"}
    high |= {"tickformat": SHARE} if share else {}
    return figure(traces, {"title": "trees", "range": [1, max(n, 2)]}, high, annotations=_roles(single))


def of_one_height(*charts: go.Figure) -> tuple[go.Figure, ...]:
    """The charts with the range of the first one's errors, from 0, so that heights can be compared; what is higher in
    the others, such as a lone root, is not in sight."""
    highest = max(float(np.nanmax(trace.y)) for trace in charts[0].data)
    for chart in charts:
        chart.update_yaxes(range=[0, 1.1 * highest or 1])
    return charts


def _error_line(role: str, values: np.ndarray, number: str) -> go.Scatter:
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
