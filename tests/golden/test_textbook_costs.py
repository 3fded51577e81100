"""Measures that notes define beside entropy and Gini, and costs; every number can be redone on paper."""

import itertools

import numpy as np
import pytest

import treecore as tc
from tests.golden.tables import counted_table, gains, node_where, nominal_table
from treecore.criteria import CRITERIA
from treecore.growing.search.split_worth import decreases, superclass, twoing

SIDES = ["left", "right"]
SYMMETRIC = ((0, 10, 1), (10, 0, 1), (1, 1, 0))


def drop(name, *branches, loss=None):
    loss = None if loss is None else np.array(loss, float)
    return decreases(CRITERIA[name].judge(loss), np.array(branches, float)[None])[0]


def two_sided(left, right):
    """A table of one feature that parts the rows so: left, right are the class counts."""
    classes = [str(k) for k in range(len(left))]
    rows = [
        (side, label)
        for side, counts in zip(SIDES, (left, right), strict=True)
        for label, n in zip(classes, counts, strict=True)
        for _ in range(n)
    ]
    return nominal_table(rows, ["side", "class"], [SIDES, classes])


# cost-weighted Gini


def test_a_gain_of_the_cost_weighted_gini_index_can_be_negative():
    """L12 = L21 = 10, others 1. (30, 30, 40): 2 (10 .3 .3 + .3 .4 + .3 .4) = 2.28. (30, 30, 0): 2 * 10 * 1/4 = 5, the
    other branch 0: 2.28 - .6 * 5 = -.72. The Gini index gains .66 - .6 * .5 = .36."""
    assert drop("cost_gini", (30, 30, 0), (0, 0, 40), loss=SYMMETRIC) == pytest.approx(-0.72, abs=1e-12)
    assert drop("gini", (30, 30, 0), (0, 0, 40)) == pytest.approx(0.36, abs=1e-12)
    table = two_sided((30, 30, 0), (0, 0, 40))
    tree = tc.grow(table, "cart", criterion="cost_gini", loss=SYMMETRIC)
    assert tree.impurity[0] == pytest.approx(2.28, abs=1e-12)
    assert gains(tree, 0, table) == pytest.approx({"side": -0.72}, abs=1e-12)
    assert tree.n_nodes == 1
    assert tc.grow(table, "cart").n_nodes == 3


def test_only_the_sum_of_both_errors_costs_counts():
    """L + L': 4 and 0 between two classes are as good as 2 and 2, or 3 and 1."""
    for branches in (((20, 10), (70, 0)), ((10, 40), (40, 10))):
        found = [drop("cost_gini", *branches, loss=((0, a), (b, 0))) for a, b in ((4, 0), (2, 2), (3, 1), (0, 4))]
        assert found == pytest.approx([2 * drop("gini", *branches)] * 4, abs=1e-12)


def test_equal_costs_are_the_gini_index():
    loss = 1 - np.eye(3)
    assert drop("cost_gini", (5, 3, 1), (1, 2, 8), loss=loss) == pytest.approx(
        drop("gini", (5, 3, 1), (1, 2, 8)), abs=1e-15
    )


# costs of two classes


def test_costs_of_two_classes_act_as_priors():
    """90 and 10; calling a rare row common costs 9: both classes weigh the same, 50 : 50, as with equal priors.

    Then 20/10 | 70/0 is 11.1 : 50 | 38.9 : 0. Gini: 1/2 - .6111 * 2 * .1818 * .8182 = .3182. The leaf of 20/10
    answers the rare class: its 10 rows would cost 90, the 20 others cost 20.
    """
    table = two_sided((20, 10), (70, 0))
    plain = tc.grow(table, "cart")
    dear, even = tc.grow(table, "cart", loss=((0, 1), (9, 0))), tc.grow(table, "cart", priors=(0.5, 0.5))
    left, right = 20 / 90 / 2 + 0.5, 70 / 90 / 2
    share = 0.5 / left
    expected = 0.5 - left * 2 * share * (1 - share)
    assert left + right == pytest.approx(1)
    for tree in (dear, even):
        assert tree.impurity[0] == pytest.approx(0.5, abs=1e-12)
        assert tree.gain[0] == pytest.approx(expected, abs=1e-12)
        assert tree.gain[0] == pytest.approx(0.3182, abs=5e-5)
        assert tree.stats[0].tolist() == [90, 10], "rows are counted as they are"
    assert plain.gain[0] == pytest.approx(7 / 150, abs=1e-12)
    mixed = [tree.node(node_where(tree, "side = left")) for tree in (plain, dear, even)]
    assert [node.counts for node in mixed] == [{"0": 20, "1": 10}] * 3
    assert [node.predicted for node in mixed] == ["0", "1", "1"]


