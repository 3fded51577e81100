"""CatBoost's models read as ours: the same sums, answers and classes, whatever is missing, unseen or extreme.

CatBoost is large and no dependency, so that the suite does not collect this:

uv run --with catboost==1.2.10 pytest -n 0 tests/catboost_models.py

`python -m tests.catboost_models` writes the files that the suite reads, tests/golden/catboost.
"""

import json
import tempfile
from pathlib import Path

import catboost as cb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc

GOLDEN = Path(__file__).parent / "golden" / "catboost"
OTHER_LOSSES = ["MAE", "Quantile:alpha=0.3", "Poisson", "Tweedie:variance_power=1.5", "Huber:delta=1"]
SLOW = settings(max_examples=6)
EXTREME = (0.0, -0.0, 1e-36, 1e-40, 3.4e38, -3.4e38, 3.4028234663852886e38, -3.4028234663852886e38, 1 + 2**-24, 0.1)
LEVELS = ["u", "v", "w & co", "x", "1"]
QUIET = {"verbose": 0, "allow_writing_files": False, "thread_count": 1}


@st.composite
def tables(draw):
    """(features with gaps, ties, extreme numbers, words and codes, another draw of them with unseen ones, numbers)."""
    rng = np.random.RandomState(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(60, 200))
    frames, gaps = [], draw(st.sampled_from([0, 0.2]))
    for levels in (LEVELS, [*LEVELS, "unseen"]):
        X = rng.randn(n, 3).round(draw(st.integers(0, 3)))
        odd = rng.rand(n, 3) < 0.1
        X[odd] = rng.choice(EXTREME, odd.sum())
        X[rng.rand(n, 3) < gaps] = np.nan
        frame = pd.DataFrame(X, columns=["a", "b", "c"])
        frame.insert(1, "k", rng.choice(levels, n))
        frame["code"] = rng.randint(0, 5, n)
        frames.append(frame)
    z = np.clip(np.nan_to_num(frames[0]["a"]), -3, 3) + 2 * (frames[0]["k"] == "u") - (frames[0]["code"] == 3)
    return frames[0], frames[1], (z + rng.randn(n)).to_numpy()


def target_of(kind, z):
    return z if kind == "numbers" else np.digitize(z, [0] if kind == "two" else [-0.5, 0.7])


@pytest.mark.parametrize("policy", ["SymmetricTree", "Depthwise", "Lossguide"])
@given(given=tables(), kind=st.sampled_from(["two", "three", "numbers"]), missing=st.sampled_from(["Min", "Max"]))
@SLOW
def test_answers_are_catboosts(policy, given, kind, missing):
    frame, probes, z = given
    y = target_of(kind, z)
    make = cb.CatBoostRegressor if kind == "numbers" else cb.CatBoostClassifier
    pool = cb.Pool(frame, y, cat_features=["k", "code"])
    # a feature without a gap refuses one later
    probes = probes.where(probes.notna() | frame.isna().any(), 0.5) if len(probes) else probes
    told = make(
        iterations=4, depth=3, one_hot_max_size=10, grow_policy=policy, nan_mode=missing, learning_rate=0.5, **QUIET
    ).fit(pool)
    kinds = {"k": "nominal", "code": "nominal"} | ({} if kind == "numbers" else {"y": "nominal"})
    table = tc.read_table(frame.assign(y=y), target="y", kinds=kinds)
    found = tc.read_model(told, table)
    for rows in (frame, probes):
        score = told.predict(rows, prediction_type="RawFormulaVal")
        np.testing.assert_allclose(found.raw_scores(rows).ravel(), np.ravel(score), rtol=1e-13, atol=1e-14)
        if kind == "numbers":
            np.testing.assert_allclose(found.predict(rows), told.predict(rows), rtol=1e-13, atol=1e-14)
        else:
            np.testing.assert_allclose(found.predict_proba(rows), told.predict_proba(rows), rtol=1e-12, atol=1e-14)
            assert (found.predict(rows) == told.predict(rows).ravel().astype(str)).all()
    again = tc.read_model(written(told, pool))
    assert (again.raw_scores(probes) == found.raw_scores(probes)).all()


def written(model, pool=None) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        model.save_model(f"{folder}/model.json", format="json", pool=pool)
        return Path(folder, "model.json").read_bytes()


