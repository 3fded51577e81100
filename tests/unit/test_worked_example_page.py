"""Worked examples in the HTML page: their steps as the lecture notes have them, each with its own tree."""

import json
import re

import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.export.worked_example import ExampleStep, WorkedExample
from treecore.teach.guide import figure_rows
from treecore.teach.index import GUIDES, splits_made, worked_example


def example_of(page: str) -> dict | None:
    return json.loads(re.search(r"^const EXAMPLE = (.*);$", page, re.MULTILINE)[1])


@pytest.mark.parametrize("name", ["play_tennis", "play_tennis_day15", "miles", "salary", "trap_noisy_class"])
def test_a_page_holds_the_steps_of_the_notes(name):
    guide, example = GUIDES[name], worked_example(name)
    page = tc.export(example.steps[0].tree, "html", name=guide.sample, example=example)
    made = example_of(page)
    assert len(page.encode()) < 700_000
    assert made["label"] == guide.label
    assert len(made["trees"]) <= len(guide.steps)
    for place, (step, shown) in enumerate(zip(guide.steps, made["steps"], strict=True)):
        rows = figure_rows(guide, place)
        assert (shown["title"], shown["text"]) == (step.title, step.text)
        assert shown["figures"] == [list(row[:3]) for row in rows]
        assert shown["remarks"] == [row[3] for row in rows if row[3]]
        said = made["trees"][shown["tree"]]["said"]
        opened = guide.opened(place)
        assert len(said) == opened.answering.n_nodes
        assert said[shown["node"]]["rows"] == f"{opened.tree.n_rows[opened.node]:,}"
        if opened.tree.n_nodes == opened.answering.n_nodes:
            assert shown["made"] == splits_made(guide, place)


def test_a_tree_that_is_cut_by_hand_is_shown_cut():
    step = worked_example("play_tennis_day15").steps[-1]
    opened = GUIDES["play_tennis_day15"].opened(2)
    assert step.tree.n_nodes < opened.tree.n_nodes
    assert step.tree.node(step.node).rule == opened.tree.node(opened.node).rule
    assert step.made == step.tree.n_nodes - step.tree.n_leaves - sum(
        step.tree.node(t).rule not in {opened.tree.node(n).rule for n in range(opened.tree.n_nodes)}
        for t in range(step.tree.n_nodes)
    )


def test_a_page_without_an_example_has_none_and_a_tree_of_several_steps_is_there_once():
    tree = tc.grow(read_sample("iris"), max_depth=2)
    assert example_of(tc.export(tree, "html")) is None
    steps = tuple(ExampleStep(f"</script>{k}", "\u202e<b>", tree, k, made=k) for k in range(3))
    page = tc.export(tree, "html", example=WorkedExample("Mine", steps))
    made = example_of(page)
    assert len(made["trees"]) == 1
    assert [step["made"] for step in made["steps"]] == [0, 1, 2]
    assert made["steps"][0]["text"] == "[U+202E]<b>"
    assert page.count("</script>") == 2, "of the data, and of the script"
    assert ExampleStep("all", "", tree).made == 2


def test_what_is_no_step_or_no_example_is_said():
    tree = tc.grow(read_sample("iris"), max_depth=2)
    for wrong in ({"made": 9}, {"node": 99}, {"node": -1}):
        with pytest.raises(tc.TreecoreError, match="The tree has no"):
            ExampleStep("one", "", tree, **wrong)
    for wrong in ("play_tennis", WorkedExample("empty", ()), tree):
        with pytest.raises(tc.TreecoreError, match="no worked example"):
            tc.export(tree, "html", example=wrong)
