"""Missing values before growing: what is dropped, what cells are filled with, and what travels into the tree."""

import json
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treecore as tc
from treecore.data import FILLS, filled, level_column, numeric_column
from treecore.data.samples import read_sample
from treecore.tree.schema import FeatureSchema, Schema
from treecore.tree.values import value_matrix

NAN = math.nan
FILLING = [name for name in FILLS if name not in ("none", "drop_rows", "drop_columns")]


def table_of(x, labels="aabbb", weights=None, **levels) -> tc.Table:
    """A numeric feature x and columns of levels: name=(kind, cells, levels)."""
    columns = [numeric_column("x", np.array(x, float))]
    columns += [level_column(name, kind, cells, declared) for name, (kind, cells, declared) in levels.items()]
    columns.append(level_column("y", "nominal", list(labels), "ab"))
    features = tuple(c.name for c in columns[:-1])
    table = tc.Table(tuple(columns), target="y", features=features)
    return table if weights is None else table.with_weights(np.array(weights, float))


def values(table, name="x") -> list:
    return table.column(name).values().tolist()


# -- numbers and levels, by hand


@pytest.mark.parametrize(
    ("method", "cells", "fill"),
    [
        ("mean", [1, 2, 9, 4, 4], 4.0),
        ("median", [1, 2, 9, 2, 2], 2.0),
        ("class_mean", [1, 2, 9, 9, 9], 4.0),
        ("class_median", [1, 2, 9, 9, 9], 2.0),
    ],
)
def test_numbers(method, cells, fill):
    result = filled(table_of([1, 2, 9, NAN, NAN]), method)
    assert values(result) == cells
    assert result.column("x").fill == fill


def test_a_sum_beyond_doubles_is_no_matter():
    table = table_of([1e308, 1e308, 1e308, 0, NAN])
    assert filled(table, "mean").column("x").fill == pytest.approx(0.75e308)
    assert filled(table_of([1e308, 1.5e308, NAN, NAN, NAN]), "median").column("x").fill == pytest.approx(1.25e308)


def test_means_and_medians_count_case_weights():
    x, weights = [1, 2, 10, NAN, 99], [3, 1, 4, 7, 0]
    assert filled(table_of(x, weights=weights), "mean").column("x").fill == (3 * 1 + 1 * 2 + 4 * 10) / 8
    assert filled(table_of(x, weights=weights), "median").column("x").fill == 6  # half of the weight lies up to 2
    assert filled(table_of(x, weights=[3, 1, 5, 7, 0]), "median").column("x").fill == 10


@given(st.lists(st.integers(-20, 20) | st.floats(-1e6, 1e6), min_size=1, max_size=12))
def test_without_weights_they_are_numpys(numbers):
    x = np.array([*numbers, NAN])
    table = tc.Table((numeric_column("x", x),), features=("x",))
    assert filled(table, "median").column("x").fill == pytest.approx(np.median(numbers), rel=1e-12, abs=1e-300)
    assert filled(table, "mean").column("x").fill == pytest.approx(np.mean(numbers), rel=1e-9, abs=1e-9)


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, -7.0, 1e308]), min_size=1, max_size=9), st.integers(1, 9))
def test_averages_never_leave_the_values(numbers, n_times):
    """Equal numbers have themselves as their mean, whatever their weight: no new value, nothing to split on."""
    table = tc.Table((numeric_column("x", np.array([*numbers, NAN])),), features=("x",))
    table = table.with_weights(np.full(table.n_rows, n_times / 3))
    for method in ("mean", "median"):
        result = filled(table, method).column("x")
        assert min(numbers) <= result.fill <= max(numbers)
        assert set(result.distinct) == {*numbers, result.fill}
        assert (np.diff(result.distinct) > 0).all()


