"""A tree on a canvas: which nodes are shown, where they stand, and what the browser is sent of them."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from treecore.export.cards import PALETTE
from treecore.export.layout import Positions, positions
from treecore.study.survival_curves import has_curves
from treecore.tree.short_text import apart, shorten, width
from treecore.tree.tree import Tree
from treecore.view import canvas_nodes
from treecore.view.subject import Branching, Subject, covering_nodes

WIDE = {"LR": 136, "TB": 118}
HIGH, LINE, BAR = 37, 15, 7
"""Pixels of a card: its width, its height at least, of every further line (name, figures), of every further bar."""
BESIDE, STACKED = 11, 15
"""Letters of a name that has room beside the number of rows, and on a line of its own."""
APART = {"LR": (9, 88), "TB": (14, 46)}
"""Pixels between siblings, and between levels: conditions stand there."""
MOST, LEAST = 121, 5
EDGE = {"LR": (74, 72), "TB": (42, 94)}
"""Pixels of the canvas, across and down, that nodes leave free: for pills, tools and actions."""
WIDEST, WIDEST_GAP = 240, 150
"""Pixels of a card and between levels, at most, where the canvas is wider than the tree needs."""
PAD, LETTER = 28, 7.2
"""Pixels of a card without its name, and of a letter of it."""
HARDLY_LESS = 0.85
"""A layout that shows so much of what the other one does, and as large, stays: one that turns must be learnt anew."""
LARGEST, NEAR = 1.5, 0.92
"""How large a small tree is drawn, and the least size that can be read (NEAR of assets/workbench/camera.js)."""
NAMED = 1.2
"""How many times that size a tree is drawn at least where long names ask for the width: a name that is cut says less
than one that is smaller."""


@dataclass(frozen=True)
class CanvasRequest:
    """room : width and height of the canvas in pixels of the drawing at the least size that can be read. lines, bars :
    of figures and of mixtures on a card. orientation : 'LR', 'TB' or '' for the one that shows more.
    before : the orientation in which this canvas was last seen. letters : of the longest name.
    picture : pixels by which the card of a split is higher, for the picture of the values that it parts. curve : those
    by which every card is, for a curve.
    hides_empty : are leaves left out to which no row comes, as of declared levels that no row has? gives_way : do other
    nodes fold where the way to the selected one needs their room?"""

    room: tuple[int, int]
    lines: int = 0
    bars: int = 1
    orientation: str = ""
    before: str = ""
    letters: int = 0
    picture: int = 0
    hides_empty: bool = False
    curve: int = 0
    gives_way: bool = False


@dataclass(frozen=True)
class CanvasLayout:
    """Ids, ascending; the orientation, the size of a card, and where the cards stand. stacked : has a card's name a
    line of its own? gap : pixels between levels."""

    nodes: np.ndarray
    orientation: str
    stacked: bool
    size: tuple[int, int]
    at: Positions
    gap: float


@dataclass(frozen=True)
class _Fit:
    """n : nodes that fit, of so many (limit) by coverage in so many levels (deepest). scale : pixels of the canvas for
    one of theirs."""

    n: int
    scale: float
    limit: int
    deepest: int
    side: str


def canvas_layout(
    tree: Branching, asked: CanvasRequest, opened: Collection[int] = (), closed: Collection[int] = (), keep: int = 0,
    within: int = 0,
) -> CanvasLayout:  # fmt: skip
    """What fits without what the reader has opened, and then that too; the selected node is always there."""
    best = _best(tree, asked, within)
    if closed:
        best = _fitting(tree, asked, best.side, closed, within)
    unasked = _with_rows(tree, covering_nodes(tree, best.limit, best.deepest, (), closed, None, within), asked, keep)
    inner = set(tree.parent[unasked].tolist()) - {-1}  # what the reader opens takes no other node's place
    nodes = covering_nodes(tree, 0, None, inner | set(opened), closed, keep, within)
    nodes = _with_rows(tree, nodes, asked, keep)
    if asked.gives_way and len(nodes) > len(unasked):
        nodes = _with_way(tree, asked, best, nodes, opened, closed, keep, within)
    stacked = best.side == "TB" or _has_height(tree, asked, within)
    card, gap = _roomy(tree, unasked, asked, best.side, stacked)
    return CanvasLayout(nodes, best.side, stacked, card, _placed(tree, nodes, best.side, card, asked.picture, gap), gap)


def _with_way(
    tree: Branching, asked: CanvasRequest, best: _Fit, nodes: np.ndarray, opened: Collection[int],
    closed: Collection[int], keep: int, within: int,
) -> np.ndarray:  # fmt: skip
    """Where the way to a node takes more room than there is, others give way to it: those of fewest rows first."""
    shown = nodes
    for limit in (len(nodes), 3 * len(nodes) // 4, len(nodes) // 2, len(nodes) // 4, 0):
        shown = covering_nodes(tree, limit, best.deepest, opened, closed, keep, within) if limit < len(nodes) else nodes
        shown = _with_rows(tree, shown, asked, keep)
        at = _placed(tree, shown, best.side, size(asked, best.side, best.side == "TB"), asked.picture)
        if at.width <= asked.room[0] - EDGE[best.side][0] and at.height <= asked.room[1] - EDGE[best.side][1]:
            return shown
    return shown


def _with_rows(tree: Branching, nodes: np.ndarray, asked: CanvasRequest, keep: int = -1) -> np.ndarray:
    """Without the empty leaves, where they are hidden; a selected one is shown."""
    return nodes[(tree.weight[nodes] > 0) | (nodes == keep) | (nodes == nodes[0])] if asked.hides_empty else nodes


def _best(tree: Branching, asked: CanvasRequest, within: int) -> _Fit:
    """The layout that shows more, or shows it larger; that of before unless it is clearly worse."""
    fits = {
        side: _fitting(tree, asked, side, (), within)
        for side in ((asked.orientation,) if asked.orientation else ("LR", "TB"))
    }
    best = max(fits.values(), key=lambda fit: (fit.n, fit.scale))
    same = fits.get(asked.before, best)
    stays = same.n >= HARDLY_LESS * best.n and same.scale >= HARDLY_LESS * best.scale
    return same if stays else best


def size(asked: CanvasRequest, side: str, stacked: bool) -> tuple[int, int]:
    """Width and height of a card."""
    high = HIGH + LINE * (asked.lines + stacked) + (asked.curve or BAR * (asked.bars - 1))
    return WIDE[side] + 14 * (asked.lines > 0), high + stacked


def _has_height(tree: Branching, asked: CanvasRequest, within: int) -> bool:
    """Is there a long name, and height for higher cards? Whatever is opened or closed: a card keeps its size then."""
    if asked.letters <= BESIDE:
        return False
    fit = _fitting(tree, asked, "LR", (), within)
    nodes = _with_rows(tree, covering_nodes(tree, fit.limit, fit.deepest, (), (), None, within), asked)
    return _placed(tree, nodes, "LR", size(asked, "LR", True), asked.picture).height <= asked.room[1] - EDGE["LR"][1]


def _roomy(
    tree: Branching, nodes: np.ndarray, asked: CanvasRequest, side: str, stacked: bool
) -> tuple[tuple[int, int], float]:  # fmt: skip
    """The size of a card and the gap between levels, in width that the height, or the size at which cards are drawn,
    leaves over: long names get it first, then conditions where levels stand beside each other."""
    card, gap = size(asked, side, stacked), APART[side][1]
    at = _placed(tree, nodes, side, card, asked.picture)
    deepest = len({x for x, _ in at.at.values()}) - 1
    if not deepest:
        return card, gap
    across, down = (room - edge for room, edge in zip(asked.room, EDGE[side], strict=True))
    large = down / at.height
    if asked.letters > STACKED and stacked:
        free = across / max(1.0, min(large, NAMED))
        wanted = min(WIDEST, round(PAD + LETTER * asked.letters))
        wider = ((wide, card[1]) for wide in (wanted, (wanted + card[0]) // 2) if wide > card[0])
        card = next((one for one in wider if _placed(tree, nodes, side, one, asked.picture).width <= free), card)
    if side == "TB":
        return card, gap
    free = across / max(1.0, min(large, LARGEST / NEAR)) - _placed(tree, nodes, side, card, asked.picture).width
    return card, min(max(gap, gap + free / deepest), WIDEST_GAP)


def _fitting(tree: Branching, asked: CanvasRequest, side: str, closed: Collection[int], within: int) -> _Fit:
    """What fits: levels by their height, nodes by trying halves."""
    wide, high = size(asked, side, side == "TB")
    across, down = (room - edge for room, edge in zip(asked.room, EDGE[side], strict=True))
    along, step = (across - wide, wide) if side == "LR" else (down - high, high + asked.picture)
    deepest = max(1, int(along // (step + APART[side][1])))

    def tried(limit: int) -> tuple[int, float]:
        nodes = _with_rows(tree, covering_nodes(tree, limit, deepest, (), closed, None, within), asked)
        at = _placed(tree, nodes, side, (wide, high), asked.picture)
        return len(nodes), min(across / at.width, down / at.height, LARGEST / NEAR)

    low, top = LEAST, MOST
    result, scale = tried(low)
    while low < top:
        middle = (low + top + 1) // 2
        n, larger = tried(middle)
        if larger >= 1:
            low, result, scale = middle, n, larger
        else:
            top = middle - 1
    return _Fit(result, scale, low, deepest, side)


def _placed(
    tree: Branching, nodes: np.ndarray, side: str, card: tuple[int, int], picture: int = 0, gap: float | None = None
) -> Positions:  # fmt: skip
    ids = set(nodes.tolist())
    parents = {
        n: (int(tree.parent[n]) if int(tree.parent[n]) in ids and n != nodes[0] else None) for n in nodes.tolist()
    }
    between, least = APART[side]
    higher = {n: (card[0], card[1] + picture) for n in nodes.tolist() if not tree.is_leaf[n]} if picture else {}
    return positions(parents, card, side, (between, least if gap is None else gap), higher)


# A tree on a canvas, whichever it is: what the browser is sent of it.

PICTURE = 44
"""Pixels of a card for the picture of what its split parts."""
CURVE = 22
"""Pixels of a card for a curve, besides those of the bar in whose place it stands."""
ROOM = (1100, 560)
"""Pixels of a canvas until the browser has said how large any is."""


@dataclass(frozen=True)
class Look:
    """How the reader looks at a canvas.

    room : width and height in pixels of the drawing at the least size that can be read. detail : how much a card says,
    of rows.DETAILS. orientation : 'LR', 'TB' or '' for the one that shows more. before : the one last seen here.
    opened, closed : ids of the nodes that were opened and folded by hand.
    """

    room: tuple[int, int] = ROOM
    detail: str = "look"
    orientation: str = ""
    before: str = ""
    opened: Collection[int] = ()
    closed: Collection[int] = ()

    @property
    def lines(self) -> int:
        """Lines of figures on a card."""
        return canvas_nodes.DETAILS[self.detail]

    def bars(self, offered: Collection) -> int:
        """Bars on a card, of those there are."""
        return 1 if self.detail == "look" else len(offered)


def drawing(subject: Subject, look: Look, shades: canvas_nodes.Shades | None = None) -> tuple[dict, CanvasLayout]:
    """What goes to the browser under one stamp, and the nodes that are shown. shades : of the groups of a column."""
    result = _shown(subject, look)
    cards = subject.cards(result.nodes)
    level, made, names = canvas_nodes.levels(cards), [], _names(subject.figures)
    places = apart(names, subject.classes, (text for card in cards for text in (card.branch, *card.levels)))
    for card, node in zip(cards, result.nodes.tolist(), strict=True):
        at = result.at.at[node]
        made.append(canvas_nodes.row(card, level[card.id], at, subject, look.detail, places))
    subject.dress(cards, made)
    if _gathers(subject.figures):
        canvas_nodes.gathered(made, subject.figures, subject.ids)
    picture = _picture(subject, look)
    for row in made:
        if picture and row.get("histogram"):
            row["high"] = result.size[1] + picture
    if subject.groups is not None:
        canvas_nodes.grouped(made, result.nodes.tolist(), subject.groups)
    legend = canvas_nodes.groups_legend(subject.groups, len(subject.classes), shades)
    classes = [shorten(name, 60, places) for name in subject.classes]
    content = repr((subject.name, made, result.size, subject.interest, legend)).encode()
    told = hashlib.blake2b(content, digest_size=12).hexdigest()
    return {
        "stamp": told, "tree": f"{hash(subject.name):x}", "cut": subject.cut, "nodes": made,
        "orientation": result.orientation, "stacked": result.stacked, "size": list(result.size),
        "width": result.at.width, "height": result.at.height, "classes": classes,
        "differ": _differ(names, subject.classes, classes, made),
        "interest": canvas_nodes.scale(subject.interest), "numbers": canvas_nodes.numbers(subject.figures),
        "groups": legend,
        "figures": canvas_nodes.figures(subject.figures), "colors": list(PALETTE), "apart": result.gap,
        "largest": LARGEST,
    }, result  # fmt: skip


def _gathers(tree: Tree | None) -> bool:
    """Do the splits put several classes together on each side? Twoing looks for such groups."""
    return tree is not None and len(tree.classes) > 2 and dict(tree.growth).get("score") == "twoing"


def _picture(subject: Subject, look: Look) -> int:
    """Pixels of the picture in the card of a split: at a look the canvas stays calm."""
    return PICTURE if subject.pictures and look.detail != "look" else 0


def _shown(subject: Subject, look: Look) -> CanvasLayout:
    letters = _longest(subject.figures) if subject.figures else 0
    wide, high = look.room
    spacious = round(wide * subject.crowd), round(high * subject.crowd)
    picture = _picture(subject, look)
    lines = subject.lines + _own_lines(subject.figures)
    asked = CanvasRequest(
        spacious, lines, subject.bars, look.orientation, look.before, letters, picture, subject.hides_empty,
        CURVE if subject.figures is not None and has_curves(subject.figures) else 0, subject.gives_way,
    )  # fmt: skip
    place = {int(node): i for i, node in enumerate(subject.ids)}
    opened, closed = ({place[node] for node in marked if node in place} for marked in (look.opened, look.closed))
    keep = place.get(subject.selected if subject.beside is None else subject.beside, 0)
    if subject.hides_empty and subject.branching.weight[keep] == 0:
        keep = place.get(subject.selected, 0)
    within = place.get(subject.within, 0)
    keep = keep if within in subject.branching.path(keep) else within
    return canvas_layout(subject.branching, asked, opened, closed, keep, within)


def _own_lines(tree: Tree | None) -> int:
    """Lines of a card on what its answer is made of."""
    return 0 if tree is None else tree.target_kind.n_card_lines


def _differ(names: Sequence[str], classes: Sequence[str], legend: Sequence[str], made: list[dict]) -> Mapping:
    """Text that the browser shortens to its room -> where it begins to differ from others of its kind."""
    names, answers = ([shorten(name, canvas_nodes.WORDS, apart(kind)) for name in kind] for kind in (names, classes))
    conditions = (text for row in made for text in (row["branch"], *row.get("levels", ())))
    result = apart(names, answers, legend, conditions, (row["short"] for row in made))
    return {text: list(places) for text, places in result.items()}


def _names(tree: Tree | None) -> list[str]:
    """Of the features that are asked for."""
    if tree is None:
        return []
    asked = np.unique(tree.splits.feature[tree.n_children > 0]).tolist()
    return [tree.schema.features[feature].name for feature in asked]


def _longest(tree: Tree) -> int:
    """Letters of the longest name on a card: of a feature that is asked for, or of a class."""
    return max((width(name) for name in (*_names(tree), *tree.class_names)), default=0)
