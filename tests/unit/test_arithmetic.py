"""The arithmetic behind every number: it comes out, and it is the user's own."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

import treecore as tc
from tests.golden.tables import counted_table, node_where
from tests.golden.test_textbook_tennis import tennis
from treecore.criteria.row_losses import weighted_quantile
from treecore.data.samples import read_sample
from treecore.explaining.branch_statistics import branch_statistics
from treecore.explaining.feature_tests import feature_test_lines, p_text
from treecore.explaining.formulas import Formula, Grid, Words, equation
from treecore.explaining.node_arithmetic import own_candidate, score_of, split_arithmetic
from treecore.explaining.priors_and_costs import label_lines
from treecore.explaining.why_node import why_split
from treecore.figures import brief, p_value, tex
from treecore.tree.tree import split_order

LOSS = [[0, 1, 2], [3, 0, 1], [1, 1, 0]]


def lines_of(tree, table, node=0):
    return split_arithmetic(tree, node, tc.candidates(tree, node, table), table)


def formulas(lines):
    return [line.tex for line in lines if isinstance(line, Formula)]


def grids(lines):
    return [line for line in lines if isinstance(line, Grid)]


def result(text):
    """The last number of a formula."""
    number = re.findall(r"-?\d+(?:\.\d+)?(?: \\cdot 10\^\{-?\d+\})?", text)[-1]
    return float(re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", number))


def named(lines, name):
    return result(next(text for text in formulas(lines) if name in text.split("=")[0]))


# ---- textbook numbers


def test_play_tennis_from_the_counts_to_the_ratio():
    """Gain .2467, split information 1.577, ratio .1564, average gain .1190."""
    table = tennis()
    tree = tc.grow(table, "c4.5")
    lines = lines_of(tree, table)
    assert formulas(lines)[0] == (
        r"i(t) =  - \tfrac{5}{14} \log_2 \tfrac{5}{14} - \tfrac{9}{14} \log_2 \tfrac{9}{14} = 0.94029"
    )
    assert named(lines, r"\Delta i") == pytest.approx(0.2467, abs=5e-5)
    assert named(lines, "split information") == pytest.approx(1.577, abs=5e-4)
    assert named(lines, "gain ratio") == pytest.approx(0.1564, abs=5e-5)
    assert named(lines, "overline") == pytest.approx(0.1190, abs=5e-5)
    assert [(row[0], row[-1]) for row in grids(lines)[-1].rows] == [
        ("Outlook", "yes"), ("Humidity", "yes"), ("Wind", "no"), ("Temperature", "no"),
    ]  # fmt: skip


def test_an_unknown_value_scales_the_gain_by_the_known_share():
    """Day 8 without its humidity: at Sunny 4/5 of 1 bit is .800; 2, 2 and 1 of 5 days make 1.5219 bits."""
    table = tennis()
    humidity = table.column("Humidity")
    codes = humidity.codes.copy()
    codes[7] = humidity.n_distinct
    hole = replace(humidity, codes=codes)
    holed = replace(table, columns=tuple(hole if c.name == "Humidity" else c for c in table.columns))
    tree = tc.grow(holed, "c4.5")
    sunny = node_where(tree, "Outlook = Sunny")
    lines = lines_of(tree, holed, sunny)
    assert r"\text{gain} = \tfrac{4}{5} \cdot 1 = 0.8" in formulas(lines)
    assert named(lines, "split information") == pytest.approx(1.5219, abs=5e-5)
    assert named(lines, "gain ratio") == pytest.approx(0.8 / 1.5219, abs=5e-5)
    assert any("one more group" in line.text for line in lines if isinstance(line, Words))


def ninety_ten(score="twoing", criterion="half_gini"):
    """90 and 10 rows into 20/10 and 70/0."""
    counts = {("a", "0"): 20, ("a", "1"): 10, ("b", "0"): 70}
    table = counted_table(counts, ["side", "y"], [["a", "b"], ["0", "1"]])
    return tc.grow(table, score=score, criterion=criterion), table


def test_twoing_and_half_gini_of_the_90_10_node():
    lines = lines_of(*ninety_ten())
    assert named(lines, "twoing") == pytest.approx(0.0233, abs=5e-5)
    assert named(lines, r"\Delta i") == pytest.approx(0.0233, abs=5e-5)
    said = [line.text for line in lines if isinstance(line, Words)]
    assert any(text.startswith("Superclass of branch 1") for text in said)
    shares = {row[0]: row[1:] for row in grids(lines)[0].rows}
    assert sorted(shares["1"][:2]) == ["0", "0.3333"]


@pytest.mark.parametrize(("score", "name"), [("chi_square", r"\chi^2"), ("g_test", "G")])
def test_tests_of_the_90_10_node(score, name):
    """Expected 27, 3 | 63, 7: chi-square 49/27 + 49/3 + 49/63 + 49/7 = 25.926; G = 2 sum O ln(O/E) = 26.826."""
    lines = lines_of(*ninety_ten(score))
    by_hand = {"chi_square": 49 / 27 + 49 / 3 + 49 / 63 + 49 / 7,
               "g_test": 2 * (20 * math.log(20 / 27) + 10 * math.log(10 / 3) + 70 * math.log(70 / 63))}  # fmt: skip
    assert named(lines, name) == pytest.approx(by_hand[score], rel=1e-4)
    assert named(lines, "df") == 1
    assert named(lines, "log_{10}") == pytest.approx(-math.log10(named(lines, "p ") or 1), rel=1e-3)
    cells = {row[0]: row[1:] for row in grids(lines)[0].rows}
    assert cells["= a"] == ("20 (27)", "10 (3)")
    assert cells["= b"] == ("70 (63)", "0 (7)")


# ---- the score of the tree comes out, whatever it is


CASES = [
    ("titanic", "cart", {}),
    ("titanic", "cart", {"criterion": "entropy_nats", "missing": "fractional"}),
    ("titanic", "cart", {"criterion": "two_class_variance", "missing": "own_value"}),
    ("titanic", "cart", {"criterion": "misclassification", "missing": "stay"}),
    ("titanic", "cart", {"score": "gain_ratio", "missing": "surrogates"}),
    ("titanic", "cart", {"score": "chi_square", "missing": "own_value"}),
    ("titanic", "cart", {"score": "twoing", "missing": "fractional"}),
    ("titanic", "c4.5", {}),
    ("titanic", "j48", {}),
    ("penguins", "j48", {}),
    ("penguins", "cart", {"score": "g_test"}),
    ("penguins", "cart", {"criterion": "half_gini", "priors": [0.5, 0.3, 0.2], "loss": LOSS}),
    ("penguins", "cart", {"criterion": "cost_gini", "loss": LOSS}),
    ("penguins", "cart", {"priors": [0.5, 0.5, 0.0]}),
    ("mpg", "cart", {}),
    ("mpg", "cart", {"criterion": "absolute_error"}),
    ("titanic", "chaid", {}),
    ("mpg", "chaid", {}),
    ("titanic", "ctree", {}),
]


@pytest.mark.parametrize(("sample", "preset", "settings"), CASES)
def test_the_lines_end_in_the_numbers_of_the_tree(sample, preset, settings):
    table = read_sample(sample)
    tree = tc.grow(table, preset, max_depth=3, **settings)
    for node in split_order(tree).tolist():
        found = tc.candidates(tree, node, table)
        lines, parts = split_arithmetic(tree, node, found, table), branch_statistics(tree, node, table)
        last = r"\text{gain}" if parts.is_partly_missing else r"\Delta i"
        assert named(lines, last) == pytest.approx(tree.gain[node], rel=1e-3, abs=1e-6)
        if preset not in ("chaid", "ctree"):
            assert score_of(parts, found) == pytest.approx(tree.score[node], rel=1e-6, abs=1e-9)


def test_the_impurities_are_those_of_the_formula():
    """Every i(t_b) of the mpg tree: squares over weight less squared mean, recomputed from the printed fractions."""
    table = read_sample("mpg")
    tree = tc.grow(table, max_depth=2)
    for text in formulas(lines_of(tree, table)):
        parts = [float(a) / float(b) for a, b in re.findall(r"\\tfrac\{([\d.]+)\}\{([\d.]+)\}", text)]
        if text.startswith("i("):
            assert parts[0] - parts[1] ** 2 == pytest.approx(result(text), rel=1e-3)


def test_a_median_and_its_distances():
    assert weighted_quantile(np.array([3.0, 1.0, 2.0, 10.0]), np.ones(4), 0.5) == 2.5
    assert weighted_quantile(np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 5.0]), 0.5) == 2.0
    table = read_sample("mpg")
    tree = tc.grow(table, criterion="absolute_error", max_depth=1)
    first = formulas(lines_of(tree, table))[0]
    assert f"y - {tree.median[0]:g}" in first
    assert result(first) == pytest.approx(tree.impurity[0], rel=1e-4)


# ---- priors, costs, labels


def test_the_factors_of_priors_and_costs_are_shown():
    """Priors .5, .3, .2 with costs 3, 4, 2 make 1.5, 1.2, .4 of 3.1; over the shares these are the factors."""
    table = read_sample("penguins")
    tree = tc.grow(table, max_depth=1, priors=[0.5, 0.3, 0.2], loss=LOSS)
    shares = tree.stats[0] / tree.stats[0].sum()
    factors = np.array([1.5, 1.2, 0.4]) / 3.1 / shares
    grid = grids(lines_of(tree, table))[0]
    assert [float(row[4]) for row in grid.rows] == pytest.approx(factors, rel=1e-3)
    for row, factor in zip(grid.rows, factors, strict=True):
        assert float(row[6]) == pytest.approx(float(row[5]) * factor, rel=1e-3)


@pytest.mark.parametrize(
    ("form", "expected"),
    [("divide", lambda s: s / 3), ("square", lambda s: s * s / 3), ("power", lambda s: (2**s - 1) / 4)],
)
def test_what_a_feature_costs(form, expected):
    table = read_sample("iris")
    tree = tc.grow(table, max_depth=1, costs={name: 3.0 for name in table.features}, cost_form=form)
    lines = lines_of(tree, table)
    assert result(formulas(lines)[-1]) == pytest.approx(expected(tree.gain[0]), rel=1e-4)
    assert tree.score[0] == pytest.approx(expected(tree.gain[0]))


def test_the_label_of_a_leaf_is_the_cheapest():
    """90 rows of class 0, 10 of class 1; calling a 1 a 0 costs 20: 0 costs 10/100 * 20 = 2, 1 costs 90/100 = .9."""
    counts = {("a", "0"): 90, ("a", "1"): 10, ("b", "0"): 1}
    table = counted_table(counts, ["side", "y"], [["a", "b"], ["0", "1"]])
    tree = tc.grow(table, loss=[[0, 1], [20, 0]], max_depth=1)
    leaf = next(t for t in range(3) if tree.weight[t] == 100)
    grid = grids(label_lines(tree, leaf))[0]
    assert grid.rows == (("0", "20 · 10/100", "2"), ("1", "1 · 90/100", "0.9 ✓"))
    assert label_lines(tc.grow(table, max_depth=1), leaf) == []


# ---- tests of every feature


def test_the_tests_that_chose_are_listed():
    table = read_sample("titanic")
    tree = tc.grow(table, "ctree", max_depth=2)
    lines = feature_test_lines(tree, 0, table)
    (grid,) = grids(lines)
    assert grid.rows[0][0] == "sex"
    assert len(grid.rows) == len(table.features)
    assert formulas(lines)[0].endswith(f"m = {len(table.features)}")
    for row in grid.rows:
        p, adjusted = float(row[2]), float(row[1])
        assert adjusted == pytest.approx(1 - (1 - p) ** len(table.features), rel=1e-2, abs=1e-3)


def test_merged_groups_and_their_multiplier():
    """Age in 10 bins and missing: 11 categories, 2 groups: C(9, 0) + 2 C(9, 1) = 19 ways."""
    table = read_sample("titanic")
    tree = tc.grow(table, "chaid", max_depth=3)
    node = node_where(tree, "sex = male", "pclass ≤ 1")
    (grid,) = grids(feature_test_lines(tree, node, table))
    age = grid.rows[0]
    assert (age[0], age[3], age[6]) == ("age", "19", "11 → 2")
    assert age[7] == "0.92 … 36 | 37 … 80 + missing"
    assert float(age[1]) == pytest.approx(19 * float(age[2]), rel=1e-3)
    assert feature_test_lines(tc.grow(table, max_depth=1), 0, table) == []


def test_p_values_of_any_size():
    assert p_text(math.log(0.0341)) == "0.0341"
    assert p_text(-2000 * math.log(10)) == "1.000e-2000"
    assert p_text(-math.inf) == "0"


# ---- in words, and no text from data in LaTeX


def test_why_a_split_was_made():
    table = tennis()
    tree = tc.grow(table, "c4.5")
    found = tc.candidates(tree, 0, table)
    assert why_split(tree, 0, found, by_hand=False) == (
        "because its gain ratio 0.1564 is the largest of the features whose gain reaches the average of 0.119; "
        "3 other features were considered (next: Humidity, 0.1518)."
    )
    assert why_split(tree, 0, found, by_hand=True).startswith("because it was taken by hand; its gain is 0.2467 bits")


def test_why_a_node_was_split_names_one_figure_where_features_have_costs():
    """Both numbers of the sentence are what the features compete by: the larger one has won."""
    table = read_sample("play_tennis")
    tree = tc.grow(table, "id3", costs={"Outlook": 4.0})
    found = tc.candidates(tree, 0, table)
    mine, second = found.per_feature()[:2]
    assert tree.node(0).feature == "Humidity"
    told = why_split(tree, 0, found, by_hand=False)
    assert told == (
        "because its gain for its cost 0.1518 is the largest; 3 other features were considered "
        f"(next: {second.feature}, {brief(second.score)})."
    )
    assert mine.score > second.score


def test_the_feature_that_a_test_chose():
    table = read_sample("titanic")
    tree = tc.grow(table, "ctree", max_depth=1)
    grid = grids(feature_test_lines(tree, 0, table))[0]
    told = why_split(tree, 0, tc.candidates(tree, 0, table), by_hand=False, tests=grid)
    p = p_value(float(grid.rows[0][1]))
    assert told == f"because the p-value of its test, {p} when adjusted, is the smallest; 6 others were tested."


EVIL = r"\href{http://x}{y} $z$ {"


@pytest.mark.parametrize("settings", [{"score": "twoing"}, {"score": "chi_square"}, {"score": "gain_ratio"}, {}])
def test_names_never_reach_latex(settings):
    names = [EVIL, f"b{EVIL}"]
    counts = {(EVIL, EVIL): 20, (EVIL, names[1]): 10, ("b", EVIL): 70, ("b", names[1]): 5}
    table = counted_table(counts, ["x" + EVIL, "y"], [[EVIL, "b"], names])
    tree = tc.grow(table, loss=[[0, 2], [1, 0]], costs={"x" + EVIL: 2.0}, **settings)
    lines = lines_of(tree, table) + label_lines(tree, 1)
    assert not any("href" in text or "$" in text for text in formulas(lines))
    assert any(EVIL in str(line) for line in lines)


def test_long_formulas_are_broken_and_numbers_written_out():
    assert tex(1.5e-9) == r"1.5 \cdot 10^{-9}"
    assert tex(0.25) == "0.25"
    assert equation("a", ["1", " + 2"], "3").tex == "a = 1 + 2 = 3"
    long = equation("a", ["1234567890", *[" + 1234567890"] * 5], "12345").tex
    assert long.startswith(r"\begin{aligned}")
    assert long.count(r"\\") >= 2
    assert long.endswith(r"= 12345\end{aligned}")


def test_a_split_with_several_cuts_stands_among_the_candidates():
    table = read_sample("mpg")
    tree = tc.grow(table, "chaid", max_depth=1)
    found = tc.candidates(tree, 0, table)
    own = own_candidate(tree, 0, found, table)
    assert not any(c.chosen for c in found.ranked)
    assert own.branches[:2] == (("≤ 2150",), ("> 2150, ≤ 2575",))
    assert (own.gain, own.score) == pytest.approx((tree.gain[0], tree.gain[0]))
    assert sum(own.n_rows) == 398