@pytest.mark.parametrize(
    ("kind", "cells", "weights", "expected"),
    [
        ("ordinal", ["S", "M", "L", None, None], None, "M"),
        ("ordinal", ["S", "L", None, None, None], None, "S"),  # half on each side: the lower level
        ("ordinal", ["S", "M", "L", None, None], [1, 1, 3, 1, 1], "L"),
        ("nominal", ["L", "M", "L", None, None], None, "L"),
        ("nominal", ["L", "M", None, None, None], None, "M"),  # a tie: the level declared first
        ("nominal", ["L", "S", "L", None, None], [1, 3, 1, 9, 9], "S"),
        ("nominal", ["L", "S", "L", None, None], [0.1, 0.3, 0.2, 1, 1], "S"),  # .1 + .2 > .3 only to a float
        ("boolean", ["M", "M", "S", None, None], None, "M"),
    ],
)
@pytest.mark.parametrize("method", ["mean", "median"])
def test_levels(kind, cells, weights, expected, method):
    levels = ("S", "M") if kind == "boolean" else ("S", "M", "L")
    result = filled(table_of([1, 2, 3, 4, 5], weights=weights, z=(kind, cells, levels)), method)
    column = result.column("z")
    assert column.labels().tolist() == [cell or expected for cell in cells]
    assert column.fill == levels.index(expected)
    assert column.levels == levels


def test_nothing_else_changes():
    x = [1, 2, NAN, 4, 5]
    table = table_of(x, weights=[1, 2, 3, 4, 5], z=("nominal", list("uvuvu"), "uv")).take(np.array([4, 2, 1, 0]))
    for method in FILLING:
        result = filled(table, method)
        assert result.row_numbers.tolist() == [4, 2, 1, 0]
        assert result.weights.tolist() == [5, 3, 2, 1]
        assert result.target_column is table.target_column
        assert result.features == table.features
        assert result.column("z").codes is table.column("z").codes  # nothing to fill: shared
        assert np.isnan(values(table)[1])


@pytest.mark.parametrize("method", FILLING)
def test_a_real_table_has_no_gap_left(method):
    table = read_sample("titanic")
    result = filled(table, method)
    assert sum(c.n_missing for c in result.feature_columns) == 0
    assert sum(c.n_missing for c in table.feature_columns) == 179
    known = ~table.column("age").missing
    np.testing.assert_array_equal(result.column("age").values()[known], table.column("age").values()[known])
    assert all(c.fill is not None for c in result.feature_columns)
    assert len(result.notes) == len(table.notes) + 2


# -- classes


@pytest.mark.parametrize("method", ["class_mean", "class_median"])
def test_every_row_gets_the_average_of_its_own_class(method):
    x = [1, 2, 6, NAN, 10, 20, 60, NAN, NAN]
    table = table_of(x, "aaaabbbbb", z=("nominal", ["u", None, "u", "v", "v", "v", None, "u", "v"], "uv"))
    result = filled(table, method)
    naive = np.mean if method == "class_mean" else np.median
    a, b = naive([1, 2, 6]), naive([10, 20, 60])
    assert values(result) == [1, 2, 6, a, 10, 20, 60, b, b]
    assert result.column("z").labels().tolist() == ["u", "u", "u", "v", "v", "v", "v", "u", "v"]
    assert result.column("x").fill == naive([1, 2, 6, 10, 20, 60])  # a row to be predicted has no class


def test_a_class_without_a_value_gets_the_average_of_all_rows():
    result = filled(table_of([1, 2, NAN, NAN, NAN]), "class_mean")
    assert values(result) == [1, 2, 1.5, 1.5, 1.5]
    weightless = filled(table_of([1, 2, 50, NAN, NAN], weights=[1, 1, 0, 1, 1]), "class_mean")
    assert values(weightless) == [1, 2, 50, 1.5, 1.5]


def test_a_row_without_a_class_gets_the_average_of_all_rows():
    columns = numeric_column("x", np.array([1, 3, NAN, 8])), level_column("y", "nominal", ["a", "a", None, "b"], "ab")
    table = tc.Table(columns, target="y", features=("x",))
    assert values(filled(table, "class_mean")) == [1, 3, 4, 8]


def test_classes_are_needed_to_fill_by_class():
    columns = numeric_column("x", np.array([1, NAN, 3])), numeric_column("y", np.array([1.0, 2, 3]))
    table = tc.Table(columns, target="y", features=("x",))
    for method in FILLING:
        if FILLS[method].needs_classes:
            with pytest.raises(tc.TreecoreError, match=r"'y' is numeric.*Fill with \"mean\" or \"median\""):
                filled(table, method)
        else:
            assert values(filled(table, method)) == [1, 2, 3]


