"""Pictures: the whole tree, its cards as on the canvas, and palette images as data addresses."""

import base64
import struct
import zlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.export.cards import (
    PALE,
    PALETTE,
    NodeCard,
    card_part,
    card_rate,
    card_tint,
    describe_prediction,
    fill,
    missing_marks,
    number_fill,
    spoken,
    tree_cards,
    with_quantile_bars,
)
from treecore.export.dot import EMPTY, INK, LINE, MUTED, paint, tree_dot
from treecore.export.format import ExportRequest
from treecore.export.layout import MAX_NODES, positions
from treecore.export.vector import PER_POINT, Drawing, Group, Line, Rectangle, TextLine, fitting, text_width
from treecore.figures import brief, count, percent
from treecore.judging.interest import Interest, around_zero
from treecore.study.node_targets import NodeTargets, targets_by_role
from treecore.tree.node import headline, top_nodes
from treecore.tree.short_text import apart, clean, fit_lines, shorten
from treecore.tree.tree import Tree

EDGE, DEVIATION = "#c3c8d0", "#8faec4"
"""The colours of edges, and of the band of a standard deviation."""
SCALES = (1, 2, 4)
ORIENTATIONS = ("TB", "LR")
_DOTS_PER_INCH = 96
MOST_PIXELS = 32_767
"""On a side of a picture that is drawn in pixels."""
PAPERS = {"": (), "slide": (960, 540), "a4": (842, 595)}
"""Points of a sheet, its longer side first: 16:9, and A4 on whichever side shows more; "" is as large as the tree."""
MARGIN, LARGEST = 18, 2.0
"""Points around the tree on a sheet, and how many times its size a small tree is drawn there at most."""
MOST_NAMED, STEPS = 12, 7
"""Classes in a legend, and shades of a scale of numbers."""


def _orientation(given: ExportRequest) -> str:
    orientation = given.options.get("orientation", "TB")
    if orientation not in ORIENTATIONS:
        raise TreecoreError(f"{orientation!r} is no orientation", where="orientation", remedy="Choose TB or LR")
    return orientation


def to_dot(given: ExportRequest) -> str:
    """The diagram's source, for Graphviz."""
    tree = given.tree
    cards = tree_cards(tree, top_nodes(tree, tree.n_nodes), {"train": tree.stats})
    cards = with_quantile_bars(cards, tree, _targets(given))
    background = "transparent" if given.options.get("transparent") else "white"
    return tree_dot(
        cards,
        classes=tree.class_names,
        orientation=_orientation(given),
        attributes={"bgcolor": background, "dpi": str(_DOTS_PER_INCH)},
        interest=given.looked_for,
    )


def _targets(given: ExportRequest) -> dict[str, NodeTargets]:
    """Of the training rows; {} where they are not given, and for a tree whose bars need none."""
    return {} if given.trained_on is None else targets_by_role(given.tree, {"train": given.trained_on})


def to_svg(given: ExportRequest) -> bytes:
    """Shapes and text, sharp at any size, with the letters of the font."""
    return _on_paper(given).svg().encode("utf-8")


def to_png(given: ExportRequest) -> bytes:
    """Pixels; options scale (1, 2 or 4) and transparent. TreecoreError where the picture would be larger than a PNG can
    be drawn: it would come scaled down, with text that nobody can read."""
    scale, drawn = _scale(given), _on_paper(given)
    if reason := why_not_pixels(_inches(drawn), scale):
        smaller = [s for s in SCALES if s < scale and not why_not_pixels(_inches(drawn), s)]
        at = f"scale {smaller[-1]}, " if smaller else ""
        remedy = f"Choose {at}SVG or PDF, which are sharp at any size, or prune the tree"
        raise TreecoreError(reason, where="PNG", remedy=remedy)
    return drawn.png(scale)


def why_not_pixels(size: tuple[float, float], scale: int) -> str:
    """Why a picture of so many inches cannot be drawn in pixels at this scale; '' where it can."""
    wide, high = (round(_DOTS_PER_INCH * scale * inches) for inches in size)
    most = f"and can have at most {MOST_PIXELS:,} on a side"
    return f"The picture would be {wide:,} × {high:,} pixels, {most}" if max(wide, high) > MOST_PIXELS else ""


def picture_size(given: ExportRequest) -> tuple[float, float]:
    """Width and height of the picture of a tree, in inches."""
    return _inches(_on_paper(given))


