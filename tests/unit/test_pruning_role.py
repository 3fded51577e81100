"""Rows for pruning alone: who gets them, and that pruning judges by them and by nothing else."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.export.report import to_report
from treecore.recipe import Grow, Prune, Recipe, Split
from treecore.study.curves import size_curve
from treecore.study.nested_selection import roles_of

SPLIT = Split(train=0.5, validation=0.2, test=0.1, pruning=0.2)


def rows_of(table) -> set[int]:
    return set(table.row_numbers.tolist())


def test_the_roles_part_the_rows_and_those_of_others_stay_without_it():
    table = read_sample("titanic")
    four = table.split(SPLIT.roles())
    assert [round(part.n_rows / table.n_rows, 2) for part in four] == [0.5, 0.2, 0.1, 0.2]
    assert set.union(*map(rows_of, four)) == rows_of(table)
    assert sum(part.n_rows for part in four) == table.n_rows
    three = table.split(Split(train=0.7, validation=0.2, test=0.1).roles())
    assert len(three) == 3
    assert [rows_of(a) for a in three[1:]] == [rows_of(a) for a in four[1:3]], "taken from the training rows"


def test_a_column_or_an_order_may_name_them():
    frame = pd.DataFrame(
        {"x": np.arange(8.0), "y": list("ab") * 4, "role": ["train"] * 4 + ["Pruning", "dev"] + ["test"] * 2}
    )
    table = tc.read_table(frame, target="y", features=["x", "role"])
    assert [part.n_rows for part in table.split(tc.Roles(column="role"))] == [4, 1, 2, 1]
    in_order = table.split(tc.Roles(0.25, 0.25, 0.25, order="x", pruning=0.25))
    assert [part.column("x").values().tolist() for part in in_order] == [[0, 1], [4, 5], [6, 7], [2, 3]]


def test_pruning_judges_by_its_own_rows():
    table = read_sample("titanic")
    found = tc.fit(table, Recipe((SPLIT, Grow("cart"), Prune("reduced_error"))))
    assert found.cuts.judged_by == "pruning rows"
    by_hand = tc.prune(found.grown, "reduced_error", validation=found.pruning)
    assert found.cuts.verdict.tolist() == by_hand.verdict.tolist()
    by_validation = tc.prune(found.grown, "reduced_error", validation=found.validation)
    assert found.cuts.verdict.tolist() != by_validation.verdict.tolist(), "else this test tells nothing"
    for method in ("j48_reduced_error", "reptree", "cost_complexity"):
        assert "pruning rows" in tc.prune(found.grown, method, pruning=found.pruning).judged_by
    assert "pruning (purple)" in to_report(found)
    for method in ("reduced_error", "validation_peak"):
        reasons = tc.prune(found.grown, method, pruning=found.pruning).reasons.values()
        assert all("pruning " in reason.text and "validation" not in reason.text for reason in reasons)


def test_the_best_size_is_that_on_its_own_rows():
    found = tc.fit(read_sample("titanic"), Recipe((replace(SPLIT, seed=5), Grow("cart"))))
    steps, parts = tc.sequence(found.grown), {"validation": found.validation, "pruning": found.pruning}
    four, three = size_curve(steps, parts), size_curve(steps, {"validation": found.validation})
    assert (four.judge, three.judge) == ("pruning", "validation")
    assert four.best() == four.best("pruning") != four.best("validation") == three.best()


def test_within_a_fold_the_share_of_those_that_judge_is_kept():
    table = read_sample("titanic")
    train, judging = roles_of(table, Recipe((SPLIT, Grow("cart"), Prune("reduced_error"))))
    assert judging.n_rows / table.n_rows == pytest.approx(0.2 / 0.7, abs=0.01)
    assert train.n_rows + judging.n_rows == table.n_rows


def test_the_recipe_says_it_and_shares_must_sum_to_one():
    assert SPLIT.text() == "split 50/20/10 % and 20 % for pruning, stratified, seed 0"
    recipe = Recipe((SPLIT,))
    assert Recipe.from_json(recipe.to_json()) == recipe
    with pytest.raises(TreecoreError, match=r"pruning = 1\.1, not 1"):
        Split(pruning=0.1)
