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
from pyarrow import parquet

from treecore.data.table import Table
from treecore.ensembles.imported import Averaged, Summed
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.counts import counted, counted_outputs
from treecore.importing.names import class_labels, coded_levels, feature_names, numbered_classes, target_name
from treecore.importing.nodes import BinaryNodes, tree_of
from treecore.importing.source import LARGEST_FILE, MOST_NODES, Source, faults_told, packed, unreadable, unsaid
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


def is_mine(source: Source) -> bool:
    if source.given is not None:
        return any(kind.__module__.startswith("pyspark.ml.") for kind in type(source.given).__mro__)
    return source.head.startswith(ZIP) and _root(source) is not None


def read(source: Source, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Averaged | Summed:
    if source.given is not None:
        source = _saved(source.given)
    with faults_told(source):
        return _model(Saved(source, _root(source) or ""), table, classes)


def _saved(model: Any) -> Source:
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
        return Source(data=packed(Path(folder, "model")), name=name)


# what Spark saves


def _root(source: Source) -> str | None:
    """The folder of the model inside the zip, "" for the zip itself; None where there is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as file:
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

    source: Source
    root: str = ""

    @cached_property
    def about(self) -> dict:
        """What Spark says of it: its class, its parameters."""
        found = json.loads(self._parts("metadata")[0])
        if not str(found["class"]).startswith(PACKAGE):
            raise unreadable(self.source, "It is no model of Spark ML")
        return found

    @property
    def kind(self) -> str:
        return self.about["class"].removeprefix(PACKAGE)

    def parameter(self, name: str) -> Any:
        """As it was set, or as Spark sets it; None of one that there is not."""
        return {**self.about["defaultParamMap"], **self.about["paramMap"]}.get(name)

    def stages(self) -> list["Saved"]:
        """Of a pipeline, in their order."""
        with zipfile.ZipFile(io.BytesIO(self.source.data)) as file:
            names = [name for name in file.namelist() if name.startswith(f"{self.root}stages/")]
        found = {name.removeprefix(f"{self.root}stages/").partition("/")[0] for name in names} - {""}
        return [
            Saved(self.source, f"{self.root}stages/{name}/")
            for name in sorted(found, key=lambda name: int(name.partition("_")[0]))
        ]

    def rows(self, folder: str) -> list[dict]:
        """All rows of a folder of parquet files, within what a model may have."""
        found: list[dict] = []
        try:
            files = [parquet.ParquetFile(io.BytesIO(part)) for part in self._parts(folder)]
            if sum(map(_size, files)) > LARGEST_FILE or sum(file.metadata.num_rows for file in files) > MOST_NODES:
                raise unsaid("trees", f"They have more than {MOST_NODES:,} nodes together", "Train smaller trees")
            for file in files:
                found += file.read().to_pylist()
        except (pa.ArrowException, OSError):
            raise unreadable(self.source, f"Its folder {folder} is no whole table") from None
        return found

    def _parts(self, folder: str) -> list[bytes]:
        with zipfile.ZipFile(io.BytesIO(self.source.data)) as file:
            parts = [part for part in file.infolist() if _is_part(part.filename, folder, self.root)]
            if not parts or sum(part.file_size for part in parts) > LARGEST_FILE:
                raise unreadable(self.source, f"Its folder {folder} is not there, or too large")
            try:
                return [file.read(part) for part in sorted(parts, key=lambda part: part.filename)]
            except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError, zlib.error):
                raise unreadable(self.source, "It is no whole zip") from None


def _size(file: parquet.ParquetFile) -> int:
    """Bytes of its values as they are unpacked."""
    groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
    values = sum(8 * group.column(j).num_values for group in groups for j in range(group.num_columns))
    return max(values, sum(group.total_byte_size for group in groups))


# what the numbers that reach the trees were


@dataclass(frozen=True)
class Slot:
    """One number of the vector. column : of the table. levels : in the order of their numbers; () of a number."""

    column: str
    levels: tuple[str, ...] = ()


def _model(saved: Saved, table: Table | None, classes: tuple[str, ...] | None) -> Tree | Averaged | Summed:
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
    if n > MOST_NODES:
        raise ValueError("it has too many features")
    named = saved.kind == PIPELINE
    slots = _slots(before, last, indexed) if named else [Slot(name) for name in feature_names(n, None, table)]
    if len(slots) != n:
        raise unsaid("VectorAssembler", "One of its columns holds several numbers", "Take columns of numbers alone")
    slots = _with_codes(slots, nodes, table)
    labels = _classes(last, indexed, table, classes)
    features = tuple(FeatureSchema(slot.column, "nominal" if slot.levels else "numeric", slot.levels) for slot in slots)
    schema = Schema(features, target_name(table, [feature.name for feature in features]), labels)
    return _made(last, nodes, schema, table)


def _indexed(stages: list[Saved]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Column -> (what it was before a StringIndexer, its labels in the order of their numbers)."""
    found = {}
    for stage in (stage for stage in stages if stage.kind == INDEXER):
        before, after = (
            stage.parameter(f"{side}Cols") or [stage.parameter(f"{side}Col")] for side in ("input", "output")
        )
        row = stage.rows("data")[0]
        labels = row["labelsArray"] if "labelsArray" in row else [row["labels"]]
        for name, other, own in zip(before, after, labels, strict=True):
            found[str(other)] = str(name), tuple(map(str, own))
    return found


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


def _with_codes(slots: list[Slot], nodes: list[dict], table: Table | None) -> list[Slot]:
    """A slot whose numbers count as categories without a StringIndexer has these as its levels."""
    most: dict[int, int] = {}
    for node in nodes:
        split = node["split"]
        if node["leftChild"] >= 0 and split["numCategories"] >= 0:
            most[split["featureIndex"]] = max(most.get(split["featureIndex"], 0), int(split["numCategories"]))
    if any(n > MOST_NODES for n in most.values()):
        raise ValueError("a feature has too many categories")
    return [
        replace(slot, levels=coded_levels(slot.column, most[f], table)) if f in most and not slot.levels else slot
        for f, slot in enumerate(slots)
    ]


def _classes(last: Saved, indexed: Mapping, table: Table | None, classes: tuple | None) -> tuple[str, ...]:
    if not last.kind.startswith("classification."):
        return ()
    n = int(last.about.get("numClasses", 2))
    _, told = indexed.get(last.parameter("labelCol"), ("", ()))
    if classes is None and len(told) == n:
        return class_labels(told, table)
    return numbered_classes(n, classes, table)


# its trees


def _nodes(last: Saved) -> list[dict]:
    """Of all trees, with the number of theirs as `tree`."""
    rows = last.rows("data")
    if last.kind in FORESTS + BOOSTED:
        rows = [{**row["nodeData"], "tree": row["treeID"]} for row in rows]
    return [{"tree": 0, **row} for row in rows]


def _made(last: Saved, nodes: list[dict], schema: Schema, table: Table | None) -> Tree | Averaged | Summed:
    by_tree: dict[int, list[dict]] = {}
    for node in nodes:
        by_tree.setdefault(int(node["tree"]), []).append(node)
    if sorted(by_tree) != list(range(len(by_tree))) or not by_tree:
        raise ValueError("its trees are not all there")
    is_sum = last.kind in BOOSTED
    own = replace(schema, classes=()) if is_sum else schema
    criterion = "gini" if own.classes else "squared_error"
    finish = counted_outputs if is_sum else counted
    trees = tuple(
        finish(tree_of(_binary(by_tree[i], own), own, SETTINGS, criterion, f"tree {i}"), table)
        for i in range(len(by_tree))
    )
    name = f"Spark, {last.kind.rpartition('.')[2]}"
    if last.kind not in FORESTS + BOOSTED:
        return trees[0]
    weights = _weights(last, len(trees))
    if not is_sum:
        return Averaged(table, trees, weights, names=schema.classes, made_by=name)
    return Summed(
        table, trees, weights, names=schema.classes, adds_to=np.zeros(len(trees), np.int64), starts=np.zeros(1),
        link="logistic" if schema.classes else "identity", factor=2.0 if schema.classes else 1.0, made_by=name,
    )  # fmt: skip


def _weights(last: Saved, n: int) -> np.ndarray:
    # columns with names up to Spark 3, with numbers since
    rows = [tuple(row[name] for name in (("treeID", "weights") if "treeID" in row else ("_1", "_3")))
            for row in last.rows("treesMetadata")]  # fmt: skip
    told = {int(place): float(weight) for place, weight in rows}
    weights = np.array([told[i] for i in range(n)])
    if not np.isfinite(weights).all() or (last.kind in FORESTS and not weights.sum() > 0):
        raise ValueError("a tree has no weight")
    return weights


def _binary(nodes: list[dict], schema: Schema) -> BinaryNodes:
    nodes = sorted(nodes, key=lambda node: node["id"])
    n, place = len(nodes), {node["id"]: i for i, node in enumerate(nodes)}
    left, right, feature, threshold = np.full(n, -1), np.full(n, -1), np.full(n, -1), np.full(n, np.nan)
    lost_left, listed = np.zeros(n, bool), {}
    for i, node in enumerate(nodes):
        if node["leftChild"] < 0:
            continue
        split = node["split"]
        left[i], right[i] = place[node["leftChild"]], place[node["rightChild"]]
        feature[i] = split["featureIndex"]
        asked, cut = schema.features[feature[i]], split["leftCategoriesOrThreshold"]
        if feature[i] < 0 or (split["numCategories"] >= 0) != (not asked.numeric):
            raise ValueError("a split does not fit its feature")
        if asked.numeric:
            threshold[i] = float(cut[0])
            continue
        listed[i], lost_left[i] = _sent_left(cut, int(split["numCategories"]), len(asked.levels))
    return BinaryNodes(
        left=left, right=right, feature=feature, threshold=threshold, closed=True, missing_left=lost_left,
        unseen_left=lost_left, outputs=np.array([_output(node, schema) for node in nodes]), listed=listed,
        cover=np.array([_weight(node, schema) for node in nodes]),
        n_rows=np.array([node.get("rawCount") or 0 for node in nodes], np.int64),
    )  # fmt: skip


def _sent_left(told: list[float], n: int, n_levels: int) -> tuple[np.ndarray, bool]:
    """(the categories that go left, does what is none of the levels?): Spark looks into the smaller set, where words
    that a StringIndexer keeps though it does not know them have the number behind the last level."""
    left = np.array(told, np.float64).astype(np.int64)
    return left, n_levels in left if n_levels < n else len(left) > n // 2


def _weight(node: Mapping, schema: Schema) -> float:
    return float(sum(node["impurityStats"]) if schema.classes else node["impurityStats"][0])


def _output(node: Mapping, schema: Schema) -> list[float]:
    if not schema.classes:
        return [float(node["prediction"])]
    stats = np.array(node["impurityStats"], np.float64)
    if len(stats) != len(schema.classes):
        raise ValueError("a node has no weight of each class")
    return (stats / stats.sum() if stats.sum() > 0 else np.full(len(stats), 1 / len(stats))).tolist()
