"""Arrays that are none, settings beyond what compiled code counts in: refused, not raised raw."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample

LABELS = np.array([0, 1, 0])


@pytest.mark.parametrize(
    "X",
    [
        np.arange(3.0), np.float64(3), np.zeros((3, 2, 2)), None, "x", [[1, 2], [3], [4, 5]], [["a"], ["b"], ["c"]],
        np.zeros((3, 1), complex), np.array([[...]] * 3, object), np.zeros((3, 1), "datetime64[s]"),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_matrix_of_numbers_is_refused(X):
    with pytest.raises(tc.TreecoreError) as caught:
        tc.from_arrays(X, LABELS)
    assert caught.value.where == "X"
    assert caught.value.remedy


@pytest.mark.parametrize("y", [None, 3, np.zeros((3, 1)), ["a", "b", "c"], LABELS * 1j], ids=repr)
def test_what_is_no_target_of_numbers_is_refused(y):
    with pytest.raises(tc.TreecoreError) as caught:
        tc.from_arrays(np.zeros((3, 2)), y)
    assert caught.value.where == "y"


@pytest.mark.parametrize(
    "rows", [None, 5, "x", [[1, 2, 3, 4]], np.arange(4.0), np.zeros((2, 4, 1)), {"a": [1]}], ids=repr
)
@pytest.mark.parametrize("ask", ["predict", "predict_proba", "apply"])
def test_what_has_no_rows_is_refused(rows, ask):
    with pytest.raises(tc.TreecoreError) as caught:
        getattr(tc.grow(read_sample("iris"), max_depth=1), ask)(rows)
    assert caught.value.remedy


@pytest.mark.parametrize("value", [10**400, -(10**400), np.inf, [], {}], ids=lambda v: str(v)[:9])
@pytest.mark.parametrize(
    "name", ["max_leaves", "max_depth", "max_surrogates", "min_rows_leaf", "min_rows_split", "seed", "patience"]
)
def test_what_is_no_whole_number_is_refused(name, value):
    with pytest.raises(tc.TreecoreError) as caught:
        tc.GrowSettings(**{name: value})
    assert caught.value.where == name


@pytest.mark.parametrize("most", [2**31, 2**63, 10**30], ids=["2^31", "2^63", "10^30"])
def test_numbers_beyond_what_compiled_code_counts_in_are_no_limit(most):
    iris = read_sample("iris")
    gaps = read_sample("titanic")
    assert tc.grow(iris, max_leaves=most).n_leaves == tc.grow(iris).n_leaves
    settings = {"missing": "surrogates", "max_depth": 3}
    free, all_kept = (tc.grow(gaps, max_surrogates=n, **settings) for n in (most, 100))
    assert len(free.surrogates) == len(all_kept.surrogates) > 0


@pytest.mark.parametrize("name", ["min_gain", "min_weight_leaf", "size_penalty", "min_impurity"])
def test_a_number_too_large_for_a_float_is_refused(name):
    with pytest.raises(tc.TreecoreError) as caught:
        tc.GrowSettings(**{name: 10**400})
    assert caught.value.where == name


@pytest.mark.parametrize("value", [[], {}, (), 0, False, None, b""], ids=repr)
@pytest.mark.parametrize("name", ["criterion", "score", "selector", "missing"])
def test_what_is_no_name_is_refused(name, value):
    with pytest.raises(tc.TreecoreError):
        tc.GrowSettings(**{name: value})
