"""Pipelines as Spark 4.3.0 and 3.5.6 save them, zipped, with what it answers; tests/spark_models.py writes them."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.property.mutations import broken, broken_inside, n_refused
from treecore.importing import is_model

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


def test_the_tree_alone_has_numbers_for_words():
    """The pipeline says what columns and classes are called; its last stage has their numbers."""
    with zipfile.ZipFile(FOLDER / "tree-two.zip") as file:
        stage = next(name for name in file.namelist() if "DecisionTree" in name).split("/")[1]
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as alone:
            for name in file.namelist():
                if f"/{stage}/" in f"/{name}":
                    alone.writestr(name.partition(f"{stage}/")[2], file.read(name))
    found = tc.read_model(made.getvalue())
    assert found.classes == ("0", "1")
    assert [feature.kind for feature in found.schema.features] == ["numeric", "nominal", "nominal", "numeric"]
    assert tc.read_model(made.getvalue(), classes=["low", "high"]).classes == ("low", "high")
    assert found.n_rows[0] == 120


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
