"""Where the nodes of a diagram stand where no Graphviz is: a tidy drawing, in time linear in the nodes.

Source: Buchheim, Jünger and Leipert (2002), Improving Walker's algorithm to run in linear time; the aims are Reingold
and Tilford's (1981): levels in line, a parent in the middle of its children, equal subtrees drawn alike, nothing nearer
than two neighbours may be.
"""

from collections.abc import Mapping

import numpy as np


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
        self.parent, self.children = parent, [[] for _ in range(n)]
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
        found, waiting = [], [node for node, above in enumerate(self.parent) if above < 0]
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += self.children[node]
        return found[::-1]

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
        found = self.ancestor[right]
        return found if self.parent[found] == self.parent[node] else default

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
