"""The front door: recipes replayed, edits found again by their path, progress and cancelling."""

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.data import level_column
from treecore.data.samples import SAMPLES
from treecore.fit import edit_of, edited
from treecore.pruning import Cuts, PruneProgress
from treecore.recipe import Data, Edit, Grow, Prune, Recipe, Split

HOSTILE = ["<img src=x onerror=alert(1)>", "$x$ **b** ![i](http://x/y.png)", '"];evil', "a\nb\t\\", "π 🌲"]
HOSTILE.append("'; DROP--")


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 6, 60), rng.integers(0, 3, 60)
    y = ((a > 2) ^ (b == 1) ^ (rng.random(60) < 0.1)).astype(int)
    return Sample(["numeric", "nominal"], [a.tolist(), b.tolist()], [0, 3], y.tolist(), 2)


@pytest.fixture(scope="module")
def tree(sample):
    return tc.grow(sample.table())


def test_a_fit_does_what_its_recipe_says(sample):
    table = sample.table()
    recipe = Recipe((Data(table.fingerprint, "y"), Split(seed=3), Grow("cart"), Prune("reduced_error")))
    fit = tc.fit(table, recipe)
    assert (fit.train.n_rows, fit.validation.n_rows, fit.test.n_rows) == (36, 12, 12)
    assert fit.grown.to_dict() == tc.grow(fit.train, "cart").to_dict()
    cuts = tc.prune(fit.grown, "reduced_error", validation=fit.validation)
    assert fit.cuts.verdict.tolist() == cuts.verdict.tolist()
    assert fit.tree.n_leaves < fit.grown.n_leaves
    assert tc.fit(table, Recipe.from_json(recipe.to_json())).tree.to_dict() == fit.tree.to_dict()


def test_without_a_split_all_rows_train(sample):
    fit = tc.fit(sample.table(), "cart")
    assert (fit.train.n_rows, fit.validation.n_rows, fit.test.n_rows) == (60, 0, 0)


def test_other_data_are_refused(sample):
    with pytest.raises(tc.TreecoreError, match="other data"):
        tc.fit(sample.table(), Recipe((Data("0" * 64),)))


@pytest.mark.parametrize("method", ["reduced_error", "cost_complexity"])
def test_pruning_without_validation_rows_says_what_to_do(method, sample):
    with pytest.raises(tc.TreecoreError, match="validation") as caught:
        tc.fit(sample.table(), Recipe((Grow(), Prune(method))))
    assert caught.value.remedy


@pytest.mark.parametrize("method", ["reduced_error", "cost_complexity"])
def test_validation_rows_that_say_nothing_are_refused(method, sample, tree):
    table = sample.table()
    unknown = level_column("y", "nominal", np.full(60, -1), table.classes)
    silent = tc.Table((*table.feature_columns, unknown), target="y", features=table.features)
    for rows in (silent, table.with_weights(np.zeros(60))):
        with pytest.raises(tc.TreecoreError, match="known target"):
            tc.prune(tree, method, validation=rows)


def test_validation_rows_of_another_target_are_refused(sample, tree):
    other = sample.table().with_target("x1")
    with pytest.raises(tc.TreecoreError, match="'x1'"):
        tc.prune(tree, "reduced_error", validation=other)


def test_an_edit_finds_its_node_again(tree):
    for node in np.flatnonzero(~tree.is_leaf):
        step = edit_of(tree, node, "cut")
        cuts = edited(tree, Cuts.none(tree), step)
        assert cuts.cut_nodes.tolist() == [node]
        assert cuts.reasons[node].method == "by hand"
        assert edited(tree, cuts, edit_of(tree, node, "restore")).cut_nodes.tolist() == []


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (Edit("cut", (), "no such feature"), "node 0 tests"),
        (Edit("cut", (7,), ""), "node 0 has no branch 7"),
        (Edit("cut", (-1,), ""), "node 0 has no branch -1"),
        (Edit("cut", (0,) * 40, ""), "is a leaf in it and has no branch 0"),
    ],
)
def test_an_edit_that_does_not_fit_stops_and_says_where(edit, message, tree):
    with pytest.raises(tc.TreecoreError, match=message) as caught:
        edited(tree, Cuts.none(tree), edit)
    assert "Leave this step out" in caught.value.remedy


