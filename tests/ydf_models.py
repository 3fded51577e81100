"""YDF's models read as ours: the same answers and classes, whatever is missing, unseen or extreme.

YDF is large and no dependency, so that the suite does not collect this:

uv run --with ydf==0.16.1 pytest -n 0 tests/ydf_models.py

`python -m tests.ydf_models` writes the records that the suite reads, tests/golden/ydf.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import ydf
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc

GOLDEN = Path(__file__).parent / "golden" / "ydf"
SLOW = settings(max_examples=6)
EXTREME = (0.0, -0.0, 1e-36, 1e-40, 3.4e38, -3.4e38, 1 + 2**-24, 0.1)
LEVELS = ["u", "v", "w & co", "x", "1"]
FEATURES = ["a", "k", "b", "c", "t"]
NUMBERS = {"task": ydf.Task.REGRESSION}
ydf.verbose(0)


@st.composite
def tables(draw):
    """(features with gaps, ties, extreme numbers, words, truths; another draw of them with unseen words; numbers)."""
    rng = np.random.RandomState(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(60, 200))
    frames, gaps = [], draw(st.sampled_from([0, 0.2]))
    for levels in (LEVELS, [*LEVELS, "unseen"]):
        X = rng.randn(n, 3).round(draw(st.integers(0, 3)))
        odd = rng.rand(n, 3) < 0.05
        X[odd] = rng.choice(EXTREME, odd.sum())
        X[rng.rand(n, 3) < gaps] = np.nan
        frame = pd.DataFrame(X, columns=["a", "b", "c"])
        frame.insert(1, "k", rng.choice(levels, n))
        frame.loc[rng.rand(n) < gaps, "k"] = None
        frame["t"] = rng.rand(n) < 0.4
        frames.append(frame)
    z = np.clip(np.nan_to_num(frames[0]["a"]), -3, 3) + 2 * (frames[0]["k"] == "u") + frames[0]["t"]
    return frames[0], frames[1], (z + rng.randn(n)).to_numpy()


def target_of(kind, z):
    words = np.array(["low", "middle", "high"])
    return z if kind == "numbers" else words[np.digitize(z, [0.5] if kind == "two" else [0, 1.2])]


def plain(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows as every version takes them: a word that is missing has no letters."""
    return rows.assign(k=rows["k"].astype(object).where(rows["k"].notna(), ""))


LEARNERS = {
    "cart": (ydf.CartLearner, {}),
    "forest": (ydf.RandomForestLearner, {"num_trees": 4, "winner_take_all": False}),
    "votes": (ydf.RandomForestLearner, {"num_trees": 5, "winner_take_all": True}),
    "local": (ydf.RandomForestLearner, {"num_trees": 3, "missing_value_policy": "LOCAL_IMPUTATION"}),
    "boosted": (ydf.GradientBoostedTreesLearner, {"num_trees": 4, "validation_ratio": 0.0, "early_stopping": "NONE"}),
    "no counts": (ydf.RandomForestLearner, {"num_trees": 3, "keep_non_leaf_label_distribution": False}),
    "asks what is missing": (ydf.RandomForestLearner, {"num_trees": 4, "allow_na_conditions": True}),
    "cut before": (ydf.RandomForestLearner, {"num_trees": 4, "discretize_numerical_columns": True}),
}  # fmt: skip

SLOW_ENGINE = ("local", "cut before")
"""Models that its fast engines do not take, or answer for extreme numbers otherwise than its plain one."""


@pytest.mark.parametrize("learner", LEARNERS)
@given(given=tables(), kind=st.sampled_from(["two", "three", "numbers"]))
@SLOW
def test_answers_are_ydfs(learner, given, kind):
    frame, probes, z = given
    y = target_of(kind, z)
    make, parameters = LEARNERS[learner]
    told = make(
        label="y", features=FEATURES, min_examples=3, random_seed=1, num_threads=1, **parameters,
        **(NUMBERS if kind == "numbers" else {}),
    ).train(plain(frame).assign(y=y))  # fmt: skip
    table = tc.read_table(frame.assign(y=y), target="y")
    for found in (tc.read_model(told), tc.read_model(told, table)):
        for rows in (frame, probes):
            answers = told.predict(plain(rows), use_slow_engine=learner in SLOW_ENGINE)
            if kind == "numbers":
                np.testing.assert_allclose(found.predict(rows), answers, rtol=3e-6, atol=1e-6)
                continue
            places = [found.classes.index(name) for name in told.label_classes()]
            answers = np.stack([1 - answers, answers], axis=1) if kind == "two" else answers
            np.testing.assert_allclose(found.predict_proba(rows)[:, places], answers, rtol=2e-6, atol=1e-6)
            known = np.sort(answers, axis=1)
            clear = known[:, -1] > known[:, -2] + 1e-6
            assert (
                found.predict(rows)[clear]
                == told.predict_class(plain(rows), use_slow_engine=learner in SLOW_ENGINE)[clear]
            ).all()


