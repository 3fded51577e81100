"""The size curve in the dock: what its figures are called beside the lines."""

import pytest

import treecore as tc
from treecore.data.samples import read_sample
from treecore.study.curves import size_curve
from treecore.view.size_picker import MOST_HEADING, CurveDrawing


@pytest.mark.parametrize(
    ("sample", "measure", "heading"),
    [("mpg", "", "R² at {}:"), ("mpg", "error", "RMSE at {}:"), ("play_tennis", "accuracy", "Accuracy at {}:")],
)
def test_the_figures_beside_the_lines_say_what_they_are(sample, measure, heading):
    table = read_sample(sample)
    curve = size_curve(tc.sequence(tc.grow(table, "cart")), {"train": table})
    steps = CurveDrawing(curve, measure).small(0)["steps"]
    assert [step["size"] for step in steps] == [heading.format(step["text"].split(" · ")[0]) for step in steps]


def test_a_long_name_of_a_measure_leaves_the_size_out():
    table = read_sample("mpg")
    growth = tc.GrowSettings(criterion="absolute_error")
    curve = size_curve(tc.sequence(tc.grow(table, growth)), {"train": table})
    steps = CurveDrawing(curve, "error").small(0)["steps"]
    assert {step["size"] for step in steps} == {"Mean absolute error:"}
    assert all(len(step["size"]) <= MOST_HEADING for step in steps)


def test_a_measure_too_long_for_the_room_leaves_the_size_alone():
    table = read_sample("backs")
    curve = size_curve(tc.sequence(tc.grow(table)), {"train": table})
    steps = CurveDrawing(curve).small(0)["steps"]
    assert len(CurveDrawing(curve)._quality.name) > MOST_HEADING
    assert {step["size"] for step in steps} == {f"at {step['text'].split(' · ')[0]}:" for step in steps}
