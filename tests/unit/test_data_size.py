"""Small files that hold large tables: what they would take is asked before they are read."""

import io
import time

import numpy as np
import pytest

from treecore.data import ReadOptions, build_table, infer_kinds, read_raw
from treecore.data.readers import arrow, source
from treecore.engine.memory import of_machine
from treecore.errors import TreecoreError

N = 300_000


def parquet_of(columns: dict, **settings) -> bytes:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet as files

    buffer = io.BytesIO()
    files.write_table(pa.table(columns), buffer, **settings)
    return buffer.getvalue()


def parts_seen(monkeypatch) -> list[int]:
    """Bytes of each part of a column of words that is read from now on."""
    seen, parts = [], arrow._parts

    def watched(*given):
        for part in parts(*given):
            seen.append(part.nbytes)
            yield part

    monkeypatch.setattr(arrow, "_parts", watched)
    return seen


def test_a_small_parquet_file_of_many_cells_is_refused_by_its_metadata(monkeypatch):
    data = parquet_of({f"c{i}": np.zeros(N) for i in range(20)})
    assert len(data) < 100_000
    monkeypatch.setattr(arrow, "raw_column", None)  # nothing is read
    with pytest.raises(TreecoreError, match=r"300,000 rows x 20 columns, about \d+ MB.*limit is 100 MB") as caught:
        read_raw(data, options=ReadOptions(max_memory=100_000_000))
    assert caught.value.setting == "max_memory"
    assert "max_memory" not in caught.value.remedy


def test_a_text_file_of_many_cells_is_refused_before_its_rows_are_read():
    data = b"a,b,c,d\n" + b"1,2,3,4\n" * 50_000
    with pytest.raises(TreecoreError, match=r"50,000 rows x 4 columns.*limit is 4 MB"):
        read_raw(data, options=ReadOptions(max_memory=4_000_000))
    assert read_raw(data).n_rows == 50_000


def test_by_default_the_limit_is_a_share_of_the_machines_memory(monkeypatch):
    monkeypatch.setattr(source, "of_machine", lambda: 40_000_000)
    with pytest.raises(TreecoreError, match="limit is 10 MB"):
        read_raw(b"a,b\n" + b"1,2\n" * 300_000)
    assert 1 << 28 < of_machine() < 1 << 50


def test_words_of_a_parquet_file_are_never_written_out_for_every_row(monkeypatch):
    usual, written_out = arrow.raw_column, []
    monkeypatch.setattr(arrow, "raw_column", lambda name, *rest: written_out.append(name) or usual(name, *rest))
    words = ["x" * 1000, "y" * 1000, None]
    data = parquet_of(
        {"w": np.resize(np.array(words, dtype=object), 9000), "n": np.arange(9000.0)}, row_group_size=1000
    )
    raw = read_raw(data)
    column = raw.column("w")
    assert written_out == ["n"]
    assert (column.content, len(column.cells)) == ("text", 2)
    assert np.bincount(column.codes + 1).tolist() == [3000, 3000, 3000]
    assert build_table(raw).column("n").values()[-1] == 8999


def test_words_of_a_parquet_file_are_no_declared_levels_and_categories_are():
    pd = pytest.importorskip("pandas")
    buffer = io.BytesIO()
    words = ["low", "high", "low", "high", "?"] * 5
    pd.DataFrame({"w": words, "c": pd.Categorical(words[:20] + ["low"] * 5, ["low", "mid", "high", "?"])}).to_parquet(
        buffer
    )
    raw = read_raw(buffer)
    assert raw.column("w").content == "text"
    assert build_table(raw).column("w").n_missing == 5
    assert raw.column("c").content == "levels"
    assert raw.column("c").cells == ("low", "mid", "high", "?")


def test_parquet_columns_of_lists_and_records_are_named_and_never_read():
    pa = pytest.importorskip("pyarrow")
    word = "x" * 100_000
    data = parquet_of(
        {
            "r": pa.array([{"q": [word] * 100, "s": 2}] * 3),
            "x": [1, 2, 3],
            "m": pa.array([[("k", 1)]] * 3, pa.map_(pa.string(), pa.int8())),
            "w": ["p", "q", "p"],
        },
        row_group_size=1,
    )
    raw = read_raw(data, options=ReadOptions(max_memory=100_000))
    assert raw.names == ("x", "w")
    assert build_table(raw).column("x").values().tolist() == [1, 2, 3]
    assert build_table(raw).column("w").labels().tolist() == ["p", "q", "p"]
    assert raw.notes == ("2 columns with lists or records in the cells are left out, no split can use them: 'r', 'm'.",)


def test_a_parquet_file_of_nothing_but_lists_is_refused_with_a_remedy():
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(TreecoreError, match=r"Every column has lists or records.*'l'.*one value in a cell"):
        read_raw(parquet_of({"l": pa.array([[1, 2], [3]])}))


@pytest.mark.parametrize("kind", ["large_string", "string_view", "binary", "large_binary", "dictionary of binary"])
def test_words_of_every_type_are_read_once_each_and_not_once_a_row(kind, monkeypatch):
    pa = pytest.importorskip("pyarrow")
    cells = pa.array(np.resize(np.array(["x" * 100_000, "y" * 100_000, None], dtype=object), 3000))
    if kind == "dictionary of binary":
        cells = cells.cast(pa.binary()).dictionary_encode()
    else:
        cells = cells.cast(getattr(pa, kind)())
    data = parquet_of({"w": cells}, row_group_size=300)
    del cells
    seen = parts_seen(monkeypatch)
    column = read_raw(data).column("w")
    assert (column.content, [cell[:1] for cell in column.cells.to_pylist()]) == ("text", ["x", "y"])
    assert np.bincount(column.codes + 1).tolist() == [1000, 1000, 1000]
    assert 0 < sum(seen) < 20_000_000, "spelt out they take 200 MB"
    assert column.cells.nbytes < 1_000_000


