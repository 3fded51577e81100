"""The paired t-test step by step: numbers and words."""

import numpy as np

from treecore.explaining.formulas import Formula, Grid, Words
from treecore.figures import brief, percent
from treecore.study import (
    MEASURES,
    Answers,
    Trials,
    correlated_t,
    describe_corrected_t,
    describe_paired_t,
    paired_t,
    resampled_t,
)
from treecore.study.questions.paired_comparison import difference_sentence, posterior_sentence, recommendation_sentence

A, B = np.array([0.8, 0.7, 0.9, 0.6]), np.array([0.9, 0.8, 0.9, 0.8])


def text(lines) -> str:
    return "\n".join(line.tex if isinstance(line, Formula) else line.text if isinstance(line, Words) else
                     str(line.rows) for line in lines)  # fmt: skip


def test_every_step_is_there():
    """Differences .1 .1 0 .2: m = .4/4 = .1, S² = .02/3, S = .08165, t = 2 · .1/.08165 = 2.4495, p = .092."""
    lines = describe_paired_t(paired_t(B, A), np.array([B, A]), ("one", "other"))
    told = text(lines)
    assert lines[0].text.startswith("H₀: one and other score the same")
    assert [row[3] for row in next(line for line in lines if isinstance(line, Grid)).rows] == ["0.1", "0.1", "0", "0.2"]
    for step in (
        r"\tfrac{0.4}{4}",
        r"\tfrac{0.02}{3}",
        "0.006667",
        "2.449",
        "3 degrees of freedom: two-sided p = 0.092",
    ):
        assert step in told
    assert "do not reject H₀" in told
    assert "accept" not in told


def test_differences_are_of_the_first_less_the_second_and_say_so():
    """[004]: p_n = accuracy(A, n) - accuracy(B, n). What is better stands over a mean of the same sign."""
    found, scores = paired_t(B, A), np.array([B, A])
    assert difference_sentence(found, ("A", "C"), MEASURES["accuracy"]).startswith("A is better than C by 10.0 points")
    lines = describe_paired_t(found, scores, ("A", "C"), share=True)
    told = text(lines)
    assert "pₙ is what A scores on fold n less what C scores, in points of 1 %:" in told
    assert r"\tfrac{40}{4}" in told
    assert r"\cdot 10}{8.165} = 2.449" in told
    worse = text(describe_paired_t(paired_t(A, B), scores[::-1], ("C", "A")))
    assert r"\tfrac{-0.4}{4}" in worse
    assert "-1.604" in text(describe_corrected_t(resampled_t(A, B, 1 / 3)))


def test_the_corrected_test_follows_with_its_reason():
    told = text(describe_corrected_t(resampled_t(B, A, 1 / 3)))
    assert "too sure" in told
    assert r"\tfrac{1}{4} + \tfrac{1}{3}" in told
    assert "1.604" in told  # .1 / (.08165 sqrt(1/4 + 1/3))


def test_a_difference_beyond_chance_is_said():
    told = text(
        describe_paired_t(paired_t(A, A + np.array([0.1, 0.11, 0.1, 0.09])), np.array([A, A]), ("one", "other"))
    )
    assert "p < 0.001, below 5 %: reject H₀" in told


def test_no_spread_is_no_verdict():
    same = text(describe_paired_t(paired_t(A, A), np.array([A, A]), ("one", "other")))
    assert "t is 0/0" in same
    steady = text(describe_paired_t(paired_t(A, A + 0.1), np.array([A, A + 0.1]), ("one", "other")))
    assert "H₀ is not tested" in steady
    assert "reject" not in same + steady


def test_belief_in_words():
    scores, accuracy, mse = np.array([A, B]), MEASURES["accuracy"], MEASURES["mse"]
    found = correlated_t(A, B, 1 / 3)
    said = posterior_sentence(scores, 1 / 3, "other", accuracy)
    assert f"other is better by more than 1.0 points: {percent(found.better)}; within that" in said
    lower = correlated_t(A, B, 1 / 3, 0.01 * scores.mean())
    said = posterior_sentence(scores, 1 / 3, "other", mse)
    assert f"better by more than {brief(lower.matters)} (1\u00a0%): {percent(lower.worse)}; within" in said
    assert f"worse by more: {percent(lower.better)}" in said
    many = np.linspace(0, 1, 40)
    grid = next(x for x in describe_paired_t(paired_t(many, many[::-1]), np.array([many, many]), ("a", "b"))
                if isinstance(x, Grid))  # fmt: skip
    assert grid.rows[-1][0] == "and 11 more"


def tried(leaves: dict[str, int], right: dict[str, list[int]]) -> Trials:
    """Recipes that are right about so many of the 100 rows of each fold."""
    n = len(next(iter(right.values())))
    truth, every = np.zeros(100, np.int64), np.ones(100)
    answers = tuple(
        tuple(Answers(("a", "b"), truth, (np.arange(100) >= k).astype(np.int64), every, np.arange(100)) for k in of)
        for of in right.values()
    )
    folds = np.repeat(np.arange(n), 100)[None]
    return Trials(tuple(right), folds, answers, np.array([[leaves[name]] * n for name in right]))


def test_the_smallest_of_those_that_luck_may_part_is_handed_over():
    """B has the best mean; A and C may be as good, D is beaten on every fold."""
    scores = {
        "A": [80, 84, 79, 83, 81],
        "B": [84, 80, 83, 80, 84],
        "C": [82, 81, 80, 84, 80],
        "D": [60, 62, 59, 61, 60],
    }
    said = recommendation_sentence(tried({"A": 9, "B": 20, "C": 5, "D": 2}, scores), MEASURES["accuracy"])
    assert said.startswith("To hand over: C (5.0 leaves on average). B has the best mean, with 20.0 leaves, but")
    small = recommendation_sentence(tried({"A": 9, "B": 3, "C": 5, "D": 2}, scores), MEASURES["accuracy"])
    assert (
        small == "To hand over: B (3.0 leaves on average). None has a better mean, and none as good has smaller trees."
    )
    two = {name: scores[name] for name in "BD"}
    beaten = recommendation_sentence(tried({"B": 20, "D": 2}, two), MEASURES["accuracy"])
    assert beaten == "To hand over: B (20.0 leaves on average). It is better than every other by more than luck."
    assert recommendation_sentence(tried({"B": 20}, {"B": scores["B"]}), MEASURES["accuracy"]) == ""


def test_a_measure_of_which_less_is_better_is_handed_over_by_the_least():
    scores = {"A": [90, 91, 89, 90, 92], "B": [50, 52, 49, 51, 50]}
    assert recommendation_sentence(tried({"A": 9, "B": 2}, scores), MEASURES["cost"]).startswith("To hand over: A (9.0")


def test_what_is_better_by_the_same_everywhere_is_no_luck():
    scores = {"A": [75, 75, 75], "B": [50, 50, 50]}
    assert recommendation_sentence(tried({"A": 9, "B": 2}, scores), MEASURES["accuracy"]).startswith(
        "To hand over: A (9.0"
    )
