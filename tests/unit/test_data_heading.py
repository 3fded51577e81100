"""Titles, keys with values and units that have as many fields as the table: the names are found, or it is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore.data import ReadOptions, build_table, read_raw
from treecore.data.readers.heading_and_footer import without_lines
from treecore.errors import TreecoreError

ROWS = "".join(f"{i},{i % 7}.5,{'ab'[i % 2]}\n" for i in range(20))
NAMES = "id,size,kind\n"
TITLES = {
    "with a number": "Report, north, 2024\n",
    "with an empty field": "Report, north,\n\n",
    "of one word": "x,x,x\n",
    "with a date": "Report, 2024-05-01, north\n",
    "of several lines": "Station,Berlin,north\nHeight,120,south\nBy,hand,of me\n",
}


@pytest.mark.parametrize("title", TITLES)
def test_names_are_found_below_a_title_of_as_many_fields(title):
    raw = read_raw((TITLES[title] + NAMES + ROWS).encode())
    assert raw.names == ("id", "size", "kind")
    assert (raw.n_rows, raw.doubts) == (20, ())
    line = TITLES[title].count("\n") + 1
    assert any(f"the names stand in line {line}" in note for note in raw.notes)
    assert build_table(raw, target="kind").column("size").kind == "numeric"


@pytest.mark.parametrize("above", ["Station,Berlin\nHeight,120\n", "Station,Berlin\nDate,2024-05-01\n", "Height,120\n"])
def test_names_are_found_below_keys_with_values(above):
    raw = read_raw((above + "x,y\n" + "1,2.5\n2,3.5\n3,1.5\n" * 5).encode())
    assert (raw.names, raw.n_rows) == (("x", "y"), 15)


def test_a_title_that_could_be_names_is_said_with_what_can_be_done():
    data = ("Report,north,first\n" + NAMES + ROWS).encode()
    raw = read_raw(data)
    [doubt] = raw.doubts
    assert "Line 2 ('id, size, kind') is read as a row" in doubt.text
    assert doubt.text in raw.notes
    assert dict(doubt.remedies) == {
        "Leave line 2 out": (("without_lines", (2,)),),
        "Line 2 holds the names": (("skip_lines", 1),),
    }
    assert read_raw(data, options=ReadOptions(skip_lines=1)).names == ("id", "size", "kind")


WORDS = "a,b,c\n" + "x,y,z\nu,v,w\n" * 10


def test_a_title_above_columns_of_words_is_said():
    [doubt] = read_raw(("Report, north, 2024\n" + WORDS).encode()).doubts
    assert doubt.text.startswith("Line 2 ('a, b, c')")
    assert read_raw(WORDS.encode()).doubts == ()
    assert read_raw(("Report, north, 2024\n" + WORDS[6:]).encode()).doubts == ()


UNITS = ["no,cm,\n", "kg,kg,-\n", "[m],[s],[none]\n", "%,€,word\n"]


@pytest.mark.parametrize("units", UNITS)
def test_units_below_the_names_are_said_and_left_out_when_asked(units):
    data = (NAMES + units + ROWS).encode()
    raw = read_raw(data)
    assert raw.names == ("id", "size", "kind")
    [doubt] = raw.doubts
    assert doubt.text.startswith("Line 2 (")
    left = read_raw(data, options=ReadOptions(**dict(doubt.remedies[0][1])))
    assert (left.names, left.n_rows, left.doubts) == (raw.names, 20, ())
    assert left.lines == (1, 20, 1, 0)
    assert "Left out as you said: line 2." in left.notes
    assert build_table(left, target="kind").column("size").kind == "numeric"


def test_units_and_remarks_below_the_names_are_two_lines():
    raw = read_raw((NAMES + "m,s,kg\nheight,time,weight\n" + ROWS).encode())
    assert raw.names == ("id", "size", "kind")
    assert [doubt.text[:10] for doubt in raw.doubts] == ["Lines 2, 3"]


def test_words_that_sort_before_numbers_are_rows():
    raw = read_raw(("code,kind\n" + "".join(f"A{i},k{i}\n" for i in range(40)) + "1,x\n2,y\n" * 90).encode())
    assert (raw.names, raw.n_rows) == (("code", "kind"), 220)


@pytest.mark.parametrize(
    "text",
    [
        NAMES + ROWS,
        NAMES + "?,unknown,a\n" + ROWS,
        NAMES + "1,unknown,a\n" + ROWS,
        NAMES + ROWS + "total,none of them,c\n",
        "id,2019,2020\nx,1,2\ny,2,3\nz,3,4\n",
        "a,b\nx,y\nz,u\nv,w\n",
        "x,kind\n1,a\n2,b\n",
        ",a,b\nr,1,2\ns,3,4\nt,5,6\n",
    ],
)
def test_of_plain_files_nothing_is_said(text):
    raw = read_raw(text.encode())
    assert raw.doubts == ()
    assert not any("no part of the table" in note for note in raw.notes)


@given(st.binary().map(lambda b: b.replace(b"\r", b"")), st.sets(st.integers(1, 9)))
def test_lines_left_out_are_blank_and_the_others_as_they_were(utf8, lines):
    expected = [b"\n" if n in lines else line for n, line in enumerate(utf8.splitlines(keepends=True), 1)]
    assert without_lines(b"".join(utf8.splitlines(keepends=True)), sorted(lines)) == b"".join(expected)


@pytest.mark.parametrize("lines", [0, [-1], ["x"], [True]])
def test_what_is_no_line_cannot_be_left_out(lines):
    with pytest.raises(TreecoreError, match="is the number of no line"):
        ReadOptions(without_lines=lines)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_names_repeated_among_the_rows_are_said_and_left_out_when_asked(end):
    quoted = '"a\nb",1.5,a\n'
    data = (NAMES + ROWS + NAMES + quoted + "\n" + NAMES + ROWS).replace("\n", end).encode()
    raw = read_raw(data)
    assert raw.n_rows == 43
    [doubt] = raw.doubts
    assert doubt.text == "Lines 22, 26 repeat the names and are read as rows."
    left = read_raw(data, options=ReadOptions(**dict(doubt.remedies[0][1])))
    assert (left.n_rows, left.doubts) == (41, ())
    assert left.lines.skipped == 2
    assert build_table(left, target="kind").column("kind").levels == ("a", "b")


def test_names_repeated_in_part_are_a_row():
    assert read_raw((NAMES + ROWS + "id,size,a\n" + ROWS).encode()).doubts == ()


def test_names_are_repeated_beside_lines_left_out_before():
    raw = read_raw((NAMES + "m,s,\n" + ROWS + NAMES).encode(), options=ReadOptions(without_lines=[2]))
    assert dict(raw.doubts[0].remedies) == {"Leave line 23 out": (("without_lines", (2, 23)),)}


def test_names_that_are_all_numbers_are_named_as_a_row_and_can_be_said():
    data = b"2019,2020,2021\n1,2,3.5\n4,5,6.5\n7,8,9.5\n"
    raw = read_raw(data)
    assert (raw.n_rows, raw.names[0]) == (4, "column 1")
    [doubt] = raw.doubts
    assert "only numbers" in doubt.text
    left = read_raw(data, options=ReadOptions(**dict(doubt.remedies[0][1])))
    assert (left.names, left.n_rows, left.doubts) == (("2019", "2020", "2021"), 3, ())
    assert read_raw(data, options=ReadOptions(header=False)).doubts == ()


def test_a_first_line_of_numbers_and_words_is_said():
    data = b"5.1,3.5,setosa\n" + b"4.9,3.0,setosa\n6.2,2.9,other\n" * 10
    raw = read_raw(data)
    [doubt] = raw.doubts
    assert "The first line ('5.1, 3.5, setosa') was read as the names" in doubt.text
    as_row, as_names = [read_raw(data, options=ReadOptions(**dict(changes))) for _, changes in doubt.remedies]
    assert (as_row.n_rows, as_row.doubts, as_names.n_rows, as_names.doubts) == (21, (), 20, ())
