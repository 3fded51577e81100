"""A Plotly figure of ours as a chart that stands still: the same marks at the same places, for reports and files."""

import html
import math
import re
from collections.abc import Iterable, Iterator
from importlib import import_module

import numpy as np
import plotly.graph_objects as go

from treecore.export.chart import BEYOND, Chart, ChartAxis, Mark
from treecore.figures import brief, number
from treecore.plots.picture_style import LINE, NEUTRAL, SHARE
from treecore.study.questions.question import Picture

PLOTS = "treecore.plots"
_TAG = re.compile(r"<[^>]*>")
_DASHES = {"solid": "", "dot": "2,3", "dash": "7,4", "dashdot": "7,3,2,3"}
_SHAPES = {"square": "square", "diamond": "diamond", "triangle-up": "triangle", "line-ns": "bar", "cross": "cross"}
ROUGHLY = 6
"""So many ticks a side has, about."""
AROUND = 0.05
"""Of the range, left free on either side where nothing else is said."""


def chart_of(figure: go.Figure, caption: str, height: int = 300) -> Chart:
    """What `figure` draws of lines, points, areas, bars and words. caption : a sentence. height : in pixels."""
    across, up = (_Axis(figure, name) for name in "xy")
    marks = [mark for trace in figure.data for mark in _marks(trace, figure, across, up)]
    marks += [mark for shape in figure.layout.shapes or () for mark in _rule(shape, across)]
    return Chart(caption, across.side(), up.side(), tuple(marks), height)


def draw(picture: Picture) -> go.Figure:
    """The figure of an answer, by the function of this folder that the picture names."""
    file, _, function = picture.plot.partition(".")
    return getattr(import_module(f"{PLOTS}.{file}"), function)(*picture.data)


def charts_of(pictures: Iterable[Picture]) -> list[Chart]:
    """The same as charts that stand still."""
    return [chart_of(draw(picture), picture.caption, picture.height) for picture in pictures]


class _Axis:
    """Where values of one side are: from 0 to 1 within its range."""

    def __init__(self, figure: go.Figure, name: str):
        self.given = figure.layout[f"{name}axis"]
        self.log = self.given.type == "log"
        # Plotly counts the range of a logarithmic axis in powers of ten
        ends = self.given.range or _ends(figure, name, self.given, self.log)
        self.low, self.high = map(float, ends)

    def place(self, values) -> np.ndarray:
        """float64 (n,), NaN for what has no place."""
        values = np.asarray(values, float)
        if self.log:
            values = np.log10(np.where(values > 0, values, np.nan))
        wide = self.high - self.low or 1.0
        return np.clip((values - self.low) / wide, -BEYOND, 1 + BEYOND)

    def side(self) -> ChartAxis:
        """Ticks where they are given, else at round numbers; none on a side that is not shown."""
        if self.given.visible is False:
            return ChartAxis("", ())
        values = self.given.tickvals
        values = np.asarray(values if values is not None else self._round(), float)
        labels = self.given.ticktext or [_tick_label(v, self.given.tickformat) for v in values.tolist()]
        placed = zip(self.place(values).tolist(), labels, strict=False)
        ticks = tuple((round(at, 4), _plain(label)) for at, label in placed if -1e-6 <= at <= 1 + 1e-6)
        return ChartAxis(_plain(self.given.title.text), ticks)

    def _round(self) -> np.ndarray:
        """Multiples of 1, 2 or 5 times a power of ten; of a logarithmic side the powers."""
        low, high = sorted((self.low, self.high))
        if self.log:
            return 10.0 ** np.arange(math.ceil(low), math.floor(high) + 1)
        step = self.given.dtick or _step((high - low) / ROUGHLY)
        return np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1) * step


def _step(least: float) -> float:
    if not least > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((m * power for m in (1, 2, 5) if m * power >= least * (1 - 1e-9)), 10 * power)


def _ends(figure: go.Figure, name: str, given, log: bool) -> tuple[float, float]:
    """Least and greatest value drawn, with some room around."""
    values = np.concatenate([np.ravel(v) for trace in figure.data for v in _reach(trace, name)] or [np.zeros(1)])
    values = values[np.isfinite(values)]
    values = np.log10(values[values > 0]) if log else values
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    room = AROUND * (high - low) or 0.5
    if given.rangemode == "tozero" and not log and low >= 0:
        return 0.0, high + (AROUND * high or 0.5)
    bars = name == "x" and any(trace.type == "bar" for trace in figure.data)
    return (min(low, 0.0) if bars and low >= 0 else low - room), high + room


def _reach(trace, name: str) -> Iterator[np.ndarray]:
    """The values that a trace takes along a side, with its bars of error."""
    values = _values(trace[name])
    yield values
    if name == "x" and trace.error_x.array is not None:
        spread = _values(trace.error_x.array)
        yield values - spread
        yield values + spread
    if name == "x" and trace.type == "bar":
        yield np.zeros(1)


def _values(given) -> np.ndarray:
    return np.array([np.nan if v is None else v for v in (() if given is None else given)], float)


