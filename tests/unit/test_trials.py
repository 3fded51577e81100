"""Recipes on the same folds: by hand, against fits made one by one, and what is kept out of sight of them."""

import threading

import numpy as np
import pytest

import treecore as tc
from treecore.data import Table, level_column, numeric_column
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.recipe import Data, Grow, Prepare, Prune, Recipe, Take
from treecore.study import MEASURES, repeated_folds, tree_of_fold, trials
from treecore.study.nested_selection import watches_validation

STUMP = Recipe((Grow("cart", (("max_depth", 1),)),))
ONE_SE = (("choose", "cross-validation"), ("folds", 3), ("standard_errors", 1.0))
X = np.array([1.0, 2, 3, 10, 11, 12])


def table_of(labels: str) -> Table:
    return Table(
        (numeric_column("x", X), level_column("y", "nominal", list(labels), "ab")), target="y", features=("x",)
    )


def test_scores_by_hand():
    """Every fold's tree cuts between 3 and 10; row 3 is an "a" among the b's, so its fold has one of two right."""
    found = trials(table_of("aaaabb"), {"stump": STUMP}, np.array([0, 1, 2, 0, 1, 2]))
    assert found.scores(MEASURES["accuracy"]).tolist() == [[0.5, 1, 1]]
    assert found.pooled(0).row.tolist() == list(range(6))
    assert found.pooled(0).right.tolist() == [True] * 3 + [False, True, True]
    assert found.n_leaves.tolist() == [[2, 2, 2]]
    assert found.overlap == 1 / 2


@pytest.mark.parametrize("recipe", [
    STUMP,
    Recipe((Grow("cart"), Prune("cost_complexity", ONE_SE))),
    Recipe((Prepare("mean"), Grow("id3"))),
    Recipe((Prepare("mean", bins="equal_frequency"), Grow("cart"), Prune("cost_complexity", ONE_SE))),
    Recipe((Grow("c4.5"), Prune("error_based"))),
], ids=["stump", "1-SE", "filled", "in bins", "c4.5"])  # fmt: skip
def test_every_fold_is_a_fit_of_the_other_rows(recipe):
    table = read_sample("titanic")
    folds = repeated_folds(table, 4, seed=3)
    found = trials(table, {"it": recipe}, folds)
    for f in range(4):
        fit = tc.fit(table.take(folds[0] != f), recipe)
        held_out = table.take(folds[0] == f)
        answers = found.answers[0][f]
        assert tree_of_fold(table, recipe, folds[0] == f).tree.to_dict() == fit.tree.to_dict()
        assert answers.row.tolist() == np.flatnonzero(folds[0] == f).tolist()
        said = np.array(table.classes, object)[answers.said]
        assert said.tolist() == fit.tree.predict(held_out).tolist()
        assert found.n_leaves[0, f] == fit.tree.n_leaves


def test_the_rows_of_a_fold_change_no_tree_but_are_judged():
    """Every class of one fold's rows is turned round: its tree has as many leaves and says the same."""
    table = read_sample("titanic").without_missing_target()
    folds = repeated_folds(table, 3)
    labels = np.array(table.target_column.labels(), object)
    turned = np.where((folds[0] == 0) & (labels == table.classes[0]), table.classes[1], labels)
    other = Table(
        (*table.feature_columns, level_column(table.target, "nominal", list(turned), table.classes)),
        target=table.target, features=table.features,
    )  # fmt: skip
    recipe = {"it": Recipe((Grow("cart"), Prune("reduced_error")))}
    one, two = (trials(t, recipe, folds).answers[0][0] for t in (table, other))
    assert one.said.tolist() == two.said.tolist()
    assert one.truth.tolist() != two.truth.tolist()


def test_rows_that_choose_a_size_are_among_those_that_are_not_judged():
    table = read_sample("titanic")
    folds = repeated_folds(table, 4)[0]
    of = tree_of_fold(table, Recipe((Grow("cart"), Prune("reduced_error"))), folds == 1)
    parts = [set(rows.row_numbers.tolist()) for rows in (of.train, of.validation, of.judged)]
    assert all(parts)
    assert sum(map(len, parts)) == len(set.union(*parts)) == int((~table.target_column.missing).sum())
    assert parts[2] <= set(table.take(folds == 1).row_numbers.tolist())


@pytest.mark.parametrize(("recipe", "watches"), [
    (STUMP, False),
    (Recipe((Grow("cart"), Prune("reduced_error"))), True),
    (Recipe((Grow("cart"), Prune("cost_complexity"))), True),
    (Recipe((Grow("cart"), Prune("cost_complexity", (("alpha", 0.01),)))), False),
    (Recipe((Grow("cart"), Prune("cost_complexity", ONE_SE))), False),
    (Recipe((Grow("cart", (("patience", 3),)),)), True),
])  # fmt: skip
def test_validation_rows_are_set_apart_only_for_who_looks_at_them(recipe, watches):
    assert watches_validation(recipe) == watches


