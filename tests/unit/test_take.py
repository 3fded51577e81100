"""Taking another split: only that subtree changes, recipes replay it, and one that does not fit says where."""

import json

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import grown
from treecore.data import level_column, numeric_column
from treecore.fit import grow_with, take_of
from treecore.growing.inspect.candidates import beyond_limits
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.recipe import Data, Edit, Grow, Prune, Recipe, Take

HOSTILE = ["<img src=x onerror=alert(1)>", "$x$ **b** ![i](http://x/y.png)", '"];evil', "a\nb\t\\", "'; DROP--"]


def as_paths(tree) -> dict:
    """path -> everything the tree knows of the node there."""
    paths, found = {0: ()}, {}
    for node in range(tree.n_nodes):
        if node:
            parent = int(tree.parent[node])
            paths[node] = (*paths[parent], node - int(tree.first_child[parent]))
        view = tree.node(node)
        found[paths[node]] = (
            view.feature, view.branch, view.n_rows, view.impurity, str(view.gain), view.predicted,
            tuple(tree.stats[node]), int(tree.splits.missing_branch[node]), str(tree.splits.threshold[node]),
        )  # fmt: skip
    return found


def rivals(tree, node, table):
    return [c for c in tc.candidates(tree, node, table).per_feature() if not c.chosen]


@pytest.mark.parametrize(
    ("sample", "preset"), [("titanic", "cart"), ("titanic", "id3"), ("mpg", "cart"), ("iris", "cart")]
)
@pytest.mark.parametrize("node", [0, 1, 2, 4])
def test_only_what_is_below_the_node_changes(sample, preset, node):
    tree, tables = grown(sample, preset, max_depth=6)
    train, before = tables["train"], as_paths(tree)
    if tree.is_leaf[node]:
        node = 0
    for candidate in rivals(tree, node, train)[:3]:
        take = take_of(tree, node, candidate)
        made = grow_with(train, tc.GrowSettings.from_dict(dict(tree.growth)), (take,))
        after, n = as_paths(made), len(take.path)
        assert made.node(node).feature == candidate.feature, "the node keeps its number"
        assert made.gain[node] == pytest.approx(candidate.gain, rel=1e-9, abs=1e-12)
        rest = {p: v for p, v in before.items() if p[:n] != take.path}
        assert {p: v for p, v in after.items() if p[:n] != take.path} == rest


def test_a_leaf_can_be_split_by_hand():
    tree, tables = grown("titanic", max_depth=2)
    leaf = int(np.flatnonzero(tree.is_leaf)[0])
    take = take_of(tree, leaf, tc.candidates(tree, leaf, tables["train"]).ranked[0])
    assert take.expect == ""
    made = grow_with(tables["train"], tc.GrowSettings.from_dict(dict(tree.growth)), (take,))
    assert made.n_nodes == tree.n_nodes + 2


def test_beyond_its_limits_a_leaf_has_the_splits_of_a_tree_without_any():
    limited, tables = grown("titanic", "cart", max_depth=1, min_rows_leaf=100)
    whole, _ = grown("titanic", "cart")
    train = tables["train"]
    for leaf in (1, 2):
        best = beyond_limits(limited, leaf, train).ranked[0]
        taken = grow_with(train, GrowSettings.from_dict(dict(limited.growth)), (take_of(limited, leaf, best),))
        path = take_of(limited, leaf, best).path
        assert as_paths(taken)[path] == as_paths(whole)[path]


def test_a_recipe_with_a_take_replays_and_survives_json():
    tree, tables = grown("titanic")
    table = tables["train"]
    takes, now = [], tree
    for node in (0, 1, 3):
        takes.append(take_of(now, node, rivals(now, node, table)[0]))
        now = grow_with(table, tc.PRESETS["cart"].growth, tuple(takes))
    cut = Edit("cut", takes[1].path, takes[1].feature)
    recipe = Recipe((Data(table.fingerprint), Grow("cart"), Prune(), *takes, cut))
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    assert hash(again) == hash(recipe)
    fit = tc.fit(table, again)
    assert fit.grown.to_dict() == now.to_dict()
    assert fit.cuts.cut_nodes.tolist() == [1]


@pytest.mark.parametrize(
    "branches",
    [(("a", "b"), ("c", "d")), (("a",), ("b",)), (("a",), ("b",), ("c",)), (tuple(HOSTILE[:2]), tuple(HOSTILE[2:]))],
)
def test_groups_survive_json_whatever_their_number(branches):
    recipe = Recipe((Grow(), Take((0, 1), HOSTILE[0], HOSTILE[1], branches=branches)))
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert HOSTILE[1] in recipe.text()


