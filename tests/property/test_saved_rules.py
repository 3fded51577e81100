"""Learned rules as JSON: they come back as they were; changed ones are refused with a reason, or do no harm."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_saved_trees import change, places
from treecore.covering import LEARNERS, Learned, learn_rules
from treecore.data import level_column, numeric_column


@cache
def table() -> tc.Table:
    """Numbers with and without gaps, levels, three classes."""
    random = np.random.default_rng(4)
    n = 80
    x, gaps, size = random.normal(size=n), random.normal(size=n).round(1), random.integers(0, 3, n)
    label = np.where((x < -0.2) & (size == 1), 0, np.where(gaps > 0.3, 1, 2))
    gaps[random.random(n) < 0.2] = np.nan
    columns = (
        numeric_column("x", x), numeric_column("gaps", gaps),
        level_column("size", "nominal", [("S", "M", "L")[s] for s in size], ("S", "M", "L")),
        level_column("y", "nominal", [("in", "on", "out")[k] for k in label], ("in", "on", "out")),
    )  # fmt: skip
    return tc.Table(columns, target="y", features=("x", "gaps", "size"))


@cache
def saved(name: str) -> str:
    return json.dumps(learn_rules(table(), name).to_dict(), allow_nan=False)


def used(learned: Learned) -> list:
    """All that is done with rules."""
    texts = [rule.text for rule in learned.listed.rules]
    figures = [rule.train for rule in learned.listed.rules]
    answers = learned.predict_proba(table()).tolist(), learned.predict(table()).tolist()
    fired, error = learned.listed.fired(table()).tolist(), learned.error(table())
    return [texts, figures, *answers, fired, error, learned.listed.default_text, learned.listed.default_rows]


@pytest.mark.parametrize("name", LEARNERS)
def test_rules_come_back_as_they_were(name):
    learned = learn_rules(table(), name)
    again = Learned.from_dict(json.loads(saved(name)))
    assert len(again.listed) >= 2
    assert used(again) == used(learned)
    assert again.to_dict() == learned.to_dict()


@pytest.mark.parametrize("name", LEARNERS)
@given(data=st.data())
@settings(max_examples=60)
def test_changed_rules_are_refused_or_do_no_harm(name, data):
    changed = json.loads(saved(name))
    for _ in range(data.draw(st.integers(1, 3))):
        part = data.draw(st.sampled_from(["rules"] * 6 + sorted(changed)))
        found = [path for path in places(changed) if path[0] == part]
        if found:
            change(data.draw, changed, data.draw(st.sampled_from(found)))
    try:
        learned = Learned.from_dict(json.loads(json.dumps(changed)))
    except tc.TreecoreError:
        return
    try:
        used(learned)
    except tc.TreecoreError:  # a column that the table lacks
        return
    assert used(Learned.from_dict(learned.to_dict()))[0] == used(learned)[0]


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("rules_version",), 2, "version 2"), (("learner",), "oner", "oner"), (("default",), 3, "from -1 to 2"),
        (("rules", 0, "answer"), -1, "from 0 to 2"), (("rules", 0, "totals"), [1.0], "3 class weights"),
        (("rules", 0, "tests", 0, "feature"), 3, "from 0 to 2"), (("rules", 0, "tests", 0, "sign"), "~", "none of"),
        (("rules", 0, "tests", 0, "share"), 1.5, "no number"), (("cuts",), {"0": [1.0]}, "bins"),
        (("rules",), {}, "no list"), (("tree",), {}, "not a saved tree"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(path, value, told):
    data = json.loads(saved("ripper"))
    *above, key = path
    place = data
    for part in above:
        place = place[part]
    place[key] = value
    with pytest.raises(tc.TreecoreError, match=told):
        Learned.from_dict(data)


def test_a_default_answers_from_weights():
    data = json.loads(saved("prism"))
    assert (data["default"], data["totals"]) == (-1, [])
    with pytest.raises(tc.TreecoreError, match="3 class weights"):
        Learned.from_dict(data | {"default": 1})
