"""What holds for every criterion, every table and every tree."""

import itertools
import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample
from tests.property.test_core_twins import growths, samples
from treecore.criteria import CRITERIA
from treecore.criteria.impurity import impurities
from treecore.growing.search import split_worth
from treecore.growing.search.split_worth import decreases
from treecore.kernels.sums import impurity_of
from treecore.recipe import Data, Edit, Grow, Prune, Recipe, Split
from treecore.target import CountTarget
from treecore.target.counts import counts_deviance
from treecore.tree.node_statistics import children_statistics
from treecore.tree.predict import route

OF_COUNTS = CRITERIA["poisson"]  # kernels and trees have other statistics of counts, see tests/unit/test_counts.py
KNOWN = [c for c in CRITERIA.values() if c.additive and c.task in ("classification", "regression")]
ALONE = [c for c in KNOWN if c.max_classes is None and not c.needs_loss]
CLASSIFICATION = [c for c in ALONE if c.task == "classification"]
EVERY = pytest.mark.parametrize("criterion", ALONE, ids=lambda c: c.name)
EVERY_OF_CLASSES = pytest.mark.parametrize("criterion", CLASSIFICATION, ids=lambda c: c.name)
COUNTS = st.lists(st.floats(0, 1000, allow_subnormal=False), min_size=2, max_size=6)


def of(criterion, stats):
    stats = np.array(stats, float)
    return impurity_of(criterion.judge(), stats, stats.sum() if criterion.task == "classification" else stats[0])


def regression_stats(values, weights):
    w, y = np.array(weights, float), np.array(values, float)
    return [w.sum(), (w * y).sum(), (w * y * y).sum()]


# impurities


@EVERY
def test_an_empty_node_has_impurity_0(criterion):
    assert of(criterion, [0.0, 0.0, 0.0]) == 0


@EVERY_OF_CLASSES
@given(st.floats(1e-12, 1e12), st.integers(2, 6), st.integers(0, 5))
def test_a_pure_node_has_impurity_0(criterion, weight, n_classes, k):
    stats = np.zeros(n_classes)
    stats[k % n_classes] = weight
    assert of(criterion, stats) == 0


@given(st.floats(-1e6, 1e6), st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=9))
def test_a_constant_target_has_no_squared_error(value, weights):
    stats = regression_stats([value] * len(weights), weights)
    assert 0 <= of(CRITERIA["squared_error"], stats) <= 1e-14 * max(value * value, 1e-300)


@EVERY_OF_CLASSES
@given(COUNTS)
def test_impurity_is_between_0_and_that_of_equal_shares(criterion, counts):
    assume(sum(counts) > 1e-100)
    most = of(criterion, [1.0] * len(counts))
    assert 0 <= of(criterion, counts) <= most + 1e-12
    if sum(c > 1e-3 * sum(counts) for c in counts) > 1:
        assert of(criterion, counts) > 0


@EVERY
@given(st.lists(st.lists(st.integers(0, 400), min_size=3, max_size=3), min_size=1, max_size=5))
def test_many_nodes_in_numpy_are_judged_as_one_compiled(criterion, nodes):
    stats = [c if criterion.task == "classification" else regression_stats([-1.0, 0.0, 2.5], c) for c in nodes]
    expected = [of(criterion, s) for s in stats]
    assert split_worth.impurities(criterion.judge(), np.array(stats, float)) == pytest.approx(
        expected, rel=1e-13, abs=1e-14
    )


@pytest.mark.parametrize("criterion", KNOWN, ids=lambda c: c.name)
@given(st.integers(0, 60), st.integers(1, 60))
def test_the_written_arithmetic_comes_out(criterion, a, b):
    """The LaTeX is read as a calculation, with whole counts in it."""
    loss = np.array([[0.0, 1.0], [3.0, 0.0]]) if criterion.needs_loss else None
    judge = criterion.judge(loss)
    stats = np.array([a, b] if criterion.task == "classification" else regression_stats([2.0, 7.0], [a, b]), float)
    text = "".join(criterion.written(stats, judge.loss, 0.0))
    value = impurity_of(judge, stats, float(a + b))
    assert calculated(text) == pytest.approx(value, rel=1e-4, abs=1e-9)


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60)), min_size=1, max_size=6))
def test_the_written_deviance_comes_out(rows):
    exposure, events = np.array(rows, float).T
    stats = CountTarget().row_sums(np.zeros(len(rows), int), 1, np.ones(len(rows)), np.stack([events, exposure], 1))
    value = impurities(OF_COUNTS.judge(), stats.T, stats[:, 0])[0]
    text = "".join(OF_COUNTS.written(stats[0], np.zeros((0, 0)), 0.0))
    assert calculated(text) == pytest.approx(value, rel=1e-4, abs=1e-4 * (1.0 + events.sum()))
    assert value * len(rows) == pytest.approx(counts_deviance(events, events.sum() / exposure.sum() * exposure).sum())


