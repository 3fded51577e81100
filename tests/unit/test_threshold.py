"""Another threshold for two classes: the rows answered and the tree that answers them agree; residuals by hand."""

import numpy as np
import pytest

import treecore as tc
from treecore.data import Table, level_column, numeric_column
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.plots import prediction_quality as calibration_plot
from treecore.plots import prediction_quality as ranked_plot
from treecore.plots import prediction_quality as residuals_plot
from treecore.study import MEASURES, answered_at, answers_of, by_node, calibration, ranking_of, residuals, tree_at


@pytest.fixture(scope="module")
def titanic():
    table = read_sample("titanic").without_missing_target()
    return table, tc.grow(table, "cart", max_depth=4)


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.3, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("k", [0, 1])
def test_the_tree_at_a_threshold_says_what_is_answered_at_it(titanic, threshold, k):
    table, tree = titanic
    positive = table.classes[k]
    one = answered_at(answers_of(tree, table), positive, threshold)
    two = answers_of(tree_at(tree, positive, threshold), table)
    assert one.said.tolist() == two.said.tolist()
    assert one.confusion.counts.tolist() == two.confusion.counts.tolist()
    assert ((one.said == k) == (one.shares[:, k] >= threshold - 1e-9)).all()


def test_a_share_of_just_the_threshold_is_called_so():
    """3 of 10 rows are of the class: at 0.3 they all are called so, just above it none."""
    table = _ten()
    tree = tc.grow(table, "cart", max_depth=0)
    assert tree_at(tree, "b", 0.3).predict(table).tolist() == ["b"] * 10
    assert tree_at(tree, "b", 0.31).predict(table).tolist() == ["a"] * 10
    assert set(answered_at(answers_of(tree, table), "b", 0.3).said) == {1}


def _ten() -> Table:
    columns = numeric_column("x", np.arange(10.0)), level_column("y", "nominal", list("aaaaaaabbb"), "ab")
    return Table(columns, target="y", features=("x",))


def test_what_is_no_threshold_is_said(titanic):
    table, tree = titanic
    with pytest.raises(TreecoreError, match="is no share"):
        tree_at(tree, table.classes[0], 1.5)
    with pytest.raises(TreecoreError, match="not one of two classes"):
        answered_at(answers_of(tree, table), "neither", 0.5)
    with pytest.raises(TreecoreError, match="leaves no residuals"):
        residuals(tree, table)


def test_residuals_by_hand():
    """Two leaves: 1, 2, 3 around 2, and 10, 14 around 12."""
    columns = (
        numeric_column("x", np.array([1.0, 2, 3, 10, 11, 12])),
        numeric_column("y", np.array([1, 2, 3, 10, 14, np.nan])),
    )
    table = Table(columns, target="y", features=("x",))
    tree = tc.grow(table.without_missing_target(), "cart", max_depth=1)
    found = residuals(tree, table)
    assert found.off.tolist() == [-1, 0, 1, -2, 2]
    low, high = by_node(found)
    assert (low.said, low.n_rows, low.mean, low.middle) == (2, 3, 0, 0)
    assert (high.said, high.n_rows, high.low, high.high, high.rmse) == (12, 2, -1, 1, 2)


def test_pictures_draw_each_number_once(titanic):
    table, tree = titanic
    answers = answers_of(tree, table)
    of = ranking_of(answers)
    _, line, mark = ranked_plot.ranking_curve({"train": of}, "ROC", 0.5).data
    assert list(line.x)[1:] == of.fall_out.tolist()
    assert list(line.y) == [0, *of.recall]
    at = int((of.threshold >= 0.5).sum())
    assert (mark.x[0], mark.y[0]) == (of.fall_out[at - 1], of.recall[at - 1])
    assert f"area {of.area:.3f} (" in line.name
    for shape in ranked_plot.SHAPES:
        drawn = ranked_plot.ranking_curve({"train": of}, shape, 2.0)
        assert np.isfinite(np.asarray(drawn.data[1].y, float)).all()
    lift = ranked_plot.ranking_curve({"train": of}, "lift").data[1]
    assert lift.y[-1] == pytest.approx(1)
    bins = calibration(answers, table.classes[1])
    drawn = calibration_plot.calibration({"train": bins}).data[1]
    assert [told.split()[0] for told in drawn.hovertext] == [f"{n:,}" for n in bins.n_rows]
    assert MEASURES["average_precision"](answers) == of.average_precision


def test_residuals_are_drawn():
    table = read_sample("mpg").without_missing_target()
    tree = tc.grow(table, "cart", max_depth=3)
    found = residuals(tree, table)
    assert len(residuals_plot.residuals({"train": found}, "<b>mpg</b>").data[0].x) == table.n_rows
    assert "<b>" not in residuals_plot.residuals({"train": found}, "<b>mpg</b>").layout.yaxis.title.text
    assert len(residuals_plot.by_leaf(by_node(found), "mpg").data[1].x) == tree.n_leaves
