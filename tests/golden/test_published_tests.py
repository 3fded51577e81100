"""Tests of scores on examples that others worked out and published."""

import numpy as np
import pytest

from treecore.experiments import friedman, mcnemar_of, paired_t, wilcoxon
from treecore.experiments.ranks import critical_difference


def test_students_sleep():
    """Student (1908): ten patients' hours of sleep won by two drugs; as R prints it: t = 4.0621, df = 9, p = 0.002833,
    95 per cent interval 0.7001142 to 2.4598858."""
    first = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])
    second = np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
    found = paired_t(first, second)
    assert (round(found.mean, 2), round(found.t, 4), found.df, round(found.p, 6)) == (1.58, 4.0621, 9, 0.002833)
    assert (found.low, found.high) == pytest.approx((0.7001142, 2.4598858), abs=5e-8)
    assert found.rejects


def test_depression_scores():
    """Hollander and Wolfe (1973), table 3.1: V = 40, one-sided p = 0.01953."""
    before = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
    after = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
    found = wilcoxon(after, before)
    assert (found.plus, found.minus, found.statistic) == (40, 5, 5)
    assert found.p == pytest.approx(2 * 10 / 512)  # 0.01953 on one side


def test_approval_of_the_president():
    """Agresti (1990), page 350: z = (86 - 150) / sqrt(236) = -4.17, to which ours has the correction."""
    first = np.repeat([True, True, False, False], [794, 150, 86, 570])
    second = np.repeat([True, False, True, False], [794, 150, 86, 570])
    found = mcnemar_of(first, second)
    assert (found.both, found.first_only, found.second_only, found.neither) == (794, 150, 86, 570)
    assert found.chi_square == pytest.approx((4.17 - 1 / np.sqrt(236)) ** 2, abs=0.04)
    assert found.chi_square == pytest.approx(63**2 / 236)


SECONDS = """5.40 5.50 5.55  5.85 5.70 5.75  5.20 5.60 5.50  5.55 5.50 5.40  5.90 5.85 5.70  5.45 5.55 5.60
5.40 5.40 5.35  5.45 5.50 5.35  5.25 5.15 5.00  5.85 5.80 5.70  5.25 5.20 5.10  5.65 5.55 5.45
5.60 5.35 5.45  5.05 5.00 4.95  5.50 5.50 5.40  5.45 5.55 5.50  5.55 5.55 5.35  5.45 5.50 5.55
5.50 5.45 5.25  5.65 5.60 5.40  5.70 5.65 5.55  6.30 6.30 6.25"""


def test_rounding_first_base():
    """Hollander and Wolfe (1973), table 7.1, 22 players by three ways; as R prints it: 11.143, df = 2, p = 0.003805."""
    seconds = np.array(SECONDS.split(), float).reshape(22, 3)
    found = friedman(seconds, higher_is_better=False)
    assert (round(found.chi_square, 3), round(found.p, 6)) == (11.143, 0.003805)


DEMSAR = """0.763 0.768 0.771 0.798  0.599 0.591 0.590 0.569  0.954 0.971 0.968 0.967  0.628 0.661 0.654 0.657
0.882 0.888 0.886 0.898  0.936 0.931 0.916 0.931  0.661 0.668 0.609 0.685  0.583 0.583 0.563 0.625
0.775 0.838 0.866 0.875  1.000 1.000 1.000 1.000  0.940 0.962 0.965 0.962  0.619 0.666 0.614 0.669
0.972 0.981 0.978 0.975  0.957 0.978 0.946 0.970"""


def test_c45_with_two_parameters():
    """Demsar (2006), table 6 and section 3.2.2: C4.5 on 14 tables, plain, with m, with cf, with both, by area."""
    found = friedman(np.array(DEMSAR.split(), float).reshape(14, 4))
    np.testing.assert_allclose(found.mean, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    assert found.chi_square_plain == pytest.approx(9.28, abs=0.005)
    assert found.f == pytest.approx(3.69, abs=0.005)
    assert found.critical == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=1e-3)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)  # at .05 it prints 1.25


@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_critical_values(k, q):
    """Demsar (2006), table 5 (a)."""
    assert critical_difference(k, 1) / np.sqrt(k * (k + 1) / 6) == pytest.approx(q, abs=1e-3)
