"""The whole tree as an icicle: a node's width is its share of the training rows."""

import numpy as np
import plotly.graph_objects as go

from treecore.evaluation.outline import Outline
from treecore.plots.frame import figure
from treecore.plots.palette import EDGE, INK, SCALE, color
from treecore.plots.words import text


def icicle(outline: Outline, selected: int | None = None) -> go.Figure:
    """Nodes coloured by what they predict; the customdata of a node is its id.

    selected : the node with the strong outline. Drawn as bars: a click on Plotly's own icicle zooms it,
    and Streamlit does not hear of it.
    """
    chosen = outline.node == (-1 if selected is None else selected)
    words = [(text(condition, 60), text(answer, 40)) for condition, answer in outline.words]
    told = [f"node {i}: {c}<br>predicts {a}" for i, (c, a) in zip(outline.node, words, strict=True)]
    trace = go.Bar(
        x=outline.left + outline.weight / 2,
        width=outline.weight,
        y=np.ones(len(outline.node)),
        base=-1.0 - outline.depth,
        customdata=outline.node,
        hovertext=told,
        hoverinfo="text",
        marker={**_paint(outline), "line": _rims(chosen)},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    bare = {"visible": False, "fixedrange": True}
    return figure([trace], bare, bare, showlegend=False, barmode="overlay", margin={"l": 0, "r": 0, "t": 4, "b": 4})


def _rims(chosen: np.ndarray) -> dict:
    return {"width": np.where(chosen, 3.0, 0.5), "color": np.where(chosen, INK, EDGE)}


def _paint(outline: Outline) -> dict:
    if outline.classes:
        return {"color": [color(int(k)) if k >= 0 else EDGE for k in outline.value]}
    return {"color": outline.value, "colorscale": SCALE, "showscale": False}
