"""J48's reduced-error pruning: kept rows judge, shared among branches; equal errors make a leaf."""

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_error_based import table
from treecore.pruning import CUT, KEEP

MULTIWAY = tc.GrowSettings(criterion="entropy", nominal="multiway", missing="fractional")
LEVELS = {"x": "abc", "z": "pq", "y": "yn"}


def grown() -> tuple[tc.Table, tc.Tree]:
    """x parts the classes but for x = a, where z does; no row has x = c."""
    rows = table("apy apy aqn aqn bpn bqn bpn bqn", **LEVELS)
    tree = tc.grow(rows, MULTIWAY)
    assert [tree.node(i).feature for i in range(6)] == ["x", "z", None, None, None, None]
    return rows, tree


def errors(cuts, node: int) -> tuple:
    return cuts.reasons[node].number, dict(cuts.reasons[node].details)["with its branches"]


def test_branches_that_earn_their_keep_stay():
    _, tree = grown()
    cuts = tc.prune(tree, "j48_reduced_error", validation=table("apy apy aqn bpn", **LEVELS))
    assert not cuts.changes
    # z's node answers y, the first of equal classes; the root n
    assert (errors(cuts, 1), errors(cuts, 0)) == ((1, 0), (2, 0))
    assert cuts.judged_by == "validation rows"
    assert [d.node for d in cuts.decisions] == [1, 0]


def test_equal_errors_make_a_leaf():
    _, tree = grown()
    cuts = tc.prune(tree, "j48_reduced_error", validation=table("aqy apy apn bpy", **LEVELS))
    # as a leaf y: 1 error; with z: q says n to a y, p says y to an n
    assert errors(cuts, 1) == (1, 2)
    assert (cuts.verdict[1], errors(cuts, 0), cuts.verdict[0]) == (CUT, (3, 2), KEEP)


def test_a_row_without_the_value_counts_in_every_branch_by_its_share():
    _, tree = grown()
    cuts = tc.prune(tree, "j48_reduced_error", validation=table("?py", **LEVELS))
    # half goes down x = a, where z = p says y; half down x = b, which says n
    assert errors(cuts, 1) == (0, 0)
    assert errors(cuts, 0) == (1, 0.5)
    assert (cuts.verdict[1], cuts.verdict[0]) == (CUT, KEEP)


def test_a_branch_without_training_rows_answers_as_its_parent():
    _, tree = grown()
    assert tree.answer[3] == 0
    cuts = tc.prune(tree, "j48_reduced_error", validation=table("cpn cpn cpy", **LEVELS))
    assert errors(cuts, 0) == (1, 1)
    assert tree.cut(cuts).n_nodes == 1


def test_it_never_raises_the_validation_error():
    from tests.property.twin_settings import many_rows

    for seed in range(20):
        rows = many_rows(np.random.default_rng(seed), 3, 0.1, n=90).table()
        train, validation = rows.take(np.arange(60)), rows.take(np.arange(60, 90))
        tree = tc.grow(train, "j48", min_weight_split=0, min_weight_leaf=0)
        cuts = tc.prune(tree, "j48_reduced_error", validation=validation)
        for node, reason in cuts.reasons.items():
            kept = dict(reason.details)["with its branches"]
            assert (cuts.verdict[node] == CUT) == (reason.number <= reason.threshold)
            assert (cuts.verdict[node] == CUT) == (reason.number - kept < 1e-6)


def test_without_rows_that_judge_it_is_refused():
    rows, tree = grown()
    with pytest.raises(tc.TreecoreError, match="no validation rows"):
        tc.prune(tree, "j48_reduced_error")
    with pytest.raises(tc.TreecoreError, match="weight above 0"):
        tc.prune(tree, "j48_reduced_error", validation=rows.with_weights(np.zeros(8)))
