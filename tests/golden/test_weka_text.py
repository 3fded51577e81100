"""J48's printed trees (Weka 3.6.14), and what Weka answers of rows with gaps: see weka/record.py."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.property.mutations import broken, n_refused

FOLDER = Path(__file__).parent / "weka"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
TITLE = "J48 pruned tree\n------------------\n\n"
DIGITS = 0.02
"""How far shares may be off: leaves say their weight to two digits."""


def read(name: str) -> tuple[tc.Tree, pd.DataFrame, dict]:
    told = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return tc.read_model(FOLDER / f"{name}.txt", classes=told["classes"]), pd.DataFrame(told["rows"]), told


@pytest.mark.parametrize("name", NAMES)
def test_it_answers_as_weka_does(name):
    tree, rows, told = read(name)
    asked = [feature.name for feature in tree.schema.features]
    whole = rows[asked].notna().all(axis=1).to_numpy()
    answers, shares = np.array(told["answers"]), np.sort(told["shares"], axis=1)
    assert whole.sum() > 5
    assert (tree.predict(rows)[whole] == answers[whole]).all()
    if len(told["classes"]) == 2:
        np.testing.assert_allclose(tree.predict_proba(rows), told["shares"], atol=DIGITS)
        clear = shares[:, -1] - shares[:, -2] > 2 * DIGITS
        assert (~whole & clear).sum() > 3
        assert (tree.predict(rows)[clear] == answers[clear]).all()


def test_all_kinds_are_there():
    texts = [(FOLDER / f"{name}.txt").read_text("utf-8") for name in NAMES]
    assert len(NAMES) == 6
    for sign in ("J48 pruned", "J48 unpruned", " != ", "x: y", "a <= b", "|   |   |   "):
        assert any(sign in text for text in texts), sign


def test_names_that_hold_operators_are_known_by_the_table():
    rows = pd.DataFrame({"p = q": ["r = s", "t"], "y": ["no", "yes"]})
    text = TITLE + "p = q = r = s: no (1.0)\np = q = t: yes (1.0)\n\nNumber of Leaves  : 2\n"
    tree = tc.read_model(text.encode(), tc.read_table(pd.concat([rows] * 3), target="y"))
    assert tree.predict(rows).tolist() == ["no", "yes"]
    assert tree.n_rows[0] == 6


def test_a_lone_leaf():
    text = TITLE + ": yes (14.0/5.0)\n\nNumber of Leaves  : \t1\n"
    tree = tc.read_model(text.encode(), classes=["no", "yes"])
    assert tree.predict_proba(pd.DataFrame({"a": [1.0]})) == pytest.approx(np.array([[5 / 14, 9 / 14]]))


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ("a <= 1: no (1.0)\n", "no end"),
        ("a <= 1: no (1.0)\na > 2: yes (1.0)\nNumber of Leaves", "of no known kind"),
        ("a <= 1\nNumber of Leaves", "no whole model"),
        ("a <= 1: no (1.0/3.0)\na > 1: yes (1.0)\nNumber of Leaves", "no whole model"),
        ("what is this\nNumber of Leaves", "no test"),
    ],
)
def test_what_is_no_whole_text_is_refused(lines, what):
    with pytest.raises(tc.TreecoreError, match=what):
        tc.read_model(f"{TITLE}{lines}".encode())


def test_a_text_with_wrong_bytes_is_read_or_refused():
    data, (_, rows, _) = (FOLDER / "j48-1.txt").read_bytes(), read("j48-1")
    assert n_refused(broken(data), lambda made: tc.read_model(made).predict(rows)) > 100
