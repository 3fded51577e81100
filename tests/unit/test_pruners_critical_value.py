"""Pruning by significance: chi-square, F and permutations, by hand and against scipy."""

import numpy as np
import pytest
from scipy import stats

import treecore as tc
from tests.property.naive import Sample
from treecore.criteria.significance import chi_square, f_test
from treecore.pruning import CUT, KEEP
from treecore.pruning.critical_value import critical
from treecore.tree.node_statistics import children_statistics

A, B = 0, 1


def two_leaves(left, right, weights=None):
    """x < 0.5 with (a, b) on either side."""
    x = [0] * sum(left) + [1] * sum(right)
    y = [A] * left[0] + [B] * left[1] + [A] * right[0] + [B] * right[1]
    return Sample(["numeric"], [x], [0], y, 2, weights).table()


def test_chi_square_by_hand():
    """(30 10 | 10 30): 20; (22 18 | 18 22): 4 * 2^2 / 20 = .8; the critical value at 5 % is 3.84."""
    tree = tc.grow(two_leaves((30, 10), (10, 30)))
    reason = tc.prune(tree, "critical_value").reasons[0]
    assert reason.number == pytest.approx(20)
    assert reason.threshold == pytest.approx(3.841458820694124)
    assert dict(reason.details)["df"] == 1
    assert "chi-square 20 with 1 degrees of freedom, critical value 3.84146 at level 0.05" in reason.text
    assert not tc.prune(tree, "critical_value").changes
    weak = tc.grow(two_leaves((22, 18), (18, 22)))
    assert tc.prune(weak, "critical_value").reasons[0].number == pytest.approx(0.8)
    assert tc.prune(weak, "critical_value").verdict[0] == CUT
    assert tc.prune(weak, "critical_value", alpha=0.4).verdict[0] == KEEP  # 0.708


@pytest.mark.parametrize("alpha", [1e-12, 0.01, 0.3, 1.0])
def test_critical_values_are_quantiles(alpha):
    for shape in ((2, 2), (4, 3), (3, 9)):
        test = chi_square(np.arange(1.0, 1 + shape[0] * shape[1]).reshape(shape))
        df = (shape[0] - 1) * (shape[1] - 1)
        assert critical(test, alpha) == pytest.approx(stats.chi2.isf(alpha, df), rel=1e-9)
    test = f_test(np.array([[5.0, 1, 9], [4, 8, 30], [7, 2, 11]]))
    # P(F > f) = (1 + 2 f / 13)^(-13/2) with 2 and 13 degrees of freedom
    assert critical(test, alpha) == pytest.approx(6.5 * (alpha ** (-2 / 13) - 1), rel=1e-9)
    test = f_test(np.array([[5.0, 1, 9], [4, 8, 30], [7, 2, 11], [3, 3, 9]]))
    if alpha >= 0.01:  # further out scipy's quantile is right to 5 digits only
        assert critical(test, alpha) == pytest.approx(stats.f.isf(alpha, 3, 15), rel=1e-9)


def test_statistic_and_p_value_agree_whatever_the_level():
    tree = tc.grow(two_leaves((13, 9), (8, 12)))
    p = chi_square(tree.stats[1:]).p_value
    for alpha in (p * 0.999, p * 1.001):
        assert (tc.prune(tree, "critical_value", alpha=alpha).verdict[0] == CUT) == (p > alpha)


def test_a_significant_split_below_keeps_what_is_above():
    """XOR: no split of the root is worth anything, those below it are."""
    cells = [(0, 0, A), (0, 1, B), (1, 0, B), (1, 1, A)] * 10
    table = Sample(["numeric"] * 2, [[c[0] for c in cells], [c[1] for c in cells]], [0, 0], [c[2] for c in cells], 2)
    tree = tc.grow(table.table(), zero_gain="split")
    cuts = tc.prune(tree, "critical_value")
    assert not cuts.changes
    assert np.isnan(cuts.reasons[0].number)
    assert cuts.reasons[0].text == "not tested: a split below it is significant"
    assert cuts.reasons[1].number == pytest.approx(20)  # 10 | 10 apart


def test_empty_branches_and_classes_do_not_count():
    """5 levels, 2 of them there; 3 classes, 2 of them there: one degree of freedom."""
    from treecore.data import level_column

    x = level_column("x", "nominal", np.array([0] * 20 + [1] * 20), list("abcde"))
    y = level_column("y", "nominal", np.array([0] * 15 + [1] * 5 + [0] * 5 + [1] * 15), ["n", "y", "never"])
    tree = tc.grow(tc.Table((x, y), target="y", features=("x",)), nominal="multiway")
    assert tree.n_leaves == 5
    reason = tc.prune(tree, "critical_value").reasons[0]
    assert (reason.number, dict(reason.details)["df"]) == (pytest.approx(10), 1)


