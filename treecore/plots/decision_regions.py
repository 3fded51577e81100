"""Decision regions of two features with the rows on top, after a row has moved, and by the votes of many trees."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from treecore.export.pictures import palette_png
from treecore.figures import count, percent
from treecore.judging.interest import ABOVE as ABOVE_ZERO
from treecore.judging.interest import BELOW as BELOW_ZERO
from treecore.judging.interest import Interest, Tint, rate
from treecore.plots.picture_style import (
    CLEAR,
    COLORS,
    EDGE,
    HALO,
    INK,
    NEUTRAL,
    RIM,
    ROLE_FILLS,
    ROLE_SYMBOLS,
    SMALL,
    WRONG,
    closed,
    color,
    digits,
    feature_axis,
    figure,
    legend_key,
    number_rgb,
    number_scale,
    rgb,
    symbol,
    text,
    texts,
    upward_axis,
)
from treecore.study.plane import Axis
from treecore.study.points import Points
from treecore.study.regions import NO_ANSWER, SHADES, PlaneChange, Regions, cells, raster, shades
from treecore.tree.short_text import shorten

SIZE, SMALL_POINT, MANY = 8, 5, 800
"""Pixels of a point, and of one among more than MANY."""
RIM_LINE = {"width": 1.25, "color": RIM}
FADED = 0.45
ARM_SYMBOLS = "circle", "triangle-up"
"""Of rows that were not treated, and of those that were."""
OUTCOMES = "#c9c3d6", "#7342c4"
"""Of the least outcome and of the largest: no colour of effects, and told apart by their lightness."""
OFTEN = 0.4
"""Where more of the rows than this part are answered wrongly, their rings are thin: they would hide the rest."""
STAYS_PUT = {"marker": {"opacity": 1}}
"""A click on one row must not make all others pale."""


def class_points(points: Points, target: str, names: list[str]) -> list[go.Scatter]:
    """One trace per class, role and paleness, keys of classes and roles, and rings around wrong answers.

    names : safe texts of the classes.
    """
    told = _hover_of_rows(points, target, [*names, "no answer"])
    traces, keys = [], []
    for k, name in enumerate(names):
        group = {"name": name, "legendgroup": f"class{k}"}
        look = {"symbol": symbol(k), "color": color(k), "size": SIZE, "line": RIM_LINE}
        keys.append(legend_key(marker=look, **group))
        for r, role in enumerate(points.roles):
            shape = {"symbol": symbol(k) + ROLE_FILLS.get(role, ""), "color": color(k)}
            traces += _traces(points, (points.truth == k) & (points.role == r), told, shape, **group)
    return traces + keys + _role_keys(points, open_ones=True) + _rings(points)


def value_points(points: Points, target: str, dark: bool) -> list[go.Scatter]:
    """A trace per role and paleness, coloured by the target on the figure's colour axis."""
    told, traces = _hover_of_rows(points, target, None), []
    for r, role in enumerate(points.roles):
        look = {"symbol": ROLE_SYMBOLS.get(role, "circle"), "coloraxis": "coloraxis"}
        look["line"] = {"width": 1.25, "color": "rgba(255,255,255,0.8)" if dark else "rgba(20,23,28,0.7)"}
        traces += _traces(points, points.role == r, told, look, colored=True, name=text(role), legendgroup=role)
    return traces + _role_keys(points, open_ones=False)


def arm_points(points: Points, target: str) -> list[go.Scatter]:
    """Rows of a target of effects: a shape for each arm, in the colour of the outcome."""
    told, traces = _hover_of_rows(points, target, None), []
    low, high = (float(of(points.truth)) if len(points) else 0.0 for of in (np.min, np.max))
    look = {"colorscale": [[0, OUTCOMES[0]], [1, OUTCOMES[1]]], "line": RIM_LINE}
    look |= {"cmin": low, "cmax": high if high > low else low + 1.0}
    for a, arm in enumerate(points.arms):
        group = {"name": text(arm), "legendgroup": f"arm{a}"}
        for r, role in enumerate(points.roles):
            shape = look | {"symbol": ARM_SYMBOLS[a] + ROLE_FILLS.get(role, "")}
            traces += _traces(points, (points.arm == a) & (points.role == r), told, shape, colored=True, **group)
        key = {"symbol": ARM_SYMBOLS[a], "color": NEUTRAL, "size": SIZE, "line": RIM_LINE}
        traces.append(legend_key(marker=key, **group))
    for value, shade in ((low, OUTCOMES[0]), (high, OUTCOMES[1])) if high > low else ():
        key = {"symbol": "square", "color": shade, "size": SIZE, "line": RIM_LINE}
        traces.append(legend_key(f"{text(target)} {digits(value)}", key, legendgroup="outcomes"))
    return traces + _role_keys(points, open_ones=True)


