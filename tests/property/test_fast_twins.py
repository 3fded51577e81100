"""The fast growers against the general one: the same tree, bit for bit, whatever the table."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_twins import samples
from treecore import criteria
from treecore.data import level_column, numeric_column
from treecore.engine import compiling
from treecore.growing import engine_choice, grower
from treecore.growing.fast import fast_growth as grow_module
from treecore.growing.fast import values_apart
from treecore.growing.fast.fast_growth import Sizes, grow_fast
from treecore.growing.settings.engine_plan import is_fast, plan_for
from treecore.kernels.records.records import MOST_CLASSES

CRITERIA = ["gini", "entropy", "half_gini", "entropy_nats"]
WITHOUT_SCAN = "misclassification"
"""Judged cut by cut."""


@st.composite
def growths(draw, n_classes, criteria=CRITERIA):
    """Limits of every kind; two_class_variance is gini with another scale, as half_gini."""
    pick = lambda *values: draw(st.sampled_from(values))  # noqa: E731
    return tc.GrowSettings(
        criterion=pick(*criteria) if n_classes else "squared_error",
        threshold=pick("midpoint", "data_value", "low_value", "float32"),
        missing=pick("majority", "own_value", "stay", "fractional"),
        branch_order=pick("value", "mean"),
        zero_gain=pick("stop", "split"),
        max_depth=pick(None, None, 1, 3),
        max_leaves=pick(None, None, None, 2, 5, 12),
        min_rows_split=pick(2, 2, 7),
        min_rows_leaf=pick(1, 1, 3, 40),
        min_weight_split=pick(0.0, 0.0, 9.5, 400.0),
        min_weight_leaf=pick(0.0, 0.0, 2.5),
        min_share_leaf=pick(0.0, 0.0, 0.1),
        min_impurity=pick(0.0, 0.0, 0.2),
        min_gain=pick(0.0, 0.0, 0.03),
        min_weighted_gain=pick(0.0, 0.0, 0.01),
        tolerance=pick(1e-10, 1e-10, 0.05),
        max_features=pick("all", "all", "count", "share"),
        n_features=pick(1, 2, 3),
        seed=pick(0, 1, 2**70),
    )


LEVELS = tuple(f"l{v}" for v in range(50))


@st.composite
def tables(draw, gaps=(0.0,), nominal=False):
    """Larger tables: from a handful of values per feature, so that nearly all cuts tie, to as many as rows.

    gaps : shares of missing values. nominal : may features be nominal?
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(2, 300)), draw(st.integers(1, 5))
    n_classes = draw(st.sampled_from([0, 2, 2, 3, 4, 7, MOST_CLASSES, MOST_CLASSES + 1, 60]))
    some = [rng.integers(0, draw(st.sampled_from([2, 5, 40, 10**6])), n) for _ in range(d)]
    nominal = [nominal and draw(st.booleans()) for _ in range(d)]
    holes = [rng.random(n) < draw(st.sampled_from(gaps)) for _ in range(d)]
    columns = [_feature(f"x{j}", some[j], holes[j], j, nominal[j]) for j in range(d)]
    if n_classes:
        label = np.where(rng.random(n) < 0.5, rng.integers(0, n_classes, n), some[0] % n_classes)
        target = level_column("y", "nominal", label, tuple(f"c{k}" for k in range(n_classes)))
    else:
        target = numeric_column("y", some[0] / 4 % 7 + np.round(rng.normal(size=n), draw(st.integers(0, 12))))
    return tc.Table((*columns, target), target="y", features=tuple(c.name for c in columns))


def _feature(name, numbers, is_missing, j, nominal):
    if nominal or j == 1:
        numbers = numbers % 50
        kind = ("boolean" if numbers.max() < 2 else "nominal") if nominal else "ordinal"
        return level_column(name, kind, np.where(is_missing, -1, numbers), LEVELS)
    return numeric_column(name, np.where(is_missing, np.nan, (numbers - 2) / (4 if j % 2 else 3)))


SIZES = {
    "as they are": Sizes(), "blocks": Sizes(whole=19, local=20),
    "buckets": Sizes(buckets=10, entropy=5, numbers=4, exact_entropy=2, exact_numbers=4, table=2),
}  # fmt: skip
"""From which sizes on the kernels for larger nodes are used: so small that small tables come to them."""


COMPETING = [
    {"score": "gain_ratio"}, {"score": "gain_ratio", "selector": "average_gain"}, {"selector": "reptree"},
]  # fmt: skip
"""Ways to choose among features, besides the largest gain."""


