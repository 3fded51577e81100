"""The tree as an ONNX graph of plain operators, in float64: the part of each row that comes to every node."""

import hashlib
import json
from importlib.util import find_spec
from typing import Any

import numpy as np

from treecore.data.level_index import level_index
from treecore.export.format import ExportRequest
from treecore.export.portable import UNKNOWN, Portable, PortableNode, PortableQuestion, PortableTerm
from treecore.kernels.codes import SHARED, STAYS
from treecore.tree.leaf_lines import LeafLine

OPSET, ML_OPSET, IR = 18, 2, 9
MOST_NODES = 5000
TREE, DIGEST = "treecore.tree", "treecore.graph"
"""Properties of the model: the tree itself, and the digest of the graph that was made of it."""
MISSING, UNSEEN, FIRST = 0, 1, 2
"""Places of a level's code: a missing value, a level the tree does not know, the first level."""


def to_onnx(given: ExportRequest) -> bytes:
    """A model with an input [n, 1] for every feature that the tree asks for, and the outputs label (text, "" for no
    answer) and shares [n, classes], or value [n]; an output has a "_" behind its name where a feature is called so.

    Numbers are float64, NaN where one is missing; levels are text, "" where one is missing. The tree as JSON is beside
    the graph, so that `read_model` has it whole.
    """
    return _Graph(given).model().SerializeToString()


def why_not_onnx(given: ExportRequest) -> str:
    """Graphs of many thousand operators take a runtime minutes to load; and the package has to be there."""
    if find_spec("onnx") is None:
        return "The package onnx is missing (pip install 'treecore[onnx]')"
    n = given.tree.n_nodes
    return f"{n} nodes are too many for a graph of operators (at most {MOST_NODES})" if n > MOST_NODES else ""


def digest(model: Any) -> str:
    """Of the graph alone, hexadecimal."""
    return hashlib.sha256(model.graph.SerializeToString(deterministic=True)).hexdigest()


