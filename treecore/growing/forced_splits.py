"""Splits that somebody wants at certain places instead of the best ones, and what they are worth."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from treecore.criteria import needs_rows
from treecore.criteria.split_scores import CHI_SQUARE, DECREASE, MDL_GAIN_RATIO, TWOING
from treecore.data.column import Column
from treecore.data.discretize import bin_names, gaps_of_cuts
from treecore.data.table import Table
from treecore.data.table_like import Terms
from treecore.errors import TreecoreError
from treecore.growing.inspect.admissible_splits import cost_of_asking
from treecore.growing.search import split_worth
from treecore.growing.search.branches import Branches, CodedSplit, branches_at, gain_of, rows_at
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import SPLIT_SCORES, THRESHOLD_RULES
from treecore.growing.settings.thresholds import branches_by_bins
from treecore.kernels.general.scores import SUM_TOLERANCE
from treecore.kernels.state import (
    MULTIWAY,
    N_LEVELS,
    OPEN,
    ORDERED,
    OWN_VALUE,
    SHARE,
    TESTED,
    WHOLE_GAIN,
    GrowState,
    Problem,
    with_room,
)
from treecore.target.survival import log_rank_test
from treecore.tree.condition_text import MISSING


def gain_and_score(problem: Problem, growing: GrowState, node: int, growth: GrowSettings) -> tuple[float, float]:
    """(impurity decrease, what it would have competed by) of the split that a node was given.

    Where a test of every feature chooses the score is the gain, for its cost as always.
    """
    branches, gain = branches_at(problem, growing, node), gain_of(problem, growing, node)
    by_times = SPLIT_SCORES[growth.score].by_times
    score = _log_rank(problem, branches) if by_times else _score(problem, growing, node, branches, gain)
    cost = float(problem.features["cost"][growing.nodes["feature"][node]])
    return gain, float(cost_of_asking(growth, np.float64(score), cost))


def _log_rank(problem: Problem, branches: Branches) -> float:
    """The statistic of the first branch against the others; 0 where nothing varies."""
    label = problem.rows["label"][branches.rows]
    test = log_rank_test(label // 2, label % 2, branches.branch == 0, branches.cases(problem))
    return 0.0 if math.isnan(test.statistic) else test.statistic


def _score(problem: Problem, growing: GrowState, node: int, branches: Branches, gain: float) -> float:
    """Before costs of features."""
    rules, judge, total = problem.rules[0], problem.judge, float(growing.nodes["weight"][node])
    if needs_rows(judge):
        return gain
    code, by_test = int(rules["score"]), rules["selector"] == TESTED
    stats = branches.statistics(problem, branches.weight(problem))[None]
    if rules["selector"] == WHOLE_GAIN and rules["missing"] == SHARE:
        every = branches.with_others(growing, node)
        known, unknown = np.split(every.statistics(problem, every.weight(problem)), [-1])
        gain = float(split_worth.decreases(judge, split_worth.with_shared(judge, known[None], unknown))[0])
    filled = split_worth.weights(judge, stats)[0] > 0
    not_two = code == TWOING and not (len(filled) == 2 and filled.all())
    if code == DECREASE or by_test or not_two:
        return gain
    if code >= CHI_SQUARE:
        stats = stats[:, filled]
    if code == MDL_GAIN_RATIO and problem.features["splitter"][growing.nodes["feature"][node]] == ORDERED:
        gain -= math.log2(max(_n_cuts(problem, growing, node), 1)) / total
    return float(split_worth.scores(code, judge, stats, np.array([gain]), total)[0])


def _n_cuts(problem: Problem, growing: GrowState, node: int) -> int:
    """Cuts of the split's feature that J48 would have had to choose from: enough weight and rows on either side."""
    rules, f = problem.rules[0], int(growing.nodes["feature"][node])
    rows, share = rows_at(growing, node)
    codes = problem.codes[f, rows]
    n_codes, begin = int(problem.features["n_codes"][f]), int(problem.features["value_start"][f])
    weight = problem.rows["weight"][rows] * share
    # both (weight, rows) by code, missing last
    sizes = np.stack([np.bincount(codes, of_row, n_codes + 1) for of_row in (weight, weight > 0)])
    codes = codes[weight > 0]
    there = np.unique(codes[codes < n_codes])
    far = np.diff(problem.values[begin + there]) > rules["min_gap"]
    below, missing = np.cumsum(sizes[:, :-1], axis=1)[:, there], sizes[:, -1:]
    lows, whole = [below[:, :-1][:, far]], below[:, -1:]
    if (
        rules["missing"] == OWN_VALUE and (codes == n_codes).any()
    ):  # above every cut, below it, and apart from all known values
        lows, whole = [*lows, lows[0] + missing, whole], whole + missing
    low = np.concatenate(lows, axis=1)
    even = min(0.1 * float(whole[0, 0]) / rules["n_classes"], 25.0) - SUM_TOLERANCE
    least = [[max(float(rules["min_weight_leaf"]), even)], [int(rules["min_rows_leaf"])]]
    return int((np.minimum(low, whole - low) >= least).all(axis=0).sum())


