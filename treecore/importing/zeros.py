"""LightGBM's zero-as-missing: numbers next to 0 leave a split by its default, whatever its threshold."""

from dataclasses import replace

import numpy as np

from treecore.importing.nodes import BinaryNodes, breadth_first
from treecore.importing.source import unsaid

ZERO_UP_TO = float(np.float32(1e-35))
BELOW_ZERO = float(np.nextafter(-ZERO_UP_TO, -np.inf))
MOST_TIMES, ALWAYS = 20, 2000
"""How much larger a tree may become, and up to how many nodes it always may."""


def zeros_by_default(nodes: BinaryNodes, at: np.ndarray, where: str) -> BinaryNodes:
    """The same answers from plain thresholds: x <= θ goes left but for [-1e-35, 1e-35], which goes where NaN does.

    A split that puts zeros where its threshold does stays as it is; another becomes three: below zero, zero, above; the
    branches that two of them lead to are copied. at : the nodes with such a split. TreecoreError for a tree that grows
    too large by it.
    """
    made = _Copied(nodes, set(at.tolist()), where)
    made.copy(0)
    return made.nodes()


class _Copied:
    def __init__(self, nodes: BinaryNodes, at: set[int], where: str):
        self.old, self.at, self.where = nodes, at, where
        breadth_first(nodes.left, nodes.right, where)  # no circle, so that copying ends
        self.most = max(ALWAYS, MOST_TIMES * len(nodes.left))
        self.origin: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.threshold: list[float] = []
        self.missing_left: list[bool] = []

    def add(self, old: int, threshold: float, missing_left: bool) -> int:
        if len(self.origin) >= self.most:
            raise unsaid(
                self.where, "Its zeros count as missing, which makes it too large", "Train with zero_as_missing=false"
            )
        self.origin.append(old)
        self.left.append(-1)
        self.right.append(-1)
        self.threshold.append(threshold)
        self.missing_left.append(missing_left)
        return len(self.origin) - 1

    def copy(self, root: int) -> None:
        """The root, and whatever is below."""
        waiting = [(root, -1, 0)]
        while waiting:
            old, above, side = waiting.pop()
            top, below = self.split(old) if old in self.at else self.plain(old)
            if above >= 0:
                (self.left if side == 0 else self.right)[above] = top
            waiting += below

    def plain(self, old: int) -> tuple[int, list]:
        new = self.add(old, float(self.old.threshold[old]), bool(self.old.missing_left[old]))
        if self.old.left[old] < 0:
            return new, []
        return new, [(int(self.old.right[old]), new, 1), (int(self.old.left[old]), new, 0)]

    def split(self, old: int) -> tuple[int, list]:
        """(the topmost new node, what is to be copied below the new ones)."""
        limit, by_default = float(self.old.threshold[old]), bool(self.old.missing_left[old])
        if (limit >= ZERO_UP_TO and by_default) or (limit <= BELOW_ZERO and not by_default):
            return self.plain(old)
        left, right = int(self.old.left[old]), int(self.old.right[old])
        zero = left if by_default else right
        top, waiting = self.add(old, BELOW_ZERO, False), []
        middle = self.add(old, ZERO_UP_TO, True)
        self.right[top] = middle
        waiting.append((zero, middle, 0))
        for owner, side, is_whole, whole in (
            (top, 0, limit >= BELOW_ZERO, left), (middle, 1, limit <= ZERO_UP_TO, right),
        ):  # fmt: skip
            if is_whole:
                waiting.append((whole, owner, side))
                continue
            part = self.add(old, limit, by_default)
            (self.left if side == 0 else self.right)[owner] = part
            waiting += [(right, part, 1), (left, part, 0)]
        return top, waiting

    def nodes(self) -> BinaryNodes:
        """Counts of copies are not known: the model carries those of the whole split alone."""
        origin = np.array(self.origin, np.int64)
        again = len(np.unique(origin)) < len(origin)
        listed = {new: self.old.listed[old] for new, old in enumerate(self.origin) if old in self.old.listed}
        return replace(
            self.old, left=np.array(self.left), right=np.array(self.right), feature=self.old.feature[origin],
            threshold=np.array(self.threshold), missing_left=np.array(self.missing_left),
            outputs=self.old.outputs[origin], listed=listed,
            cover=None if again or self.old.cover is None else self.old.cover[origin],
            n_rows=None if again or self.old.n_rows is None else self.old.n_rows[origin],
        )  # fmt: skip
