"""The first tree of a table: how it is grown and pruned before anybody has chosen anything."""

import random
import re

import pytest

from pages.shared.trees import first_recipe
from treecore.data.samples import SAMPLES
from treecore.first_recipe import growth_choices
from treecore.recipe import Grow, Prune, Split
from treecore.target import ClassTarget

CLASSES = ClassTarget(("no", "yes"))


def loans(n: int = 1200, noise: float = 0.1, seed: int = 0) -> bytes:
    """Numbers and words; two classes of which one is rare, and follows from two columns but for the noise."""
    draw = random.Random(seed)
    lines = ["age,income,region,defaulted"]
    for _ in range(n):
        age, income, region = draw.randint(18, 80), draw.randint(10, 90), draw.choice("NSEW")
        bad = age < 40 and income < 30
        bad = bad != (draw.random() < noise)
        lines.append(f"{age},{income},{region},{'yes' if bad else 'no'}")
    return "\n".join(lines).encode()


def prunings(n_cells, held_back) -> list[Prune]:
    """All that classes may be given at first."""
    return [rule for way in growth_choices(90, CLASSES, n_cells, held_back) for rule in way.prunings]


def test_an_upload_opens_pruned_and_better_than_the_majority(app):
    app.upload(loans(), as_it_opens=True).go("grow")
    record = app.record()
    assert record.prune in prunings(3600, True)
    assert dict(record.grow.settings) in ({"min_rows_leaf": 7}, {"min_rows_leaf": 7, "criterion": "entropy"})
    assert re.search(r"leaves\*\* · validation \*\*AUC 0\.[789]\d\*\* · riskiest 10 % hold .* of \d+ “yes”", app.text())
    found = app.pane()["dock"]
    step = next(s for s in found["steps"] if s["k"] == found["chosen"])
    assert 1 < step["leaves"] < found["steps"][0]["leaves"]
    validation = next(line for line in found["lines"] if line["name"] == "validation")
    leaves = {s["k"]: s["leaves"] for s in found["steps"]}
    assert {name for mark in found["marks"] for name in mark["text"].split(", ")} == {"best", "least error", "1-SE"}
    for mark in found["marks"]:
        assert re.search(r": (\d+) leaves", mark["title"])[1] == str(leaves[mark["k"]]), "what a screen reader says"
    assert validation["values"][found["steps"].index(step)] < found["majority"], "less is lost than by the root alone"
    assert "past" not in app.own or app.own["past"] == (), "no step of the user's"


def test_a_rare_class_has_a_tree_though_no_leaf_answers_with_it(app):
    draw = random.Random(3)
    lines = ["months,calls,plan,churn"]
    for _ in range(1500):
        months, calls, plan = draw.randint(1, 70), draw.randint(0, 6), draw.choice(["basic", "plus", "pro"])
        risk = 0.22 if months < 18 and calls > 2 else 0.09 if months < 18 else 0.03
        lines.append(f"{months},{calls},{plan},{'yes' if draw.random() < risk else 'no'}")
    app.upload("\n".join(lines).encode(), as_it_opens=True).go("grow")
    assert app.pane()["nodes"][0]["title"] == "months"
    assert "AUC 0." in app.text()
    assert "riskiest 10 % hold" in app.text()
    assert any("In almost no leaf is “yes” the majority" in w.value for w in app.at.warning)
    found = app.pane()["dock"]
    chosen = next(s for s in found["steps"] if s["k"] == found["chosen"])
    assert "log loss" in found["words"]["name"].lower(), "the curve shows what the size was chosen by"
    assert chosen["leaves"] > 1


def test_where_no_split_helps_a_sentence_says_so(app):
    draw = random.Random(1)
    lines = ["x,z,y"] + [f"{draw.random():.4f},{draw.random():.4f},{draw.choice('aaab')}" for _ in range(300)]
    app.upload("\n".join(lines).encode(), as_it_opens=True).go("grow")
    assert "1 leaf**" in app.text()
    told = "No split predicts “b” better than its overall rate of 2"
    assert any(told in w.value and "judged by the log loss in 10 folds" in w.value for w in app.at.warning)
    assert app.pane()["dock"]["steps"][0]["leaves"] > 10, "the full tree is one click away"


