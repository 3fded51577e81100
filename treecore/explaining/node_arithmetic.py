"""All the arithmetic of a node: of its split, from the counts to what it was selected by, and of it as a leaf."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.effect import effect_gains
from treecore.criteria.row_losses import HuberLoss
from treecore.criteria.significance import SignificanceTest, chi_square, expected_counts, g_test
from treecore.criteria.split_scores import CHI_SQUARE, GAIN_RATIO, MDL_GAIN_RATIO, TWOING
from treecore.data.table import Table
from treecore.explaining.branch_statistics import (
    BranchStatistics,
    best_and_total,
    branch_statistics,
    statistics_as_leaf,
)
from treecore.explaining.formulas import Grid, Line, Words, equation
from treecore.explaining.priors_and_costs import factor_lines, worth_lines
from treecore.figures import brief, count, fraction, summed, tex, weight
from treecore.growing.inspect.admissible_splits import worth
from treecore.growing.inspect.candidates import Candidate, Candidates
from treecore.growing.inspect.node_values import counting_in_average
from treecore.growing.search.split_worth import split_informations, superclass, twoing
from treecore.growing.searchers import is_tested
from treecore.growing.settings.parts import SELECTORS
from treecore.target.counts import rate_interval
from treecore.target.effects import effects_of
from treecore.target.survival import LogRank, LogRankTerms, log_rank_terms, log_rank_test
from treecore.tree.missing import branch_name
from treecore.tree.tree import Tree


def gain_lines(parts: BranchStatistics) -> list[Line]:
    """With missing values: over the rows whose value is known, and then times their share."""
    if parts.tree.task == "effects":
        return _effect_gain_lines(parts)
    impurities, weights, known = parts.impurities(), parts.weights, parts.known
    names = ["t", *(f"t_{{{b}}}" for b in range(1, len(weights) + 1))]
    branches = [None, *range(len(weights))]
    lines: list[Line] = [
        equation(f"i({name})", _right_hand_side(parts, branch), tex(value))
        for name, branch, value in zip(names, branches, impurities, strict=True)
        if branch is None or weights[branch] > 0
    ]
    terms = [rf" - {fraction(w, known)} \cdot {tex(i)}" for w, i in zip(weights, impurities[1:], strict=True) if w > 0]
    gain = parts.gain()
    share = fraction(known, parts.total)
    decrease = gain * parts.total / known
    lines.append(equation(r"\Delta i", [tex(impurities[0]), *terms], tex(decrease)))
    if parts.is_partly_missing:
        lines.append(equation(r"\text{gain}", rf"{share} \cdot {tex(decrease)}", tex(gain)))
    return lines


def _effect_gain_lines(parts: BranchStatistics) -> list[Line]:
    """The effect in all rows and in every branch, and how much its squares grow; for honest trees less what the
    estimates vary."""
    whole, gain, share = parts.of(None)[0], parts.gain(), fraction(parts.known, parts.total)
    every = np.stack([whole, *parts.stats])
    names = ["", *(f"_{{{b}}}" for b in range(1, len(every)))]
    lines: list[Line] = [_arms_equation(rf"\tau{name}", one) for name, one in zip(names, every, strict=True)]
    effect, weights = effects_of(every), parts.weights
    shares = [fraction(w, parts.known) for w in weights]
    terms = summed(rf"{part} ({tex(float(e))})^2" for part, e in zip(shares, effect[1:], strict=True))
    rise, decrease = float(effect_gains(parts.stats, honest=False)), gain * parts.total / parts.known
    terms = [*terms, rf" - ({tex(float(effect[0]))})^2"]
    lines.append(equation(r"\textstyle\sum_b \tfrac{n_b}{n}\tau_b^2 - \tau^2", terms, tex(rise)))
    if parts.tree.criterion == "honest_effect":
        impurities = parts.impurities()
        apart = [tex(float(i)) for i in impurities[1:]]
        lines += [
            Words("Honest: what the branches' estimates vary, i(t) = n s₁² / n₁ + n s₀² / n₀, is taken off twice, "
                  "for the rows that grow the tree and as many that estimate its leaves (Athey and Imbens 2016)."),
            equation(r"\Delta", [tex(rise), rf" - \tfrac{{2}}{{{weight(parts.known)}}} \big(", *summed(apart),
                                 rf" - {tex(float(impurities[0]))}\big)"], tex(decrease)),
        ]  # fmt: skip
    if parts.is_partly_missing:
        lines.append(equation(r"\text{gain}", rf"{share} \cdot {tex(decrease)}", tex(gain)))
    return lines


def _arms_equation(left: str, stats: np.ndarray) -> Line:
    """An effect as the difference of the arms' means, sums of numbers around the center of the target."""
    w, treated, y0, y1 = (float(value) for value in stats[:4])
    if not (treated > 0 and w > treated):
        return equation(left, r"\text{unknown}")
    steps = rf"\tfrac{{{tex(y1, 7)}}}{{{weight(treated)}}} - \tfrac{{{tex(y0, 7)}}}{{{weight(w - treated)}}}"
    return equation(left, steps, tex(y1 / treated - y0 / (w - treated)))


