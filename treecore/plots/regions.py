"""Decision regions of two features, with the rows on top."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.export.png import palette_png
from treecore.judging.interest import Interest, Tint, rate
from treecore.plots.frame import SMALL, feature_axis, figure, legend_key, upward_axis
from treecore.plots.palette import EDGE, HALO, INK, SCALE, rgb, scale_rgb
from treecore.plots.points import class_points, value_points
from treecore.plots.words import digits, number, percent, text, texts
from treecore.study.points import Points
from treecore.study.regions import NO_ANSWER, SHADES, Regions, cells, raster, shades
from treecore.tree.short_text import shorten

MOST_SHAPES = 300
"""Rectangles drawn as shapes; more are drawn as one image, which a browser shows at once."""
MOST_CELLS = 2500
MOST_LABELS = 40
ROOM = (390, 180)
"""Pixels of a plane of usual size."""
LETTER, LINE, BESIDE = 7, 17, 11
"""Pixels of a letter, of a line, and left and right of a word."""
BELOW = {
    "orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "thickness": 10, "outlinewidth": 0, "len": 1,
    "nticks": 4, "tickangle": 0, "title_side": "bottom",
}  # fmt: skip
"""The scale of the colours: the plane keeps its width."""
PIXELS = 720, 540
FAINT, DEEP = 0.06, 0.62
"""Of a rectangle with one row, and of the fullest."""
LIFTED, IMPURE = 0.42, 0.1
"""Of a class's colour at most: rows in the full colour stand off it on a light and on a dark page; and where the answer
is hardly more frequent than the others."""


def region_map(
    regions: Regions, points: Points | None = None, selected: np.ndarray | None = None, room: tuple[int, int] = ROOM
) -> go.Figure:
    """Rectangles by answer, rows by class (or value), the selected node's box outlined.

    selected : float64 (n, 4) of node_box. A row's customdata is (0-based row of the source, node).
    room : pixels of the plane, across and up: an answer is named where its word fits.
    """
    names = texts(regions.classes, 24)
    many = len(regions) > MOST_SHAPES and regions.depth is None and regions.corners is None
    traces = _hover(regions, names)
    if points is not None:
        is_class = bool(regions.classes)
        traces += class_points(points, regions.target, names) if is_class else value_points(points, regions.target)
    layout = {"annotations": _labels(regions, names, room), "images": [_image(regions)] if many else []}
    layout["shapes"] = ([] if many else _rectangles(regions)) + outline(selected)
    if not regions.classes:
        bar = {"title": {"text": text(regions.target, 24), "font": SMALL}, "tickfont": SMALL} | BELOW
        low, high = regions.limits
        layout["coloraxis"] = {"colorscale": SCALE, "cmin": low, "cmax": high, "colorbar": bar}
        traces.append(legend_key("", {"color": [low], "coloraxis": "coloraxis"}, showlegend=False))
    elif regions.interest is not None:
        layout["coloraxis"] = _lift_axis(regions.interest, len(regions.classes))
        traces.append(legend_key("", {"color": [0], "coloraxis": "coloraxis"}, showlegend=False))
    return figure(traces, feature_axis(regions.x), upward_axis(regions.y), **layout)


def _lift_axis(interest: Interest, n_classes: int) -> dict:
    """The scale of the colours around the base rate of the class of interest: a quarter of it to four times it."""
    ends = [Tint(1 - interest.k if n_classes == 2 else -1, 1.0, True), Tint(interest.k, 1.0, True)]
    low, high = (_rgba_text((*_hue(end), round(255 * LIFTED))) for end in ends)
    title = text(f"share of {shorten(interest.name, 24)}: 1× is {percent(interest.base)}, as in all rows", 80)
    ticks = {"tickvals": [-2, -1, 0, 1, 2], "ticktext": ["¼×", "½×", "1×", "2×", "4×"]}
    bar = {"title": {"text": title, "font": SMALL}, "tickfont": SMALL} | BELOW | ticks
    scale = [[0, low], [0.5, "rgba(128,128,128,0)"], [1, high]]
    return {"colorscale": scale, "cmin": -2, "cmax": 2, "colorbar": bar}


def outline(boxes: np.ndarray | None) -> list[dict]:
    """A strong frame around each rectangle x0, x1, y0, y1, or polygon, seen on any ground."""
    found = []
    for line in ({"color": HALO, "width": 6}, {"color": INK, "width": 2.5}):
        for box in [] if boxes is None else boxes:
            found.append(_shape(box) | {"line": line, "layer": "above"})
    return found


def _shape(box: np.ndarray) -> dict:
    """A rectangle x0, x1, y0, y1, or a polygon of corners (k, 2)."""
    if box.ndim == 1:
        return dict(zip(("x0", "x1", "y0", "y1"), box.tolist(), strict=True)) | {"type": "rect"}
    return {"type": "path", "path": "M" + "L".join(f"{x!r},{y!r}" for x, y in box.tolist()) + "Z"}


def _rectangles(regions: Regions) -> list[dict]:
    rgba = _colors(regions).astype(float)
    if regions.depth is not None:
        rgba[:, 3] = 255 * (FAINT + (DEEP - FAINT) * regions.depth)
    boxes = regions.corners or np.stack([regions.x0, regions.x1, regions.y0, regions.y1], axis=1)
    return [
        _shape(box) | {"fillcolor": _rgba_text(color), "line": {"color": EDGE, "width": 1}, "layer": "below"}
        for box, color in zip(boxes, rgba.tolist(), strict=True)
    ]


def _rgba_text(color: Sequence[float]) -> str:
    r, g, b, a = color
    return f"rgba({r:.0f},{g:.0f},{b:.0f},{a / 255:.3f})"


def _image(regions: Regions) -> dict:
    """All rectangles as one palette image, stretched over the range."""
    x, y = regions.x, regions.y
    place = {"xref": "x", "yref": "y", "x": x.low, "y": y.high, "sizex": x.high - x.low, "sizey": y.high - y.low}
    found, shade = np.unique(_colors(regions), axis=0, return_inverse=True)
    palette = np.zeros((256, 4), np.uint8)
    palette[: len(found)] = found
    source = palette_png(raster(regions, *PIXELS, shade.ravel().astype(np.uint8)), palette)
    return place | {"source": source, "sizing": "stretch", "layer": "below"}


def _colors(regions: Regions) -> np.ndarray:
    """uint8 (n, 4): the colour of each rectangle, at most 250 different ones; clear where there is no answer."""
    found = np.zeros((len(regions), 4), np.uint8)
    if not regions.classes:
        shade = shades(regions)
        known = shade != NO_ANSWER
        found[known, :3], found[known, 3] = scale_rgb()[shade[known]], 255
        return found
    # a tint keeps the rows of a class apart from its ground
    steps = max(1, min(16, SHADES // max(2, len(regions.classes))))
    for i, (tint, value) in enumerate(zip(regions.tints, regions.value.tolist(), strict=True)):
        depth = round(tint.depth * steps) / steps
        part = LIFTED * depth if tint.diverging else IMPURE + (LIFTED - IMPURE) * depth
        if value >= 0:
            found[i] = (*_hue(tint), round(255 * part))
    return found


def _hue(tint: Tint) -> tuple[int, int, int]:
    """Red, green, blue of a tint at its deepest; grey where no class has it."""
    return rgb(tint.k % SHADES) if tint.k >= 0 else (128, 128, 128)


def _answers(regions: Regions, names: list[str]) -> list[str]:
    """What each rectangle predicts, in words."""
    if not regions.classes:
        return [digits(value) for value in regions.value.tolist()]
    return [names[value] if value >= 0 else "no answer" for value in regions.value.tolist()]


def _hover(regions: Regions, names: list[str]) -> list[go.Heatmap]:
    """An unseen layer that says, wherever one points, which node answers there; none for very many cells."""
    if len(regions) > MOST_SHAPES:  # the grid grows with the square of the rectangles
        return []
    if regions.corners:
        return _hover_polygons(regions, names)
    x, y, index = cells(regions)
    if not 0 < index.size <= MOST_CELLS:
        return []
    shown = np.array([*_all_told(regions, names), ""], object)[index]
    layer = go.Heatmap(
        x=x, y=y, z=np.zeros(index.shape, np.uint8), text=shown, opacity=0, showscale=False,
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    return [layer]


def _hover_polygons(regions: Regions, names: list[str]) -> list[go.Scatter]:
    """The same for polygons: each an unseen shape that says its node wherever one points within."""
    quiet = {"mode": "none", "fill": "toself", "fillcolor": "rgba(0,0,0,0)", "hoveron": "fills", "showlegend": False}
    return [
        go.Scatter(x=corners[:, 0], y=corners[:, 1], name="", text=told, hoverinfo="text", **quiet)
        for corners, told in zip(regions.corners, _all_told(regions, names), strict=True)
    ]


def _all_told(regions: Regions, names: list[str]) -> list[str]:
    answers = _answers(regions, names)
    return [_told(regions, i, answer) for i, answer in enumerate(answers)]


def _told(regions: Regions, i: int, answer: str) -> str:
    """What a rectangle says: of its node, or of the rows that lie there."""
    share, node, n = float(regions.share[i]), int(regions.node[i]), number(regions.n_rows[i])
    told = rate(float(regions.rate[i]), regions.classes[regions.told[i]], 24) if regions.classes else ""
    told = text(told, 60) if regions.rate[i] == regions.rate[i] else ""
    if node < 0:
        of = f" for {percent(share)} of" if share == share else " on average, of"
        return f"<b>{answer}</b>{of} the {n} rows here" + (f"<br>{told} among them" if told else "")
    return f"<b>{answer}</b><br>" + (f"{told}<br>" if told else "") + f"node {node}, {n} {regions.rows_named}"


def _labels(regions: Regions, names: list[str], room: tuple[int, int]) -> list[dict]:
    """The answer in words inside every rectangle with room for it, the largest first."""
    width = room[0] * (regions.x1 - regions.x0) / (regions.x.high - regions.x.low)
    height = room[1] * (regions.y1 - regions.y0) / (regions.y.high - regions.y.low)
    answers, dark = _answers(regions, names), _colors(regions)[:, :3].mean(axis=1) < 128
    found = []
    for i in np.argsort(-width * height, kind="stable")[:MOST_LABELS].tolist():
        if width[i] < LETTER * len(answers[i]) + BESIDE or height[i] < LINE:
            continue
        label = {"x": regions.x0[i], "y": regions.y1[i], "xanchor": "left", "yanchor": "top", "text": answers[i]}
        if regions.corners:
            middle = regions.corners[i].mean(axis=0)
            label |= {"x": middle[0], "y": middle[1], "xanchor": "center", "yanchor": "middle"}
        if not regions.classes and regions.depth is None:  # on an opaque ground the theme's text might not be legible
            label["font"] = {"color": "#ffffff" if dark[i] else "#14171c"}
        label["font"] = label.get("font", {}) | SMALL
        found.append(label | {"showarrow": False, "xref": "x", "yref": "y"})
    return found
