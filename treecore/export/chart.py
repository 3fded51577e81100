"""A picture that stands still: marks in a unit square with two named sides, as plain data that a file can keep."""

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

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
class Side:
    """title : what is measured. ticks : (place from 0 to 1, label)."""

    title: str
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Chart:
    """caption : a sentence below it. across, up : its sides. height : in pixels, of 640 across."""

    caption: str
    across: Side
    up: Side
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


def _side(data: Mapping) -> Side:
    return Side(_text(data["title"]), tuple((_number(at, -1, 2), _text(label)) for at, label in data["ticks"]))


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
