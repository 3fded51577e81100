"""Raised subtrees: the rows of the place counted anew, against a twin that sends them one by one."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.twin_settings import many_rows
from tests.unit.naive_raising import Naive
from treecore.data import level_column
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.pruning import CUT, RAISED, Cuts, Reason
from treecore.target.numbers import recentred
from treecore.tree.node_statistics import add_up_statistics, children_statistics

STRATEGIES = ("majority", "fractional", "surrogates", "surrogates_only", "stay", "own_value", "node_value")
HAND = Reason("by hand", "for a test")


@st.composite
def raised(draw, **fixed):
    """(table, grown tree, cuts with at least one branch raised and maybe some nodes cut)."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n_classes = draw(st.sampled_from([0, 2, 3]))
    table = many_rows(rng, n_classes, draw(st.sampled_from([0.0, 0.2]))).table()
    growth = {"missing": draw(st.sampled_from(STRATEGIES)), "nominal": draw(st.sampled_from(["subset", "multiway"])),
              "max_depth": draw(st.integers(2, 6))} | fixed  # fmt: skip
    if n_classes == 0:
        growth["criterion"] = draw(st.sampled_from(["squared_error", "absolute_error"]))
    tree = tc.grow(table, tc.GrowSettings(**growth))
    assume(tree.depth > 1)
    return table, tree, some_raised(draw, tree, table)


def some_raised(draw, tree, table) -> Cuts:
    verdict, by = np.zeros(tree.n_nodes, np.int8), np.full(tree.n_nodes, -1)
    inner = np.flatnonzero(~tree.is_leaf)
    above = [int(t) for t in inner if not tree.is_leaf[list(tree.children(t))].all()]
    for t in draw(st.lists(st.sampled_from(above), min_size=1, max_size=3, unique=True)):
        below = np.flatnonzero(tree.descendants(t) & ~tree.is_leaf)
        verdict[t], by[t] = RAISED, draw(st.sampled_from(below.tolist()))
    for t in draw(st.lists(st.sampled_from(inner.tolist()), max_size=2)):
        if verdict[t] != RAISED:
            verdict[t] = CUT
    return Cuts(verdict, by, train=table)


@given(raised())
@settings(max_examples=80)
def test_every_number_of_a_raised_tree_is_that_of_its_rows(case):
    table, tree, cuts = case
    pruned, naive = tree.cut(cuts), Naive(tree, table, cuts).everywhere()
    standing = cuts.stand(tree)
    assert sorted(naive.at) == sorted(standing.nodes.tolist())
    for i, node in enumerate(standing.nodes.tolist()):
        parts = naive.at[node]
        np.testing.assert_allclose(pruned.stats[i], naive.counts(parts, pruned.center[i]), rtol=1e-9, atol=1e-9)
        assert pruned.n_rows[i] == len(parts)
        assert pruned.impurity[i] == pytest.approx(naive.impurity(parts), abs=1e-9)
        if naive.is_leaf(node):
            assert pruned.is_leaf[i]
            continue
        missing = [(row, share) for row, share in parts if naive.is_missing(node, row)]
        assert pruned.missing_rows[i] == len(missing)
        assert pruned.missing_weight[i] == pytest.approx(naive.weight(missing), abs=1e-9)


@given(raised())
@settings(max_examples=60)
def test_the_gain_of_raised_nodes_is_over_the_rows_with_a_value(case):
    table, tree, cuts = case
    pruned, naive = tree.cut(cuts), Naive(tree, table, cuts).everywhere()
    standing = cuts.stand(tree)
    for i in np.flatnonzero(~pruned.is_leaf):
        node = int(standing.nodes[i])
        children = [naive.node_at(child) for child in tree.children(node)]
        own = tree.growth["missing"] == "own_value" and pruned.missing_rows[i] > 0
        sides = [naive.at[c] if own else naive.known[c] for c in children]
        together, weight = [part for side in sides for part in side], naive.weight(naive.at[node])
        apart = sum(naive.weight(side) * naive.impurity(side) for side in sides)
        expected = (naive.weight(together) * naive.impurity(together) - apart) / weight
        if own or i in _recounted(standing, pruned):
            assert pruned.gain[i] == pytest.approx(expected, abs=1e-9)
        assert pruned.score[i] == tree.score[node]


def _recounted(standing, pruned) -> set:
    """Positions at or below a raised node."""
    found = set(standing.raised.tolist())
    for i in range(pruned.n_nodes):
        found |= {i} if int(pruned.parent[i]) in found and i else set()
    return found


