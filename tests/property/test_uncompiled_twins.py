"""The grower in NumPy against the kernels: the same tree, node for node, whatever the table and the settings."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_twins import samples
from tests.property.test_fast_twins import growths as limits
from tests.property.test_fast_twins import tables, trainable
from tests.property.twin_settings import many_rows, twin_growths
from treecore.data import level_column, numeric_column
from treecore.engine import compiling
from treecore.growing import engine_choice, grower
from treecore.growing.numpy.numpy_growth import is_covered
from treecore.growing.searchers import as_searched
from treecore.growing.settings.problem import problem_of
from treecore.presets import PRESETS
from treecore.tree.predict import route
from treecore.tree.routing import routes_in_numpy, routing_of

MISSING = ("majority", "stay", "surrogates", "surrogates_only", "rpart", "rpart_only", "rpart_stay", "own_value",
           "both_ways", "fractional")  # fmt: skip


def grown_by_both(table, growth):
    """(in NumPy, by the kernels); skips what NumPy does not cover."""
    if not is_covered(as_searched(problem_of(table, growth), growth), growth):
        assume(False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_choice, "should_grow_in_numpy", lambda *_: True)
        patch.setattr(engine_choice.compiling, "start", lambda parts: None)
        in_numpy = grower.grow_tree(table, growth)
        patch.setattr(engine_choice, "should_grow_in_numpy", lambda *_: False)
        return in_numpy, grower.grow_tree(table, growth)


def differing(a, b):
    """Column -> both values, of the columns that differ by more than rounding."""
    a, b = a.to_dict(), b.to_dict()
    assert list(a) == list(b)
    return {name: (a[name], b[name]) for name in a if not alike(a[name], b[name])}


def alike(a, b):
    """Equal, numbers up to 1e-12, at any depth of lists and dicts."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(alike(a[k], b[k]) for k in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12) or (math.isnan(a) and math.isnan(b))
    return a == b


@st.composite
def covered_growths(draw, sample, **fixed):
    """Settings of all kinds that NumPy covers."""
    pick = lambda *values: draw(st.sampled_from(values))  # noqa: E731
    score = fixed.pop("score", pick("decrease", "decrease", "gain_ratio"))
    criterion = pick("gini", "entropy", "misclassification", "half_gini") if sample.n_classes else "squared_error"
    usual = {
        "score": score, "criterion": criterion, "selector": pick("best", "average_gain"), "cuts": "all",
        "nominal": pick("subset", "multiway"), "missing": pick(*MISSING), "cost_form": "divide",
        "threshold": pick("midpoint", "float32", "data_value", "low_value"),
    }  # fmt: skip
    growth = draw(twin_growths(sample, **(usual | fixed)))
    return tc.GrowSettings.from_dict(growth.to_dict() | {"max_leaves": pick(None, None, None, 3, 6)})


@given(st.data())
@settings(max_examples=100)
def test_both_grow_the_same_tree(data):
    """Small tables of few values: nearly every cut ties with others."""
    sample = data.draw(samples(max_rows=40))
    assert differing(*grown_by_both(sample.table(), data.draw(covered_growths(sample)))) == {}


