"""Boosters of XGBoost: JSON, UBJSON, or objects, which write themselves as JSON.

A row goes left where x < θ, both rounded to 32 bits; a missing value by default; a category right where it is listed.
Leaves are added up in 32 bits.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from treecore.data.table import Table
from treecore.ensembles.imported import SummedTrees
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.model_source import MOST_NODES, ModelSource, fault_texts, unsaid
from treecore.importing.model_tree import (
    BinaryNodes,
    check_places,
    class_labels,
    coded_features,
    counted_outputs,
    feature_names,
    numbered_classes,
    target_name,
    tree_of,
)
from treecore.tree.schema import FeatureSchema, Schema

# Universal Binary JSON, as XGBoost saves models by default; nothing larger than the file is made of it.

NUMBERS = {"i": ">i1", "U": ">u1", "I": ">i2", "l": ">i4", "L": ">i8", "d": ">f4", "D": ">f8"}
CONSTANTS = {"Z": None, "N": None, "T": True, "F": False}
DEEPEST = 50


def from_ubjson(data: bytes) -> Any:
    """The value in these bytes; arrays of numbers are NumPy arrays. ValueError for anything else."""
    reader = _Bytes(data)
    return reader.value(reader.mark(), 0)


class _Bytes:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, n: int) -> bytes:
        """The next n bytes."""
        if n < 0 or self.at + n > len(self.data):
            raise ValueError("the file ends too soon")
        self.at += n
        return self.data[self.at - n : self.at]

    def mark(self) -> str:
        """The letter that says what comes."""
        return self.take(1).decode("latin-1")

    def number(self, mark: str) -> int | float:
        kind = np.dtype(NUMBERS[mark])
        return np.frombuffer(self.take(kind.itemsize), kind)[0].item()

    def size(self) -> int:
        result = self.number(self.mark())
        if not isinstance(result, int) or not 0 <= result <= len(self.data):
            raise ValueError("a length is impossible")
        return result

    def text(self) -> str:
        return self.take(self.size()).decode("utf-8")

    def value(self, mark: str, depth: int) -> Any:
        if depth > DEEPEST:
            raise ValueError("it is nested too deep")
        if mark in NUMBERS:
            return self.number(mark)
        if mark in CONSTANTS:
            return CONSTANTS[mark]
        if mark == "C":
            return self.mark()
        if mark in "SH":
            return self.text()
        if mark in "[{":
            return self.container(mark, depth)
        raise ValueError(f"{mark!r} begins no value")

    def container(self, opened: str, depth: int) -> Any:
        kind, n, mark = None, None, self.mark()
        if mark == "$":
            kind, mark = self.mark(), self.mark()
            if mark != "#":
                raise ValueError("a length is missing")
        if mark == "#":
            n = self.size()
        if opened == "[" and kind in NUMBERS:
            dtype = np.dtype(NUMBERS[kind])
            return np.frombuffer(self.take(n * dtype.itemsize), dtype).astype(dtype.newbyteorder("="))
        if kind in CONSTANTS:
            raise ValueError("constants are not counted")
        made: Any = {} if opened == "{" else []
        closed, done = "}" if opened == "{" else "]", 0
        while done != n if n is not None else mark != closed:
            if n is not None:
                mark = "" if opened == "{" else kind or self.mark()
            if opened == "{":
                name = self.take(self.size() if n is not None else self._size_of(mark)).decode("utf-8")
                made[name] = self.value(kind or self.mark(), depth + 1)
            else:
                made.append(self.value(mark, depth + 1))
            done += 1
            mark = mark if n is not None else self.mark()
        return made

    def _size_of(self, mark: str) -> int:
        """A length whose letter was read already."""
        result = self.number(mark)
        if not isinstance(result, int) or result < 0:
            raise ValueError("a length is impossible")
        return result


LINKS_OF = {
    "binary:logistic": "logistic", "multi:softprob": "softmax", "multi:softmax": "softmax",
    "reg:squarederror": "identity", "reg:linear": "identity", "reg:squaredlogerror": "identity",
    "reg:absoluteerror": "identity", "reg:pseudohubererror": "identity", "reg:quantileerror": "identity",
    "rank:pairwise": "identity", "rank:ndcg": "identity", "rank:map": "identity", "reg:logistic": "logistic",
    "count:poisson": "exponential", "reg:gamma": "exponential", "reg:tweedie": "exponential",
    "survival:cox": "exponential",
}  # fmt: skip
"""Objectives -> the link from the sum to the answer. Others are refused."""
OF_CLASSES = ("binary:logistic", "multi:softprob", "multi:softmax")
SETTINGS = GrowSettings(threshold="float32", missing="both_ways", criterion="squared_error")


def is_mine(source: ModelSource) -> bool:
    if source.given is not None and not isinstance(source.given, dict):
        return any(kind.__module__.startswith("xgboost.") for kind in type(source.given).__mro__)
    is_binary = source.json is None and source.head[:1] == b"{" and b"learner" in source.head
    return is_binary or isinstance((source.json or {}).get("learner"), Mapping)


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> SummedTrees:
    rounds = None
    if source.given is not None and not isinstance(source.given, dict):
        source, classes, rounds = _written(source.given, classes)
    with fault_texts(source):
        model = from_ubjson(source.content) if source.json is None else source.json
        return _ensemble(model["learner"], table, classes, rounds)


def _written(model: Any, classes: tuple[str, ...] | None) -> tuple[ModelSource, tuple[str, ...] | None, int | None]:
    """(the model as JSON, its classes, the boosting rounds it answers by: None for all)."""
    rounds, booster = None, model
    if hasattr(model, "get_booster"):
        if not np.isnan(getattr(model, "missing", np.nan)):
            what = f"It takes {model.missing!r} for missing"
            raise unsaid("missing", what, "Read this value as missing in the table, and train with missing=nan")
        try:
            booster = model.get_booster()
        except Exception as fault:  # its own class of error, which only the package has
            raise unsaid(type(model).__name__, f"It is not fitted ({fault})", "Call fit first") from None
        best = booster.attr("best_iteration")
        rounds = None if best is None else int(best) + 1
        if classes is None and hasattr(model, "n_classes_"):
            classes = tuple(np.asarray(model.classes_).tolist())
    return ModelSource(data=bytes(booster.save_raw("json")), name=type(model).__name__), classes, rounds


def _ensemble(learner: Mapping, table: Table | None, classes: tuple | None, rounds: int | None) -> SummedTrees:
    objective = str(learner["objective"]["name"])
    if objective not in LINKS_OF:
        known = ", ".join(LINKS_OF)
        raise unsaid(f"objective {objective}", "What the sum means is not known here", f"Known are {known}")
    booster, about = learner["gradient_booster"], learner["learner_model_param"]
    kind = str(booster["name"])
    if kind not in ("gbtree", "dart"):
        raise unsaid(f"booster {kind}", "It has no trees", "Train with booster='gbtree'")
    if int(about.get("num_target", "1")) > 1:
        raise unsaid("num_target", "It answers with several targets at once", "Train one model per target")
    model = booster["gbtree"]["model"] if kind == "dart" else booster["model"]
    trees, turns = model["trees"], np.asarray(model["tree_info"], np.int64)
    if rounds is not None and "iteration_indptr" in model:
        n = int(model["iteration_indptr"][rounds])
        trees, turns = trees[:n], turns[:n]
    n_scores = max(int(about["num_class"]), 1)
    if n_scores > max(len(trees), 1) or len(turns) != len(trees) or ((turns < 0) | (turns >= n_scores)).any():
        raise ValueError("trees and their scores do not belong together")
    if sum(len(tree["left_children"]) for tree in trees) > MOST_NODES:
        raise unsaid("trees", f"They have more than {MOST_NODES:,} nodes together", "Train fewer or smaller trees")
    labels = numbered_classes(max(n_scores, 2), classes, table) if objective in OF_CLASSES else ()
    schema = _schema(learner, trees, int(about["num_feature"]), table)
    check_places(schema, (int(tree["split_indices"][i]) for tree in trees for i in _sets(tree)))
    weights = np.asarray(booster["weight_drop"], np.float64)[: len(trees)] if kind == "dart" else np.ones(len(trees))
    result = tuple(_tree(tree, schema, table, f"tree {i}") for i, tree in enumerate(trees))
    return SummedTrees(
        table, result, weights, names=labels, adds_to=turns, starts=_starts(about["base_score"], objective, n_scores),
        link=LINKS_OF[objective], precision="float32", made_by=f"XGBoost, {objective}",
    )  # fmt: skip


def _starts(base: Any, objective: str, n: int) -> np.ndarray:
    """float32 (n,): the base score as it is before the link."""
    numbers = [float(part) for part in str(base).strip("[]").split(",")]
    start = np.asarray(numbers if len(numbers) == n else numbers * n, np.float32)
    if len(start) != n:
        raise ValueError("there is not one base score per class")
    link = LINKS_OF[objective]
    with np.errstate(all="ignore"):
        if link == "logistic":
            start = -np.log(np.float32(1) / start - np.float32(1))
        elif link == "exponential":
            start = np.log(start)
    if not np.isfinite(start).all():
        raise ValueError("the base score is no score")
    return start.astype(np.float32)


def _schema(learner: Mapping, trees: list, n: int, table: Table | None) -> Schema:
    listed: dict[int, int] = {}
    for tree in trees:
        split, feature = np.asarray(tree.get("split_type", ()), np.int64), np.asarray(tree["split_indices"], np.int64)
        for f, categories in zip(feature[split == 1].tolist(), _sets(tree).values(), strict=True):
            listed[f] = max(listed.get(f, 0), int(categories.max(initial=0)))
    model = learner["gradient_booster"].get("model") or learner["gradient_booster"]["gbtree"]["model"]
    named = _categories(model.get("cats"), n)
    names = feature_names(n, list(learner.get("feature_names") or ()) or None, table)
    named |= coded_features(names, {f: listed[f] + 1 for f in listed if f not in named}, table)
    features = tuple(
        FeatureSchema(name, "nominal", named[f]) if f in named else FeatureSchema(name, "numeric")
        for f, name in enumerate(names)
    )
    return Schema(features, target_name(table, names), (), "float32")


def _categories(cats: Any, n: int) -> dict[int, tuple[str, ...]]:
    """feature -> its categories in their order, of versions that save them."""
    result = {}
    for f, encoded in enumerate((cats or {}).get("enc", ())):
        values, offsets = encoded.get("values", ()), encoded.get("offsets", ())
        if not len(values) or f >= n:
            continue
        if len(offsets):
            data = bytes(np.asarray(values, np.int64).astype(np.uint8))
            texts = [data[a:b].decode("utf-8") for a, b in pairwise(offsets)]
            result[f] = tuple(texts)
        else:
            result[f] = class_labels(np.asarray(values).tolist(), None)
    return result


def _sets(tree: Mapping) -> dict[int, np.ndarray]:
    """node -> the categories that go right."""
    nodes, categories = tree.get("categories_nodes", ()), np.asarray(tree.get("categories", ()), np.int64)
    begin, size = tree.get("categories_segments", ()), tree.get("categories_sizes", ())
    return {int(i): categories[int(a) : int(a) + int(n)] for i, a, n in zip(nodes, begin, size, strict=True)}


def _tree(tree: Mapping, schema: Schema, table: Table | None, where: str):
    if int(tree["tree_param"].get("size_leaf_vector", "1")) > 1:
        raise unsaid(where, "Its leaves hold several numbers", "Train with multi_strategy='one_output_per_tree'")
    left, values = np.asarray(tree["left_children"], np.int64), np.asarray(tree["split_conditions"], np.float32)
    nodes = BinaryNodes(
        left=left, right=np.asarray(tree["right_children"], np.int64),
        feature=np.asarray(tree["split_indices"], np.int64), threshold=values.astype(np.float64), closed=False,
        missing_left=np.asarray(tree["default_left"]) != 0,
        outputs=np.where(left < 0, values.astype(np.float64), np.nan)[:, None],
        cover=np.asarray(tree["sum_hessian"], np.float64), listed=_sets(tree), listed_left=False,
    )  # fmt: skip
    return counted_outputs(tree_of(nodes, schema, SETTINGS, "squared_error", where), table)
