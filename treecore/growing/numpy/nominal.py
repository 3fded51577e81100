"""Groupings of levels: the twin of kernels.general.level_groups for two groups and for a branch per level."""

from dataclasses import dataclass, field

import numpy as np

from treecore.brief import Brief
from treecore.criteria import by_code
from treecore.criteria.impurity import impurities
from treecore.growing.numpy.arithmetic import decreases, mean_targets, part_informations
from treecore.growing.numpy.blocks import Block, last_counted, sums_by
from treecore.kernels.state import MULTIWAY, OWN_VALUE


@dataclass(frozen=True, eq=False, repr=False)
class Levels(Brief):
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
class Groupings(Brief):
    """Every grouping of one feature's levels at the nodes of a block, in the order in which they are tried.

    values : float64 (q, groupings), -inf where there is none. sides : (q, v) rank of each level by each key, then
    groupings are cuts of the ranks; none where all subsets are tried (`exhaustive`) or there is a branch per level.
    """

    levels: Levels
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
        found = part_informations(total - self.levels.weight[nodes], total)
        for v in range(self.levels.ids.shape[1]):
            found = found + part_informations(self.levels.n[nodes, v], total)
        return found


def v_range(levels: Levels) -> np.ndarray:
    """int64 (v,)."""
    return np.arange(levels.ids.shape[1])


def all_groupings(block: Block, f: int) -> Groupings:
    """Every grouping of feature f's levels."""
    levels = levels_of(block, f)
    nothing = np.zeros(len(block.ids), bool)
    if block.problem.features["splitter"][f] == MULTIWAY:
        return Groupings(levels, _multiway_values(block, levels)[:, None], True, nothing)
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
    return Groupings(levels, values, False, exhaustive, ranks)


def levels_of(block: Block, f: int) -> Levels:
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
    return Levels(ids, n, n_rows, stats, n_levels, together, weight, n_all, parent)


def _sums_in_turn(counted: np.ndarray, rows: np.ndarray, numbers: list[np.ndarray]) -> np.ndarray:
    """float64 (numbers, q): sums over the counted entries of each node, added one after the other."""
    return np.stack([np.cumsum(np.where(counted, x[rows], 0.0), axis=1)[:, -1] for x in numbers])


def _multiway_values(block: Block, levels: Levels) -> np.ndarray:
    """float64 (q,): the decrease by a branch per level; -inf unless two levels have enough rows."""
    rules, remaining = block.problem.rules[0], np.zeros(len(block.ids))
    large = (levels.n_rows >= rules["min_rows_leaf"]) & (levels.n >= rules["min_weight_leaf"]) & (levels.n > 0.0)
    each = levels.n * impurities(block.problem.judge, levels.stats, levels.n)
    for v in range(each.shape[1]):
        remaining = remaining + each[:, v]
    return np.where(large.sum(axis=1) >= 2, levels.parent - remaining / levels.weight, -np.inf)


def _by_keys(block: Block, levels: Levels) -> tuple[np.ndarray, list[np.ndarray]]:
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
        found = _side_values(block, levels, slice(None), sums, n_left, rows_left)
        values.append(np.where(v_range(levels)[:-1] < levels.n_levels[:, None] - 1, found, -np.inf))
        rank = np.empty_like(turn)
        rank[each, turn] = np.arange(turn.shape[1])
        ranks.append(rank)
    return np.concatenate(values, axis=1), ranks


def _subset_values(block: Block, levels: Levels, which: np.ndarray) -> np.ndarray:
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


def _side_values(block: Block, levels: Levels, which, sums, n_left, rows_left) -> np.ndarray:
    """float64: what it is worth to part these sums from the rest; -inf where a side is too small."""
    rules = block.problem.rules[0]
    n_right, rows_right = levels.weight[which, None] - n_left, levels.rows[which, None] - rows_left
    enough = np.minimum(rows_left, rows_right) >= rules["min_rows_leaf"]
    enough &= np.minimum(n_left, n_right) >= rules["min_weight_leaf"]
    rest = [levels.together[s][which, None] - sums[s] for s in range(len(levels.stats))]
    values = decreases(block.problem.judge, levels.parent[which, None], sums, n_left, rest, n_right)
    return np.where(enough, values, -np.inf)
