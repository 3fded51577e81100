"""Numbers to bins: cuts by hand and against a naive MDL, and what holds for every binning."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treecore as tc
from treecore.data import BINNINGS, binned, cut_points, discretized, filled, level_column, numeric_column
from treecore.data.samples import read_sample

NAN = math.nan


def cuts_of(values, method, bins=5, labels=None, weights=None) -> list:
    values = np.array(values, float)
    labels = None if labels is None else np.array(labels)
    weights = None if weights is None else np.array(weights, float)
    n_classes = 0 if labels is None else int(labels.max(initial=0)) + 1
    return cut_points(values, weights, labels, n_classes, method, bins).tolist()


def table_of(x, labels="ab", weights=None) -> tc.Table:
    labels = [labels[i % len(labels)] for i in range(len(x))]
    columns = numeric_column("x", np.array(x, float)), level_column("y", "nominal", labels, "ab")
    return tc.Table(columns, target="y", features=("x",), weights=weights)


# -- equal width, equal frequency


def test_equal_width_by_hand():
    assert cuts_of([0, 1, NAN, 10], "equal_width", 5) == [2, 4, 6, 8]
    assert cuts_of([-3, 9], "equal_width", 3) == [1, 5]
    assert cuts_of([4, 4, 4], "equal_width", 3) == []
    assert cuts_of([NAN], "equal_width", 3) == []
    assert cuts_of([-1e308, 1e308], "equal_width", 2) == [0]  # their distance is beyond what a double holds
    assert cuts_of([0, 5, 100], "equal_width", 2, weights=[1, 1, 0]) == [2.5]


def test_neighbouring_doubles_part_at_the_upper_one():
    low = 1.0
    high = np.nextafter(low, 2)
    for method in BINNINGS:
        assert cuts_of([low, low, high, high], method, 50, labels=[0, 0, 1, 1]) == [high]


@pytest.mark.parametrize(
    ("values", "bins", "weights", "expected"),
    [
        (range(1, 11), 5, None, [2.5, 4.5, 6.5, 8.5]),
        (range(1, 11), 3, None, [3.5, 7.5]),  # 10/3 and 20/3 rows: nearest are 3 and 7
        ([1, 2, 3], 2, None, [1.5]),  # 1 and 2 rows are equally near to 1.5: the lower gap
        ([5, 5, 5, 5, 9, NAN], 2, None, [7]),  # equal values never part
        ([1, 5, 5, 5, 5, 5, 9], 3, None, [3, 7]),
        ([1, 1, 1, 1, 1, 1, 2, 3], 4, None, [1.5]),  # 2, 4 and 6 of 8 rows all end in the same gap
        ([1, 2, 3, 4], 9, None, [1.5, 2.5, 3.5]),  # no more bins than values
        ([1, 2, 3, 4], 2, [5, 1, 1, 1], [1.5]),
        ([1, 2, 3, 4], 2, [0.1, 0.1, 0.1, 0.3], [3.5]),
        ([1, 2, 3], 2, [0.1, 0.1, 0.1], [1.5]),  # equally near, though .15 - .1 > .2 - .15 to a float
        ([1, 2, 3, 4], 2, [1, 1, 0, 1], [1.5]),  # 3 has no weight: 1 | 2 4
        ([7, 7], 2, None, []),
    ],
)
def test_equal_frequency_by_hand(values, bins, weights, expected):
    assert cuts_of(values, "equal_frequency", bins, weights=weights) == expected


NUMBERS = st.lists(st.integers(-5, 5) | st.floats(-100, 100), max_size=25)


@given(NUMBERS, st.integers(2, 8))
def test_equal_frequency_takes_the_nearest_gaps(values, bins):
    distinct = sorted(set(np.add(values, 0.0).tolist()))
    gaps = list(range(1, len(distinct)))
    below = {gap: sum(v < distinct[gap] for v in values) for gap in gaps}
    expected = {
        min(gaps, key=lambda gap: (abs(below[gap] - Fraction(len(values) * i, bins)), gap))
        for i in range(1, bins)
        if gaps
    }
    found = cuts_of(values, "equal_frequency", bins)
    assert [sum(d < cut for d in distinct) for cut in found] == sorted(expected)


# -- entropy and MDL


def entropy(labels) -> float:
    return -sum(n / len(labels) * math.log2(n / len(labels)) for n in Counter(labels).values())


def naive_mdl(rows) -> list[float]:
    """Fayyad and Irani's cuts of (value, label) rows, by their formulas and nothing else."""
    rows = sorted(rows)
    values, labels = [v for v, _ in rows], [label for _, label in rows]
    n, best, cut = len(rows), math.inf, None
    for i in range(1, n):
        if values[i - 1] == values[i]:
            continue
        inside = i / n * entropy(labels[:i]) + (n - i) / n * entropy(labels[i:])
        if inside < best - 1e-10:
            best, cut = inside, i
    if cut is None:
        return []
    parts = labels[:cut], labels[cut:]
    k, k1, k2 = (len(set(part)) for part in (labels, *parts))
    text = math.log2(3**k - 2) - (k * entropy(labels) - k1 * entropy(parts[0]) - k2 * entropy(parts[1]))
    if entropy(labels) - best <= (math.log2(n - 1) + text) / n:
        return []
    return [*naive_mdl(rows[:cut]), (values[cut - 1] + values[cut]) / 2, *naive_mdl(rows[cut:])]


