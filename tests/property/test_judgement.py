"""Sizes judged by every measure: the figures of each subtree for itself, by ours and by scikit-learn's."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_pruning import check_sequence, other_rows
from tests.property.test_core_twins import growths, samples
from treecore.data.samples import read_sample
from treecore.judging.answers import answers_of
from treecore.judging.losses import OF_CLASSES, leaf_errors, row_losses, smoothed_shares
from treecore.judging.measures import MEASURES
from treecore.judging.ranking import ranking_of
from treecore.pruning.judgement import MEASURED, OF_ORDER, judgement, smallest_within
from treecore.pruning.sequence import RISKS, sequence

LIMITS = {"max_depth": 3, "min_gain": 0.0, "min_weighted_gain": 0.0}
OF_ANSWERS = {"error": "cost", "log_loss": "log_loss", "brier": "brier", "auc": "auc", "captured": "captured",
              "average_precision": "average_precision"}  # fmt: skip


def some_tree(data, **fixed):
    """(sample, tree) of classes whose rows go down whole, in whatever way."""
    sample = data.draw(samples(n_classes=data.draw(st.sampled_from([2, 3])), missing=False))
    tree = tc.grow(sample.table(), data.draw(growths(sample, **LIMITS)), **fixed)
    assume(1 <= (~tree.is_leaf).sum() <= 7)
    return sample, tree


@pytest.mark.parametrize("measure", sorted(OF_ANSWERS))
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_a_subtree_is_judged_as_it_is_for_itself(measure, data):
    """Log losses of a pruned tree are those of its leaves within the grown one: one root, one m-estimate."""
    sample, tree = some_tree(data)
    rows = other_rows(data, sample)
    assume(rows.case_weights.sum() > 0 and tree.n_rows[0] > 0)
    assume(measure != "captured" or len(tree.classes) == 2)
    assume(measure not in OF_ORDER or len(set(answers_of(tree, rows).truth.tolist())) > 1)
    steps = tc.sequence(tree)
    found = judgement(steps, rows, measure)
    for k in range(len(steps)):
        answers = answers_of(tree.cut(steps.cuts(k)), rows)
        assume((answers.weight > 0).any())
        np.testing.assert_allclose(found.mean[k], MEASURES[OF_ANSWERS[measure]](answers), rtol=1e-9, atol=1e-12)
        if measure == "auc" and len(tree.classes) == 2:
            np.testing.assert_allclose(found.error[k], ranking_of(answers).area_error, rtol=1e-9, atol=1e-12)
    best = found.best()
    assert found.mean[best] == pytest.approx(np.nanmax(found.mean) if found.higher else np.nanmin(found.mean))


@pytest.mark.parametrize("risk", [name for name, _ in RISKS if name != "impurity"])
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_every_additive_measure_has_its_nested_sequence(risk, data):
    _, tree = some_tree(data)
    check_sequence(tree, leaf_errors(tree, tree.stats, risk) / tree.weight[0], sequence(tree, risk))


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_smoothed_shares_are_never_nothing_and_add_up(data):
    share = data.draw(st.sampled_from([0.01, 0.5, 0.9]))
    sample = data.draw(samples(n_classes=2, missing=False))
    assume(sample.weights is None or all(sample.weights))
    growth = data.draw(growths(sample, criterion="gini", **LIMITS))
    tree = tc.grow(sample.table(), growth, priors=data.draw(st.sampled_from([None, (share, 1 - share)])))
    shares = smoothed_shares(tree)
    assert (shares > 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    weighted, m = tree.stats * tree.prior_factor, 2 * tree.weight[0] / tree.n_rows[0]
    root = (weighted[0] + m / 2) / (weighted[0].sum() + m)
    for t in range(tree.n_nodes):
        n = weighted[max(tree.answer[t], 0)] * (tree.answer[t] >= 0)
        np.testing.assert_allclose(shares[t], (n + m * root) / (n.sum() + m))


def test_the_m_estimate_by_hand():
    """willwait: 6 of 12 wait, so two rows of halves are added: Patrons = none has 0 of 2, (0 + 1) / (2 + 2) = 1/4."""
    table = read_sample("willwait")
    tree = tc.grow(table, "id3")
    none = next(t for t in range(1, tree.n_nodes) if tree.parent[t] == 0 and tree.stats[t].tolist() in ([2, 0], [0, 2]))
    assert sorted(smoothed_shares(tree)[none]) == pytest.approx([1 / 4, 3 / 4])
    assert row_losses(tree, "log_loss")[none].max() == pytest.approx(np.log(4))
    assert row_losses(tree, "brier")[none].tolist() == [0, 2] or row_losses(tree, "brier")[none].tolist() == [2, 0]


def test_scikit_learn_has_the_same_losses_along_the_sequence():
    skl = pytest.importorskip("sklearn.metrics")
    train, validation, _ = read_sample("titanic").split(tc.Roles(0.6, 0.2, 0.2, seed=1))
    tree = tc.grow(train, "cart", min_rows_leaf=7)
    steps = tc.sequence(tree, risk="impurity")
    of = {
        measure: judgement(steps, validation, measure) for measure in ("log_loss", "brier", "auc", "average_precision")
    }
    for k in (0, len(steps) // 2, len(steps) - 1):
        answers = answers_of(tree.cut(steps.cuts(k)), validation)
        shares, truth = answers.shares[:, 1], answers.truth
        theirs = {
            "log_loss": skl.log_loss(truth, answers.smoothed), "brier": 2 * skl.brier_score_loss(truth, shares),
            "auc": skl.roc_auc_score(truth, shares), "average_precision": skl.average_precision_score(truth, shares),
        }  # fmt: skip
        for measure, value in theirs.items():
            assert of[measure].mean[k] == pytest.approx(value), measure


def test_absolute_errors_choose_a_size_too():
    train, validation, _ = read_sample("mpg").split(tc.Roles(0.6, 0.2, 0.2, seed=1))
    tree = tc.grow(train, "cart", min_rows_leaf=5)
    steps = tc.sequence(tree)
    found = judgement(steps, validation, "mae")
    for k in (0, len(steps) - 1):
        answers = answers_of(tree.cut(steps.cuts(k)), validation)
        assert found.mean[k] == pytest.approx(MEASURES["mae"](answers))
    cuts = tc.prune(tree, "cost_complexity", validation=validation, measure="mae")
    assert tree.cut(cuts).n_leaves == steps.n_leaves[found.best()]


@pytest.mark.parametrize("choose", ["validation", "cross-validation"])
@pytest.mark.parametrize("measure", [name for name, _ in MEASURED if name != "mae"])
def test_cost_complexity_chooses_by_any_measure(measure, choose):
    train, validation, _ = read_sample("titanic").split(tc.Roles(0.6, 0.2, 0.2, seed=1))
    tree = tc.grow(train, "cart", min_rows_leaf=7)
    cuts = tc.prune(
        tree, "cost_complexity", train=train, validation=validation, risk="impurity", measure=measure, choose=choose,
        folds=4,
    )  # fmt: skip
    if choose == "validation":
        steps = tc.sequence(tree, risk="impurity")
        assert tree.cut(cuts).n_leaves == steps.n_leaves[judgement(steps, validation, measure).best()]
    assert 1 < tree.cut(cuts).n_leaves <= tree.n_leaves
    reason = cuts.reasons[0].text
    assert ("cross-validation" in reason) == (choose == "cross-validation")


def test_folds_average_what_ranks_rows():
    from treecore.cross_validation import cross_validated, make_folds

    train = read_sample("titanic")
    tree = tc.grow(train, "cart", min_rows_leaf=7)
    steps = tc.sequence(tree, risk="impurity")
    found = cross_validated(tree, train, steps, make_folds(train, 5), measure="auc")
    np.testing.assert_allclose(found.mean, found.per_fold.mean(axis=0))
    np.testing.assert_allclose(found.error, found.per_fold.std(axis=0, ddof=1) / np.sqrt(5))
    assert found.mean[-1] == 0.5
    assert found.best() == smallest_within(-found.mean, found.error) < len(steps) - 1


def test_a_measure_without_meaning_says_which_there_are():
    train, validation, _ = read_sample("iris").split(tc.Roles(0.6, 0.2, 0.2))
    tree = tc.grow(train, "cart")
    with pytest.raises(tc.TreecoreError, match=r"captured.*of 3 classes.*log_loss"):
        tc.prune(tree, "cost_complexity", validation=validation, measure="captured")
    with pytest.raises(tc.TreecoreError, match=r"absolute error.*no meaning for a target of 3 classes"):
        tc.prune(tree, "cost_complexity", validation=validation, measure="mae")
    cars = read_sample("mpg")
    with pytest.raises(tc.TreecoreError, match=r"log_loss.*numbers"):
        tc.prune(tc.grow(cars, "cart"), "cost_complexity", validation=cars, risk="log_loss")
    assert set(OF_CLASSES) >= {"error", "log_loss", "brier"}