AS_PYTHON = (
    (r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1/\2)"),
    (r"\\log_2 (\S+)", r"*math.log2(\1)"),
    (r"\\ln (\S+)", r"*math.log(\1)"),
    (r"\\left|\\right|\\big", ""),
    (r"\\cdot 10\^\{(-?\d+)\}", r"*10.0**(\1)"),
    (r"\\cdot", "*"),
    (r"\^2", "**2"),
    (r"\) \(", ")*("),
)


def calculated(tex: str) -> float:
    """The value of a sum in LaTeX as criteria write it, of the last one where there are several steps."""
    tex = tex.rpartition("=")[2]
    for old, new in AS_PYTHON:
        tex = re.sub(old, new, tex)
    return float(eval(tex.strip(), {"math": math}))


@EVERY_OF_CLASSES
@given(COUNTS, st.randoms())
def test_the_order_of_the_classes_is_irrelevant(criterion, counts, random):
    assume(sum(counts) > 1e-100)
    shuffled = random.sample(counts, len(counts))
    assert math.isclose(of(criterion, counts), of(criterion, shuffled), rel_tol=1e-12, abs_tol=1e-14)


@EVERY
@given(st.data())
def test_a_concave_criterion_never_gains_less_than_nothing(criterion, data):
    assume(criterion.concave)
    if criterion.task == "classification":
        k = data.draw(st.integers(2, 4))
        share = st.floats(0, 100, allow_subnormal=False)
        part = st.lists(share, min_size=k, max_size=k).filter(lambda c: sum(c) > 0.01)
        parts = np.array([data.draw(part), data.draw(part)])
    else:
        group = st.lists(st.floats(-100, 100), min_size=1, max_size=5)
        groups = data.draw(group), data.draw(group)
        parts = np.array([regression_stats(g, np.ones(len(g))) for g in groups])
    whole = of(criterion, parts.sum(axis=0))
    (gain,) = decreases(criterion.judge(), parts[None])
    assert gain >= -1e-10 * whole - 1e-13  # rounding: shares far apart leave 1e-16 or so


# growing


@given(st.data())
@settings(max_examples=50)
def test_children_share_out_the_rows_and_weight_of_their_parent(data):
    sample = data.draw(samples())
    tree = tc.grow(sample.table(), data.draw(growths(sample)))
    for t in np.flatnonzero(~tree.is_leaf):
        children = list(tree.children(t))
        assert tree.n_rows[children].sum() == tree.n_rows[t]
        np.testing.assert_allclose(children_statistics(tree, t).sum(axis=0), tree.stats[t], rtol=1e-12, atol=1e-12)


@given(st.data())
@settings(max_examples=50)
def test_training_rows_end_where_they_were_counted(data):
    sample = data.draw(samples())
    table = sample.table()
    tree = tc.grow(table, data.draw(growths(sample)))
    ends = np.bincount(tree.apply(table), minlength=tree.n_nodes)
    assert ends[tree.is_leaf].tolist() == tree.n_rows[tree.is_leaf].tolist()
    assert not ends[~tree.is_leaf].any()
    assert tree.apply(table.to_frame()).tolist() == tree.apply(table).tolist()
    assert tree.predict(table.to_frame()).tolist() == tree.predict(table).tolist()


