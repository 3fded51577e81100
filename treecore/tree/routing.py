"""A tree as the routing kernels want it, and the same routing in NumPy for the first trees of a process."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from treecore.engine import compiling
from treecore.kernels.codes import CUTS, SHARED, STAYS, THRESHOLD
from treecore.kernels.ranks import ABSENT, keys_uncompiled
from treecore.kernels.route import NOBODY, OWN_TEST, QUICK, TEST, Routing
from treecore.tree.columns import TreeColumns
from treecore.tree.splits import Splits, ranges
from treecore.tree.values import Scale, bins_of, value_matrix


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
    """What kernels.route.walk_thresholds wants of a tree."""

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


# Sending rows down a tree in NumPy, all of them one level at a time: for the first trees of a process.
#
# The twin of `walk` and `walk_shared` in kernels.route, which take seconds to compile.

PARTS = "route", "route_shared"
"""The parts of the kernels that routing takes, the second one where rows are shared; see treecore.warm."""
MOST_ROWS = 2_000_000
"""Rows that are sent down a usual tree in NumPy, together, before the kernels are compiled."""
MOST_CACHED_ROWS = 200_000
"""Rows that are sent before the kernels are read from the disk cache, by a process that has read none so far."""
USUAL_DEPTH = 40
"""Levels of a tree; a deeper one takes longer in proportion."""
_rows_so_far = [0]


def parts_for(tree: TreeColumns) -> tuple[str, ...]:
    """The parts of the kernels that sending rows down this tree takes."""
    splits = tree.splits
    shares = (splits.missing_branch == SHARED).any() or (splits.unseen_branch == SHARED).any()
    return PARTS if shares else PARTS[:1]


def numpy_routing_is_faster(parts: tuple[str, ...], n_rows: int) -> bool:
    """Is this many rows' way found in NumPy before these parts would be ready? Rows sent before count as well."""
    if compiling.is_forced() or all(map(compiling.is_loaded, parts)):
        return False
    most = MOST_ROWS
    if all(map(compiling.is_cached, parts)):
        most = 0 if compiling.is_any_loaded() else MOST_CACHED_ROWS
    return _rows_so_far[0] + n_rows < most


