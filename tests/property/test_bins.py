"""Numeric features that branch by bins grow as nominal ones whose levels are the bins, and route raw numbers."""

import bisect
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_binary_chain import same_answers
from tests.property.test_core_twins import samples
from treecore.data.discretize import BINNINGS, binned_column, cuts_of
from treecore.growing.inspect.landscape import landscape
from treecore.kernels.codes import CUTS, LEVELS, STAYS
from treecore.study.regions import node_box, regions
from treecore.tree.binary_chain import answered_alike, binary_chain
from treecore.tree.node_statistics import node_statistics
from treecore.tree.predict import end_nodes

FEW = settings(max_examples=25)
MISSING = ("majority", "fractional", "own_value", "both_ways", "stay", "node_value", "surrogates", "surrogates_only")
NUMBERS = [None, -1.0, 0.0, 0.25, 0.5, 1.0, 1.25, 1.5, 2.0, 2.5, 9.0]


@st.composite
def by_bins(draw, kinds=("numeric", "numeric", "nominal", "ordinal"), missing=MISSING, n_classes=None):
    """(sample, growth): of a sample with a numeric feature, which branches by bins."""
    sample = draw(samples(n_classes=n_classes, kinds=kinds))
    assume("numeric" in sample.kinds)
    methods = [b.name for b in BINNINGS.values() if sample.n_classes or not b.needs_classes]
    chosen = {
        "numeric": draw(st.sampled_from(methods)),
        "bins": draw(st.integers(2, 5)),
        "nominal": draw(st.sampled_from(["multiway", "subset"])),
        "missing": draw(st.sampled_from(missing)),
        "criterion": draw(st.sampled_from(["gini", "entropy"])) if sample.n_classes else "squared_error",
        "score": draw(st.sampled_from(["decrease", "gain_ratio"])),
        "min_rows_leaf": draw(st.sampled_from([1, 1, 2])),
        "threshold": draw(st.sampled_from(["midpoint", "float32"])),
        "empty_leaf": draw(st.sampled_from(["parent", "none"])) if sample.n_classes else "parent",
    }
    return sample, tc.GrowSettings(**chosen)


def grown(pair):
    sample, growth = pair
    return tc.grow(sample.table(), growth)


def as_nominal(table, growth):
    """The table with every numeric feature as a nominal one whose levels are its bins."""

    def column(c):
        if c.kind != "numeric" or c.name == table.target:
            return c
        return replace(binned_column(c, cuts_of(table, c.name, growth.numeric, growth.bins)), kind="nominal")

    return replace(table, columns=tuple(column(c) for c in table.columns))


@given(by_bins())
@FEW
def test_a_tree_by_bins_is_the_tree_of_nominal_bins(pair):
    sample, growth = pair
    assume(growth.nominal == "multiway" or set(sample.kinds) <= {"numeric", "ordinal"})
    table = sample.table()
    tree = tc.grow(table, growth)
    twin = tc.grow(as_nominal(table, growth), replace(growth, numeric="threshold", nominal="multiway"))
    assert tree.parent.tolist() == twin.parent.tolist()
    assert tree.splits.feature.tolist() == twin.splits.feature.tolist()
    assert tree.splits.missing_branch.tolist() == twin.splits.missing_branch.tolist()
    assert tree.answer.tolist() == twin.answer.tolist()
    np.testing.assert_array_equal(tree.stats, twin.stats)
    np.testing.assert_array_equal(tree.gain, twin.gain)
    for node in np.flatnonzero(tree.splits.kind == CUTS):
        assert twin.splits.kind[node] == LEVELS
        f = tree.schema.features[tree.splits.feature[node]]
        cuts = cuts_of(table, f.name, growth.numeric, growth.bins).tolist()
        own = growth.missing in ("own_value", "both_ways") and table.column(f.name).n_missing > 0
        assert cuts_at(tree, node) == cuts + [np.inf] * own
        assert tree.n_children[node] == len(cuts) + 1 + own
        assert not tree.splits.closed[node]


def cuts_at(tree, node) -> list:
    start, stop = tree.splits.cut_start[node : node + 2]
    return tree.splits.cuts[start:stop].tolist()


@given(by_bins())
@FEW
def test_training_rows_are_where_they_were_counted_and_the_tree_can_be_saved(pair):
    tree, table = grown(pair), pair[0].table()
    assert not {int(f) for f in tree.splits.feature[tree.splits.kind == 1]} & numeric_ones(tree)
    np.testing.assert_allclose(node_statistics(tree, table), tree.stats, rtol=1e-12, atol=1e-12)
    again = tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict(), allow_nan=False)))
    assert again.to_dict() == tree.to_dict()
    assert again.predict(table).tolist() == tree.predict(table).tolist()


def numeric_ones(tree) -> set:
    return {f for f, feature in enumerate(tree.schema.features) if feature.numeric}


def probe(sample) -> pd.DataFrame:
    """Rows in which every feature takes each of a few values, the others drawn."""
    rng = np.random.default_rng(0)
    cells = [
        NUMBERS if k == "numeric" else [None, *(f"x{f}={v}" for v in range(sample.levels[f]))]
        for f, k in enumerate(sample.kinds)
    ]
    rows = [[c[rng.integers(len(c))] for c in cells] for _ in range(60)]
    return pd.DataFrame({f"x{f}": pd.Series([r[f] for r in rows], dtype=object) for f in range(len(cells))})


def walked(tree, row) -> int:
    """The node where a row of numbers ends: the branch of a value is the number of cuts that are not above it."""
    node = 0
    while not tree.is_leaf[node]:
        value = row.iloc[tree.splits.feature[node]]
        if value is None:
            branch = tree.splits.missing_branch[node]
            if branch == STAYS:
                return node
        else:
            branch = bisect.bisect_right(cuts_at(tree, node), value)
        node = int(tree.first_child[node] + branch)
    return node