def test_a_leaf_cannot_be_cut(tree):
    leaf = int(np.flatnonzero(tree.is_leaf)[0])
    with pytest.raises(tc.TreecoreError, match="A leaf has nothing to cut"):
        edited(tree, Cuts.none(tree), edit_of(tree, leaf, "cut"))


def test_a_shorter_prefix_is_an_undo(sample):
    steps = (Grow(), Edit("cut", (), "x0"))
    assert tc.fit(sample.table(), Recipe(steps)).tree.n_nodes == 1
    assert tc.fit(sample.table(), Recipe(steps[:1])).tree.n_nodes > 1


def test_hostile_names_survive_growing_editing_and_json():
    levels = [HOSTILE[:3], HOSTILE[3:]]
    rng = np.random.default_rng(0)
    columns = [level_column(HOSTILE[i], "nominal", rng.integers(0, 3, 40), levels[i]) for i in range(2)]
    y = level_column(HOSTILE[2], "nominal", rng.integers(0, 3, 40), HOSTILE[3:])
    table = tc.Table((*columns, y), target=y.name, features=tuple(HOSTILE[:2]))
    tree = tc.grow(table)
    recipe = Recipe((Data(target=y.name, features=tuple(HOSTILE[:2])), Grow(), edit_of(tree, 0, "cut")))
    fit = tc.fit(table, Recipe.from_json(recipe.to_json()))
    assert fit.tree.n_nodes == 1
    assert tc.Tree.from_dict(tree.to_dict()).to_dict() == tree.to_dict()
    assert set(tree.predict(table.to_frame())) <= set(HOSTILE[3:])
    assert tree.to_frame()["feature"].dropna().isin(HOSTILE[:2]).all()
    with pytest.raises(tc.TreecoreError) as caught:
        tree.predict(table.to_frame().drop(columns=HOSTILE[0]))
    assert repr(HOSTILE[0]) in str(caught.value)


def test_progress_is_told_and_an_exception_ends_the_fit(monkeypatch, sample):
    from treecore.growing import loop
    from treecore.growing.fast import fast_growth as fast

    for grower in (fast, loop):
        monkeypatch.setattr(grower, "BUDGET", 1)
    seen = []
    tree = tc.grow(sample.table(), progress=seen.append)
    assert tree.to_dict() == tc.grow(sample.table()).to_dict()
    assert [p.n_nodes for p in seen] == sorted(p.n_nodes for p in seen)
    assert len(seen) > 3

    class Stop(BaseException):
        pass

    def stop(progress):
        raise Stop

    with pytest.raises(Stop):
        tc.grow(sample.table(), progress=stop)


def test_progress_is_told_while_the_nodes_become_a_tree(monkeypatch):
    from treecore.growing.fast import fast_growth, fast_tree

    at = []
    for name in ("_surrogates", "_splits"):
        made = getattr(fast_tree, name)
        monkeypatch.setattr(fast_tree, name, lambda *args, name=name, made=made: (at.append(name), made(*args))[1])
    iris = tc.read_table(SAMPLES["iris"].path, target="class")
    fast_growth.grow_fast(iris, tc.GrowSettings(missing="surrogates"), lambda _: at.append("told"))
    assert at[at.index("_surrogates") - 1 :] == ["told", "_surrogates", "told", "_splits", "told"]


LONG = ("cost_complexity", "reduced_error", "minimum_error", "critical_value", "mdl", "reptree", "error_based",
        "j48_collapse")  # fmt: skip
"""Pruners that take more than a second where there are hundreds of thousands of nodes."""


@pytest.mark.parametrize("name", LONG)
def test_pruning_tells_how_far_it_is_and_an_exception_ends_it(name):
    parts = tc.read_table(SAMPLES["titanic"].path, target="survived").split(tc.Roles(0.6, 0.4, 0.0))
    rows, seen = dict(zip(("train", "validation"), parts, strict=False)), []
    tree = tc.grow(rows["train"], "j48", min_weight_split=2, min_weight_leaf=1)
    made = tc.prune(tree, name, **rows, progress=seen.append)
    assert made.verdict.tolist() == tc.prune(tree, name, **rows).verdict.tolist()
    assert {type(now) for now in seen} == {PruneProgress}
    assert all(now.n_done <= now.n_nodes for now in seen)

    def stop(_):
        raise KeyError

    with pytest.raises(KeyError):
        tc.prune(tree, name, **rows, progress=stop)
