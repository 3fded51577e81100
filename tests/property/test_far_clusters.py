"""Numeric targets in clusters far apart: growing, pruning, curves and words against exact fractions.

The squares of the distance between the clusters have as many digits as a double: what is within a cluster must not be
looked for in what is left of them.
"""

import itertools
from functools import partial

import numpy as np
import pytest
from gmpy2 import mpq

import treecore as tc
from tests.property.naive import Sample, check_growth
from treecore.growing import engine_choice as deciding
from treecore.growing import grower
from treecore.growing.fast.fast_growth import Sizes, grow_fast
from treecore.growing.rebuild_node import why_leaf
from treecore.growing.settings.engine_plan import plan_for
from treecore.tree.node_statistics import node_statistics

DISTANCES = [1.0, 1e5, 1e6, 3e7, 1e9, 1e12]
"""From all of the squares' digits on, to none."""
OFFSETS = [0.0, 1.0]
"""How far the clusters are from 0, in distances between them."""
ENGINES = ["fast", "buckets", "general", "uncompiled"]
SMALL = Sizes(numbers=3, exact_numbers=3, table=2, exact_table=2)


def sample_of(distance, offset=0.0, n=40, seed=0, kinds=("numeric", "numeric", "nominal"), weights=False, missing=0.0):
    """Rows in two clusters, within which other features tell something."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 8 if kind == "numeric" else 3, n).astype(float).tolist() for kind in kinds]
    far = rng.random(n) < 0.5
    columns[0] = np.where(far, 4 + rng.integers(0, 4, n), rng.integers(0, 4, n)).astype(float).tolist()
    near = sum((i + 1) * np.array(c) / 8 for i, c in enumerate(columns)) + rng.integers(0, 16, n) / 64
    y = (far * distance + near + offset * distance).tolist()
    for c in columns[1:]:
        for i in np.flatnonzero(rng.random(n) < missing):
            c[i] = None
    for f in np.flatnonzero(np.array(kinds) == "nominal"):
        columns[f] = [None if v is None else int(v) for v in columns[f]]
    drawn = rng.integers(1, 4, n).astype(float).tolist() if weights else None
    return Sample(list(kinds), columns, [3 if k == "nominal" else 0 for k in kinds], y, 0, drawn)


def grown(table, engine, **settings):
    """The tree, by the fast kernels (from sorted blocks, or buckets first), the general ones, or in NumPy."""
    with pytest.MonkeyPatch.context() as patched:
        if engine == "buckets":
            patched.setattr(grower, "grow_fast", partial(grow_fast, sizes=SMALL))
            patched.setattr(grower, "has_buckets", lambda: True)
        if engine in ("general", "uncompiled"):
            patched.setattr(deciding, "plan_for", lambda *asked: plan_for(*asked)._replace(fast_parts=()))
        if engine == "uncompiled":
            patched.setattr(deciding, "should_grow_in_numpy", lambda *_: True)
            patched.setattr(deciding.compiling, "start", lambda parts: None)
        return tc.grow(table, **settings)


def rows_of(tree, table):
    """Node -> its rows, of tables without missing values."""
    rows = [[] for _ in range(tree.n_nodes)]
    for i, leaf in enumerate(tree.apply(table)):
        for node in tree.path(leaf):
            rows[node].append(i)
    return rows


def squares(y, weights, rows, around=None):
    """Exact sum of squares of these rows around a number, their mean without one."""
    w = [mpq(weights[i]) for i in rows]
    middle = sum(a * mpq(y[i]) for a, i in zip(w, rows, strict=True)) / sum(w) if around is None else mpq(around)
    return sum(a * (mpq(y[i]) - middle) ** 2 for a, i in zip(w, rows, strict=True))


def off(number, exact):
    """Relative error."""
    return float(abs(mpq(float(number)) - exact) / exact) if exact else float(abs(mpq(float(number))))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("distance", DISTANCES)
def test_trees_are_those_of_exact_arithmetic(distance, offset, engine):
    for seed, settings in enumerate(({}, {"max_leaves": 9}, {"max_depth": 4, "min_rows_leaf": 2})):
        kinds = ("numeric",) * 3 if seed == 2 else ("numeric", "numeric", "nominal")
        sample = sample_of(distance, offset, seed=seed, kinds=kinds)
        growth = tc.GrowSettings(criterion="squared_error", **settings)
        check_growth(sample, growth, grown(sample.table(), engine, **settings))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("distance", DISTANCES)
def test_trees_with_weights_and_missing_values(distance, engine):
    for seed, (weights, missing) in enumerate(((True, 0.0), (False, 0.2), (True, 0.2))):
        sample = sample_of(distance, seed=seed, weights=weights, missing=missing)
        growth = tc.GrowSettings(criterion="squared_error", missing="majority")
        check_growth(sample, growth, grown(sample.table(), engine, missing="majority"))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("distance", DISTANCES)
def test_impurities_gains_and_means_have_full_precision(distance, offset, engine):
    sample = sample_of(distance, offset, n=80, weights=True)
    table = sample.table()
    tree, y, w = grown(table, engine), sample.target, sample.weights
    rows = rows_of(tree, table)
    total = [squares(y, w, r) for r in rows]
    for t, here in enumerate(rows):
        weight = sum(mpq(w[i]) for i in here)
        assert off(tree.impurity[t], total[t] / weight) < 1e-13
        assert off(tree.value[t], sum(mpq(w[i]) * mpq(y[i]) for i in here) / weight) < 4e-16
        if not tree.is_leaf[t]:
            apart = (total[t] - sum(total[c] for c in tree.children(t))) / weight
            assert off(tree.gain[t], apart) < 1e-13
    np.testing.assert_allclose(node_statistics(tree, table), tree.stats, rtol=1e-9, atol=1e-9 * tree.impurity.max())


@pytest.mark.parametrize("strategy", ["fractional", "surrogates", "own_value", "stay", "majority"])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_large_distance_changes_no_tree(strategy, engine):
    """Within the clusters, whatever is done with missing values."""
    found = []
    for distance in (1e4, 1e10):
        sample = sample_of(distance, n=60, missing=0.2, seed=3)
        sample.columns[0] = [None if v is None else v for v in sample.columns[0]]
        tree = grown(sample.table(), engine, missing=strategy)
        found.append((tree.splits.feature.tolist(), tree.n_rows.tolist(), tree.impurity, tree.gain))
    assert found[0][:2] == found[1][:2]
    inside = found[0][2] < 1e6
    np.testing.assert_allclose(found[0][2][inside], found[1][2][inside], rtol=1e-5)


@pytest.mark.parametrize("distance", DISTANCES)
def test_medians_and_absolute_errors(distance):
    sample = sample_of(distance)
    table = sample.table()
    tree = tc.grow(table, criterion="absolute_error")
    y = np.array(sample.target)
    for t, here in enumerate(rows_of(tree, table)):
        middle = np.median(y[here])
        assert tree.value[t] == pytest.approx(middle, rel=1e-15)
        assert tree.impurity[t] == pytest.approx(np.abs(y[here] - middle).mean(), rel=1e-13)
    assert (tree.impurity[tree.is_leaf] < 2).all()


def weakest_links(tree, risk):
    """[(alpha, leaves)] of the nested sequence by exact fractions; links are equal up to what tells them apart here."""
    leaf, steps = set(np.flatnonzero(tree.is_leaf).tolist()), []

    def below(t):
        return [t] if t in leaf else [x for c in tree.children(t) for x in below(c)]

    steps.append((mpq(0), len(below(0))))
    while 0 not in leaf:
        standing, todo = [], [0]
        while todo:
            t = todo.pop()
            if t not in leaf:
                standing.append(t)
                todo += tree.children(t)
        link = {t: (risk[t] - sum(risk[x] for x in below(t))) / (len(below(t)) - 1) for t in standing}
        least = min(link.values())
        leaf |= {t for t in standing if link[t] <= least * (1 + mpq(1, 10**9))}
        steps.append((least, len(below(0))))
    return steps


@pytest.mark.parametrize("by", ["error", "impurity"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_cost_complexity_is_that_of_exact_arithmetic(distance, by):
    sample = sample_of(distance, n=60)
    table = sample.table()
    tree, ones = tc.grow(table), [1.0] * sample.n_rows
    # errors are those of the answers, which are means rounded to doubles
    around = tree.value if by == "error" else [None] * tree.n_nodes
    rows = enumerate(rows_of(tree, table))
    risk = [squares(sample.target, ones, here, around[t]) / sample.n_rows for t, here in rows]
    steps, exact = tc.sequence(tree, by), weakest_links(tree, risk)
    assert steps.n_leaves.tolist() == [n for _, n in exact]
    assert max(off(a, b) for a, (b, _) in zip(steps.alpha, exact, strict=True)) < 1e-11
    curve = steps.curve(table)
    for k in range(len(steps)):
        pruned = tree.cut(steps.cuts(k))
        answers = pruned.predict(table)
        error = sum((mpq(a) - mpq(float(b))) ** 2 for a, b in zip(sample.target, answers, strict=True)) / sample.n_rows
        assert off(curve[k], error) < 1e-9 or float(error) < 1e-12
    alpha = [float(a + b) / 2 for (a, _), (b, _) in itertools.pairwise(exact)]
    kept = [tree.cut(tc.prune(tree, "cost_complexity", alpha=a)).n_leaves for a in alpha]
    assert kept == [n for _, n in exact[:-1]]


@pytest.mark.parametrize("distance", DISTANCES)
def test_reduced_error_is_that_of_exact_arithmetic(distance):
    sample, other = sample_of(distance, n=60), sample_of(distance, n=60, seed=7)
    tree, validation = tc.grow(sample.table()), other.table()
    rows, ones = rows_of(tree, validation), [1.0] * other.n_rows
    as_leaf = [squares(other.target, ones, here, tree.value[t]) for t, here in enumerate(rows)]
    now, cut = list(as_leaf), set()
    for t in reversed(np.flatnonzero(~tree.is_leaf).tolist()):
        branches = sum(now[c] for c in tree.children(t))
        if as_leaf[t] <= branches:
            cut.add(t)
        now[t] = min(as_leaf[t], branches)
    cuts = tc.prune(tree, "reduced_error", validation=validation)
    leaves = np.isin(np.arange(tree.n_nodes), list(cut)) | tree.is_leaf
    assert tree.cut(cuts).n_leaves == tree.pruned_at(leaves).n_leaves
    error = tc.sequence(tree).curve(validation)
    assert off(error[0], sum(as_leaf[t] for t in np.flatnonzero(tree.is_leaf)) / other.n_rows) < 1e-9


@pytest.mark.parametrize("distance", DISTANCES)
def test_a_leaf_is_said_to_have_one_value_only_if_it_has(distance):
    sample = sample_of(distance, n=60)
    table = sample.table()
    tree = tc.grow(table, max_depth=3)
    for t, here in enumerate(rows_of(tree, table)):
        told = why_leaf(tree, t, None) if tree.is_leaf[t] else ""
        assert ("one value" in told) == (bool(tree.is_leaf[t]) and len({sample.target[i] for i in here}) == 1)
