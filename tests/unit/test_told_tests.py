"""The paired t-test step by step: numbers and words."""

import numpy as np

from treecore.experiments import corrected_lines, correlated_t, paired_t, paired_t_lines, resampled_t
from treecore.experiments.verdicts import belief
from treecore.explaining.lines import Formula, Grid, Words

A, B = np.array([0.8, 0.7, 0.9, 0.6]), np.array([0.9, 0.8, 0.9, 0.8])


def text(lines) -> str:
    return "\n".join(line.tex if isinstance(line, Formula) else line.text if isinstance(line, Words) else
                     str(line.rows) for line in lines)  # fmt: skip


def test_every_step_is_there():
    """Differences .1 .1 0 .2: m = .4/4 = .1, S² = .02/3, S = .08165, t = 2 · .1/.08165 = 2.4495, p = .092."""
    lines = paired_t_lines(paired_t(A, B), np.array([A, B]), ("one", "other"))
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


def test_the_corrected_test_follows_with_its_reason():
    told = text(corrected_lines(resampled_t(A, B, 1 / 3)))
    assert "too sure" in told
    assert r"\tfrac{1}{4} + \tfrac{1}{3}" in told
    assert "1.604" in told  # .1 / (.08165 sqrt(1/4 + 1/3))


def test_a_difference_beyond_chance_is_said():
    told = text(paired_t_lines(paired_t(A, A + np.array([0.1, 0.11, 0.1, 0.09])), np.array([A, A]), ("one", "other")))
    assert "p < 0.001, below 5 %: reject H₀" in told


def test_no_spread_is_no_verdict():
    same = text(paired_t_lines(paired_t(A, A), np.array([A, A]), ("one", "other")))
    assert "t is 0/0" in same
    steady = text(paired_t_lines(paired_t(A, A + 0.1), np.array([A, A + 0.1]), ("one", "other")))
    assert "H₀ is not tested" in steady
    assert "reject" not in same + steady


def test_belief_in_words():
    assert "more than 1.0 points higher: " in belief(correlated_t(A, B, 1 / 3), "other")
    many = np.linspace(0, 1, 40)
    grid = next(x for x in paired_t_lines(paired_t(many, many[::-1]), np.array([many, many]), ("a", "b"))
                if isinstance(x, Grid))  # fmt: skip
    assert grid.rows[-1][0] == "and 11 more"
