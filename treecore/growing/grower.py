"""A table and settings become a tree."""

from collections.abc import Callable

import numpy as np

from treecore.criteria.impurity import impurities
from treecore.data.table import Table
from treecore.data.table_like import target_counts
from treecore.growing.directions import NO_SUMS
from treecore.growing.early_stopping import EarlyStopping, Scorer
from treecore.growing.engine_choice import (
    FAST,
    NUMPY,
    SHARING,
    choose_engine,
    grown_in_numpy,
    has_buckets,
    note_compiled,
    searched_problem,
)
from treecore.growing.fast.fast_growth import grow_fast
from treecore.growing.forced_splits import ForcedSplit, ForcedSplits
from treecore.growing.loop import GrowResult, Progress, grow_nodes, level_by_level, renumbered, taken
from treecore.growing.numpy.numpy_growth import grow_uncompiled
from treecore.growing.oblique_growth import grow_with_sums
from treecore.growing.settings.costs import added_rows, class_factors, class_priors, loss_matrix
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import MISSING_STRATEGIES, SPLIT_SCORES, THRESHOLD_RULES
from treecore.growing.settings.problem import check_meaning, criterion_of, schema_of, training_rows
from treecore.growing.settings.thresholds import data_values, thresholds
from treecore.growing.shared_growth import grow_shared_rows
from treecore.kernels.codes import CUTS, LEAF, LEVELS, SHARED, STAYS, THRESHOLD
from treecore.kernels.state import N_NODES, SHARE, STAY, SURROGATES, Problem
from treecore.target.counts import log_terms
from treecore.target.rounding import OF_GAINS, settled
from treecore.tree.line_fit import with_lines
from treecore.tree.schema import Schema
from treecore.tree.splits import Splits, ranges
from treecore.tree.threshold_gaps import with_gaps
from treecore.tree.tree import Tree

# Nodes of targets of two columns: what kernels leave out of them.