def test_a_textbook_opens_as_the_lecture_has_it(app):
    app.sample("play_tennis", as_it_opens=True).go("grow")
    assert app.record().grow == Grow("id3", ())
    assert app.record().split == Split(train=1.0, validation=0.0, test=0.0)
    assert app.pane()["nodes"][0]["title"] == "Outlook"


def test_the_recipe_of_a_file_that_is_read_again_stays(app):
    app.upload(loans(), as_it_opens=True).go("grow").set("max_depth", 3)
    app.go("data").set("comment", "#")
    assert dict(app.record().grow.settings)["max_depth"] == 3
    assert app.record().prune in (Prune(), *prunings(3600, True))


def test_what_is_predicted_from_what_is_changed_beside_the_tree(app):
    app.sample("titanic").go("grow").set("predictors", ["sex", "age"])
    assert app.record().features == ("sex", "age")
    assert "Left out: pclass" in app.text()
    app.set("predicted", "embarked")
    assert app.pane()["classes"] == ["C", "Q", "S"]
    app.click("undo").click("undo")
    assert app.record().features is None
    assert app.errors() == []


def test_all_rows_train_and_classes_count_alike_by_one_click(app):
    app.upload(loans(), as_it_opens=True).go("grow").click("all_rows")
    assert app.pane()["nodes"][0]["n"] == "1,200"
    app.click("undo")
    assert app.pane()["nodes"][0]["n"] == "720"
    app.click("balance")
    assert app.record().grow.growth().priors == (0.5, 0.5)
    app.click("balance")
    assert app.record().grow.growth().priors is None
    assert app.errors() == []


def test_what_a_miss_costs_is_asked_where_the_rare_class_is_seen(app):
    """One click opens the fields of the class of interest; each number is a step that can be undone."""
    app.upload(loans(), as_it_opens=True).go("grow").click("miss_costs")
    assert app.has("profit_1_1")
    app.set("profit_1_0", -9.0)
    assert app.record().grow.growth().profit == ((0, -1), (-9, 0))
    app.click("undo")
    assert app.record().grow.growth().profit is None
    app.click("balance_here")
    assert app.record().grow.growth().priors == (0.5, 0.5)
    assert app.errors() == []


def test_classes_of_about_one_size_are_offered_no_weights(app):
    app.sample("titanic").go("grow")
    assert not app.has("miss_costs")
    assert not app.has("balance_here")


def test_another_tree_than_cart_is_announced_with_the_reason_and_the_way_back(app):
    """Many levels without a meaning mislead CART; a conditional inference tree tests them."""
    draw = random.Random(1)
    lines = ["code,size,price"]
    for _ in range(900):
        size = draw.uniform(30, 300)
        lines.append(f"c{draw.randint(0, 60)},{size:.1f},{1000 * round(size / 40) * draw.uniform(0.8, 1.2):.0f}")
    app.upload("\n".join(lines).encode(), as_it_opens=True).go("grow")
    told = "predicted new rows better in cross-validation than CART"
    preset = app.record().grow.preset
    assert (told in app.text()) == app.has("use_cart") == (preset != "cart")
    grown = Grow("ctree")
    app.put(grow=grown, choices={**app.record().choices, first_recipe.PREFERRED: repr(grown)})
    app.go("grow")
    assert told in app.text()
    app.click("use_cart")
    assert app.record().grow == Grow("cart", (("min_rows_leaf", 5),))
    assert told not in app.text()
    app.click("undo")
    assert app.record().grow == Grow("ctree")
    assert app.errors() == []
    changed = Grow("cart", (("criterion", "quantile"),))
    app.put(grow=changed, choices={**app.record().choices, first_recipe.PREFERRED: repr(grown)})
    app.go("grow")
    assert told not in app.text(), "what somebody has chosen since was not compared with CART"