def test_only_training_rows_count():
    """Other rows' values and classes may be anything; other training rows give another fill."""
    rng = np.random.default_rng(3)
    x = np.where(rng.random(60) < 0.3, NAN, rng.normal(size=60))
    labels = "".join(rng.choice(["a", "b"], 60))
    train = np.arange(60) < 40
    other_x, other_labels = np.where(train, x, x + 100), labels[:40] + "a" * 20
    for method in FILLING:
        one = filled(table_of(x, labels).take(train), method).column("x")
        other = filled(table_of(other_x, other_labels).take(train), method).column("x")
        np.testing.assert_array_equal(one.values(), other.values())
        assert one.fill == other.fill
        changed = filled(table_of(np.where(train, x + 100, x), labels).take(train), method).column("x")
        assert changed.fill == pytest.approx(one.fill + 100)


# -- PlayTennis with day 8's humidity unknown


def entropy(labels) -> float:
    return -sum(n / len(labels) * math.log2(n / len(labels)) for n in Counter(labels).values())


def gain(table: tc.Table, feature: str) -> float:
    cells, labels = table.column(feature).labels(), table.target_column.labels()
    parts = [labels[cells == cell] for cell in np.unique(cells)]
    return entropy(labels) - sum(len(part) / len(labels) * entropy(part) for part in parts)


@pytest.mark.parametrize(
    ("method", "humidity", "expected"), [("mean", "Normal", 0.420), ("median", "Normal", 0.420),
                                         ("class_mean", "High", 0.971), ("class_median", "High", 0.971)]
)  # fmt: skip
def test_tennis_at_sunny_with_day_8_filled(method, humidity, expected):
    """High 6 : Normal 7 in the whole table, High 3 : Normal 1 among the other days without play."""
    table = read_sample("play_tennis")
    cells = table.column("Humidity").labels()
    cells[7] = None
    column = level_column("Humidity", "nominal", cells, ("High", "Normal", "Low"))
    columns = tuple(column if c.name == "Humidity" else c for c in table.columns)
    result = filled(tc.Table(columns, target="PlayTennis", features=table.features), method)
    assert result.column("Humidity").labels()[7] == humidity
    assert result.column("Humidity").fill == 1  # Normal, the mode of all days
    sunny = result.take(result.column("Outlook").labels() == "Sunny")
    assert gain(sunny, "Humidity") == pytest.approx(expected, abs=5e-4)


# -- dropping


def test_rows_are_dropped_with_their_weights():
    x = [1, NAN, 3, 4, 5]
    table = table_of(x, weights=[1, 2, 3, 4, 5], z=("nominal", ["u", "u", "v", None, "v"], "uv"))
    result = filled(table, "drop_rows")
    assert values(result) == [1, 3, 5]
    assert result.weights.tolist() == [1, 3, 5]
    assert result.row_numbers.tolist() == [0, 2, 4]
    assert result.notes == ("2 of 5 training rows were left out, as a feature is missing: x 1, z 1.",)
    narrow = filled(table.with_features(["x"]), "drop_rows")  # a gap outside the features does not matter
    assert narrow.row_numbers.tolist() == [0, 2, 3, 4]
    with pytest.raises(tc.TreecoreError, match=r"Every one of the 2 training rows.*leave out the columns.*x 2"):
        filled(table_of([NAN, NAN], "ab"), "drop_rows")


def test_columns_above_the_limit_are_dropped():
    empty, half = [None] * 4 + ["u"], [None] * 3 + ["u", "v"]
    table = table_of([1, 2, NAN, 4, 5], e=("nominal", empty, "uv"), h=("nominal", half, "uv"))
    assert filled(table, "drop_columns").features == ("x", "h")
    assert filled(table, "drop_columns", limit=0.8).features == ("x", "e", "h")  # above, not from
    result = filled(table, "drop_columns", limit=0.5)
    assert result.features == ("x",)
    assert result.column_names == table.column_names
    assert "e: left out of the features, 80.0% of its values are missing (limit 0.5)." in result.notes
    assert result.column("x").n_missing == 1  # what stays is not filled
    with pytest.raises(tc.TreecoreError, match=r"Every feature has more than 0\.1"):
        filled(table, "drop_columns", limit=0.1)
    with pytest.raises(tc.TreecoreError, match="Give a number from 0 to 1"):
        filled(table, "drop_columns", limit=70)


def test_without_gaps_or_method_the_table_stays():
    table = table_of([1, NAN, 3, 4, 5])
    assert filled(table, "none") is table
    assert filled(table_of([1, 2, 3, 4, 5]), "drop_rows").notes == ()
    with pytest.raises(tc.TreecoreError, match=r"no preparation.*'avg'.*class_median"):
        filled(table, "avg")


# -- words


