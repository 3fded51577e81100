"""The same rows as a matrix, a frame or a table: all walk as each row does alone by its values."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample
from tests.property.test_routes_twins import NEAR_FLOAT32, check
from treecore.data import numeric_column
from treecore.kernels.route import LANES
from treecore.tree.predict import flat_of, route
from treecore.tree.values import NumberCells

RNG = np.random.default_rng(5)
GROWN = tc.from_arrays(RNG.normal(size=(60, 3)).astype(np.float32), RNG.integers(0, 2, 60), classes=("n", "y"))
SMALL = [0.0, -0.0, 1.0, np.nan, 2.0**-149, -(2.0**-149), 3.4028234663852886e38, -3.4028234663852886e38]
CELLS = st.one_of(st.sampled_from(SMALL), st.floats(width=32, allow_infinity=False))
ENDS = [0.0, -0.0, 1e39, -1e39, 2.0**-150, -(2.0**-150), np.inf, -np.inf]
THRESHOLDS = st.one_of(NEAR_FLOAT32, st.sampled_from(ENDS))


def table_of_columns(x):
    """By codes."""
    return tc.Table(tuple(numeric_column(f"x{j}", column) for j, column in enumerate(x.T)), features=("x0", "x1", "x2"))


def makes(x):
    """The rows of a float32 matrix in every way that is walked differently."""
    names, wide = ["x0", "x1", "x2"], np.full((len(x), 5), 9, np.float32)
    wide[:, [0, 4, 2]] = x
    keyed = tc.from_arrays(x, np.zeros(len(x), int), classes=("n",))
    apart = {name: np.append(x[:, j], 9)[: len(x)] for j, name in enumerate(names)}
    return {
        "rows together": x, "columns together": np.asfortranarray(x), "float64": x.astype(float),
        "every second row": np.repeat(x, 2, axis=0)[::2], "backwards": x[::-1].copy()[::-1],
        "other byte order": x.astype(">f4"),
        "columns of a wider one": pd.DataFrame(wide[:, [0, 4, 2]], columns=names),
        "frame": pd.DataFrame(x, columns=names), "frame of columns": pd.DataFrame(apart, copy=False),
        "mixed frame": pd.DataFrame(x, columns=names).astype({"x1": float}),
        "keys": keyed, "some keys": keyed.take(np.arange(len(x))), "codes": table_of_columns(x),
        "keys and codes": tc.Table((keyed.columns[0], *table_of_columns(x).columns[1:]), features=("x0", "x1", "x2")),
    }  # fmt: skip


@given(st.data(), st.sampled_from(["float32", "float64"]), st.sampled_from(["majority", "fractional", "stay"]))
@settings(max_examples=60)
def test_rows_of_every_make_end_alike(data, precision, missing):
    tree = tc.grow(GROWN, max_depth=4, missing=missing)
    n = tree.n_nodes
    drawn = [data.draw(st.lists(kind, min_size=n, max_size=n)) for kind in (THRESHOLDS, st.booleans(), st.booleans())]
    threshold, closed, swapped = map(np.array, drawn)
    splits = replace(tree.splits, threshold=threshold, closed=closed, low_branch=swapped)
    tree = replace(tree, splits=splits, schema=replace(tree.schema, precision=precision))
    cells = data.draw(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=3 * LANES))
    rows = makes(np.array(cells, np.float32))
    expected = route(tree, rows["codes"])
    check(tree, rows["codes"])
    for make, given_rows in rows.items():
        routes = route(tree, given_rows)
        for name in ("row", "node", "share"):
            assert np.array_equal(getattr(routes, name), getattr(expected, name)), make


def test_infinite_numbers_of_a_matrix_go_beyond_every_threshold():
    tree = tc.grow(GROWN, max_depth=4)
    huge = np.full((LANES, 3), 1e30, np.float32)
    for sign in (1, -1):
        assert np.array_equal(tree.apply(np.full((LANES, 3), sign * np.inf, np.float32)), tree.apply(sign * huge))


def test_whole_numbers_are_not_taken_for_keys():
    tree = tc.grow(Sample(["numeric"], [[1, 2, 3, 4]], [0], [0, 0, 1, 1], 2).table())
    cells = np.tile(np.array([1, 4], np.uint32), LANES)
    assert tree.apply(cells[:, None]).tolist() == [1, 2] * LANES
    assert tree.apply(pd.DataFrame({"x0": cells})).tolist() == [1, 2] * LANES


def test_columns_of_one_matrix_are_walked_where_they_stand():
    x = np.arange(60, dtype=np.float32).reshape(20, 3)
    for matrix, stride in ((x, 3), (np.asfortranarray(x), 1)):
        flat = flat_of([matrix[:, 2], matrix[:, 0]])
        assert flat.stride == stride
        assert np.shares_memory(flat.numbers, matrix)
        for column, offset in zip((2, 0), flat.offset.tolist(), strict=True):
            assert np.array_equal(flat.numbers[offset :: flat.stride][: len(x)], matrix[:, column])
    assert flat_of([x[:, 0], x[:, 1].copy()]) is None
    assert flat_of([x[:, 0], None]) is None


def test_a_long_number_is_rounded_only_where_thresholds_are():
    feature = tc.grow(GROWN, max_depth=1).schema.features[0]
    numbers = np.array([1 + 2.0**-40])
    assert NumberCells(numbers, feature, "float32").as_they_are is None
    assert not NumberCells(numbers, feature, "float64").fits(np.dtype("f4"))


def test_a_matrix_has_levels_as_their_numbers():
    sample = Sample(["nominal", "numeric"], [[0, 0, 1, 2], [1, 2, 3, 4]], [3, 0], [0, 0, 1, 1], 2)
    tree = tc.grow(sample.table(), missing="majority")
    assert tree.splits.feature[0] == 0
    known = np.array([[0, 1.0], [1, 1.0], [2, 1.0]])
    first = tree.apply(sample.table())
    assert tree.apply(known).tolist() == first[[0, 2, 3]].tolist()


@pytest.mark.parametrize("rows", [np.zeros((4, 2)), np.zeros(3), np.full((4, 3), "1")], ids=["narrow", "flat", "text"])
def test_a_matrix_that_does_not_fit_is_refused(rows):
    with pytest.raises(tc.TreecoreError, match=r"does not belong to 3 features|is no table of rows"):
        tc.grow(GROWN, max_depth=2).apply(rows)
