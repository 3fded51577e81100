"""The paired t-test with every step of its arithmetic, and what it does not know."""

import numpy as np

from treecore.experiments.paired_t import PairedT
from treecore.explaining.lines import Formula, Grid, Line, Words, equation
from treecore.figures import MOST_TERMS, brief, p_value, tex

NARROW = 21
"""Digits that fit on a line where these formulas stand: in a fold of the drawer."""
MOST_FOLDS = 30
"""So many are listed one by one."""
TOO_SURE = (
    "The plain test is too sure: it takes the folds for independent samples, but any two of them share most of their "
    "training rows. Their scores vary less than those of new samples would, so S is too small, and luck is taken for a "
    "difference more often than the level says. The corrected test (Nadeau and Bengio 2003) adds the rows judged over "
    "the rows that train to 1/N."
)


def paired_t_lines(found: PairedT, scores: np.ndarray, names: tuple[str, str], share: bool = False) -> list[Line]:
    """H0, the differences (of the first less the second), m, S², t, p and the decision.

    found : as paired_t gives it. scores : float64 (2, n), of the first and the second. share : they are shares, to be
    told in points of 1 %.
    """
    found, (first, second) = found.turned, names
    scale = 100 if share else 1
    unit = ", in points of 1 %" * share
    head = f"H₀: {first} and {second} score the same on average; what differs between them is chance."
    lines: list[Line] = [
        Words(head),
        Words(f"pₙ is what {first} scores on fold n less what {second} scores{unit}:"),
        _folds(scale * found.differences, scale * scores, names),
    ]
    lines += [
        Words(f"m, the mean of the differences, and S, how far they spread{unit}:"),
        _mean(found, scale),
        _spread(found, scale),
    ]
    if not found.sd > 0:
        return [*lines, Words(_no_spread(found))]
    m, sd = tex(scale * found.mean, 4), tex(scale * found.sd, 4)
    by_number = rf"\frac{{\sqrt{{{found.n}}} \cdot {_in_brackets(m)}}}{{{sd}}} = {tex(found.t, 4)}"
    t = Formula(rf"\begin{{aligned}}t &= \frac{{\sqrt{{N}}\,m}}{{S}} \\ &= {by_number}\end{{aligned}}")
    return [*lines, t, Words(_decision(found))]


def corrected_lines(found: PairedT, share: bool = False) -> list[Line]:
    """Why the plain test is too sure, and the corrected one, of the first less the second. found : as resampled_t gives
    it."""
    found, lines = found.turned, [Words(TOO_SURE)]
    if found.sd > 0:
        scale = 100 if share else 1
        ratio = rf"\tfrac{{1}}{{{tex(1 / found.overlap, 4)}}}"
        root = rf"\sqrt{{\tfrac{{1}}{{{found.n}}} + {ratio}}}"
        below = rf"{tex(scale * found.sd, 4)}{root}"
        lines += [equation("t", rf"\frac{{{tex(scale * found.mean, 4)}}}{{{below}}}", tex(found.t, 4), width=NARROW)]
        lines += [Words(_decision(found))]
    return lines


def _folds(differences: np.ndarray, scores: np.ndarray, names: tuple[str, str]) -> Grid:
    rows = [
        (str(n + 1), brief(a), brief(b), brief(d)) for n, (a, b, d) in enumerate(zip(*scores, differences, strict=True))
    ]
    if len(rows) > MOST_FOLDS:
        rows = [*rows[: MOST_FOLDS - 1], (f"and {len(rows) - MOST_FOLDS + 1} more", "…", "…", "…")]
    return Grid(("fold n", names[0], names[1], "pₙ"), tuple(rows))


def _mean(found: PairedT, scale: int) -> Formula:
    differences = scale * found.differences
    shown = differences[:MOST_TERMS]
    terms = [tex(shown[0], 3), *(rf" {'-' if d < 0 else '+'} {tex(abs(d), 3)}" for d in shown[1:])]
    terms += [r" + \dots"] * (len(shown) < len(differences))
    total = tex(float(differences.sum()), 4)
    return equation("m", [rf"\tfrac{{1}}{{{found.n}}}(", *terms, ")"], rf"\tfrac{{{total}}}{{{found.n}}}",
                    tex(scale * found.mean, 4), width=NARROW)  # fmt: skip


def _in_brackets(number: str) -> str:
    return f"({number})" if number.startswith("-") else number


def _spread(found: PairedT, scale: int) -> Formula:
    total = scale**2 * float(((found.differences - found.mean) ** 2).sum())
    square = rf"S^2 &= \tfrac{{1}}{{N-1}}\textstyle\sum (p_n - m)^2 \\ &= \tfrac{{{tex(total, 4)}}}{{{found.n - 1}}}"
    values = rf" = {tex((scale * found.sd) ** 2, 4)} \\ S &= {tex(scale * found.sd, 4)}"
    return Formula(rf"\begin{{aligned}}{square}{values}\end{{aligned}}")


def _decision(found: PairedT) -> str:
    """ "do not reject", never "accept": a test that finds nothing has not shown that nothing is there."""
    level = f"{100 * found.level:g} %"
    verdict = f"below {level}: reject H₀" if found.rejects else f"not below {level}: do not reject H₀"
    degrees = f"{found.df} degree{'s' if found.df > 1 else ''} of freedom"
    return f"{degrees}: two-sided p = {p_value(found.p)}".replace("= <", "<") + f", {verdict}."


def _no_spread(found: PairedT) -> str:
    if found.mean == 0:
        return "Every difference is 0, so S = 0 and t is 0/0: on these folds there is nothing to tell them apart by."
    return "Every difference is the same, so S = 0: without spread t says nothing of chance, and H₀ is not tested."
