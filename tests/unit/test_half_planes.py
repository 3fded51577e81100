"""A rule of slanted conditions, drawn."""

import numpy as np
import pytest

from treecore.plots.lesson_figures import half_planes
from treecore.teach.example_counts import PRINTED
from treecore.teach.guide import implied_half_planes


def test_the_second_and_third_condition_of_the_notes_follow_and_are_dashed():
    assert implied_half_planes(PRINTED) == [False, True, True, False]
    _, *lines = half_planes(PRINTED, implied_half_planes(PRINTED)).data
    assert [line.line.dash for line in lines] == ["solid", "dash", "dash", "solid"]
    assert lines[1].name == "2: 0.27 x1 − 0.44 x2 < −0.02 (follows)"


def test_every_line_is_the_border_of_its_condition():
    _, *lines = half_planes(PRINTED, implied_half_planes(PRINTED)).data
    for (w, bound), line in zip(PRINTED, lines, strict=True):
        assert np.column_stack([line.x, line.y]) @ np.array(w) == pytest.approx(np.full(2, bound))


def test_all_conditions_hold_inside_the_region_and_the_implied_ones_do_not_shrink_it():
    region = half_planes(PRINTED, implied_half_planes(PRINTED)).data[0]
    corners = np.column_stack([region.x, region.y])
    for w, bound in PRINTED:
        assert (corners @ np.array(w) <= bound + 1e-9).all()
    alone = half_planes([PRINTED[0], PRINTED[3]], [False, False]).data[0]
    inside = {(round(x, 6), round(y, 6)) for x, y in zip(alone.x, alone.y, strict=True)}
    corner = np.linalg.solve(np.array([PRINTED[0][0], PRINTED[3][0]]), np.array([PRINTED[0][1], PRINTED[3][1]]))
    assert tuple(np.round(corner, 6)) in inside
    assert tuple(np.round(corner, 6)) in {(round(x, 6), round(y, 6)) for x, y in zip(region.x, region.y, strict=True)}


def test_conditions_that_exclude_each_other_have_no_region():
    opposite = (((1.0, 0.0), 0.0), ((-1.0, 0.0), -1.0))
    assert [trace.fill for trace in half_planes(opposite, [False, False]).data] == [None, None]
