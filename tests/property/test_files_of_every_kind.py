"""A table is the same from every kind of file that can hold it."""

import io
import json
import string
from contextlib import suppress

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather

from treecore.data import ReadOptions, read_raw, read_table
from treecore.errors import TreecoreError

xlsxwriter = pytest.importorskip("xlsxwriter")
pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("python_calamine")

MISSING = ReadOptions().missing_tokens(among_numbers=True)
NUMBERS = st.floats(-1e6, 1e6).map(lambda v: round(v, 6))
WORDS = st.text(string.ascii_letters + " ,;'\"%{}éß<&", min_size=1, max_size=6).filter(
    lambda text: text.strip() == text and any(map(str.isalpha, text)) and text not in MISSING
)


@st.composite
def frames(draw):
    """Two columns of numbers, one with gaps, and one of words."""
    n = draw(st.integers(3, 12))
    column = lambda cells: draw(st.lists(cells, min_size=n, max_size=n))  # noqa: E731
    words = draw(st.lists(WORDS, min_size=2, max_size=4, unique_by=str.casefold))
    gaps = pd.Series(column(st.one_of(NUMBERS, st.none())), dtype=float)
    gaps = gaps if gaps.notna().any() else gaps.fillna(1.5)
    return pd.DataFrame({"x": column(NUMBERS), "g": gaps, "w": column(st.sampled_from(words))})


def as_xlsx(frame):
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, frame.columns)
    for at, row in enumerate(frame.itertuples(index=False), start=1):
        for place, cell in enumerate(row):
            if pd.notna(cell):
                sheet.write(at, place, cell)
    book.close()
    return file.getvalue()


def as_feather(frame):
    file = io.BytesIO()
    feather.write_feather(frame, file)
    return file.getvalue()


def as_arff(frame):
    quoted = lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'  # noqa: E731
    levels = ",".join(map(quoted, dict.fromkeys(frame["w"])))
    rows = "\n".join(f"{x!r},{'?' if pd.isna(g) else repr(g)},{quoted(w)}" for x, g, w in frame.itertuples(index=False))
    head = f"@relation r\n@attribute x real\n@attribute g numeric\n@attribute w {{{levels}}}\n@data\n"
    return (head + rows).encode()


def as_json(frame):
    return json.dumps(json.loads(frame.to_json(orient="records", double_precision=15))).encode()


def as_lines(frame):
    return frame.to_json(orient="records", lines=True, double_precision=15).encode()


@pytest.mark.parametrize("write", [as_xlsx, as_feather, as_arff, as_json, as_lines])
@given(frame=frames())
@settings(max_examples=40)
def test_the_same_cells_come_back(write, frame):
    kinds = {"x": "numeric", "g": "numeric", "w": "nominal"}
    table = read_table(write(frame), kinds=kinds, footer=0, header=True if write is as_xlsx else None)
    assert table.column("x").values().tolist() == frame["x"].tolist()
    assert table.column("g").missing.tolist() == frame["g"].isna().tolist()
    assert table.column("g").values()[~table.column("g").missing].tolist() == frame["g"].dropna().tolist()
    assert list(table.column("w").labels()) == frame["w"].tolist()


@given(frame=frames(), cut=st.floats(0.0, 1.0), at=st.floats(0.0, 1.0), byte=st.integers(0, 255))
@settings(max_examples=60)
@pytest.mark.parametrize("write", [as_xlsx, as_feather, as_arff, as_json])
def test_damaged_files_are_read_or_refused(write, frame, cut, at, byte):
    data = bytearray(write(frame))
    data[int(at * (len(data) - 1))] = byte
    for damaged in (bytes(data), bytes(data[: int(cut * len(data))])):
        with suppress(TreecoreError):
            read_raw(damaged, options=ReadOptions(skip_ragged=True, max_memory=1 << 28))
