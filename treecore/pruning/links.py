"""Weakest links in numbers: R(t), R(T_t), |T_t| and g(t) of every node, at any step of the nested sequence."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.pruning.risk import training_risk
from treecore.pruning.rounding import ROUNDING
from treecore.pruning.sequence import Sequence


@dataclass(frozen=True, eq=False, repr=False)
class Links(Brief):
    """The inner nodes of the grown tree, seen in one subtree of the sequence; entry i is node `node[i]`.

    node : int64, weakest first: those that still have branches by g, then the others by the step at which they fell.
    risk : float64, R(t), its cost as a leaf. branch_risk : float64, R(T_t), that of the leaves below it here.
    n_leaves : int64, |T_t|, how many these are. g : float64, (R(t) - R(T_t)) / (|T_t| - 1), what a leaf of its
        branches saves. branch_risk, n_leaves and g are NaN (0) where the node has no branches here.
    step : int64, the step at which it becomes a leaf. alpha : float64, the alpha of that step.
    """

    node: np.ndarray
    risk: np.ndarray
    branch_risk: np.ndarray
    n_leaves: np.ndarray
    g: np.ndarray
    step: np.ndarray
    alpha: np.ndarray

    def __len__(self) -> int:
        return len(self.node)

    @property
    def stands(self) -> np.ndarray:
        """bool: has branches in this subtree."""
        return self.n_leaves > 0

    def place(self, node: int) -> int | None:
        """Where this node stands in the arrays; None for a leaf of the grown tree."""
        found = np.flatnonzero(self.node == node)
        return int(found[0]) if len(found) else None


def links(steps: Sequence, k: int = 0) -> Links:
    """The links of subtree k; its smallest g is the alpha of step k + 1, and the nodes that have it fall there.

    Rows whose route ends in an inner node count for its branch with what they cost there.
    Source: Breiman et al. (1984), weakest-link cutting.
    """
    tree = steps.tree
    risk, inside = (cost / tree.weight[0] for cost in training_risk(tree, steps.by))
    alive = steps.until > k
    leaf = alive & (tree.is_leaf | (steps.step <= k))
    cost = np.where(leaf, risk, np.where(alive, inside, 0.0))
    below = tree.add_up(np.stack([cost, leaf], axis=1))
    node = np.flatnonzero(~tree.is_leaf)
    inner = (alive & ~leaf)[node]
    branch_risk = np.where(inner, below[node, 0], np.nan)
    n_leaves = np.where(inner, np.rint(below[node, 1]), 0).astype(np.int64)
    saved = risk[node] - branch_risk
    saved = np.where(np.abs(saved) <= ROUNDING * risk[node], 0.0, saved)  # sums of shares carry rounding
    g = saved / np.maximum(n_leaves - 1, 1)
    order = np.lexsort((node, steps.step[node], np.where(inner, g, 0.0), ~inner))
    found = (node, risk[node], branch_risk, n_leaves, g, steps.step[node], steps.link[node])
    return Links(*(values[order] for values in found))
