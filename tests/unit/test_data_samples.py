"""Samples: they are there, they read, and the generated ones can be made again."""

import importlib.util
from pathlib import Path

import pytest

from treecore.data import samples
from treecore.data.samples import SAMPLES, read_sample
from treecore.errors import TreecoreError

FOLDER = Path(__file__).parents[2] / "assets" / "samples"


def maker(of="samples"):
    spec = importlib.util.spec_from_file_location(f"make_{of}", FOLDER / f"make_{of}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", list(SAMPLES))
def test_every_sample_can_be_trained_on(name):
    sample, table = SAMPLES[name], read_sample(name)
    table.check_trainable()
    assert table.task == sample.task
    assert sample.source
    assert sample.description.endswith(".")
    assert sample.path.stat().st_size < 500_000


@pytest.mark.parametrize("file", list(maker().GENERATED))
def test_generated_samples_are_what_the_script_makes(file):
    assert (FOLDER / file).read_bytes() == maker().generated(file)


def test_drawings_of_samples_are_what_the_script_makes():
    made = maker("pictures")
    assert sorted(path.stem for path in made.FOLDER.iterdir()) == sorted([*made.AXES, *made.TREES])
    for name in (*made.AXES, *made.TREES):
        assert (made.FOLDER / f"{name}.svg").read_text("utf-8") == made.picture(name), name


def test_facts_of_the_textbook_tables():
    tennis = read_sample("play_tennis")
    assert tennis.column("Humidity").levels == ("High", "Normal", "Low")
    assert tennis.target_column.present().tolist() == [5, 9]
    wait = read_sample("willwait")
    assert wait.n_rows == 12
    assert wait.column("Patrons").present().tolist() == [2, 4, 6]
    kinds = {c.name: c.kind for c in read_sample("willwait_ordinal").columns}
    assert [kinds[name] for name in ("Price", "Patrons", "WaitEstimate", "Type")] == ["ordinal"] * 3 + ["nominal"]
    assert read_sample("xor").target_column.labels().tolist() == ["F", "T", "T", "F"]
    assert read_sample("x1_x2").target_column.present().tolist() == [3, 5]
    assert read_sample("mpg").column("horsepower").n_missing == 6


def test_the_large_sample_has_mixed_kinds_gaps_and_an_identifier_left_out():
    table = read_sample("customers")
    assert table.n_rows == 6000
    assert {column.kind for column in table.feature_columns} == {"numeric", "ordinal", "nominal", "boolean"}
    assert sum(column.n_missing for column in table.feature_columns) > 100
    assert "customer_id" not in table.features
    assert "joined" not in table.features


def test_a_sample_whose_file_is_gone_says_so(monkeypatch):
    monkeypatch.setattr(samples, "FOLDERS", ())
    with pytest.raises(TreecoreError, match=r"Sample 'iris': The file of this sample is not installed"):
        read_sample("iris")
    with pytest.raises(TreecoreError, match=r"no sample called 'iriss'.*iris"):
        read_sample("iriss")
