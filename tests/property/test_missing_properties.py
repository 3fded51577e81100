"""What holds for every missing-value strategy and every score, as far as their traits promise it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_twins import samples
from tests.property.twin_settings import twin_growths
from treecore.growing.settings.parts import MISSING_STRATEGIES, SPLIT_SCORES
from treecore.target.numbers import recentred
from treecore.tree.node_statistics import children_statistics

EXAMPLES = settings(max_examples=20)
BY_WEIGHT = [m for m in MISSING_STRATEGIES.values() if not m.by_rows and not m.surrogates]
SCORES = [s.name for s in SPLIT_SCORES.values() if s.name != "mdl_gain_ratio" and "classification" in s.tasks]
"""J48's penalty and minimum count rows."""


def named(strategies):
    return pytest.mark.parametrize("missing", [m.name for m in strategies])


@named([m for m in MISSING_STRATEGIES.values() if m.conserves])
@given(st.data())
@EXAMPLES
def test_children_share_out_the_weight_of_their_parent(missing, data):
    sample = data.draw(samples())
    tree = tc.grow(sample.table(), data.draw(twin_growths(sample, missing=missing)))
    for t in np.flatnonzero(~tree.is_leaf):
        children = list(tree.children(t))
        np.testing.assert_allclose(children_statistics(tree, t).sum(axis=0), tree.stats[t], rtol=1e-9, atol=1e-9)
        assert tree.n_rows[children].sum() >= tree.n_rows[t]
        assert missing == "fractional" or tree.n_rows[children].sum() == tree.n_rows[t]


@named([m for m in MISSING_STRATEGIES.values() if not m.conserves])
@given(st.data())
@EXAMPLES
def test_children_lack_at_most_the_rows_without_a_value(missing, data):
    """And rows of weight 0 whose level no row that counts has: the split does not know it."""
    sample = data.draw(samples())
    n_weightless = sum(w == 0 for w in sample.weights or ())
    tree = tc.grow(sample.table(), data.draw(twin_growths(sample, missing=missing)))
    for t in np.flatnonzero(~tree.is_leaf):
        lost = tree.weight[t] - tree.weight[list(tree.children(t))].sum()
        assert -1e-9 <= lost <= tree.missing_weight[t] + 1e-9
        assert tree.n_rows[t] - tree.n_rows[list(tree.children(t))].sum() <= tree.missing_rows[t] + n_weightless


@named(BY_WEIGHT)
@given(st.data())
@EXAMPLES
def test_doubling_a_weight_is_repeating_the_row(missing, data):
    sample = replace(data.draw(samples(max_rows=15)), weights=None)
    times = data.draw(st.lists(st.integers(1, 3), min_size=sample.n_rows, max_size=sample.n_rows))
    score = data.draw(st.sampled_from(SCORES)) if sample.n_classes else "decrease"
    growth = data.draw(twin_growths(
        sample, missing=missing, score=score, nominal="subset", selector="best", min_rows_split=2, min_rows_leaf=1,
    ))  # fmt: skip
    weighted = tc.grow(replace(sample, weights=times).table(), growth)
    repeated = tc.grow(sample.table([i for i, n in enumerate(times) for _ in range(n)]), growth)
    assert weighted.splits.feature.tolist() == repeated.splits.feature.tolist()
    np.testing.assert_array_equal(weighted.splits.threshold, repeated.splits.threshold)
    assert weighted.splits.missing_branch.tolist() == repeated.splits.missing_branch.tolist()
    np.testing.assert_allclose(_plain(weighted), _plain(repeated), rtol=1e-9, atol=1e-9)


def _plain(tree):
    """Statistics; those of numbers around 0, since centers depend on rounding."""
    return tree.stats if tree.classes else recentred(tree.stats, tree.center)


@named(MISSING_STRATEGIES.values())
@given(st.data())
@EXAMPLES
def test_another_order_of_the_features_changes_ties_only(missing, data):
    """The root's score is the largest of all features whatever their order."""
    sample = data.draw(samples())
    growth = data.draw(twin_growths(sample, missing=missing, selector="best", costs=(), min_gain=0.0))
    order = data.draw(st.permutations(range(len(sample.kinds))))
    mixed = replace(sample, **{a: [getattr(sample, a)[i] for i in order] for a in ("kinds", "columns", "levels")})
    one, other = tc.grow(sample.table(), growth), tc.grow(mixed.table(), growth)
    if growth.score == "decrease":
        assert one.is_leaf[0] == other.is_leaf[0]
    if not one.is_leaf[0] and not other.is_leaf[0]:
        np.testing.assert_allclose(one.score[0], other.score[0], rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("nominal", ["subset", "multiway"])
@given(st.data())
@EXAMPLES
def test_another_order_of_the_levels_changes_ties_only(nominal, data):
    sample = data.draw(samples(kinds=("nominal",)))
    growth = data.draw(twin_growths(sample, nominal=nominal, score="decrease", selector="best"))
    names = [data.draw(st.permutations(range(k))) for k in sample.levels]
    columns = [[None if v is None else name[v] for v in c] for name, c in zip(names, sample.columns, strict=True)]
    one, other = tc.grow(sample.table(), growth), tc.grow(replace(sample, columns=columns).table(), growth)
    assert one.is_leaf[0] == other.is_leaf[0]
    np.testing.assert_allclose(one.gain[0], other.gain[0], rtol=1e-9, atol=1e-12)


@named([m for m in MISSING_STRATEGIES.values() if m.name != "node_value" and not m.tested])
@given(st.data())
@EXAMPLES
def test_a_rising_transform_of_numbers_parts_the_rows_alike(missing, data):
    """Not so for the branch of a mean, surrogates ranked by a test of the values, values so near that they count as
    one, nor rows of weight 0: a threshold is half way between rows that count, and they may be on either side."""
    sample = data.draw(samples(kinds=("numeric",)))
    sample = replace(sample, weights=sample.weights and [w or 1.0 for w in sample.weights])
    answers = [y for y, *row in zip(sample.target, *sample.columns, strict=True) if any(v is not None for v in row)]
    assume(not sample.n_classes or len(set(answers)) < len(answers))  # a class for each row is no target
    growth = data.draw(twin_growths(sample, missing=missing, threshold="midpoint"))
    bent = replace(sample, columns=[[None if v is None else np.exp(3 * v) - 50 for v in c] for c in sample.columns])
    one, other = tc.grow(sample.table(), growth), tc.grow(bent.table(), growth)
    assert one.parent.tolist() == other.parent.tolist()
    assert one.splits.feature.tolist() == other.splits.feature.tolist()
    np.testing.assert_array_equal(one.stats, other.stats)
    np.testing.assert_array_equal(one.surrogate_agree, other.surrogate_agree)
