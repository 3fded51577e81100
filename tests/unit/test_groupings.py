"""Groupings of many levels told by orders are the table that they stand for."""

import tracemalloc

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import treecore as tc
from treecore.explaining.why_node import plain_words
from treecore.growing.inspect.candidates import candidates
from treecore.growing.inspect.node_values import Groupings, each_alone, has, sums, up_to_each


@given(st.integers(2, 7), st.integers(1, 3), st.integers(0, 99), st.booleans())
def test_groupings_are_the_table_that_they_stand_for(v, k, seed, alone):
    rng = np.random.default_rng(seed)
    place = np.array([rng.permutation(v) for _ in range(k)])
    found: Groupings = each_alone(v) if alone else up_to_each(place)
    table = np.eye(v, dtype=bool) if alone else np.array([row <= i for row in place for i in range(v - 1)])
    assert [row.tolist() for row in found] == table.tolist()
    chosen = rng.integers(0, len(table), 5)
    assert [row.tolist() for row in found[chosen]] == table[chosen].tolist()
    for of in (rng.integers(0, 9, v), rng.integers(0, 9, (v, 3)).astype(float)):
        np.testing.assert_allclose(sums(found, of), sums(table, of))
    for level in (0, -1):
        assert has(found, level).tolist() == has(table, level).tolist()


def test_many_levels_are_searched_without_their_square():
    rng = np.random.default_rng(0)
    code = rng.integers(0, 3000, 12_000)
    known = rng.random(12_000) < 0.8
    answer = np.where(known, code % 3, rng.integers(0, 3, 12_000))
    frame = pd.DataFrame({"code": [f"L{c}" for c in code], "y": [f"c{a}" for a in answer]})
    table = tc.read_table(frame, target="y", kinds={"code": "nominal"})
    for preset in ("cart", "sklearn"):
        tree = tc.grow(table, preset)
        tracemalloc.start()
        found = candidates(tree, 0, table)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert any(c.chosen for c in found.ranked), preset
        assert peak < 40e6, (preset, peak)
        assert "more" in plain_words(tree, 0)
