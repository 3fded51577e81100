"""Growing without a compiler, and what settings it covers."""

import math
import time
from collections.abc import Callable

import numpy as np

from treecore.criteria import by_code
from treecore.criteria.impurity import impurities
from treecore.criteria.split_scores import DECREASE, GAIN_RATIO, MDL_GAIN_RATIO
from treecore.growing.forced_splits import row_statistics
from treecore.growing.loop import BestFirst, GrowResult, Progress, widest
from treecore.growing.numpy import block_search
from treecore.growing.numpy.block_search import FeatureSearch, search_nodes
from treecore.growing.numpy.block_split import COVERED, SPLITTERS, split_nodes
from treecore.growing.numpy.node_blocks import SortedRows, rows_of
from treecore.growing.numpy.surrogates import list_surrogates
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import MISSING_STRATEGIES
from treecore.kernels.state import (
    AVERAGE_GAIN,
    BEST,
    N_NODES,
    SHARE,
    SUBSET,
    GrowState,
    Problem,
    new_growing,
    with_room,
)

MOST_TRIED = 10
"""Levels of which all groupings are tried in a fraction of a second."""
TOLERANCES = (1e-13, 1e-6)
"""Below, rounding decides which of two equal cuts is best; above, gain ratios depend on the order of all cuts."""


FEW, FAR = 60, 20.0
"""Values of a target that make ties likely; distances in units of the usual one that are far."""


def is_covered(problem: Problem, growth: GrowSettings) -> bool:
    """Is what these settings ask for known here?"""
    rules, features = problem.rules[0], problem.features
    by_ratio = rules["score"] == GAIN_RATIO
    scored = (rules["score"] == DECREASE or by_ratio) and rules["selector"] in (BEST, AVERAGE_GAIN)
    scored = scored and rules["step"] == 0.0
    if rules["score"] == MDL_GAIN_RATIO:
        scored = rules["selector"] == AVERAGE_GAIN and rules["step"] > 0.0 and block_search.is_known(problem)
    usual = not any(rules[name] for name in ("cuts", "cost_form", "monotonic"))
    by_tests = MISSING_STRATEGIES[growth.missing].tested and rules["max_surrogates"] > 0
    untested = growth.test == "none" and not by_tests and not growth.size_penalty and not growth.patience
    settled = TOLERANCES[0] <= rules["tolerance"] and (not by_ratio or rules["tolerance"] <= TOLERANCES[1])
    criterion = by_code(problem.judge.code)
    known = criterion.additive and not criterion.needs_loss and rules["missing"] in COVERED
    grouped = features["n_codes"][features["splitter"] == SUBSET].max(initial=0) + 1
    few = min(grouped, rules["max_exhaustive"]) <= MOST_TRIED
    tried = few or not criterion.tries_groupings(int(rules["n_classes"]))
    split = np.isin(features["splitter"], SPLITTERS).all() and not widest(problem)
    counted = not (problem.has_weightless and rules["missing"] == SHARE)
    compiled_anew = criterion.node is not None and rules["n_classes"] == 0 and _ties_far_apart(problem.rows["response"])
    known = known and counted and not compiled_anew
    return bool(scored and usual and untested and settled and known and tried and split)


