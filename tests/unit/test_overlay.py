"""Two trees laid over each other: trees made by hand with known places, and what must hold for any two."""

import re
from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.test_core_twins import growths, samples
from tests.unit.test_evaluation_metrics import grown
from tests.unit.test_tree_by_hand import tree
from treecore.export.cards import outline, tree_cards
from treecore.export.dot import tree_dot
from treecore.export.layout import layout_svg
from treecore.export.overlay_cards import mark, overlay_cards
from treecore.kernels.codes import CUTS, LEVELS, THRESHOLD
from treecore.study.overlay import RELATIONS, branch_pairs, differ, overlay, same_split
from treecore.tree import FeatureSchema, Schema
from treecore.view import canvas_nodes
from treecore.view.subject import Subject, covering_nodes

X, COLOR, SIZE = 0, 1, 2
SCHEMA = Schema((FeatureSchema("x", "numeric"), FeatureSchema("color", "nominal", ("red", "green", "blue", "grey")),
                 FeatureSchema("size", "ordinal", ("S", "M", "L", "XL"))), "y", ("no", "yes"))  # fmt: skip
NO, YES, BOTH = [2, 0], [0, 2], [2, 2]


def below(t, feature=X, **more):
    return {"kind": THRESHOLD, "feature": feature, "threshold": t, **more}


def levels(*to, feature=COLOR):
    return {"kind": LEVELS, "feature": feature, "levels": list(to)}


def stump(test, *leaves, **more):
    leaves = leaves or (NO, YES)
    together = np.sum(leaves, axis=0)
    return tree(SCHEMA, [-1] + [0] * len(leaves), [test] + [{}] * len(leaves), [together, *leaves], **more)


def told(found):
    """(parent, a, b, relation) of every place."""
    return list(zip(found.parent.tolist(), found.node_a.tolist(), found.node_b.tolist(), found.relation, strict=True))


def test_the_same_test_with_its_branches_the_other_way_round():
    one, other = stump(below(5.0), NO, YES), stump(below(5.0, low_branch=1), YES, NO)
    assert told(overlay(one, other)) == [(-1, 0, 0, "same"), (0, 1, 2, "same"), (0, 2, 1, "same")]
    assert overlay(one, other).of_b.tolist() == [0, 2, 1]
    assert overlay(one, other).first_difference is None
    assert not differ(one, other)
    assert overlay(one, stump(below(5.0), NO, NO)).first_difference == 2


def test_another_threshold_is_shifted_low_with_low():
    one, other = stump(below(5.0)), stump(below(7.0, low_branch=1), NO, YES)
    assert told(overlay(one, other)) == [(-1, 0, 0, "shifted"), (0, 1, 2, "other answer"), (0, 2, 1, "other answer")]


def test_thresholds_equal_but_for_rounding_are_the_same():
    one = stump(below(0.1))
    assert overlay(one, stump(below(float(np.float32(0.1)), closed=True))).counts()["same"] == 3
    assert overlay(one, stump(below(0.1001))).relation[0] == "shifted"


@pytest.mark.parametrize(
    ("first", "second", "pairs", "same"),
    [
        (levels(0, 0, 1, 1), levels(1, 1, 0, 0), [(0, 1), (1, 0)], True),
        (levels(0, 0, 0, 1), levels(1, 1, 0, 0), [(0, 1), (1, 0)], False),
        (levels(0, 1, 2, 2), levels(1, 1, 0, 0), [(0, 1), (2, 0)], False),
        (levels(0, 0, 1, -1), levels(0, 0, 1, 1), [(0, 0), (1, 1)], False),
        (below(0.5, SIZE), below(2.5, SIZE), [(0, 0), (1, 1)], False),
        (below(0.5, SIZE), below(0.2, SIZE), [(0, 0), (1, 1)], True),
        (below(1.0, SIZE, closed=True), below(1.0, SIZE), [(0, 0), (1, 1)], False),
        (below(1.5, SIZE, low_branch=1), levels(0, 0, 1, 1, feature=SIZE), [(0, 1), (1, 0)], True),
        (below(0.5, SIZE), levels(0, 1, 2, 2, feature=SIZE), [(0, 0), (1, 2)], False),
        (below(inf), below(3.0), [(0, 0)], False),
    ],
)
def test_branches_of_one_feature_are_paired_by_what_goes_down_them(first, second, pairs, same):
    a, b = ((stump(t, *[NO] * max(2, len(set(t.get("levels", [])) - {-1}))), 0) for t in (first, second))
    assert branch_pairs(a, b) == pairs
    assert branch_pairs(b, a) == sorted((j, i) for i, j in pairs)
    assert same_split(a, b) is same


def test_several_cuts_are_paired_by_the_stretches_they_share():
    three = stump(below(5.0), NO, YES, BOTH)
    cuts = replace(three.splits, kind=[CUTS, 0, 0, 0], cut_start=[0, 2, 2, 2, 2], cuts=[3.0, 6.0])
    one, other = (replace(three, splits=cuts), 0), (stump(below(6.0)), 0)
    assert branch_pairs(one, other) == [(0, 0), (2, 1)]
    assert not same_split(one, other)
    assert same_split(one, one)


