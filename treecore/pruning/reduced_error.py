"""Reduced-error pruning: a branch must earn its keep on rows the tree has not seen."""

import numpy as np

from treecore.errors import TreecoreError
from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason
from treecore.pruning.pruner import Given, Parameter, Pruner
from treecore.pruning.risk import leaf_errors, node_weight
from treecore.tree.tally import node_statistics
from treecore.tree.tree import Tree


def reduced_error(tree: Tree, given: Given, epsilon: float = 0.0) -> Cuts:
    """Bottom-up, make a node a leaf when that does not raise the error on the validation rows.

    epsilon : accepted rise of the error rate (mean squared error), 0 or more.
    The children are judged as pruned, so one pass gives the smallest best subtree.
    """
    validation = given.need_validation("Reduced-error pruning")
    stats = node_statistics(tree, validation)
    total = node_weight(tree, stats)[0]
    if total <= 0:
        raise TreecoreError(
            "No validation row has a known target and a weight above 0",
            where="Roles",
            remedy="Leave out the rows whose target is missing before splitting",
        )
    as_leaf = leaf_errors(tree, stats)
    allowed = epsilon * total
    best = np.zeros(tree.n_nodes)
    verdict = np.full(tree.n_nodes, KEEP)
    reasons = {}
    for t in range(tree.n_nodes - 1, -1, -1):
        if tree.is_leaf[t]:
            best[t] = as_leaf[t]
            continue
        branches = float(best[list(tree.children(t))].sum())
        # sums of weights carry rounding; an error equal up to 1e-9 is equal
        cut = as_leaf[t] <= branches + allowed + 1e-9 * abs(branches)
        verdict[t] = CUT if cut else KEEP
        best[t] = as_leaf[t] if cut else branches
        text = f"validation error {as_leaf[t]:.6g} as a leaf, {branches:.6g} with its branches"
        reasons[t] = Reason("reduced error", text, float(as_leaf[t]), branches + allowed)
    return Cuts(verdict, reasons=reasons, judged_by="validation rows")


REDUCED_ERROR = Pruner(
    name="reduced_error",
    label="Reduced error",
    formula=r"E_{\text{validation}}(t) \le E_{\text{validation}}(T_t) + \varepsilon",
    source="Quinlan (1987)",
    cuts=reduced_error,
    needs_validation=True,
    parameters=(Parameter("epsilon", "Accepted rise of the error ε", 0.0, 0.0),),
)
