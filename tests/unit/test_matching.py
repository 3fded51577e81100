"""The node with most rows in common: by hand, and against counting row by row."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_twins import growths, samples
from tests.unit.test_evaluation_metrics import grown, small_table
from treecore.study.overlay import NodeMatch, best_match
from treecore.tree.predict import route


def shares(tree, table):
    """node -> row -> the share of the row that passes there, path by path."""
    found = defaultdict(lambda: defaultdict(float))
    routes = route(tree, table)
    for row, end, share in zip(routes.row.tolist(), routes.node.tolist(), routes.share.tolist(), strict=True):
        for node in tree.path(end):
            found[node][row] += share
    return found


def naive_overlap(one, node, other, table):
    """float64 (n_nodes of the other tree,): weight in both nodes over weight in either."""
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    here, there = shares(one, table)[node], shares(other, table)
    overlap = np.zeros(other.n_nodes)
    for n in range(other.n_nodes):
        rows = set(here) | set(there[n])
        both = sum(weights[r] * min(here.get(r, 0.0), there[n].get(r, 0.0)) for r in rows)
        either = sum(weights[r] * max(here.get(r, 0.0), there[n].get(r, 0.0)) for r in rows)
        overlap[n] = both / either if either > 0 else 0.0
    return overlap


def passages(one, other, table):
    return NodeMatch.of(one, table), NodeMatch.of(other, table)


def matches(one, other):
    """The match of every node."""
    return [best_match(one, node, other) for node in range(one.tree.n_nodes)]


def check(one, other, table):
    for node, (match, share) in enumerate(matches(*passages(one, other, table))):
        overlap = naive_overlap(one, node, other, table)
        assert share == pytest.approx(overlap.max(), abs=1e-9)
        if share > 0:
            assert overlap[match] == pytest.approx(overlap.max(), abs=1e-9)
            nearest = np.abs(other.node_depth - one.node_depth[node])
            best = overlap >= overlap.max() - 1e-9
            assert nearest[match] == nearest[best].min()


def test_by_hand():
    table = small_table(["no", "no", "yes", "yes", "yes", "no"], [0, 1, 3, 4, 5, 6])
    one = tc.grow(table, "cart", max_depth=1)  # x < 2: 2 rows, else 4
    other = tc.grow(table, "cart")  # parts the 4 rows once more, into 3 and 1
    first, second = passages(one, other, table)
    assert matches(first, second) == [(0, 1.0), (1, 1.0), (2, 1.0)]
    assert matches(second, first) == [(0, 1.0), (1, 1.0), (2, 1.0), (2, 0.75), (2, 0.25)]


def test_case_weights_count():
    table = small_table(["no", "no", "yes", "yes"], [0, 1, 3, 4], weights=[1, 1, 3, 5])
    one, other = tc.grow(table, "cart"), tc.grow(table.take([0, 1, 2, 3]), "cart", max_depth=0)
    assert matches(*passages(one, other, table)) == [(0, 1.0), (0, 0.2), (0, 0.8)]


def test_a_node_without_rows_has_no_match():
    table = small_table(["no", "no", "yes", "yes"], [0, 1, 3, 4])
    tree = tc.grow(table, "cart")
    first, second = passages(tree, tree, table.take([0, 1]))
    assert best_match(first, 2, second) == (0, 0.0)


def test_the_same_rows_in_several_nodes_match_in_depth():
    tree, tables = grown("titanic", "cart", max_depth=4)
    found = matches(*passages(tree, tree, tables["train"]))
    assert found == [(node, 1.0) for node in range(tree.n_nodes)]


@pytest.mark.parametrize("presets", [("cart", "c4.5"), ("c4.5", "cart"), ("c4.5", "id3"), ("j48", "c4.5")])
def test_shared_rows_are_counted_by_their_shares(presets):
    (one, tables), (other, _) = (grown("titanic", preset, max_depth=3) for preset in presets)
    check(one, other, tables["train"].take(np.arange(0, 300)))


@given(st.data())
@settings(max_examples=40)
def test_any_two_trees(data):
    sample = data.draw(samples())
    table = sample.table()
    check(*(tc.grow(table, data.draw(growths(sample, max_depth=3))) for _ in range(2)), table)


def test_no_rows_match_nothing():
    tree, tables = grown("iris")
    none = NodeMatch.of(tree, tables["train"].take(np.empty(0, int)))
    assert best_match(none, 1, none) == (0, 0.0)
