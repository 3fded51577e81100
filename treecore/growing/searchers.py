"""Who looks for the splits of new nodes: the kernels, or a test of every feature."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import numpy as np

from treecore.criteria import CRITERIA, by_code, needs_rows
from treecore.errors import TreecoreError
from treecore.growing.forced_splits import give_split
from treecore.growing.search.branches import CodedSplit, gain_of, rows_at
from treecore.growing.search.chaid import ChaidSearch
from treecore.growing.search.conditional import ConditionalSearch
from treecore.growing.search.stopping import Stopping
from treecore.growing.settings.grow_settings import GrowSettings, in_cases
from treecore.growing.settings.parts import SELECTORS, SPLIT_SCORES
from treecore.kernels.constraints import gain_is_enough, mark_searchable
from treecore.kernels.effect_search import search_effects, treated_share
from treecore.kernels.general.search_nodes import search_nodes
from treecore.kernels.log_rank_search import search_log_rank
from treecore.kernels.poisson_search import search_rates
from treecore.kernels.ranked_search import search_row_losses
from treecore.kernels.state import ONE_LEVEL, ORDERED, TESTED, GrowState, Problem, with_room

LEAST_SHARE = 0.01
"""Of its node's weight that a branch of a conditional inference tree needs (partykit's minprob)."""
LEAST_ALPHA = 1e-300
"""Stands for a level of 0, whose logarithm a test could not take."""


class Searcher(Protocol):
    """Searches nodes. budget : (row, feature) pairs that it can look at in a fraction of a second."""

    budget: int

    def __call__(self, growing: GrowState, first: int, stop: int) -> GrowState:
        """Give each of the nodes first:stop a split, but for those that have one already or may have none."""


def searcher_of(problem: Problem, growth: GrowSettings) -> Searcher:
    """The searcher that the settings ask for, with their stopping rules."""
    searcher = TestSearcher(problem, growth) if is_tested(growth) else KernelSearcher(problem, growth)
    stopping = Stopping(problem, growth)
    return Stopped(searcher, stopping) if stopping.is_on else searcher


def is_tested(growth: GrowSettings) -> bool:
    """Does a test of every feature choose?"""
    return SELECTORS[growth.selector].code == TESTED


def as_searched(problem: Problem, growth: GrowSettings) -> Problem:
    """The problem with groupings of levels that keep the order of their branches, where a test finds them."""
    if not is_tested(growth):
        return problem
    features = problem.features.copy()
    features["splitter"][features["splitter"] != ORDERED] = ONE_LEVEL
    return problem._replace(features=features)


class KernelSearcher:
    """The best score of all splits."""

    budget = 10_000_000

    def __init__(self, problem: Problem, growth: GrowSettings):
        self._problem = problem
        self._by_times = SPLIT_SCORES[growth.score].by_times
        self._by_rows = needs_rows(problem.judge)
        self._task = by_code(problem.judge.code).task
        self._treated = treated_share(problem.rows) if self._task == "effects" else 0.0
        self._honest = problem.judge.code == CRITERIA["honest_effect"].code

    def __call__(self, growing: GrowState, first: int, stop: int) -> GrowState:
        while (first := self._some(growing, first, stop)) < stop:
            growing = with_room(growing, levels=len(growing.levels))
        return growing

    def _some(self, growing: GrowState, first: int, stop: int) -> int:
        if self._by_times:
            return search_log_rank(self._problem, growing, first, stop)
        if self._by_rows:
            return search_row_losses(self._problem, growing, first, stop)
        if self._task == "counts":
            return search_rates(self._problem, growing, first, stop)
        if self._task == "effects":
            return search_effects(self._problem, growing, first, stop, self._treated, self._honest)
        return search_nodes(self._problem, growing, first, stop, self._problem.special_search)


class TestSearcher:
    """A test of every feature; node.score is -ln p of the split, node.gain its impurity decrease.

    Tests count cases: what priors and costs do to the weights shows in the gain alone.
    Raises TreecoreError for settings that mean nothing to a test.
    """

    __test__ = False  # not a class of tests, whatever pytest makes of its name
    budget = 1_000_000

    def __init__(self, problem: Problem, growth: GrowSettings):
        _check(problem, growth)
        self._problem = problem
        self.search = SEARCHES[growth.selector](problem, growth)

    def __call__(self, growing: GrowState, first: int, stop: int) -> GrowState:
        searchable = np.zeros(stop - first, bool)
        mark_searchable(self._problem, growing, first, stop, searchable)
        nodes = first + np.flatnonzero(searchable)
        splits = self._many([self.cases_at(growing, int(node)) for node in nodes])
        for node, result in zip(nodes, splits, strict=True):
            if result is not None:
                growing = self._give(growing, int(node), result)
        return growing

    def _many(self, cases: list[tuple[np.ndarray, np.ndarray]]) -> Iterable[CodedSplit | None]:
        """The split of each node; side by side where the search knows how."""
        if hasattr(self.search, "many"):
            return self.search.many(cases)
        return (self.search(*case) for case in cases)

    def cases_at(self, growing: GrowState, node: int) -> tuple[np.ndarray, np.ndarray]:
        """(int64 (n,) rows, float64 (n,) their case weights) at a node."""
        rows, share = rows_at(growing, node)
        return rows, self._problem.rows["case"][rows] * share

    def _give(self, growing: GrowState, node: int, found: CodedSplit) -> GrowState:
        growing = give_split(growing, node, found)
        record = growing.nodes[node]
        if len(found.cuts) == 1:
            record["high"] = self._next_code(growing, record)
        record["gain"] = gain_of(self._problem, growing, node)
        if not gain_is_enough(self._problem, growing, node, record["gain"]):
            take_back(growing.nodes, node)
        return growing

    def _next_code(self, growing: GrowState, record) -> int:
        """The lowest code above the cut among the node's rows that count; missing values have the highest."""
        rows = growing.order[record["feature"], record["start"] : record["stop"]]
        rows = rows[self._problem.rows["weight"][rows] > 0]
        codes = self._problem.codes[record["feature"], rows]
        return int(codes[np.searchsorted(codes, record["low"], side="right")])


