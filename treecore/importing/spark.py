"""Trees, forests and boosted trees of Spark ML as `save` writes them, a folder or a zip of it; or objects of pyspark.

A number goes left where x <= θ, and right where it is missing; a category by the set that is smaller in the file, so
that one which training did not have goes the other way. A PipelineModel says what its columns and classes are called.
"""

import io
import json
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import compute, parquet

from treecore.data.table import Table
from treecore.ensembles.imported import Averaged, SummedTrees
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.model_source import (
    LARGEST_FILE,
    MOST_NODES,
    ModelSource,
    fault_texts,
    packed,
    unreadable,
    unsaid,
)
from treecore.importing.model_tree import (
    BinaryNodes,
    check_places,
    class_labels,
    coded_features,
    counted,
    counted_outputs,
    feature_names,
    numbered_classes,
    target_name,
    tree_of,
)
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.tree import Tree

ZIP = b"PK\x03\x04"
PACKAGE = "org.apache.spark.ml."
PIPELINE, INDEXER, ASSEMBLER = "PipelineModel", "feature.StringIndexerModel", "feature.VectorAssembler"
FORESTS = ("classification.RandomForestClassificationModel", "regression.RandomForestRegressionModel")
BOOSTED = ("classification.GBTClassificationModel", "regression.GBTRegressionModel")
MODELS = (
    "classification.DecisionTreeClassificationModel", "regression.DecisionTreeRegressionModel", *FORESTS, *BOOSTED,
)  # fmt: skip
SETTINGS = GrowSettings(missing="both_ways")
COLUMNS = (
    "id", "prediction", "impurityStats", "rawCount", "leftChild", "rightChild", "split.featureIndex",
    "split.leftCategoriesOrThreshold", "split.numCategories",
)  # fmt: skip
"""What is read of a node."""
NUMBERS, TEXTS = ("INT32", "INT64", "FLOAT", "DOUBLE"), ("BYTE_ARRAY",)
BATCH = 8192
"""Rows that are unpacked at once."""
MOST_VALUES = 2**25
"""Numbers of all nodes together."""


def is_mine(source: ModelSource) -> bool:
    if source.given is not None:
        return any(kind.__module__.startswith("pyspark.ml.") for kind in type(source.given).__mro__)
    return source.head.startswith(ZIP) and _root(source) is not None