def test_mdl_by_hand():
    """Four of a, then four of b: gain 1, asked for are (log2 7 + log2 7 - 2) / 8 = .452. Of 2 + 2 rows: gain 1,
    (log2 3 + .807) / 4 = .598. One b in the middle of many a: gain too small. One class: nothing to gain."""
    assert cuts_of([1, 2, 3, 4, 6, 7, 8, 9], "entropy_mdl", labels=[0, 0, 0, 0, 1, 1, 1, 1]) == [5]
    assert cuts_of([1, 2, 3, 4], "entropy_mdl", labels=[0, 0, 1, 1]) == [2.5]
    assert cuts_of([1, 2, 3, 4, 5], "entropy_mdl", labels=[0, 0, 1, 0, 0]) == []
    assert cuts_of([1, 2, 3], "entropy_mdl", labels=[0, 0, 0]) == []
    assert cuts_of([], "entropy_mdl", labels=[]) == []


def test_mdl_of_iris_as_published():
    """The cut points that the R package "discretization" documents for its mdlp on iris."""
    table = read_sample("iris")
    expected = {
        "sepallength": [5.55, 6.15], "sepalwidth": [2.95, 3.35], "petallength": [2.45, 4.75], "petalwidth": [0.8, 1.75]
    }  # fmt: skip
    for name, cuts in expected.items():
        found = cut_points(table.column(name).values(), None, table.target_column.codes, 3, "entropy_mdl", 0)
        np.testing.assert_allclose(found, cuts, rtol=1e-12)


LABELLED = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=1, max_size=40)
BLOCKS = st.lists(st.tuples(st.integers(1, 12), st.integers(0, 3)), min_size=1, max_size=6)


@given(LABELLED)
def test_mdl_is_the_naive_one(rows):
    values, labels = zip(*rows, strict=True)
    assert cuts_of(values, "entropy_mdl", labels=labels) == naive_mdl(rows)


@given(BLOCKS)
def test_mdl_is_the_naive_one_where_classes_stand_in_blocks(blocks):
    labels = [label for size, label in blocks for _ in range(size)]
    rows = list(enumerate(labels))
    assert cuts_of(range(len(rows)), "entropy_mdl", labels=labels) == naive_mdl(rows)


@given(LABELLED)
def test_a_weight_of_three_is_three_rows(rows):
    values, labels = zip(*rows, strict=True)
    weights = [1 + 2 * (v % 2) for v in values]
    repeated = [row for row, weight in zip(rows, weights, strict=True) for _ in range(weight)]
    assert cuts_of(values, "entropy_mdl", labels=labels, weights=weights) == naive_mdl(repeated)


def test_rows_without_class_or_value_do_not_count():
    values, labels = [1, 2, 3, 4, 5, NAN, 9, 9], [0, 0, 1, 1, 2, 0, -1, 2]
    found = cut_points(np.array(values), None, np.array(labels), 2, "entropy_mdl", 0)
    assert found.tolist() == [2.5]


def test_mdl_needs_classes():
    columns = numeric_column("x", np.array([1.0, 2, 3])), numeric_column("y", np.array([1.0, 2, 3]))
    regression = tc.Table(columns, target="y", features=("x",))
    for table in (regression, regression.with_target(None)):
        with pytest.raises(tc.TreecoreError, match=r"needs classes.*Choose equal_width or equal_frequency"):
            discretized(table, ["x"], "entropy_mdl")
        assert discretized(table, ["x"], "equal_width", 2).column("x").levels == ("< 2", "≥ 2")


# -- columns


def test_levels_have_readable_names_and_keep_their_lower_edge():
    table = binned(table_of([2.44, 2.45, 4.89, 4.9, NAN, 70]), {"x": np.array([2.45, 4.9])})
    column = table.column("x")
    assert column.kind == "ordinal"
    assert column.levels == ("< 2.45", "2.45 to 4.9", "≥ 4.9")
    assert column.values()[:4].tolist() == [0, 1, 1, 2]
    assert column.missing.tolist() == [False] * 4 + [True, False]
    assert table.notes == ("x: put in 3 bins, cut at 2.45, 4.9.",)


def test_names_take_as_many_digits_as_tell_them_apart():
    cuts = np.array([1000000.25, 1000000.5, 2e6])
    levels = binned(table_of([1, 2]), {"x": cuts}).column("x").levels
    assert levels == ("< 1000000.2", "1000000.2 to 1000000.5", "1000000.5 to 2000000", "≥ 2000000")
    close = np.array([1.0, np.nextafter(1.0, 2)])
    assert len(set(binned(table_of([1, 2]), {"x": close}).column("x").levels)) == 3


