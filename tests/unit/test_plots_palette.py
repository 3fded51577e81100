"""Colour and shape together tell many classes apart; the first ten keep the looks they always had."""

from treecore.plots.picture_style import HATCHES, SYMBOLS, color, hatch, symbol


def test_sixty_classes_have_sixty_looks():
    assert len({(color(k), symbol(k)) for k in range(60)}) == 60
    assert len({(color(k), hatch(k)) for k in range(60)}) == 60


def test_the_first_ten_stay():
    assert tuple(map(symbol, range(10))) == SYMBOLS
    assert tuple(map(hatch, range(10))) == HATCHES
