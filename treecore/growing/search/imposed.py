"""Splits that somebody wants at certain places instead of the best ones."""

from dataclasses import dataclass

import numpy as np

from treecore.data.column import Column
from treecore.data.discretize import bin_names, gaps_of_cuts
from treecore.data.table import Table
from treecore.data.table_like import Terms
from treecore.errors import TreecoreError
from treecore.growing.search.branches import branches_at
from treecore.growing.search.found import Found
from treecore.growing.search.unsearched import gain_and_score
from treecore.growing.settings.bins import branches_by_bins
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.kernels.state import MULTIWAY, N_LEVELS, OPEN, OWN_VALUE, GrowState, Problem, with_room
from treecore.tree.condition_text import MISSING


@dataclass(frozen=True)
class Imposed:
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


class ImposedSplits:
    """The imposed splits of one fit, and which nodes of the growing tree they concern.

    thresholds : node id -> the threshold that was asked for, of the splits made so far. beside : the values on either
    side of one, where the column does not say them.
    Raises TreecoreError for a split that cannot be made.
    """

    def __init__(self, problem: Problem, table: Table, growth: GrowSettings, imposed: tuple[Imposed, ...]):
        self._problem, self._growth = problem, growth
        self._wanted = {split.path: _routed(split, *_checked(problem, table, growth, split)) for split in imposed}
        self._on_the_way = {path[:n] for path in self._wanted for n in range(len(path) + 1)}
        self._path_of = {0: ()}
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


def give_split(growing: GrowState, node: int, found: Found) -> GrowState:
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


def _routed(split: Imposed, cut: Found, threshold: float) -> tuple[Found, float]:
    """The same, if missing values go where there is a branch: kernels count their rows there."""
    if cut.missing_branch is not None and cut.missing_branch not in range(cut.n_branches):
        why = f"is parted into {cut.n_branches} branches, and missing values should go to branch {cut.missing_branch}"
        raise _impossible(split, why, f"Give a branch from 0 to {cut.n_branches - 1}, or nothing")
    return cut, threshold


def _checked(problem: Problem, table: Table, growth: GrowSettings, split: Imposed) -> tuple[Found, float]:
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
    side = "right" if THRESHOLD_RULES[growth.threshold].closed else "left"
    low = int(np.searchsorted(problem.values[begin : begin + n], split.threshold, side)) - 1
    return Found(f, 0.0, cuts=np.array([low]), missing_branch=split.missing), float(split.threshold)


def _into_bins(problem: Problem, column: Column, f: int, split: Imposed) -> Found:
    """All the bins of a numeric feature, and a branch for missing values where they are a value of their own."""
    n_bins, n_branches = (int(problem.features[name][f]) for name in ("n_codes", "n_branches"))
    edges = problem.values[problem.features["value_start"][f] :][: n_bins - 1]
    names = (*bin_names(edges, gaps_of_cuts(column, edges)), *["missing"] * (n_branches > n_bins))
    if split.threshold is not None or not {name for branch in split.branches for name in branch} <= set(names):
        raise _impossible(split, "branches by its bins here", "Its bins are: " + ", ".join(names[:12]))
    missing = n_bins if n_branches > n_bins else split.missing
    return Found(f, 0.0, branch_of_level=np.arange(n_branches), missing_branch=missing)


def _groups(problem: Problem, column, f: int, split: Imposed) -> Found:
    """The branch of every level, and of missing values where they may have a branch to themselves."""
    if column.kind not in ("nominal", "boolean"):
        raise _impossible(split, f"is {column.kind}, it cannot be grouped", "Give a threshold")
    own = bool(problem.features["n_branches"][f] > problem.features["n_codes"][f])
    names = (*column.levels, MISSING) if own else tuple(column.levels)
    branch = _grouping(names, split)
    if len(names) > len(column.levels) and branch[-1] >= 0:
        return Found(f, 0.0, branch_of_level=branch, missing_branch=int(branch[-1]))
    return Found(f, 0.0, branch_of_level=branch[: len(column.levels)], missing_branch=split.missing)


def _is_multiway(problem: Problem, f: int) -> bool:
    return bool(problem.features["splitter"][f] == MULTIWAY)


def _grouping(names: tuple[str, ...], split: Imposed) -> np.ndarray:
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


def _with_empty_branches(problem: Problem, growing: GrowState, node: int, cut: Found) -> Found:
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
    return Found(f, 0.0, branch_of_level=branch, missing_branch=missing)


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


def _impossible(split: Imposed, why: str, remedy: str) -> TreecoreError:
    return TreecoreError(f"The column {why}", where=f"Column {split.feature!r}", remedy=remedy)
