"""CatBoost's models: the JSON of save_model(format="json"), or objects, which write themselves so.

A row goes right where x > border, x rounded to 32 bits, and where a category is the one that is asked for. A missing
number goes by the feature's rule, a missing category counts as none that is asked for. In a symmetric tree all nodes of
a level ask the same; its first split is the root's here. A leaf with one number per class becomes one tree per class.
"""

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from treecore.data.table import Table
from treecore.ensembles.imported import SummedTrees
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.model_source import MOST_NODES, ModelSource, fault_texts, unsaid
from treecore.importing.model_tree import (
    BinaryNodes,
    class_labels,
    counted_outputs,
    feature_names,
    numbered_classes,
    target_name,
    tree_of,
)
from treecore.tree.schema import FeatureSchema, Schema

LINKS_OF = {
    "Logloss": "logistic", "CrossEntropy": "logistic", "MultiClass": "softmax", "RMSE": "identity", "MAE": "identity",
    "Quantile": "identity", "MAPE": "identity", "Huber": "identity", "LogCosh": "identity", "Lq": "identity",
    "Expectile": "identity", "Poisson": "exponential", "Tweedie": "exponential", "QueryRMSE": "identity",
    "PairLogit": "identity", "YetiRank": "identity",
}  # fmt: skip
"""Loss functions -> the link from the sum to the answer. Others are refused."""
OF_CLASSES = ("Logloss", "CrossEntropy", "MultiClass")
SETTINGS = GrowSettings(threshold="float32", missing="both_ways", criterion="squared_error")
DEEPEST = 16
"""Levels of a symmetric tree: CatBoost grows no deeper ones."""
BINARY = b"CBM1"
"""How CatBoost's own binary files begin."""


def is_mine(source: ModelSource) -> bool:
    if source.given is not None and not isinstance(source.given, dict):
        return any(kind.__module__.startswith("catboost.") for kind in type(source.given).__mro__)
    if source.json is None:
        return source.head.startswith(BINARY)
    return "features_info" in source.json and ("oblivious_trees" in source.json or "trees" in source.json)


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> SummedTrees:
    if source.given is not None and not isinstance(source.given, dict):
        source = _written(source.given, table)
    if source.json is None:
        raise unsaid(source.name, "CatBoost's binary files are not read", "Save it by save_model(…, format='json')")
    with fault_texts(source):
        return _ensemble(source.json, table, classes)


def _written(model: Any, table: Table | None) -> ModelSource:
    """The model as JSON, with the names of the categories that the table has: CatBoost keeps their hashes alone."""
    if not model.is_fitted():
        raise unsaid(type(model).__name__, "It is not fitted", "Call fit first")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.json")
        try:
            model.save_model(path, format="json", pool=_levels(model, table))
        except Exception as fault:  # its own class of error, which only the package has
            remedy = "Train with one_hot_max_size above the number of their levels, or encode them as numbers"
            raise unsaid(
                type(model).__name__, f"It does not write itself as JSON ({str(fault)[:120]})", remedy
            ) from None
        return ModelSource(data=Path(path).read_bytes(), name=type(model).__name__)


def _levels(model: Any, table: Table | None):
    """Rows that have every level of the table's, as CatBoost asks for them; None where there is no need."""
    asked = model.get_cat_feature_indices()
    if not asked or table is None:
        return None
    from catboost import Pool  # the model is an object of it

    names = feature_names(len(model.feature_names_), _names(model.feature_names_), table)
    known = {j: sorted({str(level) for level in table.column(names[j]).labels() if level is not None})
             for j in asked if names[j] in table.features}  # fmt: skip
    n = max((len(levels) for levels in known.values()), default=0)
    rows = [[known[j][i % len(known[j])] if known.get(j) else 0 for j in range(len(names))] for i in range(n)]
    rows = [[str(cell) if j in asked else cell for j, cell in enumerate(row)] for row in rows]
    return Pool(rows, cat_features=list(asked), feature_names=list(model.feature_names_)) if n else None


def _names(told: list) -> list[str] | None:
    """The features' names; None where CatBoost numbered them."""
    return None if all(name in ("", str(j)) for j, name in enumerate(map(str, told))) else [str(n) for n in told]


