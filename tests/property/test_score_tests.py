"""Tests of scores: what always holds, and the same numbers by scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from treecore.errors import TreecoreError
from treecore.study import (
    correlated_t,
    five_by_two,
    friedman,
    mcnemar_of,
    paired_t,
    resampled_t,
    summary,
    wilcoxon,
)

COUNTS = st.integers(0, 40)


@st.composite
def two_scores(draw, least: int = 2, most: int = 12):
    """Right answers of two recipes out of 40 in every fold, as shares: ties and equal scores are common."""
    n = draw(st.integers(least, most))
    return [np.array(draw(st.lists(COUNTS, min_size=n, max_size=n))) / 40 for _ in range(2)]


def same(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@given(two_scores())
@settings(max_examples=40)
def test_paired_t_is_scipys(scores):
    a, b = scores
    found = paired_t(a, b)
    if np.ptp(np.round(b - a, 9)) == 0:
        assert found.sd == 0
        assert not found.rejects
        assert np.isnan(found.p) if found.mean == 0 else found.p == 0
        return
    theirs = stats.ttest_rel(b, a)
    same([found.t, found.p, found.df], [theirs.statistic, theirs.pvalue, theirs.df])
    same([found.low, found.high], theirs.confidence_interval(0.95))


@given(two_scores(), st.floats(0.01, 1))
@settings(max_examples=40)
def test_no_test_minds_which_recipe_comes_first(scores, overlap):
    a, b = scores
    for one, other in ((paired_t(a, b), paired_t(b, a)), (resampled_t(a, b, overlap), resampled_t(b, a, overlap))):
        same([one.mean, one.t, one.p, one.low, one.high], [-other.mean, -other.t, other.p, -other.high, -other.low])
    one, other = wilcoxon(a, b), wilcoxon(b, a)
    same([one.plus, one.minus, one.p], [other.minus, other.plus, other.p])
    one, other = correlated_t(a, b, overlap), correlated_t(b, a, overlap)
    same([one.worse, one.same, one.better], [other.better, other.same, other.worse])


@given(two_scores(), st.floats(0.01, 1))
@settings(max_examples=40)
def test_the_corrected_test_is_the_more_careful(scores, overlap):
    plain, corrected = paired_t(*scores), resampled_t(*scores, overlap)
    if plain.sd > 0:
        assert corrected.p >= plain.p
        assert corrected.low <= plain.low <= plain.high <= corrected.high
    assert corrected.df == plain.df


@given(two_scores(), st.floats(0.01, 1), st.floats(0, 0.2))
@settings(max_examples=40)
def test_beliefs_add_up(scores, overlap, matters):
    found = correlated_t(*scores, overlap, matters)
    parts = [found.worse, found.same, found.better]
    assert min(parts) >= 0
    assert sum(parts) == pytest.approx(1)
    if matters == 0 and found.scale > 0:  # half of the p of the corrected test lies on the other side of 0
        assert min(found.worse, found.better) == pytest.approx(resampled_t(*scores, overlap).p / 2, abs=1e-12)


@given(two_scores())
@settings(max_examples=40)
def test_signed_ranks_are_scipys(scores):
    a, b = (np.round(40 * s) for s in scores)  # whole numbers: scipy's ties are those of the last bit
    found, n = wilcoxon(a, b), int((a != b).sum())
    assert found.plus + found.minus == n * (n + 1) / 2
    assert 0 <= found.p <= 1
    if not n:
        assert (found.p, np.isnan(found.p_normal)) == (1, True)
        return
    theirs = stats.wilcoxon(a, b, correction=False, method="asymptotic")
    same([found.statistic, found.p_normal], [theirs.statistic, theirs.pvalue])
    sizes = np.abs(b - a)[a != b]
    if len(set(sizes)) == n:
        same(found.p, stats.wilcoxon(a, b, method="exact").pvalue)
    every = [(np.array(s) * found.ranks[a != b]).sum() for s in np.ndindex(*[2] * min(n, 10))] if n <= 10 else []
    if every:
        same(found.p, min(1, 2 * np.mean([s <= found.statistic for s in every])))


@given(st.lists(st.lists(COUNTS, min_size=4, max_size=4), min_size=2, max_size=12))
@settings(max_examples=40)
def test_friedman_is_scipys(rows):
    scores = np.array(rows, float)
    found = friedman(scores)
    same(found.ranks, stats.rankdata(-scores, axis=1))
    assert found.ranks.sum(axis=1).tolist() == [10.0] * len(rows)
    tied = (found.ranks == 2.5).all()
    assert np.isnan(found.chi_square) == tied
    if not tied:
        theirs = stats.friedmanchisquare(*scores.T)
        same([found.chi_square, found.p], [theirs.statistic, theirs.pvalue])
        assert found.chi_square_plain <= found.chi_square + 1e-9
    for group in found.groups:
        assert np.ptp(found.mean[list(group)]) < found.critical


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
@settings(max_examples=40)
def test_mcnemar_counts_every_row_once(rows):
    first, second = np.array(rows, bool).reshape(-1, 2).T
    found = mcnemar_of(first, second)
    assert found.both + found.first_only + found.second_only + found.neither == len(rows)
    n = found.first_only + found.second_only
    assert found.p == pytest.approx(stats.binomtest(found.first_only, n).pvalue if n else 1)


@given(two_scores(least=10, most=10))
@settings(max_examples=40)
def test_five_by_two_by_its_formulas(scores):
    a, b = (s.reshape(5, 2) for s in scores)
    found, d = five_by_two(a, b), np.round(b - a, 12)
    same(found.variances, d.var(axis=1, ddof=1))
    if found.variances.sum():
        same(found.t, d[0, 0] / np.sqrt(found.variances.mean()))
        same(found.f, (d**2).mean() / found.variances.mean())
        assert 0 <= found.p <= 1


def test_ranks_come_out_of_float_noise():
    """0.9 - 0.8 and 0.8 - 0.7 are the same difference, and 0.1 + 0.2 is 0.3."""
    assert wilcoxon(np.array([0.8, 0.7, 0.0]), np.array([0.9, 0.8, 0.5])).ranks.tolist() == [1.5, 1.5, 3]
    assert paired_t(np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.5])).sd == 0
    assert summary(np.array([0.1] * 10)).sd == 0


def test_scores_that_cannot_be_tested_say_why():
    one = np.array([0.5])
    for wrong, what in (
        (lambda: paired_t(one, one), "One fold leaves no spread"),
        (lambda: paired_t(np.array([0.5, 1]), one), "2 scores cannot be paired with 1"),
        (lambda: paired_t(np.array([0.5, np.nan]), np.array([0, 1])), "fold 2 is not a number"),
        (lambda: resampled_t(np.zeros(2), np.ones(2), 0), "no ratio of test rows"),
        (lambda: correlated_t(np.zeros(2), np.ones(2), 0.1, -1), "no least difference"),
        (lambda: friedman(np.zeros((5, 2))), "3 recipes or more"),
        (lambda: five_by_two(np.zeros(10), np.zeros(10)), "5 repetitions of 2 folds"),
        (lambda: summary(np.array([])), "There are no scores"),
    ):
        with pytest.raises(TreecoreError, match=what):
            wrong()
