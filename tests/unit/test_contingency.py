"""Two columns counted together."""

from itertools import pairwise

import pytest

from treecore.data.samples import read_sample
from treecore.plots.distributions import GAP, mosaic
from treecore.study.column_counts import contingency, layers


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
    bars = mosaic([found], by_class=True).data
    assert [bar.name for bar in bars] == ["No", "Yes"]
    assert list(bars[0].y) == pytest.approx([0.6, 0, 0.4])
    assert list(bars[0].width) == pytest.approx([5 / 14 - GAP, 4 / 14 - GAP, 5 / 14 - GAP])
    assert "expected 3.2" in bars[1].hovertext[0]


def test_a_third_column_counts_the_two_for_each_of_its_levels():
    tennis = read_sample("play_tennis")
    weak, strong = layers(tennis, "Outlook", "PlayTennis", "Wind")
    assert (weak.within, strong.within) == ("Weak", "Strong")
    assert weak.counts.tolist() == [[2, 1], [0, 2], [0, 3]]
    assert strong.counts.tolist() == [[1, 1], [0, 2], [2, 0]]
    assert (weak.counts + strong.counts).tolist() == contingency(tennis, "Outlook", "PlayTennis").counts.tolist()


def test_the_mosaic_of_three_columns_stands_side_by_side():
    figure = mosaic(layers(read_sample("play_tennis"), "Outlook", "PlayTennis", "Wind"), by_class=True)
    assert [note.text for note in figure.layout.annotations] == ["Wind = Weak", "Wind = Strong"]
    assert sum(bar.showlegend for bar in figure.data) == 2
    edges = [(x - w / 2, x + w / 2) for bar in figure.data[::2] for x, w in zip(bar.x, bar.width, strict=True)]
    assert all(right <= left + 1e-9 for (_, right), (left, _) in pairwise(edges))
    assert edges[-1][1] <= 1
