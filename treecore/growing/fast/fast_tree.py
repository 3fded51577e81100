"""From the nodes that the fast kernels leave to a Tree: leaves limited, surrogates listed, columns put together."""

import heapq
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from treecore.criteria.split_scores import DECREASE
from treecore.data.table import Table
from treecore.data.table_like import cached_with_table
from treecore.growing.fast.working_memory import memory_for, most_levels, put_aside
from treecore.growing.loop import taken
from treecore.growing.settings.costs import added_rows
from treecore.growing.settings.engine_plan import EnginePlan, nominal_levels
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import MISSING_STRATEGIES, THRESHOLD_RULES
from treecore.growing.settings.problem import schema_of
from treecore.growing.settings.thresholds import rounded, thresholds, values_on_data
from treecore.kernels.codes import LEVELS, SHARED, STAYS, THRESHOLD
from treecore.kernels.ranks import ABSENT, numbers_of_keys
from treecore.kernels.records.fast_surrogates import walk_aside
from treecore.kernels.records.nodes import NodeColumns, binary_levels, list_columns
from treecore.kernels.records.record_block import BACKED, BACKUP, N_NODES, FastNodes, RecordBlock, TrainingRows
from treecore.kernels.state import OWN_VALUE, SHARE, STAY, SURROGATES
from treecore.target.rounding import OF_GAINS
from treecore.tree.splits import Splits
from treecore.tree.threshold_gaps import with_gaps
from treecore.tree.tree import Tree


def depth_limited(rules: np.ndarray, growth: GrowSettings) -> np.ndarray:
    """RULES that let no node be deeper than in any tree of so many leaves."""
    if growth.max_leaves is None:
        return rules
    rules = rules.copy()
    rules["max_depth"] = min(int(rules["max_depth"][0]), growth.max_leaves - 1)
    return rules


def keep_best(rows: TrainingRows, nodes: FastNodes, max_leaves: int) -> np.ndarray:
    """Take back all splits but the best max_leaves - 1; int32: the nodes that are left, in the order of growth.

    The split with the largest weight * gain comes next, of equal ones that of the older node: see loop.BestFirst.
    """
    n = int(nodes.counts[N_NODES])
    of, stats = nodes.of[:n], nodes.stats[:n]
    weight = stats[:, 0] if rows.rules["n_classes"][0] == 0 else stats.sum(axis=1)
    worth = (-weight * np.where(of["feature"] >= 0, of["gain"], 0.0)).tolist()
    first_child, swapped = of["first_child"].tolist(), of["swapped"].tolist()
    kept, waiting = [0], [(worth[0], 0)] if first_child[0] >= 0 else []
    split: list[int] = []
    while waiting and len(split) < max_leaves - 1:
        node = kept[heapq.heappop(waiting)[1]]
        split.append(node)
        first = first_child[node] + swapped[node]
        for child in (first, 2 * first_child[node] + 1 - first):
            if first_child[child] >= 0:
                heapq.heappush(waiting, (worth[child], len(kept)))
            kept.append(child)
    order = np.array(kept, np.int32)
    leaves = np.setdiff1d(order, split)
    of["feature"][leaves], of["first_child"][leaves] = -1, -1
    return order


# Surrogates of trees that the fast kernels grow: listed afterwards, unless they say where rows go.


