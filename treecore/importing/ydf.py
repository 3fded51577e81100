"""Models of YDF (Yggdrasil Decision Forests), as objects, by what the package says of their trees.

A row goes the positive way where x >= θ, both rounded to 32 bits, or where its category is one of those listed; a
missing value as the condition says. Categories that training had too seldom count with the unseen ones.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from treecore.data.table import Table
from treecore.ensembles.imported import Averaged, SummedTrees
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.model_source import MOST_NODES, ModelSource, fault_texts, unsaid
from treecore.importing.model_tree import (
    BinaryNodes,
    class_labels,
    coded_levels,
    counted,
    counted_outputs,
    target_name,
    tree_of,
)
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.tree import Tree

LINKS_OF = {
    "BINOMIAL_LOG_LIKELIHOOD": "logistic", "BINARY_FOCAL_LOSS": "logistic", "MULTINOMIAL_LOG_LIKELIHOOD": "softmax",
    "SQUARED_ERROR": "identity", "MEAN_AVERAGE_ERROR": "identity", "POISSON": "exponential",
}  # fmt: skip
"""Losses -> the link from the sum to the answer. Others are refused."""
KINDS_OF = {"NUMERICAL": "numeric", "DISCRETIZED_NUMERICAL": "numeric", "CATEGORICAL": "nominal", "BOOLEAN": "nominal"}
"""Semantics of its features -> kinds of ours. Others are refused."""
SETTINGS = GrowSettings(threshold="float32", missing="both_ways")
OUTSIDE = 0
"""The number of a category that is not in the dictionary."""


def is_mine(source: ModelSource) -> bool:
    return any(kind.__module__.split(".")[0] == "ydf" for kind in type(source.given).__mro__)


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Averaged | SummedTrees:
    model = source.given
    name = str(model.name()) if hasattr(model, "name") else type(model).__name__
    readers = {"RANDOM_FOREST": _forest, "GRADIENT_BOOSTED_TREES": _boosted}
    task = str(model.task().name) if name in readers else ""
    if task not in ("CLASSIFICATION", "REGRESSION"):
        what = f"Its task is {task.lower()}" if task else "There is no reader for this kind of model"
        raise unsaid(name, what, "Give a trained CART, random forest or gradient boosted trees, of classes or numbers")
    with fault_texts(source):
        labels = class_labels(classes or model.label_classes(), table) if task == "CLASSIFICATION" else ()
        features, place = _features(model, table)
        schema = Schema(features, target_name(table, [f.name for f in features]), labels, "float32")
        return readers[name](model, schema, place, table)


def _features(model: Any, table: Table | None) -> tuple[tuple[FeatureSchema, ...], dict[int, int]]:
    """(the features, the model's number of a column -> place among them)."""
    columns, result, place = model.data_spec().columns, [], {}
    for feature in model.input_features():
        kind = KINDS_OF.get(feature.semantic.name)
        if kind is None:
            what = f"It is of the kind {feature.semantic.name.lower()}"
            raise unsaid(f"feature {feature.name!r}", what, f"Train on features that are {', '.join(KINDS_OF).lower()}")
        levels = ()
        if feature.semantic.name == "BOOLEAN":
            levels = ("false", "true")
        elif kind == "nominal":
            levels = _levels(feature.name, columns[feature.column_idx].categorical, table)
        place[int(feature.column_idx)] = len(result)
        result.append(FeatureSchema(str(feature.name), kind, levels))
    return tuple(result), place


def _levels(name: str, told: Any, table: Table | None) -> tuple[str, ...]:
    """The categories in the order of their numbers; those that are numbered from 1 on are without the first."""
    n = int(told.number_of_unique_values)
    if told.is_already_integerized:
        return coded_levels(name, n, table)
    words = {int(item.index): str(word) for word, item in told.items.items()}
    return tuple(words[k] for k in range(1, n))


# the models


def _forest(model: Any, schema: Schema, place: Mapping, table: Table | None) -> Tree | Averaged:
    criterion = "gini" if schema.classes else "squared_error"
    trees = tuple(counted(tree, table) for tree in _trees(model, schema, place, criterion))
    if not trees:
        raise ValueError("a forest has no trees")
    votes = bool(schema.classes) and bool(model.winner_takes_all())
    if len(trees) == 1 and not votes:
        return trees[0]
    return Averaged(
        table, trees, np.ones(len(trees)), by_shares=not votes, names=schema.classes, made_by="YDF, random forest"
    )


def _boosted(model: Any, schema: Schema, place: Mapping, table: Table | None) -> SummedTrees:
    loss = next((line[6:].strip() for line in model.describe("text").splitlines() if line.startswith("Loss: ")), "")
    if loss not in LINKS_OF:
        raise unsaid(f"loss {loss}", "What the sum means is not known here", f"Known are {', '.join(LINKS_OF)}")
    starts = np.asarray(model.initial_predictions(), np.float64).reshape(-1)
    numbers = Schema(schema.features, schema.target, (), schema.precision)
    trees = tuple(counted_outputs(tree, table) for tree in _trees(model, numbers, place, "squared_error"))
    n_scores, n_classes = {"softmax": (len(starts), len(starts)), "logistic": (1, 2)}.get(LINKS_OF[loss], (1, 0))
    if len(starts) != n_scores or len(schema.classes) != n_classes or len(trees) % n_scores:
        raise ValueError("trees, their scores and the classes do not belong together")
    return SummedTrees(
        table, trees, np.ones(len(trees)), names=schema.classes, adds_to=np.arange(len(trees)) % len(starts),
        starts=starts, link=LINKS_OF[loss], precision="float32", made_by=f"YDF, {loss}",
    )  # fmt: skip


# their trees


def _trees(model: Any, schema: Schema, place: Mapping, criterion: str) -> Iterator[Tree]:
    columns, n_nodes = model.data_spec().columns, 0
    for i in range(model.num_trees()):
        nodes = _nodes(model.get_tree(i).root, columns, schema, place, f"tree {i}")
        n_nodes += len(nodes.left)
        if n_nodes > MOST_NODES:
            raise unsaid("trees", f"They have more than {MOST_NODES:,} nodes together", "Train fewer or smaller trees")
        yield tree_of(nodes, schema, SETTINGS, criterion, f"tree {i}")


def _nodes(root: Any, columns: Any, schema: Schema, place: Mapping, where: str) -> BinaryNodes:
    """On the left is what the condition does not hold for."""
    nodes, left, right = [root], [], []
    for node in nodes:  # level by level
        left.append(-1 if node.is_leaf else len(nodes))
        right.append(-1 if node.is_leaf else len(nodes) + 1)
        nodes += [] if node.is_leaf else [node.neg_child, node.pos_child]
        if len(nodes) > MOST_NODES:
            raise unsaid(where, f"It has more than {MOST_NODES:,} nodes", "Train smaller trees")
    n, k = len(nodes), max(len(schema.classes), 1)
    feature, threshold = np.full(n, -1), np.full(n, np.nan)
    missing_left, unseen_left, closed, listed = np.zeros(n, bool), np.zeros(n, bool), np.zeros(n, bool), {}
    for i in np.flatnonzero(np.array(left) >= 0).tolist():
        asked = nodes[i].condition
        kind = type(asked).__name__
        if kind not in (*CONDITIONS, MISSING):
            remedy = "Train with split_axis='AXIS_ALIGNED' and features that are numbers, categories or booleans"
            raise unsaid(where, f"It asks in a way that a tree here cannot say ({kind})", remedy)
        column, feature[i] = columns[int(asked.attribute)], place[int(asked.attribute)]
        is_number, asks_missing = schema.features[feature[i]].numeric, kind == MISSING
        missing_left[i] = not (asked.missing or asks_missing)
        if is_number:  # all known numbers are up to infinity
            threshold[i], closed[i] = (np.inf, True) if asks_missing else (CONDITIONS[kind](asked, column), False)
            continue
        numbers = [] if asks_missing else CONDITIONS[kind](asked, column)
        unseen_left[i] = OUTSIDE not in numbers
        first = 0 if kind == "IsTrueCondition" or column.categorical.is_already_integerized else 1
        listed[i] = np.asarray(numbers, np.int64) - first
    covers = [None if node.value is None else float(node.value.num_examples) for node in nodes]
    return BinaryNodes(
        left=np.array(left), right=np.array(right), feature=feature, threshold=threshold, closed=closed,
        missing_left=missing_left, outputs=np.array([_output(node.value, k) for node in nodes]),
        cover=None if None in covers else np.array(covers), listed=listed, listed_left=False, unseen_left=unseen_left,
    )  # fmt: skip


def _output(value: Any, k: int) -> np.ndarray:
    """Shares of classes, or one number; NaN where the node says nothing."""
    if value is None:
        return np.full(k, np.nan)
    result = np.asarray(getattr(value, "probability", None) if k > 1 else [value.value], np.float64)
    if result.shape != (k,):
        raise ValueError("a node has no share of each class")
    return result


CONDITIONS = {
    "NumericalHigherThanCondition": lambda asked, column: float(asked.threshold),
    "DiscretizedNumericalHigherThanCondition":
        lambda asked, column: float(column.discretized_numerical.boundaries[int(asked.threshold_idx) - 1]),
    "CategoricalIsInCondition": lambda asked, column: list(asked.mask),
    "IsTrueCondition": lambda asked, column: [1],
}  # fmt: skip
"""Kind of condition -> the number from which on it holds, or the numbers of the categories for which."""
MISSING = "IsMissingInCondition"
"""The condition that a value is missing."""
