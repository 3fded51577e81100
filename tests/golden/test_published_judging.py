"""Measures of answers and an exact test on examples that others worked out and published."""

import numpy as np
import pytest

from treecore.evaluation.homogeneity import exact_p
from treecore.experiments.ranking import ranking

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
