"""Stopping rules that look at a split: tests, description lengths, the global criterion, the validation peak."""

import math
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample
from treecore.criteria.description_length import exception_bits, leaf_bits, split_bits, string_bits
from treecore.criteria.significance import chi_square, f_test, g_test
from treecore.data.samples import read_sample
from treecore.fit import grow_with
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.growing.rebuild_node import searched_again
from treecore.growing.search.stopping import STOPPING_TESTS
from treecore.growing.settings.parts import MISSING_STRATEGIES
from treecore.recipe import Grow, Recipe, Split, Take
from treecore.tree.tree import peak_of

TESTS = ("chi_square", "g_test", "permutation")


def one_feature(x, y, n_classes=2, weights=None):
    return Sample(["numeric"], [list(x)], [0], list(y), n_classes, weights).table()


def noise(n=300, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n) if n_classes else rng.normal(size=n)
    columns = [rng.normal(size=n).tolist(), rng.integers(0, 4, n).tolist()]
    return Sample(["numeric", "nominal"], columns, [0, 4], y.tolist(), n_classes).table()


# ---- significance


@pytest.mark.parametrize("n_classes", [2, 0])
@pytest.mark.parametrize("test", TESTS)
def test_noise_gives_a_lone_root(test, n_classes):
    more = {"n_permutations": 999, "alpha": 1e-3} if test == "permutation" else {"alpha": 1e-6}
    assert tc.grow(noise(n_classes=n_classes), test=test, **more).n_nodes == 1
    assert tc.grow(noise(n_classes=n_classes), test="none", **more).n_nodes > 50


# 20 rows: 8 2 | 3 7. chi-square 20 (56 - 6)^2 / (10 10 11 9) = 5.0505, p = 0.02461857
TABLE_20 = one_feature([0] * 10 + [1] * 10, [0] * 8 + [1] * 2 + [0] * 3 + [1] * 7)
# G = 2 sum O ln(O / E), of the same table
G_20 = 2 * sum(o * math.log(o / e) for o, e in zip((8, 2, 3, 7), (5.5, 4.5, 5.5, 4.5), strict=True))


@pytest.mark.parametrize(("test", "p"), [("chi_square", 0.024618), ("g_test", math.erfc(math.sqrt(G_20 / 2)))])
def test_alpha_is_compared_with_the_p_value(test, p):
    assert tc.grow(TABLE_20, test=test, alpha=p * 1.001).n_nodes == 3
    assert tc.grow(TABLE_20, test=test, alpha=p * 0.999).n_nodes == 1
    veto = searched_again(tc.grow(TABLE_20, test=test, alpha=0.01), 0, TABLE_20).veto
    assert (veto.rule, veto.limit) == (test, 0.01)
    assert veto.value == pytest.approx(p, rel=1e-4)
    assert "is above the level 0.01" in veto.text


def test_regression_takes_the_f_test():
    # means 1 and 2 of three rows each, within-sums 2 and 2: F = 1.5 / (4 / 4) = 1.5, df 1 and 4
    table = one_feature([0, 0, 0, 1, 1, 1], [0, 1, 2, 1, 2, 3], 0)
    stats = np.array([[3, 3, 5], [3, 6, 14]], float)
    assert f_test(stats).statistic == pytest.approx(1.5)
    p = f_test(stats).p_value
    assert p == pytest.approx(0.28786, rel=1e-4)
    for test in ("chi_square", "g_test"):
        assert tc.grow(table, test=test, alpha=p * 1.001, max_depth=1).n_nodes == 3
        assert tc.grow(table, test=test, alpha=p * 0.999, max_depth=1).n_nodes == 1


def test_permutations_of_a_perfect_split():
    # 4 | 4 rows of one class each: 2 of the 70 ways to deal the labels are as extreme, p near 1/35
    table = one_feature([0] * 4 + [1] * 4, [0] * 4 + [1] * 4)
    veto = searched_again(tc.grow(table, test="permutation", alpha=0.01, n_permutations=20_000), 0, table).veto
    assert veto.value == pytest.approx(2 / 70, rel=0.15)
    assert tc.grow(table, test="permutation", alpha=0.05).n_nodes == 3