@given(raised(missing="fractional"))
@settings(max_examples=60)
def test_no_weight_is_lost_or_made_where_rows_are_shared(case):
    _, tree, cuts = case
    pruned = tree.cut(cuts)
    for i in np.flatnonzero(~pruned.is_leaf):
        np.testing.assert_allclose(children_statistics(pruned, i).sum(axis=0), pruned.stats[i], atol=1e-9)
    whole = tree.stats[0] if tree.classes else recentred(tree.stats[0], tree.center[0] - pruned.center[0])
    leaves = np.where(pruned.is_leaf[:, None], pruned.stats, 0.0)
    np.testing.assert_allclose(add_up_statistics(pruned, leaves)[0], whole, rtol=1e-9, atol=1e-9)


@given(raised())
@settings(max_examples=60)
def test_a_raised_tree_answers_its_training_rows_by_the_nodes_they_reach(case):
    table, tree, cuts = case
    pruned, naive = tree.cut(cuts), Naive(tree, table, cuts).everywhere()
    standing = cuts.stand(tree)
    counted = np.flatnonzero(naive.case > 0)
    if pruned.classes:
        expected, found = np.zeros((table.n_rows, len(pruned.classes))), pruned.predict_proba(table)
        answers = pruned.proba
    else:
        expected, found, answers = np.zeros(table.n_rows), pruned.predict(table), pruned.value
    for i, node in enumerate(standing.nodes.tolist()):
        for row, share in naive.ends[node]:
            expected[row] += share * answers[i]
    np.testing.assert_allclose(found[counted], expected[counted], rtol=1e-9, atol=1e-9)


@given(raised())
@settings(max_examples=40)
def test_what_is_not_below_a_raised_node_stays_to_the_last_digit(case):
    _, tree, cuts = case
    pruned, standing = tree.cut(cuts), cuts.stand(tree)
    for i in set(range(pruned.n_nodes)) - _recounted(standing, pruned):
        node = standing.nodes[i]
        assert pruned.stats[i].tolist() == tree.stats[node].tolist()
        assert (pruned.impurity[i], pruned.n_rows[i]) == (tree.impurity[node], tree.n_rows[node])


@given(raised())
@settings(max_examples=40)
def test_restoring_gives_the_grown_tree_back_and_cutting_the_root_its_answer(case):
    _, tree, cuts = case
    for node in np.flatnonzero(cuts.verdict):
        cuts = cuts.restore(int(node), HAND)
    assert not cuts.changes
    assert tree.cut(cuts).to_dict() == tree.to_dict()
    stump = tree.cut(case[2].cut(tree, 0, HAND))
    assert (stump.n_nodes, stump.value[0]) == (1, tree.value[0])


@pytest.mark.parametrize("missing", STRATEGIES)
@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_sending_all_rows_down_the_grown_tree_counts_what_growing_counted(missing, n_classes):
    from treecore.pruning.raising import Standing
    from treecore.pruning.raising import _recounted as recounted

    for seed in range(4):
        table = many_rows(np.random.default_rng(seed), n_classes, 0.2).table()
        criterion = "absolute_error" if seed % 2 and not n_classes else ""
        tree = tc.grow(table, missing=missing, criterion=criterion, priors=(0.25, 0.75) if n_classes == 2 else None)
        nodes = np.arange(tree.n_nodes)
        anew = recounted(tree, Standing(nodes, nodes, tree.is_leaf), np.ones(tree.n_nodes, bool), table)
        for name in ("stats", "n_rows", "impurity", "gain", "missing_rows", "missing_weight", "surrogate_rows"):
            np.testing.assert_allclose(getattr(anew, name), getattr(tree, name), rtol=1e-9, atol=1e-9, err_msg=name)
        if tree.median is not None:
            np.testing.assert_allclose(anew.median, tree.median, rtol=1e-12)


@pytest.mark.parametrize("missing", STRATEGIES)
def test_a_row_of_weight_0_goes_where_routing_sends_it_also_where_nothing_is_missing(missing):
    """Level c has no row that counts, and no cell is empty: growing sends it as it would send a missing one."""
    rows = [("a", "n", 1), ("a", "n", 1), ("b", "p", 1), ("b", "p", 2), ("c", "p", 0)]
    columns = [level_column(n, "nominal", [row[i] for row in rows], v) for i, (n, v) in enumerate(WEIGHTLESS.items())]
    table = tc.Table(tuple(columns), target="y", features=("x",), weights=np.array([r[2] for r in rows], float))
    tree = tc.grow(table, missing=missing)
    sent = Naive(tree, table, Cuts(np.zeros(3, np.int8), np.full(3, -1))).everywhere()
    assert tree.n_rows.tolist() == [len(sent.at[node]) for node in range(3)]


WEIGHTLESS = {"x": "abc", "y": "np"}


