"""Trees of ONNX read as ours: the answers of onnxruntime, for all modes of nodes and what operators make of leaves."""

from itertools import count

import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

import treecore as tc
from tests.property.mutations import broken

SLOW = settings(max_examples=30)
BY_SIZE = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT")
BY_VALUE = ("BRANCH_EQ", "BRANCH_NEQ")
NUMBERS = (0.0, -0.0, 1.0, 1.5, -2.25, 1e-40, 3e38, 1 + 2**-24, 0.1, -1e30)
KINDS = ("sum", "average", "shares", "softmax", "two", "two shares")
MEMBER = 6


def drawn_tree(rng, depth, modes=BY_SIZE + BY_VALUE):
    """Nested (feature, mode, value, tracks, yes, no), or None at a leaf; of feature 2 categories are compared."""
    if depth == 0 or rng.rand() < 0.2:
        return None
    f = rng.randint(3)
    mode = BY_VALUE[rng.randint(2)] if f == 2 else BY_SIZE[rng.randint(4)]
    if f == 2 and MEMBER in modes and rng.rand() < 0.5:
        mode = MEMBER
    value = float(rng.randint(0, 4)) if f == 2 else float(np.float32(rng.choice([round(rng.randn(), 1), *NUMBERS])))
    below = (drawn_tree(rng, depth - 1, modes), drawn_tree(rng, depth - 1, modes))
    return (f, mode, value, int(rng.rand() < 0.5), *below)


def listed(tree, numbers):
    """Nodes in the order they are met, with numbers of their own: (number, node, yes, no)."""
    found = []

    def add(node):
        number = next(numbers)
        place = len(found)
        found.append([number, node, 0, 0])
        if node is not None:
            found[place][2:] = [add(node[4]), add(node[5])]
        return number

    add(tree)
    return found


def leaf_weights(rng, kind, n_trees):
    """{target: weight} of a leaf."""
    if kind == "shares":
        shares = rng.dirichlet([1, 1, 1]) / n_trees
        return dict(enumerate(shares.tolist()))
    if kind == "softmax":
        return {k: float(rng.randn()) for k in range(3)}
    if kind == "two shares":
        return {0: float(rng.rand()) / n_trees}
    return {0: float(rng.randn())}


def model(rng, kind, wide, n_trees):
    """A graph of one operator of the first versions."""
    lists = {name: [] for name in ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids",
                                   "missing_value_tracks_true")}  # fmt: skip
    leaves = []
    for t in range(n_trees):
        numbers = count()  # as the runtime wants them
        for number, node, yes, no in listed(drawn_tree(rng, 3), numbers):
            f, mode, value, tracks = node[:4] if node else (0, "LEAF", 0.0, 0)
            for name, cell in zip(lists, (t, number, f, mode, value, yes, no, tracks), strict=True):
                lists[name].append(cell)
            if node is None:
                leaves += [(t, number, k, w) for k, w in leaf_weights(rng, kind, n_trees).items()]
    of_classes = kind in ("shares", "softmax", "two", "two shares")
    part, word = ("class", "TreeEnsembleClassifier") if of_classes else ("target", "TreeEnsembleRegressor")
    names = ("treeids", "nodeids", "ids", "weights")
    more = {f"{part}_{name}": list(cells) for name, cells in zip(names, zip(*leaves, strict=True), strict=True)}
    values = lists.pop("values")
    given = {f"nodes_{name}": cells for name, cells in lists.items()} | {"nodes_values": values} | more
    if wide:  # numbers of 64 bits stand in tensors
        for name in ("nodes_values", f"{part}_weights"):
            cells = given.pop(name)
            given[f"{name}_as_tensor"] = helper.make_tensor(name, TensorProto.DOUBLE, [len(cells)], cells)
    given["post_transform"] = {"softmax": "SOFTMAX", "two": "LOGISTIC"}.get(kind, "NONE")
    if of_classes:
        given["classlabels_int64s"] = [0, 1] if kind.startswith("two") else [0, 1, 2]
    else:
        given |= {"n_targets": 1, "aggregate_function": "AVERAGE" if kind == "average" else "SUM"}
    if kind in ("sum", "two") and not wide and rng.rand() < 0.5:
        given["base_values"] = [float(rng.randn())]
    outputs = ["label", "shares"] if of_classes else ["value"]
    node = helper.make_node(word, ["x"], outputs, domain="ai.onnx.ml", **given)
    return graph(node, outputs, TensorProto.DOUBLE if wide else TensorProto.FLOAT, 3)