def _inches(drawn: Drawing) -> tuple[float, float]:
    return drawn.wide / _DOTS_PER_INCH, drawn.high / _DOTS_PER_INCH


def to_pdf(given: ExportRequest) -> bytes:
    """One page, as large as the tree or as a sheet."""
    return _on_paper(given).pdf()


def _on_paper(given: ExportRequest) -> Drawing:
    """The tree with title and legend, on a sheet of the size asked for."""
    tree, sheet = given.tree, _sheet(given)
    nodes = top_nodes(tree, tree.n_nodes)
    cards = with_quantile_bars(tree_cards(tree, nodes, {"train": tree.stats}), tree, _targets(given))
    look = given.looked_for, given.options.get("detail", "look"), given.trained_on
    drawn = drawing(cards, tree, _orientation(given), *look)
    if given.options.get("title", True):
        drawn = _headed(drawn, given)
    if given.options.get("transparent"):
        drawn = replace(drawn, ground="")
    if not sheet:
        return drawn
    sheet = tuple(points / PER_POINT for points in sheet)
    sides = [sheet] if given.options["paper"] == "slide" else [sheet, sheet[::-1]]
    best = max(sides, key=lambda side: min(side[0] / drawn.wide, side[1] / drawn.high))
    return drawn.on_sheet(*best, MARGIN / PER_POINT, LARGEST)


def _sheet(given: ExportRequest) -> tuple[int, ...]:
    paper = given.options.get("paper", "")
    if not isinstance(paper, str) or paper not in PAPERS:
        remedy = f"Choose {' or '.join(name for name in PAPERS if name)}, or nothing for one as large as the tree"
        raise TreecoreError(f"{paper!r} is no size of a picture", where="paper", remedy=remedy)
    return PAPERS[paper]


# ---------------------------------------------------------------- the tree: the cards of the canvas

DETAILS = ("look", "learn")
"""How much a card says: the split or answer, rows and shares; also impurity, and its part of all rows."""
CARD, WIDEST, PLAIN, LINE_HIGH, EDGE_PAD = 118, 240, 53, 15, 9
"""Pixels of a card: its width at least and at most, its height without further lines, of a line, beside texts."""
TEXT, NAME, BAR = 12, 13, 5
"""Pixels of letters, of those of a title, and of a bar."""
BESIDE, BETWEEN, LEVELS, WIDE_GAP = 14, 12, 46, (88, 190)
"""Pixels between siblings (root on top, root on the left) and between levels; where conditions stand between levels."""
ROUTE, DASH, AROUND, RETURN = 4, (5, 4), 10, 24
"""Pixels between an edge and the route of missing values beside it; its dashes; around the drawing; below a card for
rows that no branch took."""


def top_picture(tree: Tree, most: int) -> str:
    """SVG of about so many nodes of the top, with words that are squeezed into their room where the font is none."""
    cards = tree_cards(tree, top_nodes(tree, most), {"train": tree.stats})
    return drawing(cards, tree).svg(with_font=False)


def drawing(
    cards: Sequence[NodeCard], tree: Tree, orientation: str = "TB", interest: Interest | None = None,
    detail: str = "look", rows: Table | None = None,
) -> Drawing:  # fmt: skip
    """The cards as the canvas draws them, where the layout engine places them.

    cards : parents before children. detail : of DETAILS. rows : the training rows, where they are at hand: of them it
    is known which branch surrogates sent some to.
    """
    if detail not in DETAILS:
        raise TreecoreError(f"{detail!r} is no detail of a picture", where="detail", remedy="Choose look or learn")
    return _Sketch(cards, tree, orientation, interest, detail, rows).drawn()


