"""Rows sent down a tree anew in NumPy, against the kernels that are compiled: the same numbers to the last digit."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.twin_settings import many_rows
from tests.unit.test_raising import raised
from treecore.engine import compiling
from treecore.kernels.route import branches, descend
from treecore.pruning import rerouting as grounds
from treecore.pruning.rerouting import branches_uncompiled, descend_uncompiled, ground_of, zero_counts


def the_same(found, expected):
    for name in expected._fields:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


@given(raised(), st.data())
@settings(max_examples=100)
def test_the_same_is_counted_from_any_place(case, data):
    table, tree, cuts = case
    standing = cuts.stand(tree)
    ground = ground_of(tree, table)
    ground.standing[standing.place] = standing.nodes
    ground.leaf[standing.nodes] = standing.leaf
    place = data.draw(st.sampled_from(standing.place.tolist()))
    entry = ground.entries
    entry = entry[data.draw(st.integers(0, len(entry) - 1)) :]
    share = np.random.default_rng(len(entry)).random(len(entry))
    compiled, found = zero_counts(tree), zero_counts(tree)
    met = descend(ground, compiled, place, entry, share)
    assert sorted(descend_uncompiled(ground, found, place, entry, share)) == sorted(met.tolist())
    the_same(found, compiled)


@given(raised(), st.data())
@settings(max_examples=100)
def test_the_same_rows_go_down_the_branches_of_a_node(case, data):
    table, tree, _ = case
    ground = ground_of(tree, table)
    t = data.draw(st.sampled_from(np.flatnonzero(~tree.is_leaf).tolist()))
    entry, share = ground.entries, np.random.default_rng(t).random(len(ground.entries))
    compiled, found = zero_counts(tree), zero_counts(tree)
    for a, b in zip(
        branches_uncompiled(ground, found, t, entry, share), branches(ground, compiled, t, entry, share), strict=True
    ):
        np.testing.assert_array_equal(a, b)
    the_same(found, compiled)


@pytest.mark.parametrize("preset", ["c4.5", "j48"])
@given(st.integers(0, 10**6), st.sampled_from([2, 3]), st.sampled_from([0.0, 0.1, 0.3]))
@settings(max_examples=20)
def test_pruning_with_raising_does_not_depend_on_what_sends_the_rows(preset, seed, n_classes, missing):
    table = many_rows(np.random.default_rng(seed), n_classes, missing).table()
    tree = tc.grow(table, preset)
    assume(tree.n_nodes > 1)
    by_kernels = pruned(tree, table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grounds, "numpy_descends_faster", lambda: True)
        patch.setattr(grounds.compiling, "start", lambda parts: None)
        patch.setattr(grounds, "descend", None)
        patch.setattr(grounds, "branches", None)
        in_numpy = pruned(tree, table)
    assert in_numpy == by_kernels


def pruned(tree, table) -> tuple[dict, tuple]:
    """(the tree, what was decided in which order)."""
    cuts = tc.prune(tree, "error_based", train=table)
    return tree.cut(cuts).to_dict(), cuts.decisions


def test_rows_are_sent_in_numpy_until_the_kernels_would_be_ready(monkeypatch):
    monkeypatch.setattr(compiling, "_forced", [False])
    monkeypatch.setattr(compiling, "_loaded", set())
    monkeypatch.setattr(compiling, "is_cached", lambda part: False)
    monkeypatch.setattr(grounds, "_spent", [0.0])
    assert grounds.numpy_descends_faster()
    grounds._timed(lambda: None)()
    assert 0.0 < grounds._spent[0] < grounds.COMPILING
    monkeypatch.setattr(grounds, "_spent", [grounds.COMPILING])
    assert not grounds.numpy_descends_faster()
    monkeypatch.setattr(grounds, "_spent", [0.0])
    with compiling.forced():
        assert not grounds.numpy_descends_faster()
    compiling.note("raise")
    assert not grounds.numpy_descends_faster()
