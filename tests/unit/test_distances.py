"""Distances and the four conditions of a metric: who breaks which, on rows worked out by hand."""

import numpy as np
import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.study.distances import DISTANCES, axioms, between, points_of

BROKEN = {
    "squared": {"Triangle"}, "first": {"0 only for equal rows"}, "climb": {"0 only for equal rows", "Symmetric"},
    "signed": {"Not negative", "0 only for equal rows", "Symmetric"},
}  # fmt: skip
"""Of a table whose rows are met in every order; the four that are not named are metrics."""


@pytest.mark.parametrize("name", DISTANCES)
def test_each_distance_breaks_its_own_conditions(name):
    points = np.array([[0.0, 0], [0, 3], [4, 0], [4, 3], [1, 2], [2, 1]])
    found = axioms(DISTANCES[name], np.arange(6), points)
    assert {axiom.label for axiom in found if not axiom.holds} == BROKEN.get(name, set())


def test_the_metrics_of_the_notes():
    points = np.array([[0.0, 0], [3, 4]])
    assert [DISTANCES[n].of(points)[0, 1] for n in ("euclidean", "taxicab", "discrete", "hamming")] == [5, 7, 1, 2]


def test_the_triple_that_breaks_the_triangle_by_most():
    triangle = axioms(DISTANCES["squared"], np.array([4, 7, 9]), np.array([[0.0], [1], [2]]))[3]
    assert triangle.rows == (4, 7, 9)
    assert triangle.text == "d(x, z) = 4 > 2 = 1 + 1 = d(x, y) + d(y, z)"
    assert (triangle.n_broken, triangle.n_checked) == (2, 27)


@pytest.mark.parametrize("name", ["euclidean", "taxicab", "discrete"])
def test_the_three_metrics_hold_on_rows_of_a_sample(name):
    penguins = read_sample("penguins")
    rows, points = points_of(penguins, ("bill_length_mm", "body_mass_g"), DISTANCES[name].any_kind)
    assert len(rows) == 120
    assert all(axiom.holds for axiom in axioms(DISTANCES[name], rows, points))


def test_words_have_no_distance_but_may_be_equal():
    teeth = read_sample("teeth")
    with pytest.raises(TreecoreError, match="no distance between words"):
        points_of(teeth, teeth.features, any_kind=False)
    rows, points = points_of(teeth, teeth.features, any_kind=True)
    assert all(axiom.holds for axiom in axioms(DISTANCES["discrete"], rows, points))
    with pytest.raises(TreecoreError, match="No column"):
        points_of(teeth, (), any_kind=True)


def test_rows_with_gaps_and_rows_met_before_are_passed_over():
    import pandas as pd

    table = tc.read_table(pd.DataFrame({"x": [1.0, None, 1.0, 2.5], "y": list("abab")}), target="y")
    rows, points = points_of(table, ("x",), any_kind=False)
    assert (rows.tolist(), points.tolist()) == ([0, 3], [[1.0], [2.5]])


@pytest.mark.parametrize("name", DISTANCES)
def test_two_rows_are_as_far_apart_as_the_matrix_says(name):
    table, distance = read_sample("iris"), DISTANCES[name]
    names = list(table.features)
    points = points_of(table.take([0, 60]), names, distance.any_kind)[1]
    found = between(table, names, distance, 0, 60)
    assert found.value == distance.of(points)[0, 1]
    added = [part for *_, part in found.parts]
    if None not in added:
        total = sum(added)
        assert (total**0.5 if name == "euclidean" else total) == pytest.approx(found.value)


def test_a_row_without_a_value_has_no_distance():
    table = tc.read_table(b"a,b,y\n1,2,p\n,3,q\n4,4,p\n", target="y")
    with pytest.raises(tc.TreecoreError, match="Row 2 has no value"):
        between(table, ["a", "b"], DISTANCES["taxicab"], 0, 1)
    assert between(table, ["a", "b"], DISTANCES["taxicab"], 0, 2).text == "3 + 2 = 5"
    assert between(table, ["a", "b"], DISTANCES["euclidean"], 0, 2).text.startswith("√(9 + 4) = 3.60")
