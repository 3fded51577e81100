"""Two columns counted together."""

import pytest

from treecore.data.samples import read_sample
from treecore.evaluation.contingency import contingency
from treecore.plots.mosaic import GAP, mosaic


def test_outlook_and_play_as_the_notes_count_them():
    found = contingency(read_sample("play_tennis"), "Outlook", "PlayTennis")
    assert (found.rows, found.columns) == (("Sunny", "Overcast", "Rain"), ("No", "Yes"))
    assert found.counts.tolist() == [[3, 2], [0, 4], [2, 3]]
    assert found.shares[0].tolist() == pytest.approx([0.6, 0.4])
    assert found.expected[1].tolist() == pytest.approx([4 * 5 / 14, 4 * 9 / 14])


def test_numbers_go_into_bins_and_missing_rows_are_told():
    titanic = read_sample("titanic")
    found = contingency(titanic, "age", "survived")
    assert found.left_out == 177
    assert found.counts.sum() == 891 - 177
    assert found.rows[0].startswith("< ")


def test_a_mosaic_is_as_wide_as_the_rows_and_as_high_as_their_shares():
    found = contingency(read_sample("play_tennis"), "Outlook", "PlayTennis")
    bars = mosaic(found, by_class=True).data
    assert [bar.name for bar in bars] == ["No", "Yes"]
    assert list(bars[0].y) == pytest.approx([0.6, 0, 0.4])
    assert list(bars[0].width) == pytest.approx([5 / 14 - GAP, 4 / 14 - GAP, 5 / 14 - GAP])
    assert "expected 3.2" in bars[1].hovertext[0]
