"""Scores, selectors, criteria, costs and kinds of split against the slow twin, node for node."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample
from tests.property.naive_scores import IMPURITIES, minus_log10_p
from tests.property.naive_walk import check_tree, has_its_classes
from tests.property.test_core_twins import samples
from tests.property.twin_settings import PRIORS, losses, many_rows, twin_growths
from treecore.criteria import CRITERIA
from treecore.growing.settings.parts import COST_FORMS, NOMINAL_SPLITS, SPLIT_SCORES

EXAMPLES = settings(max_examples=10)
CLASSES = st.sampled_from([2, 3])

OF_CLASSES = [s.name for s in SPLIT_SCORES.values() if "classification" in s.tasks]


def check(sample, growth):
    assume(has_its_classes(sample, growth))
    check_tree(sample, growth, tc.grow(sample.table(), growth))


@pytest.mark.parametrize(
    ("score", "nominal"),
    [(s, n) for s in OF_CLASSES for n in NOMINAL_SPLITS if not (SPLIT_SCORES[s].binary and n == "multiway")],
)
@given(st.data())
@EXAMPLES
def test_every_score_with_every_kind_of_split(score, nominal, data):
    sample = data.draw(samples(n_classes=data.draw(CLASSES)))
    check(sample, data.draw(twin_growths(sample, score=score, nominal=nominal, missing="majority")))


@pytest.mark.parametrize("criterion", list(IMPURITIES))
@given(st.data())
@EXAMPLES
def test_every_criterion(criterion, data):
    k = 2 if CRITERIA[criterion].max_classes == 2 else data.draw(CLASSES)
    sample = data.draw(samples(n_classes=k))
    loss = data.draw(losses(k)) if CRITERIA[criterion].needs_loss else None
    check(sample, data.draw(twin_growths(sample, criterion=criterion, loss=loss, score="decrease")))


@pytest.mark.parametrize("score", [s.name for s in SPLIT_SCORES.values() if "regression" in s.tasks])
@given(st.data())
@EXAMPLES
def test_every_score_of_numbers(score, data):
    sample = data.draw(samples(n_classes=0))
    check(sample, data.draw(twin_growths(sample, score=score)))


@pytest.mark.parametrize("form", list(COST_FORMS))
@given(st.data())
@EXAMPLES
def test_dear_features_count_less(form, data):
    sample = data.draw(samples(kinds=("numeric", "nominal")))
    power = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    costs = tuple((f"x{f}", data.draw(st.sampled_from([0.25, 1.0, 3.0]))) for f in range(len(sample.kinds)))
    check(sample, data.draw(twin_growths(sample, costs=costs, cost_form=form, cost_power=power)))


@given(st.data())
@settings(max_examples=40)
def test_priors_and_costs_of_errors_alter_weights(data):
    k = data.draw(CLASSES)
    sample = data.draw(samples(n_classes=k))
    weighty = {y for i, y in enumerate(sample.target) if sample.weight(i) > 0}
    assume(len(weighty) == k)
    priors = data.draw(st.none() | st.sampled_from(PRIORS[k]))
    criterion = data.draw(st.sampled_from(["gini", "entropy", "misclassification"]))
    loss = data.draw(st.none() | losses(k))
    check(sample, data.draw(twin_growths(sample, criterion=criterion, priors=priors, loss=loss)))


@pytest.mark.parametrize("score", OF_CLASSES)
def test_trees_of_many_nodes(score):
    """Hypothesis prefers small trees; these have many features that compete, many rows and few limits."""
    rng = np.random.default_rng(11)
    for i in range(18):
        sample = many_rows(rng, n_classes=2 + i % 2, missing=0.1 * (i % 3))
        selector, missing = ("best", "average_gain", "j48")[i % 3], ("majority", "fractional", "own_value")[i // 3 % 3]
        check(sample, tc.GrowSettings(criterion="entropy", score=score, selector=selector, missing=missing))


def test_the_twin_knows_every_score_criterion_and_form():
    """A new entry of a registry needs its formula here."""
    assert set(OF_CLASSES) == {"decrease", "gain_ratio", "mdl_gain_ratio", "twoing", "chi_square", "g_test"}
    assert {c.name for c in CRITERIA.values() if c.task == "classification"} == set(IMPURITIES)
    assert list(COST_FORMS) == ["divide", "square", "power"]


# what was wrong once


def test_twoing_counts_the_known_rows_only_in_part():
    """x0 parts its two known rows, x1 all ten but one; of two classes twoing is the drop of the variance."""
    x0 = [0, 1] + [None] * 8
    x1 = [0, 1, 0, 1, 0, 1, 0, 1, 0, 0]
    y = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
    table = Sample(["numeric", "numeric"], [x0, x1], [0, 0], y, 2).table()
    twoing, variance = tc.grow(table, score="twoing"), tc.grow(table, criterion="two_class_variance")
    assert twoing.splits.feature[0] == variance.splits.feature[0] == 1
    assert twoing.score[0] == pytest.approx(variance.gain[0], rel=1e-12)


@pytest.mark.parametrize("score", ["chi_square", "g_test"])
@pytest.mark.parametrize("n_levels", [2, 5, 31])
def test_the_score_of_a_table_is_its_p_value(score, n_levels):
    """Against scipy, from branches that differ by chance to ones that cannot."""
    from scipy.stats import chi2_contingency

    rng = np.random.default_rng(n_levels)
    for lean in (0.0, 0.1, 0.3):
        cells = rng.binomial(50, 0.5 + lean * (-1.0) ** np.arange(n_levels))
        x = [v for v in range(n_levels) for _ in range(50)]
        y = [int(i < n) for n in cells for i in range(50)]
        table = Sample(["nominal"], [x], [n_levels], y, 2).table()
        tree = tc.grow(table, score=score, nominal="multiway", zero_gain="split", max_depth=1)
        counts = np.stack([cells, 50 - cells])
        kind = "pearson" if score == "chi_square" else "log-likelihood"
        found = chi2_contingency(counts, correction=False, lambda_=kind)
        expected = minus_log10_p(found.statistic, n_levels - 1)
        assert tree.score[0] == pytest.approx(expected, rel=1e-9)
        assert 10 ** -tree.score[0] == pytest.approx(found.pvalue, rel=1e-9)


def test_independence_up_to_rounding_is_no_split():
    """Shares of three classes that no float holds exactly: G computes as 1e-16, and p as 1e-8 below 1."""
    rng = np.random.default_rng(3)
    for _ in range(60):
        classes, scale = rng.integers(1, 7, 3), rng.integers(1, 9, 4)
        y = [k for s in scale for k in range(3) for _ in range(classes[k] * s)]
        x = [v for v, s in enumerate(scale) for _ in range(int(classes.sum()) * s)]
        table = Sample(["numeric"], [x], [0], y, 3).table()
        for score in ("chi_square", "g_test", "twoing", "gain_ratio"):
            assert tc.grow(table, score=score).n_nodes == 1
            tree = tc.grow(table, score=score, zero_gain="split", max_depth=1)
            assert math.isclose(tree.score[0], 0, abs_tol=1e-12)
            assert tree.splits.threshold[0] == 0.5
