"""Hoeffding trees of river 0.26.1 as tables of their nodes, with what it answers; tests/river_models.py writes them."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.property.mutations import altered, n_refused

FILES = sorted((Path(__file__).parent / "river").glob("*.json"))


class Hoeffding:
    """What river's trees say of themselves, out of a record."""

    def __init__(self, told: dict):
        self.told, self.leaf_prediction = told, told["leaf_prediction"]
        self.summary = {"total_observed_weight": told["total_observed_weight"]}
        self.classes = set(told["classes"]) if "classes" in told else set()

    def to_dataframe(self):
        rows = [dict(row) for row in self.told["nodes"]]
        for row in rows:
            if "_mapping" in row:
                row["_mapping"] = dict(row["_mapping"])
            if "mean" in row["stats"]:
                mean = SimpleNamespace(get=lambda told=row["stats"]: told["mean"], n=row["stats"]["n"])
                row["stats"] = SimpleNamespace(mean=mean)
        return pd.DataFrame.from_records(rows)


def model_of(told: dict):
    return type(told["model"], (Hoeffding,), {"__module__": "river.tree"})(told)


def rows_of(told: dict) -> pd.DataFrame:
    return pd.DataFrame(told["rows"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_answers_as_river_does(path):
    told = json.loads(path.read_text("utf-8"))
    found = tc.read_model(model_of(told))
    assert (found.predict(rows_of(told)) == told["answers"]).all()
    if found.classes:
        assert found.classes == tuple(told["classes"])
        assert (found.predict_proba(rows_of(told)) == np.array(told["shares"])).all()


def test_all_kinds_are_there():
    kinds = ("classes", "classes-fast", "numbers")
    assert {path.stem for path in FILES} == {f"{kind}-{ways}" for kind in kinds for ways in ("binary", "several")}


@pytest.mark.parametrize("name", ["classes-several", "numbers-several"])
def test_a_model_with_odd_values_is_read_or_refused(name):
    """Values of any kind in any place: an error of ours, or a model that answers."""
    told = json.loads((Path(__file__).parent / "river" / f"{name}.json").read_text("utf-8"))
    rows = rows_of(told)
    told = {key: value for key, value in told.items() if key not in ("rows", "answers", "shares", "model")}
    name = "HoeffdingTreeClassifier" if name.startswith("classes") else "HoeffdingTreeRegressor"

    def use(made):
        try:
            model = model_of(made | {"model": name})
        except (TypeError, ValueError):  # the stand-in, before the reader
            raise tc.TreecoreError("no model", where="record", remedy="") from None
        tc.read_model(model).predict(rows)

    assert n_refused(altered(told), use) > 100