def room_for_backups(rows: TrainingRows, n_nodes: int) -> dict[str, np.ndarray]:
    """The columns of Nodes with room for the surrogates of so many nodes, half of which are split at most; memory that
    is not touched costs nothing."""
    most = min(int(rows.rules["max_surrogates"][0]), rows.keys.shape[1] - 1) * (n_nodes // 2)
    tables = np.empty(most * most_levels(rows), np.int8)
    return {"backups": np.empty(most, BACKUP), "backed": np.zeros(n_nodes, BACKED), "backup_tables": tables}


def with_backups(
    rows: TrainingRows, nodes: FastNodes, local: int, budget: int, report: Callable[[RecordBlock], None]
) -> FastNodes:
    """The nodes with their surrogates, of a table without gaps; at most rules.max_surrogates each.

    local : nodes with fewer rows get a block of their own. budget : records looked at between two reports.
    """
    n, n_nodes = len(rows.keys), int(nodes.counts[N_NODES])
    nodes = nodes._replace(**room_for_backups(rows, n_nodes))
    if n_nodes == 1 or not len(nodes.backups):
        return nodes
    # it does not matter here what the target of a row is; buckets want the rows in the order they left them in
    rows = rows._replace(label=rows.label[:0], response=rows.response[:0])
    nodes = nodes._replace(members=np.arange(n, dtype=np.int32))
    put_aside(nodes, n)
    for most, smallest in ((n, local), (local, 0)) if n > local else ((n, 0),):
        with memory_for(rows, nodes, most) as (block, sorter):
            while walk_aside(rows, block, nodes, sorter, smallest, budget):
                report(block)
    return nodes


# The nodes that the fast kernels leave, as a Tree.

TREE_COLUMNS = (
    "parent", "first_child", "n_children", "node_depth", "stats", "n_rows", "impurity", "gain", "score", "missing_rows",
    "missing_weight", "answer",
)  # fmt: skip
"""The columns of Tree among NodeColumns."""


class ListedNodes(NamedTuple):
    """The nodes of a tree in the order that they have there, and their columns.

    order : int32, positions among the nodes grown. cut, bounds : int64 (m,) and uint32 (2, m), the nodes that a
    threshold parts, and the keys below and above it, as they are among the node's rows.
    """

    order: np.ndarray
    columns: NodeColumns
    cut: np.ndarray
    bounds: np.ndarray

    @property
    def feature(self) -> np.ndarray:
        """int32 (m,): the features of the cuts."""
        return self.columns.feature[self.cut]


def listed(
    table: Table, growth: GrowSettings, plan: EnginePlan, nodes: FastNodes, order: np.ndarray | None, n_lost: int = 0
) -> ListedNodes:  # fmt: skip
    """order : int32, the nodes in the order that they have in the tree; None for all of them, level by level, but for
    n_lost that are below no node any more."""
    n = int(nodes.counts[N_NODES])
    if order is None:
        order = np.empty(n - n_lost, np.int32)
        binary_levels(nodes.of[:n], order)
    zeros = np.zeros(len(order) + 1, np.int64)
    columns = _new_columns(nodes, plan, len(order), zeros, bool(nominal_levels(table).any()))
    list_columns(
        nodes.of, nodes.gaps, nodes.stats, order, nominal_levels(table), _at_midpoint(table, growth), plan.rules,
        _one_route(growth, plan), OF_GAINS, columns,
    )  # fmt: skip
    n_cuts = int(columns.n_cuts[0])
    return ListedNodes(order, columns, columns.at[:n_cuts], columns.bounds[:, :n_cuts])


def fast_tree(
    table: Table, growth: GrowSettings, plan: EnginePlan, nodes: FastNodes, found: ListedNodes,
    report: Callable[..., None],
) -> Tree:  # fmt: skip
    """The tree of these nodes, with their surrogates, if they were looked for.

    report : called in between, as millions of nodes take a while.
    """
    order, columns, zeros = found.order, found.columns, np.zeros(len(found.order) + 1, np.int64)
    report()
    surrogates = _surrogates(table, growth, nodes, order, columns) if len(nodes.backups) else {}
    report()
    splits = _splits(table, growth, nodes, found, zeros)
    training_route, splits = _training_route(growth, columns, splits)
    report()
    schema = schema_of(table, growth)
    if (table.keys.absent != ABSENT).any():
        schema = with_gaps(schema, table.feature_columns, (splits, *filter(None, [surrogates.get("surrogates")])))
    return Tree(
        schema=schema, splits=splits, training_route=training_route,
        **{name: getattr(columns, name) for name in TREE_COLUMNS},
        criterion=plan.criterion.name, growth=dict(plan.settings),
        center=nodes.center[order] if len(nodes.center) else None,
        added=added_rows(growth, columns.stats[0], None) if table.classes else None,
        **({"surrogate_start": zeros} | surrogates),
    )  # fmt: skip


def _new_columns(nodes: FastNodes, plan: EnginePlan, m: int, zeros: np.ndarray, by_levels: bool) -> NodeColumns:
    """Room for m of the nodes. zeros : int64 (m + 1,), for every column of which there is nothing to be told: memory
    that is shared, or not touched, costs nothing. by_levels : may levels part the rows?"""
    types = {
        np.int32: ("parent", "first_child", "n_children", "node_depth", "answer", "feature", "missing_branch"),
        np.float64: ("impurity", "gain", "threshold"),
        np.int64: ("n_rows", "at"),
        np.int8: ("kind", "low_branch"),
    }
    result = {name: np.empty(m, kind) for kind, names in types.items() for name in names}
    rules, gaps = plan.rules[0], len(nodes.gaps) > 0
    other_score = rules["missing"] == OWN_VALUE or rules["score"] != DECREASE
    return NodeColumns(
        number=np.empty(int(nodes.counts[N_NODES]), np.int32), stats=np.empty((m, nodes.stats.shape[1])),
        score=np.empty(m) if other_score else result["gain"], level_start=zeros.copy() if by_levels else zeros,
        missing_rows=np.zeros(m, np.int64) if gaps else zeros[:m],
        missing_weight=np.zeros(m) if gaps else zeros.view(np.float64)[:m],
        bounds=np.empty((2, m), np.uint32), n_cuts=np.zeros(1, np.int64), **result,
    )  # fmt: skip


def _at_midpoint(table: Table, growth: GrowSettings) -> np.ndarray:
    """bool (d,): the features whose thresholds list_columns places; those of the others are placed by _thresholds."""
    return (table.keys.absent == ABSENT) & (growth.threshold == "midpoint")


def _one_route(growth: GrowSettings, plan: EnginePlan) -> int:
    """Where all rows to come without a value go, STAYS or SHARED; 0 if to one branch or the other."""
    strategy, rules = MISSING_STRATEGIES[growth.missing], plan.rules[0]
    if rules["missing"] == strategy.code or strategy.later_by_rows:  # some training row had none
        return 0
    stays = strategy.code == STAY or (strategy.code == SURROGATES and not rules["surrogate_majority"])
    return STAYS if stays else SHARED if strategy.code == SHARE else 0


def _splits(table: Table, growth: GrowSettings, nodes: FastNodes, found: ListedNodes, zeros: np.ndarray) -> Splits:
    order, columns = found.order, found.columns
    n, levels, level_branch, threshold = len(order), nominal_levels(table), np.empty(0, np.int32), columns.threshold
    if len(found.cut):
        threshold = threshold.copy()  # the columns may become a tree once more, with other bounds
        threshold[found.cut] = _thresholds(table, growth, found.feature, found.bounds)
    if columns.level_start[n]:
        of = taken(nodes.of, order[columns.kind == LEVELS])
        level_branch = _level_branches(of, of["swapped"], levels, nodes.tables)
    return Splits(
        kind=columns.kind, feature=columns.feature, threshold=threshold,
        closed=np.full(n, THRESHOLD_RULES[growth.threshold].closed), low_branch=columns.low_branch,
        level_start=columns.level_start, level_branch=level_branch, missing_branch=columns.missing_branch,
        unseen_branch=columns.missing_branch, cut_start=zeros, cuts=np.empty(0),
    )  # fmt: skip


def _training_route(growth: GrowSettings, columns: NodeColumns, splits: Splits) -> tuple[np.ndarray | None, Splits]:
    """(Tree.training_route, the splits with routes for rows to come), where these have a rule of their own: to the
    branch of more rows, of equal ones to none."""
    if not MISSING_STRATEGIES[growth.missing].later_by_rows:
        return None, splits
    route, inner = splits.missing_branch, columns.first_child >= 0
    first, second = (columns.n_rows[columns.first_child + b] for b in range(2))  # of a leaf it does not matter
    later = np.where(inner & (first != second), second > first, STAYS).astype(route.dtype)
    if (later == route).all():
        return None, splits
    return route, replace(splits, missing_branch=later, unseen_branch=later)


def _level_branches(of: np.ndarray, swapped: np.ndarray, levels: np.ndarray, tables: np.ndarray) -> np.ndarray:
    """int32: of splits by levels, the branch of each level of the feature, split after split; -1 for none."""
    if not len(of):
        return np.empty(0, np.int32)
    size = levels[of["feature"]]
    start = np.cumsum(size) - size
    sides = tables[np.repeat(of["low"].astype(np.int64) - start, size) + np.arange(size.sum())].astype(np.int32)
    return np.where(sides < 0, -1, sides ^ np.repeat(swapped, size))


def _surrogates(table: Table, growth: GrowSettings, nodes: FastNodes, order: np.ndarray, columns: NodeColumns) -> dict:
    """The tree's columns of surrogates. order : the nodes as they were grown."""
    backed, swapped = nodes.backed[order], nodes.of["swapped"][order]
    count = np.where(columns.first_child < 0, 0, backed["count"])  # nodes may have become leaves since
    if not count.any():
        return {}
    start = np.concatenate([[0], np.cumsum(count)])
    # of every surrogate: its node, and its place among those found
    node = np.repeat(np.arange(len(order)), count)
    tests = taken(nodes.backups, np.arange(start[-1]) + (backed["start"] - start[:-1])[node])
    n, agree, swapped = len(tests), tests["agree"], swapped[node]
    rows, larger = (columns.n_rows - columns.missing_rows)[node], backed["larger"][node]
    levels = nominal_levels(table)
    by_level, threshold = levels[tests["feature"]] > 0, np.full(n, np.nan)
    cut = ~by_level if by_level.any() else slice(None)  # a mask of all copies every column
    threshold[cut] = _thresholds(
        table, growth, tests["feature"][cut], np.array([tests[name][cut] for name in ("low", "high")])
    )
    splits = Splits(
        kind=np.where(by_level, LEVELS, THRESHOLD), feature=tests["feature"], threshold=threshold,
        closed=np.full(n, THRESHOLD_RULES[growth.threshold].closed),
        low_branch=np.where(by_level, 0, tests["low_branch"] ^ swapped),
        level_start=np.append(0, np.cumsum(levels[tests["feature"]])),
        level_branch=_level_branches(tests[by_level], swapped[by_level], levels, nodes.backup_tables),
        missing_branch=np.full(n, STAYS), unseen_branch=np.full(n, STAYS),
    )  # fmt: skip
    return {
        "surrogates_asked": MISSING_STRATEGIES[growth.missing].code == SURROGATES,
        "surrogates": splits, "surrogate_start": start, "surrogate_agree": agree / rows,
        "surrogate_adjusted": (agree - larger) / (rows - larger), "surrogate_rows": tests["n_used"].astype(float),
    }  # fmt: skip


def _thresholds(table: Table, growth: GrowSettings, feature: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """float64 (n,): the thresholds of these features. bounds : uint32 (2, n), the keys below and above each."""
    rule, columns = THRESHOLD_RULES[growth.threshold], table.feature_columns
    low, high = rounded(rule, numbers_of(table, feature, bounds))
    placed, ordinal = thresholds(rule, False, low, high), _ordinal(table)[feature]
    if ordinal.any():
        placed[ordinal] = thresholds(rule, True, low[ordinal], high[ordinal])
    for f in np.unique(feature[~ordinal]) if rule.on_data else ():
        here = (feature == f) & np.isfinite(placed)
        placed[here] = values_on_data(columns[f], placed[here], rule.slack)
    return placed


@cached_with_table
def _ordinal(table: Table) -> np.ndarray:
    """bool (d,): which features are ordinal."""
    return np.array([c.kind == "ordinal" for c in table.feature_columns])


def numbers_of(table: Table, feature: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """float64 (2, n): the values that have these keys, uint32 (2, n), in these features."""
    coded, numbers = table.keys.absent != ABSENT, numbers_of_keys(keys)
    if not coded.any():
        return numbers
    few = len(coded) < 2**15  # whole numbers of 16 bits NumPy sorts by their digits
    by_feature = np.argsort(feature.astype(np.int16) if few else feature, kind="stable")
    first = np.searchsorted(feature[by_feature], np.arange(len(coded) + 1))
    for f in np.flatnonzero(coded & (first[1:] > first[:-1])):
        here = by_feature[first[f] : first[f + 1]]
        numbers[:, here] = table.feature_columns[f].numbers_of(keys[:, here])
    return numbers
