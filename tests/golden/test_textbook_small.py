"""Small tables and single nodes of the textbooks; every number can be redone on paper."""

import math

import numpy as np
import pytest

import treecore as tc
from tests.golden.tables import counted_table, gains, nominal_table, number_table
from treecore.criteria import CRITERIA
from treecore.growing.search.split_worth import decreases
from treecore.kernels.sums import impurity_of

BITS = ["0", "1"]


def drop(name, *branches):
    """Impurity of a node less that of its two branches, given their class counts."""
    stats = np.array(branches, float)
    judge = CRITERIA[name].judge()
    return decreases(judge, stats[None])[0]


# one node


@pytest.mark.parametrize(
    ("counts", "entropy", "gini", "misclassification"),
    [
        ((1, 1), 1, 1 / 2, 1 / 2),
        ((1, 3), 0.811278124459133, 3 / 8, 1 / 4),  # 2 - 3/4 log2 3
        ((9, 5), 0.940285958670631, 90 / 196, 5 / 14),
        ((5, 0), 0, 0, 0),
        ((1, 1, 1, 1), 2, 3 / 4, 3 / 4),
        ((2, 1, 1), 1.5, 5 / 8, 1 / 2),
    ],
)
def test_impurities_of_a_node(counts, entropy, gini, misclassification):
    for name, expected in (("entropy", entropy), ("gini", gini), ("misclassification", misclassification)):
        found = impurity_of(CRITERIA[name].judge(), np.array(counts, float), float(sum(counts)))
        assert found == pytest.approx(expected, abs=1e-14)


def test_squared_error_of_1_2_6():
    """Mean 3; (4 + 1 + 9) / 3 = 14/3, from w = 3, sum = 9, sum of squares = 41."""
    found = impurity_of(CRITERIA["squared_error"].judge(), np.array([3.0, 9.0, 41.0]), 3.0)
    assert found == pytest.approx(14 / 3, rel=1e-14)


def test_node_90_10():
    """90/10 into 20/10 and 70/0: the error stays 10 %, half the Gini index falls by 7/300 = .0233.

    Lecture notes print .0234, from 2/9 rounded to .222. Gini: .18 - 30/100 4/9 = .0467.
    """
    assert drop("misclassification", (20, 10), (70, 0)) == pytest.approx(0, abs=1e-15)
    assert drop("gini", (20, 10), (70, 0)) == pytest.approx(7 / 150, abs=1e-15)
    assert drop("gini", (20, 10), (70, 0)) / 2 == pytest.approx(0.0233, abs=5e-5)
    assert drop("entropy", (20, 10), (70, 0)) == pytest.approx(0.193506843372934, abs=1e-12)


def test_node_50_50_same_error_but_gini_and_entropy_prefer_the_pure_branch():
    """(10,40)|(40,10) and (50,20)|(0,30) both err on 20 %: the drop is .3. Gini .18 and 3/14; entropy .2781, .3958."""
    a, b = ((10, 40), (40, 10)), ((50, 20), (0, 30))
    assert drop("misclassification", *a) == pytest.approx(0.3, abs=1e-15)
    assert drop("misclassification", *b) == pytest.approx(0.3, abs=1e-15)
    assert drop("gini", *a) == pytest.approx(0.18, abs=1e-15)
    assert drop("gini", *b) == pytest.approx(3 / 14, abs=1e-15)
    assert drop("entropy", *a) == pytest.approx(0.278071905112638, abs=1e-12)
    assert drop("entropy", *b) == pytest.approx(0.395815602003358, abs=1e-12)


# XOR


def xor():
    return nominal_table(["000", "011", "101", "110"], ["X1", "X2", "Y"], [BITS] * 3)


@pytest.mark.parametrize("preset", ["cart", "id3"])
@pytest.mark.parametrize("criterion", ["entropy", "gini", "misclassification"])
def test_xor_has_no_gain_at_the_root(preset, criterion):
    """Each value of X1 holds one 0 and one 1: what the root has, so stopping at gain 0 leaves one leaf."""
    table = xor()
    stopped = tc.grow(table, preset, criterion=criterion)
    assert stopped.n_nodes == 1
    assert stopped.node(0).predicted == "0"  # 2 : 2, the first class
    assert gains(stopped, 0, table) == pytest.approx({"X1": 0, "X2": 0}, abs=1e-15)
    split = tc.grow(table, preset, criterion=criterion, zero_gain="split")
    assert (split.n_leaves, split.depth) == (4, 2)
    assert split.predict(table).tolist() == table.target_column.labels().tolist()


def test_a_gain_that_is_0_but_computes_as_less_is_split_on_request():
    """1 : 2 on one side and 6 : 12 on the other: the shares are equal, the entropies' rounding is not."""
    table = number_table([0] * 3 + [1] * 18, "abb" + "a" * 6 + "b" * 12, ["a", "b"])
    assert tc.grow(table, criterion="entropy").n_nodes == 1
    assert tc.grow(table, criterion="entropy", zero_gain="split").n_nodes == 3


# X1 / X2