def plain_points(points: Points, target: str) -> list[go.Scatter]:
    """A trace per role in one quiet colour, for a picture whose line is the message."""
    told, traces = _hover_of_rows(points, target, None), []
    for r, role in enumerate(points.roles):
        look = {"symbol": ROLE_SYMBOLS.get(role, "circle") + ROLE_FILLS.get(role, ""), "color": NEUTRAL}
        traces += _traces(points, points.role == r, told, look, name=text(role), showlegend=True)
    return traces


def _traces(points: Points, here: np.ndarray, told: np.ndarray, look: dict, colored=False, **more) -> list[go.Scatter]:
    """The rows `here`, the pale ones below; nothing where there are none."""
    traces = []
    for opacity, rows in ((FADED, here & ~points.in_plane), (1.0, here & points.in_plane)):
        if not rows.any():
            continue
        marker = {"size": _size(points), "opacity": 1, "line": RIM_LINE} | look
        if colored:
            marker["color"] = points.truth[rows] * (1.0 if points.arms else points.units)
        places = {"x": points.x[rows], "y": points.y[rows], "hovertext": told[rows], "hoverinfo": "text"}
        places["customdata"] = np.stack([points.row[rows], points.node[rows]], axis=1)
        named = {"mode": "markers", "opacity": opacity, "unselected": STAYS_PUT, "showlegend": False} | more
        traces.append(go.Scatter(marker=marker, **places, **named))
    return traces


def _size(points: Points) -> int:
    return SIZE if len(points) <= MANY else SMALL_POINT


def _hover_of_rows(points: Points, target: str, names: list[str] | None) -> np.ndarray:
    """str objects (n,): what hovering over each row says; rows are counted from 1."""
    name, roles = text(target if names else points.quantity or target), [text(role) for role in points.roles]
    shown = (lambda value: digits(points.units * value)) if names is None else names.__getitem__
    predicted = f"predicted {name}" if points.arms else "predicted"
    columns = (points.row, points.role, points.truth, points.answer, points.node, points.in_plane)
    told = np.empty(len(points), object)
    for i, (row, role, truth, answer, node, here) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        is_, says = digits(truth) if points.arms else shown(truth), shown(answer)
        is_ = f"{text(target)}: {is_}, {text(points.arms[points.arm[i]])}" if points.arms else f"{name}: {is_}"
        told[i] = f"row {row + 1}, {roles[role]}<br>{is_}<br>{predicted}: {says} (node {node})"
        if not here:
            told[i] += "<br>its other features lead elsewhere"
    return told


def _role_keys(points: Points, open_ones: bool) -> list[go.Scatter]:
    """What filled and open symbols, or else the shapes, mean. Keys of their own: a trace's might be pale."""
    keys = []
    for r, role in enumerate(points.roles):
        if (points.role == r).any():
            shape = "circle" + ROLE_FILLS.get(role, "") if open_ones else ROLE_SYMBOLS.get(role, "circle")
            look = {"size": SIZE, "color": NEUTRAL, "line": RIM_LINE, "symbol": shape}
            keys.append(legend_key(text(role), look, legendgroup="roles" if open_ones else role))
    return keys


