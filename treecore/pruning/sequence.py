"""The nested sequence of cost-complexity pruning, and any data's error along it, in one pass."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.kernels.collapse import weakest_links
from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason
from treecore.pruning.risk import leaf_errors, node_weight
from treecore.tree.tally import node_statistics
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Sequence:
    """Nested subtrees from the grown tree (step 0, alpha 0) to the root alone (the last step).

    alpha : float64 (n_steps,), rising; subtree k is the smallest best one for alpha[k] <= alpha < alpha[k+1]
        (alpha[1] is 0 as well when some splits do not lower the training risk at all).
    n_leaves : int64 (n_steps,). risk : float64 (n_steps,), training error rate (or mean squared error).
    step : int64 (n_nodes,), the step at which a node becomes a leaf; n_steps for a leaf of the grown tree.
    link : float64 (n_nodes,), the alpha of that step (infinite at a leaf).
    """

    tree: Tree
    alpha: np.ndarray
    n_leaves: np.ndarray
    risk: np.ndarray
    step: np.ndarray
    link: np.ndarray

    def __len__(self) -> int:
        return len(self.alpha)

    @cached_property
    def until(self) -> np.ndarray:
        """int64 (n_nodes,): the first step whose subtree no longer contains the node (n_steps: never gone).

        A node goes when its parent becomes a leaf; the steps are nested, so no ancestor did so before.
        """
        until = self.step[self.tree.parent].astype(np.int64)
        until[0] = len(self)
        return until

    def at_alpha(self, alpha: float) -> int:
        """The step of the smallest subtree that minimises risk + alpha * leaves."""
        if not alpha >= 0:
            raise TreecoreError(f"{alpha!r} is not possible", where="alpha", remedy="Give a number of at least 0")
        return int(np.searchsorted(self.alpha * (1 - 1e-12), alpha, side="right")) - 1

    def with_leaves(self, n_leaves: int) -> int:
        """The step of the largest subtree with at most this many leaves."""
        return int(np.argmax(self.n_leaves <= max(n_leaves, 1)))

    def cuts(self, k: int) -> Cuts:
        """Cuts that leave subtree k, with the alpha that decided at every node."""
        cut = (self.step <= k) & ~self.tree.is_leaf
        alpha = float(self.alpha[k])
        reasons = {
            int(t): Reason("cost complexity", f"α = {self.link[t]:.4g}", float(self.link[t]), alpha)
            for t in np.flatnonzero(~self.tree.is_leaf)
        }
        return Cuts(np.where(cut, CUT, KEEP), reasons=reasons)

    def curve(self, table: Table) -> np.ndarray:
        """float64 (n_steps,): error rate (or mean squared error) of every subtree on a table's rows.

        NaN if the table has no rows with a known target.
        """
        stats = node_statistics(self.tree, table)
        total = node_weight(self.tree, stats)[0]
        if total <= 0:
            return np.full(len(self), np.nan)
        return self.along(leaf_errors(self.tree, stats)) / total

    def along(self, amount: np.ndarray) -> np.ndarray:
        """Sum of a per-node amount over the leaves of every subtree: float64 (n_steps,).

        Node t is a leaf from the step at which it is collapsed until an ancestor is: its amount is
        added to a difference array at the one and taken off at the other.
        """
        begin = np.where(self.tree.is_leaf, 0, self.step)
        end = self.until
        lives = begin < end
        change = np.zeros(len(self) + 1)
        np.add.at(change, begin[lives], amount[lives])
        np.subtract.at(change, end[lives], amount[lives])
        return np.cumsum(change)[:-1]


def sequence(tree: Tree, risk: str = "error") -> Sequence:
    """The nested sequence of a grown tree by weakest-link cutting (Breiman et al. 1984, chapter 3).

    risk : "error" takes R(t) = training error rate (mean squared error for regression), in units of
        alpha per leaf; "impurity" takes the criterion's impurity times the node's share (scikit-learn).
    """
    if risk not in ("error", "impurity"):
        remedy = "Choose one of: error, impurity"
        raise TreecoreError(f"There is no risk called {risk!r}", where="risk", remedy=remedy)
    total = tree.weight[0]
    per_node = leaf_errors(tree, tree.stats) if risk == "error" else tree.impurity * tree.weight
    links = tree.parent.astype(np.int64), tree.n_children.astype(np.int64)
    tolerance = 1e-10 * per_node[0] / total
    step, alpha, n_leaves, risks = weakest_links(*links, per_node / total, tolerance)
    step = _first_collapse(tree, step, len(alpha))
    link = np.append(alpha, np.inf)[step]
    return Sequence(tree, alpha, n_leaves, risks, step, link)


def _first_collapse(tree: Tree, step: np.ndarray, never: int) -> np.ndarray:
    """Steps with the gaps filled: a node that vanished below another fell with it; leaves never fall."""
    filled = np.where(step < 0, never, step)
    for nodes in tree.levels[1:]:
        fell = nodes[(step[nodes] < 0) & ~tree.is_leaf[nodes]]
        filled[fell] = filled[tree.parent[fell]]
    return filled
