"""Segments: the leaves, riskiest first, and where to draw the line: which rows are worth a call."""

from pages.shared.bench import shell
from pages.shared.segments import line, skyline, table
from pages.shared.server import guard

guard.enter()


def panel() -> None:
    """Where the line is, the flag rule it makes, the selected segment and its groups, and all in numbers."""
    line.class_of_interest()
    line.choose_horizon()
    line.choose()
    line.rule()
    skyline.show_chosen()
    skyline.show_groups()
    table.show()
    table.show_curves()
    line.rows()


shell.show("segments", panel, wide=860, draw=lambda: skyline.canvas)
