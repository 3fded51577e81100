"""What features do: their importance, answers as one of them changes, and how often regrown trees use them."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.figures import in_unit, percent
from treecore.plots.picture_style import (
    EDGE,
    LINE,
    NEUTRAL,
    SHARE,
    figure,
    level_ticks,
    text,
    texts,
    vertical,
)
from treecore.study.questions.importances import MOST_BARS, Importances
from treecore.study.questions.partial_dependence import PartialDependence
from treecore.study.questions.stability import MOST_FEATURES, Stability
from treecore.tree.tree import Tree

KINDS = {
    "gain": "share of the tree's gains", "mixed": "worse with its values mixed up", "without": "worse without it",
}  # fmt: skip


def of_many(names: tuple[str, ...], worse: np.ndarray, sd: np.ndarray, percent: bool) -> go.Figure:
    """By how much the error of many trees grows with the values of each feature mixed up, ± sd, float64 (d,) each."""
    return _bars(list(names), worse, sd, (), percent, KINDS["mixed"])


def importances(found: Importances, kind: str, percent: bool) -> go.Figure:
    """A bar per feature, the largest on top. kind : of KINDS, or "chance": with the columns of chance."""
    if kind == "chance":
        names, values, spread = list(found.with_random), np.array(list(found.with_random.values())), None
    else:
        names, values = list(found.names), getattr(found, kind)
        spread = found.mixed_sd if kind == "mixed" else None
    chance = tuple(name for name in names if name not in found.names)
    return _bars(names, values, spread, chance, kind in ("gain", "chance") or percent, KINDS.get(kind, KINDS["gain"]))


def _bars(
    names: list[str], values: np.ndarray, spread: np.ndarray | None, chance: tuple[str, ...], share: bool, title: str
) -> go.Figure:
    """chance : names that are hatched. share : are values parts of a whole?"""
    order = np.argsort(-values, kind="stable")[:MOST_BARS]
    place, labels = list(range(len(order))), texts([names[i] for i in order], 22)
    random = [names[i] in chance for i in order]
    bars = go.Bar(
        x=values[order], y=place, orientation="h", hovertext=labels,
        marker={
            "color": [LINE if r else EDGE for r in random], "pattern": {"shape": ["/" if r else "" for r in random]},
        },
        error_x=None if spread is None else {"type": "data", "array": spread[order], "color": LINE, "thickness": 1},
        hovertemplate=f"%{{hovertext}}: %{{x:{'.1%' if share else '.4g'}}}<extra></extra>",
    )  # fmt: skip
    ticks = {"tickmode": "array", "tickvals": place, "ticktext": labels, "range": [len(order) - 0.5, -0.5]}
    title = {"title": title} | ({"tickformat": SHARE} if share else {})
    return figure([bars], title, {"showgrid": False} | ticks, showlegend=False)


def partial(found: PartialDependence, target: str, share: bool) -> go.Figure:
    """Thin lines of the rows, a thick one of their mean. target : what is answered, in words. share : of a class?"""
    number = ".1%" if share else ",.4~g" if not found.unit else ",.0f" if np.abs(found.mean).max() >= 1e4 else ".4~g"
    x, y = in_unit("%{x:.4~g}", text(found.of_feature)), in_unit(f"%{{y:{number}}}", "" if share else text(found.unit))
    low, high = found.edges[:-1], found.edges[1:]
    drawn = found.each[:, np.unique(np.linspace(0, found.each.shape[1] - 1, 60).astype(int))]
    rows_x, rows_y = [], []
    for values in drawn.T:
        rows_x.append(np.append(_stairs(low, high), np.nan))
        rows_y.append(np.append(np.repeat(values, 2), np.nan))
    traces = [
        go.Scatter(x=np.concatenate(rows_x), y=np.concatenate(rows_y), mode="lines", name="single rows",
                   line={"color": NEUTRAL, "width": 0.6}, opacity=0.5, hoverinfo="skip"),
        go.Scatter(x=_stairs(low, high), y=np.repeat(found.mean, 2), mode="lines", name="mean of all rows",
                   line={"color": LINE, "width": 3}, hovertemplate=f"{x}: {y}<extra></extra>"),
    ]  # fmt: skip
    below = level_ticks(found.levels) if found.levels else _in_unit(found.of_feature)
    beside = {"tickformat": SHARE} if share else _in_unit(found.unit)
    return figure(traces, {"title": text(found.name, 40)} | below, {"title": text(target, 40)} | beside)


def _in_unit(unit: str) -> dict:
    """Ticks of an axis of numbers, written out and with their unit; of none as they are."""
    before, after = in_unit("0", text(unit)).split("0", 1)
    return {"tickprefix": before, "ticksuffix": after, "tickformat": ",~g"} if unit else {}


def _stairs(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """float64 (2 m,): both ends of every piece, in turn."""
    return np.stack([low, high], axis=1).ravel()


# What returns in regrown trees: how often each feature is split on, and where its thresholds fall.


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