def test_priors_of_the_rows_and_equal_costs_change_nothing():
    table = two_sided((20, 10), (70, 0))
    for settings in ({"priors": (0.9, 0.1)}, {"loss": ((0, 1), (1, 0))}, {"loss": ((0, 7), (7, 0))}):
        assert tc.grow(table, "cart", **settings).gain[0] == pytest.approx(7 / 150, abs=1e-12)


# attribute costs


@pytest.mark.parametrize(
    ("form", "power", "a", "b"),
    [
        ("divide", 1.0, 1 / 4, 0.311278124459133),
        ("square", 1.0, 1 / 4, 0.311278124459133**2),
        ("power", 1.0, 1 / 5, (2**0.311278124459133 - 1) / 2),
        ("power", 0.0, 1.0, 2**0.311278124459133 - 1),
    ],
)
def test_costs_of_attributes(form, power, a, b):
    """A and B gain 1 and .3113; A costs 4, B 1: gain / cost, gain^2 / cost, (2^gain - 1) / (cost + 1)^w."""
    counts = {("0", "0", "-"): 50, ("0", "1", "-"): 50, ("1", "1", "+"): 100}
    table = counted_table(counts, ["A", "B", "Class"], [["0", "1"], ["0", "1"], ["-", "+"]])
    tree = tc.grow(table, "id3", costs={"A": 4.0, "B": 1.0}, cost_form=form, cost_power=power)
    found = {c.feature: c for c in tc.candidates(tree, 0, table).per_feature()}
    assert {name: c.score for name, c in found.items()} == pytest.approx({"A": a, "B": b}, abs=1e-12)
    assert {name: c.gain for name, c in found.items()} == pytest.approx({"A": 1, "B": 0.311278124459133}, abs=1e-12)
    assert tree.node(0).feature == ("A" if a > b else "B")


# twoing


@pytest.mark.parametrize(
    "branches",
    [((20, 10), (70, 0)), ((10, 5, 0, 1), (2, 8, 7, 4)), ((3, 0, 9), (1, 6, 2)), ((5, 5, 5), (5, 5, 5)),
     ((1, 2, 3, 4, 5), (5, 4, 3, 2, 1))],
)  # fmt: skip
def test_twoing_is_the_best_variance_drop_of_two_superclasses(branches):
    """Over all groupings of the classes in two, p_1 p_2 falls by at most the twoing score."""
    stats = np.array(branches, float)
    n = stats.shape[1]
    best = max(
        drop("two_class_variance", *[(b[list(group)].sum(), b.sum() - b[list(group)].sum()) for b in stats])
        for size in range(1, n)
        for group in itertools.combinations(range(n), size)
    )
    assert twoing(stats[None])[0] == pytest.approx(best, abs=1e-14)
    first = superclass(stats)
    if 0 < first.sum() < n:
        own = drop("two_class_variance", *[(b[first].sum(), b[~first].sum()) for b in stats])
        assert own == pytest.approx(best, abs=1e-14)


def test_half_gini_and_two_class_variance_are_one_measure():
    for branches in (((20, 10), (70, 0)), ((10, 40), (40, 10)), ((50, 20), (0, 30))):
        half = drop("gini", *branches) / 2
        assert drop("half_gini", *branches) == pytest.approx(half, abs=1e-15)
        assert drop("two_class_variance", *branches) == pytest.approx(half, abs=1e-15)


def test_entropy_in_natural_logarithms():
    assert drop("entropy_nats", (2, 3), (4, 0)) == pytest.approx(drop("entropy", (2, 3), (4, 0)) * np.log(2), abs=1e-15)
