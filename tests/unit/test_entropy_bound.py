"""The bound that spares cuts their logarithms is never below the decrease."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import entropy_decrease_above
from treecore.engine.jit import jit

JUDGE = CRITERIA["entropy"].judge()
WEIGHT = st.one_of(st.just(0.0), st.integers(1, 1000).map(float), st.floats(1e-9, 1e9))


@jit
def decrease_above(least, judge, parent, left, right):
    return entropy_decrease_above(least, judge, parent, left, left.sum(), right, right.sum())


def entropy_and_decrease(left: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """(impurity of all, decrease), by its definition."""
    entropies = [-sum(p * math.log2(p) for p in side / side.sum() if p > 0) for side in (left + right, left, right)]
    share = left.sum() / (left.sum() + right.sum())
    return entropies[0], entropies[0] - share * entropies[1] - (1 - share) * entropies[2]


@settings(deadline=None)  # the first call compiles
@given(st.lists(st.tuples(WEIGHT, WEIGHT), min_size=2, max_size=6), st.floats(0.0, 1.0))
def test_a_cut_is_passed_over_only_if_its_decrease_is_no_more_than_the_least(cells, part):
    left, right = np.array(cells).T.copy()
    if not (left.sum() > 0 and right.sum() > 0):
        return
    parent, gain = entropy_and_decrease(left, right)
    found = decrease_above(-math.inf, JUDGE, parent, left, right)
    assert math.isclose(found, gain, abs_tol=1e-9)
    assert decrease_above(found * part - 1e-15, JUDGE, parent, left, right) == found
    assert decrease_above(2.0, JUDGE, parent, left, right) in (found, -math.inf)


def test_a_cut_of_little_gain_is_passed_over():
    left, right = np.array([50.0, 52.0]), np.array([50.0, 49.0])
    assert decrease_above(0.1, JUDGE, 1.0, left, right) == -math.inf
