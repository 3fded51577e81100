"""What settings come to on a table, shared by tables that cannot differ in it."""

import numpy as np
import pytest

import treecore as tc
from treecore.errors import TreecoreError
from treecore.growing.settings.engine_plan import is_fast, plan_for


def table(n: int = 20, n_classes: int = 2, **more) -> tc.Table:
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 3)).astype(np.float32)
    X[0, 1] = np.nan if more.pop("gap", False) else 0.0
    return tc.from_arrays(X, np.arange(n) % n_classes, classes="abcd"[:n_classes], **more)


def test_plain_tables_with_as_many_classes_share_their_terms():
    growth = tc.GrowSettings(max_depth=3)
    assert plan_for(table(20), growth) is plan_for(table(90), growth)
    assert plan_for(table(20), growth) is not plan_for(table(20), tc.GrowSettings(max_depth=4))


@pytest.mark.parametrize("other", [{"n_classes": 3}, {"gap": True}, {"weights": np.arange(1.0, 21.0)}], ids=str)
def test_other_tables_have_terms_of_their_own(other):
    growth = tc.GrowSettings(missing="own_value")
    plain, found = plan_for(table(), growth), plan_for(table(**other), growth)
    assert found is not plain
    assert found.rules["n_classes"][0] == other.get("n_classes", 2)
    assert found.special == ("gap" in other or "weights" in other)


def numbers(n: int) -> tc.Table:
    rng = np.random.default_rng(n)
    return tc.from_arrays(rng.normal(size=(n, 3)).astype(np.float32), rng.normal(size=n))


def test_plain_tables_of_numbers_share_theirs():
    growth = tc.GrowSettings(max_depth=3)
    assert plan_for(numbers(20), growth) is plan_for(numbers(90), growth)
    assert plan_for(numbers(20), growth) is not plan_for(table(20), growth)


def test_a_least_variance_is_that_of_each_table():
    growth = tc.GrowSettings(selector="reptree")
    for n in (20, 90):
        y = numbers(n).target_column.values()
        assert plan_for(numbers(n), growth).rules["min_impurity"][0] == pytest.approx(y.var() / 1000)


def test_limits_that_are_shares_of_the_rows_are_found_for_each_table():
    growth = tc.GrowSettings(min_share_leaf=0.1)
    assert [plan_for(table(n), growth).rules["min_weight_leaf"][0] for n in (20, 90)] == [2.0, 9.0]


def test_a_narrow_table_leaves_wide_ones_their_surrogates():
    growth = tc.GrowSettings(missing="surrogates", tolerance=2e-10)
    wide = table(90)
    assert plan_for(wide.with_features(wide.features[:1]), growth).rules["max_surrogates"][0] == 1
    assert plan_for(wide, growth).rules["max_surrogates"][0] == 3


def test_a_fault_is_told_each_time():
    for n in (20, 30):
        with pytest.raises(TreecoreError, match="whose values are classes"):
            plan_for(table(n, n_classes=3), tc.GrowSettings(criterion="squared_error"))


def test_trees_do_not_share_their_settings():
    first, second = (tc.grow(table(n), tc.GrowSettings(max_depth=2)) for n in (20, 30))
    assert first.growth == second.growth
    assert first.growth is not second.growth


APART = {
    "rounded": ([0.1, 0.2, 1 / 3, 7.0], True),
    "as one": ([0.1, 0.1 + 1e-12, 0.3, 7.0], True),
    "too near": ([0.0, 5e-8, 0.3, 7.0], True),
    "too large": ([0.1, 0.2, 0.3, 1e39], False),
}


@pytest.mark.parametrize("values", APART)
def test_numbers_of_32_bits_are_grown_fast(values):
    """scikit-learn's rule rounds numbers and takes those within 1e-7 for one, which few cuts come to."""
    numbers, fits = APART[values]
    rows = tc.from_arrays(np.array(numbers)[:, None], np.arange(4) % 2, classes="ab")
    assert is_fast(rows, tc.GrowSettings(threshold="float32")) == fits
    assert is_fast(rows, tc.GrowSettings())


def test_surrogates_are_searched_by_the_general_kernels_where_values_are_near():
    numbers = np.array([[0.0, 1.0], [5e-8, np.nan], [0.3, 2.0], [7.0, 1.5]])
    rows = tc.from_arrays(numbers, np.arange(4) % 2, classes="ab")
    growth = tc.GrowSettings(threshold="float32", missing="surrogates")
    assert not is_fast(rows, growth)