def _ties_far_apart(response: np.ndarray) -> bool:
    """Has the target few values, so that cuts tie, some of them far from the others?

    The sums around the mean of all rows that are taken here then cancel, and rounding would settle ties; the kernels
    sum around each node's own mean.
    """
    values = np.unique(response)
    few = 1 < len(values) <= max(len(response) // 2, FEW)
    return bool(few and np.abs(values).max() > FAR * np.median(np.diff(values)))


def seconds(problem: Problem) -> float:
    """About how long growing takes: the deepest trees of the largest tables that were measured, with surrogates."""
    (d, n), rules = problem.codes.shape, problem.rules[0]
    depth = min(float(rules["max_depth"]), 2.0 * np.log2(n + 1.0))
    each = 1.0 + 0.5 * (rules["n_classes"] or 2) + 2.0 * (rules["max_surrogates"] > 0)
    each += 3.0 * (rules["score"] in (GAIN_RATIO, MDL_GAIN_RATIO))
    if rules["missing"] == SHARE:  # parts of rows become more from level to level
        each *= 1.0 + 7.0 * (problem.codes == problem.features["n_codes"][:, None]).mean()
    return float(0.02 + depth * (3e-3 + d * n * each * 6e-8))


LOOK_AFTER = 64
"""Levels between two looks at how many there will be: more than most trees have."""


def grow_uncompiled(
    problem: Problem, growth: GrowSettings, progress: Callable[[Progress], None] | None, left: float = math.inf
) -> GrowResult | None:
    """Grow until no node is left to split. Raises what `progress` raises.

    left : seconds that the rest of it may take; None where a tree turns out so deep that it would be more.
    """
    depth = _Depth(problem.codes.shape[1])
    given = rows_of(problem)
    growing, waiting, searched, n_splits = _root(problem), _frontier(growth), 0, 0
    by = block_search.MdlSearch if problem.rules["score"][0] == MDL_GAIN_RATIO else FeatureSearch
    with np.errstate(all="ignore"):
        while True:
            n_nodes = int(growing.counts[N_NODES])
            growing = search_nodes(given, growing, searched, n_nodes, by)
            waiting.add(growing.nodes, searched, n_nodes, np.zeros(n_nodes - searched, bool))
            searched, ids = n_nodes, waiting.take(growing.nodes)
            if not len(ids):
                return GrowResult(growing, [], n_splits, 0)
            if growth.max_leaves is None and depth.seconds_left(growing.nodes, ids) > left:
                return None
            given, growing = _split(given, growing, ids, waiting.ids)
            n_splits += len(ids)
            if progress is not None:
                n_now = int(growing.counts[N_NODES])
                progress(Progress(n_now, len(waiting) + n_now - n_nodes))


class _Depth:
    """How long a tree will take that goes on losing as few rows from level to level as it has so far."""

    def __init__(self, n_rows: int):
        self._n_levels, self._largest, self._begin = 0, n_rows, time.perf_counter()

    def seconds_left(self, nodes: np.ndarray, ids: np.ndarray) -> float:
        """Asked at every level, with the nodes to be split; 0 between two looks."""
        self._n_levels += 1
        if self._n_levels % LOOK_AFTER:
            return 0.0
        largest = int((nodes["stop"][ids] - nodes["start"][ids]).max())
        lost, now = max(self._largest - largest, 1) / LOOK_AFTER, time.perf_counter()
        each, self._largest, self._begin = (now - self._begin) / LOOK_AFTER, largest, now
        return each * largest / lost


def _split(given: SortedRows, growing: GrowState, ids: np.ndarray, waiting: np.ndarray) -> tuple[SortedRows, GrowState]:
    problem = given.problem
    most = int(problem.rules["max_surrogates"][0])
    growing = with_room(growing, nodes=int(growing.nodes["n_children"][ids].sum()))
    if most > 0:
        tables = most * len(ids) * len(growing.levels)
        growing = with_room(growing, surrogates=most * len(ids), levels=tables if problem.has_nominal else 0)
        list_surrogates(given, growing, ids)
    return split_nodes(given, growing, ids, waiting)


def _root(problem: Problem) -> GrowState:
    """Node 0 with all rows, and every feature's rows in order."""
    n = problem.codes.shape[1]
    order = np.argsort(problem.codes, axis=1, kind="stable").astype(np.int32)
    growing = new_growing(problem, order, capacity=max(64, n // 8))
    growing.stats[0] = row_statistics(problem.rows, int(problem.rules["n_classes"][0]))
    root = growing.nodes[:1]
    for name in ("parent", "first_child", "feature", "level_start"):
        root[name] = -1
    root["center"] = problem.center
    root["stop"], root["n_rows"] = n, np.count_nonzero(problem.rows["weight"] > 0)
    root["weight"] = problem.rows["weight"].sum()
    root["impurity"] = impurities(problem.judge, growing.stats[:1].T, root["weight"])
    growing.counts[N_NODES] = 1
    return growing


def _frontier(growth: GrowSettings):
    return _Level() if growth.max_leaves is None else BestFirst(growth.max_leaves, False)


class _Level:
    """Nodes to split: all that were found."""

    def __init__(self):
        self.ids = np.empty(0, np.int64)

    def __len__(self) -> int:
        return 0

    def add(self, nodes: np.ndarray, first: int, stop: int, wished: np.ndarray) -> None:
        self.ids = first + np.flatnonzero(nodes["n_children"][first:stop] > 0)

    def take(self, nodes: np.ndarray) -> np.ndarray:
        """All of them."""
        taken, self.ids = self.ids, self.ids[:0]
        return taken
