"""The nodes that the fast kernels leave, as a Tree."""

import numpy as np

from treecore.data.table import Table
from treecore.growing.data_values import values_on_data
from treecore.growing.fast_arrays import nominal_levels
from treecore.growing.parts import MISSING_STRATEGIES, THRESHOLD_RULES
from treecore.growing.problem import center_of, schema_of
from treecore.growing.settings import Growth
from treecore.growing.terms import Terms
from treecore.growing.thresholds import thresholds
from treecore.kernels.backup_cuts import Backups
from treecore.kernels.codes import LEAF, LEVELS, SHARED, STAYS, THRESHOLD
from treecore.kernels.fast_state import N_NODES, Nodes
from treecore.kernels.keys import ABSENT, numbers_of_keys
from treecore.kernels.numbering import binary_levels
from treecore.kernels.state import SHARE, STAY, SURROGATES
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree


def fast_tree(
    table: Table, growth: Growth, terms: Terms, nodes: Nodes, backups: Backups | None, order: np.ndarray | None
) -> Tree:
    """The tree of these nodes, with their surrogates, if they were looked for.

    order : int64, the nodes in the order that they have in the tree; None for all of them, level by level.
    """
    n = int(nodes.counts[N_NODES])
    if order is None:
        order = np.empty(n, np.int64)
        binary_levels(nodes.of[:n], order)
    of, stats = _taken(nodes.of[:n], order), np.take(nodes.stats[:n], order, axis=0)
    inner, number = of["feature"] >= 0, np.full(n + 1, -1, np.int64)
    number[order] = np.arange(len(order))
    first_child = number[np.where(inner, of["first_child"] + of["swapped"], -1)]
    return Tree(
        schema=schema_of(table, growth), parent=number[of["parent"]], first_child=first_child,
        n_children=2 * inner, node_depth=of["depth"],
        splits=_splits(table, growth, terms.rules[0], of, stats, first_child, nodes.tables),
        stats=stats, n_rows=of["n_rows"], impurity=of["impurity"], gain=np.where(inner, of["gain"], np.nan),
        score=np.where(inner, of["score"], np.nan), missing_rows=np.where(inner, of["missing_rows"], 0),
        missing_weight=np.where(inner, of["missing_weight"], 0.0), answer=np.arange(len(order)),
        criterion=terms.criterion.name, center=center_of(table), growth=growth.to_dict(),
        **({} if backups is None else _surrogates(table, growth, backups, order, of, first_child, of["swapped"])),
    )  # fmt: skip


def _taken(records: np.ndarray, places: np.ndarray) -> np.ndarray:
    """records[places], as rows of plain numbers: field by field, as NumPy copies records, takes many times as long."""
    numbers = records.view(np.uint32).reshape(len(records), -1)
    return np.take(numbers, places, axis=0).view(records.dtype).reshape(len(places))


def _splits(table: Table, growth: Growth, rules, of, stats, first_child, tables) -> Splits:
    n, feature, inner, swapped = len(of), of["feature"], of["feature"] >= 0, of["swapped"]
    levels = nominal_levels(table)
    by_level = inner & (levels[feature] > 0)
    ordered, threshold = inner & ~by_level, np.full(n, np.nan)
    threshold[ordered] = _thresholds(table, growth, feature[ordered], of["low"][ordered], of["high"][ordered])
    missing = np.where(inner, _missing_branches(growth, rules, of, stats, first_child), STAYS)
    level_start, nothing = np.append(0, np.cumsum(np.where(by_level, levels[feature], 0))), np.zeros(n + 1, np.int64)
    return Splits(
        kind=np.where(by_level, LEVELS, np.where(ordered, THRESHOLD, LEAF)), feature=feature, threshold=threshold,
        closed=np.full(n, THRESHOLD_RULES[growth.threshold].closed), low_branch=np.where(ordered, swapped, 0),
        level_start=level_start, level_branch=_level_branches(of[by_level], swapped[by_level], levels, tables),
        missing_branch=missing, unseen_branch=missing, cut_start=nothing, cuts=np.empty(0),
    )  # fmt: skip


def _level_branches(of: np.ndarray, swapped: np.ndarray, levels: np.ndarray, tables: np.ndarray) -> np.ndarray:
    """int32: of splits by levels, the branch of each level of the feature, split after split; -1 for none."""
    if not len(of):
        return np.empty(0, np.int32)
    size = levels[of["feature"]]
    start = np.cumsum(size) - size
    sides = tables[np.repeat(of["low"].astype(np.int64) - start, size) + np.arange(size.sum())].astype(np.int32)
    return np.where(sides < 0, -1, sides ^ np.repeat(swapped, size))


