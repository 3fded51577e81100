"""The decimals that stand for thresholds: in the gap between two values, with few digits, near the threshold."""

import copy
import gc
import itertools
import math
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treecore as tc
from treecore.data.column import numeric_column
from treecore.data.discretize import bin_names, binned_column
from treecore.data.gaps import FLOAT32, Gap, Gaps
from treecore.figures import exact
from treecore.tree import threshold_gaps

NUMBERS = st.floats(-1e308, 1e308)


@pytest.mark.parametrize(
    ("low", "high", "closed", "threshold", "printed"),
    [
        (1.9, 3.0, False, 2.45, "2.45"),  # as books have it, though 2 would do
        (1.9, 3.0, True, 2.449999988079071, "2.45"),
        (5.0, 6.0, False, 5.499999, "5.5"),
        (6.01, 6.11, False, 6.0600000000000005, "6.06"),
        (100000.2, 100000.4, False, 100000.29999999999, "100000.3"),
        (12345.64, 12345.7, True, 12345.64, "12345.64"),
        (448251.2, 448251.9, False, 448251.55, "448251.5"),
        (1700000300.0, 1700000301.0, False, 1700000300.5, "1700000300.5"),
        (-39998.3, -39990.1, False, -39994.20000001, "-39994"),
        (1e-301, 3.3e-301, True, 2.1500000001e-301, "2.2e-301"),
        (1.1e300, 1.2e300, False, 1.1512345678e300, "1.15e+300"),
        (-math.inf, 3.0, True, 2.123456789, "2"),
        (-0.01, 0.02, False, 0.0, "0"),
        (66.52, 66.53, False, 66.520174, "66.521"),  # 66.5202 is nearer, and says no more
        (66.52, 66.53, False, 66.52499999999999, "66.525"),
        (7.0, 8.0, True, 7.333333333333333, "7.3"),
        (0.30000000000000004, 0.4, False, 0.35123456789, "0.35"),
    ],
)
def test_a_threshold_is_printed_with_few_digits(low, high, closed, threshold, printed):
    assert exact(Gap(low, high, closed).printed(threshold)) == printed


@given(NUMBERS, NUMBERS, st.floats(0, 1), st.booleans(), st.sampled_from([None, 1, 3, 17]))
def test_what_is_printed_lies_in_the_gap_and_reads_back(one, other, share, closed, digits):
    if one == other:
        other = float(np.nextafter(one, math.inf))
    low, high = min(one, other), max(one, other)
    gap, threshold = Gap(low, high, closed), low * (1 - share) + high * share
    number = gap.printed(threshold) if digits is None else gap.decimal(threshold, digits)
    assert number in gap
    assert float(exact(number)) == number


@given(st.floats(-1e6, 1e6), st.floats(1e-9, 1e3), st.floats(0.01, 0.99))
def test_no_shorter_decimal_lies_within_the_gap(low, width, share):
    high = low + width
    threshold = low + share * width
    if not low < threshold < high:
        return
    number = Gap(low, high, False).decimal(threshold)
    n = len(exact(abs(number)).partition("e")[0].replace(".", "").strip("0"))
    if n > 1:
        step = 10.0 ** (math.floor(math.log10(max(abs(low), abs(high)))) - n + 2)
        first = math.floor(low / step)
        shorter = [float(f"{k * step:.{n - 1}g}") for k in range(first, first + 3)]
        assert not any(low < d < high for d in shorter if d != number)


def test_two_neighbours_that_differ_in_the_last_bit():
    low, high = 1.0, float(np.nextafter(1.0, 2.0))
    assert Gap(low, high, closed=True).printed(low) == low
    assert Gap(low, high, closed=False).printed(high) == high
    assert Gap(low, high, closed=True).printed(5.0) == low  # a threshold in 32 bits may lie beyond


def test_numbers_of_32_bits_say_enough():
    assert FLOAT32.printed(0.4500000178813934, closed=False) == "0.45"
    assert FLOAT32.printed(2.449999988079071, closed=True) == "2.45"
    for x in np.float32([0.1, -3.3e-39, 1e-45, 7.7e37, 123456.7]).astype(float).tolist():
        for closed in (True, False):
            above = FLOAT32.rounded(x, closed)
            neighbours = np.nextafter(np.float32(x), np.float32([-np.inf, np.inf])).astype(float)
            sides = [v <= above if closed else v < above for v in (neighbours[0], x, neighbours[1])]
            assert sides == [True, closed, False]


