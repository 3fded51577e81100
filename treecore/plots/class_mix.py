"""The classes of one node's rows, the roles side by side."""

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import figure, level_ticks
from treecore.plots.palette import EDGE, NEUTRAL, ROLE_HATCHES, color, pattern
from treecore.plots.words import number, percent, text, texts
from treecore.study.column_counts import ClassMix


def class_mix(mix: ClassMix) -> go.Figure:
    """One group of bars per class, one bar per role: the class's share of that role's rows in the node."""
    names = texts(mix.classes, 24)
    traces = [_bars(mix, role, names) for role in mix.weights]
    traces += [_key(mix, role) for role in mix.weights]
    yaxis = level_ticks(mix.classes) | {"autorange": "reversed", "showgrid": False}
    xaxis = {"title": "share of the node's rows", "tickformat": ".0%", "range": [0, 1.12], "dtick": 0.25}
    return figure(traces, xaxis, yaxis, barmode="group", bargap=0.3, bargroupgap=0.08)


def _bars(mix: ClassMix, role: str, names: list[str]) -> go.Bar:
    share = np.nan_to_num(mix.shares(role))
    told = [f"{number(w)} ({percent(s)})" for w, s in zip(mix.weights[role].tolist(), share.tolist(), strict=True)]
    hover = [f"<b>{name}</b><br>{text(role)}: {words}" for name, words in zip(names, told, strict=True)]
    look = {"color": [color(k) for k in range(len(names))], "line": {"color": EDGE, "width": 1}}
    look["pattern"] = _pattern(role)
    return go.Bar(
        x=share, y=np.arange(len(names)), orientation="h", text=told, textposition="outside", cliponaxis=False,
        hovertext=hover, hoverinfo="text", marker=look, showlegend=False, name=text(role), offsetgroup=role,
    )  # fmt: skip


def _key(mix: ClassMix, role: str) -> go.Bar:
    look = {"color": NEUTRAL, "pattern": _pattern(role)}
    name = f"{text(role)} ({number(mix.total(role))})"
    return go.Bar(x=[None], y=[None], orientation="h", name=name, marker=look, offsetgroup=role)


def _pattern(role: str) -> dict:
    return pattern(ROLE_HATCHES.get(role, "x"))
