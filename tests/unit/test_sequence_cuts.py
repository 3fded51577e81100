"""Small facts of cuts and of the nested sequence; the brute force is in tests/property."""

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.pruning import PRUNERS, Cuts

SAMPLE = Sample(["numeric"], [list(range(12))], [0], [0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1], 2)
TREE = tc.grow(SAMPLE.table())


def test_weakest_links_by_hand():
    """0001 1011 1011: the root errs on 5 of 12; its steps' alphas are errors saved per leaf, in rows / 12."""
    steps = tc.sequence(TREE)
    assert steps.n_leaves.tolist() == [6, 2, 1]
    np.testing.assert_allclose(steps.alpha, [0, 1 / 24, 3 / 12], atol=1e-15)
    np.testing.assert_allclose(steps.risk, [0, 2 / 12, 5 / 12], atol=1e-15)


def test_a_split_that_lowers_no_risk_is_gone_at_alpha_0():
    """Gini falls, the error does not: |aab|aab... with pure ends; the link is 0 exactly, not 3e-17."""
    for n in range(3, 30):
        y = [0] * n + [1] * 2 + [0] * n + [1, 0] * 3
        sample = Sample(["numeric"], [list(range(len(y)))], [0], y, 2)
        steps = tc.sequence(tc.grow(sample.table(), max_depth=3))
        assert all(a == 0 or a > 1e-6 for a in steps.alpha)
        assert steps.risk[steps.at_alpha(0)] == pytest.approx(steps.risk[0])
        assert steps.n_leaves[steps.at_alpha(0)] == steps.n_leaves[steps.alpha == 0].min()


@pytest.mark.parametrize("alpha", [-1, -1e-300, float("nan")])
def test_an_impossible_alpha_is_refused(alpha):
    with pytest.raises(tc.TreecoreError, match="not possible"):
        tc.sequence(TREE).at_alpha(alpha)


def test_an_unknown_risk_is_refused():
    with pytest.raises(tc.TreecoreError, match="error, impurity"):
        tc.sequence(TREE, risk="mdl")


def test_the_subtree_of_a_size():
    steps = tc.sequence(TREE)
    assert [steps.n_leaves[steps.with_leaves(n)] for n in (0, 1, 2, 5, 6, 99)] == [1, 1, 2, 2, 6, 6]
    assert TREE.cut(tc.prune(TREE, "cost_complexity", alpha=float("inf"))).n_nodes == 1


def test_a_lone_root_has_a_sequence_of_one():
    stump = tc.grow(SAMPLE.table(), max_depth=0)
    steps = tc.sequence(stump)
    assert (len(steps), steps.n_leaves.tolist(), steps.curve(SAMPLE.table()).tolist()) == (1, [1], [pytest.approx(5 / 12)])


def test_leaves_stay_uncut_and_verdicts_are_read_only():
    cuts = Cuts.at(TREE, range(TREE.n_nodes))
    assert not cuts.verdict[TREE.is_leaf].any()
    with pytest.raises(ValueError, match="read-only"):
        cuts.verdict[0] = 0


def test_no_pruning_keeps_the_tree():
    assert TREE.cut(tc.prune(TREE, "none")).to_dict() == TREE.to_dict()


def test_a_larger_epsilon_never_keeps_more():
    leaves = [TREE.cut(tc.prune(TREE, "reduced_error", validation=SAMPLE.table(), epsilon=e)).n_leaves
              for e in (0, 0.05, 0.1, 0.5)]  # fmt: skip
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[-1] == 1


def test_an_unknown_pruner_or_parameter_is_refused():
    with pytest.raises(tc.TreecoreError, match="cost_complexity, reduced_error"):
        tc.prune(TREE, "shears")
    for pruner in PRUNERS.values():
        with pytest.raises(tc.TreecoreError, match="no parameter 'size'"):
            tc.prune(TREE, pruner.name, size=3)
