"""What one moved row has changed, in a sentence: splits that stay, the highest other one, and answers."""

from treecore.brief import visible
from treecore.evaluation.overlay import overlay
from treecore.experiments.moved import Moved
from treecore.explaining.lines import Line, Words
from treecore.figures import percent
from treecore.rules import rules
from treecore.tree.tree import Tree

MOST_PATHS = 30
"""Of a tree with more leaves they are not listed."""


def moved_lines(found: Moved) -> list[Line]:
    """What has changed, and the way to each leaf of the tree that grew anew."""
    paths = rules(found.tree) if found.tree.n_leaves <= MOST_PATHS else ()
    return [Words(moved_told(found)), *(Words(rule.text) for rule in paths)]


def moved_told(found: Moved, plane: float | None = None) -> str:
    """plane : share of the plane shown that is answered otherwise, None where none is shown."""
    n, kept = found.n_splits, int(found.stays.sum())
    splits = "There was no split" if not n else "All splits stay" if kept == n else f"{kept:,} of {n:,} splits stay"
    size = (found.before.n_leaves, found.tree.n_leaves)
    leaves = f"{size[0]:,} leaves as before" if size[0] == size[1] else f"{size[1]:,} leaves instead of {size[0]:,}"
    answers = f"{percent(found.changed)} of the rows"
    answers += f" and {percent(plane)} of the plane get another answer" if plane is not None else " get another answer"
    return f"{splits}; {leaves}; {answers}. {highest_change(found.before, found.tree)}".strip()


def highest_change(before: Tree, after: Tree) -> str:
    """The place next to the root where the two are not the same; "" where they are so everywhere."""
    laid = overlay(before, after)
    if (entry := laid.first_difference) is None:
        return ""
    a, b = laid.nodes(entry)
    above = a if a >= 0 else laid.nodes(int(laid.parent[entry]))[0]
    place = "At the root" if above == 0 else f"Where {visible(before.node(above).rule)}"
    return f"{place} it now {_does(after, b)}, before it {_did(before, a)}."


def _does(tree: Tree, node: int) -> str:
    return _told(tree, node, "asks", "answers")


def _did(tree: Tree, node: int) -> str:
    return _told(tree, node, "asked", "answered")


def _told(tree: Tree, node: int, asks: str, answers: str) -> str:
    if node < 0:
        return "had no node" if asks == "asked" else "has no node"
    view = tree.node(node)
    if view.is_leaf:
        return f"{answers} {visible(view.predicted)}"
    return f"{asks} {visible(tree.node(tree.children(node)[0]).condition)}"
