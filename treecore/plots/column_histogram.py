"""One column of the data: a histogram or a count of its levels, stacked by class."""

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import figure, level_ticks
from treecore.plots.palette import EDGE, HALO, INK, color, hatch, pattern
from treecore.plots.words import text, texts
from treecore.study.column_counts import ColumnCounts

EDGE_LINES = {"color": HALO, "width": 4}, {"color": INK, "width": 1.5}


def column_histogram(counts: ColumnCounts, edges: tuple[float, ...] = ()) -> go.Figure:
    """Bars of rows per bin or level, the classes stacked; the axis says how many rows are not in the bars.

    edges : of bins, or one threshold, as lines; of an ordinal column between two places of levels.
    """
    names = texts(counts.groups, 24) or ["rows"]
    traces = [_bars(counts, k, name) for k, name in enumerate(names)]
    xaxis = {"title": text(counts.name, 48) + _left_out(counts), "showgrid": False}
    if counts.edges is None:
        xaxis |= level_ticks(counts.levels)
    gap = 0 if counts.edges is not None else 0.25
    lines = [_line(edge, look) for edge in edges for look in EDGE_LINES]
    return figure(
        traces, xaxis, {"title": "rows"}, barmode="stack", bargap=gap, showlegend=bool(counts.groups), shapes=lines
    )


def _line(edge: float, look: dict) -> dict:
    return {"type": "line", "x0": edge, "x1": edge, "y0": 0, "y1": 1, "yref": "paper", "line": look}


def _bars(counts: ColumnCounts, k: int, name: str) -> go.Bar:
    look = {"color": color(k), "line": {"color": EDGE, "width": 1}, "pattern": pattern(hatch(k))}
    height, told = counts.counts[k], f"<br>{name}: %{{y}}<extra></extra>"
    if counts.edges is None:
        words = np.array(texts(counts.levels, 60), object)
        place = np.arange(len(words))
        return go.Bar(x=place, y=height, name=name, marker=look, hovertext=words, hovertemplate="%{hovertext}" + told)
    left, right = counts.edges[:-1], counts.edges[1:]
    ends = np.stack([left, right], axis=1)
    told = "%{customdata[0]:.4g} to %{customdata[1]:.4g}" + told
    middle, width = (left + right) / 2, right - left
    return go.Bar(x=middle, y=height, width=width, name=name, marker=look, customdata=ends, hovertemplate=told)


def _left_out(counts: ColumnCounts) -> str:
    parts = [f"{counts.n_missing:,} missing"] if counts.n_missing else []
    if counts.rare_levels:
        parts.append(f"{counts.rare_levels:,} rarer levels with {counts.n_rare:,} rows not shown")
    if counts.n_unknown:
        parts.append(f"{counts.n_unknown:,} without a target")
    return f" ({'; '.join(parts)})" if parts else ""
