"""Numbers at the edge, many levels, tiny tables: nothing breaks silently."""

import itertools
import time
from fractions import Fraction

import numpy as np
import pytest

import treecore as tc
from treecore.data import level_column, numeric_column


def table(target, weights=None, **columns) -> tc.Table:
    """Numbers or texts; a target of texts is a class."""
    made = [_column(name, cells) for name, cells in (*columns.items(), ("y", target))]
    weights = None if weights is None else np.array(weights, float)
    return tc.Table(tuple(made), target="y", features=tuple(columns), weights=weights)


def _column(name, cells):
    if any(isinstance(c, str) for c in cells):
        return level_column(name, "nominal", np.array(list(cells), object), sorted({c for c in cells if c}))
    return numeric_column(name, np.array(cells, float))


VALUES = [-1.7e308, -1e308, -1.0, -5e-324, 0.0, 5e-324, 1e-323, 2.2e-308, 1.0, np.nextafter(1, 2), 1e308, 1.7e308]


@pytest.mark.parametrize(("low", "high"), list(itertools.pairwise(VALUES)), ids=str)
def test_a_threshold_parts_any_two_neighbouring_doubles(low, high):
    t = table("aabb", x=[low, low, high, high])
    tree = tc.grow(t)
    assert tree.predict(t).tolist() == ["a", "a", "b", "b"]
    assert low < tree.splits.threshold[0] <= high
    assert np.isfinite(tree.splits.threshold[0])


def test_minus_zero_is_zero():
    tree = tc.grow(table("aabb", x=[-0.0, 0.0, 1, 1]))
    assert tree.n_leaves == 2
    assert tc.grow(table("aabb", x=[-0.0, -0.0, 0.0, 0.0])).n_nodes == 1


@pytest.mark.parametrize("low", [1.0, 3.0e38, 1e-30])
def test_32_bit_thresholds_part_neighbouring_32_bit_values(low):
    high = float(np.nextafter(np.float32(low), np.float32(np.inf)))
    t = table("aabb", x=[float(np.float32(low))] * 2 + [high] * 2)
    tree = tc.grow(t, threshold="float32")
    near = high - low <= 1e-7  # scikit-learn takes those for equal
    assert tree.n_leaves == (1 if near else 2)
    assert near or tree.predict(t).tolist() == ["a", "a", "b", "b"]


def test_values_that_32_bits_cannot_hold_are_refused():
    with pytest.raises(tc.TreecoreError, match="32-bit") as caught:
        tc.grow(table("aabb", x=[1, 2, 1e300, 2e300]), threshold="float32")
    assert caught.value.where == "Column 'x'"


@pytest.mark.parametrize("y", [[1e200, 1e200, -1e200], [1.7e308, 1.7e308, 1e308], [1e-200, -1e-200, 0]])
def test_targets_whose_squares_do_not_fit_are_refused(y):
    with pytest.raises(tc.TreecoreError, match="squared") as caught:
        tc.grow(table(y, x=[1, 2, 3]))
    assert caught.value.where == "Target 'y'"


@pytest.mark.parametrize("weight", [1e200, 1e-200])
def test_weights_whose_squares_do_not_fit_are_refused(weight):
    with pytest.raises(tc.TreecoreError, match="squared"):
        tc.grow(table("aabb", [weight] * 4, x=[1, 2, 3, 4]))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
@pytest.mark.parametrize("weight", [1e-12, 1e12, 1e-100, 1e100])
def test_the_unit_of_the_weights_is_irrelevant(criterion, weight):
    columns = {"x": [1, 2, 3, 4, 5, 6], "z": list("uuvvww")}
    one = tc.grow(table("aababb", **columns), criterion=criterion)
    other = tc.grow(table("aababb", [weight] * 6, **columns), criterion=criterion)
    assert one.splits.to_dict() == other.splits.to_dict()
    np.testing.assert_allclose(one.impurity, other.impurity, rtol=1e-12)
    np.testing.assert_allclose(one.gain, other.gain, rtol=1e-12)


def test_a_light_row_beside_a_heavy_one_does_no_harm():
    t = table([1, 2, 30, 40, 5], [1e12, 1e-12, 1e12, 1e-12, 1], x=[1, 2, 3, 4, 5])
    tree = tc.grow(t)
    assert np.isfinite(tree.value).all()
    assert np.isfinite(tree.impurity).all()
    assert np.isfinite(tree.gain[~tree.is_leaf]).all()


def test_rows_of_weight_0_weigh_nothing():
    t = table("aabbab", [1, 1, 1, 1, 0, 0], x=[1, 2, 3, 4, 9, 0])
    tree = tc.grow(t)
    assert tree.n_rows.tolist() == [6, 3, 3]
    assert tree.weight.tolist() == [4, 2, 2]
    with pytest.raises(tc.TreecoreError, match="weights are 0"):
        tc.grow(table("aabb", [0] * 4, x=[1, 2, 3, 4]))


