"""Columns counted together as a mosaic: as wide as the rows of a level, as high as their shares of the other; side by
side for each level of a third column."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import figure
from treecore.plots.palette import EDGE, color, hatch, pattern
from treecore.plots.words import percent, text, texts
from treecore.study.column_counts import Contingency

GAP = 0.006
"""Between two stacks, as a part of the whole width."""
BETWEEN = 0.02
"""Between the parts of two levels of the third column."""
LEAST_NAMED = 0.035
"""A narrower stack has no name below it; pointing at it tells."""
GREYS = ("#5f6670", "#aab0b8", "#858c96", "#d3d7dc")


def mosaic(parts: Sequence[Contingency], by_class: bool) -> go.Figure:
    """Areas are rows. Were the two columns independent, all stacks of a part would be divided at the same heights.

    parts : one, or one for each level of a third column. by_class : is the second column the target? Then its levels
    have the colours of the classes; else greys and hatches.
    """
    shown = [part for part in parts if part.counts.any()]
    first, room = parts[0], 1 - BETWEEN * max(len(shown) - 1, 0)
    total = np.array([part.counts.sum(axis=1) for part in shown]).reshape(len(shown), len(first.rows))
    width = room * total / max(total.sum(), 1e-300)
    before = np.cumsum(width).reshape(width.shape) - width
    left = before + BETWEEN * np.arange(len(shown))[:, None]
    traces = [
        _stack(part, k, left[i], width[i], by_class, legend=i == 0)
        for i, part in enumerate(shown)
        for k in range(len(first.columns))
    ]
    names, wide = texts(first.rows, 16), width >= LEAST_NAMED
    xaxis = {
        "title": text(first.names[0], 48), "range": [0, 1], "showgrid": False, "tickmode": "array",
        "tickvals": (left + width / 2)[wide].tolist(), "ticktext": [names[j] for j in np.nonzero(wide)[1]],
    }  # fmt: skip
    yaxis = {"title": f"share of {text(first.names[1], 32)}", "range": [0, 1], "tickformat": ".0%", "showgrid": False}
    within = [text(part.within, 16) if part.within else "" for part in shown]
    heads = [
        _head(f"{text(first.names[2], 24)} = {name}", left[i, 0] + width[i].sum() / 2)
        for i, name in enumerate(within)
        if name and width[i].sum() >= LEAST_NAMED
    ]
    found = figure(traces, xaxis, yaxis, barmode="stack", height=330, annotations=heads)
    return found.update_layout(legend_y=1.1, margin_t=56) if heads else found


def _head(name: str, x: float) -> dict:
    """Above the stacks of one level of the third column."""
    return {"text": name, "x": x, "y": 1, "yanchor": "bottom", "showarrow": False}


def _stack(
    found: Contingency, k: int, left: np.ndarray, width: np.ndarray, by_class: bool, legend: bool
) -> go.Bar:  # fmt: skip
    """The part of each stack that one level of the second column has."""
    fill = color(k) if by_class else GREYS[k % len(GREYS)]
    look = {"color": fill, "line": {"color": EDGE, "width": 1}, "pattern": pattern(hatch(k))}
    row, name = texts(found.rows, 60), texts(found.columns, 24)[k]
    within = f"{text(found.within, 60)}, " if found.within else ""
    told = [
        f"<b>{within}{row[i]}</b><br>{name}: {found.counts[i, k]:,.0f} ({percent(share)}), "
        f"expected {found.expected[i, k]:,.1f}"
        for i, share in enumerate(found.shares[:, k].tolist())
    ]
    return go.Bar(
        x=left + width / 2, width=np.maximum(width - GAP, GAP / 2), y=found.shares[:, k], name=name, marker=look,
        hovertext=told, hoverinfo="text", legendgroup=name, showlegend=legend,
    )  # fmt: skip
