"""R(t), R(T_t), |T_t| and g(t) along the nested sequence, and verdicts in few words."""

import math

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.data.samples import read_sample
from treecore.pruning.cuts import Reason, comparison_text, short, stub_lines
from treecore.pruning.risk import training_risk
from treecore.pruning.sequence import links_at

SAMPLE = Sample(["numeric"], [list(range(12))], [0], [0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1], 2)
TREE = tc.grow(SAMPLE.table())


def test_the_links_of_a_small_tree_by_hand():
    """0001 1011 1011: 12 rows, 5 zeros among 7 ones, so R(root) = 5/12; the grown tree errs nowhere in 6 leaves."""
    found = links_at(tc.sequence(TREE))
    root = found.place(0)
    assert found.risk[root] == pytest.approx(5 / 12)
    assert (found.branch_risk[root], found.n_leaves[root]) == (0, 6)
    assert found.g[root] == pytest.approx(5 / 12 / 5)
    after = links_at(tc.sequence(TREE), 1)
    root = after.place(0)
    assert (after.branch_risk[root], after.n_leaves[root]) == (pytest.approx(2 / 12), 2)
    assert after.g[root] == pytest.approx(3 / 12)
    assert np.isnan(after.g[~after.stands]).all()
    assert after.stands.sum() == 1
    assert after.place(int(np.flatnonzero(TREE.is_leaf)[0])) is None


@pytest.mark.parametrize("name", ["titanic", "mpg", "iris"])
@pytest.mark.parametrize("risk", ["error", "impurity"])
def test_links_are_those_of_the_subtree_itself(name, risk):
    """Against each subtree made for itself: leaves and risks counted node by node, and the next alpha is least g."""
    tree = tc.grow(read_sample(name), max_leaves=25)
    steps, cost = tc.sequence(tree, risk), training_risk(tree, risk)[0] / tree.weight[0]
    assert cost[tree.is_leaf].sum() == pytest.approx(steps.risk[0])
    for k in range(len(steps)):
        found, cuts = links_at(steps, k), steps.cuts(k)
        hidden = cuts.hidden(tree)
        for i, t in enumerate(found.node.tolist()):
            below = [j for j in range(tree.n_nodes) if t in tree.path(j) and not hidden[j]]
            leaves = [j for j in below if tree.is_leaf[j] or cuts.verdict[j]]
            if hidden[t] or cuts.verdict[t]:
                assert not found.stands[i]
                assert found.step[i] <= k
                continue
            assert found.n_leaves[i] == len(leaves)
            assert found.branch_risk[i] == pytest.approx(cost[leaves].sum())
            assert found.g[i] == pytest.approx((cost[t] - cost[leaves].sum()) / (len(leaves) - 1))
        if k + 1 < len(steps):
            assert found.g[0] == pytest.approx(steps.alpha[k + 1], abs=1e-12)
            assert found.step[0] == k + 1
        assert (np.diff(found.g[found.stands]) >= 0).all(), "weakest first"


@pytest.mark.parametrize(
    ("number", "threshold", "told"),
    [
        (2.3, 4.1, "2.3 ≤ 4.1"), (5, 4, "5 > 4"), (0.3, 0.1 + 0.2, "0.3 ≤ 0.3"), (-1, 1e-9, "−1 ≤ 1e−09"),
        (0.123456, 0.123499, "0.123456 ≤ 0.123499"), (1, math.inf, "1 ≤ ∞"), (7, math.nan, "7"), (math.nan, 3, ""),
        (8.483e9, 1.798e7, "8483 M > 17.98 M"), (6.318e11, 7.284e12, "631.8 bn ≤ 7284 bn"),
        (5e9, 0, "5,000,000,000 > 0"),
        (123456.7, 3.2, "123,457 > 3.2"), (5e9, math.inf, "5,000,000,000 ≤ ∞"), (1e20, 1e19, "1e+20 > 1e+19"),
    ],
)  # fmt: skip
def test_a_number_against_its_threshold(number, threshold, told):
    assert comparison_text(Reason("m", "", number, threshold)) == told


def test_the_words_on_a_stub():
    assert stub_lines(Reason("reduced error", "…", 3, 4)) == ("reduced error", "3 ≤ 4")
    assert stub_lines(Reason("by hand", "cut by hand")) == ("by hand",)
    assert stub_lines(None) == ()
    assert [short(v) for v in (math.nan, -math.inf, 0.000123456)] == ["–", "−∞", "0.0001235"]


@pytest.mark.parametrize("missing", ["surrogates", "fractional"])
def test_rows_that_end_in_inner_nodes_count_for_their_branch(missing):
    tree = tc.grow(read_sample("titanic"), max_leaves=25, missing=missing)
    steps = tc.sequence(tree)
    for k in range(len(steps) - 1):
        found = links_at(steps, k)
        assert found.g[0] == pytest.approx(steps.alpha[k + 1], abs=1e-12)
        assert found.branch_risk[found.place(0)] == pytest.approx(steps.risk[k])
