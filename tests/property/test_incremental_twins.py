"""Trees that are fed with rows, against regrowth from all rows: the same, node for node."""

import itertools
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_twins import samples
from tests.property.test_uncompiled_twins import differing
from treecore.growing.grower import grow_tree
from treecore.incremental import Bound, ExactTree, HoeffdingTree
from treecore.kernels.state import N_NODES
from treecore.kernels.sums import impurity_of

CRITERIA = ("gini", "entropy", "misclassification", "half_gini")


@st.composite
def growths(draw):
    """Mostly such as splits follow from the rows of their node."""
    pick = lambda *values: draw(st.sampled_from(values))  # noqa: E731
    return tc.GrowSettings(
        criterion=pick(*CRITERIA),
        score=pick("decrease", "decrease", "decrease", "gain_ratio"),
        selector=pick("best", "best", "average_gain"),
        nominal=pick("subset", "multiway", "one_level"),
        threshold=pick("midpoint", "data_value", "low_value"),
        missing=pick("majority", "majority", "majority", "fractional", "surrogates"),
        max_surrogates=0,
        zero_gain=pick("stop", "stop", "split"),
        max_depth=pick(None, None, 2),
        max_leaves=pick(None, None, None, None, 3),
        min_rows_split=pick(2, 2, 6),
        min_rows_leaf=pick(1, 1, 3),
        min_impurity=pick(0.0, 0.0, 0.2),
        min_gain=pick(0.0, 0.0, 0.04),
        leaf_shares=pick("counted", "m_estimate"),
    )


def batches(draw, n: int) -> list[int]:
    """Where a batch ends and the next one begins."""
    size, stops = draw(st.integers(1, 4)), [draw(st.integers(1, n))]
    while stops[-1] < n:
        stops.append(min(stops[-1] + size, n))
    return stops


def check(table: tc.Table, growth: tc.GrowSettings, stops: list[int], parts) -> None:
    tree = ExactTree(parts(0, stops[0]), growth)
    for first, stop in zip(stops, stops[1:] + stops[-1:], strict=True):
        assert differing(tree.tree, grow_tree(table.take(np.arange(first)), growth, any_target=True)) == {}
        step = tree.add(parts(first, stop))
        assert (step.n_rows, step.n_new) == (stop, stop - first) == (tree.n_rows, stop - first)


@given(st.data())
@settings(max_examples=40)
def test_it_is_the_tree_that_grows_of_all_rows(data):
    """Few values, so that cuts tie; rows that share the encoding of one table."""
    kinds = data.draw(st.sampled_from([("numeric", "ordinal"), ("numeric", "ordinal", "nominal", "boolean")]))
    n_classes, gaps = data.draw(st.sampled_from([(2, False), (3, False), (2, True), (3, True)]))
    sample = data.draw(samples(n_classes=n_classes, kinds=kinds, missing=gaps))
    if data.draw(st.integers(0, 4)) or sample.weights is None:
        sample.weights = None
    else:
        sample.weights[0] = 1.0
    table = sample.table()
    take = lambda first, stop: table.take(np.arange(first, stop))  # noqa: E731
    check(table, data.draw(growths()), batches(data.draw, table.n_rows), take)


@given(st.data())
@settings(max_examples=40)
def test_rows_that_were_read_on_their_own(data):
    """Their numbers are put among the others; with gaps."""
    sample = data.draw(samples(n_classes=2))
    sample.weights = None
    build = lambda first, stop: sample.table(range(first, stop))  # noqa: E731
    check(build(0, sample.n_rows), data.draw(growths()), batches(data.draw, sample.n_rows), build)


@given(st.integers(0, 10_000), st.sampled_from(CRITERIA), st.sampled_from([0, 3]))
@settings(max_examples=10)
def test_deeper_trees_of_single_rows(seed, criterion, n_decimals):
    rng = np.random.default_rng(seed)
    X, n = rng.normal(size=(140, 3)).round(n_decimals), 140
    y = (X[:, 0] * X[:, 1] + rng.normal(size=n) > 0).astype(int)
    table = tc.from_arrays(X, y, classes="ab")
    growth = tc.GrowSettings(criterion=criterion, min_rows_leaf=1 + seed % 3)
    tree = ExactTree(table.take(np.arange(90)), growth)
    for row in range(90, n):
        tree.add(table.take(np.array([row])))
        if row % 10 == 9:
            grown = grow_tree(table.take(np.arange(row + 1)), growth)
            assert differing(tree.tree, grown) == {}