@pytest.mark.parametrize("offset", [0.0, 1e9, -1e9, 1e12])
def test_gains_of_numbers_far_from_zero_are_exact(offset):
    """Against exact fractions of the very same doubles; the first split of 40 rows with unit noise."""
    rng = np.random.default_rng(3)
    x, y = np.arange(40.0), offset + rng.normal(size=40) + (np.arange(40) > 25)
    t = table(y.tolist(), x=x.tolist())
    tree = tc.grow(t, max_depth=1)
    exact = [Fraction(v) for v in y]
    gains = [_squares(exact) - _squares(exact[:k]) - _squares(exact[k:]) for k in range(1, 40)]
    best = max(range(39), key=lambda k: gains[k])
    assert tree.splits.threshold[0] == best + 0.5
    tolerance = 1e-12 if abs(offset) < 1e10 else 1e-3  # the doubles' mean itself is off by 1e-4 there
    assert tree.gain[0] == pytest.approx(float(gains[best] / 40), rel=tolerance)
    assert tree.impurity[0] == pytest.approx(float(_squares(exact) / 40), rel=tolerance)


def _squares(values):
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values)


# little to learn from


def test_a_constant_feature_is_never_split():
    assert tc.grow(table("abab", x=[1, 1, 1, 1]), zero_gain="split").n_nodes == 1
    assert tc.grow(table("abab", x=["u"] * 4), "id3", zero_gain="split").n_nodes == 1


def test_a_feature_without_any_value_is_never_split():
    columns = {"empty": [np.nan] * 4, "x": [1, 2, 3, 4]}
    tree = tc.grow(table("aabb", **columns))
    assert tree.node(0).feature == "x"
    t = table("aabb", empty=[np.nan] * 4)
    assert tc.grow(t, zero_gain="split").n_nodes == 1
    assert tc.candidates(tc.grow(t), 0, t).ranked == ()


def test_a_feature_may_be_missing_throughout_a_node():
    """x is known on the left of z only: on the right nothing can be cut."""
    t = table("abcccd", z=[0, 0, 1, 1, 1, 1], x=[1, 2, None, None, None, None])
    tree = tc.grow(t)
    assert tree.predict(t)[:2].tolist() == ["a", "b"]
    for node in range(tree.n_nodes):
        tc.candidates(tree, node, t)


def test_values_known_only_in_rows_of_weight_0_offer_no_candidate():
    t = table("aabb", [1, 1, 1, 0], x=[1, None, None, 2], z=[1, 2, 3, 4])
    tree = tc.grow(t)
    assert {c.feature for c in tc.candidates(tree, 0, t).ranked} == {"z"}


def test_two_rows():
    t = table("ab", x=[1, 2])
    assert tc.grow(t).predict(t).tolist() == ["a", "b"]
    numbers = table([1, 2], x=[1, 2])
    assert tc.grow(numbers).predict(numbers).tolist() == [1, 2]


def test_one_row_is_a_leaf():
    with pytest.warns(UserWarning, match="only one class, 'a', in all 1 rows"):
        tree = tc.grow(table("a", x=[1]))
    assert (tree.n_nodes, tree.predict(table("a", x=[1])).tolist()) == (1, ["a"])


@pytest.mark.parametrize("preset", tc.PRESETS)
@pytest.mark.parametrize("y", ["aaaaaa", [2.5] * 6, [3.7] * 30])
def test_a_target_of_one_value_is_answered_by_a_leaf(preset, y):
    """As every peer does; 3.7 thirty times has a mean that rounding moves."""
    if tc.PRESETS[preset].task == "classification" and not isinstance(y, str):
        return
    rows = table(y, x=range(len(y)))
    with pytest.warns(UserWarning, match=f"only one .*, '{y[0]}', in all {len(y)} rows"):
        tree = tc.grow(rows, preset, min_rows_split=2, min_rows_leaf=1)
    assert tree.n_nodes == 1
    assert tree.predict(rows).tolist() == list(y)
    assert tc.sequence(tree).n_leaves.tolist() == [1]
    assert tc.candidates(tree, 0, rows).weight == len(y)


def test_a_target_of_one_class_of_several_declared():
    columns = numeric_column("x", np.arange(6.0)), level_column("y", "nominal", ["n"] * 6, ("p", "n"))
    rows = tc.Table(columns, target="y", features=("x",))
    with pytest.warns(UserWarning, match="only one class, 'n'"):
        tree = tc.grow(rows, "j48")
    assert tree.predict_proba(rows).tolist() == [[0.0, 1.0]] * 6


