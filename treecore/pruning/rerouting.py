"""Rows sent down a grown tree anew: by the kernels, or level by level in NumPy while these would take longer."""

import time
from collections.abc import Callable

import numpy as np

from treecore.data.table import Table
from treecore.engine import compiling
from treecore.errors import TreecoreError
from treecore.kernels.codes import LEVELS, SHARED, STAYS
from treecore.kernels.route import OWN_TEST, Ground, PlaceCounts, branches, descend
from treecore.kernels.state import ROW
from treecore.tree.node_statistics import refuse_counts, true_labels, true_numbers
from treecore.tree.routing import branches_known, routing_of
from treecore.tree.splits import Splits, ranges
from treecore.tree.tree import Tree


def descend_uncompiled(
    ground: Ground, counts: PlaceCounts, top: int, entry: np.ndarray, share: np.ndarray, fixed: np.ndarray | None = None
) -> np.ndarray:
    """As kernels.route.descend; the ids of the nodes met come level by level.

    fixed : float64 (n_nodes,), by which a row is shared among siblings, which stand in their own places; None: by the
    rows that the test knows.
    """
    t, at, met = ground.standing[[top]], np.zeros(len(entry), np.int64), []
    while True:
        met.append(t)
        _count(ground, counts, t, at, entry, share)
        inner = ~ground.leaf[t]
        if not inner.any():
            return np.concatenate(met)
        going = inner[at]
        at, entry, share = (np.cumsum(inner) - 1)[at[going]], entry[going], share[going]
        at, entry, share = _branch_entries(ground, counts, t[inner], at, entry, share, fixed)
        t = _below(ground, t[inner])


def branches_uncompiled(
    ground: Ground, counts: PlaceCounts, t: int, entry: np.ndarray, share: np.ndarray, fixed: np.ndarray | None = None
):  # fmt: skip
    """As kernels.route.branches. fixed : see descend_uncompiled."""
    at, entry, share = _branch_entries(
        ground, counts, np.array([t]), np.zeros(len(entry), np.int64), entry, share, fixed
    )
    return np.searchsorted(at, np.arange(ground.routing.nodes["n_children"][t] + 1)), entry, share


def _below(ground: Ground, t: np.ndarray) -> np.ndarray:
    """int64: the nodes in the places of the children of the inner nodes t."""
    nodes = ground.routing.nodes[t]
    return ground.standing[ranges(nodes["first_child"], nodes["n_children"])]


def _sums(ground: Ground, nodes: np.ndarray, at: np.ndarray, entry: np.ndarray, share: np.ndarray) -> np.ndarray:
    """float64 (n, S): statistics of parts of rows at these n nodes by case weight. at : int64, the place of the node
    that each counts in."""
    rows, n = ground.rows[entry], len(nodes)
    weight = rows["case"] * share
    if ground.n_classes > 0:
        cell = at * ground.n_classes + rows["label"]
        return np.bincount(cell, weight, n * ground.n_classes).reshape(n, ground.n_classes)
    y = rows["response"] - ground.center[nodes[at]]
    parts = weight, weight * y, weight * y * y
    return np.stack([np.bincount(at, part, n) for part in parts], axis=1)


def _count(
    ground: Ground, counts: PlaceCounts, t: np.ndarray, at: np.ndarray, entry: np.ndarray, share: np.ndarray
) -> None:
    """Count the entries that reach the nodes t, at[i] being the index of the node of entry i."""
    stats = _sums(ground, t, at, entry, share)
    counts.stats[t], counts.ends[t] = stats, np.where(ground.leaf[t][:, None], stats, 0.0)
    counts.n_rows[t] = np.bincount(at, minlength=len(t))
    counts.missing_rows[t], counts.missing_weight[t] = 0, 0.0


