"""The layout that stands in for Graphviz: nothing overlaps, and nodes stand in Graphviz' order."""

import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore.export.layout import has_engine, positions, tidy, tidy_positions

SIZE, APART = (120.0, 40.0), (14.0, 46.0)


@st.composite
def trees(draw, most: int = 60) -> dict[int, int | None]:
    """Parents by id, parents first; siblings next to each other, as in our trees, with ids that are no numbering."""
    found, leaves = {0: None}, [0]
    while leaves and len(found) < most:
        node = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        below = draw(st.integers(0, 5) if found.keys() != {0} else st.integers(1, 5))
        children = [7 * (len(found) + i) for i in range(below)]
        found |= dict.fromkeys(children, node)
        leaves += children
        if draw(st.integers(0, 9)) == 0:
            break
    return found


def levels_of(parents) -> dict[int, int]:
    found = {}
    for node, above in parents.items():
        found[node] = 0 if above is None else found[above] + 1
    return found


def by_level(parents, at, across: int) -> list[list[int]]:
    """Ids of every level in the order in which they stand."""
    level = levels_of(parents)
    rows = [[n for n in parents if level[n] == k] for k in range(max(level.values()) + 1)]
    return [sorted(row, key=lambda n: at[n][across]) for row in rows]


@given(trees(), st.sampled_from(["TB", "LR"]))
def test_no_two_cards_overlap_and_all_are_inside(parents, side):
    drawn = tidy_positions(parents, SIZE, side, APART)
    wide, high = SIZE
    for x, y in drawn.at.values():
        assert wide / 2 - 0.1 <= x <= drawn.width - wide / 2 + 0.1
        assert high / 2 - 0.1 <= y <= drawn.height - high / 2 + 0.1
    across = int(side == "LR")
    least = SIZE[across] + APART[0]
    for row in by_level(parents, drawn.at, across):
        for a, b in pairwise(row):
            assert drawn.at[b][across] - drawn.at[a][across] >= least - 0.2
    heights = [{drawn.at[n][1 - across] for n in row} for row in by_level(parents, drawn.at, across)]
    assert all(len(each) == 1 for each in heights), "levels are in line"
    for (a,), (b,) in pairwise(heights):
        assert b - a == pytest.approx(SIZE[1 - across] + APART[1], abs=0.2)


@given(trees())
def test_a_parent_stands_in_the_middle_of_its_children_which_keep_their_order(parents):
    at, _ = tidy(parents)
    for node in parents:
        below = [n for n, above in parents.items() if above == node]
        if below:
            assert at[node] == pytest.approx((at[below[0]] + at[below[-1]]) / 2)
            assert [at[n] for n in below] == sorted(at[n] for n in below)


@given(trees(), st.sampled_from(["TB", "LR"]))
def test_nodes_stand_in_the_order_of_graphviz(parents, side):
    if not has_engine():
        pytest.skip("Graphviz is not installed")
    across = int(side == "LR")
    ours, theirs = (place(parents, SIZE, side, APART).at for place in (tidy_positions, positions))
    assert by_level(parents, ours, across) == by_level(parents, theirs, across)


@given(trees(30))
def test_equal_subtrees_are_drawn_alike(parents):
    twice = {-1: None} | {2 * n: -1 if a is None else 2 * a for n, a in parents.items()}
    twice |= {2 * n + 1: -1 if a is None else 2 * a + 1 for n, a in parents.items()}
    at, _ = tidy(twice)
    for n in parents:
        assert at[2 * n] - at[0] == pytest.approx(at[2 * n + 1] - at[1])


def test_a_deep_tree_takes_no_recursion():
    parents = {0: None}
    for level in range(20_000):
        parents |= {2 * level + 1: max(2 * level, 0), 2 * level + 2: max(2 * level, 0)}
    at, levels = tidy(parents)
    assert len(at) == len(parents)
    assert max(levels.values()) == 20_000


def test_where_graphviz_is_missing_a_tree_is_drawn_all_the_same(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    parents = {0: None, 1: 0, 2: 0}
    assert positions(parents, SIZE, "TB", APART) == tidy_positions(parents, SIZE, "TB", APART)