def _rings(points: Points) -> list[go.Scatter]:
    """Around the rows answered wrongly, whatever region they lie on."""
    often = len(points) > 0 and points.wrong.mean() > OFTEN
    line, strength = ({"width": 1}, 0.5) if often else ({"width": 1.75}, 1.0)
    ring = {"symbol": "circle-open", "size": 1.9 * _size(points), "color": WRONG, "line": line}
    named = {"name": "wrong", "legendgroup": "wrong", "hoverinfo": "skip", "mode": "markers"}
    traces = []
    for opacity, rows in ((FADED, points.wrong & ~points.in_plane), (1.0, points.wrong & points.in_plane)):
        if rows.any():
            more = {"opacity": opacity * strength, "showlegend": False, "unselected": STAYS_PUT}
            traces.append(go.Scatter(x=points.x[rows], y=points.y[rows], marker=ring, **named, **more))
    return traces + ([legend_key("wrong", ring, legendgroup="wrong")] if traces else [])


# Decision regions of two features, with the rows on top.

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
    regions: Regions,
    points: Points | None = None,
    selected: np.ndarray | None = None,
    room: tuple[int, int] = ROOM,
    dark: bool = False,
) -> go.Figure:
    """Rectangles by answer, rows by class (or value), the selected node's box outlined.

    selected : float64 (n, 4) of node_box. A row's customdata is (0-based row of the source, node).
    room : pixels of the plane, across and up: an answer is named where its word fits. dark : is the page dark? The
    colours of numbers begin at it.
    """
    names = texts(regions.classes, 24)
    many = len(regions) > MOST_SHAPES and regions.depth is None and regions.corners is None
    traces = _hover(regions, names)
    if points is not None:
        if regions.classes:
            traces += class_points(points, regions.target, names)
        else:
            traces += arm_points(points, regions.target) if points.arms else value_points(points, regions.target, dark)
    painted = many or regions.tiles is not None
    layout = {
        "annotations": _labels(regions, names, room, dark),
        "images": [_image(regions if regions.tiles is None else regions.tiles, dark)] if painted else [],
    }
    layout["shapes"] = ([] if many else _rectangles(regions, dark)) + outline(selected)
    if not regions.classes:
        what = text(regions.quantity or regions.target, 36)
        bar = {"title": {"text": what, "font": SMALL}, "tickfont": SMALL} | BELOW
        low, high = (regions.units * limit for limit in regions.limits)
        scale = sign_scale() if regions.tints else number_scale(dark)
        layout["coloraxis"] = {"colorscale": scale, "cmin": low, "cmax": high, "colorbar": bar}
        traces.append(legend_key("", {"color": [low], "coloraxis": "coloraxis"}, showlegend=False))
    elif regions.interest is not None:
        layout["coloraxis"] = _lift_axis(regions.interest, len(regions.classes))
        traces.append(legend_key("", {"color": [0], "coloraxis": "coloraxis"}, showlegend=False))
    return figure(traces, feature_axis(regions.x), upward_axis(regions.y), **layout)


def sign_scale() -> list[list]:
    """From an answer as far below 0 as any to one as far above, 0 in the middle, in the colours of the regions."""
    low, high = (_rgba_text((*_hue(Tint(k, 1.0, True)), round(255 * LIFTED))) for k in (BELOW_ZERO, ABOVE_ZERO))
    return [[0, low], [0.5, "rgba(128,128,128,0)"], [1, high]]


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
    result = []
    for line in ({"color": HALO, "width": 6}, {"color": INK, "width": 2.5}):
        for box in [] if boxes is None else boxes:
            result.append(_shape(box) | {"line": line, "layer": "above"})
    return result


def _shape(box: np.ndarray) -> dict:
    """A rectangle x0, x1, y0, y1, or a polygon of corners (k, 2)."""
    if box.ndim == 1:
        return dict(zip(("x0", "x1", "y0", "y1"), box.tolist(), strict=True)) | {"type": "rect"}
    return {"type": "path", "path": "M" + "L".join(f"{x!r},{y!r}" for x, y in box.tolist()) + "Z"}


def _rectangles(regions: Regions, dark: bool) -> list[dict]:
    rgba = region_colors(regions, dark).astype(float)
    if regions.tiles is not None:  # the image below has the colours
        rgba[:, 3] = 0
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


def _image(regions: Regions, dark: bool) -> dict:
    """All rectangles as one palette image, stretched over the range."""
    x, y = regions.x, regions.y
    place = {"xref": "x", "yref": "y", "x": x.low, "y": y.high, "sizex": x.high - x.low, "sizey": y.high - y.low}
    result, shade = np.unique(region_colors(regions, dark), axis=0, return_inverse=True)
    palette = np.zeros((256, 4), np.uint8)
    palette[: len(result)] = result
    source = palette_png(raster(regions, *PIXELS, shade.ravel().astype(np.uint8)), palette)
    return place | {"source": source, "sizing": "stretch", "layer": "below"}


