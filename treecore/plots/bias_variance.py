"""Bias, variance and noise against the number of leaves, and the error that they add up to."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import SHARE, figure
from treecore.plots.palette import LINE
from treecore.study.questions.bias_variance import Parts

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
    ticks = sizes[np.isin(sizes, _told(sizes))].tolist()
    return {"title": "most leaves of a tree", "type": "log", "tickmode": "array", "tickvals": ticks}


def _told(sizes: np.ndarray) -> list[int]:
    return [1, 2, 4, 8, 16, 32, 64, 128, 256] if len(sizes) > 6 else sizes.tolist()


def line(x: np.ndarray, y: np.ndarray, name: str, look: dict, symbol: str, number: str) -> go.Scatter:
    """Points joined by a line. number : how values are told."""
    told = f"%{{x}} leaves<br>{name}: %{{y:{number}}}<extra></extra>"
    mark = {"symbol": symbol, "size": 6, "color": look["color"]}
    return go.Scatter(x=x, y=y, mode="lines+markers", name=name, line=look, marker=mark, hovertemplate=told)