def graph(node, outputs, kind, version):
    known = {"label": TensorProto.INT64}
    made = helper.make_graph(
        [node], "trees", [helper.make_tensor_value_info("x", kind, [None, 3])],
        [helper.make_tensor_value_info(name, known.get(name, TensorProto.FLOAT if version < 5 else kind), None)
         for name in outputs],
    )  # fmt: skip
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", version)]
    return helper.make_model(made, opset_imports=opsets, ir_version=9).SerializeToString()


def rows_of(rng, wide):
    X = rng.randn(60, 3).round(1)
    odd = rng.rand(60, 2) < 0.4
    X[:, :2][odd] = rng.choice(NUMBERS, odd.sum())
    X[:, 2] = rng.randint(-1, 5, 60)
    X[rng.rand(60, 3) < 0.15] = np.nan
    return X if wide else X.astype(np.float32)


def run(data, X):
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    return dict(zip([out.name for out in session.get_outputs()], session.run(None, {"x": X}), strict=True))


def read(data, **more):
    found = tc.read_model(data, **more)
    return found, found if isinstance(found, tc.Tree) else found.trees[0]


def is_positive(data):
    given = {a.name: helper.get_attribute_value(a) for a in onnx.load_model_from_string(data).graph.node[0].attribute}
    weights = given.get("class_weights") or onnx.numpy_helper.to_array(given["class_weights_as_tensor"])
    return min(weights) >= 0


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 2**32 - 1), wide=st.booleans(), n_trees=st.integers(1, 4))
@SLOW
def test_answers_are_those_of_the_runtime(kind, seed, wide, n_trees):
    rng = np.random.RandomState(seed)
    data, X = model(rng, kind, wide, n_trees), rows_of(rng, wide)
    told = run(data, X)
    if kind == "two" and is_positive(data):  # of which runtimes think differently
        with pytest.raises(tc.TreecoreError, match="are all positive"):
            read(data)
        return
    found, one = read(data)
    frame = pd.DataFrame(X.astype(float), columns=[feature.name for feature in one.schema.features])
    rows = frame if isinstance(found, tc.Tree) else tc.read_table(frame)
    close = {"rtol": 2e-6, "atol": 2e-6}
    if not found.classes:
        np.testing.assert_allclose(found.predict(rows), told["value"].ravel(), **close)
        return
    np.testing.assert_allclose(found.predict_proba(rows), told["shares"], **close)
    sure = np.abs(np.diff(np.sort(told["shares"], axis=1)[:, -2:])).ravel() > 1e-5
    assert (found.predict(rows).astype(int) == told["label"])[sure].all()


def of_version_5(rng, wide):
    """A graph of the operator of the fifth version, a sum, with sets of members; some trees are a leaf alone."""
    kind = TensorProto.DOUBLE if wide else TensorProto.FLOAT
    codes = {"BRANCH_LEQ": 0, "BRANCH_LT": 1, "BRANCH_GTE": 2, "BRANCH_GT": 3, "BRANCH_EQ": 4, "BRANCH_NEQ": 5}
    nodes, leaves, sets, roots = [], [], [], []

    def leaf():
        leaves.append(float(np.float32(rng.randn())))
        return 1, len(leaves) - 1

    def add(node):
        if node is None:
            return leaf()
        f, mode, value, tracks, yes, no = node
        place = len(nodes)
        nodes.append([f, MEMBER if mode == MEMBER else codes[mode], value, tracks])
        if mode == MEMBER:
            sets.append((place, rng.choice(5, rng.randint(1, 4), replace=False).astype(float).tolist()))
        nodes[place] += [*add(yes), *add(no)]
        return 0, place

    for _ in range(3):
        tree = drawn_tree(rng, 3, modes=(MEMBER,))
        if tree is None:
            one = leaf()
            roots.append(len(nodes))
            nodes.append([0, 0, 0.0, 0, *one, *one])
        else:
            roots.append(add(tree)[1])
    f, mode, value, tracks, yes_leaf, yes, no_leaf, no = map(list, zip(*nodes, strict=True))
    members = [x for _, part in sorted(sets) for x in (*part, float("nan"))]
    tensor = lambda name, cells, kind: helper.make_tensor(name, kind, [len(cells)], cells)  # noqa: E731
    more = {"membership_values": tensor("m", members, kind)} if members else {}
    node = helper.make_node(
        "TreeEnsemble", ["x"], ["value"], domain="ai.onnx.ml", n_targets=1, aggregate_function=1, post_transform=0,
        tree_roots=roots, nodes_featureids=f, nodes_modes=tensor("modes", mode, TensorProto.UINT8),
        nodes_splits=tensor("splits", value, kind), nodes_truenodeids=yes, nodes_falsenodeids=no,
        nodes_trueleafs=yes_leaf, nodes_falseleafs=no_leaf, nodes_missing_value_tracks_true=tracks,
        leaf_targetids=[0] * len(leaves), leaf_weights=tensor("weights", leaves, kind), **more,
    )  # fmt: skip
    return graph(node, ["value"], kind, 5)