@pytest.mark.parametrize("mixed", [False, True])
def test_sizes_are_those_of_the_formula_whatever_it_is_called(mixed):
    of = lambda name: Sizes(exact_numbers=1).smallest(criteria.CRITERIA[name].code, mixed)  # noqa: E731
    assert of("half_gini") == of("gini")
    assert of("entropy_nats") == of("entropy")
    assert len({of("gini"), of("entropy"), of("squared_error")}) == 3


def grown_by_both(table, growth, sizes="as they are"):
    with pytest.MonkeyPatch.context() as patch, compiling.forced():
        patch.setattr(engine_choice, "plan_for", lambda *asked: plan_for(*asked)._replace(fast_parts=()))
        general = grower.grow_tree(table, growth)
    return grow_fast(table, growth, sizes=SIZES[sizes]), general


def differing(fast, general):
    """Column -> both values, of the columns that are not the same."""
    a, b = fast.to_dict(), general.to_dict()
    return {name: (a[name], b[name]) for name in a if a[name] != b[name]}


def trainable(table):
    """Do the target and a feature vary?"""
    try:
        table.check_trainable()
    except tc.TreecoreError:
        return False
    return True


@given(st.data())
@settings(max_examples=100)
def test_both_growers_grow_the_same_tree(data):
    table = data.draw(tables().filter(trainable))
    growth = data.draw(growths(len(table.classes), [*CRITERIA, WITHOUT_SCAN]))
    assert is_fast(table, growth)
    ours, general = grown_by_both(table, growth, data.draw(st.sampled_from(list(SIZES))))
    assert differing(ours, general) == {}


@pytest.mark.parametrize("asked", COMPETING)
@given(st.data())
@settings(max_examples=60)
def test_features_compete_as_asked(asked, data):
    table = data.draw(tables().filter(trainable))
    growth = data.draw(growths(len(table.classes), [*CRITERIA, WITHOUT_SCAN]))
    growth = replace(growth, max_features="all", tolerance=1e-10, **asked)
    assert is_fast(table, growth)
    ours, general = grown_by_both(table, growth, data.draw(st.sampled_from(list(SIZES))))
    assert differing(ours, general) == {}


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=3, max_size=30, unique=True))
@settings(max_examples=100)
def test_thresholds_between_any_numbers_of_32_bits_are_alike(numbers):
    """As far and as near as there are."""
    column = np.array(numbers, np.float32)[:, None]
    table = tc.from_arrays(column, np.argsort(np.argsort(column[:, 0])) % 2, classes="ab")
    fast, general = grown_by_both(table, tc.GrowSettings(zero_gain="split"))
    assert fast.n_nodes > 1
    assert differing(fast, general) == {}


