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
from treecore.kernels.codes import CUTS, LEAF, LEVELS, STAYS, THRESHOLD
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
    grown, medians = grow_nodes(problem, growth, wishes, progress)
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
        gain=np.where(inner, nodes["gain"], np.nan),
        score=np.where(inner, nodes["score"], np.nan),
        missing_rows=np.where(inner, nodes["missing_rows"], 0),
        missing_weight=np.where(inner, nodes["missing_weight"], 0.0),
        answer=_answers(nodes, growth),
        criterion=criterion.name,
        center=center_of(table),
        growth=growth.to_dict(),
        priors=class_priors(table, growth),
        loss=loss_matrix(table, growth),
        median=None if medians is None else center_of(table) + medians,
        **_surrogates(problem, grown, nodes, growth),
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
    several = inner & (nodes["n_cuts"] > 0)
    ordered = inner & (nodes["level_start"] < 0)
    by_level = inner & ~ordered & ~several
    threshold = np.full(len(nodes), np.nan)
    at = nodes[ordered]
    threshold[ordered] = _thresholds(problem, growth, at["feature"], at["low"], at["high"])
    for node, value in wishes.thresholds.items():
        threshold[node] = value
    n_levels = np.where(by_level, problem.features["n_codes"][nodes["feature"]], 0)
    starts = zip(nodes["level_start"][by_level], n_levels[by_level], strict=True)
    n_children = nodes["n_children"][by_level]
    tables = [_below(grown.level_branch[s : s + n], k) for (s, n), k in zip(starts, n_children, strict=True)]
    cuts = [_cuts(problem, grown, growth, node) for node in nodes[several]]
    missing = np.where(inner, _missing_branches(nodes, growth), STAYS)
    return Splits(
        kind=np.select([ordered, several, by_level], [THRESHOLD, CUTS, LEVELS], LEAF),
        feature=np.where(inner, nodes["feature"], -1),
        threshold=threshold,
        closed=np.full(len(nodes), THRESHOLD_RULES[growth.threshold].closed),
        low_branch=np.where(ordered, nodes["low_branch"], 0),
        level_start=np.concatenate([[0], np.cumsum(n_levels)]),
        level_branch=np.concatenate([np.empty(0, np.int32), *tables]),
        missing_branch=missing,
        unseen_branch=missing,
        cut_start=np.concatenate([[0], np.cumsum(np.where(several, nodes["n_cuts"], 0))]),
        cuts=np.concatenate([np.empty(0), *cuts]),
    )


def _below(branch: np.ndarray, n_children: int) -> np.ndarray:
    """A table of levels without branches that the node does not have."""
    return np.where(branch < n_children, branch, -1)


def _thresholds(problem: Problem, growth: Growth, feature, low, high) -> np.ndarray:
    """float64: the thresholds between these codes of these features; infinite where nothing known lies above."""
    rule = THRESHOLD_RULES[growth.threshold]
    base, n = problem.features["value_start"][feature], problem.features["n_codes"][feature]
    low_value, high_value = (problem.values[base + np.clip(side, 0, n - 1)] for side in (low, high))
    placed = rule.place(low_value, high_value)
    if rule.on_data:
        placed = np.array([
            problem.values[b + np.searchsorted(problem.values[b : b + m], value, "right") - 1]
            for b, m, value in zip(base, n, placed, strict=True)
        ])  # fmt: skip
    return np.where(high >= n, np.inf, placed)


def _cuts(problem: Problem, grown: Growing, growth: Growth, node) -> np.ndarray:
    """float64 (n_cuts,): thresholds of a node with more than two branches of an ordered feature."""
    low = grown.level_branch[node["level_start"] : node["level_start"] + node["n_cuts"]]
    return _thresholds(problem, growth, np.full(len(low), node["feature"]), low, low + 1)


def _missing_branches(nodes: np.ndarray, growth: Growth) -> np.ndarray:
    """The route of missing values for rows to come; rpart's goes by the rows of the branches: equal, they stay."""
    if growth.missing != "rpart":
        return nodes["missing_branch"]
    inner = np.flatnonzero(nodes["n_children"] == 2)
    first, second = (nodes["n_rows"][nodes["first_child"][inner] + b] for b in range(2))
    found = nodes["missing_branch"].copy()
    found[inner] = np.where(first == second, STAYS, second > first)
    return found


def _surrogates(problem: Problem, grown: Growing, nodes: np.ndarray, growth: Growth) -> dict:
    """The tree's columns of surrogates, in node order."""
    n = np.where(nodes["n_children"] > 0, nodes["n_surrogates"], 0)
    if not n.any():
        return {}
    entries = np.concatenate([np.arange(s, s + k) for s, k in zip(nodes["surrogate_start"], n, strict=True)])
    tests = grown.surrogates[entries.astype(np.int64)]
    ordered = tests["level_start"] < 0
    n_levels = np.where(ordered, 0, problem.features["n_codes"][tests["feature"]])
    tables = [grown.level_branch[s : s + k] for s, k in zip(tests["level_start"], n_levels, strict=True)]
    threshold = np.full(len(tests), np.nan)
    threshold[ordered] = _thresholds(
        problem, growth, *(tests[name][ordered] for name in ("feature", "low", "high"))
    )
    splits = Splits(
        kind=np.where(ordered, THRESHOLD, LEVELS), feature=tests["feature"], threshold=threshold,
        closed=np.full(len(tests), THRESHOLD_RULES[growth.threshold].closed), low_branch=tests["low_branch"],
        level_start=np.concatenate([[0], np.cumsum(n_levels)]), level_branch=np.concatenate(tables),
        missing_branch=np.full(len(tests), STAYS), unseen_branch=np.full(len(tests), STAYS),
    )  # fmt: skip
    return {
        "surrogates": splits, "surrogate_start": np.concatenate([[0], np.cumsum(n)]),
        "surrogate_agree": tests["agree"], "surrogate_adjusted": tests["adjusted"], "surrogate_rows": tests["n_used"],
    }  # fmt: skip
