"""Confusion matrix: a cell for every pair of true class and answer, with its number in it."""

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from treecore.errors import TreecoreError
from treecore.figures import count as number
from treecore.figures import percent
from treecore.judging.confusion import Confusion
from treecore.plots.decision_regions import outline
from treecore.plots.picture_style import SCALE, SMALL, figure, level_ticks, texts

TICK, LINE_LETTERS, HOVER = 60, 18, 200
"""Columns of a class's name beside the cells, of each of its lines there, and of the name on pointing at a cell."""


@dataclass(frozen=True)
class _Measure:
    """label : of the scale. cells : the matrix drawn. say : a cell's number in words. high : top of the scale."""

    label: str
    cells: Callable[[Confusion], np.ndarray]
    say: Callable[[float], str]
    high: float | None = None


SHOWN = {
    "counts": _Measure("weight of the rows", lambda found: found.counts, number),
    "shares": _Measure("share of all rows", lambda found: found.shares, percent),
    "recall": _Measure("share of the true class", lambda found: found.by_true, percent, 1.0),
    "cost": _Measure("cost", lambda found: found.worth, number),
}


def confusion(found: Confusion, show: str = "counts") -> go.Figure:
    """True classes from the top down, answers from left to right; right answers are framed and bold.

    show : "counts", "shares" (of all rows), "recall" (shares of the true class) or "cost", which is the profit where
    answers earn something. A share of no rows is a dash.
    """
    if show not in SHOWN:
        raise TreecoreError(f"There is no such number: {show!r}", where="show", remedy="Choose " + ", ".join(SHOWN))
    measure = SHOWN[show]
    cells, label = measure.cells(found), found.worth_name if show == "cost" else measure.label
    trace = go.Heatmap(
        z=np.nan_to_num(cells), zmin=min(0.0, np.nan_to_num(cells).min()),
        zmax=measure.high or max(np.nan_to_num(cells).max(), 1e-12),
        text=_words(cells, measure), texttemplate="%{text}", textfont={"size": _size(found)},
        hovertext=_hover(found), hoverinfo="text", colorscale=SCALE, xgap=2, ygap=2,
        colorbar={"title": {"text": label, "side": "right"}, "thickness": 12, "outlinewidth": 0,
                  "tickfont": SMALL, "tickformat": ".0%" if measure.say is percent else ""},
    )  # fmt: skip
    right = np.arange(len(found.classes))[:, None] + np.array([-0.5, 0.5, -0.5, 0.5])
    side = {"showgrid": False, "showline": False}
    yaxis = _ticks(found.classes) | side | {"title": "true class", "autorange": "reversed"}
    return figure([trace], _ticks(found.answers) | side | {"title": "answer"}, yaxis, shapes=outline(right))


def _ticks(names: tuple[str, ...]) -> dict:
    """A tick per name, broken between words: what is safe text has entities, but none with a space."""
    lines = [wrap(name, LINE_LETTERS, break_long_words=False, break_on_hyphens=False) for name in texts(names, TICK)]
    return level_ticks(names) | {"ticktext": ["<br>".join(parts) for parts in lines]}


def _size(found: Confusion) -> int:
    """Points of the text in a cell. Plotly's own choice counts the letters of the markup as well."""
    return int(np.clip(130 / len(found.answers), 7, 14))


def _words(cells: np.ndarray, measure: _Measure) -> np.ndarray:
    """object (n_classes, n_answers): every number as text."""
    words = [[measure.say(value) if value == value else "–" for value in row] for row in cells.tolist()]
    for i, row in enumerate(words):
        row[i] = f"<b>{row[i]}</b>"
    return np.array(words, object).reshape(cells.shape)


def _hover(found: Confusion) -> np.ndarray:
    """object (n_classes, n_answers): a cell's pair of classes, and all its numbers."""
    classes, answers = (texts(names, HOVER) for names in (found.classes, found.answers))
    every = {name: _words(m.cells(found), m) for name, m in SHOWN.items()}
    told = np.empty(found.counts.shape, object)
    for i, j in np.ndindex(told.shape):
        count, share, recall, cost = (every[name][i, j] for name in SHOWN)
        told[i, j] = (
            f"true class: {classes[i]}<br>answer: {answers[j]}<br>{count} of the rows' weight ({share})"
            f"<br>{recall} of the true class<br>{found.worth_name} {cost}"
        )
    return told
