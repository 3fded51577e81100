"""A level is the same one however it is spelled, and an ambiguous spelling is no level but by its own text."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import treecore as tc
from treecore.data.level_index import MISSING, NO_LEVEL, LevelIndex, label_of, spelled_number
from treecore.data.vocabulary import boolean_levels

TRUE = [True, np.True_, 1, np.int8(1), 1.0, np.float32(1), Decimal("1.00"), "1", "1.0", "1.", "+1", " 1 ", "1e0",
        "TRUE", "true", "True", pa.scalar(True)]  # fmt: skip
GONE = [None, np.nan, pd.NA, pd.NaT, float("nan"), Decimal("NaN"), "", "  ", "nan", pa.scalar(None)]


PAIRS = [("False", "True"), ("FALSE", "TRUE"), ("0", "1"), ("0.0", "1.0"), ("no", "yes"), ("N", "Y"), ("off", "on"),
         ("f", "t"), ("nein", "ja"), ("falsch", "wahr"), ("FALSO", "VERDADEIRO"), ("YANLIŞ", "DOĞRU"),
         ("Não", "Sim")]  # fmt: skip
LABELS = [("False", "True"), ("no", "yes"), ("0", "1", "2.5", "1e+16", "12345678"), ("3.1", "3.10"),
          ("2024-01-01", "é", "ab ", "ab"), ("True", "TRUE"), ("1", "01", "1.0")]  # fmt: skip


@pytest.mark.parametrize("labels", PAIRS)
def test_a_pair_of_truths_knows_every_truth(labels):
    for levels, place in ((labels, 1), (labels[::-1], 0)):
        index = LevelIndex(levels)
        assert {str(cell): index.place(cell) for cell in TRUE} == {str(cell): place for cell in TRUE}
        assert {index.place(cell) for cell in (False, 0, -0.0, "0.00", "false", labels[0].upper())} == {1 - place}
        assert {index.place(cell) for cell in GONE} == {MISSING}
        assert {index.place(cell) for cell in (2, "01", "maybe", "true ly")} == {NO_LEVEL}


def test_a_truth_is_no_number_among_others():
    index = LevelIndex(["0", "1", "2"])
    assert index.place(True) == NO_LEVEL
    assert index.values == (0.0, 1.0, 2.0)
    other = LevelIndex(["True", "False", "unknown"])
    assert [other.place(cell) for cell in (True, "false", "unknown", 1)] == [0, 1, 2, NO_LEVEL]


def test_numbers_are_found_by_value_and_names_by_text():
    index = LevelIndex(["01067", "1067", "12", "0.5"])
    cells = ["01067", "1067", 1067, 1067.0, "12.00", Decimal("12.0"), "012", 0.5, ".50", 12.5]
    assert [index.place(c) for c in cells] == [0, 1, 1, 1, 2, 2, NO_LEVEL, 3, 3, NO_LEVEL]
    codes = LevelIndex(["A7", "100", "1234567890123456789"])
    assert [codes.place(c) for c in ("1E2", "100.0", 100, 1234567890123456789)] == [NO_LEVEL, 1, 1, 2]


def test_of_two_levels_with_one_value_the_text_decides():
    index = LevelIndex(["3.1", "3.10", "2"])
    assert [index.place(c) for c in ("3.1", "3.10", "3.100", 3.1, 2.0)] == [0, 1, NO_LEVEL, 0, 2]
    padded = LevelIndex(["ab", "ab ", " c"])
    assert [padded.place(c) for c in ("ab", "ab ", "ab  ", "c")] == [0, 1, NO_LEVEL, 2]


@pytest.mark.parametrize(
    "labels", [("2024-01-01", "2024-02-01 12:30:00"), ("2024-01-01T00:00:00", "2024-02-01T12:30:00")]
)
def test_days_and_moments_are_found_by_value(labels):
    index = LevelIndex(labels)
    cells = [datetime.date(2024, 1, 1), pd.Timestamp("2024-01-01"), np.datetime64("2024-01-01T00:00:00.000"),
             "2024-01-01", "2024-01-01 00:00:00", "2024-01-01T00:00:00Z", "2024-01-01 00:00:00+00"]  # fmt: skip
    assert {index.place(cell) for cell in cells} == {0}
    assert index.place(pd.Timestamp("2024-02-01 14:30", tz="+02:00")) == 1
    assert index.place(datetime.date(2024, 2, 1)) == NO_LEVEL


@pytest.mark.parametrize("labels", LABELS)
def test_spellings_are_of_their_level_alone(labels):
    index = LevelIndex(labels)
    for place, label in enumerate(labels):
        found = index.spellings(place)
        assert found[0] == label
        assert {index.place(spelled) for spelled in found} == {place}


@pytest.mark.parametrize("number", [0.0, 1.0, -2.5, 0.1, 1e16, 1e-7, 12345678.0, 123456789.125, 1 / 3])
def test_numbers_are_spelled_as_numbers(number):
    assert {float(text) for text in spelled_number(number)} <= {number, float(f"{number:.15g}")}


def test_a_label_is_the_same_from_every_make():
    assert [label_of(c) for c in (1.0, np.int64(1), Decimal("1.00"), "1 ", True)] == ["1", "1", "1", "1", "True"]
    assert label_of(pd.Timestamp("2024-01-01")) == label_of(datetime.date(2024, 1, 1)) == "2024-01-01"
    assert label_of(pd.Timedelta("1D")) == label_of(datetime.timedelta(1))
    assert label_of("é") == label_of("é")


FLAGS = [("0.0", "1.0"), ("0.00", "1.00"), ("0", "1.0"), ("0.", "1."), ("0", "+1"), ("-0", "1")]


@pytest.mark.parametrize(("no", "yes"), FLAGS)
def test_flags_are_flags_however_their_numbers_are_written(no, yes):
    file = "x,flag,y\n" + "\n".join(f"{i * 7 % 50},{(no, yes)[i % 2]},{'yn'[i % 2]}" for i in range(60))
    table = tc.read_table(file.encode(), target="y")
    assert table.column("flag").levels == ("0", "1")
    assert tc.grow(table, "cart").n_leaves == 2
    assert tc.read_table(file.encode(), target="flag").column("flag").present().tolist() == [30, 30]


def test_flags_with_a_decimal_comma_and_with_gaps():
    rows = "\n".join(f"{i};{('0,0', '1,0', '')[i % 3]};{'ynm'[i % 3]}" for i in range(60))
    table = tc.read_table(f"x;flag;y\n{rows}".encode(), target="y")
    assert table.column("flag").levels == ("0", "1")
    assert table.column("flag").n_missing == 20


def test_spellings_of_one_truth_in_one_file_are_one_level():
    file = "x,flag\n" + "\n".join(f"{i},{('True', 'FALSE', '1', 'false', '0')[i % 5]}" for i in range(50))
    column = tc.read_table(file.encode()).column("flag")
    assert (column.kind, column.levels, column.present().tolist()) == ("boolean", ("False", "True"), [30, 20])


@pytest.mark.parametrize(
    "words", [("0", "10"), ("00", "1"), ("0", "01"), ("0", "2"), ("true", "yes"), ("0", "False"), ("1",)]
)
def test_other_words_are_no_truths(words):
    assert boolean_levels(words) is None
    frame = pd.DataFrame({"z": [*words] * 20, "x": range(20 * len(words))})
    table = tc.read_table(frame, kinds={"z": "nominal"})
    assert set(table.column("z").levels) == set(words)


def test_classes_written_1_and_1_point_0_are_one():
    file = "x,y\n" + "\n".join(f"{i},{('1', '1.0', '2', '3')[i % 4]}" for i in range(40))
    assert tc.read_table(file.encode(), target="y").classes == ("1", "2", "3")
    versions = file.replace("1.0", "3.10").replace(",1\n", ",3.1\n")
    assert "3.10" in tc.read_table(versions.encode(), kinds={"y": "nominal"}).column("y").levels


def test_declared_levels_are_found_by_value():
    file = b"x,y\n1.0,a\n0.0,b\n2.0,a\n"
    column = tc.read_table(file, kinds={"x": tc.Ordinal(["0", "1", "2"])}).column("x")
    assert column.codes.tolist() == [1, 0, 2]
    with pytest.raises(tc.TreecoreError, match=r"'2.0' is not one of the declared levels"):
        tc.read_table(file, kinds={"x": tc.Nominal(["0", "1"])})


MAKES = {
    "intervals": pd.Series(pd.cut([1, 2, 3, 2] * 6, [0, 1, 2, 3])),
    "periods": pd.Series(pd.PeriodIndex(["2024-01", "2024-02"] * 12, freq="M")),
    "spans": pd.to_timedelta(pd.Series([1, 2] * 12), unit="D"),
    "times of day": pd.Series([datetime.time(12, 30), datetime.time(1)] * 12, dtype=object),
    "decimals": pd.Series([Decimal("1.00"), Decimal("2.00")] * 12, dtype=object),
    "ordered numbers": pd.Series(pd.Categorical([1.0, 2.0] * 12, ordered=True)),
    "moments": pd.to_datetime(pd.Series(["2024-01-01 03:00", "2024-02-01 00:00"] * 12)),
    "truths among numbers": pd.Series([0.5, True, False] * 8, dtype=object),
    "tuples": pd.Series([("a", 1), ("b", 2)] * 12, dtype=object),
}


@pytest.mark.parametrize("make", MAKES)
def test_a_frame_is_read_and_asked_alike(make):
    frame = pd.DataFrame({"z": MAKES[make], "y": ["c" + str(i) for i in pd.factorize(MAKES[make])[0]]})
    table = tc.read_table(frame, target="y", kinds={"z": "nominal"}, features=["z"])
    tree = tc.grow(table, "cart")
    assert tree.predict(table).tolist() == tree.predict(frame).tolist() == frame.y.tolist()


def test_a_table_that_has_levels_as_numbers_or_numbers_as_levels():
    grades = pd.DataFrame({"z": [1, 2, 3] * 10, "y": list("abc") * 10})
    nominal = tc.grow(tc.read_table(grades, target="y", kinds={"z": "nominal"}, features=["z"]), "cart")
    assert nominal.predict(tc.read_table(grades, target="y", features=["z"])).tolist() == grades.y.tolist()
    numeric = tc.grow(tc.read_table(grades, target="y", kinds={"z": "numeric"}, features=["z"]), "cart")
    flags = tc.read_table(pd.DataFrame({"z": [0, 1] * 5}))
    assert flags.column("z").kind == "boolean"
    assert numeric.predict(flags).tolist() == ["a"] * 10
