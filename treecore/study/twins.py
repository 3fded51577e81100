"""Twin bars: in every node, do the rows of the tree's figures and other rows differ significantly?

The split of a node was chosen because it parts the *training* rows well, so a difference below it can have two causes:
the other rows come from elsewhere, or the tree has learned chance (over-fitting). The test cannot tell which.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treecore.brief import Brief
from treecore.criteria.significance import expected_counts, pearson
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.explaining.formulas import Formula, Grid, Line, Words, equation
from treecore.figures import brief, count, number, p_value, percent, summed, tex, weight
from treecore.judging.interest import Interest
from treecore.study.homogeneity import (
    CORRECTIONS,
    STAGES,
    adjust,
    exact_p,
    rate_ratio,
    squared_errors,
    welch,
    welch_of_effects,
)
from treecore.target import Target
from treecore.target.effects import effects_of
from treecore.tree.node_statistics import has_target
from treecore.tree.tree import Tree

FEW_ROWS, NO_SPREAD, CHI_SQUARE, FISHER, EXACT, MONTE_CARLO, WELCH, RATES, EFFECTS = range(9)
METHODS = (
    "not tested: too few rows",
    "not tested: nothing varies",
    "chi-square",
    "Fisher's exact test",
    "exact test",
    "Monte-Carlo exact test",
    "Welch's t",
    "exact test of two rates",
    "Welch's t of two effects",
)
"""What was done at a node; the first two are no tests."""
LEAST_ROWS = 5
"""Rows that both sides need for a test."""
LEAST_EXPECTED = 5.0
"""Chi-square's p is good where every expected count is at least this (Cochran 1954); else an exact test."""
LEVEL = 0.05


@dataclass(frozen=True, eq=False, repr=False)
class NodeTests(Brief):
    """One test per node, as if it were the only one.

    stats : float64 (n_nodes, 2, S), statistics of the training rows and of the others, see Tree.stats; each side's
        weights are scaled so that they add up to its number of rows. Shares of rows (missing values) stay shares.
    method : int8 (n_nodes,), place in METHODS. statistic, df, p_value : float64 (n_nodes,), NaN where untested;
        chi-square, t, or the ratio of the others' rate to that of the training rows, which has no df. The exact tests
        have chi-square as statistic too, but p from all tables with these margins (counts rounded to whole rows).
    scaled : were weights scaled at all?
    """

    tree: Tree
    stats: np.ndarray
    method: np.ndarray
    statistic: np.ndarray
    df: np.ndarray
    p_value: np.ndarray
    scaled: bool = False

    @property
    def rows(self) -> np.ndarray:
        """float64 (n_nodes, 2): rows of each side in every node."""
        return self.tree.weight_of(self.stats)

    @property
    def tested(self) -> np.ndarray:
        """bool (n_nodes,)."""
        return ~np.isnan(self.p_value)


@dataclass(frozen=True, eq=False, repr=False)
class Twins(Brief):
    """The tests of a tree's nodes, judged together.

    other : what the other rows are called. adjusted : float64 (n_nodes,), p adjusted for all tested nodes, NaN where
    untested. differs : bool (n_nodes,), adjusted <= level.
    """

    tests: NodeTests
    other: str
    correction: str
    level: float
    adjusted: np.ndarray
    differs: np.ndarray

    @property
    def first(self) -> str:
        """What the rows are called that the others are compared with: those of the tree's figures."""
        return self.tests.tree.figures_of

    @property
    def n_tested(self) -> int:
        return int(self.tests.tested.sum())


def twins(
    tree: Tree,
    stats_train: np.ndarray,
    stats_other: np.ndarray,
    n_train: int | None = None,
    n_other: int | None = None,
    *,
    other: str = "validation",
    correction: str = "holm",
    level: float = LEVEL,
) -> Twins:
    """Test every node and correct for their number; see node_tests and judged."""
    return judged(node_tests(tree, stats_train, stats_other, n_train, n_other), other, correction, level)


def judged(tests: NodeTests, other: str = "validation", correction: str = "holm", level: float = LEVEL) -> Twins:
    """The tests with their p-values adjusted (a name in CORRECTIONS); TreecoreError for a level outside (0, 1)."""
    if not 0 < level < 1:
        raise TreecoreError(f"A level of {level:g} is not possible", where="level", remedy="Choose one such as 0.05")
    CORRECTIONS[correction]
    adjusted = adjust(tests.p_value, correction)
    return Twins(tests, other, correction, float(level), adjusted, adjusted <= level)