def test_x1_x2():
    """TTT TFT TTT TFT FTT FFF FTF FFF: 5 T, 3 F, H = .954. X1=T is pure, X1=F is 1 : 3:
    gain .954 - 1/2 .811 = .549 (9/32 by Gini). X2: 3:1 and 2:2, .049 (1/32). Below X1=F, X2 gains .311 (1/8)."""
    rows = ["TTT", "TFT", "TTT", "TFT", "FTT", "FFF", "FTF", "FFF"]
    table = nominal_table(rows, ["X1", "X2", "Y"], [["F", "T"]] * 3)
    tree = tc.grow(table, "id3")
    assert tree.impurity[0] == pytest.approx(0.954434002924965, abs=1e-12)
    assert gains(tree, 0, table) == pytest.approx({"X1": 0.548794940695399, "X2": 0.048794940695399}, abs=1e-12)
    assert tree.node(0).feature == "X1"
    assert gains(tree, 1, table) == pytest.approx({"X2": 0.311278124459133}, abs=1e-12)
    gini = tc.grow(table, "id3", criterion="gini")
    assert gains(gini, 0, table) == pytest.approx({"X1": 9 / 32, "X2": 1 / 32}, abs=1e-15)
    assert gains(gini, 1, table) == pytest.approx({"X2": 1 / 8}, abs=1e-15)


# A / B, by counts


@pytest.mark.parametrize(
    ("n_10", "criterion", "of_a", "of_b"),
    [
        (0, "entropy", 1.0, 0.311278124459133),
        (0, "gini", 1 / 2, 1 / 6),
        (0, "misclassification", 1 / 2, 1 / 4),
        (3, "entropy", 0.903443202418775, 0.321298733020066),
        (3, "gini", 2000000 / 4244527, 21200 / 123627),
        (3, "misclassification", 97 / 203, 50 / 203),
    ],
)
def test_a_b(n_10, criterion, of_a, of_b):
    """(A0 B0 -) 50, (A0 B1 -) 50, (A1 B0 -) 0 or 3, (A1 B1 +) 100. With 0: A is pure, gain 1; B=0 is pure with 50,
    B=1 is 50 : 100, gain 1 - 150/200 .9183 = .3113. With 3, A then B parts the rows purely."""
    counts = {("0", "0", "-"): 50, ("0", "1", "-"): 50, ("1", "0", "-"): n_10, ("1", "1", "+"): 100}
    table = counted_table(counts, ["A", "B", "Class"], [BITS, BITS, ["-", "+"]])
    tree = tc.grow(table, "id3", criterion=criterion)
    assert gains(tree, 0, table) == pytest.approx({"A": of_a, "B": of_b}, abs=1e-12)
    assert tree.node(0).feature == "A"
    assert tree.n_leaves == (3 if n_10 else 2)
    assert tree.impurity[tree.is_leaf].max() == 0


# lengths


def test_thresholds_of_lengths():
    """10 15 21 28 32 40 50 with - + + - - - +: 3 + and 4 -, H = .9852. Mid-points and gains: 12.5: 1 - | 3 + 3 -:
    .9852 - 6/7 = .1281; 24.5: .1281; 45: 6/7 H(1/3): .1981; those between equal classes gain less."""
    table = number_table([10, 15, 21, 28, 32, 40, 50], "-++---+", ["-", "+"])
    tree = tc.grow(table, "cart", criterion="entropy", max_depth=1)
    assert tree.impurity[0] == pytest.approx(0.985228136034251, abs=1e-12)
    found = {c.threshold: c.gain for c in tc.candidates(tree, 0, table).ranked}
    assert found == pytest.approx(
        {12.5: 0.128085278891394, 18: 0.005977711423774, 24.5: 0.128085278891394, 30: 0.020244207153756,
         36: 0.005977711423774, 45: 0.198117421130403}, abs=1e-12,
    )  # fmt: skip
    assert tree.splits.threshold[0] == 45
    assert tree.node(1).condition == "L < 45"


def test_the_mirror_labelling_gains_the_same():
    """+ - - + + + -: classes exchanged, the same boundaries 12.5, 24.5 and 45."""
    table = number_table([10, 15, 21, 28, 32, 40, 50], "+--+++-", ["-", "+"])
    tree = tc.grow(table, "cart", criterion="entropy")
    assert sorted(tree.splits.threshold[~tree.is_leaf]) == [12.5, 24.5, 45]


# regression


def test_regression_threshold_by_hand():
    """x 1 2 3 4, y 1 1 5 9: mean 4, SS 44. Cuts: 1.5 leaves 32 (y 1 5 9), 2.5 leaves 8, 3.5 leaves 32/3.
    The best is 2.5: 11 - 2 = 9 less mean squared error."""
    from treecore.data import numeric_column

    columns = numeric_column("x", np.array([1.0, 2, 3, 4])), numeric_column("y", np.array([1.0, 1, 5, 9]))
    table = tc.Table(columns, target="y", features=("x",))
    tree = tc.grow(table, max_depth=1)
    found = {c.threshold: c.gain for c in tc.candidates(tree, 0, table).ranked}
    assert found == pytest.approx({1.5: 11 - 32 / 4, 2.5: 9, 3.5: 11 - 32 / 12}, rel=1e-14)
    assert tree.value.tolist() == [4, 1, 7]
    assert tree.impurity.tolist() == pytest.approx([11, 0, 4], abs=1e-14)


def test_entropy_of_a_rare_class():
    """1 of 1000: -.001 log2 .001 - .999 log2 .999 = .0114."""
    found = impurity_of(CRITERIA["entropy"].judge(), np.array([1.0, 999.0]), 1000.0)
    assert found == pytest.approx(-0.001 * math.log2(0.001) - 0.999 * math.log2(0.999), rel=1e-12)
    assert found == pytest.approx(0.0114, abs=5e-5)
