"""Recipes: read, refused, hashed, told."""

import contextlib
import itertools
import json
from dataclasses import MISSING, fields, replace

import pytest

import treecore as tc
from treecore.data import Ordinal, ReadOptions
from treecore.data.samples import SAMPLES, read_sample
from treecore.export.report import to_report
from treecore.judging.interest import FlagRule
from treecore.recipe import STEPS, Data, Edit, Grow, Prune, Read, Recipe, Split
from treecore.seal import Seal


@pytest.mark.parametrize(
    "text",
    ["", "{", "3", "null", "[]", '"x"', "{}", '{"schema_version": 1}', '{"schema_version": 3, "steps": []}',
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
        "predict y from 2 features → split 60/20/20 %, stratified, seed 0 → CART · maximum depth 3"
        " → prune: cost complexity · cost of a leaf α: 0.01 → cut the node that tests size (0/1)"
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
        ({"min_gain": 0.1 + 0.2, "max_leaves": None}, "maximum number of leaves: no limit · minimum gain 0.3"),
        ({"priors": (0.1,) * 10}, "priors of 10 classes"),
        ({"loss": tuple(tuple(float(i != j) * (1 + (i < j)) for j in range(7)) for i in range(7))},
         "loss of 7 classes, 21 errors that do not cost 1"),
    ],
)  # fmt: skip
def test_costs_and_priors_are_told_in_words(settings, told):
    assert Grow("cart", tuple(settings.items())).text().endswith(told)


WRITTEN_BEFORE = (
    '{"schema_version": 1, "steps": [{"step": "data", "fingerprint": "", "target": "class", "features": [],'
    ' "kinds": {"sepalwidth": "numeric"}}, {"step": "grow", "preset": "cart", "settings": {"max_depth": 2}}]}'
)
"""A recipe of the first version."""
HEIGHTS = "size;height;sold;n;tall\n" + "S;1,5;2020-01-02;1;no\nL;2,5;2021-05-02;2;yes\nM;x;2020-03-01;1;no\n" * 9
OPTIONS = ReadOptions(delimiter=";", decimal=",", extra_missing=("x",))


def test_a_recipe_of_the_first_version_is_read():
    recipe = Recipe.from_json(WRITTEN_BEFORE)
    assert tc.fit(read_sample("iris"), recipe).tree.depth == 2
    assert Recipe.from_json(recipe.to_json()) == recipe


@pytest.mark.parametrize("name", SAMPLES)
def test_a_recipe_reads_its_sample_as_the_sample_is_read(name):
    sample, table = SAMPLES[name], read_sample(name)
    kinds = tuple(sample.kinds.items())
    data = Data.of(sample.predicted, table.fingerprint, features=table.features, kinds=kinds)
    recipe = Recipe((Read(name, True), data, Grow()))
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    assert tc.fit(again.read(), again).tree.to_dict() == tc.grow(table).to_dict()


def test_a_recipe_reads_a_file_with_its_options_levels_parts_of_dates_and_weights():
    kinds = {"size": Ordinal(["S", "M", "L"])}
    derive = {"sold": ("year", "month")}
    read = dict(
        target="tall", kinds=kinds, derive=derive, weights="n", delimiter=";", decimal=",", extra_missing=("x",)
    )
    table = tc.read_table(HEIGHTS.encode(), **read)
    step = Read.of("heights.csv", False, OPTIONS, derive=tuple(derive.items()), weights="n")
    recipe = Recipe((step, Data(table.fingerprint, "tall", table.features, tuple(kinds.items())), Grow()))
    again = Recipe.from_json(recipe.to_json())
    found = again.read(HEIGHTS.encode())
    assert found.fingerprint == table.fingerprint
    assert found.column("size").kind == "ordinal"
    assert tc.fit(found, again).tree.to_dict() == tc.grow(table).to_dict()
    with pytest.raises(tc.TreecoreError, match=r"heights\.csv"):
        again.read()


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: Read("x.csv", False, (("delimeter", ";"),)), "delimiter"),
        (lambda: Read("x.csv", False, (("decimal", ";"),)), "decimal"),
        (lambda: Read("no sample", True), "iris"),
        (lambda: Read(infinite="maybe"), "error or missing"),
        (lambda: Read(refine="maybe"), "true, false or null"),
        (lambda: Data(kinds=(("size", ("ordinal", "SML")),)), "no kind"),
        (lambda: Data(kinds=(("size", ("ordinal", ("S", "S"))),)), "S"),
    ],
)
def test_steps_that_cannot_be_read_say_why(made, words):
    with pytest.raises(tc.TreecoreError, match=words):
        made()


