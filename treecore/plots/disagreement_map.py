"""Where two trees answer differently: rectangles of two features, or stretches of one."""

from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np
import plotly.graph_objects as go

from treecore.plots.picture_style import (
    EDGE,
    HALO,
    NEUTRAL,
    closed,
    color,
    digits,
    feature_axis,
    figure,
    text,
    texts,
    upward_axis,
)
from treecore.study.disagreement import Disagreement

MORE, LESS = color(0), color(5)
MOST_TOLD = 400
"""Rectangles that say by hovering what both trees answer there."""
SHAPES = ("/", "\\", "x", "-", "|", "+", ".")
"""Hatches of pairs of answers: told apart without their colours."""
SYMBOLS = ("triangle-left", "triangle-right", "x-thin-open")
"""Of rows on which the first tree alone is right, or the second, or neither."""


def disagreement_map(
    found: Disagreement, names: tuple[str, str] = ("A", "B"), rows: Mapping[str, Sequence[np.ndarray]] | None = None
) -> go.Figure:
    """One trace per pair of answers, hatched in the colours of both: A's as the stripes, B's as the ground.

    names : of the two trees. rows : for SYMBOLS in turn, what such rows are called -> their places on the axes.
    Numbers: one trace where B's answer is the larger one, one where it is the smaller. A click tells the nodes of both
    trees (customdata).
    """
    first, second = texts(names, 24)
    groups = _class_groups(found, first, second) if found.classes else _number_groups(found, first, second)
    traces = [_area(found, here, name, look) for name, here, look in groups]
    traces.append(_middles(found, first, second))
    traces += [_marks(found, *kind) for kind in zip(rows or {}, (rows or {}).values(), SYMBOLS, strict=False)]
    if found.y is not None:
        return figure(traces, feature_axis(found.x), upward_axis(found.y))
    flat = {"title": "", "range": [0, 1], "showticklabels": False, "showgrid": False}
    return figure(traces, feature_axis(found.x), flat)


def _class_groups(found: Disagreement, first: str, second: str):
    """(name, which rectangles, look) of every pair of answers."""
    classes = [*texts(found.classes, 24), "no answer"]
    pairs = sorted(set(zip(found.value_a.tolist(), found.value_b.tolist(), strict=True)))
    for (a, b), shape in zip(pairs, cycle(SHAPES), strict=False):
        here = (found.value_a == a) & (found.value_b == b)
        stripe, ground = (NEUTRAL if k < 0 else color(k) for k in (a, b))
        yield f"{first}: {classes[a]}, {second}: {classes[b]}", here, _hatch(shape, stripe, ground)


def _number_groups(found: Disagreement, first: str, second: str):
    for name, here, shape, ground in (
        (f"{second} answers more", found.value_b > found.value_a, "/", MORE),
        (f"{second} answers less", found.value_b < found.value_a, "\\", LESS),
    ):
        if here.any():
            yield name, here, _hatch(shape, HALO, ground)


def _hatch(shape: str, stripe: str, ground: str) -> dict:
    return {"shape": shape, "fgcolor": stripe, "bgcolor": ground, "size": 12, "solidity": 0.45, "fillmode": "replace"}


def _area(found: Disagreement, here: np.ndarray, name: str, pattern: dict) -> go.Scatter:
    """The pieces of one group, a closed line around each."""
    x, y = closed([outline for outline, shown in zip(found.outlines, here, strict=True) if shown])
    look = {"fill": "toself", "fillpattern": pattern, "line": {"color": EDGE, "width": 1}, "mode": "lines"}
    return go.Scatter(x=x, y=y, name=name, hoverinfo="skip", **look)


def _middles(found: Disagreement, first: str, second: str) -> go.Scatter:
    """An unseen point in the middle of each rectangle, the largest first: what both trees answer there."""
    shown = np.argsort(-found.areas, kind="stable")[:MOST_TOLD]
    told = []
    for i in shown.tolist():
        a, b = _answer(found, found.value_a[i]), _answer(found, found.value_b[i])
        told.append(f"{first}: {a} (node {found.node_a[i]})<br>{second}: {b} (node {found.node_b[i]})")
    nodes = np.stack([found.node_a[shown], found.node_b[shown]], axis=1)
    look = {"mode": "markers", "marker": {"size": 14, "opacity": 0}, "showlegend": False}
    x, y = found.middles[shown].T
    return go.Scatter(x=x, y=y, hovertext=told, hoverinfo="text", customdata=nodes, **look)


def _marks(found: Disagreement, name: str, places: Sequence[np.ndarray], symbol: str) -> go.Scatter:
    """Rows of one kind, as signs with a border that stands off any hatch."""
    x, y = places if found.y is not None else (places[0], np.full(len(places[0]), 0.5))
    look = {"symbol": symbol, "size": 9, "color": HALO, "line": {"color": EDGE, "width": 1.4}}
    return go.Scatter(x=x, y=y, name=text(name, 60), mode="markers", marker=look, hoverinfo="name")


def _answer(found: Disagreement, value) -> str:
    if not found.classes:
        return digits(found.units * float(value))
    return texts(found.classes, 24)[value] if value >= 0 else "no answer"
