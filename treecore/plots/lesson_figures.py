"""Pictures of the pages under Learn: impurities, half-planes of slanted conditions, and what a class has guessed."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import plotly.graph_objects as go

from treecore.criteria import CRITERIA
from treecore.export.layout import Positions, positions
from treecore.figures import brief, number, percent
from treecore.plots.picture_style import (
    COLORS,
    EDGE,
    GRID,
    HALO,
    INK,
    NEUTRAL,
    SCALE,
    SMALL,
    color,
    figure,
    text,
    texts,
)
from treecore.study.impurity_curves import Placed, curve, impurity, in_triangle, measures, simplex
from treecore.teach.guess import GuessesAtNode
from treecore.tree.tree import Tree

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def impurity_curves(label: str, measure: str, scaled: bool, at: Placed | None = None) -> go.Figure:
    """All measures over the share of one class. measure : whose curve carries the node. at : None for no node."""
    traces = []
    for place, name in enumerate(measures()):
        p, height = curve(name, scaled)
        line = {"color": COLORS[place % len(COLORS)], "dash": DASHES[place % len(DASHES)],
                "width": 3 if name == measure else 1.5}  # fmt: skip
        traces.append(go.Scatter(x=p, y=height, name=CRITERIA[name].label, line=line, mode="lines",
                                 hovertemplate="%{x:.3f}: %{y:.4f}"))  # fmt: skip
    traces += [] if at is None else _marks(measure, scaled, at)
    xaxis = {"title": f"share of {text(label, 32)}", "range": [-0.02, 1.02]}
    return figure(traces, xaxis, {"title": "impurity, scaled to 1" if scaled else "impurity", "rangemode": "tozero"},
                  height=430)  # fmt: skip


def _marks(measure: str, scaled: bool, at: Placed) -> list[go.Scatter]:
    """The node, its parent and branches on the curve, the chord between the branches, and the gain above it."""
    point = lambda name, shares, symbol: go.Scatter(  # noqa: E731
        x=shares[:, 0], y=impurity(measure, shares, scaled), mode="markers", name=name,
        marker={"symbol": symbol, "size": 12, "color": HALO, "line": {"color": INK, "width": 2}},
        hovertemplate=f"{name}: %{{x:.3f}}, %{{y:.4f}}<extra></extra>",
    )  # fmt: skip
    traces = []
    if len(at.branches) > 1:
        order = np.argsort(at.branches[:, 0])
        ends = at.branches[order]
        here = float(at.shares[0])
        traces.append(go.Scatter(
            x=ends[:, 0], y=impurity(measure, ends, scaled), mode="lines", showlegend=False, hoverinfo="skip",
            line={"color": "#8a9099", "width": 1.5, "dash": "dot"},
        ))  # fmt: skip
        traces.append(go.Scatter(
            x=[here, here], y=[at.left(measure, scaled), float(impurity(measure, at.shares, scaled))], mode="lines",
            name=f"gain {brief(at.gain(measure, scaled))}", line={"color": "#8a9099", "width": 5},
        ))  # fmt: skip
    if at.parent is not None:
        traces.append(point("node above", at.parent[None], "diamond"))
    if len(at.branches):
        traces.append(point("branches", at.branches, "triangle-up"))
    return [*traces, point("this node", at.shares[None], "circle")]


def impurity_triangle(classes: tuple[str, ...], measure: str, at: Placed) -> go.Figure:
    """The impurity of three classes over their shares, the node and its branches as points."""
    x, y, height = simplex(measure)
    bar = {"title": "impurity", "tickfont": SMALL}
    traces = [go.Heatmap(x=x, y=y, z=height, colorscale=SCALE, hoverinfo="skip", colorbar=bar)]
    above = np.empty((0, 3)) if at.parent is None else at.parent[None]
    marks = ("node above", above, "diamond"), ("branches", at.branches, "triangle-up")
    for name, shares, symbol in (*marks, ("this node", at.shares[None], "circle")):
        if len(shares):
            a, b = in_triangle(shares)
            look = {"symbol": symbol, "size": 13, "color": HALO, "line": {"color": INK, "width": 2}}
            traces.append(go.Scatter(x=a, y=b, mode="markers", name=name, marker=look, customdata=shares,
                                     hovertemplate=f"{name}: %{{customdata}}<extra></extra>"))  # fmt: skip
    corners = ((0, -0.05), (1, -0.05), (0.5, np.sqrt(3) / 2 + 0.05))
    named = [{"x": a, "y": b, "text": name, "showarrow": False} for (a, b), name in zip(corners, texts(classes, 24),
             strict=True)]  # fmt: skip
    hidden = {"visible": False, "range": [-0.1, 1.1]}
    return figure(traces, hidden, hidden | {"range": [-0.12, 1.0], "scaleanchor": "x"}, annotations=named, height=430)


# The half-planes of a rule with slanted conditions in two features, and the region in which all of them hold.

MARGIN = 0.4
"""Around the crossings of the lines, as a part of their range."""

Condition = tuple[tuple[float, float], float]
"""w, bound of w · x < bound."""


def half_planes(conditions: Sequence[Condition], implied: Sequence[bool]) -> go.Figure:
    """A line for each condition, dashed where it follows from others, and the region of the rule.

    implied : of each condition, does it follow from others? Conditions that never cross are drawn around the origin.
    """
    low, high = _window(conditions)
    region = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    for condition in conditions:
        region = _clipped(region, condition)
    traces: list = []
    if len(region):
        closed = np.vstack([region, region[:1]])
        traces.append(
            go.Scatter(
                x=closed[:, 0], y=closed[:, 1], fill="toself", mode="lines", line={"width": 0}, fillcolor=color(0),
                opacity=0.35, name="all hold", hoverinfo="skip",
            )
        )  # fmt: skip
    for i, (condition, follows) in enumerate(zip(conditions, implied, strict=True)):
        ends = _ends(condition, low, high)
        name = f"{i + 1}: {_words(condition)}" + (" (follows)" if follows else "")
        line = {"color": EDGE if follows else color(i), "dash": "dash" if follows else "solid", "width": 2}
        traces.append(go.Scatter(x=ends[:, 0], y=ends[:, 1], mode="lines", line=line, name=name, hoverinfo="name"))
    xaxis = {"title": "x1", "range": [low[0], high[0]], "showgrid": False}
    yaxis = {"title": "x2", "range": [low[1], high[1]], "showgrid": False}
    result = figure(traces, xaxis, yaxis, height=360)
    return result.update_layout(legend_orientation="v", legend_y=-0.2, legend_yanchor="top")


def _words(condition: Condition) -> str:
    """ "0.27 x1 − 0.44 x2 < −0.02"."""
    (first, second), bound = condition
    sign = "−" if second < 0 else "+"
    return f"{number(first)} x1 {sign} {number(abs(second))} x2 < {number(bound)}".replace("-", "−")


def _window(conditions: Sequence[Condition]) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest x1 and x2 shown: every crossing of two lines, with a margin."""
    crossings = [np.zeros(2)]
    for (a, p), (b, q) in combinations(conditions, 2):
        sides = np.array([a, b])
        if abs(np.linalg.det(sides)) > 1e-12:
            crossings.append(np.linalg.solve(sides, np.array([p, q])))
    result = np.array(crossings[1:] or crossings)
    low, high = result.min(axis=0), result.max(axis=0)
    room = MARGIN * np.maximum(high - low, 1.0)
    return low - room, high + room


