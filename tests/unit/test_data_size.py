"""Small files that hold large tables: what they would take is asked before they are read."""

import io
import time

import numpy as np
import pytest

from treecore.data import ReadOptions, build_table, infer_kinds, read_raw
from treecore.data.readers import parquet, size
from treecore.engine.memory import of_machine
from treecore.errors import TreecoreError

N = 300_000


def parquet_of(columns: dict, **settings) -> bytes:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet as files

    buffer = io.BytesIO()
    files.write_table(pa.table(columns), buffer, **settings)
    return buffer.getvalue()


def test_a_small_parquet_file_of_many_cells_is_refused_by_its_metadata(monkeypatch):
    data = parquet_of({f"c{i}": np.zeros(N) for i in range(20)})
    assert len(data) < 100_000
    monkeypatch.setattr(parquet, "raw_column", None)  # nothing is read
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
    monkeypatch.setattr(size, "of_machine", lambda: 40_000_000)
    with pytest.raises(TreecoreError, match="limit is 10 MB"):
        read_raw(b"a,b\n" + b"1,2\n" * 300_000)
    assert 1 << 28 < of_machine() < 1 << 50


def test_long_words_of_a_parquet_file_are_kept_once():
    words = ["x" * 100_000, "y" * 100_000, None]
    data = parquet_of(
        {"w": np.resize(np.array(words, dtype=object), 9000), "n": np.arange(9000.0)}, row_group_size=1000
    )
    raw = read_raw(data)
    column = raw.column("w")
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


def test_parquet_columns_of_lists_are_still_read():
    pa = pytest.importorskip("pyarrow")
    raw = read_raw(parquet_of({"l": pa.array([[1, 2], [3]]), "x": [1, 2]}))
    assert raw.names == ("l", "x")


def test_a_wide_table_takes_time_by_its_cells_not_by_a_constant_per_column():
    n = 3000
    lines = [",".join(f"c{i}" for i in range(n)), *(",".join(str(i * j % 7) for i in range(n)) for j in range(3))]
    begin = time.process_time()
    raw = read_raw("\n".join(lines).encode())
    infer_kinds(raw)
    assert time.process_time() - begin < 3, "it took 3.7 ms per column"
