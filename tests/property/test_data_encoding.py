"""Codes and roles: what holds for every column and every split."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from treecore.data import Roles, Table, assign_roles, level_column, numeric_column
from treecore.data.column import numeric_column_of_codes

NUMBERS = arrays.arrays(np.float64, st.integers(0, 60), elements=st.floats(allow_infinity=False) | st.integers(-3, 3))


@given(NUMBERS)
def test_codes_stand_for_the_values(values):
    column = numeric_column("x", values)
    np.testing.assert_array_equal(np.append(column.distinct, np.nan)[column.codes], values)
    assert (np.diff(column.distinct) > 0).all()
    assert ((column.codes >= 0) & (column.codes <= column.n_distinct)).all()
    np.testing.assert_array_equal(column.missing, np.isnan(values))


@given(NUMBERS, st.data())
def test_both_ways_of_encoding_agree(values, data):
    codes = data.draw(arrays.arrays(np.int64, 20, elements=st.integers(-1, len(values) - 1)))
    one = numeric_column_of_codes("x", codes, values)
    other = numeric_column("x", np.append(values, np.nan)[codes])
    np.testing.assert_array_equal(one.codes, other.codes)
    np.testing.assert_array_equal(one.distinct, other.distinct)


@given(NUMBERS, st.data())
def test_taking_rows_takes_values(values, data):
    column = numeric_column("x", values)
    rows = data.draw(
        arrays.arrays(
            np.int64, st.integers(0, 30 if len(values) else 0), elements=st.integers(0, max(len(values) - 1, 0))
        )
    )
    part = column.take(rows)
    np.testing.assert_array_equal(part.values(), values[rows])
    assert part.distinct is column.distinct


@st.composite
def fractions(draw):
    train = draw(st.integers(1, 20))
    validation = draw(st.integers(0, 20 - train))
    return train / 20, validation / 20, (20 - train - validation) / 20


@given(st.lists(st.integers(0, 3), max_size=80), fractions(), st.booleans(), st.integers(0, 5))
def test_roles_have_their_sizes_and_every_class_trains(labels, shares, stratify, seed):
    y = level_column("y", "nominal", np.array(labels, dtype=np.int64), list("abcd"))
    table = Table((y,), target="y")
    role = assign_roles(table, Roles(*shares, stratify=stratify, seed=seed))
    sizes = np.bincount(role, minlength=3)
    assert sizes.sum() == len(labels)
    assert (np.abs(sizes - np.array(shares) * len(labels)) <= 1 + 1e-9).all()
    if stratify:
        present, training = y.present() > 0, y.take(role == 0).present()
        assert (training[present] > 0).all() or training.max(initial=0) < 2