class _Sketch:
    """One picture while it is made: what its cards say, how large they are, where they stand."""

    def __init__(self, cards, tree: Tree, orientation: str, interest: Interest | None, detail: str, rows):
        self.cards, self.tree, self.interest, self.is_wide = cards, tree, interest, orientation == "LR"
        self.places = apart(
            (card.title for card in cards if not card.is_leaf), (card.title for card in cards if card.is_leaf),
            (text for card in cards for text in (card.branch, *card.levels)),
        )  # fmt: skip
        shown = {card.id for card in cards}
        opened = {card.parent for card in cards}
        came, rest = missing_marks(tree, rows)
        self.came = {node: text for node, text in came.items() if node in shown}
        self.rest = {node: text for node, text in rest.items() if node in opened}
        self.lines = {card.id: self._lines(card, detail) for card in cards}
        self.wide = min(WIDEST, max(CARD, *(self._wanted(card) for card in cards)))
        self.high = PLAIN + LINE_HIGH * max(len(lines) for lines in self.lines.values())
        gap = self._gap() if self.is_wide else LEVELS
        parents = {card.id: card.parent for card in cards}
        room = {card.id: self._room(card) for card in cards if card.id in self.rest}
        between = BETWEEN if self.is_wide else BESIDE
        self.at = positions(parents, (self.wide, self.high), orientation, (between, gap), room)
        self.gap = gap

    def drawn(self) -> Drawing:
        edges, words, nodes = [], [], []
        for card in self.cards:
            if card.parent is not None:
                lines, told = self._edge(card)
                edges.append(Group(lines, "edge", f"e{card.id}"))
                words.append(Group(told, "edge condition"))  # over all edges, and yet a part of its own
            nodes.append(self._node(card))
        return Drawing.around((*edges, *words, *nodes), AROUND, f"Decision tree, {headline(self.tree)}")

    # ------------------------------------------------------------ what a card says

    def _lines(self, card: NodeCard, detail: str) -> list[tuple[str, str]]:
        own = [(clean(fact), "") for fact in card.facts]
        own += [(line, "") for line in fit_lines(card.whole_line, 30)] if card.whole_line else []
        if detail == "look":
            return own
        if card.spread:
            own.append(("standard deviation", card.spread.removeprefix("± ")))
        elif card.impurity is not None:
            own.append((card.impurity_name, brief(card.impurity)))
        return [*own, ("of all rows", percent(card.share))]

    def _part(self, card: NodeCard) -> str:
        return card_part(card, self.tree.class_names, self.interest, self.places)

    def _wanted(self, card: NodeCard) -> float:
        """Pixels that its texts need."""
        second = text_width(count(card.rows, ","), TEXT) + text_width(self._part(card), TEXT) + 8
        lines = [sum(text_width(text, TEXT) for text in pair) + 8 for pair in self.lines[card.id]]
        title = text_width(shorten(card.title, 40, self.places), NAME, True)
        return 2 * EDGE_PAD + max(second, title, *lines, 0.0)

    def _node(self, card: NodeCard) -> Group:
        x, y = self.at.at[card.id]
        left, top, inner = x - self.wide / 2, y - self.high / 2, self.wide - 2 * EDGE_PAD
        start, end, room = left + EDGE_PAD, left + self.wide - EDGE_PAD, inner
        parts = [Rectangle(left, top, self.wide, self.high, self._ground(card), LINE, 1.0, 6.0)]
        title = fitting(card.title, room, NAME, True, lambda text, n: shorten(text, n, self.places))
        parts.append(TextLine(start, top + 17, title, NAME, INK, True))
        n, part = count(card.rows, ","), self._part(card)
        second = [(n, part), *self.lines[card.id]]
        for i, (name, figure) in enumerate(second):
            line = top + 33 + LINE_HIGH * i
            taken = text_width(figure, TEXT) + 6 if figure else 0.0
            parts.append(TextLine(start, line, fitting(name, room - taken, TEXT, False, shorten), TEXT, MUTED))
            if figure:
                parts.append(TextLine(end, line, figure, TEXT, INK if i == 0 else MUTED, anchor="end"))
        if card.bars:
            parts += self._bar(card.bars[0], start, top + self.high - 11, room)
        if card.id in self.rest:
            parts += self._stay(card, left, top + self.high)
        if card.below:
            parts += self._folded(card, x, y)
        kind = "leaf" if card.is_leaf else "inner"
        told = card_rate(card, self.tree.class_names, self.interest)
        return Group(tuple(parts), f"node {kind}", f"n{card.id}", spoken(card, told))

    def _ground(self, card: NodeCard) -> str:
        tint, value = card_tint(card, self.tree.class_names, self.interest), card.bars[0].value if card.bars else None
        if tint is None:
            return "#ffffff" if value is None else number_fill(value)
        return fill(tint, most=PALE if tint.diverging or card.is_leaf else PALE / 2)

    def _bar(self, bar, left: float, top: float, room: float) -> list[Rectangle]:
        """The mix of the classes, or a mean on the scale of the tree with a standard deviation to either side."""
        if bar.n <= 0:
            return [Rectangle(left, top, room, BAR, EMPTY)]
        if bar.shares is None:
            at = left + room * min(max(bar.value or 0.0, 0.0), 1.0)
            low, high = (left + room * min(max(end, 0.0), 1.0) for end in bar.band or (bar.value, bar.value))
            return [
                Rectangle(left, top + 1.5, room, 2, EMPTY), Rectangle(low, top, max(high - low, 1.0), BAR, DEVIATION),
                Rectangle(min(max(at - 1.25, left), left + room - 2.5), top - 1, 2.5, BAR + 2, INK),
            ]  # fmt: skip
        found, x = [], left
        for k, share in enumerate(bar.shares):
            if share > 0:
                found += _patch(k, x, top, max(0.4, room * share - (room * share > 3)), BAR)
            x += room * share
        return found

    def _stay(self, card: NodeCard, left: float, foot: float) -> list:
        """Rows without the value that no branch took: out of the card and back, with a word beside it."""
        x = left + (10 if self.is_wide else self.wide - 34)
        turn = ((x, foot), (x, foot + 17), (x + 20, foot + 17), (x + 20, foot))
        parts: list = [Line(turn, INK, 1.6, True, DASH)]
        for i, text in enumerate(self.rest[card.id].split(", ")):
            line = TextLine(x + 25, foot + 14 + 13 * i, text, TEXT, INK)
            parts += [Rectangle(line.left - 1, line.y - 10.5, line.wide + 2, 13.5, "#ffffff"), line]
        return parts

    def _room(self, card: NodeCard) -> tuple[float, float]:
        """Of a card with that below it."""
        lines = self.rest[card.id].split(", ")
        beyond = max(text_width(text, TEXT) for text in lines) + 4 - (self.wide - 35 if self.is_wide else 9)
        return self.wide + 2 * max(beyond, 0.0), self.high + 2 * (RETURN + 13 * (len(lines) - 1))

    def _folded(self, card: NodeCard, x: float, y: float) -> list:
        """How many nodes are not drawn below it."""
        text = f"+{card.below:,}"
        wide = 14 + text_width(text, TEXT)
        x, y = (x + self.wide / 2 + wide / 2 + 3, y) if self.is_wide else (x, y + self.high / 2 + 12)
        return [
            Rectangle(x - wide / 2, y - 10, wide, 20, "#ffffff", LINE, 1.0, 10.0),
            TextLine(x, y + 4.5, text, TEXT, MUTED, anchor="middle"),
        ]  # fmt: skip

    # ------------------------------------------------------------ edges and what stands beside them

    def _gap(self) -> float:
        """Pixels between levels for the longest condition, as far as there is reason for it."""
        lines = (line for card in self.cards for line in self._condition(card, WIDE_GAP[1] - 26))
        return max(WIDE_GAP[0], max((text_width(line, TEXT) for line in lines), default=0) + 26)

    def _condition(self, card: NodeCard, room: float) -> list[str]:
        """Of the branch to a node in one or two lines; the second one how many came without a value where some did."""
        came = self.came.get(card.id)
        told = [fitting(came, room, TEXT, False, shorten)] if came else []
        if (came and card.for_missing) or card.parent is None:
            return told
        text, lines = card.branch or "(empty)", []
        for limit in range(int(room / 4), 3, -1):
            lines = [shorten(text, limit, self.places)] if came else fit_lines(text, limit, card.levels, self.places)
            lines = [line.removeprefix("{").removesuffix("}") or "(empty)" for line in lines]  # an edge needs no braces
            if max(text_width(line, TEXT) for line in lines) <= room:
                break
        return [*lines, *told]

    def _edge(self, card: NodeCard) -> tuple[tuple[Line, ...], tuple]:
        (px, py), (x, y) = self.at.at[card.parent], self.at.at[card.id]
        wide, came = self.is_wide, card.id in self.came
        if wide:
            first, last = (px + self.wide / 2, py), (x - self.wide / 2, y)
            bends = ((first[0] + last[0]) / 2, first[1]), ((first[0] + last[0]) / 2, last[1])
        else:
            first, last = (px, py + self.high / 2), (x, y - self.high / 2)
            bends = (first[0], (first[1] + last[1]) / 2), (last[0], (first[1] + last[1]) / 2)
        curve, thick = (first, *bends, last), 1 + 7 * card.share**0.5
        alone = came and card.for_missing
        lines = [] if alone else [Line(curve, self._thread(card), round(thick, 1), True)]
        if came:
            points = curve if alone else _route_curve(first, last, wide, thick / 2 + ROUTE)
            lines.append(Line(points, INK, 1.6, alone, DASH))
        return tuple(lines), self._told(card, last, thick, y < py, y > py + 1)

    def _thread(self, card: NodeCard) -> str:
        """The colour of its edge."""
        tint = card_tint(card, self.tree.class_names, self.interest)
        if tint is None or card.tint is not None:
            return EDGE
        return fill(tint, most=0.8 if tint.diverging else 0.7 if card.is_leaf else 0.35, ground=EDGE)

    def _told(self, card: NodeCard, end: tuple[float, float], thick: float, up: bool, down: bool) -> tuple:
        """The condition at the end of the edge, on plates that no edge crosses."""
        lines = self._condition(card, self.gap - 12 if self.is_wide else self.wide + 8)
        half, came = thick / 2, card.id in self.came and not card.for_missing
        route = ROUTE + 2 if came else 0
        above, below = -4 - half - (route if up else 0), 14 + half + (0 if up else route)
        first = (below if down and len(lines) == 1 else above) if self.is_wide else -13.0 * (len(lines) - 1)
        parts = []
        for i, text in enumerate(lines):
            x, y = (end[0] - 5, end[1]) if self.is_wide else (end[0], end[1] - 6)
            y += below if self.is_wide and i else first + 13 * i
            long = text_width(text, TEXT) + 6
            plate = (x + 3 - long, y - 10.5, long, 13) if self.is_wide else (x - long / 2, y - 10.5, long, 16.5)
            parts.append(Rectangle(*plate, "#ffffff", corner=3))
            parts.append(TextLine(x, y, text, TEXT, INK, anchor="end" if self.is_wide else "middle"))
        return tuple(parts)


