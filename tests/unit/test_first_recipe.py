"""The first tree of a table: better than the root where there is something to be found, the root where there is not."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.first_recipe import FOLDED, READABLE, first_growth, first_pruning, first_prunings, first_recipe
from treecore.judging.answers import answers_of
from treecore.judging.measures import MEASURES
from treecore.recipe import Grow, Prune


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


def test_the_rule_of_one_standard_error_is_for_trees_too_large_to_be_read():
    least, one = first_prunings(True, 1000, True)
    sizes = {least: READABLE, one: 4}
    assert first_pruning((least, one), sizes.get) == least
    assert first_pruning((least, one), (sizes | {least: READABLE + 1}).get) == one
    assert first_pruning((least, one), {least: READABLE + 1, one: 1}.get) == least
    assert dict(one.parameters) == dict(least.parameters) | {"standard_errors": 1.0}


def test_large_tables_are_judged_by_rows_held_back():
    least, _ = first_prunings(False, FOLDED + 1, True)
    assert "choose" not in dict(least.parameters)
    assert first_prunings(True, FOLDED + 1, False) == (Prune(), Prune())
    assert dict(first_growth(30_000).settings) == {"min_rows_leaf": 50}
    assert first_growth(90).settings == ()


def test_rows_too_few_for_folds_leave_the_tree_as_it_is_grown():
    few = read_sample("willwait").take(np.arange(9))
    assert first_recipe(few) == (Grow("cart"), Prune())
