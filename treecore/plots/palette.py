"""Colours, symbols and hatches of every picture: a class always has all three, and its name in words."""

import numpy as np
from plotly import colors

from treecore.export.cards import PALETTE
from treecore.study.regions import SHADES

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


def scale_rgb() -> np.ndarray:
    """uint8 (SHADES, 3): the sequential scale at the shades of a raster."""
    stops = np.array([colors.unlabel_rgb(c) if c.startswith("rgb") else colors.hex_to_rgb(c) for c in _SCALE])
    at, places = np.linspace(0, 1, SHADES), np.linspace(0, 1, len(stops))
    return np.rint(np.stack([np.interp(at, places, stops[:, i]) for i in range(3)], axis=1)).astype(np.uint8)
