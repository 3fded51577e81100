"""The plane of two features for a component that draws it by itself: numbers, colours and words."""

import numpy as np

from treecore.figures import brief, count, percent
from treecore.plots.decision_regions import OUTCOMES, region_colors, sign_scale
from treecore.plots.picture_style import color, number_css
from treecore.study.plane import Axis
from treecore.study.plane_borders import Border
from treecore.study.points import Points
from treecore.study.regions import NO_ANSWER, SHADES, Regions, shades
from treecore.tree.short_text import apart, shorten

LETTERS = 24


def plane_drawing(regions: Regions, borders: tuple[Border, ...]) -> dict:
    """What changes while a border is dragged: boxes as [x0, x1, y0, y1, colour, answer, what hovering says], and the
    borders."""
    answers = _answers(regions)
    boxes = [
        [*map(float, place), shade, answer, _hover(regions, i, answer)]
        for i, (*place, shade, answer) in enumerate(
            zip(regions.x0, regions.x1, regions.y0, regions.y1, _grounds(regions), answers, strict=True)
        )
    ]
    names = regions.x.name, regions.y.name
    lines = [
        {
            "node": b.node, "axis": b.axis, "at": b.at, "low": b.low, "high": b.high, "spans": b.spans,
            "text": f"{shorten(names[b.axis], LETTERS)} at {b.printed}, node {b.node}",
        }
        for b in borders
    ]  # fmt: skip
    return {"boxes": boxes, "borders": lines}


def point_drawing(points: Points, regions: Regions) -> dict:
    """The rows: places, colours, shapes by role (of effects by arm), and what the colours mean."""
    names = _names(regions)
    if regions.classes:
        colors, keys = [color(int(k)) for k in points.truth], [[name, color(k)] for k, name in enumerate(names)]
    elif points.arms:
        low, high = (float(of(points.truth)) if len(points) else 0.0 for of in (np.min, np.max))
        share = (points.truth - low) / (high - low) if high > low else np.zeros(len(points))
        ends = [np.array([int(shade[i : i + 2], 16) for i in (1, 3, 5)]) for shade in OUTCOMES]
        colors = [_rgba([*((1 - part) * ends[0] + part * ends[1]), 255]) for part in share.tolist()]
        target = shorten(regions.target, LETTERS)
        keys = [[f"{target} {brief(low)}", OUTCOMES[0]], [f"{target} {brief(high)}", OUTCOMES[1]]]
        keys += [[f"{sign} {shorten(arm, LETTERS)}", ""] for sign, arm in zip("●◆", points.arms, strict=True)]
    else:
        low, high = regions.limits
        share = (points.truth - low) / (high - low) if high > low else np.zeros(len(points))
        colors, keys = [number_css(part) for part in np.clip(share, 0, 1).tolist()], []
    return {
        "x": points.x.tolist(),
        "y": points.y.tolist(),
        "colors": colors,
        "roles": (points.role if points.arm is None else points.arm).tolist(),
        "keys": keys,
    }


def axis_drawing(axis: Axis) -> dict:
    """A side of the plane; its ticks are made where its length is known."""
    levels = [] if axis.kind == "numeric" else [shorten(name, 20, apart(axis.levels)) for name in axis.levels]
    return {"name": shorten(axis.name, 36), "low": axis.low, "high": axis.high, "levels": levels}


def _grounds(regions: Regions) -> list[str]:
    """What fills each rectangle."""
    if regions.tints:
        return [_rgba(shade) for shade in region_colors(regions).tolist()]
    parts = shades(regions).tolist()
    return ["none" if part == NO_ANSWER else number_css(part / (SHADES - 1)) for part in parts]


def _names(regions: Regions) -> list[str]:
    places = apart(regions.classes)
    return [shorten(name, LETTERS, places) for name in regions.classes]


def _answers(regions: Regions) -> list[str]:
    names = _names(regions)
    if not names:
        return [brief(regions.units * value) for value in regions.value.tolist()]
    return [names[value] if value >= 0 else "no answer" for value in regions.value.tolist()]


def _hover(regions: Regions, i: int, answer: str) -> str:
    share, rows = float(regions.share[i]), count(int(regions.n_rows[i]))
    of = f"{answer}, {percent(share)} of" if share == share else f"{answer}:"
    return f"{of} {rows} {regions.rows_named} in node {int(regions.node[i])}"


def _rgba(shade: list[float]) -> str:
    r, g, b, a = shade
    return f"rgba({r:.0f},{g:.0f},{b:.0f},{a / 255:.3f})"


def scale_drawing(regions: Regions) -> dict | None:
    """The scale of the answers' colours, from the least to the greatest; None of classes."""
    if regions.classes:
        return None
    low, high = (brief(regions.units * limit) for limit in regions.limits)
    stops = [shade for _, shade in sign_scale()] if regions.tints else [number_css(0.0), number_css(1.0)]
    return {"low": low, "high": high, "stops": stops, "name": shorten(regions.quantity or regions.target, 36)}