def test_the_seed_decides_and_one_node_can_be_asked_again():
    table = noise(80, 0, seed=4)
    trees = [tc.grow(table, test="permutation", alpha=0.02, seed=s, max_depth=3) for s in (0, 0, 1)]
    assert trees[0].to_dict() == trees[1].to_dict()
    for tree in trees:
        for node in np.flatnonzero(tree.is_leaf & (tree.node_depth < 3) & (tree.n_rows > 1)):
            assert searched_again(tree, node, table).veto.value > 0.02
        for node in np.flatnonzero(~tree.is_leaf):
            assert searched_again(tree, node, table).veto is None


def test_weights_count_as_cases():
    y = [0] * 8 + [1] * 2 + [0] * 3 + [1] * 7
    double = one_feature([0] * 10 + [1] * 10, y, weights=[2.0] * 20)
    # twice the statistic: 10.101, p = 0.00148
    veto = searched_again(tc.grow(double, test="chi_square", alpha=1e-3), 0, double).veto
    assert veto.value == pytest.approx(math.erfc(math.sqrt(10.10101 / 2)), rel=1e-5)


def test_priors_do_not_change_the_p_value():
    tree = tc.grow(TABLE_20, test="chi_square", alpha=0.01, priors=(0.99, 0.01))
    assert searched_again(tree, 0, TABLE_20).veto.value == pytest.approx(0.024618, rel=1e-4)


@settings(max_examples=60)
@given(
    st.integers(0, 10**6), st.sampled_from(["chi_square", "g_test", "mdl"]), st.sampled_from(list(MISSING_STRATEGIES))
)
def test_every_split_made_passes(seed, test, missing):
    rng = np.random.default_rng(seed)
    x = [None if rng.random() < 0.1 else int(v) for v in rng.integers(0, 6, 60)]
    g = [None if rng.random() < 0.1 else int(v) for v in rng.integers(0, 4, 60)]
    y = (np.array([v or 0 for v in x]) + rng.integers(0, 5, 60) > 4).astype(int)
    table = Sample(["numeric", "nominal"], [x, g], [0, 4], y.tolist(), 2).table()
    tree = tc.grow(table, test=test, alpha=0.1, missing=missing)
    stops = [searched_again(tree, node, table) for node in range(tree.n_nodes)]
    for node, stop in enumerate(stops):
        if tree.is_leaf[node]:
            assert stop.veto is not None or not stop.may_split
            continue
        assert stop.veto is None
        if test != "mdl" and not tree.missing_rows[node]:
            p = {"chi_square": chi_square, "g_test": g_test}[test](tree.stats[list(tree.children(node))]).p_value
            assert p <= 0.1


# ---- description length


def test_bits_by_hand():
    assert string_bits(14, 9, 14) == pytest.approx(math.log2(15) + math.log2(2002))  # 14.874
    assert string_bits(14, 9, 14) == pytest.approx(14.874, abs=5e-4)
    # 9 : 5 of two classes: a leaf 1 + its class 1 + which 5 of 14, of 0 to 7
    assert leaf_bits([9, 5]) == pytest.approx(2 + 3 + math.log2(2002))
    assert leaf_bits([5, 9]) == leaf_bits([9, 5])
    # three classes 4 3 1: 4 exceptions of 8 (0 to 5), which class next, then 1 of 4 (0 to 2)
    assert exception_bits([3, 4, 1]) == pytest.approx(math.log2(6) + math.log2(70) + 1 + math.log2(3) + math.log2(4))
    # none of 4: that there are none, of 0 to 2
    assert leaf_bits([4, 0]) == pytest.approx(2 + math.log2(3))
    # an inner node, one of 4 features, one of 7 cuts
    assert split_bits(4, math.log2(7)) == pytest.approx(1 + 2 + math.log2(7))


def test_the_tennis_tree_takes_18_170_bits():
    # structure 8, Outlook of 4 features, Humidity and Wind of 3 each, 5 labels: Quinlan & Rivest's own count
    inner = split_bits(4, 0) + 2 * split_bits(3, 0)
    assert inner + 5 * (leaf_bits([0, 0]) - exception_bits([0, 0])) == pytest.approx(18.170, abs=5e-4)


