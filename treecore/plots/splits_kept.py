"""A tree drawn in lines: which of its splits another tree has, too."""

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import figure
from treecore.plots.palette import EDGE, INK, LINE
from treecore.plots.words import text
from treecore.study.outline import outline
from treecore.tree.tree import Tree

MOST = 200
"""Nodes that are drawn, the heaviest."""
NAMED = 0.1
"""Of the rows a split must have for its test to be written beside it."""


def splits_kept(tree: Tree, stays: np.ndarray) -> go.Figure:
    """A node stands in the middle of its rows, below its parent. stays : bool (n_nodes,), see Moved.stays."""
    of = outline(tree, MOST)
    x, y = (of.left + of.weight / 2) / tree.weight[0], -of.depth
    splits = ~tree.is_leaf[of.node]
    kept, gone = splits & stays[of.node], splits & ~stays[of.node]
    traces = [_edges(tree, of.node, x, y)]
    for name, here, symbol, color in (
        ("split that stays", kept, "circle", LINE), ("split that goes", gone, "diamond-open", INK),
        ("leaf", ~splits, "square", LINE),
    ):  # fmt: skip
        mark = {"symbol": symbol, "size": 6 if name == "leaf" else 11, "color": color}
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
