"""Rules straight from data: what each way to learn them promises."""

import numpy as np
import pytest

import treecore as tc
from treecore.covering import LEARNERS, learn_rules
from treecore.covering.java_random import JavaRandom, text_hash
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
