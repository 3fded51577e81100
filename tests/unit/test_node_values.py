"""The rows of a node again: who they are, their sums per value, and the best of many splits."""

import numpy as np
import pytest

import treecore as tc
from tests.property.twin_settings import many_rows
from treecore.growing.inspect import admissible_splits
from treecore.growing.inspect.candidates import _largest
from treecore.growing.inspect.node_values import node_rows, values_of
from treecore.tree.predict import route


def grown(n_classes: int, missing: str, **settings):
    """(tree, table) of 200 rows with blanks and weights, some of them 0."""
    rng = np.random.default_rng(4)
    table = many_rows(rng, n_classes, 0.15, n=200).table()
    table = table.with_weights(rng.choice([0.0, 0.3, 1.0, 1.7], 200))
    return tc.grow(table, max_depth=4, missing=missing, **settings), table


@pytest.mark.parametrize("missing", ["fractional", "stay", "surrogates", "majority", "own_value", "node_value"])
def test_a_nodes_rows_are_those_that_the_whole_tree_sends_into_it(missing):
    tree, table = grown(3, missing)
    routes = route(tree, table)
    for node in range(tree.n_nodes):
        inside = tree.descendants(node)
        inside[node] = True
        here = inside[routes.node]
        share = np.bincount(routes.row[here], routes.share[here], table.n_rows)
        found = node_rows(tree, node, table)
        np.testing.assert_array_equal(found.rows, np.flatnonzero(share > 0))
        # shares of branches, added up, differ from the node's own in the last digits
        altered = tree.class_factor[found.labels] * table.case_weights[found.rows]
        np.testing.assert_allclose(found.weight, share[found.rows] * altered, rtol=1e-12)


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize("missing", ["majority", "own_value"])
@pytest.mark.parametrize("threshold", ["midpoint", "float32"])
def test_sums_per_value_are_those_of_its_rows(n_classes, missing, threshold):
    tree, table = grown(n_classes, missing, threshold=threshold)
    for node in range(tree.n_nodes):
        here = node_rows(tree, node, table)
        for feature in table.features:
            values = values_of(here, table.column(feature))
            for v in range(len(values.codes)):
                rows = np.flatnonzero(values.code_of_row == v)
                w, y = here.weight[rows], here.target[rows]
                classes = np.array([w[here.labels[rows] == k].sum() for k in range(n_classes)])
                stats = classes if n_classes else [w.sum(), (w * y).sum(), (w * y * y).sum()]
                np.testing.assert_allclose(values.stats[v], stats, rtol=1e-12, atol=1e-12)
                assert values.weight[v] == pytest.approx(w.sum(), rel=1e-12)
                assert values.rows[v] == np.count_nonzero(w)
            known = table.column(feature).codes[here.rows] < table.column(feature).n_distinct
            assert (values.code_of_row[~known] == len(values.codes) - values.has_missing).all()


@pytest.mark.parametrize("score", ["decrease", "gain_ratio", "mdl_gain_ratio", "twoing", "chi_square", "g_test"])
def test_splits_judged_in_blocks_are_judged_as_all_at_once(score, monkeypatch):
    tree, table = grown(3, "own_value", score=score)
    at_once = tc.candidates(tree, 0, table, limit=10**6).ranked
    monkeypatch.setattr(admissible_splits, "_BLOCK", 3)
    in_blocks = tc.candidates(tree, 0, table, limit=10**6).ranked
    assert len(at_once) > 3 * 5
    assert [(c.feature, c.threshold, c.branches, c.missing) for c in at_once] == [
        (c.feature, c.threshold, c.branches, c.missing) for c in in_blocks
    ]
    np.testing.assert_allclose([c.score for c in at_once], [c.score for c in in_blocks], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("kept", [1, 5, 30, 31, 50])
def test_the_largest_are_the_first_of_a_stable_sort(kept):
    rng = np.random.default_rng(2)
    for _ in range(50):
        by = rng.choice([0.0, 0.25, 0.5, 1.0, -np.inf, np.nan], 31, p=[0.2, 0.2, 0.1, 0.1, 0.2, 0.2])
        expected = np.argsort(-by, kind="stable")[:kept]
        found = _largest(by, kept)
        np.testing.assert_array_equal(found, expected)


def test_candidates_keep_nothing_of_the_splits_that_are_not_listed():
    for n_classes in (0, 3):
        tree, table = grown(n_classes, "majority")
        for c in tc.candidates(tree, 0, table, limit=2).ranked:
            assert c.stats.base is None or c.stats.base.size <= 2 * c.stats.size


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_cut_has_the_gain_that_its_rows_give(criterion, weighted):
    """Thresholds, statistics and gains of all cuts of columns without ties, by one loop over the rows of each."""
    rng = np.random.default_rng(6)
    X, y = rng.standard_normal((60, 2)), rng.integers(0, 3, 60)
    w = rng.choice([0.3, 1.0, 1.7], 60) if weighted else np.ones(60)
    table = tc.from_arrays(X, y, classes=["a", "b", "c"], weights=w)
    tree = tc.grow(table, "cart", criterion=criterion, max_depth=2)
    for node in range(tree.n_nodes):
        found = tc.candidates(tree, node, table, limit=10**6)
        rows = node_rows(tree, node, table).rows
        for j, feature in enumerate(table.features):
            x = np.sort(X[rows, j])
            listed = sorted(found.of(feature), key=lambda c: c.threshold)
            assert [c.threshold for c in listed] == ((x[:-1] + x[1:]) / 2).tolist()
            for c in listed:
                low = X[rows, j] < c.threshold
                sides = [np.bincount(y[rows[side]], w[rows[side]], 3) for side in (low, ~low)]
                np.testing.assert_allclose(c.stats, sides, rtol=1e-12, atol=1e-12)
                assert c.gain == pytest.approx(_gain(criterion, *sides), rel=1e-12, abs=1e-12)
                assert c.n_rows == (low.sum(), (~low).sum())


def _gain(criterion: str, left: np.ndarray, right: np.ndarray) -> float:
    whole = left + right
    return _impurity(criterion, whole) - sum(s.sum() * _impurity(criterion, s) for s in (left, right)) / whole.sum()


def _impurity(criterion: str, counts: np.ndarray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(1 - (shares**2).sum() if criterion == "gini" else -(shares * np.log2(shares)).sum())
