"""What a split that nobody searched for is worth: what the search would say of the same split."""

import math

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.split_scores import CHI_SQUARE, DECREASE, MDL_GAIN_RATIO, TWOING
from treecore.growing.inspect import judging
from treecore.growing.inspect.enumerate_splits import cost_of_asking
from treecore.growing.search.branches import Branches, branches_at, gain_of, rows_at
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.kernels.general.scores import SUM_TOLERANCE
from treecore.kernels.state import ORDERED, OWN_VALUE, SHARE, TESTED, WHOLE_GAIN, GrowState, Problem


def gain_and_score(problem: Problem, growing: GrowState, node: int, growth: GrowSettings) -> tuple[float, float]:
    """(impurity decrease, what it would have competed by) of the split that a node was given.

    Where a test of every feature chooses the score is the gain, for its cost as always.
    """
    branches, gain = branches_at(problem, growing, node), gain_of(problem, growing, node)
    score = _score(problem, growing, node, branches, gain)
    cost = float(problem.features["cost"][growing.nodes["feature"][node]])
    return gain, float(cost_of_asking(growth, np.float64(score), cost))


def _score(problem: Problem, growing: GrowState, node: int, branches: Branches, gain: float) -> float:
    """Before costs of features."""
    rules, judge, total = problem.rules[0], problem.judge, float(growing.nodes["weight"][node])
    if judge.code == CRITERIA["absolute_error"].code:
        return gain
    code, by_test = int(rules["score"]), rules["selector"] == TESTED
    stats = branches.statistics(problem, branches.weight(problem))[None]
    if rules["selector"] == WHOLE_GAIN and rules["missing"] == SHARE:
        every = branches.with_others(growing, node)
        known, unknown = np.split(every.statistics(problem, every.weight(problem)), [-1])
        gain = float(judging.decreases(judge, judging.with_shared(judge, known[None], unknown))[0])
    filled = judging.weights(judge, stats)[0] > 0
    not_two = code == TWOING and not (len(filled) == 2 and filled.all())
    if code == DECREASE or by_test or not_two:
        return gain
    if code >= CHI_SQUARE:
        stats = stats[:, filled]
    if code == MDL_GAIN_RATIO and problem.features["splitter"][growing.nodes["feature"][node]] == ORDERED:
        gain -= math.log2(max(_n_cuts(problem, growing, node), 1)) / total
    return float(judging.scores(code, judge, stats, np.array([gain]), total)[0])


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
