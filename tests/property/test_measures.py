"""Measures of answers: bounds, and the same numbers by scikit-learn, which the benchmarks bring along."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.judging.interest import class_of_interest
from treecore.judging.measures import short_name
from treecore.study import (
    MEASURES,
    Answers,
    answers_of,
    by_class,
    calibration,
    measures_for,
    ranking,
    ranking_of,
    score,
)

RANKED = {"auc", "average_precision", "captured"}
BOUNDS = {"mcc": (-1, 1), "kappa": (-1, 1), "log_loss": (0, 37), "brier": (0, 2), "r2": (-np.inf, 1),
          "profit": (-1, 0)}  # fmt: skip


@st.composite
def class_answers(draw, weights: bool = True, mute: bool = True) -> Answers:
    k, n = draw(st.integers(2, 4)), draw(st.integers(1, 30))
    numbers = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    counts = numbers.integers(0, 4, (n, k)) + 1e-3
    shares = counts / counts.sum(axis=1, keepdims=True)
    said = np.where(numbers.random(n) < 0.1 * mute, -1, shares.argmax(axis=1))
    weight = numbers.choice([0.5, 1, 2], n) if weights else np.ones(n)
    return Answers(tuple("abcd"[:k]), numbers.integers(0, k, n), said, weight, np.arange(n), shares)


@st.composite
def number_answers(draw) -> Answers:
    values = st.lists(st.floats(-1e6, 1e6).map(lambda v: round(v, 3)), min_size=2, max_size=20)
    truth = np.array(draw(values))
    said = truth[::-1] + draw(st.floats(-10, 10))
    return Answers((), truth, said, np.ones(len(truth)), np.arange(len(truth)))


@given(st.one_of(class_answers(), number_answers()))
def test_every_measure_is_within_its_bounds_and_minds_no_order_of_rows(answers):
    back = answers.take(np.arange(len(answers))[::-1])
    for measure in measures_for(answers.target):
        value, (low, high) = measure(answers), BOUNDS.get(measure.name, (0, 1 if answers.classes else np.inf))
        assert np.isnan(value) or low - 1e-9 <= value <= high + 1e-9, measure.name
        np.testing.assert_allclose(measure(back), value, rtol=1e-9, atol=1e-12)


@given(st.one_of(class_answers(), number_answers()))
def test_right_answers_are_the_best_there_are(answers):
    perfect = answers.truth.copy()
    sure = np.eye(len(answers.classes))[perfect] if answers.classes else None
    best = Answers(answers.classes, answers.truth, perfect, answers.weight, answers.row, sure)
    for measure in measures_for(answers.target):
        ours, most = measure(answers), measure(best)
        if not (np.isnan(ours) or np.isnan(most)):
            assert (most >= ours - 1e-9) if measure.higher else (most <= ours + 1e-9), measure.name


@given(class_answers(mute=False))
@settings(max_examples=50)
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")  # classes without rows
def test_scikit_learn_agrees_on_classes(a):
    skl = pytest.importorskip("sklearn.metrics")
    w, labels = {"sample_weight": a.weight}, range(len(a.classes))
    mean = {"average": "macro", "zero_division": 0}
    theirs = {
        "accuracy": skl.accuracy_score(a.truth, a.said, **w),
        "precision": skl.precision_score(a.truth, a.said, **mean, **w),
        "recall": skl.recall_score(a.truth, a.said, **mean, **w),
        "f1": skl.f1_score(a.truth, a.said, **mean, **w),
        "mcc": skl.matthews_corrcoef(a.truth, a.said, **w),
        "log_loss": skl.log_loss(a.truth, a.shares, labels=labels, **w),
        "cost": 1 - skl.accuracy_score(a.truth, a.said, **w),
        "profit": skl.accuracy_score(a.truth, a.said, **w) - 1,
        "brier": np.average(((a.shares - np.eye(len(labels))[a.truth]) ** 2).sum(axis=1), weights=a.weight),
    }
    theirs["balanced_accuracy"] = skl.balanced_accuracy_score(a.truth, a.said, **w)
    theirs["kappa"] = skl.cohen_kappa_score(a.truth, a.said, labels=list(labels), **w)
    met = sorted(set(a.truth.tolist()))
    if len(met) > 1:
        of = [(a.truth == c, a.shares[:, c]) for c in (met if len(labels) > 2 else [1])]
        theirs["auc"] = np.mean([skl.roc_auc_score(*pair, **w) for pair in of])
        theirs["average_precision"] = np.mean([skl.average_precision_score(*pair, **w) for pair in of])
    assert {m.name for m in measures_for(a.target)} - RANKED == set(theirs) - RANKED
    for name, value in theirs.items():
        np.testing.assert_allclose(MEASURES[name](a), value, rtol=1e-9, atol=1e-12, err_msg=name)


@given(class_answers(mute=False))
@settings(max_examples=50)
def test_scikit_learn_agrees_on_rankings(a):
    skl = pytest.importorskip("sklearn.metrics")
    of, truth = ranking_of(a, "a"), a.truth == 0
    if 0 < truth.sum() < len(a):
        curve = skl.roc_curve(truth, a.shares[:, 0], sample_weight=a.weight, drop_intermediate=False)
        for ours, theirs in zip((of.fall_out, of.recall, of.threshold), curve, strict=True):
            np.testing.assert_allclose(ours, theirs[1:], atol=1e-12)
        average = skl.average_precision_score(truth, a.shares[:, 0], sample_weight=a.weight)
        assert of.average_precision == pytest.approx(average)


@given(class_answers(weights=False))
def test_area_and_its_error_by_all_pairs(a):
    """DeLong's components, pair by pair."""
    of, is_a = ranking_of(a, "a"), a.truth == 0
    mine, others = a.shares[is_a, 0], a.shares[~is_a, 0]
    if min(len(mine), len(others)) < 2:
        assert np.isnan(of.area_error)
        return
    beats = (mine[:, None] > others) + 0.5 * (mine[:, None] == others)
    assert of.area == pytest.approx(beats.mean())
    error = np.sqrt(beats.mean(axis=1).var(ddof=1) / len(mine) + beats.mean(axis=0).var(ddof=1) / len(others))
    assert of.area_error == pytest.approx(error, abs=1e-9)
    low, high = of.interval
    assert 0 <= low <= of.area <= high <= 1


