"""One node for people, and a tree as lines of text, one for each node that is shown."""

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from treecore.brief import MOST_LINES, Brief, visible
from treecore.figures import count
from treecore.kernels.codes import LEVELS
from treecore.tree.columns import TreeColumns
from treecore.tree.condition_text import MISSING, branch_text, condition_text
from treecore.tree.missing import own_branch


@dataclass(frozen=True, eq=False, repr=False)
class NodeView(Brief):
    """A read-only view of one node of a tree."""

    tree: TreeColumns
    id: int

    def __str__(self) -> str:
        rows = f"{self.n_rows:,} {'row' if self.n_rows == 1 else 'rows'}"
        asks = "a leaf" if self.is_leaf else f"asks for {self.feature}"
        return visible(f"Node {self.id}, {asks}: {self.predicted}, {rows}, where {self.rule}")

    @property
    def is_leaf(self) -> bool:
        return bool(self.tree.is_leaf[self.id])

    @property
    def feature(self) -> str | None:
        """Name of the feature the node tests, None at a leaf."""
        return None if self.is_leaf else self.tree.schema.features[self.tree.splits.feature[self.id]].name

    @property
    def n_rows(self) -> int:
        return int(self.tree.n_rows[self.id])

    @property
    def weight(self) -> float:
        return float(self.tree.weight[self.id])

    @property
    def impurity(self) -> float:
        return float(self.tree.impurity[self.id])

    @property
    def gain(self) -> float:
        """Impurity decrease of the split, NaN at a leaf."""
        return float(self.tree.gain[self.id])

    @property
    def counts(self) -> dict[str, float]:
        """Training weight of every class ({} for regression)."""
        return dict(zip(self.tree.classes, self.tree.stats[self.id].tolist(), strict=False))

    @property
    def predicted(self) -> str:
        """The class by its name, or the mean, as text; "no answer" where there is none."""
        return self.tree.target_kind.answer_text(self.tree, self.id)

    @property
    def branch(self) -> str:
        """The condition on the parent's feature that leads here, '' at the root."""
        return self._told(branch_text)

    @property
    def branch_levels(self) -> tuple[str, ...]:
        """The levels of the parent's feature that lead here, () where it is not parted by its levels."""
        tree, parent = self.tree, int(self.tree.parent[self.id])
        if parent < 0 or tree.splits.kind[parent] != LEVELS:
            return ()
        names = tree.schema.features[tree.splits.feature[parent]].level_names
        here = tree.splits.levels(parent) == self.id - int(tree.first_child[parent])
        return tuple(names[level] for level in np.flatnonzero(here))

    @property
    def condition(self) -> str:
        """The parent's feature and the condition on it, '' at the root."""
        return self._told(condition_text)

    def _told(self, words: Any) -> str:
        tree, parent = self.tree, int(self.tree.parent[self.id])
        if parent < 0:
            return ""
        feature, branch = tree.schema.features[tree.splits.feature[parent]], self.id - int(tree.first_child[parent])
        return words(feature, tree.splits, parent, branch, own_branch(tree, parent))

    @property
    def rule(self) -> str:
        """Every condition from the root to here, joined by AND; "every row" at the root."""
        conditions = [NodeView(self.tree, i).condition for i in self.tree.path(self.id)[1:]]
        if len(conditions) > 1:
            conditions = [f"({c})" if c.endswith(f" or {MISSING}") else c for c in conditions]
        return " AND ".join(conditions) or "every row"

    @property
    def mean(self) -> float:
        """Mean training target (NaN for classification)."""
        return float("nan") if self.tree.classes else float(self.tree.summary[self.id])

    @property
    def deviation(self) -> float:
        """Standard deviation of the training target (NaN for classes and counts)."""
        return self.tree.target_kind.deviation(self.tree.stats[self.id])


# A tree as lines of text, and which of its nodes are shown where not all can be.

