"""The whole tree as an icicle: a node's width is its share of the training rows."""

from functools import lru_cache

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from treecore.plots.frame import figure
from treecore.plots.palette import EDGE, INK, SCALE, color
from treecore.plots.words import text
from treecore.study.outline import TreeOutline
from treecore.tree.short_text import apart

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
        hovertext=_told(outline)[these],
        hoverinfo="text",
        marker={"color": str(shade), "line": rim},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )


@lru_cache(maxsize=8)  # of an outline that is drawn again at every click only the selected node changes
def _told(outline: TreeOutline) -> np.ndarray:
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
    of_step = dict(zip(range(STEPS + 1), sample_colorscale(SCALE, STEPS + 1), strict=True))
    return np.array([of_step[int(step)] for step in steps])
