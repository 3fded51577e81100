"""Recipes: read, refused, hashed, told."""

from dataclasses import replace

import pytest

import treecore as tc
from treecore.recipe import Data, Edit, Grow, Prune, Recipe, Split


@pytest.mark.parametrize(
    "text",
    ["", "{", "3", "null", "[]", '"x"', "{}", '{"schema_version": 1}', '{"schema_version": 2, "steps": []}',
     '{"schema_version": 1, "steps": null}', '{"schema_version": 1, "steps": 5}',
     '{"schema_version": 1, "steps": ["grow"]}', '{"schema_version": 1, "steps": [{}]}',
     '{"schema_version": 1, "steps": [{"step": "fly"}]}', '{"schema_version": 1, "steps": [{"step": ["grow"]}]}',
     '{"schema_version": 1, "steps": [{"step": "grow", "preset": "c9"}]}',
     '{"schema_version": 1, "steps": [{"step": "grow", "depth": 3}]}',
     '{"schema_version": 1, "steps": [{"step": "grow", "settings": {"max_depth": -1}}]}',
     '{"schema_version": 1, "steps": [{"step": "grow", "settings": [1, 2]}]}',
     '{"schema_version": 1, "steps": [{"step": "prune", "method": "none", "parameters": {"alpha": 1}}]}',
     '{"schema_version": 1, "steps": [{"step": "prune", "method": "cost_complexity", "parameters": {"alpha": "x"}}]}',
     '{"schema_version": 1, "steps": [{"step": "split", "train": "most"}]}',
     '{"schema_version": 1, "steps": [{"step": "split", "seed": "x"}]}',
     '{"schema_version": 1, "steps": [{"step": "edit"}]}',
     '{"schema_version": 1, "steps": [{"step": "edit", "action": "explode"}]}',
     '{"schema_version": 1, "steps": [{"step": "edit", "action": "cut", "path": 5}]}',
     '{"schema_version": 1, "steps": [{"step": "edit", "action": "cut", "path": [0.0]}]}',
     '{"schema_version": 1, "steps": [{"step": "data", "kinds": [[]]}]}',
     "[" * 100_000],
    ids=lambda t: t[-45:],
)  # fmt: skip
def test_junk_is_refused_with_a_remedy(text):
    with pytest.raises(tc.TreecoreError) as caught:
        Recipe.from_json(text)
    assert caught.value.remedy


def test_the_step_that_cannot_be_read_is_named():
    with pytest.raises(tc.TreecoreError, match="Step 2"):
        Recipe.from_json('{"schema_version": 1, "steps": [{"step": "grow"}, {"step": "fly"}]}')


@pytest.mark.parametrize("value", [-1, -1e-12, float("nan"), "x", True, [1]])
@pytest.mark.parametrize(("method", "name"), [("cost_complexity", "alpha"), ("reduced_error", "epsilon")])
def test_a_parameter_below_its_least_or_no_number_is_refused(method, name, value):
    with pytest.raises(tc.TreecoreError) as caught:
        Prune(method, ((name, value),))
    assert caught.value.where == name


def test_none_lets_a_pruner_choose_where_it_can():
    assert Prune("cost_complexity", (("alpha", None),)).parameters == (("alpha", None),)
    with pytest.raises(tc.TreecoreError):
        Prune("reduced_error", (("epsilon", None),))


def test_equal_recipes_are_equal_whatever_the_order_of_their_pairs():
    settings = ("max_depth", 3), ("criterion", "entropy")
    kinds = ("b", "nominal"), ("a", "ordinal")
    a = Recipe((Grow("cart", settings), Data(kinds=kinds)))
    b = Recipe((Grow("cart", settings[::-1]), Data(kinds=kinds[::-1])))
    assert a == b
    assert hash(a) == hash(b)
    assert Recipe.from_json(a.to_json()) == a


def test_a_recipe_reads_as_one_line():
    recipe = Recipe((Data(target="y", features=("a", "b")), Split(), Grow("cart", (("max_depth", 3),))))
    recipe = recipe.then(Prune("cost_complexity", (("alpha", 0.01),))).then(Edit("cut", (0, 1), "size"))
    assert recipe.text() == (
        "predict y from 2 features → split 60/20/20 %, stratified, seed 0 → CART · max_depth 3"
        " → prune: cost complexity · alpha 0.01 → cut the node that tests size (0/1)"
    )


def test_the_last_growth_counts_and_cart_is_the_default():
    cart = tc.PRESETS["cart"].growth
    assert Recipe(()).growth() == cart
    assert Recipe((Grow("id3"), Grow("cart", (("max_depth", 1),)))).growth() == replace(cart, max_depth=1)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"loss": ((0, 1), (4, 0))}, "loss 0 1 | 4 0"),
        ({"priors": (0.5, 0.5)}, "priors 0.5, 0.5"),
        ({"costs": (("age", 2.0), ("fare", 0.5))}, "cost of age 2, cost of fare 0.5"),
        ({"costs": tuple((f"x{i}", 3.0) for i in range(9))}, "cost of x5 3, and 3 more"),
        ({"min_gain": 0.1 + 0.2, "max_leaves": None}, "max_leaves none · min_gain 0.3"),
        ({"priors": (0.1,) * 10}, "priors of 10 classes"),
        ({"loss": tuple(tuple(float(i != j) * (1 + (i < j)) for j in range(7)) for i in range(7))},
         "loss of 7 classes, 21 errors that do not cost 1"),
    ],
)  # fmt: skip
def test_costs_and_priors_are_told_in_words(settings, told):
    assert Grow("cart", tuple(settings.items())).text().endswith(told)
