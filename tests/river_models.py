"""Hoeffding trees of river read as ours: the same answers and classes, whatever is missing or unseen.

river is no dependency, so that the suite does not collect this:

uv run --with river==0.26.1 pytest -n 0 tests/river_models.py

`python -m tests.river_models` writes the records that the suite reads, tests/golden/river.
"""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river import forest, tree

import treecore as tc

GOLDEN = Path(__file__).parent / "golden" / "river"
SLOW = settings(max_examples=8)
LEVELS = ["u", "v", "w & co", "x"]
SPLITTERS = {
    "gaussian": tree.splitter.GaussianSplitter(), "all values": tree.splitter.ExhaustiveSplitter(),
    "histogram": tree.splitter.HistogramSplitter(),
}  # fmt: skip


@st.composite
def tables(draw):
    """(rows with gaps, ties, numbers and words, another draw of them with unseen words, numbers)."""
    rng = np.random.RandomState(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(80, 400))
    frames = []
    for levels in (LEVELS, [*LEVELS, "unseen"]):
        frame = pd.DataFrame(rng.randn(n, 2).round(draw(st.integers(0, 3))), columns=["a", "b"])
        frame["k"] = rng.choice(levels, n)
        frames.append(frame.mask(rng.rand(n, 3) < draw(st.sampled_from([0, 0.1]))))
    z = np.nan_to_num(frames[0]["a"]) + 2 * (frames[0]["k"] == "u") + rng.randn(n) / 2
    return frames[0], frames[1], z.to_numpy()


def dicts(rows: pd.DataFrame) -> list[dict]:
    """Rows as river takes them: without what is missing."""
    return [
        {k: v for k, v in row.items() if isinstance(v, str) or (v is not None and not math.isnan(v))}
        for row in rows.to_dict("records")
    ]


def learned(model, rows: pd.DataFrame, y):
    for x, value in zip(dicts(rows), y, strict=True):
        model.learn_one(x, value)
    return model


def shares(model, rows: pd.DataFrame) -> np.ndarray:
    return np.array([list(model.predict_proba_one(x).values()) for x in dicts(rows)])


@pytest.mark.parametrize("make", [tree.HoeffdingTreeClassifier, tree.ExtremelyFastDecisionTreeClassifier])
@given(given=tables(), binary=st.booleans(), splitter=st.sampled_from(list(SPLITTERS)), n=st.sampled_from([2, 3]))
@SLOW
def test_classes_are_rivers(make, given, binary, splitter, n):
    frame, probes, z = given
    y = np.array(["low", "middle", "high"])[np.digitize(z, [0.5, 1.5][: n - 1])].tolist()
    model = make(
        grace_period=10, delta=0.3, tau=0.5, leaf_prediction="mc", binary_split=binary, splitter=SPLITTERS[splitter]
    )
    told = learned(model, frame, y)
    table = tc.read_table(frame.assign(y=y), target="y")
    for found in (tc.read_model(told), tc.read_model(told, table)):
        places = [found.classes.index(name) for name in sorted(model.classes)]
        for rows in (frame, probes):
            assert (found.predict_proba(rows)[:, places] == shares(told, rows)).all()
            assert (found.predict(rows) == [told.predict_one(x) for x in dicts(rows)]).all()


@given(given=tables(), binary=st.booleans(), slots=st.booleans())
@SLOW
def test_numbers_are_rivers(given, binary, slots):
    frame, probes, z = given
    splitter = tree.splitter.QOSplitter(radius=0.3, allow_multiway_splits=True) if slots else None
    model = tree.HoeffdingTreeRegressor(
        grace_period=10, delta=0.3, tau=0.5, leaf_prediction="mean", binary_split=binary, splitter=splitter
    )
    z = np.sin(3 * np.nan_to_num(frame["a"])) + z / 9 if slots else z  # so that intervals come off well
    told = learned(model, frame, z)
    for found in (tc.read_model(told), tc.read_model(told, tc.read_table(frame.assign(y=z), target="y"))):
        for rows in (frame, probes):
            assert (found.predict(rows) == [told.predict_one(x) for x in dicts(rows)]).all()


