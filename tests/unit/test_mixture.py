"""Rows that are shared among leaves: their parts, the mixed shares, and the sums that make them."""

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.data.readers import read_raw
from treecore.data.samples import read_sample
from treecore.explaining.formulas import Formula, Grid
from treecore.explaining.missing_routes import missing_lines
from treecore.export.portable import Portable
from treecore.predicting.batch import rows_of, score
from treecore.predicting.decision_path import story
from treecore.predicting.mixture import likeliest, mixed_share, mixture_lines, row_parts

TENNIS = read_sample("play_tennis")


def of(tree, **row):
    return story(Portable(tree), row)


def test_the_lecture_s_day_without_outlook_is_nine_fourteenths():
    """5/14 · 2/5 + 4/14 · 4/4 + 5/14 · 3/5, by hand."""
    tree = tc.grow(TENNIS, "c4.5", max_depth=1)
    found = of(tree, Outlook=None)
    yes = tree.classes.index("Yes")
    assert mixed_share(tree, found, yes) == "64.3\u00a0% (9/14)"
    grid, _, formula, *_ = mixture_lines(tree, found)
    assert {row[0] for row in grid.rows} == {"35.7\u00a0% (5/14)", "28.6\u00a0% (2/7)"}
    assert {row[2] for row in grid.rows} == {f"Outlook = {level}" for level in ("Sunny", "Overcast", "Rain")}
    assert r"\tfrac{9}{14} = 0.64286" in formula.tex
    assert r"\tfrac{5}{14} \cdot \tfrac{3}{5}" in formula.tex
    assert mixture_lines(tree, of(tree, Outlook="Rain")) == []


def test_the_sums_are_what_the_tree_answers():
    """Over several levels, of weighted rows, of numbers."""
    titanic = read_sample("titanic")
    weighted = titanic.with_weights(np.linspace(0.5, 1.5, titanic.n_rows))
    for table in (titanic, weighted, read_sample("mpg")):
        tree = tc.grow(table, missing="fractional", max_depth=4)
        found = of(tree)
        parts = [float(part) for part in row_parts(tree, found)]
        assert sum(parts) == pytest.approx(1)
        assert parts == pytest.approx([end.share for end in found.ends])
        if tree.classes:
            shares = sum(part * end.shares for part, end in zip(parts, found.ends, strict=True))
            assert shares == pytest.approx(found.shares)
            assert likeliest(found)[0] == int(np.argmax(found.shares))
        else:
            total = sum(p * tree.value[end.node] for p, end in zip(parts, found.ends, strict=True))
            assert total == pytest.approx(found.answer)
        assert any(isinstance(line, Formula) for line in mixture_lines(tree, found))


def test_why_says_what_a_row_without_the_value_is_answered():
    tree = tc.grow(TENNIS, "c4.5", max_depth=1)
    grid, formula = (
        next(line for line in missing_lines(tree, 0) if isinstance(line, kind)) for kind in (Grid, Formula)
    )
    assert [row[1] for row in grid.rows] == ["5", "4", "5"]
    assert "= 0.64286" in formula.tex
    deep = missing_lines(tc.grow(TENNIS, "c4.5"), 0)
    assert not any(isinstance(line, Formula) for line in deep), "what is below asks for more"


def test_a_table_s_shared_rows_say_their_parts():
    tree = tc.grow(TENNIS, "c4.5", max_depth=1)
    others = dict.fromkeys(("Temperature", "Humidity", "Wind"), "x")
    raw = read_raw(pd.DataFrame({"Outlook": ["Rain", None, "Sunny"], **others}))
    made = score(tree, rows_of(tree, raw)).beside(raw)
    assert made["parts"].to_pylist() == [None, "3 35.7\u00a0%, 1 35.7\u00a0%, 2 28.6\u00a0%", None]
    assert made["share_Yes"].to_pylist()[1] == pytest.approx(9 / 14)
    plain = tc.grow(TENNIS, "cart", missing="majority", max_depth=1)
    assert "parts" not in score(plain, rows_of(plain, raw)).beside(raw).column_names
