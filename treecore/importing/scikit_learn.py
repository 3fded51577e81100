"""Fitted trees, forests and boosted trees of scikit-learn, as objects; scikit-learn itself is not imported.

Thresholds are compared with numbers rounded to 32 bits, x <= θ (in 64 bits by histogram boosting), and a missing value
goes where it was trained to. The encoders of a pipeline are read back into levels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treecore.data.level_index import label_of
from treecore.data.table import Table
from treecore.ensembles.ensemble import Ensemble
from treecore.ensembles.imported import Averaged, SummedTrees, WeightedMedian
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.model_source import ModelSource, unsaid
from treecore.importing.model_tree import (
    BinaryNodes,
    breadth_first,
    class_labels,
    counted,
    counted_outputs,
    feature_names,
    target_name,
    tree_of,
)
from treecore.presets import PRESETS
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.tree import Tree

# What the columns that reach a model of scikit-learn were before its pipeline encoded them.
#
# Splits of encoded columns are read back: of an indicator as one level against the others, of a code as the levels up
# to it.

NUMBER, CODE, IS = "number", "code", "is"


@dataclass(frozen=True)
class Origin:
    """One column of what reaches the model. column : of the table. kind : NUMBER, as it is; CODE, the index of its
    level; IS, 1 for one of its levels and 0 for all others. levels : as text, in the order of the codes. place : of the
    level that IS tells, -1 for a missing value. missing, unseen : the codes of such values, NaN for none. fill : what
    stands in for a missing value, None for nothing."""

    column: int
    kind: str = NUMBER
    levels: tuple[str, ...] = ()
    place: int = 0
    missing: float = np.nan
    unseen: float = np.nan
    fill: object = None


def plain_columns(n: int) -> list[Origin]:
    """Columns that nothing has changed."""
    return [Origin(f) for f in range(n)]


def encoded(step: Any, columns: Sequence[Origin]) -> list[Origin]:
    """The columns behind a fitted step, whose input are these. TreecoreError for a step that changes them otherwise."""
    name = type(step).__name__
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return list(columns)
    if isinstance(step, str) and step == "drop":
        return []
    if name == "FunctionTransformer" and step.func is None:
        return list(columns)
    if name == "Pipeline":
        for _, part in step.steps:
            columns = encoded(part, columns)
        return list(columns)
    if name not in STEPS or not type(step).__module__.startswith("sklearn."):
        remedy = f"Known are {', '.join(STEPS)}; trees need no scaling"
        raise unsaid(name, "It changes columns in a way that a tree here cannot say", remedy)
    return STEPS[name](step, columns)


def _side_by_side(step: Any, columns: Sequence[Origin]) -> list[Origin]:
    result = []
    for name, part, _ in step.transformers_:
        at = step._transformer_to_input_indices[name]
        result += encoded(part, [columns[int(i)] for i in at])
    return result


def _plain(columns: Sequence[Origin], name: str) -> None:
    if any(origin.kind != NUMBER for origin in columns):
        raise unsaid(name, "It encodes columns that are encoded already", "Encode every column once")


def _levels(categories: np.ndarray) -> tuple[tuple[str, ...], int | None]:
    """(the levels as text, the place of a missing one; None where it is none of them)."""
    lost = [k for k, value in enumerate(categories.tolist()) if value is None or value != value]
    return tuple("" if k in lost else label_of(value) for k, value in enumerate(categories.tolist())), (
        lost[0] if lost else None
    )


def _indicators(step: Any, columns: Sequence[Origin]) -> list[Origin]:
    _plain(columns, "OneHotEncoder")
    if any(found is not None for found in getattr(step, "infrequent_categories_", ())):
        raise unsaid("OneHotEncoder", "It puts infrequent categories together", "Fit it without min_frequency")
    result = []
    dropped = getattr(step, "drop_idx_", None)
    for j, (origin, categories) in enumerate(zip(columns, step.categories_, strict=True)):
        texts, lost = _levels(categories)
        known = tuple(text for k, text in enumerate(texts) if k != lost)
        for k, text in enumerate(texts):
            if dropped is None or dropped[j] is None or dropped[j] != k:
                place = -1 if k == lost else known.index(text)
                result.append(replace(origin, kind=IS, levels=known, place=place))
    return result


def _codes(step: Any, columns: Sequence[Origin]) -> list[Origin]:
    _plain(columns, "OrdinalEncoder")
    if any(found is not None for found in getattr(step, "infrequent_categories_", ())):
        raise unsaid("OrdinalEncoder", "It puts infrequent categories together", "Fit it without min_frequency")
    result = []
    for origin, categories in zip(columns, step.categories_, strict=True):
        texts, lost = _levels(categories)
        known = tuple(text for k, text in enumerate(texts) if k != lost)
        unseen = np.nan if step.unknown_value is None else float(step.unknown_value)
        # a missing value that no row of the fit had is to it a level that it does not know
        missing = unseen if lost is None else float(getattr(step, "encoded_missing_value", np.nan))
        result.append(replace(origin, kind=CODE, levels=known, missing=missing, unseen=unseen))
    return result


def _filled(step: Any, columns: Sequence[Origin]) -> list[Origin]:
    _plain(columns, "SimpleImputer")
    if step.add_indicator or not _is_missing(step.missing_values):
        raise unsaid(
            "SimpleImputer", "It tells where values are missing, or takes others for missing", "Fit it plainly"
        )
    values = list(step.statistics_)
    if len(values) != len(columns) or any(_is_missing(value) for value in values):
        raise unsaid("SimpleImputer", "It leaves out columns without values", "Leave them out before")
    return [replace(origin, fill=value) for origin, value in zip(columns, values, strict=True)]


def _is_missing(value: Any) -> bool:
    return value is None or value != value or type(value).__name__ == "NAType"


STEPS = {
    "ColumnTransformer": _side_by_side, "OneHotEncoder": _indicators, "OrdinalEncoder": _codes,
    "SimpleImputer": _filled,
}  # fmt: skip


def features_of(names: Sequence[str], columns: Sequence[Origin]) -> tuple[FeatureSchema, ...]:
    """The features of the table, as the model's columns came from them."""
    made = [FeatureSchema(name, "numeric") for name in names]
    for origin in columns:
        name = names[origin.column]
        is_number = origin.kind == NUMBER
        fill = origin.fill
        if fill is not None:
            fill = float(fill) if is_number else float(_place(origin.levels, fill, name))
        feature = FeatureSchema(name, "numeric" if is_number else "nominal", () if is_number else origin.levels, fill)
        before = made[origin.column]
        if before not in (feature, FeatureSchema(name, "numeric")):
            raise unsaid(f"feature {name!r}", "It is encoded in two ways", "Encode every column once")
        made[origin.column] = feature
    return tuple(made)