def node_tests(
    tree: Tree,
    stats_train: np.ndarray,
    stats_other: np.ndarray,
    n_train: int | None = None,
    n_other: int | None = None,
) -> NodeTests:
    """Chi-square, exact or Welch's test of homogeneity in every node.

    stats_train, stats_other : float64 (n_nodes, S), see tree.node_statistics.node_statistics.
    n_train, n_other : rows behind them in the whole tree, see rows_judged; None: the weights count rows.
    A chi-square with an expected count below 5 gives way to the exact conditional test, which is Fisher's for two
    classes. Nodes with fewer than 5 rows on a side, or with one class only, are not tested.
    """
    shape = (tree.n_nodes, tree.stats.shape[1])
    for given in (stats_train, stats_other):
        if np.shape(given) != shape:
            raise TreecoreError(
                f"Statistics of shape {np.shape(given)} are not of this tree",
                where="twins",
                remedy=f"Give node_statistics of this tree, of shape {shape}",
            )
    sides = [_scaled(tree, s, n) for s, n in ((stats_train, n_train), (stats_other, n_other))]
    scaled = not all(np.allclose(a, b) for a, b in zip(sides, (stats_train, stats_other), strict=True))
    pairs = np.stack(sides, axis=1)
    return NodeTests(tree, pairs, *pair_tests(pairs, tree.target_kind), scaled)


def rows_judged(tree: Tree, table: Table) -> int:
    """Rows of positive weight whose target the tree can judge: the number behind node_statistics."""
    return int(np.count_nonzero(has_target(tree, table) & (table.case_weights > 0)))


def _scaled(tree: Tree, stats: np.ndarray, n: int | None) -> np.ndarray:
    stats = np.asarray(stats, np.float64)
    weight = tree.weight_of(stats[0])
    return stats if n is None or weight <= 0 else stats * (n / weight)


