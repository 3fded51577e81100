"""Reading: delimiters, quotes, encodings, names, formats."""

import io
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from treecore.data import READERS, ReadOptions, read_raw, read_table
from treecore.data.readers.source import TooManyColumns
from treecore.errors import TreecoreError

HOSTILE = ["<img src=x onerror=alert(1)>", "$x$ **b** ![i](http://x/y.png)", '"];evil']


def cells(raw, name):
    """The cells of a text column as they stand in the file, None where there is none."""
    column = raw.column(name)
    texts = [*column.cells.to_pylist(), None]
    return [texts[code] for code in column.codes]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter):
    text = "a,b,c\n1,x y,3\n4,z,6\n".replace(",", delimiter)
    raw = read_raw(text.encode())
    assert raw.dialect.delimiter == delimiter
    assert raw.names == ("a", "b", "c")
    assert cells(raw, "b") == ["x y", "z"]


def test_spaces_part_quoted_names_as_r_writes_them():
    rows = "".join(f'"{i + 1}" {i / 4} "a b" NA\n' for i in range(8))
    table = read_table(('"x" "town" "y"\n' + rows).encode(), kinds={"x": "numeric"})
    assert table.column_names[-3:] == ("x", "town", "y")
    assert table.column("x").values().tolist() == [i / 4 for i in range(8)]
    assert table.column("town").levels == ("a b",)
    one = read_table(b'"full name"\n"Ann Lee"\n"Bo Ek"\n')
    assert one.column_names == ("full name",)


def test_a_decimal_comma_does_not_pass_for_a_delimiter():
    table = read_table(b"a;b\n1,5;2\n2,5;3\n0,25;4\n")
    assert table.column("a").values().tolist() == [1.5, 2.5, 0.25]
    assert read_raw(b"a;b\n1,5;2\n").decimal == ","


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system(end):
    raw = read_raw("a,b\n1,x\n2,y\n".replace("\n", end).encode())
    assert raw.names == ("a", "b")
    assert cells(raw, "b") == ["x", "y"]


def test_quoted_fields_may_hold_delimiters_quotes_and_line_breaks():
    raw = read_raw(b'a,b\n"x, y","say ""no"""\n"one\ntwo",z\n')
    assert cells(raw, "a") == ["x, y", "one\ntwo"]
    assert cells(raw, "b") == ['say "no"', "z"]


def test_single_quotes_are_found():
    raw = read_raw(b"a,b\n'x, y',2\n'z',3\n'o',4\n")
    assert raw.dialect.quote == "'"
    assert cells(raw, "a") == ["x, y", "z", "o"]


def test_a_space_after_the_delimiter_does_not_hide_a_quote():
    raw = read_raw(b'a, b, c\n1, "x, y", 3\n2, z, 4\n')
    assert raw.names == ("a", "b", "c")
    assert cells(raw, "b") == ["x, y", "z"]


def test_the_first_line_of_excel_names_the_delimiter():
    raw = read_raw(b"sep=|\na|b\n1,2|3\n")
    assert raw.names == ("a", "b")
    assert cells(raw, "a") == ["1,2"]


@pytest.mark.parametrize(
    ("codec", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("cp1252", "cp1252"),
        ("latin-1", "cp1252"),
    ],
)
def test_encodings_round_trip(codec, found):
    raw = read_raw("größe;ort\n1;Åre\n2;Málaga\n".encode(codec))
    assert raw.names == ("größe", "ort")
    assert cells(raw, "ort") == ["Åre", "Málaga"]
    assert raw.dialect.encoding == found


@pytest.mark.parametrize("order", ["le", "be"])
def test_utf16_with_either_byte_order_mark(order):
    mark = b"\xff\xfe" if order == "le" else b"\xfe\xff"
    assert cells(read_raw(mark + "a,b\n1,ß\n".encode(f"utf-16-{order}")), "b") == ["ß"]


