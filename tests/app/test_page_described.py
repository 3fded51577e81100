"""What a column holds, in the user's words, is shown wherever a page asks for the column, and is kept."""

from pages.shared.data import columns
from pages.shared.session import state
from treecore.recipe import Data, Recipe, Split
from treecore.seal import Seal

TOLD = "Fare paid, in *pounds* of 1912"


def test_a_description_is_shown_at_the_node_and_beside_its_field(app):
    app.sample("titanic").put(descriptions=(("sex", TOLD),))
    assert "sex: Fare paid, in *pounds* of 1912" in app.go("grow").text()
    app.go("predict")
    helps = [w.help for w in app.at.selectbox if w.label == "sex"]
    assert helps
    assert all("pounds" in text for text in helps)
    shown = next(d.value for d in app.go("data").at.dataframe if "description" in d.value.columns)
    assert TOLD in shown["description"].tolist()


def test_an_edited_cell_is_a_step_that_can_be_undone(app, monkeypatch):
    app.sample("titanic").go("data")
    monkeypatch.setattr(state, "_own", lambda: app.own)
    columns._take({1: {"description": "  Class of the cabin "}}, ["survived", "pclass"])
    assert app.record().descriptions == (("pclass", "Class of the cabin"),)
    state.undo()
    assert app.record().descriptions == ()


def test_a_recipe_keeps_descriptions_and_they_change_no_tree():
    recipe = Recipe((Data(descriptions=(("a", "b"),)), Split(), Seal()))
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert recipe.digest() == Recipe((Data(), Split(), Seal())).digest()