def _patch(k: int, x: float, y: float, wide: float, high: float) -> list[Rectangle]:
    """Of a class's colour; of one whose colour another class has, with stripes."""
    color, *sign = paint(k, PALETTE)
    found = [Rectangle(x, y, wide, high, color)]
    for mark in sign:
        step, at = high / len(mark), 0
        for is_white, rows in groupby(mark, lambda one: one == "."):
            n = len(list(rows))
            found += [Rectangle(x, y + at * step, wide, n * step, "#ffffff")] * is_white
            at += n
    return found


def _route_curve(first: tuple, last: tuple, wide: bool, by: float) -> tuple[tuple[float, float], ...]:
    """The way of rows without a value: beside the edge of the branch that took them, on its outer side (routes.js)."""
    (x0, y0), (x1, y1), points = first, last, []
    side = 1 if (y1 < y0 if wide else x1 >= x0) else -1
    for i in range(21):
        t = i / 20
        swing, along = t * t * (3 - 2 * t), 1.5 * t * (1 - t) ** 2 + 1.5 * t * t * (1 - t) + t**3
        turn, ahead = 6 * t * (1 - t), 1.5 * (1 - t) ** 2 + 1.5 * t * t
        x, y = (along, swing) if wide else (swing, along)
        dx, dy = ((x1 - x0) * ahead, (y1 - y0) * turn) if wide else ((x1 - x0) * turn, (y1 - y0) * ahead)
        long = (dx * dx + dy * dy) ** 0.5 or 1.0
        points.append((x0 + (x1 - x0) * x + side * by * dy / long, y0 + (y1 - y0) * y - side * by * dx / long))
    return tuple(points)