@given(class_answers(), st.integers(1, 12))
def test_bins_of_calibration_hold_every_row_once(a, n_bins):
    found = calibration(a, "b", n_bins)
    assert found.n_rows.sum() == len(a)
    assert found.weight.sum() == pytest.approx(a.weight.sum())
    assert ((found.low - 1e-9 <= found.said) & (found.said <= found.high + 1e-9)).all()
    assert found.said @ found.weight == pytest.approx(a.shares[:, 1] @ a.weight)
    assert found.true @ found.weight == pytest.approx(a.weight[a.truth == 1].sum())
    assert 0 <= found.error <= 1


def test_kappa_and_its_kin_by_hand():
    """20 and 15 right, 5 and 10 wrong: p_o = .7, p_e = .5, kappa = .4; MCC = 250 / sqrt(375 000)."""
    truth = np.repeat([0, 0, 1, 1], [20, 5, 10, 15])
    said = np.repeat([0, 1, 0, 1], [20, 5, 10, 15])
    shares = np.eye(2)[said]
    a = Answers(("yes", "no"), truth, said, np.ones(50), np.arange(50), shares)
    assert MEASURES["kappa"](a) == pytest.approx(0.4)
    assert MEASURES["mcc"](a) == pytest.approx(250 / np.sqrt(375_000))
    assert by_class(a).precision == pytest.approx([20 / 30, 15 / 20])
    assert by_class(a).recall == pytest.approx([20 / 25, 15 / 25])
    assert by_class(a).f1 == pytest.approx([40 / 55, 30 / 45])
    assert ranking_of(a, "yes").lift == pytest.approx([20 / 25 / 0.6, 1])


