"""A tree as lines of text, and which of its nodes are shown where not all can be."""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from treecore.brief import MOST_LINES, visible
from treecore.figures import count
from treecore.tree.columns import TreeColumns
from treecore.tree.node import NodeView

MOST_INDENTED = 40
"""Levels that are indented; below them a line begins with its level, or a tree as deep as its rows are many would take
the square of these."""


RENDERERS: dict[str, Callable[[Any], str | None]] = {}
"""Media type -> what shows a tree so in a notebook; None for one that is too large for it. Filled where it is drawn."""


class Outline(str):
    """Text that a console shows as it is."""

    __slots__ = ()
    __repr__ = str.__str__


def headline(tree: TreeColumns) -> str:
    """What kind of tree it is, in a line."""
    target = visible(tree.schema.target)
    rows = f"{count(float(tree.weight[0]), ',')} {tree.rows_named}"
    return f"{target}: {tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}, depth {tree.depth:,}, {rows}"


def outline(tree: TreeColumns, depth: int | None = None, lines: int | None = MOST_LINES) -> Outline:
    """The headline and the tree below it. depth, lines : as in tree_text, the headline not counted."""
    return Outline(f"{headline(tree)}\n{tree_text(tree, depth, lines)}".rstrip("\n"))


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