def test_missing_as_a_value_of_its_own_is_part_of_the_split():
    own = {"growth": {"missing": "own_value"}, "missing_rows": [3, 0, 0]}
    low, high = (stump(below(5.0, missing_branch=b), **own) for b in (0, 1))
    assert overlay(low, low).relation[0] == "same"
    assert overlay(low, high).relation[0] == "shifted"
    assert branch_pairs((low, 0), (high, 0)) == [(0, 0), (1, 1)]


def deep():
    """x < 5 -> no, else color red or not -> no, yes."""
    tests = [below(5.0), {}, levels(0, 1, 1, 1), {}, {}]
    return tree(SCHEMA, [-1, 0, 0, 2, 2], tests, [[4, 2], NO, [2, 2], [2, 0], [0, 2]])


def test_a_leaf_against_a_split():
    whole, cut = deep(), deep().pruned_at(np.arange(5) == 2)
    assert told(overlay(whole, cut)) == [
        (-1, 0, 0, "same"), (0, 1, 1, "same"), (0, 2, 2, "splits in A"), (2, 3, -1, "only A"), (2, 4, -1, "only A"),
    ]  # fmt: skip
    assert overlay(cut, whole).relation[2:] == ("splits in B", "only B", "only B")
    assert mark(overlay(whole, cut), 2) == "B stops: no"


def test_below_another_test_nothing_is_matched():
    found = overlay(deep(), stump(levels(0, 1, 1, 1)))
    assert told(found)[:3] == [(-1, 0, 0, "other test"), (0, 1, -1, "only A"), (0, 2, -1, "only A")]
    assert told(found)[3:5] == [(0, -1, 1, "only B"), (0, -1, 2, "only B")]
    assert found.relation[5:] == ("only A", "only A")
    assert found.counts() == dict.fromkeys(RELATIONS, 0) | {"other test": 1, "only A": 4, "only B": 2}


def test_a_feature_of_another_kind_is_another_test():
    other = replace(SCHEMA, features=(FeatureSchema("x", "ordinal", ("low", "high")), *SCHEMA.features[1:]))
    assert overlay(stump(below(5.0)), replace(stump(below(0.5)), schema=other)).relation[0] == "other test"


def test_numbers_equal_but_for_rounding_are_the_same_answer():
    schema = replace(SCHEMA, classes=())
    made = [tree(schema, [-1], [{}], [[10.0, 10.0 * m, 99.0]], n_rows=[10]) for m in (0.3, 0.1 + 0.2, 0.31)]
    assert overlay(made[0], made[1]).relation == ("same",)
    assert overlay(made[0], made[2]).relation == ("other answer",)


def test_other_targets_are_refused():
    with pytest.raises(tc.TreecoreError, match="'class' and 'survived'"):
        overlay(grown("iris")[0], grown("titanic")[0])


def check(one, other):
    found = overlay(one, other)
    for of, nodes, made in ((found.of_a, found.node_a, one), (found.of_b, found.node_b, other)):
        assert nodes[of].tolist() == list(range(made.n_nodes))
        assert np.count_nonzero(nodes >= 0) == made.n_nodes
        for node in range(1, made.n_nodes):
            assert found.parent[of[node]] == of[made.parent[node]]
    assert ((found.node_a >= 0) | (found.node_b >= 0)).all()
    assert (found.parent < np.arange(len(found))).all()
    back = overlay(other, one)
    mirrored = {"splits in A": "splits in B", "only A": "only B"}
    mirrored |= {b: a for a, b in mirrored.items()}
    assert back.counts() == {mirrored.get(name, name): n for name, n in found.counts().items()}
    pairs = set(zip(found.node_a.tolist(), found.node_b.tolist(), strict=True))
    assert pairs == set(zip(back.node_b.tolist(), back.node_a.tolist(), strict=True))
    return found


@given(st.data())
@settings(max_examples=60)
def test_every_node_is_in_one_place_under_its_parents(data):
    sample = data.draw(samples())
    table = sample.table()
    one, other = (tc.grow(table, data.draw(growths(sample, max_depth=3))) for _ in range(2))
    check(one, other)
    assert set(overlay(one, one).relation) == {"same"}
    assert len(overlay(one, one)) == one.n_nodes


@pytest.mark.parametrize("name", ["iris", "titanic", "mpg"])
def test_rows_go_the_same_way_through_places_that_are_the_same(name):
    one, tables = grown(name, "cart", max_depth=4)
    other, _ = grown(name, "rpart", max_depth=5)
    found, table = check(one, other), tables["test"]
    ends = one.apply(table), other.apply(table)
    known = ~np.any([c.missing for c in table.feature_columns], axis=0)
    for row in np.flatnonzero(known):
        ways = [tree_.path(end[row]) for tree_, end in zip((one, other), ends, strict=True)]
        for entry in found.of_a[ways[0]].tolist():
            a, b = found.nodes(entry)
            if found.relation[entry] == "same" and not one.is_leaf[a] and b in ways[1]:
                below_a, below_b = (found_way[found_way.index(n) + 1]
                                    for found_way, n in zip(ways, (a, b), strict=True))  # fmt: skip
                assert found.of_a[below_a] == found.of_b[below_b]


