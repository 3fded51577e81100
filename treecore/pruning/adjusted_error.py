"""M5's pruning: a node's own model against its branches, by the error in training adjusted for the numbers fitted."""

import numpy as np

from treecore.pruning.cuts import CUT, KEEP, Cuts, PruneDecision, Reason
from treecore.pruning.pruner import Pruner, PruningContext
from treecore.pruning.risk import snapped_threshold, training_risk
from treecore.tree.line_fit import adjusted_error
from treecore.tree.tree import Tree

NEGLIGIBLE = 1e-5
"""Share of the target's standard deviation below which an error counts as none, as in Weka."""


def m5_pruning(tree: Tree, given: PruningContext) -> Cuts:
    """Children first, make a node a leaf when its adjusted error as a leaf is no larger than that with its branches.

    The adjusted error is (n + v) / (n - v) times the root mean squared error on the node's n training rows; v counts
    the numbers that were fitted: a mean is 1, a line one more for every feature, branches those of their leaves and 1
    for the split. Source: Quinlan (1992), M5; Wang and Witten (1997), M5', whose square root of mean squares it is.
    """
    through, inside = training_risk(tree)
    n = tree.weight * (tree.n_rows[0] / tree.weight[0])
    scale = n / np.maximum(tree.weight, 1e-300)
    own = np.ones(tree.n_nodes) if tree.lines is None else 1.0 + tree.lines.n_terms
    error, parameters = through.copy(), own.copy()
    alone = adjusted_error(through * scale, n, own)
    least = NEGLIGIBLE * np.sqrt(max(float(tree.impurity[0]), 0.0)) if tree.median is None else 0.0
    decisions = []
    for t in given.told([t for t in range(tree.n_nodes - 1, -1, -1) if not tree.is_leaf[t]]):
        children = list(tree.children(t))
        below, fitted = inside[t] + error[children].sum(), parameters[children].sum() + 1.0
        branches = float(adjusted_error(below * scale[t], n[t], fitted))
        reason = _reason(float(alone[t]), snapped_threshold(float(alone[t]), branches), least, int(own[t]), int(fitted))
        if not reason.cuts:
            error[t], parameters[t] = below, fitted
        decisions.append(PruneDecision(t, CUT if reason.cuts else KEEP, reason))
    verdict = np.full(tree.n_nodes, KEEP)
    verdict[[d.node for d in decisions]] = [d.verdict for d in decisions]
    return Cuts(verdict, reasons={d.node: d.reason for d in decisions}, decisions=tuple(decisions))


def _reason(alone: float, branches: float, least: float, own: int, fitted: int) -> Reason:
    numbers = "1 number" if own == 1 else f"{own} numbers"
    text = f"adjusted error {alone:.6g} as a leaf ({numbers} fitted), {branches:.6g} with its branches ({fitted})"
    return Reason("M5's pruning", text, alone, max(branches, least))


ADJUSTED_ERROR = Pruner(
    name="m5",
    label="M5's adjusted error",
    formula=r"\frac{n + v}{n - v}\,\mathrm{RMSE}(t) \le \frac{n + v_T}{n - v_T}\,\mathrm{RMSE}(T_t)",
    source="Quinlan (1992); Wang & Witten (1997)",
    cuts=m5_pruning,
    task="regression",
    not_for=("row loss",),
    why_task="it compares root mean squared errors",
)
