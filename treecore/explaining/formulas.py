"""What an explanation is made of: formulas, sentences, small tables."""

import re
from dataclasses import dataclass

WIDTH = 34
"""About as many digits fit on a line of the page."""


@dataclass(frozen=True)
class Formula:
    """LaTeX. Numbers and fixed words only: no text from data ever goes in."""

    tex: str


@dataclass(frozen=True)
class Words:
    """A sentence, as plain text: it may name features, levels and classes, and has to be escaped where it is shown."""

    text: str


@dataclass(frozen=True)
class Grid:
    """A table of plain texts. columns : its heads; rows : as many cells each."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Line = Formula | Words | Grid


def equation(left: str, *steps: str | list[str], width: float = WIDTH) -> Formula:
    """left = step = step; steps, and the terms of a sum, go to lines of their own where one line is too short."""
    rows, used, begun = [f"&{left}"], _width(left), False
    for step in steps:
        terms = [step] if isinstance(step, str) else step
        if begun and used + sum(map(_width, terms)) > width:
            rows.append(r"&\quad")
            used = 3.0
        rows[-1] += " = "
        for i, term in enumerate(terms):
            if i and used + _width(term) > width:
                rows.append(r"&\quad ")
                used = 3.0
            rows[-1] += term
            used += _width(term)
        begun = True
    if len(rows) == 1:
        return Formula(rows[0].removeprefix("&"))
    return Formula(r"\begin{aligned}" + r" \\ ".join(rows) + r"\end{aligned}")


def _width(text: str) -> float:
    """About how many digits wide a piece of LaTeX is drawn."""
    parts = re.findall(r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}", text)
    small = sum(0.75 * max(len(above), len(below)) for above, below in parts)
    rest = re.sub(r"\\t?frac\{[^{}]*\}\{[^{}]*\}", "", text)
    rest = re.sub(r"\\text\{([^{}]*)\}", r"\1", rest).replace(r"\log_2", "log ").replace(r"\quad", "  ")
    return small + len(re.sub(r"\\[a-zA-Z]+|[{}\s_^]", "", rest)) + 0.6 * len(re.findall(r"[-+=]|\\cdot", rest))
