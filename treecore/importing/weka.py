"""The text that Weka's J48 prints of a tree.

A row without a value goes down every branch by its share of the training weight, which the leaves say to two digits. Of
two classes a leaf's text says their shares; of more it says its class alone, which then has all of it. Thresholds are
as they are printed, to six digits.
"""

import re
from dataclasses import dataclass, field, replace

import numpy as np

from treecore.data.table import Table
from treecore.importing.model_source import MOST_NODES, ModelSource, fault_texts, unreadable, unsaid
from treecore.importing.model_tree import class_labels, counted, shares_that_answer, target_name
from treecore.importing.predicates import STAY, Emitted, FeatureDecision, Shape
from treecore.kernels.codes import LEVELS, SHARED
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.tree import Tree

TITLE = re.compile(r"^J48 (?:un)?pruned tree\s*$", re.MULTILINE)
LEAF = re.compile(r"^(?P<before>.*) \((?P<weight>\d+(?:\.\d+)?)(?:/(?P<wrong>\d+(?:\.\d+)?))?\)\s*$")
TEST = re.compile(r" (<=|>|!=|=) ")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
BAR = "|   "


@dataclass
class _WekaNode:
    """feature, operator, value : of the branch that leads here. label : of a leaf, with its weight and what of it is of
    another class."""

    feature: str = ""
    operator: str = ""
    value: str = ""
    label: str | None = None
    weight: float = 0.0
    wrong: float = 0.0
    children: list["_WekaNode"] = field(default_factory=list)


def is_mine(source: ModelSource) -> bool:
    return source.data is not None and TITLE.search(source.data.decode("utf-8", "replace")[:100_000]) is not None


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree:
    with fault_texts(source):
        nodes = _nodes(source, table)
        named = list(dict.fromkeys(node.label for node in nodes if node.label is not None))
        known = classes or (table.classes if table is not None and set(named) <= set(table.classes) else ())
        labels = class_labels(tuple(dict.fromkeys([*known, *named])), table)
        features = _features(nodes)
        names = [feature.name for feature in features]
        schema = Schema(tuple(features), target_name(table, names), labels)
        place = {id(node): i for i, node in enumerate(nodes)}
        weights, cover = _weights(nodes, place, labels)
        outputs = [_shares(node, weights[place[id(node)]], labels) for node in nodes]
        shapes = [_shape(node, place, schema, names) for node in nodes]
        return counted(_shared(Emitted(schema, shapes, outputs, cover).tree()), table)


# the text


def _nodes(source: ModelSource, table: Table | None) -> list[_WekaNode]:
    """Level by level, the root first."""
    text = source.content.decode("utf-8-sig").replace("\r\n", "\n")
    lines = text[TITLE.search(text).end() :].split("\n")
    root = _WekaNode()
    above, nodes = [root], [root]
    for line in lines:
        if not line.strip() or set(line.strip()) == {"-"}:
            continue
        if line.startswith("Number of Leaves"):
            break
        depth = 0
        while line.startswith(BAR):
            line, depth = line[len(BAR) :], depth + 1
        node = _node(line, source, table) if not line.startswith(": ") else None
        if node is None:  # a lone leaf
            _answer(root, line, table)
            continue
        if depth >= len(above) or len(nodes) >= MOST_NODES:
            raise ValueError("a line stands too far in")
        above[depth].children.append(node)
        above[depth + 1 :] = [node]
        nodes.append(node)
    else:
        raise unreadable(source, "The text of the tree has no end", "Give all of it, up to the number of leaves")
    if any(not node.children and node.label is None for node in nodes):
        raise ValueError("a branch leads nowhere")
    ordered, level = [], [root]
    while level:
        ordered += level
        level = [kid for node in level for kid in node.children]
    return ordered


def _node(line: str, source: ModelSource, table: Table | None) -> _WekaNode:
    """A branch: name, operator, value. Where names hold operators it is the one before a number, or behind a name that
    the table has."""
    node, known = _WekaNode(), () if table is None else table.features
    test = _answer(node, line, table)
    places = [p for p in TEST.finditer(test) if p[1] in ("=", "!=") or NUMBER.fullmatch(test[p.end() :])]
    if not places:
        raise unreadable(source, f"This line is no test: {line[:60]!r}")
    place = next((p for p in places if test[: p.start()] in known), places[0])
    node.feature, node.operator, node.value = test[: place.start()], place[1], test[place.end() :]
    return node