def one_raised(missing="majority") -> tuple[tc.Table, tc.Tree, Cuts]:
    table = many_rows(np.random.default_rng(3), 3, 0.1).table()
    tree = tc.grow(table, missing=missing, max_depth=3)
    below = next(t for t in tree.children(0) if not tree.is_leaf[t])
    verdict, by = np.zeros(tree.n_nodes, np.int8), np.full(tree.n_nodes, -1)
    verdict[0], by[0] = RAISED, below
    return table, tree, Cuts(verdict, by, train=table)


def test_raising_needs_the_training_rows():
    _, tree, cuts = one_raised()
    with pytest.raises(tc.TreecoreError, match="rows of the place") as caught:
        tree.cut(Cuts(cuts.verdict, cuts.replaced_by))
    assert "train=" in caught.value.remedy


def test_other_rows_than_those_of_growing_are_refused():
    table, tree, cuts = one_raised()
    with pytest.raises(tc.TreecoreError, match="not the rows that the tree was grown on"):
        tree.cut(Cuts(cuts.verdict, cuts.replaced_by, train=table.take(np.arange(table.n_rows // 2))))


def test_the_columns_and_the_json_of_a_raised_tree_hold_together():
    table, tree, cuts = one_raised("surrogates")
    pruned = tree.cut(cuts)
    assert pruned.node_depth[0] == 0
    assert pruned.parent[0] == -1
    for i in range(1, pruned.n_nodes):
        assert i in pruned.children(int(pruned.parent[i]))
        assert pruned.node_depth[i] == pruned.node_depth[pruned.parent[i]] + 1
    again = tc.Tree.from_dict(pruned.to_dict())
    assert again.predict(table).tolist() == pruned.predict(table).tolist()
    assert tree.node(int(cuts.replaced_by[0])).feature == pruned.node(0).feature


def test_an_empty_leaf_answers_as_its_new_parent():
    # x0 = b is always z = p above; below it z has an empty leaf for q, which the rows of x0 = a fill when z is raised
    rows = ["ap-", "ap-", "aq+", "aq+", "bp+", "bp-", "bp+", "cr+", "cr-"]
    columns = [level_column(n, "nominal", [row[i] for row in rows], v) for i, (n, v) in enumerate(NAMES.items())]
    table = tc.Table(tuple(columns), target="y", features=("x0", "z"))
    take = (
        ForcedSplit((), "x0", branches=(("a",), ("b",), ("c",))),
        ForcedSplit((1,), "z", branches=(("p",), ("q",), ("r",))),
    )
    tree = grow_tree(table, tc.GrowSettings(criterion="entropy", nominal="multiway"), imposed=take)
    p, q, r = tree.children(2)
    assert tree.answer[[p, q, r]].tolist() == [p, 2, 2]
    verdict, by = np.zeros(tree.n_nodes, np.int8), np.full(tree.n_nodes, -1)
    verdict[0], by[0] = RAISED, 2
    pruned = tree.cut(Cuts(verdict, by, train=table))
    assert pruned.stats.tolist() == [[4, 5], [3, 2], [0, 2], [1, 1]]
    assert pruned.answer.tolist() == [0, 1, 2, 3]
    assert pruned.impurity[2] == 0
    none = table.take(np.array([0, 1, 4, 5, 6, 7, 8]))  # without q it stays empty
    tree = grow_tree(none, tc.GrowSettings(criterion="entropy", nominal="multiway"), imposed=take)
    assert tree.cut(Cuts(verdict[: tree.n_nodes], by[: tree.n_nodes], train=none)).answer.tolist() == [0, 1, 0, 3]


NAMES = {"x0": "abc", "z": "pqr", "y": "-+"}


@given(raised())
@settings(max_examples=60)
def test_what_is_seen_of_a_node_stands_and_is_itself_or_has_its_rows(case):
    _, tree, cuts = case
    standing = set(cuts.standing(tree).tolist())
    for node in range(tree.n_nodes):
        seen = cuts.visible_ancestor(tree, node)
        assert seen in standing
        assert (seen == node) == (node in standing)


def test_a_cut_that_a_raised_node_passed_over_does_not_count():
    """Of the chain 0, 1, 3 node 3 takes the root's place; that node 1 between them is cut changes nothing."""
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": list("npnp")})
    tree = tc.grow(tc.read_table(frame, target="y", kinds={"x": "numeric"}), "cart", min_rows_leaf=1, min_rows_split=2)
    deepest = int(np.flatnonzero(~tree.is_leaf)[-1])
    between = int(tree.parent[deepest])
    verdict, by = np.zeros(tree.n_nodes, int), np.full(tree.n_nodes, -1)
    verdict[[0, between]], by[0] = (RAISED, CUT), deepest
    leaf = tree.children(deepest)[0]
    assert 0 < between < deepest
    assert Cuts(verdict, by).visible_ancestor(tree, leaf) == leaf
    assert Cuts(verdict, by).visible_ancestor(tree, between) == deepest
