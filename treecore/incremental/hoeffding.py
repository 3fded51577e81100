"""A tree that splits a leaf once enough rows have come by, and never looks back."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.forced_splits import ForcedSplits
from treecore.growing.grower import tree_of
from treecore.growing.loop import GrowResult
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.growing.settings.problem import problem_of
from treecore.growing.settings.thresholds import thresholds
from treecore.incremental.row_store import RowStore, Step, problem_of_rows
from treecore.kernels.general.search_nodes import search_nodes
from treecore.kernels.state import N_LEVELS, N_NODES, ORDERED, SUBSET, GrowState, Problem, new_growing, with_room
from treecore.kernels.sums import impurity_of, node_impurities
from treecore.tree.tree import Tree

# A node of a tree that is fed with rows: what is kept of it between two batches.

LEAF = -1


class NodeSplit(NamedTuple):
    """feature : LEAF for none. low, high : codes on either side of an ordered cut. levels : int64 (n_codes,), the
    branch of every level, -1 for one not at the node; None for a cut. gain, score : see Tree. missing : the branch of
    rows without a value; -1 for that of most rows."""

    feature: int = LEAF
    n_branches: int = 0
    low: int = -1
    high: int = -1
    levels: np.ndarray | None = None
    gain: float = 0.0
    score: float = 0.0
    missing: int = -1

    def moved(self, place: dict[int, np.ndarray]) -> "NodeSplit":
        """The same split where features have other codes. place : feature -> the new code of each former one."""
        if self.feature not in place or self.levels is not None:
            return self
        low, high = place[self.feature][[self.low, self.high]]
        return self._replace(low=int(low), high=int(high))

    def branches(self, codes: np.ndarray) -> np.ndarray:
        """int (m,): the branch of rows with these codes of the feature."""
        return (codes > self.low).astype(np.int64) if self.levels is None else self.levels[codes]


class Node:
    """rows : int (m,), numbers of the rows that reach it. stats : float64 (K,)."""

    __slots__ = ("children", "depth", "rows", "split", "stats")

    def __init__(self, rows: np.ndarray, stats: np.ndarray, depth: int):
        self.rows, self.stats, self.depth = rows, stats, depth
        self.split = NodeSplit()
        self.children: list[Node] = []

    def below(self) -> Iterator["Node"]:
        """The node and all below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children


def smaller_mean_first(split: NodeSplit, codes: np.ndarray, labels: np.ndarray) -> NodeSplit:
    """Two groups of levels have no order of their own: the one with the smaller mean class index comes first.

    codes, labels : of the node's rows that have a value.
    """
    is_first = split.levels[codes] == 0
    wrong = labels[is_first].mean() > labels[~is_first].mean()
    return split._replace(levels=np.where(split.levels >= 0, 1 - split.levels, -1)) if wrong else split


def larger_branch(split: NodeSplit, codes: np.ndarray) -> int:
    """The branch of most rows, which have these codes; the first of equal ones."""
    return int(np.bincount(split.branches(codes), minlength=split.n_branches).argmax())


# The kernels' view of rows that are fed, and a tree out of nodes.


def tree_of_nodes(root: Node, rows: RowStore, growth: GrowSettings) -> Tree:
    """The tree of these nodes."""
    table = rows.table()
    problem = problem_of(table, growth)
    nodes, first_child, parent = _level_by_level(root)
    growing = new_growing(problem, np.zeros((len(problem.features), 0), np.int32), len(nodes))
    growing.counts[N_NODES] = len(nodes)
    stats = np.array([node.stats for node in nodes])
    growing.stats[: len(nodes)] = stats
    tables = [node.split.levels for node in nodes if node.split.levels is not None]
    growing = growing._replace(level_branch=np.concatenate([np.zeros(0, np.int64), *tables]))
    growing.counts[N_LEVELS] = len(growing.level_branch)
    weight = stats.sum(axis=1)
    records = growing.nodes[: len(nodes)]
    records["id"], records["parent"], records["first_child"] = np.arange(len(nodes)), parent, first_child
    records["n_rows"], records["weight"] = weight, weight
    records["impurity"] = node_impurities(problem.judge, stats, weight)
    records["depth"] = [node.depth for node in nodes]
    for name in ("feature", "low", "high", "gain", "score"):
        records[name] = [getattr(node.split, name) for node in nodes]
    records["n_children"] = [node.split.n_branches for node in nodes]
    _place_levels(records, nodes)
    _send_missing(problem, records, nodes)
    n_splits = int(np.count_nonzero(records["n_children"]))
    forced_splits = ForcedSplits(problem, table, growth, ())
    return tree_of(table, growth, problem, forced_splits, GrowResult(growing, [], n_splits, 0))


