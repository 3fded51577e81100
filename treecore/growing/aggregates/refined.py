"""Cuts between bins made exact: what the two bins beside a cut hold is searched value by value, by the same rules."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.growing.aggregates.cells import block_of, cells_of
from treecore.growing.aggregates.counted import Cut, Values
from treecore.growing.numpy.search import Search
from treecore.growing.settings.parts import THRESHOLD_RULES
from treecore.growing.settings.thresholds import thresholds
from treecore.kernels.state import BEST, ORDERED, GrowState, Problem


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
    found = []
    for node in ids.tolist():
        record = growing.nodes[node]
        f, low, high = (int(record[name]) for name in ("feature", "low", "high"))
        column = columns[f]
        if record["n_children"] == 0 or problem.features["splitter"][f] != ORDERED or not is_between(column, high):
            continue
        inside = sums[node][f, low : high + 1]
        n = inside[:, 0].sum() if problem.rules["n_classes"][0] == 0 else inside.sum()
        ends = float(column.distinct[low - 1]) if low else None, float(column.distinct[high])
        found.append(Cut(node, f, low, high, round(n), *ends))
    return found


def is_between(column, high: int) -> bool:
    """Does a cut below this code part two bins of the column?"""
    return column.kind == "numeric" and column.in_bins and high < column.n_distinct


def refined(cut: Cut, values: Values, sums: np.ndarray, problem: Problem, growing: GrowState, factors, rule: str):
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
    Search(block_of(cells_of(alone, fine[None], factors), growing, np.array([cut.node]))).written()
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
