"""The small pictures of what a split parts, against counting by hand."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data import level_column
from treecore.data.samples import read_sample
from treecore.view.canvas import PICTURE, CanvasRequest, canvas_layout
from treecore.view.split_histogram import BINS, MOST_CLASSES, MOST_LEVELS, MOST_POINTS, into


def pictures(tree, table) -> dict[int, dict]:
    """Node -> its picture; the caller's rows are those of the nodes as they are."""
    rows = [{"id": i, "leaf": bool(tree.is_leaf[i])} for i in range(tree.n_nodes)]
    into(rows, tree, table, lambda: tree.apply(table))
    return {row["id"]: row["histogram"] for row in rows if "histogram" in row}


def counts(found: dict) -> np.ndarray:
    return np.sum([bars for _, bars in found["series"]], axis=0)


@pytest.fixture(scope="module")
def whole_numbers():
    rng = np.random.default_rng(3)
    n = 900
    frame = {"visits": rng.integers(0, 9, n), "size": rng.choice(["S", "M", "L"], n), "noise": rng.normal(size=n)}
    yes = rng.random(n) < 0.1 + 0.08 * frame["visits"] + 0.2 * (frame["size"] == "L")
    frame["answer"] = np.where(yes, "yes", "no")
    return tc.read_table(pd.DataFrame(frame), target="answer")


def test_bars_on_either_side_of_the_wedge_are_the_rows_of_the_branches(whole_numbers):
    tree = tc.grow(whole_numbers, "cart", max_depth=5)
    found = pictures(tree, whole_numbers)
    assert set(found) == set(np.flatnonzero(~tree.is_leaf))
    met = set()
    for node, picture in found.items():
        assert counts(picture).sum() == tree.n_rows[node]
        by_class = {k: sum(bars) for k, bars in picture["series"]}
        assert [by_class.get(k, 0) for k in range(2)] == tree.stats[node].tolist()
        children = tree.n_rows[list(tree.children(node))].tolist()
        met.add(tree.node(node).feature)
        if "levels" in picture:
            branches = np.array(picture["branches"])
            assert [counts(picture)[branches == b].sum() for b in (0, 1)] == children
        elif tree.node(node).feature == "visits":
            ends = np.arange(len(counts(picture))) / len(counts(picture))
            left = counts(picture)[ends < picture["thresholds"][0] - 1e-3].sum()
            low = tree.splits.low_branch[node]
            assert [left, tree.n_rows[node] - left] == (children if low == 0 else children[::-1])
    assert {"visits", "size"} <= met


def test_a_row_far_away_leaves_room_to_the_others():
    rng = np.random.default_rng(0)
    value = np.append(rng.normal(size=400), 1e6)
    table = tc.read_table(pd.DataFrame({"x": value, "y": np.where(value > 0, "a", "b")}), target="y")
    (found,) = pictures(tc.grow(table, "cart", max_depth=1), table).values()
    assert found["high"].startswith("≥ ")
    assert not found["low"].startswith("≤")
    assert np.count_nonzero(counts(found)) > BINS // 2
    assert 0.1 < found["thresholds"][0] < 0.9
    assert counts(found).sum() == 401


def test_answers_of_numbers_are_points_with_the_mean_of_every_side():
    table = read_sample("mpg")
    tree = tc.grow(table, "cart", max_depth=4)
    y, ends = table.target_column.values(), tree.apply(table)
    for node, found in pictures(tree, table).items():
        assert 0 < len(found["points"]) <= 2 * MOST_POINTS
        assert all(0 <= value <= 1000 for value in found["points"])
        below = np.append(np.flatnonzero(tree.descendants(node)), node)
        mine = y[np.isin(ends, below)]
        low, high = np.percentile(mine, (1, 99))
        if "thresholds" in found:
            sides = [mean for *_, mean in found["means"]]
            value = [tree.value[child] for child in tree.children(node)]
            wanted = np.clip((np.array(value) - low) / (high - low), 0, 1)
            order = slice(None) if tree.splits.low_branch[node] == 0 else slice(None, None, -1)
            if not tree.missing_rows[node]:
                assert sides == pytest.approx(wanted[order].tolist(), abs=2e-3), node


