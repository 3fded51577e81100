"""Trees of PMML read as ours: our own export comes back bit for bit, and documents with predicates of all kinds answer
as a plain evaluator of the standard does.
"""

import math
from xml.sax.saxutils import quoteattr

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.mutations import broken
from tests.property.test_code_exports import asked
from treecore.export.format import ExportRequest
from treecore.export.pmml import to_pmml, why_not_pmml

SLOW = settings(max_examples=60)
LEVELS = ("u", "v", 'w "x"', "a\\b")
STRATEGIES = ("none", "lastPrediction", "nullPrediction", "defaultChild")
OTHERWISE = ("returnNullPrediction", "returnLastPrediction")


@given(asked())
@settings(max_examples=60)
def test_our_own_export_comes_back_bit_for_bit(made):
    tree, rows = made
    if (
        why_not_pmml(ExportRequest(tree))
        or tree.loss is not None
        or len(set(tree.classes)) == 1
        or tree.lines is not None
    ):
        return
    found = tc.read_model(to_pmml(ExportRequest(tree)).encode())
    pd.testing.assert_series_equal(pd.Series(found.predict(rows)), pd.Series(tree.predict(rows)))
    if tree.classes:
        np.testing.assert_allclose(found.predict_proba(rows), tree.predict_proba(rows), rtol=0, atol=1e-15)
        assert found.classes == tree.classes


# documents of all kinds, and what the standard says of them


def drawn_predicate(rng, depth=2):
    kind = rng.choice(["number", "level", "set", "missing", "joined", "true"], p=[0.35, 0.15, 0.15, 0.1, 0.2, 0.05])
    if kind == "joined" and depth:
        operator = str(rng.choice(["and", "or", "xor", "surrogate"]))
        return operator, [drawn_predicate(rng, depth - 1) for _ in range(rng.randint(2, 4))]
    if kind == "missing":
        return "isMissing" if rng.rand() < 0.5 else "isNotMissing", str(rng.choice(["a", "b", "k"]))
    if kind == "level":
        return str(rng.choice(["equal", "notEqual"])), "k", str(rng.choice(LEVELS))
    if kind == "set":
        some = rng.choice(len(LEVELS), rng.randint(1, 4), replace=False)
        return str(rng.choice(["isIn", "isNotIn"])), "k", [LEVELS[i] for i in some]
    if kind == "true":
        return (str(bool(rng.rand() < 0.5)),)
    operators = ["lessThan", "lessOrEqual", "greaterThan", "greaterOrEqual", "equal", "notEqual"]
    return str(rng.choice(operators)), str(rng.choice(["a", "b"])), float(rng.choice([-1.0, 0.0, 0.5, 2.0]))


def drawn_node(rng, depth, counter):
    node = {"id": str(next(counter)), "score": float(rng.randn()) if rng.rand() < 0.8 or not depth else None}
    node["children"], node["default"] = [], None
    if depth and rng.rand() < 0.85:
        for _ in range(rng.randint(2, 4)):
            node["children"].append((drawn_predicate(rng), drawn_node(rng, depth - 1, counter)))
        node["default"] = int(rng.randint(len(node["children"])))
    return node


