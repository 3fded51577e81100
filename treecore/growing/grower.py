"""The loop: a table and settings become a tree."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.data.table import Table
from treecore.growing.imposed import Imposed, with_edits
from treecore.growing.parts import THRESHOLD_RULES
from treecore.growing.problem import center_of, criterion_of, problem_of, schema_of
from treecore.growing.settings import Growth
from treecore.kernels.codes import LEAF, LEVELS, STAYS, THRESHOLD
from treecore.kernels.grow import grow as grow_nodes
from treecore.kernels.grow import sort_by_code
from treecore.kernels.state import (
    DONE,
    N_NODES,
    NEEDS_ROOM,
    ORDERED,
    Growing,
    Problem,
    new_growing,
    with_room,
)
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree

BUDGET = 10_000_000
"""(row, feature) pairs between two calls of the progress callback: a fraction of a second."""


@dataclass(frozen=True)
class Progress:
    """How far a fit has come."""

    n_nodes: int
    n_waiting: int


def grow_tree(
    table: Table,
    growth: Growth,
    progress: Callable[[Progress], None] | None = None,
    imposed: tuple[Imposed, ...] = (),
) -> Tree:
    """The full tree that these settings grow on the table's rows.

    imposed : splits to make at certain places whatever their gain; below them the search goes on. A place
        that the tree does not reach stays without its split.
    progress : called every fraction of a second; an exception it raises ends the fit.
    Raises TreecoreError if the table cannot be trained on or the settings do not fit it.
    """
    table.check_trainable()
    criterion = criterion_of(table, growth)
    problem = with_edits(problem_of(table, growth), table, growth, imposed)
    grown = _run(problem, progress)
    n = int(grown.counts[N_NODES])
    nodes = grown.nodes[:n]
    inner = nodes["n_children"] > 0
    return Tree(
        schema=schema_of(table, growth),
        parent=nodes["parent"],
        first_child=nodes["first_child"],
        n_children=nodes["n_children"],
        node_depth=nodes["depth"],
        splits=_splits(problem, grown, nodes, growth, imposed),
        stats=grown.stats[:n],
        n_rows=nodes["n_rows"],
        impurity=nodes["impurity"],
        gain=np.where(inner, nodes["score"], np.nan),
        answer=_answers(nodes, growth),
        criterion=criterion.name,
        center=center_of(table),
        growth=growth.to_dict(),
    )


def _run(problem: Problem, progress) -> Growing:
    """Call the kernel until no node is left to split."""
    d, n = problem.codes.shape
    order = np.empty((d, n), np.int32)
    for f in range(d):
        sort_by_code(problem.codes[f], problem.features["n_codes"][f], order[f])
    nominal = problem.features["splitter"] != ORDERED
    widest = int(problem.features["n_codes"][nominal].max(initial=0))
    n_stats = int(problem.rules["n_classes"][0]) or 3
    growing = new_growing(order, n_stats, widest, capacity=max(64, n // 8, 2 * widest))
    while (status := grow_nodes(problem, growing, BUDGET)) != DONE:
        if status == NEEDS_ROOM:
            growing = with_room(growing)
        elif progress is not None:
            progress(Progress(int(growing.counts[N_NODES]), int(growing.counts[2])))
    return growing


def _answers(nodes: np.ndarray, growth: Growth) -> np.ndarray:
    """The node that answers for each: itself, or for one without rows its parent (or -1)."""
    own = np.arange(len(nodes))
    elsewhere = nodes["parent"] if growth.empty_leaf == "parent" else -1
    return np.where(nodes["weight"] > 0, own, elsewhere)


def _at(nodes: np.ndarray, path: tuple[int, ...]) -> int | None:
    """Id of the inner node at a path of branch numbers; None if the tree has none there."""
    node = 0
    for branch in path:
        if not 0 <= branch < nodes["n_children"][node]:
            return None
        node = int(nodes["first_child"][node]) + branch
    return node if nodes["n_children"][node] > 0 else None


def _splits(problem: Problem, grown: Growing, nodes: np.ndarray, growth: Growth, imposed) -> Splits:
    """The nodes' tests, with thresholds placed by the rule and level tables in node order."""
    inner = nodes["n_children"] > 0
    ordered = inner & (nodes["level_start"] < 0)
    by_level = inner & ~ordered
    rule = THRESHOLD_RULES[growth.threshold]
    threshold = np.full(len(nodes), np.nan)
    base = problem.features["value_start"][nodes["feature"][ordered]]
    last = problem.features["n_codes"][nodes["feature"][ordered]] - 1
    low, high = (problem.values[base + np.clip(nodes[side][ordered], 0, last)] for side in ("low", "high"))
    threshold[ordered] = rule.place(low, high)
    for split in imposed:
        node = _at(nodes, split.path)
        if split.threshold is not None and node is not None:
            threshold[node] = split.threshold
    n_levels = np.where(by_level, problem.features["n_codes"][nodes["feature"]], 0)
    starts = zip(nodes["level_start"][by_level], n_levels[by_level], strict=True)
    tables = [grown.level_branch[start : start + n] for start, n in starts]
    missing = np.where(inner, nodes["missing_branch"], STAYS)
    return Splits(
        kind=np.where(ordered, THRESHOLD, np.where(by_level, LEVELS, LEAF)),
        feature=np.where(inner, nodes["feature"], -1),
        threshold=threshold,
        closed=np.full(len(nodes), rule.closed),
        low_branch=np.where(ordered, nodes["low_branch"], 0),
        level_start=np.concatenate([[0], np.cumsum(n_levels)]),
        level_branch=np.concatenate([np.empty(0, np.int32), *tables]),
        missing_branch=missing,
        unseen_branch=missing,
    )
