"""Growing where an engine counts the rows: search counted cells, refine cuts between bins, split, count again."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.brief import DERIVED, Brief
from treecore.criteria.impurity import impurities
from treecore.growing.counted_table import CountedTable, CountedValues, Counter, Cut, Sent, problem_of_counts
from treecore.growing.forced_splits import ForcedSplits
from treecore.growing.grower import tree_of
from treecore.growing.loop import BestFirst, GrowResult, Progress
from treecore.growing.numpy.block_search import FeatureSearch
from treecore.growing.numpy.block_split import Splitting
from treecore.growing.numpy.node_blocks import Block, SortedRows, may_split
from treecore.growing.settings.costs import class_factors
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.growing.settings.thresholds import thresholds
from treecore.kernels.state import BEST, N_NODES, ORDERED, GrowState, Problem, new_growing, with_room
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class CountedCells(SortedRows):
    """Every cell (feature, node, code) is a row that weighs as much as the rows it stands for.

    n : int64 (cells,), how many these are. Cells of one node and feature stand side by side, one per code; those that
    a feature does not have are empty, and missing.
    """

    n: np.ndarray = DERIVED

    @property
    def tally(self) -> np.ndarray:
        """int64 (cells,)."""
        return self.n

    def size_of(self, rows: np.ndarray) -> np.ndarray:
        """int64, of these cells."""
        return self.n[rows]


def cells_of(problem: Problem, sums: np.ndarray, factors: np.ndarray | None) -> CountedCells:
    """sums : float64 (q, d, m, S), as a Counter gives them. factors : of the classes' weights, None for a number."""
    q, d, m, n_stats = sums.shape
    by_cell = np.ascontiguousarray(sums.transpose(3, 1, 0, 2)).reshape(n_stats, -1)
    n = by_cell[0] if factors is None else by_cell.sum(axis=0)
    parts = by_cell if factors is None else by_cell * factors[:, None]
    case = n.astype(np.float64)
    weight = case if factors is None else parts.sum(axis=0)
    code = np.minimum(np.arange(m), problem.features["n_codes"][:, None, None]).astype(np.int32)
    codes = np.broadcast_to(np.broadcast_to(code, (d, q, m)).reshape(-1), (d, d * q * m))
    whole = np.ones(codes.shape[1])
    return CountedCells(
        problem, np.arange(codes.shape[1]), whole, codes, parts, weight, case, weight > 0.0, False, n.astype(np.int64)
    )


def order_of(d: int, q: int, m: int) -> np.ndarray:
    """int32 (d, q * m): the cells of each feature, node after node."""
    return np.arange(d * q * m, dtype=np.int32).reshape(d, q * m)


def block_of(cells: CountedCells, growing: GrowState, ids: np.ndarray) -> Block:
    """The nodes with these ids, whose cells these are, as the search takes them."""
    d = len(cells.codes)
    rows = np.arange(cells.codes.shape[1]).reshape(d, len(ids), -1)
    size = np.full(len(ids), rows.shape[2])
    return Block(cells, growing, ids, size, rows, cells.codes[0][rows])


# Cuts between bins made exact: what the two bins beside a cut hold is searched value by value, by the same rules.


@dataclass(frozen=True, eq=False, repr=False)
class Fine(Brief):
    """A node's cut between two values of its feature, which alone has codes here: rows below the two bins have 0, those
    above the last one, and between are the values.

    cut : where it was between bins. problem : of this feature. sums : float64 (1, codes + 1, S). low, high : codes.
    edge, above : the largest value below the cut and the smallest above it. threshold : where it stands.
    """

    cut: Cut
    problem: Problem
    sums: np.ndarray
    low: int
    high: int
    edge: float
    above: float
    threshold: float


def cuts_between_bins(columns, problem: Problem, growing: GrowState, ids: np.ndarray, sums: dict) -> list[Cut]:
    """Those of the nodes with these ids whose split was found. sums : of each, float64 (d, m, S)."""
    result = []
    for node in ids.tolist():
        record = growing.nodes[node]
        f, low, high = (int(record[name]) for name in ("feature", "low", "high"))
        column = columns[f]
        if record["n_children"] == 0 or problem.features["splitter"][f] != ORDERED or not is_between(column, high):
            continue
        inside = sums[node][f, low : high + 1]
        n = inside[:, 0].sum() if problem.rules["n_classes"][0] == 0 else inside.sum()
        ends = float(column.distinct[low - 1]) if low else None, float(column.distinct[high])
        result.append(Cut(node, f, low, high, round(n), *ends))
    return result


