"""Labels of the canvas: what splits ask, and what can be done with a node."""

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
