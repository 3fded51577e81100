"""The PMML model is read by a plain evaluator of the standard's predicates, against the tree's own answers."""

import json
import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

import treecore as tc
from tests.property.saved_trees import saved
from tests.property.test_code_exports import agree, asked, records
from treecore.export.format import ExportRequest
from treecore.export.pmml import SPACE, to_pmml

COMPARE = {
    "lessThan": lambda a, b: a < b, "lessOrEqual": lambda a, b: a <= b,
    "greaterThan": lambda a, b: a > b, "greaterOrEqual": lambda a, b: a >= b,
}  # fmt: skip


def tag(element) -> str:
    return element.tag.removeprefix(f"{{{SPACE}}}")


def holds(predicate, row: dict) -> bool | None:
    """True, False, or None for unknown, as the standard's tables of truth have it."""
    kind = tag(predicate)
    if kind in ("True", "False"):
        return kind == "True"
    if kind == "CompoundPredicate":
        parts = [holds(part, row) for part in predicate]
        decided = predicate.get("booleanOperator") == "or"
        return decided if decided in parts else None if None in parts else not decided
    value = row[predicate.get("field")]
    if kind == "SimpleSetPredicate":
        # readers differ in escapes, so that there must be none
        words = re.findall(r'"([^"]*)"', predicate[0].text, re.S)
        assert len(words) == int(predicate[0].get("n"))
        assert "\\" not in predicate[0].text
        return None if value is None else (value in words) == (predicate.get("booleanOperator") == "isIn")
    operator = predicate.get("operator")
    if operator in ("isMissing", "isNotMissing"):
        return (value is None) == (operator == "isMissing")
    if operator in ("equal", "notEqual"):
        return None if value is None else (value == predicate.get("value")) == (operator == "equal")
    return None if value is None else COMPARE[operator](value, float(predicate.get("value")))


def ended(node, row: dict):
    """The node where a row ends: the first child whose predicate is true, and so on."""
    while True:
        children = [child for child in node if tag(child) == "Node"]
        through = [child for child in children if holds(child[0], row) is True]
        if not through:
            return node
        node = through[0]


@given(asked())
@settings(max_examples=40)
def test_a_model_answers_as_the_tree_does(made):
    tree, rows = made
    if tc.FORMATS["pmml"].reason(ExportRequest(tree)):
        return
    root = ElementTree.fromstring(to_pmml(ExportRequest(tree, name="<t>")).encode("utf-8"))
    model = root.find(f"{{{SPACE}}}TreeModel")
    strict = {f.get("name"): {v.get("value") for v in f} for f in root.find(f"{{{SPACE}}}DataDictionary")}
    treatment = {f.get("name"): f.get("invalidValueTreatment") for f in model.find(f"{{{SPACE}}}MiningSchema")}
    answers = []
    for row in records(rows):
        for name, value in row.items():
            if treatment.get(name) == "asMissing" and strict[name] and value not in strict[name]:
                row[name] = None
        end = ended(next(part for part in model if tag(part) == "Node"), row)
        score = end.get("score")
        answers.append(score if tree.classes else math.nan if score is None else float(score))
        shares = [float(part.get("probability")) for part in end if tag(part) == "ScoreDistribution"]
        assert not shares or sum(shares) == pytest.approx(1.0)
    agree(tree, rows, answers)


def test_what_xml_or_readers_cannot_hold_is_refused():
    tree = tc.Tree.from_dict(json.loads(saved(0)))
    odd = replace(tree, schema=replace(tree.schema, target="nul\0"))
    with pytest.raises(tc.TreecoreError, match="XML cannot hold"):
        tc.export(odd, "pmml")
    with pytest.raises(tc.TreecoreError, match="shared among branches"):
        tc.export(tc.Tree.from_dict(json.loads(saved(1))), "pmml")
