"""Fitted trees, forests and boosted trees of scikit-learn, as objects; scikit-learn itself is not imported.

Thresholds are compared with numbers rounded to 32 bits, x <= θ, and a missing value goes where it was trained to.
"""

from typing import Any

import numpy as np

from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.ensembles.imported import Averaged, Summed
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.counts import counted, counted_outputs
from treecore.importing.names import class_labels, feature_names, target_name
from treecore.importing.nodes import BinaryNodes, breadth_first, tree_of
from treecore.importing.source import Source, unsaid
from treecore.presets import PRESETS
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.tree import Tree

CRITERIA_OF = {"gini": "gini", "entropy": "entropy", "log_loss": "entropy"}
"""Its criteria of classes -> ours; all of numbers are read as squared_error, as their answers are kept."""
SQUARED = ("squared_error", "friedman_mse")
"""Criteria whose impurities are variances."""
TREES = ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")
FORESTS = ("RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor")
BOOSTED = ("GradientBoostingClassifier", "GradientBoostingRegressor")
DUMMIES = ("DummyClassifier", "DummyRegressor")


def is_mine(source: Source) -> bool:
    return any(kind.__module__.startswith("sklearn.") for kind in type(source.given).__mro__)


def read(source: Source, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Ensemble:
    model = source.given
    kinds = [kind.__name__ for kind in type(model).__mro__ if kind.__module__.startswith("sklearn.")]
    name = next((kind for kind in kinds if kind in (*TREES, *FORESTS, *BOOSTED, "AdaBoostClassifier")), None)
    if name is None:
        known = ", ".join((*TREES, *FORESTS, *BOOSTED, "AdaBoostClassifier"))
        raise unsaid(kinds[0], "There is no reader for this estimator", f"Give a fitted one of {known}")
    if not hasattr(model, "tree_" if name in TREES else "estimators_"):
        raise unsaid(name, "It is not fitted", "Call fit first")
    if getattr(model, "n_outputs_", 1) != 1:
        raise unsaid(name, f"It answers with {model.n_outputs_} targets at once", "Fit one model per target")
    schema = _schema(model, table)
    if name in TREES:
        return _tree(model, schema, table)
    if name in FORESTS:
        return _forest(model, name, schema, table)
    return _adaboost(model, schema, table) if name == "AdaBoostClassifier" else _boosted(model, name, schema, table)


def _schema(model: Any, table: Table | None) -> Schema:
    names = feature_names(int(model.n_features_in_), getattr(model, "feature_names_in_", None), table)
    labels = class_labels(np.asarray(model.classes_).tolist(), table) if hasattr(model, "classes_") else ()
    features = tuple(FeatureSchema(name, "numeric") for name in names)
    return Schema(features, target_name(table, names), labels, "float32")


def _tree(model: Any, schema: Schema, table: Table | None) -> Tree:
    tree, order = _bare(model, schema)
    squared = not schema.classes and model.criterion in SQUARED
    return counted(tree, table, np.asarray(model.tree_.impurity)[order] if squared else None)


def _bare(model: Any, schema: Schema) -> tuple[Tree, np.ndarray]:
    """(the tree without rows, the model's node that each of its nodes is)."""
    nodes = model.tree_
    value = np.asarray(nodes.value)[:, 0, :]
    if schema.classes:
        value = value / value.sum(axis=1, keepdims=True) if (np.abs(value.sum(axis=1) - 1) > 1e-6).any() else value
    else:
        value = value[:, :1]
    binary = BinaryNodes(
        left=np.asarray(nodes.children_left, np.int64), right=np.asarray(nodes.children_right, np.int64),
        feature=np.asarray(nodes.feature, np.int64), threshold=np.asarray(nodes.threshold, np.float64), closed=True,
        missing_left=_missing_left(nodes), outputs=value, n_rows=np.asarray(nodes.n_node_samples, np.int64),
        cover=np.asarray(nodes.weighted_n_node_samples, np.float64),
    )  # fmt: skip
    criterion = CRITERIA_OF.get(model.criterion, "gini") if schema.classes else "squared_error"
    growth = PRESETS["sklearn"].growth.to_dict() | {"criterion": criterion}
    tree = tree_of(binary, schema, GrowSettings.from_dict(growth), criterion, type(model).__name__)
    return tree, breadth_first(binary.left, binary.right, type(model).__name__)


def _missing_left(nodes: Any) -> np.ndarray | None:
    """None of versions before 1.3, which refuse missing values."""
    found = getattr(nodes, "missing_go_to_left", None)
    return None if found is None else np.asarray(found, bool)


def _forest(model: Any, name: str, schema: Schema, table: Table | None) -> Averaged:
    trees = tuple(_tree(tree, schema, table) for tree in model.estimators_)
    return Averaged(table, trees, np.ones(len(trees)), names=schema.classes, made_by=f"scikit-learn, {name}")


def _adaboost(model: Any, schema: Schema, table: Table | None) -> Averaged:
    """Each tree votes with one class, by the weight that it was given."""
    for tree in model.estimators_:
        if not hasattr(tree, "tree_"):
            raise unsaid("AdaBoostClassifier", f"It boosts {type(tree).__name__}", "Boost DecisionTreeClassifier")
        if list(tree.classes_) != list(model.classes_):
            raise unsaid("AdaBoostClassifier", "One of its trees does not know all classes", "Fit it on more rows")
    trees = tuple(_tree(tree, schema, table) for tree in model.estimators_)
    weights = np.asarray(model.estimator_weights_, float)[: len(trees)]
    return Averaged(
        table, trees, weights, by_shares=False, names=schema.classes, made_by="scikit-learn, AdaBoostClassifier"
    )


def _boosted(model: Any, name: str, schema: Schema, table: Table | None) -> Summed:
    begin = getattr(model, "init_", None)
    if type(begin).__name__ not in DUMMIES and begin != "zero":
        raise unsaid(name, f"It starts from {type(begin).__name__}", "Fit it with init=None or init='zero'")
    starts = np.asarray(model._raw_predict_init(np.zeros((1, len(schema.features)), np.float32)), float)[0]
    part = Schema(schema.features, schema.target, (), schema.precision)
    grid = np.asarray(model.estimators_, object)
    trees = tuple(counted_outputs(_bare(tree, part)[0], table) for tree in grid.ravel())
    link = "identity" if not schema.classes else "logistic" if grid.shape[1] == 1 else "softmax"
    return Summed(
        table, trees, np.full(len(trees), float(model.learning_rate)), names=schema.classes,
        adds_to=np.tile(np.arange(grid.shape[1]), len(grid)), starts=starts, link=link,
        ties_up=True, factor=2.0 if model.loss == "exponential" else 1.0, made_by=f"scikit-learn, {name}",
    )  # fmt: skip