def _ensemble(model: Mapping, table: Table | None, classes: tuple | None) -> SummedTrees:
    parameters = model["model_info"]["params"]
    parameters = json.loads(parameters) if isinstance(parameters, str) else parameters
    loss = str(parameters["loss_function"]["type"])
    if loss not in LINKS_OF:
        known = ", ".join(LINKS_OF)
        raise unsaid(f"loss function {loss}", "What the sum means is not known here", f"Known are {known}")
    scale, bias = model["scale_and_bias"]
    starts = np.asarray(bias, np.float64).reshape(-1)
    n_scores, schema, splits = len(starts), *_schema(model["features_info"], table)
    if not n_scores or not np.isfinite([*starts, scale]).all():
        raise ValueError("the sum has no scale or no bias")
    symmetric = "oblivious_trees" in model
    result, n_nodes = [], 0
    for i, told in enumerate(model["oblivious_trees"] if symmetric else model["trees"]):
        where = f"tree {i}"
        nodes = _symmetric(told, n_scores) if symmetric else _nested(told, n_scores)
        n_nodes += n_scores * len(nodes["left"])
        if n_nodes > MOST_NODES:
            raise unsaid("trees", f"They have more than {MOST_NODES:,} nodes together", "Train fewer or smaller trees")
        result += [_tree(nodes, k, schema, splits, table, where) for k in range(n_scores)]
    labels = _classes(model["model_info"], max(n_scores, 2), table, classes) if loss in OF_CLASSES else ()
    return SummedTrees(
        table, tuple(result), np.full(len(result), float(scale)), names=labels,
        adds_to=np.arange(len(result)) % n_scores, starts=starts, link=LINKS_OF[loss], made_by=f"CatBoost, {loss}",
    )  # fmt: skip


def _classes(about: Mapping, n: int, table: Table | None, classes: tuple | None) -> tuple[str, ...]:
    told = about.get("class_params") or {}
    told = (json.loads(told) if isinstance(told, str) else told).get("class_names") or ()
    return class_labels(told, table) if classes is None and len(told) == n else numbered_classes(n, classes, table)


def _schema(about: Mapping, table: Table | None) -> tuple[Schema, dict]:
    """(the schema, (kind of split, CatBoost's number of the feature) -> (place in the schema, what is known of it))."""
    told = [("FloatFeature", one) for one in about.get("float_features") or ()]
    told += [("OneHotFeature", one) for one in about.get("categorical_features") or ()]
    told.sort(key=lambda pair: pair[1]["flat_feature_index"])
    places = [int(one["flat_feature_index"]) for _, one in told]
    given = [str(one.get("feature_id", "")) for _, one in told]
    if all(name in ("", str(j)) for name, j in zip(given, places, strict=True)):
        every = feature_names(max(places, default=-1) + 1, None, table)
        names = tuple(every[j] for j in places)
    else:
        names = feature_names(len(given), given, table)
    words = {int(one["hash"]) & 0xFFFFFFFF: str(one["value"]) for one in about.get("cat_features_hash") or ()}
    features, known = [], {}
    for place, (name, (kind, one)) in enumerate(zip(names, told, strict=True)):
        if kind == "FloatFeature":
            rule = one.get("nan_value_treatment", "AsIs")
            known[kind, int(one["feature_index"])] = place, rule != "AsTrue"
            features.append(FeatureSchema(name, "numeric"))
        else:
            levels = _words(name, one.get("values") or (), words)
            known[kind, int(one["feature_index"])] = place, {value: i for i, value in enumerate(levels)}
            features.append(FeatureSchema(name, "nominal", tuple(levels.values())))
    return Schema(tuple(features), target_name(table, names), (), "float32"), known


def _words(name: str, asked: list, words: Mapping[int, str]) -> dict[int, str]:
    """hash -> category, of those that splits of this feature ask for."""
    hashes = [int(value) & 0xFFFFFFFF for value in asked]
    if any(value not in words for value in hashes):
        raise unsaid(
            f"feature {name!r}",
            "The file has numbers in place of its categories",
            "Save it by save_model(…, format='json', pool=…) with the training rows, or give the model and a table",
        )
    return {value: words[value] for value in hashes}


# trees as columns: left, right, split (of each node, None at a leaf), outputs (n, n_scores), cover


