"""Cells among numbers that are none: missing values, signs, odd ones."""

import numpy as np
import pytest

from treecore.data import build_table, infer_kinds, read_raw
from treecore.data.readers import delimited

TOKENS = ["#N/A", "#DIV/0!", "#VALUE!", "#REF!", "<NA>", "--", "none", "None", "missing", "?", "NA", "-", "n/a"]


def raw_of(cells, n: int = 113):
    """These cells among n others that are numbers."""
    all_cells = [*[f"{i % 40}.25" for i in range(n)], *cells]
    return read_raw("\n".join(["x;y", *(f"{cell};{'ab'[i % 2]}" for i, cell in enumerate(all_cells))]).encode())


def guess_of(raw, name="x"):
    return next(guess for guess in infer_kinds(raw) if guess.name == name)


@pytest.mark.parametrize("token", TOKENS)
def test_among_numbers_they_are_missing_and_said_with_a_count_that_agrees(token):
    raw = raw_of([token, f" {token} ", token])
    guess = guess_of(raw)
    assert (guess.kind, guess.use, guess.n_missing) == ("numeric", "feature", 3)
    assert f"{token!r} (3)" in guess.reason
    assert build_table(raw, target="y").column("x").n_missing == 3


def test_several_words_are_counted_each():
    raw = raw_of(["?", "?", "--", "", "missing"])
    assert "Missing values are '?' (2), '--' (1), 'missing' (1) and empty cells." in guess_of(raw).reason
    assert guess_of(raw).n_missing == build_table(raw).column("x").n_missing == 5


@pytest.mark.parametrize("token", ["?", "#N/A"])
def test_in_large_files_too(monkeypatch, token):
    monkeypatch.setattr(delimited, "BLOCK_BYTES", 1 << 16)
    cells = [f"{x:.6f}" for x in np.random.default_rng(0).normal(size=9000)]
    cells[5] = cells[8000] = cells[8001] = token
    raw = read_raw("\n".join(["x,y", *(f"{cell},{'ab'[i % 2]}" for i, cell in enumerate(cells))]).encode())
    assert raw.column("x").content == "number"
    assert f"{token!r} (3)" in guess_of(raw).reason
    assert build_table(raw).column("x").n_missing == guess_of(raw).n_missing == 3


def test_words_among_words_stay_what_they_are():
    raw = read_raw(b"x,y\nnone,1\nsome,2\nmissing,1\n--,2\nsome,3\n")
    assert guess_of(raw).n_missing == 0
    assert set(build_table(raw).column("x").levels) == {"none", "some", "missing", "--"}


def test_an_odd_cell_is_named_with_its_row_and_its_text_offered():
    raw = raw_of(["12 kg"])
    guess = guess_of(raw)
    assert guess.odd == ("12 kg",)
    assert (
        "113 values are numbers, but 1 is not, '12 kg' (first at row 114): such cells are rare, treat them as missing"
        in guess.reason
    )
    assert guess_of(raw_of(["a", "b", "a"])).odd == ("a", "b")
    assert (
        "but 3 are not, such as 'a' (first at rows 114, 115 and 116): treat them"
        in guess_of(raw_of(list("aba"))).reason
    )
    assert guess_of(raw_of([f"w{i}" for i in range(30)])).odd == ()


@pytest.mark.parametrize(
    ("write", "unit"),
    [("{:.1f}%", "in per cent"), ("{:.1f} %", "in per cent"), ("${:.1f}", "in $"), ("{:.1f} €", "in €")],
)
def test_a_sign_beside_every_number_is_no_part_of_it(write, unit):
    cells = [write.format(i / 4) for i in range(60)]
    raw = read_raw("\n".join(["x;y", *(f"{cell};{'ab'[i % 2]}" for i, cell in enumerate(cells)), "?;a"]).encode())
    guess = guess_of(raw)
    assert (guess.kind, guess.use, guess.n_missing) == ("numeric", "feature", 1)
    assert unit in guess.reason
    assert build_table(raw).column("x").values()[:2].tolist() == [0.0, float(f"{1 / 4:.1f}")]


def test_a_number_without_the_sign_of_the_others_is_odd():
    raw = read_raw("\n".join(["x;y", *(f"{i}%;{'ab'[i % 2]}" for i in range(60)), "7;a"]).encode())
    assert guess_of(raw).kind == "nominal"
    assert guess_of(raw).odd == ("7",)


def test_thousands_separators_beside_a_sign_are_read():
    raw = read_raw("\n".join(["x;y", *(f"$1,{i:03d},000.50;{'ab'[i % 2]}" for i in range(60))]).encode())
    assert build_table(raw).column("x").values()[1] == 1_001_000.5
    assert "commas between thousands" in guess_of(raw).reason
