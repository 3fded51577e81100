"""Hoeffding trees of river, as objects, by the table that the package makes of their nodes.

A row goes the first way where x <= θ, or where it has the level that is asked for; in several branches by its level, or
by the interval of one width that its number lies in. A row without the value, or with one that no branch is for, goes
where most rows went. Inner nodes have what the leaves below them count: what river says of them is of when they split
(of the tree that goes on counting there, its own).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treecore.data.level_index import label_of
from treecore.data.table import Table
from treecore.importing.model_source import MOST_NODES, ModelSource, fault_texts, unsaid
from treecore.importing.model_tree import class_labels, counted, target_name
from treecore.importing.predicates import STAY, Emitted, FeatureDecision, Shape
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.tree import Tree

ANSWERS = {
    "HoeffdingTreeClassifier": "mc", "ExtremelyFastDecisionTreeClassifier": "mc", "HoeffdingTreeRegressor": "mean",
}  # fmt: skip
"""Its trees that are read -> how their leaves must answer: by what they count."""
COUNTS_ALL = "ExtremelyFastDecisionTreeClassifier"
"""The one whose inner nodes count all rows, too."""


@dataclass
class _RiverNode:
    """row : what river's table says of it. output : shares of classes, or one number. children : places in the list."""

    row: Mapping
    output: np.ndarray | None = None
    weight: float = 0.0
    children: list[int] = field(default_factory=list)


def is_mine(source: ModelSource) -> bool:
    return any(kind.__module__.split(".")[0] == "river" for kind in type(source.given).__mro__)


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree:
    model, name = source.given, type(source.given).__name__
    if name not in ANSWERS:
        raise unsaid(name, "There is no reader for this model of river", f"Give one of {', '.join(ANSWERS)}")
    if model.leaf_prediction != ANSWERS[name]:
        what = f"Its leaves hold models of their own (leaf_prediction={model.leaf_prediction!r})"
        raise unsaid(name, what, f"Train it with leaf_prediction={ANSWERS[name]!r}")
    if not model.summary["total_observed_weight"]:
        raise unsaid(name, "It has learned nothing yet", "Let it learn rows first")
    with fault_texts(source):
        known = sorted(model.classes) if ANSWERS[name] == "mc" else []
        labels = class_labels(classes or known, table) if known else ()
        if len(labels) != len(known):
            raise ValueError("there are not as many names as classes")
        nodes = _nodes(model, known)
        features = _features(nodes)
        schema = Schema(features, target_name(table, [feature.name for feature in features]), labels)
        place = {feature.name: f for f, feature in enumerate(features)}
        shapes = [_shape(node, nodes, schema, place) for node in nodes]
        cover = np.array([node.weight for node in nodes])
        return counted(Emitted(schema, shapes, [node.output for node in nodes], cover).tree(), table)


# river's nodes


def _nodes(model: Any, known: list) -> list[_RiverNode]:
    """Parents before their children, whose order is that of the branches."""
    counts_all = type(model).__name__ == COUNTS_ALL
    frame = model.to_dataframe()
    if frame is None:
        return [_lone_leaf(model, known)]
    if len(frame) > MOST_NODES:
        raise unsaid("nodes", f"It has more than {MOST_NODES:,}", "Train a smaller tree")
    rows = frame.to_dict("records")
    nodes = [_counted(row, known) if row["is_leaf"] or counts_all else _RiverNode(row) for row in rows]
    for i in range(1, len(nodes)):
        above = int(rows[i]["parent"])
        if not 0 <= above < i or rows[above]["is_leaf"]:
            raise ValueError("its nodes are no tree")
        nodes[above].children.append(i)
    for node in nodes[::-1]:
        if node.children and not counts_all:
            below = [nodes[kid] for kid in node.children]
            node.weight = sum(kid.weight for kid in below)
            shares = [kid.weight / node.weight if node.weight else 1 / len(below) for kid in below]
            node.output = sum(share * kid.output for share, kid in zip(shares, below, strict=True))
    return nodes


def _counted(row: Mapping, known: list) -> _RiverNode:
    """A node that answers by what it counts itself."""
    stats = row["stats"]
    if not known:
        return _RiverNode(row, np.array([float(stats.mean.get())]), float(stats.mean.n))
    weight = sum(stats.values())
    shares = [stats.get(label, 0.0) * (1 / weight) if weight else 0.0 for label in known]
    return _RiverNode(row, np.array(shares), float(weight))