def _place(levels: tuple[str, ...], fill: object, name: str) -> int:
    text = label_of(fill)
    if text not in levels:
        raise unsaid(f"feature {name!r}", f"Missing values become {text}, which is no level", "Fill with one that is")
    return levels.index(text)


def read_back(nodes: BinaryNodes, columns: Sequence[Origin], where: str) -> BinaryNodes:
    """The nodes as they ask for columns of the table. nodes : x <= threshold goes left, or lists of codes do."""
    if list(columns) == plain_columns(len(columns)):
        return nodes
    feature, listed = nodes.feature.copy(), dict(nodes.listed)
    inner = nodes.left >= 0
    column = np.array([origin.column for origin in columns], np.int64)
    feature[inner] = column[nodes.feature[inner]]
    missing = np.zeros(len(feature), bool) if nodes.missing_left is None else nodes.missing_left.copy()
    unseen = missing.copy()
    kinds = np.array([origin.kind != NUMBER for origin in columns], bool)
    at = np.flatnonzero(inner)
    for i in at[kinds[nodes.feature[at]]].tolist():
        origin, limit = columns[nodes.feature[i]], float(nodes.threshold[i])
        if i in listed:
            continue
        if origin.kind == CODE:
            codes = np.arange(len(origin.levels))
            listed[i] = codes[codes <= limit]
            lost = bool(missing[i])
            missing[i] = lost if np.isnan(origin.missing) else origin.missing <= limit
            unseen[i] = lost if np.isnan(origin.unseen) else origin.unseen <= limit
            continue
        if not 0 <= limit < 1:
            raise unsaid(where, "It parts an indicator where it has no values", "Fit it again")
        codes = np.arange(len(origin.levels))
        listed[i] = codes[codes != origin.place]
        missing[i], unseen[i] = origin.place != -1, True
    return replace(nodes, feature=feature, listed=listed, missing_left=missing, unseen_left=unseen)


