"""Rows from the surest down: ROC, precision against recall, gains, lift, a marker where the threshold stands."""

from collections.abc import Callable, Mapping

import numpy as np
import plotly.graph_objects as go

from treecore.errors import TreecoreError
from treecore.judging.ranking import Ranking
from treecore.plots.frame import figure
from treecore.plots.palette import LINE, NEUTRAL, ROLE_LINES, ROLE_SYMBOLS
from treecore.plots.words import percent, text

SHAPES = ("ROC", "precision and recall", "gains", "lift")
_AXES = {
    "ROC": ("false alarms among other rows", "found, of the class"),
    "precision and recall": ("recall: found, of the class", "precision: right, of those called so"),
    "gains": ("rows, the surest first", "found, of the class"),
    "lift": ("rows, the surest first", "times as many as by chance"),
}


def ranked(
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
            traces += [_line(role, of, shape), *([] if threshold is None else [_mark(of, shape, threshold)])]
    x, y = ({"title": title} for title in _AXES[shape])
    share = {"tickformat": ".0%", "range": [-0.02, 1.02]}
    return figure(traces, x | share, y | ({"rangemode": "tozero"} if shape == "lift" else share))


def _line(role: str, of: Ranking, shape: str) -> go.Scatter:
    x, y = _points(of, shape)
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


def _points(of: Ranking, shape: str) -> tuple[np.ndarray, np.ndarray]:
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
    x, y = _points(of, shape)
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