def test_cuts_with_nothing_between_them_stay_two():
    cuts = np.array([2.3000000001, 2.4000000001])
    gaps = Gaps.between(np.array([1.0, 4.0]), cuts, np.zeros(2, bool))
    first, second = (gaps.rounded(cut, closed=False, digits=1) for cut in cuts)
    assert 1 < first < second < 4


def test_names_of_bins_part_the_numbers_that_are_in_them():
    numbers = np.array([100000.2, 100000.2, 100000.4, 100000.4, 250000.0])
    column = numeric_column("x", numbers)
    binned = binned_column(column, np.array([100000.3, 200000.0]))
    assert binned.levels == ("< 100000.3", "100000.3 to 200000", "≥ 200000")
    assert bin_names(np.array([1 / 3, 2 / 3])) == (
        "< 0.3333333333333333", "0.3333333333333333 to 0.6666666666666666", "≥ 0.6666666666666666",
    )  # fmt: skip
    apart = Gaps.between(np.array([0.0, 0.5, 1.0]), np.array([1 / 3, 2 / 3]), np.zeros(2, bool))
    assert bin_names(np.array([1 / 3, 2 / 3]), apart) == ("< 0.333333", "0.333333 to 0.666667", "≥ 0.666667")


def test_exact_digits_read_back():
    for x in (0.0, -0.0, 1.0, -2.5, 1e15, 1e16, 1.5e300, 5e-324, 0.1 + 0.2, 123456789.125):
        assert float(exact(x)) == x
        assert not exact(x).endswith(".0")
    assert [exact(x) for x in (-0.0, 448252.0, 1e-300)] == ["0", "448252", "1e-300"]
    assert all(itertools.starmap(lambda a, b: a != b, [(exact(0.1), exact(float(np.nextafter(0.1, 1))))]))


def small_table() -> tc.Table:
    chance = np.random.default_rng(3)
    frame = pd.DataFrame({"a": chance.normal(size=300).round(3), "b": chance.integers(0, 40, 300)})
    frame["kind"] = np.where(((frame.a > 0.1) | (frame.b > 17.5)) ^ (chance.random(300) < 0.1), "yes", "no")
    frame.loc[::11, "a"] = np.nan
    return tc.read_table(frame, target="kind")


@pytest.mark.parametrize("preset", ["cart", "c4.5", "rpart", "sklearn", "chaid", "ctree"])
def test_gaps_are_searched_for_when_something_is_printed(preset, monkeypatch):
    table, asked, between = small_table(), [], Gaps.between
    monkeypatch.setattr(Gaps, "between", lambda *given: asked.append(given) or between(*given))
    tree = tc.grow(table, preset)
    tree.predict(table)
    assert asked == []
    told = [tree.node(node).rule for node in range(tree.n_nodes)]
    assert asked
    monkeypatch.setattr(threshold_gaps, "FEW_VALUES", -1)
    at_once = tc.grow(table, preset)
    assert tree.to_dict(gaps=True) == at_once.to_dict(gaps=True)
    assert told == [at_once.node(node).rule for node in range(tree.n_nodes)]


@pytest.mark.parametrize("again", [lambda tree: pickle.loads(pickle.dumps(tree)), copy.copy, copy.deepcopy])
def test_a_copy_of_a_tree_that_was_never_printed_prints_the_same(again):
    tree = tc.grow(small_table(), "c4.5")
    other = again(tree)
    assert other.to_dict(gaps=True) == tree.to_dict(gaps=True)
    assert other.schema == tree.schema


def test_a_tree_that_was_never_printed_keeps_no_table():
    table = small_table()
    tree = tc.grow(table, "cart")
    held = [weakref.ref(table), *(weakref.ref(column) for column in table.feature_columns)]
    held += [weakref.ref(column.codes) for column in table.feature_columns]
    del table
    gc.collect()
    assert [of() for of in held] == [None] * len(held)
    assert tree.node(1).rule


def test_many_who_ask_at_once_get_the_same():
    tree = tc.grow(small_table(), "cart")
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: [tree.node(node).rule for node in range(tree.n_nodes)], range(16)))
    assert all(of == told[0] for of in told)