# ---------------------------------------------------------------- title and legend

HEAD, ROW, SWATCH, APART = 16, 20, 11, 14
"""Pixels of the letters of a title, of a line below it, of a square, and between entries."""
LEAST_WIDE = 420
"""Pixels of a picture that its legend may fill before it goes on in the next line."""


def _headed(drawn: Drawing, given: ExportRequest) -> Drawing:
    """What the picture is of, and what its colours mean, above the tree."""
    tree, looked_for, room = given.tree, given.looked_for, max(drawn.wide, LEAST_WIDE) - 2 * AROUND
    what = shorten(tree.schema.target, 40) + (f" = {shorten(looked_for.name, 24)}" if looked_for is not None else "")
    title = what if given.name == "tree" else f"{shorten(given.name, 60)}: {what}"
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    parts: list[Rectangle | TextLine] = [TextLine(0, HEAD, fitting(title, room, HEAD, True, shorten), HEAD, INK, True)]
    size = f"{leaves}, {int(tree.n_rows[0]):,} {tree.rows_named}"
    entries = [_entry(size)] + (_classes(tree) if tree.classes else _numbers(tree))
    if looked_for is not None:
        entries.append(_entry(f"Nodes: share of {shorten(looked_for.name, 24)}, white at {percent(looked_for.base)}"))
    if tree.schema.row_loss is not None and given.trained_on is not None:
        entries.append(_entry(f"Bars: 10 % to 90 % of the rows, the mark is the {tree.target_kind.noun}"))
    x, y = 0.0, HEAD + ROW
    for entry in entries:
        wide = max(part.extent[2] for part in entry)
        if x and x + wide > room:
            x, y = 0.0, y + ROW
        parts += [part.scaled(1.0, x, y) for part in entry]
        x += wide + APART
    high = y + ROW
    wide = max(drawn.wide, max(part.extent[2] for part in parts) + 2 * AROUND)
    heading = Group(tuple(parts), "heading").moved(AROUND, AROUND)
    below = tuple(group.moved((wide - drawn.wide) / 2, high) for group in drawn.groups)
    return replace(drawn, groups=(heading, *below), wide=wide, high=drawn.high + high, title=f"{title}: {drawn.title}")


