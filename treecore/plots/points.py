"""Rows as points: a class by symbol and colour, a role by filled or open, a wrong answer by a ring.

Rows whose other features are not the fixed ones are pale: the region under them is not theirs.
"""

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import legend_key
from treecore.plots.palette import NEUTRAL, RIM, ROLE_FILLS, ROLE_SYMBOLS, WRONG, color, symbol
from treecore.plots.words import digits, text
from treecore.study.points import Points

SIZE, SMALL, MANY = 8, 5, 800
"""Pixels of a point, and of one among more than MANY."""
RIM_LINE = {"width": 1.25, "color": RIM}
FADED = 0.45
OFTEN = 0.4
"""Where more of the rows than this part are answered wrongly, their rings are thin: they would hide the rest."""
STAYS_PUT = {"marker": {"opacity": 1}}
"""A click on one row must not make all others pale."""


def class_points(points: Points, target: str, names: list[str]) -> list[go.Scatter]:
    """One trace per class, role and paleness, keys of classes and roles, and rings around wrong answers.

    names : safe texts of the classes.
    """
    told = _told(points, target, [*names, "no answer"])
    traces, keys = [], []
    for k, name in enumerate(names):
        group = {"name": name, "legendgroup": f"class{k}"}
        look = {"symbol": symbol(k), "color": color(k), "size": SIZE, "line": RIM_LINE}
        keys.append(legend_key(marker=look, **group))
        for r, role in enumerate(points.roles):
            shape = {"symbol": symbol(k) + ROLE_FILLS.get(role, ""), "color": color(k)}
            traces += _traces(points, (points.truth == k) & (points.role == r), told, shape, **group)
    return traces + keys + _role_keys(points, open_ones=True) + _rings(points)


def value_points(points: Points, target: str) -> list[go.Scatter]:
    """A trace per role and paleness, coloured by the target on the figure's colour axis."""
    told, traces = _told(points, target, None), []
    for r, role in enumerate(points.roles):
        look = {"symbol": ROLE_SYMBOLS.get(role, "circle"), "coloraxis": "coloraxis"}
        look["line"] = {"width": 1.25, "color": "rgba(255,255,255,0.95)"}
        traces += _traces(points, points.role == r, told, look, colored=True, name=text(role), legendgroup=role)
    return traces + _role_keys(points, open_ones=False)


def plain_points(points: Points, target: str) -> list[go.Scatter]:
    """A trace per role in one quiet colour, for a picture whose line is the message."""
    told, traces = _told(points, target, None), []
    for r, role in enumerate(points.roles):
        look = {"symbol": ROLE_SYMBOLS.get(role, "circle") + ROLE_FILLS.get(role, ""), "color": NEUTRAL}
        traces += _traces(points, points.role == r, told, look, name=text(role), showlegend=True)
    return traces


def _traces(points: Points, here: np.ndarray, told: np.ndarray, look: dict, colored=False, **more) -> list[go.Scatter]:
    """The rows `here`, the pale ones below; nothing where there are none."""
    traces = []
    for opacity, rows in ((FADED, here & ~points.in_plane), (1.0, here & points.in_plane)):
        if not rows.any():
            continue
        marker = {"size": _size(points), "opacity": 1, "line": RIM_LINE} | look
        if colored:
            marker["color"] = points.truth[rows]
        places = {"x": points.x[rows], "y": points.y[rows], "hovertext": told[rows], "hoverinfo": "text"}
        places["customdata"] = np.stack([points.row[rows], points.node[rows]], axis=1)
        named = {"mode": "markers", "opacity": opacity, "unselected": STAYS_PUT, "showlegend": False} | more
        traces.append(go.Scatter(marker=marker, **places, **named))
    return traces


def _size(points: Points) -> int:
    return SIZE if len(points) <= MANY else SMALL


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


def _role_keys(points: Points, open_ones: bool) -> list[go.Scatter]:
    """What filled and open symbols, or else the shapes, mean. Keys of their own: a trace's might be pale."""
    keys = []
    for r, role in enumerate(points.roles):
        if (points.role == r).any():
            shape = "circle" + ROLE_FILLS.get(role, "") if open_ones else ROLE_SYMBOLS.get(role, "circle")
            look = {"size": SIZE, "color": NEUTRAL, "line": RIM_LINE, "symbol": shape}
            keys.append(legend_key(text(role), look, legendgroup="roles" if open_ones else role))
    return keys


def _rings(points: Points) -> list[go.Scatter]:
    """Around the rows answered wrongly, whatever region they lie on."""
    often = len(points) > 0 and points.wrong.mean() > OFTEN
    line, strength = ({"width": 1}, 0.5) if often else ({"width": 1.75}, 1.0)
    ring = {"symbol": "circle-open", "size": 1.9 * _size(points), "color": WRONG, "line": line}
    named = {"name": "wrong", "legendgroup": "wrong", "hoverinfo": "skip", "mode": "markers"}
    traces = []
    for opacity, rows in ((FADED, points.wrong & ~points.in_plane), (1.0, points.wrong & points.in_plane)):
        if rows.any():
            more = {"opacity": opacity * strength, "showlegend": False, "unselected": STAYS_PUT}
            traces.append(go.Scatter(x=points.x[rows], y=points.y[rows], marker=ring, **named, **more))
    return traces + ([legend_key("wrong", ring, legendgroup="wrong")] if traces else [])
