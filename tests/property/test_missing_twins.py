"""Every missing-value strategy against the slow twin: splits, surrogates, where rows go and what is counted."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample
from tests.property.naive_missing import RULES
from tests.property.naive_walk import check_tree, has_its_classes
from tests.property.test_core_twins import samples
from tests.property.twin_settings import many_rows, twin_growths
from treecore.growing.settings.parts import MISSING_STRATEGIES, SURROGATE_STYLES, THRESHOLD_RULES

EVERY = pytest.mark.parametrize("missing", list(MISSING_STRATEGIES))
WITH_SURROGATES = [m.name for m in MISSING_STRATEGIES.values() if m.surrogates]


def check(sample, growth):
    assume(has_its_classes(sample, growth))
    check_tree(sample, growth, tc.grow(sample.table(), growth))


@EVERY
@given(st.data())
@settings(max_examples=15)
def test_every_strategy_with_settings_of_all_kinds(missing, data):
    sample = data.draw(samples())
    check(sample, data.draw(twin_growths(sample, missing=missing)))


@EVERY
def test_trees_of_many_nodes(missing):
    """Many rows without a value at every depth; where rows are shared, more parts than there were rows."""
    rng = np.random.default_rng(5)
    for i in range(36):
        sample = many_rows(rng, n_classes=(0, 2, 3)[i % 3], missing=0.3, n=(25, 50, 90)[i // 12])
        nominal = ("subset", "multiway", "one_level")[i // 3 % 3]
        check(sample, tc.GrowSettings(missing=missing, nominal=nominal, max_surrogates=(0, 1, 2, 5)[i % 4]))


@pytest.mark.parametrize("surrogate_style", list(SURROGATE_STYLES))
@pytest.mark.parametrize("missing", WITH_SURROGATES)
def test_surrogates_of_like_features(missing, surrogate_style):
    """Copies of a feature with errors and gaps, cut or grouped, are surrogates of each other."""
    rng, n_found = np.random.default_rng(8), 0
    for i in range(20):
        n, hidden = 40, rng.integers(0, 5, 40)
        columns = []
        for gaps in (0.2, 0.3, 0.5, 0.1):
            noisy = np.where(rng.random(n) < 0.2, rng.integers(0, 5, n), hidden)
            columns.append([None if rng.random() < gaps else v for v in noisy.tolist()])
        target = ((hidden >= 2) ^ (rng.random(n) < 0.1)).astype(int).tolist()
        weights = rng.choice([0.0, 0.5, 1.0, 2.0], n).tolist() if i % 2 else None
        sample = Sample(["numeric", "ordinal", "nominal", "nominal"], columns, [0, 5, 5, 5], target, 2, weights)
        growth = tc.GrowSettings(missing=missing, surrogate_style=surrogate_style, max_surrogates=(5, 2, 1)[i % 3])
        tree = tc.grow(sample.table(), growth)
        n_found += len(tree.surrogates)
        check_tree(sample, growth, tree)
    assert n_found > 40


def test_the_twin_knows_every_strategy():
    assert set(RULES) == set(MISSING_STRATEGIES)


# what was wrong once


@pytest.mark.parametrize(("threshold", "side"), [("midpoint", 1), ("data_value", 1), ("low_value", 1), ("j48", 1)])
def test_the_node_s_mean_is_compared_with_the_threshold(threshold, side):
    """Values 1 and 10 have the threshold 5.5; their mean is 7, a value that no row has."""
    assert threshold in THRESHOLD_RULES
    x = [1.0, 10.0, 10.0, None]
    table = Sample(["numeric"], [x], [0], [0, 1, 1, 0], 2).table()
    tree = tc.grow(table, missing="node_value", threshold=threshold, max_depth=1)
    assert tree.splits.missing_branch[0] == side
    assert tree.n_rows.tolist() == [4, 1, 3]


def test_the_node_s_mean_follows_the_branches_when_the_smaller_mean_comes_first():
    x = [0.0, 0.0, 0.0, 0.5, None]
    table = Sample(["numeric"], [x], [0], [1, 1, 1, 0, 1], 2).table()
    tree = tc.grow(table, missing="node_value", branch_order="mean", max_depth=1)
    assert tree.splits.low_branch[0] == 1
    assert tree.stats[1:].tolist() == [[1, 0], [0, 4]]


def test_counts_stay_fractions_where_priors_alter_weights():
    """Shares follow the rows as they are, 2 to 4: what prediction knows."""
    x = [0.0, 0.0, 1.0, 1.0, 1.0, 1.0, None]
    table = Sample(["numeric"], [x], [0], [0, 0, 1, 1, 1, 1, 0], 2).table()
    tree = tc.grow(table, missing="fractional", priors=(0.75, 0.25), max_depth=1)
    np.testing.assert_allclose(tree.stats[1:], [[2 + 1 / 3, 0], [2 / 3, 4]], rtol=1e-12)
    np.testing.assert_allclose(tree.predict_proba(table)[-1], tree.proba[1] / 3 + tree.proba[2] * 2 / 3, rtol=1e-12)
    assert tree.missing_weight[0] == 1


@pytest.mark.parametrize(("missing", "branch"), [("own_value", 1), ("both_ways", 0)])
def test_one_level_against_the_rest_where_nothing_is_missing(missing, branch):
    """A value of its own is one of the rest; scikit-learn's rule is the branch with more rows."""
    table = Sample(["nominal"], [[0, 0, 0, 0, 1]], [3], [0, 0, 0, 0, 1], 2).table()
    assert tc.grow(table, nominal="one_level", missing=missing).splits.missing_branch[0] == branch


def test_rows_of_no_weight_make_no_branch_larger():
    x, weights = [0.0, 0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0, 1.0]
    table = Sample(["numeric"], [x], [0], [0, 0, 0, 1, 1], 2, weights).table()
    assert tc.grow(table, missing="both_ways").splits.missing_branch[0] == 1


SHARED_ENTRIES = """
import numpy as np
import treecore as tc
from tests.property.twin_settings import many_rows
rng = np.random.default_rng(7)
for _ in range(12):
    table = many_rows(rng, n_classes=int(rng.integers(2, 4)), missing=0.3, n=int(rng.integers(6, 30))).table()
    for least in (1, 2, 3):
        tree = tc.grow(table, missing="fractional", nominal="subset", min_rows_leaf=least, zero_gain="split")
        assert (tree.n_rows[1:] > 0).all()
"""


def test_rows_of_weight_0_that_are_shared_have_their_room():
    """Where a split does not know the level of such a row, it goes down every branch: a process of its own, as entries
    written behind the end of the memory end it."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SHARED_ENTRIES],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-400:]
