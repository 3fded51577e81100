"""A tree as the routing kernels want it."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from treecore.kernels.codes import CUTS, THRESHOLD
from treecore.kernels.encode.keys import ABSENT, keys_uncompiled
from treecore.kernels.routing.route import QUICK, TEST, Routing
from treecore.tree.cells import bins_of
from treecore.tree.columns import TreeColumns
from treecore.tree.scale import Scale
from treecore.tree.splits import Splits
from treecore.tree.values import value_matrix


class Slots(NamedTuple):
    """What the rows of a matrix of values hold.

    features : int64, the features that the tree asks for. by_bins : int64, those of them whose bins follow in rows of
    their own, for surrogates that have a branch for each bin.
    """

    features: np.ndarray
    by_bins: np.ndarray

    def __len__(self) -> int:
        return len(self.features) + len(self.by_bins)


def slots_of(tree: TreeColumns) -> Slots:
    """The values that a tree's tests and surrogates ask for."""
    used = np.union1d(tree.splits.feature[~tree.is_leaf], tree.surrogates.feature).astype(np.int64)
    by_bins = [f for f, feature in enumerate(tree.schema.features) if feature.branches_by_bins]
    return Slots(used, np.intersect1d(tree.surrogates.feature, np.array(by_bins, np.int64)).astype(np.int64))


def routing_of(tree: TreeColumns, rows) -> tuple[Routing, np.ndarray]:
    """The kernels' view of the tree, and float64 (slots, n_rows) of the rows' values that it asks for."""
    slots = slots_of(tree)
    values = value_matrix(tree.schema, slots.features, rows)
    more = [bins_of(tree.schema.features[f], values[slots.features == f][0]) for f in slots.by_bins]
    values = np.concatenate([values, np.array(more).reshape(len(more), values.shape[1])])
    return routing_of_tree(tree, slots, {}), values


def routing_of_tree(tree: TreeColumns, slots: Slots, scales: Mapping[int, Scale]) -> Routing:
    """The tests of all nodes and surrogates.

    scales : slot -> the scale on which its values come; thresholds are moved onto it.
    """
    slot = np.full(len(tree.schema.features) + 1, -1)
    slot[slots.features] = np.arange(len(slots.features))
    cuts = tree.splits.cuts.copy()
    nodes = _tests(tree.splits, slot, 0, cuts, scales)
    nodes["first_child"], nodes["n_children"] = tree.first_child, tree.n_children
    if tree.surrogates_asked:
        nodes["surrogate_start"], nodes["surrogate_stop"] = tree.surrogate_start[:-1], tree.surrogate_start[1:]
    slot[slots.by_bins] = len(slots.features) + np.arange(len(slots.by_bins))
    branches, ids = _levels(tree)
    surrogates = _tests(tree.surrogates, slot, len(tree.splits.level_branch), np.empty(0), scales)
    return Routing(nodes, surrogates, branches, ids, cuts, _shares(tree))


def _levels(tree: TreeColumns) -> tuple[np.ndarray, np.ndarray]:
    """(level_branch, level_id) as Routing has them."""
    both = tree.splits, tree.surrogates
    branches, ids = (np.concatenate([getattr(s, name) for s in both]) for name in ("level_branch", "level_id"))
    if not any(s.are_listed for s in both):
        return branches, ids
    # one more, which no test asks for: tests that list levels may have none to list
    ids = np.concatenate([*(s.listed_ids() for s in both), np.zeros(1, np.int32)])
    return np.append(branches, np.int32(-1)), ids


def _tests(splits: Splits, slot: np.ndarray, offset: int, cuts: np.ndarray, scales: Mapping[int, Scale]) -> np.ndarray:
    """TEST records. offset : of these splits' levels. cuts : theirs, moved in place onto the scales."""
    tests = np.zeros(len(splits), TEST)
    for name in ("kind", "threshold", "closed", "low_branch", "missing_branch", "unseen_branch"):
        tests[name] = getattr(splits, name)
    tests["slot"] = slot[splits.feature]
    tests["level_start"], tests["level_stop"] = splits.level_start[:-1] + offset, splits.level_start[1:] + offset
    tests["usual_branch"] = splits.usual_branch if splits.are_listed else -1
    tests["cut_start"], tests["cut_stop"] = splits.cut_start[:-1], splits.cut_start[1:]
    if scales:
        _move(tests, cuts, scales)
    return tests


def _move(tests: np.ndarray, cuts: np.ndarray, scales: Mapping[int, Scale]) -> None:
    """Put thresholds and cuts where they part the places of a scale as they part its values."""
    order = np.argsort(tests["slot"], kind="stable")
    for here in np.split(order, np.flatnonzero(np.diff(tests["slot"][order])) + 1):
        scale = scales.get(int(tests["slot"][here[0]])) if len(here) else None
        if scale is None:
            continue
        single = here[tests["kind"][here] == THRESHOLD]
        tests["threshold"][single] = scale.limits(tests["threshold"][single], tests["closed"][single] != 0)
        for t in here[tests["kind"][here] == CUTS]:
            span = slice(tests["cut_start"][t], tests["cut_stop"][t])
            cuts[span] = scale.limits(cuts[span], np.full(span.stop - span.start, tests["closed"][t] != 0))
        tests["closed"][here] = 1


class Quick(NamedTuple):
    """What kernels.routing.route.walk_thresholds wants of a tree."""

    tests: np.ndarray
    names: np.ndarray


def quick_of(nodes: np.ndarray, offset: np.ndarray, kind: np.dtype) -> Quick:
    """The tests by thresholds. offset : of every slot, where its values begin in a flat block. kind : of the values.

    x < t is the same as x <= the number next below t.
    """
    n, limit, inner = len(nodes), nodes["threshold"], nodes["n_children"] > 0
    # nothing is below an infinite threshold, and there is no next number to say so
    plain = (nodes["kind"] == THRESHOLD) & (nodes["n_children"] == 2) & ((nodes["closed"] != 0) | (limit > -np.inf))
    place = np.arange(n)
    swapped = nodes["first_child"][plain & (nodes["low_branch"] == 1)]
    place[swapped], place[swapped + 1] = swapped + 1, swapped
    # siblings change places in pairs, so that the node in a place is found as the place of a node is
    tests, at = np.zeros(n, QUICK[kind]), place
    limit = np.where(nodes["closed"] != 0, limit, np.nextafter(limit, -np.inf))
    tests["limit"] = np.where(plain, _limits(limit, kind), ABSENT if kind == np.uint32 else np.inf)[at]
    tests["offset"][plain[at]] = offset[nodes["slot"][at][plain[at]]]
    tests["first"] = np.where(plain, nodes["first_child"], place)[at]
    return Quick(tests, np.where(inner[at], -1 - at, at))


def _limits(limit: np.ndarray, kind: np.dtype) -> np.ndarray:
    """The largest value of this kind that is not above each limit, float64."""
    if kind == np.float64:
        return limit
    with np.errstate(over="ignore"):
        near = limit.astype(np.float32)
        low = np.where(near > limit, np.nextafter(near, np.float32(-np.inf)), near)
    return low if kind == np.float32 else keys_uncompiled(low.view(np.uint32))


def _shares(tree: TreeColumns) -> np.ndarray:
    """float64 (n_nodes,): a node's weight over that of its parent's children together; 1 at the root."""
    weight = tree.weight if tree.share_weight is None else tree.share_weight
    together = np.bincount(tree.parent[1:], weight[1:], minlength=tree.n_nodes)
    share = np.ones(tree.n_nodes)
    share[1:] = weight[1:] / np.maximum(together[tree.parent[1:]], 1e-300)
    return share