def count_events(table: Table, problem: Problem, order: np.ndarray, nodes: np.ndarray, by_times: bool) -> np.ndarray:
    """float64 (n_nodes, 4): the statistics of CountTarget of the rows of each node; the nodes' impurities, gains and
    weights become those of the deviance per row.

    Kernels judge cuts by exposures and events in units of the largest rate, and know no case weights. order : int
    (d, n), the training rows as the nodes have them. by_times : scores are no gains.
    """
    case, (events, exposure) = problem.rows["case"], target_counts(table).T
    parts = np.stack([case, case * exposure, case * events, case * log_terms(events, exposure)])
    stats = _sums_at(parts, order, nodes)
    largest = (events / exposure).max(initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        per_row = np.where(stats[:, 0] > 0, nodes["weight"] * largest / stats[:, 0], 0.0)
    nodes["gain"] *= per_row
    if not by_times:
        nodes["score"] *= per_row
    nodes["impurity"] = impurities(problem.judge, list(stats.T), stats[:, 0])
    nodes["weight"] = stats[:, 0]
    _count_missing(problem, order, nodes)
    return stats


def _sums_at(parts: np.ndarray, order: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """float64 (n_nodes, S): sums of the rows of each node. parts : float64 (S, n), of each training row."""
    parts = np.append(parts[:, order[0]], np.zeros((len(parts), 1)), axis=1)
    bounds = np.stack([nodes["start"], nodes["stop"]], axis=1).ravel()
    stats = np.add.reduceat(parts, bounds, axis=1)[:, ::2].T.copy()
    stats[nodes["start"] == nodes["stop"]] = 0.0
    return stats


def count_arms(table: Table, problem: Problem, order: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """float64 (n_nodes, 6): the statistics of EffectTarget of the rows of each node; the nodes' impurities become those
    of the criterion, where kernels had the variance of the transformed outcome. order : as of count_events."""
    rows = np.arange(table.n_rows)
    truth = target_counts(table)
    stats = _sums_at(table.target_kind.row_sums(rows, len(rows), problem.rows["case"], truth).T, order, nodes)
    nodes["impurity"] = impurities(problem.judge, list(stats.T), stats[:, 0])
    return stats


def _count_missing(problem: Problem, order: np.ndarray, nodes: np.ndarray) -> None:
    """Weights of the rows without the value that a node's split asks for, in cases."""
    some = np.flatnonzero((nodes["n_children"] > 0) & (nodes["missing_rows"] > 0))
    size = nodes["stop"][some] - nodes["start"][some]
    row, node = order[0][ranges(nodes["start"][some], size)], np.repeat(some, size)
    feature = nodes["feature"][node]
    lacks = problem.codes[feature, row] == problem.features["n_codes"][feature]
    nodes["missing_weight"] = np.bincount(node[lacks], problem.rows["case"][row[lacks]], len(nodes))


# The tables of levels of a grown tree, as its columns.


def table_of(result: GrowResult, level_start: int, size: int) -> np.ndarray:
    """int64 (size,): the table that begins there, or is kept under that number."""
    if not _are_wide(result):
        return result.growing.level_branch[level_start : level_start + size]
    table = np.empty(size, np.int64)
    assert result.tables is not None
    result.tables[level_start].write(table)
    return table


def level_tables(result: GrowResult, level_start: np.ndarray, n_levels: np.ndarray, n_branches: np.ndarray) -> dict:
    """The columns of Splits that have tables: of entries with so many levels, 0 for none, and so many branches."""
    if _are_wide(result):
        return _listed(result, level_start, n_levels, n_branches)
    at = np.flatnonzero(n_levels)
    tables = [_below(table_of(result, level_start[i], n_levels[i]), n_branches[i]) for i in at]
    start = np.concatenate([[0], np.cumsum(n_levels)])
    return {"level_start": start, "level_branch": np.concatenate([np.empty(0, np.int32), *tables])}


def _are_wide(result: GrowResult) -> bool:
    return result.tables is not None and result.tables.width > 0


def _listed(result: GrowResult, level_start: np.ndarray, n_levels: np.ndarray, n_branches: np.ndarray) -> dict:
    at, n, usual = np.flatnonzero(n_levels), np.zeros(len(n_levels), np.int64), np.full(len(n_levels), -1)
    assert result.tables is not None
    kept = [result.tables[level_start[i]] for i in at]
    n[at] = [len(table.levels) for table in kept]
    usual[at] = [table.usual for table in kept]
    none = np.empty(0, np.int32)
    branches = np.concatenate([none, *(table.branches for table in kept)])
    return {
        "level_start": np.concatenate([[0], np.cumsum(n)]), "n_levels": n_levels,
        "level_branch": _below(branches, np.repeat(n_branches, n)), "usual_branch": _below(usual, n_branches),
        "level_id": np.concatenate([none, *(table.levels for table in kept)]),
    }  # fmt: skip


def _below(branch: np.ndarray, n_children: np.ndarray | int) -> np.ndarray:
    """A table of levels without branches that the node does not have."""
    return np.where(branch < n_children, branch, -1)


def grow_tree(
    table: Table,
    growth: GrowSettings,
    progress: Callable[[Progress], None] | None = None,
    imposed: tuple[ForcedSplit, ...] = (),
    validation: Scorer | None = None,
    any_target: bool = False,
) -> Tree:
    """The full tree that these settings grow on the table's rows, those without a target left out.

    imposed : splits to make at certain places whatever their gain; below them the search goes on. A place
        that the tree does not reach stays without its split.
    progress : called every fraction of a second; an exception it raises ends the fit.
    validation : what a tree gets wrong on validation rows, for settings that ask for patience.
    any_target : the target may be one that nothing can be learned from, as scikit-learn allows; see check_trainable.
    Raises TreecoreError if the table cannot be trained on or the settings do not fit it.
    """
    table = training_rows(table, growth)
    table.check_trainable(any_target)
    check_meaning(table, growth)
    return with_lines(_grown(table, growth, progress, imposed, validation, any_target), table)


def _grown(
    table: Table,
    growth: GrowSettings,
    progress,
    imposed: tuple[ForcedSplit, ...],
    validation: Scorer | None,
    any_target,
) -> Tree:
    """Of rows and settings that were checked. The rest as in grow_tree."""
    if growth.oblique != NO_SUMS:

        def grow(wide: Table, plain: GrowSettings, wished: tuple[ForcedSplit, ...]) -> Tree:
            return grow_tree(wide, plain, progress, wished, validation, any_target)

        return grow_with_sums(table, growth, grow, imposed, progress)
    engine, parts, plan, in_numpy, problem = choose_engine(table, growth, bool(imposed))
    if in_numpy:
        grown = grown_in_numpy(problem, growth, parts, progress)
        if grown is not None:
            return tree_of(table, growth, problem, ForcedSplits(problem, table, growth, imposed), grown)
    if engine == NUMPY:
        forced_splits = ForcedSplits(problem, table, growth, ())
        return tree_of(table, growth, problem, forced_splits, grow_uncompiled(problem, growth, progress))
    tree = grow_fast(table, growth, progress, plan=plan, may_bucket=has_buckets) if engine == FAST else None
    if engine == SHARING:
        problem = problem or searched_problem(table, growth)
        grown = grow_shared_rows(problem, progress)
        tree = grown and tree_of(table, growth, problem, ForcedSplits(problem, table, growth, ()), grown)
    if tree is None:
        problem = problem or searched_problem(table, growth)
        forced_splits = ForcedSplits(problem, table, growth, imposed)
        tree = _grown_generally(table, growth, problem, forced_splits, progress, validation)
    note_compiled(parts, tree)
    return tree


def _grown_generally(
    table: Table,
    growth: GrowSettings,
    problem: Problem,
    forced_splits: ForcedSplits,
    progress,
    validation: Scorer | None,
) -> Tree:
    """By the general kernels. The rest as in grow_tree."""
    if not growth.patience:
        return tree_of(table, growth, problem, forced_splits, grow_nodes(problem, growth, forced_splits, progress))
    peak = EarlyStopping.of(growth.patience, validation)

    def is_enough(so_far: GrowResult) -> bool:
        due = peak.is_due(so_far.n_splits)
        return due and peak.is_past(tree_of(table, growth, problem, forced_splits, so_far), so_far.n_forced)

    grown = grow_nodes(problem, growth, forced_splits, progress, is_enough)
    return peak.reached(tree_of(table, growth, problem, forced_splits, grown), grown.n_forced)


def tree_of(
    table: Table, growth: GrowSettings, problem: Problem, forced_splits: ForcedSplits, result: GrowResult
) -> Tree:
    """The nodes grown so far as a tree."""
    grown, schema = result.growing, schema_of(table, growth, problem)
    nodes = grown.nodes[: int(grown.counts[N_NODES])]
    first_child, n_children = nodes["first_child"], nodes["n_children"] * (nodes["first_child"] >= 0)
    order = _order(first_child, n_children, growth)  # what has no children yet has none, though a split was found
    nodes, inner = renumbered(nodes, order), n_children[order] > 0
    nodes["n_children"] *= inner
    center = nodes["center"].copy()
    if problem.has_weightless:  # the kernels' limits count rows of positive weight
        nodes["n_rows"] = nodes["stop"] - nodes["start"]
    priors, stats = class_priors(table, growth), grown.stats[order]
    if table.task == "effects":
        stats = count_arms(table, problem, grown.order, nodes)
    elif table.counts is not None:
        stats = count_events(table, problem, grown.order, nodes, SPLIT_SCORES[growth.score].by_times)
    else:
        stats = _as_counted(stats, table, growth)
    placed = {int(np.flatnonzero(order == node)[0]): value for node, value in forced_splits.thresholds.items()}
    beside = {int(np.flatnonzero(order == node)[0]): value for node, value in forced_splits.beside.items()}
    splits = _splits(problem, result, nodes, growth, schema, placed)
    backups = _surrogates(problem, result, nodes, growth, schema)
    tests = (splits, backups["surrogates"]) if backups else (splits,)
    return Tree(
        schema=with_gaps(schema, table.feature_columns, tests, beside),
        parent=nodes["parent"],
        first_child=nodes["first_child"],
        n_children=nodes["n_children"],
        node_depth=nodes["depth"],
        splits=splits,
        training_route=_training_route(problem, nodes, growth),
        stats=stats,
        n_rows=nodes["n_rows"],
        impurity=nodes["impurity"],
        gain=np.where(inner, settled(nodes["gain"], nodes["impurity"], OF_GAINS), np.nan),
        score=np.where(inner, settled(nodes["score"], nodes["impurity"], OF_GAINS), np.nan),
        missing_rows=np.where(inner, nodes["missing_rows"], 0),
        missing_weight=np.where(inner, nodes["missing_weight"], 0.0),
        answer=_answers(nodes, growth, table.target_kind.answers(stats) | (table.task != "effects")),
        criterion=criterion_of(table, growth).name,
        center=center if table.target_kind.around_center else None,
        growth=growth.to_dict() | _learned_delta(schema),
        priors=priors,
        loss=loss_matrix(table, growth),
        added=added_rows(growth, stats[0], priors) if table.classes else None,
        median=center + np.concatenate(result.medians)[order] if result.medians else None,
        **backups,
    )


def _learned_delta(schema: Schema) -> dict[str, float]:
    """Settings that were left to the data, as they came out: what grows like the tree on a fold has the same."""
    loss = schema.row_loss
    return {} if loss is None or not loss.parameter else {loss.parameter: getattr(loss, loss.parameter)}


def _order(first_child: np.ndarray, n_children: np.ndarray, growth: GrowSettings) -> np.ndarray:
    """int64 (n_nodes,): the nodes as they are numbered in the tree: level by level, or in the order of growth where
    that is best-first. It must not show which grower was at work."""
    in_turn = growth.max_leaves is not None or growth.patience
    return np.arange(len(n_children)) if in_turn else level_by_level(first_child, n_children)


def _as_counted(stats: np.ndarray, table: Table, growth: GrowSettings) -> np.ndarray:
    """The nodes' statistics without what priors and costs did to the weights; whole where rows count once."""
    if not table.classes or (growth.priors is None and not growth.weighs_answers):
        return stats
    factors = class_factors(table, growth)
    counted = np.divide(stats, factors, out=np.zeros_like(stats), where=factors > 0)
    return np.rint(counted) if table.weights is None and growth.missing != "fractional" else counted


def _answers(nodes: np.ndarray, growth: GrowSettings, has_own: np.ndarray) -> np.ndarray:
    """The node that answers for each: itself, or for one without rows its parent (or -1).

    has_own : bool (n_nodes,), has it an answer? A split by hand may leave a node rows of one arm of a treatment alone,
    which answers as the one above it.
    """
    own = np.arange(len(nodes))
    elsewhere = nodes["parent"] if growth.empty_leaf == "parent" else -1
    answer = np.where(nodes["weight"] > 0, own, elsewhere)
    for t in np.flatnonzero((nodes["weight"] > 0) & ~has_own & (nodes["parent"] >= 0)):
        answer[t] = answer[nodes["parent"][t]]
    return answer


def _splits(
    problem: Problem, result: GrowResult, nodes: np.ndarray, growth: GrowSettings, schema: Schema, placed: dict
):
    """The nodes' tests as Splits, with thresholds placed by the rule and level tables in node order.

    placed : node -> threshold, where somebody said which.
    """
    inner = nodes["n_children"] > 0
    in_bins = inner & np.array([f.branches_by_bins for f in schema.features])[nodes["feature"]]
    several = inner & (nodes["n_cuts"] > 0) | in_bins
    ordered = inner & (nodes["level_start"] < 0)
    by_level = inner & ~ordered & ~several
    n_cuts = np.where(in_bins, nodes["n_children"] - 1, np.where(several, nodes["n_cuts"], 0))
    threshold = np.full(len(nodes), np.nan)
    at = nodes[ordered]
    threshold[ordered] = _thresholds(problem, growth, schema, at["feature"], at["low"], at["high"])
    for node, value in placed.items():
        threshold[node] = value
    n_levels = np.where(by_level, problem.features["n_codes"][nodes["feature"]], 0)
    n_branches = np.where(by_level, nodes["n_children"], 0)
    cuts = [_cuts(problem, result, growth, schema, node) for node in nodes[several]]
    missing = np.where(inner, _missing_branches(problem, nodes, growth), STAYS)
    return Splits(
        kind=np.select([ordered, several, by_level], [THRESHOLD, CUTS, LEVELS], LEAF),
        feature=np.where(inner, nodes["feature"], -1),
        threshold=threshold,
        closed=THRESHOLD_RULES[growth.threshold].closed & ~in_bins,  # a bin holds its lower edge
        low_branch=np.where(ordered, nodes["low_branch"], 0),
        **level_tables(result, nodes["level_start"], n_levels, n_branches),
        missing_branch=missing,
        unseen_branch=missing,
        cut_start=np.concatenate([[0], np.cumsum(n_cuts)]),
        cuts=np.concatenate([np.empty(0), *cuts]),
    )


def _thresholds(problem: Problem, growth: GrowSettings, schema: Schema, feature, low, high) -> np.ndarray:
    """float64: the thresholds between these codes of these features; infinite where nothing known lies above."""
    placed, rule = np.empty(len(feature)), THRESHOLD_RULES[growth.threshold]
    for f in np.unique(feature):
        begin, n = int(problem.features["value_start"][f]), int(problem.features["n_codes"][f])
        values, here = problem.values[begin : begin + n], feature == f
        sides = (np.where(side[here] < n, values[np.clip(side[here], 0, n - 1)], np.nan) for side in (low, high))
        placed[here] = thresholds(rule, schema.features[f].kind == "ordinal", *sides)
    numeric = np.array([schema.features[f].numeric for f in feature], bool) & np.isfinite(placed)
    if rule.on_data and numeric.any():
        placed[numeric] = data_values(problem, feature[numeric], placed[numeric], rule.slack)
    return placed


def _cuts(problem: Problem, result: GrowResult, growth: GrowSettings, schema: Schema, node) -> np.ndarray:
    """float64 (n_cuts,): thresholds of a node that branches by bins, or into more than two parts of an order."""
    if schema.features[node["feature"]].branches_by_bins:
        cuts = np.array(schema.features[node["feature"]].cuts)
        return np.append(cuts, np.full(node["n_children"] - 1 - len(cuts), np.inf))  # above it: missing values alone
    low = table_of(result, int(node["level_start"]), int(node["n_cuts"]))
    return _thresholds(problem, growth, schema, np.full(len(low), node["feature"]), low, low + 1)


def _missing_branches(problem: Problem, nodes: np.ndarray, growth: GrowSettings) -> np.ndarray:
    """The route of missing values for rows to come."""
    strategy, result = MISSING_STRATEGIES[growth.missing], nodes["missing_branch"].copy()
    if problem.rules["missing"][0] != strategy.code:  # no training row came without a value
        if strategy.code == STAY or (strategy.code == SURROGATES and not problem.rules["surrogate_majority"][0]):
            result[:] = STAYS
        elif strategy.code == SHARE:
            result[:] = SHARED
    if not strategy.later_by_rows:
        return result
    inner = np.flatnonzero((nodes["n_children"] == 2) & (nodes["missing_named"] == 0))
    first, second = (nodes["n_rows"][nodes["first_child"][inner] + b] for b in range(2))
    result[inner] = np.where(first == second, STAYS, second > first)
    return result


def _training_route(problem: Problem, nodes: np.ndarray, growth: GrowSettings) -> np.ndarray | None:
    """Tree.training_route: as the kernels sent them, where rows to come have a rule of their own."""
    if not MISSING_STRATEGIES[growth.missing].later_by_rows:
        return None
    inner = nodes["n_children"] > 0
    route = np.where(inner, nodes["missing_branch"], STAYS)
    differs = inner & (route != _missing_branches(problem, nodes, growth))
    return route if differs.any() or problem.has_weightless else None


def _surrogates(problem: Problem, result: GrowResult, nodes: np.ndarray, growth: GrowSettings, schema: Schema) -> dict:
    """The tree's columns of surrogates, in node order."""
    n = np.where(nodes["n_children"] > 0, nodes["n_surrogates"], 0)
    if not n.any():
        return {}
    tests = taken(result.growing.surrogates, ranges(nodes["surrogate_start"], n))
    ordered = tests["level_start"] < 0
    n_levels = np.where(ordered, 0, problem.features["n_codes"][tests["feature"]])
    threshold = np.full(len(tests), np.nan)
    threshold[ordered] = _thresholds(
        problem, growth, schema, *(tests[name][ordered] for name in ("feature", "low", "high"))
    )
    splits = Splits(
        kind=np.where(ordered, THRESHOLD, LEVELS), feature=tests["feature"], threshold=threshold,
        closed=np.full(len(tests), THRESHOLD_RULES[growth.threshold].closed), low_branch=tests["low_branch"],
        **level_tables(result, tests["level_start"], n_levels, np.where(ordered, 0, 2)),
        missing_branch=np.full(len(tests), STAYS), unseen_branch=np.full(len(tests), STAYS),
    )  # fmt: skip
    return {
        "surrogates_asked": MISSING_STRATEGIES[growth.missing].code == SURROGATES,
        "surrogates": splits, "surrogate_start": np.concatenate([[0], np.cumsum(n)]),
        "surrogate_agree": tests["agree"], "surrogate_adjusted": tests["adjusted"], "surrogate_rows": tests["n_used"],
    }  # fmt: skip
