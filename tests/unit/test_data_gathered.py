"""Large text files: columns of ever new numbers are kept as numbers, everything else as texts, block by block."""

import numpy as np
import pytest

from treecore.data import ReadOptions, build_table, read_raw
from treecore.data.readers import delimited

N = 6000


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks that hold some 2500 of the rows below."""
    monkeypatch.setattr(delimited, "BLOCK_BYTES", 1 << 16)


def numbers() -> np.ndarray:
    return np.random.default_rng(0).normal(size=N).round(6)


def raw_of(cells, options=None):
    """The raw table of these cells beside a column of few words."""
    lines = [f"{cell},{'ab'[i % 2]},{i % 7}.5" for i, cell in enumerate(cells)]
    return read_raw("\n".join(["x,y,z", *lines]).encode(), options=options)


def texts() -> list[str]:
    return [f"{x:.6f}" for x in numbers()]


def test_ever_new_numbers_are_kept_as_numbers_and_few_as_texts():
    raw = raw_of(texts())
    assert [column.content for column in raw.columns] == ["number", "text", "text"]
    table = build_table(raw, target="y")
    assert np.array_equal(table.column("x").values(), numbers())
    assert table.column("z").values()[:3].tolist() == [0.5, 1.5, 2.5]
    assert table.column("y").labels()[:3].tolist() == ["a", "b", "a"]


def test_blocks_change_nothing(monkeypatch):
    in_blocks = build_table(raw_of(texts()), target="y")
    monkeypatch.setattr(delimited, "BLOCK_BYTES", 1 << 22)
    at_once = raw_of(texts())
    assert at_once.column("x").content == "text"
    assert build_table(at_once, target="y").fingerprint == in_blocks.fingerprint


@pytest.mark.parametrize("place", [0, 10, N - 1])
@pytest.mark.parametrize("token", ["", "NA", "nan", "?"])
def test_missing_values_are_missing(place, token):
    cells = texts()
    cells[place] = token
    raw = raw_of(cells)
    assert raw.column("x").content == "number"
    values = build_table(raw, target="y").column("x").values()
    assert np.flatnonzero(np.isnan(values)).tolist() == [place]
    assert np.array_equal(np.delete(values, place), np.delete(numbers(), place))


@pytest.mark.parametrize("cell", ["abc", "-", "0012345", "12345678901234567", "1,5", "nan(7)", "0x1A"])
@pytest.mark.parametrize("place", [3, N - 1])
def test_a_cell_that_says_more_than_a_number_keeps_the_texts(cell, place):
    cells = texts()
    cells[place] = f'"{cell}"'
    raw = raw_of(cells)
    assert raw.column("x").content == "text"
    assert raw.column("x").cells[int(raw.column("x").codes[place])].as_py() == cell
    assert raw.n_rows == N


def test_what_may_have_a_thousands_separator_keeps_the_texts():
    cells = [f"{1 + i % 800}.{i % 1000:03d}" for i in range(N)]
    assert raw_of(cells).column("x").content == "text"
    assert raw_of(cells, ReadOptions(decimal=".")).column("x").content == "number"


def test_whole_numbers_in_any_order_are_numbers():
    cells = np.random.default_rng(1).permutation(10 * N)[:N]
    raw = raw_of(cells)
    assert raw.column("x").content == "number"
    assert build_table(raw, target="y").column("x").values().tolist() == cells.tolist()


def test_a_number_that_stands_for_a_missing_value_is_missing():
    cells = texts()
    cells[7] = cells[-7] = "-999"
    raw = raw_of(cells, ReadOptions(extra_missing=("-999",)))
    assert np.flatnonzero(np.isnan(build_table(raw, target="y").column("x").values())).tolist() == [7, N - 7]


def test_infinite_values_and_spaces_are_read():
    cells = texts()
    cells[5], cells[N - 2] = "inf", " 2.25 "
    values = build_table(raw_of(cells), target="y", infinite="missing").column("x").values()
    assert np.isnan(values[5])
    assert values[N - 2] == 2.25


def test_a_decimal_point_among_them_settles_the_others():
    cells = [f"{x:.6f},{1 + i % 8}.{i % 1000:03d}" for i, x in enumerate(numbers())]
    lines = [f"{cell};{'ab'[i % 2]}" for i, cell in enumerate(cells)]
    raw = read_raw("\n".join(["x;u;y", *(line.replace(",", ";", 1) for line in lines)]).encode())
    assert raw.column("x").content == "number"
    assert raw.decimal == "."
    assert raw.number_readings["u"].settled_by == "as in the other columns"


def test_made_nominal_its_numbers_are_the_levels():
    table = build_table(raw_of(texts()), target="y", kinds={"x": "nominal"})
    first = numbers()[0]
    assert float(table.column("x").labels()[0]) == first


def test_a_ragged_line_in_a_later_block_is_still_found():
    cells = texts()
    cells[N - 3] = "1.5,2.5"
    raw = raw_of(cells, ReadOptions(skip_ragged=True))
    assert [reject.line for reject in raw.rejects] == [N - 1]
    assert raw.n_rows == N - 1


def test_a_first_block_of_ragged_lines_hides_nothing():
    cells = ["1.5,2.5", "1.5,2.5,3.5"] * (N // 2 - 500) + texts()[:1000]
    raw = raw_of(cells, ReadOptions(skip_ragged=True))
    assert (raw.n_rows, len(raw.rejects)) == (1000, N - 1000)
    assert np.array_equal(build_table(raw, target="y").column("x").values(), numbers()[:1000])
