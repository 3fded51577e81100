"""What cells of a frame may be for the estimators: nullable types, words among numbers, dates, nothing at all."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treecore as tc
from treecore.estimators import TreeClassifier, TreeRegressor

Y = np.array([0, 1, 1, 0] * 10)
NULLABLE = {
    "Int64": [1, None, 3, 4], "boolean": [True, None, False, True], "Float64": [1.5, None, 3, 4],
    "string": ["u", None, "v", "w"], "category": ["u", None, "v", "w"], "object": ["u", None, "v", np.nan],
    pd.ArrowDtype(pa.string()): ["u", None, "v", "w"], pd.ArrowDtype(pa.int64()): [1, None, 2, 3],
}  # fmt: skip


@pytest.mark.parametrize("dtype", NULLABLE, ids=str)
def test_absent_cells_are_absent_whatever_says_so(dtype):
    """The words beside it make the frame one with levels, the number of which is read cell by cell."""
    column = pd.Series(NULLABLE[dtype] * 10, dtype=dtype)
    for more in ({}, {"word": ["a", "b"] * 20}):
        frame = pd.DataFrame({"x": column} | more)
        table = TreeClassifier(preset="cart")._table(frame, Y, None)[0]
        assert table.column("x").missing.tolist() == column.isna().tolist()
        TreeClassifier(preset="cart").fit(frame, Y).predict(frame)


def test_words_among_numbers_make_a_column_of_levels():
    frame = pd.DataFrame({"x": np.array([1, "1", None, 2.5] * 10, object)})
    model = TreeClassifier(preset="cart", missing="own_value").fit(frame, Y)
    assert model.tree_.schema.features[0].levels == ("1", "2.5")
    numbers = pd.DataFrame({"x": np.array([1, 10, None, 2.5] * 10, object)})
    assert TreeClassifier(preset="cart").fit(numbers, Y).tree_.schema.features[0].kind == "numeric"
    named = TreeClassifier(categorical_features=["x"]).fit(numbers, Y).tree_
    assert named.schema.features[0].levels == ("1", "2.5", "10")


@pytest.mark.parametrize("target", [["a", "b", "b", "a"], pd.array([0, 1, 1, 0], dtype="Int64"), [True, False] * 2])
@pytest.mark.parametrize("kind", [list, pd.Series, pl.Series, pa.array])
def test_targets_of_any_library(target, kind):
    found = TreeClassifier(preset="cart").fit(np.arange(4.0)[:, None], kind(list(target)))
    assert found.predict(np.arange(4.0)[:, None]).tolist() == list(target)


DAYS = pd.date_range("2026-01-01", periods=40)
DATED = {
    "pandas": pd.DataFrame({"day": DAYS, "x": range(40)}),
    "beside words": pd.DataFrame({"day": DAYS, "w": ["a", "b"] * 20}),
    "spans": pd.DataFrame({"day": DAYS - DAYS[0]}), "polars": pl.DataFrame({"day": DAYS.to_numpy()}),
    "pyarrow": pa.table({"day": pa.array(DAYS.date)}),
}  # fmt: skip


@pytest.mark.parametrize("name", DATED)
@pytest.mark.parametrize("model", [TreeClassifier(), TreeRegressor(preset="cart")])
def test_dates_are_refused_with_the_remedy(model, name):
    with pytest.raises(tc.TreecoreError, match=r"'day'.*days since a day"):
        model.fit(DATED[name], Y)


def test_a_query_that_has_not_run_and_a_share_that_is_none():
    with pytest.raises(tc.TreecoreError, match="collects"):
        TreeClassifier().fit(pl.LazyFrame({"x": [1.0, 2.0]}), [0, 1])
    for share in (0.0, 1.0, 2):
        with pytest.raises(tc.TreecoreError, match="validation_fraction"):
            TreeClassifier(pruning="reduced_error", validation_fraction=share).fit(np.arange(40)[:, None], Y)
    for share in (1.0, -0.1, 2):
        with pytest.raises(tc.TreecoreError, match="honest_fraction"):
            TreeClassifier(honest_fraction=share).fit(np.arange(40)[:, None], Y)


@pytest.mark.parametrize("pruning", [None, "reduced_error"])
def test_an_honest_estimator_tells_shares_of_rows_that_chose_nothing(pruning):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(600, 3)), rng.integers(0, 2, 600)
    model = TreeClassifier(min_samples_leaf=5, honest_fraction=0.4, pruning=pruning, random_state=0).fit(X, y)
    tree = model.tree_
    assert (tree.figures_of, tree.n_rows[0]) == ("estimation", 240)
    leaves = tree.is_leaf & (tree.weight > 0)
    np.testing.assert_allclose(model.predict_proba(X), tree.proba[model.apply(X)])
    np.testing.assert_allclose(tree.proba[leaves], tree.stats[leaves] / tree.weight[leaves, None])
    if pruning is None:
        told = TreeClassifier(min_samples_leaf=5, random_state=0).fit(X, y)
        assert model.score(X, y) < told.score(X, y)  # of noise nothing is known, and it does not say so
    numbers = TreeRegressor(preset="cart", honest_fraction=0.4, random_state=0).fit(X, X[:, 0])
    assert numbers.tree_.n_rows[0] == 240


def test_levels_are_the_same_from_a_frame_of_any_make():
    """Truths as numbers or words, numbers as texts: what was fitted on one is asked of the others."""
    rng = np.random.default_rng(0)
    b, g = rng.integers(0, 2, 200).astype(bool), rng.integers(1, 4, 200)
    y = np.where(b & (g == 2), "a", np.where(g == 3, "b", "c"))
    makes = [
        pd.DataFrame({"b": b, "g": g}), pd.DataFrame({"b": b.astype(float), "g": g.astype(float)}),
        pd.DataFrame({"b": np.char.upper(b.astype(str)), "g": [f"{i}.0" for i in g]}),
        pd.DataFrame({"b": pd.Categorical(b), "g": pd.Categorical(g.astype(float))}),
        pl.DataFrame({"b": b, "g": g}), pl.DataFrame({"b": b.astype(str), "g": g.astype(str)}),
    ]  # fmt: skip
    for fitted in makes:
        model = TreeClassifier(categorical_features=["b", "g"]).fit(fitted, y)
        assert [model.score(asked, y) for asked in makes] == [1.0] * len(makes)