def test_other_scripts_are_guessed_and_the_guess_is_admitted():
    cyrillic = "город,погода\nМосква,холодно\nСочи,тепло\nКазань,холодно\n"
    raw = read_raw(cyrillic.encode("cp1251"))
    assert raw.names == ("город", "погода")
    assert any("read as cp1251" in note for note in raw.notes)
    assert cells(read_raw("名前,値\n東京,1\n大阪,2\n".encode("shift_jis")), "名前") == ["東京", "大阪"]


def test_the_encoding_can_be_told():
    options = ReadOptions(encoding="cp437")
    assert cells(read_raw("a,b\n1,é\n".encode("cp437"), options=options), "b") == ["é"]


def test_names_are_made_unique_and_filled_and_said():
    raw = read_raw(b"a,a,,a,a (2)\n1,2,3,4,5\n")
    assert raw.names == ("a", "a (3)", "column 3", "a (4)", "a (2)")
    assert [column.original for column in raw.columns] == ["a", "a", "", "a", "a (2)"]
    assert any("'a' occurs more than once; column 2 is called 'a (3)'" in note for note in raw.notes)
    assert any("Column 3 has no name" in note for note in raw.notes)


def test_hostile_names_and_cells_survive_as_they_are():
    line = ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE)
    raw = read_raw(f"{line}\n{line}\nx,y,z\n".encode())
    assert list(raw.names) == HOSTILE
    assert [cells(raw, name)[0] for name in HOSTILE] == HOSTILE
    table = read_table(f"{line},y\n{line},1\nx,y,z,2\nx,y,z,3\n".encode(), target=HOSTILE[0])
    assert table.classes == (HOSTILE[0], "x")


def test_a_file_of_numbers_alone_has_no_header():
    raw = read_raw(b"1,2.5\n3,4.5\n")
    assert raw.names == ("column 1", "column 2")
    assert raw.n_rows == 2
    assert any("only numbers" in note for note in raw.notes)
    assert read_raw(b"2001,2002\n3,4\n", options=ReadOptions(header=True)).names == ("2001", "2002")


def test_row_names_without_a_header_get_a_column_in_front():
    raw = read_raw(b"mpg,cyl\nMazda,21,6\nDatsun,22,4\nHornet,18,8\n")
    assert raw.names == ("column 1", "mpg", "cyl")
    assert cells(raw, "mpg") == ["21", "22", "18"]


def test_a_delimiter_at_the_end_of_every_line_is_harmless():
    assert read_table(b"a,b\n1,x,\n2,y,\n3,x,\n", target="b").features == ("a",)


def test_blank_lines_are_skipped():
    raw = read_raw(b"\n\na,b\n\n1,2\n   \n3,4\n\n")
    assert raw.names == ("a", "b")
    assert cells(raw, "a") == ["1", "3"]


def test_a_wrong_delimiter_is_hinted_at():
    raw = read_raw(b"a:b\n1:2\n3:4\n")
    assert raw.names == ("a:b",)
    assert any("one column" in note and "':'" in note for note in raw.notes)
    assert read_raw(b"a:b\n1:2\n", options=ReadOptions(delimiter=":")).names == ("a", "b")
    told = read_raw(b"a;b\n1;2\n3;4\n", options=ReadOptions(delimiter=","))
    assert any("';'" in note for note in told.notes)


def test_three_hundred_columns():
    header = ",".join(f"c{i}" for i in range(300))
    rows = "\n".join(",".join(str((i * j) % 7 + 0.5) for i in range(300)) for j in range(50))
    table = read_table(f"{header}\n{rows}\n".encode(), target="c299")
    assert len(table.features) + len([n for n in table.notes if "left out" in n]) == 299
    assert table.column("c9").values()[3] == (9 * 3) % 7 + 0.5


def test_a_field_longer_than_a_block_is_read():
    long = "x" * (5 << 20)
    assert cells(read_raw(f'a,b\n1,"{long}"\n2,y\n'.encode()), "b") == [long, "y"]