def small(loss="Logloss", **more):
    rng = np.random.RandomState(0)
    X = rng.randn(80, 2).round(1)
    y = rng.randint(0, 3 if loss.startswith("Multi") else 2, 80)
    if loss == "MultiRMSE":
        y = rng.randn(80, 2)
    return cb.CatBoost({"loss_function": loss, "iterations": 2, "depth": 2, **QUIET, **more}).fit(X, y), X


@pytest.mark.parametrize(
    "loss", ["MAE", "Quantile:alpha=0.3", "Poisson", "Tweedie:variance_power=1.5", "Huber:delta=1"]
)
def test_numbers_by_other_losses(loss):
    told, X = small(loss)
    kind = "Exponent" if loss.startswith(("Poisson", "Tweedie")) else "RawFormulaVal"
    rows = pd.DataFrame(X, columns=["x0", "x1"])
    np.testing.assert_allclose(tc.read_model(told).predict(rows), told.predict(X, prediction_type=kind), rtol=1e-13)


@pytest.mark.parametrize("loss", ["MultiRMSE", "RMSEWithUncertainty", "MultiClassOneVsAll"])
def test_what_the_sum_means_is_not_guessed(loss):
    with pytest.raises(tc.TreecoreError, match="What the sum means is not known here"):
        tc.read_model(small(loss)[0])


def test_other_refusals(tmp_path):
    with pytest.raises(tc.TreecoreError, match="not fitted"):
        tc.read_model(cb.CatBoostClassifier())
    small()[0].save_model(str(tmp_path / "model.cbm"))
    with pytest.raises(tc.TreecoreError, match="binary files are not read"):
        tc.read_model(tmp_path / "model.cbm")
    rng = np.random.RandomState(0)
    words = pd.DataFrame({"k": rng.choice(list("stuvw"), 200)})
    y = (words["k"] > "t").astype(int)
    told = cb.CatBoostClassifier(iterations=2, depth=2, cat_features=["k"], one_hot_max_size=9, **QUIET).fit(words, y)
    with pytest.raises(tc.TreecoreError, match="numbers in place of its categories"):
        tc.read_model(written(told))
    told = cb.CatBoostClassifier(iterations=2, depth=2, cat_features=["k"], one_hot_max_size=2, **QUIET).fit(words, y)
    with pytest.raises(tc.TreecoreError, match="one_hot_max_size"):
        tc.read_model(told, tc.read_table(words.assign(y=y), target="y", kinds={"y": "nominal"}))


def record(name: str, model, pool, rows: pd.DataFrame) -> None:
    """A model, rows, and what it says of them: sums, and answers."""
    GOLDEN.mkdir(exist_ok=True)
    told = json.loads(written(model, pool))
    told["model_info"] = {
        key: told["model_info"][key] for key in ("class_params", "params") if key in told["model_info"]
    }
    sums = np.reshape(model.predict(rows, prediction_type="RawFormulaVal"), (len(rows), -1))
    answers = np.ravel(model.predict(rows)).tolist()
    told |= {"rows": json.loads(rows.to_json(orient="split", index=False)), "sums": sums.tolist(), "answers": answers}
    (GOLDEN / f"{name}.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main() -> None:
    rng = np.random.RandomState(3)
    frame = pd.DataFrame(rng.randn(120, 2).round(1), columns=["a", "b"])
    frame.loc[rng.rand(120) < 0.2, "a"] = np.nan
    frame["k"] = rng.choice(LEVELS, 120)
    z = np.nan_to_num(frame["a"]) + 2 * (frame["k"] == "u") - frame["b"] + rng.randn(120) / 2
    for policy in ("SymmetricTree", "Lossguide"):
        for kind in ("two", "three", "numbers"):
            words = np.array(["low", "middle", "high"])
            y = z if kind == "numbers" else words[target_of(kind, z)]
            make = cb.CatBoostRegressor if kind == "numbers" else cb.CatBoostClassifier
            pool = cb.Pool(frame, y, cat_features=["k"])
            model = make(iterations=3, depth=3, one_hot_max_size=9, grow_policy=policy, learning_rate=0.5, **QUIET)
            model.fit(pool)
            record(f"{kind}-{policy.lower()}", model, pool, frame.head(25))


if __name__ == "__main__":
    main()
