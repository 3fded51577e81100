"""Which nodes of a tree are shown, and where: as many as fit the canvas with text that can be read."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from treecore.export.covering import Branching, covering_nodes
from treecore.export.positions import Positions, positions

WIDE = {"LR": 136, "TB": 118}
HIGH, LINE, BAR = 37, 15, 7
"""Pixels of a card: its width, its height at least, of every further line (name, figures), of every further bar."""
BESIDE = 11
"""Letters of a name that has room beside the number of rows."""
APART = {"LR": (9, 88), "TB": (14, 46)}
"""Pixels between siblings, and between levels: conditions stand there."""
MOST, LEAST = 121, 5
EDGE = {"LR": (74, 72), "TB": (42, 94)}
"""Pixels of the canvas, across and down, that nodes leave free: for pills, tools and actions."""


@dataclass(frozen=True)
class Asked:
    """room : width and height of the canvas in pixels of the drawing at the least size that can be read. lines, bars :
    of figures and of mixtures on a card. orientation : 'LR', 'TB' or '' for the one that shows more.
    letters : of the longest name."""

    room: tuple[int, int]
    lines: int = 0
    bars: int = 1
    orientation: str = ""
    letters: int = 0


@dataclass(frozen=True)
class Shown:
    """Ids, ascending; the orientation, the size of a card, and where the cards stand. stacked : has a card's name a
    line of its own?"""

    nodes: np.ndarray
    orientation: str
    stacked: bool
    size: tuple[int, int]
    at: Positions


def shown(
    tree: Branching, asked: Asked, opened: Collection[int] = (), closed: Collection[int] = (), keep: int = 0,
    within: int = 0,
) -> Shown:  # fmt: skip
    """What fits without what the reader has opened, and then that too; the selected node is always there."""
    sides = (asked.orientation,) if asked.orientation else ("LR", "TB")
    best = max((_fitting(tree, asked, side, closed, within) for side in sides), key=lambda found: found[0])
    _, limit, deepest, side = best
    unasked = covering_nodes(tree, limit, deepest, (), closed, None, within)
    inner = set(tree.parent[unasked].tolist()) - {-1}  # what the reader opens takes no other node's place
    nodes = covering_nodes(tree, 0, None, inner | set(opened), closed, keep, within)
    stacked = side == "TB" or _has_height(tree, asked, within)
    return Shown(nodes, side, stacked, size(asked, side, stacked), _placed(tree, nodes, asked, side, stacked))


def size(asked: Asked, side: str, stacked: bool) -> tuple[int, int]:
    """Width and height of a card."""
    high = HIGH + LINE * (asked.lines + stacked) + BAR * (asked.bars - 1)
    return WIDE[side] + 14 * (asked.lines > 0), high + stacked


def _has_height(tree: Branching, asked: Asked, within: int) -> bool:
    """Is there a long name, and height for higher cards? Whatever is opened or closed: a card keeps its size then."""
    if asked.letters <= BESIDE:
        return False
    _, limit, deepest, _ = _fitting(tree, asked, "LR", (), within)
    nodes = covering_nodes(tree, limit, deepest, (), (), None, within)
    return _placed(tree, nodes, asked, "LR", True).height <= asked.room[1] - EDGE["LR"][1]


def _fitting(
    tree: Branching, asked: Asked, side: str, closed: Collection[int], within: int
) -> tuple[int, int, int, str]:  # fmt: skip
    """(nodes that fit, limit, deepest level, the side): levels by their height, nodes by trying halves."""
    wide, high = size(asked, side, side == "TB")
    across, down = (room - edge for room, edge in zip(asked.room, EDGE[side], strict=True))
    along, step = (across - wide, wide) if side == "LR" else (down - high, high)
    deepest = max(1, int(along // (step + APART[side][1])))
    low, top = LEAST, MOST
    found = len(covering_nodes(tree, low, deepest, (), closed, None, within))
    while low < top:
        middle = (low + top + 1) // 2
        nodes = covering_nodes(tree, middle, deepest, (), closed, None, within)
        at = _placed(tree, nodes, asked, side, side == "TB")
        if at.width <= across and at.height <= down:
            low, found = middle, len(nodes)
        else:
            top = middle - 1
    return found, low, deepest, side


def _placed(tree: Branching, nodes: np.ndarray, asked: Asked, side: str, stacked: bool) -> Positions:
    ids = set(nodes.tolist())
    parents = {
        n: (int(tree.parent[n]) if int(tree.parent[n]) in ids and n != nodes[0] else None) for n in nodes.tolist()
    }
    return positions(parents, size(asked, side, stacked), side, APART[side])