def test_tennis_is_not_worth_a_multiway_split():
    table = read_sample("play_tennis")
    tree = tc.grow(table, "id3", test="mdl")
    veto = searched_again(tree, 0, table).veto
    assert tree.n_nodes == 1
    assert veto.limit == pytest.approx(2 + 3 + math.log2(2002))
    # Outlook, one of 4 features: leaves of 2:3, 4:0, 3:2
    assert veto.value == pytest.approx(1 + 2 + 2 * (2 + math.log2(3) + math.log2(10)) + 2 + math.log2(3))
    assert "15.97 bits as a leaf, 20.4 with the split (3 for the test)" in veto.text


def test_a_cut_is_one_of_those_between_the_values():
    # 8 values, 20 rows each: 7 cuts, one feature varies. Halves of one class each
    table = one_feature([v for v in range(8) for _ in range(20)], [0] * 80 + [1] * 80)
    assert tc.grow(table, test="mdl").n_nodes == 3
    # 2 rows, 2 values: a leaf 1 + 1 + log2 2 + log2 2 = 4 bits; a split 1 + 0 + 0 + two leaves of 2 + log2 1
    pair = one_feature([0, 1], [0, 1])
    veto = searched_again(tc.grow(pair, test="mdl"), 0, pair).veto
    assert (veto.limit, veto.value) == (pytest.approx(4.0), pytest.approx(5.0))


@pytest.mark.parametrize(
    ("nominal", "log2_tests"), [("subset", math.log2(7)), ("multiway", 0.0), ("one_level", math.log2(4))]
)
def test_groups_of_levels_are_told_by_their_number(nominal, log2_tests):
    levels = [0, 0, 1, 1, 2, 2, 3, 3]
    table = Sample(["nominal"], [levels], [4], [0, 0, 0, 1, 1, 0, 1, 1], 2).table()
    tree = tc.grow(table, nominal=nominal, test="mdl")
    veto = searched_again(tree, 0, table).veto
    made = tc.grow(table, nominal=nominal, max_depth=1)
    leaves = sum(leaf_bits(made.stats[child]) for child in made.children(0))
    assert veto.value == pytest.approx(1 + log2_tests + leaves)


def test_numbers_have_no_exceptions():
    with pytest.raises(tc.TreecoreError, match="the target is a number") as caught:
        tc.grow(noise(20, 0), test="mdl")
    assert caught.value.where == "test"
    assert "chi_square" in caught.value.remedy


# ---- the global criterion


def test_global_criterion_by_hand():
    # root 6 : 6, Gini .5; cut into 5:1 and 1:5, Gini 10/36 each: .5 -> .5556, no size is worth that
    table = one_feature([0] * 6 + [1] * 6, [0] * 5 + [1] * 6 + [0])
    assert tc.grow(table, size_penalty=1e-9).n_nodes == 1
    # cut into 6:0 and 0:6: .5 -> 0; two nodes, two links, one leaf more
    clean = one_feature([0] * 6 + [1] * 6, [0] * 6 + [1] * 6)
    for unit, price in (("nodes", 2), ("links", 2), ("leaves", 1)):
        assert tc.grow(clean, size_penalty=0.499 / price, size_unit=unit).n_nodes == 3
        tree = tc.grow(clean, size_penalty=0.501 / price, size_unit=unit)
        veto = searched_again(tree, 0, clean).veto
        assert (tree.n_nodes, veto.rule) == (1, "size")
        assert (veto.value, veto.limit) == (pytest.approx(0.501), pytest.approx(0.5))
    # equal is not lower
    assert tc.grow(clean, size_penalty=0.25).n_nodes == 1


def test_shares_by_hand():
    # 6 : 6 into 5:1 and 1:5: .5 -> .2778, a drop of .2222 for two nodes; then each (a quarter of the .2778) to 0
    table = one_feature([0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3], [1] + [0] * 5 + [1] * 5 + [0])
    grown = [tc.grow(table, size_penalty=a, impurity_sum="shares").n_nodes for a in (0.069, 0.07, 0.111, 0.112)]
    assert grown == [7, 3, 3, 1]