@given(st.integers(0, 10_000), st.sampled_from(CRITERIA), st.sampled_from([0, 1, 3]), st.sampled_from([2, 3, 20]))
@settings(max_examples=10)
def test_batches_that_move_thresholds_and_many_rows(seed, criterion, n_decimals, n_classes):
    """What decides the class shifts by a quarter of the values, while rows come singly and by the dozen."""
    rng, n = np.random.default_rng(seed), 220
    X = rng.normal(size=(n, 3)).round(n_decimals)
    y = np.digitize(X[:, 0] + np.where(np.arange(n) < 100, 0.0, 0.7), np.linspace(0.0, 1.0, n_classes)[:-1])
    y = np.where(rng.random(n) < 0.1, rng.integers(0, n_classes, n), y)
    table = tc.from_arrays(X, y, classes="abcdefghijklmnopqrst"[:n_classes])
    growth = tc.GrowSettings(criterion=criterion, min_rows_leaf=1 + seed % 2)
    stops = np.unique([80, *np.minimum(80 + np.cumsum(rng.choice([1, 1, 2, 12, 40], 40)), n)]).tolist()
    tree = ExactTree(table.take(np.arange(80)), growth)
    for first, stop in itertools.pairwise(stops):
        tree.add(table.take(np.arange(first, stop)))
        assert differing(tree.tree, grow_tree(table.take(np.arange(stop)), growth)) == {}


@given(st.integers(0, 10_000), st.sampled_from(CRITERIA), st.sampled_from([0, 3]), st.sampled_from([2, 3]))
@settings(max_examples=12)
def test_no_cut_gains_more_than_the_bound_of_its_block(seed, criterion, n_decimals, n_classes):
    """Rows that come one by one raise the bounds, and are in no order yet."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(160, 2)).round(n_decimals), rng.integers(0, n_classes, 160)
    table = tc.from_arrays(X, y, classes="abc"[:n_classes])
    tree = ExactTree(table.take(np.arange(100)), tc.GrowSettings(criterion=criterion, min_rows_leaf=1 + seed % 2))
    for row in range(100, 160):
        tree.add(table.take(np.array([row])))
    found = list(blocks(tree, X, y, n_classes))
    assert found
    assert [(gain, bound) for gain, bound in found if gain > bound + 1e-9] == []


def blocks(tree: ExactTree, X, y, n_classes):
    """(the best gain times the weight, its bound) of every block with a cut, by the formula."""
    fed, judge = tree._nodes._fed, tree._problem.judge
    mass = lambda y: len(y) * impurity_of(judge, np.bincount(y, minlength=n_classes).astype(float), float(len(y)))  # noqa: E731
    for slot, start, stop, n_late, f in kept_features(fed):
        waiting = n_late - fed.merged[slot, f]
        rows = [*fed.growing.order[f, start : stop - waiting], *fed.late[slot, n_late - waiting : n_late]]
        x, label = X[rows, f], y[rows]
        begin, best = fed.left[slot, f].sum(axis=1), {}
        for low in np.unique(x)[:-1]:
            gain = mass(label) - mass(label[x <= low]) - mass(label[x > low])
            block = np.flatnonzero(begin <= np.count_nonzero(x <= low) - 1)[-1]
            best[block] = max(gain, best.get(block, 0.0))
        for block, gain in best.items():
            yield gain, fed.upper[slot, f, block]


def kept_features(fed):
    """(slot, start, stop, late rows, feature) of the nodes that keep their rows, with every feature."""
    for i in range(fed.growing.counts[N_NODES]):
        node, kept = fed.growing.nodes[i], fed.slices[i]
        if kept["slot"] >= 0:
            for f in range(len(fed.growing.order)):
                yield *(int(number) for number in (kept["slot"], node["start"], node["stop"], kept["n_late"])), f


def test_where_nothing_reaches_beyond_a_node_nothing_else_is_grown():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 3))
    table = tc.from_arrays(X, (X[:, 0] > 0).astype(int), classes="ab")
    tree = ExactTree(table.take(np.arange(200)), tc.GrowSettings())
    steps = [tree.add(table.take(np.array([row]))) for row in range(200, 300)]
    assert not any(step.whole for step in steps)
    assert sum(step.regrown for step in steps) < 10
    limited = replace(tc.GrowSettings(), max_leaves=3)
    assert ExactTree(table, limited).add(table).whole


@given(st.data())
@settings(max_examples=40)
def test_a_stream_may_come_in_any_batches(data):
    """Also where numbers come between former ones; nodes count the rows that the tree sends there."""
    sample = data.draw(samples(n_classes=2))
    sample.weights = None
    growth, bound = tc.GrowSettings(criterion="entropy"), Bound(data.draw(st.integers(1, 6)), 0.3, 0.05)
    stops = batches(data.draw, sample.n_rows)
    tree = HoeffdingTree(sample.table(range(stops[0])), growth, bound)
    for first, stop in itertools.pairwise(stops):
        tree.add(sample.table(range(first, stop)))
    at_once = HoeffdingTree(sample.table(), growth, bound).tree
    assert differing(tree.tree, at_once) == {}
    at = np.bincount(at_once.apply(sample.table()), minlength=at_once.n_nodes)
    assert at[at_once.is_leaf].tolist() == at_once.n_rows[at_once.is_leaf].tolist()