@pytest.mark.parametrize("missing", MISSING)
@given(st.data())
@settings(max_examples=20)
def test_trees_of_many_nodes_of_mixed_features(missing, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n = data.draw(st.sampled_from([25, 60, 300]))
    gaps = data.draw(st.sampled_from([0.0, 0.05, 0.3]))
    sample = many_rows(rng, data.draw(st.sampled_from([0, 2, 3])), gaps, n)
    growth = data.draw(covered_growths(sample, missing=missing, max_depth=None, min_gain=0.0, min_impurity=0.0))
    assert differing(*grown_by_both(sample.table(), growth)) == {}


@given(st.data())
@settings(max_examples=60)
def test_j48_grows_the_same_tree(data):
    """Numeric features that pay for their cuts; also where few rows, or few values, leave nothing to pay with."""
    pick = lambda *values: data.draw(st.sampled_from(values))  # noqa: E731
    if pick(True, False):
        rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
        sample = many_rows(rng, pick(2, 3), pick(0.0, 0.05, 0.3), pick(25, 60, 300))
    else:
        sample = data.draw(samples(max_rows=40).filter(lambda sample: sample.n_classes > 0))
    growth = replace(
        PRESETS["j48"].growth, missing=pick("fractional", "majority", "stay", "surrogates", "rpart"),
        threshold=pick("j48", "midpoint"), branch_order=pick("value", "mean"), max_depth=pick(None, 3),
        max_leaves=pick(None, None, 5), min_weight_split=pick(0.0, 4.0), min_weight_leaf=pick(0.0, 2.0, 5.0),
        min_rows_leaf=pick(1, 3), zero_gain=pick("stop", "split"),
    )  # fmt: skip
    assert differing(*grown_by_both(sample.table(), growth)) == {}


def test_j48_where_nearly_every_cut_is_better_than_the_one_before():
    """Many distinct values and parted classes."""
    x = np.random.default_rng(0).normal(size=(3000, 3)).astype(np.float32)
    table = tc.from_arrays(x, (x[:, 0] > 0.1) * 1, classes="ab")
    in_numpy, compiled = grown_by_both(table, PRESETS["j48"].growth)
    assert differing(in_numpy, compiled) == {}
    assert in_numpy.n_leaves == 2


@given(st.data())
@settings(max_examples=100)
def test_both_grow_the_same_tree_of_numbers(data):
    """Up to 300 rows of numbers, with ties or none, classes or numbers as target."""
    table = data.draw(tables().filter(trainable))
    assert differing(*grown_by_both(table, data.draw(limits(len(table.classes))))) == {}


@pytest.mark.parametrize("n_levels", [6, 14])
@pytest.mark.parametrize("n_classes", [0, 2, 4])
def test_many_levels(n_levels, n_classes):
    """By enumeration, and beyond it sorted by the share of each class in turn."""
    rng = np.random.default_rng(n_levels + n_classes)
    for most in (5, 8):
        codes = rng.integers(0, n_levels, (2, 200))
        y = (codes[0] * 7 % 5 + rng.integers(0, 3, 200)) % max(n_classes, 5)
        levels = tuple(f"l{v}" for v in range(n_levels))
        columns = [level_column(f"c{j}", "nominal", c, levels) for j, c in enumerate(codes)]
        target = numeric_column("y", y) if not n_classes else level_column(
            "y", "nominal", y % n_classes, tuple("abcd"[:n_classes])
        )  # fmt: skip
        table = tc.Table((*columns, target), target="y", features=("c0", "c1"))
        in_numpy, compiled = grown_by_both(table, tc.GrowSettings(max_exhaustive=most))
        assert differing(in_numpy, compiled) == {}
        assert in_numpy.n_nodes > 10


@pytest.mark.parametrize("preset", ["cart", "rpart", "sklearn", "id3", "c4.5", "j48", "hunt"])
def test_presets_are_covered(preset):
    sample = many_rows(np.random.default_rng(3), 2, missing=0.0, n=200)
    growth = tc.PRESETS[preset].growth
    assert is_covered(problem_of(sample.table(), growth), growth)
    assert differing(*grown_by_both(sample.table(), growth)) == {}


@given(st.data())
@settings(max_examples=50)
def test_rows_find_the_same_way(data):
    """Known values, missing ones and levels that were not seen, by surrogates too."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    sample, others = (many_rows(rng, 3, missing=gaps, n=60) for gaps in (0.1, 0.4))
    nominal, numeric = data.draw(st.sampled_from([("subset", "threshold"), ("multiway", "equal_width")]))
    missing = data.draw(st.sampled_from(
        ["majority", "surrogates", "surrogates_only", "stay", "own_value", "fractional"]
    ))  # fmt: skip
    tree = tc.grow(sample.table(), tc.GrowSettings(missing=missing, nominal=nominal, numeric=numeric))
    assume(not tree.is_leaf.all())
    with compiling.forced():
        compiled = route(tree, others.table())
    row, node, share = routes_in_numpy(*routing_of(tree, others.table()))
    np.testing.assert_array_equal(row, compiled.row)
    np.testing.assert_array_equal(node, compiled.node)
    np.testing.assert_array_equal(share, compiled.share)


def test_parts_of_rows_without_a_value_end_where_the_kernels_say():
    """Without min_share every branch gets a part; with it, some get none."""
    sample = many_rows(np.random.default_rng(1), 2, missing=0.3, n=60)
    for preset in ("c4.5", "j48"):
        tree = tc.grow(sample.table(), preset)
        with compiling.forced():
            compiled = route(tree, sample.table())
        assert not compiled.whole
        for found, expected in zip(
            routes_in_numpy(*routing_of(tree, sample.table())),
            (compiled.row, compiled.node, compiled.share),
            strict=True,
        ):
            np.testing.assert_array_equal(found, expected)


def test_no_rows_have_no_way():
    tree = tc.grow(many_rows(np.random.default_rng(1), 2, missing=0.0, n=60).table(), "c4.5")
    none = np.empty((0, len(tree.schema.features)))
    assert [part.tolist() for part in routes_in_numpy(*routing_of(tree, none))] == [[], [], []]


def test_what_numpy_does_not_cover_is_left_to_the_kernels():
    sample = many_rows(np.random.default_rng(1), 2, missing=0.3, n=60)
    table = sample.table()
    for other in (
        {"score": "twoing"}, {"score": "chi_square"}, {"selector": "conditional"}, {"cuts": "boundaries"},
        {"criterion": "cost_gini", "loss": ((0, 1), (2, 0))}, {"test": "chi_square"}, {"size_penalty": 0.1},
        {"patience": 2}, {"nominal": "one_level"}, {"tolerance": 0.0}, {"missing": "node_value"},
        {"cost_form": "square"}, {"selector": "reptree"},
    ):  # fmt: skip
        growth = tc.GrowSettings(**other)
        assert not is_covered(as_searched(problem_of(table, growth), growth), growth), other


@pytest.mark.parametrize("threshold", ["midpoint", "float32", "data_value"])
def test_rows_that_know_no_feature_are_a_leaf(threshold):
    table = tc.from_arrays(np.full((6, 2), np.nan), np.arange(6.0))
    growth = tc.GrowSettings(criterion="squared_error", threshold=threshold, missing="majority")
    assert [tree.n_nodes for tree in grown_by_both(table, growth)] == [1, 1]