def test_a_take_reads_as_a_phrase():
    assert Take((0, 1), "sex", "age", 6.5).text() == "take age at 6.5 instead of sex (0/1)"
    assert Take((), "", "sex", branches=(("m",), ("f", "x"))).text() == "take sex: m | f, x (root)"


@pytest.mark.parametrize(
    ("steps", "where"),
    [
        ((Take((), "age", "fare", 10.0),), "node 0 tests 'sex'"),
        ((Take((0, 0, 0, 0, 0, 0, 0, 0, 0), "", "fare", 10.0),), "has no branch"),
        ((Take((5,), "", "fare", 10.0),), "node 0 has no branch 5"),
        ((Take((), "sex", "fare", 1e9),), "does not part the rows of node 0"),
        ((Take((), "sex", "nobody", 1.0),), "no such feature"),
        ((Take((), "sex", "sex", branches=(("male",), ("martian",))),), "no level 'martian'"),
        ((Take((), "sex", "fare", 10.0), Take((), "sex", "age", 10.0)), "node 0 tests 'fare'"),
        ((Take((), "sex", "fare", 10.0), Edit("cut", (), "sex")), "node 0 tests 'fare'"),
    ],
    ids=str,
)
def test_one_that_does_not_fit_stops_the_replay_and_says_where(steps, where):
    _, tables = grown("titanic")
    with pytest.raises(tc.TreecoreError) as caught:
        tc.fit(tables["train"], Recipe((Grow(), *steps)))
    assert where in str(caught.value)
    assert caught.value.remedy


def test_cuts_elsewhere_stay_and_cuts_below_go():
    tree, tables = grown("titanic")
    table = tables["train"]
    take = take_of(tree, 1, rivals(tree, 1, table)[0])
    first = tree.node(int(tree.first_child[1])).feature
    steps = (Edit("cut", (0, 0), first), Edit("cut", (1,), tree.node(2).feature), take)
    fit = tc.fit(table, Recipe((Grow(), *steps)))
    assert fit.cuts.cut_nodes.tolist() == [2], "what was cut below the node has gone with it"
    below = tc.fit(table, Recipe((Grow(), *steps, Edit("cut", (0,), take.feature))))
    assert below.cuts.cut_nodes.tolist() == [1, 2]


def test_a_later_take_replaces_those_at_and_below_its_node():
    tree, tables = grown("titanic")
    table = tables["train"]
    low = take_of(tree, 1, rivals(tree, 1, table)[0])
    top = take_of(tree, 0, rivals(tree, 0, table)[0])
    both = grow_with(table, tc.GrowSettings(), (low, top))
    assert both.to_dict() == grow_with(table, tc.GrowSettings(), (top,)).to_dict()


