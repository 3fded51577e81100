"""Conditions and counts in words."""

from dataclasses import replace

import numpy as np
import pytest

import treecore as tc
from tests.property.naive import Sample
from treecore.data.samples import read_sample
from treecore.figures import count
from treecore.kernels.codes import CUTS, LEVELS, THRESHOLD
from treecore.tree.condition_text import branch_text, condition_text
from treecore.tree.schema import FeatureSchema
from treecore.tree.splits import Splits

NUMBER = FeatureSchema("L", "numeric")
SIZE = FeatureSchema("size", "ordinal", ("S", "M", "L", "XL"))
TOWN = FeatureSchema("town", "nominal", ("Ulm", "Kiel", "Bonn"))


def one(kind, threshold=np.nan, closed=False, low=0, levels=(), cuts=()):
    """A single test."""
    return Splits(
        kind=[kind], feature=[0], threshold=[threshold], closed=[closed], low_branch=[low],
        level_start=[0, len(levels)], level_branch=list(levels), missing_branch=[-1], unseen_branch=[-1],
        cut_start=[0, len(cuts)], cuts=list(cuts),
    )  # fmt: skip


def texts(feature, split, n, missing=None, words=branch_text):
    return [words(feature, split, 0, b, missing) for b in range(n)]


@pytest.mark.parametrize(
    ("closed", "expected"),
    [(False, ["< 2.45", "2.45 to 4.9", "≥ 4.9"]), (True, ["≤ 2.45", "> 2.45, ≤ 4.9", "> 4.9"])],
)
def test_several_cuts(closed, expected):
    split = one(CUTS, closed=closed, cuts=(2.45, 4.9))
    assert texts(NUMBER, split, 3) == expected
    inside = "2.45 < L ≤ 4.9" if closed else "2.45 ≤ L < 4.9"
    assert texts(NUMBER, split, 3, words=condition_text) == [f"L {expected[0]}", inside, f"L {expected[2]}"]


def test_several_cuts_with_missing_values_in_one_of_the_branches_or_apart():
    split = one(CUTS, cuts=(2.45, 4.9))
    assert texts(NUMBER, split, 3, missing=1) == ["< 2.45", "2.45 to 4.9 or missing", "≥ 4.9"]
    assert condition_text(NUMBER, split, 0, 1, 1) == "2.45 ≤ L < 4.9 or missing"
    apart = one(CUTS, cuts=(2.45, np.inf))
    assert texts(NUMBER, apart, 3, missing=2) == ["< 2.45", "≥ 2.45", "missing"]


def test_ordinal_cuts_use_the_names_of_the_levels():
    assert texts(SIZE, one(CUTS, cuts=(0.5, 2.5)), 3) == ["≤ S", "M to L", "≥ XL"]
    assert texts(SIZE, one(CUTS, cuts=(0.5, 1.5)), 3) == ["≤ S", "= M", "≥ L"]
    told = texts(SIZE, one(CUTS, cuts=(0.5, 2.5)), 3, words=condition_text)
    assert told == ["size ≤ S", "size from M to L", "size ≥ XL"]
    assert condition_text(SIZE, one(CUTS, cuts=(0.5, 1.5)), 0, 1) == "size = M"


@pytest.mark.parametrize("feature", [NUMBER, SIZE])
@pytest.mark.parametrize("low", [0, 1])
def test_an_infinite_threshold_parts_known_from_missing_values(feature, low):
    split = one(THRESHOLD, threshold=np.inf, low=low)
    expected = ["known", "missing"] if low == 0 else ["missing", "known"]
    assert texts(feature, split, 2, missing=1 - low) == expected
    assert texts(feature, split, 2, words=condition_text) == [f"{feature.name} is {word}" for word in expected]


def test_levels():
    split = one(LEVELS, levels=(0, 1, 1))
    assert texts(TOWN, split, 3) == ["= Ulm", "∈ {Kiel, Bonn}", "∈ {}"], "a branch that nothing goes down"
    assert texts(TOWN, split, 3, missing=2) == ["= Ulm", "∈ {Kiel, Bonn}", "= missing"]
    assert texts(TOWN, split, 2, missing=1) == ["= Ulm", "∈ {Kiel, Bonn} or missing"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7 + 2 / 3, "7.667"), (9.0, "9"), (8.999999999999998, "9"), (0.26490066, "0.2649"), (0.0, "0"),
        (123.456, "123.5"), (1234.56, "1234.6"), (0.05, "0.05"), (1e-5, "1e-05"), (1e6, "1000000"), (999.97, "1000.0"),
        (float("nan"), "–"),
    ],
)  # fmt: skip
def test_counts(value, text):
    assert count(value) == text


def test_counts_with_a_separator():
    assert [count(v, ",") for v in (1234567.0, 12345.67)] == ["1,234,567", "12,345.7"]
    assert [count(v, " ") for v in (1234567.0, 12345.67, 891.0)] == ["1 234 567", "12 345.7", "891"]


def test_a_rule_reads_well_where_missing_is_a_value():
    """Rows 0-3 are 0, 4-7 are 1; the two rows without x are 1: they join the high side."""
    sample = Sample(
        ["numeric", "numeric"], [[1, 1, 2, 2, 8, 8, np.nan, np.nan], [0, 1] * 4], [0, 0], [0] * 4 + [1] * 4, 2
    )
    tree = tc.grow(sample.table(), missing="own_value")
    assert [tree.node(t).rule for t in range(3)] == ["every row", "x0 < 5", "x0 ≥ 5 or missing"]
    assert tree.missing_rows[0] == 2
    usual = tc.grow(sample.table(), missing="majority")
    assert not any("missing" in usual.node(t).rule for t in range(usual.n_nodes))


def test_chaid_of_the_titanic():
    tree = tc.grow(read_sample("titanic"), "chaid", max_depth=3)
    rules = [tree.node(t).rule for t in range(tree.n_nodes)]
    assert "sex = male AND pclass ≥ 2 AND (14 < age ≤ 26 or missing)" in rules
    assert "sex = male AND pclass ≥ 2 AND age > 32" in rules


def test_nothing_is_added_where_no_value_was_missing():
    tree = tc.grow(read_sample("titanic"), missing="own_value", max_depth=1)
    assert tree.missing_rows[0] == 0
    assert {tree.node(1).branch, tree.node(2).branch} == {"= male", "= female"}
    without = replace(tree, growth={**tree.growth, "missing": "majority"})
    assert without.node(1).branch == tree.node(1).branch


def test_bins_of_numbers_are_told_by_their_cuts():
    """Levels "< 2", "2 to 4", "≥ 4" of an ordinal feature: a number equal to a cut lies above it."""
    bins = FeatureSchema("L", "ordinal", ("< 2", "2 to 4", "≥ 4"), cuts=(2.0, 4.0))
    assert texts(bins, one(THRESHOLD, threshold=0.5, closed=True), 2) == ["< 2", "≥ 2"]
    assert texts(bins, one(CUTS, cuts=(0.5, 1.5)), 3) == ["< 2", "2 to 4", "≥ 4"]
    assert condition_text(bins, one(CUTS, cuts=(0.5, 1.5)), 0, 1) == "2 ≤ L < 4"
    by_level = FeatureSchema("L", "numeric", cuts=(2.0, 4.0))
    assert texts(by_level, one(LEVELS, levels=(0, 1, 1)), 2) == ["< 2", "∈ {2 to 4, ≥ 4}"]
