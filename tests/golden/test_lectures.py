"""Every figure that the lecture notes print, computed: it is the printed one, or the slip is said."""

from pathlib import Path

import pytest

from treecore.errors import TreecoreError
from treecore.teach.document import SLIPS, document
from treecore.teach.example_unknown import gain_with_missing, with_gaps
from treecore.teach.guide import CUT_OFF, DIFFERS, NOTES, ROUNDED, Figure, half_plane_follows, open_example
from treecore.teach.index import GUIDES

FIGURES = [
    pytest.param(guide, place, figure, id=f"{guide.name} {place + 1} {figure.what}")
    for guide in GUIDES.values()
    for place, step in enumerate(guide.steps)
    for figure in step.figures
]
# what differs from the printed figure, and what it is instead
SLIPPED = {"0.7785": 0.78845, "0.1515": 0.151836, "0.0234": 7 / 300, "40": 18, "7": 3}


@pytest.mark.parametrize(("guide", "place", "figure"), FIGURES)
def test_a_printed_figure_is_computed(guide, place, figure):
    value = figure.ours(guide.opened(place))
    if figure.printed in SLIPPED and figure.slip:
        assert figure.agreement(value) == DIFFERS
        assert value == pytest.approx(SLIPPED[figure.printed], abs=1e-5)
        assert figure.slip
    else:
        assert figure.agreement(value) in (ROUNDED, CUT_OFF)


def test_a_wrong_figure_would_be_seen():
    figure = Figure("", "0.246", lambda o: 0.0)
    assert [figure.agreement(v) for v in (0.2464, 0.24675, 0.2471, 0.2454)] == [ROUNDED, CUT_OFF, DIFFERS, DIFFERS]
    assert Figure("", "100", lambda o: 0.0).agreement(101) == DIFFERS


def test_every_step_says_where_it_stands():
    for guide in GUIDES.values():
        for step in guide.steps:
            assert guide.name.startswith("trap_") or step.place.split(":")[0] in NOTES, (guide.name, step.title)
    assert {slip.place.split(":")[0] for slip in SLIPS} <= set(NOTES)


def test_a_node_that_is_not_there_is_named():
    with pytest.raises(TreecoreError, match="No node has the condition 'Outlook = Fog'"):
        open_example("play_tennis", GUIDES["play_tennis"].grow, ("Outlook = Fog",))


def test_which_features_have_gaps_at_a_node():
    at_sunny = GUIDES["play_tennis_day8"].opened(1)
    assert with_gaps(at_sunny.tree, at_sunny.node, at_sunny.table) == ("Humidity",)
    lengths = GUIDES["lengths"].opened(0)
    with pytest.raises(TreecoreError, match="no levels"):
        gain_with_missing(lengths.tree, 0, lengths.table, "length", "known_only")


def test_a_condition_follows_from_two_others():
    """x < 1 and y < 1: their sum is below 2, not below 1; nothing follows for x - y."""
    both = (((1, 0), 1), ((0, 1), 1))
    assert half_plane_follows(((1, 1), 2), both)
    assert not half_plane_follows(((1, 1), 1), both)
    assert not half_plane_follows(((1, -1), 5), both)
    assert not half_plane_follows(((1, 1), 2), (both[0], both[0]))


def test_the_page_of_all_figures_is_up_to_date():
    """python -m treecore.teach.document > docs/lectures.md"""
    page = Path(__file__).parents[2] / "docs" / "lectures.md"
    assert page.read_text("utf-8") == document()


def test_every_method_that_breaks_has_its_trap():
    """Each with a table and a guide; tests/app/test_page_guides.py walks them all."""
    museum = (
        "identifier", "xor", "leak", "duplicate", "noisy_class", "rare_class", "many_levels", "oblique",
        "not_at_random", "two_equal", "horizon", "unstable_root",
    )  # fmt: skip
    traps = {name.removeprefix("trap_") for name in GUIDES if name.startswith("trap_")}
    assert traps == set(museum)
