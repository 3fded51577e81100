"""Names of classes are labels: texts for people have them, answers and code the values."""

import json

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.unit.exported_page import data_of
from treecore.predicting.answer_frame import answers
from treecore.recipe import Data, Grow, Recipe
from treecore.tree.tree import Tree

NAMES = {"0": "stayed", "1": "churned"}
HOSTILE = {"1": "<b>$x$|`1`</b>"}
TEXTS = ("rules", "rules_markdown", "rules_latex", "svg", "dot")
CODE = ("python", "javascript", "sql", "pmml", "excel")


@pytest.fixture(scope="module")
def tree():
    x = np.arange(60)
    return tc.grow(tc.read_table(pd.DataFrame({"x": x, "y": (x > 45).astype(int)}), target="y"), "cart")


def test_texts_have_the_names_and_code_has_the_values(tree):
    named = tree.with_class_names(NAMES)
    assert named.node(0).predicted == "stayed"
    for name in TEXTS:
        text = tc.export(named, name)
        text = text.decode() if isinstance(text, bytes) else text
        assert "churned" in text, name
    for name in CODE:
        assert tc.export(named, name).replace("then stayed", "then 0").replace("then churned", "then 1") == tc.export(
            tree, name
        ), name
    assert named.predict(pd.DataFrame({"x": [3, 50]})).tolist() == ["0", "1"]
    assert answers(named, pd.DataFrame({"x": [50]}))["answer"].tolist() == ["1"]


def test_the_html_page_says_the_names(tree):
    text = tc.export(tree.with_class_names(NAMES), "html")
    assert 'const NAMES = ["stayed", "churned"]' in text.replace('","', '", "')
    said = data_of(text)["SAID"]
    assert {node["predicted"] for node in said} == {"stayed", "churned"}


def test_hostile_names_are_escaped(tree):
    named = tree.with_class_names(HOSTILE)
    assert "<b>" not in tc.export(named, "svg").decode()
    assert "<b>" not in tc.export(named, "html").split('id="tree">')[1].split("</script>")[0]
    assert "<b>" not in tc.export(named, "rules_markdown").replace("\\<b\\>", "").replace("\\<", "")


def test_they_are_saved_with_the_tree_and_in_a_recipe(tree):
    named = tree.with_class_names(NAMES)
    assert Tree.from_dict(json.loads(json.dumps(named.to_dict()))).class_names == ("stayed", "churned")
    assert "class_names" not in tree.to_dict()["schema"]
    table = tc.read_table(pd.DataFrame({"x": range(60), "y": [int(i > 45) for i in range(60)]}), target="y")
    recipe = Recipe((Data(target="y", class_names=tuple(NAMES.items())), Grow()))
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    assert tc.fit(table, again).tree.class_names == ("stayed", "churned")
    assert tc.fit(table, again).tree.cut(tc.fit(table, again).cuts).class_names == ("stayed", "churned")


@pytest.mark.parametrize("names", [{"1": "0"}, {"1": "x", "0": "x"}, {"1": " "}, {"2": "two"}])
def test_a_name_that_could_be_another_class_is_refused(tree, names):
    with pytest.raises(tc.TreecoreError):
        tree.with_class_names(names)


def test_the_class_of_interest_is_found_by_value_and_by_name(tree):
    named = tree.with_class_names(NAMES)
    assert "churned" in tc.export(named, "rules", interest="1")
    assert tc.export(named, "rules", interest="1") == tc.export(named, "rules", interest="churned")
    assert "25.0" not in tc.export(named, "rules", interest="stayed")
