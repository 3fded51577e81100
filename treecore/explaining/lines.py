"""What an explanation is made of: formulas, sentences, small tables."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from treecore.tree.text import count

MOST_TERMS = 14
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


def tex(value: float, digits: int = 5) -> str:
    """A number in LaTeX; powers of ten where it is very large or small."""
    if not math.isfinite(value):
        return r"\infty" if value > 0 else r"-\infty" if value < 0 else r"\text{?}"
    mantissa, _, power = f"{value:.{digits}g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else mantissa


def fraction(above: float, below: float) -> str:
    """A share of weights in LaTeX."""
    return rf"\tfrac{{{weight(above)}}}{{{weight(below)}}}"


def weight(value: float) -> str:
    """A weight in LaTeX: whole numbers as such, parts of rows with four digits."""
    told = count(value)
    return tex(value, 4) if "e" in told else told


def summed(terms: Iterable[str], sign: str = "+") -> list[str]:
    """The terms of a sum with their signs, the first one without a plus; only the first ones of very many."""
    terms = list(terms)
    if len(terms) > MOST_TERMS:
        terms = [*terms[: MOST_TERMS - 1], r"\dots"]
    return [f" {sign} {term}" if i or sign != "+" else term for i, term in enumerate(terms)] or ["0"]


def equation(left: str, *steps: str | list[str]) -> Formula:
    """left = step = step; steps, and the terms of a sum, go to lines of their own where one line is too short."""
    rows, used, begun = [f"&{left}"], _width(left), False
    for step in steps:
        terms = [step] if isinstance(step, str) else step
        if begun and used + sum(map(_width, terms)) > WIDTH:
            rows.append(r"&\quad")
            used = 3.0
        rows[-1] += " = "
        for i, term in enumerate(terms):
            if i and used + _width(term) > WIDTH:
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
