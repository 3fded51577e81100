"""REPTree's pruning: reduced error on rows kept for it, which are then put back into the tree."""

import numpy as np

from treecore.pruning.cuts import CUT, KEEP, Cuts, PruneDecision, Reason
from treecore.pruning.pruner import Parameter, Pruner, PruningContext
from treecore.pruning.recount import check_sums
from treecore.pruning.risk import snapped_threshold
from treecore.pruning.validation import check_judged, known_errors, losses_on
from treecore.tree.node_statistics import node_statistics, refuse_counts
from treecore.tree.tree import Tree


def reptree(tree: Tree, given: PruningContext, backfit: bool = True) -> Cuts:
    """Children first, make a node a leaf when it errs no more as a leaf on the validation rows than with its branches.

    Errors are weights of misclassified rows, or sums of squared errors; a row without the value that a split asks
    for counts in every branch by its share. A leaf without training rows answers as its parent does. Then the
    validation rows count in the nodes like training rows (backfit), but rows without a value are still shared by the
    training rows alone. Source: behaviour of Weka 3.6 (REPTree).
    """
    refuse_counts(tree, "REPTree's pruning")
    validation = given.need_validation("REPTree's pruning")
    if backfit:
        check_sums(tree, "REPTree's pruning")
    stats = node_statistics(tree, validation)
    check_judged(tree.weight_of(stats[0]))
    as_leaf = known_errors(tree, stats) if tree.lines is None else losses_on(tree, validation).through
    decisions = list(_decisions(tree, as_leaf, given))
    verdict = np.full(tree.n_nodes, KEEP)
    for decision in decisions:
        verdict[decision.node] = decision.verdict
    return Cuts(
        verdict,
        reasons={d.node: d.reason for d in decisions},
        judged_by=f"{given.judges} rows",
        added=stats if backfit else None,
        decisions=tuple(decisions),
    )


def _decisions(tree: Tree, as_leaf: np.ndarray, given: PruningContext):
    """What becomes of every inner node, children before their parent."""
    best = np.array(as_leaf)
    for t in given.told(range(tree.n_nodes - 1, -1, -1)):
        if tree.is_leaf[t]:
            continue
        leaf, branches = float(as_leaf[t]), float(best[list(tree.children(t))].sum())
        branches = snapped_threshold(leaf, branches)
        reason = Reason("REPTree", _text(tree, leaf, branches, given.judges), leaf, branches)
        best[t] = leaf if reason.cuts else branches
        yield PruneDecision(t, CUT if reason.cuts else KEEP, reason)


def _text(tree: Tree, leaf: float, branches: float, judges: str) -> str:
    unit = f"weight of {judges} rows that err" if tree.classes else f"sum of squared {judges} errors"
    return f"{unit}: {leaf:.6g} as a leaf, {branches:.6g} with its branches"


REPTREE = Pruner(
    name="reptree",
    label="REPTree's pruning",
    formula=r"E_{\text{validation}}(t) \le E_{\text{validation}}(T_t)",
    source="Weka 3.6 (REPTree)",
    cuts=reptree,
    needs_validation=True,
    not_for=("counts", "effects", "row loss"),
    why_task="it counts errors and squares",
    parameters=(
        Parameter(
            "backfit",
            "Put the validation rows back",
            True,
            note="They then count like training rows in the nodes; the splits stay.",
        ),
    ),
)
