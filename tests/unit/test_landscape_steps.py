"""Step by step: the order of the splits, and arithmetic that comes out even with missing values."""

import re

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import grown
from treecore.growing.arithmetic import gain_arithmetic
from treecore.growing.steps import split_order, step_arithmetic


@pytest.mark.parametrize("settings", [{}, {"max_leaves": 9}])
def test_after_k_splits_the_tree_holds_the_first_k(settings):
    tree, _ = grown("titanic", **settings)
    order = split_order(tree)
    assert len(order) == np.count_nonzero(~tree.is_leaf)
    for k in range(0, len(order), 3):
        part = tree.after(k)
        assert sorted(np.flatnonzero(~part.is_leaf)) == sorted(order[:k])


def numbers(line: str) -> list[float]:
    return [float(x) for x in re.findall(r"(?<![\w{.])-?\d+\.\d+|(?<== )\d+", line)]


@pytest.mark.parametrize("sample", ["titanic", "mpg"])
def test_the_arithmetic_ends_in_the_gain_also_where_values_are_missing(sample):
    tree, tables = grown(sample, max_depth=5)
    n_missing = 0
    for node in split_order(tree).tolist():
        found = tc.candidates(tree, node, tables["train"])
        lines = step_arithmetic(tree, node, found)
        n_missing += lines != gain_arithmetic(tree, node)
        assert numbers(lines[-1])[-1] == pytest.approx(tree.gain[node], rel=1e-4)
        gain = lines[1 + int(tree.n_children[node])]
        node_impurity, *_ = numbers(gain)
        terms = re.findall(r"\\tfrac\{([\d.e+]+)\}\{([\d.e+]+)\} \\cdot ([\d.e+-]+)", gain)
        rest = sum(float(a) / float(b) * float(i) for a, b, i in terms)
        assert sum(float(a) for a, *_ in terms) == pytest.approx(float(terms[0][1]))
        assert node_impurity - rest == pytest.approx(float(gain.split("= ")[-1]), rel=1e-3, abs=5e-5 * node_impurity)
    assert n_missing > 0, "both tables have missing values"
