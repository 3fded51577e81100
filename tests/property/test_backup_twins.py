"""Surrogates listed after the fast growers against those of the general grower: the same ones, to the last bit."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_fast_twins import SIZES, differing, grown_by_both, trainable
from tests.property.test_fast_twins import tables as tables_with_gaps
from treecore.data import level_column, numeric_column
from treecore.growing.fast import fast_tree
from treecore.growing.settings.engine_plan import is_fast
from treecore.growing.settings.problem import training_rows
from treecore.kernels.records.fast_surrogates import walk_aside

MISSING = ("surrogates", "surrogates_only", "rpart", "rpart_only", "rpart_stay")


@st.composite
def growths(draw, n_classes):
    """All that shapes surrogates, and limits that leave large and small nodes."""
    pick = lambda *values: draw(st.sampled_from(values))  # noqa: E731
    return tc.GrowSettings(
        criterion=pick("gini", "entropy") if n_classes else "squared_error",
        threshold=pick("midpoint", "data_value", "low_value"),
        missing=pick(*MISSING),
        max_surrogates=pick(0, 1, 2, 3, 5, 5, 100),
        surrogate_style=pick("all", "known"),
        branch_order=pick("value", "mean"),
        zero_gain=pick("stop", "split"),
        max_depth=pick(None, None, 1, 4),
        min_rows_split=pick(2, 2, 20),
        min_rows_leaf=pick(1, 1, 2, 7),
        max_leaves=pick(None, None, None, 4, 9),
        max_exhaustive=3,
    )


@st.composite
def tables(draw):
    """Features of which several follow the same hidden number: all its rows in order, in reverse, copied, in few
    values, with noise, or not at all, so that surrogates of all qualities compete and many agree equally well."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_classes = draw(st.integers(2, 300)), draw(st.sampled_from([0, 2, 3]))
    hidden = rng.permutation(n)
    kinds = draw(st.lists(st.sampled_from(list(FOLLOWING)), min_size=1, max_size=7))
    columns = [FOLLOWING[kind](f"x{j}", hidden, rng) for j, kind in enumerate(kinds)]
    y = hidden * 3 // n + (rng.random(n) < draw(st.sampled_from([0.0, 0.1, 0.5]))) * rng.integers(0, 3, n)
    names = tuple(f"c{k}" for k in range(n_classes))
    target = level_column("y", "nominal", y % n_classes, names) if n_classes else numeric_column("y", y / 3)
    return tc.Table((*columns, target), target="y", features=tuple(c.name for c in columns))