def _surrogates(table: Table, growth: Growth, backups: Backups, order, of, first_child, swapped) -> dict:
    """The tree's columns of surrogates. order : the nodes as they were grown; of, first_child, swapped : numbered as
    in the tree."""
    count = backups.count[order]
    if not count.any():
        return {}
    start = np.concatenate([[0], np.cumsum(count)])
    # of every surrogate: its node, and its place among those found
    node = np.repeat(np.arange(len(order)), count)
    tests = _taken(backups.of, np.arange(start[-1]) + (backups.start[order] - start[:-1])[node])
    n, agree, swapped = len(tests), tests["agree"], swapped[node]
    rows, first = of["n_rows"][node], of["n_rows"][first_child[node]]
    larger = np.maximum(first, rows - first)
    levels = nominal_levels(table)
    by_level, threshold = levels[tests["feature"]] > 0, np.full(n, np.nan)
    threshold[~by_level] = _thresholds(table, growth, *(tests[name][~by_level] for name in ("feature", "low", "high")))
    splits = Splits(
        kind=np.where(by_level, LEVELS, THRESHOLD), feature=tests["feature"], threshold=threshold,
        closed=np.full(n, THRESHOLD_RULES[growth.threshold].closed),
        low_branch=np.where(by_level, 0, tests["low_branch"] ^ swapped),
        level_start=np.append(0, np.cumsum(levels[tests["feature"]])),
        level_branch=_level_branches(tests[by_level], swapped[by_level], levels, backups.tables),
        missing_branch=np.full(n, STAYS), unseen_branch=np.full(n, STAYS),
    )  # fmt: skip
    return {
        "surrogates_asked": MISSING_STRATEGIES[growth.missing].code == SURROGATES,
        "surrogates": splits, "surrogate_start": start, "surrogate_agree": agree / rows,
        "surrogate_adjusted": (agree - larger) / (rows - larger), "surrogate_rows": np.zeros(n),
    }  # fmt: skip


def _thresholds(table: Table, growth: Growth, feature, low, high) -> np.ndarray:
    """float64: the thresholds between these keys of these features."""
    rule, columns = THRESHOLD_RULES[growth.threshold], table.feature_columns
    low, high = (_numbers(table, feature, keys) for keys in (low, high))
    placed, ordinal = thresholds(rule, False, low, high), np.array([c.kind == "ordinal" for c in columns])[feature]
    if ordinal.any():
        placed[ordinal] = thresholds(rule, True, low[ordinal], high[ordinal])
    for f in np.unique(feature[~ordinal]) if rule.on_data else ():
        here = (feature == f) & np.isfinite(placed)
        placed[here] = values_on_data(columns[f], placed[here], rule.slack)
    return placed


def _numbers(table: Table, feature, keys) -> np.ndarray:
    """float64: the values that have these keys in these features."""
    coded, numbers = table.keys.absent != ABSENT, numbers_of_keys(keys)
    for f in np.unique(feature[coded[feature]]) if coded.any() else ():
        here = feature == f
        numbers[here] = table.feature_columns[f].numbers_of(keys[here])
    return numbers


def _missing_branches(growth: Growth, rules, of, stats, first_child) -> np.ndarray:
    """The route of missing values for rows to come."""
    strategy = MISSING_STRATEGIES[growth.missing]
    if rules["missing"] != strategy.code and not strategy.later_by_rows:  # no training row came without a value
        if strategy.code == STAY or (strategy.code == SURROGATES and not rules["surrogate_majority"]):
            return np.full(len(of), STAYS)
        if strategy.code == SHARE:
            return np.full(len(of), SHARED)
    weight = stats[:, 0] if rules["n_classes"] == 0 else stats.sum(axis=1)
    size, first = of["n_rows"] if rules["majority_rows"] else weight, np.maximum(first_child, 0)
    left, right = size[first], size[np.minimum(first + 1, len(of) - 1)]
    # the larger branch; of equals the first, the last, or none
    of_equals = np.array([0, 1, STAYS])[rules["majority_ties"]]
    larger = np.where(left == right, of_equals, right > left)
    sent = of["missing_rows"] > 0
    return np.where(sent, of["missing_branch"] ^ of["swapped"], larger)