def pair_tests(stats: np.ndarray, target: Target) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(method, statistic, df, p_value), as in NodeTests, of each pair of groups of rows: have they the same class mix,
    mean, or rate?

    stats : float64 (m, 2, S), of both groups, see Tree.stats; they count rows. target : the kind that they are of.
    """
    tests = {
        "classification": _class_tests, "regression": _mean_tests, "counts": _rate_tests, "effects": _effect_tests,
    }  # fmt: skip
    return tests[target.task](np.asarray(stats, np.float64))


def _untested(n_pairs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    return np.full(n_pairs, FEW_ROWS, np.int8), *(np.full(n_pairs, np.nan) for _ in range(3))


def _class_tests(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    made = _untested(len(stats))
    n_classes = (stats.sum(axis=1) > 0).sum(axis=1)
    enough = (stats.sum(axis=2) >= LEAST_ROWS - 1e-9).all(axis=1)
    made[0][enough & (n_classes < 2)] = NO_SPREAD
    pairs = np.flatnonzero(enough & (n_classes > 1))
    tables = stats[pairs]
    statistic, df, log_p = pearson(tables)
    p, method = np.exp(log_p), np.full(len(pairs), CHI_SQUARE)
    expected = expected_counts(tables)
    small = ((expected < LEAST_EXPECTED) & (tables.sum(axis=1, keepdims=True) > 0)).any(axis=(1, 2))
    p[small], drawn = exact_p(tables[small])
    method[small] = np.where(n_classes[pairs][small] == 2, FISHER, np.where(drawn, MONTE_CARLO, EXACT))
    for column, values in zip(made, (method, statistic, df, p), strict=True):
        column[pairs] = values
    return made


def _mean_tests(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    made = _untested(len(stats))
    pairs = np.flatnonzero((stats[:, :, 0] >= LEAST_ROWS - 1e-9).all(axis=1))
    t, df, p = welch(stats[pairs])
    tested = ~np.isnan(p)
    made[0][pairs] = np.where(tested, WELCH, NO_SPREAD)
    for column, values in zip(made[1:], (t, df, p), strict=True):
        column[pairs] = np.where(tested, values, np.nan)
    return made


def _rate_tests(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    made = _untested(len(stats))
    pairs = np.flatnonzero((stats[:, :, 0] >= LEAST_ROWS - 1e-9).all(axis=1))
    ratio, p = rate_ratio(stats[pairs, :, 1:3])
    made[0][pairs] = np.where(np.isnan(p), NO_SPREAD, RATES)
    made[1][pairs], made[3][pairs] = np.where(np.isnan(p), np.nan, ratio), p
    return made


def _effect_tests(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    made = _untested(len(stats))
    arms = np.minimum(stats[:, :, 1], stats[:, :, 0] - stats[:, :, 1])
    pairs = np.flatnonzero((arms >= LEAST_ROWS - 1e-9).all(axis=1))
    t, df, p = welch_of_effects(stats[pairs])
    made[0][pairs] = np.where(np.isnan(p), NO_SPREAD, EFFECTS)
    for column, values in zip(made[1:], (t, df, p), strict=True):
        column[pairs] = values
    return made


# What the test of twin bars says, in a mark, a sentence and its arithmetic.

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


def legend(twins: Twins, tree: str = "the tree") -> str:
    """What the hatching means, and what it was corrected for: so many nodes of `tree`."""
    if not twins.n_tested:
        return (
            f"No node has {LEAST_ROWS} rows on both sides that vary: {twins.first} and {twins.other} are not compared."
        )
    test = _named(twins, _TESTS[twins.tests.tree.task].name)
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
    ratio = _named(twins, "Ratio of the rates")
    name = {WELCH: "Welch's t", EFFECTS: "Welch's t", RATES: ratio}.get(method, "Chi-square")
    exact = "" if method in (CHI_SQUARE, WELCH, EFFECTS) else f", {_named(twins, METHODS[method])}"
    p, adjusted = p_value(tests.p_value[node]), p_value(twins.adjusted[node])
    family = "" if twins.correction == "none" else f", {CORRECTIONS[twins.correction].label}-adjusted p {adjusted}"
    verdict = (
        "a significant difference" if twins.differs[node] else (f"no significant difference at level {twins.level:g}")
    )
    return f"{sides}. {name} {brief(tests.statistic[node])}{exact}, p {p}{family}: {verdict}."


def _named(twins: Twins, words: str) -> str:
    """The words about rates as the target calls these."""
    return words.replace("rate", twins.tests.tree.target_kind.rate_word)


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


def _effects(tests: NodeTests, node: int, interest: Interest | None) -> tuple[list[str], str]:
    kind = tests.tree.target_kind
    told = zip(effects_of(tests.stats[node]), kind.answers(tests.stats[node]), strict=True)
    return [f"effect {kind.signed(float(effect))}" if some else "no effect known" for effect, some in told], ""


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
        Grid(("rows of", "events", "exposure", _named(twins, "rate")), rows),
        equation(r"\text{ratio}", rf"\frac{{{tex(events[1] / exposure[1])}}}{{{tex(events[0] / exposure[0])}}}",
                 tex(tests.statistic[node])),
        Words(
            f"With one {_named(twins, 'rate')}, each of the {count(events.sum(), ',')} events is a {twins.first} one "
            f"with the share of the exposure, {percent(share)}: p is twice the smaller tail of that binomial "
            "distribution."
        ),
        equation("p", tex(tests.p_value[node], 3)),
    ]  # fmt: skip


def _welch_effects(twins: Twins, node: int) -> list[Line]:
    """Effects of both sides, their standard errors and t."""
    stats, kind = twins.tests.stats[node], twins.tests.tree.target_kind
    effect, error = effects_of(stats), np.sqrt(squared_errors(stats).sum(axis=-1))
    rows = tuple(
        (name, count(s[1], ","), count(s[0] - s[1], ","), number(float(e)), number(float(se)))
        for name, s, e, se in zip((twins.first, twins.other), stats, effect, error, strict=True)
    )
    below = rf"\sqrt{{{tex(float(error[1]))}^2 + {tex(float(error[0]))}^2}}"
    t, df, p = twins.tests.statistic[node], twins.tests.df[node], twins.tests.p_value[node]
    return [
        Grid(("rows of", kind.treated, kind.control, "effect", "standard error"), rows),
        Formula(rf"t = \frac{{{tex(float(effect[1]))} - {tex(float(effect[0]))}}}{{{below}}} = {tex(t)}"),
        equation("p", rf"P(|t_{{{tex(df, 4)}}}| > {tex(abs(t))})", tex(p, 3)),
    ]


class _Wording(NamedTuple):
    """How the test of one kind of target is told. sides : (tests, node, interest) -> (one text a side, what they are).
    lines : (twins, node) -> its arithmetic."""

    name: str
    sides: Callable[[NodeTests, int, Interest | None], tuple[list[str], str]]
    lines: Callable[[Twins, int], list[Line]]


_TESTS = {
    "classification": _Wording("chi-square or exact", _shares, _mixes),
    "regression": _Wording("Welch's t", _means, _welch),
    "counts": _Wording("exact test of two rates", _rates, _ratio),
    "effects": _Wording("Welch's t of two effects", _effects, _welch_effects),
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
