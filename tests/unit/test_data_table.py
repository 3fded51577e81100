"""Tables: target, features, weights, subsets, fingerprint, and what makes one trainable."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from treecore.data import (
    Ordinal,
    Table,
    build_table,
    level_column,
    missing_report,
    numeric_column,
    read_raw,
    read_table,
)
from treecore.errors import TreecoreError

ROOT = Path(__file__).parents[2]
CSV = b"size,price,colour,bought\nS,1.5,red,yes\nM,2.5,blue,no\nL,,red,yes\nM,4,green,no\n"


@pytest.fixture
def table():
    return read_table(CSV, target="bought")


def test_the_parts_of_a_table(table):
    assert table.n_rows == 4
    assert table.features == ("size", "price", "colour")
    assert table.task == "classification"
    assert table.classes == ("no", "yes")
    assert table.column("price").kind == "numeric"
    assert [column.name for column in table.feature_columns] == ["size", "price", "colour"]
    assert table.row_numbers.tolist() == [0, 1, 2, 3]


def test_an_unknown_column_lists_the_known_ones(table):
    with pytest.raises(TreecoreError, match=r"no column 'prise'.*'size', 'price', 'colour', 'bought'"):
        table.column("prise")
    with pytest.raises(TreecoreError, match=r"prise"):
        table.with_features(["prise"])
    with pytest.raises(TreecoreError, match=r"prise"):
        read_table(CSV, target="prise")


def test_another_target_leaves_the_features(table):
    other = table.with_target("price")
    assert other.task == "regression"
    assert other.classes == ()
    assert other.features == ("size", "colour")
    assert other.with_target("price", kind="nominal").task == "classification"


def test_kinds_can_be_changed_after_reading(table):
    changed = table.with_kinds({"colour": Ordinal(["red", "green", "blue"]), "price": "nominal"})
    assert changed.column("colour").levels == ("red", "green", "blue")
    assert changed.column("price").levels == ("1.5", "2.5", "4")
    assert table.column("price").kind == "numeric"


def test_take_keeps_the_encoding_the_weights_and_the_row_numbers(table):
    part = table.with_weights([1, 2, 3, 4]).take(np.array([3, 1]))
    assert part.row_numbers.tolist() == [3, 1]
    assert part.weights.tolist() == [4.0, 2.0]
    assert part.column("price").distinct is table.column("price").distinct
    assert part.column("colour").levels == table.column("colour").levels
    assert part.take(np.array([True, False])).row_numbers.tolist() == [3]


def test_the_fingerprint_is_of_the_content(table):
    assert table.fingerprint == read_table(CSV, target="bought").fingerprint
    assert table.fingerprint == table.with_target("size").fingerprint
    assert table.fingerprint != read_table(CSV.replace(b"2.5", b"2.6"), target="bought").fingerprint
    assert table.fingerprint != read_table(CSV.replace(b"price", b"cost"), target="bought").fingerprint
    assert table.fingerprint != table.with_kinds({"price": "nominal"}).fingerprint
    assert table.fingerprint != table.with_weights([1, 1, 1, 2]).fingerprint
    assert table.fingerprint != table.take([1, 0, 2, 3]).fingerprint


def test_the_fingerprint_of_a_part_does_not_depend_on_where_it_was_taken_from():
    whole = Table((numeric_column("x", np.array([1.0, 2.0, 3.0])),))
    alone = Table((numeric_column("x", np.array([3.0, 1.0])),))
    assert whole.take([2, 0]).fingerprint == alone.fingerprint


def test_the_fingerprint_is_the_same_in_another_process(table):
    code = f"from treecore.data import read_table; print(read_table({CSV!r}, target='bought').fingerprint)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert shown.strip() == table.fingerprint


def test_to_frame_gives_the_cells_back(table):
    frame = table.take([0, 2]).to_frame()
    assert frame["size"].tolist() == ["S", "L"]
    assert frame["size"].cat.ordered
    assert frame["price"].isna().tolist() == [False, True]
    assert frame.index.tolist() == [0, 2]
    assert read_table(frame, target="bought").column("size").levels == ("S", "M", "L")


def test_missing_values_are_counted_by_column(table):
    assert [tuple(count) for count in missing_report(table)] == [
        ("size", 0, 0.0),
        ("price", 1, 0.25),
        ("colour", 0, 0.0),
        ("bought", 0, 0.0),
    ]


def test_rows_without_a_target_can_be_dropped():
    table = read_table(b"x,y\n1,a\n2,\n3,b\n4,NA\n", target="y")
    with pytest.raises(TreecoreError, match=r"Target 'y': 2 of 4 values are missing \(first at rows 2 and 4\)"):
        table.check_trainable()
    known = table.without_missing_target()
    known.check_trainable()
    assert known.row_numbers.tolist() == [0, 2]
    assert any("2 of 4 rows were left out" in note for note in known.notes)
    assert known.without_missing_target() is known


@pytest.mark.parametrize(
    ("csv", "target", "words"),
    [
        (b"x,y\n1.5,a\n2.5,b\n1.5,c\n", "y", "3 classes for 3 rows"),
        (b"x,y\n1.5,\n2.5,\n", "y", "All its values are missing"),
        (b"x,y\n1,a\n2,b\n", None, "No target is chosen"),
        (b"y\na\nb\na\n", "y", "one column, 'y'.*delimiter"),
    ],
)
def test_what_cannot_be_trained_on_says_so(csv, target, words):
    with pytest.raises(TreecoreError, match=words):
        read_table(csv, target=target).check_trainable()


def test_no_features_no_rows_and_no_weight_are_refused(table):
    table.check_trainable()
    with pytest.raises(TreecoreError, match=r"No feature is chosen"):
        table.with_features([]).check_trainable()
    with pytest.raises(TreecoreError, match=r"has no rows"):
        table.take(np.array([], dtype=int)).check_trainable()
    with pytest.raises(TreecoreError, match=r"All case weights are 0"):
        table.with_weights(np.zeros(4)).check_trainable()


def test_the_target_cannot_be_a_feature(table):
    with pytest.raises(TreecoreError, match=r"Column 'bought': The target is also a feature"):
        table.with_features(["bought"])


def test_columns_must_fit_together():
    one = numeric_column("x", np.array([1.0]))
    with pytest.raises(TreecoreError, match=r"share a name"):
        Table((one, one))
    with pytest.raises(TreecoreError, match=r"length"):
        Table((one, level_column("y", "nominal", ["a", "b"], ["a", "b"])))
    with pytest.raises(TreecoreError, match=r"2 weights for 1 rows"):
        Table((one,), weights=np.ones(2))


def test_reading_libraries_are_loaded_only_when_a_file_is_read():
    code = (
        "import sys, types; package = types.ModuleType('treecore'); package.__path__ = ['treecore'];"
        "sys.modules['treecore'] = package; import treecore.data;"
        "print(sorted({'pandas', 'pyarrow', 'charset_normalizer', 'streamlit'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert shown.strip() == "[]"


def test_another_kind_of_one_column_leaves_the_others_as_they_are_encoded():
    raw = read_raw(b"a,b,y\n1,5,n\n2,6,y\n3,7,n\n")
    first, second = build_table(raw, target="y"), build_table(raw, target="y", kinds={"b": "nominal"})
    assert second.column("a") is first.column("a")
    assert (first.column("b").kind, second.column("b").kind) == ("numeric", "nominal")
    assert build_table(raw, target="y").column("b").kind == "numeric"
