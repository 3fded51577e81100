"""The candidates that a node is explained by against the split that the grower's kernels made there."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_twins import samples
from tests.property.twin_settings import many_rows, twin_growths


def check_candidates(sample, growth):
    """Every split made is listed, with its gain and score, and nothing that may be chosen is better."""
    table = sample.table()
    tree = tc.grow(table, growth)
    if growth.priors and 0 in growth.priors:
        return  # rows of this class weigh nothing while the tree grows, and are counted afterwards
    for node in np.flatnonzero(~tree.is_leaf):
        found = tc.candidates(tree, int(node), table, limit=10**6)
        eligible = [c for c in found.ranked if c.eligible]
        assert eligible, f"node {node}: nothing listed"
        chosen = [c for c in found.ranked if c.chosen]
        assert len(chosen) >= 1, f"node {node}: {tree.node(node).feature} not among {found.per_feature()}"
        scale = max(abs(eligible[0].score), float(tree.impurity[node]), 1e-12)
        assert chosen[0].eligible
        best = [c for c in eligible if c.feature == chosen[0].feature]
        assert max(c.score for c in found.per_feature() if c.eligible) <= best[0].score + 3e-6 * max(scale, 1.0)
        assert np.isclose(chosen[0].score, tree.score[node], rtol=1e-6, atol=1e-7 * scale)
        if growth.score in ("decrease", "gain_ratio"):
            assert np.isclose(chosen[0].gain, tree.gain[node], rtol=1e-7, atol=1e-9 * scale)


@given(st.data())
@settings(max_examples=50)
def test_the_split_made_is_the_best_candidate(data):
    sample = data.draw(samples(n_classes=data.draw(st.sampled_from([0, 2, 3]))))
    check_candidates(sample, data.draw(twin_growths(sample)))


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@given(st.data())
@settings(max_examples=25)
def test_the_split_made_is_the_best_candidate_of_many_rows(n_classes, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    sample = many_rows(rng, n_classes, data.draw(st.sampled_from([0.0, 0.15])))
    check_candidates(sample, data.draw(twin_growths(sample)))


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_candidates_by_absolute_error(seed):
    rng = np.random.default_rng(seed)
    sample = many_rows(rng, 0, float(rng.choice([0.0, 0.15])))
    missing = str(rng.choice(["majority", "own_value", "fractional", "surrogates"]))
    check_candidates(sample, tc.GrowSettings(criterion="absolute_error", max_depth=3, missing=missing))