def differences_of(words: list) -> bytes:
    """Words written as what differs from the one before, so that long ones take next to nothing."""
    encoding = {"use_dictionary": False, "column_encoding": {"w": "DELTA_BYTE_ARRAY"}}
    return parquet_of({"w": words}, row_group_size=500, **encoding)


def test_words_written_as_differences_are_read():
    words = [None if i % 7 == 0 else f"word {i % 50}" for i in range(2000)]
    assert build_table(read_raw(differences_of(words))).column("w").labels().tolist() == [word or "" for word in words]


def test_reading_stops_as_soon_as_words_pass_the_limit(monkeypatch):
    data = differences_of(["x" * 10_000] * 2000)
    assert len(data) < 10_000
    seen = parts_seen(monkeypatch)
    with pytest.raises(TreecoreError, match=r"stopped at column 'w'.*more than 2 MB of memory") as caught:
        read_raw(data, options=ReadOptions(max_memory=2_000_000))
    assert caught.value.setting == "max_memory"
    assert sum(seen) < 2_500_000, "20 MB are spelt out in the file"


def test_bytes_of_one_length_are_held_to_the_limit():
    pa = pytest.importorskip("pyarrow")
    data = parquet_of({"w": pa.array([b"x" * 10_000] * 2000, pa.binary(10_000))})
    with pytest.raises(TreecoreError, match="stopped at column 'w'"):
        read_raw(data, options=ReadOptions(max_memory=2_000_000))
    assert len(read_raw(data).column("w").cells) == 1


def test_a_frame_of_too_many_cells_is_refused():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(np.zeros((10_000, 10)))
    with pytest.raises(TreecoreError, match=r"data frame: .*10,000 rows x 10 columns.*limit is 2 MB"):
        read_raw(frame, options=ReadOptions(max_memory=2_000_000))
    assert read_raw(frame).n_rows == 10_000


def test_categories_that_are_no_text_are_looked_at_once_each():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"c": pd.Categorical([9.0, 7.5, None, 9.0], [1.0, 9.0, 7.5])})
    column = read_raw(frame).column("c")
    assert (column.content, column.cells.tolist(), column.codes.tolist()) == ("number", [7.5, 9.0], [1, 0, -1, 1])


def test_a_wide_table_takes_time_by_its_cells_not_by_a_constant_per_column():
    n = 3000
    lines = [",".join(f"c{i}" for i in range(n)), *(",".join(str(i * j % 7) for i in range(n)) for j in range(3))]
    begin = time.process_time()
    raw = read_raw("\n".join(lines).encode())
    infer_kinds(raw)
    assert time.process_time() - begin < 3, "it took 3.7 ms per column"


@pytest.mark.parametrize(
    ("n", "told"), [(500, "500 bytes"), (300_000, "0.3 MB"), (2_000_000, "2 MB"), (1_200_000_000, "1.2 GB")]
)
def test_sizes_are_never_told_as_nothing(n, told):
    assert source.gigabytes(n) == told


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"a,b\n1,2\n3," + b"q" * 5000 + b"\n5,6\n", 3),
        (b"a,b\n1,2\n3,4\n" + b"," * 5000, 4),
        (b"n" * 5000 + b",b\n1,2\n", 1),
        (b'a,b\n1,2\n3,"' + b"q" * 5000 + b'"\n', 3),
    ],
)
def test_a_very_long_line_is_refused_before_it_is_split(monkeypatch, text, line):
    monkeypatch.setattr(source, "LINE_BYTES", 4096)
    monkeypatch.setattr("treecore.data.readers.delimited.read_rows", None)
    with pytest.raises(TreecoreError, match=rf"Line {line} has .* a row has .* at most"):
        read_raw(text)


def test_long_texts_of_many_short_lines_are_read_as_ever(monkeypatch):
    monkeypatch.setattr(source, "LINE_BYTES", 4096)
    text = b"a,b\n" + b"".join(b"%d,%s\n" % (i, b"q" * 4000) for i in range(40))
    assert read_raw(text).n_rows == 40


def test_a_cell_of_very_many_lines_is_refused_before_it_takes_the_memory(monkeypatch):
    monkeypatch.setattr("treecore.data.readers.delimited.BLOCK_BYTES", 1 << 10)
    monkeypatch.setattr("treecore.data.readers.text_rows.RECORD_BYTES", 1 << 14)
    with pytest.raises(TreecoreError, match="one cell between quotes"):
        read_raw(b'a,b\n1,2\n3,"' + b"some words\n" * 10_000 + b'"\n')


def test_very_many_columns_are_refused_before_they_are_named(monkeypatch):
    monkeypatch.setattr("treecore.data.readers.delimited.unique_names", None)
    with pytest.raises(TreecoreError, match="2 rows x 200,001 columns"):
        read_raw(b"1," * 200_000 + b"2\n1,2\n", options=ReadOptions(max_memory=10**8))
