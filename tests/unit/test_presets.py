"""Named ways to grow."""

import pytest

import treecore as tc
from tests.property.naive import Sample


def test_a_preset_is_its_settings():
    sample = Sample(["nominal"], [[0, 1, 2, 0, 1, 2]], [3], [0, 1, 1, 0, 1, 0], 2)
    for preset in tc.PRESETS.values():
        by_name, by_settings = tc.grow(sample.table(), preset.name), tc.grow(sample.table(), preset.growth)
        assert by_name.to_dict() == by_settings.to_dict()
        assert preset.note
        assert preset.source


def test_cart_cuts_in_two_and_id3_branches_by_level():
    table = Sample(["nominal"], [[0, 1, 2, 0, 1, 2]], [4], [0, 1, 1, 0, 1, 0], 2).table()
    cart, id3 = tc.grow(table, "cart"), tc.grow(table, "id3")
    assert (cart.criterion, cart.n_children[0]) == ("gini", 2)
    assert (id3.criterion, id3.n_children[0]) == ("entropy", 4)
    assert id3.n_rows[4] == 0


def test_id3_is_for_classes():
    with pytest.raises(tc.TreecoreError):
        tc.grow(Sample(["numeric"], [[1, 2, 3]], [0], [1, 2, 3.5], 0).table(), "id3")


@pytest.mark.parametrize("preset", ["ctree", "chaid"])
@pytest.mark.parametrize("n_classes", [3, 0])
def test_significance_presets_take_both_kinds_of_target(preset, n_classes):
    x = [v for v in range(3) for _ in range(20)]
    y = x if n_classes else [[0.0, 5.0, 9.0][v] + i % 2 for i, v in enumerate(x)]
    table = Sample(["numeric"], [x], [0], y, n_classes).table()
    tree = tc.grow(table, preset)
    assert tree.n_children[0] == (3 if preset == "chaid" else 2)
    assert sorted(tree.n_rows[tree.is_leaf].tolist()) == [20, 20, 20]
    assert tc.PRESETS[preset].task == ""


def test_limits_of_the_significance_presets():
    ctree, chaid = (tc.PRESETS[name].growth for name in ("ctree", "chaid"))
    for growth in (ctree, chaid):
        assert (growth.alpha, growth.min_rows_split, growth.min_rows_leaf) == (0.05, 20, 7)
    assert (ctree.missing, ctree.adjustment) == ("majority", "bonferroni")
    assert (chaid.missing, chaid.merge_alpha, chaid.chaid_bins) == ("own_value", 0.05, 10)


def test_an_unknown_preset_is_told_the_known_ones():
    with pytest.raises(tc.TreecoreError, match="cart, id3"):
        tc.grow(Sample(["numeric"], [[1, 2, 3]], [0], [1, 2, 3.5], 0).table(), "c9")
