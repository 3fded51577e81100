"""Lines above the names: found, said, and under the user's control."""

import pytest

from treecore.data import ReadOptions, read_raw
from treecore.data.readers.heading_and_footer import first_lines
from treecore.errors import TreecoreError

ROWS = "".join(f"{i},{i % 7}.5,{'ab'[i % 2]}\n" for i in range(20))
ABOVE = {
    "title": "Sales of 2024\nProduced by X, on Monday\n\n",
    "remarks": "# made by a tool\n# units: m, s, none\n",
    "padded title": "Sales,,\nof 2024,,\n",
    "quoted title": '"Sales, of 2024"\n',
    "per cent": "% a\n%\n% b, c\n",
}


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_names_are_found_below_other_lines_and_it_is_said(above, end):
    n = ABOVE[above].count("\n")
    raw = read_raw((ABOVE[above] + "id,size,kind\n" + ROWS).replace("\n", end).encode())
    assert raw.names == ("id", "size", "kind")
    assert raw.n_rows == 20
    assert raw.lines == (n + 1, 20, 0, 0)
    assert any(f"the names stand in line {n + 1}" in note and "no part of the table" in note for note in raw.notes)


def test_other_delimiters_have_titles_too():
    raw = read_raw(b"Report, first part\n\na;b\n1,5;x\n2,5;y\n3,5;x\n")
    assert (raw.names, raw.dialect.delimiter) == (("a", "b"), ";")


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n3\n4,5,6\n",
        "#id,b\n1,2\n3,4\n5,6\n",
        ",a,b\nr,1,2\ns,3,4\nt,5,6\n",
        "mpg,cyl\nMazda,21,6\nDatsun,22,4\nHornet,18,8\n",
        "a\n1\n2\n3\n",
        "a;b;c\n1,5;2;3\n1,5;2;4\n1,5;2;4\n2,5;2;4\n",
    ],
)
def test_a_first_line_of_names_is_none_to_skip(text):
    raw = read_raw(text.encode(), options=ReadOptions(skip_ragged=True))
    assert not any("no part of the table" in note for note in raw.notes)


def test_names_that_are_too_few_are_a_fault_and_no_title():
    with pytest.raises(TreecoreError, match="3 lines have not the 2 fields"):
        read_raw(b"a,b\nx,y,z,u\nx,y,z,u\nx,y,z,u\n")


def test_more_lines_above_than_are_looked_at_are_named_in_the_remedy():
    data = ("Part of the report\n" * 60 + "id,size,kind\n" + ROWS).encode()
    with pytest.raises(TreecoreError, match="skip the 60 lines above line 61 if the names stand there") as fault:
        read_raw(data)
    assert "skip_lines=60" in fault.value.setting
    assert read_raw(data, options=ReadOptions(skip_lines=fault.value.n_above)).names == ("id", "size", "kind")


def test_the_number_of_lines_can_be_told():
    data = b"1,2\n3,4\nx,y\n5,6\n7,8\n"
    assert read_raw(data, options=ReadOptions(skip_lines=2)).names == ("x", "y")
    titled = (ABOVE["padded title"] + "id,size,kind\n" + ROWS).encode()
    assert read_raw(titled, options=ReadOptions(skip_lines=0)).names[0] == "Sales"
    with pytest.raises(TreecoreError, match=r"Nothing is left below the first 9 lines"):
        read_raw(data, options=ReadOptions(skip_lines=9))
    with pytest.raises(TreecoreError, match=r"-1 lines"):
        ReadOptions(skip_lines=-1)


def test_lines_behind_a_comment_sign_are_left_out_when_asked():
    data = b"# made by a tool\nx,y\n1,a\n# a pause\n2,b\n  # another, one\n3,a\n"
    raw = read_raw(data, options=ReadOptions(comment="#"))
    assert (raw.names, raw.n_rows) == (("x", "y"), 3)
    assert raw.lines == (2, 3, 2, 0)
    assert any("beginning with # left out" in note for note in raw.notes)


def test_a_fault_below_is_named_with_its_line_in_the_file():
    with pytest.raises(TreecoreError, match=r"line 25 has 1"):
        read_raw((ABOVE["title"] + "id,size,kind\n" + ROWS + "x\n").encode())


def test_the_first_lines_say_what_they_are_taken_for():
    found = first_lines((ABOVE["title"] + "id,size,kind\n" + ROWS).encode(), ReadOptions())
    assert [line.what for line in found[:6]] == ["skipped", "skipped", "skipped", "names", "row", "row"]
    assert found[3] == (4, "names", "id,size,kind")
    assert [line.what for line in first_lines(b"2019,2020\n1,2\n", ReadOptions())] == ["row", "row"]
    assert first_lines(b"\x89PNG\r\n\x1a\n\0", ReadOptions()) == []
