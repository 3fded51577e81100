"""A model made elsewhere, dropped beside a table: its tree is yours, its trees are looked at, or it says why not."""

import json
import os
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.export.code import to_script
from treecore.recipe import Import, Prune, Recipe

if os.environ.get("CI"):
    import xgboost as xgb
else:
    xgb = pytest.importorskip("xgboost", reason="XGBoost is not installed")

RNG = np.random.RandomState(0)
FRAME = pd.DataFrame({"a": RNG.randn(300).round(3), "b": RNG.randn(300).round(3), "c": RNG.randint(0, 9, 300)})
WORDS = FRAME.assign(y=np.where(FRAME.a + FRAME.b > 0.3, "yes", "no"))
NUMBERS = FRAME.assign(y=(FRAME.a + FRAME.b > 0.3).astype(int))
PAGES = ("grow", "court", "size_and_pruning", "regions", "rules", "segments", "predict", "compare", "experiments")


def csv(frame) -> bytes:
    return frame.to_csv(index=False).encode()


def booster(**more) -> bytes:
    made = xgb.XGBClassifier(n_estimators=5, max_depth=2, **more).fit(FRAME, NUMBERS.y)
    return bytes(made.get_booster().save_raw("json"))


def drop(app, name, content):
    return app.go("data").upload(content, name, as_it_opens=True)


def saved(tree) -> bytes:
    return json.dumps(tree.to_dict()).encode()


def tree_of(frame=WORDS, **more):
    return tc.grow(tc.read_table(frame, target="y"), "cart", max_depth=3, **more)


def recipe(app) -> Recipe:
    kept = app.record()
    return Recipe((kept.split, kept.grow, kept.prune))


@pytest.fixture
def with_tree(app):
    app.upload(csv(WORDS))
    return drop(app, "tree.json", saved(tree_of()))


def test_a_saved_tree_is_yours_with_the_training_rows_counted(with_tree):
    made = with_tree.go("grow").pane()["nodes"]
    assert len(made) == tree_of().n_nodes
    assert next(node for node in made if node["id"] == 0)["n"] == "180"
    assert "tree.json" in with_tree.text()
    assert isinstance(with_tree.record().grow, Import)


def test_so_is_a_tree_of_pmml_whose_columns_are_found_by_name(app):
    made = tree_of()
    app.upload(csv(WORDS.assign(other=RNG.randn(300).round(2))))
    drop(app, "tree.pmml", tc.export(made, "pmml").encode())
    assert app.errors() == []
    assert len(app.go("grow").pane()["nodes"]) == made.n_nodes
    assert "other" not in app.record().features
    for page in ("court", "regions", "rules"):
        assert app.go(page).errors() == []


def test_everything_works_on_it(with_tree):
    for page in PAGES:
        with_tree.go(page)
        assert with_tree.errors() == [], page
    with_tree.change(prune=Prune("cost_complexity", (("alpha", 0.05),)))
    with_tree.go("grow")
    assert "**8 leaves**" not in with_tree.text()
    with_tree.go("court")
    assert with_tree.errors() == []


@pytest.mark.parametrize("kind", ["recipes", "stability", "along", "bias"])
def test_what_would_grow_its_like_says_why_it_cannot(with_tree, kind):
    button = {"recipes": "run_recipes", "stability": "regrow", "along": "along", "bias": "bias"}[kind]
    with_tree.go("experiments").set("experiment", kind)
    for name in (f"{kind} on", "experiment on", "regrow on", "along on", "bias on"):
        with_tree.change(choices={**with_tree.record().choices, name: True})
    assert any("what it was grown by is not known" in told for told in with_tree.errors()), button


def test_no_split_is_taken_in_it_and_another_algorithm_takes_its_place_and_undo_brings_it_back(with_tree):
    with_tree.go("grow").tab("Rivals")
    assert "None can be taken in a tree that is read from a model" in with_tree.text()
    assert not any("grow" in node["deeds"] for node in with_tree.pane()["nodes"])
    with_tree.set("preset", "c4.5")
    assert not isinstance(with_tree.record().grow, Import)
    assert with_tree.errors() == []
    with_tree.click("undo")
    assert isinstance(with_tree.record().grow, Import)
    assert with_tree.errors() == []


def test_cross_validation_of_its_sizes_is_refused_with_the_reason(with_tree):
    with_tree.go("grow").change(prune=Prune("cost_complexity", (("choose", "cross-validation"),)))
    assert any("no tree like it can be grown on folds" in told for told in with_tree.errors())