def test_many_levels_and_many_classes_are_gathered():
    rng = np.random.default_rng(5)
    levels, classes = rng.integers(0, 60, 4000), rng.integers(0, 20, 4000)
    frame = pd.DataFrame({"level": [f"L{i:02d}" for i in levels], "y": [f"c{i:02d}" for i in (classes + levels) % 20]})
    table = tc.read_table(frame, target="y", features=["level"])
    tree = tc.grow(table, "cart", max_depth=1)
    if tree.is_leaf[0]:
        pytest.fail("the root was to be split")
    found = pictures(tree, table)[0]
    assert len(found["levels"]) <= MOST_LEVELS + 2
    assert any(name.endswith(" more") for name in found["levels"])
    assert found["branches"] == sorted(found["branches"])
    assert len(found["series"]) == MOST_CLASSES + 1
    assert found["series"][0][0] == -1
    assert counts(found).sum() == 4000


def test_a_leaf_of_the_pruned_tree_has_no_picture(whole_numbers):
    tree = tc.grow(whole_numbers, "cart", max_depth=2)
    rows = [{"id": 0, "leaf": True}]
    into(rows, tree, whole_numbers, lambda: tree.apply(whole_numbers))
    assert "histogram" not in rows[0]


@pytest.mark.parametrize("side", ["LR", "TB"])
def test_higher_cards_of_splits_overlap_no_other(whole_numbers, side):
    tree = tc.grow(whole_numbers, "cart", max_depth=4)
    found = canvas_layout(tree, CanvasRequest((1600, 1200), lines=2, orientation=side, picture=PICTURE))
    wide, high = found.size
    boxes = [(*found.at.at[n], high + PICTURE * (not tree.is_leaf[n])) for n in found.nodes.tolist()]
    for i, (x, y, h) in enumerate(boxes):
        for x2, y2, h2 in boxes[:i]:
            assert abs(x - x2) >= wide - 0.5 or abs(y - y2) >= (h + h2) / 2 - 0.5
    plain = canvas_layout(tree, CanvasRequest((1600, 1200), lines=2, orientation=side))
    assert found.at.height > plain.at.height or len(found.nodes) < len(plain.nodes)


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_a_table_with_its_levels_in_another_order_has_the_same_pictures(kind):
    """As a model made elsewhere meets a table: level and class are known by their names, not by their codes."""
    rng, names, classes = np.random.default_rng(2), ("a", "b", "c", "d"), ("no", "yes")
    codes = rng.integers(0, 4, 400)
    answers = (np.isin(codes, [0, 3]) if kind == "nominal" else codes < 2) ^ (rng.random(400) < 0.1)

    def table(levels, answered):
        level = level_column("x", kind, np.array(names, object)[codes], levels)
        target = level_column("y", "nominal", np.array(classes, object)[answers.astype(int)], answered)
        return tc.Table((level, target), features=("x",), target="y")

    own, other = table(names, classes), table(("b", "d", "a", "c"), classes[::-1])
    tree = tc.grow(own, "cart", max_depth=1)
    expected, found = pictures(tree, own)[0], pictures(tree, other)[0]
    branch_of = lambda picture: dict(zip(picture["levels"], picture["branches"], strict=True))  # noqa: E731
    assert branch_of(found) == branch_of(expected)
    rows = lambda picture: {  # noqa: E731
        (k, level): n for k, bars in picture["series"] for level, n in zip(picture["levels"], bars, strict=True)
    }
    assert rows(found) == rows(expected)
    assert len(set(branch_of(expected).values())) == 2


def test_numbers_too_far_apart_for_an_axis_have_no_picture():
    table = tc.read_table(pd.DataFrame({"x": [-1.7e308] * 6 + [1.7e308] * 6, "y": ["a"] * 6 + ["b"] * 6}), target="y")
    assert pictures(tc.grow(table, "cart"), table) == {}
