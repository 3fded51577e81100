"""The paired t-test with every step of its arithmetic, and what it does not know."""

import numpy as np

from treecore.experiments.bayes import Posterior
from treecore.experiments.paired_t import PairedT
from treecore.explaining.lines import Formula, Grid, Line, Words, equation
from treecore.figures import brief, p_value, percent, summed, tex

MOST_FOLDS = 30
"""So many are listed one by one."""
TOO_SURE = (
    "The plain test is too sure: it takes the folds for independent samples, but any two of them share most of their "
    "training rows. Their scores vary less than those of new samples would, so S is too small, and luck is taken for a "
    "difference more often than the level says. The corrected test (Nadeau and Bengio 2003) adds the rows judged over "
    "the rows that train to 1/N."
)


def paired_t_lines(found: PairedT, scores: np.ndarray, names: tuple[str, str]) -> list[Line]:
    """H0, the differences, m, S², t, p and the decision. scores : float64 (2, n), of the first and the second."""
    first, second = names
    head = f"H₀: {first} and {second} score the same on average; what differs between them is chance."
    lines: list[Line] = [Words(head), _folds(found, scores, names), _mean(found), _square(found)]
    if not found.sd > 0:
        return [*lines, Words(_no_spread(found))]
    t = equation("t", rf"\frac{{\sqrt{{N}}\,m}}{{S}} = \frac{{\sqrt{{{found.n}}} \cdot {tex(found.mean)}}}"
                      rf"{{{tex(found.sd)}}}", tex(found.t))  # fmt: skip
    return [*lines, t, Words(_decision(found))]


def corrected_lines(found: PairedT) -> list[Line]:
    """Why the plain test is too sure, and the corrected one."""
    lines: list[Line] = [Words(TOO_SURE)]
    if found.sd > 0:
        above, below = tex(found.mean), rf"{tex(found.sd)}\sqrt{{\tfrac{{1}}{{{found.n}}} + {tex(found.overlap, 4)}}}"
        lines += [equation("t", rf"\frac{{{above}}}{{{below}}}", tex(found.t)), Words(_decision(found))]
    return lines


def belief(found: Posterior, second: str, share: bool = True) -> str:
    """The three probabilities in a sentence. share : are the scores shares, told in per cent?"""
    matters = percent(found.matters) if share else brief(found.matters)
    return (
        f"Probability that {second} scores more than {matters} higher: {percent(found.better)}; within {matters}: "
        f"{percent(found.same)}; more than {matters} lower: {percent(found.worse)} (Bayesian correlated t-test)."
    )


def _folds(found: PairedT, scores: np.ndarray, names: tuple[str, str]) -> Grid:
    rows = [
        (str(n + 1), brief(a), brief(b), brief(d))
        for n, (a, b, d) in enumerate(zip(*scores, found.differences, strict=True))
    ]
    if len(rows) > MOST_FOLDS:
        rows = [*rows[: MOST_FOLDS - 1], (f"and {len(rows) - MOST_FOLDS + 1} more", "…", "…", "…")]
    return Grid(("fold n", names[0], names[1], "difference pₙ"), tuple(rows))


def _mean(found: PairedT) -> Formula:
    terms = summed(_signed(d) for d in found.differences)
    total = tex(float(found.differences.sum()))
    return equation("m", r"\tfrac{1}{N}\textstyle\sum p_n", [rf"\tfrac{{1}}{{{found.n}}}(", *terms, ")"],
                    rf"\frac{{{total}}}{{{found.n}}}", tex(found.mean))  # fmt: skip


def _square(found: PairedT) -> Formula:
    total = float(((found.differences - found.mean) ** 2).sum())
    return equation("S^2", r"\tfrac{1}{N-1}\textstyle\sum (p_n - m)^2", rf"\frac{{{tex(total)}}}{{{found.n - 1}}}",
                    tex(found.sd**2))  # fmt: skip


def _signed(difference: float) -> str:
    told = tex(difference, 4)
    return f"({told})" if told.startswith("-") else told


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