def _ordinal(name, hidden, rng):
    return level_column(name, "ordinal", hidden * 9 // len(hidden), tuple(f"l{v}" for v in range(9)))


def _nominal(name, hidden, rng):
    """Neighbouring rows in a level, some of them astray."""
    size = rng.integers(2, 20)
    levels = (rng.permutation(size)[hidden * size // len(hidden)] + (rng.random(len(hidden)) < 0.1)) % size
    return level_column(name, "nominal", levels, tuple(f"l{v}" for v in range(size)))


FOLLOWING = {
    "in order": lambda name, hidden, _: numeric_column(name, hidden / 4),
    "reversed": lambda name, hidden, _: numeric_column(name, -hidden.astype(float)),
    "few values": lambda name, hidden, rng: numeric_column(name, hidden * rng.integers(2, 6) // len(hidden) * 1.0),
    "with noise": lambda name, hidden, rng: numeric_column(name, hidden + rng.normal(size=len(hidden)) * 20),
    "whole": lambda name, hidden, rng: numeric_column(name, (hidden + rng.integers(0, 30, len(hidden))) // 9 * 1.0),
    "ordinal": _ordinal,
    "nominal": _nominal,
    "other": lambda name, hidden, rng: numeric_column(name, rng.integers(0, 50, len(hidden)) / 7),
    "constant": lambda name, hidden, _: numeric_column(name, np.full(len(hidden), 2.5)),
}  # fmt: skip


@given(st.data())
@settings(max_examples=50)
def test_both_growers_list_the_same_surrogates(data):
    table = data.draw(tables().filter(trainable))
    growth = data.draw(growths(len(table.classes)))
    assert is_fast(table, growth)
    ours, general = grown_by_both(table, growth, data.draw(st.sampled_from(list(SIZES))))
    assert differing(ours, general) == {}


@given(st.data())
@settings(max_examples=150)
def test_surrogates_send_rows_without_a_value_alike(data):
    """Features that follow one another, of which rows lack several values; or any features."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    if data.draw(st.booleans()):
        whole = data.draw(tables())
        columns = [_with_gaps(c, rng, data.draw(st.sampled_from([0.0, 0.05, 0.3, 0.8]))) for c in whole.feature_columns]
        columns = [c for c in columns if c.kind != "nominal"] or [numeric_column("x", rng.normal(size=whole.n_rows))]
        table = tc.Table((*columns, whole.target_column), target="y", features=tuple(c.name for c in columns))
    else:
        table = data.draw(tables_with_gaps(gaps=(0.0, 0.05, 0.3, 0.8)))
    growth = replace(data.draw(growths(len(table.classes))), surrogate_style="all")
    growth = replace(growth, missing=data.draw(st.sampled_from([*MISSING, "stay"])))
    table = training_rows(table, growth)
    assume(trainable(table) and table.n_rows > 1)  # one row is not split
    assert is_fast(table, growth)
    ours, general = grown_by_both(table, growth, data.draw(st.sampled_from(list(SIZES))))
    assert differing(ours, general) == {}


def _with_gaps(column, rng, share):
    gaps = rng.random(len(column.codes)) < share
    if column.kind == "numeric":
        return numeric_column(column.name, np.where(gaps, np.nan, column.values()))
    return level_column(column.name, column.kind, np.where(gaps, -1, column.codes), column.levels)


def _table(y, *features):
    columns = [numeric_column(f"x{j}", np.array(x, float)) for j, x in enumerate(features)]
    target = level_column("y", "nominal", y, ("n", "p"))
    return tc.Table((*columns, target), target="y", features=tuple(c.name for c in columns))


def test_the_first_of_equal_cuts_and_of_equal_features_wins():
    """x1 sends one row the other way at its cut below 3, in reverse at its cut below 5 as well; x2 is a copy of it."""
    x1 = [1, 2, 5, 6, 3, 4, 7, 8]
    table = _table([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8], x1, x1)
    tree = tc.grow(table, "cart", max_depth=1)
    assert tree.surrogates.feature.tolist() == [1, 2]
    assert tree.surrogates.threshold.tolist() == [2.5, 2.5]
    assert tree.surrogate_agree.tolist() == [6 / 8] * 2
    assert tree.surrogate_adjusted.tolist() == [0.5] * 2


@pytest.mark.parametrize("missing", MISSING)
def test_two_rows_must_go_either_way(missing):
    alone = _table([0, 1, 1, 1, 1], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5])
    assert len(tc.grow(alone, missing=missing).surrogates) == 0
    two = _table([0, 0, 1, 1, 1], [1, 2, 3, 4, 5], [5, 4, 3, 2, 1])
    tree = tc.grow(two, missing=missing)
    assert tree.surrogates.low_branch.tolist() == [1]
    assert tree.surrogate_agree.tolist() == [1.0]


@given(st.integers(0, 2**32 - 1))
@example(0)
@settings(max_examples=5)
def test_where_the_walk_pauses_does_not_matter(seed):
    """After every node."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(600, 5)) + rng.normal(size=(600, 1)), 1)
    table = _table((x[:, 0] + rng.normal(size=600) > 0).astype(int), *x.T)
    with pytest.MonkeyPatch.context() as patch:
        whole = tc.grow(table, "cart").to_dict()
        patch.setattr("treecore.growing.fast.fast_growth.BUDGET", 1)
        assert tc.grow(table, "cart").to_dict() == whole


def test_listing_surrogates_can_be_stopped(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3000, 2))
    table, walked = _table((x.sum(axis=1) > 0).astype(int), *x.T), []

    def stop_at_the_third(progress):
        if walked:
            walked.append(progress)
        if len(walked) == 3 + 1:
            raise KeyboardInterrupt

    def seen(*arguments):
        walked[:] = walked or ["begun"]
        return walk_aside(*arguments)

    monkeypatch.setattr("treecore.growing.fast.fast_growth.BUDGET", 1_000)
    monkeypatch.setattr(fast_tree, "walk_aside", seen)
    with pytest.raises(KeyboardInterrupt):
        tc.grow(table, "cart", progress=stop_at_the_third)
    assert [p.n_waiting > 0 for p in walked[1:]] == [True] * 3
