"""Why a node asks a weighted sum: the bits by the formulas, and which features were left out of it."""

import re

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.growing.oblique_growth import why_sum


def rows_of(n=500):
    rng = np.random.default_rng(6)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    place = frame.a + 0.8 * frame.b + 0.04 * frame.c
    return frame.assign(y=np.where((place > 0) ^ (rng.random(n) < 0.03), "in", "out"))


def naive_bits(place, y):
    """The fewest bits that tell y on both sides of a threshold."""
    y = y[np.argsort(place)]
    counts = [(y[:i] == "in").sum() for i in range(len(y) + 1)]
    return min(_bits(counts[i], i) + _bits(counts[-1] - counts[i], len(y) - i) for i in range(1, len(y)))


def _bits(k, n):
    return -sum(part * np.log2(part / n) for part in (k, n - k) if part)


def numbers(pattern, text):
    return float(re.search(pattern.replace("#", r"([\d.]+)"), text)[1])


def test_the_loss_by_features_left_out_is_named():
    frame = rows_of()
    table = tc.read_table(frame, target="y")
    tree = tc.grow(table, "cart", oblique="discriminant", max_depth=1)
    terms, y = dict(tree.schema.features[tree.splits.feature[0]].terms), frame.y.to_numpy()
    assert set(terms) == {"a", "b"}
    said = why_sum(tree, 0, table)
    mine = naive_bits(sum(weight * frame[name] for name, weight in terms.items()).to_numpy(), y)
    single = min(naive_bits(frame[name].to_numpy(), y) for name in "abc")
    least = 0.5 * np.log2(500) + np.log2(3)
    assert numbers("take # bits more", said) == pytest.approx(single - mine, rel=1e-3)
    assert numbers("must save # bits", said) == pytest.approx(least, rel=1e-3)
    assert "Left out: c; " in said
    assert "nothing is lost" in said or 0 < numbers("c; # bits are lost", said) < least


def test_nothing_is_said_where_nothing_was_added_up():
    frame = rows_of()
    table = tc.read_table(frame, target="y")
    assert why_sum(tc.grow(table, "cart", max_depth=1), 0, table) == ""
    tree = tc.grow(table, "cart", oblique="discriminant", max_depth=1)
    assert why_sum(tree, 1, table) == ""
    both = tc.read_table(frame.drop(columns="c"), target="y")
    assert why_sum(tc.grow(both, "cart", oblique="ridge", max_depth=1), 0, both).endswith(
        "No feature was left out of the sum."
    )
