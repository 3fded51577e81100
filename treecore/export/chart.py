"""Charts as plain data that a file can keep, marks in a unit square with two named axes, and as SVG without a script, a
font or an address.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from html import escape
from itertools import pairwise

from treecore.brief import visible
from treecore.errors import TreecoreError

KINDS = ("line", "points", "area", "bar", "word")
SHAPES = ("circle", "square", "diamond", "triangle", "bar", "cross")
COLOR = re.compile(r"#[0-9a-f]{6}")
DASH = re.compile(r"(\d{1,2}(,\d{1,2}){0,7})?")
MOST_PLACES, MOST_WORDS = 20_000, 400
BEYOND = 2.0
"""So far from the square may a place be: bars that are cut, points on a rim."""


@dataclass(frozen=True)
class Mark:
    """One thing that is drawn.

    kind : of KINDS. A line goes through its places, with a gap where one is None; an area is bounded by them; a bar is
    two opposite corners; a word is `name` at one place. x, y : 0 to 1, from the left, from below. name : of the legend,
    '' for none. color : "#rrggbb". width : of a line or a point, in pixels. dash : lengths, '' for none. shape : of
    SHAPES. filled : points with an inside. opacity : 0 to 1.
    """

    kind: str
    x: tuple[float | None, ...]
    y: tuple[float | None, ...]
    name: str = ""
    color: str = "#7b828a"
    width: float = 1.5
    dash: str = ""
    shape: str = "circle"
    filled: bool = True
    opacity: float = 1.0
    in_legend: bool = True


@dataclass(frozen=True)
class ChartAxis:
    """title : what is measured. ticks : (place from 0 to 1, label)."""

    title: str
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Chart:
    """caption : a sentence below it. across, up : its sides. height : in pixels, of 640 across."""

    caption: str
    across: ChartAxis
    up: ChartAxis
    marks: tuple[Mark, ...]
    height: int = 300

    def to_dict(self) -> dict:
        """Of what JSON knows."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data) -> "Chart":
        """The chart that `to_dict` wrote; TreecoreError for anything else, such as a place that is no number."""
        try:
            return cls(
                _text(data["caption"]), _side(data["across"]), _side(data["up"]),
                tuple(_mark(m) for m in data["marks"]), int(_number(data["height"], 60, 2000)),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            remedy = "Make it again with its experiment"
            raise TreecoreError("This is not a picture that was kept", where="picture", remedy=remedy) from fault


def _mark(data: Mapping) -> Mark:
    x, y = tuple(map(_place, data["x"])), tuple(map(_place, data["y"]))
    color, dash, kind, shape = (_text(data[name]) for name in ("color", "dash", "kind", "shape"))
    fits = kind in KINDS and shape in SHAPES and COLOR.fullmatch(color) and DASH.fullmatch(dash)
    if not fits or len(x) != len(y) or len(x) > MOST_PLACES:
        raise ValueError(kind)
    if kind != "line" and None in (*x, *y):
        raise ValueError(kind)
    return Mark(
        kind, x, y, _text(data["name"]), color, _number(data["width"], 0, 60), dash, shape, bool(data["filled"]),
        _number(data["opacity"], 0, 1), bool(data["in_legend"]),
    )  # fmt: skip


def _side(data: Mapping) -> ChartAxis:
    return ChartAxis(_text(data["title"]), tuple((_number(at, -1, 2), _text(label)) for at, label in data["ticks"]))


def _place(value) -> float | None:
    return None if value is None else _number(value, -BEYOND, 1 + BEYOND)


def _number(value, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(value)
    if not low <= value <= high:
        raise ValueError(value)
    return value


def _text(value) -> str:
    if not isinstance(value, str) or len(value) > MOST_WORDS:
        raise ValueError(value)
    return value


# A chart as SVG that needs nothing else: no script, no font, no address.

WIDE = 640
INK, SOFT, GRID = "#24282d", "#5f6670", "#dcd8cf"
RIGHT, BELOW, LINE_HIGH, LETTER = 14, 44, 18, 6.1
"""Pixels beside and below the marks, of a line of the legend, of a letter."""
LONGEST = 30
"""Letters of a tick's label."""


def chart_svg(chart: Chart, wide: int = WIDE, dark: bool = False) -> str:
    """The picture on a clear ground, so many pixels wide, its words dark, or light for a dark page.

    Its sides are as wide as their labels, its legend as high as its names.
    """
    left = 28 + LETTER * min(LONGEST, max((len(label) for _, label in chart.up.ticks), default=0))
    legend, legend_high = _legend(chart, left, wide)
    top = 10 + legend_high
    box = (left, top, wide - RIGHT - left, max(chart.height - top - BELOW, 40))
    high = top + box[3] + BELOW
    parts = [_sides(chart, box), *(_mark_svg(mark, box) for mark in chart.marks), legend]
    label = escape(visible(chart.caption))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high:.0f}" width="{wide}" height="{high:.0f}" '
        f'role="img" aria-label="{label}" font-family="system-ui, sans-serif" font-size="11">'
        f"{_turned(''.join(parts)) if dark else ''.join(parts)}</svg>"
    )


