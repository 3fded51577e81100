"""Quinlan's older, pessimistic pruning: training errors plus one half for every leaf."""

import numpy as np

from treecore.judging.losses import misclassified
from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason
from treecore.pruning.pruner import LINES_OF_CLASSES, Parameter, Pruner, PruningContext
from treecore.pruning.risk import snapped_threshold, staying
from treecore.tree.tree import Tree

HALF = 0.5
"""The continuity correction of the binomial distribution, in rows for each leaf."""


def pessimistic(tree: Tree, given: PruningContext, standard_error: bool = True) -> Cuts:
    """From the root down, make a node a leaf when its corrected errors are within those of its branches.

    A node with E training errors has E + 1/2 as a leaf; its L leaves with J errors together have J + L/2, plus, with
    standard_error, one standard error sqrt(e (N - e) / N) of e = J + L/2 among N rows. Below a node that becomes a leaf
    nothing is judged. Leaves without rows count as leaves.
    Errors are weights of rows of another class than the label (times prior over training share), whatever they cost:
    the correction is one of counts. Source: Quinlan (1987), Simplifying decision trees.
    """
    rows = (tree.stats * tree.prior_factor).sum(axis=1)
    as_leaf = misclassified(tree, tree.stats)
    below = tree.add_up(misclassified(tree, staying(tree)))
    n_leaves = tree.add_up(tree.is_leaf.astype(float))
    corrected = below + HALF * n_leaves
    spread = _standard_error(corrected, rows) if standard_error else np.zeros(tree.n_nodes)
    verdict, reasons, waiting = np.full(tree.n_nodes, KEEP), {}, [0]
    for t in waiting:  # grows while it is read
        if tree.is_leaf[t]:
            continue
        number = float(as_leaf[t]) + HALF
        threshold = snapped_threshold(number, float(corrected[t] + spread[t]))
        error = f" + standard error {spread[t]:.6g}" if standard_error else ""
        text = f"corrected errors {number:.6g} as a leaf, {corrected[t]:.6g}{error} with its {n_leaves[t]:.0f} leaves"
        details = (
            ("errors as a leaf", float(as_leaf[t])), ("errors with branches", float(below[t])),
            ("leaves", float(n_leaves[t])), ("standard error", float(spread[t])),
        )  # fmt: skip
        reasons[t] = Reason("pessimistic", text, number, threshold, details=details)
        if reasons[t].cuts:
            verdict[t] = CUT
        else:
            waiting += tree.children(t)
    return Cuts(verdict, reasons=reasons)


def _standard_error(errors: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """float64: sqrt(e (N - e) / N) of a binomial count; 0 without rows, or with more (corrected) errors than rows."""
    variance = np.divide(errors * (rows - errors), rows, out=np.zeros_like(errors), where=rows > 0)
    return np.sqrt(np.maximum(variance, 0.0))


PESSIMISTIC = Pruner(
    name="pessimistic",
    label="Pessimistic (½ per leaf)",
    formula=r"e(t) + \tfrac12 \le e(T_t) + \tfrac12 |T_t| + SE",
    source="Quinlan (1987)",
    cuts=pessimistic,
    parameters=(Parameter("standard_error", "Allow one standard error", True),),
    task="classification",
    not_for=(LINES_OF_CLASSES,),
    why_task="it counts classification errors",
)
