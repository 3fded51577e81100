"""Cross-validation over the sizes of a tree: its mean, a band of one standard error, and the sizes rules choose."""

import itertools
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import SMALL
from treecore.plots.palette import HALO, LINE, ROLE_LINES
from treecore.plots.words import text
from treecore.study.curves import SizeCurve

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
        x=x[step], y=mean[step], customdata=np.column_stack([step, curve.cv_error[step]]), mode="lines+markers",
        name="cross-validation", hovertemplate=told,
        line={"shape": "hv", "color": LINE} | ROLE_LINES["cross"],
        marker={"symbol": "triangle-up", "color": ROLE_LINES["cross"]["color"], "size": 7 if len(curve) <= 40 else 5},
        unselected={"marker": {"opacity": 1}},
    )  # fmt: skip
    return [*_band(x[step], mean[step], curve.cv_error[step]), line, *_marks(x, mean, marks)]


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
