"""The ONNX graph is run against the tree's own answers."""

import json
from dataclasses import replace

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from hypothesis import given, settings

import treecore as tc
from tests.property.saved_trees import saved
from tests.property.test_code_exports import agree, asked
from treecore.export.format import ExportRequest
from treecore.export.onnx_model import to_onnx


def run(model: bytes, rows: pd.DataFrame) -> dict:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    given = {}
    for wanted in session.get_inputs():
        column = rows[wanted.name]
        text = column.dtype.kind == "O" or wanted.type == "tensor(string)"
        cells = column.where(column.notna(), "").astype(str).to_numpy(object) if text else column.to_numpy(np.float64)
        given[wanted.name] = cells.reshape(-1, 1)
    return dict(zip([out.name for out in session.get_outputs()], session.run(None, given), strict=True))


@given(asked())
@settings(max_examples=40)
def test_a_graph_answers_as_the_tree_does(made):
    tree, rows = made
    if tc.FORMATS["onnx"].reason(ExportRequest(tree)):
        return
    written = to_onnx(ExportRequest(tree))
    back = tc.read_model(written)
    np.testing.assert_array_equal(back.predict(rows), tree.predict(rows))
    if tree.classes:
        np.testing.assert_array_equal(back.predict_proba(rows), tree.predict_proba(rows))
    found = run(written, rows)
    if not tree.classes:
        agree(tree, rows, found["value"].tolist())
        return
    agree(tree, rows, [label or None for label in found["label"].tolist()])
    np.testing.assert_allclose(found["shares"], tree.predict_proba(rows), atol=1e-12)


def test_a_graph_that_was_changed_is_not_taken_for_its_tree():
    import onnx

    model = onnx.load_model_from_string(tc.export(tc.Tree.from_dict(json.loads(saved(0))), "onnx"))
    assert isinstance(tc.read_model(model), tc.Tree)
    model.graph.node[0].name = "another"
    with pytest.raises(tc.TreecoreError, match="graph was changed"):
        tc.read_model(model.SerializeToString())


def test_features_may_be_called_as_parts_of_the_graph():
    tree = tc.Tree.from_dict(json.loads(saved(0)))
    names = ("label", "step 0", "constant 0", "classes", "shares")
    features = tuple(replace(f, name=name) for f, name in zip(tree.schema.features, names, strict=True))
    rows = pd.DataFrame({"label": [0.1, 5.0], "step 0": ["x1=0", "x1=2"], "constant 0": [1.0, 2.0],
                         "classes": ["x3=0", "x3=4"], "shares": ["x4=0", "x4=1"]})  # fmt: skip
    named = replace(tree, schema=replace(tree.schema, features=features))
    assert run(to_onnx(ExportRequest(named)), rows)["label_"].tolist() == named.predict(rows).tolist()


def test_a_lone_root_answers_for_every_row():
    tree = tc.Tree.from_dict(json.loads(saved(12)))
    rows = pd.DataFrame({"x0": [1.0, np.nan, 3.0]})
    assert tree.n_nodes == 1
    found = run(tc.export(tree, "onnx"), rows)
    assert found["label"].tolist() == [tree.classes[tree.value[0]]] * 3


def test_without_the_package_the_remedy_is_told(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(tc.TreecoreError, match="pip install"):
        tc.export(tc.Tree.from_dict(json.loads(saved(0))), "onnx")