def test_paths_files_and_uploads(tmp_path):
    path = tmp_path / "my table.csv"
    path.write_bytes(b"a,b\n1,2\n")
    assert read_raw(path).source == "my table.csv"
    assert read_raw(str(path)).n_rows == 1
    with path.open("rb") as file:
        assert read_raw(file).source == "my table.csv"
    read_before = io.BytesIO(b"a,b\n1,2\n")
    read_before.read()
    assert read_raw(read_before, name="up.csv").n_rows == 1
    assert read_raw(io.StringIO("a,b\n1,ü\n")).n_rows == 1


def test_the_fingerprint_depends_on_bytes_and_options():
    one = read_raw(b"a,b\n1,2\n").fingerprint
    assert one == read_raw(b"a,b\n1,2\n", name="other").fingerprint
    assert one != read_raw(b"a,b\n1,3\n").fingerprint
    assert one != read_raw(b"a,b\n1,2\n", options=ReadOptions(extra_missing=("x",))).fingerprint


@dataclass(frozen=True)
class LaterOptions(ReadOptions):
    """Options of a later version."""

    upside_down: bool = False


@pytest.mark.parametrize("form", ["csv", "parquet", "frame"])
def test_a_new_option_changes_no_fingerprint_until_it_is_used(form):
    frame, written = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), io.BytesIO()
    frame.to_parquet(written)
    source = {"csv": b"a,b\n1,x\n2,y\n", "parquet": written.getvalue(), "frame": frame}[form]
    before = read_raw(source).fingerprint
    assert before == read_raw(source, options=LaterOptions()).fingerprint
    assert before == read_raw(source, options=ReadOptions(max_memory=1 << 40)).fingerprint, "no row depends on it"
    assert before != read_raw(source, options=LaterOptions(upside_down=True)).fingerprint


def test_parquet_and_frames_keep_their_types():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "whole": [1, 2, 4],
            "real": [0.5, None, 2.5],
            "flag": [True, False, None],
            "word": ["a", None, "b"],
            "size": pd.Categorical(["S", "L", "S"], categories=["S", "M", "L"], ordered=True),
            "when": pd.to_datetime(["2024-01-31 00:00", None, "2024-03-01 12:00"]),
            "mixed": [1, "x", None],
        }
    )
    buffer = io.BytesIO()
    frame.drop(columns="mixed").to_parquet(buffer)
    for source in (frame, buffer):
        table = read_table(source, derive={"when": ("month", "hour")})
        assert table.column("whole").values().tolist() == [1, 2, 4]
        np.testing.assert_array_equal(table.column("real").values(), [0.5, np.nan, 2.5])
        assert table.column("flag").kind == "boolean"
        assert table.column("flag").labels().tolist() == ["True", "False", ""]
        assert table.column("word").labels().tolist() == ["a", "", "b"]
        assert table.column("size").kind == "ordinal"
        assert table.column("size").levels == ("S", "M", "L")
        assert table.column("when: month").labels().tolist() == ["January", "", "March"]
        assert table.column("when: hour").labels().tolist() == ["0", "", "12"]
    assert read_table(frame).column("mixed").labels().tolist() == ["1", "x", ""]


def test_frames_with_several_types_of_names_and_whole_numbers_beyond_a_float():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({0: [2**60, 2**60 + 1], "0": ["a", "b"]})
    raw = read_raw(frame)
    assert raw.names == ("0", "0 (2)")
    assert cells(raw, "0") == [str(2**60), str(2**60 + 1)]


def test_every_reader_has_a_label_and_suffixes_are_lower_case():
    assert list(READERS) == ["frame", "parquet", "feather", "workbook", "statistical", "r", "arff", "json", "delimited"]
    for reader in READERS.values():
        assert reader.label
        assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in reader.suffixes)