def _level_by_level(root: Node) -> tuple[list[Node], np.ndarray, np.ndarray]:
    """(the nodes, the place of each one's first child or -1, of its parent or -1)."""
    nodes, first_child, parent = [root], [], [-1]
    for place, node in enumerate(nodes):  # it grows meanwhile
        first_child.append(len(nodes) if node.children else -1)
        nodes += node.children
        parent += [place] * len(node.children)
    return nodes, np.array(first_child), np.array(parent)


def _place_levels(records: np.ndarray, nodes: list[Node]) -> None:
    sizes = np.array([0 if node.split.levels is None else len(node.split.levels) for node in nodes])
    records["level_start"] = np.where(sizes > 0, np.cumsum(sizes) - sizes, -1)


def _send_missing(problem: Problem, records: np.ndarray, nodes: list[Node]) -> None:
    """Rows without a value follow the branch that the split says, or that of most rows, the first of equal ones."""
    for place in np.flatnonzero(records["n_children"]):
        split, first = nodes[place].split, records["first_child"][place]
        larger = records["weight"][first : first + split.n_branches].argmax()
        records["missing_branch"][place] = larger if split.missing < 0 else split.missing
        lacking = problem.codes[split.feature, nodes[place].rows] == problem.features["n_codes"][split.feature]
        records["missing_rows"][place] = records["missing_weight"][place] = np.count_nonzero(lacking)


# The best split of some rows, by the search that all trees are grown by.


class SplitSearch:
    """problem : with the codes of all rows, by their numbers."""

    def __init__(self, problem: Problem):
        self._problem = problem

    def gains(self, rows: np.ndarray, stats: np.ndarray) -> tuple[NodeSplit, np.ndarray]:
        """(the best split of these rows, float64 (d,): the gain of each feature's best one, 0 or less for none).

        rows : int (m,), their numbers. stats : float64 (K,), how many there are of each class.
        """
        codes, weight = self._problem.codes[:, rows], float(stats.sum())
        part = self._problem._replace(codes=codes, rows=self._problem.rows[rows])
        growing = new_growing(part, codes.argsort(axis=1).astype(np.int32), 1)
        node = growing.nodes[0]
        node["parent"] = node["first_child"] = node["feature"] = node["level_start"] = LEAF
        node["stop"] = node["n_rows"] = node["weight"] = len(rows)
        node["impurity"], growing.stats[0] = impurity_of(part.judge, stats, weight), stats
        growing.counts[N_NODES], growing.scans["gain"] = 1, -np.inf
        while search_nodes(part, growing, 0, 1, part.special_search) < 1:
            growing = with_room(growing, levels=len(growing.levels))
        return self._split(growing), growing.scans["gain"].copy()

    def _split(self, growing: GrowState) -> NodeSplit:
        record = growing.nodes[0]
        n_branches = int(record["n_children"])
        if not n_branches:
            return NodeSplit()
        f, gain, score = int(record["feature"]), float(record["gain"]), float(record["score"])
        if self._problem.features["splitter"][f] == ORDERED:
            return NodeSplit(f, 2, int(record["low"]), int(record["high"]), gain=gain, score=score)
        begin = int(record["level_start"])
        levels = growing.level_branch[begin : begin + int(self._problem.features["n_codes"][f])].copy()
        levels[levels >= n_branches] = -1
        return NodeSplit(f, n_branches, levels=levels, gain=gain, score=score)