def _symmetric(tree: Mapping, n_scores: int) -> dict:
    splits, depth = tree["splits"] or [], len(tree["splits"] or [])
    if depth > DEEPEST:
        raise ValueError(f"a symmetric tree has {depth} levels")
    n_leaves, n_inner = 2**depth, 2**depth - 1
    values = np.asarray(tree["leaf_values"], np.float64).reshape(n_leaves, n_scores)
    level = np.floor(np.log2(np.arange(1, n_inner + 1))).astype(np.int64) if depth else np.zeros(0, np.int64)
    inner, leaf = np.arange(n_inner), np.full(n_leaves, -1)
    # the answer to the first split is the highest digit of a leaf's place from the left, and the lowest of its number
    order = np.zeros(n_leaves, np.int64)
    for i in range(depth):
        order |= ((np.arange(n_leaves) >> (depth - 1 - i)) & 1) << i
    weights = tree.get("leaf_weights")
    cover = None
    if weights is not None and len(weights):
        cover = np.zeros(n_inner + n_leaves)
        cover[n_inner:] = np.asarray(weights, np.float64).reshape(n_leaves)[order]
        for i in range(n_inner)[::-1]:
            cover[i] = cover[2 * i + 1] + cover[2 * i + 2]
    return {
        "left": np.concatenate([2 * inner + 1, leaf]), "right": np.concatenate([2 * inner + 2, leaf]),
        "split": [splits[i] for i in level] + [None] * n_leaves, "cover": cover,
        "outputs": np.concatenate([np.full((n_inner, n_scores), np.nan), values[order]]),
    }  # fmt: skip


def _nested(root: Mapping, n_scores: int) -> dict:
    left: list[int] = []
    right: list[int] = []
    split: list = []
    outputs: list = []
    cover: list = []
    parents: list[int] = []
    waiting = [(root, -1, left)]
    while waiting:
        node, above, side = waiting.pop()
        place = len(left)
        if above >= 0:
            side[above] = place
        asks = "split" in node
        left.append(-1)
        right.append(-1)
        parents.append(above)
        split.append(node["split"] if asks else None)
        values = np.atleast_1d(np.asarray(np.nan if asks else node["value"], np.float64))
        outputs.append(np.broadcast_to(values, n_scores) if asks else values.reshape(n_scores))
        cover.append(0.0 if asks else node.get("weight"))
        if asks:
            waiting += [(node["right"], place, right), (node["left"], place, left)]
    known = None if None in cover else np.array(cover, np.float64)
    if known is not None:
        for i in range(1, len(known))[::-1]:
            known[parents[i]] += known[i]
    return {
        "left": np.array(left), "right": np.array(right), "split": split, "outputs": np.array(outputs), "cover": known
    }  # fmt: skip


def _tree(nodes: Mapping, k: int, schema: Schema, known: Mapping, table: Table | None, where: str):
    """The tree of the k-th score."""
    n = len(nodes["left"])
    feature, threshold, missing_left = np.full(n, -1), np.full(n, np.nan), np.zeros(n, bool)
    listed = {}
    for i, split in enumerate(nodes["split"]):
        if split is None:
            continue
        kind = split["split_type"]
        if kind == "FloatFeature":
            feature[i], missing_left[i] = known[kind, int(split["float_feature_index"])]
            threshold[i] = float(split["border"])
        elif kind == "OneHotFeature":
            feature[i], levels = known[kind, int(split["cat_feature_index"])]
            listed[i], missing_left[i] = np.array([levels[int(split["value"]) & 0xFFFFFFFF]]), True
        else:
            what = "It asks for a statistic of several categories" if kind == "OnlineCtr" else f"It asks for a {kind}"
            remedy = "Train with one_hot_max_size above the number of levels, or encode the categories as numbers"
            raise unsaid(where, what, remedy)
    made = BinaryNodes(
        left=nodes["left"], right=nodes["right"], feature=feature, threshold=threshold, closed=True,
        missing_left=missing_left, outputs=nodes["outputs"][:, k, None], cover=nodes["cover"], listed=listed,
        listed_left=False,
    )  # fmt: skip
    return counted_outputs(tree_of(made, schema, SETTINGS, "squared_error", where), table)