# Splits that somebody wants at certain places instead of the best ones.


@dataclass(frozen=True)
class ForcedSplit:
    """A split at a place.

    path : branch numbers from the root. feature : name. threshold : for a numeric or ordinal feature
    (ordinal: between two level indices). branches : for a nominal one, the levels of each branch; levels
    that are not named follow the first branch. Where the settings ask for a branch per level and every branch is one
    level, levels without rows there have theirs too, empty, in the order of the levels. Where missing values are a
    value of their own, "missing" stands for them. For a numeric one that branches by bins, bins: it gets all of them.
    missing : the branch of rows without a value; None leaves that to the missing-value strategy.
    terms : names and weights, where the feature is a weighted sum of these; else ().
    """

    path: tuple[int, ...]
    feature: str
    threshold: float | None = None
    branches: tuple[tuple[str, ...], ...] = ()
    missing: int | None = None
    terms: Terms = ()


class ForcedSplits:
    """The imposed splits of one fit, and which nodes of the growing tree they concern.

    thresholds : node id -> the threshold that was asked for, of the splits made so far. beside : the values on either
    side of one, where the column does not say them.
    Raises TreecoreError for a split that cannot be made.
    """

    def __init__(self, problem: Problem, table: Table, growth: GrowSettings, imposed: tuple[ForcedSplit, ...]):
        self._problem, self._growth = problem, growth
        self._wanted = {split.path: _routed(split, *_checked(problem, table, growth, split)) for split in imposed}
        self._on_the_way = {path[:n] for path in self._wanted for n in range(len(path) + 1)}
        self._path_of: dict[int, tuple[int, ...]] = {0: ()}
        self.thresholds: dict[int, float] = {}
        self.beside: dict[int, tuple[float, float]] = {}

    def meet(self, growing: GrowState, first: int, stop: int) -> GrowState:
        """Give the new nodes first:stop the splits that are wanted there."""
        for node in range(first, stop) if self._wanted else ():
            parent = int(growing.nodes["parent"][node])
            if parent in self._path_of:
                branch = node - int(growing.nodes["first_child"][parent])
                self._follow(node, (*self._path_of[parent], branch))
            growing = self._decree(growing, node)
        return growing

    def _follow(self, node: int, path: tuple[int, ...]) -> None:
        if path in self._on_the_way:
            self._path_of[node] = path

    def _decree(self, growing: GrowState, node: int) -> GrowState:
        path = self._path_of.get(node)
        if path is None:
            return growing
        record = growing.nodes[node]
        # rows further down must be sorted apart even where the limits would end the tree
        record["sort_rows"] = any(len(p) > len(path) for p in self._wanted if p[: len(path)] == path)
        if path not in self._wanted or record["weight"] <= 0:
            return growing
        cut, threshold = self._wanted[path]
        cut = _with_empty_branches(self._problem, growing, node, cut)
        growing = give_split(growing, node, cut)
        record = growing.nodes[node]
        if cut.missing_branch is None and self._problem.rules["missing"][0] == OWN_VALUE:
            record["missing_branch"] = _larger_branch(self._problem, growing, node)
        if len(cut.cuts):
            self.thresholds[node] = threshold
        record["gain"], record["score"] = gain_and_score(self._problem, growing, node, self._growth)
        return growing


