"""Pipelines as Spark 4.3.0 and 3.5.6 save them, zipped, with what it answers; tests/spark_models.py writes them."""

import io
import json
import os
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import treecore as tc
from tests.property.mutations import broken, broken_inside, n_refused
from treecore.importing import is_model, spark

FOLDER = Path(__file__).parent / "spark"
NAMES = sorted(path.stem for path in FOLDER.glob("*.zip"))


def told_of(name: str) -> tuple[dict, pd.DataFrame]:
    told = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return told, pd.DataFrame(told["rows"])


@pytest.mark.parametrize("name", NAMES)
def test_it_answers_as_spark_does(name):
    told, rows = told_of(name)
    found = tc.read_model(FOLDER / f"{name}.zip")
    if not found.classes:
        np.testing.assert_allclose(found.predict(rows), told["answers"], rtol=1e-13, atol=1e-14)
        return
    assert found.classes == tuple(told["labels"])
    np.testing.assert_allclose(found.predict_proba(rows), told["shares"], rtol=1e-13, atol=1e-14)
    assert found.predict(rows).tolist() == [told["labels"][int(k)] for k in told["answers"]]


def test_all_kinds_are_there():
    assert set(NAMES) == {
        "tree-two", "tree-three", "tree-numbers", "forest-three", "forest-numbers", "boosted-two", "boosted-numbers",
        "forest-three-of-spark-3", "boosted-two-of-spark-3",
    }  # fmt: skip


def unpacked(name: str, to: Path) -> Path:
    with zipfile.ZipFile(FOLDER / f"{name}.zip") as file:
        file.extractall(to)
    return to


def test_a_folder_a_zip_of_it_and_a_zip_around_it_are_the_same_model(tmp_path):
    _, rows = told_of("tree-two")
    folder = unpacked("tree-two", tmp_path / "model")
    with zipfile.ZipFile(tmp_path / "around.zip", "w") as file:
        for path in folder.rglob("*"):
            file.write(path, f"mine/{path.relative_to(folder)}")
    answers = [tc.read_model(path).predict(rows).tolist() for path in (folder, tmp_path / "around.zip")]
    assert answers[0] == answers[1] == tc.read_model(FOLDER / "tree-two.zip").predict(rows).tolist()
    assert is_model((tmp_path / "around.zip").read_bytes(), "around.zip")


def alone(name: str, **about) -> dict[str, bytes]:
    """The files of a pipeline's last stage. about : what its metadata say in place of their own."""
    with zipfile.ZipFile(FOLDER / f"{name}.zip") as file:
        stage = max(place_of(part) for part in file.namelist() if part.startswith("stages/"))[1]
        parts = {part.partition(f"{stage}/")[2]: file.read(part) for part in file.namelist() if f"/{stage}/" in part}
    place = next(part for part in parts if part.startswith("metadata/part-"))
    parts[place] = json.dumps(json.loads(parts[place]) | about).encode()
    return parts


def place_of(part: str) -> tuple[int, str]:
    stage = part.split("/")[1]
    return int(stage.partition("_")[0]), stage


def zipped(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return made.getvalue()


def with_table(parts: dict[str, bytes], folder: str, change) -> dict[str, bytes]:
    """The files with another table in this folder."""
    place = next(part for part in parts if f"{folder}/part-" in part and part.endswith(".parquet"))
    made = io.BytesIO()
    parquet.write_table(change(parquet.read_table(io.BytesIO(parts[place]))), made)
    return parts | {place: made.getvalue()}


def test_the_tree_alone_has_numbers_for_words():
    """The pipeline says what columns and classes are called; its last stage has their numbers."""
    data = zipped(alone("tree-two"))
    found = tc.read_model(data)
    assert found.classes == ("0", "1")
    assert [feature.kind for feature in found.schema.features] == ["numeric", "nominal", "nominal", "numeric"]
    assert tc.read_model(data, classes=["low", "high"]).classes == ("low", "high")
    assert found.n_rows[0] == 120


LONG = "x" * 2**20


def repeated(text: str, n: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([text]))


def test_columns_that_no_tree_needs_are_not_unpacked():
    """A text that stands in the file once and in each row: unpacked it would take a thousand times the file."""
    data = zipped(with_table(alone("tree-two"), "data", lambda t: t.append_column("note", repeated(LONG, len(t)))))
    tc.read_model(data)
    tracemalloc.start()
    before = pa.total_allocated_bytes()
    found = tc.read_model(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.n_rows[0] == 120
    assert peak < 8 * len(LONG)
    assert pa.total_allocated_bytes() - before < len(LONG)


@pytest.mark.parametrize("name", ["leftChild", "impurityStats"])
def test_texts_in_place_of_numbers_are_refused(name):
    def change(table):
        return table.set_column(table.column_names.index(name), name, repeated("1", len(table)))

    with pytest.raises(tc.TreecoreError, match="of another kind"):
        tc.read_model(zipped(with_table(alone("tree-two"), "data", change)))


def test_nodes_in_several_files_are_one_model():
    parts = alone("forest-three")
    place = next(part for part in parts if part.startswith("data/part-"))
    pieces = {"part-0": (0, 20), "part-1": (20, 100), "part-2": (0, 0)}
    split = {name: data for name, data in parts.items() if name != place}
    for name, piece in pieces.items():
        own = {place.replace("part-", f"{name}-"): parts[place]}
        split |= with_table(own, "data", lambda table, piece=piece: table.slice(*piece))
    found = [tc.read_model(zipped(given)) for given in (split, parts)]
    assert [tree.to_dict() for tree in found[0].trees] == [tree.to_dict() for tree in found[1].trees]


def test_a_table_that_unpacks_to_more_than_a_model_may_have_is_refused(monkeypatch):
    parts = with_table(alone("tree-two"), "data", lambda table: pa.concat_tables([table] * 1000))
    monkeypatch.setattr(spark, "LARGEST_FILE", max(map(len, parts.values())))
    with pytest.raises(tc.TreecoreError, match="Unpacked it has more than"):
        tc.read_model(zipped(parts))


@pytest.mark.parametrize("others", [0, 40])
def test_a_label_that_stands_twice_is_refused_before_it_is_unpacked(others):
    with zipfile.ZipFile(FOLDER / "tree-two.zip") as file:
        parts = {name: file.read(name) for name in file.namelist()}
    labels = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(20, np.int32)), pa.array([LONG, *map(str, range(others))])
    )
    row = pa.ListArray.from_arrays([0, 1], pa.ListArray.from_arrays([0, len(labels)], labels))
    with pytest.raises(tc.TreecoreError, match="a label is there twice"):
        tc.read_model(zipped(with_table(parts, "data", lambda table: pa.table({"labelsArray": row}))))


