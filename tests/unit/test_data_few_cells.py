"""Columns of few different cells, of which wide tables have very many, are read cell by cell: to the same numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore.data import number_reading
from treecore.data.column import numeric_column, numeric_column_of_codes
from treecore.data.readers import read_raw

CELLS = ("0", "7", "007", "-4", "1.5", "1.234", "12.000", "1,5", "1e5", ".5", "-0", "inf", "NA", "", "$5", "a", " 1")


@given(st.lists(st.sampled_from(CELLS), min_size=1, max_size=6))
def test_few_cells_are_read_as_many_would_be(cells):
    raw = read_raw(("x;y\n" + "".join(f"{cell};0,5\n" for cell in cells)).encode())
    few = number_reading.number_readings(raw.columns, raw.options, ";")["x"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(number_reading, "FEW", 0)
        many = number_reading.number_readings(raw.columns, raw.options, ";")["x"]
    for name in ("values", "missing", "bad"):
        np.testing.assert_array_equal(getattr(few, name), getattr(many, name))
    assert (few.formats, few.sign, few.settled_by) == (many.formats, many.sign, many.settled_by)


@given(st.lists(st.sampled_from([3.0, -1.0, 0.0, -0.0, 2.5, np.nan, 3.0]), max_size=6), st.data())
def test_numbers_in_any_order_are_encoded_as_their_values_are(known, data):
    codes = np.array(data.draw(st.lists(st.integers(-1, len(known) - 1), min_size=1, max_size=12)), np.int32)
    by_code = numeric_column_of_codes("x", codes, np.array(known))
    by_value = numeric_column("x", np.append(known, np.nan)[codes])
    np.testing.assert_array_equal(by_code.codes, by_value.codes)
    np.testing.assert_array_equal(by_code.distinct, by_value.distinct)
    assert not np.signbit(by_code.distinct[by_code.distinct == 0]).any()
