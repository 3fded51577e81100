"""What all pictures share: safe text, colours, symbols and hatches, and a transparent page with quiet axes."""

import html
from collections.abc import Iterable

import numpy as np
import plotly.graph_objects as go
from plotly import colors

from treecore.export.cards import NUMBERS, PALETTE
from treecore.figures import brief
from treecore.study.plane import Axis
from treecore.study.regions import SHADES
from treecore.tree.short_text import NOWHERE, Places, apart, clean, shorten


def text(name: object, limit: int | None = 32, places: Places = NOWHERE) -> str:
    """A name as literal text: one line, at most `limit` columns, nothing in it that Plotly would interpret.

    places : where it differs from others, which a shortened name goes on showing; see tree.short_text.

    Plotly renders some HTML, typesets $...$ when the page has MathJax, and fills in %{...} in hover templates.
    It decodes numeric entities but not &quot;, and quotes are harmless outside of tags.
    """
    plain = clean(str(name)) if limit is None else shorten(str(name), limit, places)
    escaped = html.escape(plain, quote=False)
    return escaped.replace("$", "&#36;").replace("%", "&#37;") or "(blank)"


def texts(names: Iterable[object], limit: int = 32) -> list[str]:
    """`text` of each name; shortened names show where they differ, and get their number where they are alike still."""
    names = [str(name) for name in names]
    places = apart(names)
    result = [text(name, limit, places) for name in names]
    twice = {name for name in result if result.count(name) > 1}
    return [f"{name} #{i}" if name in twice else name for i, name in enumerate(result, 1)]


def digits(value: float) -> str:
    """Four significant digits, for hover texts; a dash for no number."""
    return brief(value)


# Colours, symbols and hatches of every picture: a class always has all three, and its name in words.

COLORS = PALETTE
SYMBOLS = (
    "circle", "square", "diamond", "triangle-up", "cross",
    "triangle-down", "pentagon", "star", "hexagram", "x",
)  # fmt: skip
HATCHES = ("", "/", ".", "x", "-", "\\", "+", "|", "", "/")

_MORE = ("/", ".", "x", "-", "\\", "+", "|", "")

ROLE_SYMBOLS = {
    "train": "circle",
    "validation": "diamond",
    "test": "square",
    "pruning": "cross",
    "estimation": "triangle-up",
}
ROLE_HATCHES = {"train": "", "validation": "/", "test": ".", "pruning": "x", "estimation": ""}
ROLE_LINES = {
    "train": {"width": 1.5, "dash": "solid", "color": "#7b828a"},
    "validation": {"width": 2.75, "dash": "solid", "color": "#9a63c4"},
    "test": {"width": 2, "dash": "2px,3px", "color": "#2e9b73"},
    "pruning": {"width": 1.75, "dash": "10px,3px,2px,3px", "color": "#a8842c"},
    "estimation": {"width": 1.5, "dash": "solid", "color": "#7b828a"},
    "cross": {"width": 2, "dash": "7px,4px", "color": "#c8605c"},
}
"""Colours that no class has, each seen on a white page and on a dark one; dashes tell them apart without colours."""
ROLE_FILLS = {"train": "", "validation": "-open", "test": "-open-dot", "pruning": "-dot", "estimation": ""}
"""Suffix of a class's symbol: which role a point is from."""

NEUTRAL = "#8a9099"
LINE = "#7b828a"
"""Of lines: as far from a white page as from a dark one."""
GRID = "rgba(128,128,128,0.22)"
EDGE = "rgba(128,128,128,0.65)"
CLEAR = "rgba(0,0,0,0)"
WRONG = "#e0115f"
RIM = "rgba(134,140,147,0.95)"
HALO, INK = "rgba(255,255,255,0.95)", "#14171c"
"""A dark line upon a wider light one is seen on any page and any fill."""

_SCALE = colors.sequential.Viridis
SCALE = [[i / (len(_SCALE) - 1), shade] for i, shade in enumerate(_SCALE)]
"""Sequential, of rising lightness for every kind of colour vision."""

LEAST_SHARE, MOST_SHARE = 0.16, 0.72
"""Of the colour of numbers in the paper, for the least and the greatest answer: as on the canvas (colors.js)."""
_PAPERS = {False: ("#ffffff", NUMBERS), True: ("#15181b", "#7db7dd")}
"""The paper and the colour of numbers on a light page and on a dark one."""


def _number_ends(dark: bool) -> np.ndarray:
    """float64 (2, 3): of the least and of the greatest answer."""
    paper, hue = (np.array(colors.hex_to_rgb(shade), float) for shade in _PAPERS[dark])
    return np.stack([(1 - share) * paper + share * hue for share in (LEAST_SHARE, MOST_SHARE)])


def number_scale(dark: bool = False) -> list[list]:
    """Of a tree's answers where they are numbers: the greater, the further from the page towards blue."""
    return [[i, "rgb({:.0f},{:.0f},{:.0f})".format(*end)] for i, end in enumerate(_number_ends(dark))]


def color(k: int) -> str:
    """The colour of class k."""
    return COLORS[k % len(COLORS)]