def _right_hand_side(parts: BranchStatistics, branch: int | None) -> list[str]:
    stats, center = parts.of(branch)
    if not stats.any():
        return ["0"]
    if parts.here.row_loss is not None:
        return parts.here.row_loss.written(*best_and_total(parts, branch), stats[0])
    return CRITERIA[parts.tree.criterion].written(stats, parts.here.judge.loss, center)


# Split information, gain ratio, J48's price of a threshold and the average gain.


def split_information(parts: BranchStatistics) -> float:
    """Entropy of the branches' sizes in bits; rows without a value are one more branch."""
    return float(split_informations(parts.weights[None], parts.total)[0])


def ratio_lines(parts: BranchStatistics, n_cuts: int, paid: bool) -> list[Line]:
    """From the gain to the ratio. n_cuts : admissible cuts of an ordered feature, else 0. paid : a cut costs
    log2(n_cuts) / n, as in J48."""
    gain, info = parts.gain(), split_information(parts)
    groups = [w for w in parts.weights if w > 0]
    lines: list[Line] = []
    if paid and n_cuts > 0:
        price = np.log2(n_cuts) / parts.total
        lines += [
            Words(
                f"One of {n_cuts} possible thresholds has to be named: log2({n_cuts}) bits, spread over all rows here."
            ),
            equation(
                r"\text{gain}'",
                rf"{tex(gain)} - \tfrac{{\log_2 {n_cuts}}}{{{weight(parts.total)}}}",
                f"{tex(gain)} - {tex(price)}",
                tex(gain - price),
            ),
        ]
        gain -= price
    if parts.is_partly_missing:
        groups.append(parts.total - parts.known)
        lines.append(Words("The rows without a value are one more group of the split information, the last one."))
    shares = [fraction(w, parts.total) for w in groups]
    terms = summed((rf"{s} \log_2 {s}" for s in shares), "-")
    lines.append(equation(r"\text{split information}", terms, tex(info)))
    if info > 0:
        lines.append(equation(r"\text{gain ratio}", rf"\tfrac{{{tex(gain)}}}{{{tex(info)}}}", tex(gain / info)))
    return lines


def average_lines(parts: BranchStatistics, candidates: Candidates, train: Table) -> list[Line]:
    """The average gain of the features' best splits, and which features reach it; [] where it plays no part."""
    if candidates.average_gain is None or not np.isfinite(candidates.average_gain):
        return []
    counted = counting_in_average(parts.here, train)
    best = candidates.per_feature()
    averaged = [c for c in best if c.feature in counted and c.drawn]
    first, *more = summed(tex(c.gain) for c in averaged)
    over = rf"\tfrac{{1}}{{{len(averaged)}}} ("
    mean = [f"{over}{first}", *more[:-1], f"{more[-1]})"] if more else [f"{over}{first})"]
    slack = SELECTORS[parts.here.growth.selector].slack
    allowed = f", or up to {slack:g} less," if slack > 1e-9 else ""
    rows = tuple((c.feature, brief(c.gain), brief(c.score), _reaches_average(c, counted)) for c in best)
    return [
        Words(f"Only features whose best split gains at least the average{allowed} compete by their ratio:"),
        equation(r"\overline{\text{gain}}", mean, tex(candidates.average_gain)),
        Grid(("feature", "gain", "ratio", "gain reaches the average"), rows),
    ]


def _reaches_average(candidate, counted: set[str]) -> str:
    verdict = "yes" if candidate.eligible else "no"
    return verdict if candidate.feature in counted else f"{verdict} (not in the average: many levels)"


# Twoing, chi-square and G of a split: what compares the classes of the branches.


def twoing_lines(parts: BranchStatistics) -> list[Line]:
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


