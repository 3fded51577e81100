"""What the test of twin bars says, in a mark, a sentence and its arithmetic."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from treecore.criteria.significance import expected_counts
from treecore.evaluation.corrections import CORRECTIONS
from treecore.evaluation.homogeneity import STAGES
from treecore.evaluation.twins import (
    CHI_SQUARE,
    FEW_ROWS,
    LEAST_ROWS,
    METHODS,
    MONTE_CARLO,
    RATES,
    WELCH,
    NodeTests,
    Twins,
)  # fmt: skip
from treecore.explaining.lines import Formula, Grid, Line, Words, equation
from treecore.figures import brief, count, number, p_value, percent, summed, tex, weight
from treecore.judging.interest import Interest

SHORT = {"validation": "valid", "test": "test"}
CAUTION = (
    "The splits were chosen on the training rows, so at a leaf a difference also shows over-fitting: "
    "the test cannot tell chance that was learned from rows that come from elsewhere."
)


def marks(twins: Twins) -> dict[int, str]:
    """Node -> "train ≠ valid, p 0.004" for the nodes that differ; p is the adjusted one."""
    short = SHORT.get(twins.other, "other")
    first = SHORT.get(twins.first, twins.first)
    return {int(t): f"{first} ≠ {short}, p {p_value(twins.adjusted[t])}" for t in np.flatnonzero(twins.differs)}


def legend(twins: Twins, tree: str = "the grown tree") -> str:
    """What the hatching means, and what it was corrected for: so many nodes of `tree`."""
    if not twins.n_tested:
        return (
            f"No node has {LEAST_ROWS} rows on both sides that vary: {twins.first} and {twins.other} are not compared."
        )
    test = _TESTS[twins.tests.tree.task].name
    n, differ = twins.n_tested, int(twins.differs.sum())
    judged = f"{test}, {_corrected(twins)}, level {twins.level:g}"
    of = f"{n:,} of {twins.tests.tree.n_nodes:,} nodes of {tree} tested: {judged}"
    if not differ:
        return f"In no node do {twins.first} and {twins.other} differ significantly ({of})."
    nodes = f"{differ:,} node{'s' if differ > 1 else ''}"
    return f"Marked ≠: {nodes} where {twins.first} and {twins.other} differ significantly ({of})."


def _corrected(twins: Twins) -> str:
    return "not corrected" if twins.correction == "none" else f"{CORRECTIONS[twins.correction].label}-corrected"


def sentence(twins: Twins, node: int, interest: Interest | None = None) -> str:
    """Both sides of a node, the test, its p and the verdict.

    interest : the class whose share they tell; None: the one that tells them apart best.
    """
    tests = twins.tests
    method = int(tests.method[node])
    sides = _sides(twins, node, interest)
    if not tests.tested[node]:
        why = f"fewer than {LEAST_ROWS} rows on a side" if method == FEW_ROWS else "nothing varies here"
        return f"{sides}. Not tested: {why}."
    name = {WELCH: "Welch's t", RATES: "Ratio of the rates"}.get(method, "Chi-square")
    exact = "" if method in (CHI_SQUARE, WELCH) else f", {METHODS[method]}"
    p, adjusted = p_value(tests.p_value[node]), p_value(twins.adjusted[node])
    family = "" if twins.correction == "none" else f", {CORRECTIONS[twins.correction].label}-adjusted p {adjusted}"
    verdict = (
        "a significant difference" if twins.differs[node] else (f"no significant difference at level {twins.level:g}")
    )
    return f"{sides}. {name} {brief(tests.statistic[node])}{exact}, p {p}{family}: {verdict}."


def _sides(twins: Twins, node: int, interest: Interest | None) -> str:
    n = twins.tests.rows[node]
    told, what = _TESTS[twins.tests.tree.task].sides(twins.tests, node, interest)
    told = [f"{text} of {_rows(m)}" if m > 0 else "no rows" for text, m in zip(told, n, strict=True)]
    return f"{twins.first}: {told[0]}{what}; {twins.other}: {told[1]}"


def _shares(tests: NodeTests, node: int, interest: Interest | None) -> tuple[list[str], str]:
    stats, n = tests.stats[node], tests.rows[node]
    share = np.divide(stats, n[:, None], out=np.zeros_like(stats), where=n[:, None] > 0)
    k = int(np.argmax(np.abs(share[1] - share[0]))) if interest is None else interest.k
    return [percent(s) for s in share[:, k]], f" are {tests.tree.class_names[k]}"


def _means(tests: NodeTests, node: int, interest: Interest | None) -> tuple[list[str], str]:
    tree, center = tests.tree, tests.tree.center[node]
    told = lambda mean: f"mean {tree.target_kind.value_text(tree, mean)}"  # noqa: E731
    return [told(center + wy / w) if w > 0 else "" for w, wy, _ in tests.stats[node]], ""


def _rates(tests: NodeTests, node: int, interest: Interest | None) -> tuple[list[str], str]:
    tree, stats = tests.tree, tests.stats[node]
    rates = tree.target_kind.mean_of(stats)
    known = stats[:, 1] > 0
    return [tree.target_kind.value_text(tree, r) if some else "" for r, some in zip(rates, known, strict=True)], ""


def _rows(n: float) -> str:
    told = count(n, ",")
    return f"{told} row{'s' if told != '1' else ''}"


def arithmetic(twins: Twins, node: int) -> list[Line]:
    """The test of one node step by step; [] where there was none."""
    if not twins.tests.tested[node]:
        return []
    lines = _TESTS[twins.tests.tree.task].lines(twins, node)
    scaled = [Words("The weights of each side are scaled so that they add up to its number of rows.")]
    return [*lines, *scaled * twins.tests.scaled, *_family(twins, node), Words(CAUTION)]


def _mixes(twins: Twins, node: int) -> list[Line]:
    """Counts and what was expected of them, chi-square, and the exact test where it decided."""
    tests = twins.tests
    table = tests.stats[node]
    kept = np.flatnonzero(table.sum(axis=0) > 0)
    table = table[:, kept]
    expected = expected_counts(table)
    rows = tuple(
        (name, *(f"{count(o)} ({brief(e)})" for o, e in zip(counts, wanted, strict=True)))
        for name, counts, wanted in zip((twins.first, twins.other), table, expected, strict=True)
    )
    cells = zip(table.ravel(), expected.ravel(), strict=True)
    terms = summed(rf"\tfrac{{({weight(o)} - {tex(e, 4)})^2}}{{{tex(e, 4)}}}" for o, e in cells)
    lines = [
        Grid(("rows of", *(f"{tests.tree.class_names[k]}: observed (expected)" for k in kept)), rows),
        equation(r"\chi^2", terms, tex(tests.statistic[node])),
    ]
    if tests.method[node] == CHI_SQUARE:
        tail = rf"P(\chi^2_{{{int(tests.df[node])}}} > {tex(tests.statistic[node])})"
        return [*lines, equation("p", tail, tex(tests.p_value[node], 3))]
    return [*lines, Words(_exact_words(tests.method[node], p_value(tests.p_value[node])))]


def _exact_words(method: int, p: str) -> str:
    how = f", estimated by up to {STAGES[-1]:,} random tables" if method == MONTE_CARLO else ""
    return (
        f"A count below 5 is expected, so p is not that of chi-square but of an exact test ({METHODS[method]}): the "
        f"probability of all tables with the same sums that are no more probable than this one, {p}{how}."
    )


def _welch(twins: Twins, node: int) -> list[Line]:
    """Means, standard errors and t."""
    n, wy, wyy = twins.tests.stats[node].T
    mean, center = wy / n, twins.tests.tree.center[node]
    variance = np.maximum(wyy - wy * mean, 0) / (n - 1)
    rows = tuple(
        (name, count(m), number(center + a), number(v))
        for name, m, a, v in zip((twins.first, twins.other), n, mean, variance, strict=True)
    )
    above = f"{tex(center + mean[1])} - {tex(center + mean[0])}"
    below = rf"\sqrt{{{tex(variance[1])} / {tex(n[1])} + {tex(variance[0])} / {tex(n[0])}}}"
    t, df, p = twins.tests.statistic[node], twins.tests.df[node], twins.tests.p_value[node]
    return [
        Grid(("rows of", "n", "mean", "variance"), rows),
        Formula(rf"t = \frac{{{above}}}{{{below}}} = {tex(t)}"),
        equation("p", rf"P(|t_{{{tex(df, 4)}}}| > {tex(abs(t))})", tex(p, 3)),
    ]


def _ratio(twins: Twins, node: int) -> list[Line]:
    """Events and exposure of both sides, and how probable so uneven a division of all events is."""
    tests = twins.tests
    exposure, events = tests.stats[node][:, 1:3].T
    rows = tuple(
        (name, count(d, ","), brief(e), brief(d / e))
        for name, d, e in zip((twins.first, twins.other), events, exposure, strict=True)
    )
    share = exposure[0] / exposure.sum()
    return [
        Grid(("rows of", "events", "exposure", "rate"), rows),
        equation(r"\text{ratio}", rf"\frac{{{tex(events[1] / exposure[1])}}}{{{tex(events[0] / exposure[0])}}}",
                 tex(tests.statistic[node])),
        Words(
            f"With one rate, each of the {count(events.sum(), ',')} events is a {twins.first} one with the share of "
            f"the exposure, {percent(share)}: p is twice the smaller tail of that binomial distribution."
        ),
        equation("p", tex(tests.p_value[node], 3)),
    ]  # fmt: skip


class _Told(NamedTuple):
    """How the test of one kind of target is told. sides : (tests, node, interest) -> (one text a side, what they are).
    lines : (twins, node) -> its arithmetic."""

    name: str
    sides: Callable[[NodeTests, int, Interest | None], tuple[list[str], str]]
    lines: Callable[[Twins, int], list[Line]]


_TESTS = {
    "classification": _Told("chi-square or exact", _shares, _mixes),
    "regression": _Told("Welch's t", _means, _welch),
    "counts": _Told("exact test of two rates", _rates, _ratio),
}


def _family(twins: Twins, node: int) -> list[Line]:
    """What the correction made of p."""
    p, m = twins.tests.p_value[node], twins.n_tested
    if twins.correction == "none":
        return [Words(f"Not corrected: of {m:,} nodes tested, about {twins.level * m:.1f} differ by chance alone.")]
    place = int(np.sum(twins.tests.p_value[twins.tests.tested] < p)) + 1
    return [
        Words(f"This p is number {place:,} of the {m:,} p-values of the tree, the smallest first; "
              f"{CORRECTIONS[twins.correction].label} makes {p_value(twins.adjusted[node])} of it."),
        Formula(CORRECTIONS[twins.correction].formula),
        Words(f"At level {twins.level:g}, {CORRECTIONS[twins.correction].keeps}."),
    ]  # fmt: skip
