"""J48's own pruners: the collapse that its fit makes before any pruning, and reduced error by its option -R."""

import numpy as np

from treecore.pruning.cuts import CUT, KEEP, Cuts, PruneDecision, Reason
from treecore.pruning.pruner import LINES_OF_CLASSES, Parameter, Pruner, PruningContext
from treecore.pruning.validation import check_judged
from treecore.tree.node_statistics import end_statistics
from treecore.tree.tree import Tree

EQUAL = 1e-6
"""A class is more frequent than those before it if its weight, maybe a sum of fractions, is larger by more."""


def j48_collapse(tree: Tree, given: PruningContext, slack: float = 1e-3) -> Cuts:
    """From the root down, make a node a leaf when its branches save no more than `slack` training errors.

    A node is judged with all that grew below it, before anything there is taken back; below a node that becomes
    a leaf nothing is judged. Errors are weights of training rows. Classification only.
    Source: behaviour of Weka 3.6 (J48); Quinlan (1993) does the same while growing.
    """
    as_leaf = training_errors(tree.stats)
    below = tree.add_up(np.where(tree.is_leaf, as_leaf, 0.0))
    verdict, waiting = np.full(tree.n_nodes, KEEP), [0]
    reasons: dict[int, Reason] = {}
    while waiting:
        t = waiting.pop()
        given.look(len(reasons), tree.n_nodes)
        if tree.is_leaf[t]:
            continue
        text = f"training errors {as_leaf[t]:.6g} as a leaf, {below[t]:.6g} with its branches"
        reasons[t] = Reason("J48 collapse", text, float(as_leaf[t]), float(below[t]) + slack)
        if below[t] >= as_leaf[t] - slack:
            verdict[t] = CUT
        else:
            waiting += reversed(tree.children(t))
    return Cuts(verdict, reasons=reasons)


def training_errors(stats: np.ndarray) -> np.ndarray:
    """float64 (n_nodes,): weight of all classes but the most frequent one.

    stats : float64 (n_nodes, n_classes), class weights.
    """
    return stats.sum(axis=1) - stats[np.arange(len(stats)), largest_class(stats)]


def largest_class(amounts: np.ndarray, at_first: float = 0.0) -> np.ndarray:
    """int64 (n,): the last class that exceeds the largest one before it by more than EQUAL; of all 0 the first.

    amounts : float64 (n, n_classes), weights or probabilities. at_first : what the first class must exceed.
    """
    label, most = np.zeros(len(amounts), np.int64), np.full(len(amounts), at_first)
    for k in range(amounts.shape[1]):
        more = amounts[:, k] - most > EQUAL
        label, most = np.where(more, k, label), np.where(more, amounts[:, k], most)
    return label


J48_COLLAPSE = Pruner(
    name="j48_collapse",
    label="J48's collapse",
    formula=r"\sum_{\ell \in T_t} e(\ell) \ge e(t) - 0.001",
    source="Weka 3.6 (J48)",
    cuts=j48_collapse,
    parameters=(Parameter("slack", "Errors that branches must save", 1e-3, 0.0),),
    task="classification",
    not_for=(LINES_OF_CLASSES,),
    why_task="it counts classification errors",
)


# J48's reduced-error pruning, its option -R: rows kept back from growing judge, shared like all others.


def j48_reduced_error(tree: Tree, given: PruningContext) -> Cuts:
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
        decisions.append(PruneDecision(t, int(verdict[t]), _reason(float(as_leaf[t]), branches, given.judges)))
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
    not_for=(LINES_OF_CLASSES,),
    why_task="it counts classification errors",
)
