"""Quotes that are not closed: no line of a file is lost without a word, whatever follows."""

import pytest

from treecore.data import RaggedLines, ReadOptions, read_raw
from treecore.data.readers import delimited
from treecore.errors import TreecoreError

SKIP = ReadOptions(skip_ragged=True, skip_open_quotes=True)


def file_of(n: int, ill: dict[int, str]) -> bytes:
    """A header and n rows of three columns; ill : the rows (from 0) that are something else."""
    rows = [ill.get(i, f"{i % 97}.5,{i % 13}.25,{'xyz'[i % 3] * 12}") for i in range(n)]
    return "\n".join(["a,b,c", *rows, ""]).encode()


@pytest.mark.parametrize("n", [700, 20_000, 200_000])
@pytest.mark.parametrize("line", ['1,2,"xyz', '1,"2,xyz', '"1,2,xyz'])
def test_a_quote_that_is_never_closed_is_named_however_much_follows(n, line):
    data = file_of(n, {500: line})
    with pytest.raises(RaggedLines, match=r'A quote \("\) opened in line 502 is never closed') as caught:
        read_raw(data)
    assert (caught.value.rejected.n_lines, caught.value.n_rows) == (1, n - 1)
    with pytest.raises(RaggedLines):
        read_raw(data, options=ReadOptions(skip_ragged=True))
    raw = read_raw(data, options=SKIP)
    assert raw.n_rows == n - 1
    assert raw.lines == (1, n - 1, 1, 0)
    assert "1 line with a quote that is not properly closed was skipped: 502." in raw.notes
    assert read_raw(data, options=ReadOptions(quote="")).n_rows == n


def test_a_quote_closed_by_another_cells_quote_is_named():
    data = file_of(9000, {500: '1,2,"xyz', 8000: '4,5,"one, two"'})
    with pytest.raises(RaggedLines, match=r"opened in line 502 is closed in another line within a cell"):
        read_raw(data)
    raw = read_raw(data, options=SKIP)
    assert (raw.n_rows, [reject.line for reject in raw.rejects]) == (8999, [502])


def test_records_of_several_lines_that_are_skipped_are_counted_in_lines():
    data = file_of(1000, {500: '1,"2', 600: '3",4,5,6'})
    with pytest.raises(
        RaggedLines, match=r"101 lines have not the 3 fields.*lines 502 to 602 together have 5"
    ) as caught:
        read_raw(data)
    assert caught.value.rejected.these_lines == "these 101 lines"
    raw = read_raw(data, options=ReadOptions(skip_ragged=True))
    assert raw.lines == (1, 899, 101, 0)
    assert "101 lines with the wrong number of fields were skipped: 502 to 602." in raw.notes


def test_rows_of_several_lines_are_said_with_their_counts():
    raw = read_raw(file_of(50, {7: '1,"2\n3\n4",5'}))
    assert raw.n_rows == 50
    assert raw.lines == (1, 52, 0, 0)
    assert any("50 rows were read from 52 lines, the first of several lines at line 9" in note for note in raw.notes)
    assert not any("several lines" in note for note in read_raw(file_of(50, {})).notes)


def test_skipped_ragged_and_ill_quoted_lines_are_told_apart():
    raw = read_raw(b'a,b\n1,2\n3\n4,"x\n\n5,6\n7,8\n9,9,9\n', options=SKIP)
    assert (raw.n_rows, raw.lines) == (3, (1, 3, 3, 1))
    assert [(reject.line, bool(reject.quote)) for reject in raw.rejects] == [(3, False), (4, True), (8, False)]
    assert [note for note in raw.notes if "skipped" in note] == [
        "2 lines with the wrong number of fields were skipped: 3, 8.",
        "1 line with a quote that is not properly closed was skipped: 4.",
    ]


def test_one_line_and_one_field_are_said_in_the_singular():
    with pytest.raises(RaggedLines, match=r"1 line has not the 1 field of the header: line 3 has 2"):
        read_raw(b"a\n1\n1,2\n3\n", options=ReadOptions(delimiter=","))
    raw = read_raw(b"a\n1\n1,2\n3\n", options=ReadOptions(delimiter=",", skip_ragged=True))
    assert "1 line with the wrong number of fields was skipped: 3." in raw.notes


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_count_by_the_ends_of_every_system(end):
    text = 'a,b\n1,2\n3,"x\n4,5\n6,7\n8,9\n'.replace("\n", end)
    raw = read_raw(text.encode(), options=SKIP)
    assert (raw.n_rows, [reject.line for reject in raw.rejects]) == (4, [3])


def test_a_quote_left_open_in_the_names_is_refused():
    with pytest.raises(TreecoreError, match=r"line 1, the one of the names, is never closed.*without quotes"):
        read_raw(b'a,"b,c\n' + b"1,2,3\n" * 5000)


def test_very_many_open_quotes_are_refused_at_once():
    with pytest.raises(TreecoreError, match=r"More than 10,000 quotes.*first one in line 3.*without quotes"):
        read_raw(b"a,b\n1,2\n" + b'1,"x\n' * 50_000)


def test_quotes_behind_spaces_are_looked_at_too():
    rows = "".join(f'{i}, "x, y", 3\n' for i in range(200))
    raw = read_raw(f'a, b, c\n{rows}1, "z, 3\n{rows}'.encode(), options=SKIP)
    assert (raw.n_rows, [reject.line for reject in raw.rejects]) == (400, [202])


def test_a_long_cell_is_read_in_blocks_as_large_as_it_needs(monkeypatch):
    monkeypatch.setattr(delimited, "BLOCK_BYTES", 1 << 10)
    long = "x\n" * 3000
    raw = read_raw(f'a,b\n1,"{long}"\n2,y\n'.encode())
    assert (raw.n_rows, raw.lines.rows) == (2, 3002)


def test_a_space_behind_the_closing_quote_is_no_fault():
    assert read_raw(b'a,b\n"x\ny" ,2\n3,4\n').n_rows == 2


def test_a_cell_of_several_lines_may_end_at_a_tab():
    raw = read_raw(b'a\tb\n"one\ntwo"\t1\n"say ""x"""\t2\n"one\ntwo" \t3\n')
    assert raw.n_rows == 3
    assert raw.columns[0].cells[0].as_py() == "one\ntwo"
