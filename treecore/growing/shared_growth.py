"""Growing on sorted records where rows without a value go down all branches in parts, and by the rules of J48."""

from collections.abc import Callable

import numpy as np

from treecore.data.column import frozen
from treecore.growing.loop import BUDGET, GrowResult, Progress, root_of
from treecore.kernels.records.shared_rows import DONE, NO_ROOM, fill_shared, grow_shared, new_block
from treecore.kernels.state import N_NODES, ROW, Problem, with_room

ROOM = 3
"""Records that there is room for, as a multiple of the rows, where rows may be shared: parts of a tenth of them in
every feature, twenty levels deep, are 2."""


def grow_shared_rows(problem: Problem, progress: Callable[[Progress], None] | None) -> GrowResult | None:
    """The full tree of a problem whose EnginePlan is `shared`; None where rows have become too many on the way.

    progress : called every fraction of a second; an exception it raises ends the fit.
    """
    n = problem.codes.shape[1]
    growing, m = root_of(problem, capacity=n), ROOM * n + 4
    block = new_block(problem, m, _have_near(problem))
    fill_shared(problem, growing, block)
    if len(problem.targets):  # sums are taken by the numbers that rows have in the block
        problem = problem._replace(targets=frozen(block.target.view()))
        growing = growing._replace(rows=np.empty(m, ROW), side=np.empty(m, np.int32))
    while True:
        state = grow_shared(problem, growing, block, BUDGET)
        if state == NO_ROOM:
            return None
        n_nodes = int(growing.counts[N_NODES])
        if state == DONE:
            return GrowResult(growing, [], int((growing.nodes["n_children"][:n_nodes] > 0).sum()), 0)
        if progress is not None:
            progress(Progress(n_nodes, int(block.counts[0])))
        growing = with_room(growing, nodes=2 if n_nodes + 2 > len(growing.nodes) else 0)


def _have_near(problem: Problem) -> np.ndarray:
    """bool (d,): has the feature two values that the threshold rule counts as one?"""
    gap, features = problem.rules["min_gap"][0], problem.features
    if gap == 0.0:
        return np.zeros(len(features), bool)
    values = (
        problem.values[begin : begin + n] for begin, n in zip(features["value_start"], features["n_codes"], strict=True)
    )
    return np.array([bool((np.diff(of) <= gap).any()) for of in values])
