"""Guesses against ranks worked out anew: by sorting gains that a small computation in fractions gives."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.growing.inspect.landscape import landscape
from treecore.pruning.sequence import links_at
from treecore.teach.guess import (
    cut_guess,
    link_guess,
    offered_links,
    order_guess,
    ordered_features,
    split_guess,
)


def gini(labels) -> Fraction:
    n = len(labels)
    return 1 - sum(Fraction(int(np.sum(labels == v)), n) ** 2 for v in set(labels.tolist()))


def cuts_of(x, labels) -> dict[float, Fraction]:
    """Threshold -> Gini gain, of every cut between neighbouring values."""
    values, n = np.unique(x), len(x)
    found = {}
    for low, high in itertools.pairwise(values):
        left = x <= low
        parts = labels[left], labels[~left]
        found[(low + high) / 2] = gini(labels) - sum(Fraction(len(p), n) * gini(p) for p in parts)
    return found


def test_a_cut_is_ranked_among_all_cuts_of_its_feature():
    table = read_sample("iris")
    tree = tc.grow(table, "cart")
    scape, labels = landscape(tree, 0, table), table.target_column.codes
    for name in ordered_features(scape):
        gains = cuts_of(table.column(name).values(), labels)
        for at in list(gains)[::5]:
            judged, best = cut_guess(scape, name, at)
            assert judged.rank == 1 + sum(g > gains[at] for g in gains.values())
            assert judged.of == len(gains)
            assert judged.value == pytest.approx(float(gains[at]))
            assert best.gain == pytest.approx(float(max(gains.values())))


def test_features_are_ranked_and_points_are_shares_of_the_best():
    table = read_sample("play_tennis")
    found = tc.candidates(tc.grow(table, "id3"), 0, table)
    ranks = {name: split_guess(found, name).rank for name in table.features}
    assert ranks == {"Outlook": 1, "Humidity": 2, "Wind": 3, "Temperature": 4}
    assert split_guess(found, "Outlook").points == 1
    assert split_guess(found, "Humidity").points == pytest.approx(0.15183550136 / 0.24674981977)
    assert order_guess(found, ("Outlook", "Humidity", "Wind"))[1] == 1
    assert order_guess(found, ("Humidity", "Outlook", "Wind"))[1] == pytest.approx(1 / 3)


def test_where_nothing_gains_every_guess_is_as_good():
    table = read_sample("xor")
    found = tc.candidates(tc.grow(table, "id3"), 0, table)
    for name in table.features:
        judged = split_guess(found, name)
        assert (judged.rank, judged.points) == (1, 1.0)
    assert order_guess(found, table.features)[1] == 1


def test_what_c45_passes_over_has_the_last_rank_and_no_points():
    table = read_sample("play_tennis")
    found = tc.candidates(tc.grow(table, "c4.5"), 0, table)
    passed = [c.feature for c in found.per_feature() if not c.eligible]
    assert passed, "some gains are below the average"
    for name in passed:
        judged = split_guess(found, name)
        assert judged.points == 0
        assert judged.rank > sum(c.eligible for c in found.per_feature())


def test_the_weakest_link_is_offered_and_is_the_one_that_falls():
    table = read_sample("iris")
    tree = tc.grow(table, "cart")
    steps = tc.sequence(tree)
    for k in range(len(steps) - 1):
        here = links_at(steps, k)
        offered = offered_links(here)
        best = [node for node in offered if link_guess(here, node).is_best]
        assert best
        assert all(steps.step[node] == k + 1 for node in best)
        assert all(link_guess(here, node).points < 1 for node in set(offered) - set(best))