def criterion(tree, penalty, unit, impurity_sum):
    size = {"nodes": tree.n_nodes, "links": tree.n_nodes - 1, "leaves": tree.n_leaves}[unit]
    share = tree.weight / tree.weight[0] if impurity_sum == "shares" else 1.0
    return penalty * size + (share * tree.impurity)[tree.is_leaf].sum()


@pytest.mark.parametrize("unit", ["nodes", "links", "leaves"])
@pytest.mark.parametrize(("sample", "impurity_sum"), [("iris", "full"), ("titanic", "shares")])
@pytest.mark.parametrize("preset", ["cart", "id3", "chaid"])
def test_every_split_lowers_the_criterion_of_the_tree(preset, sample, impurity_sum, unit):
    table, rule = read_sample(sample), {"size_unit": unit, "impurity_sum": impurity_sum}
    tree = tc.grow(table, preset, size_penalty=1e-3, missing="own_value", **rule)
    steps = range(tree.n_nodes - tree.n_leaves + 1)
    values = [criterion(tree.after(k), 1e-3, unit, impurity_sum) for k in steps]
    assert len(values) > 1
    assert np.all(np.diff(values) < 0)


def test_both_rules_hold_together():
    table = read_sample("iris")
    sizes = {rules: tc.grow(table, **dict(rules)).n_nodes for rules in [
        (("test", "chi_square"), ("alpha", 1e-3)),
        (("size_penalty", 0.05),),
        (("test", "chi_square"), ("alpha", 1e-3), ("size_penalty", 0.05)),
    ]}  # fmt: skip
    first, second, both = sizes.values()
    assert both <= min(first, second) < tc.grow(table).n_nodes


def test_medians_have_no_sums_to_add():
    with pytest.raises(tc.TreecoreError, match="Absolute error") as caught:
        tc.grow(noise(20, 0), criterion="absolute_error", size_penalty=0.1)
    assert caught.value.where == "size_penalty"
    assert tc.grow(noise(60, 0), criterion="absolute_error", test="chi_square", alpha=1e-6).n_nodes == 1


# ---- the validation peak


def test_peak_of_a_curve():
    errors = np.array([0.5, 0.4, 0.45, 0.42, 0.3, 0.35, 0.31, 0.3, 0.2])
    assert peak_of(errors, 1) == (1, True)
    assert peak_of(errors, 2) == (1, True)
    assert peak_of(errors, 3) == (4, True)
    assert peak_of(errors, 4) == (8, False)
    assert peak_of(errors[:4], 3) == (1, False)
    assert peak_of(errors, 2, least=2) == (4, True)
    assert peak_of(np.array([0.2, 0.2, 0.2]), 5) == (0, False)


def brute_force(table, validation, patience, preset="cart", **more):
    """Errors after every split of the whole best-first tree by predicting; then the rule, word for word."""
    full = tc.grow(table, preset, max_leaves=10**6, **more)
    truth = validation.target_column.values() if not full.classes else validation.target_column.labels()
    errors = []
    for k in range(full.n_nodes - full.n_leaves + 1):
        answer = full.after(k).predict(validation)
        errors.append(np.mean((truth - answer) ** 2) if not full.classes else np.mean(answer != truth))
        low = int(np.argmin(np.round(errors, 12)))
        if k - low >= patience:
            break
    return full.after(low)


def same(a, b):
    return a.to_dict() | {"growth": 0} == b.to_dict() | {"growth": 0}


@lru_cache
def parts(name):
    return read_sample(name).split(tc.Roles(train=0.5, validation=0.5, test=0.0, seed=3))[:2]


@pytest.mark.parametrize("patience", [1, 3, 10, 40])
@pytest.mark.parametrize(
    "more", [{}, {"missing": "surrogates"}, {"missing": "stay"}, {"preset": "chaid", "alpha": 0.9}]
)
def test_peak_equals_brute_force(patience, more):
    train, validation = parts("titanic")
    stopped = tc.grow(train, validation=validation, patience=patience, **_recipe(more))
    assert same(stopped, brute_force(train, validation, patience, **more))


