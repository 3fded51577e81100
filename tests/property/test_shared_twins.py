"""The kernels for rows that are shared among branches against the general ones: the same tree, bit for bit."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_fast_twins import CRITERIA, WITHOUT_SCAN, differing, growths, near_tables, tables, trainable
from treecore.data import level_column, numeric_column
from treecore.engine import compiling
from treecore.growing import engine_choice, grower
from treecore.growing.settings.engine_plan import plan_for
from treecore.growing.settings.problem import problem_of
from treecore.growing.shared_growth import grow_shared_rows

WAYS = [
    {}, {"score": "gain_ratio"}, {"score": "gain_ratio", "selector": "average_gain"}, {"selector": "reptree"},
    {"score": "mdl_gain_ratio", "selector": "j48", "criterion": "entropy", "threshold": "j48"},
]  # fmt: skip
"""Ways to choose among features and cuts: CART's, those of C4.5, REPTree and J48."""


def grown_by_both(table, growth):
    with pytest.MonkeyPatch.context() as patch, compiling.forced():
        ours = grower.grow_tree(table, growth)
        plan = lambda *asked: plan_for(*asked)._replace(shared=False, fast_parts=())  # noqa: E731
        patch.setattr(engine_choice, "plan_for", plan)
        return ours, grower.grow_tree(table, growth)


def asked_of(data, table, way):
    growth = data.draw(growths(len(table.classes), [*CRITERIA, WITHOUT_SCAN]))
    usual = {"missing": "fractional", "max_features": "all", "max_leaves": None, "branch_order": "value"}
    assume(table.classes or ("criterion" not in way and way.get("score") != "gain_ratio"))
    return replace(growth, **usual, tolerance=1e-10, **way)


@pytest.mark.parametrize("way", WAYS)
@given(st.data())
@settings(max_examples=60)
def test_rows_are_shared_alike(way, data):
    """With so many gaps that there is no room for all parts of rows the general kernels go on."""
    made = tables(gaps=(0.0, 0.05, 0.3, 0.8)).filter(lambda table: len(table.classes) <= 16 and trainable(table))
    table = data.draw(made)
    growth = asked_of(data, table, way)
    plan = plan_for(table, growth)
    assert plan.shared or plan.fast_parts
    assert differing(*grown_by_both(table, growth)) == {}


@pytest.mark.parametrize("way", WAYS)
@given(st.data())
@settings(max_examples=40)
def test_near_values_are_parted_alike(way, data):
    table = data.draw(near_tables().filter(trainable))
    growth = asked_of(data, table, way)
    assert differing(*grown_by_both(table, growth)) == {}


def table_with_gaps(share, n=400):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(5, n))
    y = (x[0] + x[1] * x[2] + rng.normal(size=n) > 0).astype(int)
    x[rng.random(x.shape) < share] = np.nan
    columns = [numeric_column(f"x{j}", column) for j, column in enumerate(x)]
    return tc.Table(
        (*columns, level_column("y", "nominal", y, ("n", "y"))), target="y", features=tuple(f"x{j}" for j in range(5))
    )


@pytest.mark.parametrize(("share", "fits"), [(0.0, True), (0.05, True), (0.25, True), (0.95, False)])
def test_few_gaps_leave_room_for_all_parts_of_rows(share, fits):
    table, growth = table_with_gaps(share), tc.PRESETS["c4.5"].growth
    if share == 0.0:
        growth = tc.PRESETS["j48"].growth
    assert plan_for(table, growth).shared
    grown = grow_shared_rows(problem_of(table, growth), None)
    assert (grown is not None) == fits


def test_progress_is_told_and_can_end_the_fit(monkeypatch):
    monkeypatch.setattr("treecore.growing.shared_growth.BUDGET", 500)
    seen = []

    def stop(progress):
        seen.append(progress)
        if len(seen) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grow_shared_rows(problem_of(table_with_gaps(0.05), tc.PRESETS["c4.5"].growth), stop)
    assert seen[0].n_nodes < seen[-1].n_nodes


ODD = (
    {"max_leaves": 5}, {"max_features": "sqrt"}, {"patience": 3}, {"missing": "majority"}, {"cuts": "boundaries"},
    {"branch_order": "mean"}, {"tolerance": 0.05}, {"size_penalty": 1.0}, {"test": "chi_square"},
)  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_what_is_not_known_is_left_to_the_general_kernels(odd):
    assert plan_for(table_with_gaps(0.05), tc.PRESETS["c4.5"].growth).shared
    assert not plan_for(table_with_gaps(0.05), replace(tc.PRESETS["c4.5"].growth, **odd)).shared