MOST_INDENTED = 40
"""Levels that are indented; below them a line begins with its level, or a tree as deep as its rows are many would take
the square of these."""


RENDERERS: dict[str, Callable[[Any], str | None]] = {}
"""Media type -> what shows a tree so in a notebook; None for one that is too large for it. Filled where it is drawn."""


class OutlineText(str):
    """Text that a console shows as it is."""

    __slots__ = ()
    __repr__ = str.__str__


def headline(tree: TreeColumns) -> str:
    """What kind of tree it is, in a line."""
    target = visible(tree.schema.target)
    rows = f"{count(float(tree.weight[0]), ',')} {tree.rows_named}"
    return f"{target}: {tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}, depth {tree.depth:,}, {rows}"


def outline(tree: TreeColumns, depth: int | None = None, lines: int | None = MOST_LINES) -> OutlineText:
    """The headline and the tree below it. depth, lines : as in tree_text, the headline not counted."""
    return OutlineText(f"{headline(tree)}\n{tree_text(tree, depth, lines)}".rstrip("\n"))


def tree_text(
    tree: TreeColumns, depth: int | None = None, lines: int | None = None, ids: np.ndarray | None = None
) -> str:
    """One line per node: what leads there, the answer, its rows and how many of them it answers rightly.

    depth : levels below the root that are shown. lines : about so many nodes are shown, level by level, heavier
    branches first; all of them where it is None. What is below those shown is counted. ids : int (n_nodes,), numbers
    that are written before each node, in brackets.
    """
    shown = None if lines is None else set(top_nodes(tree, lines).tolist())
    below = tree.add_up(np.ones(tree.n_nodes, np.int64)) - 1
    text, waiting = [], [(0, "", "")]
    while waiting:
        t, stem, indent = waiting.pop()
        children = list(tree.children(t))
        deep = depth is not None and tree.node_depth[t] >= depth
        folded = bool(children) and (deep or (shown is not None and children[0] not in shown))
        name = "" if ids is None else f"[{ids[t]}] "
        text.append(stem + name + _line(tree, t) + (f"  … {below[t]:,} nodes below" if folded else ""))
        for child in () if folded else reversed(children):
            waiting.append((child, *_stems(indent, int(tree.node_depth[child]), child == children[-1])))
    return "\n".join(text) + "\n"


def top_nodes(tree: TreeColumns, limit: int, within: int = 0, keep: tuple[int, ...] = ()) -> np.ndarray:
    """Ids (ascending) of at most about `limit` nodes to draw: level by level, heavier branches first.

    within : draw only this node and what is below it.
    keep : these nodes and their paths are always drawn.
    """
    drawn = {within}
    for node in keep:
        path = tree.path(node)
        for above in path[path.index(within) :] if within in path else ():
            drawn |= {above, *tree.children(above)} if above != node else {above}
    waiting = [(int(tree.node_depth[i]), -float(tree.weight[i]), i) for i in drawn]
    heapify(waiting)
    while waiting and len(drawn) < limit:
        *_, node = heappop(waiting)
        for child in tree.children(node):
            if child not in drawn:
                drawn.add(child)
                heappush(waiting, (int(tree.node_depth[child]), -float(tree.weight[child]), child))
    return np.array(sorted(drawn))


def _stems(indent: str, depth: int, last: bool) -> tuple[str, str]:
    """What stands before a child at this depth, and before all below it. indent : before its siblings' branches."""
    if depth > MOST_INDENTED:
        return f"{indent}… {depth:,}: ", indent
    return indent + ("└─ " if last else "├─ "), indent + ("   " if last else "│  ")


def _line(tree: TreeColumns, t: int) -> str:
    view = NodeView(tree, t)
    rows = [f"{count(view.weight, ',')} rows", tree.target_kind.node_text(tree, t)]
    return visible(f"{view.condition or 'all rows'}: {view.predicted}  ({', '.join(filter(None, rows))})")
