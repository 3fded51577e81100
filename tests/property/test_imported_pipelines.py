"""Histogram boosting, AdaBoost of numbers and pipelines of scikit-learn read as ours: its own answers, for rows with
gaps and levels that it has not seen, too.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    AdaBoostRegressor,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from threadpoolctl import threadpool_limits

import treecore as tc

SLOW = settings(max_examples=8)
EXTREME = (0.0, -0.0, 1e-40, 3e300, -3e300, 1 + 2**-30, 0.1, 1e-300)
WORDS, SIZES = ["u", "v", "w & co", "x"], ["small", "large", "medium"]


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Threads that wait for each other take minutes where other tests run beside them."""
    with threadpool_limits(1, user_api="openmp"):
        yield


def drawn(rng, n=150, gaps=True, strange=False):
    """Two numbers with gaps and extremes, and two columns of words; strange : some words that no other row has."""
    frame = pd.DataFrame(
        {"a": rng.randn(n).round(1), "k": rng.choice(WORDS, n), "b": rng.randn(n), "s": rng.choice(SIZES, n)}
    )
    if gaps:
        for name in ("a", "b"):
            frame.loc[rng.rand(n) < 0.1, name] = np.nan
        for name in ("k", "s"):
            frame.loc[rng.rand(n) < 0.1, name] = None
    if strange:
        frame.loc[rng.rand(n) < 0.1, "k"] = "never seen"
        frame.loc[rng.rand(n) < 0.1, "b"] = rng.choice(EXTREME)
    return frame


def target(frame, rng, n_classes):
    z = frame.a.fillna(1) + 2 * (frame.k == "u") - (frame.s == "small") + 0.3 * rng.randn(len(frame))
    return np.digitize(z, [0, 1.2][: n_classes - 1]) if n_classes else np.exp(z / 2)


def agrees(found, model, rows, given=None, exact=True):
    """The same answers: of trees bit for bit, of sums but for their order. given : the rows as the model takes them."""
    given = rows if given is None else given
    table = rows if isinstance(found, tc.Tree) else tc.read_table(rows, kinds={"k": "nominal", "s": "nominal"})
    close = {"rtol": 0, "atol": 0} if exact else {"rtol": 1e-12, "atol": 1e-13}
    if not found.classes:
        np.testing.assert_allclose(found.predict(table), model.predict(given), **close)
        return
    assert (found.predict(table) == model.predict(given).astype(str)).all()
    np.testing.assert_allclose(found.predict_proba(table), model.predict_proba(given), **close)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "poisson", "gamma", "quantile", 2, 3])
@given(seed=st.integers(0, 2**32 - 1))
@SLOW
def test_histogram_boosting(loss, seed):
    rng = np.random.RandomState(seed)
    frame, probes = drawn(rng), drawn(rng, strange=True)
    kinds = {"k": pd.CategoricalDtype(WORDS), "s": pd.CategoricalDtype(SIZES)}
    y = target(frame, rng, loss if isinstance(loss, int) else 0)
    if isinstance(loss, int):
        model = HistGradientBoostingClassifier(max_iter=4, max_depth=4, min_samples_leaf=5)
    else:
        quantile = {"quantile": 0.3} if loss == "quantile" else {}
        model = HistGradientBoostingRegressor(max_iter=4, max_depth=4, min_samples_leaf=5, loss=loss, **quantile)
    model.fit(frame.astype(kinds), y)
    more = {"k": pd.CategoricalDtype([*WORDS, "never seen"]), "s": pd.CategoricalDtype(SIZES)}
    agrees(tc.read_model(model), model, probes, probes.astype(more), exact=False)


def test_histogram_boosting_of_numbers_alone_and_of_a_loss_of_others():
    rng = np.random.RandomState(0)
    X = rng.randn(100, 2)
    model = HistGradientBoostingRegressor(max_iter=3).fit(X, X[:, 0])
    rows = pd.DataFrame(X, columns=["x0", "x1"])
    np.testing.assert_allclose(tc.read_model(model).predict(tc.read_table(rows)), model.predict(X), rtol=1e-13)
    model._loss.link = LinearRegression()
    with pytest.raises(tc.TreecoreError, match="not known here"):
        tc.read_model(model)


@given(seed=st.integers(0, 2**32 - 1), loss=st.sampled_from(["linear", "square", "exponential"]))
@SLOW
def test_adaboost_of_numbers(seed, loss):
    rng = np.random.RandomState(seed)
    frame = drawn(rng, gaps=False)[["a", "b"]]
    model = AdaBoostRegressor(DecisionTreeRegressor(max_depth=3), n_estimators=6, loss=loss, random_state=0)
    model.fit(frame, frame.a * frame.b + rng.randn(len(frame)).round(1))
    rows = tc.read_table(frame)
    found = tc.read_model(model)
    assert (found.predict(rows) == model.predict(frame)).all()
    each = [np.mean((votes - model.predict(frame)) ** 2) for votes in found.votes(rows)]
    assert each[-1] == 0


