"""Confusion in counts, shares and costs, worked out by hand."""

from dataclasses import replace
from math import isnan, nan

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import ROLES, grown, small_table, stump
from treecore.judging.confusion import confusion
from treecore.study import Confusion, score

LOSS = np.array([[0.0, 3.0], [7.0, 0.0]])


def weighed():
    """Five rows of weight 10: no called no 1 and yes 2, yes called no 0.5 and yes 5 + 1.5."""
    return small_table(["no", "no", "yes", "yes", "yes"], [0, 9, 9, 0, 9], weights=[1, 2, 5, 0.5, 1.5])


def test_counts_and_shares():
    found = confusion(stump(), weighed())
    assert found.classes == found.answers == ("no", "yes")
    assert found.counts.tolist() == [[1, 2], [0.5, 6.5]]
    assert (found.n_rows, found.n_left_out, found.weight) == (5, 0, 10.0)
    assert found.shares == pytest.approx(np.array([[0.1, 0.2], [0.05, 0.65]]))
    assert found.by_true == pytest.approx(np.array([[1 / 3, 2 / 3], [1 / 14, 13 / 14]]))
    assert found.by_predicted == pytest.approx(np.array([[2 / 3, 4 / 17], [1 / 3, 13 / 17]]))
    assert found.error_rate == 0.25


def test_every_error_costs_1_unless_the_tree_has_costs():
    found = confusion(stump(), weighed())
    assert found.cost.tolist() == [[0, 2], [0.5, 0]]
    assert (found.total_cost, found.mean_cost, found.expected_cost) == (2.5, 0.25, None)
    costly = confusion(replace(stump(), loss=LOSS), weighed())
    assert costly.counts.tolist() == found.counts.tolist(), "the leaves are pure: no cost moves their label"
    assert costly.cost.tolist() == [[0, 6], [3.5, 0]]
    assert (costly.total_cost, costly.mean_cost, costly.error_rate) == (9.5, 0.95, 0.25)


def test_priors_give_the_cost_that_is_to_be_expected():
    priors = np.array([0.8, 0.2])
    found = confusion(replace(stump(), priors=priors), weighed())
    assert found.expected_cost == pytest.approx(0.8 * 2 / 3 + 0.2 / 14)
    costly = confusion(replace(stump(), priors=priors, loss=LOSS), weighed())
    assert costly.expected_cost == pytest.approx(0.8 * 3 * 2 / 3 + 0.2 * 7 / 14)
    # the same, row by row: weights times prior / share of the class, here shares .3 and .7
    factor = (priors / [0.3, 0.7])[:, None]
    assert costly.expected_cost == pytest.approx((costly.counts * factor * LOSS).sum() / (costly.counts * factor).sum())
    assert costly.mean_cost == 0.95, "the rows as they are"


def test_a_class_without_rows_leaves_its_part_of_the_expected_cost_unknown():
    rows = small_table(["no", "no"], [0, 9])
    found = confusion(replace(stump(), priors=np.array([0.8, 0.2])), rows)
    assert isnan(found.expected_cost)
    assert replace(found, priors=np.array([1.0, 0.0])).expected_cost == 0.5


def test_the_cells_of_two_classes_have_names():
    found = confusion(stump(), weighed())
    yes = found.named("yes")
    assert {short: cell.weight for short, cell in yes.items()} == {"TP": 6.5, "FN": 0.5, "FP": 2, "TN": 1}
    assert (yes["FN"].name, yes["FN"].truth, yes["FN"].answer) == ("false negative", "yes", "no")
    assert (yes["FP"].name, yes["FP"].truth, yes["FP"].answer) == ("false positive", "no", "yes")
    no = found.named("no")
    assert {short: cell.weight for short, cell in no.items()} == {"TP": 1, "FN": 2, "FP": 0.5, "TN": 6.5}
    assert all(cell.short == short for short, cell in no.items())
    with pytest.raises(tc.TreecoreError, match=r"'maybe' is not one of two classes.*no, yes"):
        found.named("maybe")
    tree, tables = grown("iris", max_depth=2)
    with pytest.raises(tc.TreecoreError, match="not one of two classes"):
        confusion(tree, tables["test"]).named(tree.classes[0])


