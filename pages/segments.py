"""Segments: the leaves, riskiest first, and where to draw the line: which rows are worth a call."""

from pages.shared.bench import shell
from pages.shared.segments import by_group, chosen_segment, curves, line, skyline, table
from pages.shared.server import guard

guard.enter()


def beside() -> None:
    """Where the line is, the flag rule it makes, the selected segment and its groups, and all in numbers."""
    line.class_of_interest()
    line.choose()
    line.rule()
    chosen_segment.show()
    by_group.show()
    table.show()
    curves.show()
    line.rows()


shell.show("segments", beside, wide=860, draw=lambda: skyline.canvas)
