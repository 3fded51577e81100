"""Single trees and sums of trees of imodels, as objects: most are trees of scikit-learn with other values."""

from typing import Any

import numpy as np

from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.ensembles.imported import SummedTrees
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.model_source import MOST_NODES, ModelSource, fault_texts, unsaid
from treecore.importing.model_tree import (
    BinaryNodes,
    class_labels,
    counted_outputs,
    feature_names,
    target_name,
    tree_of,
)
from treecore.importing.scikit_learn import read_estimator
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.tree import Tree

AROUND = ("GreedyTree", "HSTree", "DecisionTreeCCP", "HSDecisionTreeCCP")
SUMS = ("FIGS",)
"""How the classes begin that are read: what is a tree of scikit-learn, or holds one; what adds up trees of its own."""
SETTINGS = GrowSettings(criterion="squared_error")


def is_mine(source: ModelSource) -> bool:
    return any(kind.__module__.split(".")[0] == "imodels" for kind in type(source.given).__mro__)


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Ensemble:
    model = getattr(source.given, "figs", source.given)
    name = type(model).__name__
    if not name.startswith(AROUND + SUMS):
        remedy = f"Give one whose name begins with {', '.join(AROUND + SUMS)}"
        raise unsaid(name, "There is no reader for this model of imodels", remedy)
    with fault_texts(source):
        return _sum(model, table) if name.startswith(SUMS) else _around(model, name, table)


def _names(model: Any, n: int) -> list[str] | None:
    """The features' names; None where imodels numbered them."""
    told = getattr(model, "feature_names_in_", getattr(model, "feature_names_", None))
    return None if told is None or list(told) == [f"X{j}" for j in range(n)] else [str(name) for name in told]


def _around(model: Any, name: str, table: Table | None) -> Tree | Ensemble:
    if not hasattr(model, "n_features_in_"):
        raise unsaid(name, "It is not fitted", "Call fit first")
    inner = getattr(model, "estimator_", model)
    # an estimator that it fitted itself has numbers for the classes
    return read_estimator(inner, table, getattr(model, "classes_", None), _names(model, int(model.n_features_in_)))


# sums of trees


def _sum(model: Any, table: Table | None) -> SummedTrees:
    name = type(model).__name__
    if not hasattr(model, "trees_"):
        raise unsaid(name, "It is not fitted", "Call fit first")
    if hasattr(model, "_encoder"):
        remedy = "Fit it on numbers, with one column for each level"
        raise unsaid(name, "It encodes its categories by a step of its own", remedy)
    n, n_scores = int(model.n_features_in_), int(model.n_outputs)
    names = feature_names(n, _names(model, n), table)
    labels = class_labels(np.asarray(model.classes_).tolist(), table) if hasattr(model, "classes_") else ()
    if n_scores != (len(labels) or 1):
        raise unsaid(name, f"It answers with {n_scores} targets at once", "Fit one model per target")
    schema = Schema(tuple(FeatureSchema(f, "numeric") for f in names), target_name(table, names), ())
    trees = tuple(
        counted_outputs(tree_of(_nodes(root, k, n_scores), schema, SETTINGS, "squared_error", f"tree {i}"), table)
        for i, root in enumerate(model.trees_) for k in range(n_scores)
    )  # fmt: skip
    return SummedTrees(
        table, trees, np.ones(len(trees)), names=labels, adds_to=np.arange(len(trees)) % n_scores,
        starts=np.zeros(n_scores), link="softmax" if labels else "identity", made_by=f"imodels, {name}",
    )  # fmt: skip


def _nodes(root: Any, k: int, n_scores: int) -> BinaryNodes:
    """Of the k-th score. A lone root answers for all rows; a missing value is refused by FIGS, and stays here."""
    nodes, left, right = [root], [], []
    for node in nodes:  # level by level
        asks = node.left is not None and node.right is not None
        left.append(len(nodes) if asks else -1)
        right.append(len(nodes) + 1 if asks else -1)
        nodes += [node.left, node.right] if asks else []
        if len(nodes) > MOST_NODES:
            raise ValueError("a tree has too many nodes")
    inner = np.array(left) >= 0
    feature, threshold, outputs = np.full(len(nodes), -1), np.full(len(nodes), np.nan), np.full((len(nodes), 1), np.nan)
    for i, node in enumerate(nodes):
        if inner[i]:
            feature[i], threshold[i] = int(node.feature), float(node.threshold)
        else:
            outputs[i] = np.asarray(node.value, np.float64).reshape(n_scores)[k]
    return BinaryNodes(
        left=np.array(left), right=np.array(right), feature=feature, threshold=threshold, closed=True,
        missing_left=None, outputs=outputs,
    )  # fmt: skip
