"""The whole tree as an icicle: a node's width is its share of the training rows."""

from functools import lru_cache

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from treecore.plots.picture_style import EDGE, INK, LINE, color, figure, number_scale, text
from treecore.study.outline import TreeOutline, outline
from treecore.tree.short_text import apart
from treecore.tree.tree import Tree

STEPS = 24  # shades between the lowest and the highest number


def icicle(outline: TreeOutline, selected: int | None = None) -> go.Figure:
    """Nodes coloured by what they predict, a trace per colour; the customdata of a node is its id.

    selected : the node that a last trace draws again with a strong outline. Drawn as bars: a click on Plotly's own
    icicle zooms it, and Streamlit does not hear of it.
    """
    shades = _shades(outline)
    traces = [_bars(outline, shades == shade, shade, {"width": 0.5, "color": EDGE}) for shade in dict.fromkeys(shades)]
    chosen = outline.node == (-1 if selected is None else selected)
    if chosen.any():
        traces.append(_bars(outline, chosen, shades[chosen][0], {"width": 3.0, "color": INK}))
    bare = {"visible": False, "fixedrange": True}
    return figure(traces, bare, bare, showlegend=False, barmode="overlay", margin={"l": 0, "r": 0, "t": 4, "b": 4})


def _bars(outline: TreeOutline, these: np.ndarray, shade: str, rim: dict) -> go.Bar:
    """A bar for each of these entries (bool) of the outline.

    One colour for all: in Python and in the browser Plotly checks a list of colours one by one, and slowly.
    """
    return go.Bar(
        x=(outline.left + outline.weight / 2)[these],
        width=outline.weight[these],
        y=np.ones(int(these.sum())),
        base=-1.0 - outline.depth[these],
        customdata=outline.node[these],
        hovertext=_hover_texts(outline)[these],
        hoverinfo="text",
        marker={"color": str(shade), "line": rim},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )


@lru_cache(maxsize=8)  # of an outline that is drawn again at every click only the selected node changes
def _hover_texts(outline: TreeOutline) -> np.ndarray:
    """str (n_entries,): what the pointer is told of each node."""
    places = apart(word for pair in outline.words for word in pair)
    words = [(text(condition, 60, places), text(answer, 40, places)) for condition, answer in outline.words]
    told = [f"node {i}: {c}<br>predicts {a}" for i, (c, a) in zip(outline.node, words, strict=True)]
    return np.array(told)


def _shades(outline: TreeOutline) -> np.ndarray:
    """str (n_entries,): the class's colour; for numbers one of a few shades of the scale."""
    if outline.classes:
        return np.array([color(int(k)) if k >= 0 else EDGE for k in outline.value])
    low, high = outline.value.min(), outline.value.max()
    steps = np.rint((outline.value - low) / (high - low) * STEPS) if high > low else np.zeros(len(outline.value))
    of_step = dict(zip(range(STEPS + 1), sample_colorscale(number_scale(), STEPS + 1), strict=True))
    return np.array([of_step[int(step)] for step in steps])


# A tree drawn in lines: which of its splits another tree has, too.

MOST = 200
"""Nodes that are drawn, the heaviest."""
NAMED = 0.1
"""Of the rows a split must have for its test to be written beside it."""


def returning_splits(tree: Tree, stays: np.ndarray) -> go.Figure:
    """A node stands in the middle of its rows, below its parent. stays : bool (n_nodes,), see RowSensitivity.stays."""
    of = outline(tree, MOST)
    x, y = (of.left + of.weight / 2) / tree.weight[0], -of.depth
    splits = ~tree.is_leaf[of.node]
    kept, gone = splits & stays[of.node], splits & ~stays[of.node]
    traces = [_edges(tree, of.node, x, y)]
    for name, here, symbol, shade in (
        ("split that stays", kept, "circle", LINE), ("split that goes", gone, "diamond-open", INK),
        ("leaf", ~splits, "square", LINE),
    ):  # fmt: skip
        mark = {"symbol": symbol, "size": 6 if name == "leaf" else 11, "color": shade}
        traces.append(go.Scatter(x=x[here], y=y[here], mode="markers", name=name, marker=mark))
    traces.append(_tests(tree, of.node, x, y, splits & (of.weight >= NAMED * tree.weight[0])))
    bare = {"visible": False}
    depth = float(of.depth.max())
    return figure(traces, bare | {"range": [-0.02, 1.02]}, bare | {"range": [-depth - 0.4, 0.6]})


def _edges(tree: Tree, node: np.ndarray, x: np.ndarray, y: np.ndarray) -> go.Scatter:
    """From every node to its parent, which is drawn, too."""
    above = np.searchsorted(node, tree.parent[node[1:]])
    gaps = np.full(len(above), np.nan)
    ends = [np.stack([of[above], of[1:], gaps], axis=1).ravel() for of in (x, y.astype(float))]
    return go.Scatter(x=ends[0], y=ends[1], mode="lines", line={"color": EDGE, "width": 1}, showlegend=False)


def _tests(tree: Tree, node: np.ndarray, x: np.ndarray, y: np.ndarray, here: np.ndarray) -> go.Scatter:
    """What the heaviest splits ask."""
    told = [text(tree.node(tree.children(int(i))[0]).condition, 24) for i in node[here]]
    return go.Scatter(x=x[here], y=y[here], mode="text", text=told, showlegend=False)
