"""Boosters of LightGBM: text, JSON of dump_model, or objects, which write themselves as text.

A row goes left where x <= θ, in 64 bits. What is missing, and where it goes, every split says: none (NaN counts as 0),
zero (NaN, and numbers up to 1e-35 off 0, go by default), or NaN by default. A category goes left where it is listed.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from treecore.data.table import Table
from treecore.ensembles.imported import SummedTrees
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.model_source import MOST_NODES, ModelSource, fault_texts, unsaid
from treecore.importing.model_tree import (
    BinaryNodes,
    breadth_first,
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

# LightGBM's zero-as-missing: numbers next to 0 leave a split by its default, whatever its threshold.

ZERO_UP_TO = float(np.float32(1e-35))
BELOW_ZERO = float(np.nextafter(-ZERO_UP_TO, -np.inf))
MOST_TIMES, ALWAYS = 20, 2000
"""How much larger a tree may become, and up to how many nodes it always may."""


def zeros_by_default(nodes: BinaryNodes, at: np.ndarray, where: str) -> BinaryNodes:
    """The same answers from plain thresholds: x <= θ goes left but for [-1e-35, 1e-35], which goes where NaN does.

    A split that puts zeros where its threshold does stays as it is; another becomes three: below zero, zero, above; the
    branches that two of them lead to are copied. at : the nodes with such a split. TreecoreError for a tree that grows
    too large by it.
    """
    made = _Copied(nodes, set(at.tolist()), where)
    made.copy(0)
    return made.nodes()


class _Copied:
    def __init__(self, nodes: BinaryNodes, at: set[int], where: str):
        self.old, self.at, self.where = nodes, at, where
        breadth_first(nodes.left, nodes.right, where)  # no circle, so that copying ends
        self.most = max(ALWAYS, MOST_TIMES * len(nodes.left))
        self.origin: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.threshold: list[float] = []
        self.missing_left: list[bool] = []

    def add(self, old: int, threshold: float, missing_left: bool) -> int:
        if len(self.origin) >= self.most:
            raise unsaid(
                self.where, "Its zeros count as missing, which makes it too large", "Train with zero_as_missing=false"
            )
        self.origin.append(old)
        self.left.append(-1)
        self.right.append(-1)
        self.threshold.append(threshold)
        self.missing_left.append(missing_left)
        return len(self.origin) - 1

    def copy(self, root: int) -> None:
        """The root, and whatever is below."""
        waiting = [(root, -1, 0)]
        while waiting:
            old, above, side = waiting.pop()
            top, below = self.split(old) if old in self.at else self.plain(old)
            if above >= 0:
                (self.left if side == 0 else self.right)[above] = top
            waiting += below

    def plain(self, old: int) -> tuple[int, list]:
        new = self.add(old, float(self.old.threshold[old]), bool(self.old.missing_left[old]))
        if self.old.left[old] < 0:
            return new, []
        return new, [(int(self.old.right[old]), new, 1), (int(self.old.left[old]), new, 0)]

    def split(self, old: int) -> tuple[int, list]:
        """(the topmost new node, what is to be copied below the new ones)."""
        limit, by_default = float(self.old.threshold[old]), bool(self.old.missing_left[old])
        if (limit >= ZERO_UP_TO and by_default) or (limit <= BELOW_ZERO and not by_default):
            return self.plain(old)
        left, right = int(self.old.left[old]), int(self.old.right[old])
        zero = left if by_default else right
        top, waiting = self.add(old, BELOW_ZERO, False), []
        middle = self.add(old, ZERO_UP_TO, True)
        self.right[top] = middle
        waiting.append((zero, middle, 0))
        for owner, side, is_whole, whole in (
            (top, 0, limit >= BELOW_ZERO, left), (middle, 1, limit <= ZERO_UP_TO, right),
        ):  # fmt: skip
            if is_whole:
                waiting.append((whole, owner, side))
                continue
            part = self.add(old, limit, by_default)
            (self.left if side == 0 else self.right)[owner] = part
            waiting += [(right, part, 1), (left, part, 0)]
        return top, waiting

    def nodes(self) -> BinaryNodes:
        """Counts of copies are not known: the model carries those of the whole split alone."""
        origin = np.array(self.origin, np.int64)
        again = len(np.unique(origin)) < len(origin)
        listed = {new: self.old.listed[old] for new, old in enumerate(self.origin) if old in self.old.listed}
        return replace(
            self.old, left=np.array(self.left), right=np.array(self.right), feature=self.old.feature[origin],
            threshold=np.array(self.threshold), missing_left=np.array(self.missing_left),
            outputs=self.old.outputs[origin], listed=listed,
            cover=None if again or self.old.cover is None else self.old.cover[origin],
            n_rows=None if again or self.old.n_rows is None else self.old.n_rows[origin],
        )  # fmt: skip


LINKS_OF = {
    "binary": "logistic", "cross_entropy": "logistic", "xentropy": "logistic", "multiclass": "softmax",
    "multiclassova": "one against rest", "regression": "identity", "regression_l1": "identity", "huber": "identity",
    "fair": "identity", "quantile": "identity", "mape": "identity", "poisson": "exponential", "gamma": "exponential",
    "tweedie": "exponential", "lambdarank": "identity", "rank_xendcg": "identity",
}  # fmt: skip
"""Objectives -> the link from the sum to the answer. Others are refused."""
OF_CLASSES = ("binary", "multiclass", "multiclassova")
SETTINGS = GrowSettings(missing="both_ways", criterion="squared_error")
CATEGORICAL, DEFAULT_LEFT = 1, 2
NO_MISSING, ZERO, NAN = 0, 1, 2
MISSING_TYPES = {"None": NO_MISSING, "Zero": ZERO, "NaN": NAN}


def is_mine(source: ModelSource) -> bool:
    if source.given is not None and not isinstance(source.given, dict):
        return any(kind.__module__.startswith("lightgbm.") for kind in type(source.given).__mro__)
    if source.json is not None:
        return "tree_info" in source.json and "max_feature_idx" in source.json
    return source.head.startswith(b"tree") and b"max_feature_idx=" in source.head


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> SummedTrees:
    if source.given is not None and not isinstance(source.given, dict):
        source, classes = _written(source.given, classes)
    with fault_texts(source):
        about, trees = _of_text(source.content) if source.json is None else _of_json(source.json)
        return _ensemble(about, trees, table, classes)


def _written(model: Any, classes: tuple[str, ...] | None) -> tuple[ModelSource, tuple[str, ...] | None]:
    if getattr(model, "_Booster", model) is None:
        raise unsaid(type(model).__name__, "It is not fitted", "Call fit first")
    if classes is None and hasattr(model, "_classes") and model._classes is not None:
        classes = tuple(np.asarray(model.classes_).tolist())
    booster = getattr(model, "booster_", model)
    return ModelSource(data=booster.model_to_string().encode("utf-8"), name=type(model).__name__), classes


# a tree as columns, in the names of the text


def _of_text(data: bytes) -> tuple[dict, list[dict]]:
    """(what the file says of the model, the columns of each tree)."""
    about: dict[str, Any] = {"pandas_categorical": []}
    trees: list[dict[str, Any]] = []
    here: dict[str, Any] | None = about
    for line in data.decode("utf-8").splitlines():
        name, equals, value = line.partition("=")
        if line.startswith("Tree="):
            here = {}
            trees.append(here)
        elif line in ("end of trees", "parameters:", "feature_importances:"):
            here = None
        elif line.startswith("pandas_categorical:"):
            about["pandas_categorical"] = json.loads(line.partition(":")[2]) or []
        elif line == "average_output":
            about[line] = True
        elif equals and here is not None:
            here[name] = value if here is about else value.split()
    about |= {name: int(about[name]) for name in ("num_tree_per_iteration", "max_feature_idx")}
    about["feature_names"] = about["feature_names"].split(" ")
    return about, [_columns(tree) for tree in trees]


def _columns(tree: Mapping) -> dict:
    n = int(tree["num_leaves"][0]) - 1
    if tree.get("is_linear", ["0"]) != ["0"]:
        raise _linear()
    whole = ("split_feature", "decision_type", "left_child", "right_child", "leaf_count", "internal_count")
    made = {name: np.array(tree.get(name, ()), np.int64) for name in whole}
    real = ("threshold", "leaf_value", "leaf_weight", "internal_weight")
    made |= {name: np.array(tree.get(name, ()), np.float64) for name in real}
    begin, words = (np.array(tree.get(name, ()), np.int64) for name in ("cat_boundaries", "cat_threshold"))
    listed = {}
    for i in np.flatnonzero(made["decision_type"] & CATEGORICAL):
        which = int(made["threshold"][i])
        part = words[begin[which] : begin[which + 1]].astype(np.uint32)
        listed[int(i)] = np.flatnonzero(np.unpackbits(part.view(np.uint8), bitorder="little"))
    return _checked(made | {"listed": listed}, n)


def _checked(tree: dict, n: int) -> dict:
    """The columns, if all are of n splits and n + 1 leaves."""
    inner = ("split_feature", "decision_type", "left_child", "right_child", "threshold")
    if n < 0 or any(len(tree[name]) != n for name in inner) or len(tree["leaf_value"]) != n + 1:
        raise ValueError("a tree has not as many splits and leaves as it says")
    return tree


def _linear():
    return unsaid("linear_tree", "Its leaves hold linear models", "Train with linear_tree=false")


def _of_json(model: Mapping) -> tuple[dict, list[dict]]:
    return {"pandas_categorical": [], **model}, [
        _columns_of_json(tree["tree_structure"]) for tree in model["tree_info"]
    ]


def _columns_of_json(root: Mapping) -> dict:
    """The columns of nested nodes; splits and leaves are numbered as they are met."""
    splits: list[tuple] = []
    leaves: list[tuple] = []
    listed: dict[int, np.ndarray] = {}
    waiting = [(root, None, 0)]
    children: list[list[int]] = []
    while waiting:
        node, above, side = waiting.pop()
        if "split_feature" in node:
            place, kind = len(splits), MISSING_TYPES[node["missing_type"]] << 2
            kind |= DEFAULT_LEFT * bool(node["default_left"])
            if node["decision_type"] == "==":
                listed[place] = np.array([int(part) for part in str(node["threshold"]).split("||")], np.int64)
                kind, threshold = kind | CATEGORICAL, 0.0
            elif node["decision_type"] == "<=":
                threshold = float(node["threshold"])
            else:
                raise ValueError("a test is neither <= nor ==")
            splits.append((node["split_feature"], kind, threshold, node.get("internal_weight"), node["internal_count"]))
            children.append([0, 0])
            waiting += [(node["right_child"], place, 1), (node["left_child"], place, 0)]
        else:
            if "leaf_coeff" in node:
                raise _linear()
            place = ~len(leaves)
            leaves.append((node["leaf_value"], node.get("leaf_weight"), node.get("leaf_count")))
        if above is not None:
            children[above][side] = place
    f, kinds, thresholds, weight, count = zip(*splits, strict=True) if splits else [()] * 5
    value, leaf_weight, leaf_count = zip(*leaves, strict=True)
    left, right = np.array(children, np.int64).reshape(-1, 2).T
    return _checked({
        "split_feature": np.array(f, np.int64), "decision_type": np.array(kinds, np.int64), "left_child": left,
        "right_child": right, "threshold": np.array(thresholds, np.float64), "listed": listed,
        "leaf_value": np.array(value, np.float64), "leaf_weight": _known(leaf_weight), "leaf_count": _known(leaf_count),
        "internal_weight": _known(weight), "internal_count": _known(count),
    }, len(splits))  # fmt: skip


def _known(numbers: tuple) -> np.ndarray:
    return np.array([] if None in numbers else numbers, np.float64)


# the model


def _ensemble(about: Mapping, trees: list[dict], table: Table | None, classes: tuple | None) -> SummedTrees:
    told = str(about.get("objective") or "").split()
    name = told[0] if told else ""
    if name not in LINKS_OF:
        called = f"objective {name}" if name else "objective"
        raise unsaid(called, "What the sum means is not known here", f"Known are {', '.join(LINKS_OF)}")
    parameters = dict(part.split(":", 1) for part in told[1:] if ":" in part)
    link = "signed square" if "sqrt" in told[1:] else LINKS_OF[name]
    n_scores = int(about["num_tree_per_iteration"])
    if n_scores < 1 or n_scores > max(len(trees), 1) or len(trees) % n_scores:
        raise ValueError("trees and their scores do not belong together")
    if sum(2 * len(tree["leaf_value"]) for tree in trees) > MOST_NODES:
        raise unsaid("trees", f"They have more than {MOST_NODES:,} nodes together", "Train fewer or smaller trees")
    labels = numbered_classes(max(n_scores, 2), classes, table) if name in OF_CLASSES else ()
    schema = _schema(about, trees, table)
    check_places(schema, (int(tree["split_feature"][i]) for tree in trees for i in tree["listed"]))
    result = tuple(_tree(tree, schema, table, f"tree {i}") for i, tree in enumerate(trees))
    return SummedTrees(
        table, result, np.ones(len(result)), names=labels, adds_to=np.arange(len(result)) % n_scores,
        starts=np.zeros(n_scores), link=link, made_by=f"LightGBM, {name}", factor=float(parameters.get("sigmoid", 1)),
        averaged=bool(about.get("average_output")),
    )  # fmt: skip


def _schema(about: Mapping, trees: list[dict], table: Table | None) -> Schema:
    n, given = int(about["max_feature_idx"]) + 1, [str(name) for name in about["feature_names"]]
    numbered = all(name == f"Column_{j}" for j, name in enumerate(given))
    names = feature_names(n, _with_blanks(given, table), table, are_numbered=numbered)
    most: dict[int, int] = {}
    for tree in trees:
        for i, listed in tree["listed"].items():
            f = int(tree["split_feature"][i])
            most[f] = max(most.get(f, 0), int(listed.max(initial=0)))
    named = _categories(about, n, most)
    named |= coded_features(names, {f: most[f] + 1 for f in most if f not in named}, table)
    features = tuple(
        FeatureSchema(name, "nominal", named[f]) if f in named else FeatureSchema(name, "numeric")
        for f, name in enumerate(names)
    )
    return Schema(features, target_name(table, names), ())


def _with_blanks(names: list[str], table: Table | None) -> list[str]:
    """The names as the table has them: LightGBM writes _ for a blank."""
    if table is None:
        return names
    own = {name.replace(" ", "_"): name for name in reversed(table.features)}
    return [name if name in table.features else own.get(name, name) for name in names]


def _categories(about: Mapping, n: int, used: Mapping) -> dict[int, tuple[str, ...]]:
    """feature -> its categories in their order, where the model was trained on a pandas frame.

    They are saved in the order of the columns that are categorical, which feature_infos tells apart.
    """
    saved = about["pandas_categorical"]
    if not saved:
        return {}
    infos = about["feature_infos"]
    if isinstance(infos, str):
        are = [f for f, info in enumerate(infos.split(" ")) if info != "none" and not info.startswith("[")]
    else:
        are = [f for f, name in enumerate(about["feature_names"]) if infos.get(name, {}).get("values")]
    if len(are) != len(saved):
        if used:
            raise unsaid("pandas_categorical", "Which features its categories are of is not said", "Train without one "
                         "that is the same in all rows")  # fmt: skip
        return {}
    return {f: class_labels(levels, None) for f, levels in zip(are, saved, strict=True) if f < n}


def _tree(tree: Mapping, schema: Schema, table: Table | None, where: str):
    n, kind = len(tree["split_feature"]), tree["decision_type"]
    missing, by_default = (kind >> 2) & 3, (kind & DEFAULT_LEFT) != 0
    categorical = (kind & CATEGORICAL) != 0
    numbers = ~categorical
    # a missing value counts as 0 where nothing was missing, and is no category
    left = np.where(missing == NO_MISSING, tree["threshold"] >= 0, by_default) & numbers
    leaf, none = np.full(n + 1, -1), np.full(n, np.nan)
    inner = [np.where(child < 0, n + ~child, child) for child in (tree["left_child"], tree["right_child"])]
    nodes = BinaryNodes(
        left=np.concatenate([inner[0], leaf]), right=np.concatenate([inner[1], leaf]),
        feature=np.concatenate([tree["split_feature"], leaf]), closed=True,
        threshold=np.concatenate([tree["threshold"], np.full(n + 1, np.nan)]),
        missing_left=np.concatenate([left, np.zeros(n + 1, bool)]),
        outputs=np.concatenate([none, tree["leaf_value"]])[:, None], cover=_both(tree, "weight", n),
        n_rows=_both(tree, "count", n), listed=tree["listed"],
    )  # fmt: skip
    if nodes.n_rows is not None:
        nodes = replace(nodes, n_rows=nodes.n_rows.astype(np.int64), cover=nodes.n_rows.astype(float))
    by_zero = np.flatnonzero(numbers & (missing == ZERO))
    nodes = zeros_by_default(nodes, by_zero, where) if len(by_zero) else nodes
    return counted_outputs(tree_of(nodes, schema, SETTINGS, "squared_error", where), table)


def _both(tree: Mapping, what: str, n: int) -> np.ndarray | None:
    """float64, of splits and leaves; None where the file does not say."""
    inner, leaf = tree[f"internal_{what}"], tree[f"leaf_{what}"]
    return np.concatenate([inner, leaf]) if (len(inner), len(leaf)) == (n, n + 1) else None
