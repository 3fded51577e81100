"""Rows counted: the histogram of a column, the target or the classes of a node, and two columns as a mosaic."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.figures import count, percent
from treecore.plots.picture_style import (
    COLORS,
    EDGE,
    HALO,
    INK,
    NEUTRAL,
    ROLE_HATCHES,
    color,
    digits,
    figure,
    hatch,
    level_ticks,
    pattern,
    text,
    texts,
    vertical,
)
from treecore.study.column_counts import ClassMix, ColumnCounts, Contingency, TargetHistogram

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


# The target of a regression node's rows beside that of all rows.


def target_histogram(histogram: TargetHistogram, role: str = "train") -> go.Figure:
    """Bars of all rows with the node's rows in front; lines at what the node predicts and at everybody's mean.

    role : which rows were counted, for the words.
    """
    traces = [
        _target_bars(histogram.edges, histogram.everyone, f"all rows ({text(role)})", NEUTRAL, "", 0.45),
        _target_bars(histogram.edges, histogram.here, f"node {histogram.node}", COLORS[0], "/", 1.0),
    ]
    lines = [
        (histogram.prediction, COLORS[5], "solid", "node predicts"),
        (histogram.mean, NEUTRAL, "dash", "mean of all"),
    ]
    lines = [line for line in lines if line[0] == line[0]]
    shapes = [vertical(x, shade, dash, 2) for x, shade, dash, _ in lines]
    traces += [_target_key(f"{words} {digits(x)}", shade, dash) for x, shade, dash, words in lines]
    xaxis = {"title": text(histogram.target, 48), "showgrid": False}
    return figure(traces, xaxis, {"title": "rows"}, shapes=shapes, barmode="overlay", bargap=0)


def _target_bars(edges: np.ndarray, counts: np.ndarray, name: str, shade: str, hatch: str, opacity: float) -> go.Bar:
    ends = np.stack([edges[:-1], edges[1:]], axis=1)
    return go.Bar(
        x=(edges[:-1] + edges[1:]) / 2, y=counts, width=np.diff(edges), name=name, opacity=opacity, customdata=ends,
        marker={"color": shade, "line": {"color": EDGE, "width": 1}, "pattern": pattern(hatch)},
        hovertemplate=f"{name}<br>%{{customdata[0]:.4g}} to %{{customdata[1]:.4g}}: %{{y:.6g}}<extra></extra>",
    )  # fmt: skip


def _target_key(name: str, shade: str, dash: str) -> go.Scatter:
    line = {"color": shade, "dash": dash, "width": 2}
    return go.Scatter(x=[None], y=[None], mode="lines", name=name, line=line, hoverinfo="skip")


# The classes of one node's rows, the roles side by side.


def class_mix(mix: ClassMix) -> go.Figure:
    """One group of bars per class, one bar per role: the class's share of that role's rows in the node."""
    names = texts(mix.classes, 24)
    traces = [_class_bars(mix, role, names) for role in mix.weights]
    traces += [_class_key(mix, role) for role in mix.weights]
    yaxis = level_ticks(mix.classes) | {"autorange": "reversed", "showgrid": False}
    xaxis = {"title": "share of the node's rows", "tickformat": ".0%", "range": [0, 1.12], "dtick": 0.25}
    return figure(traces, xaxis, yaxis, barmode="group", bargap=0.3, bargroupgap=0.08)


def _class_bars(mix: ClassMix, role: str, names: list[str]) -> go.Bar:
    share = np.nan_to_num(mix.shares(role))
    told = [f"{count(w, ',')} ({percent(s)})" for w, s in zip(mix.weights[role].tolist(), share.tolist(), strict=True)]
    hover = [f"<b>{name}</b><br>{text(role)}: {words}" for name, words in zip(names, told, strict=True)]
    look = {"color": [color(k) for k in range(len(names))], "line": {"color": EDGE, "width": 1}}
    look["pattern"] = _pattern(role)
    return go.Bar(
        x=share, y=np.arange(len(names)), orientation="h", text=told, textposition="outside", cliponaxis=False,
        hovertext=hover, hoverinfo="text", marker=look, showlegend=False, name=text(role), offsetgroup=role,
    )  # fmt: skip


def _class_key(mix: ClassMix, role: str) -> go.Bar:
    look = {"color": NEUTRAL, "pattern": _pattern(role)}
    name = f"{text(role)} ({count(mix.total(role), ',')})"
    return go.Bar(x=[None], y=[None], orientation="h", name=name, marker=look, offsetgroup=role)


def _pattern(role: str) -> dict:
    return pattern(ROLE_HATCHES.get(role, "x"))


# Columns counted together as a mosaic: as wide as the rows of a level, as high as their shares of the other; side by
# side for each level of a third column.

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
    result = figure(traces, xaxis, yaxis, barmode="stack", height=330, annotations=heads)
    return result.update_layout(legend_y=1.1, margin_t=56) if heads else result


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
