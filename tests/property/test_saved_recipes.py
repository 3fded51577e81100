"""Recipes that somebody changed: each is refused with a reason, or replayed without harm."""

import json
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.saved_trees import tables
from tests.property.test_saved_trees import Elsewhere, change, places
from treecore.judging.interest import FlagRule
from treecore.recipe import Data, Edit, Grow, Prepare, Prune, Read, Recipe, Split, Take
from treecore.seal import Seal

FEATURES = ("x0", "x1", "x2", "x3", "x4")
GROUPS = (("x1=0", "x1=1"), ("x1=2", "x1=3"))
BASES = tuple(
    recipe.to_json()
    for recipe in (
        Recipe((Data(target="y", features=FEATURES), Split(0.5, 0.25, 0.25), Grow("cart"), Prune("reduced_error"))),
        Recipe((Read("a.csv", False, (("decimal", ","),), (("x0", ("year",)),), "x2"), Grow("cart"))),
        Recipe((Data(target="y", kinds=(("x1", ("nominal", GROUPS[0] + GROUPS[1])),)), Grow("cart"))),
        Recipe((Grow("c4.5"), Take(feature="x0", threshold=3.2, missing=1), Edit("cut", (0,)))),
        Recipe((Grow("sklearn", (("max_depth", 3),)), Take(feature="x1", branches=GROUPS, missing=0))),
        Recipe((Grow("cart"), FlagRule(0.25, "y=1"))),
        Recipe((Split(0.5, 0.25, 0.25), Seal("2026-01-31", "0f"), Grow("cart"))),
        Recipe((Prepare("drop_rows", 0.5, (("x0", "equal_width", 3),)), Grow("j48"), Take((), "", "x1", None, GROUPS))),
        Recipe(
            (
                Grow("rpart", (("loss", ((0.0, 1.0), (4.0, 0.0))), ("max_surrogates", 3))),
                Prune("cost_complexity", (("alpha", 0.01),)),
            )
        ),
    )
)


def replayed(text: str, n_classes: int) -> str:
    """What is wrong with the recipe of this JSON, or "replayed"."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            recipe = Recipe.from_json(text)
            assert Recipe.from_json(recipe.to_json()) == recipe
            fit = tc.fit(tables(n_classes)[0], recipe)
            fit.tree.predict(tables(n_classes)[1])
        except tc.TreecoreError as refused:
            return str(refused)
        return "replayed"


@pytest.fixture(scope="module")
def elsewhere():
    here = Elsewhere(replayed)
    yield here
    here.close()


@st.composite
def changed(draw):
    """JSON of a recipe with one or two changes in its steps."""
    data = json.loads(draw(st.sampled_from(BASES)))
    for _ in range(draw(st.integers(1, 2))):
        found = [path for path in places(data) if len(path) > 1]
        if found:
            change(draw, data, draw(st.sampled_from(found)))
    return json.dumps(data)


@given(text=changed())
@settings(max_examples=100, suppress_health_check=list(HealthCheck))
def test_a_changed_recipe_is_refused_or_does_no_harm(elsewhere, text):
    assert elsewhere.tried(text, 2)


@pytest.mark.parametrize("base", BASES)
def test_the_recipes_as_they_were_saved_are_replayed(elsewhere, base):
    assert elsewhere.tried(base, 2) == "replayed"


@pytest.mark.parametrize("preset", ["c4.5", "j48", "sklearn", "cart"])
@pytest.mark.parametrize("split", [{"feature": "x0", "threshold": 3.2}, {"feature": "x1", "branches": GROUPS}])
@pytest.mark.parametrize("missing", [2, 1000])
def test_missing_values_go_to_a_branch_that_there_is(elsewhere, preset, split, missing):
    said = elsewhere.tried(Recipe((Grow(preset), Take(missing=missing, **split))).to_json(), 2)
    assert f"should go to branch {missing}" in said
