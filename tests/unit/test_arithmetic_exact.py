"""Fractions, more digits and leaves: what the arithmetic shows beside the five digits of every line."""

from fractions import Fraction

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_arithmetic import formulas, lines_of, named
from treecore.data.samples import read_sample
from treecore.explaining.branch_statistics import branch_statistics
from treecore.explaining.node_arithmetic import EXACT_IMPURITIES, exact_lines, leaf_lines
from treecore.figures import at_least, brief, number, tex


def told(lines, name) -> Fraction:
    """The last fraction of the line that begins with this name."""
    text = next(t for t in formulas(lines) if t.replace(r"\begin{aligned}&", "").startswith(name))
    last = text.rsplit("= ", 1)[1].removesuffix(r"\end{aligned}").strip()
    return Fraction(*map(int, last.removeprefix(r"\tfrac{").removesuffix("}").split("}{")))


@pytest.mark.parametrize("criterion", EXACT_IMPURITIES)
@pytest.mark.parametrize("name", ["play_tennis", "willwait", "titanic"])
def test_fractions_are_the_gains_of_the_tree(name, criterion):
    table = read_sample(name)
    tree = tc.grow(table, "cart", criterion=criterion)
    for node in np.flatnonzero(~tree.is_leaf)[:8]:
        lines = exact_lines(branch_statistics(tree, int(node), table))
        whole = [int(n) for n in tree.stats[node]]
        if name != "titanic":  # there some rows have no age, and do not judge
            squares = sum(Fraction(n, sum(whole)) ** 2 for n in whole)
            wrong = 1 - Fraction(max(whole), sum(whole))
            mine = {"gini": 1 - squares, "misclassification": wrong}.get(criterion, (1 - squares) / 2)
            assert told(lines, "i(t)") == mine
            assert float(told(lines, r"\Delta i")) == pytest.approx(tree.gain[node], abs=1e-12)


def test_an_entropy_is_no_fraction_and_altered_counts_are_none():
    table = read_sample("play_tennis")
    assert exact_lines(branch_statistics(tc.grow(table, "id3"), 0, table)) == []
    assert exact_lines(branch_statistics(tc.grow(table, "cart", priors=(0.5, 0.5)), 0, table)) == []


def test_more_digits_within_and_none_after():
    table = read_sample("play_tennis")
    tree = tc.grow(table, "id3")
    with at_least(12):
        assert named(lines_of(tree, table), r"\Delta i") == pytest.approx(0.246749819774, abs=1e-12)
        assert tex(1 / 3, 4) == "0.333333333333"
    assert tex(1 / 3) == "0.33333"


def test_zero_has_no_sign_and_a_gain_of_nothing_is_0():
    assert (tex(-0.0), number(-0.0), brief(-0.0)) == ("0", "0", "0")
    table = read_sample("xor")
    tree = tc.grow(table, "id3", zero_gain="split")
    [gain] = [t for t in formulas(lines_of(tree, table)) if t.startswith(r"\Delta i") or r"&\Delta i" in t]
    assert gain.removesuffix(r"\end{aligned}").strip().endswith("= 0")


def test_the_arithmetic_of_a_leaf():
    table = read_sample("play_tennis")
    tree = tc.grow(table, "id3", max_depth=1)
    sunny = next(t for t in range(tree.n_nodes) if tree.node(t).rule == "Outlook = Sunny")
    lines = leaf_lines(tree, sunny, table)
    assert named(lines, "i(t)") == pytest.approx(0.97095, abs=1e-5)
    assert r"\tfrac{3}{5} = 0.6" in formulas(lines)[1]
    assert formulas(lines)[2].endswith(r"\tfrac{2}{5} = 0.4")
    wrong = leaf_lines(tc.grow(table, "cart", criterion="misclassification", max_depth=0), 0, table)
    assert formulas(wrong)[0] == r"i(t) = 1 - \tfrac{9}{14} = 0.35714"
    curve = read_sample("curve")
    numbers = tc.grow(curve, "cart", criterion="squared_error", max_depth=1)
    assert named(leaf_lines(numbers, 1, curve), r"\bar g") == pytest.approx(float(numbers.value[1]), rel=1e-4)
    empty = next(t for t in range(tc.grow(table, "id3").n_nodes) if tc.grow(table, "id3").weight[t] == 0)
    assert "No training row" in leaf_lines(tc.grow(table, "id3"), empty, table)[0].text