def read(source: ModelSource, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Averaged | SummedTrees:
    if source.given is not None:
        source = _saved(source.given)
    with fault_texts(source):
        return _model(Saved(source, _root(source) or ""), table, classes)


def _saved(model: Any) -> ModelSource:
    """The model as it writes itself."""
    name = type(model).__name__
    if not hasattr(model, "write"):
        raise unsaid(name, "It is no fitted model", "Give a fitted model of Spark ML, or a PipelineModel")
    with tempfile.TemporaryDirectory() as folder:
        try:
            model.write().overwrite().save(Path(folder, "model").as_uri())
        except Exception as fault:  # of a cluster, of Java
            remedy = "Save it by model.save(…), copy the folder to this machine and give its path"
            raise unsaid(name, f"It does not write itself here ({str(fault)[:120]})", remedy) from None
        return ModelSource(data=packed(Path(folder, "model")), name=name)


# what Spark saves


def _root(source: ModelSource) -> str | None:
    """The folder of the model inside the zip, "" for the zip itself; None where there is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(source.content)) as file:
            names = [name for name in file.namelist() if _is_part(name, "metadata")]
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return None
    return min((name.rpartition("metadata/")[0] for name in names), key=len, default=None)


def _is_part(name: str, folder: str, root: str | None = None) -> bool:
    """Is this a file of data, not a sum or a sign of Spark's, in the folder of this name?"""
    place, _, own = name.rpartition("/")
    above, _, last = place.rpartition("/")
    known = root is None or (f"{above}/" if above else "") == root
    return last == folder and own.startswith("part-") and known


@dataclass(frozen=True)
class Saved:
    """One saved model, or a stage of a pipeline. root : its folder in the zip, with a slash at its end, or ""."""

    source: ModelSource
    root: str = ""

    @cached_property
    def about(self) -> dict:
        """What Spark says of it: its class, its parameters."""
        result = json.loads(self._parts("metadata")[0])
        if not str(result["class"]).startswith(PACKAGE):
            raise unreadable(self.source, "It is no model of Spark ML")
        return result

    @property
    def kind(self) -> str:
        return self.about["class"].removeprefix(PACKAGE)

    def parameter(self, name: str) -> Any:
        """As it was set, or as Spark sets it; None of one that there is not."""
        return {**self.about["defaultParamMap"], **self.about["paramMap"]}.get(name)

    def stages(self) -> list["Saved"]:
        """Of a pipeline, in their order."""
        with zipfile.ZipFile(io.BytesIO(self.source.content)) as file:
            names = [name for name in file.namelist() if name.startswith(f"{self.root}stages/")]
        result = {name.removeprefix(f"{self.root}stages/").partition("/")[0] for name in names} - {""}
        return [
            Saved(self.source, f"{self.root}stages/{name}/")
            for name in sorted(result, key=lambda name: int(name.partition("_")[0]))
        ]

    def numbers(self, folder: str, names: tuple[str, ...]) -> dict[str, pa.ChunkedArray]:
        """These columns of a folder of parquet files, of numbers or lists of them; those that are there."""
        table = self._columns(folder, names, NUMBERS)
        while any(pa.types.is_struct(column.type) for column in table.schema):
            table = table.flatten()
        return dict(zip(table.column_names, table.columns, strict=True))

    def labels(self) -> list[tuple[str, ...]]:
        """Of each column of a StringIndexer. ValueError where one has a label twice."""
        table = self._columns("data", ("labelsArray", "labels"), TEXTS)
        row = table.column(0)[0].values
        several = table.column_names == ["labelsArray"]
        words = (row.values if several else row).dictionary.to_pylist()
        return [_texts(one.values, words) for one in row] if several else [_texts(row, words)]

    def _columns(self, folder: str, names: tuple[str, ...], kinds: tuple[str, ...]) -> pa.Table:
        """Columns of a folder of parquet files, within what a model may have. kinds : what their values must be."""
        try:
            files = [_file(part, names, kinds) for part in self._parts(folder)]
            if sum(file.metadata.num_rows for file, _ in files) > MOST_NODES:
                raise unsaid("trees", f"They have more than {MOST_NODES:,} nodes together", "Train smaller trees")
            chunks = [chunk for file, paths in files for chunk in _chunks(file, paths)]
            if sum(chunk.num_values for chunk in chunks) > MOST_VALUES:
                raise unsaid("trees", f"They have more than {MOST_VALUES:,} numbers together", "Train smaller trees")
            size, batches = sum(chunk.total_uncompressed_size for chunk in chunks), []
            for file, paths in files if size <= LARGEST_FILE else ():
                for batch in file.iter_batches(BATCH, columns=paths):
                    size += batch.nbytes
                    if size > LARGEST_FILE:
                        break
                    batches.append(batch)
            if size > LARGEST_FILE:
                what = f"Unpacked it has more than {LARGEST_FILE >> 20} MB"
                raise unsaid(f"folder {folder}", what, "Train fewer or smaller trees")
            return pa.Table.from_batches(batches)
        except (pa.ArrowException, OSError):
            raise unreadable(self.source, f"Its folder {folder} is no whole table") from None

    def _parts(self, folder: str) -> list[bytes]:
        with zipfile.ZipFile(io.BytesIO(self.source.content)) as file:
            parts = [part for part in file.infolist() if _is_part(part.filename, folder, self.root)]
            if not parts or sum(part.file_size for part in parts) > LARGEST_FILE:
                raise unreadable(self.source, f"Its folder {folder} is not there, or too large")
            try:
                return [file.read(part) for part in sorted(parts, key=lambda part: part.filename)]
            except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError, zlib.error):
                raise unreadable(self.source, "It is no whole zip") from None