def small(make=ydf.CartLearner, n=200, **parameters):
    rng = np.random.RandomState(0)
    frame = pd.DataFrame({"a": rng.randn(n), "b": rng.randn(n)})
    return make(label="y", **parameters).train(frame.assign(y=np.where(frame.a + frame.b > 0, "yes", "no"))), frame


def test_counts_by_poissons_loss():
    rng = np.random.RandomState(0)
    frame = pd.DataFrame({"a": rng.randn(200), "b": rng.randn(200)})
    learner = ydf.GradientBoostedTreesLearner(label="y", loss="POISSON", num_trees=4, **NUMBERS)
    told = learner.train(frame.assign(y=rng.poisson(np.exp(frame.a)).astype(float)))
    np.testing.assert_allclose(tc.read_model(told).predict(frame), told.predict(frame), rtol=3e-6)


def test_what_a_tree_here_cannot_say_is_refused():
    oblique, frame = small(split_axis="SPARSE_OBLIQUE")
    with pytest.raises(tc.TreecoreError, match="NumericalSparseObliqueCondition"):
        tc.read_model(oblique)
    odd = ydf.IsolationForestLearner(features=["a", "b"]).train(frame)
    with pytest.raises(tc.TreecoreError, match="no reader for this kind of model"):
        tc.read_model(odd)
    with pytest.raises(tc.TreecoreError, match="no reader for this kind of model"):
        tc.read_model(ydf.CartLearner(label="y"))
    ranks = ydf.GradientBoostedTreesLearner(label="y", ranking_group="g", task=ydf.Task.RANKING, num_trees=2)
    told = ranks.train(frame.assign(y=np.arange(200) % 3, g=np.arange(200) // 10))
    with pytest.raises(tc.TreecoreError, match="Its task is ranking"):
        tc.read_model(told)


def node_of(node) -> dict:
    """A node as JSON: the attributes of its value and its condition."""
    about = {} if node.value is None else {"value": {k: v for k, v in vars(node.value).items() if v is not None}}
    if node.is_leaf:
        return about
    asked = {k: list(v) if k == "mask" else v for k, v in vars(node.condition).items()}
    asked = {"kind": type(node.condition).__name__, **asked}
    return about | {"condition": asked, "neg": node_of(node.neg_child), "pos": node_of(node.pos_child)}


def record(name: str, told, rows: pd.DataFrame, kind: str) -> None:
    """A model, rows, and what it says of them."""
    GOLDEN.mkdir(exist_ok=True)
    spec = told.data_spec()
    columns = [
        {
            "name": feature.name, "semantic": feature.semantic.name, "column_idx": feature.column_idx,
            "items": {word: item.index for word, item in spec.columns[feature.column_idx].categorical.items.items()},
        }
        for feature in told.input_features()
    ]  # fmt: skip
    made = {
        "model": told.name(), "task": told.task().name, "columns": columns,
        "label_classes": [] if kind == "numbers" else told.label_classes(),
        "trees": [node_of(tree.root) for tree in told.get_all_trees()],
    }  # fmt: skip
    if hasattr(told, "initial_predictions"):
        lines = told.describe("text").splitlines()
        loss = next(line for line in lines if line.startswith("Loss: "))
        made |= {"describe": loss, "initial_predictions": told.initial_predictions().tolist()}
    else:
        made["winner_takes_all"] = told.winner_takes_all()
    made |= {
        "rows": json.loads(rows.to_json(orient="split", index=False)),
        "answers": told.predict(plain(rows)).tolist(),
    }
    (GOLDEN / f"{name}.json").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main() -> None:
    rng = np.random.RandomState(3)
    n = 120
    frame = pd.DataFrame(rng.randn(n, 2).round(1), columns=["a", "b"])
    frame.loc[rng.rand(n) < 0.2, "a"] = np.nan
    frame["k"] = rng.choice(LEVELS, n)
    frame["t"] = rng.rand(n) < 0.4
    z = np.nan_to_num(frame["a"]) + 2 * (frame["k"] == "u") - frame["b"] + frame["t"] + rng.randn(n) / 2
    rows = frame.head(25).copy()
    rows.loc[[3, 8], "k"] = ["unseen", None]
    for learner in ("cart", "votes", "boosted", "asks what is missing"):
        for kind in ("two", "three", "numbers"):
            make, parameters = LEARNERS[learner]
            task = NUMBERS if kind == "numbers" else {}
            told = make(
                label="y", features=["a", "b", "k", "t"], max_depth=4, num_threads=1, **parameters, **task
            ).train(plain(frame).assign(y=target_of(kind, z)))
            record(f"{kind}-{learner.replace(' ', '-')}", told, rows, kind)


if __name__ == "__main__":
    main()
