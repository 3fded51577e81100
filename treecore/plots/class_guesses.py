"""What a class has guessed, as bars on the top of the tree."""

from collections.abc import Sequence

import plotly.graph_objects as go

from treecore.exercises.guess_codes import AtNode
from treecore.export.positions import Positions, positions
from treecore.figures import percent
from treecore.plots.frame import figure
from treecore.plots.palette import EDGE, GRID, NEUTRAL
from treecore.plots.words import text
from treecore.tree.tree import Tree

WIDE, HIGH, BAR = 150.0, 62.0, 12.0
"""Of a node and of the bar in it, in points."""
RIGHT = "#2e7d5b"


def class_guesses(tree: Tree, nodes: Sequence[AtNode]) -> go.Figure:
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


def _names(nodes: Sequence[AtNode], places: Positions) -> list[go.Scatter]:
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


def _bars(of: AtNode, x: float, y: float) -> list[dict]:
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
