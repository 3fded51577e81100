"""What the picture of a confusion shows: every number in words, every name, on any page."""

import html
import json

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_plots_words import HOSTILE, OURS
from treecore import plots
from treecore.study import Confusion

LOSS = np.array([[0.0, 3.0], [7.0, 0.0]])


def two(**more) -> Confusion:
    counts = np.array([[1.0, 2.0], [0.5, 6.5]])
    return Confusion(**{"classes": ("no", "yes"), "answers": ("no", "yes"), "counts": counts, "n_rows": 5,
                        "n_left_out": 0, "loss": LOSS} | more)  # fmt: skip


def cells(figure) -> list[list[str]]:
    return figure.data[0].text.tolist()


@pytest.mark.parametrize(
    ("show", "words", "high", "label"),
    [
        ("counts", [["<b>1</b>", "2"], ["0.5", "<b>6.5</b>"]], 6.5, "weight of the rows"),
        ("shares", [["<b>10.0\u00a0%</b>", "20.0\u00a0%"], ["5.0\u00a0%", "<b>65.0\u00a0%</b>"]], 0.65,
         "share of all rows"),
        ("recall", [["<b>33.3\u00a0%</b>", "66.7\u00a0%"], ["7.1\u00a0%", "<b>92.9\u00a0%</b>"]], 1.0,
         "share of the true class"),
        ("cost", [["<b>0</b>", "6"], ["3.5", "<b>0</b>"]], 6.0, "cost"),
    ],
)  # fmt: skip
def test_every_cell_says_its_number(show, words, high, label):
    figure = plots.confusion(two(), show)
    (trace,) = figure.data
    assert cells(figure) == words
    assert trace.texttemplate == "%{text}"
    assert (trace.zmin, trace.zmax) == (0, pytest.approx(high))
    assert trace.colorbar.title.text == label
    matrix = {"counts": two().counts, "shares": two().shares, "recall": two().by_true, "cost": two().cost}[show]
    np.testing.assert_array_equal(trace.z, matrix)
    assert json.loads(figure.to_json())["data"]


def test_counts_come_first_and_other_numbers_are_refused():
    assert cells(plots.confusion(two())) == cells(plots.confusion(two(), "counts"))
    with pytest.raises(tc.TreecoreError, match=r"'precision'.*counts, shares, recall, cost"):
        plots.confusion(two(), "precision")


def test_true_classes_go_down_and_answers_across():
    names = ("Iris-setosa", "Iris-versicolor", "2020-01-01")
    counts = np.arange(12.0).reshape(3, 4)
    figure = plots.confusion(two(classes=names, answers=(*names, "no answer"), counts=counts, loss=None))
    assert (figure.layout.yaxis.title.text, figure.layout.xaxis.title.text) == ("true class", "answer")
    assert figure.layout.yaxis.ticktext == names
    assert figure.layout.xaxis.ticktext == (*names, "no answer")
    assert figure.layout.yaxis.autorange == "reversed"
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "linear", "no name is read as a date"
    assert figure.data[0].z[1, 3] == 7
    told = figure.data[0].hovertext[1, 3]
    assert told.startswith("true class: Iris-versicolor<br>answer: no answer<br>7 of the rows' weight (10.6\u00a0%)")
    assert told.endswith("<br>31.8\u00a0% of the true class<br>cost 7")


def test_long_names_are_broken_between_words_and_nothing_of_them_is_lost():
    name = "a class whose name, at 50 % of it, is long & winding"
    figure = plots.confusion(two(classes=("no", name), answers=("no", name)))
    shown = figure.layout.xaxis.ticktext[1]
    lines = [html.unescape(line) for line in shown.split("<br>")]
    assert " ".join(lines) == name
    assert len(lines) > 2
    assert max(len(line) for line in lines) <= 18
    assert figure.layout.yaxis.ticktext[1] == shown


@pytest.mark.parametrize(("k", "size"), [(2, 14), (13, 10), (60, 7)])
def test_more_classes_have_smaller_numbers(k, size):
    names = tuple(f"class {i}" for i in range(k))
    figure = plots.confusion(two(classes=names, answers=names, counts=np.eye(k), loss=None))
    assert figure.data[0].textfont.size == size


def test_right_answers_are_framed_upon_any_ground():
    shapes = plots.confusion(two()).layout.shapes
    assert [(s.x0, s.x1, s.y0, s.y1) for s in shapes] == [(-0.5, 0.5, -0.5, 0.5), (0.5, 1.5, 0.5, 1.5)] * 2
    assert len({s.line.color for s in shapes}) == 2


def test_text_colours_and_the_page_are_left_to_the_theme():
    figure = plots.confusion(two())
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
    assert figure.layout.font.color is None
    assert figure.data[0].textfont.color is None, "plotly then takes black or white, whichever stands off the cell"


@pytest.mark.parametrize("show", ["counts", "shares", "recall", "cost"])
def test_no_rows_are_dashes_and_zeros(show):
    found = two(counts=np.zeros((2, 2)), n_rows=0)
    figure = plots.confusion(found, show)
    plain = "0" if show in ("counts", "cost") else "–"
    assert cells(figure) == [[f"<b>{plain}</b>", plain], [plain, f"<b>{plain}</b>"]]
    assert figure.data[0].z.tolist() == [[0, 0], [0, 0]]
    assert figure.data[0].zmax > 0


def test_hostile_names_are_shown_as_they_are():
    k = len(HOSTILE)
    figure = plots.confusion(two(classes=HOSTILE, answers=HOSTILE, counts=np.eye(k), loss=None))
    figure.update_layout(template="none")
    shown = [*figure.layout.xaxis.ticktext, *figure.layout.yaxis.ticktext, *figure.data[0].hovertext.ravel()]
    for string in shown:
        assert not any(sign in OURS.sub("", string) for sign in ("<", "$", "%{x}", "&quot;")), string[:200]
        assert len(string) < 1000
    assert html.unescape(figure.layout.xaxis.ticktext[0].replace("<br>", " ")) == HOSTILE[0]
    assert len(set(figure.layout.xaxis.ticktext)) == k