def symbol(k: int) -> str:
    """The marker of class k; where colours come round again it goes with another one each time."""
    return SYMBOLS[(k + k // len(COLORS)) % len(SYMBOLS)]


def hatch(k: int) -> str:
    """The bar pattern of class k; where colours come round again it goes with another one each time."""
    return HATCHES[k] if k < len(HATCHES) else _MORE[(k % len(COLORS) + k // len(COLORS)) % len(_MORE)]


def pattern(shape: str) -> dict:
    """A light hatch upon a bar's own colour."""
    return {"shape": shape, "fillmode": "overlay", "fgcolor": HALO, "fgopacity": 0.75, "size": 7, "solidity": 0.22}


def rgb(k: int) -> tuple[int, int, int]:
    """Red, green, blue (0 to 255) of class k."""
    return colors.hex_to_rgb(color(k))


OTHERS, UNKNOWN = NEUTRAL, "#5b6270"
"""Of the rows of all other groups, and of those without a value."""


def group_colors(n: int, ordered: bool, n_classes: int = 0) -> list[str]:
    """The colours of n groups of rows, then OTHERS and UNKNOWN. Groups in an order have those of the sequential scale,
    without its ends, which a page may swallow; others have those that the classes beside them leave."""
    if ordered:
        at = np.linspace(0.22, 0.9, n) if n > 1 else [0.5]
        made = colors.sample_colorscale(SCALE, list(at), colortype="rgb")
        return ["#" + "".join(f"{round(v):02x}" for v in colors.unlabel_rgb(c)) for c in made] + [OTHERS, UNKNOWN]
    return [COLORS[(n_classes + i) % (len(COLORS) - 1)] for i in range(n)] + [OTHERS, UNKNOWN]


def number_rgb(dark: bool = False) -> np.ndarray:
    """uint8 (SHADES, 3): the scale of numbers at the shades of a raster."""
    low, high = _number_ends(dark)
    return np.rint(low + np.linspace(0, 1, SHADES)[:, None] * (high - low)).astype(np.uint8)


def number_css(part: float) -> str:
    """The same with the paper and the accent of a page's theme. part : 0 for the least answer, 1 for the greatest."""
    share = LEAST_SHARE + (MOST_SHARE - LEAST_SHARE) * part
    return f"color-mix(in srgb, var(--accent) {round(100 * share)}%, var(--paper))"


# What all pictures share: a transparent page, quiet axes, a legend above.

NO_BUTTONS = ["sendChartToCloud", "lasso2d", "select2d", "autoScale2d"]
"""Nothing leaves the machine, and what the pictures have no use for."""
SHARE = "~%"
"""How ticks of shares are written: without decimals where none are needed, and never two of them alike."""
SMALL = {"size": 12}
"""The least letters of a picture, in pixels: a page's theme may have smaller ones."""


def figure(traces: list, xaxis: dict, yaxis: dict, **layout) -> go.Figure:
    """A figure on a transparent ground. Typeface and text colours are left to the page's theme."""
    base = {
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "margin": {"l": 8, "r": 8, "t": 36, "b": 8},
        "legend": {
            "orientation": "h",
            "traceorder": "normal",
            "x": 0,
            "y": 1.02,
            "xanchor": "left",
            "yanchor": "bottom",
            "bgcolor": CLEAR,
            "font": SMALL,
        },
        "modebar": {"bgcolor": CLEAR, "color": EDGE, "activecolor": NEUTRAL, "remove": NO_BUTTONS},
        "hovermode": "closest",
        "hoverlabel": {"align": "left", "namelength": -1},
        "xaxis": axis(**xaxis),
        "yaxis": axis(**yaxis),
    }
    return go.Figure(traces, base | layout)


def axis(title: str = "", **more) -> dict:
    """An axis with a thin line and light grid; `title` is already safe text."""
    quiet = {"zeroline": False, "gridcolor": GRID, "linecolor": EDGE, "showline": True, "automargin": True}
    return quiet | {"tickfont": SMALL, "title": {"text": title}} | more


def feature_axis(side: Axis) -> dict:
    """The axis of a feature: its range, or a tick per level. A plane beside the tree is as wide as 36 letters."""
    result = {"title": text(side.name, 36), "range": [side.low, side.high], "showgrid": False}
    if side.kind == "numeric":
        return result
    return result | level_ticks(side.levels)


def upward_axis(side: Axis) -> dict:
    """The same of an axis that goes up, along which the title is written: a small plane is as high as 24 letters."""
    return feature_axis(side) | {"title": text(side.name, 24)}


def level_ticks(levels) -> dict:
    """Ticks 0, 1, 2 ... with the levels' names: as positions, no name is ever read as a number or a date."""
    names = texts(levels, 20)
    return {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": names, "type": "linear"}


def strip(**shape) -> dict:
    """A shape below the marks."""
    return {"layer": "below", "line": {"width": 0}} | shape


def vertical(x: float, color: str, dash: str = "solid", width: float = 1.5) -> dict:
    """A line over the full height."""
    line = {"color": color, "dash": dash, "width": width}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "xref": "x", "yref": "y domain", "line": line}


def legend_key(name: str, marker: dict, **more) -> go.Scatter:
    """An entry of the legend that stands for no trace of its own; `name` is already safe text."""
    return go.Scatter(x=[None], y=[None], mode="markers", name=name, marker=marker, hoverinfo="skip", **more)


def closed(outlines: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """(x, y), float64: every polygon of corners (k, 2) as a closed line, and a gap after it."""
    gap = np.full((1, 2), np.nan)
    parts = [part for outline in outlines for part in (outline, outline[:1], gap)]
    return tuple(np.concatenate([*parts, gap[:0]]).T)