def test_f_by_hand():
    """1 2 3 | 4 5 6: F = 13.5 with 1 and 4 degrees; the critical values at 5 % and 1 % are 7.71 and 21.2."""
    table = Sample(["numeric"], [[0, 0, 0, 1, 1, 1]], [0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 0).table()
    tree = tc.grow(table)
    reason = tc.prune(tree, "critical_value").reasons[0]
    assert reason.number == pytest.approx(13.5)
    assert reason.threshold == pytest.approx(7.708647)
    assert "F 13.5 with 1 and 4 degrees of freedom" in reason.text
    assert tc.prune(tree, "critical_value", alpha=0.01).verdict[0] == CUT
    perfect = tc.grow(Sample(["numeric"], [[0, 0, 1, 1]], [0], [0.5, 0.5, 0.7, 0.7], 0).table())
    assert tc.prune(perfect, "critical_value", alpha=1e-9).verdict[0] == KEEP  # F is infinite
    pairs = tc.grow(Sample(["numeric"], [[0, 1]], [0], [0.5, 0.7], 0).table())
    assert tc.prune(pairs, "critical_value").verdict[0] == CUT  # no degrees of freedom: nothing is shown


def test_weights_count_as_rows():
    light, heavy = ((10, 7), (7, 10)), 4.0
    one = tc.grow(two_leaves(*light))
    four = tc.grow(two_leaves(*light, weights=[heavy] * 34))
    numbers = [tc.prune(tree, "critical_value").reasons[0].number for tree in (one, four)]
    assert numbers[1] == pytest.approx(4 * numbers[0])
    assert (tc.prune(one, "critical_value").verdict[0], tc.prune(four, "critical_value").verdict[0]) == (CUT, KEEP)


def test_priors_and_costs_do_not_change_the_test():
    table = two_leaves((30, 10), (10, 30))
    tree = tc.grow(table, priors=(0.9, 0.1), loss=((0, 1), (20, 0)))
    assert tc.prune(tree, "critical_value").reasons[0].number == pytest.approx(20)


def test_permutations_by_hand():
    """(3 0 | 0 3): of the 20 ways to deal 3 a's, 2 are as extreme: p is about .1."""
    table = two_leaves((3, 0), (0, 3))
    tree = tc.grow(table)
    cuts = tc.prune(tree, "critical_value", train=table, test="permutation", n_permutations=9999, alpha=0.08)
    reason = cuts.reasons[0]
    assert reason.more
    assert abs(reason.number - 0.1) < 0.01
    assert (reason.threshold, cuts.verdict[0]) == (0.08, CUT)
    kept = tc.prune(tree, "critical_value", train=table, test="permutation", n_permutations=9999, alpha=0.12)
    assert kept.verdict[0] == KEEP
    assert "of 9999 permutations, the level is 0.12" in kept.reasons[0].text
    # nothing drawn is as extreme: (0 + 1) / (99 + 1)
    strong = two_leaves((40, 0), (0, 40))
    cuts = tc.prune(tc.grow(strong), "critical_value", train=strong, test="permutation", n_permutations=99)
    assert cuts.reasons[0].number == pytest.approx(0.01)


def test_permutations_are_fixed_by_the_seed_and_work_on_numbers():
    rng = np.random.default_rng(0)
    table = Sample(["numeric"], [rng.integers(0, 9, 40).tolist()], [0], rng.normal(size=40).tolist(), 0).table()
    tree = tc.grow(table, max_depth=3)
    p = [
        [r.number for r in tc.prune(tree, "critical_value", train=table, test="permutation", seed=s).reasons.values()]
        for s in (1, 1, 2)
    ]
    assert np.array_equal(p[0], p[1], equal_nan=True)
    assert not np.array_equal(p[0], p[2], equal_nan=True)
    # the statistic is the sum of squares between the branches
    t = next(iter(tc.prune(tree, "critical_value", train=table, test="permutation").reasons))
    details = dict(tc.prune(tree, "critical_value", train=table, test="permutation").reasons[t].details)
    n, wy, _ = children_statistics(tree, t).T
    assert details["statistic"] == pytest.approx((n * (wy / n - wy.sum() / n.sum()) ** 2).sum())


def test_rows_sent_down_two_branches_are_tested_by_their_parts():
    x = [0.0] * 6 + [1.0] * 6 + [None] * 4
    table = Sample(["numeric"], [x], [0], [A] * 5 + [B] + [B] * 5 + [A] + [A, B, A, B], 2).table()
    tree = tc.grow(table, missing="fractional", max_depth=1)
    reason = tc.prune(tree, "critical_value", train=table, test="permutation").reasons[0]
    assert dict(reason.details)["statistic"] == pytest.approx(chi_square(tree.stats[1:]).statistic)


def test_what_is_refused():
    table = two_leaves((30, 10), (10, 30))
    tree = tc.grow(table)
    for name, value in (("alpha", 0), ("alpha", 1.01), ("test", "t"), ("n_permutations", 1.5), ("seed", -1)):
        with pytest.raises(tc.TreecoreError) as caught:
            tc.prune(tree, "critical_value", train=table, **{name: value})
        assert caught.value.where == name
    with pytest.raises(tc.TreecoreError, match="The permutation test looks at the training rows, there are none"):
        tc.prune(tree, "critical_value", test="permutation")
    with pytest.raises(tc.TreecoreError, match="With 99 permutations no p-value is as small") as caught:
        tc.prune(tree, "critical_value", train=table, test="permutation", n_permutations=99, alpha=0.005)
    assert "199 permutations or more" in caught.value.remedy
    with pytest.raises(tc.TreecoreError, match="grown on rows of weight 80, those given weigh 10"):
        tc.prune(tree, "critical_value", train=table.take(np.arange(10)), test="permutation")


def test_a_lone_root():
    table = two_leaves((3, 1), (1, 3))
    for test in ("chi-square", "permutation"):
        assert tc.prune(tc.grow(table, max_depth=0), "critical_value", train=table, test=test).reasons == {}
