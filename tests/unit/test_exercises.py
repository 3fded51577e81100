"""Exercise sheets: the key against an independent computation in fractions, variants, and hostile names."""

import io
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from pypdf import PdfReader

import treecore as tc
from treecore.data import level_column
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.teach.exercises import TreeAndRows, full_sheet, sheet
from treecore.teach.sheet import FORMATS, to_pdf, why_not_pdf, written_sheet


def rows_of(made) -> list[dict]:
    """The rows that the sheet itself prints."""
    grid = made.tasks[0].given[0]
    return [dict(zip(grid.columns, row, strict=True)) for row in grid.rows]


def mixed(rows: list[dict], target: str, measure: str) -> float:
    """The impurity of rows, from their cells; squares and shares are exact."""
    shares = [Fraction(sum(r[target] == v for r in rows), len(rows)) for v in {r[target] for r in rows}]
    if measure == "gini":
        return float(sum(p * (1 - p) for p in shares))
    return sum(float(p) * math.log2(1 / p) for p in shares)


def gain(rows: list[dict], feature: str, target: str, measure: str) -> float:
    parts = [[r for r in rows if r[feature] == v] for v in {r[feature] for r in rows}]
    return mixed(rows, target, measure) - sum(
        float(Fraction(len(p), len(rows))) * mixed(p, target, measure) for p in parts
    )


@pytest.mark.parametrize("measure", ["entropy", "gini"])
@pytest.mark.parametrize("variant", [0, 1, 2, 17])
@pytest.mark.parametrize("name", ["play_tennis", "willwait", "fruit", "titanic"])
def test_the_key_is_what_the_printed_rows_give(name, variant, measure):
    table = read_sample(name)
    made, target = sheet(table, variant, measure), table.target
    rows, told = rows_of(made), {}
    assert made.tasks[0].key[0].endswith(f"= {mixed(rows, target, measure):.4f}")
    for task in made.tasks:
        if found := re.match(r"Compute the gain of (.*)\.", task.text):
            told[found[1]] = float(task.key[-1].rsplit("= ", 1)[1])
    assert told == {
        f: pytest.approx(gain(rows, f, target, measure), abs=6e-5) for f in rows[0] if f not in ("#", target)
    }
    best = next(t for t in made.tasks if t.text.startswith("Which attribute")).key[0].split(":")[0].split(" or ")
    assert max(told.values()) - min(told[f] for f in best) <= 1e-4


def test_the_tree_of_the_key_answers_the_rows_as_the_key_says():
    made = sheet(read_sample("play_tennis"))
    draw, classify = made.tasks[-2:]
    assert "IF Outlook = Overcast THEN Yes" in draw.key
    assert classify.key[0] == "Sunny, Hot, High, Weak → No (Outlook = Sunny AND Humidity = High)"


def test_the_key_draws_the_tree():
    draw = sheet(read_sample("play_tennis"), 0, "entropy", ("tree",)).tasks[0]
    [grid] = draw.drawn
    assert grid.columns == ("1. asks", "1. branch", "2. asks", "2. branch", "answer")
    assert grid.rows == (
        ("Outlook", "Sunny", "Humidity", "High", "No (3 No)"),
        ("", "", "", "Normal", "Yes (2 Yes)"),
        ("", "", "", "Low", "No (no row)"),
        ("", "Overcast", "", "", "Yes (4 Yes)"),
        ("", "Rain", "Wind", "Weak", "Yes (3 Yes)"),
        ("", "", "", "Strong", "No (2 No)"),
    )
    made = sheet(read_sample("play_tennis"), 0, "entropy", ("tree",))
    for form in FORMATS:
        assert "Yes (3 Yes)" in written_sheet(made, form, key=True)
        assert "Yes (3 Yes)" not in written_sheet(made, form)


def test_the_key_names_attributes_that_gain_as_much():
    cells = np.array(["u", "v", "v", "u"] * 4, object)
    columns = [level_column(name, "nominal", cells, ("u", "v")) for name in "ab"]
    y = level_column("y", "nominal", np.array(["p", "q", "q", "p"] * 4, object), ("p", "q"))
    made = sheet(tc.Table((*columns, y), target="y", features=("a", "b")), 0, "entropy", ("tree",))
    assert "All rows: asks a; b gains as much and may be asked instead." in made.tasks[0].key


def test_variants_have_the_same_questions_and_other_counts():
    table = read_sample("play_tennis")
    first, second = sheet(table, 1), sheet(table, 2)
    assert first == sheet(table, 1)
    assert [t.text for t in first.tasks] == [t.text for t in second.tasks]
    assert first.tasks[0].given != second.tasks[0].given


@pytest.mark.parametrize("form", FORMATS)
def test_a_sheet_gives_nothing_away_and_names_stay_text(form):
    cells = np.array(["<b>&$x_1|", "\\end{document}"] * 6, object)
    x = level_column("*a*_b", "nominal", cells, sorted(set(cells)))
    y = level_column("<script>", "nominal", np.array(["p%", "q#"] * 6, object), ("p%", "q#"))
    made = sheet(tc.Table((x, y), target="<script>", features=("*a*_b",)))
    question, key = written_sheet(made, form), written_sheet(made, form, key=True)
    assert "= 1.0000" not in question
    assert "1.0000" in key
    assert {"html": "<script>", "md": "<script>", "tex": "{\\end{document}}"}[form] not in question + key
    if form == "tex":
        assert question.count(r"\end{document}") == 1


def test_what_cannot_be_counted_by_hand_is_said():
    with pytest.raises(TreecoreError, match="two to six levels"):
        sheet(read_sample("iris"))
    with pytest.raises(TreecoreError, match="count classes"):
        sheet(read_sample("mpg"))


def words_of(pdf: bytes) -> str:
    """The text of all pages, as a reader copies it."""
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


@pytest.mark.parametrize("key", [False, True])
def test_a_sheet_as_pdf_has_every_question_and_its_key_every_answer(key):
    made = sheet(read_sample("play_tennis"))
    told = " ".join(words_of(to_pdf(made, key)).split())
    for number, task in enumerate(made.tasks, 1):
        assert " ".join(f"{number}. {task.text}".split()) in told
        assert all((" ".join(line.split()) in told) == key for line in task.key if "=" in line)


def test_letters_that_no_font_of_a_pdf_has_are_named():
    column = level_column("色", "nominal", np.array([0, 1, 0, 1]), ("红", "绿"))
    y = level_column("y", "nominal", np.array([0, 1, 0, 1]), ("a", "b"))
    made = sheet(tc.Table((column, y), target="y", features=("色",)))
    assert "“红”" in why_not_pdf(made)
    with pytest.raises(TreecoreError, match="红"):
        to_pdf(made)
    assert "红" in written_sheet(made, "html")


@pytest.mark.parametrize(("sample", "held"), [("claims", "counts"), ("pumps", "survival times"), ("mpg", "numbers")])
def test_a_target_without_classes_is_told_what_it_holds(sample, held):
    table = read_sample(sample)
    with pytest.raises(TreecoreError, match=f"count classes, and the target holds {held}") as fault:
        full_sheet(("gains",), table, TreeAndRows(tc.grow(table, max_depth=1), table))
    assert ("squared errors" in fault.value.remedy) == (sample == "mpg")