CRITERIA_OF = {"gini": "gini", "entropy": "entropy", "log_loss": "entropy"}
"""Its criteria of classes -> ours; all of numbers are read as squared_error, as their answers are kept."""
SQUARED = ("squared_error", "friedman_mse")
"""Criteria whose impurities are variances."""
TREES = ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")
FORESTS = ("RandomForestClassifier", "RandomForestRegressor", "ExtraTreesClassifier", "ExtraTreesRegressor")
HISTOGRAMS = ("HistGradientBoostingClassifier", "HistGradientBoostingRegressor")
LINKS_OF = {"IdentityLink": "identity", "LogLink": "exponential", "LogitLink": "logistic", "HalfLogitLink": "logistic",
            "MultinomialLogit": "softmax"}  # fmt: skip
"""Its links of histogram boosting -> ours. Others are refused."""
BOOSTED = ("GradientBoostingClassifier", "GradientBoostingRegressor")
DUMMIES = ("DummyClassifier", "DummyRegressor")


def is_mine(source: ModelSource) -> bool:
    return any(kind.__module__.startswith("sklearn.") for kind in type(source.given).__mro__)


@dataclass(frozen=True)
class ModelInputs:
    """What a model's trees are about. schema : of the table. columns : what reaches the model, as it came from them."""

    schema: Schema
    columns: tuple[Origin, ...]
    table: Table | None

    def of_numbers(self) -> "ModelInputs":
        """The same of trees that add numbers up to scores of classes."""
        return replace(self, schema=replace(self.schema, classes=()))


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Ensemble:
    return read_estimator(source.given, table)


def read_estimator(
    model: Any, table: Table | None, known: Sequence[object] | None = None, names: Sequence[object] | None = None
) -> Tree | Ensemble:
    """A fitted estimator. known, names : its classes and its features, where what wraps it has them."""
    columns = None
    if type(model).__name__ == "Pipeline":
        model, columns, names = _behind(model, table)
    kinds = [kind.__name__ for kind in type(model).__mro__ if kind.__module__.startswith("sklearn.")]
    name = next((kind for kind in kinds if kind in READ), None)
    if name is None:
        known = ", ".join((*READ, "Pipeline"))
        what = kinds[0] if kinds else type(model).__name__
        raise unsaid(what, "There is no reader for this estimator", f"Give a fitted one of {known}")
    fitted = "tree_" if name in TREES else "_predictors" if name in HISTOGRAMS else "estimators_"
    if not hasattr(model, fitted):
        raise unsaid(name, "It is not fitted", "Call fit first")
    if getattr(model, "n_outputs_", 1) != 1:
        raise unsaid(name, f"It answers with {model.n_outputs_} targets at once", "Fit one model per target")
    if columns is None:
        columns = plain_columns(int(model.n_features_in_))
        names = feature_names(len(columns), getattr(model, "feature_names_in_", names), table)
    columns = _remapped(model, columns) if name in HISTOGRAMS else columns
    labels = ()
    if hasattr(model, "classes_"):
        labels = class_labels(np.asarray(model.classes_ if known is None else known).tolist(), table)
        if len(labels) != len(model.classes_):
            raise unsaid(
                name, f"It has {len(model.classes_)} classes, and is said to have {len(labels)}", "Fit it again"
            )
    precision = "float64" if name in HISTOGRAMS else "float32"
    schema = Schema(features_of(names, columns), target_name(table, names), labels, precision)
    return READ[name](model, name, ModelInputs(schema, tuple(columns), table))


