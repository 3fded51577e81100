"""Growth: every setting that cannot work is refused with its name and the remedy."""

import json
from dataclasses import fields, replace

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.growing.settings.grow_settings import GrowSettings

NAN, INF = float("nan"), float("inf")
WHOLE = ["max_depth", "max_leaves", "min_rows_split", "min_rows_leaf", "max_exhaustive"]
WHOLE += ["chaid_bins", "n_permutations", "seed", "patience", "n_features"]
SHARES = ["min_share_split", "min_share_leaf", "tolerance", "alpha", "merge_alpha", "share_features"]
CHOICES = ["criterion", "nominal", "threshold", "zero_gain", "missing", "branch_order", "empty_leaf"]
CHOICES += ["selector", "adjustment", "test", "size_unit", "impurity_sum", "max_features"]
BAD = [
    *((name, value) for name in WHOLE for value in (-1, 1.5, NAN, INF, -INF, "3", True, [3], -(10**400))),
    *((name, value) for name in SHARES for value in (-0.1, 1.5, NAN, INF, "0.1", None, False)),
    *(
        (name, value)
        for name in ("min_gain", "min_weighted_gain", "size_penalty")
        for value in (-1e-9, NAN, INF, None, "x")
    ),
    *((name, value) for name in CHOICES for value in ("no such thing", 3, ["gini"])),
    *((name, None) for name in ("nominal", "threshold", "min_rows_leaf", "max_exhaustive")),
    ("max_leaves", 0),
    ("min_rows_leaf", 0),
    ("max_exhaustive", 21),
    ("chaid_bins", 1),
    ("chaid_bins", 61),
    ("n_permutations", 0),
]


@pytest.fixture(scope="module")
def table():
    return Sample(["numeric", "nominal"], [[1, 2, 3, 4, 5], [0, 1, 1, 0, 2]], [0, 3], [0, 0, 1, 1, 1], 2).table()


@pytest.fixture(scope="module")
def numbers():
    return Sample(["numeric"], [[1, 2, 3, 4]], [0], [1.5, 2, 7, 8], 0).table()


@pytest.mark.parametrize(("name", "value"), BAD, ids=lambda v: repr(v)[:20])
def test_an_impossible_setting_is_refused_with_what_where_and_remedy(name, value):
    with pytest.raises(tc.TreecoreError) as caught:
        GrowSettings(**{name: value})
    assert caught.value.what
    assert caught.value.remedy
    if name not in CHOICES:
        assert caught.value.where == name


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_depth", 0), ("max_depth", None), ("max_leaves", 1), ("min_share_leaf", 0.5), ("min_share_split", 1),
     ("max_depth", 10**30), ("min_rows_split", 10**30), ("tolerance", 0), ("criterion", ""), ("alpha", 0), ("alpha", 1),
     ("merge_alpha", 0), ("merge_alpha", 1), ("chaid_bins", 2), ("chaid_bins", 60), ("seed", 10**30)],
)  # fmt: skip
def test_settings_at_the_limits_work(name, value, table):
    assert tc.grow(table, **{name: value}).n_nodes >= 1


def test_numbers_of_other_types_become_plain_ones(table):
    growth = GrowSettings(max_depth=np.int64(2), min_gain=np.float32(0.5), min_rows_leaf=2.0, min_share_leaf=0)
    assert growth == GrowSettings(max_depth=2, min_gain=0.5, min_rows_leaf=2, min_share_leaf=0.0)
    assert {type(v) for v in growth.to_dict().values()} <= {int, float, str, list, type(None)}
    json.dumps(tc.grow(table, growth).to_dict())


def test_settings_survive_a_dict_and_are_hashable():
    growth = GrowSettings(criterion="entropy", max_depth=3)
    assert GrowSettings.from_dict(growth.to_dict()) == growth
    assert hash(replace(growth)) == hash(growth)
    assert {f.name for f in fields(GrowSettings)} == set(growth.to_dict())


def test_an_unknown_setting_is_told_the_known_ones(table):
    with pytest.raises(tc.TreecoreError, match="no setting called 'max_dept'") as caught:
        tc.grow(table, max_dept=3)
    assert "max_depth" in caught.value.remedy


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
def test_a_class_criterion_does_not_judge_numbers(criterion, numbers):
    with pytest.raises(tc.TreecoreError, match="numbers") as caught:
        tc.grow(numbers, criterion=criterion)
    assert caught.value.where == "criterion"
    assert "squared_error" in caught.value.remedy


def test_squared_error_does_not_judge_classes(table):
    with pytest.raises(tc.TreecoreError, match="classes") as caught:
        tc.grow(table, criterion="squared_error")
    assert "gini" in caught.value.remedy


def test_the_criterion_defaults_to_the_task(table, numbers):
    assert tc.grow(table).criterion == "gini"
    assert tc.grow(numbers).criterion == "squared_error"
