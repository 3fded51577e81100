"""Where the nodes of a diagram stand: laid out by Graphviz inside this process, or by a tidy drawing of ours where it
is not installed.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from treecore.errors import TreecoreError

FORMATS = ("svg", "png", "pdf")
MAX_NODES = 3000
PAD = 0.1
"""Inches around a drawing."""
# Graphviz keeps global state: two layouts at once crash the process.
_LOCK = threading.Lock()


def layout_svg(dot: str, fmt: str = "svg") -> bytes:
    """The drawing of a DOT source.

    fmt : 'svg', 'png' or 'pdf'. Not cached; one call at a time, others wait.
    Raises TreecoreError when Graphviz is not installed, the tree is too large or the format unknown.
    """
    if fmt not in FORMATS:
        choice = f"Choose one of {', '.join(FORMATS)}"
        raise TreecoreError(f"'{fmt}' is not a format of the diagram", remedy=choice)
    return render(dot, fmt)


def render(dot: str, fmt: str) -> bytes:
    """What Graphviz makes of a DOT source in any of its formats, 'plain' (positions alone) among them."""
    agraph = _agraph_class()
    with _LOCK:
        try:
            graph = agraph(string=dot)
        except Exception as fault:
            raise TreecoreError(f"Graphviz cannot read this diagram ({fault})", where="DOT source") from fault
        try:
            _refuse_giants(graph.number_of_nodes())
            return graph.draw(format=fmt, prog="dot")
        except (ValueError, OSError) as fault:
            if isinstance(fault, TreecoreError):
                raise
            raise TreecoreError(f"Graphviz could not draw the {fmt} ({fault})", where="diagram") from fault
        finally:
            graph.close()


def _refuse_giants(n_nodes: int) -> None:
    if n_nodes > MAX_NODES:
        raise TreecoreError(
            f"{n_nodes} nodes are too many for one diagram (at most {MAX_NODES})",
            where="diagram",
            remedy="Fold some branches or limit the depth",
        )


def has_engine() -> bool:
    """Is Graphviz here?"""
    try:
        _agraph_class()
    except TreecoreError:
        return False
    return True


def _agraph_class():
    try:
        from pygraphviz import AGraph
    except ImportError as fault:
        raise TreecoreError(
            "the layout engine is missing (pygraphviz could not be loaded)",
            where="diagram",
            remedy="Install it (pip install 'treecore[export]'), or download the DOT source instead",
        ) from fault
    return AGraph


# Where the nodes of a diagram stand where no Graphviz is: a tidy drawing, in time linear in the nodes.
#
# Source: Buchheim, Jünger and Leipert (2002), Improving Walker's algorithm to run in linear time; the aims are
# Reingold and Tilford's (1981): levels in line, a parent in the middle of its children, equal subtrees drawn alike,
# nothing nearer than two neighbours may be.


def tidy(parents: Mapping[int, int | None]) -> tuple[dict[int, float], dict[int, int]]:
    """Place along its level, and level, of every node, by id; neighbours of a level are 1 apart at least.

    parents : id -> id of the parent (None for the first), parents before children, siblings in their order.
    The smallest place is 0.
    """
    ids = list(parents)
    number = {node: i for i, node in enumerate(ids)}
    parent = [-1 if above is None else number[above] for above in parents.values()]
    drawn = _Tidy(parent)
    at = drawn.places()
    low = min(at, default=0.0)
    return {node: at[i] - low for i, node in enumerate(ids)}, {node: drawn.level[i] for i, node in enumerate(ids)}


class _Tidy:
    """One drawing: what the walks remember of each node, by its number."""

    def __init__(self, parent: list[int]):
        n = len(parent)
        self.parent = parent
        self.children: list[list[int]] = [[] for _ in range(n)]
        self.place, self.level = [0] * n, [0] * n  # among its siblings, from 0; below the first
        for node in range(n):
            above = parent[node]
            if above >= 0:
                self.place[node] = len(self.children[above])
                self.level[node] = self.level[above] + 1
                self.children[above].append(node)
        self.prelim, self.mod = np.zeros(n).tolist(), np.zeros(n).tolist()
        self.change, self.shift = np.zeros(n).tolist(), np.zeros(n).tolist()
        self.thread, self.ancestor = [-1] * n, list(range(n))

    def places(self) -> list[float]:
        """Along the levels. From the leaves up subtrees are set beside each other; from the root down they are moved
        where their parents have been moved."""
        order = self._ends_first()
        for node in order:
            self._set(node)
        at, moved = [0.0] * len(order), [0.0] * len(order)
        for node in reversed(order):
            above = self.parent[node]
            moved[node] = 0.0 if above < 0 else moved[above] + self.mod[above]
            at[node] = self.prelim[node] + moved[node]
        return at

    def _ends_first(self) -> list[int]:
        """All nodes, children before parents and siblings in their order."""
        result, waiting = [], [node for node, above in enumerate(self.parent) if above < 0]
        while waiting:
            node = waiting.pop()
            result.append(node)
            waiting += self.children[node]
        return result[::-1]

    def _set(self, node: int) -> None:
        """Its subtrees beside each other, and the node over their middle, right of its left sibling."""
        below = self.children[node]
        middle = 0.0
        if below:
            default = below[0]
            for child in below:
                self._stand(child)
                default = self._apportion(child, default)
            self._move_shares(below)
            middle = (self.prelim[below[0]] + self.prelim[below[-1]]) / 2
        self.prelim[node] = middle

    def _stand(self, child: int) -> None:
        """Right of its left sibling; what is below it comes along."""
        left = self._left(child)
        if left >= 0:
            middle = self.prelim[child]
            self.prelim[child] = self.prelim[left] + 1.0
            self.mod[child] = self.prelim[child] - middle

    def _left(self, node: int) -> int:
        return self.children[self.parent[node]][self.place[node] - 1] if self.place[node] else -1

    def _apportion(self, node: int, default: int) -> int:
        """Move a subtree right until its left edge is clear of the right edges of its left siblings' subtrees."""
        left = self._left(node)
        if left < 0:
            return default
        inner, outer = node, node  # the left edge of the subtree: the part that may collide, and its outermost part
        right, far = left, self.children[self.parent[node]][0]  # of those at the left: their right and left edges
        inner_by = outer_by = self.mod[node]
        right_by, far_by = self.mod[right], self.mod[far]
        while self._last(right) >= 0 and self._first(inner) >= 0:
            right, inner = self._last(right), self._first(inner)
            far, outer = self._first(far), self._last(outer)
            self.ancestor[outer] = node
            gap = self.prelim[right] + right_by - self.prelim[inner] - inner_by + 1.0
            if gap > 0:
                self._move(self._sibling_of(right, node, default), node, gap)
                inner_by += gap
                outer_by += gap
            right_by, inner_by = right_by + self.mod[right], inner_by + self.mod[inner]
            far_by, outer_by = far_by + self.mod[far], outer_by + self.mod[outer]
        if self._last(right) >= 0 and self._last(outer) < 0:
            self.thread[outer] = self._last(right)
            self.mod[outer] += right_by - outer_by
        if self._first(inner) >= 0 and self._first(far) < 0:
            self.thread[far] = self._first(inner)
            self.mod[far] += inner_by - far_by
            default = node
        return default

    def _first(self, node: int) -> int:
        """The next one down the left edge."""
        return self.children[node][0] if self.children[node] else self.thread[node]

    def _last(self, node: int) -> int:
        """The next one down the right edge."""
        return self.children[node][-1] if self.children[node] else self.thread[node]

    def _sibling_of(self, right: int, node: int, default: int) -> int:
        """The sibling of a node in whose subtree another one stands."""
        result = self.ancestor[right]
        return result if self.parent[result] == self.parent[node] else default

    def _move(self, left: int, right: int, gap: float) -> None:
        """The subtree of `right`, and later those between the two by their shares."""
        between = self.place[right] - self.place[left]
        self.change[right] -= gap / between
        self.shift[right] += gap
        self.change[left] += gap / between
        self.prelim[right] += gap
        self.mod[right] += gap

    def _move_shares(self, below: list[int]) -> None:
        shift = change = 0.0
        for child in reversed(below):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change


# Where the nodes of a diagram stand: Graphviz places them where it is, a tidy layout of ours where it is not; whoever
# asks draws them.

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
    lines = render(source, "plain").decode().split("\n")
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
