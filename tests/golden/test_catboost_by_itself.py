"""Models of CatBoost 1.2.10 as JSON, with what it says of some rows itself; tests/catboost_models.py writes them."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.property.mutations import broken, n_refused

FILES = sorted((Path(__file__).parent / "catboost").glob("*.json"))


def rows_of(told: dict) -> pd.DataFrame:
    return pd.DataFrame(told["rows"]["data"], columns=told["rows"]["columns"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_answers_as_catboost_does(path):
    told = json.loads(path.read_text("utf-8"))
    rows, found = rows_of(told), tc.read_model(path)
    np.testing.assert_allclose(found.raw_scores(rows), told["sums"], rtol=1e-13, atol=1e-14)
    if found.classes:
        assert found.predict(rows).tolist() == told["answers"]
    else:
        np.testing.assert_allclose(found.predict(rows), told["answers"], rtol=1e-13)


def test_all_kinds_are_there():
    assert {path.stem for path in FILES} == {
        f"{kind}-{policy}" for kind in ("two", "three", "numbers") for policy in ("symmetrictree", "lossguide")
    }


@pytest.mark.parametrize("path", [p for p in FILES if p.stem.startswith("two")], ids=lambda path: path.stem)
def test_a_file_with_wrong_bytes_is_read_or_refused(path):
    """Bytes changed, cut out, doubled: an error of ours, or a model that answers."""
    told = json.loads(path.read_text("utf-8"))
    rows = rows_of(told)
    data = json.dumps({key: told[key] for key in told if key not in ("rows", "sums", "answers")}).encode()
    assert n_refused(broken(data), lambda made: tc.read_model(made).raw_scores(rows)) > 100


def test_its_binary_files_are_refused_with_the_way_out():
    with pytest.raises(tc.TreecoreError, match="save_model"):
        tc.read_model(b"CBM1" + bytes(100))


def test_a_number_of_a_feature_that_asks_for_much_memory_is_refused():
    path = next(path for path in FILES if path.stem.startswith("numbers"))
    told = json.loads(path.read_text("utf-8"))
    told["features_info"].pop("categorical_features", None)
    for one in told["features_info"]["float_features"]:
        one["feature_id"] = ""
    told["features_info"]["float_features"][-1]["flat_feature_index"] = 300_000
    with pytest.raises(tc.TreecoreError, match="at most 262,144 are read"):
        tc.read_model(told)
