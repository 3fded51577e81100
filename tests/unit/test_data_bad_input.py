"""Bad input: each fault has a message that names the place and the remedy."""

import numpy as np
import pytest

from treecore.data import Ordinal, RaggedLines, ReadOptions, read_raw, read_table
from treecore.errors import TreecoreError

RAGGED = b'a,b\n1,2\n3\n4,5,6\n\n"x\ny",7\n8,9,10,11\n12,13\n'


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        (b"", {}, "File 'f.csv': The file is empty.*column names"),
        (b" \n\r\n ", {}, "empty"),
        (b"\xef\xbb\xbf", {}, "empty"),
        ("\ufeff\n".encode("utf-16-le"), {}, "empty"),
        (b"a,b\n", {}, "header but no row"),
        (b"a,b\n\n  \n", {}, "header but no row"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", {}, "File 'f.csv': It is a PNG image.*CSV or Parquet"),
        (b"PK\x03\x04rest", {}, "File 'f.csv': The file is damaged or not complete.*save or pack it again"),
        (b"\x1f\x8b\x08\0rest", {}, "The file is damaged or not complete"),
        (b"a,b\n1,2\n\0\0\0", {}, "not text"),
        (b"\x01\x02\x03\x04\x05\x06" * 40, {}, "control characters"),
        (b"a,y\n1,no\n2,n\0o\n", {}, "1 of the first 15 bytes are control characters, the first in line 3"),
        (b"\xef\xbb\xbf\n<!DOCTYPE html>\n<title>404, not found</title>", {}, "It is a web page .HTML."),
        (b"<TABLE border=1>\n<tr><td>1</td></tr>", {}, "It is a web page .HTML."),
        (b'<?xml version="1.0"?>\n<rows/>', {}, "It is an XML document"),
        (b'{"a": 1, "y": "no"}', {}, "It is one object, not a list of records.*one record in a line"),
        (b"{\\rtf1\\ansi a,y\n1,no}", {}, "It is a document in rich text"),
        (b"a,b\n" + b"1,2\n" * 20000 + b"1,\0\n", {}, "NUL character in line 20002"),
        ("a,b\n1,\xe9\n".encode("cp1252"), {"encoding": "utf-8"}, "Line 2 is not utf-8.*0xe9.*cp1252"),
        (b"a,b\n1,2\n", {"encoding": "utf-99"}, "'utf-99' is not an encoding.*utf-8, utf-16"),
        ("a,b\n1,é\n".encode(), {"encoding": "ascii"}, "Line 2 is not ascii"),
        (b"a,b\n1,2\n", {"max_bytes": 5}, "8 bytes; the limit is 5 bytes.*Parquet"),
        (b'a,b\n1,"x\n2,3\n4,5\n', {}, r'quote \("\) opened in line 2 is never closed'),
        (b"PAR1 but not really", {}, "Parquet file cannot be read"),
        (b"a,b\n1\n2\n", {"skip_ragged": True}, "No row is left: all 2"),
        (b"a,b\n1,2\n", {"delimiter": ",,"}, "cannot separate"),
        (b"a,b\n1,2\n", {"decimal": ";"}, "decimal"),
        (b"a,b\n1,2\n", {"quote": "''"}, "cannot quote"),
    ],
)
def test_files_that_cannot_be_read(data, options, words):
    with pytest.raises(TreecoreError, match=words):
        read_raw(data, name="f.csv", options=ReadOptions(**options))


def test_sources_that_are_none(tmp_path):
    with pytest.raises(TreecoreError, match=r"nowhere.csv'.*no such file"):
        read_raw("nowhere.csv")
    with pytest.raises(TreecoreError, match=r"a folder"):
        read_raw(tmp_path)
    with pytest.raises(TreecoreError, match=r"int is no source"):
        read_raw(7)
    with pytest.raises(TreecoreError, match=r"'encodign' is not a setting.*encoding"):
        read_table(b"a,b\n1,2\n", encodign="utf-8")


def test_a_file_over_the_limit_is_not_even_opened(tmp_path):
    path = tmp_path / "big.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 100_000)
    with pytest.raises(TreecoreError, match=r"big.csv.*0.4 MB; the limit is 0.1 MB"):
        read_raw(path, options=ReadOptions(max_bytes=100_000))


