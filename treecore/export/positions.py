"""Where the nodes of a diagram stand: Graphviz places them where it is, a tidy layout of ours where it is not; whoever
asks draws them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from treecore.export.layout import drawn, has_engine
from treecore.export.tidy import tidy

MOST_KEPT = 512
"""Diagrams whose places are kept: which nodes fit a canvas is found by placing many, and mostly the same ones again."""
NONE: Mapping[int, tuple[float, float]] = MappingProxyType({})
POINTS = 72.0
"""Graphviz counts lengths in inches, and so many points make one."""


@dataclass(frozen=True)
class Positions:
    """Middles of the nodes by id, as (x, y) in points from the upper left corner; the picture's width and height.
    It is shared by all who ask for the same: nobody changes it."""

    at: dict[int, tuple[float, float]]
    width: float
    height: float


def positions(
    parents: Mapping[int, int | None], size: tuple[float, float], orientation: str, apart: tuple[float, float],
    other: Mapping[int, tuple[float, float]] = NONE,
) -> Positions:  # fmt: skip
    """Places for cards of one size, but for those that have another one.

    parents : id -> id of the parent (None for the first), parents before children, siblings in their order.
    size : width and height of a card. orientation : 'TB' (root on top) or 'LR' (root on the left).
    apart : points between siblings and between levels. other : id -> the size of its card, where it is not `size`.
    Raises TreecoreError as `layout.drawn` does.
    """
    if not has_engine():
        largest = max([size, *other.values()], key=lambda card: card[0] * card[1])  # has room for each of them
        return tidy_positions(parents, largest, orientation, apart)
    return _placed(_source(parents, size, orientation, apart, other))


def tidy_positions(
    parents: Mapping[int, int | None], size: tuple[float, float], orientation: str, apart: tuple[float, float]
) -> Positions:
    """The same without Graphviz: no two cards are nearer than `apart`, and nodes stand in the same order."""
    places, levels = tidy(parents)
    turned = orientation == "LR"
    along, down = (size[turned], size[not turned])  # of a card along its level, and from level to level
    step, deep = along + apart[0], down + apart[1]
    at = {}
    for node, place in places.items():
        point = round(place * step + along / 2, 1), round(levels[node] * deep + down / 2, 1)
        at[node] = point[::-1] if turned else point
    length = max(places.values(), default=0.0) * step + along, max(levels.values(), default=0) * deep + down
    return Positions(at, *(length[::-1] if turned else length))


@lru_cache(MOST_KEPT)
def _placed(source: str) -> Positions:
    lines = drawn(source, "plain").decode().split("\n")
    _, _, width, height, *_ = lines[0].split()
    top, at = float(height), {}
    for line in lines:
        kind, *rest = line.split(" ", 4)
        if kind == "node":
            name, x, y, _ = rest
            at[int(name)] = (round(float(x) * POINTS, 1), round((top - float(y)) * POINTS, 1))
    return Positions(at, float(width) * POINTS, float(height) * POINTS)


def _source(
    parents: Mapping, size: tuple[float, float], orientation: str, apart: tuple[float, float], other: Mapping
) -> str:  # fmt: skip
    wide, high = (length / POINTS for length in size)
    between, levels = (length / POINTS for length in apart)
    head = (
        f'graph [rankdir={orientation} ordering=out nodesep={between:.4f} ranksep={levels:.4f}];'
        f' node [shape=box fixedsize=true label="" width={wide:.4f} height={high:.4f}];'
    )  # fmt: skip
    own = {node: f" [width={w / POINTS:.4f} height={h / POINTS:.4f}]" for node, (w, h) in other.items()}
    nodes = " ".join(f"{node}{own.get(node, '')};" for node in parents)
    edges = " ".join(f"{parent} -> {node} [dir=none];" for node, parent in parents.items() if parent is not None)
    return f"digraph {{ {head} {nodes} {edges} }}"
