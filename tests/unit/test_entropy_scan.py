"""The general scan by entropy, whose logarithms are rough where they may be, beside a loop over all cuts."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.property.naive import Sample
from treecore.criteria import CRITERIA
from treecore.criteria.impurity import binary_decrease, impurity_by_code
from treecore.engine.jit import jit
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import problem_of
from treecore.kernels.general.ordered_cuts import line_up, scan_ordered, sum_line
from treecore.kernels.state import new_growing

ENTROPY = CRITERIA["entropy"].judge()


@jit
def scanned(problem, growing, step, bar):
    """(value, place, weight on the left, cuts) of the scan of feature 0 over all rows."""
    n = line_up(problem.codes[0], growing.order[0], 0, growing.order.shape[1], problem.features[0].n_codes,
                growing.rows, growing.line)  # fmt: skip
    weight, n_rows = sum_line(growing.line, n, problem.rules[0].n_classes, growing.sums[2])
    parent = impurity_by_code(problem.judge, growing.sums[2], weight)
    growing.sums[0] = 0.0
    return scan_ordered(problem, 0.0, 0, growing.line, n, growing.sums, 0.0, 0, weight, n_rows, parent, 0.0, step, bar,
                        True)  # fmt: skip


@jit
def decrease(judge, left, n_left, known, weight):
    parent = impurity_by_code(judge, known, weight)
    return binary_decrease(judge, parent, left, n_left, known - left, weight - n_left)


def looped(codes, labels, weights, slack, step, bar):
    """The same, every cut to the last place."""
    order = np.argsort(codes, kind="stable")
    left, known = np.zeros(3), np.zeros(3)
    weight = 0.0
    for i in order:
        known[labels[i]] += weights[i]
        weight += weights[i]
    best, place, best_left, n_left, cuts = -math.inf, -1, 0.0, 0.0, 0
    to_beat = step if step > 0 else -math.inf
    for at, (i, after) in enumerate(pairwise(order)):
        left[labels[i]] += weights[i]
        n_left += weights[i]
        if codes[i] == codes[after]:
            continue
        cuts += 1
        value = decrease(ENTROPY, left, n_left, known, weight)
        if value > to_beat:
            best, place, best_left, to_beat = value, at, n_left, value + slack
            if best >= bar:
                break
    return best, place, best_left, cuts


def arranged(codes, labels, weights, growth):
    table = Sample(
        ["numeric", "numeric"], [[float(c) for c in codes], [0.0] * len(codes)], [0, 0], list(labels), 3
    ).table()
    problem = problem_of(table, growth)
    rows = problem.rows.copy()
    rows["weight"] = weights
    problem = problem._replace(rows=rows)
    order = np.argsort(problem.codes, axis=1, kind="stable").astype(np.int32)
    return problem, new_growing(problem, order, capacity=4)


ROWS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 2), st.sampled_from([1.0, 1.0, 0.25, 1 / 3, 2.0])),
    min_size=3,
    max_size=60,
)


@pytest.mark.parametrize("score", ["decrease", "gain_ratio"])
@given(rows=ROWS, step=st.sampled_from([0.0, 1e-6, 0.02]), share=st.sampled_from([math.inf, 1.0, 0.7]))
def test_the_scan_finds_the_cut_of_a_loop_to_the_last_bit(score, rows, step, share):
    codes, labels, weights = (np.array(column) for column in zip(*rows, strict=True))
    if len(set(labels.tolist())) < 2 or len(set(codes.tolist())) < 2:
        return
    growth = GrowSettings(criterion="entropy", score=score, threshold="midpoint")
    problem, growing = arranged(codes, labels, weights, growth)
    slack, weight = step, 0.0
    if score == "gain_ratio":
        known = np.zeros(3)
        for i in np.argsort(codes, kind="stable"):
            known[labels[i]] += weights[i]
            weight += weights[i]
        slack = problem.rules["tolerance"][0] * impurity(ENTROPY, known, weight)
    bar = share if share == math.inf else share * looped(codes, labels, weights, 0.0, 0.0, math.inf)[0]
    assert scanned(problem, growing, step, bar) == looped(codes, labels, weights, slack, step, bar)


@jit
def impurity(judge, known, weight):
    return impurity_by_code(judge, known, weight)
