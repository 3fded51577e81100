"""Scores, confusion and comparison against the same numbers counted row by row. Also the trees of the other tests."""

from dataclasses import replace
from functools import cache
from math import isnan, nan

import numpy as np
import pytest

import treecore as tc
from treecore.data import Table, level_column, numeric_column
from treecore.data.samples import read_sample
from treecore.judging.confusion import confusion
from treecore.kernels.codes import SHARED
from treecore.study import compare_predictions, score

ROLES = ("train", "validation", "test")
SAMPLES = ("iris", "titanic", "mpg")


@cache
def grown(name: str, preset: str = "cart", **settings):
    """(tree, role -> table) of a sample."""
    table = read_sample(name)
    tables = dict(zip(ROLES, table.split(tc.Roles(seed=1)), strict=True))
    return tc.grow(tables["train"], preset, **settings), tables


def small_table(labels, x, weights=None, levels=("no", "yes")) -> Table:
    columns = numeric_column("x", np.array(x, float)), level_column("y", "nominal", np.array(labels, object), levels)
    return Table(columns, target="y", features=("x",), weights=weights)


def stump():
    """x < 2 says no (twice), else yes."""
    return tc.grow(small_table(["no", "no", "yes", "yes", "yes"], [0, 1, 3, 4, 5]), "cart")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", ["iris", "titanic"])
def test_error_and_baseline_are_counted_row_by_row(name, role):
    tree, tables = grown(name, max_depth=3)
    table = tables[role]
    truth = table.target_column.labels()
    found = score(tree, table)
    wrong = sum(a != b for a, b in zip(tree.predict(table), truth, strict=True))
    majority = tree.classes[int(np.argmax(tree.stats[0]))]
    assert found.error == pytest.approx(wrong / table.n_rows, abs=1e-15)
    assert found.accuracy == pytest.approx(1 - wrong / table.n_rows)
    assert found.baseline == pytest.approx(sum(label != majority for label in truth) / table.n_rows)
    assert (found.n_rows, found.weight, found.n_left_out) == (table.n_rows, table.n_rows, 0)
    assert found.mae is None
    assert found.r2 is None


def test_regression_numbers_follow_their_definitions():
    tree, tables = grown("mpg", max_depth=4)
    table = tables["test"]
    y, answer = table.target_column.values(), tree.predict(table)
    found = score(tree, table)
    assert found.accuracy is None
    assert found.error == pytest.approx(np.mean((y - answer) ** 2))
    assert found.rmse == pytest.approx(np.sqrt(np.mean((y - answer) ** 2)))
    assert found.mae == pytest.approx(np.mean(np.abs(y - answer)))
    assert found.r2 == pytest.approx(1 - np.sum((y - answer) ** 2) / np.sum((y - y.mean()) ** 2))
    assert found.baseline == pytest.approx(np.mean((y - tables["train"].target_column.values().mean()) ** 2))


def test_weights_count():
    found = score(stump(), small_table(["no", "no", "yes"], [0, 9, 9], weights=[1, 2, 5]))
    assert (found.n_rows, found.weight) == (3, 8.0)
    assert found.error == 2 / 8
    assert found.baseline == 3 / 8


def test_rows_without_a_known_class_are_left_out_and_counted():
    rows = small_table(["no", None, "maybe", "yes"], [0, 0, 0, 0], levels=("maybe", "yes", "no"))
    found = score(stump(), rows)
    assert (found.n_rows, found.n_left_out, found.error) == (2, 2, 0.5)


def test_no_rows_give_nan_not_an_error():
    for name in SAMPLES:
        tree, tables = grown(name, max_depth=2)
        found = score(tree, tables["test"].take(np.array([], int)))
        assert (found.n_rows, found.weight) == (0, 0.0)
        assert isnan(found.error)
        assert isnan(found.baseline)
    assert isnan(found.r2)
    assert isnan(score(stump(), small_table(["no"], [0], weights=[0])).error)


