"""The band of a cross-validation over the sizes of a tree."""

from dataclasses import replace

import numpy as np
import pytest

import treecore as tc
from treecore import plots
from treecore.data.samples import read_sample
from treecore.study.curves import size_curve

TABLE = read_sample("iris")
STEPS = tc.sequence(tc.grow(TABLE))
PLAIN = size_curve(STEPS, {"train": TABLE})
MEAN, ERROR = np.linspace(0.1, 0.6, len(PLAIN)), np.linspace(0.01, 0.02, len(PLAIN))
CURVE = replace(PLAIN, cv_mean=MEAN, cv_error=ERROR)


def named(figure, start):
    return next(t for t in figure.data if (t.name or t.text or "").startswith(start))


def test_without_a_cross_validation_there_is_no_band():
    assert not [t for t in plots.size_curve(PLAIN).data if t.fill]


@pytest.mark.parametrize("measure", ["error", "accuracy"])
def test_the_band_is_one_standard_error_either_side_of_the_mean(measure):
    figure = plots.size_curve(CURVE, measure=measure)
    mean = 1 - MEAN if measure == "accuracy" else MEAN
    line = named(figure, "cross-validation")
    np.testing.assert_allclose(line.y, mean[::-1])
    assert list(line.x) == CURVE.n_leaves[::-1].tolist()
    assert [int(row[0]) for row in line.customdata] == list(range(len(CURVE)))[::-1], "a click chooses the step"
    high = next(t for t in figure.data if t.fill == "tonexty")
    low = figure.data[list(figure.data).index(high) - 1]
    np.testing.assert_allclose(high.y, mean[::-1] + ERROR[::-1])
    np.testing.assert_allclose(low.y, mean[::-1] - ERROR[::-1])


def test_sizes_that_a_rule_chose_are_marked():
    figure = plots.size_curve(CURVE, size="nodes", marks=((2, "0-SE"), (3, "1-SE")))
    signs = [named(figure, name) for name in ("0-SE", "1-SE")]
    assert [(s.x[0], s.y[0], s.customdata[0][0]) for s in signs] == [
        (CURVE.n_nodes[k], pytest.approx(MEAN[k]), k) for k in (2, 3)
    ]
    assert signs[0].marker.symbol != signs[1].marker.symbol


def test_two_rules_that_choose_one_size_share_a_sign_and_neighbours_are_named_apart():
    [sign] = [t for t in plots.size_curve(CURVE, marks=((2, "0-SE"), (2, "1-SE"))).data if t.mode == "markers+text"]
    assert sign.text == f"0-SE, 1-SE {CURVE.n_leaves[2]}"
    signs = [t for t in plots.size_curve(CURVE, marks=((2, "0-SE"), (3, "1-SE"))).data if t.mode == "markers+text"]
    assert [s.textposition for s in signs] == ["bottom center", "top center"]


def test_costs_have_no_accuracy_by_cross_validation():
    costly = replace(CURVE, measure="mean cost", accuracy={"train": 1 - CURVE.error["train"]})
    assert not [t for t in plots.size_curve(costly, measure="accuracy").data if t.fill]
    assert [t for t in plots.size_curve(costly).data if t.fill]