@given(st.data())
@settings(max_examples=150)
def test_nodes_of_a_few_rows_are_split_alike(data):
    """From their keys alone: where the best way to part them is offered by no feature, by several, or ties."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n, d = data.draw(st.integers(3, 20)), data.draw(st.integers(1, 4))
    X = rng.integers(0, data.draw(st.sampled_from([2, 4, 1000])), (n, d)).astype(np.float32)
    n_classes = data.draw(st.sampled_from([0, 0, 2, 3, 20]))
    if n_classes:
        table = tc.from_arrays(X, rng.integers(0, n_classes, n), classes=[f"c{k}" for k in range(n_classes)])
    else:
        far = data.draw(st.sampled_from([0.0, 1e9]))
        table = tc.from_arrays(X, far + np.round(rng.normal(size=n), data.draw(st.integers(0, 6))))
    assume(trainable(table))
    pick = lambda *values: data.draw(st.sampled_from(values))  # noqa: E731
    growth = tc.GrowSettings(
        criterion=pick("gini", "entropy") if n_classes else "squared_error", zero_gain=pick("stop", "split"),
        branch_order=pick("value", "mean"), tolerance=pick(1e-10, 1e-10, 0.05), min_gain=pick(0.0, 0.0, 0.03),
        max_depth=pick(None, None, 3), max_features=pick("all", "sqrt"), seed=pick(0, 1),
    )  # fmt: skip
    ours, general = grown_by_both(table, growth, pick(*SIZES))
    assert differing(ours, general) == {}


@given(st.data())
@settings(max_examples=100)
def test_rows_without_a_value_follow_the_larger_branch_alike(data):
    table = data.draw(tables(gaps=(0.0, 0.05, 0.3, 0.8)).filter(trainable))
    # at a tolerance that counts different gains as equal, a share of the rows may lie right at its border
    growth = data.draw(growths(len(table.classes), [*CRITERIA, WITHOUT_SCAN]))
    growth = replace(growth, missing="majority", tolerance=1e-10)
    assert is_fast(table, growth)
    ours, general = grown_by_both(table, growth, data.draw(st.sampled_from(list(SIZES))))
    assert differing(ours, general) == {}


@given(st.data())
@settings(max_examples=100)
def test_weights_levels_and_missing_values_are_treated_alike(data):
    table = data.draw(tables(gaps=(0.0, 0.05, 0.3, 0.8), nominal=True).filter(trainable))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    weighted = table.with_weights(rng.integers(1, 1 + data.draw(st.sampled_from([1, 3, 1000])), table.n_rows) + 0.0)
    table = data.draw(st.sampled_from([table, weighted]).filter(trainable))
    growth = data.draw(growths(len(table.classes)))
    missing = data.draw(st.sampled_from(["majority", "own_value", "both_ways"]))
    growth = replace(growth, missing=missing, tolerance=1e-10, max_exhaustive=data.draw(st.sampled_from([2, 6])))
    assert is_fast(table, growth)
    ours, general = grown_by_both(table, growth, data.draw(st.sampled_from(list(SIZES))))
    assert differing(ours, general) == {}


@given(st.data())
@settings(max_examples=100)
def test_levels_in_buckets_are_grouped_alike(data):
    """Beside numbers, of which a bucket holds several, and alone."""
    table = data.draw(tables(nominal=True).filter(lambda table: trainable(table) and len(table.classes) in (2, 3, 4)))
    growth = replace(data.draw(growths(len(table.classes))), missing="majority", tolerance=1e-10)
    growth = replace(growth, max_exhaustive=data.draw(st.sampled_from([2, 6])))
    assert plan_for(table, growth).counted
    assert differing(*grown_by_both(table, growth, "buckets")) == {}


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_levels", [1, 2, 254, 255, 256])
def test_as_many_levels_as_there_are_buckets_and_some_that_no_row_has(n_levels, n_classes):
    rng = np.random.default_rng(n_levels)
    codes = rng.integers(0, n_levels, (2, 1500))
    codes[1] //= 3  # the last two thirds of its levels do not occur
    label = np.where(rng.random(1500) < 0.5, rng.integers(0, n_classes, 1500), codes[0] * 7 % 5 % n_classes)
    levels = tuple(f"l{v}" for v in range(n_levels))
    columns = [level_column(f"c{j}", "nominal", c, levels) for j, c in enumerate(codes)]
    columns.append(numeric_column("x", rng.integers(0, 9, 1500).astype(float)))
    target = level_column("y", "nominal", label, tuple("abc"[:n_classes]))
    table = tc.Table((*columns, target), target="y", features=("c0", "c1", "x"))
    assert is_fast(table, tc.GrowSettings()) == (n_levels < 256)
    for max_depth in (None, 4) if n_levels < 256 else ():
        fast, general = grown_by_both(table, tc.GrowSettings(missing="majority", max_depth=max_depth), "buckets")
        assert fast.n_nodes > 5
        assert differing(fast, general) == {}


@st.composite
def near_tables(draw):
    """Numbers of which a few have a twin, or a chain of them, as near as 32 bits and scikit-learn's 1e-7 can tell."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_classes = draw(st.integers(4, 250)), draw(st.sampled_from([0, 2, 3]))
    near, chain = draw(st.sampled_from([0.05, 0.3, 1.0])), draw(st.sampled_from([1, 1, 2, 5]))
    columns = []
    for j in range(draw(st.integers(1, 3))):
        base = rng.choice(
            rng.normal(size=draw(st.sampled_from([3, 20, 200]))) * draw(st.sampled_from([0.1, 1, 1e3])), n
        )
        step = draw(st.sampled_from([2e-8, 6e-8, 9.9e-8, 1e-7, 1.1e-7, 3e-7]))
        moved = rng.integers(0, chain + 1, n) * step * (rng.random(n) < near)
        columns.append(numeric_column(f"x{j}", base + moved))
    order = columns[0].codes + rng.integers(0, 2, n)
    if n_classes:
        target = level_column("y", "nominal", order % n_classes, tuple("abc"[:n_classes]))
    else:
        target = numeric_column("y", np.round(order % 7 + rng.normal(size=n), 3))
    return tc.Table((*columns, target), target="y", features=tuple(c.name for c in columns))