@given(seed=st.integers(0, 2**32 - 1), wide=st.booleans())
@settings(SLOW, max_examples=60)
def test_the_fifth_version_with_sets_of_members(seed, wide):
    rng = np.random.RandomState(seed)
    data, X = of_version_5(rng, wide), rows_of(rng, wide)
    told = run(data, X)["value"].ravel()
    found, one = read(data)
    frame = pd.DataFrame(X.astype(float), columns=[feature.name for feature in one.schema.features])
    np.testing.assert_allclose(found.predict(tc.read_table(frame)), told, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("make", [lambda rng: model(rng, "shares", False, 2), lambda rng: of_version_5(rng, True)])
def test_a_file_with_wrong_bytes_is_read_or_refused(make):
    refused = 0
    for data in broken(make(np.random.RandomState(5))):
        try:
            tc.read_model(data)
        except tc.TreecoreError:
            refused += 1
    assert refused > 100


def test_features_have_the_names_of_their_inputs_or_of_the_table():
    data = onnx.load_model_from_string(model(np.random.RandomState(3), "sum", False, 2))
    table = tc.read_table(
        pd.DataFrame({"p": [1.5, 2.25], "q": [3.5, 1.25], "r": [0.5, 1.5], "y": [1.5, 2.5]}), target="y"
    )
    assert [f.name for f in tc.read_model(data, table).trees[0].schema.features] == ["p", "q", "r"]
    tensor = data.graph.input.pop()
    for name in ("age", "income", "job"):
        data.graph.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, 1]))
    data.graph.node.insert(0, helper.make_node("Concat", ["age", "income", "job"], [tensor.name], axis=1))
    found = tc.read_model(data.SerializeToString())
    assert [f.name for f in found.trees[0].schema.features] == ["age", "income", "job"]


def changed(make):
    data = onnx.load_model_from_string(model(np.random.RandomState(3), "sum", False, 2))
    make(data.graph)
    return data.SerializeToString()


def attribute(graph, name):
    return next(a for a in graph.node[0].attribute if a.name == name)


def away(graph):
    """A tensor that lies in a file of this machine."""
    tensor = helper.make_tensor("v", TensorProto.FLOAT, [1], [1.0])
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/hostname")
    graph.node[0].attribute.append(helper.make_attribute("nodes_values_as_tensor", tensor))


def first_twice(graph):
    attribute(graph, "nodes_nodeids").ints[1] = attribute(graph, "nodes_nodeids").ints[0]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda g: g.node.append(helper.make_node("Exp", ["value"], ["e"])), "has the operator Exp"),
        (lambda g: g.node.append(g.node[0]), "has 2 operators with trees"),
        (lambda g: g.node[0].__setattr__("op_type", "TreeEnsembleOfOthers"), "has 0 operators with trees"),
        (lambda g: attribute(g, "post_transform").__setattr__("s", b"PROBIT"), "no PROBIT here"),
        (lambda g: attribute(g, "post_transform").__setattr__("s", b"LOGISTIC"), "others leave it as it is"),
        (lambda g: attribute(g, "aggregate_function").__setattr__("s", b"MAX"), "the max of its trees"),
        (lambda g: attribute(g, "n_targets").__setattr__("i", 3), "answers with 3 numbers at once"),
        (first_twice, "no whole model"),
        (away, "lies in another file"),
    ],
)  # fmt: skip
def test_what_a_graph_says_and_we_cannot_is_refused(change, what):
    with pytest.raises(tc.TreecoreError) as fault:
        tc.read_model(changed(change))
    assert what in fault.value.what
    assert fault.value.remedy