def test_a_curve_by_hand():
    """Of rows + - + -, by falling share: up, right, up, right; the area is 3 of the 4 pairs."""
    of = ranking(np.array([True, False, True, False]), np.array([0.9, 0.8, 0.7, 0.6]))
    assert of.recall.tolist() == [0.5, 0.5, 1, 1]
    assert of.fall_out.tolist() == [0, 0.5, 0.5, 1]
    assert (of.area, of.average_precision) == (0.75, pytest.approx((1 + 2 / 3) / 2))
    assert [of.captured(part) for part in (0.25, 0.5, 0.625, 1)] == [0.5, 0.5, 0.75, 1]


def test_the_class_of_interest_is_the_rarer_one_of_two():
    """Of 3 yes and 7 no by falling share of yes: + - + - - + - - - -; the first tenth is one row, a yes."""
    truth = np.array([0, 1, 0, 1, 1, 0, 1, 1, 1, 1])
    shares = np.column_stack([np.linspace(0.9, 0.1, 10), np.linspace(0.1, 0.9, 10)])
    a = Answers(("yes", "no"), truth, (shares[:, 0] < 0.5).astype(int), np.ones(10), np.arange(10), shares)
    a = replace(a, interest="yes")
    assert MEASURES["captured"](a) == pytest.approx(1 / 3)
    assert MEASURES["average_precision"](a) == pytest.approx((1 + 2 / 3 + 3 / 6) / 3)
    assert MEASURES["auc"](a) == pytest.approx((7 + 6 + 4) / 21)
    titanic = read_sample("titanic")
    assert class_of_interest(tc.grow(titanic, max_depth=1)) == "1"
    assert class_of_interest(tc.grow(read_sample("iris"), max_depth=1)) is None


@pytest.mark.parametrize("sample", ["titanic", "cars", "iris"])
def test_measures_say_what_the_scores_of_a_tree_say(sample):
    """One tree, two ways to its numbers."""
    table = read_sample(sample)
    tree = tc.grow(table, max_depth=3)
    a, of = answers_of(tree, table), score(tree, table)
    ours = {m.name: m(a) for m in measures_for(a.target)}
    assert len(a) == of.n_rows
    for name in ("accuracy",) if tree.classes else ("mae", "rmse", "r2"):
        assert ours[name] == pytest.approx(getattr(of, name))


def test_measures_of_another_task_say_which_there_are():
    numbers = Answers((), np.zeros(2), np.ones(2), np.ones(2), np.arange(2))
    three = Answers(tuple("abc"), np.arange(3), np.arange(3), np.ones(3), np.arange(3), np.eye(3))
    with pytest.raises(TreecoreError, match="Mean squared error"):
        MEASURES["accuracy"](numbers)
    with pytest.raises(TreecoreError, match="two classes"):
        MEASURES["captured"](three)
    with pytest.raises(TreecoreError, match="'x' is no class"):
        calibration(three, "x")
    with pytest.raises(TreecoreError, match="no class"):
        ranking_of(numbers)


def test_what_trees_are_judged_by_has_the_name_that_the_measure_has():
    claims = read_sample("claims")
    trees = [
        tc.grow(read_sample("mpg"), max_depth=2), tc.grow(claims, max_depth=2),
        tc.grow(read_sample("mpg"), max_depth=2, criterion="absolute_error"),
        tc.grow(read_sample("mpg"), max_depth=2, criterion="quantile", quantile=0.9),
        tc.grow(read_sample("mpg"), max_depth=2, criterion="huber"),
    ]  # fmt: skip
    for tree in trees:
        kind = tree.target_kind
        assert short_name(MEASURES[kind.own_measure(tree)]) == kind.mean_loss
    assert short_name(MEASURES["transformed"]) == "mean squared error from the transformed outcome"
