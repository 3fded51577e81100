"""One error: what, where, remedy."""

import pickle

from treecore import TreecoreError


def test_an_error_reads_as_what_where_and_remedy():
    error = TreecoreError("'n/a' is not a number", where="Column 'age'", remedy="Treat it as missing")
    assert str(error) == "Column 'age': 'n/a' is not a number. Treat it as missing."
    assert (error.what, error.where, error.remedy) == ("'n/a' is not a number", "Column 'age'", "Treat it as missing")


def test_parts_may_be_left_out_and_full_stops_are_not_doubled():
    assert str(TreecoreError("Nothing here")) == "Nothing here."
    assert str(TreecoreError("Nothing here", remedy="Go on.")) == "Nothing here. Go on."


def test_an_error_survives_pickling_and_is_a_value_error():
    error = TreecoreError("what", where="where", remedy="remedy")
    again = pickle.loads(pickle.dumps(error))
    assert (again.what, again.where, again.remedy, str(again)) == ("what", "where", "remedy", str(error))
    assert isinstance(again, ValueError)
