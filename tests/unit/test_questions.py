"""Every question of the registry is answered, described and drawn, and what is chosen for it the page knows."""

import re
from pathlib import Path

import numpy as np
import pytest

from docs import questions
from pages.shared.experiments.panels import PANELS
from pages.shared.session.choices import CHOICES
from treecore.data.samples import read_sample
from treecore.plots.charts import charts_of
from treecore.recipe import Grow, Recipe, Split
from treecore.study.questions import QUESTIONS
from treecore.study.questions.question import Setup, plain_lines

FEW = {
    "bias trees": 3, "along repeats": 2, "regrown trees": 3, "many trees": 3, "optimal depth": 1, "optimal cuts": 2,
    "experiment folds": 3, "experiment samples": ["this table"], "moved to": 70.0, "moved column": "age",
    "fed batch": 200,
}  # fmt: skip
"""So that answers take little."""
FOLDER = Path(__file__).resolve().parents[2] / "treecore" / "study" / "questions"


@pytest.fixture(scope="module")
def setup() -> Setup:
    table = read_sample("titanic").take(np.arange(0, 891, 2))
    return Setup(table, Recipe((Split(0.6, 0.2, 0.2), Grow("cart", (("max_depth", 3),)))), FEW)


@pytest.mark.parametrize("name", QUESTIONS)
def test_it_is_answered_described_and_drawn(name, setup):
    question = QUESTIONS[name]
    assert not question.obstacle(setup)
    answer = question.answer(setup)
    lines = plain_lines(question.describe(answer, setup))
    assert any(isinstance(line, str) and line.strip() for line in lines)
    drawn = charts_of(question.pictures(answer, setup))
    assert all(chart.marks and chart.caption.endswith(".") for chart in drawn)
    assert question.title_of(setup)
    assert all(name and str(value) for name, value in question.about(setup))


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_chosen_for_it_can_be_kept(name, setup):
    """A page keeps choices by name: their defaults, and what they come to on a table."""
    question = QUESTIONS[name]
    for setting in question.settings:
        assert CHOICES[setting.choice].allows(setting.default), setting.choice
        assert setting.label
        if setting.options is not None and (known := setting.options(setup)):
            assert setup[setting] in known
            assert all(CHOICES[setting.choice].allows(value) for value in known), setting.choice
    if question.start is not None and question.start.choice:
        assert CHOICES[question.start.choice].default is False
        assert question.start.button


def test_the_page_lists_those_with_a_label():
    labels = [question.label for question in QUESTIONS.values() if question.on_page]
    assert len(set(labels)) == len(labels) > 10
    assert all(label.endswith("?") for label in labels)
    assert set(CHOICES["experiment"].among) == {n for n, question in QUESTIONS.items() if question.on_page} | {"found"}


def test_panels_are_of_questions():
    """Any other question has one made of its settings."""
    assert set(PANELS) < set(QUESTIONS)


def test_every_file_of_the_folder_is_in_the_registry():
    names = {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "question"}
    assert names == set(re.findall(r"study\.questions\.(\w+) import", (FOLDER / "__init__.py").read_text())) - {
        "question"
    }


def test_the_site_lists_them_all():
    text = questions.page()
    for question in QUESTIONS.values():
        assert (f"## {question.label}\n" in text) == question.on_page
        assert not question.on_page or all(f"- {setting.label}" in text for setting in question.settings)
