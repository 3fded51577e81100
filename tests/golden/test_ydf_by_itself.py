"""Models of YDF 0.16.1 as its objects say them, with what it answers of some rows; tests/ydf_models.py writes them."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.property.mutations import altered, n_refused

FILES = sorted((Path(__file__).parent / "ydf").glob("*.json"))


class Model:
    """What YDF's models say of themselves, out of a record."""

    def __init__(self, told: dict):
        self.told = told
        for name in ("label_classes", "initial_predictions", "winner_takes_all"):
            setattr(self, name, lambda name=name: told[name])

    def name(self):
        return self.told["model"]

    def task(self):
        return SimpleNamespace(name=self.told["task"])

    def describe(self, how):
        return self.told["describe"]

    def input_features(self):
        return [
            SimpleNamespace(name=c["name"], column_idx=c["column_idx"], semantic=SimpleNamespace(name=c["semantic"]))
            for c in self.told["columns"]
        ]

    def data_spec(self):
        columns = {}
        for told in self.told["columns"]:
            items = {word: SimpleNamespace(index=k) for word, k in told["items"].items()}
            about = SimpleNamespace(is_already_integerized=False, number_of_unique_values=len(items), items=items)
            columns[told["column_idx"]] = SimpleNamespace(categorical=about)
        return SimpleNamespace(columns=columns)

    def num_trees(self):
        return len(self.told["trees"])

    def get_tree(self, i):
        return SimpleNamespace(root=node_of(self.told["trees"][i]))


Model.__module__ = "ydf.model"


def node_of(told: dict) -> SimpleNamespace:
    value = SimpleNamespace(**told["value"]) if "value" in told else None
    if "condition" not in told:
        return SimpleNamespace(is_leaf=True, value=value)
    asked = dict(told["condition"])
    condition = type(asked.pop("kind"), (SimpleNamespace,), {})(**asked)
    return SimpleNamespace(
        is_leaf=False, value=value, condition=condition, pos_child=node_of(told["pos"]), neg_child=node_of(told["neg"])
    )


def rows_of(told: dict) -> pd.DataFrame:
    return pd.DataFrame(told["rows"]["data"], columns=told["rows"]["columns"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_answers_as_ydf_does(path):
    told = json.loads(path.read_text("utf-8"))
    found, answers = tc.read_model(Model(told)), np.array(told["answers"])
    if not found.classes:
        np.testing.assert_allclose(found.predict(rows_of(told)), answers, rtol=2e-6)
        return
    answers = np.stack([1 - answers, answers], axis=1) if answers.ndim == 1 else answers
    np.testing.assert_allclose(found.predict_proba(rows_of(told)), answers, rtol=2e-6, atol=1e-6)


def test_all_kinds_are_there():
    kinds = {f"{kind}-{model}" for kind in ("two", "three", "numbers")
             for model in ("cart", "votes", "boosted", "asks-what-is-missing")}  # fmt: skip
    assert {path.stem for path in FILES} == kinds


def test_a_lone_tree_is_a_tree_with_the_weights_of_its_nodes():
    told = json.loads((Path(__file__).parent / "ydf" / "three-cart.json").read_text("utf-8"))
    tree = tc.read_model(Model(told))
    assert isinstance(tree, tc.Tree)
    assert tree.cover[0] == told["trees"][0]["value"]["num_examples"]
    assert tree.schema.features[2].levels == tuple(
        sorted(told["columns"][2]["items"], key=told["columns"][2]["items"].get)[1:]
    )


@pytest.mark.parametrize("name", ["three-cart", "two-boosted"])
def test_a_model_with_odd_values_is_read_or_refused(name):
    """Values of any kind in any place: an error of ours, or a model that answers."""
    told = json.loads((Path(__file__).parent / "ydf" / f"{name}.json").read_text("utf-8"))
    rows = rows_of(told)
    told = {key: value for key, value in told.items() if key not in ("rows", "answers")}
    assert n_refused(altered(told), lambda made: tc.read_model(Model(made)).predict(rows)) > 100
