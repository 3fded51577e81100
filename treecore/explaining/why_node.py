"""Everything that is said of a node: what its rows are, why it is split as it is, whether pruning left it."""

from treecore.data.table import Table
from treecore.explaining.plain_words import plain_words
from treecore.explaining.why_split import why_split
from treecore.growing.inspect.candidates import Candidates
from treecore.growing.inspect.why_leaf import why_leaf
from treecore.judging.interest import Interest
from treecore.pruning import Cuts
from treecore.tree.tree import Tree


def why_node(
    tree: Tree, node: int, cuts: Cuts, found: Candidates | None = None, by_hand: bool = False,
    train: Table | None = None, interest: Interest | None = None,
) -> list[str]:  # fmt: skip
    """Sentences of plain text that may name features and levels.

    found : the candidates of the node on the training rows, where they are known. by_hand : its split was taken.
    train : the training rows, to say what a rule that stopped it counted.
    """
    view = tree.node(node)
    lines = [plain_words(tree, node, interest)]
    if found is not None and not view.is_leaf:
        lines.append(f"Split on {view.feature} {why_split(tree, node, found, by_hand)}")
    elif found is not None:
        gain = max((c.gain for c in found.ranked if c.eligible), default=None)
        lines.append(why_leaf(tree, node, gain, train))
    reason = cuts.reasons.get(node)
    if reason is not None:
        stands = node in cuts.standing(tree)
        lines.append(f"{'Kept' if stands else 'Pruned'}, {reason.method}: {reason.text}")
    return lines