def _behind(model: Any, table: Table | None) -> tuple[Any, list[Origin], tuple[str, ...]]:
    """(the last step of a pipeline, the columns that reach it, names of the table's)."""
    *steps, (_, last) = model.steps
    if not hasattr(last, "n_features_in_"):
        raise unsaid("Pipeline", "It is not fitted, or its last step is no model", "Call fit first")
    n = int(model.n_features_in_)
    names, columns = feature_names(n, getattr(model, "feature_names_in_", None), table), plain_columns(n)
    for _, step in steps:
        columns = encoded(step, columns)
    if len(columns) != int(last.n_features_in_):
        raise unsaid("Pipeline", "Its steps make other columns than they say", "Give the last step alone")
    return last, columns, names


# single trees and those that vote


def _tree(model: Any, name: str, fit: ModelInputs) -> Tree:
    tree, order = _bare(model, fit)
    squared = not fit.schema.classes and model.criterion in SQUARED
    return counted(tree, fit.table, np.asarray(model.tree_.impurity)[order] if squared else None)


def _bare(model: Any, fit: ModelInputs) -> tuple[Tree, np.ndarray]:
    """(the tree without rows, the model's node that each of its nodes is)."""
    nodes, schema, where = model.tree_, fit.schema, type(model).__name__
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
    tree = tree_of(read_back(binary, fit.columns, where), schema, GrowSettings.from_dict(growth), criterion, where)
    return tree, breadth_first(binary.left, binary.right, where)


def _missing_left(nodes: Any) -> np.ndarray | None:
    """None of versions before 1.3, which refuse missing values."""
    result = getattr(nodes, "missing_go_to_left", None)
    return None if result is None else np.asarray(result, bool)


def _forest(model: Any, name: str, fit: ModelInputs) -> Averaged:
    trees = tuple(_tree(tree, name, fit) for tree in model.estimators_)
    return Averaged(fit.table, trees, np.ones(len(trees)), names=fit.schema.classes, made_by=f"scikit-learn, {name}")


def _adaboost(model: Any, name: str, fit: ModelInputs) -> Averaged:
    """Each tree votes with one class, by the weight that it was given."""
    _check_boosts_trees(model, name)
    if any(list(tree.classes_) != list(model.classes_) for tree in model.estimators_):
        raise unsaid(name, "One of its trees does not know all classes", "Fit it on more rows")
    trees = tuple(_tree(tree, name, fit) for tree in model.estimators_)
    weights, made_by = np.asarray(model.estimator_weights_, float)[: len(trees)], f"scikit-learn, {name}"
    return Averaged(fit.table, trees, weights, by_shares=False, names=fit.schema.classes, made_by=made_by)


def _median(model: Any, name: str, fit: ModelInputs) -> WeightedMedian:
    """The median of what the trees answer, by the weights that they were given."""
    _check_boosts_trees(model, name)
    trees = tuple(_tree(tree, name, fit) for tree in model.estimators_)
    weights = np.asarray(model.estimator_weights_, float)[: len(trees)]
    return WeightedMedian(fit.table, trees, weights, made_by=f"scikit-learn, {name}")


def _check_boosts_trees(model: Any, name: str) -> None:
    for tree in model.estimators_:
        if not hasattr(tree, "tree_"):
            remedy = f"Boost DecisionTree{name.removeprefix('AdaBoost')}"
            raise unsaid(name, f"It boosts {type(tree).__name__}", remedy)


# trees that are added up


def _boosted(model: Any, name: str, fit: ModelInputs) -> SummedTrees:
    begin, classes = getattr(model, "init_", None), fit.schema.classes
    if type(begin).__name__ not in DUMMIES and begin != "zero":
        raise unsaid(name, f"It starts from {type(begin).__name__}", "Fit it with init=None or init='zero'")
    starts = np.asarray(model._raw_predict_init(np.zeros((1, len(fit.columns)), np.float32)), float)[0]
    grid = np.asarray(model.estimators_, object)
    trees = tuple(counted_outputs(_bare(tree, fit.of_numbers())[0], fit.table) for tree in grid.ravel())
    link = "identity" if not classes else "logistic" if grid.shape[1] == 1 else "softmax"
    return SummedTrees(
        fit.table, trees, np.full(len(trees), float(model.learning_rate)), names=classes,
        adds_to=np.tile(np.arange(grid.shape[1]), len(grid)), starts=starts, link=link,
        ties_up=True, factor=2.0 if model.loss == "exponential" else 1.0, made_by=f"scikit-learn, {name}",
    )  # fmt: skip


