"""What returns in regrown trees: how often each feature is split on, and where its thresholds fall."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import figure, vertical
from treecore.plots.palette import EDGE, LINE
from treecore.plots.words import percent, text, texts
from treecore.study.questions.stability import Stability
from treecore.tree.tree import Tree

MOST_FEATURES = 15


def features_used(found: Stability, names: Sequence[str]) -> go.Figure:
    """A line per feature, the most used on top; within each bar how often it is the root's. Of many the most used."""
    order = np.argsort(-found.used, kind="stable")[:MOST_FEATURES]
    labels = texts([names[f] for f in order], 22)
    place = list(range(len(order)))
    told = "%{hovertext}: %{customdata} of the trees<extra></extra>"
    traces = [
        go.Bar(x=values[order], y=place, orientation="h", name=name, width=width, hovertext=labels, hovertemplate=told,
               customdata=[percent(share) for share in values[order].tolist()],
               marker={"color": color, "line": {"width": 0}})
        for name, values, color, width in (
            ("anywhere", found.used, EDGE, 0.7), ("at the root", found.at_root, LINE, 0.34),
        )
    ]  # fmt: skip
    ticks = {"tickmode": "array", "tickvals": place, "ticktext": labels, "range": [len(order) - 0.5, -0.5]}
    share = {"title": "share of the regrown trees", "tickformat": ".0%", "range": [0, 1.02]}
    return figure(traces, share, {"showgrid": False} | ticks, barmode="overlay")


def cut_points(found: Stability, trees: Sequence[Tree], tree: Tree, feature: int) -> go.Figure:
    """Thresholds of one feature: a point per split, the root's on top, and a line for each of the tree's own.

    feature : place among the tree's features.
    """
    here = np.flatnonzero((found.places.feature == feature) & np.isfinite(found.places.place))
    which, node, depth = found.places.tree[here], found.places.node[here], found.places.depth[here]
    cuts = np.array([trees[t].splits.threshold[i] for t, i in zip(which.tolist(), node.tolist(), strict=True)])
    shift = 0.36 * (2 * (which / max(len(trees) - 1, 1)) - 1)  # each tree has its own place within a depth
    mark = {"symbol": "circle-open", "size": 6, "color": LINE, "opacity": 0.6}
    asked = [trees[t].node(trees[t].first_child[i]).branch for t, i in zip(which.tolist(), node.tolist(), strict=True)]
    told = [f"tree {t + 1}: {text(branch)}" for t, branch in zip(which.tolist(), asked, strict=True)]
    points = go.Scatter(x=cuts, y=depth + shift, mode="markers", text=told, hoverinfo="text", marker=mark)
    own = np.flatnonzero(~tree.is_leaf & (tree.splits.feature == feature) & np.isfinite(tree.splits.threshold))
    lines = [vertical(float(tree.splits.threshold[i]), LINE, "dot", 2) for i in own]
    deepest = int(depth.max(initial=0))
    rows = {"title": "depth", "dtick": 1, "range": [deepest + 0.6, -0.6], "showgrid": False}
    name = text(tree.schema.features[feature].name, 40)
    return figure([points], {"title": f"{name}: thresholds, yours dotted"}, rows, shapes=lines, showlegend=False)