@given(st.data())
@settings(max_examples=200)
def test_values_as_near_as_the_rule_counts_as_one_are_never_parted(data):
    table = data.draw(near_tables().filter(trainable))
    growth = replace(data.draw(growths(len(table.classes))), threshold="float32", missing="majority", tolerance=1e-10)
    growth = replace(growth, **data.draw(st.sampled_from([{}, {}, *COMPETING])))
    assume(is_fast(table, growth))
    ours, general = grown_by_both(table, growth, data.draw(st.sampled_from(list(SIZES))))
    for tree in (ours, grower.grow_tree(table, growth)):
        if tree is not None:
            are_alike(tree, general)


def test_no_feature_is_drawn_in_the_place_of_one_whose_near_cut_is_refused():
    """x0 offers a cut between near values alone, which is none: another feature must be drawn instead."""
    near = numeric_column("x0", 0.5 + 6e-8 * np.array([0, 1, 1, 0, 0, 1]))
    apart = numeric_column("x1", np.array([1.0, 2.0, 1.0, 2.0, 1.0, 2.0]))
    y = level_column("y", "nominal", [0, 1, 0, 1, 0, 1], ("a", "b"))
    table = tc.Table((near, apart, y), target="y", features=("x0", "x1"))
    growth = tc.GrowSettings(threshold="float32", max_features="count", n_features=1, min_gain=0.2)
    for seed in range(6):
        assert tc.grow(table, replace(growth, seed=seed)).splits.feature.tolist() == [1, -1, -1]
    assert not is_fast(table, growth)
    assert is_fast(table, replace(growth, min_gain=0.0, zero_gain="split"))
    for competing in COMPETING:
        assert not is_fast(table, tc.GrowSettings(threshold="float32", **competing))


