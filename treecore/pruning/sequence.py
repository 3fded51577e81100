"""The nested sequence of cost-complexity pruning: any data's error along it in one pass, and its weakest links."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.brief import Brief, text_table
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.judging.losses import OF_ANSWERS, OWN, check_additive, leaf_errors, least_cost
from treecore.kernels.collapse import weakest_links
from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason
from treecore.pruning.recount import check_of_training
from treecore.pruning.risk import ROUNDING, handed_down, loss_moments, training_risk
from treecore.target.rounding import settled
from treecore.tree.node_statistics import add_up_statistics, end_statistics
from treecore.tree.tree import Tree, split_order

RISKS = (
    (OWN, "training error"), ("impurity", "impurity of the criterion"), ("log_loss", "log loss of the class shares"),
    ("brier", "Brier score of the class shares"), ("profit", "missed profit"),
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Sequence(Brief):
    """Nested subtrees from the grown tree (step 0, alpha 0) to the root alone (the last step).

    alpha : float64 (n_steps,), rising; subtree k is the smallest best one for alpha[k] <= alpha < alpha[k+1]
        (alpha[1] is 0 as well when some splits do not lower the training risk at all).
    n_leaves : int64 (n_steps,). risk : float64 (n_steps,), training risk: error rate (or mean squared error),
        or with `by` "impurity" the mean impurity of the rows' leaves; of profits what is missed of the best ones.
    step : int64 (n_nodes,), the step at which a node becomes a leaf; n_steps for a leaf of the grown tree.
    link : float64 (n_nodes,), the alpha of that step (infinite at a leaf).
    by : the name in RISKS that the steps minimise.
    """

    tree: Tree
    alpha: np.ndarray
    n_leaves: np.ndarray
    risk: np.ndarray
    step: np.ndarray
    link: np.ndarray
    by: str = OWN

    def __len__(self) -> int:
        return len(self.alpha)

    def __str__(self) -> str:
        """Each subtree: from which alpha on it is the best one, its leaves and its training risk."""
        rows = (
            (k, f"{a:.6g}", n, f"{r:.6g}")
            for k, (a, n, r) in enumerate(zip(self.alpha, self.n_leaves, self.risk, strict=True))
        )
        table = text_table(("step", "alpha", "leaves", f"training {self.unit}"), rows, len(self), "steps more")
        return f"{len(self):,} nested subtrees, from the grown tree to the root\n\n{table}"

    @cached_property
    def until(self) -> np.ndarray:
        """int64 (n_nodes,): the first step whose subtree no longer contains the node (n_steps: never gone).

        A node goes when its parent becomes a leaf; the steps are nested, so no ancestor did so before.
        """
        until = self.step[self.tree.parent].astype(np.int64)
        until[0] = len(self)
        return until

    @property
    def unit(self) -> str:
        """What alpha and risk are counted in, in words."""
        if self.by not in OF_ANSWERS:
            return {"impurity": "mean impurity", "log_loss": "log loss", "brier": "Brier score"}[self.by]
        return self.tree.target_kind.loss_name(self.tree)

    def at_alpha(self, alpha: float) -> int:
        """The step of the smallest subtree that minimises risk + alpha * leaves."""
        if not alpha >= 0:
            raise TreecoreError(f"{alpha!r} is not possible", where="alpha", remedy="Give a number of at least 0")
        return int(np.searchsorted(self.alpha * (1 - 1e-12), alpha, side="right")) - 1

    def with_leaves(self, n_leaves: int) -> int:
        """The step of the largest subtree with at most this many leaves."""
        return int(np.argmax(self.n_leaves <= max(n_leaves, 1)))

    def step_of(self, cuts: Cuts) -> int | None:
        """The step whose subtree these cuts leave; None for a tree that is not in the sequence."""
        leaf = self.tree.is_leaf | (cuts.verdict == CUT)
        n_leaves = int((leaf & ~cuts.hidden(self.tree)).sum())
        for k in np.flatnonzero(self.n_leaves == n_leaves):
            if not cuts.raised_nodes.size and (cuts.hidden(self.tree) == (self.until <= k)).all():
                return int(k)
        return None

    def cuts(self, k: int, alpha: float | None = None, rule: str = "") -> Cuts:
        """Cuts that leave subtree k, with the alpha that decided at every node.

        alpha : the one that was asked for; None shows the least that gives this subtree. rule : how it was chosen.
        """
        if k not in range(len(self)):
            remedy = f"Count from 0, the grown tree, to {len(self) - 1}, the root alone"
            raise TreecoreError(f"The sequence has no step {k!r}", where="step", remedy=remedy)
        cut = (self.step <= k) & ~self.tree.is_leaf
        limit = self._threshold(k, alpha)
        reasons = {int(t): self._reason(int(t), limit, rule) for t in np.flatnonzero(~self.tree.is_leaf)}
        return Cuts(np.where(cut, CUT, KEEP), reasons=reasons)

    def _threshold(self, k: int, alpha: float | None) -> float:
        """The alpha to hold the links against; none gives the grown tree where some splits save nothing."""
        if k == 0 and self.n_leaves[self.at_alpha(0.0)] < self.n_leaves[0]:
            return float("nan")
        return max(float(self.alpha[k]), float("-inf") if alpha is None else alpha)

    def _reason(self, node: int, limit: float, rule: str) -> Reason:
        worth = float(self.link[node])
        text = f"its branches pay while a leaf costs less than {worth:.4g} in {self.unit}"
        if not worth > 0:
            text = f"its branches do not lower the {self.unit}"
        text += "" if np.isnan(limit) else f"; a leaf costs α = {limit:.4g}"
        return Reason("cost complexity", text + (f" ({rule})" if rule else ""), worth, limit)

    def curve(self, table: Table, ends: np.ndarray | None = None) -> np.ndarray:
        """float64 (n_steps,): error rate (or mean squared error) of every subtree on a table's rows; profits below 0.

        NaN if the table has no rows with a known target. A row shared among several leaves is wrong with the shares
        of those that are; elsewhere it is the error of predicting with each subtree for itself.
        ends : of the table, see node_statistics.end_statistics, where they are known.
        """
        if not self.tree.target_kind.needs_rows(OWN):
            return self._curve_of(end_statistics(self.tree, table) if ends is None else ends)
        sums, weight = self.losses(table)
        return sums[:, 0] / weight if weight > 0 else np.full(len(self), np.nan)

    def _curve_of(self, ends: np.ndarray) -> np.ndarray:
        """The curve where losses follow from statistics."""
        through = add_up_statistics(self.tree, ends)
        total = self.tree.weight_of(through[:1])[0]
        if total <= 0:
            return np.full(len(self), np.nan)
        errors = self.along(leaf_errors(self.tree, through), leaf_errors(self.tree, ends))
        return (errors + least_cost(self.tree, ends.sum(axis=0))) / total

    def losses(self, table: Table, factor: np.ndarray | None = None, measure: str = OWN) -> tuple[np.ndarray, float]:
        """(float64 (n_steps, 2), weight): sums of weight * loss and weight * loss^2 of every subtree's answers.

        factor : float64 (n_classes,), by which rows of a class count. measure : a loss of single rows; see
        risk.loss_moments.
        """
        through, ends, weight = loss_moments(self.tree, table, factor, measure)
        return self.along(through, ends), weight

    def along(self, amount: np.ndarray, inside: np.ndarray | None = None) -> np.ndarray:
        """Sum of a per-node amount over the leaves of every subtree: float64 (n_steps, ...).

        amount : float64 (n_nodes, ...). inside : the same for rows whose route ends in an inner node, summed over the
        inner nodes of the subtree.
        Node t is a leaf from the step at which it is collapsed until an ancestor is: its amount is
        added to a difference array at the one and taken off at the other.
        """
        if inside is not None:
            amount = amount + handed_down(self.tree, inside)
        unknown = np.isnan(amount)
        if unknown.any():  # a difference of NaN would never end
            sums, n_unknown = self.along(np.where(unknown, 0.0, amount)), self.along(unknown.astype(float))
            return np.where(n_unknown > 0.5, np.nan, sums)
        begin, end = np.where(self.tree.is_leaf, 0, self.step), self.until
        lives = begin < end
        change = np.zeros((len(self) + 1, *amount.shape[1:]))
        np.add.at(change, begin[lives], amount[lives])
        np.subtract.at(change, end[lives], amount[lives])
        # a sum carries the rounding of what was added up before it, not of larger amounts behind it
        sums = np.cumsum(change, axis=0)[:-1]
        return settled(sums, np.maximum.accumulate(np.abs(sums), axis=0))


def sequence(tree: Tree, risk: str = OWN) -> Sequence:
    """The nested sequence of a grown tree by weakest-link cutting (Breiman et al. 1984, chapter 3).

    risk : "error" takes R(t) = training error rate (mean squared error for regression), in units of alpha per leaf, or
        what is missed of the best profits, which "profit" asks for by name; "impurity" takes the criterion's impurity
        times the node's share (scikit-learn); "log_loss" and "brier" those of the node's class shares, see
        judging.losses. Where shares are smoothed a split may raise its risk: it costs no alpha to give up.
    Training rows whose route ends in an inner node count there, in every subtree that has it.
    """
    check_of_training(tree, "the nested sequence")
    if risk not in dict(RISKS):
        remedy = "Choose one of: " + ", ".join(dict(RISKS))
        raise TreecoreError(f"There is no risk called {risk!r}", where="risk", remedy=remedy)
    if tree.target_kind.risks and risk not in tree.target_kind.risks:
        what = f"The sequence of a tree of {tree.target_kind.held} is by its own loss"
        raise TreecoreError(what, where="risk", remedy="Choose one of: " + ", ".join(tree.target_kind.risks))
    if risk != "impurity":
        check_additive(tree, risk)
    total = tree.weight[0]
    through, inside = training_risk(tree, risk)
    per_node = through + handed_down(tree, inside)
    links = tree.parent.astype(np.int64), tree.n_children.astype(np.int64)
    step, alpha, n_leaves, risks = weakest_links(*links, per_node / total, ROUNDING)
    step = _first_collapse(tree, step, len(alpha))
    link = np.append(alpha, np.inf)[step]
    return Sequence(tree, alpha, n_leaves, risks, step, link, risk)


def growth_sequence(tree: Tree) -> Sequence:
    """The tree as it was while it grew, from the grown tree to the root: step k has all splits but the last k.

    Its subtrees are nested, too, but are those of no risk: alpha counts the steps, and risk is NaN.
    """
    order = split_order(tree)
    n_leaves = 1 + np.concatenate([[0], np.cumsum(tree.n_children[order] - 1)])[::-1]
    step = np.full(tree.n_nodes, len(n_leaves))
    step[order] = len(order) - np.arange(len(order))
    alpha = np.arange(len(n_leaves), dtype=np.float64)
    return Sequence(tree, alpha, n_leaves, np.full(len(n_leaves), np.nan), step, np.append(alpha, np.inf)[step])


def _first_collapse(tree: Tree, step: np.ndarray, never: int) -> np.ndarray:
    """Steps with the gaps filled: a node that vanished below another fell with it; leaves never fall."""
    filled = np.where(step < 0, never, step)
    for nodes in tree.levels[1:]:
        fell = nodes[(step[nodes] < 0) & ~tree.is_leaf[nodes]]
        filled[fell] = filled[tree.parent[fell]]
    return filled


# Weakest links in numbers: R(t), R(T_t), |T_t| and g(t) of every node, at any step of the nested sequence.


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
        places = np.flatnonzero(self.node == node)
        return int(places[0]) if len(places) else None


def links_at(steps: Sequence, k: int = 0) -> Links:
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
    columns = (node, risk[node], branch_risk, n_leaves, g, steps.step[node], steps.link[node])
    return Links(*(values[order] for values in columns))
