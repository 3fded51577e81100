"""Sending rows down a tree in NumPy, all of them one level at a time: for the first trees of a process.

The twin of `walk` in kernels.route, which takes seconds to compile.
"""

import numpy as np

from treecore import compiling
from treecore.kernels.codes import CUTS, SHARED, STAYS, THRESHOLD
from treecore.kernels.route import Routing

PART = "route"
"""The part of the kernels that routing takes; see treecore.warm."""
MOST_ROWS = 2_000_000
"""Rows that are sent down a usual tree in NumPy, together, before the kernels are compiled."""
MOST_CACHED_ROWS = 200_000
"""Rows that are sent before the kernels are read from the disk cache, by a process that has read none so far."""
_sent = [0]


def is_sooner(n_rows: int) -> bool:
    """Is this many rows' way found in NumPy before the kernels would be ready? Rows sent before count as well."""
    if compiling.is_loaded(PART) or compiling.is_forced():
        return False
    most = MOST_ROWS
    if compiling.is_cached(PART):
        most = 0 if compiling.is_any_loaded() else MOST_CACHED_ROWS
    return _sent[0] + n_rows < most


def note_walked() -> None:
    """Remember that the kernels have sent rows down a tree."""
    compiling.note(PART)


def walked(routing: Routing, values: np.ndarray) -> np.ndarray | None:
    """int64 (n_rows,): the node where each row's route ends; None if a row is shared among branches.

    values : float64 (slots, n_rows), as routing_of gives them. The kernels are compiled in the background afterwards.
    """
    _sent[0] += values.shape[1]
    compiling.start((PART,))
    end = np.zeros(values.shape[1], np.int64)
    rows = np.arange(values.shape[1])
    while len(rows):
        rows = rows[routing.nodes["n_children"][end[rows]] > 0]
        nodes = routing.nodes[end[rows]]
        branch = _branches(routing, nodes, values, rows)
        if (branch == SHARED).any():
            return None
        going = branch != STAYS
        rows = rows[going]
        end[rows] = nodes["first_child"][going] + branch[going]
    return end


def _branches(routing: Routing, nodes: np.ndarray, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """int64 (n,): the branch of each row at its inner node, STAYS, or SHARED."""
    value = values[nodes["slot"], rows]
    branch = _of_tests(routing, nodes, value)
    lost = np.flatnonzero(branch < 0)
    start, n = nodes["surrogate_start"][lost], (nodes["surrogate_stop"] - nodes["surrogate_start"])[lost]
    for s in range(int(n.max(initial=0))):
        asking = np.flatnonzero((branch[lost] < 0) & (s < n))
        tests = routing.surrogates[start[asking] + s]
        branch[lost[asking]] = _of_tests(routing, tests, values[tests["slot"], rows[lost[asking]]])
    lost = np.flatnonzero(branch < 0)
    missing = np.isnan(value[lost])
    branch[lost] = np.where(missing, nodes["missing_branch"][lost], nodes["unseen_branch"][lost])
    return branch


def _of_tests(routing: Routing, tests: np.ndarray, value: np.ndarray) -> np.ndarray:
    """int64 (n,): the branch that value i takes at test i, -1 where the test does not know it."""
    threshold = tests["threshold"]
    low = np.where(tests["closed"] != 0, value <= threshold, value < threshold)
    branch = np.where(low, tests["low_branch"], 1 - tests["low_branch"]).astype(np.int64)
    by_level = (tests["kind"] != THRESHOLD) & (tests["kind"] != CUTS)
    branch[np.isnan(value) | by_level] = -1
    known = by_level & (value >= 0.0)
    branch[known] = routing.level_branch[tests["level_start"][known] + value[known].astype(np.int64)]
    between = np.flatnonzero((tests["kind"] == CUTS) & ~np.isnan(value))
    starts, of_test = np.unique(tests["cut_start"][between], return_inverse=True)
    for i in range(len(starts)):
        here = between[of_test == i]
        first = tests[here[0]]
        cuts = routing.cuts[first["cut_start"] : first["cut_stop"]]
        branch[here] = np.searchsorted(cuts, value[here], side="left" if first["closed"] else "right")
    return branch
