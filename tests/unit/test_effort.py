"""Tests per answer by hand, Huffman's trees, and stopping early against pruning where a first split gains nothing."""

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_first_recipe import customers
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.judging.measures import measured
from treecore.plots.error_curves import horizon as drawn
from treecore.study import WORLDS, effort, fewest_tests, horizon, seconds_per_row, stopped
from treecore.study.questions.horizon import describe_horizon


def test_stopping_and_pruning_are_compared_by_any_measure():
    """By the error rate the lone root is best where hardly a leaf answers with the rare class; by the log loss not."""
    train, judged, _ = customers(1, 1.0).split(tc.Roles(0.6, 0.3, 0.1, seed=1))
    tree = tc.grow(train, "cart", min_rows_leaf=15)
    by_error = horizon(tree, judged)
    assert by_error.pruned_leaves[by_error.best[1]] == 1
    by_loss = horizon(tree, judged, measure="log_loss", risk="impurity")
    steps = tc.sequence(tree, "impurity")
    assert by_loss.pruned_leaves[by_loss.best[1]] > 1
    for k in (0, len(steps) - 1):
        assert by_loss.pruned_error[k] == pytest.approx(measured(tree.cut(steps.cuts(k)), judged, "log_loss"))
    assert by_loss.stopped_error[0] == pytest.approx(measured(tree, judged, "log_loss"))
    assert "By log loss, best of those stopped" in describe_horizon(by_loss)[1].text
    of_profit = horizon(tc.grow(train, "cart", min_rows_leaf=8, profit=[[0, -1], [-9, 20]]), judged)
    assert of_profit.measure == "mean profit"
    assert drawn(of_profit).layout.yaxis.title.text == "mean profit of rows held back"
    assert max(drawn(of_profit).data[0].y) == pytest.approx(-of_profit.stopped_error.min())


def test_tests_by_hand():
    """PlayTennis by ID3: 4 days of Overcast take one test, the ten others two."""
    table = read_sample("play_tennis")
    of = effort(tc.grow(table, "id3"), table)
    assert of.mean == pytest.approx((4 * 1 + 10 * 2) / 14)
    assert (of.most, of.depth, of.n_rows) == (2, 2, 14)
    assert of.bound <= of.fewest <= of.mean
    lone = effort(tc.grow(table, "id3", max_depth=0), table)
    assert (lone.mean, lone.fewest, lone.bound, lone.balanced) == (0, 0, 0, 0)


def test_huffmans_trees():
    """1/2, 1/4, 1/8, 1/8: 1 + 3/4 tests, the entropy itself; of three branches four leaves take 1.25."""
    shares = np.array([0.5, 0.25, 0.125, 0.125])
    assert fewest_tests(shares) == 1.75
    assert fewest_tests(np.full(8, 1 / 8)) == 3
    assert fewest_tests(shares, 3) == pytest.approx(1.25)
    assert fewest_tests(np.ones(1)) == 0


@pytest.mark.parametrize("sample", ["titanic", "iris", "mpg", "customers"])
def test_no_tree_goes_below_the_bound(sample):
    table = read_sample(sample).without_missing_target()
    tree = tc.grow(table, max_depth=6)
    of = effort(tree, table)
    assert of.bound - 1e-9 <= of.fewest <= of.bound + 1
    assert of.fewest - 1e-9 <= of.mean <= of.most <= of.depth
    assert seconds_per_row(tree, table) > 0


@pytest.mark.parametrize("sample", ["titanic", "mpg"])
def test_stopped_is_what_growth_with_a_least_gain_leaves(sample):
    table = read_sample(sample).without_missing_target()
    whole = tc.grow(table, "cart")
    for least in np.quantile(whole.score[~whole.is_leaf], [0.3, 0.7, 0.9]):
        least = float(np.nextafter(least, np.inf)) * (1 + 1e-6)
        one, two = stopped(whole, least), tc.grow(table, "cart", min_gain=least)
        assert one.n_leaves == two.n_leaves
        assert one.predict(table).tolist() == two.predict(table).tolist()


def test_where_just_one_of_two_counts_who_stops_early_sees_nothing():
    rng = np.random.default_rng(2)
    train, judged = (WORLDS["xor"].draw(rng, n)[0] for n in (600, 600))
    found = horizon(tc.grow(train, "cart"), judged)
    assert found.lost > 0.05
    assert found.pruned_error.min() < 0.25
    picture = drawn(found)
    assert len(picture.data[0].x) == len(found.stop_at)
    assert picture.data[3].y[0] == found.pruned_error.min()
    seen = []
    horizon(tc.grow(train, "cart"), judged, seen.append)
    assert [p.n_waiting for p in seen] == list(range(len(found.stop_at)))[::-1]
    with pytest.raises(TreecoreError, match="no rows to judge"):
        horizon(tc.grow(train), judged.take(np.empty(0, int)))
