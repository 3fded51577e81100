"""What spares cuts their logarithms and divisions: a bound that is never below the decrease, and entropy roughly."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy as scipy_entropy

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import (
    ROUGH,
    binary_decrease,
    impurity_by_code,
    may_exceed,
    rough_entropy_decrease,
    weigh_gaps,
)
from treecore.engine.jit import jit

WEIGHT = st.one_of(st.just(0.0), st.integers(1, 1000).map(float), st.floats(1e-9, 1e9))


@jit
def decrease(judge, left, right):
    n_left, n_right, known = left.sum(), right.sum(), left + right
    return binary_decrease(judge, impurity_by_code(judge, known, n_left + n_right), left, n_left, right, n_right)


@jit
def exceeds(least, by_entropy, left, right):
    known, per_class = left + right, np.empty(left.shape[0])
    weight = left.sum() + right.sum()
    weigh_gaps(by_entropy, known, weight, per_class)
    return may_exceed(least, left, left.sum(), known, weight, 1.0 / weight, per_class)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@given(st.lists(st.tuples(WEIGHT, WEIGHT), min_size=2, max_size=6), st.floats(0.0, 1.0))
def test_a_cut_is_passed_over_only_if_its_decrease_is_no_more_than_the_least(criterion, cells, part):
    left, right = np.array(cells).T.copy()
    if not (left.sum() > 0 and right.sum() > 0):
        return
    found, by_entropy = decrease(CRITERIA[criterion].judge(), left, right), criterion == "entropy"
    assert exceeds(-math.inf, by_entropy, left, right)
    assert exceeds(found * part - 1e-15, by_entropy, left, right)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_a_cut_of_little_gain_is_passed_over(criterion):
    left, right = np.array([50.0, 52.0]), np.array([50.0, 49.0])
    assert not exceeds(0.1, criterion == "entropy", left, right)


def test_the_bound_of_gini_is_its_decrease():
    left, right = np.array([3.0, 1.0, 2.0]), np.array([1.0, 4.0, 2.0])
    found = decrease(CRITERIA["gini"].judge(), left, right)
    assert exceeds(found * (1 - 1e-8), False, left, right)
    assert not exceeds(found * (1 + 1e-8), False, left, right)


@jit
def roughly(parent, left, right):
    return rough_entropy_decrease(parent, left, left.sum(), left + right, left.sum() + right.sum())


@given(st.lists(st.tuples(WEIGHT, WEIGHT), min_size=2, max_size=6))
def test_entropy_is_known_roughly_without_logarithms(cells):
    left, right = np.array(cells).T.copy()
    if left.sum() > 0 and right.sum() > 0:
        parent = float(scipy_entropy(left + right, base=2))
        assert abs(roughly(parent, left, right) - decrease(CRITERIA["entropy"].judge(), left, right)) < ROUGH / 2


def test_a_rough_logarithm_is_no_exact_one():
    """The scan must look at the last places itself: what is rough shows at some of these."""
    left, right = np.array([3.0, 1.0]), np.array([1.0, 4.0])
    parent = float(scipy_entropy(left + right, base=2))
    assert roughly(parent, left, right) != decrease(CRITERIA["entropy"].judge(), left, right)
    assert roughly(parent, left, right) == pytest.approx(decrease(CRITERIA["entropy"].judge(), left, right), abs=1e-10)
