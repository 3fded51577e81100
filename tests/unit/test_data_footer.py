"""Lines at the end that are no rows, and quotes behind a backslash: read rightly, said, and taken back by a click."""

import pytest

from treecore.data import ReadOptions, infer_kinds, read_raw, read_table

ROWS = "a,b,y\n" + "".join(f"{i * 7 % 13},{i * 1.5},{'uv'[i % 2]}\n" for i in range(30))
REGIONS = "region;sales;y\n" + "".join(f"r{i};{i},5;{'uv'[i % 2]}\n" for i in range(30))


@pytest.mark.parametrize(
    "footer",
    [
        "Total,60,\n",
        "Summe,60,\n",
        "Gesamt,,\n",
        "Grand Total:,60,x\n",
        ",Total,\n",
        "Average,3.2,\n",
        "Mean,3.2\n",
        "Total,60,\nAverage,2,\n",
        "\nSource: Eurostat 2024\n",
        "* preliminary figures,,\n",
        "Total,60,\n\nSource: Eurostat 2024, table 7\n".replace(", table", " table"),
    ],
)
def test_totals_and_remarks_are_no_rows_and_that_is_said(footer):
    raw = read_raw((ROWS + footer).encode())
    assert raw.n_rows == 30
    assert [guess.kind for guess in infer_kinds(raw)] == ["numeric", "numeric", "nominal"]
    [doubt] = raw.doubts
    assert not doubt.is_open
    assert doubt.text in raw.notes
    assert raw.lines.skipped == len(footer.split("\n")) - 1 - footer.count("\n\n") - footer.startswith("\n")
    assert raw.lines.total == (ROWS + footer).count("\n")


def test_a_total_can_be_made_a_row_again():
    data = (ROWS + "Total,60,\n").encode()
    [doubt] = read_raw(data).doubts
    kept = read_raw(data, options=ReadOptions(**dict(doubt.remedies[0][1])))
    assert (kept.n_rows, kept.doubts) == (31, ())
    assert read_raw(ROWS.encode(), options=ReadOptions(footer=2)).n_rows == 28


def test_a_total_among_words_is_one_where_its_numbers_are_sums():
    total = sum(i + 0.5 for i in range(30))
    for row, n_rows in [
        (f"Total;{total:.1f};u\n", 30),
        (f"Durchschnitt;{total / 30:.1f};u\n", 30),
        ("Total;77,0;u\n", 31),
    ]:
        assert read_raw((REGIONS + row.replace(".", ",")).encode()).n_rows == n_rows


@pytest.mark.parametrize(
    "row",
    [
        "total,none of them,v\n",
        "Totally,5,u\n",
        "5,2.0,\n",
        "Mean = 3,4,u\n",
        "12,,\n",
    ],
)
def test_other_last_rows_stay(row):
    assert read_raw((ROWS + row).encode()).n_rows == 31


def test_the_end_of_a_cell_of_several_lines_is_no_remark():
    text = "id,remark\n" + "".join(f"{i},short\n" for i in range(20)) + '21,"a long one\nSource: somebody said so"\n'
    assert read_raw(text.encode()).n_rows == 21


def quoted(cells):
    return ("id,text,y\n" + "".join(f'{i},"{cell}",{"pq"[i % 2]}\n' for i, cell in enumerate(cells))).encode()


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"he said \"hi\", ok", 'he said "hi", ok'),
        (r"\"hi\" he said", '"hi" he said'),
        (r"a \\ b \"q\" c", r"a \ b " + '"q" c'),
        (r"say \"x\" and \n", 'say "x" and \\n'),
    ],
)
@pytest.mark.parametrize("late", [0, 5000])
def test_quotes_behind_a_backslash_are_part_of_the_cell(written, text, late):
    data = quoted([*["plain"] * late, *[written] * 12])
    raw = read_raw(data)
    assert raw.names == ("id", "text", "y")
    column = read_table(data, kinds={"text": "nominal"}).column("text")
    assert column.labels()[-1] == text
    [doubt] = raw.doubts
    assert "backslash" in doubt.text


def test_that_backslashes_stand_before_quotes_can_be_taken_back():
    data = quoted([r"say \"x\" and go"] * 12)
    [doubt] = read_raw(data).doubts
    undone = read_raw(data, options=ReadOptions(**dict(doubt.remedies[0][1])))
    assert undone.column("text").cells[0].as_py() != 'say "x" and go'
    again = dict(undone.doubts[0].remedies[0][1])
    assert read_raw(data, options=ReadOptions(**again)).column("text").cells[0].as_py() == 'say "x" and go'


@pytest.mark.parametrize("cell", ["C:\\data\\", 'say ""x"" \\', "a \\ b", 'he said ""hi"", ok'])
def test_backslashes_that_escape_nothing_stay(cell):
    raw = read_raw(quoted([cell] * 12))
    assert raw.column("text").cells[0].as_py() == cell.replace('""', '"')
    assert raw.doubts == ()