def are_alike(one, other):
    """The same but for the last digits of sums of numbers, which are added up in another order."""
    found = differing(one, other)
    assert not found or not one.classes
    for name, (ours, theirs) in found.items():
        assert name in ("stats", "impurity", "gain", "score", "center")
        told = [np.array(v, float) for v in (ours, theirs)]
        assert np.allclose(*told, rtol=1e-9, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("n_classes", [0, 2])
def test_few_values_near_each_other_leave_a_tree_to_the_fast_kernels(n_classes):
    """Of 3,000 normal numbers some are within 1e-7; here a cut between two such would be the best of all."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(3000, 2))
    at = np.sort(x[:, 0])[1500]
    x[:2, 0] = at - 4e-8, at + 4e-8
    low = x[:, 0] < at
    y = low.astype(int) if n_classes else np.where(low, 0.0, 9.0) + rng.normal(size=3000).round(3)
    table = tc.from_arrays(x, y, classes="ab"[:n_classes] or None)
    growth = tc.GrowSettings(threshold="float32", missing="both_ways", zero_gain="split")
    parted, general = grown_by_both(table, replace(growth, threshold="midpoint"))
    assert at - 4e-8 < parted.splits.threshold[0] < at + 4e-8
    ours, general = grown_by_both(table, growth)
    are_alike(ours, general)
    assert not at - 4e-8 < ours.splits.threshold[0] < at + 4e-8


def grown_with(share, table, growth, sizes, monkeypatch):
    """(the tree where nodes of at most this share of the rows are grown again alone, how often that was tried with
    success, how often all was grown)."""
    mended, whole, put_back, grown = [], [], grow_module.put_back, grow_module._grown
    monkeypatch.setattr(values_apart, "MOST_AGAIN", share)
    monkeypatch.setattr(grow_module, "put_back", lambda *a: mended.append(found := put_back(*a)) or found)
    monkeypatch.setattr(grow_module, "_grown", lambda *a: whole.append(1) or grown(*a))
    tree = grow_module.grow_fast(table, growth, sizes=sizes)
    monkeypatch.undo()
    return tree, sum(found is not None for found in mended), len(whole)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("n_classes", [0, 2])
@pytest.mark.parametrize("missing", ["majority", "both_ways"])
@pytest.mark.parametrize("sizes", [grow_module.SIZES, Sizes(whole=60, local=8)], ids=["whole", "small blocks"])
def test_below_a_cut_between_near_values_alone_a_tree_is_grown_again(n_classes, gaps, missing, sizes, monkeypatch):
    n_mended = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x = np.round(rng.random((1500, 3)), 2) + 5e-8 * rng.integers(0, 2, (1500, 3)) * (rng.random((1500, 3)) < 0.05)
        y = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=1500) / 3
        if gaps:
            x[rng.random(x.shape) < 0.05] = np.nan
        table = tc.from_arrays(x, (y > 0.7).astype(int) if n_classes else y, classes="ab"[:n_classes] or None)
        growth = tc.GrowSettings(threshold="float32", missing=missing, zero_gain="split")
        alone, mended, whole = grown_with(0.9, table, growth, sizes, monkeypatch)
        again, *_ = grown_with(0.0, table, growth, sizes, monkeypatch)
        are_alike(alone, again)
        n_mended += mended
        assert whole < 3
    assert n_mended > 2


@given(st.data())
@settings(max_examples=100)
def test_ties_are_settled_alike(data):
    sample = data.draw(samples(kinds=("numeric", "ordinal"), missing=False))
    table = sample.table().with_weights(None)
    growth = data.draw(growths(sample.n_classes))
    ours, general = grown_by_both(table, growth, data.draw(st.sampled_from(list(SIZES))))
    assert differing(ours, general) == {}


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_of_cuts_that_mirror_each_other_the_first_is_made(seed):
    """One class in the middle: both its ends are equally good. One may be found between buckets, the other in one."""
    rng = np.random.default_rng(seed)
    outer, inner = rng.integers(150, 400, 2)
    y = np.repeat([0, 1, 0], [outer, inner, outer])
    X = np.sort(rng.normal(size=(len(y), 1)).astype(np.float32), axis=0)
    table = tc.from_arrays(X, y, classes="ab")
    assert differing(*grown_by_both(table, tc.GrowSettings(missing="majority", max_depth=1), "buckets")) == {}


@given(st.data())
@settings(max_examples=60)
def test_numeric_targets_in_buckets_of_several_values_are_split_alike(data):
    """Of any shape: noise, steps, a few numbers far from all others, many that are equal; a second fit too."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n = data.draw(st.integers(256, 3000))
    y = {
        "noise": rng.normal(size=n),
        "few": rng.integers(0, 4, n) / 10,
        "far": rng.normal(size=n) * np.where(rng.random(n) < 0.01, 1e4, 1.0),
        "tails": rng.standard_cauchy(n),
    }[data.draw(st.sampled_from(["noise", "few", "far", "tails"]))]
    x = [rng.integers(0, data.draw(st.sampled_from([2, 30, 300, 10**6])), n).astype(float) for _ in range(3)]
    y = y + data.draw(st.sampled_from([0.0, 3.0])) * (x[0] > np.median(x[0])) + data.draw(st.sampled_from([0, 0, 1e6]))
    columns = [numeric_column(f"x{j}", values) for j, values in enumerate(x)]
    table = tc.Table((*columns, numeric_column("y", y)), target="y", features=("x0", "x1", "x2"))
    assume(trainable(table))
    growth = replace(data.draw(growths(0)), missing="majority", tolerance=1e-10)
    assert plan_for(table, growth).counted
    for _ in range(2):
        assert differing(*grown_by_both(table, growth, "buckets")) == {}


# not 1e-10 itself: of numbers as round as these, two gains may differ by just that
@given(st.integers(0, 2**32 - 1), st.sampled_from([1.3e-11, 1.3e-10]))
@settings(max_examples=60)
def test_numbers_in_far_clusters_are_split_alike(seed, tolerance):
    """Where sums around the mean of all rows nearly cancel, rounding settles ties: in both growers the same way."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 60))
    y = rng.integers(0, 3, n) * 10.0 ** rng.integers(0, 9) + rng.integers(0, 3, n) / 10
    columns = [numeric_column(f"x{j}", rng.integers(0, 4, n).astype(float)) for j in range(3)]
    table = tc.Table((*columns, numeric_column("y", y)), target="y", features=("x0", "x1", "x2"))
    assume(trainable(table))
    growth = tc.GrowSettings(tolerance=tolerance)
    assert is_fast(table, growth)
    for sizes in SIZES:
        assert differing(*grown_by_both(table, growth, sizes)) == {}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("far", [1e4, 1e7])
def test_ties_hold_between_numbers_that_are_small_beside_a_few(far, weighted):
    """Tenths of which a few are multiplied: in units in which all can be summed up, tenths would be rounded away."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(200, 1000))
        y = rng.integers(0, 60, n) / 10 * np.where(rng.random(n) < 0.03, far, 1.0)
        columns = [numeric_column(f"x{j}", rng.integers(0, 1000, n).astype(float)) for j in range(3)]
        table = tc.Table((*columns, numeric_column("y", y)), target="y", features=("x0", "x1", "x2"))
        table = table.with_weights(rng.integers(1, 3, n) + 0.0) if weighted else table
        assert is_fast(table, tc.GrowSettings())
        assert differing(*grown_by_both(table, tc.GrowSettings())) == {}


def test_what_is_not_plain_is_left_to_the_general_grower():
    x, y = numeric_column("x", np.arange(6.0)), level_column("y", "nominal", [0, 1, 0, 1, 1, 0], ("a", "b"))
    gap = numeric_column("gap", np.array([1.0, np.nan, 2.0, 3.0, 4.0, 5.0]))
    word = level_column("word", "nominal", [0, 1, 0, 1, 1, 0], ("a", "b"))
    table = tc.Table((x, gap, word, y), target="y", features=("x",))
    assert is_fast(table, tc.GrowSettings())
    assert is_fast(table, tc.GrowSettings(missing="surrogates"))
    twice, uneven = table.with_weights(np.full(6, 2.0)), table.with_weights(np.full(6, 0.5))
    assert is_fast(twice, tc.GrowSettings())
    assert not is_fast(twice, tc.GrowSettings(missing="surrogates"))
    assert not is_fast(uneven, tc.GrowSettings())
    by_cuts = tc.GrowSettings(criterion=WITHOUT_SCAN)
    assert is_fast(table, by_cuts)
    assert not is_fast(twice, by_cuts)
    assert not is_fast(table.with_features(("x", "word")), by_cuts)
    for features, missing, fast in (
        ("gap", "majority", True), ("gap", "surrogates", True), ("gap", "own_value", True), ("gap", "stay", True),
        ("word", "majority", True), ("word", "surrogates", True), ("gap word", "surrogates", False),
    ):  # fmt: skip
        asked = table.with_features(("x", *features.split()))
        assert is_fast(asked, tc.GrowSettings(missing=missing)) == fast
    known = tc.GrowSettings(missing="surrogates", surrogate_style="known")
    assert not is_fast(table.with_features(("x", "gap")), known)
    for other in (
        {"score": "mdl_gain_ratio"}, {"selector": "j48"}, {"selector": "average_gain"},
        {"score": "gain_ratio", "max_features": "count"}, {"selector": "reptree", "tolerance": 0.01},
        {"cuts": "boundaries"}, {"priors": (0.5, 0.5)}, {"loss": ((0, 1), (2, 0))},
        {"costs": {"x": 2.0}},
        {"criterion": "cost_gini", "loss": ((0, 1), (2, 0))},
        {"test": "chi_square"}, {"size_penalty": 0.1}, {"patience": 2},
        {"numeric": "equal_width"}, {"selector": "conditional"}, {"tolerance": 0.0},
    ):  # fmt: skip
        assert not is_fast(table, tc.GrowSettings(**other)), other


@pytest.mark.parametrize("asked", COMPETING)
def test_ratios_and_whole_gains_are_fast_where_all_rows_count_once(asked):
    x, y = numeric_column("x", np.arange(6.0)), level_column("y", "nominal", [0, 1, 0, 1, 1, 0], ("a", "b"))
    gap = numeric_column("gap", np.array([1.0, np.nan, 2.0, 3.0, 4.0, 5.0]))
    word = level_column("word", "nominal", [0, 1, 0, 1, 1, 0], ("a", "b"))
    table, growth = tc.Table((x, gap, word, y), target="y", features=("x",)), tc.GrowSettings(**asked)
    assert is_fast(table, growth)
    assert not is_fast(table.with_weights(np.full(6, 2.0)), growth)
    assert not any(is_fast(table.with_features(("x", other)), growth) for other in ("gap", "word"))


def test_a_long_fit_can_be_stopped_between_nodes(monkeypatch):
    rng = np.random.default_rng(0)
    x, y = numeric_column("x", rng.random(3000)), level_column("y", "nominal", rng.integers(0, 2, 3000), ("a", "b"))
    table, seen = tc.Table((x, y), target="y", features=("x",)), []
    monkeypatch.setattr("treecore.growing.fast.fast_growth.BUDGET", 10_000)

    def stop_at_the_third(progress):
        seen.append(progress)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tc.grow(table, tc.GrowSettings(), progress=stop_at_the_third)
    assert [p.n_waiting > 0 for p in seen] == [True] * 3
    assert seen[0].n_nodes < seen[1].n_nodes < seen[2].n_nodes