def test_a_model_waits_for_its_table(app):
    drop(app, "tree.json", saved(tree_of()))
    assert "give the table that it is for" in app.text()
    app.upload(csv(WORDS), "rows.csv", as_it_opens=True)
    assert app.errors() == []
    assert isinstance(app.record().grow, Import)


def test_a_model_of_other_columns_says_which_and_nothing_changes(app):
    app.upload(csv(WORDS.drop(columns="b")))
    before = app.record().grow
    drop(app, "tree.json", saved(tree_of()))
    assert any("needs b, which the table f.csv does not have" in told for told in app.errors())
    assert app.record().grow == before
    app.click("forget_model")
    assert app.errors() == []


def test_the_target_and_the_kinds_are_those_of_the_model(app):
    made = tree_of(WORDS.assign(c=WORDS.c.astype(str)))
    frame = WORDS[["y", "a", "b", "c"]].assign(z=RNG.randint(0, 2, 300))
    app.upload(csv(frame)).change(target="z")
    drop(app, "tree.json", saved(made))
    assert app.errors() == []
    assert app.record().target == "y"
    assert set(app.record().features) == {"a", "b", "c"}


def test_a_pickle_is_refused_with_the_way_out_and_the_table_stays(app):
    app.upload(csv(WORDS))
    for name, content in (("m.pkl", b"anything"), ("m.csv", pickle.dumps({"a": 1})), ("m.joblib", b"\x80\x04N.")):
        drop(app, name, content)
        [told] = app.errors()
        assert "never opened" in told
        assert "save the model as JSON" in told
        assert app.own["raw table"].source == "f.csv"


def test_the_trees_of_a_booster_are_told_one_by_one_and_the_single_one_nearest(app):
    app.upload(csv(NUMBERS), "rows.csv")
    drop(app, "booster.json", booster())
    app.go("experiments")
    assert app.errors() == []
    assert "Of 5 trees, this many use: " in app.text()
    assert "trees together, " in app.text()
    assert app.pane()["tag"] == "Tree 1 of 5, for “1”"
    app.set("many_tree", 3)
    assert app.pane()["tag"].startswith("Tree 3 of 5")
    app.set("many_asks", "a")
    app.set("many_shown", "nearest")
    assert "Nearest" in app.pane()["tag"]
    assert app.errors() == []
    app.go("regions").set("regions_tree", "votes")
    assert app.errors() == []


def test_classes_that_a_file_numbers_are_named_by_the_user(app):
    app.upload(csv(FRAME.assign(y=np.where(NUMBERS.y, "bad", "good"))), "rows.csv")
    drop(app, "booster.json", booster())
    assert any("numbers its classes 0 to 1, the table has bad, good" in told for told in app.errors())
    app.set("classes of the model", ["good", "bad"]).click("read_model")
    assert app.errors() == []
    app.go("experiments")
    assert app.pane()["tag"] == "Tree 1 of 5, for “bad”"


def test_the_nearest_tree_becomes_yours(app):
    app.upload(csv(NUMBERS), "rows.csv")
    drop(app, "booster.json", booster())
    app.go("experiments").set("many_shown", "nearest").click("many_as_yours").go("grow")
    assert app.errors() == []
    assert isinstance(app.record().grow, Import)
    assert app.pane()["nodes"]


def test_another_table_is_grown_as_tables_are(with_tree):
    with_tree.upload(csv(NUMBERS), "other.csv", as_it_opens=True)
    assert not isinstance(with_tree.record().grow, Import)


def test_a_recipe_with_a_model_is_read_again_and_its_script_names_the_file(with_tree, tmp_path):
    steps = recipe(with_tree)
    assert Recipe.from_json(steps.to_json()) == steps
    (tmp_path / "tree.json").write_bytes(saved(tree_of()))
    assert "tc.read_model('tree.json', rows)" in to_script(steps)
    table = tc.read_table(WORDS, target="y")
    with pytest.raises(tc.TreecoreError, match="was grown by is not known"):
        tc.fit(table, steps)
    again = tc.fit(table, steps, model=lambda rows: tc.read_model(tmp_path / "tree.json", rows))
    assert again.tree.n_rows[0] == 180
    assert (again.tree.predict(WORDS) == tree_of().predict(WORDS)).all()


def test_a_model_whose_file_is_gone_is_asked_for(with_tree):
    with_tree.own.pop("models")
    with_tree.change(grow=replace(with_tree.record().grow, digest="0" * 64))
    with_tree.go("grow")
    assert any("whose file is not kept" in told for told in with_tree.errors())
