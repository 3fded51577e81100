"""What cuts leave of a tree, as cards: laid out for itself, and its recomputed counts among the ghosts."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treecore.export.cards import NodeCard
from treecore.export.from_tree import tree_cards
from treecore.pruning.cuts import Cuts
from treecore.tree.tree import Tree


def pruned_cards(
    tree: Tree, cuts: Cuts, pruned: Tree, nodes: np.ndarray, stats: dict[str, np.ndarray]
) -> tuple[NodeCard, ...]:
    """Cards of the pruned tree: its structure, branches and counts, with the ids of the grown tree.

    pruned : tree.cut(cuts). nodes : ids in the pruned tree, ascending, closed under parents (but for the first).
    stats : role -> float64 (n nodes of the pruned tree, S).
    """
    ids = cuts.standing(tree)

    def grown(node: int | None) -> int | None:
        return None if node is None else int(ids[node])

    return tuple(
        replace(card, id=grown(card.id), parent=grown(card.parent), missing_to=grown(card.missing_to))
        for card in tree_cards(pruned, nodes, stats, values=tree.value)
    )


def with_cut(card: NodeCard, tree: Tree, cuts: Cuts) -> NodeCard:
    """A card of the pruned tree that says so where it is a leaf only because it was cut. tree : the grown one."""
    if not card.is_leaf or tree.is_leaf[card.id]:
        return card
    reason = cuts.reasons.get(card.id)
    return replace(card, cut=f"{reason.method}, {reason.text}" if reason else "cut")


def recounted(cards: Sequence[NodeCard], pruned: Sequence[NodeCard]) -> tuple[NodeCard, ...]:
    """Cards of the grown tree in which nodes that stand below a raised branch count the rows that reach them now.

    pruned : `pruned_cards` of the nodes that stand. What a node says of itself is taken from there; where it is
    drawn, and what is a ghost, stays.
    """
    now = {card.id: card for card in pruned}

    def counted(card: NodeCard) -> NodeCard:
        new = now.get(card.id)
        if new is None:
            return card
        title = new.predicted if card.is_leaf else card.title
        same = {name: getattr(new, name) for name in ("rows", "share", "impurity", "spread", "bars", "predicted")}
        return replace(card, title=title, **same)

    return tuple(counted(card) for card in cards)