@pytest.mark.parametrize(("sample", "most"), [("claims", 20), ("mpg", 30), ("play_tennis", 6)])
def test_a_sample_opens_with_a_tree_that_can_be_read(app, sample, most):
    """Counts and numbers like classes: pruned as an upload is, unless the sample has the recipe of its textbook."""
    app.follow()
    app.sample(sample, as_it_opens=True).go("grow")
    assert 1 < int(re.search(r"\*\*([\d,]+) leaves\*\*", app.text())[1].replace(",", "")) <= most
    assert (app.record().prune == Prune()) == bool(SAMPLES[sample].preset)
    assert app.errors() == []


TENNIS = """Outlook,Temperature,Humidity,Wind,PlayTennis
Sunny,Hot,High,Weak,No
Sunny,Hot,High,Strong,No
Overcast,Hot,High,Weak,Yes
Rain,Mild,High,Weak,Yes
Rain,Cool,Normal,Weak,Yes
Rain,Cool,Normal,Strong,No
Overcast,Cool,Normal,Strong,Yes
Sunny,Mild,High,Weak,No
Sunny,Cool,Normal,Weak,Yes
Rain,Mild,Normal,Weak,Yes
Sunny,Mild,Normal,Strong,Yes
Overcast,Mild,High,Strong,Yes
Overcast,Hot,Normal,Weak,Yes
Rain,Mild,High,Strong,No
"""


def test_all_rows_of_a_small_table_train_and_folds_judge_them(app):
    app.upload(TENNIS.encode(), as_it_opens=True).go("grow")
    assert app.record().split == first_recipe.EVERY_ROW
    assert len(app.pane()["nodes"]) > 3
    text = app.text()
    assert "training **100.0\u00a0%** · 10 folds **" in text
    assert any("In cross-validation no split helps" in w.value for w in app.at.warning)
    assert "cross" in {line["name"] for line in app.pane()["dock"]["lines"]}
    app.go("data")
    assert "all rows train, and cross-validation judges the tree" in app.text()
    assert app.errors() == []


def test_a_small_table_whose_split_holds_in_every_fold_is_pruned_by_folds(app):
    lines = ["x,z,y", *(f"{i * 27 % 40}.5,{i * 7 % 11},{'ab'[i * 27 % 40 >= 20]}" for i in range(40))]
    app.upload("\n".join(lines).encode(), as_it_opens=True).go("grow")
    assert app.record().split == first_recipe.EVERY_ROW
    assert app.record().prune in prunings(120, False)
    assert "**2 leaves**" in app.text()
    assert not any("In cross-validation" in w.value for w in app.at.warning)


def test_a_table_large_enough_holds_rows_back(app):
    app.upload(loans(150), as_it_opens=True).go("grow")
    assert app.record().split == Split()
    app.go("data").upload(loans(149), "other.csv", as_it_opens=True).go("grow")
    assert app.record().split == first_recipe.EVERY_ROW
    assert "by folds judges them" not in app.click("all_rows").text()


def test_of_fewer_rows_than_ten_each_is_a_fold(app):
    lines = ["x,z,y", *(f"{i * 5 % 8}.5,{i * 3 % 4},{'ab'[i * 5 % 8 >= 4]}" for i in range(8))]
    app.upload("\n".join(lines).encode(), as_it_opens=True).go("grow")
    assert "· 8 folds **" in app.text()
    assert app.errors() == []


def test_two_rows_are_enough(app):
    app.upload(b"x,z,y\n1.5,2,a\n2.5,1,b\n", as_it_opens=True)
    assert app.pane()["nodes"][0]["n"] == "2", "the app has gone on to the tree"
    assert app.errors() == []


def test_that_a_small_table_trains_with_all_rows_is_not_kept_for_a_large_one(app):
    app.upload(loans(100), as_it_opens=True).go("grow")
    assert app.record().split == first_recipe.EVERY_ROW
    app.go("data").upload(loans(300), "other.csv", as_it_opens=True).go("grow")
    assert app.record().split == Split()
