"""Segments of trees of every make beside a slow twin that sends each row down the tree; what always holds of them."""

import json
import math

import numpy as np
import pytest

import treecore as tc
from tests.property.saved_trees import MAKES, saved, tables
from treecore.judging.interest import wilson
from treecore.study.segments import Profit
from treecore.tree.node_statistics import true_labels, true_numbers
from treecore.tree.predict import route

WORTH = Profit(hit=7.0, miss=-3.0, false_alarm=-2.0, correct_rejection=0.5)


@pytest.fixture(scope="module", params=range(len(MAKES)), ids=lambda i: f"{MAKES[i][0]}-{i}")
def made(request):
    """(tree, its training rows, other rows, segments)."""
    tree = tc.Tree.from_dict(json.loads(saved(request.param)))
    train, validation = tables(MAKES[request.param][1])
    return tree, train, validation, tc.segments(tree, {"train": train, "validation": validation}, profit=WORTH)


def slow(tree: tc.Tree, rows: tc.Table, k: int | None) -> dict[int, list]:
    """node -> [(weight, is of the class, or number)] of the parts of rows that end there."""
    routes, found = route(tree, rows), {}
    truth = true_numbers(tree, rows) if k is None else true_labels(tree, rows)
    for row, node, share in zip(routes.row, routes.node, routes.share, strict=True):
        if truth[row] >= 0 or (k is None and not math.isnan(truth[row])):
            value = float(truth[row]) if k is None else float(truth[row] == k)
            found.setdefault(int(node), []).append((float(share * rows.case_weights[row]), value))
    return found


def test_other_rows_are_counted_as_row_by_row(made):
    tree, _, rows, found = made
    expected, held = slow(tree, rows, found.k), found.held["validation"]
    assert set(expected) <= set(found.node.tolist())
    for i, node in enumerate(found.node.tolist()):
        parts = expected.get(node, [])
        weight, hits = sum(w for w, _ in parts), sum(w * v for w, v in parts)
        assert held.rows[i] == pytest.approx(weight)
        assert held.hits[i] == pytest.approx(hits)
        if found.k is not None:
            assert (held.low[i], held.high[i]) == pytest.approx(tuple(map(float, wilson(hits, weight))))
        elif weight:
            mean = hits / weight
            assert held.spread[i] == pytest.approx(
                sum(w * (v - mean) ** 2 for w, v in parts) ** 0.5 / weight**0.5, abs=1e-6
            )
            below = sum(w for w, v in parts if v < held.median[i] - 1e-9)
            assert below <= weight / 2 + 1e-9 >= sum(w for w, v in parts if v > held.median[i] + 1e-9)


def test_sums_over_segments_are_the_totals(made):
    tree, _, rows, found = made
    train = found.held[tree.figures_of]
    assert train.rows.sum() == pytest.approx(tree.weight[0])
    total = tree.stats[0, found.k] if found.k is not None else tree.stats[0, 0] * tree.center[0] + tree.stats[0, 1]
    assert train.hits.sum() == pytest.approx(total)
    assert found.held["validation"].rows.sum() == pytest.approx(
        sum(w for parts in slow(tree, rows, found.k).values() for w, _ in parts)
    )
    for held in found.held.values():
        some = held.rows > 0
        assert held.share.sum() == pytest.approx(1)
        assert held.captured[-1] == pytest.approx(1)
        np.testing.assert_allclose(held.lift[some] * held.base, held.rate[some])
        np.testing.assert_allclose((held.rate * held.rows)[some], held.hits[some], atol=1e-9)
        assert (held.low[some] <= held.rate[some] + 1e-12).all()
        assert (held.high[some] >= held.rate[some] - 1e-12).all()


def test_the_order_and_the_numbers(made):
    tree, _, _, found = made
    told = found.told[~np.isnan(found.told)]
    assert (np.diff(told) <= 0).all()
    assert sorted(found.number[found.number > 0].tolist()) == list(range(1, tree.n_leaves + 1))
    assert (np.diff(found.number[found.number > 0]) == 1).all()
    assert (tree.is_leaf[found.node] == (found.number > 0)).all()


@pytest.mark.parametrize("role", ["train", "validation"])
def test_a_rule_flags_the_first_segments_and_no_others(made, role):
    _, _, _, found = made
    held = found.held[role]
    for rows in np.linspace(0, held.n_rows, 23):
        said = found.first(rows, role)
        flagged = np.zeros(len(found), bool) if said.rule is None else said.rule.flags(found.told)
        assert flagged.sum() == said.n_segments
        assert not np.diff(flagged.astype(int)).max(initial=-1) > 0
        assert held.rows[flagged].sum() <= rows + 1e-6
        if found.k is not None:
            alarms, missed = said.rows - said.hits, held.n_hits - said.hits
            rest = held.n_rows - held.n_hits - alarms
            assert said.profit == pytest.approx(7 * said.hits - 3 * missed - 2 * alarms + 0.5 * rest)


def test_no_other_line_is_worth_more(made):
    _, _, _, found = made
    if found.k is None:
        return
    for role, held in found.held.items():
        best = found.most_profitable(role)
        ends = [0.0, *held.rows_so_far[np.append(np.diff(found.told) != 0, True)]]  # of segments that can be told apart
        assert best.profit == pytest.approx(max(found.first(end, role).profit for end in ends))
