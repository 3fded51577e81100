"""The first tree of a table: better than the root where there is something to be found, the root where there is not."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.cross_validation import cross_validated, make_folds
from treecore.data.samples import read_sample
from treecore.first_recipe import (
    FOLDED,
    READABLE,
    TESTED,
    first_growth,
    first_pruning,
    first_prunings,
    first_recipe,
    first_way,
    growth_choices,
)  # fmt: skip
from treecore.judging.answers import answers_of
from treecore.judging.measures import MEASURES
from treecore.recipe import Grow, Prune
from treecore.target import ClassTarget, NumberTarget

CLASSES, NUMBERS = ClassTarget(("no", "yes")), NumberTarget()


def customers(seed: int, effect: float, n: int = 2500) -> tc.Table:
    """One in fourteen leaves; how much more often who calls often depends on `effect`."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"months": draw.integers(1, 70, n), "calls": draw.poisson(1.5, n), "age": draw.normal(50, 9, n)}
    )
    risk = 1 / (1 + np.exp(2.9 + effect * (0.04 * (frame.months - 35) - 0.6 * (frame.calls - 1.5))))
    frame["churn"] = np.where(draw.random(n) < risk, "yes", "no")
    return tc.read_table(frame, target="churn")


def grown(train):
    growth, pruning = first_recipe(train)
    tree = tc.grow(train, growth.preset, **dict(growth.settings))
    return tree, tree.cut(tc.prune(tree, pruning.method, train=train, **dict(pruning.parameters)))


@pytest.mark.parametrize("seed", range(3))
def test_a_rare_class_is_told_apart_on_rows_to_come(seed):
    train, _, test = customers(seed, 1.0).split(tc.Roles(0.6, 0.0, 0.4, seed=seed))
    tree, small = grown(train)
    root = tree.pruned_at(np.arange(tree.n_nodes) == 0)
    ours, alone = (answers_of(t, test) for t in (small, root))
    assert 1 < small.n_leaves <= READABLE
    assert MEASURES["log_loss"](ours) < MEASURES["log_loss"](alone)
    assert MEASURES["auc"](ours) > 0.6


@pytest.mark.parametrize("seed", range(4))
def test_chance_leaves_the_root(seed):
    _, small = grown(customers(seed, 0.0))
    assert small.n_leaves == 1


def test_the_way_is_the_one_whose_best_size_loses_least():
    """CART by Gini for some tables, by entropy or a conditional inference tree for others; one way for large tables."""
    chosen = set()
    for name in ("titanic", "iris", "penguins", "willwait", "trap_rare_class", "mpg"):
        train = read_sample(name)
        ways = growth_choices(train.n_rows, train.target_kind, train.n_rows * len(train.features), False)
        losses = []
        for way in ways:
            tree = tc.grow(train, way.growth.preset, **dict(way.growth.settings))
            given = dict(way.prunings[0].parameters)
            steps = tc.sequence(tree, given["risk"]) if train.classes else tc.sequence(tree)
            by = {"measure": "log_loss"} if train.classes else {}
            losses.append(cross_validated(tree, train, steps, make_folds(train, 10), **by).mean.min())
        growth, pruning = first_recipe(train)
        best = ways[int(np.argmin(losses))]
        assert growth == best.growth, name
        assert pruning in (*best.prunings, Prune())
        chosen.add(ways.index(best))
    assert len(chosen) > 1
    assert len(growth_choices(100, NUMBERS, 1000, True)) == 2
    assert [len(growth_choices(n, CLASSES, 5000, True)) for n in (TESTED - 1, TESTED)] == [2, 3]
    assert len(growth_choices(10**6, CLASSES, FOLDED + 1, True)) == 1


def test_equal_and_unknown_losses_leave_the_first_way():
    first, second, _ = growth_choices(1000, CLASSES, 5000, True)

    def refused(growth, pruning):
        raise tc.TreecoreError("no folds")

    assert first_way((first, second), lambda growth, pruning: 0.3) == first
    assert first_way((first, second), refused) == first
    assert first_way((first, second), lambda growth, pruning: np.nan if growth == first.growth else 0.3) == second


def test_the_rule_of_one_standard_error_is_for_trees_too_large_to_be_read():
    least, one = first_prunings(CLASSES, 1000, True)
    sizes = {least: READABLE, one: 4}
    assert first_pruning((least, one), sizes.get, 1000) == least
    assert first_pruning((least, one), (sizes | {least: READABLE + 1}).get, 1000) == one
    assert first_pruning((least, one), {least: READABLE + 1, one: 1}.get, 1000) == least
    assert dict(one.parameters) == dict(least.parameters) | {"standard_errors": 1.0}


def test_a_small_table_gets_no_leaves_of_a_row_or_two():
    least, one = first_prunings(CLASSES, 100, False)
    assert first_pruning((least, one), {least: 8, one: 3}.get, 40) == least
    assert first_pruning((least, one), {least: 9, one: 3}.get, 40) == one
    rng = np.random.default_rng(8)
    hours, job = rng.normal(12, 5, 46).clip(0).round(1), rng.choice(["yes", "no"], 46)
    grade = (5 - 0.2 * hours + rng.normal(0, 0.4, 46)).round(1)
    _, small = grown(tc.read_table(pd.DataFrame({"hours": hours, "job": job, "grade": grade}), target="grade"))
    assert 1 < small.n_leaves <= 46 / 5


def test_large_tables_are_judged_by_rows_held_back():
    least, _ = first_prunings(NUMBERS, FOLDED + 1, True)
    assert "choose" not in dict(least.parameters)
    assert first_prunings(CLASSES, FOLDED + 1, False) == (Prune(), Prune())
    assert dict(first_growth(30_000).settings) == {"min_rows_leaf": 50}
    assert first_growth(90).settings == ()


def test_rows_too_few_for_folds_leave_the_tree_as_it_is_grown():
    few = read_sample("willwait").take(np.arange(9))
    assert first_recipe(few) == (Grow("cart"), Prune())
