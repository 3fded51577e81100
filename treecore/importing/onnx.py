"""Trees of ONNX: TreeEnsembleClassifier, TreeEnsembleRegressor and TreeEnsemble, where they are all that a graph does;
and models that treecore wrote, which carry their tree beside a graph of plain operators.

A row goes the true way where its value stands to the node's as the mode says, in the numbers of the graph's input; a
missing value does so nowhere but for !=, and at nodes that say that it does. What leaves hold is added up, and put
through the operator's own transform.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.data.level_index import label_of
from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.ensembles.imported import Averaged, SummedTrees
from treecore.errors import TreecoreError
from treecore.export.onnx_model import DIGEST, TREE, digest
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing import own_json
from treecore.importing.model_source import MOST_NODES, ModelSource, fault_texts, unreadable, unsaid
from treecore.importing.model_tree import (
    BinaryNodes,
    class_labels,
    counted,
    counted_outputs,
    feature_names,
    known_levels,
    numbered_classes,
    target_name,
    tree_of,
)
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.tree import Tree

OPERATORS = ("TreeEnsembleClassifier", "TreeEnsembleRegressor", "TreeEnsemble")
AFTER = ("Identity", "Cast", "ZipMap", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "ArgMax", "ArrayFeatureExtractor")
"""Operators behind the trees that change how answers are written, not what they are."""
LEQ, LT, GTE, GT, EQ, NEQ, MEMBER, LEAF = range(8)
MODES = {
    b"BRANCH_LEQ": LEQ, b"BRANCH_LT": LT, b"BRANCH_GTE": GTE, b"BRANCH_GT": GT, b"BRANCH_EQ": EQ, b"BRANCH_NEQ": NEQ,
    b"LEAF": LEAF,
}  # fmt: skip
TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")
AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
FLOAT, INT32, INT64, DOUBLE = 1, 6, 7, 11
"""Kinds of tensors that trees are asked with; whole numbers are compared in 32 bits."""
MOST_NUMBERS = 100_000_000
"""Of all leaves together."""
EXACT = 2**24
"""Whole numbers up to it are the same in 32 bits."""
ONE = 1e-5
"""How far shares of 32 bits may be from adding up to 1."""


def is_mine(source: ModelSource) -> bool:
    if source.given is not None:
        return any(kind.__module__.startswith("onnx.") for kind in type(source.given).__mro__)
    if source.name.lower().endswith(".onnx"):
        return True
    return source.head[:1] == b"\x08" and (b"TreeEnsemble" in source.content or TREE.encode() in source.content)


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Ensemble:
    model = _model(source)
    graph, carried = model.graph, {part.key: part.value for part in model.metadata_props}
    if TREE in carried:
        if carried.get(DIGEST) != digest(model):
            remedy = "Export the tree again, or read the JSON of it"
            raise unreadable(source, "Its graph was changed, and is no longer that of the tree it carries", remedy)
        return own_json.read(ModelSource(data=carried[TREE].encode("utf-8"), name=source.name), table, classes)
    with fault_texts(source):
        node, asked = _only_trees(graph)
        given = {attribute.name: _value(attribute) for attribute in node.attribute}
        forest = _of_version_5(given) if node.op_type == "TreeEnsemble" else _of_lists(given)
        return _made(node.op_type, given, forest, asked, table, classes)


def _model(source: ModelSource) -> Any:
    if source.given is not None:
        return source.given
    try:
        from onnx import load_model_from_string
    except ImportError:
        remedy = "Install it: pip install 'treecore[onnx]'"
        raise TreecoreError("Files of ONNX are read by the package onnx", where=source.name, remedy=remedy) from None
    try:
        return load_model_from_string(source.data)
    except Exception:  # protobuf's own class of error
        raise unreadable(source, "It is no whole ONNX model") from None


# the graph


@dataclass(frozen=True)
class TreeInputs:
    """What the trees are asked with. names : of the features, None where they are columns of one tensor. n : how many
    there are, None where the graph does not say. kind : of the tensor."""

    names: tuple[str, ...] | None
    n: int | None
    kind: int


def _only_trees(graph: Any) -> tuple[Any, TreeInputs]:
    """(the operator that has the trees, what it is asked with); TreecoreError where the graph does anything else."""
    result = [node for node in graph.node if node.op_type in OPERATORS]
    if len(result) != 1:
        what = f"The graph has {len(result)} operators with trees, not one"
        raise unsaid("graph", what, f"Convert a model of trees alone; known are {', '.join(OPERATORS)}")
    made_by = {name: node for node in graph.node for name in node.output}
    before: set[int] = set()
    asked = _asked(result[0].input[0], {tensor.name: tensor for tensor in graph.input}, made_by, before)
    for node in graph.node:
        if node is not result[0] and id(node) not in before and node.op_type not in AFTER:
            raise _another(node)
    return result[0], asked


def _asked(name: str, inputs: Mapping, made_by: Mapping, before: set[int]) -> TreeInputs:
    kind, parts = None, [name]
    while len(parts) == 1 and parts[0] not in inputs:
        node = made_by.get(parts[0])
        if node is None or id(node) in before:
            raise ValueError("what the trees are asked with is not there")
        before.add(id(node))
        if node.op_type == "Cast" and kind is None:
            kind = next(attribute.i for attribute in node.attribute if attribute.name == "to")
        elif node.op_type not in ("Cast", "Identity", "Concat"):
            raise _another(node)
        parts = list(node.input)
    tensors = [inputs[part].type.tensor_type for part in parts]
    own = {tensor.elem_type for tensor in tensors}
    if not own <= {FLOAT, INT32, INT64, DOUBLE} or len(own) != 1:
        raise unsaid("graph", "The trees are asked with other things than numbers", "Convert a model of numbers alone")
    kind = FLOAT if FLOAT in own else kind or own.pop()  # what comes in 32 bits stays so
    if kind not in (FLOAT, INT32, INT64, DOUBLE):
        raise unsaid("graph", "Numbers are made shorter than 32 bits", "Convert the model in 32 or 64 bits")
    wide = [tensor.shape.dim[-1].dim_value if len(tensor.shape.dim) else 0 for tensor in tensors]
    if len(parts) > 1:
        if set(wide) != {1}:
            raise unsaid("graph", "It puts tensors of several columns together", "Convert it with one input")
        return TreeInputs(tuple(parts), len(parts), kind)
    return TreeInputs(None, wide[0] or None, kind)


def _another(node: Any) -> TreecoreError:
    what = f"The graph does more than its trees: it has the operator {str(node.op_type)[:40]}"
    return unsaid("graph", what, "Convert the model of trees alone, without what comes before or behind it")


def _value(attribute: Any) -> Any:
    """float64 or int64 arrays, lists of bytes, or what stands alone."""
    kind = attribute.type
    if kind == attribute.TENSOR:
        from onnx import numpy_helper

        if attribute.t.data_location != 0 or len(attribute.t.external_data):
            raise ValueError("a tensor lies in another file, which is not opened")
        return numpy_helper.to_array(attribute.t)
    if kind == attribute.FLOATS:
        return np.array(attribute.floats, np.float64)
    if kind == attribute.INTS:
        return np.array(attribute.ints, np.int64)
    if kind == attribute.STRINGS:
        return list(attribute.strings)
    return {attribute.FLOAT: attribute.f, attribute.INT: attribute.i, attribute.STRING: attribute.s}.get(kind)


# all trees in columns


@dataclass(frozen=True)
class Forest:
    """All nodes of all trees.

    roots : int64. yes, no : int64, the children, -1 at a leaf. feature, mode : int64. value : float64. tracks : bool,
    does a missing value go the true way? members : node -> values, of mode MEMBER. at, target, weight : parallel, which
    leaf adds how much to which target.
    """

    roots: np.ndarray
    yes: np.ndarray
    no: np.ndarray
    feature: np.ndarray
    mode: np.ndarray
    value: np.ndarray
    tracks: np.ndarray
    at: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    members: Mapping[int, np.ndarray]

    def __post_init__(self):
        n = len(self.mode)
        if n > MOST_NODES:
            raise unsaid("trees", f"They have more than {MOST_NODES:,} nodes together", "Train fewer or smaller trees")
        if any(len(column) != n for column in (self.yes, self.no, self.feature, self.value, self.tracks)):
            raise ValueError("nodes are not told alike")
        if not len(self.at) == len(self.target) == len(self.weight) or (self.target < 0).any():
            raise ValueError("leaves are not told alike")
        if ((self.at < 0) | (self.at >= n)).any() or not len(self.roots):
            raise ValueError("a leaf or a root is not there")
        if np.isnan(self.value[self.mode < EQ]).any() or not np.isfinite(self.weight).all():
            raise ValueError("a number is none")

    def by_tree(self) -> list[np.ndarray]:
        """The nodes of each tree, its root first. ValueError where a node is in two, or in one twice."""
        n, level, owner = len(self.mode), self.roots, np.full(len(self.mode), -1)
        whose, parts = np.arange(len(level)), []
        while len(level):
            if ((level < 0) | (level >= n)).any() or len(np.unique(level)) < len(level) or (owner[level] >= 0).any():
                raise ValueError("nodes are no tree")
            owner[level] = whose
            parts.append(level)
            inner = self.mode[level] != LEAF
            level, whose = np.concatenate([self.yes[level[inner]], self.no[level[inner]]]), np.tile(whose[inner], 2)
        order = np.concatenate(parts)
        order = order[np.argsort(owner[order], kind="stable")]
        return np.split(order, np.cumsum(np.bincount(owner[order], minlength=len(self.roots)))[:-1])


def _of_lists(given: Mapping) -> Forest:
    """Of the operators whose nodes and leaves are named by numbers of their trees."""
    ids = {name: np.asarray(given[f"nodes_{name}"], np.int64) for name in (
        "treeids", "nodeids", "truenodeids", "falsenodeids", "featureids",
    )}  # fmt: skip
    kind = "class" if "class_ids" in given else "target"
    mode = np.array([MODES[name] for name in given["nodes_modes"]], np.int64)
    n, inner = len(mode), mode != LEAF
    if any(len(column) != n for column in ids.values()):
        raise ValueError("nodes are not told alike")
    leaf_tree, leaf_node = (np.asarray(given[f"{kind}_{name}"], np.int64) for name in ("treeids", "nodeids"))
    place = _Places(ids["treeids"], ids["nodeids"])
    yes = np.where(inner, place.of(ids["treeids"], ids["truenodeids"]), -1)
    no = np.where(inner, place.of(ids["treeids"], ids["falsenodeids"]), -1)
    if ((yes < 0) | (no < 0))[inner].any():
        raise ValueError("a branch leads nowhere")
    roots = np.setdiff1d(np.arange(n), np.concatenate([yes[inner], no[inner]]))
    if len(np.unique(ids["treeids"])) != len(roots):
        raise ValueError("a tree has not one root")
    return Forest(
        roots=roots[np.argsort(ids["treeids"][roots], kind="stable")], yes=yes, no=no, feature=ids["featureids"],
        mode=mode, value=_numbers(given, "nodes_values", n), tracks=_flags(given, n),
        at=place.of(leaf_tree, leaf_node), target=np.asarray(given[f"{kind}_ids"], np.int64),
        weight=_numbers(given, f"{kind}_weights", len(leaf_node)), members={},
    )  # fmt: skip


class _Places:
    """Where a node stands, by the numbers of its tree and of itself in it."""

    def __init__(self, trees: np.ndarray, nodes: np.ndarray):
        self.trees, self.nodes = np.unique(trees), np.unique(nodes)
        key = self._key(trees, nodes)
        self.order = np.argsort(key, kind="stable")
        self.known = key[self.order]
        if len(np.unique(key)) < len(key):
            raise ValueError("two nodes of a tree have one number")

    def _key(self, trees: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        tree, node = np.searchsorted(self.trees, trees), np.searchsorted(self.nodes, nodes)
        tree, node = np.minimum(tree, len(self.trees) - 1), np.minimum(node, len(self.nodes) - 1)
        known = (self.trees[tree] == trees) & (self.nodes[node] == nodes)
        return np.where(known, tree * len(self.nodes) + node, -1)

    def of(self, trees: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """int64; -1 of what is not there."""
        key = self._key(trees, nodes)
        at = np.minimum(np.searchsorted(self.known, key), len(self.known) - 1)
        return np.where(self.known[at] == key, self.order[at], -1)


def _numbers(given: Mapping, name: str, n: int) -> np.ndarray:
    result = given.get(f"{name}_as_tensor", given.get(name))
    if result is None or len(result) == 0:
        result = np.zeros(n)
    return np.asarray(result, np.float64)


def _flags(given: Mapping, n: int) -> np.ndarray:
    result = given.get("nodes_missing_value_tracks_true", ())
    return np.asarray(result, np.int64) != 0 if len(result) else np.zeros(n, bool)


def _of_version_5(given: Mapping) -> Forest:
    """Of the operator of the fifth version, whose leaves are apart; a leaf that two branches share becomes two."""
    mode = np.asarray(given["nodes_modes"], np.int64)
    n = len(mode)
    if ((mode < 0) | (mode >= LEAF)).any():
        raise ValueError("a mode is none")
    columns = {name: np.asarray(given[f"nodes_{name}"], np.int64) for name in (
        "truenodeids", "falsenodeids", "trueleafs", "falseleafs", "featureids",
    )}  # fmt: skip
    if any(len(column) != n for column in columns.values()):
        raise ValueError("nodes are not told alike")
    targets, weights = np.asarray(given["leaf_targetids"], np.int64), np.asarray(given["leaf_weights"], np.float64)
    ways, at, leaf = [], [], []
    for side, (name, ends) in enumerate((("truenodeids", "trueleafs"), ("falsenodeids", "falseleafs"))):
        to, is_leaf = columns[name], columns[ends] != 0
        ways.append(np.where(is_leaf, n + side * n + np.arange(n), to))
        at.append(n + side * n + np.flatnonzero(is_leaf))
        leaf.append(to[is_leaf])
    at, leaf = np.concatenate(at), np.concatenate(leaf)
    if ((leaf < 0) | (leaf >= len(targets))).any():
        raise ValueError("a leaf is not there")
    none, away = np.full(2 * n, -1), np.full(2 * n, LEAF)
    values = np.asarray(given["nodes_splits"], np.float64)
    return Forest(
        roots=np.asarray(given["tree_roots"], np.int64), yes=np.concatenate([ways[0], none]),
        no=np.concatenate([ways[1], none]), feature=np.concatenate([columns["featureids"], none]),
        mode=np.concatenate([mode, away]), value=np.concatenate([values, np.zeros(2 * n)]),
        tracks=np.concatenate([_flags(given, n), np.zeros(2 * n, bool)]), at=at, target=targets[leaf],
        weight=weights[leaf], members=_members(given, mode),
    )  # fmt: skip


def _members(given: Mapping, mode: np.ndarray) -> dict[int, np.ndarray]:
    """node -> its set; sets stand in the order of their nodes, a NaN behind each."""
    nodes = np.flatnonzero(mode == MEMBER)
    values = np.asarray(given.get("membership_values", ()), np.float64)
    sets = np.split(values, np.flatnonzero(np.isnan(values)) + 1)
    if len(sets) < len(nodes):
        raise ValueError("a set is missing")
    return {int(i): part[~np.isnan(part)] for i, part in zip(nodes, sets, strict=False)}


# the model


def _made(
    operator: str, given: Mapping, forest: Forest, asked: TreeInputs, table: Table | None, classes: tuple | None
) -> Tree | Ensemble:
    transform, aggregate = _words(given)
    nodes = forest.by_tree()
    if aggregate in ("MIN", "MAX") and len(nodes) > 1:
        raise unsaid(
            "aggregate_function", f"It answers with the {aggregate.lower()} of its trees", "Have them added up"
        )
    labels = _labels(operator, given, table, classes)
    schema = _schema(forest, nodes, asked, labels, table)
    k = len(labels) or int(given.get("n_targets", 1))
    if not labels and k != 1:
        what = f"It answers with {k} numbers at once"
        raise unsaid("n_targets", what, "If they are classes, name them; else convert one model per target")
    if len(forest.target) and int(forest.target.max()) >= max(k, 1):
        raise ValueError("a leaf adds to what is not there")
    if len(forest.mode) * k > MOST_NUMBERS:
        raise unsaid("trees", f"Their leaves have more than {MOST_NUMBERS:,} numbers", "Train fewer or smaller trees")
    added = np.zeros((len(forest.mode), k))
    np.add.at(added, (forest.at, forest.target), forest.weight)
    base = np.asarray(given.get("base_values_as_tensor", given.get("base_values", ())), np.float64)
    if not np.isfinite(base).all() or len(base) not in (0, 1, k):
        raise ValueError("base values are none")
    build = _Trees(forest, nodes, schema, table)
    about = f"ONNX, {operator}"
    if labels:
        return _of_classes(build, added, base, transform, aggregate, labels, about)
    return _of_numbers(build, added[:, 0], base, transform, aggregate, about)


def _words(given: Mapping) -> tuple[str, str]:
    """(post_transform, aggregate_function), which are numbers in the fifth version and else texts."""
    transform, aggregate = given.get("post_transform", b"NONE"), given.get("aggregate_function", b"SUM")
    transform = TRANSFORMS[transform] if isinstance(transform, int) else transform.decode("ascii")
    aggregate = AGGREGATES[aggregate] if isinstance(aggregate, int) else aggregate.decode("ascii")
    if transform in ("SOFTMAX_ZERO", "PROBIT"):
        raise unsaid("post_transform", f"There is no {transform} here", "Convert it with NONE, LOGISTIC or SOFTMAX")
    if transform not in TRANSFORMS or aggregate not in AGGREGATES:
        raise ValueError("a word is not of the standard")
    return transform, aggregate


def _labels(operator: str, given: Mapping, table: Table | None, classes: tuple | None) -> tuple[str, ...]:
    texts = [text.decode("utf-8") for text in given.get("classlabels_strings", ())]
    numbers = [int(n) for n in given.get("classlabels_int64s", ())]
    if operator == "TreeEnsembleClassifier" and not texts and not numbers:
        raise ValueError("classes have no names")
    if operator != "TreeEnsembleClassifier":  # several numbers are classes if the caller says so
        n = int(given.get("n_targets", 1))
        return numbered_classes(n, classes, table) if classes is not None and n > 1 else ()
    result = texts or numbers
    if len(result) < 2:
        raise unsaid("classes", "It knows a single class", "Train it on rows of two classes")
    if numbers == list(range(len(numbers))) and not texts:
        return numbered_classes(len(numbers), classes, table)
    return class_labels(result, table)


def _schema(forest: Forest, nodes: list, asked: TreeInputs, labels: tuple, table: Table | None) -> Schema:
    """Features that nodes compare for equality alone have the values that they name as levels."""
    inner = np.concatenate(nodes)
    inner = inner[forest.mode[inner] != LEAF]
    feature, mode = forest.feature[inner], forest.mode[inner]
    n = asked.n
    if n is None:
        least = int(feature.max(initial=-1)) + 1
        n = max(least, len(table.features)) if table is not None else max(least, 1)
    if len(feature) and (feature.min() < 0 or feature.max() >= n):
        raise ValueError("a node asks for a feature that is not there")
    if n > MOST_NODES:
        raise ValueError("there are too many features")
    equal = np.unique(feature[mode >= EQ])
    names = feature_names(n, asked.names, table)
    mixed = np.intersect1d(equal, feature[mode < EQ])
    if len(mixed):
        what = "It is compared both for equality and by size"
        raise unsaid(f"feature {names[mixed[0]]!r}", what, "Convert a model that takes it as one of the two")
    features = [FeatureSchema(name, "numeric") for name in names]
    for f in equal.tolist():
        at = inner[(feature == f)]
        values = np.unique(np.concatenate([forest.members.get(int(i), forest.value[[i]]) for i in at]))
        if (values != np.floor(values)).any() or (np.abs(values) >= EXACT).any():
            what = "It is compared for equality with other numbers than whole ones"
            raise unsaid(f"feature {names[f]!r}", what, "Number its categories from 0 on")
        levels = tuple(label_of(int(value)) for value in values)
        features[f] = FeatureSchema(names[f], "nominal", known_levels(names[f], levels, table))
    precision = "float64" if asked.kind == DOUBLE else "float32"
    return Schema(tuple(features), target_name(table, names), labels, precision)


@dataclass(frozen=True)
class _Trees:
    """Makes trees of ours of single trees of the forest."""

    forest: Forest
    nodes: list[np.ndarray]
    schema: Schema
    table: Table | None

    def tree(self, i: int, outputs: np.ndarray, of_classes: bool) -> Tree:
        """The i-th one without rows. outputs : float64 (all nodes, 1 or K), of leaves; others are not looked at."""
        forest, here = self.forest, self.nodes[i]
        new = np.full(len(forest.mode), -1)
        new[here] = np.arange(len(here))
        mode = forest.mode[here]
        inner, turned = mode != LEAF, np.isin(mode, (GTE, GT, NEQ))
        yes, no = (np.where(inner, new[way[here]], -1) for way in (forest.yes, forest.no))
        result = outputs[here].astype(np.float64)
        result[inner] = np.nan
        nodes = BinaryNodes(
            left=np.where(turned, no, yes), right=np.where(turned, yes, no), feature=forest.feature[here],
            threshold=forest.value[here], closed=np.isin(mode, (LEQ, GT)),
            missing_left=np.where(mode == NEQ, False, np.where(turned, ~forest.tracks[here], forest.tracks[here])),
            outputs=result, listed=self._listed(here, mode),
        )  # fmt: skip
        schema = self.schema if of_classes else Schema(self.schema.features, self.schema.target, (), self.precision)
        rule = {"threshold": "float32"} if self.precision == "float32" else {}
        settings = GrowSettings(missing="both_ways", criterion=self._criterion(of_classes), **rule)
        return tree_of(nodes, schema, settings, self._criterion(of_classes), f"tree {i}")

    @property
    def precision(self) -> str:
        return self.schema.precision

    @staticmethod
    def _criterion(of_classes: bool) -> str:
        return "gini" if of_classes else "squared_error"

    def _listed(self, here: np.ndarray, mode: np.ndarray) -> dict[int, np.ndarray]:
        result = {}
        for at in np.flatnonzero((mode >= EQ) & (mode != LEAF)):
            i = int(here[at])
            levels = self.schema.features[self.forest.feature[i]].levels
            values = self.forest.members.get(i, self.forest.value[[i]])
            result[int(at)] = np.array([levels.index(label_of(int(value))) for value in values], np.int64)
        return result


def _of_numbers(
    build: _Trees, added: np.ndarray, base: np.ndarray, transform: str, aggregate: str, about: str
) -> Tree | Ensemble:
    n = len(build.nodes)
    made = [build.tree(i, added[:, None], of_classes=False) for i in range(n)]
    start = float(base[0]) if len(base) else 0.0
    if transform != "NONE":
        what = f"Of one number some runtimes make its {transform}, and others leave it as it is"
        raise unsaid("post_transform", what, "Convert it with NONE")
    if n == 1 and start == 0.0:
        return counted(made[0], build.table)
    average = aggregate == "AVERAGE"
    return SummedTrees(
        build.table, tuple(counted_outputs(tree, build.table) for tree in made), np.ones(n), adds_to=np.zeros(n, int),
        starts=np.array([start * n if average else start]), averaged=average, precision=build.precision,
        made_by=about,
    )  # fmt: skip


def _of_classes(
    build: _Trees, added: np.ndarray, base: np.ndarray, transform: str, aggregate: str, labels: tuple, about: str
) -> Tree | Ensemble:
    leaves, used = added[build.forest.mode == LEAF], np.unique(build.forest.target)
    n, k = len(build.nodes), len(labels)
    single = k == 2 and len(used) <= 1 and about != "ONNX, TreeEnsemble"  # runtimes then take it for the second class
    positive = not len(leaves) or float(leaves.min()) >= 0
    if transform == "NONE" and not base.any() and (positive or not single):
        shares = np.stack([1 / n - added.sum(axis=1), added.sum(axis=1)], axis=1) if single else added
        result = _voting(build, shares, about)
        if result is not None:
            return result
    if single:
        return _of_two(build, added.sum(axis=1), base, transform, positive, labels, about)
    if transform != "SOFTMAX" or aggregate != "SUM":
        what = f"Its sums, after {transform}, are no shares of classes"
        raise unsaid("post_transform", what, "Convert it so that it answers with shares")
    trees, adds_to = [], []
    for i, here in enumerate(build.nodes):
        for target in np.flatnonzero(added[here].any(axis=0)) if added[here].any() else [0]:
            trees.append(counted_outputs(build.tree(i, added[:, [target]], of_classes=False), build.table))
            adds_to.append(int(target))
    starts = np.resize(base, k) if len(base) else np.zeros(k)
    return SummedTrees(
        build.table, tuple(trees), np.ones(len(trees)), names=labels, adds_to=np.array(adds_to), starts=starts,
        link="softmax", precision=build.precision, made_by=about,
    )  # fmt: skip


def _voting(build: _Trees, shares: np.ndarray, about: str) -> Tree | Ensemble | None:
    """A tree whose leaves hold shares of classes, or trees that average theirs; None where they hold other numbers."""
    weights, made = [], []
    for here in build.nodes:
        leaf = here[build.forest.mode[here] == LEAF]
        totals = shares[leaf].sum(axis=1)
        total = float(np.median(totals))
        if total <= 0 or (shares[leaf] < -ONE * total).any() or (np.abs(totals - total) > ONE * total).any():
            return None
        weights.append(total)
    outputs = np.maximum(shares, 0)
    outputs = outputs / np.maximum(outputs.sum(axis=1, keepdims=True), 1e-300)
    for i in range(len(build.nodes)):
        made.append(counted(build.tree(i, outputs, of_classes=True), build.table))
    if abs(sum(weights) - 1) > len(weights) * ONE:
        return None
    if len(made) == 1:
        return made[0]
    return Averaged(build.table, tuple(made), np.array(weights), names=build.schema.classes, made_by=about)


def _of_two(
    build: _Trees, added: np.ndarray, base: np.ndarray, transform: str, positive: bool, labels: tuple, about: str
) -> Ensemble:
    """Two classes with one score: of the second one."""
    if (transform == "NONE") != positive:
        told = "are all positive" if positive else "are of both signs"
        what = f"Its leaves {told} and its transform is {transform}: what the sum means is not the same to all runtimes"
        raise unsaid("post_transform", what, "Convert it with a score for each class")
    if transform == "SOFTMAX":
        raise unsaid("post_transform", "A softmax of one number is always 1", "Convert it with LOGISTIC")
    n = len(build.nodes)
    trees = tuple(counted_outputs(build.tree(i, added[:, None], of_classes=False), build.table) for i in range(n))
    start = float(base[-1]) if len(base) else 0.0
    return SummedTrees(
        build.table, trees, np.ones(n), names=labels, adds_to=np.zeros(n, int), starts=np.array([start]),
        link="identity" if transform == "NONE" else "logistic", precision=build.precision, made_by=about,
    )  # fmt: skip
