"""Accuracy and leaves against the rows seen, of several ways to learn row by row."""

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import SHARE, figure, vertical
from treecore.plots.palette import LINE, NEUTRAL
from treecore.plots.words import text
from treecore.study.questions.online_learning import Feeding

LOOKS = ({"dash": "solid", "width": 1.75}, {"dash": "7px,4px", "width": 1.75})
LOOKS_TOLD = ("whole line", "dashed")


def accuracy(found: Feeding, role: str, step: int) -> go.Figure:
    """On the rows of a role. step : the one looked at, a vertical line."""
    lines = {way.label: way.accuracy[role] for way in found.ways.values()}
    return _lines(found, lines, step, ".1%", {"title": text(f"accuracy, {role} rows"), "tickformat": SHARE})


def leaves(found: Feeding, step: int) -> go.Figure:
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