def is_between(column, high: int) -> bool:
    """Does a cut below this code part two bins of the column?"""
    return column.kind == "numeric" and column.in_bins and high < column.n_distinct


def refined(
    cut: Cut, values: CountedValues, sums: np.ndarray, problem: Problem, growing: GrowState, factors, rule: str
):
    """The cut among these values that is chosen as any is, as a Fine; None where it is not between two of them.

    sums : of the node, float64 (d, m, S). factors : as in cells_of. The node's record has the gain and score of it.
    """
    here, k = sums[cut.feature], len(values.low)
    n_codes = int(problem.features["n_codes"][cut.feature])
    outside = [here[: cut.low].sum(axis=0), here[cut.high + 1 : n_codes].sum(axis=0), here[n_codes]]
    fine = np.stack([outside[0], *values.sums, *outside[1:]])[None]
    alone = _alone(problem, cut.feature, values.high)
    record, before = growing.nodes[cut.node : cut.node + 1], growing.nodes[cut.node].copy()
    record["feature"] = -1
    FeatureSearch(block_of(cells_of(alone, fine[None], factors), growing, np.array([cut.node]))).written()
    low, high = int(record["low"][0]), int(record["high"][0])
    if record["feature"][0] < 0 or not (1 <= low < high <= k):
        record[0] = before
        return None
    for name in ("feature", "low", "high"):
        record[name] = before[name]
    edge, above = float(values.high[low - 1]), float(values.low[high - 1])
    threshold = thresholds(THRESHOLD_RULES[rule], False, np.array([edge]), np.array([above]))
    return Fine(cut, alone, fine, low, high, edge, above, float(threshold[0]))


def _alone(problem: Problem, f: int, values: np.ndarray) -> Problem:
    """The problem with this feature alone, of these values and what lies below and above them."""
    features, rules = problem.features[f : f + 1].copy(), problem.rules.copy()
    features["n_codes"], features["value_start"] = len(values) + 2, 0
    features["averaged"], rules["selector"], rules["n_sampled"] = 1, BEST, 0
    codes = np.arange(len(values) + 3, dtype=np.int32)[None]
    return problem._replace(codes=codes, features=features, rules=rules, values=np.array([-np.inf, *values, np.inf]))


# The loop over nodes where an engine counts the rows: search their cells, split, tell the engine, count again.

MOST_NUMBERS = 16_000_000
"""Sums of nodes that are asked for at once: 128 MB."""


def grow_counted(table: CountedTable, growth: GrowSettings, progress: Callable | None = None) -> Tree:
    """The full tree that these settings grow on a table whose rows stay where they are.

    It is the tree that grows in memory on the same codes. progress : called at every level and before every query; an
    exception that it raises ends the fit. TreecoreError for settings that need the rows themselves.
    """
    table.check_trainable()
    problem = problem_of_counts(table, growth)
    grower = _Grower(table, problem, growth, progress)
    try:
        with np.errstate(all="ignore"):
            grown = grower.grown()
    finally:
        grower.counter.close()
    forced_splits = ForcedSplits(problem, table, growth, ())
    forced_splits.thresholds, forced_splits.beside = grower.thresholds, grower.beside
    _place_between_bins(table, problem, growth, grown.growing, forced_splits)
    return tree_of(table, growth, problem, forced_splits, grown)


