"""Tables straight from arrays, and columns whose codes are found when somebody asks for them."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import treecore as tc
from treecore.data import Column, numeric_column
from treecore.data.column import frozen
from treecore.data.matrix_table import UnrankedColumn
from treecore.data.table import keys_of_columns
from treecore.engine import compiling
from treecore.engine.jit import jit
from treecore.kernels.buckets.histogram import N_BUCKETS, Buckets, fill_buckets
from treecore.kernels.ranks import (
    ABSENT,
    COUNTERS,
    keys_of_bits,
    keys_uncompiled,
    numbers_of_keys,
    sort_in_range,
    sort_items,
)

FLOATS = st.floats(width=32, allow_infinity=False)


def table_of(x, **more):
    y = np.arange(len(x)) % 2
    return tc.from_arrays(np.asarray(x, np.float32), y, classes=("n", "y"), **more)


@given(hnp.arrays(np.float32, st.tuples(st.integers(1, 40), st.just(2)), elements=FLOATS))
@settings(max_examples=200)
def test_a_column_by_keys_is_the_column_by_codes(x):
    table = table_of(x)
    for j, column in enumerate(table.feature_columns):
        coded = numeric_column(column.name, x[:, j])
        assert column.codes.tolist() == coded.codes.tolist()
        assert column.distinct.tolist() == coded.distinct.tolist()
        assert column.n_missing == coded.n_missing == np.isnan(x[:, j]).sum()
        assert np.array_equal(column.values(), coded.values(), equal_nan=True)
    by_codes = replace_features(table, [numeric_column(f"x{j}", x[:, j]) for j in range(2)])
    assert table.fingerprint == by_codes.fingerprint


def replace_features(table, columns):
    return replace(table, columns=(*columns, table.target_column))


@given(hnp.arrays(np.float32, st.integers(1, 60), elements=FLOATS))
@settings(max_examples=200)
def test_keys_are_ordered_as_the_numbers_are(x):
    bits, keys = x.view(np.uint32), np.empty(len(x), np.uint32)
    absent, infinite = keys_of_bits(bits, keys)
    assert keys.tolist() == keys_uncompiled(bits).tolist()
    assert (absent, infinite) == (np.isnan(x).sum(), 0)
    back = numbers_of_keys(keys)
    assert np.array_equal(back, x.astype(np.float64), equal_nan=True)
    known = keys[~np.isnan(x)]
    assert np.array_equal(np.sign(np.diff(np.sort(known).astype(np.int64))), np.sign(np.diff(np.sort(x[~np.isnan(x)]))))
    assert (keys[np.isnan(x)] == ABSENT).all()


def test_rows_of_such_a_column_share_its_codes():
    column = table_of([[3.0], [1.0], [np.nan], [2.0]]).columns[0]
    part = column.take(np.array([False, True, True, True])).take(np.array([2, 0]))
    assert isinstance(part, UnrankedColumn)
    assert (part.codes.tolist(), part.distinct.tolist(), part.n_missing) == ([1, 0], [1.0, 2.0, 3.0], 0)
    assert type(replace(column, fill=2.0)) is Column
    copied = pickle.loads(pickle.dumps(part))
    assert (copied.codes.tolist(), copied.values().tolist(), copied.n_missing) == ([1, 0], [2.0, 1.0], 0)


def test_the_columns_of_a_matrix_are_made_when_they_are_asked_for():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(300, 4)).astype(np.float32), rng.integers(0, 2, 300)
    first, table = (tc.from_arrays(x, y, classes=("n", "y")) for _ in range(2))
    tree = tc.grow(first, tc.GrowSettings(missing="majority"))  # finds out what the settings come to on all such tables
    with compiling.forced():
        assert tc.grow(table, tc.GrowSettings(missing="majority")).to_dict() == tree.to_dict()
    assert "columns" not in vars(table)
    made = tc.Table(table.columns, "y", table.features)
    assert tc.grow(made, tc.GrowSettings(missing="majority")).to_dict() == tree.to_dict()
    for name in ("column_names", "n_rows", "task", "classes", "features", "target", "is_plain", "described", "weights"):
        assert getattr(table, name) == getattr(made, name), name
    assert table.row_numbers.tolist() == made.row_numbers.tolist()
    assert table.fingerprint == made.fingerprint
    assert table.column("y") is table.target_column
    assert table.column("x2").values().tolist() == x[:, 2].tolist()
    with pytest.raises(tc.TreecoreError, match="no column 'z'"):
        table.column("z")


@pytest.mark.parametrize("whole", [False, True])
def test_growing_by_the_rule_of_scikit_learn_ranks_no_column(whole):
    """It takes as long as growing; to know whether all numbers fit into 32 bits, the largest is enough."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 50, (300, 4)) + 0.0 if whole else rng.normal(size=(300, 4)).astype(np.float32)
    table = tc.from_arrays(x, rng.integers(0, 2, 300), classes=("n", "y"))
    with compiling.forced():
        tc.grow(table, "sklearn")
    assert not any("_ranked" in vars(column) for column in table.columns if column.kind == "numeric")


