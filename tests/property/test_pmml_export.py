"""The PMML model is read by a plain evaluator of the standard's predicates, against the tree's own answers."""

import json
import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

import treecore as tc
from tests.property.saved_trees import MAKES, saved
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


def number(expression, row: dict) -> float | None:
    """What an expression comes to, None where it is missing."""
    if tag(expression) == "Constant":
        return float(expression.text)
    if tag(expression) == "FieldRef":
        return row[expression.get("field")]
    parts = [number(part, row) for part in expression]
    match expression.get("function"):
        case "isMissing":
            return parts[0] is None
        case "if":
            return parts[1] if parts[0] else parts[2]
        case "max" | "min" as function:
            return {"max": max, "min": min}[function](part for part in parts if part is not None)
    raise AssertionError(expression.get("function"))


def regressed(segments, node: float, row: dict) -> float:
    """What the first regression says that is for the node; NaN where there is none."""
    for segment in segments:
        if float(segment[0].get("value")) == node:
            model = segment[1]
            taken = {part.get("name") for part in model[0]}
            derived = {part.get("name"): number(part[0], row) for part in model.iter(f"{{{SPACE}}}DerivedField")}
            assert {part.get("field") for part in model.iter(f"{{{SPACE}}}FieldRef")} <= taken
            table = model.find(f"{{{SPACE}}}RegressionTable")
            return float(table.get("intercept")) + sum(
                float(part.get("coefficient")) * derived[part.get("name")] for part in table
            )
    return math.nan


@given(asked())
@settings(max_examples=40)
def test_a_model_answers_as_the_tree_does(made):
    tree, rows = made
    if tc.FORMATS["pmml"].reason(ExportRequest(tree)):
        return
    root = ElementTree.fromstring(to_pmml(ExportRequest(tree, name="<t>")).encode("utf-8"))
    model = next(root.iter(f"{{{SPACE}}}TreeModel"))
    chain = root.find(f"{{{SPACE}}}MiningModel")
    assert (chain is None) == (tree.lines is None)
    strict = {f.get("name"): {v.get("value") for v in f} for f in root.find(f"{{{SPACE}}}DataDictionary")}
    treatment = {f.get("name"): f.get("invalidValueTreatment") for f in model.find(f"{{{SPACE}}}MiningSchema")}
    answers = []
    for row in records(rows):
        for name, value in row.items():
            if treatment.get(name) == "asMissing" and strict[name] and value not in strict[name]:
                row[name] = None
        end = ended(next(part for part in model if tag(part) == "Node"), row)
        score = end.get("score")
        if chain is not None:
            _, lines = chain.find(f"{{{SPACE}}}Segmentation")
            said = regressed(lines[1].find(f"{{{SPACE}}}Segmentation"), float(score), row)
            if tree.classes:
                second, first = (t.get("targetCategory") for t in next(lines.iter(f"{{{SPACE}}}RegressionModel"))[-2:])
                assert (first, second) == tree.classes
                said = None if math.isnan(said) else second if said > 0 else first
            answers.append(said)
            continue
        answers.append(score if tree.classes else math.nan if score is None else float(score))
        shares = [float(part.get("probability")) for part in end if tag(part) == "ScoreDistribution"]
        assert not shares or sum(shares) == pytest.approx(1.0)
    agree(tree, rows, answers)


def test_the_field_that_says_the_node_is_none_of_the_table():
    """Rows that stop at a node without an answer have none, and derived fields have names of their own."""
    of_numbers = [
        make for make, (_, n_classes, settings) in enumerate(MAKES) if "leaf_model" in settings and not n_classes
    ]
    tree = tc.Tree.from_dict(json.loads(saved(of_numbers[-1])))
    assert tree.lines is not None
    names = ["node", "node_ in node 1", *(f"x{i}" for i in range(9))][: len(tree.schema.features)]
    features = tuple(replace(f, name=name) for f, name in zip(tree.schema.features, names, strict=True))
    text = to_pmml(ExportRequest(replace(tree, schema=replace(tree.schema, features=features))))
    root = ElementTree.fromstring(text)
    made = [
        part.get("name")
        for kind in ("DataField", "DerivedField", "OutputField")
        for part in root.iter(f"{{{SPACE}}}{kind}")
    ]
    assert len({*made}) == len(made)


def test_what_xml_or_readers_cannot_hold_is_refused():
    tree = tc.Tree.from_dict(json.loads(saved(0)))
    odd = replace(tree, schema=replace(tree.schema, target="nul\0"))
    with pytest.raises(tc.TreecoreError, match="XML cannot hold"):
        tc.export(odd, "pmml")
    with pytest.raises(tc.TreecoreError, match="shared among branches"):
        tc.export(tc.Tree.from_dict(json.loads(saved(1))), "pmml")


def test_lines_of_log_odds_are_the_logit_of_the_second_class_where_errors_cost_alike():
    makes = [make for make, (_, n, growth) in enumerate(MAKES) if "leaf_model" in growth and n == 2]
    trees = [tc.Tree.from_dict(json.loads(saved(make))) for make in makes]
    written = [tree for tree in trees if not tc.FORMATS["pmml"].reason(ExportRequest(tree))]
    assert written
    for tree in trees:
        if tree.loss is not None:
            assert "whatever errors cost" in tc.FORMATS["pmml"].reason(ExportRequest(tree))
    for tree in written:
        root = ElementTree.fromstring(to_pmml(ExportRequest(tree)).encode("utf-8"))
        models = [*root.iter(f"{{{SPACE}}}RegressionModel")]
        assert {model.get("normalizationMethod") for model in models} == {"logit"}
        assert {model.get("functionName") for model in models} == {"classification"}
        assert next(root.iter(f"{{{SPACE}}}TreeModel")).get("functionName") == "regression"
        told = [field.get("value") for field in root.iter(f"{{{SPACE}}}OutputField") if field.get("value")]
        assert tuple(told) == tree.classes
