"""The page Experiments: measures of your tree by role, the pictures, and another threshold."""

import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.figures import brief, percent
from treecore.recipe import Grow, Prune, Split
from treecore.study import MEASURES, answers_of

DEEP = Grow("cart", (("max_depth", 4),))


def judged(app, sample: str = "titanic", **choices):
    kept = {"experiment": "answers", **choices}
    return app.sample(sample).change(grow=DEEP, prune=Prune(), split=Split(), choices=kept).go("experiments")


def measures(app):
    return next(f.value for f in app.at.dataframe if "train" in f.value).set_index("")


def test_every_measure_of_every_role_is_the_librarys(app):
    judged(app)
    frame = measures(app)
    assert list(frame.columns) == ["train", "validation", "test"]
    assert {MEASURES[m].label for m in ("accuracy", "auc", "average_precision", "brier")} <= set(frame.index)
    table = read_sample("titanic").without_missing_target()
    parts = table.split(Split().roles())
    tree = tc.grow(parts[0], DEEP.growth())
    for role, rows in zip(frame.columns, parts, strict=True):
        found = answers_of(tree, rows)
        assert frame.loc["Accuracy", role] == percent(MEASURES["accuracy"](found)).replace("\u00a0", " ")
        assert frame.loc["Average precision", role] == brief(MEASURES["average_precision"](found))
    app.click("try")
    assert "cross-validation" in measures(app)
    assert app.errors() == []


@pytest.mark.parametrize("curve", ["ROC", "precision and recall", "gains", "lift", "calibration"])
def test_every_picture_is_drawn(app, curve):
    judged(app)
    app.set("experiment_curve", curve)
    assert app.errors() == []
    assert app.at.get("plotly_chart")


def test_the_threshold_changes_the_matrix_and_the_trees_answers(app):
    judged(app, **{"experiment role": "test"})
    before = matrix(app)
    app.set("experiment_threshold", 1.0)
    assert matrix(app) != before
    assert app.pane()["key"] == "bench"
    app.set("experiment_canvas", True)
    app.set("experiment_threshold", 0.0)
    pane = app.pane("bench_experiment")
    assert "from 0.0\u00a0% on" in pane["tag"]
    assert [row[2] for row in matrix(app)] == [0, 0], "all are called so"
    assert app.errors() == []


def matrix(app) -> list[list[str]]:
    return next(f.value for f in app.at.dataframe if "true class" in f.value).to_numpy().tolist()


@pytest.mark.parametrize("sample", ["iris", "mpg", "xor"])
def test_more_classes_numbers_and_tiny_tables(app, sample):
    judged(app, sample)
    assert app.errors() == []
    if sample == "mpg":
        app.set("experiment_curve", "residuals by leaf")
        assert app.errors() == []
    assert app.has("experiment_threshold") == (sample == "xor")
