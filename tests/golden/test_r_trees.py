"""Trees of rpart 4.1.19 and partykit 1.2.16, and what R answers of rows with gaps: see r/record.R."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.property.mutations import broken, n_refused

FOLDER = Path(__file__).parent / "r"
NAMES = sorted(path.name.removesuffix(".answers.json") for path in FOLDER.glob("*.answers.json"))


def rows_of(told: dict) -> pd.DataFrame:
    """Numbers, words, and TRUE and FALSE, which R's tables have as words in a file."""
    frame = pd.DataFrame(told["rows"])
    frame["l"] = [None if x is None else str(x).upper() for x in frame["l"]]
    return frame


@pytest.mark.parametrize("name", NAMES)
def test_it_answers_as_r_does(name):
    told = json.loads((FOLDER / f"{name}.answers.json").read_text("utf-8"))
    found = tc.read_model(FOLDER / f"{name}.json")
    rows = rows_of(told)
    if not found.classes:
        np.testing.assert_allclose(found.predict(rows), told["answers"], rtol=1e-15)
        return
    np.testing.assert_allclose(found.predict_proba(rows), told["shares"], rtol=1e-14, atol=1e-16)
    assert found.predict(rows).tolist() == told["answers"]


def test_all_kinds_are_there():
    assert len([name for name in NAMES if name.startswith("rpart")]) == 19
    assert {"ctree-class", "ctree-numbers", "ctree-root", "party-of-rpart", "rpart-priors"} <= set(NAMES)


def test_nodes_have_the_weight_that_r_says():
    tree = tc.read_model(FOLDER / "rpart-priors.json")
    told = json.loads((FOLDER / "rpart-priors.json").read_text("utf-8"))["nodes"]
    assert sorted(tree.cover.tolist()) == sorted(float(node["weight"]) for node in told)
    assert tree.cover[0] == 300


def test_a_tree_that_answers_by_costs_is_refused():
    told = json.loads((FOLDER / "rpart-priors.json").read_text("utf-8"))
    told["nodes"][0] |= {"answer": 0, "shares": [0.2, 0.5, 0.3]}
    with pytest.raises(tc.TreecoreError, match="other classes that are likelier"):
        tc.read_model(json.dumps(told).encode())


@pytest.mark.parametrize("name", ["rpart-class-1-2", "ctree-numbers"])
def test_a_file_with_wrong_bytes_is_read_or_refused(name):
    data = (FOLDER / f"{name}.json").read_bytes()
    rows = rows_of(json.loads((FOLDER / f"{name}.answers.json").read_text("utf-8")))
    assert n_refused(broken(data), lambda made: tc.read_model(made).predict(rows)) > 100
