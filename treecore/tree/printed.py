"""A tree as lines of text."""

from treecore.figures import count, percent
from treecore.tree.text import visible
from treecore.tree.tree import Tree

MOST_INDENTED = 40
"""Levels that are indented; below them a line begins with its level, or a tree as deep as its rows are many would take
the square of these."""


def tree_text(tree: Tree, depth: int | None = None) -> str:
    """One line per node: what leads there, the answer, its rows and how many of them it answers rightly.

    depth : levels below the root that are shown; what is below is counted.
    """
    lines, waiting = [], [(0, "", "")]
    while waiting:
        t, stem, indent = waiting.pop()
        folded = depth is not None and tree.node_depth[t] >= depth and not tree.is_leaf[t]
        lines.append(stem + _line(tree, t) + (f"  … {int(tree.descendants(t).sum())} nodes below" if folded else ""))
        children = [] if folded else list(tree.children(t))
        for child in reversed(children):
            waiting.append((child, *_stems(indent, int(tree.node_depth[child]), child == children[-1])))
    return "\n".join(lines) + "\n"


def _stems(indent: str, depth: int, last: bool) -> tuple[str, str]:
    """What stands before a child at this depth, and before all below it. indent : before its siblings' branches."""
    if depth > MOST_INDENTED:
        return f"{indent}… {depth:,}: ", indent
    return indent + ("└─ " if last else "├─ "), indent + ("   " if last else "│  ")


def _line(tree: Tree, t: int) -> str:
    view = tree.node(t)
    rows = f"{count(view.weight, ',')} rows"
    if tree.classes and view.weight > 0 and tree.answer[t] >= 0:
        rows += f", {percent(float(tree.stats[t][tree.value[t]]) / view.weight)} right"
    return visible(f"{view.condition or 'all rows'}: {view.predicted}  ({rows})")