def _histograms(model: Any, name: str, fit: ModelInputs) -> SummedTrees:
    link = type(model._loss.link).__name__
    if link not in LINKS_OF:
        raise unsaid(f"loss {model.loss!r}", "What the sum means is not known here", "Fit it with another loss")
    starts = np.asarray(model._baseline_prediction, np.float64).reshape(-1)
    grid = [[_of_histograms(tree, fit.of_numbers()) for tree in turn] for turn in model._predictors]
    trees = tuple(counted_outputs(tree, fit.table) for turn in grid for tree in turn)
    return SummedTrees(
        fit.table, trees, np.ones(len(trees)), names=fit.schema.classes,
        adds_to=np.array([k for turn in grid for k in range(len(turn))]), starts=starts, link=LINKS_OF[link],
        made_by=f"scikit-learn, {name}",
    )  # fmt: skip


def _of_histograms(tree: Any, fit: ModelInputs) -> Tree:
    nodes, where = tree.nodes, "tree"
    leaf = nodes["is_leaf"] != 0
    words = np.ascontiguousarray(tree.raw_left_cat_bitsets, np.uint32)
    listed = {
        int(i): np.flatnonzero(np.unpackbits(words[nodes["bitset_idx"][i]].view(np.uint8), bitorder="little"))
        for i in np.flatnonzero((nodes["is_categorical"] != 0) & ~leaf)
    }
    count = nodes["count"].astype(np.int64)
    left, right = (np.where(leaf, -1, nodes[side].astype(np.int64)) for side in ("left", "right"))
    binary = BinaryNodes(
        left=left, right=right,
        feature=nodes["feature_idx"].astype(np.int64), threshold=nodes["num_threshold"].astype(np.float64), closed=True,
        missing_left=nodes["missing_go_to_left"] != 0, outputs=np.where(leaf, nodes["value"], np.nan)[:, None],
        cover=count.astype(np.float64), n_rows=count, listed=listed,
    )  # fmt: skip
    settings = GrowSettings(missing="both_ways", criterion="squared_error")
    return tree_of(read_back(binary, fit.columns, where), fit.schema, settings, "squared_error", where)


def _remapped(model: Any, columns: list[Origin]) -> list[Origin]:
    """Histogram boosting numbers its categories itself, and puts them first."""
    encoder, name = getattr(model, "_preprocessor", None), type(model).__name__
    if encoder is None:
        if getattr(model, "is_categorical_", None) is not None:
            raise unsaid(
                name, "Its categories are numbered as an older version does", "Fit it by scikit-learn 1.4 or newer"
            )
        return columns
    is_first = np.asarray(model.is_categorical_, bool)
    first = [origin for origin, is_one in zip(columns, is_first, strict=True) if is_one]
    made = []
    for origin, categories in zip(first, encoder.named_transformers_["encoder"].categories_, strict=True):
        values = [value for value in categories.tolist() if value is not None and value == value]
        if origin.kind == CODE and np.isnan(origin.missing) and np.isnan(origin.unseen):
            made.append(replace(origin, levels=tuple(origin.levels[int(value)] for value in values)))
        elif origin.kind == NUMBER and origin.fill is None:
            made.append(replace(origin, kind=CODE, levels=tuple(label_of(value) for value in values)))
        else:
            raise unsaid(name, "Its categories are encoded twice", "Encode every column once")
    return made + [origin for origin, is_one in zip(columns, is_first, strict=True) if not is_one]


READ = (
    dict.fromkeys(TREES, _tree) | dict.fromkeys(FORESTS, _forest) | dict.fromkeys(BOOSTED, _boosted)
    | dict.fromkeys(HISTOGRAMS, _histograms) | {"AdaBoostClassifier": _adaboost, "AdaBoostRegressor": _median}
)  # fmt: skip
"""Estimator -> what reads it."""
