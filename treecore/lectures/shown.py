"""The figures of a step as people read them: printed beside computed, with what is to be said of them."""

from treecore.lectures.guide import CUT_OFF, DIFFERS, Guide
from treecore.lectures.guide import Figure as _Figure


def comparison(guide: Guide, place: int, more_digits: bool = False) -> list[tuple[str, str, str, str]]:
    """(what, printed, computed, remark) of every figure of a step; remark '' where there is nothing to say.

    Figures in brackets are printed in none of the notes: they were worked out by hand.
    """
    opened = guide.opened(place)
    rows = []
    for figure in guide.steps[place].figures:
        value = figure.ours(opened)
        printed = figure.printed if figure.is_printed else f"({figure.printed})"
        rows.append((figure.what, printed, computed(value, more_digits), remark(figure, value)))
    return rows


def computed(value: float, more_digits: bool = False) -> str:
    """Five significant digits, or twelve; a number that is 0 up to rounding is 0."""
    settled = 0.0 if abs(value) < 1e-12 else value
    if settled == round(settled) and abs(settled) < 1e9:
        return f"{settled:.0f}"
    return f"{settled:.12g}" if more_digits else f"{settled:.5g}"


def remark(figure: _Figure, value: float) -> str:
    """How a printed figure comes about where it is not simply the rounded one."""
    if figure.slip:
        return f"{figure.what}: {figure.slip}"
    how = figure.agreement(value)
    if how == CUT_OFF:
        return f"{figure.what}: printed cut off, not rounded."
    return f"{figure.what}: the printed figure differs." if how == DIFFERS else ""
