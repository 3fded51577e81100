"""In what trees are judged on the pages: profits and costs are told as such, and figures open to their arithmetic."""

import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.figures import brief
from treecore.judging.measures import MEASURES
from treecore.recipe import Grow, Prune
from treecore.study.metrics import score

PROFIT = ((0.0, -2.0), (-1.0, 3.0))


def with_growth(app, sample, prune=None, choices=None, **settings):
    """A session with costs or profits, as their editor leaves it."""
    app.sample(sample)
    table = read_sample(sample)
    growth = Grow("cart", (("max_depth", 4), *settings.items()))
    belongs = {"costs for": (table.target, table.classes)} | (choices or {})
    app.change(grow=growth, prune=prune or Prune(), choices={**app.record().choices, **belongs})
    parts = dict(zip(("train", "validation", "test"), table.split(tc.Roles()), strict=True))
    tree = tc.grow(parts["train"], "cart", max_depth=4, **settings)
    return tree, parts


def formulas(app) -> str:
    return "\n".join(e.value for e in app.at.latex)


@pytest.mark.parametrize(
    ("page", "sample", "name"),
    [("size_and_pruning", "titanic", "log_loss"), ("court", "titanic", "auc"), ("compare", "iris", "brier"),
     ("grow", "mpg", "rmse"), ("size_and_pruning", "titanic", "captured"), ("grow", "titanic", "average_precision")],
)  # fmt: skip
def test_a_figure_of_every_page_opens_to_its_arithmetic(app, page, sample, name):
    app.sample(sample)
    app.change(choices={**app.record().choices, "judged in": name})
    app.go(page).all_folds().run()
    assert MEASURES[name].formula in formulas(app)


def test_profit_stands_in_the_strip_the_curve_and_the_court(app):
    tree, parts = with_growth(app, "titanic", profit=PROFIT)
    found = score(tree, parts["validation"])
    app.go("size_and_pruning")
    assert f"**mean profit {brief(found.cost)}** · baseline {brief(found.cost_baseline)}" in app.text()
    table = next(d.value for d in app.at.dataframe if "mean profit, validation" in d.value.columns)
    assert table["mean profit, validation"].iloc[0] == float(brief(found.cost))
    app.go("court")
    totals = next(d.value for d in app.at.dataframe if "method" in d.value.columns)
    assert "mean profit, validation" in totals.columns
    app.go("compare")
    assert any("mean profit, validation" in str(d.value.iloc[:, 0].tolist()) for d in app.at.dataframe)
    app.go("grow").all_folds().run()
    assert MEASURES["profit"].formula in formulas(app)


def test_accuracy_that_is_lower_by_design_is_no_warning_that_nothing_is_better(app):
    """Cost 0.51 against 0.72, but more answers are wrong than by always giving the commonest one."""
    tree, parts = with_growth(app, "trap_rare_class", profit=((0.0, -1.0), (-9.0, 6.0)))
    found = score(tree, parts["validation"])
    assert found.beats_root
    assert found.error >= found.baseline, "else the test shows nothing"
    app.go("grow")
    assert f"Accuracy is lower by design: you weigh “{tree.classes[1]}” more." in app.text()
    assert "No better than" not in app.text()


def test_a_tree_that_costs_more_than_the_root_is_warned_of_though_it_is_right_more_often(app):
    """By the error it is better than the root's answer, by the profit it is not."""
    tree, parts = with_growth(app, "titanic", profit=((0.0, -1.0), (-9.0, 1.0)))
    found = score(tree, parts["validation"])
    assert found.error < found.baseline, "else the test shows nothing"
    assert not found.beats_root
    app.go("grow")
    assert "No better than one prediction for all rows. Mean profit" in app.text()


def test_the_court_and_compare_judge_by_the_measure_that_is_chosen(app):
    app.sample("titanic")
    app.change(choices={**app.record().choices, "judged in": "auc"})
    app.go("court")
    totals = next(d.value for d in app.at.dataframe if "method" in d.value.columns)
    assert "area under ROC, validation" in totals.columns
    app.go("compare")
    rows = app.at.dataframe[0].value
    place = next(i for i, name in enumerate(rows.iloc[:, 0]) if name.startswith("area under ROC, validation"))
    assert rows["baseline"].iloc[place] == "0.5"


def test_a_size_of_the_shares_is_one_of_the_profit_once_there_is_one(app):
    """In one step, which one click takes back; without profits the shares judge again."""
    app.sample("trap_rare_class")
    by_shares = Prune("cost_complexity", (("risk", "impurity"), ("measure", "log_loss")))
    app.change(prune=by_shares, choices={**app.record().choices, "costs panel": True, "answers worth": "profit"})
    app.go("grow").set("profit_1_1", 9.0)
    assert app.record().grow.growth().profit is not None
    assert dict(app.record().prune.parameters) == {"risk": "impurity"}
    app.click("undo")
    assert (app.record().grow.growth().profit, app.record().prune) == (None, by_shares)
    app.click("redo").click("loss_reset")
    assert app.record().grow.growth().profit is None
    assert dict(app.record().prune.parameters) == dict(by_shares.parameters)


def test_sizes_are_chosen_by_the_profit_where_there_is_one(app):
    tree, parts = with_growth(app, "titanic", Prune("cost_complexity"), profit=PROFIT)
    steps = tc.sequence(tree)
    best = max(range(len(steps)), key=lambda k: (round(-steps.curve(parts["validation"])[k], 12), -steps.n_leaves[k]))
    app.go("size_and_pruning")
    assert f"Your tree: {steps.n_leaves[best]} lea" in app.text()
    assert "the smallest tree of the largest profit" in app.text()
