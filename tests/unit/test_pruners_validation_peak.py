"""The tree as it was at the least validation error, by hand and against every prefix of its growth."""

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.pruning import CUT
from treecore.tree.tree import split_order

A, B = 0, 1
TRAIN = Sample(["numeric"], [list(range(12))], [0], [A, A, A, B, B, A, B, B, B, A, B, B], 2).table()
TREE = tc.grow(TRAIN, max_leaves=99)  # the best leaf first


def errors_of_prefixes(tree, table):
    n_splits = int((~tree.is_leaf).sum())
    truth = table.target_column.labels()
    return [np.mean(tree.after(k).predict(table) != truth) for k in range(n_splits + 1)]


def noise(n, seed):
    rng = np.random.default_rng(seed)
    return Sample(["numeric"], [rng.integers(0, 12, n).tolist()], [0], rng.integers(0, 2, n).tolist(), 2).table()


def test_by_hand():
    """One split at 2.5 (aaa | bbabbbabb) is right for all of these rows; the later ones part the b's around 5 and 9."""
    validation = Sample(["numeric"], [[1, 5, 9, 11]], [0], [A, B, B, B], 2).table()
    cuts = tc.prune(TREE, "validation_peak", validation=validation)
    small = TREE.cut(cuts)
    assert (small.n_leaves, small.splits.threshold[0]) == (2, 2.5)
    first, second = split_order(TREE)[:2]
    assert (cuts.reasons[first].number, cuts.reasons[first].threshold, cuts.reasons[first].more) == (1, 1, True)
    assert dict(cuts.reasons[first].details) == {"error before": 0.25, "error after": 0.0}
    assert (cuts.reasons[second].number, cuts.verdict[second]) == (2, CUT)
    assert cuts.judged_by == "validation rows"
    text = "split 1 of 5: validation errors per row 0.25 before, 0 after it; the least is 0, after 1"
    assert cuts.reasons[first].text == text


@pytest.mark.parametrize("seed", range(8))
def test_the_smallest_of_the_least(seed):
    validation = noise(15, seed)
    errors = errors_of_prefixes(TREE, validation)
    cuts = tc.prune(TREE, "validation_peak", validation=validation)
    small = TREE.cut(cuts)
    assert small.n_leaves == 1 + int(np.argmin(np.round(errors, 12)))
    assert small.to_dict() == TREE.after(small.n_leaves - 1).to_dict()
    for k, t in enumerate(split_order(TREE).tolist(), 1):
        found = dict(cuts.reasons[t].details)
        assert (found["error before"], found["error after"]) == pytest.approx((errors[k - 1], errors[k]))


def test_patience_stops_at_the_first_hill():
    """The error rises with the second split and falls to its least later; patience 1 does not live to see it."""
    for seed in range(200):
        validation = noise(15, seed)
        errors = np.round(errors_of_prefixes(TREE, validation), 12)
        least = int(np.argmin(errors))
        if least >= 3 and errors[2] >= errors[1] and errors[1] < errors[0]:
            break
    else:
        raise AssertionError("no such rows")
    sizes = [TREE.cut(tc.prune(TREE, "validation_peak", validation=validation, patience=p)).n_leaves for p in (1, 99)]
    assert sizes == [2, least + 1]


def test_numbers():
    tree = tc.grow(Sample(["numeric"], [[0, 1, 2, 3]], [0], [0.0, 0.0, 4.0, 6.0], 0).table())
    validation = Sample(["numeric"], [[0, 3]], [0], [0.0, 5.0], 0).table()
    cuts = tc.prune(tree, "validation_peak", validation=validation)
    # means 2.5; 0 and 5; 0, 4 and 6
    assert tree.cut(cuts).n_leaves == 2
    found = [dict(cuts.reasons[t].details)["error after"] for t in split_order(tree)]
    assert found == pytest.approx([0.0, 0.5])
    assert "squared error per row" in cuts.reasons[0].text


def test_with_costs_it_is_a_cost():
    tree = tc.grow(TRAIN, loss=((0, 1), (7, 0)))
    validation = Sample(["numeric"], [[0, 4]], [0], [A, A], 2).table()
    cuts = tc.prune(tree, "validation_peak", validation=validation)
    assert "validation cost of errors per row" in cuts.reasons[0].text


def test_bad_input_and_a_lone_root():
    validation = noise(5, 0)
    for value in (0, 1.5, "no"):
        with pytest.raises(tc.TreecoreError) as caught:
            tc.prune(TREE, "validation_peak", validation=validation, patience=value)
        assert caught.value.where == "patience"
    with pytest.raises(tc.TreecoreError, match="no validation rows to judge by"):
        tc.prune(TREE, "validation_peak")
    stump = tc.grow(TRAIN, max_depth=0)
    assert tc.prune(stump, "validation_peak", validation=validation).reasons == {}
