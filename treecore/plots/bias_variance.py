"""Bias, variance and noise against the number of leaves, below the errors that they add up to."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.experiments.decompose import Parts
from treecore.plots.frame import figure
from treecore.plots.palette import LINE, NEUTRAL

_LOOKS = {
    "error": ({"width": 2.5, "dash": "solid"}, "circle"),
    "bias": ({"width": 1.75, "dash": "7px,4px"}, "square"),
    "variance": ({"width": 1.75, "dash": "2px,3px"}, "triangle-up"),
    "noise": ({"width": 1.25, "dash": "10px,3px,2px,3px"}, "diamond"),
}


def bias_variance(
    sizes: np.ndarray, parts: Sequence[Parts], train: np.ndarray | None = None, bias: str = "bias", share: bool = True
) -> go.Figure:
    """One line per part over the most leaves of a tree.

    sizes : int64 (m,). parts : one per size. train : float64 (m,), mean error on the trees' own rows, or None. bias :
    what it is called. share : are they shares of rows?
    """
    number = ".1%" if share else ".4g"
    traces = []
    if train is not None:
        traces.append(_line(sizes, train, "training error", {"width": 1.25, "color": NEUTRAL}, "circle-open", number))
    for name, (line, symbol) in _LOOKS.items():
        values = np.array([getattr(p, name) for p in parts])
        if name != "noise" or values.any():
            label = {"error": "error of new rows", "bias": bias}.get(name, name)
            traces.append(_line(sizes, values, label, line | {"color": LINE}, symbol, number))
    ticks = {"type": "log", "tickmode": "array", "tickvals": sizes[np.isin(sizes, _told(sizes))].tolist()}
    axis = {"tickformat": ".0%"} if share else {}
    return figure(traces, {"title": "most leaves of a tree"} | ticks, {"title": "", "rangemode": "tozero"} | axis)


def _told(sizes: np.ndarray) -> list[int]:
    return [1, 2, 4, 8, 16, 32, 64, 128, 256] if len(sizes) > 6 else sizes.tolist()


def _line(x: np.ndarray, y: np.ndarray, name: str, line: dict, symbol: str, number: str) -> go.Scatter:
    told = f"%{{x}} leaves<br>{name}: %{{y:{number}}}<extra></extra>"
    mark = {"symbol": symbol, "size": 6, "color": line["color"]}
    return go.Scatter(x=x, y=y, mode="lines+markers", name=name, line=line, marker=mark, hovertemplate=told)