def _clipped(region: np.ndarray, condition: Condition) -> np.ndarray:
    """The part of a convex region, float64 (n, 2), where the condition holds (Sutherland and Hodgman, 1974)."""
    w, bound = np.array(condition[0]), condition[1]
    beyond = region @ w - bound
    kept = []
    for i in range(len(region)):
        j = (i + 1) % len(region)
        if beyond[i] <= 0:
            kept.append(region[i])
        if beyond[i] * beyond[j] < 0:
            kept.append(region[i] + (region[j] - region[i]) * beyond[i] / (beyond[i] - beyond[j]))
    return np.array(kept).reshape(-1, 2)


def _ends(condition: Condition, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """float64 (2, 2): where the condition's border enters and leaves the window; empty where it does not."""
    (a, b), bound = condition
    if abs(b) >= abs(a):
        x = np.array([low[0], high[0]])
        return np.column_stack([x, (bound - a * x) / b])
    y = np.array([low[1], high[1]])
    return np.column_stack([(bound - b * y) / a, y])


# What a class has guessed, as bars on the top of the tree.

WIDE, HIGH, BAR = 150.0, 62.0, 12.0
"""Of a node and of the bar in it, in points."""
RIGHT = "#2e7d5b"


def class_guesses(tree: Tree, nodes: Sequence[GuessesAtNode]) -> go.Figure:
    """The nodes that were asked about, each with a bar: how many of the class named a best feature.

    nodes : as guess_codes.by_node has them; parents come before their branches.
    """
    parent = {of.node: int(tree.parent[of.node]) for of in nodes}
    places = positions({t: above if above in parent else None for t, above in parent.items()}, (WIDE, HIGH), "TB",
                       (18.0, 46.0))  # fmt: skip
    traces = [_lines(parent, places), *(_names(nodes, places))]
    shapes = [shape for of in nodes for shape in _bars(of, *places.at[of.node])]
    quiet = {"visible": False, "showgrid": False}
    drawn = figure(
        traces, quiet | {"range": [-8, places.width + 8]}, quiet | {"range": [places.height + 8, -8]}, shapes=shapes,
        annotations=[_branch(tree, t, above, places) for t, above in parent.items() if above in parent],
    )  # fmt: skip
    return drawn.update_layout(showlegend=False, height=int(places.height) + 70, margin={"t": 24})


def _lines(parent: dict[int, int], places: Positions) -> go.Scatter:
    x, y = [], []
    for t, above in parent.items():
        if above in parent:
            (x0, y0), (x1, y1) = places.at[above], places.at[t]
            x += [x0, x1, None]
            y += [y0 + HIGH / 2, y1 - HIGH / 2, None]
    return go.Scatter(x=x, y=y, mode="lines", line={"color": EDGE, "width": 1}, hoverinfo="skip")


def _names(nodes: Sequence[GuessesAtNode], places: Positions) -> list[go.Scatter]:
    """Above its bar what is best there, below it how many saw that."""
    at = [places.at[of.node] for of in nodes]
    hover = [f"<b>node {of.node}</b><br>{text(of.text, 200)}" for of in nodes]
    told = [f"{of.right} of {of.n} ({percent(of.right / max(of.n, 1))})" for of in nodes]
    best = [text(" or ".join(of.best), 20) for of in nodes]
    return [
        go.Scatter(
            x=[x for x, _ in at], y=[y + dy for _, y in at], mode="text", text=words, hovertext=hover, hoverinfo="text",
        ) for words, dy in ((best, -18), (told, 20))
    ]  # fmt: skip


def _bars(of: GuessesAtNode, x: float, y: float) -> list[dict]:
    left, share = x - WIDE / 2, of.right / max(of.n, 1)
    sides = {"x0": left, "y0": y - BAR / 2, "y1": y + BAR / 2, "layer": "below"}
    whole = {"type": "rect", "x1": left + WIDE, "fillcolor": GRID, "line": {"color": NEUTRAL, "width": 1}}
    return [
        sides | whole,
        sides | {"type": "rect", "x1": left + share * WIDE, "fillcolor": RIGHT, "line": {"width": 0}},
    ]


def _branch(tree: Tree, t: int, above: int, places: Positions) -> dict:
    (x0, y0), (x1, y1) = places.at[above], places.at[t]
    return {
        "x": (x0 + x1) / 2, "y": (y0 + y1) / 2, "text": text(tree.node(t).branch, 16), "showarrow": False,
        "font": {"size": 12},
    }  # fmt: skip
