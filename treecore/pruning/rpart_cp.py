"""rpart's complexity parameter: what its fit cuts away while it grows."""

import numpy as np

from treecore.criteria.criterion import missed
from treecore.errors import TreecoreError
from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason
from treecore.pruning.pruner import Parameter, Pruner, PruningContext
from treecore.pruning.risk import training_risk
from treecore.target.rounding import OF_GAINS, settled
from treecore.tree.tree import Tree


def rpart_cp(tree: Tree, given: PruningContext, cp: float = 0.01) -> Cuts:
    """Cut what rpart would not have kept at this cp (0 or more, a share of the root's risk per split).

    rpart judges a node when both its branches are finished, left first, and gives up a branch whose own
    complexity is below that of the node as a whole; it also stops where a bound from above says that no
    split can be worth cp. The result is nearly always, but not always, the smallest minimiser of cost
    complexity. Binary trees only. Source: behaviour of rpart 4.1 (Therneau and Atkinson).
    """
    if not cp >= 0:
        raise TreecoreError(f"{cp!r} is not possible", where="cp", remedy="Give a number of at least 0")
    if (tree.n_children > 2).any():
        remedy = "Grow with binary splits, or choose cost complexity"
        raise TreecoreError("rpart's cp is defined for binary splits", where="cp", remedy=remedy)
    risk = _risks(tree)
    # sums of weighted costs carry rounding: a complexity that equals cp up to 1e-12 is not above it
    alpha = (cp + 1e-12) * risk[0]
    complexity = _complexities(tree, risk, alpha)
    cut = ~tree.is_leaf & (complexity <= alpha)
    share = settled(complexity, risk, OF_GAINS) / (risk[0] if risk[0] > 0 else 1.0)
    limit = np.where(cut, np.maximum(share, cp), cp)  # where they differ by rounding only, they are equal
    reasons = {
        t: Reason("rpart cp", f"complexity {share[t]:.4g}", float(share[t]), float(limit[t]))
        for t in np.flatnonzero(~tree.is_leaf).tolist()
    }
    return Cuts(np.where(cut, CUT, KEEP), reasons=reasons)


def _risks(tree: Tree) -> np.ndarray:
    """float64 (n_nodes,): the risk of every node as a leaf, summed up class by class as rpart does: it compares
    complexities to the last bit, and which of equal ones is larger follows from how they were rounded."""
    if not tree.classes:
        return training_risk(tree)[0]
    k = len(tree.classes)
    loss = 1.0 - np.eye(k) if tree.loss is None else missed(tree.loss)
    costs = np.zeros((tree.n_nodes, k))
    for true in range(k):
        costs += tree.stats[:, true, None] * loss[true] * tree.prior_factor[true]
    return costs.min(axis=1)


def _complexities(tree: Tree, risk: np.ndarray, alpha: float) -> np.ndarray:
    """float64 (n_nodes,): complexity of every node in units of risk, alpha where rpart would not split.

    An explicit stack in place of recursion: (node, bound) going down, and coming back after each branch.
    """
    complexity = np.full(tree.n_nodes, alpha)
    splits, below = np.zeros(tree.n_nodes, np.int64), risk.copy()
    waiting = [(0, risk[0], 0)]
    while waiting:
        t, bound, stage = waiting.pop()
        limit = min(risk[t], bound)
        if tree.is_leaf[t] or limit <= alpha:
            continue
        left = int(tree.first_child[t])
        if stage == 0:
            waiting += [(t, bound, 1), (left, limit - alpha, 0)]
        elif stage == 1:
            gain = max((risk[t] - below[left]) / (splits[left] + 1), risk[t] - risk[left])
            waiting += [(t, bound, 2), (left + 1, min(gain, bound) - alpha, 0)]
        else:
            _finish(t, left, risk, alpha, complexity, splits, below)
    return complexity


def _finish(t: int, left: int, risk, alpha: float, complexity, splits, below) -> None:
    """Judge a node whose branches are finished; a branch weaker than the node is given up first."""
    remaining = {b: (below[b], splits[b]) for b in (left, left + 1)}

    def worth() -> float:
        return (risk[t] - sum(r for r, _ in remaining.values())) / (sum(s for _, s in remaining.values()) + 1)

    weaker, stronger = (left, left + 1) if complexity[left + 1] > complexity[left] else (left + 1, left)
    for branch in (weaker, stronger):
        if worth() <= complexity[branch]:
            break
        remaining[branch] = (risk[branch], 0)
    complexity[t] = worth()
    if complexity[t] > alpha:
        below[t] = sum(r for r, _ in remaining.values())
        splits[t] = sum(s for _, s in remaining.values()) + 1


RPART_CP = Pruner(
    name="rpart_cp",
    label="rpart's cp",
    formula=r"\frac{R(t) - R(T_t)}{|T_t| - 1} \le cp \cdot R(\text{root})",
    source="rpart 4.1 (Therneau and Atkinson)",
    cuts=rpart_cp,
    parameters=(Parameter("cp", "Complexity parameter cp", 0.01, 0.0),),
)
