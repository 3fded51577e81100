"""The training rows on a grown tree, sent down it anew: by the kernels, or in NumPy while these would take longer."""

import time
from collections.abc import Callable

import numpy as np

from treecore.data.table import Table
from treecore.engine import compiling
from treecore.errors import TreecoreError
from treecore.kernels.codes import LEVELS
from treecore.kernels.routing.descend import Found, Ground, branches, descend
from treecore.kernels.state import ROW
from treecore.pruning.descend_uncompiled import branches_uncompiled, descend_uncompiled
from treecore.tree.routing import routing_of
from treecore.tree.splits import Splits
from treecore.tree.target import refuse_counts, true_labels, true_numbers
from treecore.tree.tree import Tree

LEAST_SHARE = {"mdl_gain_ratio": 1e-6}
"""By the split score: J48 sends no part of a row down a branch with no larger share of the known weight."""
PART, COMPILING = "raise", 11.0
"""The part of the kernels, see treecore.warm, and the seconds that it takes to compile."""
_spent = [0.0]


def ground_of(tree: Tree, train: Table) -> Ground:
    """The rows and the grown tree with every node in its own place; TreecoreError if it did not grow on them."""
    ground = ground_of_any(tree, train)
    _check(tree, ground.rows)
    if descends_sooner():
        compiling.start((PART,))
    return ground


def ground_of_any(tree: Tree, table: Table) -> Ground:
    """The same of any rows with the tree's target. TreecoreError for a target of counts, whose sums have no kernels."""
    refuse_counts(tree, "counting rows anew")
    routing, values = routing_of(tree, table)
    rows, known = _rows(tree, table)
    return Ground(
        routing, values, rows, np.arange(tree.n_nodes), tree.is_leaf.copy(), int(tree.n_children.max()),
        len(tree.classes), LEAST_SHARE.get(tree.growth.get("score"), 0.0), tree.center, np.flatnonzero(known),
    )  # fmt: skip


def everywhere(ground: Ground, found: Found) -> np.ndarray:
    """Send all rows from the root down; int64, the ids of the nodes met, parents first."""
    entry = all_entries(ground)
    return send_down(ground, found, 0, entry, np.ones(len(entry)))


def send_down(ground: Ground, found: Found, top: int, entry: np.ndarray, share: np.ndarray) -> np.ndarray:
    """As kernels.routing.descend.descend; the ids of the nodes met come in ascending order, so parents first."""
    by = _timed(descend_uncompiled) if descends_sooner() else descend
    return np.sort(by(ground, found, top, entry, share))


def send_on(
    ground: Ground, found: Found, t: int, entry: np.ndarray, share: np.ndarray, fixed: np.ndarray | None = None
):  # fmt: skip
    """As kernels.routing.descend.branches. fixed : see descend_uncompiled."""
    if fixed is not None:
        return branches_uncompiled(ground, found, t, entry, share, fixed)
    by = _timed(branches_uncompiled) if descends_sooner() else branches
    return by(ground, found, t, entry, share)


def descends_sooner() -> bool:
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


def all_entries(ground: Ground) -> np.ndarray:
    """int64: the rows with a target, those of weight 0 among them."""
    return ground.entries


def nothing_found(tree: Tree) -> Found:
    """Counts of 0 for every node."""
    n, size = tree.n_nodes, tree.stats.shape[1]
    return Found(
        *(np.zeros((n, size)) for _ in range(3)), np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n),
        np.zeros(len(tree.surrogates), np.int64),
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


def _check(tree: Tree, rows: np.ndarray) -> None:
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