def give_split(growing: GrowState, node: int, found: CodedSplit) -> GrowState:
    """Let a node have this split; its rows stay where they are until it is split."""
    several = found.cuts if len(found.cuts) > 1 else found.cuts[:0]
    levels = found.branch_of_level if len(found.branch_of_level) else several
    growing = with_room(growing, levels=len(levels))
    record = growing.nodes[node]
    record["feature"], record["n_children"], record["score"] = found.feature, found.n_branches, found.score
    record["missing_branch"] = OPEN if found.missing_branch is None else found.missing_branch
    record["missing_named"] = found.missing_branch is not None
    if len(found.cuts):
        record["low"], record["high"] = found.cuts[0], found.cuts[0] + 1
        record["n_cuts"] = len(found.cuts) if len(found.cuts) > 1 else 0
    if len(levels):
        begin = int(growing.counts[N_LEVELS])
        growing.level_branch[begin : begin + len(levels)] = levels
        record["level_start"] = begin
        growing.counts[N_LEVELS] += len(levels)
    return growing


def _routed(split: ForcedSplit, cut: CodedSplit, threshold: float) -> tuple[CodedSplit, float]:
    """The same, if missing values go where there is a branch: kernels count their rows there."""
    if cut.missing_branch is not None and cut.missing_branch not in range(cut.n_branches):
        why = f"is parted into {cut.n_branches} branches, and missing values should go to branch {cut.missing_branch}"
        raise _impossible(split, why, f"Give a branch from 0 to {cut.n_branches - 1}, or nothing")
    return cut, threshold


def _checked(problem: Problem, table: Table, growth: GrowSettings, split: ForcedSplit) -> tuple[CodedSplit, float]:
    """The split in the kernels' terms, and its threshold."""
    if split.feature not in table.features:
        remedy = "Grow with oblique splits" if split.terms else "Its features are: " + ", ".join(table.features)
        raise TreecoreError("The table has no such feature", where=f"Column {split.feature!r}", remedy=remedy)
    f = table.features.index(split.feature)
    kind = table.column(split.feature).kind
    if branches_by_bins(table.column(split.feature), growth):
        return _into_bins(problem, table.column(split.feature), f, split), np.nan
    if split.threshold is None:
        return _groups(problem, table.column(split.feature), f, split), np.nan
    # an infinite threshold parts the known values from the missing ones
    if kind not in ("numeric", "ordinal") or np.isnan(split.threshold):
        raise _impossible(split, f"cannot be cut at {split.threshold}", "Give the levels of each branch")
    begin, n = problem.features["value_start"][f], problem.features["n_codes"][f]
    side: Literal["left", "right"] = "right" if THRESHOLD_RULES[growth.threshold].closed else "left"
    low = int(np.searchsorted(problem.values[begin : begin + n], split.threshold, side)) - 1
    return CodedSplit(f, 0.0, cuts=np.array([low]), missing_branch=split.missing), float(split.threshold)


def _into_bins(problem: Problem, column: Column, f: int, split: ForcedSplit) -> CodedSplit:
    """All the bins of a numeric feature, and a branch for missing values where they are a value of their own."""
    n_bins, n_branches = (int(problem.features[name][f]) for name in ("n_codes", "n_branches"))
    edges = problem.values[problem.features["value_start"][f] :][: n_bins - 1]
    names = (*bin_names(edges, gaps_of_cuts(column, edges)), *["missing"] * (n_branches > n_bins))
    if split.threshold is not None or not {name for branch in split.branches for name in branch} <= set(names):
        raise _impossible(split, "branches by its bins here", "Its bins are: " + ", ".join(names[:12]))
    missing = n_bins if n_branches > n_bins else split.missing
    return CodedSplit(f, 0.0, branch_of_level=np.arange(n_branches), missing_branch=missing)


