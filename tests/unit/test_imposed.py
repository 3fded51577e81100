"""Splits that somebody wants: made as told, routed as trained, refused when impossible."""

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.data import level_column, numeric_column
from treecore.fit import grow_with, take_of
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.recipe import Take

CELLS = [0, 0, 1, 1, 2, 2, 2, 2, 2]
SAMPLE = Sample(["nominal", "numeric", "ordinal"], [CELLS, [1, 2, 3, 4, 5, 6, 7, 8, 9], CELLS], [3, 0, 3],
                [0, 0, 1, 1, 0, 1, 0, 1, 0], 2)  # fmt: skip


def grown(*imposed, **settings):
    return grow_tree(SAMPLE.table(), tc.GrowSettings(**settings), imposed=imposed)


def ends_agree(tree):
    ends = np.bincount(tree.apply(SAMPLE.table()), minlength=tree.n_nodes)
    return ends[tree.is_leaf].tolist() == tree.n_rows[tree.is_leaf].tolist()


def assert_same(taken, tree):
    """The same trees, gains and scores but for rounding."""
    a, b = taken.to_dict(), tree.to_dict()
    for name in ("gain", "score"):
        assert np.array(a.pop(name), float) == pytest.approx(np.array(b.pop(name), float), rel=1e-12, nan_ok=True)
    assert a == b


def test_a_threshold_is_made_where_it_is_wanted_and_the_search_goes_on_below():
    tree = grown(ForcedSplit((), "x1", threshold=3.25))
    assert tree.splits.threshold[0] == 3.25
    assert tree.n_rows[:3].tolist() == [9, 3, 6]
    assert tree.n_nodes > 3
    assert ends_agree(tree)
    # 4/9 of 9 rows: 2 1 | 3 3 -> gain 40/81 - (3/9 4/9 + 6/9 1/2)
    assert tree.gain[0] == pytest.approx(40 / 81 - (3 / 9 * 4 / 9 + 6 / 9 / 2), abs=1e-15)


def test_a_grouping_is_made_as_wanted():
    tree = grown(ForcedSplit((), "x0", branches=(("x0=0", "x0=2"), ("x0=1",))), max_depth=1)
    assert tree.n_rows.tolist() == [9, 7, 2]
    assert ends_agree(tree)
    three = grown(ForcedSplit((), "x0", branches=(("x0=0",), ("x0=1",), ("x0=2",))), max_depth=1, nominal="multiway")
    assert three.n_rows.tolist() == [9, 2, 2, 5]
    assert ends_agree(three)


def test_levels_that_a_grouping_does_not_name_are_routed_as_they_were_trained():
    """x0=1 is not named: its training rows go with the first branch, and so must every later row."""
    tree = grown(ForcedSplit((), "x0", branches=(("x0=0",), ("x0=2",))), max_depth=1)
    assert tree.n_rows[0] == tree.n_rows[1:].sum()
    assert ends_agree(tree)


def test_a_place_that_the_tree_does_not_reach_changes_nothing():
    plain, told = grown(), grown(ForcedSplit((0, 1, 0, 1, 0, 1), "x1", threshold=77.0))
    assert told.splits.to_dict() == plain.splits.to_dict()


@pytest.mark.parametrize(
    "wanted",
    [
        ForcedSplit((), "nobody", threshold=1.0),
        ForcedSplit((), "x0", threshold=1.0),
        ForcedSplit((), "x1", threshold=float("nan")),
        ForcedSplit((), "x1"),
        ForcedSplit((), "x1", branches=(("1",), ("2",))),
        ForcedSplit((), "x2", branches=(("x2=0",), ("x2=1",), ("x2=2",))),
        ForcedSplit((), "x0"),
        ForcedSplit((), "x0", branches=(("x0=0", "x0=1", "x0=2"),)),
        ForcedSplit((), "x0", branches=(("x0=0",), ("x0=9",))),
        ForcedSplit((), "x0", branches=(("x0=0",), ("x0=0",))),
        ForcedSplit((), "x0", branches=(("x0=0",), ("x0=1",), (), ())),
    ],
    ids=str,
)
def test_what_cannot_be_made_is_refused_with_its_column(wanted):
    with pytest.raises(tc.TreecoreError) as caught:
        grown(wanted)
    assert repr(wanted.feature) in caught.value.where
    assert caught.value.remedy


@pytest.mark.parametrize("missing", ["majority", "fractional", "surrogates", "own_value"])
@pytest.mark.parametrize("blank", [False, True])
def test_a_branch_per_level_taken_by_hand_keeps_its_empty_ones(missing, blank):
    """b has no rows below the left branch of the root: there the multiway split has a leaf for it all the same."""
    x = [1.0, 1, 1, 1, 1, 2, 2, 2, 2]
    c = ["a", "a", "d", "d", "d", "b", "b", "a", "d"]
    y = ["p", "p", "q", "q", "p", "r", "r", "r", "r"]
    if blank:
        c[4], c[5] = None, None
    codes = [-1 if v is None else "abd".index(v) for v in c]
    columns = (numeric_column("x", np.array(x)), level_column("c", "nominal", codes, tuple("abd")),
               level_column("y", "nominal", y, tuple("pqr")))  # fmt: skip
    table, growth = (
        tc.Table(columns, target="y", features=("x", "c")),
        tc.GrowSettings(nominal="multiway", missing=missing),
    )
    first = grow_tree(table, growth, imposed=(ForcedSplit((), "x", 1.5),))
    assert first.node(1).feature == "c"
    own = next(v for v in tc.candidates(first, 1, table).of("c") if v.chosen)
    taken = grow_with(table, growth, (Take((), "", "x", threshold=1.5), take_of(first, 1, own)))
    assert_same(taken, first)
    empty = [child for child in taken.children(1) if taken.n_rows[child] == 0]
    assert len(empty) == 1
    assert taken.answer[empty[0]] == 1


def test_bins_taken_by_hand_keep_their_empty_ones():
    table = tc.Table(
        (numeric_column("a", np.array([1.0, 1, 2, 2, 9, 10])), numeric_column("b", np.array([1.0, 1, 1, 2, 2, 2])),
         level_column("y", "nominal", list("ppqqrr"), tuple("pqr"))), target="y", features=("a", "b"),
    )  # fmt: skip
    growth = tc.GrowSettings(numeric="equal_width", bins=3)
    tree = tc.grow(table, growth)
    own = next(c for c in tc.candidates(tree, 0, table).ranked if c.chosen)
    taken = grow_with(table, growth, (take_of(tree, 0, own),))
    assert_same(taken, tree)
    assert taken.n_rows[list(taken.children(0))].tolist() == [4, 0, 2]


def test_a_branch_for_missing_values_that_is_none_of_the_split_is_refused():
    with pytest.raises(tc.TreecoreError) as caught:
        grown(ForcedSplit((), "x1", threshold=3.5, missing=2))
    assert "branch 2" in caught.value.what
    assert caught.value.remedy
