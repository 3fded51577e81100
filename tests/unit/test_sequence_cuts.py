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
    """Entropy falls, the error does not: its link is 0, though R(t) - R(T_t) may compute as 3e-17."""
    rng, n_such = np.random.default_rng(1), 0
    for _ in range(150):
        n = rng.integers(8, 30)
        columns = [rng.integers(0, 4, n).tolist(), rng.integers(0, 4, n).tolist()]
        y = rng.integers(0, 2, n).tolist()
        steps = tc.sequence(tc.grow(Sample(["numeric", "numeric"], columns, [0, 0], y, 2).table(), max_depth=3))
        assert all(a == 0 or a > 1e-6 for a in steps.alpha)
        n_such += steps.n_leaves[steps.at_alpha(0)] < steps.n_leaves[0]
    assert n_such > 20


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
    assert (len(steps), steps.n_leaves.tolist()) == (1, [1])
    assert steps.curve(SAMPLE.table()) == pytest.approx([5 / 12])


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


def test_what_does_not_fit_the_tree_is_refused():
    steps = tc.sequence(TREE)
    for step in (-1, len(steps), 0.5):
        with pytest.raises(tc.TreecoreError, match="no step"):
            steps.cuts(step)
    with pytest.raises(tc.TreecoreError, match="of a tree of 3 nodes"):
        TREE.cut(Cuts(np.zeros(3)))
    assert tc.prune(TREE, "cost_complexity", alpha=10**30).standing(TREE).tolist() == [0]
    with pytest.raises(tc.TreecoreError, match="risk"):
        tc.prune(TREE, "cost_complexity", risk=["error"])
