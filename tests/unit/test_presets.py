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


def test_an_unknown_preset_is_told_the_known_ones():
    with pytest.raises(tc.TreecoreError, match="cart, id3"):
        tc.grow(Sample(["numeric"], [[1, 2, 3]], [0], [1, 2, 3.5], 0).table(), "c9")
