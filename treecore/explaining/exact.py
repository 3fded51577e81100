"""The gain of a split as a fraction: exact where rows are counted whole and the measure is made of shares alone."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from treecore.explaining.lines import Line, Words, equation
from treecore.explaining.parted import Parted

Shares = list[Fraction]


def _gini(p: Shares) -> Fraction:
    return 1 - sum((q * q for q in p), Fraction(0))


MEASURES: dict[str, Callable[[Shares], Fraction]] = {
    "gini": _gini, "half_gini": lambda p: _gini(p) / 2, "two_class_variance": lambda p: _gini(p) / 2,
    "misclassification": lambda p: 1 - max(p),
}  # fmt: skip
"""Impurities that are fractions where the counts are whole."""


def exact_lines(parts: Parted) -> list[Line]:
    """Impurities and gain as fractions; [] where they are none, as an entropy, or rows count in parts."""
    measure, stats = MEASURES.get(parts.tree.criterion), parts.stats
    if measure is None or parts.altered or not np.array_equal(stats, np.rint(stats)):
        return []
    counts = [[int(c) for c in row] for row in stats if row.sum() > 0]
    whole = [sum(column) for column in zip(*counts, strict=True)]
    n = sum(whole)
    impurity = lambda c: measure([Fraction(v, sum(c)) for v in c])  # noqa: E731
    gain = impurity(whole) - sum(Fraction(sum(c), n) * impurity(c) for c in counts)
    names = [f"t_{{{b}}}" for b, row in enumerate(stats, 1) if row.sum() > 0]
    lines: list[Line] = [Words("As fractions:"), equation("i(t)", _written(impurity(whole)))]
    lines += [equation(f"i({name})", _written(impurity(c))) for name, c in zip(names, counts, strict=True)]
    terms = [rf" - {_written(Fraction(sum(c), n))} \cdot {_written(impurity(c))}" for c in counts]
    lines.append(equation(r"\Delta i", [_written(impurity(whole)), *terms], _written(gain)))
    if parts.is_partly_missing and float(parts.total).is_integer():
        share = Fraction(n, int(parts.total))
        lines.append(equation(r"\text{gain}", rf"{_written(share)} \cdot {_written(gain)}", _written(share * gain)))
    return lines


def _written(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"
