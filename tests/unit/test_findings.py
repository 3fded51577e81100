"""What experiments have found: told and drawn, kept as JSON, and where it is damaged refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.export.experiment_result import MOST, ExperimentResult, added, findings
from treecore.plots.charts import charts_of
from treecore.recipe import Grow, Recipe, Split
from treecore.study import (
    MEASURES,
    WORLDS,
    RowSensitivity,
    answers_of,
    by_node,
    describe_class_answers,
    describe_number_answers,
    in_table,
    in_world,
    plain_lines,
    residuals,
    row_sensitivity,
)
from treecore.study.questions import QUESTIONS
from treecore.study.questions.bias_variance import bias_name
from treecore.study.questions.question import Setup
from treecore.study.recipe_trials import across

FOUND = ExperimentResult(
    "stability", "Stability", "CART", (("trees", "10"), ("seed", "0")), ("{}",), "a.csv", "ab", "2026-01-31 17:05",
    ("A sentence.", (("a", "b"), (("1", "2"),))),
)  # fmt: skip
CART = Recipe((Grow("cart", (("max_depth", 3),)),))
STUMP = Recipe((Grow("cart", (("max_depth", 0),)),))


def test_it_comes_back_from_json():
    assert findings([json.loads(FOUND.json)]) == (FOUND,)
    assert len(findings([json.loads(FOUND.json)] * (MOST + 5))) == MOST
    assert findings([]) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"title": 3}, {"lines": [["a"]]}, {"lines": [[["a", "a"], []]]}, {"lines": [[["a"], [["1", "2"]]]]},
        {"lines": 7}, {"settings": ["x"]}, {"charts": [{}]}, {"steps": [1]}, {"recipe": "x" * 30_000},
    ],
)  # fmt: skip
def test_a_damaged_one_is_refused(change):
    with pytest.raises(TreecoreError, match="damaged"):
        findings([json.loads(FOUND.json) | change])
    for whole in (7, "x", [None], [[]], {"a": 1}):
        with pytest.raises(TreecoreError, match="damaged"):
            findings(whole)


def test_a_newer_one_takes_the_place_of_one_for_the_same():
    newer, other = replace(FOUND, when="later"), replace(FOUND, settings=(("seed", "1"),))
    assert added((FOUND, other), (newer,)) == (other, newer)
    assert len(added((), [replace(FOUND, kind=str(i)) for i in range(MOST + 9)])) == MOST


def test_it_says_what_it_is_of():
    assert FOUND.made_of == "Recipe: CART. Rows of a.csv. Trees 10, seed 0."
    assert FOUND.is_of(("{}",), "ab")
    assert not FOUND.is_of(("{}",), "cd")


@pytest.fixture(scope="module")
def table():
    return read_sample("titanic").take(np.arange(0, 891, 3))


def asked(table, recipe=CART, **chosen) -> Setup:
    """All rows train; the settings have `_` for blanks in their names."""
    every = Recipe((Split(1.0, 0.0, 0.0), *recipe.steps))
    return Setup(table, every, {name.replace("_", " "): value for name, value in chosen.items()}, chosen.pop("by", ""))


def charts(name: str, answer, setup: Setup) -> list:
    return charts_of(QUESTIONS[name].pictures(answer, setup))


def test_the_least_error_is_in_the_caption(table):
    setup = asked(table, bias_trees=3)
    many = QUESTIONS["bias"].answer(setup)
    least = min(part.error for part in many.parts(many.definitions[0]))
    assert f"Least: {100 * least:.1f}" in charts("bias", many, setup)[1].caption


def test_numbers_have_their_residuals_drawn():
    setup = asked(read_sample("curve"))
    drawn = charts("answers", QUESTIONS["answers"].answer(setup), setup)
    assert [len(chart.marks) > 0 for chart in drawn] == [True, True]


def test_ranks_need_three_recipes_on_two_tables(table):
    measure, setup = MEASURES["accuracy"], asked(table)
    recipes = {name: Recipe((Grow("cart", (("max_depth", n),)),)) for n, name in enumerate("ABC", 1)}
    assert charts("samples", across({"one": table}, recipes, measure, 3), setup) == []
    two = across({"one": table, "two": read_sample("iris")}, recipes, measure, 3)
    assert len(charts("samples", two, setup)) == 1


def test_a_bias_is_called_by_what_is_in_it():
    table = read_sample("curve")
    assert bias_name(in_table(table, CART, 2)) == "bias² and noise"
    world = next(world for world in WORLDS.values() if world.task == "regression")
    assert bias_name(in_world(world, CART, 40, 2)) == "bias²"


def test_a_drawn_tree_shows_which_splits_stay(table):
    tree = tc.grow(table, CART)
    stays = ~tree.is_leaf
    stays[0] = False
    [drawn] = charts("moved", RowSensitivity(tree, tree, table, stays, 0.0), asked(table))
    n = {mark.name: len(mark.x) for mark in drawn.marks if mark.kind == "points"}
    splits = int((~tree.is_leaf).sum())
    assert n == {"split that stays": splits - 1, "split that goes": 1, "leaf": tree.n_leaves}
    [edges] = [mark for mark in drawn.marks if mark.kind == "line"]
    assert edges.x.count(None) == tree.n_nodes - 1
    first = tree.node(tree.children(0)[0]).condition
    assert first in [mark.name for mark in drawn.marks if mark.kind == "word"]
    lone = row_sensitivity(tc.grow(table, CART, max_depth=0), STUMP, 0, {"age": 3.0}, table)
    assert charts("moved", lone, asked(table)) == []


def test_what_answers_say_in_lines(table):
    tree = tc.grow(table, CART)
    found = {"train": answers_of(tree, table), "test": answers_of(tree, table.take(np.arange(50)))}
    heads, rows = plain_lines(describe_class_answers(found, "test", tree.classes[1], 1.0))[0]
    assert heads == ("measure", "train", "test")
    assert [row[0] for row in rows] == [m.label for m in MEASURES.values() if m.task == "classification"]
    texts = [
        line
        for line in plain_lines(describe_class_answers(found, "test", tree.classes[1], 1.0))
        if isinstance(line, str)
    ]
    assert texts[:2] == [
        "By class, test rows:",
        f"Called {tree.classes[1]} from a share of 100.0\u00a0% on, test rows:",
    ]
    assert len(describe_class_answers(found, "test", tree.classes[1], None)) == 3, "no threshold for three classes"


def test_leaves_of_most_rows_come_first():
    table = read_sample("mpg").without_missing_target()
    tree = tc.grow(table, CART)
    off = residuals(tree, table)
    _, _, (_, rows) = plain_lines(describe_number_answers({"train": answers_of(tree, table)}, off, "train"))
    n = [int(row[2]) for row in rows]
    assert n == sorted(n, reverse=True)
    assert sum(n) == table.n_rows
    largest = by_node(off, 3)
    assert {leaf.n_rows for leaf in largest} == set(sorted((leaf.n_rows for leaf in by_node(off)), reverse=True)[:3])
    assert [leaf.said for leaf in largest] == sorted(leaf.said for leaf in largest)
