"""A chain of two-way splits answers as the many-way tree it stands for, and its numbers can be counted again."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_twins import samples
from tests.unit.test_tree_by_hand import splits, tree
from treecore.criteria import CRITERIA
from treecore.data.samples import read_sample
from treecore.kernels.codes import CUTS, LEVELS, SHARED, STAYS, THRESHOLD
from treecore.tree import FeatureSchema, Schema
from treecore.tree.binary_chain import answered_alike, binary_chain
from treecore.tree.node_statistics import node_statistics
from treecore.tree.predict import route

FEW = settings(max_examples=50)
KINDS = ("nominal", "nominal", "numeric", "ordinal")


@st.composite
def many_way(draw, n_classes=None, **growth):
    """(sample, tree): grown with a branch per level, by ID3 where there are classes."""
    sample = draw(samples(n_classes=n_classes, kinds=KINDS))
    if not sample.n_classes:
        growth = {"criterion": "squared_error", "nominal": "multiway"} | growth
    return sample, tc.grow(sample.table(), "id3" if sample.n_classes else tc.GrowSettings(**growth))


def probe_rows(sample):
    """DataFrame: every combination of a few cells per column, blanks and an unseen level among them."""
    numbers = [None, -1.0, 0.75, 9.0]
    cells = [
        numbers if kind == "numeric" else [None, "unseen", *(f"x{f}={v}" for v in range(sample.levels[f]))]
        for f, kind in enumerate(sample.kinds)
    ]
    rows = list(itertools.product(*cells))
    return pd.DataFrame({f"x{f}": pd.Series([r[f] for r in rows], dtype=object) for f in range(len(cells))})


def rerouted(grown, draw):
    """The tree with routes for missing values and unseen levels drawn for every inner node."""

    def routes():
        return [draw(st.sampled_from([STAYS, SHARED, *range(k)])) if k else STAYS for k in grown.n_children.tolist()]

    return replace(grown, splits=replace(grown.splits, missing_branch=routes(), unseen_branch=routes()))


def same_answers(old, chain, rows):
    """Ends are compared by origin, probabilities and means but for rounding, classes where no rounding can decide."""
    a, b = route(old, rows), route(chain.tree, rows)
    assert a.row.tolist() == b.row.tolist()
    assert a.node.tolist() == chain.origin[b.node].tolist()
    assert b.node.tolist() == chain.new_id[a.node].tolist(), "rows end at first links, leaves and what was binary"
    np.testing.assert_allclose(a.share, b.share, rtol=1e-12)
    if not old.classes:
        np.testing.assert_allclose(old.predict(rows), chain.tree.predict(rows), rtol=1e-12, atol=1e-12)
        return
    proba = old.predict_proba(rows)
    np.testing.assert_allclose(proba, chain.tree.predict_proba(rows), rtol=1e-12, atol=1e-15)
    top = np.sort(proba, axis=1)
    clear = ~(top[:, -1] - top[:, -2] < 1e-9) if len(a.row) > len(np.unique(a.row)) else np.ones(len(rows), bool)
    assert old.predict(rows)[clear].tolist() == chain.tree.predict(rows)[clear].tolist()


# predictions


@given(many_way())
@FEW
def test_known_missing_and_unseen_values_get_exactly_the_same_answers(pair):
    sample, old = pair
    new = binary_chain(old).tree
    for rows in (sample.table(), probe_rows(sample)):
        assert old.predict(rows).tolist() == new.predict(rows).tolist()
        if old.classes:
            assert old.predict_proba(rows).tolist() == new.predict_proba(rows).tolist()


@given(many_way(), st.data())
@FEW
def test_rows_that_stay_or_are_shared_do_so_at_the_first_link(pair, data):
    sample, old = pair
    old = rerouted(old, data.draw)
    same_answers(old, binary_chain(old), probe_rows(sample))


@given(many_way(n_classes=3))
@FEW
def test_everything_shared_multiplies_out(pair):
    sample, old = pair
    everywhere = np.where(old.is_leaf, STAYS, SHARED)
    old = replace(old, splits=replace(old.splits, missing_branch=everywhere, unseen_branch=everywhere))
    blank = pd.DataFrame({f"x{f}": pd.Series([None], dtype=object) for f in range(len(sample.kinds))})
    chain = binary_chain(old)
    same_answers(old, chain, blank)
    ends = route(chain.tree, blank)
    np.testing.assert_allclose(ends.share, chain.tree.weight[ends.node] / chain.tree.weight[0], rtol=1e-12)


@given(many_way(n_classes=3))
@FEW
def test_an_empty_branch_may_have_no_answer(pair):
    sample, old = pair
    empty = old.weight == 0
    mute = replace(old, answer=np.where(empty, -1, np.arange(old.n_nodes)))
    chain = binary_chain(mute)
    assert (chain.tree.answer[chain.tree.weight == 0] == -1).all()
    assert mute.predict(probe_rows(sample)).tolist() == chain.tree.predict(probe_rows(sample)).tolist()
    parents = binary_chain(old).tree
    for t in np.flatnonzero(parents.weight == 0):
        assert parents.answer[t] in parents.path(t)
        assert parents.weight[parents.answer[t]] > 0


# the nodes


@given(many_way())
@FEW
def test_nodes_are_binary_and_stem_from_the_old_ones(pair):
    _, old = pair
    chain = binary_chain(old)
    new, k = chain.tree, old.n_children
    assert set(new.n_children.tolist()) <= {0, 2}
    assert np.bincount(chain.origin, minlength=old.n_nodes).tolist() == np.maximum(k - 1, 1).tolist()
    assert chain.origin[chain.new_id].tolist() == list(range(old.n_nodes))
    assert (np.diff(chain.new_id) > 0).all(), "the order of the old nodes stays"
    np.testing.assert_array_equal(new.is_leaf, old.is_leaf[chain.origin])
    np.testing.assert_array_equal(new.stats[chain.new_id], old.stats)
    np.testing.assert_array_equal(new.n_rows[chain.new_id], old.n_rows)
    np.testing.assert_array_equal(new.impurity[chain.new_id], old.impurity)
    np.testing.assert_array_equal(chain.origin[new.answer][chain.new_id], old.answer)
    for t in range(1, new.n_nodes):
        above = int(new.parent[t])
        assert t in new.children(above)
        assert new.node_depth[t] == new.node_depth[above] + 1
        same = chain.origin[t] == chain.origin[above]
        assert same or chain.origin[above] == old.parent[chain.origin[t]]
        assert not same or t == new.children(above)[1], "branch 1 goes on"
    for t in range(old.n_nodes):
        peeled = [c for link in np.flatnonzero(chain.origin == t) for c in new.children(link)]
        assert [int(chain.origin[c]) for c in peeled if chain.origin[c] != t] == list(old.children(t))
    again = tc.Tree.from_dict(json.loads(json.dumps(new.to_dict(), allow_nan=False)))
    assert again.to_dict() == new.to_dict()


@given(many_way())
@FEW
def test_statistics_are_those_of_the_rows_that_come_by(pair):
    sample, old = pair
    table, new = sample.table(), binary_chain(old).tree
    np.testing.assert_allclose(node_statistics(new, table), new.stats, rtol=1e-12, atol=1e-12)
    ends = new.apply(table)
    counted = np.bincount(ends, minlength=new.n_nodes)
    assert new.add_up(counted).tolist() == new.n_rows.tolist()


def entropy(counts):
    shares = [c / sum(counts) for c in counts if c > 0]
    return -sum(p * math.log2(p) for p in shares)


@given(many_way(n_classes=3))
@FEW
def test_impurity_and_gain_follow_from_the_counts(pair):
    _, old = pair
    chain = binary_chain(old)
    new = chain.tree
    for t in np.flatnonzero(old.n_children[chain.origin] > 2):
        a, b = new.children(t)
        left = sum(new.weight[c] / new.weight[t] * entropy(new.stats[c].tolist()) for c in (a, b) if new.weight[c])
        here = entropy(new.stats[t].tolist()) if new.weight[t] else 0.0
        assert new.impurity[t] == pytest.approx(here, abs=1e-12)
        assert new.gain[t] == pytest.approx(here - left, abs=1e-12)
        assert new.gain[t] >= -1e-12


@st.composite
def costly(draw):
    """A sample without missing values and a many-way growth under priors, or costs, or neither."""
    sample = draw(samples(n_classes=3, kinds=("nominal",), missing=False))
    sample.weights = None
    assume(len(set(sample.target)) == 3)
    more = draw(st.sampled_from([
        {}, {"priors": (0.5, 0.25, 0.25)}, {"loss": ((0, 1, 4), (2, 0, 1), (1, 1, 0))}, {"criterion": "gini"},
    ]))  # fmt: skip
    return sample, tc.GrowSettings(**{"criterion": "entropy", "nominal": "multiway"} | more)


@given(costly())
@FEW
def test_the_gains_of_a_chain_add_up_to_the_gain_of_the_whole_split(pair):
    """Weighed by what splits were judged by: the decreases telescope."""
    sample, growth = pair
    old = tc.grow(sample.table(), growth)
    chain = binary_chain(old)
    weight = (chain.tree.stats * chain.tree.class_factor).sum(axis=1)
    amount = np.where(chain.tree.is_leaf, 0.0, weight * chain.tree.gain)
    whole = np.where(old.is_leaf, 0.0, weight[chain.new_id] * old.gain)
    np.testing.assert_allclose(np.bincount(chain.origin, amount), whole, rtol=1e-9, atol=1e-9)


def test_a_binary_tree_stays_as_it_is():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=60), "b": rng.choice(list("uvw"), 60), "y": rng.choice(list("pq"), 60)})
    old = tc.grow(tc.read_table(frame, target="y"), "cart", max_depth=4)
    chain = binary_chain(old)
    assert old.n_nodes > 5
    assert chain.tree.to_dict() == old.to_dict()
    assert chain.origin.tolist() == chain.new_id.tolist() == list(range(old.n_nodes))
    with pytest.raises(ValueError, match="read-only"):
        chain.origin[0] = 1


@pytest.mark.parametrize("sample", ["titanic", "mpg", "penguins", "iris"])
def test_groups_of_an_order_become_thresholds(sample):
    table = read_sample(sample)
    old = tc.grow(table, "chaid", min_rows_leaf=3, min_rows_split=6, merge_alpha=0.4, alpha=0.2)
    several = old.splits.kind == CUTS
    assert (old.n_children[several] > 2).any()
    chain = binary_chain(old)
    assert not (chain.tree.splits.kind == CUTS).any()
    same_answers(old, chain, table.to_frame())
    assert answered_alike(old, chain, table).all()
    np.testing.assert_allclose(node_statistics(chain.tree, table), chain.tree.stats, rtol=1e-9, atol=1e-6)
    node = int(np.flatnonzero(several & (old.n_children > 2))[0])
    links = np.flatnonzero(chain.origin == node)
    start, stop = old.splits.cut_start[node : node + 2]
    assert chain.tree.splits.threshold[links].tolist() == old.splits.cuts[start:stop].tolist()
    assert (chain.tree.splits.low_branch[links] == 0).all()


# by hand: a missing value stays, statistics do not sum up, surrogates of all kinds

CITY, INCOME, SIZE, TOWN = 0, 1, 2, 3
FOUR = Schema((FeatureSchema("city", "nominal", ("A", "B", "C", "D", "E")), FeatureSchema("income", "numeric"),
               FeatureSchema("size", "ordinal", ("S", "M", "L")),
               FeatureSchema("town", "nominal", ("t0", "t1", "t2", "t3"))), "y", ("p", "q"))  # fmt: skip


def by_city(missing, unseen, low_branch=1):
    """Four branches (A | B and D | C | none); E was not seen. Asked first: income, then town, then size."""
    city = {"kind": LEVELS, "feature": CITY, "levels": [0, 1, 2, 1, -1],
            "missing_branch": missing, "unseen_branch": unseen}  # fmt: skip
    counts = [[6, 7], [3, 1], [1, 3], [1, 2], [0, 0]]
    return tree(
        FOUR,
        parent=[-1, 0, 0, 0, 0],
        tests=[city, {}, {}, {}, {}],
        stats=counts,
        impurity=[entropy(c) if any(c) else 0.0 for c in counts],
        answer=[0, 1, 2, 3, 0],
        surrogates=splits({"kind": THRESHOLD, "feature": INCOME, "threshold": 9.0, "low_branch": low_branch},
                          {"kind": LEVELS, "feature": TOWN, "levels": [2, 0, -1, 3]},
                          {"kind": THRESHOLD, "feature": SIZE, "threshold": 0.5}),
        surrogate_start=[0, 3, 3, 3, 3, 3],
        surrogate_agree=[0.9, 0.8, 0.7],
    )  # fmt: skip


EVERY_ROW = pd.DataFrame(
    list(itertools.product([None, "A", "B", "C", "D", "E", "F"], [None, 8.0, 9.0], [None, "S", "M", "L"],
                           [None, "t0", "t1", "t2", "t3", "t9"])),
    columns=["city", "income", "size", "town"],
)  # fmt: skip


@pytest.mark.parametrize("missing", [STAYS, SHARED, 0, 1, 2, 3])
@pytest.mark.parametrize("unseen", [STAYS, SHARED, 2])
@pytest.mark.parametrize("low_branch", [0, 1])
def test_surrogates_are_asked_at_every_link(missing, unseen, low_branch):
    old = by_city(missing, unseen, low_branch)
    same_answers(old, binary_chain(old), EVERY_ROW)


def test_the_links_by_hand():
    chain = binary_chain(by_city(STAYS, SHARED))
    new = chain.tree
    assert chain.origin.tolist() == [0, 1, 0, 2, 0, 3, 4]
    assert new.parent.tolist() == [-1, 0, 0, 2, 2, 4, 4]
    assert new.first_child.tolist() == [1, -1, 3, -1, 5, -1, -1]
    assert new.stats.tolist() == [[6, 7], [3, 1], [2, 5], [1, 3], [1, 2], [1, 2], [0, 0]], "two rows stayed at the root"
    assert new.answer.tolist() == [0, 1, 2, 3, 4, 5, 0]
    assert [new.splits.levels(t).tolist() for t in (0, 2, 4)] == [
        [0, 1, 1, 1, -1], [-1, 0, 1, 0, -1], [-1, -1, 0, -1, -1],
    ]  # fmt: skip
    assert [new.node(t).branch for t in (1, 2)] == ["= A", "∈ {B, C, D}"]
    assert new.splits.unseen_branch[[0, 2, 4]].tolist() == [SHARED] * 3
    assert new.surrogate_start.tolist() == [0, 3, 3, 6, 6, 7, 7, 7], "no threshold leads to the third branch"
    assert new.surrogate_agree.tolist() == [0.9, 0.8, 0.7, 0.9, 0.8, 0.7, 0.8]
    assert new.surrogates.low_branch[[0, 2, 3, 5]].tolist() == [1, 0, 0, 1]
    assert new.surrogates.levels(4).tolist() == [1, -1, -1, 1]
    assert new.surrogates.levels(6).tolist() == [0, -1, -1, 1]
    # root: 11 of its 13 rows are in the branches, entropies of 5:6, 3:1 and 2:5
    left = 11 * entropy([5, 6]) - 4 * entropy([3, 1]) - 7 * entropy([2, 5])
    assert new.gain[0] == pytest.approx(left / 13)
    assert new.gain[4] == 0
    assert np.isnan(new.gain[[1, 3, 5, 6]]).all()


def test_an_impurity_that_needs_the_rows_is_not_made_up(monkeypatch):
    needs_rows = replace(CRITERIA["entropy"], additive=False)
    monkeypatch.setattr("treecore.tree.binary_chain.CRITERIA", {"entropy": needs_rows})
    new = binary_chain(by_city(STAYS, STAYS)).tree
    assert np.isnan(new.impurity).tolist() == [False, False, True, False, True, False, False]
    assert np.isnan(new.gain).all()


def test_a_chain_can_be_cut_back_to_the_first_link():
    old = by_city(STAYS, STAYS)
    chain = binary_chain(old)
    stump = chain.tree.pruned_at(np.arange(7) == 2)
    assert stump.n_nodes == 3
    rows = pd.DataFrame({"city": ["A", "B", "C"], "income": [None] * 3, "size": [None] * 3, "town": [None] * 3})
    assert stump.predict(rows).tolist() == ["p", "q", "q"]


def test_more_than_two_branches_at_one_threshold_are_refused():
    test = {"kind": THRESHOLD, "feature": INCOME, "threshold": 1.0}
    odd = tree(FOUR, [-1, 0, 0, 0], [test, {}, {}, {}], [[2, 1], [1, 0], [1, 0], [0, 1]])
    with pytest.raises(tc.TreecoreError, match=r"Node 0: It has 3 branches at a single threshold"):
        binary_chain(odd)
