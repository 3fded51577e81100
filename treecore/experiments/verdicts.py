"""What comes out of trials, in sentences and small tables."""

from collections.abc import Mapping
from math import inf
from types import MappingProxyType

import numpy as np

from treecore.experiments.bayes import MATTERS, correlated_t
from treecore.experiments.five_by_two import five_by_two
from treecore.experiments.mcnemar import mcnemar_of
from treecore.experiments.paired_t import PairedT, paired_t, resampled_t
from treecore.experiments.ranks import Ranks, friedman
from treecore.experiments.summary import Summary, summary
from treecore.experiments.trials import Trials
from treecore.experiments.wilcoxon import wilcoxon
from treecore.explaining.lines import Grid, Line, Words
from treecore.figures import brief, count, p_value, percent, points
from treecore.judging.answers import Answers
from treecore.judging.measures import Measure, by_class, measures_for

NO_SUMMARY = Summary(0, np.nan, np.nan, np.nan)


def scored(tried: Trials, measure: Measure) -> list[tuple[str, Summary, float]]:
    """Name, scores in short, and mean number of leaves of each recipe; NaN where a fold has no score."""
    rows = zip(tried.names, tried.scores(measure), tried.n_leaves.mean(axis=1), strict=True)
    return [(name, summary(s) if np.isfinite(s).all() else NO_SUMMARY, float(n)) for name, s, n in rows]


def measured(found: Mapping[str, Answers]) -> list[tuple[str, dict[str, str]]]:
    """Label of every measure that serves, and role -> its value in words. found : role -> answers to its rows."""
    first = next(iter(found.values()))
    told = lambda m, a: (percent if m.percent else brief)(m(a))  # noqa: E731
    return [(m.label, {role: told(m, a) for role, a in found.items()}) for m in measures_for(first.target)]


def by_class_told(answers: Answers, names: Mapping[str, str] = MappingProxyType({})) -> list[Line]:
    """Precision, recall and F1 of every class. names : what texts call classes, where it is not their value."""
    of = by_class(answers)
    called = (names.get(name, name) for name in of.classes)
    values = zip(called, of.precision, of.recall, of.f1, of.weight, strict=True)
    rows = tuple((name, percent(p), percent(r), brief(f), count(w, ",")) for name, p, r, f, w in values)
    return [Grid(("class", "precision", "recall", "F1", "rows"), rows)]


def at_threshold_told(
    answers: Answers, positive: str, names: Mapping[str, str] = MappingProxyType({})
) -> list[Line]:  # fmt: skip
    """Two classes: the confusion matrix, and what it comes to. answers : as given at the threshold. names : as of
    by_class_told."""
    found = answers.confusion
    cell = {name: of.weight for name, of in found.named(positive).items()}
    other = next(name for name in answers.classes if name != positive)
    yes, no = (names.get(name, name) for name in (positive, other))
    rows = (
        (yes, *(count(cell[c], ",") for c in ("TP", "FN"))),
        (no, *(count(cell[c], ",") for c in ("FP", "TN"))),
    )
    of, k = by_class(answers), answers.classes.index(positive)
    told = (
        f"Precision {percent(of.precision[k])}, recall {percent(of.recall[k])}, F1 {brief(of.f1[k])}, "
        f"accuracy {percent(1 - found.error_rate)}"
    )
    mean = float(found.worth.sum()) / found.weight
    told += "." if answers.loss is None else f", mean {found.worth_name} {brief(mean)}."
    return [Grid(("true class", f"called {yes}", f"called {no}"), rows), Words(told)]


def verdict(found: PairedT, names: tuple[str, str], measure: Measure) -> str:
    """Which of two is better on the folds, and whether the corrected test calls that more than luck."""
    first, second = names
    if found.mean == 0:
        return f"{first} and {second} score the same on average."
    better, worse = (second, first) if (found.mean > 0) == measure.higher else (first, second)
    by = points(abs(found.mean)) if measure.percent else brief(abs(found.mean))
    by = by if by != points(0) else f"less than {points(0.001)}"
    head = f"{better} is better than {worse} by {by} on average"
    if not found.sd > 0:
        return f"{head}, by the same on every fold: there is no spread to test by."
    said = "more than luck" if found.rejects else "which may be luck"
    return f"{head}, {said} (corrected t-test, p {_p(found.p)})."


def handed_over(tried: Trials, measure: Measure) -> str:
    """Which recipe to take, and why: the smallest trees of those that the best one does not beat by more than luck.

    '' for one recipe alone, or where a fold has no score.
    """
    scores, leaves = tried.scores(measure), tried.n_leaves.mean(axis=1)
    if len(scores) < 2 or not np.isfinite(scores).all():
        return ""
    mean = scores.mean(axis=1) if measure.higher else -scores.mean(axis=1)
    best = int(mean.argmax())
    alike = [i for i in range(len(scores)) if i == best or not _beats(scores[best], scores[i], tried.overlap)]
    taken = min(alike, key=lambda i: (round(leaves[i], 1), -mean[i]))
    name, size = tried.names[taken], f"{leaves[taken]:.1f} leaves on average"
    if len(alike) == 1:
        return f"To hand over: {name} ({size}). It is better than every other by more than luck."
    if taken == best:
        return f"To hand over: {name} ({size}). None has a better mean, and none as good has smaller trees."
    return (
        f"To hand over: {name} ({size}). {tried.names[best]} has the best mean, with {leaves[best]:.1f} leaves, but "
        f"beats {name} by no more than may be luck; of all of which that is true, {name} has the smallest trees."
    )