ONE_HOT = OneHotEncoder(handle_unknown="ignore")
ENCODERS = {
    "one-hot": lambda: make_column_transformer((ONE_HOT, ["k", "s"]), remainder="passthrough"),
    "one-hot without the first": lambda: make_column_transformer(
        ("passthrough", ["b", "a"]), (OneHotEncoder(drop="first", handle_unknown="ignore"), ["s", "k"])
    ),
    "ordinal": lambda: make_column_transformer(
        ("passthrough", ["a", "b"]),
        (OrdinalEncoder(categories=[SIZES], handle_unknown="use_encoded_value", unknown_value=-1), ["s"]),
        (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan), ["k"]),
    ),
    "filled": lambda: make_column_transformer(
        (SimpleImputer(strategy="median"), ["a", "b"]),
        (make_pipeline(SimpleImputer(strategy="most_frequent"), ONE_HOT), ["k"]),
        remainder="drop",
    ),
}  # fmt: skip
MODELS = {
    "tree": lambda: DecisionTreeClassifier(max_depth=5, random_state=0),
    "forest": lambda: RandomForestClassifier(4, max_depth=4, random_state=0),
    "boosted": lambda: GradientBoostingClassifier(n_estimators=4, max_depth=3, random_state=0),
    "histograms": lambda: HistGradientBoostingClassifier(max_iter=4, max_depth=4, min_samples_leaf=5),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("encoder", ENCODERS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(SLOW, max_examples=4)
def test_pipelines_are_read_back_into_levels(encoder, model, seed):
    rng = np.random.RandomState(seed)
    gaps = model != "boosted" or encoder == "filled"
    if encoder == "one-hot" and model == "histograms":
        ONE_HOT.set_params(sparse_output=False)
    frame, probes = drawn(rng, gaps=gaps), drawn(rng, gaps=gaps, strange=(encoder, model) != ("ordinal", "boosted"))
    probes["b"] = probes["b"].clip(-1e30, 1e30)
    made = make_pipeline(ENCODERS[encoder](), MODELS[model]()).fit(frame, target(frame, rng, 3))
    found = tc.read_model(made)
    names = {feature.name for feature in (found if isinstance(found, tc.Tree) else found.trees[0]).schema.features}
    assert names == set(frame)
    agrees(found, made, probes, exact=model == "tree")


def test_categories_that_are_encoded_before_histogram_boosting():
    rng = np.random.RandomState(1)
    frame, probes = drawn(rng), drawn(rng, strange=True)
    encode = make_column_transformer(
        (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan), ["k", "s"]), remainder="passthrough"
    )
    boost = HistGradientBoostingClassifier(max_iter=4, categorical_features=[0, 1], min_samples_leaf=5)
    made = make_pipeline(encode, boost).fit(frame, target(frame, rng, 2))
    agrees(tc.read_model(made), made, probes, exact=False)


def test_beside_a_table_its_rows_are_counted_in_the_levels():
    rng = np.random.RandomState(2)
    frame = drawn(rng, gaps=False)
    y = target(frame, rng, 2)
    made = make_pipeline(ENCODERS["one-hot"](), DecisionTreeClassifier(max_depth=4, random_state=0)).fit(frame, y)
    table = tc.read_table(frame.assign(y=y), target="y", kinds={"y": "nominal"})
    found = tc.read_model(made, table)
    assert (found.n_rows == found.cover).all()
    assert "k" in tc.export(found, "sql")


@pytest.mark.parametrize(
    ("step", "what"),
    [
        (StandardScaler(), "a tree here cannot say"),
        (OneHotEncoder(max_categories=2, sparse_output=False), "infrequent categories together"),
        (SimpleImputer(strategy="most_frequent", missing_values="u"), "takes others for missing"),
    ],
    ids=["scaler", "infrequent", "imputer"],
)
def test_steps_that_a_tree_cannot_say_are_refused(step, what):
    frame = pd.DataFrame({"k": ["u", "v", "w", "v"] * 5})
    given = frame if not isinstance(step, StandardScaler) else pd.DataFrame({"k": [1.0, 2.0, 3.0, 4.0] * 5})
    steps = [step, ONE_HOT] if isinstance(step, SimpleImputer) else [step]
    made = make_pipeline(*steps, DecisionTreeClassifier()).fit(given, [0, 1, 1, 0] * 5)
    with pytest.raises(tc.TreecoreError) as fault:
        tc.read_model(made)
    assert what in fault.value.what
    assert fault.value.remedy
