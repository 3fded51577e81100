"""The split landscape: gain against cut, one small picture per feature on one common scale of gain."""

import numpy as np
import plotly.graph_objects as go

from treecore.growing.inspect.landscape import Bars, Curve, Landscape
from treecore.plots.picture_style import (
    COLORS,
    EDGE,
    HATCHES,
    INK,
    axis,
    digits,
    figure,
    legend_key,
    level_ticks,
    pattern,
    text,
)
from treecore.tree.short_text import apart

COLUMNS = 3
MOST = 12
"""Features drawn; the page names the others."""
FEW = 60
"""Up to so many cuts each has a marker of its own that is easily seen."""
_LINE, _BAR, _WINS = COLORS[0], COLORS[4], COLORS[5]
_STAR = {"symbol": "star", "size": 14, "color": _WINS, "line": {"color": INK, "width": 1}}
_RING = {"symbol": "circle-open", "size": 10, "color": _WINS, "line": {"color": _WINS, "width": 2}}
_GAP, _TITLE = 0.045, 46  # of the width; pixels above each picture


def height(landscape: Landscape) -> int:
    """Pixels that the picture needs."""
    return 60 + 196 * -(-min(len(landscape.parts), MOST) // COLUMNS)


def split_landscape(landscape: Landscape, ranks: bool = False) -> go.Figure:
    """A picture per feature, the best first, at most MOST; all have the same scale of gain.

    ranks : thresholds at the share of rows below them instead of at their value, for skewed features.
    The customdata of a point is (place of the feature in `landscape.parts`, threshold or -, place of the grouping).
    """
    parts = landscape.parts[:MOST]
    traces, layout, notes = [], {}, []
    top = max(landscape.best, 1e-12) * 1.14
    for i, part in enumerate(parts):
        box = _box(i, len(parts), height(landscape))
        suffix = str(i + 1) if i else ""
        x, y = _axes(landscape, part, ranks, i, top)
        layout[f"xaxis{suffix}"] = x | {"domain": box[0], "anchor": f"y{suffix}"}
        layout[f"yaxis{suffix}"] = y | {"domain": box[1], "anchor": f"x{suffix}"}
        notes.append(_heading(part, box))
        draw = _bars if isinstance(part, Bars) else _curve
        traces += [t.update(xaxis=f"x{suffix}", yaxis=f"y{suffix}") for t in draw(landscape, part, i, ranks)]
    made = figure([*traces, *_keys(landscape)], {}, {}, annotations=notes, bargap=0.25, clickmode="event+select")
    legend = {"y": 1, "yref": "container", "yanchor": "top"}
    return made.update_layout(layout).update_layout(margin={"t": 30}, legend=legend)


def _box(i: int, n: int, pixels: int) -> tuple[list[float], list[float]]:
    """The (x, y) domains of picture i of n, row by row from the top."""
    columns = min(n, COLUMNS)
    rows = -(-n // columns)
    row, column = divmod(i, columns)
    width, room = (1 - _GAP * (columns - 1)) / columns, 1 / rows
    left, high, title = column * (width + _GAP), 1 - row * room, _TITLE / pixels
    return [left, left + width], [high - room + title * 0.75, high - title * 0.6]


def _heading(part: Curve | Bars, box: tuple) -> dict:
    said = f"<b>{text(part.feature, 28)}</b> · best {digits(part.best)}"
    place = {"x": box[0][0], "y": box[1][1], "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return {"text": said, "showarrow": False} | place


def _axes(landscape: Landscape, part: Curve | Bars, ranks: bool, i: int, top: float) -> tuple[dict, dict]:
    low = min(0.0, *(p.gain.min(initial=0.0) for p in landscape.parts))
    first = i % COLUMNS == 0
    y = axis("gain" if first else "", range=[low, top], showticklabels=first, nticks=5)
    if isinstance(part, Bars):
        n = len(part.groupings)
        return axis(tickmode="array", tickvals=list(range(n)), ticktext=[str(k + 1) for k in range(n)],
                    range=[-0.7, max(n, 3) - 0.3], showgrid=False), y  # fmt: skip
    if ranks:
        return axis(tickformat=".0%", range=[-0.02, 1.02], nticks=6), y
    if part.levels:
        return axis(**level_ticks(part.levels), range=[-0.4, len(part.levels) - 0.6], showgrid=False), y
    return axis(nticks=6), y


def _curve(landscape: Landscape, part: Curve, i: int, ranks: bool) -> list[go.Scatter]:
    def trace(cuts: Curve, **look) -> go.Scatter:
        x = cuts.share if ranks else cuts.threshold
        data = np.column_stack([np.full(len(x), i), cuts.threshold, np.zeros(len(x))])
        return go.Scatter(
            x=x, y=cuts.gain, customdata=data, hovertext=_cuts_in_words(cuts), hoverinfo="text", showlegend=False,
            unselected={"marker": {"opacity": 1}}, **look,
        )  # fmt: skip

    size = 6 if len(part.gain) <= FEW else 3
    line = {"line": {"color": _LINE, "width": 1.5}, "marker": {"color": _LINE, "size": size}}
    won, near = landscape.won(part), landscape.near(part)
    return [
        trace(part, mode="lines+markers", **line),
        *([trace(part.take(near & ~won), mode="markers", marker=_RING)] if (near & ~won).any() else []),
        *([trace(part.take(won), mode="markers", marker=_STAR)] if won.any() else []),
    ]


def _cuts_in_words(cuts: Curve) -> list[str]:
    """What each cut asks, gains and parts; one text per cut."""
    name = text(cuts.feature)
    if cuts.levels:
        asks = [f"{name} ≤ {text(cuts.levels[int(t)])}" for t in cuts.threshold]
    else:
        asks = [f"{name} {'≤' if cuts.closed else '&lt;'} {cuts.printed(t)}" for t in cuts.threshold.tolist()]
    rows = [f"{low:,} training rows below, {high:,} above" for low, high in zip(cuts.n_low, cuts.n_high, strict=True)]
    told = zip(asks, cuts.gain.tolist(), rows, strict=True)
    return [f"<b>{ask}</b><br>gain {digits(gain)}<br>{parts}" for ask, gain, parts in told]


def _bars(landscape: Landscape, part: Bars, i: int, _ranks: bool) -> list:
    places, won, near = np.arange(len(part.groupings)), landscape.won(part), landscape.near(part)
    data = np.column_stack([np.full(len(places), i), np.zeros(len(places)), places])
    told = [_grouping_in_words(part.feature, c) for c in part.groupings]
    look = {"color": _BAR, "line": {"color": EDGE, "width": 1}, "pattern": pattern(HATCHES[1])}
    shared = {"customdata": data, "hovertext": told, "hoverinfo": "text", "showlegend": False}
    result = [go.Bar(x=places, y=part.gain, marker=look, unselected={"marker": {"opacity": 1}}, **shared)]
    for which, marker in ((near & ~won, _RING), (won, _STAR)):
        if which.any():
            at = {"x": places[which], "y": part.gain[which], "customdata": data[which]}
            words = [t for t, w in zip(told, which, strict=True) if w]
            result.append(go.Scatter(mode="markers", marker=marker, **{**shared, **at, "hovertext": words}))
    return result


def _grouping_in_words(feature: str, candidate) -> str:
    places = apart(level for levels in candidate.branches for level in levels[:6])
    sides = [", ".join(text(level, 20, places) for level in levels[:6]) for levels in candidate.branches]
    more = [f" and {len(levels) - 6} more" if len(levels) > 6 else "" for levels in candidate.branches]
    shown = [f"{side}{rest}" for side, rest in zip(sides, more, strict=True)]
    groups = "<br>".join(shown[:6]) + (f"<br>and {len(shown) - 6} more branches" if len(shown) > 6 else "")
    rows = " | ".join(f"{n:,}" for n in candidate.n_rows[:8])
    return f"<b>{text(feature)}</b><br>{groups}<br>gain {digits(candidate.gain)}<br>training rows {rows}"


def _keys(landscape: Landscape) -> list[go.Scatter]:
    unit = landscape.unit
    what = f"{text(landscape.what)}{f', {text(unit)}' if unit else ''}"
    what += " per cost of the feature" if landscape.costly else ""
    keys = [legend_key(what, {"color": _LINE, "symbol": "circle", "size": 8})]
    if landscape.best > 0:
        keys += [legend_key("best", _STAR), legend_key("within 1 &#37; of the best", _RING)]
    return keys
