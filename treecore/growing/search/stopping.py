"""Rules that look at the best split of a node and may veto it: the node stays a leaf."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treecore.criteria import CRITERIA, needs_rows
from treecore.criteria.description_length import leaf_bits, split_bits
from treecore.criteria.groupings import NOMINAL, log_groupings
from treecore.criteria.groupings import ORDERED as IN_ORDER
from treecore.criteria.significance import SignificanceTest, chi_square, f_test, g_test, permutation_test
from treecore.errors import TreecoreError
from treecore.growing.search.branches import Branches, around_mean, branches_at, rows_at
from treecore.kernels.state import MULTIWAY, ONE_LEVEL, ORDERED, TESTED, GrowState, Problem
from treecore.registry import Registry

ROUNDING = 1e-12
"""Differences below this share of the numbers compared are none."""


class StoppingSettings(Protocol):
    """The part of the GrowSettings that these rules look at; see there."""

    @property
    def test(self) -> str: ...
    @property
    def alpha(self) -> float: ...
    @property
    def n_permutations(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def size_penalty(self) -> float: ...
    @property
    def size_unit(self) -> str: ...
    @property
    def impurity_sum(self) -> str: ...
    @property
    def criterion(self) -> str: ...


@dataclass(frozen=True)
class Veto:
    """Why a split is not made. value : the rule's number, which should have been below `limit`. text : a sentence."""

    rule: str
    value: float
    limit: float
    text: str


@dataclass(frozen=True)
class StoppingTest:
    """A test that a split must pass.

    significance : (problem, branches, growth) -> Test, None for a rule of another kind. tasks : kinds of target.
    """

    name: str
    label: str
    note: str
    source: str
    significance: Callable[[Problem, Branches, StoppingSettings], SignificanceTest] | None = None
    tasks: tuple[str, ...] = ("classification", "regression")


def _chi_square(problem: Problem, branches: Branches, growth: StoppingSettings) -> SignificanceTest:
    stats = branches.statistics(problem, branches.cases(problem))
    return chi_square(stats) if problem.rules["n_classes"][0] else f_test(stats)


def _g_test(problem: Problem, branches: Branches, growth: StoppingSettings) -> SignificanceTest:
    stats = branches.statistics(problem, branches.cases(problem))
    return g_test(stats) if problem.rules["n_classes"][0] else f_test(stats)


def _permutation(problem: Problem, branches: Branches, growth: StoppingSettings) -> SignificanceTest:
    weight, by_class = branches.cases(problem), problem.rules["n_classes"][0] > 0
    rows = branches.rows
    target = problem.rows["label"][rows] if by_class else around_mean(problem, rows, weight)
    return permutation_test(target, branches.branch, weight, growth.n_permutations, growth.seed)


STOPPING_TESTS = Registry(
    "stopping test",
    StoppingTest("none", "None", "Every split within the limits is made.", "",
                 tasks=("classification", "regression", "counts", "effects")),
    StoppingTest(
        "chi_square", "Chi-square test", "The split is made if branch and class depend on each other at the level "
        "alpha; for a numeric target by the F test. The p-value does not pay for the choice among many splits.",
        "Quinlan (1986)", _chi_square,
    ),
    StoppingTest(
        "g_test", "Likelihood-ratio test (G)", "The same by 2 sum O ln(O / E).", "Woolf (1957)", _g_test,
    ),
    StoppingTest(
        "permutation", "Permutation test", "The split is made if at most a share alpha of random permutations of the "
        "target depends on the branch as much: by chi-square, by the sum of squares for a numeric target.",
        "Good (2005)", _permutation,
    ),
    StoppingTest(
        "mdl", "Minimum description length", "The split is made if it shortens the description: bits of the tree and "
        "bits of the exceptions.", "Quinlan & Rivest (1989)", tasks=("classification",),
    ),
)  # fmt: skip