def test_ragged_lines_are_listed_with_their_numbers():
    with pytest.raises(RaggedLines, match=r"line 3 has 1; line 4 has 3; line 8 has 4.*skip_ragged") as caught:
        read_raw(RAGGED)
    rejects = caught.value.rejects
    assert [(r.line, r.n_fields, r.expected) for r in rejects] == [(3, 1, 2), (4, 3, 2), (8, 4, 2)]
    assert rejects[1].text == "4,5,6"


def test_ragged_lines_are_skipped_when_asked_and_remembered():
    raw = read_raw(RAGGED, options=ReadOptions(skip_ragged=True))
    assert raw.n_rows == 3
    assert [reject.line for reject in raw.rejects] == [3, 4, 8]
    assert any("3 lines" in note and "3, 4, 8" in note for note in raw.notes)


def test_only_ten_ragged_lines_are_named_but_all_are_kept():
    data = b"a,b\n1,2\n" + b"1,2,3\n4,5\n" * 25
    with pytest.raises(RaggedLines, match=r"25 lines have not the 2 fields.*line 21 has 3; and 15 more") as caught:
        read_raw(data)
    assert len(caught.value.rejects) == 25


def test_one_ragged_line_does_not_spoil_the_delimiter():
    with pytest.raises(RaggedLines) as caught:
        read_raw(b"a;b;c\n1,5;2;3\n1,5;2\n1,5;2;4\n2,5;2;4\n")
    assert [(r.line, r.n_fields, r.expected) for r in caught.value.rejects] == [(3, 2, 3)]


def test_a_cell_that_is_no_number_is_named_with_its_rows():
    csv = b"age,y\n" + b"".join(b"absent,a\n" if row in (2, 16) else b"%d.5,b\n" % row for row in range(20))
    with pytest.raises(
        TreecoreError,
        match=r"Column 'age': 'absent' is not a number \(first at rows 3 and 17\)\. "
        r"Treat it as missing, or make the column nominal\.",
    ):
        read_table(csv, kinds={"age": "numeric"})
    table = read_table(csv, kinds={"age": "numeric"}, extra_missing=("absent",))
    assert table.column("age").n_missing == 2
    assert read_table(csv, kinds={"age": "nominal"}).column("age").kind == "nominal"


def test_infinite_values_stop_a_feature_but_not_a_column_left_out():
    csv = b"x,z,y\n1.5,1,a\ninf,2.5,b\n2.5,3,a\n"
    with pytest.raises(TreecoreError, match=r"Column 'x': 1 infinite values \(first at row 2\)"):
        read_table(csv, target="y")
    assert read_table(csv, target="y", infinite="missing").column("x").n_missing == 1
    assert read_table(csv, target="y", features=["z"]).features == ("z",)
    with pytest.raises(TreecoreError, match=r"infinite="):
        read_table(csv, target="y", infinite="ignore")


def test_a_column_without_a_value_is_left_out_and_said():
    table = read_table(b"x,empty,y\n1,,a\n2,NA,b\n1,,a\n", target="y")
    assert table.features == ("x",)
    assert any("'empty' is left out: every value is missing" in note for note in table.notes)
    assert table.column("empty").n_missing == 3


def test_values_outside_the_declared_levels():
    csv = b"size,y\nS,a\nXS,b\nM,a\nXS,b\n"
    with pytest.raises(TreecoreError, match=r"Column 'size': 'XS' is not one of .*'S', 'M'.*rows 2 and 4"):
        read_table(csv, kinds={"size": Ordinal(["S", "M"])})


def test_weights_must_be_weights():
    csv = b"x,w,y\n1,1,a\n2,-2,b\n3,1,a\n"
    with pytest.raises(TreecoreError, match=r"Column 'w': The weight of row 2 is -2.*0 or more"):
        read_table(csv, target="y", weights="w")
    with pytest.raises(TreecoreError, match=r"row 3 is nan"):
        read_table(csv, target="y", weights=[1, 2, np.nan])
    with pytest.raises(TreecoreError, match=r"2 weights for 3 rows"):
        read_table(csv, target="y", weights=[1, 2])
    with pytest.raises(TreecoreError, match=r"Column 'y': .*no weights"):
        read_table(b"x,y\n1,red\n2,blue\n3,red\n", target="x", weights="y")
    table = read_table(csv.replace(b"-2", b"2"), target="y", weights="w")
    assert table.weights.tolist() == [1, 2, 1]
    assert "w" not in table.features