class _Grower:
    """One fit. sums : of nodes whose split was found and that have no children yet, float64 (d, m, S) by id.

    fine : of those, the cuts within bins. thresholds, beside : of nodes split by such a cut, see ForcedSplits.
    """

    def __init__(self, table: CountedTable, problem: Problem, growth: GrowSettings, progress: Callable | None):
        self.problem, self.progress = problem, progress
        self.factors = class_factors(table, growth) if table.classes else None
        self.min_rows = growth.min_rows_split
        self.frontier = _CountedLevel() if growth.max_leaves is None else BestFirst(growth.max_leaves, False)
        self.sums: dict[int, np.ndarray] = {}
        self.fine: dict[int, Fine] = {}
        self.thresholds: dict[int, float] = {}
        self.beside: dict[int, tuple[float, float]] = {}
        self.table, self.rule = table, growth.threshold
        self.is_refined = table.is_refined and THRESHOLD_RULES[self.rule].precision == "float64"
        self.growing = new_growing(problem, np.zeros(problem.codes.shape, np.int32), capacity=64)
        self.counter: Counter = table.counter(lambda: self._report(len(self.frontier)))

    def grown(self) -> GrowResult:
        """Grow until no node is left to split."""
        self._plant(self.counter.cells([0]))
        searched, n_splits = 0, 0
        while True:
            n_nodes = int(self.growing.counts[N_NODES])
            self._search(searched, n_nodes)
            self.frontier.add(self.growing.nodes, searched, n_nodes, np.zeros(n_nodes - searched, bool))
            searched, ids = n_nodes, self.frontier.take(self.growing.nodes)
            if not len(ids):
                return GrowResult(self.growing, [], n_splits, 0)
            for part in self._parts(ids):
                self._split(part)
            n_splits += len(ids)

    def _plant(self, sums: np.ndarray) -> None:
        """The root, from its cells."""
        stats = sums[0, 0].sum(axis=0)
        n = float(stats[0] if self.factors is None else stats.sum())
        stats = stats if self.factors is None else stats * self.factors
        root = self.growing.nodes[:1]
        for name in ("parent", "first_child", "feature", "level_start"):
            root[name] = -1
        root["center"], root["n_rows"] = self.problem.center, round(n)
        root["weight"] = n if self.factors is None else stats.sum()
        self.growing.stats[0] = stats
        root["impurity"] = impurities(self.problem.judge, stats[:, None], root["weight"])
        self.growing.counts[N_NODES] = 1
        self.sums[0] = sums[0]

    def _search(self, first: int, stop: int) -> None:
        """Find the splits of the nodes first:stop that may have one."""
        nodes = self.growing.nodes[first:stop]
        allowed = may_split(self.problem.rules[0], nodes) & (nodes["n_rows"] >= self.min_rows)
        for part in self._parts(first + np.flatnonzero(allowed)):
            if part[0] != 0:
                self._report(len(self.frontier) + len(part))
                self.sums |= zip(part.tolist(), self.counter.cells(part.tolist()), strict=True)
            cells = cells_of(self.problem, np.stack([self.sums[i] for i in part.tolist()]), self.factors)
            self.growing = FeatureSearch(block_of(cells, self.growing, part)).written()
            for i in part[self.growing.nodes["n_children"][part] == 0].tolist():
                del self.sums[i]
            if self.is_refined:
                self._refine(part)

    def _refine(self, ids: np.ndarray) -> None:
        """Move the cuts of these nodes that are between bins to the best place within the two."""
        cuts = cuts_between_bins(self.table.feature_columns, self.problem, self.growing, ids, self.sums)
        for cut, values in zip(cuts, self.counter.values(cuts) if cuts else (), strict=True):
            sums = self.sums[cut.node]
            fine = refined(cut, values, sums, self.problem, self.growing, self.factors, self.rule)
            if fine is not None:
                self.fine[cut.node] = fine

    def _split(self, ids: np.ndarray) -> None:
        """Give these nodes their children, and tell the engine."""
        plain = np.array([i for i in ids.tolist() if i not in self.fine], np.int64)
        if len(plain):
            sums = np.stack([self.sums.pop(i) for i in plain.tolist()])
            self._make_children(self.problem, plain, sums)
            self._tell(plain, sums)
        for i in sorted(set(ids.tolist()) & set(self.fine)):
            self._split_within(i)
        self._report(len(self.frontier))

    def _split_within(self, node: int) -> None:
        """Split a node by a cut within bins: as long as its children are made, its feature is the only one."""
        fine, record = self.fine.pop(node), self.growing.nodes[node : node + 1]
        record["feature"], record["low"], record["high"] = 0, fine.low, fine.high
        self._make_children(fine.problem, np.array([node]), fine.sums[None])
        record, cut = self.growing.nodes[node : node + 1], fine.cut
        record["feature"], record["low"], record["high"] = cut.feature, cut.low, cut.high
        self.thresholds[node], self.beside[node] = fine.threshold, (fine.edge, fine.above)
        self._tell(np.array([node]), self.sums.pop(node)[None], fine.edge)

    def _make_children(self, problem: Problem, ids: np.ndarray, sums: np.ndarray) -> None:
        """sums : float64 (q, d, m, S), of these nodes."""
        cells, (q, d, m, _) = cells_of(problem, sums, self.factors), sums.shape
        first = int(self.growing.counts[N_NODES])
        growing = with_room(self.growing, nodes=int(self.growing.nodes["n_children"][ids].sum()))
        self.growing = growing = growing._replace(order=order_of(d, q, m))
        growing.nodes["start"][ids] = np.arange(q) * m
        growing.nodes["stop"][ids] = np.arange(1, q + 1) * m
        split = Splitting(cells, growing, ids)
        split.order_by_mean()
        split.send_missing()
        split.sum_up()
        growing.nodes["start"][first : growing.counts[N_NODES]] = 0
        growing.nodes["stop"][first : growing.counts[N_NODES]] = 0

    def _tell(self, ids: np.ndarray, sums: np.ndarray, edge: float | None = None) -> None:
        """Let the engine know how these nodes send their rows. sums : of each, float64 (q, d, m, S)."""
        n_rows = self.growing.nodes["n_rows"][: int(self.growing.counts[N_NODES])]
        self.counter.split([_sent(self.problem, self.growing, int(i), n_rows, edge) for i in ids], list(sums))

    def _parts(self, ids: np.ndarray) -> list[np.ndarray]:
        """The ids in parts whose sums may be in memory at once."""
        (d, m), n_stats = self.problem.codes.shape, self.growing.stats.shape[1]
        most = max(MOST_NUMBERS // (d * m * n_stats), 1)
        return [ids[i : i + most] for i in range(0, len(ids), most)]

    def _report(self, n_waiting: int) -> None:
        if self.progress is not None:
            self.progress(Progress(int(self.growing.counts[N_NODES]), n_waiting))


def _sent(problem: Problem, growing: GrowState, node: int, n_rows: np.ndarray, edge: float | None) -> Sent:
    """How this node, which has children, sends its rows."""
    record = growing.nodes[node]
    feature, start = int(record["feature"]), int(record["level_start"])
    n_codes = int(problem.features["n_codes"][feature])
    branch = growing.level_branch[start : start + n_codes].copy() if start >= 0 else None
    children = range(int(record["first_child"]), int(record["first_child"] + record["n_children"]))
    missing = int(record["missing_branch"])
    low = int(record["low"]) if branch is None else -1
    n = tuple(n_rows[children.start : children.stop].tolist())
    return Sent(node, feature, low, branch, tuple(children), n, int(record["low_branch"]), missing, edge)


def _place_between_bins(
    table: CountedTable, problem: Problem, growth: GrowSettings, growing: GrowState, forced_splits: ForcedSplits
) -> None:
    """Let cuts between bins stand between the largest value below and the smallest above; others are placed already."""
    cuts, rule = {}, THRESHOLD_RULES[growth.threshold]
    for node in np.flatnonzero(growing.nodes["first_child"][: int(growing.counts[N_NODES])] > 0).tolist():
        record = growing.nodes[node]
        column = table.feature_columns[int(record["feature"])]
        ordered = problem.features["splitter"][record["feature"]] == ORDERED
        if node in forced_splits.thresholds or not ordered or not is_between(column, int(record["high"])):
            continue
        cuts[node] = int(record["feature"]), int(record["low"]), int(record["high"])
    if not cuts:
        return
    placed = low = np.array([table.feature_columns[f].distinct[below] for f, below, _ in cuts.values()])
    if not rule.on_data:
        above_cuts = list(dict.fromkeys((f, above) for f, _, above in cuts.values()))
        ends = dict(zip(above_cuts, table.lowest(above_cuts), strict=True))
        high = np.array([ends[f, above] for f, _, above in cuts.values()], np.float64)
        placed = thresholds(rule, False, low, high)
        forced_splits.beside.update(zip(cuts, zip(low.tolist(), high.tolist(), strict=True), strict=True))
    forced_splits.thresholds.update(zip(cuts, placed.tolist(), strict=True))


class _CountedLevel:
    """Nodes to split: all that were found."""

    def __init__(self):
        self._ids = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, nodes: np.ndarray, first: int, stop: int, wished: np.ndarray) -> None:
        """wished : of no account here."""
        self._ids = first + np.flatnonzero(nodes["n_children"][first:stop] > 0)

    def take(self, nodes: np.ndarray) -> np.ndarray:
        """All of them."""
        taken, self._ids = self._ids, self._ids[:0]
        return taken
