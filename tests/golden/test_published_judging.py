"""Measures of answers and an exact test on examples that others worked out and published."""

import numpy as np
import pytest

from treecore.judging.ranking import ranking
from treecore.study import MEASURES, Answers, by_class
from treecore.study.homogeneity import exact_p

FAWCETT = """p.9 p.8 n.7 p.6 p.55 p.54 n.53 n.52 p.51 n.505 p.4 n.39 p.38 n.37 n.36 n.35 p.34 n.33 p.30 n.1"""


def test_twenty_instances_ranked_by_a_classifier():
    """Fawcett (2006), An introduction to ROC analysis, figure 3: the point (0.1, 0.5), at a share of .54, has the
    highest accuracy, 70 %."""
    rows = FAWCETT.split()
    found = ranking(np.array([row[0] == "p" for row in rows]), np.array([float(row[1:]) for row in rows]))
    accuracy = (found.hits + found.negatives - found.false_alarms) / 20
    best = int(accuracy.argmax())
    assert (found.threshold[best], accuracy[best]) == (0.54, 0.7)
    assert (found.fall_out[best], found.recall[best]) == (0.1, 0.5)
    assert (found.fall_out[0], found.recall[0]) == (0.0, 0.1), "the curve begins with the row of .9"
    above = [sum(rows[j][0] == "n" for j in range(i + 1, 20)) for i in range(20) if rows[i][0] == "p"]
    assert found.area == pytest.approx(sum(above) / 100), "pairs in the right order"


@pytest.mark.parametrize(("right", "told"), [(4, 0.0286), (3, 0.4857), (2, 1.0)])
def test_the_lady_tasting_tea(right, told):
    """Fisher (1935), The Design of Experiments, chapter 2: of 70 ways to name four of eight cups one is all right and
    16 miss one; R's fisher.test prints 0.4857 for three of four."""
    cups = np.array([[[right, 4 - right], [4 - right, right]]], float)
    p, drawn = exact_p(cups)
    assert round(float(p[0]), 4) == told
    assert not drawn.any()


def of_table(counts) -> Answers:
    """Rows by true class and answer."""
    counts = np.array(counts)
    truth, said = (np.repeat(place.ravel(), counts.ravel()) for place in np.indices(counts.shape))
    n = len(truth)
    return Answers(tuple("abc"[: len(counts)]), truth, said, np.ones(n), np.arange(n))


def test_two_judges_of_two_hundred_patients():
    """Cohen (1960), table 2: they agree on .70, by chance on .41: kappa .492."""
    found = of_table([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    assert MEASURES["accuracy"](found) == pytest.approx(0.70)
    assert round(MEASURES["kappa"](found), 3) == 0.492


def test_a_classifier_of_few_negatives():
    """Chicco and Jurman (2020), use case A1: of 91 and 9 all but one are called positive: accuracy .90, F1 .95 of the
    positive class, and a correlation of -0.03."""
    found = of_table([[0, 9], [1, 90]])
    assert MEASURES["accuracy"](found) == pytest.approx(0.90)
    assert round(MEASURES["mcc"](found), 2) == -0.03
    assert round(by_class(found).f1[1], 2) == 0.95


def test_ten_forecasts_of_rain():
    """Brier (1950), table 1: shares of rain from 0 to .9, rain on three of ten days: the score is .19."""
    rain = np.array([0.7, 0.9, 0.8, 0.4, 0.2, 0, 0, 0, 0, 0.1])
    fell = np.array([0, 1, 1, 1, 0, 0, 0, 0, 0, 0])
    shares = np.stack([1 - rain, rain], axis=1)
    found = Answers(("dry", "rain"), fell, (rain > 0.5).astype(int), np.ones(10), np.arange(10), shares)
    assert MEASURES["brier"](found) == pytest.approx(0.19)


def test_a_hundred_and_nine_images_of_the_head():
    """Hanley and McNeil (1982), table 1: ratings of 58 normal and 51 abnormal ones from 1 to 5, area .893."""
    normal, abnormal = [33, 6, 6, 11, 2], [3, 2, 2, 11, 33]
    rating = np.repeat([*range(5), *range(5)], normal + abnormal)
    found = ranking(np.repeat([False, True], [58, 51]), rating / 4)
    assert round(found.area, 3) == 0.893


def test_the_first_of_anscombes_quartet():
    """Anscombe (1973): answered by 3 + 0.5 x, R squared is .667."""
    x = np.array([10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5])
    y = np.array([8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68])
    found = Answers((), y, 3 + 0.5 * x, np.ones(11), np.arange(11))
    assert round(MEASURES["r2"](found), 3) == 0.667