# the picture


OF_TWO = Subject("k", "n", None, np.arange(1), None, ("no", "yes"), lambda nodes: ())


def test_cards_say_in_words_what_is_different():
    found = overlay(deep(), stump(below(7.0)))
    cards = {card.id: card for card in overlay_cards(found, np.arange(len(found)), ("old", "new"))}
    assert (cards[0].title, cards[0].mark, cards[0].look) == ("x", "parted elsewhere", "changed")
    assert (cards[1].branch, cards[1].mark, cards[1].look) == ("old: < 5,\nnew: < 7", "", "")
    assert (cards[2].title, cards[2].mark) == ("color", "new stops: yes")
    assert (cards[3].title, cards[3].mark, cards[3].look, cards[3].branch) == ("no", "only in old", "only-a", "red")
    assert [bar.role for bar in cards[0].bars] == ["old", "new"]
    assert cards[0].bars[0].shares == (4 / 6, 2 / 6)
    assert [row["label"] for row in outline(tuple(cards.values()))][3].endswith("only in old")


def test_each_of_two_trees_has_its_levels_on_a_line_of_its_own():
    found = overlay(stump(levels(0, 1, 1, 1)), stump(levels(0, 1, 0, 1)))
    cards = overlay_cards(found, np.arange(len(found)), ("old", "new"))
    drawn = [canvas_nodes.row(card, 1, (0.0, 0.0), OF_TWO, "look")["branch"] for card in cards[1:]]
    assert drawn == ["old: red,\nnew: red, blue", "old: green, blue, grey,\nnew: green, grey"]


def test_levels_are_counted_one_by_one_on_the_picture():
    """A level may have a comma in its name, and the text of many is long: the levels count, not the text's parts."""
    names = [f"town {i}, by the river" for i in range(30_000)]
    town = Schema((FeatureSchema("town", "nominal", tuple(names)),), "y", ("no", "yes"))
    parted = levels(*[0] * 10_000, *[1] * 20_000, feature=0)
    t = tree(town, [-1, 0, 0], [parted, {}, {}], [[2, 2], NO, YES])
    of_one = tree_cards(t, np.arange(3), {"train": t.stats})
    of_two = overlay_cards(overlay(t, t), np.arange(3))
    for cards in (of_one, of_two):
        told = re.findall(r"\+(\d+) more\}", tree_dot(cards, classes=("no", "yes")))
        assert told == ["9999", "19999"]
        drawn = [canvas_nodes.row(card, 1, (0.0, 0.0), OF_TWO, "look") for card in cards]
        assert [row.get("n_levels", 0) for row in drawn] == [0, 10_000, 20_000]
        assert drawn[1]["levels"] == names[: canvas_nodes.MOST_LEVELS]


def test_lines_differ_without_colour():
    both = overlay(deep(), stump(levels(0, 1, 1, 1)))
    dot = tree_dot(overlay_cards(both, np.arange(len(both))), classes=("no", "yes"))
    assert dot.count('class="leaf only-a"') == 3
    assert 'class="inner only-a"' in dot
    assert dot.count('class="leaf only-b"') == 2
    assert 'style="filled,rounded,dotted"' in dot
    assert 'style="filled,rounded,dashed"' in dot
    assert 'class="inner changed"' in dot
    assert dot.count("only in B") >= 2
    plain = overlay(deep(), deep())
    assert "only" not in tree_dot(overlay_cards(plain, np.arange(5)), classes=("no", "yes"))


def test_places_are_walked_as_the_nodes_of_a_tree_are():
    tree_a, tree_b = grown("titanic")[0], grown("titanic", "c4.5")[0]
    found = overlay(tree_a, tree_b)
    for entry in range(len(found)):
        assert [i for i in range(len(found)) if found.parent[i] == entry] == list(found.children(entry))
        assert found.path(entry)[-1] == entry
        assert len(found.path(entry)) == found.node_depth[entry] + 1
        assert found.is_leaf[entry] == (not len(found.children(entry)))
    last = len(found) - 1
    drawn = covering_nodes(found, 15)
    assert 3 <= len(drawn) <= 15
    assert last in covering_nodes(found, 15, keep=last)
    assert set(found.parent[drawn].tolist()) - {-1} <= set(drawn.tolist())
    cards = overlay_cards(found, drawn)
    assert sum(card.below for card in cards) + len(cards) == len(found)


def test_hostile_names_stay_text():
    nasty = 'a"]; <b>&![x](http://e)'
    schema = replace(SCHEMA, features=(replace(SCHEMA.features[0], name=nasty), *SCHEMA.features[1:]))
    found = overlay(replace(stump(below(5.0)), schema=schema), stump(levels(0, 1, 1, 1)))
    dot = tree_dot(overlay_cards(found, np.arange(len(found)), (nasty, "<i>")), classes=("no", "yes"))
    assert "&lt;b&gt;&amp;!" in dot
    svg = layout_svg(dot).decode()
    assert "<b>" not in svg
    assert "http://e)" in svg
    assert "only in &lt;i&gt;" in svg