def _turned(drawn: str) -> str:
    """The same for a dark page: marks are seen on both, words and grid are not."""
    for light, other in ((INK, "#e8e6e1"), (SOFT, "#a9afb8"), (GRID, "#3a4048")):
        drawn = drawn.replace(f'"{light}"', f'"{other}"')
    return drawn


Box = tuple[float, float, float, float]
"""Left, top, width and height of where the marks are, in pixels."""


Ticks = tuple[tuple[float, str], ...]


def _at(box: Box, x: float, y: float) -> tuple[float, float]:
    return box[0] + x * box[2], box[1] + (1 - y) * box[3]


def _sides(chart: Chart, box: Box) -> str:
    """Grid, ticks and titles."""
    left, top, wide, high = box
    result = []
    for at, label in _apart(chart.across.ticks, lambda label: (LETTER * len(label) + 10) / wide):
        x, _ = _at(box, at, 0)
        result += [_stroke([(x, top), (x, top + high)], GRID), _word(x, top + high + 14, label, "middle")]
    for at, label in _apart(chart.up.ticks, lambda label: 14 / high):
        _, y = _at(box, 0, at)
        result += [_stroke([(left, y), (left + wide, y)], GRID), _word(left - 6, y + 4, label[:LONGEST], "end")]
    result += [_stroke([(left, top), (left, top + high), (left + wide, top + high)], SOFT)]
    result.append(_word(left + wide / 2, top + high + 34, chart.across.title, "middle", INK))
    turned = f'transform="rotate(-90 11 {top + high / 2:.1f})"'
    return "".join(result) + _word(11, top + high / 2, chart.up.title, "middle", INK, turned)


def _apart(ticks: Ticks, room: Callable[[str], float]) -> Ticks:
    """Every tick, or every second, third ... one, so that labels stand apart. room : of a label, part of the side."""
    for every in range(1, len(ticks) + 1):
        kept = ticks[::every]
        if all(abs(b[0] - a[0]) >= (room(a[1]) + room(b[1])) / 2 for a, b in pairwise(kept)):
            return kept
    return ticks


