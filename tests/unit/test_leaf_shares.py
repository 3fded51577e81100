"""Estimates of a leaf's class shares: by hand, and the same wherever shares are told."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError


@pytest.fixture(scope="module")
def table():
    return read_sample("play_tennis")


def grown(table, **settings):
    return tc.grow(table, "id3", max_depth=1, **settings)


def overcast(tree) -> np.ndarray:
    """Shares (no, yes) of the leaf of four days, on all of which there was play."""
    [leaf] = np.flatnonzero((tree.stats == [0, 4]).all(axis=1))
    return tree.proba[leaf]


def test_shares_by_hand(table):
    assert overcast(grown(table)).tolist() == [0, 1]
    np.testing.assert_allclose(overcast(grown(table, leaf_shares="laplace")), [1 / 6, 5 / 6])
    found = overcast(grown(table, leaf_shares="m_estimate", leaf_rows=2))
    np.testing.assert_allclose(found, [(2 * 5 / 14) / 6, (4 + 2 * 9 / 14) / 6])
    by_priors = overcast(grown(table, leaf_shares="m_estimate", leaf_rows=3, priors=(0.5, 0.5)))
    heavy = 4 * 0.5 / (9 / 14)
    np.testing.assert_allclose(by_priors, [1.5 / (heavy + 3), (heavy + 1.5) / (heavy + 3)])


def test_labels_and_counts_stay(table):
    plain, estimated = grown(table), grown(table, leaf_shares="m_estimate", leaf_rows=100.0)
    assert estimated.value.tolist() == plain.value.tolist()
    assert estimated.stats.tolist() == plain.stats.tolist()
    assert estimated.predict(table).tolist() == plain.predict(table).tolist()


def test_what_leaves_the_library_has_them_too(table):
    tree = grown(table, leaf_shares="laplace")
    names: dict = {}
    exec(tc.export(tree, "python"), names)
    row = {column.name: column.levels[column.codes[0]] for column in table.feature_columns}
    assert names["shares"](row) == pytest.approx(dict(zip(tree.classes, tree.predict_proba(table)[0], strict=True)))
    again = tc.Tree.from_dict(tree.to_dict())
    np.testing.assert_array_equal(again.proba, tree.proba)
    assert tc.rules(tree).rules[1].shares == tuple(tree.proba[tc.rules(tree).rules[1].leaf])


def test_both_growers_add_the_same(table):
    numbers = read_sample("iris")
    fast, general = (tc.grow(numbers, "cart", leaf_shares="laplace", tolerance=t) for t in (1e-10, 1e-3))
    assert fast.added.tolist() == general.added.tolist() == [1, 1, 1]


def test_numbers_have_no_shares_and_what_is_not_possible_is_refused(table):
    assert tc.grow(read_sample("mpg"), "cart", max_depth=1, leaf_shares="laplace").added is None
    with pytest.raises(TreecoreError, match="laplace"):
        grown(table, leaf_shares="lapalce")
    with pytest.raises(TreecoreError, match="leaf_rows"):
        grown(table, leaf_shares="m_estimate", leaf_rows=-1)
    damaged = grown(table, leaf_shares="laplace").to_dict() | {"added": [1.0]}
    with pytest.raises(TreecoreError, match="added"):
        tc.Tree.from_dict(damaged)