def test_of(parts: BranchStatistics, score: int) -> SignificanceTest:
    return (chi_square if score == CHI_SQUARE else g_test)(parts.stats)


def test_lines(parts: BranchStatistics, score: int) -> list[Line]:
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


def _power_of_ten(test: SignificanceTest) -> str:
    """p, also where it is too small for a float."""
    if test.p_value > 1e-300:
        return tex(test.p_value, 4)
    exponent = math.floor(test.log_p / math.log(10))
    return rf"{brief(10 ** (test.log_p / math.log(10) - exponent))} \cdot 10^{{{exponent}}}"


def observed_and_expected(parts: BranchStatistics) -> Grid:
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


def _deviations(parts: BranchStatistics) -> list[str]:
    cells = zip(parts.stats.ravel(), expected_counts(parts.stats).ravel(), strict=True)
    return summed(rf"\tfrac{{({weight(o)} - {tex(e, 4)})^2}}{{{tex(e, 4)}}}" for o, e in cells if e > 0)


def _ratios(parts: BranchStatistics) -> list[str]:
    cells = zip(parts.stats.ravel(), expected_counts(parts.stats).ravel(), strict=True)
    first, *more = summed(rf"{weight(o)} \ln {fraction(o, e)}" for o, e in cells if o > 0)
    return [rf"2 \big({first}", *more[:-1], rf"{more[-1]}\big)"] if more else [rf"2 \big({first}\big)"]


# The log-rank test of a split: events observed and expected in the first branch, and the variance of their number.