def test_numbers_are_tried_too_and_missing_targets_judge_nothing():
    y = np.array([0.0, np.nan, 2, 10, 11, 12])
    table = Table((numeric_column("x", X), numeric_column("y", y)), target="y", features=("x",))
    found = trials(table, {"stump": STUMP, "root": Recipe((Grow("cart", (("max_depth", 0),)),))}, np.arange(6) % 3)
    assert found.pooled(0).row.tolist() == [0, 2, 3, 4, 5]
    mse = found.scores(MEASURES["mse"])
    assert mse[0, 0] == pytest.approx((2**2 + 1.5**2) / 2)  # 0 and 10 from 2 and 11.5
    assert (mse[0] < mse[1]).all()


def test_every_way_to_draw_folds_serves():
    table = read_sample("iris")
    folds = repeated_folds(table, 2, 5)
    assert folds.shape == (5, 150)
    assert len({tuple(f) for f in folds.tolist()}) == 5
    found = trials(table, {"a": STUMP, "b": Recipe((Grow("cart", (("max_depth", 2),)),))}, folds)
    assert found.scores(MEASURES["accuracy"]).shape == (2, 10)
    alone = trials(table.take(np.arange(40, 60)), {"a": STUMP}, repeated_folds(table.take(np.arange(40, 60)), 20))
    assert alone.scores(MEASURES["accuracy"]).shape == (1, 20)


def test_groups_stay_together():
    table = read_sample("titanic")
    name = next(c.name for c in table.feature_columns if c.kind == "nominal" and c.n_distinct > 2)
    folds = repeated_folds(table, 3, 2, group=name)
    for fold in folds:
        pairs = set(zip(table.column(name).codes.tolist(), fold.tolist(), strict=True))
        assert len(pairs) == len({code for code, _ in pairs})
        assert set(fold.tolist()) == {0, 1, 2}
    with pytest.raises(TreecoreError, match=r"cannot be made of .* groups"):
        repeated_folds(table, 50, group=name)


def test_faults_say_which_recipe_and_fold():
    table = read_sample("cars")
    with pytest.raises(TreecoreError, match=r"wrong, fold \d"):
        trials(table, {"wrong": Recipe((Grow("cart", (("criterion", "cost_gini"),)),))}, repeated_folds(table, 2))
    other = Recipe((Data(target=table.features[0]), Grow("cart")))
    with pytest.raises(TreecoreError, match="different targets"):
        trials(table, {"a": STUMP, "b": other}, repeated_folds(table, 2))
    with pytest.raises(TreecoreError, match="nothing to judge"):
        repeated_folds(table, 2, 0)


def test_a_class_of_one_row_is_not_found_where_that_row_is_judged():
    """12 is the only "b": its fold's tree is a lone root; that of 2 and 11 cuts at 11, midway from 10 to 12."""
    table = table_of("aaaaab")
    found = trials(table, {"stump": STUMP}, np.array([0, 1, 2, 0, 1, 2]))
    assert found.pooled(0).said.tolist() == [0, 0, 0, 0, 1, 0]
    assert found.n_leaves.tolist() == [[2, 2, 1]]
    with pytest.warns(UserWarning, match="only one class"):
        found = trials(table_of("aaaaaa"), {"stump": STUMP}, np.array([0, 1, 2, 0, 1, 2]))
    assert (found.pooled(0).said.tolist(), found.n_leaves.tolist()) == ([0] * 6, [[1, 1, 1]])


def test_steps_by_hand_are_not_repeated():
    table = read_sample("iris")
    taken = STUMP.then(Take((), "", table.features[0], 5.0))
    folds = repeated_folds(table, 3)
    one, two = (trials(table, {"it": r}, folds).pooled(0).said for r in (STUMP, taken))
    assert one.tolist() == two.tolist()


def test_stopping_ends_all_threads():
    """The exception of the caller's progress comes back, and no tree grows on."""

    class Enough(BaseException):
        pass

    def stop(progress):
        raise Enough

    table, before = read_sample("titanic"), threading.active_count()
    with pytest.raises(Enough):
        trials(table, {"it": Recipe((Grow("cart"), Prune("cost_complexity", ONE_SE)))}, repeated_folds(table, 10), stop)
    assert threading.active_count() == before


def test_progress_counts_trees():
    seen = []
    table = read_sample("iris")
    trials(table, {"a": STUMP, "b": STUMP}, repeated_folds(table, 5), lambda p: seen.append((p.n_waiting, p.n_folds)))
    assert seen[-1] == (0, 10)
