"""The nested sequence and its curve against brute force, wherever rows without a value go."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_pruning import check_sequence, other_rows, prunings
from tests.property.test_core_twins import growths, samples
from treecore.growing.settings.parts import MISSING_STRATEGIES
from treecore.pruning import Cuts, Reason
from treecore.pruning.risk import handed_down, staying
from treecore.tree.node_statistics import end_statistics
from treecore.tree.predict import route

MOST_INNER = 7
STRATEGIES = sorted(MISSING_STRATEGIES)


def small_tree(data, missing, most=MOST_INNER, **fixed):
    """(sample, tree) with a few inner nodes; values are missing in some columns."""
    sample = data.draw(samples())
    limits = {"max_depth": 3, "min_gain": 0.0, "min_weighted_gain": 0.0}
    growth = data.draw(growths(sample, missing=missing, **limits | fixed))
    try:
        tree = tc.grow(sample.table(), growth)
    except tc.TreecoreError:  # the strategy does not go with these kinds of split
        assume(False)
    assume(1 <= (~tree.is_leaf).sum() <= most)
    return sample, tree


def losses_at(tree, table, node, row):
    """What the answer of a node costs for a row: 0 or 1, or the squared distance."""
    truth = table.target_column.values()[row]
    return float(tree.value[node] != truth) if tree.classes else (tree.value[node] - truth) ** 2


def risk_of(tree, table, leaves, power=1):
    """Sum of weight * loss^power over a table's rows, judged where their routes end in the tree with these leaves."""
    routes, total = route(tree, table), 0.0
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    for row, end, share in zip(routes.row, routes.node, routes.share, strict=True):
        stop = next((t for t in tree.path(end) if t in leaves), end)
        total += share * weights[row] * losses_at(tree, table, stop, row) ** power
    return total


def leaves_of(tree, cuts):
    hidden = cuts.hidden(tree)
    return {t for t in range(tree.n_nodes) if not hidden[t] and (tree.is_leaf[t] or cuts.verdict[t])}


@pytest.mark.parametrize("missing", STRATEGIES)
@given(data=st.data())
@settings(max_examples=12)
def test_every_subtree_is_the_smallest_minimiser_for_its_alpha(missing, data):
    sample, tree = small_tree(data, missing)
    table = sample.table()
    # where training sends rows otherwise than prediction does, the tree's own statistics count
    assume(np.allclose(end_statistics(tree, table), staying(tree)))
    every = [(risk_of(tree, table, p) / tree.weight[0], len(p)) for p in prunings(tree)]
    steps = tc.sequence(tree)
    slack = 1e-9 * max(r for r, _ in every) + 1e-12
    for k in range(len(steps)):
        leaves = leaves_of(tree, steps.cuts(k))
        assert risk_of(tree, table, leaves) / tree.weight[0] == pytest.approx(steps.risk[k], rel=1e-9, abs=1e-12)
        assert len(leaves) == steps.n_leaves[k]
        if k + 1 < len(steps) and steps.alpha[k + 1] == steps.alpha[k]:
            continue  # the grown tree, some of whose splits save nothing
        top = steps.alpha[k + 1] if k + 1 < len(steps) else steps.alpha[k] + 1
        for alpha in (steps.alpha[k], (steps.alpha[k] + top) / 2):
            best = min(r + alpha * n for r, n in every)
            assert steps.risk[k] + alpha * steps.n_leaves[k] <= best + slack
            assert steps.n_leaves[k] == min(n for r, n in every if r + alpha * n <= best + slack)
    assert (np.diff(steps.alpha) >= 0).all()
    assert (np.diff(steps.alpha)[1:] > 0).all()


@given(st.data())
@settings(max_examples=30)
def test_impurity_with_priors_and_costs_is_minimised_too(data):
    """Rows count by prior and cost where splits were judged by them, so that no split raises the sum."""
    sample = data.draw(samples(n_classes=2, missing=False))
    assume(sample.weights is None or all(sample.weights))
    share = data.draw(st.sampled_from([0.2, 0.5, 0.9]))
    loss = data.draw(st.none() | st.just(((0.0, 3.0), (1.0, 0.0))))
    growth = data.draw(growths(sample, max_depth=3, min_gain=0.0, min_weighted_gain=0.0, criterion="gini"))
    tree = tc.grow(sample.table(), growth, priors=(share, 1 - share), loss=loss)
    assume(1 <= (~tree.is_leaf).sum() <= MOST_INNER)
    weight = (tree.stats * tree.class_factor).sum(axis=1) / tree.weight[0]
    steps = tc.sequence(tree, risk="impurity")
    check_sequence(tree, tree.impurity * weight, steps)
    for k in range(1, len(steps) - 1):
        assert steps.alpha[k] > 0 or k == 1