def _lone_leaf(model: Any, known: list) -> _RiverNode:
    """Of a tree without a split, whose table is none."""
    told = model.predict_proba_one({}) if known else model.predict_one({})
    output = [told[label] for label in known] if known else [told]
    return _RiverNode({}, np.array(output, float), float(model.summary["total_observed_weight"]))


# what they ask


def _is_there(row: Mapping, name: str) -> bool:
    """Does this node of the table have such an attribute?"""
    return name in row and not (isinstance(row[name], float) and math.isnan(row[name]))


def _values(row: Mapping) -> list:
    """What its branches are for: levels, or numbers of intervals. [] of a threshold."""
    if _is_there(row, "_mapping"):
        return list(row["_mapping"])
    return [row["value"]] if _is_there(row, "value") else []


def _is_number(row: Mapping) -> bool:
    return _is_there(row, "threshold") or _is_there(row, "radius")


def _features(nodes: list[_RiverNode]) -> tuple[FeatureSchema, ...]:
    """Those that are asked for, and the levels of them, as they are met."""
    numbers: dict[str, bool] = {}
    levels: dict[str, dict[str, None]] = {}
    for row in (node.row for node in nodes if node.children):
        name = label_of(row["feature"])
        if numbers.setdefault(name, _is_number(row)) != _is_number(row):
            raise ValueError(f"{name!r} is a number in one place and none in another")
        if not _is_number(row):
            levels.setdefault(name, {}).update(dict.fromkeys(map(label_of, _values(row))))
    return tuple(
        FeatureSchema(name, "numeric") if is_number else FeatureSchema(name, "nominal", tuple(levels[name]))
        for name, is_number in numbers.items()
    )


def _shape(node: _RiverNode, nodes: list[_RiverNode], schema: Schema, place: Mapping) -> Shape:
    if not node.children:
        return Shape(STAY)
    row, kids = node.row, node.children
    f = place[label_of(row["feature"])]
    most = kids[int(np.argmax([nodes[kid].weight for kid in kids]))]
    if _is_there(row, "threshold"):
        low, high = kids
        return Shape(
            FeatureDecision(f, True, ((_finite(row["threshold"]), True, low), (np.inf, True, high)), most, most)
        )
    values = _values(row)
    if _is_there(row, "radius"):
        return Shape(FeatureDecision(f, True, _intervals(float(row["radius"]), values, kids, most), most, most))
    levels = schema.features[f].levels
    if not _is_there(row, "_mapping"):  # this level, or any other
        same, other = kids
        runs = tuple(same if level == label_of(values[0]) else other for level in levels)
        return Shape(FeatureDecision(f, False, runs, other, most))
    to = dict(zip(map(label_of, values), kids, strict=True))
    return Shape(FeatureDecision(f, False, tuple(to.get(level, most) for level in levels), most, most))


def _intervals(width: float, slots: list, kids: list[int], most: int) -> tuple:
    """Runs of numbers: floor(x / width) is the slot; between slots that have a branch rows go where most went."""
    if not width > 0:
        raise ValueError("an interval has no width")
    to = dict(zip((int(slot) for slot in slots), kids, strict=True))
    runs: list[tuple] = []
    for slot in sorted(to):
        begin, end = _first_of(slot, width), _first_of(slot + 1, width)
        if not runs or runs[-1][0] != begin:
            runs.append((begin, False, most))
        runs.append((end, False, to[slot]))
    runs.append((np.inf, True, most))
    joined: list[tuple] = []
    for limit, closed, end in runs:
        if joined and joined[-1][2] == end:
            joined.pop()
        joined.append((limit, closed, end))
    return tuple(joined)


def _first_of(slot: int, width: float) -> float:
    """The least number whose quotient, as it is rounded, is in this interval."""
    result = _finite(slot * width)
    while math.floor(result / width) >= slot:
        result = math.nextafter(result, -math.inf)
    while math.floor(result / width) < slot:
        result = math.nextafter(result, math.inf)
    return result


def _finite(number: Any) -> float:
    result = float(number)
    if not math.isfinite(result):
        raise ValueError("a threshold is no number")
    return result
