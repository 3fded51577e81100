"""Reduced-error pruning: a branch must earn its keep on rows the tree has not seen."""

import heapq
from collections.abc import Callable

import numpy as np

from treecore.judging.losses import OWN, error_name
from treecore.judging.measures import ADDITIVE
from treecore.pruning.cuts import CUT, KEEP, Cuts, PruneDecision, Reason, above_leaves
from treecore.pruning.pruner import Parameter, Pruner, PruningContext
from treecore.pruning.risk import scale_of_errors, snapped_threshold
from treecore.pruning.validation import rows_text, validation_losses
from treecore.tree.tree import Losses, Tree


def reduced_error(
    tree: Tree, given: PruningContext, epsilon: float = 0.0, order: str = "bottom-up", measure: str = OWN
) -> Cuts:
    """Make a node a leaf when that does not raise the error on the validation rows.

    epsilon : accepted rise at each node, of the error rate, cost per row or whatever is the measure; 0 or more.
    order : in which the inner nodes are tested. Each test compares the node as a leaf with what its branches are by
        then, so the order matters:
        "bottom-up" : children first, Quinlan's (1987). Without epsilon the result is the smallest of the subtrees with
            the least validation error; no other order can do better.
        "leaves" : the same, but only nodes whose children are all leaves by then: one kept branch keeps all above it.
        "top-down" : parents first, once each; a node is compared with all that grew below it, so that it may go though
            a pruned part of it would have been better still.
        "best-first" : again and again the node whose removal lowers the error most (the first of equals), until every
            removal raises it: Mitchell (1997). It may remove a good part with a bad one as well.
    measure : a name in judging.measures.MEASURED that adds up over rows, by which nodes are compared.
    """
    trial = _PartlyPruned(
        tree, validation_losses(tree, given, "Reduced-error pruning", measure), epsilon, given, measure
    )
    _ORDERS[order](trial)
    rows = rows_text(tree, given)
    return Cuts(trial.verdict, reasons=trial.reasons, judged_by=rows, decisions=tuple(trial.decisions))


class _PartlyPruned:
    """The tree as pruned so far. now : float64 (n_nodes,), error of every node with what is left below. judges : the
    role of the rows whose error that is."""

    def __init__(self, tree: Tree, losses: Losses, epsilon: float, given: PruningContext, measure: str):
        self.tree, self.ends, self.judges, self.named = tree, losses.ends, given.judges, error_name(tree, measure)
        self.as_leaf, self.allowed = losses.through, epsilon * losses.weight
        self.now = tree.add_up(losses.ends)
        self.verdict, self.scale = np.full(tree.n_nodes, KEEP), scale_of_errors(tree, losses.through, measure)
        self.reasons: dict[int, Reason] = {}
        self.decisions: list[PruneDecision] = []
        self.inner, self.told = np.flatnonzero(~tree.is_leaf).tolist(), given.told

    def refresh(self, t: int) -> None:
        """Add up again what stands below an inner node; rows may end at the node itself."""
        self.now[t] = self.ends[t] + self.now[list(self.tree.children(t))].sum()

    def reason(self, t: int) -> Reason:
        as_leaf, branches = float(self.as_leaf[t]), float(self.now[t])
        text = f"{self.judges} {self.named} {as_leaf:.6g} as a leaf, {branches:.6g} with its branches"
        text += f" ({self.allowed:.6g} more accepted)" if self.allowed else ""
        threshold = snapped_threshold(as_leaf, branches + self.allowed, self.scale[t])
        return Reason("reduced error", text, as_leaf, threshold)

    def test(self, t: int) -> bool:
        """Make the node a leaf if that is accepted."""
        reason = self.reasons[t] = self.reason(t)
        if reason.cuts:
            self.verdict[t], self.now[t] = CUT, self.as_leaf[t]
        self.decisions.append(PruneDecision(t, int(self.verdict[t]), reason))
        return reason.cuts

    def gain(self, t: int) -> float:
        """How much the error falls when the node becomes a leaf, rounded so that equals are equal."""
        return round(float((self.now[t] - self.as_leaf[t]) / (self.as_leaf[0] or 1.0)), 12)


def _bottom_up(trial: _PartlyPruned) -> None:
    for t in trial.told(trial.inner[::-1]):
        trial.refresh(t)
        trial.test(t)


def _above_leaves(trial: _PartlyPruned) -> None:
    for t in trial.told(trial.inner[::-1]):
        trial.refresh(t)
        if above_leaves(trial.tree, trial.verdict, t):
            trial.test(t)
        else:
            trial.reasons[t] = Reason("reduced error", "not tested: not all of its children are leaves")


def _top_down(trial: _PartlyPruned) -> None:
    waiting = [0]
    for t in waiting:  # grows while it is read
        if not trial.tree.is_leaf[t] and not trial.test(t):
            waiting += trial.tree.children(t)


def _best_first(trial: _PartlyPruned) -> None:
    tree, gone = trial.tree, np.zeros(trial.tree.n_nodes, bool)
    heap = [(-trial.gain(t), t) for t in trial.inner]
    heapq.heapify(heap)
    while heap:
        gain, t = heapq.heappop(heap)
        # cut with a node above it, or listed again with another gain, or not worth it
        if gone[t] or -gain != trial.gain(t) or not trial.test(t):
            continue
        _mark(tree, t, gone)
        for above in reversed(tree.path(t)[:-1]):
            trial.refresh(above)
            heapq.heappush(heap, (-trial.gain(above), above))


def _mark(tree: Tree, t: int, gone: np.ndarray) -> None:
    """Mark a node and all below it that are not marked yet."""
    waiting = [t]
    while waiting:
        node = waiting.pop()
        if not gone[node]:
            gone[node] = True
            waiting += tree.children(node)


_ORDERS: dict[str, Callable[[_PartlyPruned], None]] = {
    "bottom-up": _bottom_up, "leaves": _above_leaves, "top-down": _top_down, "best-first": _best_first,
}  # fmt: skip

REDUCED_ERROR = Pruner(
    name="reduced_error",
    label="Reduced error",
    formula=r"E_{\text{validation}}(t) \le E_{\text{validation}}(T_t) + \varepsilon",
    source="Quinlan (1987)",
    cuts=reduced_error,
    needs_validation=True,
    parameters=(
        Parameter("epsilon", "Accepted rise of the error ε", 0.0, 0.0, "of the error rate, or the measure per row"),
        Parameter(
            "order", "Order of the tests", "bottom-up", note="the result depends on which nodes are tested first",
            choices=(
                ("bottom-up", "Children first (Quinlan)"),
                ("leaves", "Children first, only above leaves"),
                ("top-down", "Parents first"),
                ("best-first", "Largest fall of the error first (Mitchell)"),
            ),
        ),
        Parameter("measure", "Nodes compared by", OWN, choices=ADDITIVE),
    ),
)  # fmt: skip