@given(by_bins(kinds=("numeric",), missing=("majority", "own_value", "stay", "node_value")))
@FEW
def test_raw_numbers_take_the_branch_of_their_bin(pair):
    tree, rows = grown(pair), probe(pair[0])
    assert end_nodes(tree, rows).tolist() == [walked(tree, row) for _, row in rows.iterrows()]


@given(by_bins())
@FEW
def test_a_numeric_feature_has_one_candidate_with_a_branch_per_bin(pair):
    table, tree = pair[0].table(), grown(pair)
    for node in range(tree.n_nodes):
        listed, parts = tc.candidates(tree, node, table), landscape(tree, node, table).parts
        for f in numeric_ones(tree):
            (found,) = listed.of(f"x{f}") or (None,)
            if found is None:
                continue
            assert found.threshold is None
            assert {b for (b,) in found.branches} <= {*tree.schema.features[f].level_names, "missing"}
            bars = [p for p in parts if p.feature == f"x{f}"]
            assert len(bars[0].groupings) == 1
        chosen = [c for c in listed.ranked if c.chosen]
        assert len(chosen) == (not tree.is_leaf[node])
        if chosen and tree.splits.kind[node] == CUTS:
            assert chosen[0].gain == pytest.approx(tree.gain[node], abs=1e-12)


@given(by_bins())
@FEW
def test_a_chain_of_thresholds_answers_alike(pair):
    sample, _ = pair
    tree = grown(pair)
    chain = binary_chain(tree)
    assert (chain.tree.splits.kind != CUTS).all()
    assert set(chain.tree.n_children.tolist()) <= {0, 2}
    for name in ("missing_rows", "missing_weight", "score", "gain", "stats", "n_rows"):
        assert len(getattr(chain.tree, name)) == chain.tree.n_nodes
    assert len(chain.tree.surrogate_rows) == len(chain.tree.surrogate_adjusted) == len(chain.tree.surrogates)
    rows = probe(sample)
    same_answers(tree, chain, rows)
    if pair[1].missing != "fractional":
        assert answered_alike(tree, chain, rows).all()


@given(by_bins(missing=("majority", "own_value", "stay", "node_value")))
@FEW
def test_links_are_reached_by_the_rows_without_the_value_that_go_on(pair):
    table, tree = pair[0].table(), grown(pair)
    chain = binary_chain(tree)
    np.testing.assert_allclose(node_statistics(chain.tree, table), chain.tree.stats, rtol=1e-12, atol=1e-12)
    ends = end_nodes(chain.tree, table)
    case = np.ones(table.n_rows) if table.weights is None else table.weights
    for node in np.flatnonzero(~chain.tree.is_leaf):
        inside = chain.tree.descendants(node)
        inside[node] = True
        column = table.column(chain.tree.node(node).feature)
        here = inside[ends] & column.missing
        assert chain.tree.missing_rows[node] == np.count_nonzero(here)
        assert chain.tree.missing_weight[node] == pytest.approx(case[here].sum())


@given(by_bins(kinds=("numeric", "numeric", "nominal"), missing=("majority", "own_value", "stay", "surrogates")))
@FEW
def test_regions_are_where_routes_end(pair):
    sample, _ = pair
    assume(sample.kinds.count("numeric") >= 2)
    tree = grown(pair)
    x, y = [f"x{f}" for f, k in enumerate(sample.kinds) if k == "numeric"][:2]
    rows = probe(sample)
    for i in range(3):
        fixed = {name: rows[name].iloc[i] for name in rows if name not in (x, y)}
        found = regions(tree, x, y, fixed, ranges={x: (-2.0, 10.0), y: (-2.0, 10.0)})
        here = rows.assign(**{name: pd.Series([cell] * len(rows), dtype=object) for name, cell in fixed.items()})
        here = here[here[x].notna() & here[y].notna()]
        at = found.index_at(here[x].to_numpy(float), here[y].to_numpy(float))
        assert found.node[at].tolist() == end_nodes(tree, here).tolist()
    for node in np.flatnonzero(tree.is_leaf & (tree.splits.feature[tree.parent] >= 0)):
        assert node_box(tree, int(node), x, y, {x: (-2.0, 10.0), y: (-2.0, 10.0)}).shape[1] == 4


@given(samples(kinds=("numeric", "numeric", "ordinal", "nominal")), st.data())
@FEW
def test_raw_rows_and_binned_rows_get_the_same_answers(sample, data):
    """Prepared by a step of the recipe: cut points of the training rows alone."""
    assume("numeric" in sample.kinds)
    table = sample.table()
    n = data.draw(st.integers(2, sample.n_rows))
    train, rest = table.take(np.arange(n)), table.take(np.arange(n, sample.n_rows))
    assume(len(set(sample.target[:n])) > 1)
    assume(train.weights is None or train.weights.any())
    methods = [b.name for b in BINNINGS.values() if sample.n_classes or not b.needs_classes]
    k, missing = data.draw(st.integers(2, 5)), data.draw(st.sampled_from(["none", "none", "mean"]))
    bins = (("", data.draw(st.sampled_from(methods)), k),)
    try:
        made, made_rest = tc.prepare(train, rest, missing=missing, bins=bins)
        tree = tc.grow(made, tc.GrowSettings(missing=data.draw(st.sampled_from(["majority", "own_value"]))))
    except tc.TreecoreError:
        assume(False)
    expected = tree.predict(made_rest).tolist()
    assert tree.predict(rest).tolist() == expected
    assert tree.predict(rest.to_frame()).tolist() == expected
    assert tree.predict(made_rest.to_frame()).tolist() == expected