def written(predicate) -> str:
    kind = predicate[0]
    if kind in ("True", "False"):
        return f"<{kind}/>"
    if kind in ("and", "or", "xor", "surrogate"):
        parts = "".join(map(written, predicate[1]))
        return f'<CompoundPredicate booleanOperator="{kind}">{parts}</CompoundPredicate>'
    if kind in ("isIn", "isNotIn"):
        words = " ".join('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in predicate[2])
        array = f'<Array type="string" n="{len(predicate[2])}">{words}</Array>'
        return f'<SimpleSetPredicate field="{predicate[1]}" booleanOperator="{kind}">{array}</SimpleSetPredicate>'
    value = f" value={quoteattr(str(predicate[2]))}" if len(predicate) > 2 else ""
    return f'<SimplePredicate field="{predicate[1]}" operator="{kind}"{value}/>'


def written_node(node, predicate=("True",)) -> str:
    more = "" if node["score"] is None else f' score="{node["score"]!r}"'
    more += "" if node["default"] is None else f' defaultChild="{node["children"][node["default"]][1]["id"]}"'
    below = "".join(written_node(child, p) for p, child in node["children"])
    return f'<Node id="{node["id"]}"{more}>{written(predicate)}{below}</Node>'


def document(node, strategy, otherwise) -> bytes:
    values = "".join(f"<Value value={quoteattr(text)}/>" for text in LEVELS)
    fields = "".join(f'<DataField name="{name}" optype="continuous" dataType="double"/>' for name in "aby")
    return (
        f'<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><DataDictionary>{fields}'
        f'<DataField name="k" optype="categorical" dataType="string">{values}</DataField></DataDictionary>'
        f'<TreeModel functionName="regression" missingValueStrategy="{strategy}" noTrueChildStrategy="{otherwise}">'
        '<MiningSchema><MiningField name="a"/><MiningField name="b"/><MiningField name="k" '
        f'invalidValueTreatment="asIs"/><MiningField name="y" usageType="target"/></MiningSchema>{written_node(node)}'
        "</TreeModel></PMML>"
    ).encode()


COMPARE = {
    "lessThan": lambda a, b: a < b, "lessOrEqual": lambda a, b: a <= b, "greaterThan": lambda a, b: a > b,
    "greaterOrEqual": lambda a, b: a >= b, "equal": lambda a, b: a == b, "notEqual": lambda a, b: a != b,
    "isIn": lambda a, b: a in b, "isNotIn": lambda a, b: a not in b,
}  # fmt: skip


def holds(predicate, row):
    """True, False, or None for unknown, by the tables of truth of the standard."""
    kind = predicate[0]
    if kind in ("True", "False"):
        return kind == "True"
    if kind in ("and", "or", "xor", "surrogate"):
        parts = [holds(part, row) for part in predicate[1]]
        if kind == "surrogate":
            return next((part for part in parts if part is not None), None)
        if kind == "xor":
            return None if None in parts else sum(parts) % 2 == 1
        decided = kind == "or"
        return decided if decided in parts else None if None in parts else not decided
    value = row[predicate[1]]
    if kind in ("isMissing", "isNotMissing"):
        return (value is None) == (kind == "isMissing")
    return None if value is None else COMPARE[kind](value, predicate[2])


def answer(node, row, strategy, otherwise):
    while node["children"]:
        for predicate, child in node["children"]:
            held = holds(predicate, row)
            if held:
                node = child
                break
            if held is None and strategy != "none":
                if strategy != "defaultChild":
                    return node["score"] if strategy == "lastPrediction" else None
                node = node["children"][node["default"]][1]
                break
        else:
            return node["score"] if otherwise == "returnLastPrediction" else None
    return node["score"]


@given(seed=st.integers(0, 2**32 - 1), strategy=st.sampled_from(STRATEGIES), otherwise=st.sampled_from(OTHERWISE))
@settings(SLOW, max_examples=300)
def test_documents_answer_as_the_standard_says(seed, strategy, otherwise):
    rng = np.random.RandomState(seed)
    node = drawn_node(rng, 2, iter(range(1000)))
    found = tc.read_model(document(node, strategy, otherwise))
    numbers = [-2.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0, 3.0, None, 1e300, -0.0]
    rows = pd.DataFrame({
        "a": rng.choice(numbers, 150), "b": rng.choice(numbers, 150), "k": rng.choice([*LEVELS, "unseen", None], 150),
    })  # fmt: skip
    told = [
        answer(node, {k: None if v is None or v != v else v for k, v in row.items()}, strategy, otherwise)
        for row in rows.to_dict("records")
    ]
    frame = rows.astype({"a": float, "b": float})
    np.testing.assert_array_equal(found.predict(frame), [math.nan if score is None else score for score in told])


def small(**more):
    frame = pd.DataFrame({"a": [0.5, 1.5, 2.5, 3.5] * 5, "k": ["u", "v", "u", "w"] * 5, "y": ["p", "q", "p", "q"] * 5})
    return tc.read_table(frame, target="y"), tc.grow(tc.read_table(frame, target="y"), "cart", **more)


def test_a_file_with_wrong_bytes_is_read_or_refused():
    _, tree = small()
    refused = 0
    odd = [b"9999999999", b"nan", b"<", b"&amp;", b'"', b"<!DOCTYPE a>", b"&lol;", b"</Node>"]
    for data in broken(tc.export(tree, "pmml").encode(), odd=odd):
        try:
            tc.read_model(data)
        except tc.TreecoreError:
            refused += 1
    assert refused > 100


LAUGHS = '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;&b;">]>'
AWAY = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("declared", [LAUGHS, AWAY, '<!DOCTYPE a SYSTEM "http://example.org/a.dtd">'])
def test_entities_and_document_types_are_refused(declared):
    with pytest.raises(tc.TreecoreError, match="declares a document type or entities"):
        tc.read_model(f'<?xml version="1.0"?>{declared}<PMML/>'.encode())


def test_elements_nested_too_deep_are_refused():
    with pytest.raises(tc.TreecoreError, match="nested too deep"):
        tc.read_model(b"<PMML>" + b"<Node>" * 100_000)


def changed(*pairs) -> bytes:
    text = tc.export(small()[1], "pmml")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text.encode()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (('missingValueStrategy="none"', 'missingValueStrategy="weightedConfidence"'), "answers by weightedConfidence"),
        (("TreeModel", "RuleSetModel"), "It has a RuleSetModel"),
        (('functionName="classification"', 'functionName="clustering"'), "It is for clustering"),
        (('booleanOperator="or"', 'booleanOperator="perhaps"'), "no whole model"),
    ],
)
def test_what_a_document_says_and_we_cannot_is_refused(change, what):
    with pytest.raises(tc.TreecoreError) as fault:
        tc.read_model(changed(change))
    assert what in fault.value.what
    assert fault.value.remedy