def test_no_answer_is_a_column_and_an_error_of_the_dearest_kind():
    mute = replace(stump(), answer=np.array([0, -1, 2]))
    rows = small_table(["no", "yes", "yes", None], [0, 0, 9, 0], weights=[1, 2, 4, 8])
    found = confusion(mute, rows)
    assert found.answers == ("no", "yes", "no answer")
    assert found.counts.tolist() == [[0, 0, 1], [0, 4, 2]]
    assert found.error_rate == pytest.approx(score(mute, rows).error)
    assert found.by_true.tolist() == [[0, 0, 1], [0, 2 / 3, 1 / 3]]
    assert found.by_predicted[:, 0].tolist() == pytest.approx([nan, nan], nan_ok=True)
    assert found.total_cost == 3
    assert confusion(replace(mute, loss=LOSS), rows).cost.tolist() == [[0, 0, 3], [0, 0, 14]]
    assert {short: cell.weight for short, cell in found.named("yes").items()} == {"TP": 4, "FN": 0, "FP": 0, "TN": 0}
    assert confusion(mute, small_table(["no", "yes"], [9, 9])).answers == ("no", "yes")


def test_rows_without_a_known_class_are_left_out_and_counted():
    rows = small_table(["no", None, "maybe", "yes"], [0, 0, 0, 0], levels=("maybe", "yes", "no"))
    found = confusion(stump(), rows)
    assert (found.n_rows, found.n_left_out) == (2, 2)
    assert found.counts.tolist() == [[1, 0], [1, 0]]


def test_no_rows_have_no_shares():
    found = confusion(replace(stump(), priors=np.array([0.5, 0.5])), weighed().take(np.array([], int)))
    assert (found.n_rows, found.n_left_out, found.weight, found.total_cost) == (0, 0, 0.0, 0.0)
    for shares in (found.shares, found.by_true, found.by_predicted):
        assert shares.shape == (2, 2)
        assert np.isnan(shares).all()
    assert all(isnan(v) for v in (found.error_rate, found.mean_cost, found.expected_cost))
    assert found.named("yes")["TP"].weight == 0


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", ["iris", "titanic"])
def test_counts_are_those_of_rows_one_by_one(name, role):
    tree, tables = grown(name, max_depth=3)
    table = tables[role]
    found = confusion(tree, table)
    pairs = list(zip(table.target_column.labels(), tree.predict(table), strict=True))
    counted = [[pairs.count((true, said)) for said in tree.classes] for true in tree.classes]
    assert found.counts.tolist() == counted
    assert found.error_rate == pytest.approx(score(tree, table).error)


def test_three_classes_with_costs_of_their_own():
    loss = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [5.0, 1.0, 0.0]])
    counts = np.array([[6.0, 2.0, 0.0, 1.0], [1.0, 3.0, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0]])
    found = Confusion(tuple("abc"), ("a", "b", "c", "no answer"), counts, 15, 0, loss, np.array([0.5, 0.5, 0.0]))
    assert found.unit_cost.tolist() == [[0, 1, 4, 4], [2, 0, 1, 2], [5, 1, 0, 5]]
    assert found.cost.tolist() == [[0, 2, 0, 4], [2, 0, 0, 4], [0, 0, 0, 0]]
    assert (found.total_cost, found.mean_cost, found.error_rate) == (12, 0.8, 0.4)
    assert found.expected_cost == pytest.approx(0.5 * 6 / 9 + 0.5 * 6 / 6)
    assert np.isnan(found.by_true[2]).all()


def test_a_tree_of_numbers_has_none():
    tree, tables = grown("mpg", max_depth=2)
    with pytest.raises(tc.TreecoreError, match="no confusion matrix"):
        confusion(tree, tables["test"])