def _branch_entries(
    ground: Ground, counts: PlaceCounts, t: np.ndarray, at: np.ndarray, entry: np.ndarray, share: np.ndarray,
    fixed: np.ndarray | None,
):  # fmt: skip
    """(index among the children of all inner nodes t, entry, share) of what goes on from them, child after child."""
    nodes = ground.routing.nodes[t]
    branch, sender = branches_known(ground.routing, nodes[at], ground.values, entry)
    _count_missing(ground, counts, t, at, entry, share, sender)
    own, stays = sender == OWN_TEST, branch == STAYS
    counts.ends[t] += _sums(ground, t, at[stays], entry[stays], share[stays])
    n_children = nodes["n_children"].astype(np.int64)
    slot, parent = np.cumsum(n_children) - n_children, np.repeat(np.arange(len(t)), n_children)
    child, below = slot[at] + branch, _below(ground, t)
    counts.known[below] = _sums(ground, below, child[own], entry[own], share[own])
    if fixed is not None:
        part = fixed[below]
    else:
        weight = ground.rows["case"][entry] * share
        known = np.bincount(at[own], weight[own], len(t))[parent]
        part = np.bincount(child[own], weight[own], len(below)) / np.where(known > 0.0, known, 1.0)
        part = np.where(known > 0.0, part, 1.0 / n_children[parent])
        part[part <= ground.min_share] = 0.0
    shared = branch == SHARED
    n = np.where(shared, n_children[at], ~stays)
    to = ranges(np.where(shared, slot[at], child), n)
    index = np.repeat(np.arange(len(at)), n)
    parts = np.where(shared[index], part[to], 1.0)
    turn = np.argsort(np.where(parts > 0.0, to, len(below)), kind="stable")[: np.count_nonzero(parts)]
    return to[turn], entry[index[turn]], share[index[turn]] * parts[turn]


def _count_missing(ground: Ground, counts: PlaceCounts, t: np.ndarray, at, entry, share, sender: np.ndarray) -> None:
    """Count the entries without the value that the test of their node asks for, and those that surrogates sent."""
    rows, nodes = ground.rows[entry], ground.routing.nodes[t]
    lost = (sender != OWN_TEST) & np.isnan(ground.values[nodes["slot"][at], entry])
    counts.missing_rows[t] = np.bincount(at[lost], minlength=len(t))
    counts.missing_weight[t] = np.bincount(at[lost], (rows["case"] * share)[lost], len(t))
    tests = ranges(nodes["surrogate_start"], nodes["surrogate_stop"] - nodes["surrogate_start"])
    sent = sender[sender >= 0]
    counts.surrogate_rows[tests] = np.bincount(sent, minlength=len(counts.surrogate_rows))[tests]


# The training rows on a grown tree, sent down it anew: by the kernels, or in NumPy while these would take longer.

LEAST_SHARE = {"mdl_gain_ratio": 1e-6}
"""By the split score: J48 sends no part of a row down a branch with no larger share of the known weight."""
PART, COMPILING = "raise", 11.0
"""The part of the kernels, see treecore.warm, and the seconds that it takes to compile."""
_spent = [0.0]


def ground_of(tree: Tree, train: Table) -> Ground:
    """The rows and the grown tree with every node in its own place; TreecoreError if it did not grow on them."""
    ground = ground_of_any(tree, train)
    _check_is_training(tree, ground.rows)
    if numpy_descends_faster():
        compiling.start((PART,))
    return ground


def ground_of_any(tree: Tree, table: Table) -> Ground:
    """The same of any rows with the tree's target. TreecoreError for a target of counts, whose sums have no kernels."""
    refuse_counts(tree, "counting rows anew")
    routing, values = routing_of(tree, table)
    rows, known = _rows(tree, table)
    return Ground(
        routing, values, rows, np.arange(tree.n_nodes), tree.is_leaf.copy(), int(tree.n_children.max()),
        len(tree.classes), LEAST_SHARE.get(tree.growth.get("score", ""), 0.0), tree.center, np.flatnonzero(known),
    )  # fmt: skip


def everywhere(ground: Ground, counts: PlaceCounts) -> np.ndarray:
    """Send all rows from the root down; int64, the ids of the nodes met, parents first."""
    entry = ground.entries
    return send_down(ground, counts, 0, entry, np.ones(len(entry)))