@pytest.mark.parametrize(
    "wrong",
    [
        {}, {"feature": "a"}, {"feature": "", "threshold": 1.0}, {"feature": "a", "threshold": float("nan")},
        {"feature": "a", "threshold": True}, {"feature": "a", "threshold": "1"},
        {"feature": "a", "branches": (("x",),)}, {"feature": "a", "branches": (("x",), ())},
        {"feature": "a", "threshold": 1.0, "branches": (("x",), ("y",))}, {"feature": "a", "branches": ((1,), (2,))},
        {"feature": "a", "threshold": 1.0, "path": (0.5,)}, {"feature": "a", "threshold": 1.0, "path": 3},
        {"feature": 3, "threshold": 1.0},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_split_is_refused(wrong):
    with pytest.raises(tc.TreecoreError) as caught:
        Take(**wrong)
    assert caught.value.remedy


def test_a_split_taken_keeps_where_missing_values_go():
    """Missing is a value of its own: the candidate says on which side of the cut, and so does the step."""
    x = numeric_column("x", np.array([1.0, 2.0, 3.0, 4.0, np.nan, np.nan]))
    y = level_column("y", "nominal", ["a", "a", "b", "b", "a", "a"], ("a", "b"))
    table = tc.Table((x, y), target="y", features=("x",))
    growth = tc.GrowSettings(missing="own_value")
    tree = tc.grow(table, growth)
    for missing, counts in ((0, [4, 2]), (1, [2, 4])):
        wanted = next(c for c in tc.candidates(tree, 0, table).of("x") if c.threshold == 2.5 and c.missing == missing)
        step = take_of(tree, 0, wanted)
        again = Recipe.from_json(Recipe((Grow(), step)).to_json()).steps[1]
        assert again == step
        assert f"missing to branch {missing + 1}" in step.text()
        taken = grow_with(table, growth, (again,))
        assert [int(taken.weight[c]) for c in taken.children(0)] == counts


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("preset", ["chaid", "ctree", "cart", "sklearn"])
@pytest.mark.parametrize("seed", range(4))
def test_a_trees_own_groups_taken_are_the_tree(preset, weighted, seed):
    """Whatever the order of the groups in it: by the mean target, or as CHAID, by their levels."""
    rng = np.random.default_rng(seed)
    level = rng.integers(0, 6, 80)
    y = (level + seed) % 2 == 0
    as_value = preset in ("chaid", "sklearn")  # a missing value counts as a value
    names = [None if as_value and v == 5 else f"v{v}" for v in level]
    table = tc.Table(
        (
            level_column("v", "nominal", names, [f"v{v}" for v in range(7)]),
            level_column("y", "nominal", [str(v) for v in y], ("False", "True")),
        ),
        target="y", features=("v",), weights=rng.choice([0.0, 0.5, 2.0], 80) if weighted else None,
    )  # fmt: skip
    tree = tc.grow(table, preset)
    growth = tc.GrowSettings.from_dict(dict(tree.growth))
    own_split = next(c for c in tc.candidates(tree, 0, table).ranked if c.chosen)
    np.testing.assert_allclose(own_split.stats, tree.stats[list(tree.children(0))])
    made = grow_with(table, growth, (take_of(tree, 0, own_split),))
    assert as_groups(made) == as_groups(tree)


def as_groups(tree) -> list:
    """What of a tree does not depend on how a split was found."""
    return [tree.stats.tolist(), tree.n_rows.tolist(), tree.splits.missing_branch.tolist(),
            [tree.splits.levels(t).tolist() for t in range(tree.n_nodes)]]  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "nominal"), [("chaid", "subset"), ("chaid", "multiway"), ("sklearn", "subset"), ("sklearn", "one_level")]
)
def test_missing_values_may_be_a_branch_by_themselves(preset, nominal):
    """What the list of rivals offers can be taken, the missing values alone in a branch among it."""
    rng = np.random.default_rng(3)
    v = rng.integers(0, 4, 120)
    names = [f"v{i}" if i < 3 else None for i in v]
    x = rng.normal(size=120)
    y = [str(i) for i in (x > 0) ^ ((v == 3) & (rng.random(120) < 0.4))]
    table = tc.Table(
        (level_column("v", "nominal", names, ("v0", "v1", "v2")), numeric_column("x", x),
         level_column("y", "nominal", y, ("False", "True"))),
        target="y", features=("v", "x"),
    )  # fmt: skip
    tree = tc.grow(table, preset, nominal=nominal, max_depth=2)
    growth = tc.GrowSettings.from_dict(dict(tree.growth))
    offered = tc.candidates(tree, 0, table).of("v")
    assert any(("missing",) in c.branches for c in offered)
    for candidate in offered:
        made = grow_with(table, growth, (take_of(tree, 0, candidate),))
        np.testing.assert_allclose(made.stats[list(made.children(0))], candidate.stats)
        assert made.gain[0] == pytest.approx(candidate.gain, abs=1e-12)


@pytest.mark.parametrize("missing", ["own_value", "both_ways"])
def test_whether_a_number_is_known_can_be_taken_as_it_is_offered(missing):
    rng = np.random.default_rng(0)
    lost, z = rng.random(200) < 0.4, rng.normal(size=200)
    frame = pd.DataFrame({"x": np.where(lost, np.nan, rng.normal(size=200)), "z": z})
    table = tc.read_table(frame.assign(y=np.where(lost ^ (z > 1), "p", "q")), target="y")
    tree = tc.grow(table, "cart", missing=missing)
    known = next(c for c in tc.candidates(tree, 0, table).ranked if c.threshold == np.inf)
    recipe = tc.Recipe((Grow("cart", (("missing", missing),)), take_of(tree, 0, known)))
    assert "take whether x is known" in recipe.text()
    again = tc.Recipe.from_json(recipe.to_json())
    assert again == recipe
    json.loads(recipe.to_json(), parse_constant=pytest.fail)
    taken = tc.fit(table, again).tree
    assert [taken.node(i).rule for i in (1, 2)] == ["x is known", "x is missing"]
    assert taken.n_rows[:3].tolist() == [200, int((~lost).sum()), int(lost.sum())]


@pytest.mark.parametrize("threshold", [float("-inf"), float("nan"), "-inf", "5"])
def test_other_thresholds_that_are_no_numbers_are_refused(threshold):
    with pytest.raises(tc.TreecoreError, match="no such split"):
        Take(feature="x", threshold=threshold)