def _file(part: bytes, names: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[parquet.ParquetFile, list[str]]:
    """(the file, the paths of its columns of these names). ValueError where one is of another kind."""
    schema = parquet.ParquetFile(io.BytesIO(part)).schema
    leaves = [schema.column(i) for i in range(len(schema))]
    leaves = [leaf for leaf in leaves if any(f"{leaf.path}.".startswith(f"{name}.") for name in names)]
    if not leaves or any(leaf.physical_type not in kinds for leaf in leaves):
        raise ValueError("a column is not there, or of another kind")
    paths = [leaf.path for leaf in leaves]
    # as a dictionary a text that stands a thousand times takes the memory of one
    return parquet.ParquetFile(io.BytesIO(part), read_dictionary=paths if kinds == TEXTS else None), paths


def _chunks(file: parquet.ParquetFile, paths: list[str]) -> list[parquet.ColumnChunkMetaData]:
    """What the file says of each piece of these columns."""
    groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
    chunks = [group.column(j) for group in groups for j in range(group.num_columns)]
    return [chunk for chunk in chunks if chunk.path_in_schema in paths]


def _texts(labels: pa.DictionaryArray, words: list[str]) -> tuple[str, ...]:
    """words : the texts of its dictionary, which columns share."""
    places = _whole(pa.chunked_array([labels.indices]))
    if len(np.unique(places)) < len(places):
        raise ValueError("a label is there twice")
    return tuple(words[k] for k in places.tolist())


# what the numbers that reach the trees were


@dataclass(frozen=True)
class Slot:
    """One number of the vector. column : of the table. levels : in the order of their numbers; () of a number."""

    column: str
    levels: tuple[str, ...] = ()


def _model(saved: Saved, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Averaged | SummedTrees:
    if saved.kind not in (PIPELINE, *MODELS):
        known = ", ".join(name.rpartition(".")[2] for name in (*MODELS, PIPELINE))
        raise unsaid(
            saved.kind.rpartition(".")[2], "There is no reader for this model of Spark", f"Give one of {known}"
        )
    stages = saved.stages() if saved.kind == PIPELINE else [saved]
    last = next((stage for stage in stages if stage.kind in MODELS), None)
    if last is None:
        raise unsaid("PipelineModel", "None of its stages is a tree that is read here", "Give the stage of the tree")
    if last.parameter("thresholds"):
        raise unsaid("thresholds", "It answers by thresholds of the classes", "Save it without thresholds")
    before = stages[: stages.index(last)]
    indexed = _indexed(before)
    nodes = _nodes(last)
    n = int(last.about["numFeatures"])
    named = saved.kind == PIPELINE
    slots = _slots(before, last, indexed) if named else [Slot(name) for name in feature_names(n, None, table)]
    if len(slots) != n:
        raise unsaid("VectorAssembler", "One of its columns holds several numbers", "Take columns of numbers alone")
    slots = _with_codes(slots, nodes, table)
    labels = _classes(last, nodes, indexed, table, classes)
    features = tuple(FeatureSchema(slot.column, "nominal" if slot.levels else "numeric", slot.levels) for slot in slots)
    schema = Schema(features, target_name(table, [feature.name for feature in features]), labels)
    return _made(last, nodes, schema, table)


def _indexed(stages: list[Saved]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Column -> (what it was before a StringIndexer, its labels in the order of their numbers)."""
    result = {}
    for stage in (stage for stage in stages if stage.kind == INDEXER):
        before, after = (
            stage.parameter(f"{side}Cols") or [stage.parameter(f"{side}Col")] for side in ("input", "output")
        )
        for name, other, own in zip(before, after, stage.labels(), strict=True):
            result[str(other)] = str(name), own
    return result


def _slots(stages: list[Saved], last: Saved, indexed: Mapping) -> list[Slot]:
    """Of the column of vectors that reaches the tree."""
    made, vector = None, last.parameter("featuresCol")
    for stage in stages:
        if stage.kind not in (INDEXER, ASSEMBLER):
            name = stage.kind.rpartition(".")[2]
            remedy = "Known are StringIndexer and VectorAssembler; trees need no indicators and no scaling"
            raise unsaid(name, "It changes columns in a way that a tree here cannot say", remedy)
        if stage.kind == ASSEMBLER and stage.parameter("outputCol") == vector:
            made = [Slot(*indexed.get(str(name), (str(name),))) for name in stage.parameter("inputCols")]
    if made is None:
        raise unsaid("PipelineModel", f"No stage makes its column {vector!r}", "Put a VectorAssembler before the tree")
    if len({slot.column for slot in made}) < len(made):
        raise unsaid("VectorAssembler", "It has a column twice", "Take every column once")
    return made


def _with_codes(slots: list[Slot], nodes: "SparkNodes", table: Table | None) -> list[Slot]:
    """A slot whose numbers count as categories without a StringIndexer has these as its levels."""
    features, which = np.unique(nodes.feature[nodes.by_levels], return_inverse=True)
    most = np.zeros(len(features), np.int64)
    np.maximum.at(most, which, nodes.n_categories[nodes.by_levels])
    counts = {f: n for f, n in zip(features.tolist(), most.tolist(), strict=True) if not slots[f].levels}
    levels = coded_features([slot.column for slot in slots], counts, table)
    return [replace(slot, levels=levels.get(f, slot.levels)) for f, slot in enumerate(slots)]


def _classes(last: Saved, nodes: "SparkNodes", indexed: Mapping, table: Table | None, classes: tuple | None) -> tuple:
    if not last.kind.startswith("classification."):
        return ()
    n = int(last.about.get("numClasses", 2))
    if n != 2 if last.kind in BOOSTED else (nodes.stats.size != n).any():
        raise unsaid("numClasses", f"It says that there are {n:,}, and its nodes have not as many", "Save it again")
    _, told = indexed.get(last.parameter("labelCol"), ("", ()))
    if classes is None and len(told) == n:
        return class_labels(told, table)
    return numbered_classes(n, classes, table)


# its trees


@dataclass(frozen=True)
class Lists:
    """One list of numbers for each node. size : int64 (n,). values : float64, all lists one behind the other."""

    size: np.ndarray
    values: np.ndarray

    @cached_property
    def start(self) -> np.ndarray:
        return np.cumsum(self.size) - self.size

    def of(self, i: int) -> np.ndarray:
        return self.values[self.start[i] : self.start[i] + self.size[i]]

    def first(self, nodes: np.ndarray) -> np.ndarray:
        """The first number of these nodes. ValueError where one has none."""
        if (self.size[nodes] < 1).any():
            raise ValueError("a node lacks a number")
        return self.values[self.start[nodes]]


@dataclass(frozen=True)
class SparkNodes:
    """Of all trees, in the order of these and of their own numbers. left, right : numbers of nodes, below 0 at a leaf.
    n_categories : below 0 of a threshold. stats : the weight of each class, or first that of all rows. cut : the
    threshold, or categories."""

    tree: np.ndarray
    id: np.ndarray
    left: np.ndarray
    right: np.ndarray
    feature: np.ndarray
    n_categories: np.ndarray
    n_rows: np.ndarray
    prediction: np.ndarray
    stats: Lists
    cut: Lists

    @cached_property
    def by_levels(self) -> np.ndarray:
        return (self.left >= 0) & (self.n_categories >= 0)


def _nodes(last: Saved) -> SparkNodes:
    in_trees = last.kind in FORESTS + BOOSTED
    prefix = "nodeData." if in_trees else ""
    told = last.numbers("data", (*(prefix + name for name in COLUMNS), *(("treeID",) if in_trees else ())))
    told = {name.removeprefix(prefix): column for name, column in told.items()}
    n = len(told["id"])
    tree, own = _whole(told["treeID"]) if in_trees else np.zeros(n, np.int64), _whole(told["id"])
    order = np.lexsort([own, tree])
    if ((np.diff(own[order]) == 0) & (np.diff(tree[order]) == 0)).any():
        raise ValueError("two nodes of a tree have one number")
    named = ("leftChild", "rightChild", "split.featureIndex", "split.numCategories")
    whole = [_whole(told[name], -1)[order] for name in named]
    n_rows = _whole(told["rawCount"], 0)[order] if "rawCount" in told else np.zeros(n, np.int64)
    prediction = np.asarray(told["prediction"].to_numpy(), np.float64)[order]
    lists = (_lists(told[name].take(order)) for name in ("impurityStats", "split.leftCategoriesOrThreshold"))
    return SparkNodes(tree[order], own[order], *whole, n_rows, prediction, *lists)


def _whole(column: pa.ChunkedArray, null: int | None = None) -> np.ndarray:
    """int64. ValueError for other numbers, and for missing ones that nothing stands for."""
    column = column.cast(pa.int64()) if null is None else compute.fill_null(column.cast(pa.int64()), null)
    if column.null_count:
        raise ValueError("a node lacks a number")
    return column.to_numpy()


def _lists(column: pa.ChunkedArray) -> Lists:
    values = np.asarray(compute.list_flatten(column).to_numpy(), np.float64)
    return Lists(_whole(compute.list_value_length(column), 0), values)


def _made(last: Saved, nodes: SparkNodes, schema: Schema, table: Table | None) -> Tree | Averaged | SummedTrees:
    numbers, first = np.unique(nodes.tree, return_index=True)
    if numbers.tolist() != list(range(len(numbers))) or not len(numbers):
        raise ValueError("its trees are not all there")
    is_sum = last.kind in BOOSTED
    own = replace(schema, classes=()) if is_sum else schema
    check_places(own, nodes.feature[nodes.by_levels].tolist())
    numeric = np.array([feature.numeric for feature in own.features])
    criterion = "gini" if own.classes else "squared_error"
    finish = counted_outputs if is_sum else counted
    trees = tuple(
        finish(tree_of(_binary(nodes, here, own, numeric), own, SETTINGS, criterion, f"tree {i}"), table)
        for i, here in enumerate(np.split(np.arange(len(nodes.id)), first[1:]))
    )
    name = f"Spark, {last.kind.rpartition('.')[2]}"
    if last.kind not in FORESTS + BOOSTED:
        return trees[0]
    weights = _weights(last, len(trees))
    if not is_sum:
        return Averaged(table, trees, weights, names=schema.classes, made_by=name)
    return SummedTrees(
        table, trees, weights, names=schema.classes, adds_to=np.zeros(len(trees), np.int64), starts=np.zeros(1),
        link="logistic" if schema.classes else "identity", factor=2.0 if schema.classes else 1.0, made_by=name,
    )  # fmt: skip


def _weights(last: Saved, n: int) -> np.ndarray:
    # columns with names up to Spark 3, with numbers since
    told = last.numbers("treesMetadata", ("treeID", "weights", "_1", "_3"))
    place, weight = (told[new] if new in told else told[old] for old, new in (("treeID", "_1"), ("weights", "_3")))
    order = np.argsort(_whole(place))
    weights = np.asarray(weight.to_numpy(), np.float64)[order]
    if not np.array_equal(_whole(place)[order], np.arange(n)) or not np.isfinite(weights).all():
        raise ValueError("a tree has no weight")
    if last.kind in FORESTS and not weights.sum() > 0:
        raise ValueError("no tree has a weight")
    return weights


def _binary(nodes: SparkNodes, here: np.ndarray, schema: Schema, numeric: np.ndarray) -> BinaryNodes:
    """One tree. here : int64, its nodes. numeric : bool, of the features."""
    n, inner = len(here), nodes.left[here] >= 0
    feature, by_levels = np.where(inner, nodes.feature[here], -1), nodes.by_levels[here]
    if (feature[inner] < 0).any() or (by_levels[inner] == numeric[feature[inner]]).any():
        raise ValueError("a split does not fit its feature")
    threshold, by_number = np.full(n, np.nan), inner & ~by_levels
    threshold[by_number] = nodes.cut.first(here[by_number])
    lost_left, listed = np.zeros(n, bool), {}
    for i in np.flatnonzero(by_levels).tolist():
        n_levels = len(schema.features[feature[i]].levels)
        listed[i], lost_left[i] = _sent_left(nodes.cut.of(here[i]), int(nodes.n_categories[here[i]]), n_levels)
    left, right = (_places(nodes.id[here], np.where(inner, side[here], -1)) for side in (nodes.left, nodes.right))
    return BinaryNodes(
        left=left, right=right, feature=feature, threshold=threshold, closed=True, missing_left=lost_left,
        unseen_left=lost_left, outputs=_outputs(nodes, here, schema), listed=listed,
        cover=_stats(nodes, here, schema).sum(axis=1) if schema.classes else nodes.stats.first(here),
        n_rows=nodes.n_rows[here],
    )  # fmt: skip


def _places(numbers: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Where these stand among the sorted numbers; -1 of what is below 0."""
    result = np.minimum(np.searchsorted(numbers, asked), len(numbers) - 1)
    if (numbers[result] != asked)[asked >= 0].any():
        raise ValueError("a branch leads to no node")
    return np.where(asked < 0, -1, result)


def _sent_left(told: np.ndarray, n: int, n_levels: int) -> tuple[np.ndarray, bool]:
    """(the categories that go left, does what is none of the levels?): Spark looks into the smaller set, where words
    that a StringIndexer keeps though it does not know them have the number behind the last level."""
    left = told.astype(np.int64)
    return left, n_levels in left if n_levels < n else len(left) > n // 2


def _stats(nodes: SparkNodes, here: np.ndarray, schema: Schema) -> np.ndarray:
    """float64 (n, classes): the weight of each class in these nodes, all of which have as many."""
    return nodes.stats.values.reshape(-1, len(schema.classes))[here]


def _outputs(nodes: SparkNodes, here: np.ndarray, schema: Schema) -> np.ndarray:
    if not schema.classes:
        return nodes.prediction[here, None]
    stats = _stats(nodes, here, schema)
    total = stats.sum(axis=1, keepdims=True)
    return np.divide(stats, total, out=np.full(stats.shape, 1 / len(schema.classes)), where=total > 0)