def region_colors(regions: Regions, dark: bool = False) -> np.ndarray:
    """uint8 (n, 4): the colour of each rectangle, at most 250 different ones; clear where there is no answer."""
    result = np.zeros((len(regions), 4), np.uint8)
    if not regions.tints:
        shade = shades(regions)
        known = shade != NO_ANSWER
        result[known, :3], result[known, 3] = number_rgb(dark)[shade[known]], 255
        return result
    # a tint keeps the rows of a class apart from its ground
    steps = max(1, min(16, SHADES // max(2, len(regions.classes))))
    for i, (tint, value) in enumerate(zip(regions.tints, regions.value.tolist(), strict=True)):
        depth = round(tint.depth * steps) / steps
        part = LIFTED * depth if tint.diverging else IMPURE + (LIFTED - IMPURE) * depth
        if value >= 0 or (not regions.classes and value == value):
            result[i] = (*_hue(tint), round(255 * part))
    return result


def _hue(tint: Tint) -> tuple[int, int, int]:
    """Red, green, blue of a tint at its deepest; grey where no class has it."""
    return rgb(tint.k % SHADES) if tint.k >= 0 else (128, 128, 128)


def _answers(regions: Regions, names: list[str]) -> list[str]:
    """What each rectangle predicts, in words."""
    if regions.spans is not None and regions.classes:
        ends = [tuple(map(percent, span)) for span in regions.spans.tolist()]
        told = [names[k] for k in regions.told.tolist()]
        return [
            f"{name}: {share}" if name.lstrip("+-−.")[:1].isdigit() else f"{share} {name}"
            for share, name in zip((a if a == b else f"{a} to {b}" for a, b in ends), told, strict=True)
        ]
    if regions.spans is not None:
        return [digits(a) if a == b else f"{digits(a)} to {digits(b)}" for a, b in regions.spans.tolist()]
    if not regions.classes:
        return [digits(regions.units * value) for value in regions.value.tolist()]
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
    shown = np.array([*_all_rates(regions, names), ""], object)[index]
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
        for corners, told in zip(regions.corners, _all_rates(regions, names), strict=True)
    ]


def _all_rates(regions: Regions, names: list[str]) -> list[str]:
    answers = _answers(regions, names)
    return [_hover_of_rectangles(regions, i, answer) for i, answer in enumerate(answers)]


def _hover_of_rectangles(regions: Regions, i: int, answer: str) -> str:
    """What a rectangle says: of its node, or of the rows that lie there."""
    share, node, n = float(regions.share[i]), int(regions.node[i]), count(regions.n_rows[i], ",")
    told = ""  # a plane of rows that lie there has no rates of numbers
    if regions.classes and regions.spans is None and regions.rate[i] == regions.rate[i]:
        told = text(rate(float(regions.rate[i]), regions.classes[regions.told[i]], 24), 60)
    if node < 0:
        of = f" for {percent(share)} of" if share == share else " on average, of"
        return f"<b>{answer}</b>{of} the {n} rows here" + (f"<br>{told} among them" if told else "")
    return f"<b>{answer}</b><br>" + (f"{told}<br>" if told else "") + f"node {node}, {n} {regions.rows_named}"


def _labels(regions: Regions, names: list[str], room: tuple[int, int], dark: bool) -> list[dict]:
    """The answer in words inside every rectangle with room for it, the largest first."""
    width = room[0] * (regions.x1 - regions.x0) / (regions.x.high - regions.x.low)
    height = room[1] * (regions.y1 - regions.y0) / (regions.y.high - regions.y.low)
    answers = _answers(regions, names)
    result = []
    for i in np.argsort(-width * height, kind="stable")[:MOST_LABELS].tolist():
        if width[i] < LETTER * len(answers[i]) + BESIDE or height[i] < LINE:
            continue
        label = {"x": regions.x0[i], "y": regions.y1[i], "xanchor": "left", "yanchor": "top", "text": answers[i]}
        if regions.corners:
            middle = regions.corners[i].mean(axis=0)
            label |= {"x": middle[0], "y": middle[1], "xanchor": "center", "yanchor": "middle"}
        if not (regions.classes or regions.tints) and regions.depth is None:  # an opaque ground, whatever the theme is
            label["font"] = {"color": "#ffffff" if dark else "#14171c"}
        label["font"] = label.get("font", {}) | SMALL
        result.append(label | {"showarrow": False, "xref": "x", "yref": "y"})
    return result


# The plane after one row has moved: its way, the borders of before, and hatched what is answered otherwise.

GRID = 48, 36
"""Places that can be clicked, across and up."""
Place = tuple[float, float]


def row_move_map(
    regions: Regions,
    before: Regions,
    change: PlaneChange,
    points: Points | None,
    start: Place | None,
    now: Place,
    dark: bool = False,
) -> go.Figure:
    """regions : of the tree that grew anew. start : where the row was, None where it had no value; now : where it is.

    Everywhere a click gives the customdata (x, y, 1) of a place.
    """
    drawn = region_map(regions, points, dark=dark)
    for trace in (*_changed(change), *_borders(before), *_way(start, now), _places(regions)):
        drawn.add_trace(trace)
    return drawn


def _changed(change: PlaneChange) -> list[go.Scatter]:
    """All changed rectangles as one hatched area."""
    if not len(change.x0):
        return []
    x, y = closed(change.outlines)
    hatch = {"shape": "/", "fgcolor": INK, "bgcolor": "rgba(255,255,255,0.35)", "size": 7, "solidity": 0.2}
    return [
        go.Scatter(x=x, y=y, mode="lines", line={"width": 0}, fill="toself", fillpattern=hatch, hoverinfo="skip",
                   fillcolor=CLEAR, name="changed")
    ]  # fmt: skip


def _borders(before: Regions) -> list[go.Scatter]:
    """Edges of the former rectangles."""
    x, y = closed(before.outlines)
    look = {"color": NEUTRAL, "width": 1.5, "dash": "dash"}
    return [go.Scatter(x=x, y=y, mode="lines", line=look, hoverinfo="skip", name="before")]


def _way(start: Place | None, now: Place) -> list[go.Scatter]:
    """From where the row was to where it is, dark upon light."""
    told = f"the row: {digits(now[0])}, {digits(now[1])}<extra></extra>"
    star = {"symbol": "star", "size": 17, "color": HALO, "line": {"width": 2, "color": INK}}
    still = {"mode": "lines+markers", "hoverinfo": "skip", "showlegend": False, "unselected": STAYS_PUT}
    traces = []
    for shade, width in ((HALO, 5), (INK, 2)) if start is not None and start != now else ():
        x, y = zip(start, now, strict=True)
        ring = {"symbol": ["circle-open", "circle"], "size": [15, 0.1], "color": shade, "line": {"width": width + 0.5}}
        look = {"line": {"color": shade, "width": width}, "marker": ring}
        traces.append(go.Scatter(x=x, y=y, name="where it was", **look, **still))
    here = still | {"mode": "markers", "hoverinfo": None}
    return [*traces, go.Scatter(x=now[:1], y=now[1:], marker=star, hovertemplate=told, name="the row now", **here)]


def _places(regions: Regions) -> go.Scatter:
    """Unseen marks all over the plane, for clicks."""
    x, y = (
        np.round(np.linspace(axis.low, axis.high, n), _decimals(axis.high - axis.low))
        for axis, n in ((regions.x, GRID[0]), (regions.y, GRID[1]))
    )
    places = np.stack([g.ravel() for g in np.meshgrid(x, y)], axis=1)
    told_of = np.append(places, np.ones((len(places), 1)), axis=1)
    names = text(regions.x.name, 24), text(regions.y.name, 24)
    told = f"move it to<br>{names[0]} = %{{x:.4g}}<br>{names[1]} = %{{y:.4g}}<extra></extra>"
    mark = {"size": 9, "opacity": 0, "color": EDGE}
    return go.Scatter(
        x=places[:, 0], y=places[:, 1], mode="markers", marker=mark, customdata=told_of, hovertemplate=told,
        showlegend=False, unselected={"marker": {"opacity": 0}}, selected={"marker": {"opacity": 0}},
    )  # fmt: skip


def _decimals(wide: float) -> int:
    """So many that three digits of the range are told."""
    return max(0, 2 - int(np.floor(np.log10(wide)))) if wide > 0 else 0


# The votes of many trees in the plane of two features: a class's colour, the deeper the more trees say so.

STEPS = SHADES // len(COLORS)
"""Shades of each class's colour."""
DEEPEST = 0.6
PLACES_WITH_HOVER = 60
"""Places on each side that say their votes where one points at them."""


def vote_map(
    x: Axis,
    y: Axis,
    votes: np.ndarray,
    target: str,
    classes: tuple[str, ...],
    points: Points | None = None,
    dark: bool = False,
) -> go.Figure:
    """votes : float64 (n_y, n_x, n_classes), shares, or (n_y, n_x) of numbers; the lowest row first."""
    names = texts(classes, 24)
    traces = [_hover_of_votes(x, y, votes, names)]
    if points is not None:
        traces += class_points(points, target, names) if classes else value_points(points, target, dark)
    limits = (float(votes.min()), float(votes.max()))
    image = palette_png(_shades(votes, limits, bool(classes))[::-1], _vote_colors(bool(classes), dark))
    place = {"xref": "x", "yref": "y", "x": x.low, "y": y.high, "sizex": x.high - x.low, "sizey": y.high - y.low}
    layout = {"images": [place | {"source": image, "sizing": "stretch", "layer": "below"}]}
    if not classes:
        bar = {"title": {"text": text(target, 24)}, "thickness": 12, "outlinewidth": 0}
        layout["coloraxis"] = {"colorscale": number_scale(dark), "cmin": limits[0], "cmax": limits[1], "colorbar": bar}
        traces.append(legend_key("", {"color": [limits[0]], "coloraxis": "coloraxis"}, showlegend=False))
    return figure(traces, feature_axis(x), upward_axis(y), **layout)


def _shades(votes: np.ndarray, limits: tuple[float, float], by_class: bool) -> np.ndarray:
    """uint8 (n_y, n_x): the colour of the class with most votes, as deep as its share; or the place on the scale."""
    if by_class:
        deep = np.rint(votes.max(axis=2) * (STEPS - 1)).astype(np.int64)
        return (votes.argmax(axis=2) % len(COLORS) * STEPS + deep).astype(np.uint8)
    span = limits[1] - limits[0]
    return np.rint((votes - limits[0]) / (span or 1.0) * (SHADES - 1)).astype(np.uint8)


def _vote_colors(by_class: bool, dark: bool) -> np.ndarray:
    """uint8 (256, 4)."""
    rgba = np.zeros((256, 4), np.uint8)
    if by_class:
        alpha = np.rint(255 * DEEPEST * np.arange(STEPS) / (STEPS - 1))
        rgba[: len(COLORS) * STEPS] = [(*rgb(k), a) for k in range(len(COLORS)) for a in alpha]
    else:
        rgba[:SHADES, :3], rgba[:SHADES, 3] = number_rgb(dark), 255
    return rgba


def _hover_of_votes(x: Axis, y: Axis, votes: np.ndarray, names: list[str]) -> go.Heatmap:
    """An unseen layer that says the votes wherever one points."""
    rows, columns = (np.unique(np.linspace(0, n - 1, min(n, PLACES_WITH_HOVER)).astype(int)) for n in votes.shape[:2])
    some = votes[np.ix_(rows, columns)]
    shown = np.array([[_words(each, names) for each in row] for row in some], object)
    place = lambda axis, at, n: axis.low + (at + 0.5) / n * (axis.high - axis.low)  # noqa: E731
    return go.Heatmap(
        x=place(x, columns, votes.shape[1]), y=place(y, rows, votes.shape[0]), z=np.zeros(shown.shape, np.uint8),
        text=shown, opacity=0, showscale=False, hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip


def _words(vote: np.ndarray, names: list[str]) -> str:
    if not names:
        return digits(float(vote))
    best = np.argsort(-vote, kind="stable")[:3]
    return "<br>".join(f"{names[k]}: {percent(float(vote[k]))} of the votes" for k in best if vote[k] > 0)