@dataclass(frozen=True)
class Bound:
    """When a leaf is split. grace : rows between two looks at a leaf. delta : probability, at each look, that the best
    feature of all rows to come is another one. tie : gains that differ by less are as good as each other.
    TreecoreError for what is not possible."""

    grace: int = 200
    delta: float = 1e-7
    tie: float = 0.05

    def __post_init__(self):
        limits = {
            "grace": (self.grace >= 1, "Give a whole number of at least 1"),
            "delta": (0 < self.delta < 1, "Give a number between 0 and 1"),
            "tie": (self.tie >= 0, "Give 0 or more"),
        }
        for name, (holds, remedy) in limits.items():
            if not holds:
                raise TreecoreError(f"{getattr(self, name)!r} is not possible", where=name, remedy=remedy)

    def decides(self, best: float, second: float, n: int, spread: float) -> bool:
        """Is a leaf split after n rows? best, second : gains of the best features, or 0 for no split at all."""
        epsilon = hoeffding_bound(spread, self.delta, n)
        return best > 0.0 and (best - second > epsilon or epsilon < self.tie)


def hoeffding_bound(spread: float, delta: float, n: int) -> float:
    """How far the mean of n numbers is from that of all to come, at most: epsilon = R sqrt(ln(1 / delta) / 2n).

    It is farther with a probability of delta at most. spread : R, between the least and the largest possible number.
    Source: Hoeffding (1963); for trees Domingos and Hulten (2000), Mining high-speed data streams.
    """
    return spread * math.sqrt(math.log(1.0 / delta) / (2.0 * n))


class _Leaf(Node):
    """observed : int64 (m,), the rows that came since it was a leaf. n_looked : of them, at the last look."""

    __slots__ = ("n_looked", "observed")

    def __init__(self, rows: np.ndarray, stats: np.ndarray, depth: int):
        super().__init__(rows, stats, depth)
        self.observed, self.n_looked = rows[:0], 0