def routing_work(tree: TreeColumns, n_rows: int) -> int:
    """How many rows down a usual tree take as long as these down this one, all of them one level at a time."""
    return n_rows * max(1, int(tree.node_depth.max()) // USUAL_DEPTH)


def note_numpy_routing(parts: tuple[str, ...], n_rows: int) -> None:
    """Count rows that are sent in NumPy; meanwhile what these parts lack is compiled in the background."""
    _rows_so_far[0] += n_rows
    compiling.start(parts)


def note_kernel_routing() -> None:
    """Remember that the kernels have sent rows down a tree; these need not have been shared."""
    compiling.note(PARTS[0])


def routes_in_numpy(routing: Routing, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(row, node, share): where the rows end, as in predict.RoutedRows and in the order of walk_shared.

    values : float64 (slots, n_rows), as routing_of gives them.
    """
    row = np.arange(values.shape[1])
    at, share = np.zeros(len(row), np.int64), np.ones(len(row))
    ended: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    while len(row) or not ended:
        branch = np.full(len(row), STAYS)
        inner = np.flatnonzero(routing.nodes["n_children"][at] > 0)
        branch[inner] = branches_known(routing, routing.nodes[at[inner]], values, row[inner])[0]
        stays = branch == STAYS
        ended.append((row[stays], at[stays], share[stays]))
        row, at, share = _below(routing, *(x[~stays] for x in (row, at, share, branch)))
    row, node, share = (np.concatenate(part) for part in zip(*ended, strict=True))
    by_row = np.lexsort((_turns(routing.nodes)[node], row)) if len(row) > values.shape[1] else np.argsort(row)
    return row[by_row], node[by_row], share[by_row]


def _below(routing: Routing, row: np.ndarray, at: np.ndarray, share: np.ndarray, branch: np.ndarray):
    """(row, at, share) one level further down; branches without a share of their own get no part of a shared row."""
    child, parted = routing.nodes["first_child"][at], branch == SHARED
    n = np.where(parted, routing.nodes["n_children"][at], 1)
    to = ranges(child + np.where(parted, 0, branch), n)
    entry = np.repeat(np.arange(len(row)), n)
    part = np.where(parted[entry], routing.share[to], 1.0)
    kept = part > 0.0
    return row[entry][kept], to[kept], (share[entry] * part)[kept]


def _turns(nodes: np.ndarray) -> np.ndarray:
    """int64 (n_nodes,): when each node is met, a node before those below it and the last of its children first."""
    turn, waiting, n_met = np.zeros(len(nodes), np.int64), [0], 0
    first, n_children = nodes["first_child"].tolist(), nodes["n_children"].tolist()
    while waiting:
        t = waiting.pop()
        turn[t] = n_met
        n_met += 1
        waiting.extend(range(first[t], first[t] + n_children[t]))
    return turn


def branches_known(
    routing: Routing, nodes: np.ndarray, values: np.ndarray, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(the branch of each row at its inner node, STAYS, or SHARED; who sent it, see kernels.route), int64
    (n,)."""
    value = values[nodes["slot"], rows]
    branch, sender = branches_of(routing, nodes, value), np.full(len(rows), OWN_TEST)
    lost = np.flatnonzero(branch < 0)
    start, n = nodes["surrogate_start"][lost], (nodes["surrogate_stop"] - nodes["surrogate_start"])[lost]
    for s in range(int(n.max(initial=0))):
        asking = np.flatnonzero((branch[lost] < 0) & (s < n))
        tests = routing.surrogates[start[asking] + s]
        branch[lost[asking]] = branches_of(routing, tests, values[tests["slot"], rows[lost[asking]]])
        sender[lost[asking]] = start[asking] + s
    lost = np.flatnonzero(branch < 0)
    missing = np.isnan(value[lost])
    branch[lost] = np.where(missing, nodes["missing_branch"][lost], nodes["unseen_branch"][lost])
    sender[lost] = NOBODY
    return branch, sender


def branches_of(routing: Routing, tests: np.ndarray, value: np.ndarray) -> np.ndarray:
    """int64 (n,): the branch that value i takes at test i, -1 where the test does not know it."""
    threshold = tests["threshold"]
    low = np.where(tests["closed"] != 0, value <= threshold, value < threshold)
    branch = np.where(low, tests["low_branch"], 1 - tests["low_branch"]).astype(np.int64)
    by_level = (tests["kind"] != THRESHOLD) & (tests["kind"] != CUTS)
    branch[np.isnan(value) | by_level] = -1
    known = by_level & (value >= 0.0)
    branch[known] = _of_levels(routing, tests[known], value[known].astype(np.int64))
    between = np.flatnonzero((tests["kind"] == CUTS) & ~np.isnan(value))
    starts, of_test = np.unique(tests["cut_start"][between], return_inverse=True)
    for i in range(len(starts)):
        here = between[of_test == i]
        first = tests[here[0]]
        cuts = routing.cuts[first["cut_start"] : first["cut_stop"]]
        branch[here] = np.searchsorted(cuts, value[here], side="left" if first["closed"] else "right")
    return branch


def _of_levels(routing: Routing, tests: np.ndarray, level: np.ndarray) -> np.ndarray:
    """int64 (n,): the branch that level i takes at test i, -1 for one not seen at the node."""
    if not len(routing.level_id):
        return routing.level_branch[tests["level_start"] + level]
    branch = tests["usual_branch"].astype(np.int64)
    filled = np.flatnonzero(tests["level_stop"] > tests["level_start"])
    by_test = filled[np.argsort(tests["level_start"][filled], kind="stable")]
    for here in np.split(by_test, np.flatnonzero(np.diff(tests["level_start"][by_test])) + 1) if len(filled) else ():
        span = slice(tests["level_start"][here[0]], tests["level_stop"][here[0]])
        place = np.searchsorted(routing.level_id[span], level[here])
        listed = np.append(routing.level_id[span], -1)[place] == level[here]
        branch[here[listed]] = routing.level_branch[span][place[listed]]
    return branch