@pytest.mark.parametrize("n_marks", [1, 2, 3])
@pytest.mark.parametrize("encoding", [None, "utf-8", "utf-8-sig"])
def test_byte_order_marks_are_no_part_of_a_name(n_marks, encoding):
    raw = read_raw(b"\xef\xbb\xbf" * n_marks + b"name,b\nx,1\ny,2\n", options=ReadOptions(encoding=encoding))
    assert raw.names == ("name", "b")
    if encoding is None:
        text = "\ufeff" * (n_marks - 1) + '"a, b",c\nx,1\ny,2\n'
        assert read_raw(text.encode("utf-16")).names == ("a, b", "c")


WIDE = {"b": [1.5, 2.5, 3.5, 4.5], "a": ["u", "v", "u", "v"], "c": [1, 2, 3, 5], "a ": [7, 8, 9, 1]}


def wide_sources():
    frame = pd.DataFrame(WIDE)
    parquet = io.BytesIO()
    frame.to_parquet(parquet)
    return [
        pytest.param(frame, id="frame"),
        pytest.param(frame.to_csv(index=False).encode(), id="csv"),
        pytest.param(parquet.getvalue(), id="parquet"),
    ]


@pytest.mark.parametrize("source", wide_sources())
def test_some_columns_alone_are_read(source):
    raw = read_raw(source, options=ReadOptions(columns=("c", "a", "a (2)")))
    assert raw.names == ("a", "c", "a (2)")
    table = read_table(source, columns=["c", "b"], kinds={"c": "numeric"})
    assert table.column("b").values().tolist() == WIDE["b"]
    assert table.column("c").values().tolist() == WIDE["c"]
    with pytest.raises(TreecoreError, match="no column 'x'"):
        read_raw(source, options=ReadOptions(columns=("x",)))


@pytest.mark.parametrize("source", wide_sources())
def test_more_columns_than_may_be_are_refused_with_their_names(source):
    with pytest.raises(TooManyColumns, match="4 columns, more than 3") as fault:
        read_raw(source, options=ReadOptions(max_columns=3))
    assert fault.value.names == ("b", "a", "c", "a (2)")
    assert read_raw(source, options=ReadOptions(max_columns=3, columns=("a", "b"))).n_rows == 4
    assert read_raw(source, options=ReadOptions(max_columns=4)).fingerprint == read_raw(source).fingerprint


def test_lines_of_another_width_are_told_where_some_columns_are_read():
    with pytest.raises(TreecoreError, match="line 3 has 2"):
        read_raw(b"a,b,c\n1,2,3\n4,5\n6,7,8\n", options=ReadOptions(columns=("a",)))


def test_names_repeated_among_the_rows_are_found_where_some_columns_are_read():
    text = b"a,b,c\n" + b"x,2,u\ny,4,v\n" * 5 + b"a,b,c\n" + b"x,2,u\ny,4,v\n" * 5
    raw = read_raw(text, options=ReadOptions(columns=("a", "c")))
    assert any("Line 12" in doubt.text for doubt in raw.doubts)


def test_rows_that_are_equal_to_an_earlier_one_are_left_out():
    """By every column, also those that are left out; which rows stay is said, and equal missing values are equal."""
    data = b"id,x,w,y\n" + b"a,1,3,p\nb,,3,q\na,1.0,3,p\nb,,3,q\nb,,3,p\nc,,3,q\n" * 3
    table = read_table(data, target="y", distinct_rows=True)
    assert table.row_numbers.tolist() == [0, 1, 4, 5]
    assert "14 rows of 18 left out: equal to an earlier one in every column." in table.notes
    assert read_table(data, target="y").n_rows == 18
    assert read_table(pd.read_csv(io.BytesIO(data)), target="y", distinct_rows=True).n_rows == 4
    weights = np.r_[np.ones(9), np.full(9, 2.0)]
    assert read_table(data, target="y", weights=weights, distinct_rows=True).n_rows == 8