def test_what_is_made_of_such_a_table_is_an_ordinary_one():
    table = table_of([[3.0, 1.0], [1.0, np.nan], [2.0, 5.0]])
    assert not table.is_plain
    part = table.take(np.array([2, 1]))
    assert type(part) is type(table.with_features(["x1"])) is type(table.with_target("x0")) is tc.Table
    assert part.to_frame()["x0"].tolist() == [2.0, 1.0]
    copied = pickle.loads(pickle.dumps(table))
    assert copied.fingerprint == table.fingerprint


def test_names_and_weights_that_do_not_fit_are_refused():
    with pytest.raises(tc.TreecoreError, match="share a name"):
        table_of([[1.0, 2.0], [1.0, 3.0]], names=("a", "a"))
    with pytest.raises(tc.TreecoreError, match="share a name"):
        table_of([[1.0, 2.0], [1.0, 3.0]], names=("a", "y"))
    with pytest.raises(tc.TreecoreError, match="1 weights for 2 rows"):
        table_of([[1.0], [2.0]], weights=[1.0])
    assert table_of([[1.0], [2.0]], weights=[1.0, 2.0]).weights.tolist() == [1.0, 2.0]


def test_keys_of_a_table_from_arrays_are_not_copied():
    table = table_of(np.arange(12).reshape(6, 2))
    matrix = table.keys.matrix
    assert np.shares_memory(matrix, table.columns[0].keys)
    found = keys_of_columns(table.columns[:2])
    assert np.shares_memory(found.matrix, matrix)
    for own, other in zip(table.keys, found, strict=True):
        assert own.dtype == other.dtype
        assert own.tolist() == other.tolist()
    mixed = keys_of_columns((table.columns[1], numeric_column("z", np.arange(6.0))))
    assert mixed.matrix.tolist() == [[int(k), i] for i, k in enumerate(table.columns[1].keys)]
    assert mixed.absent.tolist() == [int(ABSENT), 6]


def test_the_array_may_be_changed_afterwards():
    x = np.array([[1.0], [2.0]], np.float32)
    table = table_of(x)
    x[0] = 9.0
    assert table.columns[0].values().tolist() == [1.0, 2.0]


def test_bad_arrays_are_refused_by_name():
    with pytest.raises(tc.TreecoreError, match=r"infinite.*row 2") as fault:
        table_of([[1.0, 2.0], [1.0, np.inf]], names=("a", "b"))
    assert fault.value.where == "Column 'b'"
    with pytest.raises(tc.TreecoreError, match="do not belong together"):
        tc.from_arrays(np.zeros((3, 2), np.float32), np.zeros(2), names=("a", "b"))
    with pytest.raises(tc.TreecoreError, match="beyond the 2 levels"):
        tc.from_arrays(np.zeros((3, 1), np.float32), np.array([0, 1, 3]), classes=("n", "y"))


def test_levels_weights_and_a_numeric_target():
    x = np.array([[0.0, 1.5], [2.0, np.nan], [np.nan, 0.5]])
    table = tc.from_arrays(x, np.array([1.0, 2.0, 4.0]), nominal=[0], weights=np.array([1.0, 2.0, 1.0]))
    assert table.columns[0].levels == ("c0", "c1", "c2")
    assert table.columns[0].missing.tolist() == [False, False, True]
    assert (table.task, table.target_column.distinct.tolist()) == ("regression", [1.0, 2.0, 4.0])


@pytest.mark.parametrize("precise", [False, True])
def test_the_tree_is_that_of_the_same_numbers_in_double_precision(precise):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 3)).astype(np.float32)
    table = tc.from_arrays(x, (x[:, 0] * x[:, 1] > 0).astype(int), classes=("n", "y"))
    other = tc.from_arrays(x.astype(np.float64), (x[:, 0] * x[:, 1] > 0).astype(int), classes=("n", "y"))
    growth = tc.GrowSettings(threshold="float32" if precise else "midpoint")
    assert tc.grow(table, growth).to_dict() == tc.grow(other, growth).to_dict()


