"""Whatever the cells are, they come back; and the fast reader agrees with the exact one."""

import csv
import io

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from treecore.data import RaggedLines, ReadOptions, read_raw, read_table
from treecore.data.raw import Dialect
from treecore.data.readers.dialect import iterate_records
from treecore.errors import TreecoreError

# NUL is refused as "not text"; a lone carriage return is a line end in every CSV reader.
CELL = st.text(
    st.characters(exclude_characters="\0\r", exclude_categories=("Cs", "Cc")) | st.sampled_from(",;\"'\n\t|"),
    max_size=8,
)
WRITTEN = ReadOptions(delimiter=",", quote='"', header=True, encoding="utf-8")


def cells(raw):
    columns = [[[*c.cells.to_pylist(), None][code] for code in c.codes] for c in raw.columns]
    return [list(row) for row in zip(*columns, strict=True)]


@given(st.integers(1, 4).flatmap(lambda k: st.lists(st.lists(CELL, min_size=k, max_size=k), min_size=1, max_size=6)))
@settings(max_examples=150)
def test_cells_survive_writing_and_reading(rows):
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow([f"c{i}" for i in range(len(rows[0]))])
    writer.writerows(rows)
    raw = read_raw(text.getvalue().encode(), options=WRITTEN)
    assert cells(raw) == rows


@given(st.text(st.sampled_from('ab1,"\n '), min_size=1, max_size=40))
@settings(max_examples=300)
def test_the_fast_reader_agrees_with_pythons(body):
    data = ("x,y\n" + body + "\n0,0\n").encode()
    expected = [r for r in iterate_records(data, Dialect("utf-8", ","))][1:]
    good = [r.fields for r in expected if len(r.fields) == 2]
    ragged = [r.line for r in expected if len(r.fields) != 2 and r.text.strip()]
    try:
        raw = read_raw(data, options=ReadOptions(delimiter=",", quote='"', header=True, skip_ragged=True))
    except ValueError:
        return  # an open quote, or no row left: the unit tests hold these messages
    if raw.dialect.space_after_delimiter or raw.names != ("x", "y"):
        return
    assert cells(raw) == good
    assert [reject.line for reject in raw.rejects] == ragged


@given(st.text(st.sampled_from('ab1,"\n'), max_size=60), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=300)
def test_every_line_is_a_row_or_named_as_skipped_or_blank(body, end):
    lines = ["x,y", *body.split("\n"), "0,0"]
    options = ReadOptions(delimiter=",", quote='"', header=True, skip_ragged=True, skip_open_quotes=True)
    raw = read_raw((end.join(lines) + end).encode(), options=options)
    named = {reject.line + i: reject for reject in raw.rejects for i in range(reject.n_lines)}
    assert raw.lines.total == len(lines)
    assert raw.lines.skipped == len(named)
    rows = cells(raw)
    assert raw.lines.rows == raw.n_rows + sum(cell.count("\n") for row in rows for cell in row)
    kept = "".join(line for n, line in enumerate(lines[1:], 2) if n not in named)
    read = "".join(cell for row in rows for cell in row)
    assert [read.count(letter) for letter in "ab10"] == [kept.count(letter) for letter in "ab10"], "nothing is lost"


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30))
@settings(max_examples=60)
def test_every_ragged_line_is_found(extra):
    lines = [b"a,b", b"1,2", *(b"1" + b",2" * n for n in extra), b"1,2"]
    try:
        found = read_raw(b"\n".join(lines), options=WRITTEN).rejects
    except RaggedLines as error:
        found = error.rejects
    assert [r.line for r in found] == [i + 3 for i, n in enumerate(extra) if n != 1]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=30))
@settings(max_examples=60)
def test_numbers_survive_to_the_last_bit(numbers):
    text = "x,y\n" + "".join(f"{x!r},{i % 2}\n" for i, x in enumerate(numbers))
    table = read_table(text.encode(), kinds={"x": "numeric"})
    np.testing.assert_array_equal(table.column("x").values(), np.array(numbers) + 0.0)


@given(st.binary(max_size=80) | st.text(st.sampled_from('ab01.,;-/:"\n\t? é'), max_size=120).map(str.encode))
@settings(max_examples=300)
def test_any_bytes_become_a_table_or_an_error_with_a_remedy(data):
    error = table = None
    try:
        table = read_table(data)
    except TreecoreError as caught:
        error = caught
    if table is None:
        assert error.where
        assert error.remedy
        return
    assert all(len(column.labels()) == table.n_rows for column in table.columns)
    assert len({column.name for column in table.columns}) == len(table.columns)