def test_a_flag_rule_is_the_last_word_of_a_recipe():
    recipe = Recipe((Grow("id3"), FlagRule(0.2, "q"), FlagRule(0.4, "p")))
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert recipe.text().endswith("flag rows where “p” has a rate of at least 40.0\u00a0%")
    fit = tc.fit(tc.read_table(FILE, target="y"), recipe)
    assert fit.flag == FlagRule(0.4, "p")
    with pytest.raises(tc.TreecoreError, match="'r' is no class"):
        tc.fit(tc.read_table(FILE, target="y"), Recipe((Grow("id3"), FlagRule(0.2, "r"))))


ODD = [10**400, -(10**400), "\ud800", "a\0b", [], [[1]], {"a": 10**400}, {"\ud800": "\0"}, ["\ud800"], True, -1,
       {"delimiter": "\0"}, {"delimiter": "\ud800"}, {"quote": "\0"}, {"comment": "\0"}, {"encoding": "\0"},
       {"skip_lines": 10**400}, {"without_lines": [10**400]}, {"max_depth": 10**400}, {"seed": 10**400}]  # fmt: skip
FILE = b"x,z,y\n" + b"".join(
    b"%d,%s,%s\n" % (i, b"uvw"[i % 3 : i % 3 + 1], b"pq"[i % 2 : i % 2 + 1]) for i in range(40)
)


@pytest.mark.parametrize("kind", STEPS.values(), ids=STEPS)
def test_odd_values_are_refused_in_words_or_do_no_harm(kind):
    """Numbers beyond all floats, half a character and NUL, wherever a recipe has a value."""
    for field, odd in itertools.product(fields(kind), ODD):
        given = {f.name: "x" for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING}
        steps = [{"step": "read", "file": "a.csv"}, {"step": "data", "target": "y"}, {"step": "grow"}]
        steps = [s for s in steps if s["step"] != kind.step] + [{"step": kind.step} | given | {field.name: odd}]
        with contextlib.suppress(tc.TreecoreError):
            recipe = Recipe.from_json(json.dumps({"schema_version": 2, "steps": steps}))
            recipe.to_json().encode("utf-8")
            tc.fit(recipe.read(FILE), recipe)


def sealed(*steps) -> Recipe:
    return Recipe((Split(0.5, 0.25, 0.25), Seal(), *steps, Grow("cart", (("max_depth", 2),))))


def test_sealed_test_rows_are_not_in_the_fit_and_open_once():
    table, recipe = read_sample("iris"), sealed()
    assert recipe.is_sealed
    fit = tc.fit(table, recipe)
    assert fit.test is None
    assert "test" not in str(fit).split("rows:")[1].split("\n")[0]
    opened = recipe.opened("2026-01-31")
    assert tc.fit(table, opened).test.n_rows == 38
    assert Recipe.from_json(opened.to_json()) == opened
    with pytest.raises(tc.TreecoreError, match="were opened on 2026-01-31"):
        opened.opened()
    with pytest.raises(tc.TreecoreError, match="not sealed"):
        Recipe().opened()


def test_a_report_tells_of_the_seal_and_whether_the_tree_was_changed_since():
    table, opened = read_sample("iris"), sealed().opened("2026-01-31")
    assert "<td>test</td>" not in to_report(tc.fit(table, sealed()))
    assert "The tree is the one that they were opened for" in to_report(tc.fit(table, opened))
    assert "<td>test</td>" in to_report(tc.fit(table, opened))
    changed = to_report(tc.fit(table, opened.then(Grow("cart", (("max_depth", 3),)))))
    assert "sealed until 2026-01-31. The tree was changed after that" in changed


@pytest.mark.parametrize("day", ["31.1.2026", "2026-02-30", "20260131", "soon"])
def test_a_seal_is_opened_on_a_day(day):
    with pytest.raises(tc.TreecoreError, match="is no day"):
        Seal(day)
