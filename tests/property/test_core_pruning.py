"""Pruning against brute force over every pruning of small trees."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample
from tests.property.test_core_twins import growths, many, samples
from treecore.judging.losses import leaf_errors
from treecore.pruning import Cuts, Reason, Sequence

MOST_INNER = 7


def small_tree(data, **fixed):
    """(sample, tree) with a few inner nodes, so that all prunings can be listed."""
    sample = data.draw(samples())
    growth = data.draw(growths(sample, max_depth=3, min_gain=0.0, min_weighted_gain=0.0, **fixed))
    tree = tc.grow(sample.table(), growth)
    assume(1 <= (~tree.is_leaf).sum() <= MOST_INNER)
    return sample, tree


def prunings(tree, node=0):
    """Every pruning of the branch at a node, as the set of its leaves."""
    yield frozenset([node])
    if not tree.is_leaf[node]:
        for parts in itertools.product(*(list(prunings(tree, c)) for c in tree.children(node))):
            yield frozenset().union(*parts)


def errors_of(tree, table, sample):
    """What every node as a leaf gets wrong on a table: counted row by row, path by path."""
    wrong = np.zeros(tree.n_nodes)
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    truth, answers = table.target_column.values(), tree.value
    for row, end in enumerate(tree.apply(table)):
        for t in tree.path(end):
            answer = answers[t]
            wrong[t] += weights[row] * (answer != truth[row] if sample.n_classes else (answer - truth[row]) ** 2)
    return wrong


def other_rows(data, sample):
    """A validation table of the same columns: other rows, other targets."""
    n = data.draw(st.integers(1, 12))
    columns = [data.draw(many(c, n)) for c in sample.columns]
    y = data.draw(many(sample.target, n))
    return Sample(sample.kinds, columns, sample.levels, y, sample.n_classes).table()


@given(st.data())
@settings(max_examples=50)
def test_risk_of_a_node_is_what_it_gets_wrong(data):
    sample, tree = small_tree(data)
    table = sample.table()
    np.testing.assert_allclose(leaf_errors(tree, tree.stats), errors_of(tree, table, sample), rtol=1e-9, atol=1e-9)


@given(st.data())
@settings(max_examples=30)
def test_every_subtree_of_the_sequence_is_the_smallest_that_minimises_its_cost(data):
    sample, tree = small_tree(data)
    risk = errors_of(tree, sample.table(), sample) / tree.weight[0]
    check_sequence(tree, risk, tc.sequence(tree))


@given(st.data())
@settings(max_examples=40)
def test_the_same_with_impurity_as_the_risk(data):
    _, tree = small_tree(data)
    check_sequence(tree, tree.impurity * tree.weight / tree.weight[0], tc.sequence(tree, risk="impurity"))


def check_sequence(tree, risk, steps: Sequence):
    slack = 1e-9 * max(risk[0], 1e-9)
    assert steps.n_leaves[0] == tree.n_leaves
    assert steps.n_leaves[-1] == 1
    assert (np.diff(steps.n_leaves) < 0).all()
    assert (np.diff(steps.alpha) >= 0).all()
    every = [(sum(risk[list(p)]), len(p)) for p in prunings(tree)]
    for k in range(len(steps)):
        cuts = steps.cuts(k)
        leaves = visible_leaves(tree, cuts)
        assert len(leaves) == steps.n_leaves[k] == tree.cut(cuts).n_leaves
        assert sum(risk[list(leaves)]) == pytest.approx(steps.risk[k], rel=1e-9, abs=1e-12)
        if k + 1 < len(steps):
            assert set(cuts.cut_nodes) <= set(steps.cuts(k + 1).cut_nodes)  # nested
            if steps.alpha[k + 1] == steps.alpha[k]:
                continue  # splits that lower no risk at all: two steps with alpha 0
        top = steps.alpha[k + 1] if k + 1 < len(steps) else steps.alpha[k] + 1
        for alpha in (steps.alpha[k], (steps.alpha[k] + top) / 2):
            best = min(r + alpha * n for r, n in every)
            smallest = min(n for r, n in every if r + alpha * n <= best + slack)
            assert steps.risk[k] + alpha * steps.n_leaves[k] <= best + slack
            assert steps.n_leaves[k] == smallest
            assert steps.at_alpha(alpha) == k


def visible_leaves(tree, cuts):
    hidden = cuts.hidden(tree)
    return [t for t in range(tree.n_nodes) if not hidden[t] and (tree.is_leaf[t] or cuts.verdict[t])]


@given(st.data())
@settings(max_examples=50)
def test_the_curve_is_the_error_of_every_pruned_tree_by_itself(data):
    sample, tree = small_tree(data)
    other = other_rows(data, sample)
    truth = other.target_column
    steps = tc.sequence(tree)
    curve = steps.curve(other)
    for k in range(len(curve)):
        small = tree.cut(steps.cuts(k))
        found = small.predict(other)
        wrong = found != truth.labels() if sample.n_classes else (found - truth.values()) ** 2
        assert curve[k] == pytest.approx(np.mean(wrong), rel=1e-9, abs=1e-12)


@given(st.data())
@settings(max_examples=50)
def test_reduced_error_is_the_smallest_best_pruning_on_the_validation_rows(data):
    sample, tree = small_tree(data)
    validation = other_rows(data, sample)
    risk = errors_of(tree, validation, sample)
    cuts = tc.prune(tree, "reduced_error", validation=validation)
    leaves = visible_leaves(tree, cuts)
    every = [(sum(risk[list(p)]), len(p)) for p in prunings(tree)]
    best = min(r for r, _ in every)
    slack = 1e-8 * max(best, 1e-3)
    assert sum(risk[leaves]) <= best + slack
    assert len(leaves) == min(n for r, n in every if r <= best + slack)
    for t, reason in cuts.reasons.items():
        assert (reason.number <= reason.threshold + slack) == bool(cuts.verdict[t])


@given(st.data())
@settings(max_examples=30)
def test_cost_complexity_takes_the_smallest_best_step_on_validation(data):
    sample, tree = small_tree(data)
    validation = other_rows(data, sample)
    steps = tc.sequence(tree)
    errors = steps.curve(validation)
    n_leaves = tree.cut(tc.prune(tree, "cost_complexity", validation=validation)).n_leaves
    assert n_leaves == min(steps.n_leaves[errors <= errors.min() * (1 + 1e-9)])


@given(st.data())
@settings(max_examples=30)
def test_cutting_everything_is_the_root_and_restoring_gives_all_back(data):
    sample, tree = small_tree(data)
    table = sample.table()
    inner = np.flatnonzero(~tree.is_leaf)
    everything = Cuts.at(tree, inner)
    stump = tree.cut(everything)
    assert stump.n_nodes == 1
    root = tree.classes[tree.value[0]] if tree.classes else tree.value[0]
    assert set(stump.predict(table).tolist()) == {root}
    reason = Reason("by hand", "")
    back = everything
    for t in data.draw(st.permutations(inner.tolist())):
        back = back.restore(t, reason)
    assert tree.cut(back).to_dict() == tree.to_dict()
    t = data.draw(st.sampled_from(inner.tolist()))
    once = Cuts.none(tree).cut(tree, t, reason)
    assert tree.cut(once.restore(t, reason)).to_dict() == tree.to_dict()


@given(st.data())
@settings(max_examples=30)
def test_a_cut_tree_answers_with_the_node_that_hides_the_end(data):
    sample, tree = small_tree(data)
    table = sample.table()
    nodes = data.draw(st.lists(st.sampled_from(np.flatnonzero(~tree.is_leaf).tolist()), max_size=3))
    cuts = Cuts.at(tree, nodes)
    small = tree.cut(cuts)
    shown = np.flatnonzero(~cuts.hidden(tree))
    assert small.n_nodes == len(shown)
    np.testing.assert_array_equal(small.stats, tree.stats[shown])
    ends = [cuts.visible_ancestor(tree, int(t)) for t in tree.apply(table)]
    assert shown[small.apply(table)].tolist() == ends
