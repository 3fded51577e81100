"""Trees of R's rpart and partykit, as JSON that docs/guides/tree_to_json.R writes.

What comes first of a split and its surrogates decides, where its value is known; a level that a split does not have
counts as missing. Then rpart sends a row to the larger child (usesurrogate = 2) or leaves it at the node; partykit
would draw a child by chance, which a tree of ours does not: the row stays at the node.
"""

from collections.abc import Mapping

import numpy as np

from treecore.data.table import Table
from treecore.importing.model_source import MOST_NODES, ModelSource, fault_texts, unsaid
from treecore.importing.model_tree import class_labels, counted, shares_that_answer, target_name
from treecore.importing.predicates import STAY, Emitted, FeatureDecision, Shape
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.tree import Tree

FORMAT = "r-tree"


def is_mine(source: ModelSource) -> bool:
    return source.json is not None and source.json.get("format") == FORMAT


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree:
    with fault_texts(source):
        told = source.json
        known, nodes = told["features"], told["nodes"]
        if len(nodes) > MOST_NODES:
            raise unsaid("nodes", f"It has more than {MOST_NODES:,}", "Save a smaller tree")
        labels = class_labels(classes or told["classes"] or (), table)
        if told["classes"] and len(labels) != len(told["classes"]):
            raise ValueError("there are not as many names as classes")
        features = tuple(_feature(one) for one in known)
        own = str(told["target"])
        target = own if own not in {f.name for f in features} else target_name(table, [f.name for f in features])
        place = {node["id"]: i for i, node in enumerate(nodes)}
        shapes = [_shape(node, place, known) for node in nodes]
        outputs = [_output(node, labels) for node in nodes]
        cover = np.array([node["weight"] for node in nodes], float)
        return counted(Emitted(Schema(features, target, labels), shapes, outputs, cover).tree(), table)


def _feature(told: Mapping) -> FeatureSchema:
    name, levels = str(told["name"]), told["levels"]
    return FeatureSchema(name, "numeric") if levels is None else FeatureSchema(name, "nominal", tuple(map(str, levels)))


def _output(node: Mapping, labels: tuple[str, ...]) -> np.ndarray:
    """Shares of classes, or one number."""
    if not labels:
        return np.array([float(node["answer"])])
    k, shares = int(node["answer"]), np.array(node["shares"], float)
    if len(shares) != len(labels) or not 0 <= k < len(labels) or not (shares >= 0).all():
        raise ValueError("a node has no share of each class")
    return shares_that_answer(shares, k, labels[k])


def _shape(node: Mapping, place: Mapping, features: list) -> Shape:
    if not node.get("kids"):
        return Shape(STAY)
    kids = [place[kid] for kid in node["kids"]]
    follows: int | FeatureDecision = STAY if node.get("missing") is None else _kid(node["missing"], kids)
    for split in reversed(node["splits"]):
        follows = _decision(split, kids, features, follows)
    return Shape(follows)


def _kid(k: int, kids: list[int]) -> int:
    if not 0 <= int(k) < len(kids):
        raise ValueError("a branch leads to no node")
    return kids[int(k)]


def _decision(split: Mapping, kids: list[int], features: list, missing: int | FeatureDecision) -> FeatureDecision:
    """What a split decides; `missing` is what follows where it cannot."""
    f = int(split["feature"])
    levels = features[f]["levels"]
    if "levels" in split:
        if levels is None or len(split["levels"]) != len(levels):
            raise ValueError("a split has not as many levels as its feature")
        runs = tuple(missing if k < 0 else _kid(k, kids) for k in split["levels"])
        return FeatureDecision(f, False, runs, missing, missing)
    cuts, closed = [float(cut) for cut in split["breaks"]], bool(split["closed"])
    ends = [_kid(k, kids) for k in split["kids"]]
    if len(ends) != len(cuts) + 1 or not np.isfinite(cuts).all() or cuts != sorted(set(cuts)):
        raise ValueError("a split has no order of thresholds")
    if levels is None:
        runs = tuple((cut, closed, end) for cut, end in zip(cuts, ends, strict=False))
        return FeatureDecision(f, True, (*runs, (np.inf, True, ends[-1])), missing, missing)
    # of an ordered factor, and of TRUE and FALSE, the places of levels are compared
    codes = np.arange(len(levels)) + int(features[f]["from"])
    runs = tuple(ends[i] for i in np.searchsorted(cuts, codes, side="left" if closed else "right"))
    return FeatureDecision(f, False, runs, missing, missing)