def _groups(problem: Problem, column, f: int, split: ForcedSplit) -> CodedSplit:
    """The branch of every level, and of missing values where they may have a branch to themselves."""
    if column.kind not in ("nominal", "boolean"):
        raise _impossible(split, f"is {column.kind}, it cannot be grouped", "Give a threshold")
    own = bool(problem.features["n_branches"][f] > problem.features["n_codes"][f])
    names = (*column.levels, MISSING) if own else tuple(column.levels)
    branch = _grouping(names, split)
    if len(names) > len(column.levels) and branch[-1] >= 0:
        return CodedSplit(f, 0.0, branch_of_level=branch, missing_branch=int(branch[-1]))
    return CodedSplit(f, 0.0, branch_of_level=branch[: len(column.levels)], missing_branch=split.missing)


def _is_multiway(problem: Problem, f: int) -> bool:
    return bool(problem.features["splitter"][f] == MULTIWAY)


def _grouping(names: tuple[str, ...], split: ForcedSplit) -> np.ndarray:
    """int64 (n_names,): the branch of every name of a level, -1 for one that is not named."""
    named = [level for branch in split.branches for level in branch]
    if len(split.branches) < 2 or not all(split.branches) or len(set(named)) < len(named):
        raise _impossible(split, "is not grouped", "Give two branches or more, and each level to one of them")
    if unknown := set(named) - set(names):
        remedy = "Its levels are: " + ", ".join(names[:12])
        raise _impossible(split, f"has no level {min(unknown)!r}", remedy)
    place = {name: v for v, name in reversed(list(enumerate(names)))}  # of two alike the level, not the missing value
    branch = np.full(len(names), -1)
    for b, levels in enumerate(split.branches):
        branch[[place[level] for level in levels]] = b
    return branch


def _with_empty_branches(problem: Problem, growing: GrowState, node: int, cut: CodedSplit) -> CodedSplit:
    """With a branch for each level that no row at the node has, where every branch is one level: the split that the
    search makes where a branch per level is asked for. Any other split stays as it is."""
    f, record = cut.feature, growing.nodes[node]
    n_codes, n_branches = int(problem.features["n_codes"][f]), int(problem.features["n_branches"][f])
    named = np.flatnonzero(cut.branch_of_level >= 0)
    if not _is_multiway(problem, f) or len(named) != cut.n_branches:
        return cut
    rows = growing.order[0, record["start"] : record["stop"]]
    codes = problem.codes[f, rows[problem.rows["weight"][rows] > 0]]
    parted = np.bincount(codes, minlength=n_codes + 1)[:n_branches] == 0
    parted[named] = True
    place, level_of_branch = np.cumsum(parted) - 1, named[np.argsort(cut.branch_of_level[named])]
    missing = cut.missing_branch
    if missing is not None:
        missing = int(place[level_of_branch[missing]])
    elif n_branches > n_codes and parted[n_codes]:
        missing = int(place[n_codes])
    branch = np.where(parted, place, place[level_of_branch[0]])
    return CodedSplit(f, 0.0, branch_of_level=branch, missing_branch=missing)


def _larger_branch(problem: Problem, growing: GrowState, node: int) -> int:
    """Where missing values go that are a value of their own, if the split does not say: to the branch with more weight
    (or rows, as the strategy says), whose gain then counts them. OPEN where every row has a value."""
    branches, rules = branches_at(problem, growing, node), problem.rules[0]
    if len(branches.rows) == growing.nodes["stop"][node] - growing.nodes["start"][node]:
        return OPEN
    weight = branches.cases(problem)
    sizes = np.bincount(branches.branch, weight > 0 if rules["majority_rows"] else weight, branches.n_branches)
    last = rules["majority_ties"] == 1
    return len(sizes) - 1 - int(sizes[::-1].argmax()) if last else int(sizes.argmax())


def row_statistics(rows: np.ndarray, n_classes: int) -> np.ndarray:
    """float64 (S,): class weights, or (w, wy, wyy), of ROW records together."""
    if n_classes:
        return np.bincount(rows["label"], rows["weight"], n_classes).astype(np.float64)
    w, y = rows["weight"], rows["response"]
    return np.array([w.sum(), (w * y).sum(), (w * y * y).sum()])


def _impossible(split: ForcedSplit, why: str, remedy: str) -> TreecoreError:
    return TreecoreError(f"The column {why}", where=f"Column {split.feature!r}", remedy=remedy)