class Stopped:
    """Takes back what the searcher found where a stopping rule objects; splits that were there before stay."""

    def __init__(self, searcher: Searcher, stopping: Stopping):
        self._searcher, self._stopping = searcher, stopping
        self.budget = min(searcher.budget, stopping.budget)

    def __call__(self, growing: GrowState, first: int, stop: int) -> GrowState:
        open_before = growing.nodes["n_children"][first:stop] == 0
        growing = self._searcher(growing, first, stop)
        for node in first + np.flatnonzero(open_before & (growing.nodes["n_children"][first:stop] > 0)):
            if self._stopping.veto(growing, int(node)) is not None:
                take_back(growing.nodes, int(node))
        return growing


def take_back(nodes: np.ndarray, node: int) -> None:
    """Let a node whose split was found be a leaf after all."""
    for name, value in (("n_children", 0), ("n_cuts", 0), ("feature", -1), ("level_start", -1)):
        nodes[name][node] = value


def _check(problem: Problem, growth: GrowSettings) -> None:
    label = SELECTORS[growth.selector].label
    needed = {"score": "decrease", "cuts": "all", "costs": (), "max_features": "all", "monotonic": ()}
    for name, value in needed.items():
        if getattr(growth, name) != value:
            remedy = f"Set {name} to {value!r}" if value else f"Leave {name} out"
            raise TreecoreError(f"{label} chooses by significance, this setting means nothing to it", where=name,
                                remedy=remedy + ", or take another selector")  # fmt: skip
    if needs_rows(problem.judge):
        raise TreecoreError(
            f"{label} tests means, not medians, other quantiles or Huber means",
            where="criterion",
            remedy="Take squared_error, or grow by CART, which judges splits by this loss",
        )


def _conditional(problem: Problem, growth: GrowSettings) -> ConditionalSearch:
    cases = in_cases(growth)
    return ConditionalSearch(
        problem, alpha=growth.alpha, adjustment=growth.adjustment, min_rows_split=cases.min_weight_split,
        min_rows_leaf=max(float(problem.rules["min_weight_leaf"][0]), cases.min_weight_leaf),
        min_share_leaf=LEAST_SHARE, test_statistic=growth.test_statistic, split_statistic=growth.split_statistic,
    )  # fmt: skip


def _chaid(problem: Problem, growth: GrowSettings) -> ChaidSearch:
    cases = in_cases(growth)
    return ChaidSearch(
        problem,
        bins=growth.chaid_bins,
        alpha_split=max(growth.alpha, LEAST_ALPHA),
        alpha_merge=max(growth.merge_alpha, LEAST_ALPHA),
        min_rows_split=cases.min_weight_split,
        min_rows_leaf=cases.min_weight_leaf,
    )


SEARCHES: dict[str, Callable[[Problem, GrowSettings], Any]] = {"conditional": _conditional, "chaid": _chaid}
"""Selector -> its search."""
