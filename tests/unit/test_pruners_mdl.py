"""Pruning by description length: bits counted by hand, and those of the stopping rule."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample
from treecore.criteria.description_length import exception_bits, leaf_bits
from treecore.data.samples import read_sample
from treecore.growing.rebuild_node import searched_again
from treecore.pruning import CUT, KEEP
from treecore.pruning.mdl import choices_of_test
from treecore.pruning.rows_at_nodes import DistinctValues, RowsAtNodes

A, B = 0, 1


def test_two_rows_by_hand():
    """A leaf 1 + 1 + log2 2 + log2 2 = 4 bits; a split 1 + 0 + 0 and two leaves of 2 bits = 5."""
    table = Sample(["numeric"], [[0, 1]], [0], [A, B], 2).table()
    cuts = tc.prune(tc.grow(table), "mdl", train=table)
    reason = cuts.reasons[0]
    assert (reason.number, reason.threshold) == (pytest.approx(4), pytest.approx(5))
    assert dict(reason.details) == {
        "tree bits as a leaf": 2, "exception bits as a leaf": pytest.approx(2), "tree bits with branches": 5,
        "exception bits with branches": 0, "bits of the test": 1,
    }  # fmt: skip
    assert reason.text == "4 bits as a leaf (2 tree, 2 exceptions), 5 with its branches (5 tree, 0 exceptions)"
    assert cuts.verdict[0] == CUT


def test_a_split_that_pays_stays():
    """8 values, 20 rows each, halves of one class each: 1 + 0 + log2 7 and 2 (2 + log2 41) bits."""
    x, y = [v for v in range(8) for _ in range(20)], [A] * 80 + [B] * 80
    table = Sample(["numeric", "numeric"], [x, [5] * 160], [0, 0], y, 2).table()
    cuts = tc.prune(tc.grow(table), "mdl", train=table)
    exceptions = 2 * math.log2(41)
    assert cuts.reasons[0].threshold == pytest.approx(1 + math.log2(7) + 2 * 2 + exceptions)
    assert dict(cuts.reasons[0].details)["exception bits with branches"] == pytest.approx(exceptions)
    assert cuts.reasons[0].number == pytest.approx(2 + math.log2(81) + math.log2(math.comb(160, 80)))
    assert cuts.verdict[0] == KEEP


def test_tennis_is_a_leaf_and_the_bits_below_count_as_pruned():
    table = read_sample("play_tennis")
    tree = tc.grow(table, "id3")
    cuts = tc.prune(tree, "mdl", train=table)
    assert tree.cut(cuts).n_nodes == 1
    # Outlook, one of 4 features; Sunny 2:3 and Rain 3:2 are cut first, Overcast is pure
    assert cuts.reasons[0].number == pytest.approx(2 + 3 + math.log2(2002))
    assert cuts.reasons[0].threshold == pytest.approx(1 + 2 + 2 * (2 + math.log2(3) + math.log2(10)) + 2 + math.log2(3))
    sunny = next(t for t in cuts.reasons if t)
    # Humidity, one of 3 features that vary among 5 rows: 3:0 and 0:2 (and Low, without rows)
    pure = sum(leaf_bits(tree.stats[c]) for c in tree.children(sunny))
    assert cuts.reasons[sunny].threshold == pytest.approx(1 + math.log2(3) + pure)


@pytest.mark.parametrize("nominal", ["subset", "multiway", "one_level"])
@pytest.mark.parametrize("missing", ["majority", "fractional", "own_value"])
def test_a_single_split_takes_the_bits_of_the_stopping_rule(nominal, missing):
    rng = np.random.default_rng(5)
    n = 60
    columns = [rng.integers(0, 5, n).tolist(), rng.integers(0, 4, n).tolist(), rng.integers(0, 3, n).tolist()]
    for kinds in (["numeric", "ordinal", "nominal"], ["nominal", "ordinal", "nominal"], ["nominal"] * 3):
        levels = [0 if k == "numeric" else v for k, v in zip(kinds, (5, 4, 3), strict=True)]
        table = Sample(kinds, columns, levels, rng.integers(0, 3, n).tolist(), 3).table()
        veto = searched_again(tc.grow(table, nominal=nominal, missing=missing, test="mdl"), 0, table).veto
        tree = tc.grow(table, nominal=nominal, missing=missing, max_depth=1)
        reason = tc.prune(tree, "mdl", train=table).reasons[0]
        assert veto is not None
        assert (reason.number, reason.threshold) == (pytest.approx(veto.limit), pytest.approx(veto.value))


def test_features_are_counted_among_the_rows_of_the_node():
    """x1 < 5 parts 5 rows from 3; among the 5, x0 has 2 values and x1 has 3, the root has 3 and 4."""
    x0, x1 = [0, 0, 1, 1, 1, 2, 2, 2], [1, 1, 1, 2, 3, 7, 7, 7]
    table = Sample(["numeric"] * 2, [x0, x1], [0, 0], [A, A, B, A, A, B, B, B], 2).table()
    tree = tc.grow(table)
    found = choices_of_test(tree, table)
    n_cuts = {0: {"x0": 2, "x1": 3}}
    below = next(t for t in found if t)
    assert tree.weight[below] == 5
    n_cuts[below] = {"x0": 1, "x1": 2}
    for t in (0, below):
        assert found[t] == (2, pytest.approx(math.log2(n_cuts[t][tree.node(t).feature])))


@given(st.data())
@settings(max_examples=60)
def test_values_are_counted_at_every_node_as_one_by_one(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    n = data.draw(st.integers(4, 80))
    columns = [[0, 1, *(None if rng.random() < 0.15 else int(v) for v in rng.integers(0, k, n))] for k in (3, 40, 5)]
    weights = data.draw(st.sampled_from([None, [1.0, 1.0, *rng.choice([0.0, 0.5, 2.0], n).tolist()]]))
    target = [A, B, *rng.integers(0, 2, n).tolist()]
    table = Sample(["numeric", "numeric", "nominal"], columns, [0, 0, 5], target, 2, weights).table()
    missing = data.draw(st.sampled_from(["majority", "fractional", "own_value", "stay"]))
    tree = tc.grow(table, missing=missing, nominal=data.draw(st.sampled_from(["subset", "multiway"])))
    passing = RowsAtNodes.of(tree, table)
    values = rng.choice([0.0, 1.0, 2.5, np.nan, *range(5, 30)], n + 2)
    plain = [len(set(values[passing.at(t)[0]][~np.isnan(values[passing.at(t)[0]])])) for t in range(tree.n_nodes)]
    assert DistinctValues(tree, passing).at_nodes(values).tolist() == plain


def test_the_work_on_a_chain_grows_with_its_length(monkeypatch):
    """Every node of it but the last has nearly all rows of the one above: they are put in order once."""
    sorted_rows = []
    for name in ("unique", "lexsort"):
        plain = getattr(np, name)

        def counted(keys, *args, _plain=plain, **kwargs):
            sorted_rows.append(np.size(keys[-1]) if isinstance(keys, tuple) else np.size(keys))
            return _plain(keys, *args, **kwargs)

        monkeypatch.setattr(np, name, counted)
    n = 400
    table = Sample(["numeric"], [list(range(n))], [0], [v % 2 for v in range(n)], 2).table()
    tree = tc.grow(table)
    assert tree.depth > n / 4
    sorted_rows.clear()
    choices_of_test(tree, table)
    assert 0 < sum(sorted_rows) < 10 * n


def test_rows_that_stay_are_told_with_the_branches():
    x, y = [0.0] * 20 + [1.0] * 20 + [None] * 6, [A] * 20 + [B] * 20 + [A, A, A, A, B, B]
    table = Sample(["numeric"], [x], [0], y, 2).table()
    tree = tc.grow(table, missing="stay")
    reason = tc.prune(tree, "mdl", train=table).reasons[0]
    bits = 2 * exception_bits([20, 0]) + exception_bits([4, 2])
    assert dict(reason.details)["exception bits with branches"] == pytest.approx(bits)


def test_weights_count_as_rows_and_costs_do_not_matter():
    rows = ([0, 0, 0, 1, 1, 2], [A, A, B, B, B, A])
    heavy = Sample(["numeric"], [rows[0]], [0], rows[1], 2, [3.0] * 6).table()
    often = Sample(["numeric"], [rows[0] * 3], [0], rows[1] * 3, 2).table()
    found = [tc.prune(tc.grow(t), "mdl", train=t).reasons for t in (heavy, often)]
    assert found[0].keys() == found[1].keys()
    for t in found[0]:
        assert (found[0][t].number, found[0][t].threshold) == pytest.approx((found[1][t].number, found[1][t].threshold))
    costly = tc.grow(often, loss=((0, 1), (5, 0)))
    assert tc.prune(costly, "mdl", train=often).reasons[0].number == pytest.approx(found[1][0].number)


def test_what_is_refused():
    numbers = Sample(["numeric"], [[0, 1, 2, 3]], [0], [0.0, 0.0, 4.0, 4.0], 0).table()
    with pytest.raises(tc.TreecoreError, match="it counts the exceptions from a class"):
        tc.prune(tc.grow(numbers), "mdl", train=numbers)
    table = Sample(["numeric"], [[0, 1]], [0], [A, B], 2).table()
    with pytest.raises(tc.TreecoreError, match="looks at the training rows, there are none"):
        tc.prune(tc.grow(table), "mdl")
    with pytest.raises(tc.TreecoreError, match="grown on rows of weight 2, those given weigh 1"):
        tc.prune(tc.grow(table), "mdl", train=table.take(np.arange(1)))
    assert tc.prune(tc.grow(table, max_depth=0), "mdl", train=table).reasons == {}
