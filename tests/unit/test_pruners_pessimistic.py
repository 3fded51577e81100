"""Quinlan's pessimistic pruning by hand, and an example of a textbook."""

import math

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.pruning import CUT, KEEP

YES, NO = 0, 1


def four_leaves(counts, weights=None, **growth):
    """A root with a branch for each (yes, no)."""
    levels, target = [], []
    for level, (yes, no) in enumerate(counts):
        levels += [level] * (yes + no)
        target += [YES] * yes + [NO] * no
    table = Sample(["nominal"], [levels], [len(counts)], target, 2, weights).table()
    return tc.grow(table, nominal="multiway", zero_gain="split", **growth)


# Tan, Steinbach & Kumar (2005), Introduction to Data Mining, chapter 4: 10.5 of 30 before, 11 of 30 after splitting
TAN = [(8, 4), (3, 4), (4, 1), (5, 1)]


def test_the_example_of_a_textbook_is_pruned():
    tree = four_leaves(TAN)
    assert tree.n_leaves == 4
    reason = tc.prune(tree, "pessimistic", standard_error=False).reasons[0]
    assert (reason.number, reason.threshold) == (10.5, 9 + 4 * 0.5)
    assert tc.prune(tree, "pessimistic", standard_error=False).verdict[0] == CUT
    assert reason.text == "corrected errors 10.5 as a leaf, 11 with its 4 leaves"


def test_one_standard_error_more():
    """(10, 2) and (2, 6): 8 + 1/2 errors as a leaf, 4 + 2/2 with the branches, standard error sqrt(5 * 15 / 20)."""
    tree = four_leaves([(10, 2), (2, 6)])
    cuts = tc.prune(tree, "pessimistic")
    assert cuts.reasons[0].number == 8.5
    assert cuts.reasons[0].threshold == pytest.approx(5 + math.sqrt(5 * 15 / 20))
    assert dict(cuts.reasons[0].details) == {
        "errors as a leaf": 8, "errors with branches": 4, "leaves": 2,
        "standard error": pytest.approx(math.sqrt(3.75)),
    }  # fmt: skip
    assert cuts.verdict[0] == KEEP
    assert tc.prune(four_leaves([(10, 3), (3, 6)]), "pessimistic").verdict[0] == KEEP  # 9.5 against 7 + 2.13
    assert tc.prune(four_leaves([(10, 4), (3, 5)]), "pessimistic").verdict[0] == CUT  # 9.5 against 8 + 2.19


def test_equal_is_pruned():
    """4 errors as a leaf, 3 and 4 leaves: 4.5 <= 3 + 2; 4 errors and 3 with 3 leaves: 4.5 <= 4.5."""
    assert tc.prune(four_leaves([(6, 2), (5, 1), (0, 1)]), "pessimistic", standard_error=False).verdict[0] == CUT


def test_empty_leaves_count_as_leaves():
    table = Sample(["nominal"], [[0, 0, 0, 1, 1, 1]], [5], [YES, YES, NO, NO, NO, YES], 2).table()
    tree = tc.grow(table, nominal="multiway")
    assert tree.n_leaves == 5
    reason = tc.prune(tree, "pessimistic", standard_error=False).reasons[0]
    assert (reason.number, reason.threshold) == (3.5, 2 + 5 * 0.5)


def test_from_the_root_down_nothing_is_judged_below_a_leaf():
    rng = np.random.default_rng(3)
    columns = [rng.integers(0, 6, 60).tolist(), rng.integers(0, 6, 60).tolist()]
    noise = tc.grow(Sample(["numeric"] * 2, columns, [0, 0], rng.integers(0, 2, 60).tolist(), 2).table(), max_depth=4)
    cuts = tc.prune(noise, "pessimistic")
    below = noise.below(cuts.verdict == CUT)
    assert below.any()
    for t in np.flatnonzero(~noise.is_leaf):
        assert (int(t) in cuts.reasons) == (not below[t])


def test_case_weights_count_as_rows():
    counts = [(10, 2), (2, 6)]
    n = sum(map(sum, counts))
    heavy = tc.prune(four_leaves(counts, weights=[2.0] * n), "pessimistic").reasons[0]
    doubled = tc.prune(four_leaves([(20, 4), (4, 12)]), "pessimistic").reasons[0]
    assert (heavy.number, heavy.threshold) == (doubled.number, pytest.approx(doubled.threshold))


def test_costs_move_the_labels_but_errors_are_counted():
    """A no called yes costs 9: every label is no, so the root errs on 12 rows and so do its leaves."""
    reason = tc.prune(four_leaves([(10, 2), (2, 6)], loss=((0, 1), (9, 0))), "pessimistic").reasons[0]
    assert reason.number == 12.5
    assert dict(reason.details)["errors with branches"] == 12


def test_rows_that_stay_are_errors_of_the_branches_too():
    """Three rows without x stay at the root and are not of its class."""
    tree = tc.grow(
        Sample(["numeric"], [[0, 0, 0, 0, 0, 1, 1, *[None] * 3]], [0], [YES] * 5 + [NO] * 2 + [NO] * 3, 2).table(),
        missing="stay",
    )
    assert tree.n_nodes == 3
    assert tree.value[0] == YES
    reason = tc.prune(tree, "pessimistic", standard_error=False).reasons[0]
    assert (reason.number, reason.threshold) == (5.5, 3 + 1)


def test_numbers_are_refused():
    tree = tc.grow(Sample(["numeric"], [[0, 1, 2, 3]], [0], [0.0, 0.0, 4.0, 4.0], 0).table())
    with pytest.raises(tc.TreecoreError, match="no meaning for a target of numbers: it counts classification errors"):
        tc.prune(tree, "pessimistic")


def test_a_lone_root():
    assert tc.prune(four_leaves(TAN, max_depth=0), "pessimistic").reasons == {}
    with pytest.raises(tc.TreecoreError, match="Choose True or False"):
        tc.prune(four_leaves(TAN), "pessimistic", standard_error=1)