def _mark_svg(mark: Mark, box: Box) -> str:
    """The mark where it is; what lies beyond the square is cut to its rim."""
    known = [(x, y) for x, y in zip(mark.x, mark.y, strict=True) if x is not None and y is not None]
    if mark.kind == "word":
        return "".join(_word(*_at(box, x, y), mark.name, "middle", INK) for x, y in known)
    if mark.kind == "bar":
        (x0, y1), (x1, y0) = (_at(box, _cut(x), _cut(y)) for x, y in known)
        x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
        size = f'width="{x1 - x0:.1f}" height="{y1 - y0:.1f}"'
        return f'<rect x="{x0:.1f}" y="{y0:.1f}" {size} fill="{mark.color}" fill-opacity="{mark.opacity:g}"></rect>'
    if mark.kind == "area":
        points = _points([_at(box, _cut(x), _cut(y)) for x, y in known])
        return f'<polygon points="{points}" fill="{mark.color}" fill-opacity="{mark.opacity:g}"></polygon>'
    if mark.kind == "points":
        return "".join(_point(mark, *_at(box, x, y)) for x, y in known)
    return "".join(_stroke([_at(box, *p) for p in run], mark.color, mark.width, mark.dash, mark.opacity)
                   for run in _runs(mark))  # fmt: skip


def _cut(place: float) -> float:
    return min(max(place, 0.0), 1.0)


def _runs(mark: Mark) -> list[list[tuple[float, float]]]:
    """The places of a line between its gaps."""
    runs: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(mark.x, mark.y, strict=True):
        if x is None or y is None:
            runs.append([])
        else:
            runs[-1].append((x, y))
    return [run for run in runs if run]


def _stroke(places: list, color: str, width: float = 1, dash: str = "", opacity: float = 1) -> str:
    more = (f' stroke-dasharray="{dash}"' if dash else "") + (f' opacity="{opacity:g}"' if opacity < 1 else "")
    line = f'stroke="{color}" stroke-width="{width:g}" stroke-linejoin="round"{more}'
    return f'<polyline points="{_points(places)}" fill="none" {line}></polyline>'


def _points(places: list) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _point(mark: Mark, x: float, y: float) -> str:
    r, fill = mark.width / 2, mark.color if mark.filled else "none"
    look = f'fill="{fill}" stroke="{mark.color}" stroke-width="1.3" opacity="{mark.opacity:g}"'
    if mark.shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" {look}></circle>'
    if mark.shape == "bar":
        return _stroke([(x, y - r), (x, y + r)], mark.color, 2.5)
    if mark.shape == "cross":
        return _stroke([(x - r, y), (x + r, y)], mark.color) + _stroke([(x, y - r), (x, y + r)], mark.color)
    corners = {
        "square": ((-r, -r), (r, -r), (r, r), (-r, r)), "diamond": ((0, -r), (r, 0), (0, r), (-r, 0)),
        "triangle": ((-r, r * 0.8), (r, r * 0.8), (0, -r)),
    }[mark.shape]  # fmt: skip
    return f'<polygon points="{_points([(x + a, y + b) for a, b in corners])}" {look}></polygon>'


def _legend(chart: Chart, left: float, width: int) -> tuple[str, float]:
    """The names beside what stands for them, in as many lines as they need; and how high that is."""
    named: dict[str, list[Mark]] = {}
    for mark in chart.marks:
        if mark.in_legend and mark.name and mark.kind != "word":
            named.setdefault(mark.name, []).append(mark)
    if not named:
        return "", 0
    x, y, result = left, 14.0, []
    for name, marks in named.items():
        wide = 34 + LETTER * len(name)
        if x > left and x + wide > width - RIGHT:
            x, y = left, y + LINE_HIGH
        result += [_key(mark, x, y) for mark in marks]
        result.append(_word(x + 26, y + 4, name, "start", INK))
        x += wide + 12
    return "".join(result), y + 4


def _key(mark: Mark, x: float, y: float) -> str:
    if mark.kind == "points":
        return _point(mark, x + 10, y)
    if mark.kind == "line":
        return _stroke([(x, y), (x + 20, y)], mark.color, mark.width, mark.dash)
    return (
        f'<rect x="{x:.1f}" y="{y - 5:.1f}" width="20" height="10" fill="{mark.color}" '
        f'fill-opacity="{mark.opacity:g}"></rect>'
    )


def _word(x: float, y: float, text: str, anchor: str, color: str = SOFT, more: str = "") -> str:
    told = escape(visible(text))
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" {more}>{told}</text>'
