"""Merging sibling leaves: rises by hand, in each of the three units."""

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.pruning import CUT, KEEP
from treecore.pruning.merge_siblings import rises

A, B = 0, 1
# x = 0, 1, 2 with (6 0), (3 1), (0 10): Gini cuts at 1.5 first (6 + 4 rows against 10), then at 0.5
TABLE = Sample(["numeric"], [[0] * 6 + [1] * 4 + [2] * 10], [0], [A] * 6 + [A] * 3 + [B] + [B] * 10, 2).table()
TREE = tc.grow(TABLE)
ROOT, LOW = 0, 1
GINI_LOW, GINI_ROOT = 2 * 0.9 * 0.1, 2 * 9 / 20 * 11 / 20
RISE_LOW = GINI_LOW - 0.4 * 2 * 0.75 * 0.25  # within the node, 10 of 20 rows
RISE_ROOT = GINI_ROOT - 0.5 * GINI_LOW


def test_the_rise_is_the_gain_of_the_split_in_each_unit():
    assert TREE.n_leaves == 3
    for unit, low, root in (
        ("node", RISE_LOW, RISE_ROOT), ("share", RISE_LOW / 2, RISE_ROOT),
        ("root", RISE_LOW / 2 / GINI_ROOT, RISE_ROOT / GINI_ROOT),
    ):  # fmt: skip
        found = rises(TREE, unit)
        assert found[[LOW, ROOT]] == pytest.approx([low, root], rel=1e-12)
        assert (found[TREE.is_leaf] == 0).all()


@pytest.mark.parametrize(("accepted", "n_leaves"), [(0.0, 3), (0.0149, 3), (0.0151, 2), (0.40, 2), (0.41, 1)])
def test_leaves_are_merged_from_the_bottom_up(accepted, n_leaves):
    """The low node's rise is .03 within it, .015 over all rows; the root's .405."""
    assert TREE.cut(tc.prune(TREE, "merge_siblings", accepted=accepted)).n_leaves == n_leaves


def test_a_parent_waits_for_its_children():
    """XOR: the root's split changes nothing, those below it halve the impurity."""
    table = Sample(["numeric"] * 2, [[0, 0, 1, 1], [0, 1, 0, 1]], [0, 0], [A, B, B, A], 2).table()
    xor = tc.grow(table, zero_gain="split")
    assert rises(xor, "node")[:3].tolist() == [0, 0.5, 0.5]
    kept = tc.prune(xor, "merge_siblings", accepted=0.1)
    assert not kept.changes
    assert np.isnan(kept.reasons[0].number)
    assert "not all of its children are leaves" in kept.reasons[0].text
    assert tc.prune(xor, "merge_siblings", accepted=0.25).verdict[:3].tolist() == [CUT, CUT, CUT]
    assert tc.prune(xor, "merge_siblings", accepted=0.25, unit="node").verdict[0] == KEEP


def test_the_reason_names_the_impurity():
    reason = tc.prune(TREE, "merge_siblings", accepted=0.02).reasons[LOW]
    assert (reason.number, reason.threshold) == (pytest.approx(0.015), 0.02)
    assert "Gini" in reason.text
    assert "raises it by 0.015 over all rows, 0.02 is accepted" in reason.text


def test_half_gini_rises_half_as_much():
    half = tc.grow(TABLE, criterion="half_gini")
    assert rises(half, "share") == pytest.approx(rises(TREE, "share") / 2)
    assert rises(half, "root") == pytest.approx(rises(TREE, "root"))


def test_numbers_rise_by_variance():
    """y = 0 2 | 10: the low leaves' variance 0, their parent's 1, on 2 of 3 rows; the root's 56/3."""
    tree = tc.grow(Sample(["numeric"], [[0, 1, 2]], [0], [0.0, 2.0, 10.0], 0).table())
    low = int(tree.first_child[0])
    assert rises(tree, "node")[[low, 0]] == pytest.approx([1, 56 / 3 - 2 / 3])
    assert rises(tree, "share")[low] == pytest.approx(2 / 3)
    assert rises(tree, "root")[low] == pytest.approx(2 / 56)
    assert tree.cut(tc.prune(tree, "merge_siblings", accepted=0.04, unit="root")).n_leaves == 2
    absolute = tc.grow(Sample(["numeric"], [[0, 1, 2]], [0], [0.0, 2.0, 10.0], 0).table(), criterion="absolute_error")
    assert rises(absolute, "node")[0] == pytest.approx(10 / 3 - 2 / 3)  # 2 + 0 + 8 of 3 rows, 1 on average of 2


def test_all_branches_are_merged_together():
    """Three branches, two of them alike: they go all or not at all."""
    table = Sample(["nominal"], [[0] * 4 + [1] * 4 + [2] * 4], [3], [A] * 8 + [B] * 4, 2).table()
    tree = tc.grow(table, nominal="multiway")
    rise = 2 * 2 / 3 / 3
    assert not tc.prune(tree, "merge_siblings", accepted=rise * 0.99).changes
    assert tree.cut(tc.prune(tree, "merge_siblings", accepted=rise)).n_nodes == 1  # equal is accepted


def test_priors_weigh_as_they_did_in_growing():
    tree = tc.grow(TABLE, priors=(0.8, 0.2))
    inner = ~tree.is_leaf
    np.testing.assert_allclose(rises(tree, "node")[inner], tree.gain[inner], rtol=1e-12)


def test_bad_settings_and_a_lone_root():
    for name, value in (("accepted", -1), ("unit", "percent")):
        with pytest.raises(tc.TreecoreError) as caught:
            tc.prune(TREE, "merge_siblings", **{name: value})
        assert caught.value.where == name
    assert tc.prune(tc.grow(TABLE, max_depth=0), "merge_siblings").reasons == {}