class HoeffdingTree:
    """A leaf is split by its best feature when that leads the second best by more than Hoeffding's bound.

    Gains are those of the rows that came since the leaf began; a split stays as it is. The nodes of `tree` count all
    rows so far, also those that came before their split, so that it can be laid over the exact one. Neither depends on
    how the rows come in batches.

    table : the first rows, with a target of classes. growth : criterion, nominal, max_depth and min_rows_leaf are
    taken from it; rows without a value follow the larger branch. Source: Domingos and Hulten (2000), Mining
    high-speed data streams (VFDT).
    """

    def __init__(self, table: Table, growth: GrowSettings, bound: Bound | None = None):
        self._rows, self._bound, self._n_classes = RowStore(table), bound or Bound(), len(table.classes)
        kept = {name: getattr(growth, name) for name in ("criterion", "nominal", "max_depth", "min_rows_leaf")}
        self._growth = GrowSettings(**kept)
        self._look_up()
        nothing = np.zeros(0, np.int64)
        self._root = _Leaf(nothing, np.zeros(self._n_classes), 0)
        self._tree: Tree | None = None
        self._fed(np.arange(self._rows.n))

    @property
    def n_rows(self) -> int:
        """Seen so far."""
        return self._rows.n

    @property
    def tree(self) -> Tree:
        """The tree so far, made when it is asked for."""
        if self._tree is None:
            for node in self._root.below():
                gain = self._gain(node)
                node.split = node.split._replace(gain=gain, score=gain)
            self._tree = tree_of_nodes(self._root, self._rows, self._growth)
        return self._tree

    def add(self, table: Table) -> Step:
        """Learn these rows too. TreecoreError for rows that do not fit, see Rows.append; then nothing has changed."""
        first, codes = self._rows.n, self._rows.codes
        moved = self._rows.append(table)
        new = np.arange(first, self._rows.n)
        if not len(new):
            return Step(first, 0)
        self._tree = None
        if moved or codes is not self._rows.codes:
            self._look_up()
        for node in self._root.below() if moved else ():
            node.split = node.split.moved(moved)
        self._problem.rows["label"][new] = self._rows.labels[new]
        return self._fed(new)

    def _look_up(self) -> None:
        self._problem = problem = problem_of_rows(self._rows, self._growth)
        self._search = SplitSearch(problem)
        self._spread = impurity_of(problem.judge, np.ones(self._n_classes), float(self._n_classes))

    def _fed(self, new: np.ndarray) -> Step:
        n_updated = n_split = 0
        waiting = [(self._root, new)]
        while waiting:
            node, rows = waiting.pop()
            n_updated += 1
            self._count(node, rows)
            if node.split.feature == LEAF:
                rows = self._observed(node, rows)
                if node.split.feature == LEAF:
                    continue
                n_split += 1
            waiting += [(c, part) for c, part in zip(node.children, self._parted(node, rows), strict=True) if len(part)]
        return Step(self._rows.n, len(new), updated=n_updated, regrown=n_split)

    def _count(self, node: Node, rows: np.ndarray) -> None:
        node.rows = np.append(node.rows, rows)
        node.stats += np.bincount(self._rows.labels[rows], minlength=self._n_classes)

    def _observed(self, leaf: _Leaf, rows: np.ndarray) -> np.ndarray:
        """Let a leaf see these rows, one after the other; those that are left once it is split."""
        while len(rows):
            due = self._bound.grace - (len(leaf.observed) - leaf.n_looked)
            leaf.observed, rows = np.append(leaf.observed, rows[:due]), rows[due:]
            if len(leaf.observed) - leaf.n_looked < self._bound.grace:
                break
            leaf.n_looked = len(leaf.observed)
            if self._is_split(leaf, rows):
                break
        return rows

    def _is_split(self, leaf: _Leaf, later: np.ndarray) -> bool:
        """Split the leaf if the bound says so; its branches get the rows that came so far, none of them to observe."""
        split, gains = self._search.gains(leaf.observed, self._stats(leaf.observed))
        if split.feature == LEAF:
            return False
        second = np.delete(gains, split.feature).max(initial=0.0)
        if not self._bound.decides(split.gain, second, len(leaf.observed), self._spread):
            return False
        self._branch_out(leaf, split, leaf.rows[: len(leaf.rows) - len(later)])
        return True

    def _branch_out(self, leaf: _Leaf, split: NodeSplit, former: np.ndarray) -> None:
        """Give the leaf this split of the rows that it observed. former : all rows so far."""
        codes = self._rows.codes[split.feature, leaf.observed]
        known = codes < self._rows.n_codes(split.feature)
        if self._problem.features["splitter"][split.feature] == SUBSET:
            split = smaller_mean_first(split, codes[known], self._rows.labels[leaf.observed[known]])
        leaf.split = split._replace(missing=larger_branch(split, codes[known]))
        for part in self._parted(leaf, former):
            leaf.children.append(_Leaf(part, self._stats(part), leaf.depth + 1))

    def _parted(self, node: Node, members: np.ndarray) -> list[np.ndarray]:
        """These of its rows, by branch, in their order."""
        codes, split = self._rows.codes[node.split.feature, members], node.split
        branch = np.full(len(members), split.missing)
        known = codes < self._rows.n_codes(split.feature)
        branch[known] = self._branches(split, codes[known])
        branch[branch < 0] = split.missing  # a level that the leaf had not seen
        return [members[branch == b] for b in range(split.n_branches)]

    def _branches(self, split: NodeSplit, codes: np.ndarray) -> np.ndarray:
        """The branch of rows with these codes, known ones; numbers that came later may lie on either side of a cut."""
        if split.levels is not None:
            return split.levels[codes]
        feature = self._problem.features[split.feature]
        values = self._problem.values[feature["value_start"] :][: feature["n_codes"]]
        ends = (values[[code]] for code in (split.low, split.high))
        threshold = thresholds(THRESHOLD_RULES[self._growth.threshold], bool(feature["ordinal"]), *ends)
        return (values[codes] >= threshold).astype(np.int64)

    def _stats(self, rows: np.ndarray) -> np.ndarray:
        return np.bincount(self._rows.labels[rows], minlength=self._n_classes).astype(np.float64)

    def _gain(self, node: Node) -> float:
        """Decrease of the impurity over all rows so far."""
        parts = [node.stats, *(child.stats for child in node.children)]
        if len(parts) == 1:
            return 0.0
        weights = np.array([part.sum() for part in parts])
        impurity = np.array([impurity_of(self._problem.judge, p, w) for p, w in zip(parts, weights, strict=True)])
        return float(impurity[0] - impurity[1:] @ weights[1:] / weights[0])
