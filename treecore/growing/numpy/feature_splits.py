"""The best split of a feature at many nodes: cuts of ordered features and groupings of levels.

The twin of kernels.general.ordered_cuts, kernels.general.level_groups and of scan_both_ways in search_nodes.
"""

from dataclasses import dataclass, field

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CriterionArgs, by_code
from treecore.criteria.impurity import impurities
from treecore.growing.numpy.node_blocks import (
    SQUARED_ERROR,
    Block,
    SortedRows,
    decreases,
    last_counted,
    mean_targets,
    part_informations,
    sums_by,
)
from treecore.kernels.state import MULTIWAY, OPEN, OWN_VALUE, Problem


@dataclass(frozen=True, eq=False, repr=False)
class OrderedCuts(Brief):
    """Every cut of the ordered features at the nodes of a block, in the order in which they are tried.

    features : int64 (f,). values : float64 (f, q, cuts), -inf where there is none. n_left : weight on its left, or
    float64 (cuts,) where it is the same everywhere. They stand for the cuts after each entry, with missing values
    above them; where these are a value of their own, then for the same with missing values below, and for the known
    values against the missing ones.
    share, known : float64 (f, q), of the rows that count, and their weight. parent : their impurity.
    """

    block: Block
    features: np.ndarray
    values: np.ndarray
    n_left: np.ndarray
    share: np.ndarray
    known: np.ndarray
    parent: np.ndarray

    def n_left_of(self, f: np.ndarray, nodes: np.ndarray, cut: np.ndarray) -> np.ndarray:
        """float64: the weight on the left of a cut of the f-th feature, one per node."""
        return self.n_left[f, nodes, cut] if self.n_left.ndim > 1 else self.n_left[cut]

    def places(self, f: np.ndarray, nodes: np.ndarray, cut: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(code below, code above, branch of missing values) of a cut of the f-th feature, one per node."""
        block, features = self.block, self.features[f]
        n_known = block.known[features, nodes].sum(axis=1)
        n_cuts = block.codes.shape[2] - 1
        against_missing = cut == 2 * n_cuts
        at = np.where(against_missing, n_known - 1, cut % n_cuts)
        own = block.problem.rules["missing"][0] == OWN_VALUE
        named = own & _have_missing(block)[features, nodes]
        missing_branch = np.where(named, np.where((cut >= n_cuts) & ~against_missing, 0, 1), OPEN)
        low, high = block.codes[features, nodes, at], block.codes[features, nodes, at + 1]
        if not block.all_weigh:
            before = last_counted(block.codes[features, nodes], block.counted[features, nodes])
            low = before[np.arange(len(at)), at + 1]
        return low, high, missing_branch


def _have_missing(block: Block) -> np.ndarray:
    """bool (d, q): do rows of a weight above 0 lack the value?"""
    lacking = block.inside & ~block.known
    return (lacking if block.all_weigh else lacking & block.given.positive[block.rows]).any(axis=2)


def all_cuts(block: Block, features: np.ndarray) -> OrderedCuts:
    """Every cut of these features."""
    problem, nodes, every = block.problem, block.nodes, len(features) == len(block.rows)
    rows, known = (block.rows, block.known) if every else (block.rows[features], block.known[features])
    gaps = known.sum(axis=2) < block.size
    sums = _Sums.of(block.given, rows, known if gaps.any() else None)
    shape, own = rows.shape[:2], problem.rules["missing"][0] == OWN_VALUE
    whole = (np.broadcast_to(nodes[name], shape) for name in ("weight", "n_rows", "impurity"))
    together = _Together(*whole, [np.broadcast_to(part, shape) for part in block.stats])
    apart = gaps & _have_missing(block)[features] if own and gaps.any() else np.zeros_like(gaps)
    if (gaps & ~apart).any():
        together = together.but_for(gaps & ~apart, problem.judge, sums)
    possible = _between_values(block, features, known)
    values, sizes = [_values(problem, together, possible, sums)], [sums.n[..., :-1]]
    if apart.any():
        more = _with_missing_below(problem, together, possible, apart, sums)
        values, sizes = [*values, *more[0]], [*sizes, *more[1]]
    if len(values) > 1:
        values, sizes = [np.concatenate(values, axis=2)], [np.concatenate(sizes, axis=2)]
    share = together.weight / nodes["weight"]
    return OrderedCuts(block, features, values[0], sizes[0], share, together.weight, together.impurity)


@dataclass(frozen=True, eq=False, repr=False)
class _Sums(Brief):
    """Sums over the entries up to each one: float64 (f, q, m), or (m,) where they are the same at all nodes.

    n, n_rows : weight, rows of positive weight. stats : by statistic, those that are asked for.
    added : the weights and, by statistic, what is summed up; None where no row lacks a value.
    """

    n: np.ndarray
    n_rows: np.ndarray
    stats: dict[int, np.ndarray]
    added: tuple[np.ndarray, dict[int, np.ndarray]] | None

    @staticmethod
    def of(given: SortedRows, rows: np.ndarray, known: np.ndarray | None) -> "_Sums":
        """known : entries that count; None where all do. What stands behind the entries of a node must not matter."""
        by_mean = given.problem.judge.code == SQUARED_ERROR
        asked = (1,) if by_mean and known is None else range(len(given.parts))
        if known is not None:
            w = np.where(known, given.weight[rows], 0.0)
            added = {s: np.where(known, given.parts[s][rows], 0.0) for s in asked}
            stats = {s: np.cumsum(part, axis=2) for s, part in added.items()}
            n_rows = np.cumsum(np.where(known, given.tally[rows], 0), axis=2)
            return _Sums(np.cumsum(w, axis=2), n_rows, stats, (w, added))
        if not given.unit:
            stats = {s: np.cumsum(given.parts[s][rows], axis=2) for s in asked}
            return _Sums(np.cumsum(given.weight[rows], axis=2), np.cumsum(given.tally[rows], axis=2), stats, None)
        n = np.arange(1.0, rows.shape[2] + 1.0)
        if not given.problem.rules["n_classes"][0]:
            return _Sums(n, n, {s: np.cumsum(given.parts[s][rows], axis=2) for s in asked}, None)
        stats = {s: np.cumsum(given.parts[s][rows], axis=2) for s in asked[:-1]}
        stats[len(stats)] = n - sum(stats.values())  # whole numbers: exact
        return _Sums(n, n, stats, None)


@dataclass(frozen=True, eq=False, repr=False)
class _Together(Brief):
    """The rows to part, of each feature at each node: float64 (f, q), stats one such array per statistic."""

    weight: np.ndarray
    n_rows: np.ndarray
    impurity: np.ndarray
    stats: list[np.ndarray]

    def but_for(self, gaps: np.ndarray, judge: CriterionArgs, sums: _Sums) -> "_Together":
        """Where there are gaps, the rows with a value only."""
        stats, weight = [part[..., -1] for part in sums.stats.values()], sums.n[..., -1]
        return _Together(
            np.where(gaps, weight, self.weight), np.where(gaps, sums.n_rows[..., -1], self.n_rows),
            np.where(gaps, impurities(judge, stats, weight), self.impurity),
            [np.where(gaps, known, whole) for known, whole in zip(stats, self.stats, strict=True)],
        )  # fmt: skip


def _between_values(block: Block, features: np.ndarray, known: np.ndarray) -> np.ndarray:
    """bool (f, q, m - 1): do the entry and the next one have different known values, further apart than min_gap?

    Entries of weight 0 are passed over.
    """
    problem = block.problem
    codes = block.codes if features.size == len(block.rows) else block.codes[features]
    before, after = codes[..., :-1], known[..., 1:]
    if not block.all_weigh:
        counted = block.counted[features]
        before, after = last_counted(codes, counted)[..., 1:], counted[..., 1:]
    possible = after & (codes[..., 1:] != before) & (before >= 0)
    gap = problem.rules["min_gap"][0]
    if gap > 0.0 and len(problem.values):  # none where no row knows any feature
        begin, last = (problem.features[name][features][:, None, None] for name in ("value_start", "n_codes"))
        above, below = (
            problem.values[np.minimum(begin + np.clip(c, 0, last - 1), len(problem.values) - 1)]
            for c in (codes[..., 1:], before)
        )
        possible &= above > below + gap
    return possible


def _values(problem: Problem, together: _Together, possible: np.ndarray, sums: _Sums) -> np.ndarray:
    """float64 (f, q, m - 1): the impurity decrease of each cut, -inf where it is none."""
    rules, n_left, rows_left = problem.rules[0], sums.n[..., :-1], sums.n_rows[..., :-1]
    n_right = together.weight[..., None] - n_left
    least, fewest = rules["min_weight_leaf"], rules["min_rows_leaf"]
    if fewest > 1 or sums.n.ndim > 1:  # else the entries before and behind a cut are rows that count
        possible = possible & (rows_left >= fewest) & (together.n_rows[..., None] - rows_left >= fewest)
    if least > 0.0:
        possible = possible & (n_left >= least) & (n_right >= least)
    low = {s: part[..., :-1] for s, part in sums.stats.items()}
    high = {s: together.stats[s][..., None] - part for s, part in low.items()}
    if 0 in low:  # all of them
        low, high = list(low.values()), list(high.values())
    values = decreases(problem.judge, together.impurity[..., None], low, n_left, high, n_right)
    values[~possible] = -np.inf
    return values


def _with_missing_below(problem: Problem, together: _Together, possible: np.ndarray, gaps: np.ndarray, sums: _Sums):
    """(values, sizes) of the cuts with missing values on the low side, and of the known values against the missing."""
    rules, (w, added) = problem.rules[0], sums.added
    known, weight, n_rows = [part[..., -1] for part in sums.stats.values()], sums.n[..., -1], sums.n_rows[..., -1]
    missing = [whole - part for whole, part in zip(together.stats, known, strict=True)]
    n_missing, rows_missing = together.weight - weight, together.n_rows - n_rows
    below = _Sums(
        _from(n_missing, w), sums.n_rows + rows_missing[..., None],
        {s: _from(missing[s], part) for s, part in added.items()}, None,
    )  # fmt: skip
    values = _values(problem, together, possible & gaps[..., None], below)
    apart = decreases(problem.judge, together.impurity, known, weight, missing, n_missing)
    enough = np.minimum(n_rows, rows_missing) >= rules["min_rows_leaf"]
    enough &= (np.minimum(weight, n_missing) >= rules["min_weight_leaf"]) & gaps
    return [values, np.where(enough, apart, -np.inf)[..., None]], [below.n[..., :-1], weight[..., None]]


def _from(first: np.ndarray, added: np.ndarray) -> np.ndarray:
    """Sums of `added` along the last axis that start with `first`."""
    added = added.copy()
    added[..., 0] += first
    return np.cumsum(added, axis=-1)


# LevelGroupings of levels: the twin of kernels.general.level_groups for two groups and for a branch per level.


@dataclass(frozen=True, eq=False, repr=False)
class NodeLevels(Brief):
    """The levels present at the nodes of a block, in the order of their codes; 0 stands for those that are not there.

    ids : int64 (q, v). n, n_rows : weight and rows of positive weight. stats : float64 (S, q, v). n_levels : (q,).
    together : statistics (S, q) of all of them; weight, rows, parent : weight, rows and impurity (q,).
    """

    ids: np.ndarray
    n: np.ndarray
    n_rows: np.ndarray
    stats: np.ndarray
    n_levels: np.ndarray
    together: np.ndarray
    weight: np.ndarray
    rows: np.ndarray
    parent: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class LevelGroupings(Brief):
    """Every grouping of one feature's levels at the nodes of a block, in the order in which they are tried.

    values : float64 (q, groupings), -inf where there is none. sides : (q, v) rank of each level by each key, then
    groupings are cuts of the ranks; none where all subsets are tried (`exhaustive`) or there is a branch per level.
    """

    levels: NodeLevels
    values: np.ndarray
    multiway: bool
    exhaustive: np.ndarray
    ranks: list[np.ndarray] = field(default_factory=list)

    def side(self, nodes: np.ndarray, grouping: np.ndarray) -> np.ndarray:
        """int64 (nodes, v): the group of each level under these groupings, one per node."""
        v = np.arange(self.levels.ids.shape[1])
        subset = 1 - ((grouping[:, None] + 1) >> np.minimum(v, 62) & 1)
        if not self.ranks:
            return subset
        ranks, n_cuts = np.stack(self.ranks), self.levels.ids.shape[1] - 1
        by_rank = ranks[np.minimum(grouping // max(n_cuts, 1), len(ranks) - 1), nodes]
        cut = by_rank > (grouping % max(n_cuts, 1))[:, None]
        return np.where(self.exhaustive[nodes, None], subset, cut).astype(np.int64)

    def n_left(self, nodes: np.ndarray, grouping: np.ndarray) -> np.ndarray:
        """float64: the weight of the first group."""
        first = (self.side(nodes, grouping) == 0) & (v_range(self.levels) < self.levels.n_levels[nodes, None])
        return np.cumsum(np.where(first, self.levels.n[nodes], 0.0), axis=1)[:, -1]

    def information(self, nodes: np.ndarray, total: np.ndarray) -> np.ndarray:
        """float64 (nodes,): split information of a branch per level; total : weights of these nodes."""
        result = part_informations(total - self.levels.weight[nodes], total)
        for v in range(self.levels.ids.shape[1]):
            result = result + part_informations(self.levels.n[nodes, v], total)
        return result


def v_range(levels: NodeLevels) -> np.ndarray:
    """int64 (v,)."""
    return np.arange(levels.ids.shape[1])


def all_groupings(block: Block, f: int) -> LevelGroupings:
    """Every grouping of feature f's levels."""
    levels = levels_of(block, f)
    nothing = np.zeros(len(block.ids), bool)
    if block.problem.features["splitter"][f] == MULTIWAY:
        return LevelGroupings(levels, _multiway_values(block, levels)[:, None], True, nothing)
    rules = block.problem.rules[0]
    tried = by_code(block.problem.judge.code).tries_groupings(int(rules["n_classes"]))
    exhaustive = levels.n_levels <= rules["max_exhaustive"] if tried else nothing
    values, ranks = np.full((len(block.ids), 0), -np.inf), []
    if not exhaustive.all():
        values, ranks = _by_keys(block, levels)
        values[exhaustive] = -np.inf
    if exhaustive.any():
        subsets = _subset_values(block, levels, exhaustive)
        width = max(values.shape[1], subsets.shape[1])
        values = np.pad(values, ((0, 0), (0, width - values.shape[1])), constant_values=-np.inf)
        values[exhaustive, : subsets.shape[1]] = subsets
    return LevelGroupings(levels, values, False, exhaustive, ranks)


def levels_of(block: Block, f: int) -> NodeLevels:
    """The levels of feature f at each node; missing is one of them where it is a value of its own.

    A level of which all rows have weight 0 is not there.
    """
    problem, given, nodes = block.problem, block.given, block.nodes
    own = problem.rules["missing"][0] == OWN_VALUE
    counted, codes, rows = block.inside if own else block.known[f], block.codes[f], block.rows[f]
    gaps = counted.sum(axis=1) < block.size
    if not block.all_weigh:
        counted = counted & given.positive[rows]
    begins = counted & (codes != last_counted(codes, counted))
    index = np.cumsum(begins, axis=1) - 1
    n_levels = begins.sum(axis=1)
    q, v = len(block.ids), max(int(n_levels.max(initial=0)), 1)
    cell = (np.arange(q)[:, None] * v + index)[counted]
    rows = rows[counted]

    def added(numbers: np.ndarray) -> np.ndarray:
        return sums_by(cell, numbers[rows], q * v).reshape(q, v)

    ids = np.zeros((q, v), np.int64)
    ids[np.nonzero(begins)[0], index[begins]] = codes[begins]
    stats, n = np.stack([added(part) for part in given.parts]), added(given.weight)
    n_rows = added(given.tally).astype(np.int64)
    known = _sums_in_turn(counted, block.rows[f], [*given.parts, given.weight]) if gaps.any() else None
    together, weight, n_all, parent = block.stats, nodes["weight"], nodes["n_rows"], nodes["impurity"]
    if known is not None:
        together = np.where(gaps, known[:-1], together)
        weight, n_all = np.where(gaps, known[-1], weight), np.where(gaps, n_rows.sum(axis=1), n_all)
        parent = np.where(gaps, impurities(problem.judge, together, weight), parent)
    return NodeLevels(ids, n, n_rows, stats, n_levels, together, weight, n_all, parent)


def _sums_in_turn(counted: np.ndarray, rows: np.ndarray, numbers: list[np.ndarray]) -> np.ndarray:
    """float64 (numbers, q): sums over the counted entries of each node, added one after the other."""
    return np.stack([np.cumsum(np.where(counted, x[rows], 0.0), axis=1)[:, -1] for x in numbers])


def _multiway_values(block: Block, levels: NodeLevels) -> np.ndarray:
    """float64 (q,): the decrease by a branch per level; -inf unless two levels have enough rows."""
    rules, remaining = block.problem.rules[0], np.zeros(len(block.ids))
    large = (levels.n_rows >= rules["min_rows_leaf"]) & (levels.n >= rules["min_weight_leaf"]) & (levels.n > 0.0)
    each = levels.n * impurities(block.problem.judge, levels.stats, levels.n)
    for v in range(each.shape[1]):
        remaining = remaining + each[:, v]
    return np.where(large.sum(axis=1) >= 2, levels.parent - remaining / levels.weight, -np.inf)


def _by_keys(block: Block, levels: NodeLevels) -> tuple[np.ndarray, list[np.ndarray]]:
    """(values (q, keys * (v - 1)), rank of each level (q, v) by each key) of the cuts of the sorted levels.

    The key is the mean target, the share of the first of two classes, or that of each class in turn.
    """
    n_classes = int(block.problem.rules["n_classes"][0])
    there = v_range(levels) < levels.n_levels[:, None]
    values, ranks = [], []
    for k in range(1 if n_classes <= 2 else n_classes):
        share = levels.stats[k] / np.maximum(levels.n, 1e-300)
        key = share if n_classes else mean_targets(levels.stats, levels.n, 0)
        turn = np.argsort(np.where(there, key, np.inf), axis=1, kind="stable")
        each = np.arange(len(turn))[:, None]
        sums = np.cumsum(levels.stats[:, each, turn], axis=2)[..., :-1]
        n_left, rows_left = (np.cumsum(x[each, turn], axis=1)[:, :-1] for x in (levels.n, levels.n_rows))
        result = _side_values(block, levels, slice(None), sums, n_left, rows_left)
        values.append(np.where(v_range(levels)[:-1] < levels.n_levels[:, None] - 1, result, -np.inf))
        rank = np.empty_like(turn)
        rank[each, turn] = np.arange(turn.shape[1])
        ranks.append(rank)
    return np.concatenate(values, axis=1), ranks


def _subset_values(block: Block, levels: NodeLevels, which: np.ndarray) -> np.ndarray:
    """float64 (nodes, subsets): all partitions of the levels into two, the last level always on the right."""
    n_levels = levels.n_levels[which]
    most = int(n_levels.max())
    subset = np.arange(1, max(1 << max(most - 1, 0), 2))
    sums = [np.zeros((len(n_levels), len(subset))) for _ in levels.stats]
    n_left, rows_left = np.zeros_like(sums[0]), np.zeros(sums[0].shape, np.int64)
    for v in range(most - 1):
        taken = subset >> v & 1
        for s in range(len(sums)):
            sums[s] += levels.stats[s, which, v, None] * taken
        n_left += levels.n[which, v, None] * taken
        rows_left += levels.n_rows[which, v, None] * taken
    values = _side_values(block, levels, which, sums, n_left, rows_left)
    return np.where(subset < 1 << np.maximum(n_levels - 1, 0)[:, None], values, -np.inf)


def _side_values(block: Block, levels: NodeLevels, which, sums, n_left, rows_left) -> np.ndarray:
    """float64: what it is worth to part these sums from the rest; -inf where a side is too small."""
    rules = block.problem.rules[0]
    n_right, rows_right = levels.weight[which, None] - n_left, levels.rows[which, None] - rows_left
    enough = np.minimum(rows_left, rows_right) >= rules["min_rows_leaf"]
    enough &= np.minimum(n_left, n_right) >= rules["min_weight_leaf"]
    rest = [levels.together[s][which, None] - sums[s] for s in range(len(levels.stats))]
    values = decreases(block.problem.judge, levels.parent[which, None], sums, n_left, rest, n_right)
    return np.where(enough, values, -np.inf)
