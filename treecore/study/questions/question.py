from treecore.explaining.formulas import Grid, Line, Words
from treecore.figures import brief, percent
from treecore.judging.measures import Measure


def score_format(measure: Measure):
    return percent if measure.percent else brief


def plain_lines(lines: list[Line]) -> list[str | tuple]:
    """Paragraphs, and (heads, rows) of tables; formulas are left to the screen."""
    found = []
    for line in lines:
        if isinstance(line, Words):
            found.append(line.text)
        elif isinstance(line, Grid):
            found.append((line.columns, line.rows))
    return found
