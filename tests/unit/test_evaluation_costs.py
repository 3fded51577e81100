"""Costs and priors in scores and along the size curve, recounted row by row."""

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import ROLES, grown, small_table
from treecore import plots
from treecore.judging.losses import measure_of
from treecore.study import confusion, score, size_curve
from treecore.study.metrics import class_shares

LOSS = ((0.0, 1.0), (4.0, 0.0))
PRIORS = (0.3, 0.7)
FITS = [{"loss": LOSS}, {"priors": PRIORS}, {"loss": LOSS, "priors": PRIORS}]


def costs_of(tree, table, train, loss=((0, 1), (1, 0)), priors=None) -> float:
    """The mean of what every row's answer costs, times prior over training share of its class."""
    shares = np.bincount(train.target_column.codes, minlength=2) / train.n_rows
    factor = np.ones(2) if priors is None else np.array(priors) / shares
    total = 0.0
    for truth, answer in zip(table.target_column.labels(), tree.predict(table), strict=True):
        i, j = tree.classes.index(truth), tree.classes.index(answer)
        total += loss[i][j] * factor[i]
    return total / table.n_rows


@pytest.mark.parametrize("settings", FITS, ids=["loss", "priors", "both"])
def test_the_score_and_every_step_of_the_curve_count_the_same_costs(settings):
    tree, tables = grown("titanic", max_depth=4, **settings)
    sequence = tc.sequence(tree)
    curve = size_curve(sequence, tables)
    assert len(curve) > 3
    for role in ROLES:
        found = score(tree, tables[role])
        assert found.cost == pytest.approx(costs_of(tree, tables[role], tables["train"], **settings))
        assert found.cost_baseline == pytest.approx(curve.baseline[role])
        for k in range(len(curve)):
            subtree = tree.cut(sequence.cuts(k))
            found = score(subtree, tables[role])
            assert curve.error[role][k] == pytest.approx(found.cost, abs=1e-12)
            assert curve.accuracy[role][k] == pytest.approx(found.accuracy, abs=1e-12)
            assert curve.accuracy[role][k] == pytest.approx(
                np.mean(subtree.predict(tables[role]) == tables[role].target_column.labels())
            )


def test_with_costs_the_score_is_the_confusions_mean_cost():
    tree, tables = grown("titanic", max_depth=4, loss=LOSS)
    for role in ROLES:
        assert score(tree, tables[role]).cost == pytest.approx(confusion(tree, tables[role]).mean_cost)


def test_profits_are_told_as_such_by_scores_and_curves():
    """What the curve holds is a loss; what it shows, and what the score has, is the profit."""
    profit = ((1.0, -5.0), (-2.0, 9.0))
    tree, tables = grown("titanic", max_depth=4, profit=profit)
    curve = size_curve(tc.sequence(tree), tables)
    for role in ROLES:
        found = score(tree, tables[role])
        assert (found.measure, found.higher) == ("mean profit", True)
        assert found.cost == pytest.approx(costs_of(tree, tables[role], tables["train"], loss=profit))
        assert found.cost == pytest.approx(curve.shown[role][0]) == pytest.approx(-curve.error[role][0])
        assert found.beats_root == (found.cost > found.cost_baseline)
    figure = plots.size_curve(curve)
    assert figure.layout.yaxis.title.text == "mean profit"


def test_without_costs_and_priors_the_error_is_all_there_is():
    tree, tables = grown("titanic")
    found, curve = score(tree, tables["test"]), size_curve(tc.sequence(tree), tables)
    assert (found.measure, found.cost, found.cost_baseline) == ("error rate", None, None)
    assert curve.measure == "error rate"
    assert curve.accuracy["test"] == pytest.approx(1 - curve.error["test"])
    number, tables = grown("mpg")
    assert measure_of(number) == "mean squared error"
    assert size_curve(tc.sequence(number), tables).accuracy == {}


@pytest.mark.parametrize(
    ("settings", "name"),
    list(zip(FITS, ("mean cost", "error rate by the priors", "mean cost by the priors"), strict=True)),
)
def test_the_axis_says_what_is_counted(settings, name):
    tree, tables = grown("titanic", max_depth=4, **settings)
    curve = size_curve(tc.sequence(tree), tables)
    figure = plots.size_curve(curve, chosen=0)
    assert curve.measure == score(tree, tables["test"]).measure == figure.layout.yaxis.title.text == name
    assert figure.layout.yaxis.tickformat is None, "a cost is no share"
    line = next(t for t in figure.data if t.name == "test")
    assert line.y == pytest.approx(curve.error["test"][::-1])
    assert "%{y:.4g}" in line.hovertemplate
    accuracy = plots.size_curve(curve, measure="accuracy")
    line = next(t for t in accuracy.data if t.name == "test")
    assert line.y == pytest.approx(curve.accuracy["test"][::-1])
    assert accuracy.layout.yaxis.tickformat == ".1~%"
    dotted = [t for t in accuracy.data if t.line.dash == "dot"]
    assert [t.y[0] for t in dotted] == [curve.accuracy[role][-1] for role in ROLES]
    assert any(t.name == "the root's class" for t in accuracy.data)


def test_no_answer_costs_as_much_as_the_dearest_error():
    from dataclasses import replace

    tree = tc.grow(small_table(["no", "no", "yes", "yes", "yes"], [0, 1, 3, 4, 5]), loss=LOSS)
    mute = replace(tree, answer=np.array([0, -1, 2]))  # values below 2 have no answer
    rows = small_table(["no", "yes", "yes", "no"], [0, 0, 5, 5], weights=[1, 2, 4, 8])
    # no row: 1 · 1 (no answer), 2 · 4 (no answer), 4 · 0, 8 · 1
    assert score(mute, rows).cost == pytest.approx((1 + 8 + 0 + 8) / 15)


def test_class_shares_are_of_the_weight():
    table = small_table(["no", "yes", "yes", None], [0, 1, 2, 3], weights=[1, 2, 3, 9])
    assert class_shares(table).tolist() == pytest.approx([1 / 6, 5 / 6])
    assert np.isnan(class_shares(table.take(np.array([], int)))).all()