def test_what_a_tree_here_cannot_say_is_refused():
    with pytest.raises(tc.TreecoreError, match="leaves hold models of their own"):
        tc.read_model(tree.HoeffdingTreeClassifier())
    with pytest.raises(tc.TreecoreError, match="leaves hold models of their own"):
        tc.read_model(tree.HoeffdingTreeRegressor())
    with pytest.raises(tc.TreecoreError, match="learned nothing"):
        tc.read_model(tree.HoeffdingTreeClassifier(leaf_prediction="mc"))
    for model in (tree.HoeffdingAdaptiveTreeClassifier(), tree.SGTClassifier(), forest.ARFClassifier()):
        with pytest.raises(tc.TreecoreError, match="no reader for this model of river"):
            tc.read_model(model)


def test_a_lone_leaf():
    model = learned(tree.HoeffdingTreeClassifier(leaf_prediction="mc"), pd.DataFrame({"a": [1.0, 2, 3]}), list("nny"))
    assert tc.read_model(model).proba.tolist() == [[2 / 3, 1 / 3]]


def record(name: str, model, rows: pd.DataFrame) -> None:
    """The table of its nodes, rows, and what it says of them."""
    GOLDEN.mkdir(exist_ok=True)
    kept = ("parent", "is_leaf", "feature", "threshold", "value", "radius", "_mapping", "stats")
    nodes = []
    for row in model.to_dataframe().to_dict("records"):
        row = {k: v for k, v in row.items() if k in kept and not (isinstance(v, float) and math.isnan(v))}
        row["parent"] = None if row["parent"] is pd.NA else row["parent"]
        row["_mapping"] = [[k, v] for k, v in row["_mapping"].items()] if "_mapping" in row else None
        if hasattr(row["stats"], "mean"):
            row["stats"] = {"mean": row["stats"].mean.get(), "n": row["stats"].mean.n}
        nodes.append({k: v for k, v in row.items() if v is not None})
    made = {
        "model": type(model).__name__, "leaf_prediction": model.leaf_prediction,
        "total_observed_weight": model.summary["total_observed_weight"], "nodes": nodes,
    }  # fmt: skip
    if hasattr(model, "classes"):
        made |= {"classes": sorted(model.classes), "shares": shares(model, rows).tolist()}
    made |= {"rows": dicts(rows), "answers": [model.predict_one(x) for x in dicts(rows)]}
    (GOLDEN / f"{name}.json").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main() -> None:
    rng = np.random.RandomState(3)
    n = 600
    frame = pd.DataFrame(rng.randn(n, 2).round(1), columns=["a", "b"]).assign(k=rng.choice(LEVELS, n))
    frame = frame.mask(rng.rand(n, 3) < 0.1)
    z = (np.nan_to_num(frame["a"]) + 2 * (frame["k"] == "u") + rng.randn(n) / 3).tolist()
    y = np.array(["low", "middle", "high"])[np.digitize(z, [0.5, 1.5])].tolist()
    rows = frame.head(25).copy()
    rows.loc[[3, 8], "k"] = "unseen"
    how = {"grace_period": 30, "delta": 0.1, "tau": 0.3}
    for binary in (False, True):
        kind = "binary" if binary else "several"
        by = {"leaf_prediction": "mc", "binary_split": binary, **how}
        record(f"classes-{kind}", learned(tree.HoeffdingTreeClassifier(**by), frame, y), rows)
        record(f"classes-fast-{kind}", learned(tree.ExtremelyFastDecisionTreeClassifier(**by), frame, y), rows)
        splitter = None if binary else tree.splitter.QOSplitter(radius=0.3, allow_multiway_splits=True)
        by |= {"leaf_prediction": "mean", "splitter": splitter}
        numbers = z if binary else (np.sin(3 * np.nan_to_num(frame["a"])) + np.array(z) / 9).tolist()
        record(f"numbers-{kind}", learned(tree.HoeffdingTreeRegressor(**by), frame, numbers), rows)


if __name__ == "__main__":
    main()