def test_nodes_are_counted_before_they_are_unpacked(monkeypatch):
    monkeypatch.setattr(spark, "MOST_VALUES", 100)
    with pytest.raises(tc.TreecoreError, match="more than 100 numbers together"):
        tc.read_model(FOLDER / "tree-two.zip")


@pytest.mark.parametrize(
    ("name", "about", "what"),
    [
        ("tree-two", {"numClasses": 300_000}, "its nodes have not as many"),
        ("forest-three", {"numClasses": 2}, "its nodes have not as many"),
        ("boosted-two", {"numClasses": 300_000}, "its nodes have not as many"),
        ("tree-two", {"numFeatures": 300_000}, "at most 262,144 are read"),
    ],
)
def test_a_count_that_nothing_bears_out_is_refused(name, about, what):
    with pytest.raises(tc.TreecoreError, match=what):
        tc.read_model(zipped(alone(name, **about)))


def test_categories_of_all_features_are_counted_together():
    def change(table):
        split = table["split"].combine_chunks()
        many = [200_000 if n >= 0 else n for n in split.field("numCategories").to_pylist()]
        named = {name: split.field(name) for name in ("featureIndex", "leftCategoriesOrThreshold")}
        made = pa.StructArray.from_arrays([*named.values(), pa.array(many, pa.int32())], [*named, "numCategories"])
        return table.set_column(table.column_names.index("split"), "split", made)

    with pytest.raises(tc.TreecoreError, match="400,000"):
        tc.read_model(zipped(with_table(alone("tree-two"), "data", change)))


def test_a_folder_whose_files_are_of_1970_is_read(tmp_path):
    _, rows = told_of("tree-two")
    folder = unpacked("tree-two", tmp_path / "model")
    for path in folder.rglob("*"):
        os.utime(path, (0, 0))
    assert tc.read_model(folder).predict(rows).tolist() == tc.read_model(FOLDER / "tree-two.zip").predict(rows).tolist()


def test_a_folder_that_is_no_model_is_not_packed(tmp_path, monkeypatch):
    (tmp_path / "large.csv").write_text("a\n1\n")
    monkeypatch.setattr(zipfile.ZipFile, "write", lambda *given, **named: pytest.fail("a file was packed"))
    with pytest.raises(tc.TreecoreError, match="holds no model"):
        tc.read_model(tmp_path)


@pytest.mark.parametrize("name", ["tree-two", "boosted-numbers"])
def test_a_file_with_wrong_bytes_is_read_or_refused(name):
    """The bytes inside the zip: an error of ours, or a model that answers."""
    _, rows = told_of(name)
    data = (FOLDER / f"{name}.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        names = file.namelist()
    stage = max(
        (part for part in names if part.startswith("stages/")), key=lambda part: int(part[7:].partition("_")[0])
    )
    stage = "/".join(stage.split("/")[:2])
    parts = [part for part in names if part.startswith((f"{stage}/metadata/part-", f"{stage}/data/part-"))]
    assert n_refused(broken_inside(data, parts, n=500), lambda made: tc.read_model(made).predict(rows)) > 100


def test_a_zip_with_wrong_bytes_is_read_or_refused():
    _, rows = told_of("tree-three")
    data = (FOLDER / "tree-three.zip").read_bytes()
    assert n_refused(broken(data, n=200), lambda made: tc.read_model(made).predict(rows)) > 100
