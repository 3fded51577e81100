"""Rows sent down in blocks, by codes and side by side, against each row sent alone by its values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.naive import Sample
from tests.property.test_core_twins import samples
from tests.property.twin_settings import many_rows, twin_growths
from treecore.growing.settings.parts import MISSING_STRATEGIES
from treecore.kernels.route import walk_shared
from treecore.tree import predict
from treecore.tree.predict import predicted_labels, route
from treecore.tree.routing import routing_of
from treecore.tree.values import Scale, before_rounding

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
NEAR_FLOAT32 = st.builds(
    lambda x, steps: float(np.float32(x)) * (1 + steps * 2.0**-26),
    st.floats(allow_nan=False, allow_infinity=False, width=32), st.integers(-8, 8),
)  # fmt: skip


def alone(tree, table):
    """{(row, node): share}, of rows sent one after the other by their values."""
    routing, values = routing_of(tree, table)
    n, room = tree.n_nodes, tree.n_nodes * (table.n_rows + 1)
    out = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    work = np.zeros(n, np.int64), np.zeros(n)
    written, row = walk_shared(routing, np.ascontiguousarray(values), table.n_rows, 0, *work, *out)
    assert row == table.n_rows
    return dict(zip(zip(out[0][:written], out[1][:written], strict=True), out[2][:written], strict=True))


def check(tree, table):
    routes, expected = route(tree, table), alone(tree, table)
    assert dict(zip(zip(routes.row, routes.node, strict=True), routes.share, strict=True)) == expected
    assert (np.diff(routes.row) >= 0).all()


@given(st.data())
@settings(max_examples=150)
def test_routes_by_codes_are_those_by_values(data):
    sample = data.draw(samples())
    table = sample.table()
    tree = tc.grow(table, data.draw(twin_growths(sample)))
    check(tree, table)


@pytest.mark.parametrize("missing", list(MISSING_STRATEGIES))
def test_blocks_and_threads_never_show_in_the_answers(missing, monkeypatch):
    rng = np.random.default_rng(3)
    for n_classes in (0, 3):
        table = many_rows(rng, n_classes=n_classes, missing=0.2, n=120).table()
        tree = tc.grow(table, missing=missing)
        answers = []
        for rows_of_a_block, rows_of_a_thread in ((1 << 14, 1 << 16), (16, 1 << 16), (32, 40)):
            monkeypatch.setattr(predict, "MOST_ROWS", rows_of_a_block)
            monkeypatch.setattr(predict, "LEAST_ROWS", 16)
            monkeypatch.setattr(predict, "ROWS_OF_A_THREAD", rows_of_a_thread)
            check(tree, table)
            found = [tree.apply(table), tree.predict(table)]
            found += [tree.predict_proba(table), predicted_labels(tree, table)] if n_classes else []
            answers.append(found)
        for later in answers[1:]:
            for a, b in zip(answers[0], later, strict=True):
                assert np.array_equal(a, b)


@given(st.lists(st.one_of(NUMBERS, NEAR_FLOAT32), min_size=1, max_size=30), NEAR_FLOAT32, st.booleans())
def test_thresholds_before_and_after_rounding_part_alike(numbers, threshold, closed):
    with np.errstate(over="ignore"):
        rounded = np.array(numbers, np.float32).astype(float)
    at, inclusive = before_rounding(np.array([threshold]), np.array([closed]))
    low = rounded <= threshold if closed else rounded < threshold
    assert np.array_equal(np.array(numbers) <= at[0] if inclusive[0] else np.array(numbers) < at[0], low)


@given(
    st.sets(st.one_of(NUMBERS, NEAR_FLOAT32, st.sampled_from([0.0, 1.0, 2.0])), min_size=1, max_size=20),
    st.one_of(st.none(), NEAR_FLOAT32, st.sampled_from([-1.0, 0.5, 1.0, 9.0])),
    st.lists(st.one_of(NEAR_FLOAT32, st.sampled_from([-np.inf, -0.0, 0.25, 0.5, 0.75, 1.0, np.inf])), min_size=1),
    st.booleans(), st.sampled_from(["float32", "float64"]),
)  # fmt: skip
def test_places_on_a_scale_are_parted_as_the_values_are(distinct, fill, thresholds, closed, precision):
    """Of every value, and of the number that stands in for a missing one wherever it lies."""
    distinct, thresholds = np.array(sorted({x + 0.0 for x in distinct})), np.array(thresholds)
    scale = Scale(distinct, fill, precision, False)
    values, places = np.append(distinct, [] if fill is None else fill), np.arange(len(distinct), dtype=float)
    places = np.append(places, [] if fill is None else scale.missing)
    with np.errstate(over="ignore"):
        values = values.astype(precision).astype(float)
    limits = scale.limits(thresholds, np.full(len(thresholds), closed))
    low = values <= thresholds[:, None] if closed else values < thresholds[:, None]
    assert np.array_equal(places <= limits[:, None], low)


def test_a_row_is_answered_alike_whatever_rows_come_with_it():
    """A row that is not shared gets its node's label, also beside rows that are."""
    table = many_rows(np.random.default_rng(1), n_classes=3, missing=0.3, n=60).table()
    tree = tc.grow(table, missing="fractional")
    together = predicted_labels(tree, table)
    assert together.tolist() == [int(predicted_labels(tree, table.take(np.array([i])))[0]) for i in range(60)]


def test_a_lone_root_needs_no_values():
    table = Sample(["numeric"], [[1, 2, 3, 4]], [0], [0, 0, 1, 1], 2).table()
    tree = tc.grow(table, max_depth=0)
    assert tree.apply(table).tolist() == [0, 0, 0, 0]