class _Graph:
    """Nodes, constants and inputs, as they are added."""

    def __init__(self, given: ExportRequest):
        import onnx

        self.helper, self.types, self.of_array = onnx.helper, onnx.TensorProto, onnx.numpy_helper.from_array
        self.checked = onnx.checker.check_model
        self.tree, self.portable, self.name = given.tree, Portable(given.tree), given.name
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []
        self.made: dict[Any, str] = {}
        self.taken = {feature.name for feature in self.tree.schema.features}

    # building

    def add(self, op: str, *inputs: str, domain: str = "", **attributes) -> str:
        """One operator; its output's name."""
        out = self.free(f"step {len(self.nodes)}")
        self.nodes.append(self.helper.make_node(op, list(inputs), [out], domain=domain, **attributes))
        return out

    def free(self, name: str) -> str:
        """The name, or a longer one where a feature is called so."""
        while name in self.taken:
            name += "_"
        return name

    def constant(self, value) -> str:
        """A constant, each value once."""
        array = np.asarray(value)
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self.made:
            self.made[key] = self.free(f"constant {len(self.constants)}")
            self.constants.append(self.of_array(array, self.made[key]))
        return self.made[key]

    def whole(self, value: int) -> str:
        return self.constant(np.int64(value))

    def model(self):
        ends = self.ends()
        outputs = self.labels(ends) if self.tree.classes else [self.numbers(ends)]
        graph = self.helper.make_graph(self.nodes, "tree", self.inputs, outputs, self.constants)
        opsets = [self.helper.make_opsetid("", OPSET), self.helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
        made = self.helper.make_model(graph, opset_imports=opsets, producer_name="treecore", ir_version=IR)
        made.metadata_props.add(key=TREE, value=json.dumps(self.tree.to_dict(), ensure_ascii=False))
        made.metadata_props.add(key=DIGEST, value=digest(made))
        self.checked(made)
        return made

    # values

    def column(self, feature: int) -> str:
        """The numbers of a feature, or the codes of its levels: [n]."""
        if ("column", feature) not in self.made:
            self.made["column", feature] = self._column(feature)
        return self.made["column", feature]

    def _column(self, feature: int) -> str:
        schema, terms = self.tree.schema.features[feature], self.portable.terms(feature)
        if terms:
            return self.total([self.weighted(term) for term in terms])
        kind = self.types.DOUBLE if schema.by_number else self.types.STRING
        self.inputs.append(self.helper.make_tensor_value_info(schema.name, kind, [None, 1]))
        flat = self.add("Reshape", schema.name, self.constant(np.array([-1], np.int64)))
        if schema.by_number:
            return flat
        unknown, index = MISSING if schema.kind == "ordinal" else UNSEEN, level_index(schema.levels)
        keys = {"": MISSING}
        keys |= {"nan": MISSING, "NaN": MISSING} if index.all_numbers or index.is_boolean else {}
        keys |= {text: FIRST + i for i in range(len(schema.levels)) for text in index.spellings(i)}
        return self.add(
            "LabelEncoder", flat, domain="ai.onnx.ml", keys_strings=list(keys), values_int64s=list(keys.values()),
            default_int64=unknown,
        )  # fmt: skip

    def weighted(self, term: PortableTerm) -> str:
        """float64 [n]: one term of a sum, NaN where its value is missing and nothing stands in for it."""
        value = self.column(term.feature)
        if term.fill is not None:
            value = self.add("Where", self.is_missing(term.feature), self.constant(np.float64(term.fill)), value)
        return self.add("Mul", self.constant(np.float64(term.weight)), value)

    def total(self, parts: list[str]) -> str:
        """float64 [n]: added up one after the other, as the tree does."""
        result = parts[0]
        for part in parts[1:]:
            result = self.add("Add", result, part)
        return result

    def is_missing(self, feature: int) -> str:
        """bool [n]"""
        column = self.column(feature)
        if self.tree.schema.features[feature].by_number:
            return self.add("IsNaN", column)
        return self.add("Equal", column, self.whole(MISSING))

    # branches

    def branch(self, node: PortableNode) -> str:
        """int64 [n]: the branch of every row at a node, STAYS or SHARED."""
        result = self.answered(node.questions[0])
        for question in node.questions[1:]:
            result = self.add("Where", self.is_unknown(result), self.answered(question), result)
        first = node.questions[0].feature
        lost = self.add("Where", self.is_missing(first), self.whole(node.missing), self.whole(node.unseen))
        return self.add("Where", self.is_unknown(result), lost, result)

    def is_unknown(self, found: str) -> str:
        return self.add("Equal", found, self.whole(UNKNOWN))

    def answered(self, question: PortableQuestion) -> str:
        """int64 [n]: the branch that a question knows, UNKNOWN elsewhere."""
        column = self.column(question.feature)
        if not question.by_number:
            to, levels = dict(question.levels), self.tree.schema.features[question.feature].levels
            table = [question.missing, UNKNOWN, *(to.get(level, UNKNOWN) for level in levels)]
            return self.add("Gather", self.constant(np.array(table, np.int64)), column)
        place = None
        for limit, closed in question.limits:
            above = self.add("Greater" if closed else "GreaterOrEqual", column, self.constant(np.float64(limit)))
            above = self.add("Cast", above, to=self.types.INT64)
            place = above if place is None else self.add("Add", place, above)
        if place is None:  # known or missing is all it asks
            known = self.whole(question.branches[0])
        else:
            known = self.add("Gather", self.constant(np.array(question.branches, np.int64)), place)
        return self.add("Where", self.is_missing(question.feature), self.whole(question.missing), known)

    def ends(self) -> dict[int, str]:
        """node -> float64 [n]: the part of every row that ends there."""
        ends: dict[int, Any] = {}
        weight: dict[int, str | None] = {0: None}
        for t in range(self.tree.n_nodes):
            node, here = self.portable.at(t), weight.pop(t)
            if not node.questions:
                ends[t] = here
                continue
            branch = self.branch(node)
            if STAYS in (node.missing, node.unseen):
                ends[t] = self.part(here, branch, STAYS, None)
            shared = SHARED in (node.missing, node.unseen)
            for b, child in enumerate(node.children):
                weight[child] = self.part(here, branch, b, node.shares[b] if shared else None)
        return ends

    def part(self, here: str | None, branch: str, wanted: int, share: float | None) -> str:
        one, none = self.constant(np.float64(1)), self.constant(np.float64(0))
        if share is not None:
            none = self.add(
                "Where", self.add("Equal", branch, self.whole(SHARED)), self.constant(np.float64(share)), none
            )
        part = self.add("Where", self.add("Equal", branch, self.whole(wanted)), one, none)
        return part if here is None else self.add("Mul", here, part)

    # answers

    def stacked(self, ends: dict[int, str]) -> str:
        """float64 [n, ends]"""
        if ends == {0: None}:  # a lone root asks for nothing: an input says how many rows there are
            ends = {0: self._ones()}
        last = self.constant(np.array([1], np.int64))
        return self.add("Concat", *(self.add("Unsqueeze", part, last) for part in ends.values()), axis=1)

    def _ones(self) -> str:
        column = self.column(0)
        return self.add("Where", self.add("Equal", column, column), *[self.constant(np.float64(1))] * 2)

    def silent(self, parts: str, nodes: list[int]) -> str:
        """bool [n]: does some part of the row end where there is no answer?"""
        mute = (self.tree.answer[nodes] < 0).astype(np.float64)
        total = self.add("MatMul", parts, self.constant(mute))
        return self.add("Greater", total, self.constant(np.float64(0)))

    def numbers(self, ends: dict[int, str]):
        nodes, parts = list(ends), self.stacked(ends)
        if self.tree.lines is None:
            value = np.nan_to_num(self.tree.value[nodes]).astype(np.float64)
            mixed = self.add("MatMul", parts, self.constant(value))
        else:
            mixed = self.by_lines(ends)
        told = self.add("Where", self.silent(parts, nodes), self.constant(np.float64("nan")), mixed)
        return self.output(told, "value", self.types.DOUBLE, [None])

    def by_lines(self, ends: dict[int, str | None]) -> str:
        """float64 [n]: the sum of what the line of each node says, of classes the share of the second one by it, times
        the part of the row that ends there."""
        lines = {t: line for t in ends if (line := self.portable.line(t)) is not None}
        parts = []
        for t, line in lines.items():
            said = self.line(line)
            if self.tree.classes:
                said = self.add("Add", self.constant(np.float64(1)), self.add("Exp", self.add("Neg", said)))
                said = self.add("Div", self.constant(np.float64(1)), said)
            parts.append(self.add("Mul", ends[t] or self._ones(), said))
        return self.add("Sum", *parts)

    def line(self, line: LeafLine) -> str:
        """float64 [n], or [1] of a constant: what a line says of every row."""
        result = self.constant(np.array([line.intercept]))
        for term in line.terms:
            value, missing = self.column(term.feature), self.is_missing(term.feature)
            within = self.add("Clip", value, self.constant(np.float64(term.low)), self.constant(np.float64(term.high)))
            value = self.add("Where", missing, self.constant(np.float64(term.fill)), within)
            result = self.add("Add", result, self.add("Mul", self.constant(np.float64(term.coefficient)), value))
        return result

    def labels(self, ends: dict[int, str]) -> list:
        tree, nodes, parts = self.tree, list(ends), self.stacked(ends)
        mute = self.silent(parts, nodes)
        if tree.lines is None:
            shares = self.add("MatMul", parts, self.constant(np.nan_to_num(tree.proba[nodes])))
        else:
            second, last = self.by_lines(ends), self.constant(np.array([1], np.int64))
            first = self.add("Sub", self.constant(np.float64(1)), second)
            shares = self.add("Concat", *(self.add("Unsqueeze", s, last) for s in (first, second)), axis=1)
        cost = shares if tree.loss is None else self.add("Neg", self.add("MatMul", shares, self.constant(tree.loss)))
        mixed = self.add("ArgMax", cost, axis=1, keepdims=0)
        place = mixed if tree.lines is not None else self.own_labels(parts, nodes, mixed)
        place = self.add("Where", mute, self.whole(len(tree.classes)), place)
        classes = self.free("classes")
        names = self.helper.make_tensor(
            classes, self.types.STRING, [len(tree.classes) + 1], [c.encode("utf-8") for c in (*tree.classes, "")]
        )
        self.constants.append(names)
        unknown = self.add("Unsqueeze", mute, self.constant(np.array([1], np.int64)))
        shares = self.add("Where", unknown, self.constant(np.float64("nan")), shares)
        return [
            self.output(self.add("Gather", classes, place), "label", self.types.STRING, [None]),
            self.output(shares, "shares", self.types.DOUBLE, [None, len(tree.classes)]),
        ]

    def own_labels(self, parts: str, nodes: list[int], mixed: str) -> str:
        """int64 [n]: the label of the node where a row ends as a whole; of a shared row that by its mixed shares."""
        own = self.constant(np.maximum(self.tree.value[nodes], 0).astype(np.int64))
        alone = self.add("Gather", own, self.add("ArgMax", parts, axis=1, keepdims=0))
        most = self.add("ReduceMax", parts, self.constant(np.array([1], np.int64)), keepdims=0)
        whole = self.add("Equal", most, self.constant(np.float64(1)))
        return self.add("Where", whole, alone, mixed)

    def output(self, found: str, name: str, kind: int, shape: list):
        name = self.free(name)
        self.nodes.append(self.helper.make_node("Identity", [found], [name]))
        return self.helper.make_tensor_value_info(name, kind, shape)
