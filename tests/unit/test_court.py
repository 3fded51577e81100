"""Pruning methods beside each other: outcomes of every node, and the trees that are left."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.pruning import CUT, RAISED, Cuts, Reason
from treecore.study.court import OUTCOMES, Opinion, court, opinion

WHOLE = read_sample("titanic")
TRAIN, VALIDATION, TEST = WHOLE.split(tc.Roles())
TREE = tc.grow(TRAIN, max_depth=4)
TABLES = {"train": TRAIN, "validation": VALIDATION, "test": TEST}


def outcome_of(found: Opinion, node: int) -> str:
    return OUTCOMES[found.outcome[node]]


def inner_below(node: int) -> list[int]:
    return [int(t) for t in np.flatnonzero(TREE.descendants(node) & ~TREE.is_leaf)]


def test_a_cut_and_all_below_it():
    a, b = TREE.children(0)
    cuts = Cuts.at(TREE, [a, inner_below(a)[0]], {a: Reason("m", "why", 2.25, 4.125), b: Reason("m", "why", 5, 4)})
    found = opinion(TREE, cuts, TABLES)
    assert (outcome_of(found, 0), outcome_of(found, a), outcome_of(found, b)) == ("keep", "cut", "keep")
    assert (found.told(0), found.told(a), found.told(b)) == ("keep", "cut 2.25 ≤ 4.125", "keep 5 > 4")
    for t in inner_below(a):
        assert outcome_of(found, t) == "gone"
        assert found.because[t] == a
        assert found.told(t) == f"gone with {a}"
    assert found.because[0] == found.because[a] == found.because[b] == -1
    pruned = TREE.cut(cuts)
    assert (found.n_leaves, found.depth) == (pruned.n_leaves, pruned.depth)
    for role, rows in TABLES.items():
        right = (pruned.predict(rows) == rows.target_column.labels()).mean()
        assert found.scores[role].accuracy == pytest.approx(right)


def test_what_a_method_said_of_a_node_that_is_gone():
    a, _ = TREE.children(0)
    child = inner_below(a)[0]
    found = opinion(TREE, Cuts.at(TREE, [a], {child: Reason("m", "", 7, 3)}), {})
    assert found.told(child) == f"gone with {a}: keep 7 > 3"


def raised_cuts():
    """The root's place goes to a branch of its first child, which has one inner node cut below."""
    a, b = TREE.children(0)
    rises = next(t for t in TREE.children(a) if not TREE.is_leaf[t] and inner_below(t))
    below = inner_below(rises)[0]
    verdict, by = np.zeros(TREE.n_nodes, int), np.full(TREE.n_nodes, -1)
    verdict[0], by[0], verdict[below] = RAISED, rises, CUT
    return Cuts(verdict, by, {0: Reason("raising", "", 1.0, 2.0)}, train=TRAIN), a, b, rises, below


def test_a_branch_that_rises():
    cuts, a, b, rises, below = raised_cuts()
    found = opinion(TREE, cuts, {})
    assert found.told(0) == "raised 1 ≤ 2"
    assert outcome_of(found, rises) == "keep"
    assert outcome_of(found, below) == "cut"
    assert [outcome_of(found, t) for t in (a, b)] == ["gone", "gone"]
    assert found.because[a] == found.because[b] == 0
    assert all(found.because[t] == 0 for t in inner_below(b))
    standing = set(cuts.standing(TREE).tolist())
    hidden = {t for t in range(TREE.n_nodes) if outcome_of(found, t) in ("gone", "raised")}
    assert standing | hidden == set(range(TREE.n_nodes))
    assert not standing & hidden


def test_two_branches_that_rise_one_after_the_other():
    a, _ = TREE.children(0)
    second = next(t for t in TREE.children(a) if not TREE.is_leaf[t])
    verdict, by = np.zeros(TREE.n_nodes, int), np.full(TREE.n_nodes, -1)
    verdict[[0, a]], by[0], by[a] = RAISED, a, second
    found = opinion(TREE, Cuts(verdict, by, train=TRAIN), {})
    assert [outcome_of(found, t) for t in (0, a, second)] == ["raised", "raised", "keep"]


def test_the_court_lists_inner_nodes_largest_first_and_who_disagrees():
    a, b = TREE.children(0)
    refused = opinion(TREE, tc.TreecoreError("no rows", where="Roles", remedy="give some"), TABLES)
    found = court(TREE, {
        "nothing": opinion(TREE, Cuts.none(TREE), {}),
        "a": opinion(TREE, Cuts.at(TREE, [a]), {}),
        "all": opinion(TREE, Cuts.at(TREE, [*inner_below(a), a, b]), {}),
        "refuses": refused,
    })  # fmt: skip
    assert set(found.nodes.tolist()) == set(np.flatnonzero(~TREE.is_leaf).tolist())
    assert (np.diff(TREE.weight[found.nodes]) <= 0).all()
    assert found.nodes[0] == 0
    assert dict(zip(found.nodes.tolist(), found.disagree.tolist(), strict=True)) == {
        t: t != 0 for t in found.nodes.tolist()
    }
    assert found.row(0) == ("keep", "keep", "keep", "")
    child = inner_below(a)[0]
    assert found.row(child) == ("keep", f"gone with {a}", f"gone with {a}", "")
    alike = court(TREE, {"a": found.opinions["a"], "again": found.opinions["a"], "refuses": refused})
    assert not alike.disagree.any()
    assert court(TREE, {}).disagree.tolist() == [False] * len(found.nodes)
    assert refused.refusal.remedy == "give some"


def test_regression_is_judged_by_its_squared_error():
    cars = read_sample("mpg")
    tree = tc.grow(cars, max_depth=3)
    found = opinion(tree, Cuts.at(tree, [0]), {"train": cars})
    assert (found.n_leaves, found.depth, found.scores["train"].accuracy) == (1, 0, None)
    truth = cars.target_column.values()
    assert found.scores["train"].error == pytest.approx(np.var(truth))


def test_the_best_method_has_the_best_tree_and_of_equals_the_smallest():
    a, b = TREE.children(0)
    found = court(TREE, {
        "refuses": opinion(TREE, tc.TreecoreError("no rows"), TABLES, "accuracy"),
        "root": opinion(TREE, Cuts.at(TREE, [0]), TABLES, "accuracy"),
        "whole": opinion(TREE, Cuts.none(TREE), TABLES, "accuracy"),
        "none": opinion(TREE, Cuts.none(TREE), TABLES),
    })  # fmt: skip
    assert found.best("validation", higher=True) == "whole"
    assert found.best("validation", higher=False) == "root"
    assert found.best("nowhere", higher=True) is None
    pure = court(TREE, {"a": opinion(TREE, Cuts.none(TREE), {}, "accuracy")})
    assert pure.best("validation", higher=True) is None
    same = {name: opinion(TREE, Cuts.at(TREE, cut), {"train": TRAIN.take(np.arange(0))}, "accuracy") for name, cut in (
        ("large", []), ("small", [a, b]))}  # fmt: skip
    assert court(TREE, same).best("train", higher=True) is None, "no rows, no measure"
    for o in same.values():
        o.measured["train"] = 0.5
    assert court(TREE, same).best("train", higher=True) == "small"
