"""Twoing, chi-square and G of a split: what compares the classes of the branches."""

import math

import numpy as np

from treecore.criteria.significance import Test, chi_square, expected_counts, g_test
from treecore.criteria.split_scores import CHI_SQUARE
from treecore.explaining.lines import Grid, Line, Words, equation
from treecore.explaining.parted import Parted
from treecore.figures import brief, count, fraction, summed, tex, weight
from treecore.growing.inspect.judging import superclass, twoing
from treecore.tree.missing import branch_name


def twoing_lines(parts: Parted) -> list[Line]:
    """The shares of every class in the two branches, the superclass, and the score."""
    stats, n = parts.stats, parts.weights
    shares = stats / n[:, None]
    first = superclass(stats)
    names = parts.tree.classes
    together = ", ".join(name for name, inside in zip(names, first, strict=True) if inside)
    rest = ", ".join(name for name, inside in zip(names, first, strict=True) if not inside)
    rows = tuple(
        (name, *map(brief, (shares[0, k], shares[1, k], abs(shares[0, k] - shares[1, k]))))
        for k, name in enumerate(names)
    )
    apart = float(np.abs(shares[0] - shares[1]).sum())
    value = float(twoing(stats[None])[0])
    sides = rf"{fraction(n[0], parts.known)} \cdot {fraction(n[1], parts.known)}"
    gaps = summed(
        rf"\left|{fraction(stats[0, k], n[0])} - {fraction(stats[1, k], n[1])}\right|" for k in range(len(names))
    )
    lines: list[Line] = [
        Grid(("class", "share in branch 1", "share in branch 2", "difference"), rows),
        Words(
            f"Superclass of branch 1 (its classes are more frequent there): {together}. The others: {rest or 'none'}."
        ),
        equation("D", gaps, tex(apart)),
        equation(r"\text{twoing}", rf"\tfrac{{1}}{{4}} \cdot {sides} \cdot D^2", tex(value)),
    ]
    if parts.is_partly_missing:
        share = fraction(parts.known, parts.total)
        scaled = value * parts.known / parts.total
        lines.append(equation(r"\text{score}", rf"{share} \cdot {tex(value)}", tex(scaled)))
    return lines


def test_of(parts: Parted, score: int) -> Test:
    return (chi_square if score == CHI_SQUARE else g_test)(parts.stats)


def test_lines(parts: Parted, score: int) -> list[Line]:
    """Observed and expected counts, the statistic, its degrees of freedom and what p it has."""
    test = test_of(parts, score)
    branches = int((parts.weights > 0).sum())
    classes = int((parts.stats.sum(axis=0) > 0).sum())
    name, terms = (r"\chi^2", _deviations(parts)) if score == CHI_SQUARE else ("G", _ratios(parts))
    digits = -test.log_p / math.log(10)
    return [
        observed_and_expected(parts),
        equation(name, terms, tex(test.statistic)),
        equation(r"\text{df}", f"({branches} - 1)({classes} - 1)", f"{test.df:.0f}"),
        equation("p", rf"P(\chi^2_{{{test.df:.0f}}} > {tex(test.statistic)})", _power_of_ten(test)),
        equation(r"-\log_{10} p", tex(digits)),
    ]


def _power_of_ten(test: Test) -> str:
    """p, also where it is too small for a float."""
    if test.p_value > 1e-300:
        return tex(test.p_value, 4)
    exponent = math.floor(test.log_p / math.log(10))
    return rf"{brief(10 ** (test.log_p / math.log(10) - exponent))} \cdot 10^{{{exponent}}}"


def observed_and_expected(parts: Parted) -> Grid:
    """A row per branch; every cell has the observed weight and, in brackets, the expected one."""
    wanted = expected_counts(parts.stats)
    rows = tuple(
        (
            branch_name(parts.tree, parts.node, b),
            *(f"{count(o)} ({brief(e)})" for o, e in zip(parts.stats[b], wanted[b], strict=True)),
        )
        for b in range(len(wanted))
    )
    return Grid(("branch", *(f"{name}: observed (expected)" for name in parts.tree.classes)), rows)


def _deviations(parts: Parted) -> list[str]:
    cells = zip(parts.stats.ravel(), expected_counts(parts.stats).ravel(), strict=True)
    return summed(rf"\tfrac{{({weight(o)} - {tex(e, 4)})^2}}{{{tex(e, 4)}}}" for o, e in cells if e > 0)


def _ratios(parts: Parted) -> list[str]:
    cells = zip(parts.stats.ravel(), expected_counts(parts.stats).ravel(), strict=True)
    first, *more = summed(rf"{weight(o)} \ln {fraction(o, e)}" for o, e in cells if o > 0)
    return [rf"2 \big({first}", *more[:-1], rf"{more[-1]}\big)"] if more else [rf"2 \big({first}\big)"]
