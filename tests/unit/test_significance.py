"""Tests of a split: against scipy's, closed forms, numbers worked by hand, and every permutation there is."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from treecore.criteria.significance import (
    chi_square,
    f_test,
    g_test,
    log_chi2_tail,
    log_f_tail,
    permutation_test,
)

TABLES = st.integers(2, 5).flatmap(
    lambda c: st.lists(st.lists(st.integers(1, 40), min_size=c, max_size=c), min_size=2, max_size=5)
)


def test_chi_square_by_hand():
    """(30 10 | 10 30): every expected weight is 20, so 4 * 100/20 = 20 with one degree of freedom."""
    test = chi_square(np.array([[30.0, 10.0], [10.0, 30.0]]))
    assert (test.name, test.statistic, test.df) == ("chi_square", 20.0, 1)
    assert test.p_value == pytest.approx(math.erfc(math.sqrt(10)), rel=1e-12)
    assert test.log_p == pytest.approx(math.log(test.p_value), rel=1e-12)


def test_g_by_hand():
    """(30 10 | 10 30): 2 (60 ln 1.5 + 20 ln 0.5)."""
    test = g_test(np.array([[30.0, 10.0], [10.0, 30.0]]))
    assert test.statistic == pytest.approx(2 * (60 * math.log(1.5) + 20 * math.log(0.5)), rel=1e-12)
    assert test.df == 1
    assert g_test(np.array([[30.0, 0.0], [0.0, 30.0]])).statistic == pytest.approx(120 * math.log(2), rel=1e-12)


@pytest.mark.parametrize(("test", "family"), [(chi_square, "pearson"), (g_test, "log-likelihood")])
@given(table=TABLES)
def test_contingency_tables_as_scipy_has_them(test, family, table):
    ours, peer = test(table), scipy_stats.chi2_contingency(table, correction=False, lambda_=family)
    assert ours.statistic == pytest.approx(peer.statistic, rel=1e-9, abs=1e-10)
    assert ours.df == peer.dof
    assert ours.p_value == pytest.approx(peer.pvalue, rel=1e-7)


@pytest.mark.parametrize("test", [chi_square, g_test])
def test_empty_rows_and_columns_do_not_count(test):
    with_gaps = np.array([[9.0, 0, 4, 2], [0, 0, 0, 0], [3, 0, 8, 5]])
    without = with_gaps[[0, 2]][:, [0, 2, 3]]
    assert test(with_gaps).statistic == pytest.approx(test(without).statistic, rel=1e-14)
    assert test(with_gaps).df == test(without).df == 2
    for nothing in ([[3.0, 4.0]], [[3.0, 0.0], [4.0, 0.0]], np.zeros((2, 2)), np.zeros((0, 3))):
        found = test(np.array(nothing))
        assert (found.statistic, found.df, found.p_value, found.log_p) == (0, 0, 1, 0)


def sums(groups):
    return np.array([[len(g), np.sum(g), np.sum(np.square(g))] for g in groups], float)


def test_f_by_hand():
    """Means 2 and 5 around 3.5: between 3 * 2.25 * 2 = 13.5, within 2 + 2, F = 13.5 / (4/4)."""
    test = f_test(sums([[1, 2, 3], [4, 5, 6]]))
    assert test.statistic == pytest.approx(13.5, rel=1e-14)
    assert test.df == (1, 4)
    assert test.p_value == pytest.approx(2 * scipy_stats.t.sf(math.sqrt(13.5), 4), rel=1e-12)


@given(
    st.lists(st.lists(st.integers(-20, 20), min_size=2, max_size=8), min_size=2, max_size=5).filter(
        lambda groups: any(len(set(g)) > 1 for g in groups)
    )
)
def test_f_as_scipy_has_it(groups):
    ours, peer = f_test(sums(groups)), scipy_stats.f_oneway(*groups)
    assert ours.statistic == pytest.approx(peer.statistic, rel=1e-9, abs=1e-12)
    if ours.statistic == 0:  # equal means, where rounding may make scipy's F negative and its p NaN
        assert ours.p_value == 1
    else:
        assert ours.p_value == pytest.approx(peer.pvalue, rel=1e-7)


def test_f_where_there_is_little_to_test():
    constant = f_test(sums([[0.1, 0.1], [0.1, 0.1, 0.1]]))
    assert (constant.statistic, constant.p_value) == (0, 1)
    perfect = f_test(sums([[0.1, 0.1], [0.7, 0.7, 0.7]]))  # within computes as 2e-16
    assert (perfect.statistic, perfect.p_value, perfect.log_p) == (math.inf, 0, -math.inf)
    for nothing in ([[1, 2, 3]], [[1], [2]], [[1, 2, 3], []]):
        found = f_test(sums(nothing))
        assert (found.statistic, found.df, found.p_value, found.log_p) == (0, 0, 1, 0)
    filled = f_test(sums([[1, 2, 3], [], [4, 5, 6]]))
    assert filled == f_test(sums([[1, 2, 3], [4, 5, 6]]))


@pytest.mark.parametrize("x", [0.0, 0.3, 40.0, 1100.0, 1500.0, 4e5])
def test_chi_square_tail_with_two_degrees_of_freedom_is_exponential(x):
    assert log_chi2_tail(x, 2) == pytest.approx(-x / 2, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("f", [0.0, 0.3, 40.0, 1e4, 1e9])
@pytest.mark.parametrize("within", [4.0, 100.0, 3000.0, 1e8, 1e12])
def test_f_tail_with_two_degrees_of_freedom_is_a_power(f, within):
    assert log_f_tail(f, 2.0, within) == pytest.approx(-within / 2 * math.log1p(2 * f / within), rel=1e-12)


# pchisq(statistic, df, lower.tail = FALSE, log.p = TRUE) of R 4.2.2
R_LOG_P = [
    (0.003, 1, -4.4662794379362325e-02), (3.84, 1, -2.9948622271800254), (50, 1, -2.7200889545537436e01),
    (1500, 1, -7.5388306710538234e02), (5000, 1, -2.5044845878484507e03), (40000, 1, -2.0005524133717630e04),
    (0.5, 7, -5.5367185755362234e-04), (30, 7, -9.2620577027666524), (3000, 7, -1.4829162556908557e03),
    (0.5, 10, -6.6117324184888636e-06), (180, 10, -7.5133880776941211e01), (3000, 10, -1.4739225038383356e03),
    (150, 200, -3.3580735210606738e-03), (2000, 200, -6.7516230437337174e02),
]  # fmt: skip


@pytest.mark.parametrize(("statistic", "df", "expected"), R_LOG_P)
def test_chi_square_tail_as_r_has_it(statistic, df, expected):
    assert log_chi2_tail(statistic, df) == pytest.approx(expected, rel=1e-10, abs=1e-15)


def test_chi_square_tail_of_nothing():
    assert log_chi2_tail(0.0, 3) == log_chi2_tail(5.0, 0) == 0.0


def test_chi_square_tails_of_arrays_keep_their_shape():
    statistic, df = np.array([[0.0, 3.0, 40.0], [1.0, 900.0, 5.0]]), np.array([1, 2, 0])
    found = log_chi2_tail(statistic, df)
    assert found.shape == (2, 3)
    for i, j in itertools.product(range(2), range(3)):
        assert found[i, j] == log_chi2_tail(statistic[i, j], df[j])
    assert found[0].tolist() == [0.0, pytest.approx(-1.5, rel=1e-13), 0.0]
    assert log_chi2_tail(np.zeros((0, 3)), 2).shape == (0, 3)


@given(st.floats(1e-6, 700), st.integers(1, 400))
def test_chi_square_tail_as_scipy_has_it(statistic, df):
    peer = scipy_stats.chi2.logsf(statistic, df)
    if peer > -500:  # further out it underflows
        assert log_chi2_tail(statistic, df) == pytest.approx(peer, rel=1e-10, abs=1e-13)


def test_tails_far_out():
    """Worked with 40 digits: the logarithms of the incomplete gamma and beta integrals."""
    chi2 = [(1200, 3, -596.6799206405918), (1e5, 7, -49974.15147789107), (9000, 5000, -535.1423114758546)]
    for x, df, expected in chi2:
        assert log_chi2_tail(x, df) == pytest.approx(expected, rel=1e-13)
    f = [
        (2000, 1.0, 1e8, -1004.0167320948734),
        (1e12, 1.0, 98.0, -1131.7774542985185),
        (50, 30.0, 1000.0, -403.25685478433024),
    ]
    f += [(1e4, 3.0, 1000.0, -1713.781128101621), (10, 300.0, 100000.0, -992.3561928037933)]
    for x, between, within, expected in f:
        assert log_f_tail(x, between, within) == pytest.approx(expected, rel=1e-13)


def test_p_values_below_the_smallest_float_are_still_ordered():
    small, smaller = (chi_square(np.array([[n, 0.0], [0.0, n]])) for n in (2000.0, 3000.0))
    assert small.p_value == smaller.p_value == 0
    assert smaller.log_p < small.log_p < -1990


# permutations


def every_permutation(target, branch, weight, statistic):
    """The share of all permutations whose statistic is at least as large."""
    observed = statistic(target, branch, weight)
    all_of_them = [statistic(np.array(t), branch, weight) for t in itertools.permutations(target)]
    return np.mean(np.array(all_of_them) >= observed - 1e-9)


def table_statistic(labels, branch, weight):
    table = np.zeros((branch.max() + 1, 2))
    np.add.at(table, (branch, labels), weight)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return ((table - expected) ** 2 / expected).sum()


def squares_between(y, branch, weight):
    mean = np.average(y, weights=weight)
    parts = [branch == b for b in range(branch.max() + 1)]
    return sum(weight[p].sum() * (np.average(y[p], weights=weight[p]) - mean) ** 2 for p in parts)


BRANCH = np.array([0, 0, 0, 1, 1, 2, 2])
EQUAL, UNEQUAL = np.full(7, 2.0), np.array([1.0, 2.0, 1.5, 1.0, 3.0, 1.0, 0.5])
LABELS, RESPONSES = np.array([0, 0, 1, 1, 1, 1, 0]), np.array([1.0, 2.0, 2.5, 4.0, 3.0, 7.0, 2.5]) + 2**20


@pytest.mark.parametrize("weight", [EQUAL, UNEQUAL], ids=["equal", "unequal"])
@pytest.mark.parametrize(("target", "statistic"), [(LABELS, table_statistic), (RESPONSES, squares_between)])
def test_drawn_permutations_come_close_to_all_of_them(target, statistic, weight):
    near_0 = target - target.min()  # without rounding
    exact = every_permutation(near_0, BRANCH, weight, statistic)
    assert 0.02 < exact < 0.98
    m = 20_000
    test = permutation_test(target, BRANCH, weight, m, seed=3)
    assert test.statistic == pytest.approx(statistic(near_0, BRANCH, weight), rel=1e-9)
    assert abs(test.p_value - exact) < 4 * math.sqrt(exact * (1 - exact) / m) + 1 / m
    assert test.log_p == pytest.approx(math.log(test.p_value))


def test_a_permutation_test_is_fixed_by_its_seed():
    tests = [permutation_test(RESPONSES, BRANCH, EQUAL, 99, seed) for seed in (1, 1, 2, 3, 4)]
    assert tests[0] == tests[1]
    assert len({t.p_value for t in tests}) > 1


def test_the_smallest_p_of_permutations():
    """Nothing drawn comes near a perfect split of 60 rows: (0 + 1) / (99 + 1)."""
    y = np.repeat([0, 1], 30)
    assert permutation_test(y, y, np.ones(60), 99, seed=0).p_value == pytest.approx(0.01)
    assert permutation_test(y * 1.5, y, np.ones(60), 99, seed=0).p_value == pytest.approx(0.01)


def test_permutations_of_nothing_say_nothing():
    rows = np.zeros(5, int)
    for target in (rows, rows * 1.0, np.arange(5), np.arange(5) * 0.1):
        assert permutation_test(target, rows, np.ones(5), 19, seed=0).p_value == 1
        assert permutation_test(target, rows, np.zeros(5), 19, seed=0).p_value == 1


def test_rows_without_weight_do_not_take_part():
    more = [np.append(v, extra) for v, extra in ((LABELS, [1, 1]), (BRANCH, [0, 5]), (UNEQUAL, [0, 0]))]
    assert permutation_test(*more, 99, seed=5) == permutation_test(LABELS, BRANCH, UNEQUAL, 99, seed=5)
