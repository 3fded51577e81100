"""The cost of taking a node as a leaf, on rows that reach it and those that end there; and which costs are equal."""

import math

import numpy as np

from treecore.errors import TreecoreError
from treecore.judging.losses import OWN, check_additive, row_losses
from treecore.tree.node_statistics import add_up_statistics, around_parent, end_statistics, true_target
from treecore.tree.predict import RoutedRows, answers_at, route
from treecore.tree.tree import Tree

# Numbers that are equal but for rounding.

ROUNDING = 1e-12
"""Of a node's risk: branches that save no larger share of it save nothing."""


def snapped_threshold(number: float, threshold: float, scale: float = 0.0) -> float:
    """The threshold, or the number itself where the two differ by rounding only.

    Sums of weights carry rounding: what is compared exactly afterwards must not depend on it.
    scale : numbers below ROUNDING of it are 0. What is far away must not make it large: a node's own numbers.
    """
    return number if math.isclose(number, threshold, rel_tol=1e-9, abs_tol=ROUNDING * scale) else threshold


def last_of_least(error: np.ndarray, same: float = 1e-9) -> tuple[int, float]:
    """(the last of the steps of least error, by how much an error may be more and count as equal).

    error : float64 (n_steps,), along a nested sequence, not NaN everywhere. Errors are sums along it: they carry
    rounding of what was added up before, not of larger errors behind them. same : share of the least error.
    """
    least = int(np.nanargmin(error))
    slack = same * abs(error[least]) + ROUNDING / 10 * np.nanmax(np.abs(error[: least + 1]))
    return int(np.flatnonzero(error <= error[least] + slack)[-1]), float(slack)


def scale_of_errors(tree: Tree, through: np.ndarray, measure: str = OWN) -> np.ndarray:
    """float64 (n_nodes,): how large errors are at each node, for what is rounding there.

    through : losses of the rows in question. Of classes that at the root; of squares of numbers the node's own in
    training; of losses that need the rows, those of the rows in question.
    """
    if tree.target_kind.needs_rows(measure):
        return through
    return tree.target_kind.scale_of_errors(tree, through)


def training_risk(tree: Tree, risk: str = "error") -> tuple[np.ndarray, np.ndarray]:
    """(through, ends), float64 (n_nodes,) both: cost on the training rows that reach a node, and that end there.

    risk : a measure that leaf_errors knows; "impurity" is the criterion's impurity times the node's weight, as splits
        were judged with it. A loss that needs the rows is it, too.
    """
    stay = staying(tree)
    if risk != "impurity":
        return tree.target_kind.training_errors(tree, stay, risk)
    factor = tree.class_factor if tree.classes else 1.0
    through, ends = (tree.impurity * tree.weight_of(stats * factor) for stats in (tree.stats, stay))
    return through, ends


def staying(tree: Tree) -> np.ndarray:
    """float64 (n_nodes, S): statistics of the training rows whose route ends in each node.

    Of an inner node these are the rows whose value its test asks for is missing and that no branch gets.
    """
    branches = np.zeros_like(tree.stats)
    np.add.at(branches, tree.parent[1:], around_parent(tree, tree.stats[1:], np.arange(1, tree.n_nodes)))
    left = np.where(tree.is_leaf[:, None], tree.stats, tree.stats - branches)
    # shares of rows add up to the whole but for rounding
    nobody = ~tree.is_leaf & (tree.weight_of(left) <= 1e-9 * tree.weight)
    return np.where(nobody[:, None], 0.0, left)


def handed_down(tree: Tree, inside: np.ndarray) -> np.ndarray:
    """What inner nodes hold for the rows that stay in them, handed to their first child and on to its first child.

    inside : float64 (n_nodes, ...), an amount per node; of leaves it does not matter. In every subtree exactly one
    leaf has got what an inner node handed down, so that a sum over the leaves is one over all ends of routes.
    """
    down = np.zeros_like(inside)
    for nodes in tree.levels[:-1]:
        nodes = nodes[~tree.is_leaf[nodes]]
        down[tree.first_child[nodes]] = inside[nodes] + down[nodes]
    return down


