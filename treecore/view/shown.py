"""Which nodes of a tree are shown, and where: as many as fit the canvas with text that can be read."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from treecore.export.covering import Branching, covering_nodes
from treecore.export.positions import Positions, positions

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
class Asked:
    """room : width and height of the canvas in pixels of the drawing at the least size that can be read. lines, bars :
    of figures and of mixtures on a card. orientation : 'LR', 'TB' or '' for the one that shows more.
    before : the orientation in which this canvas was last seen. letters : of the longest name.
    picture : pixels by which the card of a split is higher, for the picture of the values that it parts.
    hides_empty : are leaves left out to which no row comes, as of declared levels that no row has?"""

    room: tuple[int, int]
    lines: int = 0
    bars: int = 1
    orientation: str = ""
    before: str = ""
    letters: int = 0
    picture: int = 0
    hides_empty: bool = False


@dataclass(frozen=True)
class Shown:
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


def shown(
    tree: Branching, asked: Asked, opened: Collection[int] = (), closed: Collection[int] = (), keep: int = 0,
    within: int = 0,
) -> Shown:  # fmt: skip
    """What fits without what the reader has opened, and then that too; the selected node is always there."""
    best = _best(tree, asked, within)
    if closed:
        best = _fitting(tree, asked, best.side, closed, within)
    unasked = _with_rows(tree, covering_nodes(tree, best.limit, best.deepest, (), closed, None, within), asked, keep)
    inner = set(tree.parent[unasked].tolist()) - {-1}  # what the reader opens takes no other node's place
    nodes = covering_nodes(tree, 0, None, inner | set(opened), closed, keep, within)
    nodes = _with_rows(tree, nodes, asked, keep)
    stacked = best.side == "TB" or _has_height(tree, asked, within)
    card, gap = _roomy(tree, unasked, asked, best.side, stacked)
    return Shown(nodes, best.side, stacked, card, _placed(tree, nodes, best.side, card, asked.picture, gap), gap)


def _with_rows(tree: Branching, nodes: np.ndarray, asked: Asked, keep: int = -1) -> np.ndarray:
    """Without the empty leaves, where they are hidden; a selected one is shown."""
    return nodes[(tree.weight[nodes] > 0) | (nodes == keep) | (nodes == nodes[0])] if asked.hides_empty else nodes


def _best(tree: Branching, asked: Asked, within: int) -> _Fit:
    """The layout that shows more, or shows it larger; that of before unless it is clearly worse."""
    fits = {side: _fitting(tree, asked, side, (), within) for side in _sides(asked)}
    best = max(fits.values(), key=lambda fit: (fit.n, fit.scale))
    same = fits.get(asked.before, best)
    stays = same.n >= HARDLY_LESS * best.n and same.scale >= HARDLY_LESS * best.scale
    return same if stays else best


def _sides(asked: Asked) -> tuple[str, ...]:
    return (asked.orientation,) if asked.orientation else ("LR", "TB")


def size(asked: Asked, side: str, stacked: bool) -> tuple[int, int]:
    """Width and height of a card."""
    high = HIGH + LINE * (asked.lines + stacked) + BAR * (asked.bars - 1)
    return WIDE[side] + 14 * (asked.lines > 0), high + stacked


def _has_height(tree: Branching, asked: Asked, within: int) -> bool:
    """Is there a long name, and height for higher cards? Whatever is opened or closed: a card keeps its size then."""
    if asked.letters <= BESIDE:
        return False
    fit = _fitting(tree, asked, "LR", (), within)
    nodes = _with_rows(tree, covering_nodes(tree, fit.limit, fit.deepest, (), (), None, within), asked)
    return _placed(tree, nodes, "LR", size(asked, "LR", True), asked.picture).height <= asked.room[1] - EDGE["LR"][1]


def _roomy(
    tree: Branching, nodes: np.ndarray, asked: Asked, side: str, stacked: bool
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


def _fitting(tree: Branching, asked: Asked, side: str, closed: Collection[int], within: int) -> _Fit:
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
    found, scale = tried(low)
    while low < top:
        middle = (low + top + 1) // 2
        n, larger = tried(middle)
        if larger >= 1:
            low, found, scale = middle, n, larger
        else:
            top = middle - 1
    return _Fit(found, scale, low, deepest, side)


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
