"""The over-fitting picture: larger trees err ever less on their own rows, and from some size on more on new ones."""

import numpy as np
import plotly.graph_objects as go

from treecore.plots.along import BAND
from treecore.plots.bias_variance import line, size_axis
from treecore.plots.frame import SHARE, figure
from treecore.plots.palette import LINE, NEUTRAL


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
