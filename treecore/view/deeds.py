"""What can be done with a node of the canvas by hand."""

from collections.abc import Callable

from treecore.export.cards import NodeCard
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.tree.tree import Tree


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
