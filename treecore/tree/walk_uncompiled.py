"""Sending rows down a tree in NumPy, all of them one level at a time: for the first trees of a process.

The twin of `walk` and `walk_shared` in kernels.routing.route, which take seconds to compile.
"""

import numpy as np

from treecore.engine import compiling
from treecore.kernels.codes import CUTS, SHARED, STAYS, THRESHOLD
from treecore.kernels.routing.descend import NOBODY, OWN_TEST
from treecore.kernels.routing.route import Routing
from treecore.tree.columns import TreeColumns
from treecore.tree.ranges import ranges

PARTS = "route", "route_shared"
"""The parts of the kernels that routing takes, the second one where rows are shared; see treecore.warm."""
MOST_ROWS = 2_000_000
"""Rows that are sent down a usual tree in NumPy, together, before the kernels are compiled."""
MOST_CACHED_ROWS = 200_000
"""Rows that are sent before the kernels are read from the disk cache, by a process that has read none so far."""
USUAL_DEPTH = 40
"""Levels of a tree; a deeper one takes longer in proportion."""
_sent = [0]


def parts_for(tree: TreeColumns) -> tuple[str, ...]:
    """The parts of the kernels that sending rows down this tree takes."""
    splits = tree.splits
    shares = (splits.missing_branch == SHARED).any() or (splits.unseen_branch == SHARED).any()
    return PARTS if shares else PARTS[:1]


def walks_sooner(parts: tuple[str, ...], n_rows: int) -> bool:
    """Is this many rows' way found in NumPy before these parts would be ready? Rows sent before count as well."""
    if compiling.is_forced() or all(map(compiling.is_loaded, parts)):
        return False
    most = MOST_ROWS
    if all(map(compiling.is_cached, parts)):
        most = 0 if compiling.is_any_loaded() else MOST_CACHED_ROWS
    return _sent[0] + n_rows < most


def work(tree: TreeColumns, n_rows: int) -> int:
    """How many rows down a usual tree take as long as these down this one, all of them one level at a time."""
    return n_rows * max(1, int(tree.node_depth.max()) // USUAL_DEPTH)


def note_sent(parts: tuple[str, ...], n_rows: int) -> None:
    """Count rows that are sent in NumPy; meanwhile what these parts lack is compiled in the background."""
    _sent[0] += n_rows
    compiling.start(parts)


def note_walked() -> None:
    """Remember that the kernels have sent rows down a tree; these need not have been shared."""
    compiling.note(PARTS[0])


def walked(routing: Routing, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(row, node, share): where the rows end, as in tree.blocks.Routes and in the order of walk_shared.

    values : float64 (slots, n_rows), as routing_of gives them.
    """
    row = np.arange(values.shape[1])
    at, share, ended = np.zeros(len(row), np.int64), np.ones(len(row)), []
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
    """(the branch of each row at its inner node, STAYS, or SHARED; who sent it, see kernels.routing.descend), int64
    (n,)."""
    value = values[nodes["slot"], rows]
    branch, sender = _of_tests(routing, nodes, value), np.full(len(rows), OWN_TEST)
    lost = np.flatnonzero(branch < 0)
    start, n = nodes["surrogate_start"][lost], (nodes["surrogate_stop"] - nodes["surrogate_start"])[lost]
    for s in range(int(n.max(initial=0))):
        asking = np.flatnonzero((branch[lost] < 0) & (s < n))
        tests = routing.surrogates[start[asking] + s]
        branch[lost[asking]] = _of_tests(routing, tests, values[tests["slot"], rows[lost[asking]]])
        sender[lost[asking]] = start[asking] + s
    lost = np.flatnonzero(branch < 0)
    missing = np.isnan(value[lost])
    branch[lost] = np.where(missing, nodes["missing_branch"][lost], nodes["unseen_branch"][lost])
    sender[lost] = NOBODY
    return branch, sender


def _of_tests(routing: Routing, tests: np.ndarray, value: np.ndarray) -> np.ndarray:
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
