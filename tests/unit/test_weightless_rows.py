"""Rows of weight 0 reach nodes and count as rows there, as in rpart; they decide nothing else."""

import numpy as np
import pytest

import treecore as tc
from treecore.data import level_column, numeric_column

X = [3, np.nan, 7, np.nan, 7, 8, 8, np.nan, 7, 8, 7, 2, 7, np.nan, 9, 6, 7, 7, 9, 9]
Z = [2, np.nan, 1, np.nan, 4, 8, 5, 5, 9, 9, 7, 8, np.nan, 3, 9, 8, 9, 1, 7, 9]
V = [11, 21, 16, 10, 19, 25, 21, 15, 25, 26, 23, 16, 22, 18, 31, 20, 24, 16, 25, 31]
WEIGHTS = [2, 1, 0, 1.5, 0.25]


def table(weights=WEIGHTS) -> tc.Table:
    columns = (numeric_column(name, np.array(cells, float)) for name, cells in (("x", X), ("z", Z), ("v", V)))
    return tc.Table(tuple(columns), target="v", features=("x", "z"), weights=np.tile(weights, 4).astype(float))


def in_rpart_order(tree) -> list[int]:
    """Rows of the nodes as rpart prints them: a node, then all that is below its first child."""
    found, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        found.append(int(tree.n_rows[node]))
        waiting += reversed(list(tree.children(node)))
    return found


@pytest.mark.parametrize(
    ("minsplit", "minbucket", "n"),
    [
        (2, 1, [20, 3, 1, 2, 1, 1, 17, 1, 16, 5, 3, 2, 11, 6, 1, 5, 5, 2, 3, 1, 2]),
        (6, 1, [20, 3, 17, 1, 16, 5, 11, 6, 1, 5, 5]),
        (8, 2, [20, 3, 17, 14, 11, 8, 3, 3, 3]),
    ],
)
def test_they_are_among_the_rows_of_a_node_and_of_those_a_split_needs(minsplit, minbucket, n):
    """frame$n of rpart 4.1.19: rpart(v ~ x + z, weights = w, cp = 0) with these limits."""
    tree = tc.grow(table(), "rpart", min_rows_split=minsplit, min_rows_leaf=minbucket)
    assert in_rpart_order(tree) == n


@pytest.mark.parametrize("missing", ["majority", "fractional", "own_value", "surrogates"])
def test_every_row_is_at_the_root_and_those_of_an_inner_node_are_with_its_branches(missing):
    tree = tc.grow(table(), tc.GrowSettings(missing=missing))
    assert tree.n_rows[0] == 20
    inner = np.flatnonzero(~tree.is_leaf)
    below = np.array([tree.n_rows[list(tree.children(node))].sum() for node in inner])
    assert (below >= tree.n_rows[inner]).all()
    if missing != "fractional":
        assert below.tolist() == tree.n_rows[inner].tolist()
        assert np.bincount(tree.apply(table()), minlength=tree.n_nodes)[tree.is_leaf].tolist() == (
            tree.n_rows[tree.is_leaf].tolist()
        )


def test_they_change_no_answer_and_no_number_of_the_others():
    kept = table()
    positive = kept.take(np.flatnonzero(kept.weights > 0))
    with_them, without = (tc.grow(t, tc.GrowSettings(min_rows_leaf=2)) for t in (kept, positive))
    for name in ("stats", "impurity", "gain", "weight"):
        assert getattr(with_them, name) == pytest.approx(getattr(without, name), rel=1e-9, abs=1e-9, nan_ok=True)


def weighed(weights, **cells) -> tc.Table:
    """Numbers, and words as levels; the last column is the target."""
    columns = [
        level_column(name, "nominal", np.array([sorted({*values}).index(v) for v in values]), sorted({*values}))
        if isinstance(values, str)
        else numeric_column(name, np.array(values, float))
        for name, values in cells.items()
    ]
    *features, target = cells
    return tc.Table(tuple(columns), target=target, features=tuple(features), weights=np.array(weights, float))


def as_rpart(table) -> tc.Tree:
    return tc.grow(table, "rpart", min_rows_split=2, min_rows_leaf=1)


@pytest.mark.parametrize(
    ("weights", "threshold", "n"), [((1, 1, 0, 1, 1, 1), 3.0, [6, 2, 4]), ((1, 1, 0, 0, 1, 1), 3.5, [6, 3, 3])]
)
def test_a_cut_stands_between_values_of_rows_that_count(weights, threshold, n):
    """frame$n and splits of rpart 4.1.19, with minsplit = 2, minbucket = 1; a row on the threshold goes up."""
    tree = as_rpart(weighed(weights, x=[1, 2, 3, 4, 5, 6], y=[0, 0, 0, 1, 1, 1]))
    assert tree.splits.threshold[0] == threshold
    assert tree.n_rows.tolist() == n


def test_a_level_without_rows_that_count_has_no_branch_and_its_rows_stay():
    """csplit 1, 3, 2 of rpart 4.1.19, and frame$n."""
    tree = as_rpart(weighed([1, 1, 1, 1, 0, 0, 0], k="aabbccc", z=[1, 2, 8, 9, 9, 8, 1], y=[0, 0, 1, 1, 1, 1, 1]))
    assert tree.splits.levels(0).tolist() == [0, 1, -1]
    assert tree.n_rows.tolist() == [7, 2, 2]
    assert tree.surrogates.threshold.tolist() == [5.0]


def test_a_surrogate_is_cut_between_values_of_all_rows():
    """splits of rpart 4.1.19: x at 4.5, its surrogate z at 35."""
    z = [10, 20, 30, 40, 50, 60, 70, 80]
    tree = as_rpart(weighed([1, 1, 1, 0, 0, 1, 1, 1], x=[1, 2, 3, 4, 5, 6, 7, 8], z=z, y=[0, 0, 0, 0, 1, 1, 1, 1]))
    assert (tree.splits.threshold[0], tree.surrogates.threshold[0]) == (4.5, 35.0)
