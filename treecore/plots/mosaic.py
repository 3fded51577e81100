"""Two columns counted together as a mosaic: as wide as the rows of a level, as high as their shares of the other."""

import numpy as np
import plotly.graph_objects as go

from treecore.evaluation.contingency import Contingency
from treecore.plots.frame import figure
from treecore.plots.palette import EDGE, color, hatch, pattern
from treecore.plots.words import percent, text, texts

GAP = 0.006
"""Between two stacks, as a part of the whole width."""
LEAST_NAMED = 0.035
"""A narrower stack has no name below it; pointing at it tells."""
GREYS = ("#5f6670", "#aab0b8", "#858c96", "#d3d7dc")


def mosaic(found: Contingency, by_class: bool) -> go.Figure:
    """Areas are rows. Were the two columns independent, all stacks would be parted at the same heights.

    by_class : is the second column the target? Then its levels have the colours of the classes; else greys and hatches.
    """
    total = found.counts.sum(axis=1)
    width = total / max(total.sum(), 1e-300)
    left = np.cumsum(width) - width
    traces = [_stack(found, k, left, width, by_class) for k in range(len(found.columns))]
    wide = np.flatnonzero(width >= LEAST_NAMED)
    names = texts(found.rows, 16)
    xaxis = {
        "title": text(found.names[0], 48), "range": [0, 1], "showgrid": False, "tickmode": "array",
        "tickvals": (left + width / 2)[wide].tolist(), "ticktext": [names[i] for i in wide],
    }  # fmt: skip
    yaxis = {"title": f"share of {text(found.names[1], 32)}", "range": [0, 1], "tickformat": ".0%", "showgrid": False}
    return figure(traces, xaxis, yaxis, barmode="stack", height=330)


def _stack(found: Contingency, k: int, left: np.ndarray, width: np.ndarray, by_class: bool) -> go.Bar:
    """The part of each stack that one level of the second column has."""
    fill = color(k) if by_class else GREYS[k % len(GREYS)]
    look = {"color": fill, "line": {"color": EDGE, "width": 1}, "pattern": pattern(hatch(k))}
    row, name = texts(found.rows, 60), texts(found.columns, 24)[k]
    told = [
        f"<b>{row[i]}</b><br>{name}: {found.counts[i, k]:,.0f} ({percent(share)}), expected {found.expected[i, k]:,.1f}"
        for i, share in enumerate(found.shares[:, k].tolist())
    ]
    return go.Bar(
        x=left + width / 2, width=np.maximum(width - GAP, GAP / 2), y=found.shares[:, k], name=name, marker=look,
        hovertext=told, hoverinfo="text",
    )  # fmt: skip
