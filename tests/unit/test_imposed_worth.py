"""The gain and the score of a split taken by hand are those that the search, and the page, say of the same split."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import treecore as tc
from treecore.data import level_column, numeric_column
from treecore.explaining.branch_statistics import branch_statistics
from treecore.fit import grow_with, take_of
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.growing.settings.parts import MISSING_STRATEGIES, SPLIT_SCORES

SPECIAL = [
    {"cost_form": "square"}, {"cost_form": "power"}, {"selector": "reptree", "missing": "fractional"},
    {"priors": (0.5, 0.3, 0.2)}, {"selector": "average_gain", "score": "gain_ratio"},
]  # fmt: skip


def table(task: str, weighted: bool = False, n: int = 60) -> tc.Table:
    rng = np.random.default_rng(5)
    a, b, c = rng.normal(size=n), rng.integers(0, 5, n).astype(float), rng.integers(0, 3, n)
    x = a + 0.5 * b + (c == 1) + rng.normal(scale=0.5, size=n)
    a[rng.random(n) < 0.15], b[rng.random(n) < 0.1] = np.nan, np.nan
    if task == "regression":
        y = numeric_column("y", np.round(100 * np.exp(x), 1))
    else:
        y = level_column("y", "nominal", np.digitize(x, [0, 1.5]), ("p", "q", "r"))
    columns = numeric_column("a", a), numeric_column("b", b), level_column("c", "nominal", c, ("u", "v", "w")), y
    weights = rng.integers(0, 4, n) / 2 if weighted else None
    return tc.Table(columns, target="y", features=("a", "b", "c"), weights=weights)


def all_settings():
    of_classes = [name for name, score in SPLIT_SCORES.items() if "classification" in score.tasks]
    for name, missing in product(of_classes, MISSING_STRATEGIES):
        yield "classification", {"score": name, "missing": missing}
    for criterion, missing in product(("squared_error", "absolute_error"), MISSING_STRATEGIES):
        yield "regression", {"criterion": criterion, "missing": missing}
    yield from (("classification", settings) for settings in SPECIAL)
    for criterion in ("squared_error", "absolute_error"):
        yield "regression", {"criterion": criterion, "selector": "reptree", "missing": "fractional"}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("task", "settings"), list(all_settings()), ids=str)
def test_the_split_of_the_tree_taken_by_hand_is_worth_what_it_was(task, settings, weighted):
    train = table(task, weighted)
    growth = tc.GrowSettings(max_depth=3, min_rows_leaf=3, costs=(("a", 1.5), ("b", 2.0)), **settings)
    tree = grow_tree(train, growth)
    taken = 0
    for node in np.flatnonzero(~tree.is_leaf)[:4]:
        found = tc.candidates(tree, int(node), train)
        own = [c for c in found.ranked if c.chosen]
        if not own or (own[0].threshold is not None and not np.isfinite(own[0].threshold)):
            continue
        again = grow_with(train, growth, (take_of(tree, int(node), own[0]),))
        assert again.gain[node] == pytest.approx(tree.gain[node], rel=1e-9, abs=1e-12)
        assert again.score[node] == pytest.approx(tree.score[node], rel=1e-9, abs=1e-12)
        taken += 1
    assert taken


def test_a_branch_per_level_by_reptrees_rules_is_worth_what_all_rows_make_of_it():
    """Its score counts rows without a value, shared among the branches: their targets around the same mean as the
    others."""
    level, far = np.array(["u", "v", "v", "w", "w", "w", None] * 10), np.repeat([0.0, 50.0], 35)
    y = far + [10.0 * "uvw".index(v) if v else 13.0 + i % 3 for i, v in enumerate(level)]
    columns = numeric_column("x", far), level_column("c", "nominal", level, ("u", "v", "w")), numeric_column("y", y)
    train = tc.Table(columns, target="y", features=("x", "c"))
    tree = tc.grow(train, "reptree", max_depth=2)
    (own,) = tc.candidates(tree, 1, train).of("c")
    again = grow_with(train, tc.GrowSettings.from_dict(dict(tree.growth)), (take_of(tree, 1, own),))
    assert again.score[1] == pytest.approx(own.score, rel=1e-9)


@pytest.mark.parametrize("missing", MISSING_STRATEGIES)
@pytest.mark.parametrize(("task", "criterion"), [("classification", ""), ("regression", "absolute_error")])
def test_a_split_that_does_not_say_where_missing_values_go_is_opened_to_its_own_gain(task, criterion, missing):
    """Where missing is a value of its own, its rows count in the gain of the branch that they are given to."""
    train = table(task, weighted=True)
    tree = grow_tree(
        train, tc.GrowSettings(criterion=criterion, missing=missing, max_depth=1), imposed=(ForcedSplit((), "a", 0.2),)
    )
    assert tree.gain[0] == pytest.approx(branch_statistics(tree, 0, train).gain(), rel=1e-9)


def test_the_gain_by_absolute_error_is_in_units_of_the_target():
    """Around 6.5 the six are off by 5.5 4.5 3.5 3.5 13.5 23.5, 1 2 3 around 2 by 2, 10 20 30 around 20 by 20."""
    y = numeric_column("y", np.array([1.0, 2, 3, 10, 20, 30]))
    train = tc.Table((numeric_column("x", np.arange(6.0)), y), target="y", features=("x",))
    tree = grow_tree(
        train, tc.GrowSettings(criterion="absolute_error", max_depth=1), imposed=(ForcedSplit((), "x", 2.5),)
    )
    assert tree.gain[0] == pytest.approx((54 - 2 - 20) / 6)
    assert tree.score[0] == tree.gain[0]
    heavy = replace(train, weights=np.array([1.0, 1, 1, 1, 1, 6]))
    tree = grow_tree(
        heavy, tc.GrowSettings(criterion="absolute_error", max_depth=1), imposed=(ForcedSplit((), "x", 2.5),)
    )
    # the median is 30: 29 28 27 20 10 before, 2 and 20 10 after
    assert tree.gain[0] == pytest.approx((114 - 2 - 30) / 11)