def log_rank_of(parts: BranchStatistics) -> LogRank:
    """The test of the first branch against the other, of the rows whose value is known."""
    known = parts.branch >= 0
    label, first, weight = parts.here.label[known], parts.branch[known] == 0, parts.here.weight[known]
    return log_rank_test(label // 2, label % 2, first, weight)


MOST_TIMES = 6
"""Of events whose terms are listed."""


def log_rank_lines(parts: BranchStatistics, times: np.ndarray) -> list[Line]:
    """Rows, events and expected events of every branch, then O, E and V as sums over the times of events. times :
    float64, what the ranks of times stand for."""
    known = parts.branch >= 0
    label, branch, case = parts.here.label[known], parts.branch[known], parts.here.weight[known]
    test = log_rank_of(parts)
    died, left = label % 2 == 1, [float(case[branch == b].sum()) for b in range(len(parts.stats))]
    observed = [float(case[died & (branch == b)].sum()) for b in range(len(parts.stats))]
    expected = [test.expected, sum(observed) - test.expected]
    rows = tuple(
        (branch_name(parts.tree, parts.node, b), count(left[b]), count(observed[b]), brief(expected[b]))
        for b in range(len(parts.stats))
    )
    lines: list[Line] = [
        Words(
            "At the time of every event: d of the n rows that are still watched have it, and m of these n are in the "
            "first branch. If both branches had one hazard, d m / n of the events would be there."
        ),
        Grid(("branch", "rows", "events observed", "events expected"), rows),
        *_listed_terms(log_rank_terms(label // 2, died, branch == 0, case), times),
        equation("O", tex(test.observed)),
        equation("E", r"\sum_t d \tfrac{m}{n}", tex(test.expected)),
        equation("V", r"\sum_t d \tfrac{m}{n} \left(1 - \tfrac{m}{n}\right) \tfrac{n - d}{n - 1}", tex(test.variance)),
    ]
    if test.variance > 0:
        fraction_of = rf"\tfrac{{({tex(test.observed)} - {tex(test.expected)})^2}}{{{tex(test.variance)}}}"
        lines.append(equation(r"\text{log-rank}", r"\tfrac{(O - E)^2}{V}", fraction_of, tex(test.statistic)))
    return lines


def _listed_terms(terms: LogRankTerms, times: np.ndarray) -> list[Line]:
    """The first times of events, and what all later ones add."""
    n, rest = len(terms.time), slice(MOST_TIMES, None)
    rows = [
        tuple(map(brief, (times[int(rank)], *of_time)))
        for rank, *of_time in zip(
            terms.time[:MOST_TIMES], terms.events, terms.risk, terms.risk_first, terms.expected, terms.variance,
            strict=False,
        )
    ]  # fmt: skip
    if n > MOST_TIMES:
        sums = (float(part[rest].sum()) for part in (terms.expected, terms.variance))
        rows.append((f"{n - MOST_TIMES:,} later", count(float(terms.events[rest].sum())), "", "", *map(brief, sums)))
    return [Grid(("time", "events d", "watched n", "of the first branch m", "d m / n", "variance"), tuple(rows))]


# The gain of a split as a fraction: exact where rows are counted whole and the measure is made of shares alone.

Shares = list[Fraction]


def _gini(p: Shares) -> Fraction:
    return 1 - sum((q * q for q in p), Fraction(0))


EXACT_IMPURITIES: dict[str, Callable[[Shares], Fraction]] = {
    "gini": _gini, "half_gini": lambda p: _gini(p) / 2, "two_class_variance": lambda p: _gini(p) / 2,
    "misclassification": lambda p: 1 - max(p),
}  # fmt: skip
"""Impurities that are fractions where the counts are whole."""


def exact_lines(parts: BranchStatistics) -> list[Line]:
    """Impurities and gain as fractions; [] where they are none, as an entropy, or rows count in parts."""
    measure, stats = EXACT_IMPURITIES.get(parts.tree.criterion), parts.stats
    if measure is None or parts.altered or not np.array_equal(stats, np.rint(stats)):
        return []
    counts = [[int(c) for c in row] for row in stats if row.sum() > 0]
    whole = [sum(column) for column in zip(*counts, strict=True)]
    n = sum(whole)
    impurity = lambda c: measure([Fraction(v, sum(c)) for v in c])  # noqa: E731
    gain = impurity(whole) - sum(Fraction(sum(c), n) * impurity(c) for c in counts)
    names = [f"t_{{{b}}}" for b, row in enumerate(stats, 1) if row.sum() > 0]
    lines: list[Line] = [Words("As fractions:"), equation("i(t)", _tex_fraction(impurity(whole)))]
    lines += [equation(f"i({name})", _tex_fraction(impurity(c))) for name, c in zip(names, counts, strict=True)]
    terms = [rf" - {_tex_fraction(Fraction(sum(c), n))} \cdot {_tex_fraction(impurity(c))}" for c in counts]
    lines.append(equation(r"\Delta i", [_tex_fraction(impurity(whole)), *terms], _tex_fraction(gain)))
    if parts.is_partly_missing and float(parts.total).is_integer():
        share = Fraction(n, int(parts.total))
        lines.append(
            equation(
                r"\text{gain}", rf"{_tex_fraction(share)} \cdot {_tex_fraction(gain)}", _tex_fraction(share * gain)
            )
        )
    return lines


def _tex_fraction(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"


# All the arithmetic of one split: from the counts to what it was selected by.

TESTED = "A test chose the feature; this is the decrease of the impurity that the split achieves."


def split_arithmetic(tree: Tree, node: int, candidates: Candidates, train: Table) -> list[Line]:
    """Lines that compute what a node's split was selected by, and its gain.

    candidates : the candidates of the node on the training rows `train`.
    """
    parts = branch_statistics(tree, node, train)
    if not parts.known > 0:
        return [Words("No training row here has a value that this split asks for.")]
    growth, score = parts.here.growth, parts.here.score.code
    feature = tree.node(node).feature
    lines = [Words(TESTED)] if is_tested(growth) else []
    lines += factor_lines(parts)
    if score in (GAIN_RATIO, MDL_GAIN_RATIO):
        lines += [*gain_lines(parts), *ratio_lines(parts, _n_cuts(candidates, feature), score == MDL_GAIN_RATIO)]
    elif parts.here.score.by_times:
        times = train.column(tree.schema.counts.exposure).distinct
        lines += [
            *log_rank_lines(parts, times),
            Words("The decrease of the deviance by the same split:"),
            *gain_lines(parts),
        ]
    elif score >= TWOING and _comparable(parts, score):
        lines += twoing_lines(parts) if score == TWOING else test_lines(parts, score)
        lines += [Words("The decrease of the impurity by the same split:"), *gain_lines(parts)]
    else:
        lines += gain_lines(parts)
    if not is_tested(growth):
        lines += worth_lines(growth, feature, score_of(parts, candidates))
    return lines + average_lines(parts, candidates, train)


def _n_cuts(candidates: Candidates, feature: str) -> int:
    return next((c.n_cuts for c in candidates.of(feature)), 0)


def _comparable(parts: BranchStatistics, score: int) -> bool:
    """Are there branches to be compared, two of them for twoing?"""
    return score != TWOING or (len(parts.weights) == 2 and bool((parts.weights > 0).all()))


def score_of(parts: BranchStatistics, candidates: Candidates) -> float:
    """What the split of the node scores, before costs of features."""
    score, gain = parts.here.score.code, parts.gain()
    if parts.here.score.by_times:
        return log_rank_of(parts).statistic
    if score == TWOING and _comparable(parts, score):
        return float(twoing(parts.stats[None])[0]) * parts.known / parts.total
    if score >= CHI_SQUARE:
        return -test_of(parts, score).log_p / math.log(10)
    if score not in (GAIN_RATIO, MDL_GAIN_RATIO):
        return gain
    n_cuts = _n_cuts(candidates, parts.tree.node(parts.node).feature)
    if score == MDL_GAIN_RATIO and n_cuts:
        gain -= math.log2(n_cuts) / parts.total
    info = split_information(parts)
    return gain / info if info > 0 else math.nan


def own_candidate(tree: Tree, node: int, candidates: Candidates, train: Table) -> Candidate:
    """The node's own split among the candidates, where it is none of them: with several cuts, or by hand."""
    parts, feature = branch_statistics(tree, node, train), tree.node(node).feature
    cost = dict(parts.here.growth.costs).get(feature, 1.0)
    score = parts.gain() if is_tested(parts.here.growth) else score_of(parts, candidates)
    names = tuple((branch_name(tree, node, b),) for b in range(len(parts.stats)))
    return Candidate(
        feature, None, names, parts.gain(), parts.counted, parts.n_rows, chosen=True,
        score=float(worth(parts.here, np.float64(score), cost)),
    )  # fmt: skip


# The arithmetic of a leaf: its impurity, and the share or the mean that it answers with.


def leaf_lines(tree: Tree, node: int, train: Table) -> list[Line]:
    """Of any node as a leaf. train : the rows that the tree was grown on."""
    parts = statistics_as_leaf(tree, node, train)
    if not parts.total > 0:
        return [Words(f"No {tree.rows_named.removesuffix('s')} came here: it predicts as the node above it.")]
    stats, center = parts.of(None)
    value = float(parts.impurities()[0])
    if parts.here.row_loss is not None:
        right = parts.here.row_loss.written(*best_and_total(parts, None), stats[0])
        return [equation("i(t)", right, tex(value)), *_row_loss_lines(tree, node, parts)]
    lines: list[Line] = [
        equation("i(t)", CRITERIA[tree.criterion].written(stats, parts.here.judge.loss, center), tex(value))
    ]
    return lines + _ANSWERS[tree.task](tree, node, parts)


def _row_loss_lines(tree: Tree, node: int, parts: BranchStatistics) -> list[Line]:
    """How the answer follows from the rows: by how many lie below it, or by those near it and the others' pull."""
    loss, y, w = parts.here.row_loss, parts.here.numbers, parts.here.weight
    best, total = best_and_total(parts, None)[0], float(w.sum())
    if isinstance(loss, HuberLoss):
        return _huber_lines(loss, y, w, best)
    share, slack = loss.share, 1e-12 * np.abs(y).max()
    below, reached = float(w[y < best - slack].sum()), float(w[y <= best + slack].sum())
    asked = equation(rf"{tex(share)} \cdot n", rf"{tex(share)} \cdot {weight(total)}", tex(share * total))
    if below == reached:
        what = f"Exactly so many rows lie below: the {loss.answer} is half-way between the two targets there."
        around = float(y[(y < best) & (w > 0)].max()), float(y[(y > best) & (w > 0)].min())
        middle = rf"\tfrac{{{tex(around[0], 7)} + {tex(around[1], 7)}}}{{2}}"
        return [asked, Words(what), equation(r"\hat y", middle, tex(best, 7))]
    what = f"Of the rows here, {count(below)} lie below the {loss.answer} and {count(reached)} do not lie above it."
    return [asked, Words(what), equation(r"\hat y", tex(best, 7))]


def _huber_lines(loss: HuberLoss, y: np.ndarray, w: np.ndarray, best: float) -> list[Line]:
    """Rows within delta with their targets, the others with delta, up or down."""
    far = y - best
    near = np.abs(far) <= loss.delta
    n, above, below = (float(w[at].sum()) for at in (near, far > loss.delta, far < -loss.delta))
    if not n > 0:
        return [Words("No row lies within δ: the answer is half-way between the nearest ones."),
                equation(r"\hat y", tex(best, 7))]  # fmt: skip
    inside = float(w[near] @ y[near])
    words = f"Rows within δ count with their targets, {count(above)} above and {count(below)} below with δ, up or down."
    pulled = rf"{tex(inside, 7)} + \delta ({weight(above)} - {weight(below)})"
    return [
        equation(r"\delta", tex(loss.delta, 7)), Words(words),
        equation(r"\hat y", rf"\tfrac{{{pulled}}}{{{weight(n)}}}", tex(best, 7)),
    ]  # fmt: skip


def _share_lines(tree: Tree, node: int, parts: BranchStatistics) -> list[Line]:
    """Of the answer among the training rows, as they are counted, and what is wrong."""
    stats = tree.stats[node]
    n, right = float(stats.sum()), float(stats[int(tree.summary[node])])
    return [
        equation(r"p(\text{answer})", fraction(right, n), tex(right / n)),
        equation(r"\text{error}", rf"1 - {fraction(right, n)}", fraction(n - right, n), tex((n - right) / n)),
    ]


def _mean_lines(tree: Tree, node: int, parts: BranchStatistics) -> list[Line]:
    y, w = parts.here.numbers, parts.here.weight
    total, n = float(w @ y), float(w.sum())
    return [equation(r"\bar g", rf"\tfrac{{{tex(total)}}}{{{weight(n)}}}", tex(total / n))]


def _rate_lines(tree: Tree, node: int, parts: BranchStatistics) -> list[Line]:
    """Events over exposure, and what the estimate adds to both; the exact interval of the rate."""
    _, exposure, events, _ = tree.stats[node].tolist()
    _, of_all, all_events, _ = tree.stats[0].tolist()
    kind, lines = tree.target_kind, []
    lines.append(equation(r"\bar r", rf"\tfrac{{{tex(events)}}}{{{tex(exposure)}}}", tex(events / exposure)))
    if kind.shrink and all_events:
        root, prior = all_events / of_all, kind.shrink**-2.0
        estimate = rf"\frac{{{tex(events)} + {tex(prior)}}}{{{tex(exposure)} + {tex(prior)} / {tex(root)}}}"
        lines.append(
            Words(
                f"The estimate adds 1/k² = {brief(prior)} events at the {kind.rate_word} of all rows, "
                f"k = {brief(kind.shrink)}:"
            )
        )
        lines.append(equation("r", estimate, tex(float(kind.rates(tree.stats[node], tree.stats[0])))))
    if kind.units_shown(tree) != 1:
        lines.append(Words(f"In the unit of the tree: {kind.answer_text(tree, node)}."))
    low, high = rate_interval(events, exposure)
    return [
        *lines,
        Words(
            f"95 % interval (Garwood 1936): from half the χ² quantile of 2.5 % with {brief(2 * events)} degrees of "
            f"freedom to that of 97.5 % with {brief(2 * events + 2)}, over the exposure."
        ),
        equation(r"\text{from}", tex(float(low))), equation(r"\text{to}", tex(float(high))),
    ]  # fmt: skip


def _effect_lines(tree: Tree, node: int, parts: BranchStatistics) -> list[Line]:
    """The means of both arms, their difference and its interval, and whether as many were treated as elsewhere."""
    kind, stats = tree.target_kind, tree.stats[node]
    rows = tuple((called, count(n, ","), kind.outcome_text(mean)) for called, n, mean in reversed(kind.arms(stats)))
    word, how = ("share", "Newcombe 1998, from Wilson's intervals of the two shares") if kind.shares else (
        "mean", "Welch 1947")  # fmt: skip
    low, high = kind.interval(stats)
    lines: list[Line] = [Grid(("arm", "rows", f"{word} of {tree.schema.target}"), rows), _arms_equation(r"\tau", stats)]
    if kind.center:
        lines.append(Words(f"Sums are of outcomes less {brief(kind.center)}, which does not change the difference."))
    if not math.isnan(low):
        lines += [
            Words(f"95 % interval of the effect ({how}):"),
            equation(r"\text{from}", tex(low)), equation(r"\text{to}", tex(high)),
        ]  # fmt: skip
    return [*lines, Words(f"Treated: {kind.balance(tree, node)}.")]


_ANSWERS = {
    "classification": _share_lines, "regression": _mean_lines, "counts": _rate_lines, "effects": _effect_lines,
}  # fmt: skip
