"""The arithmetic of measures: what is opened ends with the value that is shown, for every entry of the registry."""

import re
from dataclasses import replace

import numpy as np
import pytest

import treecore as tc
from treecore.cross_validation import cross_validated, make_folds
from treecore.data.samples import read_sample
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Formula, Grid, Words
from treecore.explaining.measure_arithmetic import folds_lines, measure_lines
from treecore.judging.answers import answers_of
from treecore.judging.measures import MEASURES, measures_for

SAMPLES = {
    "titanic": {"profit": [[1, -5], [-2, 9]]},
    "iris": {},
    "mpg": {},
    "penguins": {"loss": [[0, 1, 2], [3, 0, 1], [1, 1, 0]]},
}


def grown(sample: str):
    train, validation, _ = read_sample(sample).split(tc.Roles(0.6, 0.3, 0.1, seed=3))
    tree = tc.grow(train, "cart", max_depth=3, **SAMPLES[sample])
    return tree, answers_of(tree, validation)


def last_number(lines) -> float:
    """At the end of the last formula, powers of ten written out."""
    tex = [line.tex for line in lines if isinstance(line, Formula)][-1].removesuffix(r"\end{aligned}")
    value, power = re.findall(r"(-?\d+(?:\.\d+)?)(?: \\cdot 10\^\{(-?\d+)\})?$", tex.strip())[-1]
    return float(value) * 10.0 ** int(power or 0)


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_measure_ends_with_its_value(sample):
    tree, answers = grown(sample)
    for measure in measures_for(answers.target):
        lines = measure_lines(answers, measure.name, tree)
        assert last_number(lines) == pytest.approx(measure(answers), rel=1e-3, abs=1e-9), measure.name
        assert lines[1] == Formula(measure.formula)
        assert f"{len(answers):,} rows" in lines[0].text


@pytest.mark.parametrize("sample", ["titanic", "penguins", "mpg"])
def test_rows_with_weights_and_without_answers_are_counted_as_such(sample):
    _, answers = grown(sample)
    weight = np.random.default_rng(1).choice([0.5, 1.0, 3.0], len(answers))
    said = answers.said.copy()
    if answers.classes:
        said[::7] = -1
    answers = replace(answers, weight=weight, said=said)
    for measure in measures_for(answers.target):
        assert last_number(measure_lines(answers, measure.name)) == pytest.approx(measure(answers), rel=1e-3), (
            measure.name
        )


def test_the_area_is_pairs_won_and_half_of_the_ties():
    """Rows of the class with shares 0.9, 0.5, others with 0.5, 0.1: of four pairs three are won and one is a tie."""
    _, answers = grown("titanic")
    four = replace(
        answers.take(np.arange(4)), truth=np.array([1, 1, 0, 0]), weight=np.ones(4),
        shares=np.array([[0.1, 0.9], [0.5, 0.5], [0.5, 0.5], [0.9, 0.1]]),
    )  # fmt: skip
    lines = measure_lines(four, "auc")
    assert r"\frac{3 + \tfrac12 \cdot 1}{4} = 0.875" in lines[-1].tex
    grid = next(line for line in lines if isinstance(line, Grid))
    assert [row[1:] for row in grid.rows] == [("1", "0", "2", "0"), ("1", "1", "1", "1"), ("0", "1", "0", "0")]


def test_the_class_of_interest_is_that_of_the_reader():
    _, answers = grown("titanic")
    told = [line.text for line in measure_lines(replace(answers, interest="0"), "captured") if isinstance(line, Words)]
    assert any("“0”" in text for text in told)
    assert last_number(measure_lines(replace(answers, interest="0"), "captured")) == pytest.approx(
        MEASURES["captured"](replace(answers, interest="0")), rel=1e-4
    )


def test_smoothing_is_told_with_the_numbers_of_a_leaf():
    tree, answers = grown("titanic")
    words = [line.text for line in measure_lines(answers, "log_loss", tree) if isinstance(line, Words)]
    assert any("m = 2 rows" in text and "Cestnik" in text for text in words)


@pytest.mark.parametrize("measure", ["log_loss", "auc", "error"])
def test_folds_end_with_the_mean_and_its_error(measure):
    train = read_sample("titanic")
    tree = tc.grow(train, "cart", min_rows_leaf=20)
    steps = tc.sequence(tree, "impurity")
    found = cross_validated(tree, train, steps, make_folds(train, 5), measure=measure)
    k = found.best()
    lines = folds_lines(found, k)
    assert last_number(lines[:-1]) == pytest.approx(found.mean[k], rel=1e-3)
    assert last_number(lines) == pytest.approx(found.error[k], rel=1e-3)
    assert [float(row[1]) for row in lines[0].rows] == pytest.approx(found.per_fold[:, k].tolist(), rel=1e-3)


def test_no_rows_have_no_arithmetic_and_another_task_is_refused():
    _, answers = grown("titanic")
    assert measure_lines(answers.take(np.arange(0)), "accuracy") == []
    with pytest.raises(TreecoreError, match="for a target of numbers"):
        measure_lines(answers, "rmse")