@pytest.mark.parametrize("missing", STRATEGIES)
@given(data=st.data())
@settings(max_examples=12)
def test_the_curve_is_what_every_pruned_tree_gets_wrong_by_itself(missing, data):
    """Each subtree routes and answers for itself; rows shared among leaves are wrong with the shares that are."""
    sample, tree = small_tree(data, missing, most=40)
    other, steps = other_rows(data, sample), tc.sequence(tree)
    curve, (sums, weight) = steps.curve(other), steps.losses(other)
    np.testing.assert_allclose(curve, sums[:, 0] / weight, rtol=1e-9, atol=1e-12)
    for k in range(len(steps)):
        small = tree.cut(steps.cuts(k))
        for power in (1, 2):
            assert sums[k, power - 1] == pytest.approx(risk_of(small, other, set(), power), rel=1e-9, abs=1e-12)
        routes = route(small, other)
        if len(routes.row) == other.n_rows:
            answers, target = small.predict(other), other.target_column
            wrong = answers != target.labels() if small.classes else (answers - target.values()) ** 2
            assert curve[k] == pytest.approx(np.mean(wrong), rel=1e-9, abs=1e-12)


@given(st.data())
@settings(max_examples=30)
def test_what_stays_is_counted_once_in_every_subtree(data):
    _, tree = small_tree(data, data.draw(st.sampled_from(STRATEGIES)))
    inside = np.array(data.draw(st.lists(st.integers(0, 9), min_size=tree.n_nodes, max_size=tree.n_nodes)), float)
    down = handed_down(tree, inside)
    for leaves in itertools.islice(prunings(tree), 40):
        above = {t for leaf in leaves for t in tree.path(leaf)[:-1]}
        assert down[list(leaves)].sum() == inside[list(above)].sum()


@given(st.data())
@settings(max_examples=40)
def test_cutting_all_is_the_root_and_restoring_is_the_tree(data):
    sample, tree = small_tree(data, data.draw(st.sampled_from(STRATEGIES)))
    steps, reason = tc.sequence(tree), Reason("by hand", "")
    cuts = steps.cuts(len(steps) - 1)
    stump = tree.cut(cuts)
    assert stump.n_nodes == 1
    root = tree.classes[tree.value[0]] if tree.classes else tree.value[0]
    assert set(stump.predict(sample.table()).tolist()) == {root}
    for node in cuts.cut_nodes:
        cuts = cuts.restore(int(node), reason)
    assert tree.cut(cuts).to_dict() == tree.to_dict() == tree.cut(Cuts.none(tree)).to_dict()


@given(st.data())
@settings(max_examples=30)
def test_the_step_of_cuts_is_found_by_the_tree_they_leave(data):
    _, tree = small_tree(data, "majority")
    steps = tc.sequence(tree)
    for k in range(len(steps)):
        assert steps.step_of(steps.cuts(k)) == k
    nodes = data.draw(st.sets(st.sampled_from(np.flatnonzero(~tree.is_leaf).tolist())))
    cuts = Cuts.at(tree, nodes)
    same = [k for k in range(len(steps)) if leaves_of(tree, steps.cuts(k)) == leaves_of(tree, cuts)]
    assert steps.step_of(cuts) == (same[0] if same else None)


@given(st.data())
@settings(max_examples=30)
def test_the_deciding_number_says_what_happened(data):
    """A node loses its branches exactly where its link is at most alpha."""
    _, tree = small_tree(data, "majority")
    steps = tc.sequence(tree, risk=data.draw(st.sampled_from(["error", "impurity"])))
    asked = data.draw(st.floats(0, 1))
    chosen = [steps.cuts(k) for k in range(len(steps))] + [tc.prune(tree, "cost_complexity", alpha=asked)]
    for cuts in chosen:
        for node, reason in cuts.reasons.items():
            assert (reason.number <= reason.threshold) == bool(cuts.verdict[node])