def loss_moments(
    tree: Tree, table, factor: np.ndarray | None = None, measure: str = OWN
) -> tuple[np.ndarray, np.ndarray, float]:
    """(through, ends, weight): sums over a table's rows of weight * loss and weight * loss^2, per node.

    through, ends : float64 (n_nodes, 2), of the rows that reach a node taken as a leaf, and of those whose route ends
        there. weight : of the rows that are judged. factor : as for row_losses. A row that is shared among branches
        counts as so many rows of smaller weight. table : a Table, or one that counts its rows where they are.
    measure : a loss of single rows, see judging.losses.
    """
    check_additive(tree, measure)
    is_counted = hasattr(table, "end_powers")
    by_rows = tree.target_kind.needs_rows(measure)
    if by_rows or not tree.classes:
        if not is_counted:
            return _row_moments(tree, table, route(tree, table), measure, factor)
        if by_rows:
            what, remedy = tree.target_kind.error_name(tree, measure), "Choose the squared error"
            raise TreecoreError(f"An engine sums up no {what}", where="measure", remedy=remedy)
        return _counted_moments(tree, *table.end_powers(tree))
    ends = end_statistics(tree, table, None if is_counted else route(tree, table))
    through, cost = add_up_statistics(tree, ends), row_losses(tree, measure, factor)
    powers = cost, cost**2
    of_all, of_ends = (np.stack([(stats * p).sum(axis=1) for p in powers], axis=1) for stats in (through, ends))
    return of_all, of_ends, float(through[0].sum())


def _row_moments(
    tree: Tree, table, routes: RoutedRows, measure: str, factor: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, float]:
    """The moments of losses that follow from no statistics: every row is judged at every node of its path."""
    case = np.ones(table.n_rows) if table.weights is None else table.weights
    y, losses = true_target(tree, table)[routes.row], tree.target_kind.row_losses(tree, measure, factor)
    known, answers = tree.target_kind.is_known(y), answers_at(tree, table)
    row, y, at, weight = routes.row[known], y[known], routes.node[known], (routes.share * case[routes.row])[known]
    loss = losses(y, answers(row, at))
    ends = np.stack([np.bincount(at, weight * loss**moment, tree.n_nodes) for moment in (1, 2)], axis=1)
    through, total = ends.copy(), float(weight.sum())
    while len(at):
        above = at > 0
        if not above.all():
            row, y, weight, at = row[above], y[above], weight[above], at[above]
        at = tree.parent[at]
        # far up a deep tree few rows are left on their way: nothing may take as long as there are nodes
        loss = losses(y, answers(row, at))
        np.add.at(through[:, 0], at, weight * loss)
        np.add.at(through[:, 1], at, weight * loss**2)
    return through, ends, total


def _counted_moments(tree: Tree, ends: np.ndarray, center: float) -> tuple[np.ndarray, np.ndarray, float]:
    """The moments of squared errors from sums of powers, float64 (n_nodes, 5), of the rows that end in each node.

    With u = y - center and d = value - center: (u - d)^2 = u^2 - 2du + d^2, and its square likewise.
    """
    d, one = tree.value - center, np.ones(tree.n_nodes)
    squared = np.stack([d**2, -2 * d, one, 0 * d, 0 * d], axis=1)
    fourth = np.stack([d**4, -4 * d**3, 6 * d**2, -4 * d, one], axis=1)

    def moments(powers: np.ndarray) -> np.ndarray:
        sums = np.stack([(squared * powers).sum(axis=1), (fourth * powers).sum(axis=1)], axis=1)
        return np.where(powers[:, :1] > 0, np.maximum(sums, 0.0), 0.0)

    return moments(tree.add_up(ends)), moments(ends), float(ends[:, 0].sum())
