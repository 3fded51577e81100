"""Rules straight from data: what each way to learn them promises."""

import numpy as np
import pytest

import treecore as tc
from treecore.covering import LEARNERS, learn_rules
from treecore.covering.weka_random import JavaRandom, text_hash
from treecore.data import level_column, numeric_column


def table(n: int = 60) -> tc.Table:
    """Numbers below 0 and above, levels, and missing values; the class is of both."""
    random = np.random.default_rng(4)
    x, size = random.normal(size=n), random.integers(0, 3, n)
    label = np.where((x < -0.2) & (size == 1), "in", "out")
    x[5] = np.nan
    columns = (
        numeric_column("x", x),
        level_column("size", "nominal", [("S", "M", "L")[s] for s in size], ("S", "M", "L")),
        level_column("y", "nominal", label.tolist(), ("in", "out")),
    )
    return tc.Table(columns, target="y", features=("x", "size"))


@pytest.mark.parametrize("name", LEARNERS)
def test_rules_find_a_class_of_two_conditions(name):
    found = learn_rules(table(), name)
    assert found.listed.error(table()) <= (0.25 if LEARNERS[name].levels_only else 0.05)


def test_numbers_below_zero_are_numbers():
    rules = learn_rules(table(), "ripper").answers.rules
    assert any(test.value < 0 and test.feature == 0 for rule in rules for test in rule.tests)


def test_numbers_as_target_are_refused():
    numbers = tc.Table((numeric_column("a", np.arange(9.0)), numeric_column("b", np.arange(9.0) / 7)), "b", ("a",))
    with pytest.raises(tc.TreecoreError, match="answer with classes"):
        learn_rules(numbers, "prism")


def test_java_draws_and_hashes():
    """Published: new Random(42).nextInt() and .nextInt(10); "hello".hashCode()."""
    assert JavaRandom(42).whole() == -1170105035
    assert JavaRandom(42).below(10) == 0
    assert text_hash("hello") == 99162322


@pytest.mark.parametrize("name", [name for name, learner in LEARNERS.items() if not learner.shared])
def test_figures_are_of_the_rows_that_a_rule_answers_for(name):
    rows = table()
    listed = learn_rules(rows, name).listed
    fired, truth = listed.fired(rows), rows.target_column.labels()
    for i, rule in enumerate(listed.rules):
        right = truth[fired == i] == rule.said
        assert (rule.train is None) == (not len(right))
        assert not len(right) or (rule.train.n_rows, rule.train.confidence) == (len(right), pytest.approx(right.mean()))
    errors = sum(rule.train.error * rule.train.n_rows for rule in listed.rules if rule.train)
    left = truth[fired < 0] != listed.default_text
    assert listed.error(rows) == pytest.approx((errors + left.sum()) / len(truth)), "they add up to the list's error"


def contradictory() -> tc.Table:
    """Level a is of class no once and of yes twice, b of no twice and of yes once."""
    columns = (
        level_column("x", "nominal", [*"aaabbb"], ("a", "b")),
        level_column("y", "nominal", ["no", "yes", "yes", "no", "no", "yes"], ("no", "yes")),
    )
    return tc.Table(columns, target="y", features=("x",))


@pytest.mark.parametrize("name", LEARNERS)
def test_rows_are_answered_by_the_rule_that_covers_them(name):
    """Also where most of the rows that it covers are of another class."""
    rows = contradictory()
    found = learn_rules(rows, name)
    assert found.predict(rows).tolist() == found.listed.predict(rows).tolist()
    assert found.error(rows) == found.listed.error(rows)
    assert [rule.said for rule in found.listed.rules] == [found.tree.classes[r.answer] for r in found.answers.rules]


def test_prism_answers_contradictory_rows_by_its_first_rule():
    """Weka 3.6.14, Prism: If x = a then no; If x = b then no; If x = a then yes ...; every row: no, [1, 0]."""
    found = learn_rules(contradictory(), "prism")
    assert found.predict(contradictory()).tolist() == ["no"] * 6
    assert found.predict_proba(contradictory()).tolist() == [[1.0, 0.0]] * 6
    assert found.error(contradictory()) == 0.5


def test_part_takes_the_first_of_classes_that_are_equal_but_for_the_last_bit():
    """Weka 3.6.14, PART -M 2 -C 0.25 -Q 1: class B of [0, 0.444..., 0.4444444444444445, 0.111...] at row 7."""
    names, kinds = ("f0", "f1", "f2", "f3"), ("abcde", None, "abcd", None)
    cells = ["b4b2C", "e5b4C", "d0d1B", "b4a5B", "d2.4B", "e1d2C", "e2.6C", ".0c3B", "d3..D"]
    columns = [
        level_column(name, "nominal", [None if v == "." else v for v in text], tuple(levels))
        if levels
        else numeric_column(name, np.array([np.nan if v == "." else float(v) for v in text]))
        for name, levels, text in zip(names, kinds, zip(*cells, strict=True), strict=False)
    ]
    target = level_column("y", "nominal", [row[-1] for row in cells], tuple("ABCD"))
    rows = tc.Table((*columns, target), target="y", features=names)
    assert "".join(learn_rules(rows, "part").predict(rows)) == "CCBCBCCBB"


def test_settings_of_a_learner():
    rows = table()
    assert any(test.sign == "!=" for r in learn_rules(rows, "part", binary=True).answers.rules for test in r.tests)
    assert len(learn_rules(rows, "part", prune=False).answers.rules) >= len(learn_rules(rows, "part").answers.rules)
    assert not learn_rules(rows, "ripper", least=40).answers.rules
    with pytest.raises(tc.TreecoreError, match=r"RIPPER has no setting 'cf'\. There are: folds, least"):
        learn_rules(rows, "ripper", cf=0.1)
    with pytest.raises(tc.TreecoreError, match="Prism has no setting 'least'"):
        learn_rules(rows, "prism", least=3)


@pytest.mark.parametrize(
    ("learner", "name", "value"),
    [
        ("ripper", "folds", 1),
        ("ripper", "folds", 2.5),
        ("ripper", "prune", 1),
        ("part", "least", "x"),
        ("part", "cf", -1),
    ],
)
def test_an_impossible_setting_is_refused(learner, name, value):
    with pytest.raises(tc.TreecoreError, match=f"{name}: .* is not possible"):
        learn_rules(table(), learner, **{name: value})