def _recipe(more):
    return {("recipe" if k == "preset" else k): v for k, v in more.items()}


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("patience", [2, 20, 50])
def test_peak_of_a_numeric_target(criterion, patience):
    rng = np.random.default_rng(5)
    x = rng.uniform(size=400).round(3)
    y = np.sin(6 * x) + rng.normal(0, 0.4, 400)
    sample = Sample(["numeric"], [x.tolist()], [0], y.tolist(), 0)
    train, validation = sample.table(range(200)), sample.table(range(200, 400))
    more = {"criterion": criterion}
    stopped = tc.grow(train, validation=validation, patience=patience, **more)
    assert 1 < stopped.n_nodes < tc.grow(train, **more).n_nodes
    assert same(stopped, brute_force(train, validation, patience, **more))


def test_patience_needs_validation_rows():
    train, validation = parts("iris")
    for rows in (None, validation.take(np.arange(0))):
        with pytest.raises(tc.TreecoreError, match="needs validation rows") as caught:
            tc.grow(train, patience=2, validation=rows)
        assert caught.value.where == "patience"
    with pytest.raises(tc.TreecoreError, match="rows given have the target"):
        tc.grow(train, patience=2, validation=validation.with_target(train.features[0]))


def test_fit_gives_the_validation_rows():
    split, table = Split(0.5, 0.5, 0.0, seed=3), read_sample("titanic")
    done = tc.fit(table, Recipe((split, Grow("cart", (("patience", 5),)))))
    assert same(done.grown, tc.grow(done.train, patience=5, validation=done.validation))
    assert done.grown.n_nodes < tc.grow(done.train).n_nodes


def test_other_rules_hold_within_the_peak():
    train, validation = parts("titanic")
    tree = tc.grow(train, patience=10, validation=validation, max_depth=3, test="chi_square", alpha=1e-4, max_leaves=4)
    assert tree.depth <= 3
    assert tree.n_leaves <= 4
    assert same(tree, brute_force(train, validation, 10, max_depth=3, test="chi_square", alpha=1e-4).after(
        tree.n_nodes - tree.n_leaves))  # fmt: skip


# ---- wishes


@pytest.mark.parametrize(
    "rule",
    [{"test": "chi_square", "alpha": 1e-30}, {"test": "mdl"}, {"size_penalty": 9.0}, {"selector": "chaid", "alpha": 0}],
)
def test_a_wish_is_not_vetoed(rule):
    table = noise(200)
    growth = tc.GrowSettings(**rule)
    assert grow_tree(table, growth).n_nodes == 1
    wished = grow_tree(table, growth, imposed=(ForcedSplit((), "x0", 0.0), ForcedSplit((1,), "x0", 1.0)))
    assert wished.splits.threshold[[0, 2]].tolist() == [0.0, 1.0]
    assert wished.n_nodes < 10 < tc.grow(table).n_nodes


def test_wishes_come_before_the_peak():
    train, validation = parts("titanic")
    growth = tc.GrowSettings(patience=1)
    stopped = grow_with(train, growth, (), validation=validation)
    leaf = next(int(n) for n in np.flatnonzero(stopped.is_leaf) if stopped.n_rows[n] > 20 and stopped.impurity[n] > 0)
    path = tuple(
        int(b - stopped.first_child[a]) for a, b in zip(stopped.path(leaf), stopped.path(leaf)[1:], strict=False)
    )
    taken = grow_with(train, growth, (Take(path, "", "age", 30.0),), validation=validation)
    node = 0
    for branch in path:
        node = int(taken.first_child[node]) + branch
    assert (taken.node(node).feature, taken.splits.threshold[node]) == ("age", 30.0)


# ---- settings


def test_too_few_permutations_for_the_level():
    with pytest.raises(tc.TreecoreError, match="With 99 permutations") as caught:
        tc.grow(noise(30), test="permutation", n_permutations=99, alpha=0.005)
    assert caught.value.where == "n_permutations"
    assert "199 permutations" in caught.value.remedy
    assert tc.grow(noise(30), test="permutation", n_permutations=199, alpha=0.005).n_nodes >= 1


def test_every_test_says_what_it_does():
    for entry in STOPPING_TESTS.values():
        assert entry.note.endswith(".")
        assert entry.source or entry.name == "none"
        if "classification" in entry.tasks:
            tree = tc.grow(read_sample("iris"), test=entry.name)
            assert tree.n_nodes > 1
