"""Is a class as frequent as the tree says? The share that rows are told against the share among them."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from treecore.plots.frame import SMALL, figure
from treecore.plots.palette import LINE, NEUTRAL, ROLE_LINES, ROLE_SYMBOLS
from treecore.plots.words import percent, text
from treecore.study.questions.answer_quality import Calibration

LARGEST = 26
"""Pixels across of the marker of the fullest bin."""


def calibration(found: Mapping[str, Calibration]) -> go.Figure:
    """One line per role, a marker per bin, its area by the bin's rows, which stand beside it. found : by role."""
    ideal = {"color": NEUTRAL, "dash": "dot", "width": 1}
    traces = [go.Scatter(x=[0, 1], y=[0, 1], mode="lines", name="as it says", line=ideal, hoverinfo="skip")]
    traces += [_line(role, of) for role, of in found.items() if len(of.said)]
    share = {"tickformat": ".0%", "range": [-0.04, 1.04]}
    return figure(traces, {"title": "the tree's share"} | share, {"title": "share among these rows"} | share)


def _line(role: str, of: Calibration) -> go.Scatter:
    size = LARGEST * np.sqrt(of.n_rows / of.n_rows.max())
    mark = {"size": np.maximum(size, 5), "symbol": ROLE_SYMBOLS.get(role, "cross"), "color": LINE, "opacity": 0.75}
    told = f"{text(role)}: %{{hovertext}} of them are<extra></extra>"
    bins = zip(of.n_rows.tolist(), of.said.tolist(), of.true.tolist(), strict=True)
    hover = [f"{n:,} rows are told {percent(said)}; {percent(true)}" for n, said, true in bins]
    return go.Scatter(
        x=of.said, y=of.true, mode="lines+markers+text", name=f"{text(role)}: off by {percent(of.error)} on average",
        line={"color": LINE} | ROLE_LINES.get(role, ROLE_LINES["cross"]), marker=mark, hovertext=hover,
        text=[f"{n:,}" for n in of.n_rows], textposition="top left", textfont=SMALL, hovertemplate=told,
    )  # fmt: skip