class Stopping:
    """The rules in force. budget : (row, feature) pairs judged in a fraction of a second.

    Tests count cases; the global criterion takes the impurities that splits are judged by. Both look at the rows
    whose branch the split names. Raises TreecoreError for rules that do not fit the target or each other.
    """

    budget = 2_000_000

    def __init__(self, problem: Problem, growth: StoppingSettings):
        _check(problem, growth)
        self._problem, self._growth = problem, growth
        self.is_on = growth.test != "none" or growth.size_penalty > 0
        if growth.test == "permutation":
            self.budget = 200_000

    def veto(self, growing: GrowState, node: int) -> Veto | None:
        """The first rule that objects to the split found for this node, None if there is none."""
        branches, growth = branches_at(self._problem, growing, node), self._growth
        significance = STOPPING_TESTS[growth.test].significance
        result = None
        if significance is not None:
            result = _insignificant(significance(self._problem, branches, growth), growth.alpha)
        elif growth.test == "mdl":
            result = self._longer(growing, node, branches)
        if result is None and growth.size_penalty > 0:
            result = self._costlier(branches, float(growing.nodes["weight"][0]))
        return result

    def _longer(self, growing: GrowState, node: int, branches: Branches) -> Veto | None:
        """Does the split lengthen the description of the node's classes?"""
        stats = branches.statistics(self._problem, branches.cases(self._problem))
        as_leaf = leaf_bits(stats.sum(axis=0))
        test = split_bits(*self._choices(growing, node, branches))
        as_split = test + sum(leaf_bits(counts) for counts in stats)
        if as_split < as_leaf * (1 - ROUNDING):
            return None
        text = (
            f"The split does not shorten the description: {as_leaf:.4g} bits as a leaf, {as_split:.4g} with the split "
            f"({test:.4g} for the test)."
        )
        return Veto("mdl", as_split, as_leaf, text)

    def _choices(self, growing: GrowState, node: int, branches: Branches) -> tuple[int, float]:
        """(features that vary at the node, log2 of the number of tests of this kind on the split's feature)."""
        rows, chosen = rows_at(growing, node)[0], int(growing.nodes["feature"][node])
        rows = rows[self._problem.rows["case"][rows] > 0]
        features = self._problem.features
        n_values = [
            int(np.count_nonzero(np.unique(codes[rows]) < n))
            for codes, n in zip(self._problem.codes, features["n_codes"], strict=True)
        ]
        used = len(np.unique(branches.branch[branches.cases(self._problem) > 0]))
        ways = self._log_tests(int(features["splitter"][chosen]), n_values[chosen], used)
        return max(sum(v > 1 for v in n_values), 1), max(ways, 0.0) / math.log(2)

    def _log_tests(self, splitter: int, n_values: int, n_branches: int) -> float:
        if splitter == ORDERED:
            return log_groupings(IN_ORDER, n_values, n_branches)
        if splitter == MULTIWAY:
            return 0.0
        if splitter == ONE_LEVEL and self._problem.rules["selector"][0] != TESTED:
            return math.log(n_values if n_values > 2 else 1)
        return log_groupings(NOMINAL, n_values, n_branches)

    def _costlier(self, branches: Branches, whole: float) -> Veto | None:
        """Does the split leave alpha size + sum of the leaves' impurities as large as it was, or raise it?

        whole : weight of all training rows, for a sum in which each leaf counts by its share.
        """
        weights, impurities = branches.impurities(self._problem)
        if self._growth.impurity_sum == "shares":
            impurities = weights / whole * impurities
        more = branches.n_branches - (self._growth.size_unit == "leaves")
        before, after, price = float(impurities[0]), float(impurities[1:].sum()), self._growth.size_penalty * more
        if after + price < before - ROUNDING * (before + price):
            return None
        text = (
            f"The split does not lower α · size + Σ impurity: size costs {price:.4g} more ({self._growth.size_unit}: "
            f"{more:+d}), the sum of impurities goes from {before:.4g} to {after:.4g} here."
        )
        return Veto("size", after + price, before, text)


def _insignificant(test: SignificanceTest, alpha: float) -> Veto | None:
    if test.p_value <= alpha:
        return None
    label = {"f_test": "F test"}.get(test.name) or STOPPING_TESTS[test.name].label
    return Veto(test.name, test.p_value, alpha, f"{label}: p = {test.p_value:.3g} is above the level {alpha:.3g}.")


def _check(problem: Problem, growth: StoppingSettings) -> None:
    task = "classification" if problem.rules["n_classes"][0] else "regression"
    if task not in STOPPING_TESTS[growth.test].tasks:
        fitting = ", ".join(t.name for t in STOPPING_TESTS.values() if task in t.tasks)
        what = f"{STOPPING_TESTS[growth.test].label} counts exceptions from a class, the target is a number"
        raise TreecoreError(what, where="test", remedy="Choose one of: " + fitting)
    if growth.test == "permutation" and growth.alpha * (growth.n_permutations + 1) < 1 - 1e-9:
        what = f"With {growth.n_permutations} permutations no p-value is as small as {growth.alpha:g}"
        remedy = f"Ask for a larger alpha, or for {_permutations_for(growth.alpha)}"
        raise TreecoreError(what, where="n_permutations", remedy=remedy)
    if growth.size_penalty > 0 and needs_rows(problem.judge):
        label = CRITERIA[growth.criterion].label
        what = f"The global criterion needs an impurity that follows from sums, {label} does not"
        raise TreecoreError(what, where="size_penalty", remedy="Take squared_error, or a penalty of 0")


def _permutations_for(alpha: float) -> str:
    return f"{math.ceil(1 / alpha - 1e-9) - 1} permutations or more" if alpha > 0 else "another test"