def test_notes_count_and_name_what_was_filled():
    levels = ("nominal", ["u", "u", None, None, "v"], "uv")
    table = table_of([1, 2, NAN, 6, NAN], z=levels)
    assert filled(table, "mean").notes == (
        "x: 2 missing values filled with the mean, 3.",
        "z: 2 missing values filled with the mode, 'u'.",
    )
    assert filled(table, "class_median").notes == (
        "x: 2 missing values filled with the median of the row's class (b 6); in prediction with that of all rows, 2.",
        "z: 2 missing values filled with the mode of the row's class (b 'v'); in prediction with that of all rows, "
        "'u'.",
    )
    many = {f"n{i}": ("nominal", ["u", None, "u", "v", "v"], "uv") for i in range(10)}
    assert filled(table_of([1, 2, 3, 4, 5], **many), "drop_rows").notes[0].endswith("n6 1, n7 1 and 2 more.")
    one = table_of([1, 2, 3, 4, 5], z=("ordinal", ["u", "v", None, "v", "v"], "uv"))
    assert filled(one, "mean").notes == ("z: 1 missing value filled with the median, 'v'.",)


@pytest.mark.parametrize("weights", [None, [0, 0, 1, 1, 1]])
@pytest.mark.parametrize("method", FILLING)
def test_a_column_without_any_value_is_named(method, weights):
    x = [NAN] * 5 if weights is None else [1, 2, NAN, NAN, NAN]
    with pytest.raises(tc.TreecoreError, match=r"nothing to fill with.*Leave the column out") as caught:
        filled(table_of(x, weights=weights), method)
    assert caught.value.where == "Column 'x'"


# -- prediction


def grown() -> tc.Tree:
    """Threshold 2.75; the mean 3.5 goes high, although the low branch has more rows."""
    return tc.grow(filled(table_of([1, 2, 2, 9, NAN], "aaabb"), "mean"))


def test_a_missing_value_is_predicted_with_the_fill():
    tree = grown()
    rows = pd.DataFrame({"x": [1, None, 9]})
    assert tree.schema.features[0].fill == 3.5
    assert tree.predict(rows).tolist() == ["a", "b", "b"]
    assert tree.predict(table_of([1, NAN, 9], "aab")).tolist() == ["a", "b", "b"]
    unfilled = tc.grow(table_of([1, 2, 2, 9, NAN], "aaaba"))
    assert unfilled.predict(rows).tolist() == ["a", "a", "b"]


def test_the_fill_is_rounded_like_the_values():
    """0.1 as a 32-bit number lies above 0.1: a fill of 0.1 must go where the value 0.1 goes."""
    columns = numeric_column("x", np.array([0.1, 0.1, 0.1, NAN])), level_column("y", "nominal", list("aabb"), "ab")
    column = filled(tc.Table(columns, target="y", features=("x",)), "mean").column("x")
    assert column.fill == 0.1
    schema = Schema((FeatureSchema("x", "numeric", (), column.fill),), "y", ("a", "b"), "float32")
    matrix = value_matrix(schema, np.array([0]), pd.DataFrame({"x": [0.1, None]}))
    assert matrix.tolist() == [[float(np.float32(0.1))] * 2]


def test_an_unknown_level_is_no_missing_value():
    cells = ["u", "v", "v", "v", "w"]
    table = filled(table_of([1] * 5, "abbbb", z=("nominal", cells, "uvw")), "mean")
    tree = tc.grow(table.with_features(["z"]), nominal="multiway")
    assert tree.schema.features[0].fill == 1
    ends = tree.apply(pd.DataFrame({"z": ["u", "v", "w", None, "new"]})).tolist()
    assert ends[3] == ends[1]
    matrix = value_matrix(tree.schema, np.array([0]), pd.DataFrame({"z": ["v", None, "new"]}))
    assert matrix.tolist() == [[1.0, 1.0, -1.0]]


def test_the_saved_tree_keeps_the_fill():
    tree = grown()
    data = json.loads(json.dumps(tree.to_dict()))
    assert type(tree).from_dict(data).schema == tree.schema
    for feature in data["schema"]["features"]:
        del feature["fill"]
    assert type(tree).from_dict(data).schema.features[0] == FeatureSchema("x", "numeric")


def test_a_part_of_the_rows_keeps_the_fill():
    assert filled(table_of([1, 2, 9, NAN, NAN]), "mean").take(np.array([0, 1])).column("x").fill == 4
