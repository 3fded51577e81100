"""Rows as points: a class by symbol and colour, a role by filled or open, a wrong answer by a ring."""

import numpy as np
import plotly.graph_objects as go

from treecore.evaluation.points import Points
from treecore.plots.frame import legend_key
from treecore.plots.palette import NEUTRAL, ROLE_FILLS, ROLE_SYMBOLS, WRONG, color, symbol
from treecore.plots.words import digits, text

SIZE = 8
FADED = 0.35  # rows whose other features are not the fixed ones


def class_points(points: Points, target: str, names: list[str], limits=None) -> list[go.Scatter]:
    """One trace per class and role, keys of the roles, and rings around wrong answers.

    names : safe texts of the classes.
    """
    told = _told(points, target, [*names, "no answer"])
    traces = []
    for k, name in enumerate(names):
        shown = False
        for r, role in enumerate(points.roles):
            here = (points.truth == k) & (points.role == r)
            if here.any():
                look = {"symbol": symbol(k) + ROLE_FILLS.get(role, ""), "color": color(k)}
                traces.append(
                    _trace(points, here, told, look, name=name, legendgroup=f"class{k}", showlegend=not shown)
                )
                shown = True
    return traces + _role_keys(points) + _rings(points)


def value_points(points: Points, target: str, names=None, limits=None) -> list[go.Scatter]:
    """One trace per role, coloured by the target on the figure's colour axis."""
    told, traces = _told(points, target, None), []
    for r, role in enumerate(points.roles):
        here = points.role == r
        if here.any():
            look = {"symbol": ROLE_SYMBOLS.get(role, "circle"), "color": points.truth[here], "coloraxis": "coloraxis"}
            look["line"] = {"width": 1, "color": "rgba(255,255,255,0.9)"}
            traces.append(_trace(points, here, told, look, name=text(role)))
    return traces


def plain_points(points: Points, target: str) -> list[go.Scatter]:
    """One trace per role in one quiet colour, for a picture whose line is the message."""
    told, traces = _told(points, target, None), []
    for r, role in enumerate(points.roles):
        here = points.role == r
        if here.any():
            look = {"symbol": ROLE_SYMBOLS.get(role, "circle") + ROLE_FILLS.get(role, ""), "color": NEUTRAL, "size": 7}
            traces.append(_trace(points, here, told, look, name=text(role)))
    return traces


def _trace(points: Points, here: np.ndarray, told: np.ndarray, look: dict, **more) -> go.Scatter:
    opacity = np.where(points.in_plane[here], 1.0, FADED)
    return go.Scatter(
        x=points.x[here], y=points.y[here], mode="markers", hovertext=told[here], hoverinfo="text",
        customdata=np.stack([points.row[here], points.node[here]], axis=1),
        marker={"size": SIZE, "opacity": opacity, "line": {"width": 1.5}} | look, **more,
    )  # fmt: skip


def _told(points: Points, target: str, names: list[str] | None) -> np.ndarray:
    """str objects (n,): what hovering over each row says; rows are counted from 1."""
    name, roles = text(target), [text(role) for role in points.roles]
    columns = (points.row, points.role, points.truth, points.answer, points.node, points.in_plane)
    told = np.empty(len(points), object)
    for i, (row, role, truth, answer, node, here) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        is_, says = (digits(truth), digits(answer)) if names is None else (names[truth], names[answer])
        told[i] = f"row {row + 1}, {roles[role]}<br>{name}: {is_}<br>predicted: {says} (node {node})"
        if not here:
            told[i] += "<br>its other features lead elsewhere"
    return told


def _role_keys(points: Points) -> list[go.Scatter]:
    """What filled and open symbols mean."""
    present = [role for r, role in enumerate(points.roles) if (points.role == r).any()]
    look = {"size": SIZE, "color": NEUTRAL, "line": {"width": 1.5}}
    return [legend_key(text(role), look | {"symbol": "circle" + ROLE_FILLS.get(role, "")}) for role in present]


def _rings(points: Points) -> list[go.Scatter]:
    if not points.wrong.any():
        return []
    x, y, opacity = points.x[points.wrong], points.y[points.wrong], np.where(points.in_plane[points.wrong], 1.0, FADED)
    ring = {"symbol": "circle-open", "size": SIZE + 7, "color": WRONG, "line": {"width": 1.75}, "opacity": opacity}
    return [go.Scatter(x=x, y=y, mode="markers", name="misclassified", hoverinfo="skip", marker=ring)]