def test_r2_of_equal_targets_is_no_number():
    tree, tables = grown("mpg", max_depth=2)
    assert isnan(score(tree, tables["test"].take(np.array([0]))).r2)


def test_no_answer_is_wrong_and_an_answer_of_its_own():
    tree = stump()
    mute = replace(tree, answer=np.array([0, -1, 2]))
    rows = small_table(["no", "yes", "yes"], [0, 0, 9])
    assert score(mute, rows).error == 2 / 3
    assert confusion(mute, rows).counts.tolist() == [[0, 0, 1], [0, 1, 1]]


def test_shared_rows_are_judged_by_what_predict_answers():
    tree = stump()
    shared = replace(tree, splits=replace(tree.splits, missing_branch=np.where(tree.is_leaf, -1, SHARED)))
    rows = small_table(["yes", "no", "no"], [nan, nan, 0])
    assert list(shared.predict(rows)) == ["yes", "yes", "no"]
    assert score(shared, rows).error == 1 / 3


def test_another_kind_of_target_is_named():
    tree, tables = grown("mpg", max_depth=2)
    with pytest.raises(tc.TreecoreError, match=r"mpg.*predicts numbers.*nominal"):
        score(tree, tables["test"].with_kinds({"mpg": "nominal"}))


def test_confusion_is_true_by_predicted():
    tree, tables = grown("iris", max_depth=1)
    table = tables["test"]
    matrix, classes = confusion(tree, table).counts, confusion(tree, table).answers
    pairs = list(zip(table.target_column.labels(), tree.predict(table), strict=True))
    assert classes == tree.classes
    for i, true in enumerate(classes):
        for j, said in enumerate(classes):
            assert matrix[i, j] == pairs.count((true, said))
    weighted = confusion(stump(), small_table(["no", "yes"], [9, 9], weights=[3, 4])).counts
    assert weighted.tolist() == [[0, 3], [0, 4]]
    with pytest.raises(tc.TreecoreError, match="no confusion matrix"):
        confusion(grown("mpg", max_depth=2)[0], grown("mpg", max_depth=2)[1]["test"])


@pytest.mark.parametrize("name", SAMPLES)
def test_compared_rows_are_those_whose_answers_differ(name):
    (small, tables), (large, _) = grown(name, max_depth=2), grown(name)
    table = tables["test"]
    a, b = small.predict(table), large.predict(table)
    found = compare_predictions(small, large, table)
    truth = table.target_column.values() if name == "mpg" else table.target_column.labels()
    off = [np.abs(p - truth) if name == "mpg" else (p != truth).astype(float) for p in (a, b)]
    assert found.differ.tolist() == [i for i in range(len(a)) if a[i] != b[i]]
    assert found.gained.tolist() == [i for i in found.differ if off[1][i] < off[0][i]]
    assert found.lost.tolist() == [i for i in found.differ if off[0][i] < off[1][i]]
    back = compare_predictions(large, small, table)
    assert (back.gained.tolist(), back.lost.tolist()) == (found.lost.tolist(), found.gained.tolist())
    assert len(compare_predictions(large, large, table).differ) == 0


def test_an_unknown_target_is_nobodys_gain():
    tree = stump()
    mute = replace(tree, answer=np.array([0, -1, 2]))
    found = compare_predictions(mute, tree, small_table([None, "no", "yes"], [0, 0, 0]))
    assert (found.differ.tolist(), found.gained.tolist(), found.lost.tolist()) == ([0, 1, 2], [1], [])
    back = compare_predictions(tree, mute, small_table([None, "no", "yes"], [0, 0, 0]))
    assert (back.gained.tolist(), back.lost.tolist()) == ([], [1])


def test_trees_for_different_targets_are_not_compared():
    with pytest.raises(tc.TreecoreError, match="'class' and 'survived'"):
        compare_predictions(grown("iris")[0], grown("titanic")[0], grown("iris")[1]["test"])
