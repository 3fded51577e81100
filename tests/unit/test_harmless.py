"""Text of a table that a spreadsheet would work out, and all that it would not."""

import csv
import io
import re
from pathlib import Path

import pandas as pd
import pytest

from treecore.data.formula_injection import GUARD, harmless, harmless_text

PAGES = Path(__file__).resolve().parents[2] / "pages"
FORMULAS = ["=no", "@SUM(A1)", "+1+1", "-2+3", "\t=1", "\r=1", "\n=1", "=cmd|' /C calc'!A0", "＝1+1"]
PLAIN = ["no", "", "-", "+", "=", "≤ 3", "a=b", " x", "'=no", "2 to 4", "−3"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_becomes_text(text):
    assert harmless_text(text) == GUARD + text
    assert harmless_text(harmless_text(text)) == GUARD + text


@pytest.mark.parametrize("text", PLAIN)
def test_other_text_stays_as_it_is(text):
    assert harmless_text(text) == text


def test_numbers_are_untouched_and_all_text_of_a_file_is_harmless():
    frame = pd.DataFrame(
        {
            "=n": [-1.5, 2.0], "-m": [-3, 4], "object": ["=no", -1], "gap": ["@x", None],
            "levels": pd.Categorical(["=a", "b"]), "text": pd.array(["+1+1", None], "string"), "flag": [True, False],
        },
        index=["=first", "second"],
    )  # fmt: skip
    made = harmless(frame)
    assert made.iloc[:, 0].tolist() == [-1.5, 2.0]
    assert made.dtypes.tolist()[:2] == frame.dtypes.tolist()[:2]
    assert made["object"].tolist() == [GUARD + "=no", -1]
    assert made["gap"].isna().tolist() == [False, True]
    assert isinstance(made["levels"].dtype, pd.CategoricalDtype)
    cells = [cell for row in csv.reader(io.StringIO(made.to_csv())) for cell in row]
    assert [cell for cell in cells if re.match(r"[=+@\t\r]|-\D", cell)] == []
    assert frame.columns[0] == "=n", "the frame itself stays what it was"


def test_pages_show_no_table_past_it():
    past = [
        path.name for path in PAGES.rglob("*.py") if re.search(r"\bst\.(dataframe|table)\(", path.read_text("utf-8"))
    ]
    assert past == ["frames.py"]
