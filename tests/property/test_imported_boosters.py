"""Boosters of XGBoost and LightGBM read as ours: the same sums, answers and classes, whatever is missing or unseen."""

import json
import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.mutations import broken, n_refused
from treecore.importing import model_tree
from treecore.importing.xgboost import from_ubjson

if os.environ.get("CI"):
    import lightgbm as lgb
    import xgboost as xgb
else:
    lgb = pytest.importorskip("lightgbm", reason="LightGBM is not installed")
    xgb = pytest.importorskip("xgboost", reason="XGBoost is not installed")

SLOW = settings(max_examples=5)
EXTREME = (0.0, -0.0, 1e-36, -1e-36, 1e-35, 1.5e-35, -1e-35, 1e-40, 3e38, -3e38, 1e-300, 1 + 2**-24, 0.1)
LEVELS = ["u", "v", "w & co", "x"]


@st.composite
def tables(draw):
    """(features with gaps, ties and extreme numbers and a categorical one, another draw of them, numbers)."""
    rng = np.random.RandomState(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(60, 200))
    frames = []
    for _ in range(2):
        X = rng.randn(n, 3).round(draw(st.integers(0, 3)))
        X[rng.rand(n, 3) < 0.1] = 0
        odd = rng.rand(n, 3) < 0.1
        X[odd] = rng.choice(EXTREME, odd.sum())
        X[rng.rand(n, 3) < draw(st.sampled_from([0, 0.2]))] = np.nan
        frame = pd.DataFrame(X, columns=["a", "b", "c"])
        frame["k"] = pd.Categorical(rng.choice(LEVELS, n), categories=LEVELS)
        frame.loc[rng.rand(n) < 0.1, "k"] = None
        frames.append(frame)
    z = np.clip(np.nan_to_num(frames[0]["a"]), -3, 3) + (frames[0]["k"] == "u") - (frames[0]["b"] == 0) + rng.randn(n)
    return frames[0], frames[1], z.to_numpy()


def target_of(kind, z):
    return z if kind == "numbers" else np.digitize(z, [0] if kind == "two" else [-0.5, 0.7])


def table_of(frame, y, kind):
    kinds = {} if kind == "numbers" else {"y": "nominal"}
    return tc.read_table(frame.assign(y=y), target="y", kinds=kinds)


@pytest.mark.parametrize("kind", ["two", "three", "numbers"])
@given(given=tables(), one_hot=st.sampled_from([1, 8]), booster=st.sampled_from(["gbtree", "dart"]))
@SLOW
def test_xgboost(kind, given, one_hot, booster):
    frame, probes, z = given
    y = target_of(kind, z)
    make = xgb.XGBRegressor if kind == "numbers" else xgb.XGBClassifier
    told = make(
        n_estimators=4, max_depth=4, enable_categorical=True, max_cat_to_onehot=one_hot, booster=booster, n_jobs=1
    )
    told.fit(frame, y)
    for table in (None, table_of(frame, y, kind)):
        found = tc.read_model(told, table)
        for rows in (frame, probes):
            score = told.predict(rows, output_margin=True)
            np.testing.assert_allclose(found.raw_scores(rows).ravel(), score.ravel(), rtol=3e-7, atol=3e-7)
            if kind == "numbers":
                loose = 3e-7 if booster == "dart" else 0  # it rounds once where a weight is multiplied and added
                np.testing.assert_allclose(found.predict(rows), told.predict(rows), rtol=loose, atol=loose)
            else:
                assert (found.predict(rows) == told.predict(rows).astype(str)).all()
                np.testing.assert_allclose(found.predict_proba(rows), told.predict_proba(rows), rtol=2e-6, atol=1e-7)
    saved = [bytes(told.get_booster().save_raw(form)) for form in ("json", "ubj")]
    for data in saved:
        again = tc.read_model(data)
        assert (again.raw_scores(probes) == found.raw_scores(probes)).all()