def _beats(best: np.ndarray, other: np.ndarray, overlap: float) -> bool:
    """By more than luck; by the same on every fold counts, too."""
    found = resampled_t(other, best, overlap)
    return found.rejects or (found.mean != 0 and not found.sd > 0)


def _p(p: float) -> str:
    told = p_value(p)
    return told if told.startswith("<") else f"= {told}"


def belief(scores: np.ndarray, overlap: float, second: str, measure: Measure) -> str:
    """How probable it is that the second is better, or worse, by more than 1 %: of an error or a profit, which have a
    unit of their own, of its mean. scores : float64 (2, n) on the same folds. overlap : as of correlated_t."""
    of_mean = not measure.higher or measure.most == inf
    matters = MATTERS * float(np.abs(scores).mean()) if of_mean else MATTERS
    found = correlated_t(*scores, overlap, matters)
    better, worse = (found.better, found.worse) if measure.higher else (found.worse, found.better)
    least = points(matters) if measure.percent else brief(matters) + " (1\u00a0%)" * of_mean
    return (
        f"Probability that {second} is better by more than {least}: {percent(better)}; within that: "
        f"{percent(found.same)}; worse by more: {percent(worse)} (Bayesian correlated t-test)."
    )


def other_tests(tried: Trials, pair: tuple[int, int], measure: Measure) -> list[Line]:
    """Every test of the difference of two recipes (places in `tried`), the first less the second, with its statistic
    and p."""
    b, a = tried.scores(measure)[list(pair)]
    plain, corrected, ranks = paired_t(a, b), resampled_t(a, b, tried.overlap), wilcoxon(a, b)
    rows = [
        ("paired t", f"t = {brief(plain.t)}", p_value(plain.p)),
        ("corrected resampled t", f"t = {brief(corrected.t)}", p_value(corrected.p)),
        ("Wilcoxon's signed ranks", f"T = {brief(ranks.statistic)}", p_value(_or(ranks.p, ranks.p_normal))),
    ]
    if tried.folds.shape[0] == 5 and tried.n_folds == 2:
        halves = five_by_two(a.reshape(5, 2), b.reshape(5, 2))
        rows.append(("5 × 2 folds, t (Dietterich)", f"t = {brief(halves.t)}", p_value(halves.p)))
        rows.append(("5 × 2 folds, F (Alpaydin)", f"F = {brief(halves.f)}", p_value(halves.f_p)))
    lines: list[Line] = [Grid(("test", "statistic", "two-sided p"), tuple(rows))]
    if tried.classes:
        lines += _mcnemar(tried, pair)
    return lines


def _mcnemar(tried: Trials, pair: tuple[int, int]) -> list[Line]:
    """Rows instead of folds: who alone is right, each row answered by the tree of its fold."""
    of = mcnemar_of(*(tried.pooled(i).right for i in pair))
    first, second = (tried.names[i] for i in pair)
    return [
        Words(
            f"McNemar's test of the rows: {of.first_only:,} only {first} answers rightly, {of.second_only:,} only "
            f"{second}, {of.both:,} both, {of.neither:,} neither: exact p {_p(of.p)}, chi-square with the correction "
            f"{brief(of.chi_square)} (p {_p(of.p_chi_square)})."
        )
    ]


def _or(first: float, second: float) -> float:
    return second if np.isnan(first) else first


def ranks_told(scores: np.ndarray, names: tuple[str, ...], measure: Measure, of: str = "folds") -> list[Line]:
    """Mean ranks, Friedman's test, and which recipes cannot be told apart.

    scores : float64 (n_recipes, n_folds or n_tables). of : "folds" of one table, or "tables".
    """
    found = friedman(scores.T, measure.higher)
    order = np.argsort(found.mean, kind="stable")
    rows = tuple((names[i], brief(found.mean[i]), _share_of_firsts(found, i)) for i in order)
    test = (
        f"All recipes score the same on every {of[:-1]}: there are no ranks to test."
        if np.isnan(found.p)
        else f"Friedman's χ² = {brief(found.chi_square)} with {len(names) - 1} degrees of freedom, p {_p(found.p)}: "
        + ("the ranks differ by more than luck." if found.p < found.level else "the ranks may differ by luck.")
    )
    alike = ", ".join("–".join(names[i] for i in group) for group in found.groups) or "none"
    apart = f"Mean ranks differ where they lie {brief(found.critical)} apart (Nemenyi). Not to be told apart: {alike}."
    caution = "Folds of one table share training rows, so these p are too small; on different tables they are right."
    lines: list[Line] = [Grid(("recipe", "mean rank", f"best of {of}"), rows), Words(test), Words(apart)]
    return [*lines, Words(caution)] if of == "folds" else lines


def _share_of_firsts(found: Ranks, recipe: int) -> str:
    """How often it has the best rank, alone or with others."""
    return percent(float((found.ranks[:, recipe] == found.ranks.min(axis=1)).mean()))
