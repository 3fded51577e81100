"""Tests of scores on examples that others worked out and published."""

import numpy as np
import pytest

from treecore.study import correlated_t, friedman, mcnemar_of, paired_t, resampled_t, wilcoxon
from treecore.study.score_tests import critical_difference


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


def right(both: int, first: int, second: int, neither: int) -> tuple[np.ndarray, np.ndarray]:
    """Which rows each of two is right about, from how many."""
    n = [both, first, second, neither]
    return np.repeat([True, True, False, False], n), np.repeat([True, False, True, False], n)


def test_two_models_of_ten_thousand_rows():
    """Raschka (2018), Model evaluation, model selection, and algorithm selection in machine learning, section 4: of
    models right about 99.7 and 99.6 per cent; as mlxtend prints it: 2.025, p = 0.154728923485. Of 11 against 1 its
    documentation prints an exact p of 24 / 4096; two tails of 1 + 12 ways each are 26 / 4096."""
    found = mcnemar_of(*right(9945, 25, 15, 15))
    assert found.chi_square == pytest.approx(2.025)
    assert found.p_chi_square == pytest.approx(0.154728923485)
    assert mcnemar_of(*right(9959, 11, 1, 29)).p == pytest.approx(26 / 4096)


def test_of_what_is_printed_beside_a_grid_search():
    """scikit-learn, Statistical comparison of models using grid search: 10 x 10 folds of 100 rows, t = 2.611 and by
    Nadeau and Bengio 0.750, on one side p = 0.227."""
    off = np.tile([-1.0, 1.0], 50)
    off += 2.611 * off.std(ddof=1) / 10
    plain, corrected = paired_t(np.zeros(100), off), resampled_t(np.zeros(100), off, 10 / 90)
    assert plain.t == pytest.approx(2.611)
    assert (round(corrected.t, 3), corrected.df, round(corrected.p / 2, 3)) == (0.750, 99, 0.227)


def test_three_folds_of_baycomp():
    """baycomp 1.0, tests/test_single.py: 4 2 6 against 5 7 3: mean 1, variance 16 (1/3 + 1/2), df 2."""
    found = correlated_t(np.array([4.0, 2, 6]), np.array([5.0, 7, 3]), 1 / 2)
    assert (found.mean, found.df) == (1, 2)
    assert found.scale**2 == pytest.approx(16 * (1 / 3 + 1 / 2))


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


def test_c45_plain_and_with_m():
    """Demsar (2006), table 2 and section 3.1.3: R+ = 93 and R- = 12, where two differences of 0 have rank 1.5, half of
    which goes to either side; ours leaves them out, and every rank is two less."""
    plain, with_m = np.array(DEMSAR.split(), float).reshape(14, 4)[:, :2].T
    found = wilcoxon(plain, with_m)
    assert (found.differences == 0).sum() == 2
    above, below = (found.differences > 0).sum(), (found.differences < 0).sum()
    assert (found.plus + 2 * above + 1.5, found.minus + 2 * below + 1.5) == (93, 12)
    assert found.p < 0.05, "it rejects, as 12 is below the critical 21"


@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_critical_values(k, q):
    """Demsar (2006), table 5 (a)."""
    assert critical_difference(k, 1) / np.sqrt(k * (k + 1) / 6) == pytest.approx(q, abs=1e-3)