def test_the_cuts_come_from_the_given_rows_and_serve_others():
    table = table_of([0, 5, 10, 20, -4, NAN], "ab")
    train, rest = table.take(np.arange(3)), table.take(np.arange(3, 6))
    cuts = {"x": cut_points(train.column("x").values(), None, None, 0, "equal_width", 2)}
    assert discretized(train, ["x"], "equal_width", 2).column("x").values().tolist() == [0, 1, 1]
    np.testing.assert_array_equal(binned(rest, cuts).column("x").values(), [1, 0, NAN])
    changed = table_of([0, 5, 10, 1e6, 1e7, 3], "aabbab").take(np.arange(3))  # the encoding knows the other rows
    assert discretized(changed, ["x"], "equal_width", 2).column("x").levels == ("< 5", "≥ 5")


def test_a_column_without_a_cut_is_a_single_level():
    table = discretized(table_of([1, 2, 3, NAN]), ["x"], "entropy_mdl")
    assert table.column("x").levels == ("all values",)
    assert table.column("x").codes.tolist() == [0, 0, 0, 1]
    assert table.notes == ("x: no cut was found, so all its values share one level.",)


def test_everything_else_stays():
    weights = np.array([1.0, 2, 3, 4])
    table = table_of([1, 2, 3, 4], weights=weights).take(np.array([3, 1, 0]))
    result = discretized(table, ["x"], "equal_frequency", 2)
    assert result.row_numbers.tolist() == [3, 1, 0]
    assert result.weights.tolist() == [4, 2, 1]
    assert result.target_column is table.target_column
    assert result.features == ("x",)
    assert result.column("x").levels == ("< 3", "≥ 3")  # below the gaps lie weights 1 and 3; half is 3.5


def test_a_filled_column_keeps_the_bin_of_its_fill():
    table = filled(table_of([1, 2, 9, NAN]), "mean")
    assert table.column("x").fill == 4
    assert binned(table, {"x": np.array([2.0, 4.0])}).column("x").fill == 2
    assert binned(table_of([1, 2]), {"x": np.array([2.0])}).column("x").fill is None


def test_a_tree_grows_on_bins_and_reads_rows_cut_alike():
    table = read_sample("iris")
    train, _, test = table.split(tc.Roles(seed=1))
    labels = train.target_column.codes
    cuts = {name: cut_points(train.column(name).values(), None, labels, 3, "entropy_mdl", 0) for name in table.features}
    tree = tc.grow(binned(train, cuts))
    assert np.mean(tree.predict(binned(test, cuts)) == test.target_column.labels()) > 0.85
    assert tree.predict(test).tolist() == tree.predict(binned(test, cuts)).tolist()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda t: discretized(t, ["y"], "equal_width"), "Column 'y': It is the target"),
        (lambda t: discretized(t, ["z"], "equal_width"), "There is no column 'z'"),
        (lambda t: discretized(t.with_target(None), ["y"], "equal_width"), "Column 'y': It is nominal"),
        (lambda t: discretized(t, ["x"], "equal_size"), "no binning called 'equal_size'.*equal_frequency"),
        (lambda t: discretized(t, ["x"], "equal_width", 1), "1 bins are not possible.*from 2 to 1000"),
        (lambda t: discretized(t, ["x"], "equal_frequency", 2.5), "2.5 bins are not possible"),
        (lambda t: binned(t, {"x": [2.0, 1.0]}), "Column 'x': Its cut points do not ascend"),
        (lambda t: binned(t, {"x": [1.0, 1.0]}), "do not ascend"),
        (lambda t: binned(t, {"x": [1.0, NAN]}), "do not ascend"),
    ],
)
def test_what_cannot_be_binned_says_why(call, words):
    with pytest.raises(tc.TreecoreError, match=words):
        call(table_of([1, 2, 3, 4]))


# -- every binning


FINITE = st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.lists(st.tuples(FINITE | st.integers(-3, 3) | st.just(NAN), st.sampled_from("ab")), min_size=1, max_size=30)


@pytest.mark.parametrize("method", BINNINGS)
@given(rows=ROWS, bins=st.integers(2, 9))
def test_bins_are_in_order_and_hold_every_value_once(method, rows, bins):
    x, labels = zip(*rows, strict=True)
    table = table_of(x, labels)
    column = discretized(table, ["x"], method, bins).column("x")
    cuts = cut_points(np.array(x, float), None, table.target_column.codes, 2, method, bins)
    assert (np.diff(cuts) > 0).all()
    assert len(column.levels) == len(cuts) + 1 == len(set(column.levels))
    edges = [-math.inf, *cuts.tolist(), math.inf]
    for value, code in zip(x, column.codes.tolist(), strict=True):
        if math.isnan(value):
            assert code == len(column.levels)
        else:
            assert [i for i in range(len(edges) - 1) if edges[i] <= value < edges[i + 1]] == [code]
    known = sorted((v, c) for v, c in zip(x, column.codes.tolist(), strict=True) if v == v)
    assert [c for _, c in known] == sorted(c for _, c in known)
    if len(cuts):
        assert {0, len(cuts)} <= set(column.codes.tolist())  # the outer bins are never empty
    if method != "equal_width":
        assert set(column.codes.tolist()) - {len(column.levels)} == set(range(len(cuts) + 1)) or not known
        assert method == "entropy_mdl" or len(cuts) < bins