@given(st.integers(0, 2**32 - 1), st.sampled_from([7, 32, 33, 300, 3000, 9000]), st.sampled_from([1, 9, 70_000, 2**32]))
@settings(max_examples=60)
def test_items_are_sorted_by_their_upper_half_and_equal_ones_stay(seed, n, n_keys):
    keys = np.random.default_rng(seed).integers(0, n_keys, n).astype(np.uint64)
    items, spare = (keys << np.uint64(32)) | np.arange(n, dtype=np.uint64), np.empty(n, np.uint64)
    moved = sort_items(items, spare, np.empty(COUNTERS, np.uint32))
    found = spare if moved else items
    assert (found & np.uint64(0xFFFFFFFF)).tolist() == np.argsort(keys, kind="stable").tolist()


@jit
def _sorted_in_range(keys, low_bits, items, spare, places, counters, low, high):
    return sort_in_range(keys, low_bits, items, spare, places, counters, low, high)


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 32, 33, 300, 3000, 9000]), st.sampled_from([1, 30, 2**16, 2**32]))
@settings(max_examples=60)
def test_keys_are_sorted_in_their_range_however_near_and_absent_ones_last(seed, n, spread):
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, spread, n).astype(np.uint32)
    keys[: n // 3] = keys[0] // 2 + rng.integers(0, 40, n // 3)  # many in a narrow part of the range
    known = np.maximum(keys, 5)
    keys = np.where(rng.random(n) < rng.choice([0.0, 0.2]), ABSENT, known).astype(np.uint32)
    range_of = np.append(keys[keys != ABSENT], np.uint32(5))
    items, spare, counters = np.empty(n, np.uint64), np.empty(n, np.uint64), np.empty(COUNTERS, np.uint32)
    low_bits, places = np.arange(n, dtype=np.uint32), np.empty(n, np.uint32)
    in_spare = _sorted_in_range(keys, low_bits, items, spare, places, counters, range_of.min(), range_of.max())
    found = spare if in_spare else items
    assert (found & np.uint64(0xFFFFFFFF)).tolist() == np.argsort(keys, kind="stable").tolist()
    assert ((found >> np.uint64(32)) == np.sort(keys)).all()


VALUES = [1, 2, 40, 254, 255, 3000, 10**9]


@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 500, 6000]), st.sampled_from(VALUES), st.booleans())
@settings(max_examples=80)
def test_every_row_is_in_the_bucket_of_its_key(seed, n, n_values, rare):
    """rare : some rows have values of their own, which the sample of a large table may not have."""
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, n_values, (n, 2)).astype(np.uint32)
    keys[rng.random((n, 2)) < 0.5] = 0  # one value has half of the rows
    if rare:
        keys[rng.integers(0, n, 9)] = rng.integers(0, 2 * n_values, (9, 2))
    buckets = Buckets(
        words=np.empty((n, 1), np.uint64), members=np.empty(n, np.int32), begin=np.empty((2, N_BUCKETS + 1), np.uint32),
        n_used=np.empty(2, np.int64), first=np.empty(3, np.int64), mixed=np.empty((2, N_BUCKETS), bool),
        any_mixed=np.empty(2, bool),
    )  # fmt: skip
    label = rng.integers(0, 3, n).astype(np.int32)
    # arrays as the kernel is compiled for
    fill_buckets(frozen(keys), frozen(np.full(2, ABSENT)), np.zeros(2, bool), frozen(label), buckets)
    row_bytes = buckets.words.view(np.uint8)
    assert row_bytes[:, 2].tolist() == label.tolist()
    assert buckets.first.tolist() == [0, buckets.n_used[0], buckets.n_used.sum()]
    for f in range(2):
        begin = buckets.begin[f, : buckets.n_used[f]]
        assert len(begin) < N_BUCKETS
        assert begin[0] == 0  # a bucket for keys below all of the sample's
        assert (np.diff(begin[1:].astype(np.int64)) > 0).all()
        assert row_bytes[:, f].tolist() == (np.searchsorted(begin, keys[:, f], "right") - 1).tolist()
        for b in range(len(begin)):
            inside = np.unique(keys[row_bytes[:, f] == b, f])
            assert buckets.mixed[f, b] or len(inside) <= 1


def test_tables_are_pickled_after_growing():
    """What growing keeps of a table holds functions, which stay where they are."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    for cells in (X, X.astype(np.float32)):
        table = tc.from_arrays(cells, (X[:, 0] > 0).astype(int), classes=("a", "b"))
        tree = tc.grow(table, criterion="entropy")
        for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table), table.split(tc.Roles(seed=1))[0]):
            again = pickle.loads(pickle.dumps(again))
            assert tree.predict(again).tolist() == tree.predict(again).tolist()
            assert tc.grow(again, criterion="entropy").n_nodes == 3
        assert pickle.loads(pickle.dumps(table)).fingerprint == table.fingerprint