@pytest.mark.parametrize("missing", ["majority", "rpart", "both_ways", "fractional"])
def test_rows_without_a_target_grow_nothing(missing):
    """Every question about the training rows is about those with a target, too."""
    y = np.array([1.0, np.nan, 2.0, 2.5, np.nan, 7.0, 8.0, 8.5, np.nan])
    rows, known = (table(y[part], x=np.arange(9.0)[part]) for part in (np.arange(9), np.flatnonzero(y == y)))
    with pytest.warns(UserWarning, match="3 of 9 rows were left out: their target 'y' is missing"):
        tree = tc.grow(rows, missing=missing)
    assert tree.to_dict() == tc.grow(known, missing=missing).to_dict()
    assert tc.candidates(tree, 0, rows).ranked[0].gain == pytest.approx(tree.gain[0])
    by_folds = {"choose": "cross-validation", "folds": 3}
    ours, theirs = (tc.prune(tree, "cost_complexity", train=part, **by_folds) for part in (rows, known))
    assert ours.verdict.tolist() == theirs.verdict.tolist()
    with pytest.warns(UserWarning, match="3 of 9 rows"):
        assert tc.fit(rows, "rpart").train.n_rows == 6


def test_rows_that_a_peer_leaves_out():
    """rpart rows without a value of any feature, but not where rows have weights; scikit-learn those of weight 0."""
    x, y = [1.0, np.nan, 3, 4, np.nan, 6], [1.0, 2, 3, 4, 5, 6]
    rows = table(y, x=x)
    with pytest.warns(UserWarning, match="2 of 6 rows were left out: they have no value of any feature"):
        assert tc.grow(rows, "rpart").n_rows[0] == 4
    assert tc.grow(rows.with_weights(np.ones(6)), "rpart").n_rows[0] == 6
    assert tc.grow(rows, "cart").n_rows[0] == 6
    weighted = rows.with_weights(np.array([1.0, 0, 2, 0, 1, 1]))
    with pytest.warns(UserWarning, match="2 of 6 rows were left out: they weigh 0"):
        assert tc.grow(weighted, "sklearn").n_rows[0] == 4
    assert tc.grow(weighted, "cart").n_rows[0] == 6


@pytest.mark.parametrize("preset", ["cart", "id3"])
def test_a_class_that_no_training_row_has_keeps_its_place(preset):
    y = level_column("y", "nominal", np.array(list("aacc"), object), ("a", "b", "c"))
    t = tc.Table((numeric_column("x", np.arange(4.0)), y), target="y", features=("x",))
    tree = tc.grow(t, preset)
    assert tree.stats[0].tolist() == [2, 0, 2]
    assert tree.predict_proba(t).tolist() == [[1, 0, 0]] * 2 + [[0, 0, 1]] * 2


# many levels


def levelled(n, n_levels, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    codes, y = rng.integers(0, n_levels, n), rng.integers(0, n_classes, n)
    columns = (level_column("a", "nominal", codes, [f"l{i}" for i in range(n_levels)]),
               level_column("y", "nominal", y, [f"c{i}" for i in range(n_classes)]))  # fmt: skip
    return tc.Table(columns, target="y", features=("a",)), codes


def test_more_levels_than_16_bits_count_keep_their_branches():
    t, codes = levelled(50_000, 40_000, 2)
    tree = tc.grow(t, nominal="multiway", max_depth=1)
    assert (tree.apply(t) == 1 + codes).all()
    again = tc.Tree.from_dict(tree.to_dict())
    assert (again.apply(t) == 1 + codes).all()


@pytest.mark.parametrize(("n_levels", "n_classes"), [(1000, 3), (20_000, 2), (20_000, 3)])
def test_many_levels_take_a_reasonable_time(n_levels, n_classes):
    tc.grow(levelled(50, 12, 3)[0])  # compile
    t, _ = levelled(20_000, n_levels, n_classes)
    start = time.perf_counter()
    tree = tc.grow(t, max_depth=6)
    assert time.perf_counter() - start < 5
    assert counted_where_they_end(tree, t)


def counted_where_they_end(tree, t):
    ends = np.bincount(tree.apply(t), minlength=tree.n_nodes)
    return ends[tree.is_leaf].tolist() == tree.n_rows[tree.is_leaf].tolist()


def test_memory_for_levels_grows_with_the_tree():
    """Room for every node's table of levels is added as it is needed, whatever the order of splits."""
    t, _ = levelled(3000, 60, 3)
    rng = np.random.default_rng(1)
    more = level_column("b", "nominal", rng.integers(0, 50, 3000), [f"m{i}" for i in range(50)])
    t = tc.Table((t.column("a"), more, t.column("y")), target="y", features=("a", "b"))
    for settings in ({}, {"nominal": "multiway"}, {"max_leaves": 700}):
        tree = tc.grow(t, **settings)
        assert counted_where_they_end(tree, t)
        assert tree.n_nodes > 400


# zero gain, boundaries


def test_a_gain_equal_to_the_limit_is_enough():
    """1/2 - 4/9 * 12/14 and the like do not come out exactly: the limit holds up to rounding."""
    t = table("aaab" * 5 + "abbb" * 5, x=[0] * 20 + [1] * 20)
    tree = tc.grow(t)
    for factor, n_nodes in ((1.0, 3), (1 + 1e-6, 1)):
        assert tc.grow(t, min_gain=float(tree.gain[0]) * factor).n_nodes == n_nodes
    assert tc.grow(t, min_gain=0.125).n_nodes == 3
