"""Columns: codes, what they stand for, and the kinds they can be turned into."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from treecore.data import Nominal, Ordinal, level_column, numeric_column
from treecore.data.column import number_labels, numeric_column_of_codes, ranks_by_kernel, ranks_of
from treecore.data.level_index import recoded
from treecore.errors import TreecoreError


def test_numeric_codes_index_the_sorted_distinct_values():
    column = numeric_column("x", np.array([3.0, 1.0, np.nan, 3.0]))
    assert column.distinct.tolist() == [1.0, 3.0]
    assert column.codes.tolist() == [1, 0, 2, 1]
    assert column.codes.dtype == np.int32
    assert column.missing.tolist() == [False, False, True, False]
    assert column.n_missing == 1
    np.testing.assert_array_equal(column.values(), [3.0, 1.0, np.nan, 3.0])
    assert column.labels().tolist() == ["3", "1", "", "3"]


def test_arrays_are_read_only():
    column = numeric_column("x", np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match=r"read-only"):
        column.codes[0] = 1
    with pytest.raises(ValueError, match=r"read-only"):
        column.distinct[0] = 1


def test_minus_zero_is_zero():
    assert numeric_column("x", np.array([0.0, -0.0])).codes.tolist() == [0, 0]


def test_infinite_values_name_column_and_rows():
    values = np.array([1.0, np.inf, 2.0, -np.inf])
    with pytest.raises(TreecoreError, match=r"Column 'x': 2 infinite values \(first at rows 2 and 4\).*missing"):
        numeric_column("x", values)
    assert numeric_column("x", values, infinite="missing").n_missing == 2


def test_level_columns_keep_levels_that_no_row_has():
    column = level_column("h", "nominal", ["High", None, "Normal"], ["High", "Normal", "Low"])
    assert column.levels == ("High", "Normal", "Low")
    assert column.codes.tolist() == [0, 3, 1]
    assert column.labels().tolist() == ["High", "", "Normal"]
    assert column.present().tolist() == [1, 1, 0]


def test_a_value_outside_the_levels_is_named():
    with pytest.raises(TreecoreError, match=r"Column 'h': 'Hihg' is not one of .*'High'.*first at row 2"):
        level_column("h", "nominal", ["High", "Hihg"], ["High", "Low"])


@pytest.mark.parametrize("kind", ["numeric", "nominal"])
def test_keys_stand_for_the_values(kind):
    column = numeric_column("x", np.array([3.0, np.nan, 1.5])) if kind == "numeric" else (
        level_column("x", kind, ["b", None, "a"], ["a", "b", "c"])
    )  # fmt: skip
    np.testing.assert_array_equal(column.numbers_of(column.keys), column.values())
    assert column.numbers_of(np.zeros((2, 0), np.uint32)).shape == (2, 0)


def test_what_is_missing_in_a_part_is_counted_in_it():
    """Whether or not the whole was counted before."""
    for known in (False, True):
        gaps, none = numeric_column("x", np.array([1.0, np.nan, 2.0])), numeric_column("y", np.array([1.0, 2.0, 3.0]))
        if known:
            assert (gaps.n_missing, none.n_missing) == (1, 0)
        assert gaps.take(np.array([True, False, True])).n_missing == 0
        assert gaps.take(np.array([1, 1, -1])).n_missing == 2
        assert none.take(np.array([2, 0])).n_missing == 0
        assert none.take(np.array([True, False, True])).values().tolist() == [1.0, 3.0]


def test_take_shares_the_encoding():
    column = numeric_column("x", np.array([5.0, 7.0, 9.0]))
    part = column.take(np.array([2, 2, 0]))
    assert part.distinct is column.distinct
    assert part.values().tolist() == [9.0, 9.0, 5.0]


def test_codes_into_unsorted_repeated_numbers():
    column = numeric_column_of_codes("x", np.array([0, 1, -1, 2, 2]), np.array([9.0, 2.0, 9.0, 55.0]))
    assert column.distinct.tolist() == [2.0, 9.0]  # 55 is on no row
    np.testing.assert_array_equal(column.values(), [9, 2, np.nan, 9, 9])


def test_labels_of_numbers_are_short_and_exact():
    assert number_labels(np.array([3.0, 0.1, -2.5, 1e300, 1e16])) == ["3", "0.1", "-2.5", "1e+300", "1e+16"]


def test_numbers_become_levels_and_back():
    column = numeric_column("x", np.array([10.0, 2.0, np.nan, 2.0]))
    levels = recoded(column, "nominal")
    assert levels.levels == ("2", "10")
    assert levels.labels().tolist() == ["10", "2", "", "2"]
    np.testing.assert_array_equal(recoded(levels, "numeric").values(), column.values())


def test_levels_are_reordered_without_changing_a_cell():
    column = level_column("s", "nominal", ["L", "S", None, "M"], ["L", "M", "S"])
    ordered = recoded(column, Ordinal(["S", "M", "L"]))
    assert ordered.kind == "ordinal"
    assert ordered.labels().tolist() == column.labels().tolist()
    np.testing.assert_array_equal(ordered.values(), [2, 0, np.nan, 1])


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("boolean", "3 different values"),
        ("numeric", r"'L' is not a number \(first at row 1\).*Treat it as missing, or make the column nominal"),
        (Nominal(["S", "L"]), "'M' is not one of the declared levels"),
        ("categorical", "not a kind.*numeric, ordinal, nominal, boolean"),
    ],
)
def test_impossible_kinds_say_why(spec, words):
    column = level_column("s", "nominal", ["L", "S", "M"], ["L", "M", "S"])
    with pytest.raises(TreecoreError, match=words):
        recoded(column, spec)


def test_levels_declared_twice_or_as_one_text_are_refused():
    with pytest.raises(TreecoreError, match=r"'S' is declared twice"):
        Ordinal(["S", "M", "S"])
    with pytest.raises(TreecoreError, match=r"list of levels"):
        Ordinal("SML")
    assert Ordinal([1, 2]).levels == ("1", "2")
    assert Ordinal(["a"]) == Ordinal(["a"])
    assert Ordinal(["a"]) != Nominal(["a"])


def assert_ranks(values, found):
    codes, distinct = found
    known = ~np.isnan(values)
    wanted, of_known = np.unique(values[known] + 0.0, return_inverse=True)
    assert distinct.tobytes() == wanted.tobytes()
    assert codes.dtype == np.int32
    assert codes[known].tolist() == of_known.tolist()
    assert set(codes[~known].tolist()) <= {len(wanted)}


@given(arrays(np.float64, st.integers(0, 60), elements=st.floats(allow_infinity=False)))
def test_ranks_are_those_of_numpy(values):
    for found in (ranks_of(values), ranks_by_kernel(values + 0.0)):
        if found is not None:
            assert_ranks(values, found)


RNG = np.random.default_rng(3)
NUMBERS = {
    "normal": RNG.normal(size=5000),
    "with gaps": np.where(RNG.random(5000) < 0.1, np.nan, RNG.normal(size=5000)),
    "money": np.round(RNG.lognormal(4, 1, 5000), 2),
    "whole": RNG.integers(-50, 50, 5000).astype(float),
    "seconds": 1.7e9 + RNG.integers(0, 86_400, 5000),
    "nanoseconds": 1.7e18 + RNG.integers(0, 86_400, 5000) * 1e9,
    "one value": np.full(5000, 7.5),
    "all missing": np.full(5000, np.nan),
    "of all sizes": RNG.choice([-1, 1], 5000) * 10.0 ** RNG.uniform(-300, 300, 5000),
    "ascending": np.arange(5000.0),
    "descending": -np.arange(5000.0),
    "some alike but for their last bits": np.append(RNG.normal(size=2000), 1 + RNG.permutation(30) * 2.0**-50),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_kernel_ranks_numbers(name):
    found = ranks_by_kernel(NUMBERS[name] + 0.0)
    assert found is not None
    assert_ranks(NUMBERS[name], found)


def test_numbers_too_near_for_the_kernel_are_ranked_in_another_way():
    near = np.append(1e300, 1 + RNG.permutation(3000) * 2.0**-52)
    assert ranks_by_kernel(near) is None
    assert_ranks(near, ranks_of(near))


def test_examples_are_values_that_rows_have():
    numbers = numeric_column("x", np.array([3.0, 1.0, np.nan, 2.0, 1.0]))
    assert numbers.examples(2) == ["1", "2"]
    assert numbers.take(np.array([0, 2])).examples(2) == ["3"]
    words = level_column("w", "nominal", ["b", "a", "c"], ("a", "b", "c"))
    assert words.take(np.array([0, 2])).examples(5) == ["b", "c"]