def _answer(node: _WekaNode, text: str, table: Table | None) -> str:
    """What stands before the answer of a leaf, which the node takes; the whole text of an inner node."""
    result = LEAF.match(text)
    if result is None or ": " not in result["before"] + " ":
        return text.strip()
    before, known = result["before"], () if table is None else table.classes
    places = [i for i in range(len(before)) if before.startswith(": ", i)]
    at = next((i for i in places if before[i + 2 :] in known), places[-1])
    node.label, node.weight, node.wrong = before[at + 2 :], float(result["weight"]), float(result["wrong"] or 0)
    return before[:at]


# the tree


def _features(nodes: list[_WekaNode]) -> list[FeatureSchema]:
    """Numbers, and words with the values that branches ask for, in the order of the text."""
    numbers: dict[str, bool] = {}
    levels: dict[str, dict[str, None]] = {}
    for node in nodes[1:]:
        is_number = node.operator in ("<=", ">")
        if numbers.setdefault(node.feature, is_number) != is_number:
            raise ValueError(f"{node.feature!r} is a number in one place and none in another")
        if not is_number:
            levels.setdefault(node.feature, {})[node.value] = None
    return [
        FeatureSchema(name, "numeric") if is_number else FeatureSchema(name, "nominal", tuple(levels[name]))
        for name, is_number in numbers.items()
    ]


def _weights(nodes: list[_WekaNode], place: dict, labels: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """float64 (n, classes) and (n,): the weight of each class, as far as the text says, and of all rows.

    An empty leaf has no weight, and answers as the node above it does.
    """
    weights, cover = np.zeros((len(nodes), len(labels))), np.array([node.weight for node in nodes])
    for i in range(len(nodes))[::-1]:  # children stand behind their parents
        kids = [place[id(kid)] for kid in nodes[i].children]
        weights[i] = weights[kids].sum(axis=0) if kids else _own(nodes[i], labels)
        cover[i] = cover[kids].sum() if kids else cover[i]
    for i, node in enumerate(nodes):
        for kid in node.children:
            if len(labels) == 2 and kid.weight == 0 and not kid.children:
                weights[place[id(kid)]] = weights[i]
    return weights, cover


def _own(node: _WekaNode, labels: tuple[str, ...]) -> np.ndarray:
    """The weight of each class in a leaf."""
    k, right = labels.index(node.label), node.weight - node.wrong
    if right < 0:
        raise ValueError("more rows are wrong in a leaf than it has")
    if len(labels) == 2:
        return np.array([right, node.wrong] if k == 0 else [node.wrong, right])
    return np.eye(len(labels))[k] * node.weight


def _shares(node: _WekaNode, weights: np.ndarray, labels: tuple[str, ...]) -> np.ndarray:
    if not weights.sum() > 0:
        return np.eye(len(labels))[labels.index(node.label) if node.label else 0]
    shares = weights / weights.sum()
    return shares if node.label is None else shares_that_answer(shares, labels.index(node.label), node.label)


def _shape(node: _WekaNode, place: dict, schema: Schema, names: list[str]) -> Shape:
    if not node.children:
        return Shape(STAY)
    kids, first = node.children, node.children[0]
    ends, operators = [place[id(kid)] for kid in kids], [kid.operator for kid in kids]
    if any(kid.feature != first.feature for kid in kids):
        raise ValueError("branches of a node ask for several features")
    f = names.index(first.feature)
    if operators == ["<=", ">"] and first.value == kids[1].value:
        limit = float(first.value)
        if not np.isfinite(limit):
            raise ValueError("a threshold is no number")
        return Shape(FeatureDecision(f, True, ((limit, True, ends[0]), (np.inf, True, ends[1])), STAY, STAY))
    levels = schema.features[f].levels
    if operators == ["=", "!="] and first.value == kids[1].value:
        runs = tuple(ends[0] if level == first.value else ends[1] for level in levels)
        return Shape(FeatureDecision(f, False, runs, ends[1], STAY))
    if set(operators) != {"="} or len({kid.value for kid in kids}) < len(kids):
        raise unsaid(
            "text", f"The branches of {first.feature!r} are of no known kind", "Give the text as J48 prints it"
        )
    to = {kid.value: end for kid, end in zip(kids, ends, strict=True)}
    return Shape(FeatureDecision(f, False, tuple(to.get(level, STAY) for level in levels), STAY, STAY))


def _shared(tree: Tree) -> Tree:
    """Rows without a value are shared among the branches; so are levels that a node has no branch for."""
    inner, splits = ~tree.is_leaf, tree.splits
    unseen = np.where(inner & (splits.kind == LEVELS) & (splits.unseen_branch < 0), SHARED, splits.unseen_branch)
    shared = replace(splits, missing_branch=np.where(inner, SHARED, splits.missing_branch), unseen_branch=unseen)
    return replace(tree, splits=shared, share_weight=tree.cover)
