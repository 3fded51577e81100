"""Merging sibling leaves: the inverse of splitting, as long as the impurity rises little."""

import numpy as np

from treecore.criteria import CRITERIA
from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason, above_leaves
from treecore.pruning.pruner import Parameter, Pruner, PruningContext
from treecore.pruning.risk import snapped_threshold
from treecore.target.rounding import OF_GAINS, settled
from treecore.tree.tree import Tree

UNITS = (
    ("share", "Of all rows: times the node's share"),
    ("node", "Within the node"),
    ("root", "Of all rows, as a part of the root's impurity"),
)


def merge_siblings(tree: Tree, given: PruningContext, accepted: float = 0.01, unit: str = "share") -> Cuts:
    """From the bottom up, merge the children of a node that are all leaves by then into one leaf, the node itself,
    when the impurity rises by no more than is accepted; until no such node is left.

    The rise is sum_j w_j / w_t (i(t) - i(j)) over the children j, times w_t / w_root for "share", and divided by
    i(root) for "root" (which is a number between 0 and 1 whatever the unit of the target). i : the impurity that the
    tree was grown by, w : weights as it was judged by (altered by priors and costs). Rows that stay at the node for
    want of a value count as they are. Leaves are merged all together: a node cannot lose some of its branches only.
    accepted : 0 or more, in the unit chosen. Source: Duda, Hart & Stork (2001), section 8.4.
    """
    scale = _own_scale(tree, unit)
    rise = settled(rises(tree, unit), scale, OF_GAINS)
    impurity = CRITERIA[tree.criterion].label
    verdict, reasons = np.full(tree.n_nodes, KEEP), {}
    for t in reversed(np.flatnonzero(~tree.is_leaf).tolist()):
        if not above_leaves(tree, verdict, t):
            reasons[t] = Reason("merged leaves", "not considered: not all of its children are leaves")
            continue
        threshold = snapped_threshold(float(rise[t]), accepted, scale=float(scale[t]))
        text = f"{impurity}: merging its leaves raises it by {rise[t]:.6g} {_WORDS[unit]}, {accepted:.6g} is accepted"
        reasons[t] = Reason("merged leaves", text, float(rise[t]), threshold)
        verdict[t] = CUT if reasons[t].cuts else KEEP
    return Cuts(verdict, reasons=reasons)


_WORDS = {"share": "over all rows", "node": "within the node", "root": "of the root's, over all rows"}


def rises(tree: Tree, unit: str) -> np.ndarray:
    """float64 (n_nodes,): how much the impurity rises when a node's children become one leaf; 0 at a leaf."""
    weight = tree.weight_of(tree.stats * tree.class_factor)
    rise = np.zeros(tree.n_nodes)
    lost = weight[1:] * (tree.impurity[tree.parent[1:]] - tree.impurity[1:])
    np.add.at(rise, tree.parent[1:], lost)
    whole = weight if unit == "node" else np.full(tree.n_nodes, weight[0])
    rise = np.divide(rise, whole, out=np.zeros(tree.n_nodes), where=whole > 0)
    return rise / tree.impurity[0] if unit == "root" and tree.impurity[0] > 0 else rise


def _own_scale(tree: Tree, unit: str) -> np.ndarray:
    """float64 (n_nodes,): the largest rise that there can be at each node."""
    weight = tree.weight_of(tree.stats * tree.class_factor)
    scale = tree.impurity * (1.0 if unit == "node" else weight / weight[0])
    return scale / tree.impurity[0] if unit == "root" and tree.impurity[0] > 0 else scale


MERGE_SIBLINGS = Pruner(
    name="merge_siblings",
    label="Merging sibling leaves",
    formula=r"\sum_j \tfrac{n_j}{n} \big(i(t) - i(t_j)\big) \le \beta",
    source="Duda, Hart & Stork (2001)",
    cuts=merge_siblings,
    not_for=("effects",),
    why_task="what splits gain there is no fall of an impurity",
    parameters=(
        Parameter(
            "accepted", "Accepted rise of the impurity", 0.01, 0.0, "in the unit of the impurity it was grown by"
        ),
        Parameter("unit", "The rise is counted", "share", choices=UNITS),
    ),
)
