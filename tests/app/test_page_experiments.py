"""The page Experiments: recipes on the same folds, what is said of them, and what is not."""

import re
import threading

import numpy as np
import pytest

from pages.shared.experiments import recipes
from pages.shared.server import cache, long_work
from treecore import study as ex
from treecore.cross_validation import FoldProgress
from treecore.recipe import Grow, Prune, Recipe, Split

DEEP = Grow("cart", (("max_depth", 4),))


def tried(app, sample: str = "titanic", **fields):
    """The page after the trials of its first two recipes."""
    return app.sample(sample).change(**fields).go("experiments").click("try")


def test_scores_are_those_of_the_library(app):
    tried(app, grow=DEEP, prune=Prune(), split=Split())
    frame = next(f.value for f in app.at.dataframe if "± SE" in f.value)
    table = experiments_table()
    folds = ex.repeated_folds(table, 10)
    measure = ex.MEASURES["accuracy"]
    found = ex.trials(table, {"A": Recipe((Split(), DEEP))}, folds)
    of, shown = ex.summary(found.scores(measure)[0]), frame.iloc[0].tolist()
    assert shown[0] == "A"
    assert shown[1:4] == [round(100 * number, 1) for number in (of.mean, of.sd, of.standard_error)]
    assert shown[4] == round(found.n_leaves.mean(), 1)
    assert frame["leaves"].size == 2


def experiments_table():
    """Titanic without its test rows, as the page takes them."""
    from treecore.data.samples import read_sample

    whole = read_sample("titanic").without_missing_target()
    train, validation, _ = whole.split(Split().roles())
    return whole.take(np.isin(whole.row_numbers, [*train.row_numbers, *validation.row_numbers]))


def test_nothing_is_tried_unasked_and_all_is_said_afterwards(app):
    app.sample("titanic").change(grow=DEEP, prune=Prune()).go("experiments")
    assert app.has("try")
    assert "the 178 test rows stay unseen" in app.text()
    app.click("try")
    told = app.text()
    assert not app.has("try")
    assert re.search(r"[AB] is better than [AB] by .* on average, (more than luck|which may be luck)", told)
    assert re.search(r"B is better by more than 1.0 points: \d+\.\d\s%; within", told)
    assert "H₀: A and B score the same" in told
    assert "degrees of freedom: two-sided p" in told
    assert "too sure" in told
    assert "McNemar's test of the rows" in told
    assert app.errors() == []


def test_the_same_recipe_twice_is_no_difference(app):
    app.sample("titanic").change(grow=DEEP, prune=Prune()).go("compare").click("keep_tree")
    choices = {**app.record().choices, "experiment recipes": ("in force", "kept tree 1")}
    app.change(choices=choices).go("experiments").click("try")
    assert "A and B score the same on average" in app.text()
    assert "t is 0/0" in app.text()


def test_three_have_ranks_and_a_choice_of_two(app):
    app.sample("titanic").change(
        grow=DEEP, prune=Prune(), choices={"experiment recipes": ("in force", "preset c4.5", "preset id3")}
    ).go("experiments").click("try")
    assert "Friedman's χ²" in app.text()
    assert "Nemenyi" in app.text()
    app.set("experiment_side_0", "C")
    assert "H₀: C and B score the same" in app.text()
    assert app.errors() == []


@pytest.mark.parametrize("measure", ["balanced_accuracy", "log_loss", "auc"])
def test_other_measures_need_no_new_trials(app, measure, monkeypatch):
    tried(app, grow=DEEP, prune=Prune())
    monkeypatch.setattr(recipes, "trials", None)
    app.set("experiment_measure", measure)
    assert "on average" in app.text()
    assert app.errors() == []


def test_the_tree_of_a_fold_is_opened_with_the_rows_held_back(app):
    tried(app, grow=DEEP, prune=Prune(), split=Split())
    assert app.pane()["key"] == "bench"
    app.set("experiment_fold", 3).set("experiment_fold_of", "B")
    pane = app.pane()
    assert pane["key"] == "bench_experiment"
    assert pane["tag"].startswith("B, fold 3")
    app.set("experiment_fold", 0)
    assert app.pane()["key"] == "bench"
    assert app.errors() == []


def test_numbers_are_tried_too(app):
    tried(app, "mpg", prune=Prune())
    assert "on average" in app.text()
    assert "McNemar" not in app.text()


def test_folds_may_be_drawn_in_other_ways(app):
    app.sample("titanic").change(grow=DEEP, prune=Prune(), choices={"experiment folds": 2, "experiment repeats": 5}).go(
        "experiments"
    ).click("try")
    assert any("Dietterich" in str(f.value) for f in app.at.dataframe)
    app.set("experiment_group", "pclass")
    assert app.errors() == []
    app.set("experiment_folds", 9)
    assert any("cannot be made of 3 groups" in text for text in app.errors())


def test_folds_of_single_rows_have_no_area_under_a_curve(app):
    app.sample("play_tennis").change(choices={"experiment folds": 11, "experiment measure": "auc"})
    app.go("experiments").click("try")
    assert any("is not a number" in text for text in app.errors())


def test_trials_name_how_far_they_are_and_can_be_stopped_and_taken_up_again(app, monkeypatch):
    begun, ended = threading.Event(), threading.Event()

    def half_way(*given):
        try:
            while True:
                given[-1](FoldProgress(0, 8, 20))
                begun.set()
        finally:
            ended.set()

    cache.clear()  # other tests of this file try the same recipes
    app.sample("titanic").change(grow=DEEP, prune=Prune()).go("experiments")
    with monkeypatch.context() as patch:
        patch.setattr(recipes, "trials", half_way)
        patch.setattr(long_work, "JOB_PATIENCE", 0.0)
        app.click("try")
        assert begun.wait(60)
        app.go("grow").go("experiments")
        assert "Trying 2 recipes: 12 of 20 trees, about" in app.text()
        assert not ended.is_set(), "it goes on while another page is looked at"
        app.click("Stop")
        assert ended.wait(60)
    assert "Trying was stopped" in app.text()
    app.click("Try them")
    assert "was stopped" not in app.text()
    assert "on average" in app.text()


@pytest.mark.parametrize("sample", ["xor", "play_tennis", "lengths"])
def test_small_tables_have_as_many_folds_as_rows(app, sample):
    app.sample(sample, as_it_opens=True).go("experiments").click("try")
    assert "on average" in app.text()
    assert app.errors() == []


def test_recipes_are_ranked_over_other_tables_too(app):
    chosen = {
        "experiment": "samples", "experiment recipes": ("in force", "preset c4.5", "preset id3"),
        "experiment samples": ("this table", "iris", "crescents"),
    }  # fmt: skip
    app.sample("titanic").change(grow=DEEP, prune=Prune(), split=Split(), choices=chosen).go("experiments")
    assert "Friedman" not in app.text()
    app.click("try")
    assert "Friedman's χ²" in app.text()
    frame = next(f.value for f in app.at.dataframe if "A" in f.value)
    assert frame[""].tolist() == ["this table", "Iris", "Two crescents"]
    app.set("experiment_measure", "captured")
    assert "Left out: Iris" in app.text()
    assert app.errors() == []