def test_beside_a_table_its_rows_are_counted_and_everything_can_be_cut():
    table, tree = small()
    found = tc.read_model(tc.export(tree, "pmml").encode(), table)
    assert found.n_rows[0] == 20
    assert found.cover[0] == 20
    assert (found.predict(table) == tree.predict(table)).all()
    assert found.cut(tc.prune(found, "cost_complexity", alpha=1.0)).n_leaves == 1


def forest(method, weights=(1, 2)):
    texts = [tc.export(small(max_depth=depth)[1], "pmml") for depth in (1, 3)]
    models = [text[text.index("<TreeModel") : text.index("</TreeModel>") + len("</TreeModel>")] for text in texts]
    segments = "".join(
        f'<Segment weight="{w}"><True/>{model}</Segment>' for w, model in zip(weights, models, strict=True)
    )
    head, schema = texts[1][: texts[1].index("<TreeModel")], models[1]
    schema = schema[schema.index("<MiningSchema>") : schema.index("</MiningSchema>") + len("</MiningSchema>")]
    return (
        f'{head}<MiningModel functionName="classification">{schema}'
        f'<Segmentation multipleModelMethod="{method}">{segments}</Segmentation></MiningModel></PMML>'
    ).encode()


@pytest.mark.parametrize("method", ["average", "weightedAverage", "majorityVote", "weightedMajorityVote"])
def test_trees_that_answer_together(method):
    table, _ = small()
    one, two = (small(max_depth=depth)[1] for depth in (1, 3))
    weights = (1, 2) if method.startswith("weighted") else (1, 1)
    shares = [tree.predict_proba(table) for tree in (one, two)]
    if "Vote" in method:
        shares = [np.eye(2)[part.argmax(axis=1)] for part in shares]
    wanted = sum(w * part for w, part in zip(weights, shares, strict=True)) / sum(weights)
    np.testing.assert_allclose(tc.read_model(forest(method)).predict_proba(table), wanted, atol=1e-15)


def test_other_ways_to_answer_together_are_refused():
    with pytest.raises(tc.TreecoreError, match="answer together by selectFirst"):
        tc.read_model(forest("selectFirst"))