def send_down(ground: Ground, counts: PlaceCounts, top: int, entry: np.ndarray, share: np.ndarray) -> np.ndarray:
    """As kernels.route.descend; the ids of the nodes met come in ascending order, so parents first."""
    by = _timed(descend_uncompiled) if numpy_descends_faster() else descend
    return np.sort(by(ground, counts, top, entry, share))


def send_on(
    ground: Ground, counts: PlaceCounts, t: int, entry: np.ndarray, share: np.ndarray, fixed: np.ndarray | None = None
):  # fmt: skip
    """As kernels.route.branches. fixed : see descend_uncompiled."""
    if fixed is not None:
        return branches_uncompiled(ground, counts, t, entry, share, fixed)
    by = _timed(branches_uncompiled) if numpy_descends_faster() else branches
    return by(ground, counts, t, entry, share)


def numpy_descends_faster() -> bool:
    """Are rows sent in NumPy before the kernels would be ready? What that has taken so far counts as well."""
    return not (compiling.is_forced() or compiling.is_ready(PART)) and _spent[0] < COMPILING


def are_whole(tree: Tree, ground: Ground) -> bool:
    """Do all rows count whole times in every node, and go down one branch at each, wherever they are sent?

    Then sums of them are exact, and what more rows add to a node does not depend on those that are there.
    """
    if tree.priors is not None or tree.loss is not None or not tree.classes:
        return False
    splits, inner = tree.splits, ~tree.is_leaf
    has_route = (splits.missing_branch[inner] >= 0) & (splits.unseen_branch[inner] >= 0)
    counted = all((counts == np.floor(counts)).all() for counts in (ground.rows["case"], tree.stats))
    return bool(counted and (has_route.all() or _all_are_known(splits, ground)))


def _all_are_known(splits: Splits, ground: Ground) -> bool:
    """Has every row a value in all that is asked, and every level a branch?"""
    usual = splits.usual_branch[splits.kind == LEVELS] if splits.are_listed else splits.level_branch
    has_branch = (splits.level_branch >= 0).all() and (usual >= 0).all()
    return bool(has_branch and not np.isnan(ground.values[:, ground.entries]).any())


def _timed(send: Callable) -> Callable:
    """The function, whose seconds count as spent."""

    def timed(*args):
        begin = time.perf_counter()
        try:
            return send(*args)
        finally:
            _spent[0] += time.perf_counter() - begin

    return timed


def zero_counts(tree: Tree) -> PlaceCounts:
    """Counts of 0 for every node."""
    n, size = tree.n_nodes, tree.stats.shape[1]
    return PlaceCounts(
        np.zeros((n, size)), np.zeros((n, size)), np.zeros((n, size)), np.zeros(n, np.int64), np.zeros(n, np.int64),
        np.zeros(n), np.zeros(len(tree.surrogates), np.int64),
    )  # fmt: skip


def _rows(tree: Tree, train: Table) -> tuple[np.ndarray, np.ndarray]:
    """(ROW records, bool: has the row a target that the tree knows?); rows without one weigh nothing."""
    rows = np.zeros(train.n_rows, ROW)
    rows["case"] = rows["weight"] = train.case_weights
    if tree.classes:
        label = true_labels(tree, train)
        rows["label"], known = np.maximum(label, 0), label >= 0
        rows["weight"] *= tree.class_factor[rows["label"]]
    else:
        y = true_numbers(tree, train)
        rows["response"], known = np.nan_to_num(y), np.isfinite(y)
    rows["case"], rows["weight"] = rows["case"] * known, rows["weight"] * known
    return rows, known


def _check_is_training(tree: Tree, rows: np.ndarray) -> None:
    if tree.classes:
        stats = np.bincount(rows["label"], rows["case"], len(tree.classes))
    else:
        stats = np.array([(rows["case"] * (rows["response"] - tree.center[0]) ** p).sum() for p in range(3)])
    if not np.allclose(stats, tree.stats[0], rtol=1e-6, atol=1e-6 * max(abs(tree.stats[0]).max(), 1e-300)):
        raise TreecoreError(
            "These are not the rows that the tree was grown on: their target has other counts or sums",
            where="train",
            remedy="Give the same rows to tc.prune as to tc.grow",
        )
