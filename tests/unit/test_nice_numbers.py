"""Numbers that people would name, and the scale on which changes cost."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treecore as tc
from treecore.data.samples import read_sample
from treecore.export.portable import Portable
from treecore.predicting.counterfactual import Limits, changes, limits_of
from treecore.predicting.leaf_boxes import Span, nice_number

LIMIT = st.floats(-1e9, 1e9, allow_nan=False)


@pytest.mark.parametrize(
    ("span", "value", "whole", "expected"),
    [
        (Span(23449.7, math.inf), 21000.0, False, 23450.0),
        (Span(2.45, 4.75, True), 1.0, False, 2.45),
        (Span(2.45, 4.75, False), 1.0, False, 2.46),
        (Span(-math.inf, 10.0), 12.0, False, 9.99),
        (Span(3.5, 8.5), 1.0, True, 4.0),
        (Span(3.2, 3.8), 1.0, True, None),
        (Span(3.0, 3.5, False, True), 9.0, True, None),
        (Span(0.5, 2.0), None, False, None),
        (Span(-1.0, 2.0), None, False, 0.0),
    ],
)
def test_the_nearest_number_has_few_digits(span, value, whole, expected):
    found = nice_number(span, value, whole)
    if expected is None and not whole:
        assert span.holds(found)
    else:
        assert found == expected


@given(LIMIT, LIMIT, LIMIT, st.booleans(), st.booleans())
def test_it_lies_within_and_near(low, high, value, low_in, high_in):
    span = Span(min(low, high), max(low, high), low_in, high_in)
    found = None if span.empty else nice_number(span, value)
    if found is None:
        assert span.empty or math.nextafter(span.low, math.inf) >= span.high
        return
    assert span.holds(found)
    edge = min(max(value, span.low), span.high)
    assert abs(found - edge) <= 0.03 * abs(edge - value) + 1e-3 * abs(edge) + 1e-12


def test_a_column_of_whole_numbers_is_changed_by_whole_numbers():
    table = read_sample("mpg")
    limits = limits_of(table)
    assert {"weight", "model_year"} <= limits.whole
    assert all(scale > 0 for scale in limits.scale.values())
    tree = tc.grow(table, max_depth=4)
    row = {
        name: value for name, value in table.take(np.array([0])).to_frame().iloc[0].items() if name in tree_names(tree)
    }
    found = changes(Portable(tree), row, (30.0, 50.0), limits)
    assert found
    assert all(float(v).is_integer() for change in found for n, v in change.values.items() if n in limits.whole)
    assert found[0].text.startswith(("raise ", "lower ", "change "))


def tree_names(tree) -> set:
    return {feature.name for feature in tree.schema.features}


def test_nothing_is_changed_where_the_answer_is_so_already_and_nothing_helps_where_all_is_locked():
    tree = tc.grow(read_sample("iris"), max_depth=2)
    row = {"petallength": 1.0, "petalwidth": 0.2, "sepallength": 5.0, "sepalwidth": 3.0}
    assert changes(Portable(tree), row, "Iris-setosa")[0].values == {}
    locked = Limits(locked=frozenset(row))
    assert changes(Portable(tree), row, "Iris-virginica", locked) == ()
    with pytest.raises(tc.TreecoreError, match="no class"):
        changes(Portable(tree), row, "Iris-azurea")
    with pytest.raises(tc.TreecoreError, match="no such feature"):
        changes(Portable(tree), row, "Iris-virginica", Limits(locked=frozenset({"colour"})))
    with pytest.raises(tc.TreecoreError, match="above 0"):
        Limits(costs={"petalwidth": 0})
    with pytest.raises(tc.TreecoreError, match="up or down"):
        Limits(one_way={"petalwidth": "left"})
