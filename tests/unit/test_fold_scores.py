"""The picture of scores per fold: every score once, means where there are any, hostile names as text."""

import numpy as np

from treecore.plots.score_comparison import fold_scores
from treecore.study import MEASURES, friedman, paired_t, resampled_t
from treecore.study.questions.paired_comparison import describe_ranks, difference_sentence, posterior_sentence

SCORES = np.array([[0.5, 0.75, 1.0], [0.25, 0.75, 0.5]])
ACCURACY = MEASURES["accuracy"]
HOSTILE = "<b>x</b><img src=http://e>"


def test_every_fold_is_a_point_and_every_recipe_has_its_mean():
    drawn = fold_scores(("A", "B"), SCORES, ACCURACY)
    joined, a, b, mean_a, mean_b = drawn.data
    assert [a.x.tolist(), b.x.tolist()] == SCORES.tolist()
    assert list(mean_a.x) == [0.75]
    assert list(mean_a.error_x.array) == [0.25]
    assert list(mean_b.x) == [0.5]
    assert np.isnan(joined.x).sum() == 3
    assert drawn.layout.yaxis.range == (1.5, -0.5)


def test_a_score_that_is_none_takes_the_mean_away_and_one_recipe_is_joined_to_nothing():
    assert len(fold_scores(("A", "B"), np.array([[0.5, np.nan], [0.5, 1]]), ACCURACY).data) == 4
    assert len(fold_scores(("A",), SCORES[:1], MEASURES["log_loss"]).data) == 2
    assert len(fold_scores(("A",), SCORES[:1, :1], ACCURACY).data) == 2


def test_names_are_drawn_as_text():
    drawn = fold_scores((HOSTILE, "B"), SCORES, ACCURACY)
    told = [*drawn.layout.yaxis.ticktext, *[t.hovertemplate for t in drawn.data if t.hovertemplate]]
    assert not [text for text in told if "<b>" in text or "<img" in text]


def test_verdicts_in_words():
    a = np.array([0.8, 0.7, 0.9, 0.6])
    names, better = ("A", "B"), np.array([0.1, 0.11, 0.1, 0.09])
    assert difference_sentence(resampled_t(a, a + better, 1 / 3), names, ACCURACY).startswith(
        "B is better than A by 10.0 points on average, more than luck (corrected t-test, p < 0.001)"
    )
    assert "B is better than A by 0.1 on" in difference_sentence(
        resampled_t(a, a - better, 1 / 3), names, MEASURES["log_loss"]
    )
    assert difference_sentence(paired_t(a, a), names, ACCURACY) == "A and B score the same on average."
    assert "no spread to test by" in difference_sentence(paired_t(a, a + 0.1), names, ACCURACY)
    tiny = difference_sentence(paired_t(a, a + [0, 0, 0, 0.0004]), names, ACCURACY)  # noqa: RUF005
    assert "by less than 0.1 points" in tiny
    assert "more than 0.01: " in posterior_sentence(np.array([a, a]), 1 / 3, "B", MEASURES["f1"])


def test_ranks_in_words():
    scores = np.array([[0.9, 0.8, 0.9, 0.8], [0.5, 0.6, 0.5, 0.6], [0.1, 0.2, 0.1, 0.2]])
    grid, test, apart, _ = describe_ranks(scores, ("A", "B", "C"), ACCURACY)
    assert [row[:2] for row in grid.rows] == [("A", "1"), ("B", "2"), ("C", "3")]
    assert "the ranks differ by more than luck" in test.text
    assert "A–B, B–C" in apart.text
    assert friedman(scores.T).groups == [(0, 1), (1, 2)]
    same = describe_ranks(np.ones((3, 4)), ("A", "B", "C"), ACCURACY)
    assert "no ranks to test" in same[1].text
