"""Recipes on many tables: as on each of them alone; what cannot be tried is named; ranks are drawn."""

import numpy as np

from treecore.data.samples import read_sample
from treecore.plots.score_comparison import critical_difference
from treecore.recipe import Grow, Recipe
from treecore.study import MEASURES, across, friedman, repeated_folds, trials
from treecore.study.questions.paired_comparison import describe_ranks

RECIPES = {
    "stump": Recipe((Grow("cart", (("max_depth", 1),)),)),
    "three": Recipe((Grow("cart", (("max_depth", 3),)),)),
    "root": Recipe((Grow("cart", (("max_depth", 0),)),)),
}


def test_every_table_is_tried_as_it_would_be_alone():
    tables = {name: read_sample(name) for name in ("iris", "crescents", "oblique")}
    found = across(tables, RECIPES, MEASURES["accuracy"], 5, seed=2)
    for i, (name, table) in enumerate(tables.items()):
        alone = trials(table, RECIPES, repeated_folds(table, 5, seed=2)).scores(MEASURES["accuracy"])
        assert found.scores[i].tolist() == alone.mean(axis=1).tolist(), name
    assert found.faults == {}
    ranks = friedman(found.scores)
    assert ranks.mean.argmin() == 1


def test_what_cannot_be_tried_is_left_out_and_says_why():
    tables = {"iris": read_sample("iris"), "crescents": read_sample("crescents")}
    found = across(tables, RECIPES, MEASURES["captured"], 4)
    assert found.tables == ("crescents",)
    assert "two classes" in str(found.faults["iris"])
    assert found.scores.shape == (1, 3)
    nothing = across({"iris": tables["iris"]}, RECIPES, MEASURES["captured"], 4)
    assert nothing.scores.shape == (0, 3)


def test_the_diagram_puts_each_at_its_rank_and_joins_what_cannot_be_told_apart():
    scores = np.array([[0.9, 0.8, 0.9, 0.8], [0.5, 0.6, 0.5, 0.6], [0.1, 0.2, 0.1, 0.2]]).T
    ranks = friedman(scores)
    drawn = critical_difference(ranks, ("A", "<b>B</b>", "C"))
    named = [t for t in drawn.data if t.mode == "markers+text"]
    assert [t.x[0] for t in named] == [1, 2, 3]
    assert not any("<b>" in t.text[0] for t in named)
    bars = [list(t.x) for t in drawn.data if t.mode == "lines" and t.line.width == 5]
    assert bars == [[1, 2], [2, 3]]
    assert drawn.data[0].x[-1] == min(1 + ranks.critical, 3)


def test_other_tables_have_no_caution_about_folds():
    told = describe_ranks(np.ones((3, 4)), ("A", "B", "C"), MEASURES["accuracy"], of="tables")
    assert not any("share training rows" in getattr(line, "text", "") for line in told)
    assert told[0].columns[-1] == "best of tables"
