"""Trees that a test of every feature grows: conditional inference and CHAID, within the usual limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample
from treecore.data.samples import read_sample
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.growing.searchers import SEARCHES
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.parts import MISSING_STRATEGIES, SELECTORS
from treecore.growing.settings.problem import training_rows
from treecore.kernels.codes import CUTS, LEVELS, THRESHOLD
from treecore.kernels.state import TESTED
from treecore.tree.node_statistics import node_statistics

BOTH = ("ctree", "chaid")


@pytest.fixture(scope="module")
def titanic():
    return read_sample("titanic")


def test_every_tested_selector_has_its_search():
    assert set(SEARCHES) == {s.name for s in SELECTORS.values() if s.code == TESTED}


def test_ctree_of_iris_is_partykits():
    # ctree(Species ~ ., iris): petal length 1.9, petal width 1.7, petal length 4.8; leaves of 50, 46, 8, 46 flowers
    tree = tc.grow(read_sample("iris"), "ctree")
    inner = np.flatnonzero(~tree.is_leaf)
    assert tree.splits.threshold[inner].tolist() == [1.9, 1.7, 4.8]
    assert sorted(tree.n_rows[tree.is_leaf].tolist()) == [8, 46, 46, 50]
    # the statistic of the root's feature is 140.257 with 2 degrees of freedom: p = exp(-140.257 / 2)
    assert tree.score[0] == pytest.approx(140.25652706053424 / 2, rel=1e-12)
    # three equal classes into 50 | 50 + 50: Gini 2/3 - 2/3 * 1/2
    assert tree.gain[0] == pytest.approx(1 / 3, rel=1e-12)


def test_ctree_stops_where_cart_goes_on():
    table = noise(200)
    assert tc.grow(table, "ctree", alpha=1e-4).n_nodes == 1
    assert tc.grow(table, "ctree", alpha=1.0).n_nodes > 1
    assert tc.grow(table, "cart").n_nodes > 50


def noise(n, seed=0):
    rng = np.random.default_rng(seed)
    columns = [rng.normal(size=n).tolist(), rng.integers(0, 5, n).tolist()]
    return Sample(["numeric", "nominal"], columns, [0, 5], rng.integers(0, 2, n).tolist(), 2).table()


def chaid_sample(missing_class: int):
    """30 rows of each level a, b, c, d and of missing; a and c hold 3 of class 1, b and d 27."""
    levels = [v for v in range(4) for _ in range(30)] + [None] * 30
    ones = {0: 3, 1: 27, 2: 3, 3: 27}
    y = [int(i < ones[v]) for v in range(4) for i in range(30)] + [missing_class] * 27 + [1 - missing_class] * 3
    return levels, y


@pytest.mark.parametrize(("missing_class", "with_missing"), [(1, {1, 3}), (0, {0, 2})])
def test_chaid_merges_levels_and_missing(missing_class, with_missing):
    levels, y = chaid_sample(missing_class)
    tree = tc.grow(Sample(["nominal"], [levels], [4], y, 2).table(), "chaid")
    assert (tree.n_nodes, tree.splits.kind[0]) == (3, LEVELS)
    branch = tree.splits.levels(0)
    assert branch[0] == branch[2] != branch[1] == branch[3]
    assert {v for v in range(4) if branch[v] == tree.splits.missing_branch[0]} == with_missing
    assert sorted(tree.n_rows[1:].tolist()) == [60, 90]


def test_chaid_cuts_an_ordered_feature_several_times_and_sets_missing_apart():
    values = [v for v in (1.0, 2.0, 3.0, 4.0) for _ in range(40)] + [None] * 40
    # mean 0, 0, 10, 5 for the values, 20 for missing
    y = [m + (-1) ** i for m in (0, 0, 10, 5) for i in range(40)] + [20 + (-1) ** i for i in range(40)]
    table = Sample(["numeric"], [values], [0], y, 0).table()
    tree = tc.grow(table, "chaid")
    assert tree.splits.kind[0] == CUTS
    assert tree.splits.cuts[:3].tolist() == [2.0, 3.0, np.inf]
    assert tree.splits.missing_branch[0] == 3
    assert tree.value[1:].tolist() == [0, 10, 5, 20]
    assert tc.Tree.from_dict(tree.to_dict()).predict(table).tolist() == tree.predict(table).tolist()


def test_chaid_missing_alone_against_all_known():
    values = [float(v) for v in range(4) for _ in range(20)] + [None] * 40
    table = Sample(["numeric"], [values], [0], [i % 2 for i in range(80)] + [5 + i % 2 for i in range(40)], 0).table()
    tree = tc.grow(table, "chaid")
    assert (tree.n_nodes, tree.splits.kind[0], tree.splits.missing_branch[0]) == (3, THRESHOLD, 1)
    assert tree.splits.threshold[0] == np.inf
    assert tree.n_rows.tolist() == [120, 80, 40]


def test_a_midpoint_lies_between_the_nodes_own_values():
    # below the first split on x, the values 1 and 4 of z are neighbours at one node only
    x = [0] * 40 + [1] * 40
    z = [1.0, 4.0] * 20 + [2.0, 3.0] * 20
    y = [0, 10] * 20 + [100, 105] * 20
    tree = tc.grow(Sample(["numeric", "numeric"], [x, z], [0, 0], y, 0).table(), "ctree", threshold="midpoint")
    assert sorted(tree.splits.threshold[~tree.is_leaf].tolist()) == [0.5, 2.5, 2.5]


def test_wide_groups_of_levels_keep_the_order_of_their_branches():
    # level 0 has the larger mean and still the first branch; CART would put the smaller mean first
    levels = [0] * 30 + [1] * 30
    sample = Sample(["nominal"], [levels], [2], [9, 11] * 15 + [1, 3] * 15, 0)
    assert tc.grow(sample.table(), "ctree").splits.levels(0).tolist() == [0, 1]
    assert tc.grow(sample.table(), "cart").splits.levels(0).tolist() == [1, 0]


@pytest.mark.parametrize("preset", BOTH)
@pytest.mark.parametrize(
    ("limits", "holds"),
    [
        ({"max_depth": 1}, lambda t: t.depth == 1),
        ({"max_leaves": 5}, lambda t: t.n_leaves <= 5),
        ({"min_rows_split": 200}, lambda t: t.n_rows[~t.is_leaf].min() >= 200),
        ({"min_weight_split": 200}, lambda t: t.n_rows[~t.is_leaf].min() >= 200),
        ({"min_share_split": 0.3}, lambda t: t.n_rows[~t.is_leaf].min() >= 0.3 * t.n_rows[0]),
        ({"min_rows_leaf": 100}, lambda t: t.n_rows.min() >= 100),
        ({"min_weight_leaf": 100}, lambda t: t.weight.min() >= 100),
        ({"min_share_leaf": 0.1}, lambda t: t.n_rows.min() >= 0.1 * t.n_rows[0]),
        ({"min_impurity": 0.45}, lambda t: t.impurity[~t.is_leaf].min() >= 0.45),
        ({"min_gain": 0.05}, lambda t: t.gain[~t.is_leaf].min() >= 0.05),
        ({"min_weighted_gain": 0.02}, lambda t: (t.gain * t.weight)[~t.is_leaf].min() >= 0.02 * t.n_rows[0]),
    ],
)
def test_the_usual_limits_hold(titanic, preset, limits, holds):
    full = tc.grow(titanic, preset, missing="majority")
    tree = tc.grow(titanic, preset, missing="majority", **limits)
    assert 1 < tree.n_nodes < full.n_nodes
    assert holds(tree)
    assert not holds(full)


def test_zero_gain_may_stop_a_significant_split():
    # both sides have the majority 0: no misclassification is saved, but the shares differ
    y = [0] * 95 + [1] * 5 + [0] * 60 + [1] * 40
    table = Sample(["numeric"], [[0] * 100 + [1] * 100], [0], y, 2).table()
    assert tc.grow(table, "ctree", criterion="misclassification").n_nodes == 3
    assert tc.grow(table, "ctree", criterion="misclassification", zero_gain="stop").n_nodes == 1


def test_merge_alpha_bins_and_adjustment_are_passed_on():
    rng = np.random.default_rng(1)
    x = rng.uniform(size=600)
    sample = Sample(["numeric"], [x.tolist()], [0], np.floor(6 * x + rng.normal(0, 0.1, 600)).tolist(), 0)
    widest = [tc.grow(sample.table(), "chaid", max_depth=1, chaid_bins=b).n_leaves for b in (2, 4, 10)]
    assert widest[0] == 2 < widest[1] == 4 < widest[2]
    tight = tc.grow(sample.table(), "chaid", max_depth=1, merge_alpha=1e-200)
    assert tight.n_leaves < widest[2]
    # two features, one test of p = 0.0331: chi-square 4.54 with one degree of freedom
    table = noise(60, seed=5)
    p = [tc.grow(table, "ctree", alpha=1, adjustment=a, min_rows_leaf=1).score[0] for a in ("bonferroni", "none")]
    assert p[0] == p[1]
    smallest = np.exp(-p[0])
    between = (smallest + 1 - (1 - smallest) ** 2) / 2
    assert tc.grow(table, "ctree", alpha=between, max_depth=1).n_nodes == 1
    assert tc.grow(table, "ctree", alpha=between, adjustment="none", max_depth=1).n_nodes == 3


@pytest.mark.parametrize("selector", ["conditional", "chaid"])
@pytest.mark.parametrize(
    ("setting", "value", "where"),
    [("score", "twoing", "score"), ("score", "gain_ratio", "score"), ("cuts", "boundaries", "cuts"),
     ("costs", {"x0": 2.0}, "costs")],
)  # fmt: skip
def test_settings_that_mean_nothing_to_a_test_are_refused(selector, setting, value, where):
    with pytest.raises(tc.TreecoreError, match="significance") as caught:
        tc.grow(noise(40), selector=selector, **{setting: value})
    assert caught.value.where == where


@pytest.mark.parametrize("selector", ["conditional", "chaid"])
def test_medians_are_refused(selector):
    numbers = Sample(["numeric"], [[1, 2, 3, 4]], [0], [1.5, 2, 7, 8], 0).table()
    with pytest.raises(tc.TreecoreError, match="medians") as caught:
        tc.grow(numbers, selector=selector, criterion="absolute_error")
    assert caught.value.where == "criterion"


@pytest.mark.parametrize("preset", BOTH)
def test_a_wish_is_met_and_the_search_goes_on_below(preset):
    table = read_sample("iris")
    growth = tc.PRESETS[preset].growth
    wish = ForcedSplit((), table.features[1], threshold=3.0)
    tree = grow_tree(table, growth, imposed=(wish,))
    assert (tree.node(0).feature, tree.splits.threshold[0]) == (table.features[1], 3.0)
    assert not tree.is_leaf[1]


@pytest.mark.parametrize("preset", BOTH)
def test_weights_count_cases_and_zero_weights_do_not(preset):
    rng = np.random.default_rng(3)
    x, g = rng.integers(0, 6, 120), rng.integers(0, 4, 120)
    y = ((x + g + rng.integers(0, 3, 120)) > 5).astype(int)
    w = rng.integers(0, 3, 120)
    sample = Sample(["numeric", "nominal"], [x.tolist(), g.tolist()], [0, 4], y.tolist(), 2, w.tolist())
    settings = {"min_rows_leaf": 1, "min_rows_split": 2, "min_weight_leaf": 5.0, "min_weight_split": 12.0}
    weighted = tc.grow(sample.table(), preset, **settings)
    sample.weights = None
    repeated = tc.grow(sample.table(np.repeat(np.arange(120), w)), preset, **settings)
    assert weighted.n_nodes > 3
    np.testing.assert_allclose(weighted.stats, repeated.stats, rtol=1e-12)
    np.testing.assert_allclose(weighted.score, repeated.score, rtol=1e-8)


@st.composite
def samples(draw):
    n, n_classes = draw(st.integers(20, 60)), draw(st.sampled_from([0, 2, 3]))
    cell = {
        "numeric": st.integers(0, 5), "ordinal": st.integers(0, 3), "nominal": st.integers(0, 4),
    }  # fmt: skip
    kinds = draw(st.lists(st.sampled_from(sorted(cell)), min_size=1, max_size=3))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    columns = [draw(st.lists(cell[kind] | st.none(), min_size=n, max_size=n)) for kind in kinds]
    first = np.array([-1 if v is None else v for v in columns[0]])
    y = (first + rng.integers(0, 3, n)) % n_classes if n_classes else first + rng.normal(size=n).round(2)
    weights = draw(st.none() | st.lists(st.sampled_from([0, 0.5, 1, 2]), min_size=n, max_size=n))
    levels = [{"numeric": 0, "ordinal": 4, "nominal": 5}[kind] for kind in kinds]
    return Sample(kinds, columns, levels, y.tolist(), n_classes, weights)


@settings(max_examples=60)
@given(samples(), st.sampled_from(BOTH), st.sampled_from(list(MISSING_STRATEGIES)), st.booleans())
def test_rows_are_where_the_tree_routes_them(sample, preset, missing, best_first):
    table = sample.table()
    if sample.weights is not None and sum(sample.weights) == 0:
        return
    growth = dict(missing=missing, alpha=0.6, merge_alpha=0.5, min_rows_leaf=2, min_rows_split=4)
    tree = tc.grow(table, preset, **growth, max_leaves=4 if best_first else None)
    # rpart counts rows to come by number and those of training by weight
    if sample.weights is None or not MISSING_STRATEGIES[missing].later_by_rows:
        grew = training_rows(table, GrowSettings.from_dict(dict(tree.growth)))
        np.testing.assert_allclose(node_statistics(tree, grew), tree.stats, rtol=1e-9, atol=1e-9)
    # an empty branch may be left for one level of a wish only: tests make none
    assert (tree.n_rows[1:] > 0).all()
    for node in np.flatnonzero(~tree.is_leaf):
        children = list(tree.children(node))
        weight, impurity = tree.weight[children], tree.impurity[children]
        if not tree.missing_rows[node]:
            decrease = tree.impurity[node] - weight @ impurity / tree.weight[node]
            assert tree.gain[node] == pytest.approx(decrease, rel=1e-7, abs=1e-9)
        assert tree.n_rows[children].min() >= 1
        assert preset != "chaid" or tree.weight[children].min() >= 2 - 1e-9, "a row of weight 2 counts as two there"


@pytest.mark.parametrize("y", [[2.0, 2.1, 2.0, 3.0, 3.1, 3.0], [0, 0, 0, 1, 1, 1]])
def test_rows_without_a_value_have_their_branch_also_beside_one_as_large(y):
    """Else rpart's way is that of equal branches rows to come choose none."""
    columns = [[0, 0, 0, None, None, None], [1] * 6]  # rpart leaves out rows without any value
    sample = Sample(["nominal", "numeric"], columns, [5, 0], y, 2 if y[0] == 0 else 0, None)
    tree = tc.grow(sample.table(), "chaid", missing="rpart", alpha=0.6, min_rows_leaf=1, min_rows_split=2)
    assert tree.n_rows.tolist() == [6, 3, 3]
    np.testing.assert_allclose(node_statistics(tree, sample.table()), tree.stats, rtol=1e-9)
