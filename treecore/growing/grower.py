"""A table and settings become a tree."""

from collections.abc import Callable

import numpy as np

from treecore.data.table import Table
from treecore.growing.costs import class_factors, class_priors, loss_matrix
from treecore.growing.imposed import Imposed, Wishes
from treecore.growing.loop import Progress, grow_nodes
from treecore.growing.parts import THRESHOLD_RULES
from treecore.growing.problem import center_of, criterion_of, problem_of, schema_of
from treecore.growing.settings import Growth
from treecore.kernels.codes import LEAF, LEVELS, STAYS, THRESHOLD
from treecore.kernels.state import N_NODES, Growing, Problem
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree


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
    problem = problem_of(table, growth)
    wishes = Wishes(problem, table, growth, imposed)
    grown = grow_nodes(problem, growth, wishes, progress)
    n = int(grown.counts[N_NODES])
    nodes = grown.nodes[:n]
    inner = nodes["n_children"] > 0
    return Tree(
        schema=schema_of(table, growth),
        parent=nodes["parent"],
        first_child=nodes["first_child"],
        n_children=nodes["n_children"],
        node_depth=nodes["depth"],
        splits=_splits(problem, grown, nodes, growth, wishes),
        stats=_as_counted(grown.stats[:n], table, growth),
        n_rows=nodes["n_rows"],
        impurity=nodes["impurity"],
        gain=np.where(inner, nodes["score"] * problem.features["cost"][nodes["feature"]], np.nan),
        answer=_answers(nodes, growth),
        criterion=criterion.name,
        center=center_of(table),
        growth=growth.to_dict(),
        priors=class_priors(table, growth),
        loss=loss_matrix(table, growth),
    )


def _as_counted(stats: np.ndarray, table: Table, growth: Growth) -> np.ndarray:
    """The nodes' statistics without what priors and costs did to the weights; whole where rows count once."""
    if not table.classes or (growth.priors is None and growth.loss is None):
        return stats
    factors = class_factors(table, growth)
    counted = np.divide(stats, factors, out=np.zeros_like(stats), where=factors > 0)
    return np.rint(counted) if table.weights is None else counted


def _answers(nodes: np.ndarray, growth: Growth) -> np.ndarray:
    """The node that answers for each: itself, or for one without rows its parent (or -1)."""
    own = np.arange(len(nodes))
    elsewhere = nodes["parent"] if growth.empty_leaf == "parent" else -1
    return np.where(nodes["weight"] > 0, own, elsewhere)


def _splits(problem: Problem, grown: Growing, nodes: np.ndarray, growth: Growth, wishes: Wishes) -> Splits:
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
    for node, value in wishes.thresholds.items():
        threshold[node] = value
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
