"""J48's reduced-error pruning, its option -R: rows kept back from growing judge, shared like all others."""

import numpy as np

from treecore.pruning.cuts import CUT, KEEP, Cuts, Decision, Reason
from treecore.pruning.j48_collapse import EQUAL, largest_class
from treecore.pruning.pruner import Given, Pruner
from treecore.pruning.validation import check_judged
from treecore.tree.tally import end_statistics
from treecore.tree.tree import Tree


def j48_reduced_error(tree: Tree, given: Given) -> Cuts:
    """From the leaves up, make a node a leaf when it makes no more errors on the validation rows than its branches do.

    Errors are weights of rows; one without a value counts in every branch by its share. Nothing is collapsed before.
    A node answers with its most frequent training class, one without training rows with its parent's. Weka takes one
    of N folds of its rows to prune with (-N 3: a third); here these are the validation rows. Classification only.
    Source: behaviour of Weka 3.6 (J48 -R).
    """
    ends = end_statistics(tree, given.need_validation("J48's reduced-error pruning"))
    through = tree.add_up(ends)
    check_judged(tree.weight_of(through[0]))
    label = largest_class(tree.stats[tree.answer])
    as_leaf, below = (_errors(stats, np.where(tree.answer < 0, -1, label)) for stats in (through, ends))
    verdict, decisions = np.full(tree.n_nodes, KEEP), []
    for t in range(tree.n_nodes - 1, -1, -1):
        if tree.is_leaf[t]:
            continue
        branches = float(below[t] + below[list(tree.children(t))].sum())
        verdict[t] = CUT if as_leaf[t] - branches < EQUAL else KEEP
        below[t] = as_leaf[t] if verdict[t] == CUT else branches
        decisions.append(Decision(t, int(verdict[t]), _reason(float(as_leaf[t]), branches, given.judges)))
    reasons = {d.node: d.reason for d in decisions}
    return Cuts(verdict, reasons=reasons, judged_by=f"{given.judges} rows", decisions=tuple(decisions))


def _errors(stats: np.ndarray, label: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): weight of the rows of other classes than the label; of all rows where that is -1."""
    right = np.where(label < 0, 0.0, stats[np.arange(len(stats)), label])
    return stats.sum(axis=1) - right


def _reason(as_leaf: float, branches: float, judges: str) -> Reason:
    text = f"{judges} errors {as_leaf:.6g} as a leaf, {branches:.6g} with its branches"
    threshold = as_leaf if abs(as_leaf - branches) < EQUAL else branches
    return Reason("J48 reduced error", text, as_leaf, threshold, details=(("with its branches", branches),))


J48_REDUCED_ERROR = Pruner(
    name="j48_reduced_error",
    label="J48's reduced error (-R)",
    formula=r"E_{\text{validation}}(t) \le \sum_{\ell \in T_t} E_{\text{validation}}(\ell)",
    source="Weka 3.6 (J48 -R)",
    cuts=j48_reduced_error,
    needs_validation=True,
    task="classification",
    why_task="it counts classification errors",
)