LIGHT = (
    {}, {"zero_as_missing": True}, {"use_missing": False}, {"boosting_type": "dart"},
    {"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.7},
)  # fmt: skip


@pytest.mark.parametrize("parameters", LIGHT, ids=str)
@given(given=tables(), kind=st.sampled_from(["two", "three", "numbers"]))
@SLOW
def test_lightgbm(parameters, given, kind):
    frame, probes, z = given
    y = target_of(kind, z)
    make = lgb.LGBMRegressor if kind == "numbers" else lgb.LGBMClassifier
    told = make(
        n_estimators=4, num_leaves=8, min_child_samples=3, min_data_per_group=1, cat_smooth=0, verbose=-1, n_jobs=1,
        **parameters,
    ).fit(frame, y)  # fmt: skip
    for table in (None, table_of(frame, y, kind)):
        found = tc.read_model(told, table)
        for rows in (frame, probes):
            assert (found.raw_scores(rows).ravel() == told.predict(rows, raw_score=True).ravel()).all()
            if kind == "numbers":
                assert (found.predict(rows) == told.predict(rows)).all()
            else:
                assert (found.predict(rows) == told.predict(rows).astype(str)).all()
                np.testing.assert_allclose(found.predict_proba(rows), told.predict_proba(rows), rtol=1e-13, atol=1e-15)
    text, nested = told.booster_.model_to_string(), told.booster_.dump_model()
    for data in (text.encode(), json.dumps(nested).encode(), nested):
        assert (tc.read_model(data).raw_scores(probes) == found.raw_scores(probes)).all()


def small(kind="xgboost"):
    rng = np.random.RandomState(0)
    X, y = rng.randn(80, 2), rng.randint(0, 2, 80)
    if kind == "xgboost":
        return xgb.XGBClassifier(n_estimators=2, max_depth=3).fit(X, y)
    return lgb.LGBMClassifier(n_estimators=2, num_leaves=4, verbose=-1, n_jobs=1).fit(X, y)


def files():
    booster, light = small().get_booster(), small("lightgbm").booster_
    return {
        "xgboost.json": bytes(booster.save_raw("json")), "xgboost.ubj": bytes(booster.save_raw("ubj")),
        "lightgbm.txt": light.model_to_string().encode(), "lightgbm.json": json.dumps(light.dump_model()).encode(),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["xgboost.json", "xgboost.ubj", "lightgbm.txt", "lightgbm.json"])
def test_a_file_with_wrong_bytes_is_read_or_refused(name):
    """Bytes changed, cut out, doubled: an error of ours, or a model that answers."""
    data, rng = files()[name], np.random.RandomState(1)
    rows = pd.DataFrame(rng.randn(3, 2), columns=["Column_0", "Column_1"] if "light" in name else ["x0", "x1"])
    assert n_refused(broken(data), lambda made: tc.read_model(made).raw_scores(rows)) > 100


@pytest.mark.parametrize(
    "data",
    [b"{", b"{L", b"{U\x07learner{", b"{U\x07learner[$Z#L\x7f\xff\xff\xff\xff\xff\xff\xff", b"[" * 100_000,
     b"{U\x07learner[$d#L\x00\x00\x00\x7f\xff\xff\xff\xff", b"{U\x07learner" + b"[" * 10_000],
)  # fmt: skip
def test_lengths_that_a_file_does_not_have_take_no_memory(data):
    with pytest.raises(ValueError, match=r".+"):
        from_ubjson(data)
    with pytest.raises(tc.TreecoreError):
        tc.read_model(data)


def test_classes_of_a_file_are_not_guessed():
    data = files()["xgboost.json"]
    rng = np.random.RandomState(0)
    words = tc.from_arrays(rng.randn(20, 2), np.arange(20) % 2, classes=("bad", "good"))
    with pytest.raises(tc.TreecoreError, match="numbers its classes 0 to 1, the table has bad, good"):
        tc.read_model(data, words)
    assert tc.read_model(data, words, classes=["bad", "good"]).classes == ("bad", "good")
    assert tc.read_model(data).classes == ("0", "1")
    with pytest.raises(tc.TreecoreError, match="3 are named"):
        tc.read_model(data, classes=["a", "b", "c"])


def test_codes_of_categories_are_not_guessed():
    rng = np.random.RandomState(0)
    k = rng.randint(0, 4, 200)
    told = lgb.train(
        {"objective": "regression", "verbose": -1, "min_data_per_group": 1, "num_leaves": 4},
        lgb.Dataset(k[:, None].astype(float), (k == 2) * 1.0, categorical_feature=[0]), 2,
    )  # fmt: skip
    numbers = tc.read_table(pd.DataFrame({"k": k, "y": rng.randn(200)}), target="y", kinds={"k": "nominal"})
    found = tc.read_model(told, numbers)
    rows = pd.DataFrame({"k": [0, 1, 2, 3, 7]})
    assert (found.predict(rows) == told.predict(rows.to_numpy(float))).all()
    words = tc.read_table(pd.DataFrame({"k": np.array(list("stuv"))[k], "y": rng.randn(200)}), target="y")
    with pytest.raises(tc.TreecoreError, match="by numbers, the table as s, t, u"):
        tc.read_model(told, words)


@pytest.mark.parametrize(
    ("parameters", "what"),
    [
        ({"objective": "binary:hinge"}, "What the sum means is not known"),
        ({"objective": "binary:logitraw"}, "What the sum means is not known"),
        ({"booster": "gblinear", "objective": "binary:logistic"}, "has no trees"),
    ],
)
def test_what_xgboost_says_and_we_cannot_is_refused(parameters, what):
    rng = np.random.RandomState(0)
    told = xgb.train(parameters, xgb.DMatrix(rng.randn(50, 2), np.arange(50) % 2), 2)
    with pytest.raises(tc.TreecoreError, match=what):
        tc.read_model(told)


def test_other_refusals():
    rng = np.random.RandomState(0)
    X, y = rng.randn(80, 2), rng.randn(80)
    with pytest.raises(tc.TreecoreError, match="linear models"):
        tc.read_model(lgb.LGBMRegressor(n_estimators=2, linear_tree=True, verbose=-1, n_jobs=1).fit(X, y))
    with pytest.raises(tc.TreecoreError, match="takes -1 for missing"):
        tc.read_model(xgb.XGBRegressor(n_estimators=2, missing=-1).fit(X, y))
    with pytest.raises(tc.TreecoreError, match="several targets"):
        tc.read_model(xgb.XGBRegressor(n_estimators=2).fit(X, np.stack([y, y], axis=1)))
    for model in (xgb.XGBClassifier(), lgb.LGBMClassifier()):
        with pytest.raises(tc.TreecoreError, match="not fitted"):
            tc.read_model(model)


def test_early_stopping_answers_by_the_rounds_it_kept():
    rng = np.random.RandomState(0)
    X, y = rng.randn(200, 3), rng.randint(0, 2, 200)
    told = xgb.XGBClassifier(n_estimators=30, early_stopping_rounds=2).fit(
        X[:100], y[:100], eval_set=[(X[100:], y[100:])], verbose=False
    )
    rows = pd.DataFrame(X, columns=["x0", "x1", "x2"])
    assert (tc.read_model(told).predict(rows) == told.predict(X).astype(str)).all()
    assert len(tc.read_model(told).trees) == told.best_iteration + 1 < len(told.get_booster().get_dump())


def test_what_an_inner_node_says_is_the_mean_of_what_is_below():
    rng = np.random.RandomState(0)
    X, y = rng.randn(100, 2), rng.randn(100)
    table = tc.from_arrays(X, y)
    tree = tc.read_model(lgb.LGBMRegressor(n_estimators=1, num_leaves=5, verbose=-1, n_jobs=1).fit(X, y), table).trees[
        0
    ]
    ends = tree.predict(table)
    assert tree.value[0] == pytest.approx(ends.mean())
    assert tree.n_rows[0] == 100
    assert tree.impurity[0] == pytest.approx(ends.var())


def xgboost_dict(**about) -> dict:
    """about : of learner_model_param."""
    frame, y = pd.DataFrame({"k": pd.Categorical(np.arange(60) % 3)}), np.arange(60) % 3 == 1
    model = xgb.train({"objective": "binary:logistic"}, xgb.DMatrix(frame, y, enable_categorical=True), 2)
    saved = json.loads(model.save_raw("json"))
    learner = saved["learner"]
    learner["learner_model_param"] |= about
    learner["gradient_booster"]["model"].pop("cats", None)
    return saved


def test_counts_of_xgboost_that_nothing_bears_out_are_refused():
    for about, what in (({"num_class": "300000"}, "do not belong together"), ({"num_feature": "300000"}, "at most")):
        saved = xgboost_dict(**about)
        saved["learner"]["feature_names"] = []
        with pytest.raises(tc.TreecoreError, match=what):
            tc.read_model(saved)


def test_a_huge_category_of_xgboost_is_refused():
    saved = xgboost_dict()
    tree = next(t for t in saved["learner"]["gradient_booster"]["model"]["trees"] if t["categories"])
    tree["categories"][0] = 300_000
    with pytest.raises(tc.TreecoreError, match="at most 262,144"):
        tc.read_model(saved)


def lightgbm_dict() -> dict:
    X, y = np.arange(200)[:, None] % 4, (np.arange(200) % 4 == 1).astype(float)
    about = {"objective": "binary", "min_data_in_leaf": 1, "min_data_per_group": 1, "verbosity": -1}
    return lgb.train(about, lgb.Dataset(X, y, categorical_feature=[0]), 2).dump_model()


def test_a_huge_category_of_lightgbm_is_refused():
    saved = lightgbm_dict()
    root = saved["tree_info"][0]["tree_structure"]
    assert root["decision_type"] == "=="
    root["threshold"] += "||300000"
    with pytest.raises(tc.TreecoreError, match="at most 262,144"):
        tc.read_model(saved)


@pytest.mark.parametrize("saved", [xgboost_dict, lightgbm_dict])
def test_the_levels_of_all_splits_are_counted_together(saved, monkeypatch):
    """Each tree alone would pass."""
    one = max(len(tree.splits.level_branch) for tree in tc.read_model(saved()).trees)
    assert one > 0
    monkeypatch.setattr(model_tree, "MOST_PLACES", one)
    with pytest.raises(tc.TreecoreError, match="categories together"):
        tc.read_model(saved())