@given(st.data())
@settings(max_examples=40)
def test_doubling_a_weight_is_repeating_the_row(data):
    """Where limits count weight, not rows."""
    sample = replace(data.draw(samples(max_rows=15)), weights=None)
    times = data.draw(st.lists(st.integers(1, 3), min_size=sample.n_rows, max_size=sample.n_rows))
    share = data.draw(st.sampled_from([0.0, 0.125]))
    growth = data.draw(growths(sample, min_rows_split=2, min_rows_leaf=1, min_share_leaf=share, max_leaves=None))
    weighted = tc.grow(replace(sample, weights=times).table(), growth)
    rows = [i for i, n in enumerate(times) for _ in range(n)]
    repeated = tc.grow(sample.table(rows), growth)
    assert shape(weighted) == shape(repeated)
    np.testing.assert_allclose(weighted.impurity, repeated.impurity, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(weighted.weight, repeated.weight)


def shape(tree):
    """The tests of a tree, without the numbers."""
    s = tree.splits
    return [a.tolist() for a in (tree.parent, tree.n_children, s.feature, s.level_branch, s.missing_branch)] + [
        np.nan_to_num(s.threshold, nan=-99).tolist()
    ]


@given(st.data())
@settings(max_examples=40)
def test_another_order_of_the_features_changes_ties_only(data):
    """The root's gain is the largest of all features whatever their order; without ties so is its feature."""
    sample = data.draw(samples())
    growth = data.draw(growths(sample))
    order = data.draw(st.permutations(range(len(sample.kinds))))
    mixed = Sample(
        *([a[i] for i in order] for a in (sample.kinds, sample.columns, sample.levels)),
        sample.target,
        sample.n_classes,
        sample.weights,
    )
    one, other = tc.grow(sample.table(), growth), tc.grow(mixed.table(), growth)
    assert one.is_leaf[0] == other.is_leaf[0]
    np.testing.assert_allclose(one.gain[0], other.gain[0], rtol=1e-9, atol=1e-12)
    gains = [c.gain for c in tc.candidates(one, 0, sample.table()).per_feature()]
    if not one.is_leaf[0] and sum(g > one.gain[0] - 1e-9 for g in gains) == 1:
        assert order[other.splits.feature[0]] == one.splits.feature[0]


@given(st.data())
@settings(max_examples=40)
def test_a_rising_transform_of_a_number_parts_the_rows_alike(data):
    sample = data.draw(samples(kinds=("numeric",)))
    growth = data.draw(growths(sample))
    columns = [[None if c is None else math.exp(3 * c) - 1e5 for c in column] for column in sample.columns]
    bent = replace(sample, columns=columns)
    one, other = tc.grow(sample.table(), growth), tc.grow(bent.table(), growth)
    # rows of weight 0 go by thresholds between those that count
    counts = np.ones(sample.n_rows, bool) if sample.weights is None else np.array(sample.weights) > 0
    assert one.apply(sample.table())[counts].tolist() == other.apply(bent.table())[counts].tolist()


@given(st.data())
@settings(max_examples=40)
def test_rows_of_other_roles_never_influence_the_tree(data):
    """The table's encoding is shared: other rows bring values between the training rows' ones."""
    sample = data.draw(samples())
    growth = data.draw(growths(sample))
    n = sample.n_rows
    others = [data.draw(st.permutations(range(n))) for _ in sample.kinds]
    columns = []
    for kind, column, order in zip(sample.kinds, sample.columns, others, strict=True):
        shift = 0.125 if kind == "numeric" else 0
        columns.append(column + [None if column[i] is None else column[i] + shift for i in order])
    weights = None if sample.weights is None else sample.weights * 2
    more = replace(sample, columns=columns, target=sample.target + sample.target[::-1], weights=weights)
    train = more.table().take(np.arange(n))
    alone, among = tc.grow(sample.table(), growth), tc.grow(train, growth)
    assert alone.to_dict() == among.to_dict()


@given(st.data())
@settings(max_examples=30)
def test_after_k_splits_is_a_prefix(data):
    sample = data.draw(samples())
    tree = tc.grow(sample.table(), data.draw(growths(sample)))
    n_splits = int((~tree.is_leaf).sum())
    for k in range(n_splits + 2):
        small = tree.after(k)
        assert (~small.is_leaf).sum() == min(k, n_splits)
        n = small.n_nodes
        for name in ("parent", "stats", "n_rows", "impurity", "node_depth", "answer"):
            np.testing.assert_array_equal(getattr(small, name), getattr(tree, name)[:n])
        inner = ~small.is_leaf
        np.testing.assert_array_equal(small.splits.feature[inner], tree.splits.feature[:n][inner])
    assert tree.after(n_splits).to_dict() == tree.to_dict()


@given(st.data())
@settings(max_examples=30)
def test_best_first_with_one_more_leaf_only_adds(data):
    sample = data.draw(samples(kinds=("numeric", "ordinal")))
    k = data.draw(st.integers(1, 5))
    growth = data.draw(growths(sample, max_leaves=k))
    small, large = tc.grow(sample.table(), growth), tc.grow(sample.table(), growth, max_leaves=k + 1)
    assert shape(large.after(int((~small.is_leaf).sum()))) == shape(small)


@given(st.data())
@settings(max_examples=30)
def test_a_tree_survives_json(data):
    sample = data.draw(samples())
    tree = tc.grow(sample.table(), data.draw(growths(sample)))
    text = json.dumps(tree.to_dict(), allow_nan=False)
    again = tc.Tree.from_dict(json.loads(text))
    assert json.dumps(again.to_dict(), allow_nan=False) == text
    assert again.predict(sample.table()).tolist() == tree.predict(sample.table()).tolist()


@given(st.data())
@settings(max_examples=40)
def test_candidates_find_the_chosen_split_again_and_rank_it_first(data):
    """At every inner node; where the node is a leaf, none of them would have been taken."""
    sample = data.draw(samples())
    growth = data.draw(growths(sample))
    table = sample.table()
    tree = tc.grow(table, growth)
    for t in range(tree.n_nodes):
        found = tc.candidates(tree, t, table, limit=100)
        assert found.impurity == pytest.approx(tree.impurity[t], rel=1e-9, abs=1e-12)
        gains = [c.gain for c in found.ranked]
        slack = growth.tolerance * found.impurity
        assert all(b <= a + 2 * slack + 1e-15 for a, b in itertools.pairwise(gains))
        if not tree.is_leaf[t]:
            chosen = [c for c in found.ranked if c.chosen]
            assert len(chosen) == 1
            assert chosen[0].gain == pytest.approx(tree.gain[t], rel=1e-9, abs=1e-12)
            assert chosen[0].gain >= gains[0] - 2 * slack - 1e-15
            assert found.ranked[0].feature == tree.node(t).feature


# routing


@given(st.data())
@settings(max_examples=30)
def test_routes_share_out_every_row_whatever_its_cells(data):
    """Levels that the tree never saw, missing values, numbers far away."""
    import pandas as pd

    sample = data.draw(samples())
    tree = tc.grow(sample.table(), data.draw(growths(sample)))
    cells = {"numeric": [1e308, -1e308, 0.0, 5e-324, None, float("inf"), "-3"]}
    others = ["x0=0", "x1=1", "x2=4", "no such level", None, 3, "ÿ"]
    frame = pd.DataFrame({f"x{f}": pd.Series(cells.get(k, others), dtype=object) for f, k in enumerate(sample.kinds)})
    routes = route(tree, frame)
    np.testing.assert_allclose(np.bincount(routes.row, routes.share), np.ones(7))
    assert tree.is_leaf[routes.node].all()
    if tree.classes:
        np.testing.assert_allclose(tree.predict_proba(frame).sum(axis=1), 1)


# recipes

VALUES = st.floats(0, 10, allow_nan=False)
STEPS = st.one_of(
    st.builds(Data, fingerprint=st.text(max_size=5), target=st.text(max_size=9),
              features=st.lists(st.text(max_size=9), max_size=3).map(tuple),
              kinds=st.dictionaries(st.text(max_size=5), st.sampled_from(["numeric", "nominal"]), max_size=3)
              .map(lambda d: tuple(d.items()))),
    st.builds(Split, seed=st.integers(0, 99), stratify=st.booleans(), column=st.none() | st.text(max_size=5)),
    st.builds(lambda p, d, g: Grow(p, (("max_depth", d), ("min_gain", g))),
              st.sampled_from(list(tc.PRESETS)), st.none() | st.integers(0, 9), VALUES),
    st.builds(lambda a: Prune("cost_complexity", (("alpha", a),)), st.none() | VALUES),
    st.builds(lambda e: Prune("reduced_error", (("epsilon", e),)), VALUES),
    st.builds(Edit, st.sampled_from(["cut", "restore"]), st.lists(st.integers(0, 4), max_size=4).map(tuple),
              st.text(max_size=9)),
)  # fmt: skip


@given(st.lists(STEPS, max_size=6))
def test_a_recipe_survives_json_and_stays_hashable(steps):
    recipe = Recipe(tuple(steps))
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    assert hash(again) == hash(recipe)
    assert again.text() == recipe.text()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["step", "preset", "settings", "method", "parameters", "action", "path", "expect", "train",
                          "seed", "column", "kinds", "features", "target", "fingerprint"])  # fmt: skip
STEP = st.builds(lambda kind, rest: {"step": kind} | rest,
                 st.sampled_from(["data", "split", "grow", "prune", "edit", "fly"]),
                 st.dictionaries(FIELDS.filter(lambda f: f != "step"), JSON, max_size=2))  # fmt: skip


@given(st.lists(STEP, max_size=3) | JSON)
@settings(max_examples=250)
def test_junk_gives_a_recipe_or_an_error_that_says_what_is_wrong(steps):
    text = json.dumps({"schema_version": 1, "steps": steps})
    recipe, error = recipe_or_error(text)
    if error is not None:
        assert error.what
        assert error.remedy
        return
    hash(recipe)
    recipe.text()
    assert Recipe.from_json(recipe.to_json()) == recipe or "NaN" in text


def recipe_or_error(text):
    try:
        return Recipe.from_json(text), None
    except tc.TreecoreError as error:
        return None, error


@given(st.text(max_size=50))
def test_no_text_breaks_the_reading_of_recipes(text):
    recipe, error = recipe_or_error(text)
    assert recipe is not None or error.remedy