def _entry(text: str, shades: Sequence[Rectangle] = ()) -> list[Rectangle | TextLine]:
    """Squares of colours and a text behind them, from 0 on."""
    after = max((box.x + box.wide for box in shades), default=-5) + 5
    return [*shades, *([TextLine(after, 0, text, TEXT, MUTED)] if text else [])]


def _classes(tree: Tree) -> list[list]:
    """A square of its colour before the name of every class."""
    found = [
        _entry(shorten(name, 24), _patch(k, 0, 1 - SWATCH, SWATCH, SWATCH))
        for k, name in enumerate(tree.class_names[:MOST_NAMED])
    ]
    more = len(tree.class_names) - MOST_NAMED
    return [*found, _entry(f"+{more:,} more")] if more > 0 else found


def _numbers(tree: Tree) -> list[list]:
    """The shades of predictions from the least to the largest; [] where there is but one."""
    if not np.ptp(tree.summary) > 0:
        return []
    low, high = (
        describe_prediction(tree.node(int(node))) for node in (np.argmin(tree.summary), np.argmax(tree.summary))
    )
    between = np.linspace(np.nanmin(tree.summary), np.nanmax(tree.summary), STEPS)
    tints = [around_zero(tree, float(value)) for value in between]
    shades = [number_fill(i / (STEPS - 1)) if tint is None else fill(tint, most=PALE) for i, tint in enumerate(tints)]
    start = text_width(low, TEXT) + 5
    boxes = [Rectangle(start + i * SWATCH, 1 - SWATCH, SWATCH, SWATCH, shade) for i, shade in enumerate(shades)]
    return [[TextLine(0, 0, low, TEXT, MUTED), *_entry(high, boxes)]]


def why_not_picture(given: ExportRequest) -> str:
    """A picture of thousands of nodes takes minutes, and nobody can read it."""
    n = given.tree.n_nodes
    return f"{n} nodes are too many for one picture (at most {MAX_NODES}): prune the tree" if n > MAX_NODES else ""


def _scale(given: ExportRequest) -> int:
    scale = given.options.get("scale", 1)
    if scale not in SCALES:
        raise TreecoreError(f"{scale!r} is no scale of a picture", where="scale", remedy="Choose 1, 2 or 4")
    return scale


# A palette image as a data address: a few kilobytes for any number of rectangles.


def palette_png(index: np.ndarray, rgba: np.ndarray) -> str:
    """A PNG of colour indices as "data:image/png;base64,...".

    index : uint8 (height, width), the top row first. rgba : uint8 (256, 4).
    """
    height, width = index.shape
    lines = np.zeros((height, width + 1), np.uint8)  # a filter byte of 0 before every line
    lines[:, 1:] = index
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # 8 bits, palette
    chunks = [
        (b"IHDR", header),
        (b"PLTE", np.ascontiguousarray(rgba[:, :3]).tobytes()),
        (b"tRNS", np.ascontiguousarray(rgba[:, 3]).tobytes()),
        (b"IDAT", zlib.compress(lines.tobytes(), 6)),
        (b"IEND", b""),
    ]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(
        (struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)))
        for kind, body in chunks
    )
    return "data:image/png;base64," + base64.b64encode(data).decode()
