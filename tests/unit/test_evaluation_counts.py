"""Histograms and class mixes against counting by hand."""

from collections import Counter

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import grown, small_table
from treecore.data import Table, level_column, numeric_column
from treecore.study import class_mix, column_counts, target_histogram
from treecore.study.column_counts import MOST_BARS, bins_of
from treecore.tree.node_statistics import node_statistics


def rows_in(tree, node, table):
    return np.array([node in tree.path(int(end)) for end in tree.apply(table)])


@pytest.mark.parametrize("name", ["iris", "titanic"])
def test_a_nodes_class_mix_counts_the_rows_that_pass_through(name):
    tree, tables = grown(name)
    statistics = {role: node_statistics(tree, table) for role, table in tables.items()} | {"other": None}
    for node in range(0, tree.n_nodes, 3):
        mix = class_mix(tree, node, statistics)
        assert list(mix.weights) == list(tables)
        for role, table in tables.items():
            counted = Counter(table.target_column.labels()[rows_in(tree, node, table)])
            assert mix.weights[role].tolist() == [counted[c] for c in tree.classes]
            assert mix.total(role) == sum(counted.values())
            if counted:
                assert mix.shares(role).sum() == pytest.approx(1)
            else:
                assert np.isnan(mix.shares(role)).all()


def test_a_nodes_target_histogram_is_a_part_of_everybodys():
    tree, tables = grown("mpg")
    table = tables["validation"].with_weights(np.linspace(0.5, 2, tables["validation"].n_rows))
    y, weight = table.target_column.values(), table.weights
    busiest = int(np.bincount(tree.apply(table)).argmax())
    for node in (0, 1, 5, busiest):
        found, here = target_histogram(tree, node, table), rows_in(tree, node, table)
        assert found.everyone.sum() == pytest.approx(weight.sum())
        assert found.here == pytest.approx(np.histogram(y[here], found.edges, weights=weight[here])[0])
        assert found.mean == pytest.approx(np.average(y, weights=weight))
        assert found.prediction == tree.value[node]
        mean = np.average(y[here], weights=weight[here]) if here.any() else np.nan
        assert found.mean_here == pytest.approx(mean, nan_ok=True)
        assert np.array_equal(found.here, target_histogram(tree, node, table, tree.apply(table)).here)
    empty = target_histogram(tree, 0, table.take(np.array([], int)))
    assert empty.everyone.sum() == 0
    assert np.isnan(empty.mean)


def test_each_task_has_its_own_picture():
    with pytest.raises(tc.TreecoreError, match="class_mix"):
        target_histogram(grown("iris")[0], 0, grown("iris")[1]["train"])
    with pytest.raises(tc.TreecoreError, match="target_histogram"):
        class_mix(grown("mpg")[0], 0, {})


@pytest.mark.parametrize(
    ("values", "edges"),
    [
        ([], [0, 1]),
        ([7.0, 7.0], [6.5, 7.5]),
        ([1.0, 2.0, 4.0], [0.5, 1.5, 2.5, 3.5, 4.5]),
        ([0.0, 0.5, 1.2], np.arange(25) * 0.05),
    ],
)
def test_bins_have_round_edges(values, edges):
    assert bins_of(np.array(values)) == pytest.approx(np.array(edges, float))


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 12345.6789, 1e17, 1e300])
def test_bins_cover_every_value_once(scale):
    values = np.random.default_rng(0).normal(3, 1, 400) * scale
    edges = bins_of(values)
    assert edges[0] <= values.min()
    assert values.max() <= edges[-1]
    assert (np.diff(edges) > 0).all()
    assert len(edges) <= 60
    assert np.histogram(values, edges)[0].sum() == 400


def test_bins_of_numbers_too_near_for_their_own_precision():
    for low in (1e-320, 1e15, 1e16, -3e17):
        edges = bins_of(np.array([low, np.nextafter(low, np.inf)]))
        assert (np.diff(edges) > 0).all()
        assert edges[0] <= low < edges[-1]
    assert (np.diff(bins_of(np.array([1e16, 1e16]))) > 0).all()


@pytest.mark.parametrize(("name", "column"), [("titanic", "age"), ("titanic", "fare"), ("iris", "petallength")])
def test_a_numeric_column_is_counted_by_bin_and_class(name, column):
    table = grown(name)[1]["train"]
    found = column_counts(table, column)
    values, labels = table.column(column).values(), table.target_column.labels()
    assert found.groups == table.classes
    assert found.n_missing == np.isnan(values).sum()
    for k, label in enumerate(found.groups):
        expected = np.histogram(values[(labels == label) & ~np.isnan(values)], found.edges)[0]
        assert found.counts[k].tolist() == expected.tolist()


def test_levels_are_counted_in_their_declared_order():
    table = grown("titanic")[1]["train"]
    found = column_counts(table, "embarked")
    pairs = Counter(zip(table.target_column.labels(), table.column("embarked").labels(), strict=True))
    assert found.levels == table.column("embarked").levels
    assert found.counts.tolist() == [[pairs[c, v] for v in found.levels] for c in table.classes]
    alone = column_counts(table, "embarked", by_class=False)
    assert alone.groups == ()
    assert alone.counts.tolist() == [found.counts.sum(axis=0).tolist()]
    assert column_counts(table, "survived").groups == ()
    assert column_counts(grown("mpg")[1]["train"], "origin").groups == ()


def test_too_many_levels_are_added_up_and_unknown_targets_counted():
    names = [f"L{i:03d}" for i in range(100)]
    cells = [name for i, name in enumerate(names) for _ in range(1 + (i * 7) % 100)]
    target = np.array(["a"] * (len(cells) - 5) + [None] * 5, object)
    columns = level_column("k", "nominal", np.array(cells, object), names), level_column("y", "nominal", target, ["a"])
    table = Table(columns, target="y", features=("k",))
    found = column_counts(table, "k")
    assert len(found.levels) == MOST_BARS
    assert list(found.levels) == sorted(found.levels)
    assert found.rare_levels == 100 - MOST_BARS
    assert found.n_unknown == 5
    assert found.counts.sum() + found.n_rare + found.n_unknown == len(cells)
    shown, counts = set(found.levels), Counter(cells)
    assert min(counts[v] for v in shown) >= max(counts[v] for v in names if v not in shown) - 5


def test_columns_without_values():
    table = small_table(["no", "yes"], [np.nan, np.nan])
    found = column_counts(table, "x")
    assert (found.n_missing, found.counts.sum()) == (2, 0)
    nothing = Table((numeric_column("x", np.array([])),), features=("x",))
    assert column_counts(nothing, "x").counts.sum() == 0
