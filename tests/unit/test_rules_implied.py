"""Conditions that follow from the others."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.rules import Condition, Interval, LevelSet, Linear, Rule
from treecore.rules.simplify import follows, without_implied
from treecore.tree import FeatureSchema

X1, X2 = FeatureSchema("x1", "numeric"), FeatureSchema("x2", "numeric")
COLOR = FeatureSchema("color", "nominal", ("red", "blue", "green"))


def line(a, b, bound, closed=False):
    return Linear((X1, X2), (0, 1), (a, b), bound, closed)


def below(x, **route):
    return Condition.of(X1, 0, Interval(high=x, high_closed=False), **route)


def from_(x, **route):
    return Condition.of(X1, 0, Interval(low=x), **route)


def rule(*conditions):
    return Rule(tuple(conditions), 0, "w1", "class", 0)


FOUR = (line(0.04, 0.16, 0.11), line(0.27, -0.44, -0.02), line(0.96, -1.77, -0.45), line(5.43, -13.33, -6.03))


def test_of_four_slanted_lines_two_are_enough():
    """Nowhere in the plane can the second and third fail where the first and fourth hold: their left sides are
    .863 and 2.272 times the first's plus .0434 and .1601 times the fourth's, so they stay below -.1666 and -.7152."""
    found = without_implied(rule(*FOUR))
    assert [c.text for c in found.conditions] == ["0.04·x1 + 0.16·x2 < 0.11", "5.43·x1 − 13.33·x2 < -6.03"]
    ends = np.array([[0.04, 0.16], [5.43, -13.33]])
    for middle, most in zip(FOUR[1:3], (-0.1666, -0.7152), strict=True):
        shares = np.linalg.solve(ends.T, middle.weights)
        assert (shares > 0).all()
        assert shares @ [0.11, -6.03] == pytest.approx(most, abs=1e-4)


def test_neither_the_first_nor_the_fourth_follows():
    for j in (0, 3):
        assert not follows(FOUR[j], [c for i, c in enumerate(FOUR) if i != j])
    assert not follows(FOUR[1], [FOUR[0]])
    assert not follows(FOUR[2], [FOUR[3]])


def test_within_a_box_more_follows():
    """x1 + x2 < 3 says nothing in the unit square, and something in the plane."""
    assert not follows(line(1, 1, 3), [line(1, 0, 9), line(0, 1, 9)])
    assert follows(line(1, 1, 3), [], {0: (0.0, 1.0), 1: (0.0, 1.0)})
    assert not follows(line(1, 1, 1.5), [], {0: (0.0, 1.0), 1: (0.0, 1.0)})


def test_upright_conditions_bound_slanted_ones():
    z = Condition.of(X2, 1, Interval(high=1.0))
    assert follows(line(1, 1, 3.5), [below(2.0), z])
    assert not follows(line(1, 1, 2.5), [below(2.0), z])
    assert not follows(line(1, 1, 3.5), [below(2.0), Condition.of(X2, 1, Interval(high=1.0), missing=True)])


def test_ends_that_touch():
    """Where the others reach the bound itself, a strict one of them keeps the row away from it."""
    assert follows(line(1, 1, 2), [line(1, 1, 2)])
    assert follows(line(1, 1, 2, closed=True), [line(1, 1, 2, closed=True)])
    assert follows(line(2, 2, 4), [line(1, 0, 1), line(0, 1, 1, closed=True)])
    assert not follows(line(1, 1, 2), [line(1, 1, 2, closed=True)])
    assert not follows(line(1, 1, 2), [line(1, 0, 1, closed=True), line(0, 1, 1, closed=True)])
    assert follows(line(1, 1, 2), [line(1, 0, 1, closed=True), line(0, 1, 1)])


def test_contradictions_and_open_sides_are_left_alone():
    assert not follows(line(1, 1, 5), [line(1, 0, -1), line(-1, 0, -1)])
    assert not follows(line(1, 1, 5), [line(1, -1, 0)])


def test_of_equal_conditions_one_stays():
    assert len(without_implied(rule(line(1, 1, 2), line(2, 2, 4))).conditions) == 1
    assert len(without_implied(rule(below(3.0), below(3.0))).conditions) == 1


def test_wider_intervals_follow_from_narrower_ones():
    found = without_implied(rule(below(5.0), from_(1.0), below(3.0), from_(0.0)))
    assert [c.text for c in found.conditions] == ["x1 ≥ 1", "x1 < 3"]


def test_levels_follow_from_fewer_levels():
    every = frozenset({0, 1, 2})
    wide = Condition.of(COLOR, 2, LevelSet(frozenset({0, 1}), every))
    narrow = Condition.of(COLOR, 2, LevelSet(frozenset({0}), every))
    assert without_implied(rule(wide, narrow)).conditions == (narrow,)
    later = Condition.of(COLOR, 2, LevelSet(frozenset({0}), frozenset({0, 1})), unseen=True)
    assert without_implied(rule(wide, later)).conditions == (wide, later), "blue is for the first, green for the second"


def test_missing_values_decide_too():
    """A missing value passes x < 3 here and not x < 5: the wider one still says something."""
    kept = rule(below(5.0), below(3.0, missing=True))
    assert without_implied(kept).conditions == kept.conditions
    assert len(without_implied(rule(below(5.0, missing=True), below(3.0))).conditions) == 1


@pytest.mark.parametrize(("name", "preset"), [("mpg", "cart"), ("titanic", "c4.5"), ("iris", "j48")])
def test_a_tree_says_the_same_in_fewer_words(name, preset):
    table = read_sample(name)
    path = tc.rules(tc.grow(table, preset), merged=False)
    short = path.without_implied()
    assert short.n_conditions < path.n_conditions
    for before, after in zip(path.covered(table), short.covered(table), strict=True):
        assert before.tolist() == after.tolist()
