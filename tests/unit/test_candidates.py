"""The splits that were possible at a node."""

import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.data.samples import read_sample

SAMPLE = Sample(["numeric", "nominal"], [[1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 1, 2]], [0, 3], [0, 0, 1, 1, 0, 1], 2)


def test_all_are_listed_best_first_and_the_chosen_one_is_marked():
    table = SAMPLE.table()
    tree = tc.grow(table, max_depth=1)
    found = tc.candidates(tree, 0, table)
    assert len(found.of("x0")) == 5
    assert [c.gain for c in found.ranked] == sorted((c.gain for c in found.ranked), reverse=True)
    assert [c.chosen for c in found.ranked].count(True) == 1
    assert found.ranked[0].chosen
    assert {c.feature for c in found.per_feature()} == {"x0", "x1"}
    assert len(tc.candidates(tree, 0, table, limit=2).of("x0")) == 2


def test_limits_on_rows_apply_as_they_did_when_growing():
    table = SAMPLE.table()
    tree = tc.grow(table, min_rows_leaf=3)
    assert [c.threshold for c in tc.candidates(tree, 0, table).of("x0")] == [3.5]
    assert tc.candidates(tree, 0, table).of("x1") == ()


def test_a_multiway_split_with_too_small_branches_is_no_candidate():
    """Levels with 4, 1 and 1 rows: only one branch holds 2, the grower takes no such split."""
    table = SAMPLE.table().with_features(["x1"])
    for least, n in ((1, 1), (2, 0)):
        tree = tc.grow(table, "id3", min_rows_leaf=least)
        assert len(tc.candidates(tree, 0, table).ranked) == n
        assert tree.is_leaf[0] == (n == 0)


def test_a_feature_with_many_levels_is_said_to_be_searched_by_a_heuristic():
    cells = [v % 12 for v in range(48)]
    sample = Sample(["nominal"], [cells], [12], [v % 3 for v in range(48)], 3)
    tree = tc.grow(sample.table())
    assert tc.candidates(tree, 0, sample.table()).heuristic == ("x0",)
    assert tc.candidates(tc.grow(SAMPLE.table()), 0, SAMPLE.table()).heuristic == ()


def test_a_node_that_does_not_exist_is_refused():
    with pytest.raises(tc.TreecoreError, match="no node 99"):
        tc.candidates(tc.grow(SAMPLE.table()), 99, SAMPLE.table())


@pytest.mark.parametrize(
    ("preset", "settings"),
    [
        ("c4.5", {}),
        ("cart", {"score": "gain_ratio", "missing": "surrogates"}),
        ("cart", {"score": "twoing"}),
        ("cart", {}),
    ],
)
def test_the_best_splits_of_the_features_are_those_that_the_grower_compares(preset, settings):
    """Ratios compare features only: the best cut of one is that of the largest gain. Of the Titanic's ages many are
    missing, which lowers gains and twoing alike."""
    table = read_sample("titanic")
    tree = tc.grow(table, preset, max_depth=4, **settings)
    inner = [n for n in range(tree.n_nodes) if not tree.is_leaf[n]]
    assert any(tree.missing_rows[n] for n in inner)
    for node in inner:
        found = tc.candidates(tree, node, table).per_feature()
        assert len({c.feature for c in found}) == len(found)
        first = next(c for c in found if c.eligible)
        assert first.chosen
        assert first.score == pytest.approx(tree.score[node], rel=1e-9)
