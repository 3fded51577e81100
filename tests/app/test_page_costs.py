"""Costs and priors: the functions behind their editors (AppTest cannot type into tables), and what speaks of them."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import treecore as tc
from pages import PAGES
from pages.shared.session import state
from treecore.data.samples import read_sample
from treecore.figures import briefly, percent
from treecore.growing.settings.costs import class_factors
from treecore.recipe import Grow

SCRIPT = """
import streamlit as st
from pages.shared.controls import costs, growth
from pages.shared.data import source
from pages.shared.session import state
from pages.shared.trees import work
if state.raw() is None:
    source.take_sample({sample!r})
    state.choose("costs panel", True)
{steps}
costs.show()
"""
LOSS = ((0.0, 1.0), (4.0, 0.0))


def after(steps: str, sample: str = "titanic"):
    at = AppTest.from_string(SCRIPT.format(sample=sample, steps=steps)).run()
    assert not at.exception, at.exception
    return at


def growth(at):
    return at.session_state[state.OWN]["record"].grow.growth()


def told(found) -> str:
    return "\n".join(e.value.replace("\\", "") for e in found)


NAMED = """state.change(class_names=(("0", "died"), ("1", "lived")))"""


def test_editors_say_the_names_of_classes():
    at = after(NAMED)
    [costs] = [d.value for d in at.dataframe if "true" in d.value.columns]
    assert costs["true"].tolist() == ["died", "lived"]
    at = after(f"{NAMED}\ncosts.take_mode('own')")
    [priors] = [d.value for d in at.dataframe if "prior" in d.value.columns]
    assert priors["class"].tolist() == ["died", "lived"]
    typed = "costs._take_cells((0.5, 0.5), {1: {'prior': -1.0}})"
    assert "not possible for “lived”" in told(after(f"{NAMED}\ncosts.take_mode('own')\n{typed}").error)
    at = after(f"{NAMED}\ncosts._take({{(0, 0): 2.0}})")
    assert "row “died”, column “died” stays 0" in told(at.error)
    at = after(f'{NAMED}\ncosts.speak_of("profit")')
    assert "The class of interest is “lived”" in told(at.caption)


def with_loss(app, sample="titanic", loss=LOSS, **more):
    """A session with costs, as the editor leaves it."""
    app.sample(sample)
    table = read_sample(sample)
    return app.go(
        "grow",
        grow=Grow("cart", (("loss", loss), ("max_depth", 4), *more.items())),
        choices={**app.record().choices, "costs for": (table.target, table.classes)},
    )


def test_the_drawer_says_by_what_the_rows_of_its_impurity_are_weighed(app):
    with_loss(app)
    assert "Gini index of the training rows, weighed anew by costs," in app.text()
    app.change(grow=Grow("cart", (("max_depth", 4),)))
    assert "Gini index of the training rows **" in app.text()


def parts_of(sample):
    return dict(zip(("train", "validation", "test"), read_sample(sample).split(tc.Roles()), strict=True))


# the editors


def test_a_cost_typed_in_is_in_force():
    at = after("costs._take(costs.cells({1: {'c0': 4}}))")
    assert growth(at).loss == LOSS
    assert told(at.error) == ""
    factors = class_factors(parts_of("titanic")["train"], tc.GrowSettings(loss=LOSS))
    shown = f"a row counts {factors[0]:.4g} times if it is “0”, {factors[1]:.4g} times if it is “1”"
    assert shown in told(at.caption)
    assert factors[1] / factors[0] == pytest.approx(4)


def test_profits_are_typed_into_four_fields():
    """Titanic: survivors, "1", are the rarer class, so that a hit is one who is called so."""
    at = after("state.choose('answers worth', 'profit')")
    fields = {field.label: field for field in at.number_input}
    assert [fields[name].value for name in ("Hit", "Miss", "False alarm", "Correct rejection")] == [0, -1, -1, 0]
    fields["Hit"].set_value(20.0).run()
    fields["False alarm"].set_value(-5.0).run()
    assert not at.exception
    assert growth(at).profit == ((0, -5), (-1, 20))
    assert growth(at).loss is None
    assert "the highest expected profit" in told(at.caption)


def test_costs_are_told_as_profits_and_back():
    at = after("costs._take({(1, 0): 4.0})\ncosts.speak_of('profit')")
    assert (growth(at).loss, growth(at).profit) == (None, ((0, -1), (-4, 0)))
    at = after("costs.put_profit({(1, 1): 20, (1, 0): 16})\ncosts.speak_of('loss')")
    assert (growth(at).loss, growth(at).profit) == (LOSS, None)
    at = after("costs.put_profit({(1, 1): -9})\ncosts.speak_of('loss')")
    assert growth(at).profit == ((0, -1), (-1, -9))
    assert "costs of errors cannot express that" in told(at.error)


def test_profits_that_decide_nothing_are_refused_and_zeros_are_not():
    at = after("costs.put_profit({(0, 1): 0, (1, 0): 0})")
    assert growth(at).profit is None
    assert "nothing to decide" in told(at.error)
    at = after("costs.put_profit({(0, 1): 0})")
    assert growth(at).profit == ((0, 0), (-1, 0))
    at = after("costs.put_profit({(0, 1): float('inf')})")
    assert "not possible" in told(at.error)


def test_profits_of_three_classes_are_a_table():
    at = after("state.choose('answers worth', 'profit')\ncosts.put_profit({(2, 2): 5})", "iris")
    assert growth(at).profit == ((0, -1, -1), (-1, 0, -1), (-1, -1, 5))
    assert not at.number_input


def test_costs_of_1_everywhere_are_no_costs():
    at = after("costs._take({(1, 0): 4.0})\ncosts._take({(1, 0): 1.0})")
    assert growth(at).loss is None
    assert at.session_state[state.OWN]["record"].grow == Grow()


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ("{(0, 1): -2.5}", "A cost of -2.5 is not possible in row “0”, column “1”: give 0 or more."),
        ("{(1, 1): 3.0}", "A correct prediction costs nothing: row “1”, column “1” stays 0."),
        ("{(0, 1): 0.0, (1, 0): 0.0}", "At least one error must cost more than 0."),
    ],
)
def test_what_cannot_be_a_cost_is_refused_by_row_and_column(cells, says):
    at = after(f"costs._take({{(1, 0): 4.0}})\ncosts._take({cells})")
    assert says in told(at.error)
    assert growth(at).loss == LOSS, "what was in force stays"


def test_every_error_costs_1_again(app):
    with_loss(app).click("costs_panel").click("loss_reset")
    assert app.record().grow == Grow("cart", (("max_depth", 4),))
    assert app.at.button(key="loss_reset").disabled


def test_many_classes_are_edited_one_true_class_at_a_time(app):
    rows = "\n".join(f"{i},{i * 7 % 11},k{i % 14:02d}" for i in range(140))
    app.upload(f"a,b,y\n{rows}\n".encode()).go("grow").click("costs_panel")
    assert len(app.widget("loss_row").options) == 14
    frame = app.at.dataframe[0].value
    assert list(frame["answer"]) == [f"k{i:02d}" for i in range(14)]
    assert frame["cost"].tolist() == [0.0] + [1.0] * 13
    app.widget("loss_row").select_index(3)
    assert app.run().at.dataframe[0].value["cost"].tolist() == [1.0] * 3 + [0.0] + [1.0] * 10


def test_priors_come_into_force_when_they_sum_to_1():
    shares = np.bincount(parts_of("titanic")["train"].target_column.codes)[:2] / 535
    at = after("costs.take_mode('own')")
    assert growth(at).priors == pytest.approx(shares)
    at = after("costs.take_mode('own')\ncosts._take_own((0.5, 0.7))")
    assert growth(at).priors == pytest.approx(shares)
    assert "The weights sum to 1.2, not 1. Until they do, the tree uses" in told(at.warning)
    at = after("costs._take_own((0.5, 0.7))\ncosts._take_own(tuple(p / 1.2 for p in (0.5, 0.7)))")
    assert growth(at).priors == pytest.approx((5 / 12, 7 / 12))
    assert "The weights sum to 1 and are in use." in told(at.caption)


def test_equal_priors_and_back():
    at = after("costs.take_mode('equal')")
    assert growth(at).priors == (0.5, 0.5)
    at = after("costs.take_mode('equal')\ncosts.take_mode('rows')")
    assert growth(at).priors is None


def test_a_negative_prior_is_refused_by_its_class():
    at = after("costs.take_mode('equal')\ncosts._take_cells((0.5, 0.5), {1: {'prior': -1}})")
    assert growth(at).priors == (0.5, 0.5)
    at = after("costs.take_mode('own')\ncosts._take_cells((0.5, 0.5), {1: {'prior': -1}})")
    assert "A class weight of -1 is not possible for “1”" in told(at.error)


def test_a_feature_has_a_cost_above_0():
    at = after("growth._take(work.table().features, {1: {'cost': 9}})")
    name = read_sample("titanic").features[1]
    assert growth(at).costs == ((name, 9.0),)
    at = after("growth._take(work.table().features, {1: {'cost': 0}})")
    assert growth(at).costs == ()
    assert f"A cost of 0 is not possible for “{name}”" in told(at.error)


def test_a_target_of_numbers_has_costs_of_features_alone():
    at = after("", sample="mpg")
    assert [m.value.split("**")[1] for m in at.markdown] == ["Costs and class weights", "Costs of features"]


# what speaks of costs


def test_the_recipe_line_tells_costs_in_words(app):
    with_loss(app, costs=(("age", 2.0),), priors=(0.5, 0.5))
    recipe = app.text().split("Recipe:")[1]
    for told in ("cost of age 2", "loss 0 1 | 4 0", "priors 0.5, 0.5"):
        assert told in recipe


def test_grow_and_compare_say_mean_cost_and_keep_the_accuracy(app):
    with_loss(app)
    parts = parts_of("titanic")
    tree = tc.grow(parts["train"], loss=LOSS, max_depth=4)
    line = next(t for t in app.text().splitlines() if t.startswith("Your tree"))
    means, right = {}, {}
    for role, part in parts.items():
        truth, answer = part.target_column.labels(), tree.predict(part)
        missed = sum((t == "1") & (a == "0") for t, a in zip(truth, answer, strict=True))
        alarms = sum((t == "0") & (a == "1") for t, a in zip(truth, answer, strict=True))
        means[role], right[role] = (4 * missed + alarms) / part.n_rows, 1 - (missed + alarms) / part.n_rows
        assert f"{role} {means[role]:.4g}" in line
        assert f"{role} {percent(right[role])}" in line
    assert "Mean cost: train" in line
    app.go("compare")
    shown = app.at.dataframe[0].value.set_index("")["A"]
    for role, part in parts.items():
        assert shown[f"mean cost, {role} ({part.n_rows} rows)"] == f"{means[role]:.4g}"
        assert shown[f"accuracy, {role} ({part.n_rows} rows)"].replace(" ", "\u00a0") == percent(right[role])


def test_the_size_curve_is_of_mean_costs(app):
    with_loss(app).go("size_and_pruning")
    assert app.widget("measure").options == ["mean cost", "accuracy"]
    assert app.widget("measure").value == "error"
    assert "Best on validation rows by mean cost" in app.text()
    frame = app.at.dataframe[0].value
    tree = tc.grow(parts_of("titanic")["train"], loss=LOSS, max_depth=4)
    curve = tc.sequence(tree).curve(parts_of("titanic")["validation"])
    assert frame["mean cost, validation"].tolist() == [briefly(value) for value in curve.tolist()]
    assert frame["accuracy, train"].between(0.3, 1).all()
    assert "Always answering what the root does: mean cost" in app.text()


def test_the_confusion_matrix_has_named_cells_and_its_cost(app):
    with_loss(app).go("compare").set("compare_tab", "Classes")
    parts = parts_of("titanic")
    tree = tc.grow(parts["train"], loss=LOSS, max_depth=4)
    truth, answer = parts["test"].target_column.labels(), tree.predict(parts["test"])
    missed = sum((t == "1") & (a == "0") for t, a in zip(truth, answer, strict=True))
    alarms = sum((t == "0") & (a == "1") for t, a in zip(truth, answer, strict=True))
    text = app.text().replace("**", "")
    assert "178 test rows, predictions of your tree." in text
    assert f"FN {missed}: false negative, 1 predicted as 0" in text
    assert f"FP {alarms}: false positive, 0 predicted as 1" in text
    assert f"Total cost {4 * missed + alarms}, mean cost {(4 * missed + alarms) / 178:.4g} per row." in text
    app.set("positive", "0")
    assert f"FN {alarms}: false negative, 0 predicted as 1" in app.text().replace("**", "")
    for measure in ("shares", "recall", "cost"):
        assert app.set("confusion_shown", measure).errors() == []
    app.set("confusion_role", "train")
    assert "535 train rows" in app.text()


def test_every_page_lives_with_costs_priors_and_dear_features(app):
    with_loss(app, priors=(0.4, 0.6), costs=(("sex", 3.0),))
    for page in PAGES:
        assert app.go(page).errors() == []
    assert "Mean cost by the priors" in app.go("grow").text()


# what no longer fits


def test_costs_of_other_classes_give_way_and_the_page_says_so(app):
    with_loss(app)
    app.sample("play_tennis").go("grow")
    assert app.record().grow.growth().loss is None
    assert "The costs of errors were for other classes and have been reset." in app.text()
    assert app.record().grow.growth().max_depth == 4
    assert app.errors() == []


def test_a_feature_that_is_one_no_longer_has_no_cost(app):
    app.sample("titanic").go("grow", grow=Grow("cart", (("costs", (("age", 2.0), ("fare", 3.0))),)))
    features = tuple(f for f in read_sample("titanic").features if f != "age")
    app.change(features=features)
    assert app.record().grow.growth().costs == (("fare", 3.0),)
    assert "No longer a feature, so without a cost: age." in app.text()


def test_the_cost_weighted_gini_is_offered_with_costs_alone(app):
    app.sample("titanic").go("grow")
    assert "Cost-weighted Gini" not in app.widget("criterion").options
    with_loss(app).go("compare")
    assert "Cost-weighted Gini" in app.widget("criterion").options
    app.set("criterion", "cost_gini").click("costs_panel")
    assert "the cost-weighted Gini is the Gini index times a constant" in app.text()
    app.click("loss_reset")
    assert "Cost-weighted Gini needs costs of errors: Gini index took its place." in app.text()
    assert app.widget("criterion").value == "gini"


def test_costs_and_priors_that_cannot_work_leave_the_editors_open(app):
    app.upload(("x,y\n" + "\n".join(f"{i},{'abc'[i % 3]}" for i in range(30))).encode()).go("grow").click("costs_panel")
    table = tc.read_table("\n".join(["x,y", *(f"{i},{'abc'[i % 3]}" for i in range(30))]).encode(), target="y")
    costs_for = {**app.record().choices, "costs for": (table.target, table.classes)}
    loss = ((0.0, 1.0, 0.0), (1.0, 0.0, 1.0), (2.0, 1.0, 0.0))
    app.change(grow=Grow("cart", (("loss", loss), ("priors", (0.5, 0.5, 0.1)))), choices=costs_for)
    (told,) = app.errors()
    assert "**Class weights**" in told
    assert "sum to 1" in told
    assert app.has("loss_reset")
    assert app.has("priors_mode")
    app.set("priors_mode", "equal")
    assert app.errors() == []
    assert "Mean cost by the priors: train" in app.text()


def test_a_class_whose_errors_cost_nothing_weighs_nothing(app):
    with_loss(app, loss=((0.0, 0.0), (1.0, 0.0)))
    assert app.errors() == []
    assert "1 leaf, depth 0. Mean cost: train 0, validation 0, test 0." in app.text()


# with which features the answer may only rise or fall


def test_a_direction_chosen_is_in_force_and_either_way_takes_it_back():
    at = after('growth._take(("age", "fare"), {1: {"answer": "rises"}})')
    assert (growth(at).monotonic, growth(at).costs) == ((("fare", 1),), ())
    take = 'growth._take(("age", "fare"), {1: %s})'
    at = after(f"{take % {'answer': 'falls', 'cost': 2.0}}\n{take % {'answer': 'either way'}}")
    assert (growth(at).monotonic, growth(at).costs) == ((), (("fare", 2.0),))


def test_a_feature_of_words_gives_no_direction():
    at = after('growth._take(("sex",), {0: {"answer": "rises"}})')
    assert growth(at).monotonic == ()
    assert "no order" in told(at.error)


def test_a_target_of_three_classes_has_no_direction(app):
    app.sample("titanic").go(
        "grow", grow=Grow("cart", (("missing", "majority"), ("monotonic", (("fare", 1), ("pclass", -1)))))
    )
    assert "rise with fare" in app.all_folds().text()
    app.sample("iris").go("grow")
    assert app.record().grow.growth().monotonic == ()
    assert "No longer monotonic:" in app.text()
