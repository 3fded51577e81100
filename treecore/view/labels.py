"""Labels of the canvas: what splits ask, what can be done with a node, and words for screen readers and tooltips."""

import math
from collections.abc import Callable

from treecore.export.cards import NodeCard
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.recipe import Take
from treecore.tree.condition_text import MISSING, threshold_sides
from treecore.tree.tree import Tree

HEADS = {
    "gain_ratio": "ratio", "mdl_gain_ratio": "ratio", "twoing": "twoing",
    "chi_square": "−log₁₀ p", "g_test": "−log₁₀ p", "log_rank": "log-rank",
}  # fmt: skip
"""Columns of scores that are not the gain."""
FOR_COST = "gain for its cost"


def competes_by(tree: Tree, found: Candidates) -> str:
    """What the splits are ranked by, in a word or two."""
    costly = bool(dict(tree.growth).get("costs"))
    if found.score == "decrease":
        return FOR_COST if costly else "gain"
    return f"{HEADS.get(found.score, 'score')}{' for its cost' if costly else ''}"


def question(tree: Tree, split: Candidate | Take) -> str:
    """What a split asks: what goes into its first branch, or all its groups of levels."""
    words = branch_words(tree, split)
    if split.threshold is None:
        return f"{split.feature}: {' | '.join(words)}"
    return f"{split.feature} {'is ' if math.isinf(split.threshold) else ''}{words[0]}"


def branch_words(tree: Tree, split: Candidate | Take) -> list[str]:
    """What leads into each branch, without the feature's name, as the tree calls it."""
    if split.threshold is None:
        return [", ".join(levels) for levels in split.branches]
    if math.isinf(split.threshold):
        return ["known", MISSING]
    feature = next(f for f in tree.schema.features if f.name == split.feature)
    closed = THRESHOLD_RULES[dict(tree.growth)["threshold"]].closed
    printed = split.printed if isinstance(split, Candidate) and feature.numeric else ""
    sides = threshold_sides(feature, split.threshold, closed, printed)
    return [f"{side} or {MISSING}" if i == split.missing else side for i, side in enumerate(sides)]


# What stands on the tree pane in words, for screen readers and beside the pointer, too.

WORDS = {
    "tree": "Decision tree",
    "tools": "Tools of the tree",
    "acts": "What can be done with this node",
    "find": "Find…",
    "find_title": "Find a feature, a level or a node such as #12 (/)",
    "zoom_in": "Zoom in (+)",
    "zoom_out": "Zoom out (−)",
    "fit": "Fit",
    "fit_title": "Fit the tree to the window; press again for readable text (0)",
    "present": "Present",
    "present_title": "The tree alone on the whole screen, in large letters",
    "stream_title": "Let the rows run down the branches (r)",
    "keys": "Keys (?)",
    "ghosts": "Ghosts",
    "ghosts_title": "Show pruned branches as ghosts (g)",
    "legend": "The other classes",
    "shows": "What the bars show: the target, or the groups of any column",
    "undo": "Undo",
    "details": {
        "look": ["Look", "Each node: split, rows and class shares"],
        "learn": ["Learn", "Also impurity, gain and validation rows"],
        "lab": ["Lab", "All figures of each node"],
    },
    "shapes": {
        "tree": ["Tree", "Nodes and branches"],
        "icicle": ["Icicle", "The whole tree at once: bars as wide as their rows"],
        "sunburst": ["Rings", "The whole tree at once: rings as wide as their rows (sunburst)"],
    },
    "turns": {"TB": ["↓", "Root on top"], "LR": ["→", "Root on the left"]},
    "deeds": {
        "cut": ["Prune here", "Make this node a leaf (x)"],
        "restore": ["Bring branches back", "Bring its branches back (x)"],
        "split": ["Split on …", "Another split for this node"],
        "grow": ["Grow below", "Split this leaf by its best split, although a stopping rule ended growth here"],
        "regrow": ["Grow as before", "Use the best split again instead of the one chosen by hand; everything below "
                                     "is regrown"],
        "only": ["Only this branch", "Show this node and what is below it"],
        "widen": ["Whole tree", "Show all of the tree again"],
        "open": ["Open", "Show what is below (Enter, f)"],
        "fold": ["Fold", "Hide what is below (f)"],
    },
    "help": {
        "← ↑ → ↓": "walk", "Enter": "select, or open +n", "Space": "select", "f": "fold or open",
        "x, Delete": "prune, or bring branches back", "+ − 0": "zoom, fit", "/": "find, n the next", "g": "ghosts",
        "p": "play the growth", "r": "let the rows run down", "Page ↓ ↑": "one split on, or back (Step by step)",
        "Home End": "root, deepest", "Ctrl+Z": "undo", "Alt+P": "present (Step by step, Guess)",
        "drag, wheel": "move, zoom", "?": "these keys", "Esc": "close them",
    },
}  # fmt: skip


# What can be done with a node of the canvas by hand.


def deeds_of(
    card: NodeCard, tree: Tree, within: int, grows: bool, taken: Callable[[int], bool] = lambda node: False,
    splits: bool = True,
) -> list[str]:  # fmt: skip
    """Names of what can be done, in the order of their buttons.

    tree : the grown one. within : the node that comes first. grows : can branches be grown anew? taken : was the split
    of a node taken by hand, and is another one the best? splits : are other splits of a node known?
    """
    if card.cut or card.raised is not None:
        return ["restore"]
    if card.ghost:
        return []
    split = ["split"] * splits
    if tree.is_leaf[card.id]:
        could = tree.impurity[card.id] > 0 and tree.n_rows[card.id] > 1
        return [*split, *["grow"] * bool(could and grows)]
    looks = ["widen" if within == card.id else "only"] if card.id else []
    return ["cut", *split, *["regrow"] * taken(card.id), *looks]


def best_of(found: Candidates) -> Candidate | None:
    """The best split that gains anything; None where there is none."""
    return next((c for c in found.ranked if c.eligible and c.gain > 0), None)