def _marks(trace, figure: go.Figure, across: _Axis, up: _Axis) -> Iterator[Mark]:
    """What one trace draws."""
    x, y, name = across.place(_values(trace.x)), up.place(_values(trace.y)), _plain(trace.name)
    told = trace.showlegend is not False and figure.layout.showlegend is not False and bool(name)
    about = {"name": name, "in_legend": told}
    if trace.type == "bar":
        yield from _bars(trace, across, up, about)
        return
    mode = trace.mode or "lines"
    if trace.fill == "toself":
        color, opacity = _color(trace.fillcolor)
        yield Mark("area", *_known(x, y), **about, color=color, opacity=opacity)
        return
    if "lines" in mode and trace.line.width != 0:
        color, opacity = _color(trace.line.color)
        dash = _DASHES.get(trace.line.dash or "solid") if "px" not in (trace.line.dash or "") else None
        dash = trace.line.dash.replace("px", "") if dash is None else dash
        faint = opacity * (1.0 if trace.opacity is None else trace.opacity)
        yield Mark("line", _gapped(x, y), _gapped(y, x), **about, color=color, width=float(trace.line.width or 1.5),
                   dash=dash, opacity=faint)  # fmt: skip
    if "markers" in mode:
        yield from _points(trace, x, y, across, about)
    if "text" in mode:
        for word, a, b in zip(trace.text, x.tolist(), y.tolist(), strict=True):
            if _plain(word).strip():
                yield Mark("word", (round(a, 4),), (round(b + 0.03, 4),), _plain(word).strip(), in_legend=False)


def _points(trace, x: np.ndarray, y: np.ndarray, across: _Axis, about: dict) -> Iterator[Mark]:
    symbol = trace.marker.symbol or "circle"
    color, opacity = _color(trace.marker.color or trace.marker.line.color)
    if trace.error_x.array is not None:
        yield from _spread(trace, y, across, trace.error_x)
    size = trace.marker.size if isinstance(trace.marker.size, int | float) else 6
    faint = opacity * (1.0 if trace.marker.opacity is None else trace.marker.opacity)
    shape = _SHAPES.get(symbol.removesuffix("-open"), "circle")
    yield Mark("points", *_known(x, y), **about, color=color, width=float(size), shape=shape,
               filled=not symbol.endswith("-open"), opacity=faint)  # fmt: skip


def _bars(trace, across: _Axis, up: _Axis, about: dict) -> Iterator[Mark]:
    """Bars that lie: from nothing to their value."""
    wide, values, places = trace.width or 0.8, _values(trace.x), _values(trace.y)
    colors = trace.marker.color if isinstance(trace.marker.color, list | tuple) else [trace.marker.color] * len(values)
    for value, place, given in zip(values.tolist(), places.tolist(), colors, strict=True):
        if math.isfinite(value):
            color, opacity = _color(given)
            x, y = across.place([0.0, value]), up.place([place - wide / 2, place + wide / 2])
            yield Mark("bar", *_known(x, y), **about, color=color, opacity=opacity)
    if trace.error_x.array is not None:
        yield from _spread(trace, up.place(places), across, trace.error_x)


def _spread(trace, y: np.ndarray, across: _Axis, bars) -> Iterator[Mark]:
    """A line from each value less its error to the value and its error."""
    values, off = _values(trace.x), _values(bars.array)
    for low, high, place in zip(across.place(values - off), across.place(values + off), y, strict=True):
        if np.isfinite([low, high, place]).all():
            yield Mark("line", (round(low, 4), round(high, 4)), (round(place, 4),) * 2, color=_color(bars.color)[0],
                       in_legend=False)  # fmt: skip


def _rule(shape, across: _Axis) -> Iterator[Mark]:
    """A line over the full height."""
    if shape.type == "line" and "domain" in (shape.yref or ""):
        at = round(float(across.place([shape.x0])[0]), 4)
        dash = _DASHES.get(shape.line.dash or "solid", "2,3")
        yield Mark("line", (at, at), (0.0, 1.0), color=_color(shape.line.color)[0], dash=dash,
                   width=float(shape.line.width or 1.5))  # fmt: skip


def _known(x: np.ndarray, y: np.ndarray) -> tuple[tuple, tuple]:
    """Places without those that have none."""
    here = np.isfinite(x) & np.isfinite(y)
    return tuple(x[here].round(4).tolist()), tuple(y[here].round(4).tolist())


def _gapped(values: np.ndarray, others: np.ndarray) -> tuple:
    """None where one of the two is no place."""
    here = np.isfinite(values) & np.isfinite(others)
    return tuple(v if known else None for v, known in zip(values.round(4).tolist(), here.tolist(), strict=True))


def _color(given) -> tuple[str, float]:
    """("#rrggbb", opacity) of what Plotly calls a colour."""
    text = given if isinstance(given, str) else NEUTRAL
    if text.startswith("rgb"):
        numbers = [float(n) for n in re.findall(r"[\d.]+", text)]
        return "#" + "".join(f"{int(n):02x}" for n in numbers[:3]), (numbers[3] if len(numbers) > 3 else 1.0)
    return (text.lower(), 1.0) if re.fullmatch(r"#[0-9a-fA-F]{6}", text) else (LINE, 1.0)


def _tick_label(value: float, how: str | None) -> str:
    """A tick's label by Plotly's format, which is Python's too but for that of shares."""
    if how == SHARE:
        return f"{number(100 * value)}%"
    return format(value, how) if how else brief(value)


def _plain(given) -> str:
    """Text that was made safe for Plotly, as it was."""
    return html.unescape(_TAG.sub("", given)).strip("\n") if isinstance(given, str) else ""
