"""Tests of the scores of recipes on the same folds, or on the same tables: is one of them better by more than luck?"""

from dataclasses import dataclass, replace
from math import copysign, erfc, inf, nan, sqrt

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError
from treecore.study.metrics import mcnemar
from treecore.target.rounding import settled

ROUNDING = 1e-12
"""Share of the larger of two scores below which their difference is rounding."""


@dataclass(frozen=True)
class Summary:
    """Scores in short. sd : how far single scores are from their mean, n - 1 below; standard_error : sd / sqrt(n),
    how far this mean would be from that of other folds, were they independent. Both NaN of one score."""

    n: int
    mean: float
    sd: float
    standard_error: float


def summary(scores: np.ndarray) -> Summary:
    """Mean, standard deviation and standard error of scores, float64 (n,), n > 0."""
    scores = checked_scores(scores)
    n, mean = len(scores), float(scores.mean())
    # a mean of equal numbers may be off by rounding
    off = settled(scores - mean, np.abs(scores).max(), ROUNDING)
    sd = sqrt(float(off @ off) / (n - 1)) if n > 1 else nan
    return Summary(n, mean, sd, sd / sqrt(n))


def differences(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """float64 (n,): b - a fold by fold, 0 where they are equal but for rounding.

    TreecoreError unless both have as many scores, all of them numbers.
    """
    a, b = checked_scores(a), checked_scores(b)
    if len(a) != len(b):
        raise TreecoreError(
            f"{len(a)} scores cannot be paired with {len(b)}", where="scores", remedy="Use the same folds for both"
        )
    return settled(b - a, np.maximum(np.abs(a), np.abs(b)), ROUNDING)


def checked_scores(scores: np.ndarray) -> np.ndarray:
    """float64 (n,); TreecoreError without any, or where one is no finite number."""
    scores = np.asarray(scores, float)
    if scores.ndim != 1 or not len(scores):
        raise TreecoreError("There are no scores", where="scores", remedy="Give one number per fold")
    bad = np.flatnonzero(~np.isfinite(scores))
    if len(bad):
        raise TreecoreError(
            f"The score of fold {bad[0] + 1} is not a number",
            where="scores",
            remedy="Choose another measure, or fewer folds: this one cannot be computed on every fold",
        )
    return scores


# Two recipes on the same folds: the paired t-test, and the one that knows that folds share their training rows.

LEVEL = 0.05


@dataclass(frozen=True, eq=False, repr=False)
class PairedT(Brief):
    """H0: on average both recipes score the same.

    differences : float64 (n,), second less first, fold by fold. mean, sd : m and S of them (n - 1 below).
    error : what m is divided by, S sqrt(1/n + overlap). t, df, p : p is two-sided.
    overlap : 0 for the plain test; test rows / training rows of a fold for the corrected one.
    low, high : the 1 - level interval of the mean difference.
    S = 0 leaves nothing to judge chance by: t and p are NaN where all differences are 0, else t is infinite and p 0.
    """

    differences: np.ndarray
    mean: float
    sd: float
    error: float
    t: float
    df: int
    p: float
    low: float
    high: float
    overlap: float = 0.0
    level: float = LEVEL

    @property
    def n(self) -> int:
        return len(self.differences)

    @property
    def turned(self) -> "PairedT":
        """The same test of the first less the second, as it is written down beside the two."""
        ends = {"low": -self.high, "high": -self.low}
        return replace(self, differences=0.0 - self.differences, mean=0.0 - self.mean, t=0.0 - self.t, **ends)

    @property
    def rejects(self) -> bool:
        """Is H0 rejected at the level? Never where S = 0: spread that is not there says nothing of chance."""
        return self.sd > 0 and self.p < self.level


def paired_t(a: np.ndarray, b: np.ndarray, level: float = LEVEL) -> PairedT:
    """The plain test of the scores of two recipes on the same folds, float64 (n,) each, n > 1.

    t = m / (S / sqrt(n)) with df n - 1. It takes folds for independent samples. They share most of their training
    rows, so S is too small and differences that are luck are called real too often (see resampled_t).
    Source: Student (1908); Dietterich (1998) on how often it is wrong.
    """
    return _paired_t(a, b, 0.0, level)


def resampled_t(a: np.ndarray, b: np.ndarray, overlap: float, level: float = LEVEL) -> PairedT:
    """The corrected test: S^2 (1/n + test rows / training rows) in place of S^2 / n.

    overlap : test rows / training rows of a fold, > 0; 1 / (k - 1) for k folds.
    Source: Nadeau and Bengio (2003), Machine Learning 52; for repeated folds Bouckaert and Frank (2004).
    """
    if not 0 < overlap < inf:
        raise TreecoreError(
            f"{overlap!r} is no ratio of test rows to training rows", where="overlap", remedy="Give a number above 0"
        )
    return _paired_t(a, b, overlap, level)


def _paired_t(a: np.ndarray, b: np.ndarray, overlap: float, level: float) -> PairedT:
    from scipy import special

    result = differences(a, b)
    if len(result) < 2:
        raise TreecoreError(
            "One fold leaves no spread to judge by", where="scores", remedy="Use two folds or more (ten are usual)"
        )
    of, df = summary(result), len(result) - 1
    error = of.sd * sqrt(1 / of.n + overlap)
    t = of.mean / error if error > 0 else copysign(inf, of.mean) if of.mean else nan
    p = 2 * float(special.stdtr(df, -abs(t)))
    half = error * float(special.stdtrit(df, 1 - level / 2))
    return PairedT(result, of.mean, of.sd, error, t, df, p, of.mean - half, of.mean + half, overlap, level)


# How probable is it that one recipe is better, and by more than what matters?

MATTERS = 0.01
"""Differences up to one per cent are no difference in practice."""


@dataclass(frozen=True)
class Posterior:
    """What is believed of the mean difference (second less first) after the folds: a t distribution.

    mean, scale, df : of it. matters : the least difference that counts. worse, same, better : the probabilities that
    the second recipe's score is lower by more than that, within it, higher by more than that; they add up to 1.
    """

    mean: float
    scale: float
    df: int
    matters: float
    worse: float
    same: float
    better: float


def correlated_t(a: np.ndarray, b: np.ndarray, overlap: float, matters: float = MATTERS) -> Posterior:
    """The Bayesian correlated t-test of scores on the same folds, float64 (n,) each, n > 1.

    overlap : test rows / training rows of a fold; the correlation of the folds' scores is taken to be
    test rows / all rows, which makes the scale that of the corrected resampled t-test. matters : >= 0, in the unit
    of the scores. Where all differences are the same the distribution is that one number.
    Source: Corani and Benavoli (2015), Machine Learning 100.
    """
    from scipy import special

    if not matters >= 0:
        raise TreecoreError(f"{matters!r} is no least difference", where="matters", remedy="Give 0 or a number above")
    result = resampled_t(a, b, overlap)
    if result.error > 0:
        low, high = special.stdtr(result.df, (np.array([-matters, matters]) - result.mean) / result.error)
    else:
        low, high = float(result.mean < -matters), float(result.mean <= matters)
    return Posterior(result.mean, result.error, result.df, matters, float(low), float(high - low), float(1 - high))


# Five times two folds: a test whose training sets do not overlap within a repetition.


@dataclass(frozen=True, eq=False, repr=False)
class FiveByTwo(Brief):
    """H0: both recipes score the same.

    differences : float64 (5, 2), second less first. variances : float64 (5,), s_i^2 = sum_j (d_ij - mean of i)^2.
    t, p : Dietterich's, d_11 / sqrt(mean of s_i^2), df 5, two-sided. f, f_p : Alpaydin's, which no order of the folds
    changes: sum d_ij^2 / (2 sum s_i^2), degrees of freedom 10 and 5. NaN where no difference is there at all.
    """

    differences: np.ndarray
    variances: np.ndarray
    t: float
    p: float
    f: float
    f_p: float


def five_by_two(a: np.ndarray, b: np.ndarray) -> FiveByTwo:
    """The test of scores of two recipes, float64 (5, 2) each: row i has those of the two halves of repetition i.

    Source: Dietterich (1998), Neural Computation 10; Alpaydin (1999), Neural Computation 11.
    """
    from scipy import special

    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.shape != (5, 2) or b.shape != (5, 2):
        remedy = "Draw two folds five times: folds.repeated_folds(table, 2, 5)"
        raise TreecoreError("The test needs 5 repetitions of 2 folds", where="scores", remedy=remedy)
    d = differences(a.ravel(), b.ravel()).reshape(5, 2)
    # of two numbers: (d1 - m)^2 + (d2 - m)^2 = (d1 - d2)^2 / 2
    variances = (d[:, 0] - d[:, 1]) ** 2 / 2
    spread = float(variances.sum())
    t, f = _over(float(d[0, 0]), sqrt(spread / 5)), _over(float((d**2).sum()), 2 * spread)
    return FiveByTwo(d, variances, t, 2 * float(special.stdtr(5, -abs(t))), f, float(special.fdtrc(10, 5, f)))


def _over(above: float, below: float) -> float:
    """above / below; infinite over nothing, and NaN where both are 0."""
    return above / below if below > 0 else copysign(inf, above) if above else nan


# McNemar's test: of the rows on which just one of two recipes is right, is it one of them more often?


@dataclass(frozen=True)
class McNemar:
    """Rows by who is right. first_only, second_only : b and c, all that the test looks at.

    p : exact two-sided. chi_square, p_chi_square : (|b - c| - 1)^2 / (b + c) with one degree of freedom; 0 and 1
    where b + c = 0. It is good from b + c = 25 on or so.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    p: float
    chi_square: float
    p_chi_square: float


def mcnemar_of(first_right: np.ndarray, second_right: np.ndarray) -> McNemar:
    """The test for two recipes, bool (n_rows,) each: which rows are answered rightly.

    Source: McNemar (1947), the correction by Edwards (1948).
    """
    from scipy import special

    first, second = np.asarray(first_right, bool), np.asarray(second_right, bool)
    b, c = int((first & ~second).sum()), int((~first & second).sum())
    chi_square = (abs(b - c) - 1) ** 2 / (b + c) if b + c else 0.0
    both, neither = int((first & second).sum()), int((~first & ~second).sum())
    return McNemar(both, b, c, neither, mcnemar(c, b), chi_square, float(special.chdtrc(1, chi_square)))


# Wilcoxon's signed ranks: is one recipe better more often, and by more, whatever the scale of the scores?

EXACT_UP_TO = 50
"""So many differences that are not 0 have an exact p."""
SAME = 1e-9
"""Sizes of differences that are closer, as a share of the largest, are the same but for rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class Wilcoxon(Brief):
    """H0: differences are as likely above 0 as as far below it.

    differences : float64 (n,), second less first. ranks : float64 (n,), of their sizes from 1, equal ones sharing the
    mean of their places; 0 for differences of 0, which are left out. plus, minus : sums of the ranks of those above
    and below 0. p : exact two-sided, NaN for more than EXACT_UP_TO. p_normal : by the normal distribution with the
    correction for ties; NaN where all differences are 0.
    """

    differences: np.ndarray
    ranks: np.ndarray
    plus: float
    minus: float
    p: float
    p_normal: float

    @property
    def statistic(self) -> float:
        """The smaller sum, as tables list it."""
        return min(self.plus, self.minus)


def wilcoxon(a: np.ndarray, b: np.ndarray, same: float = SAME) -> Wilcoxon:
    """The signed-rank test of scores on the same folds, float64 (n,) each.

    same : share of the largest difference by which two may be apart and still share a rank. 0 as in scipy, where
    4/114 and 4/114 are two sizes if they come from other subtractions.
    Source: Wilcoxon (1945).
    """
    result = differences(a, b)
    ranks = np.zeros(len(result))
    ranks[result != 0] = shared_ranks(np.abs(result[result != 0]), same)
    plus, minus = float(ranks[result > 0].sum()), float(ranks[result < 0].sum())
    used = ranks[ranks > 0]
    return Wilcoxon(result, ranks, plus, minus, _exact(used, min(plus, minus)), _normal(used, plus))


def shared_ranks(values: np.ndarray, same: float = SAME) -> np.ndarray:
    """float64 (n,): ranks from 1 for the lowest; values that are equal but for rounding share the mean of theirs.

    same : share of the largest by which neighbours in order may be apart.
    """
    order = np.argsort(values, kind="stable")
    scale = np.abs(values).max(initial=0.0)
    new = np.diff(values[order], prepend=-np.inf) > same * scale
    group = np.cumsum(new) - 1
    places = np.bincount(group, np.arange(1.0, len(values) + 1)) / np.bincount(group)
    ranks = np.empty(len(values))
    ranks[order] = places[group]
    return ranks


def _exact(ranks: np.ndarray, least: float) -> float:
    """Two-sided p: the share of all 2^n choices of signs whose smaller sum is at most this one, at most 1."""
    if len(ranks) > EXACT_UP_TO:
        return nan
    doubled = np.rint(2 * ranks).astype(np.int64)  # mean ranks are halves
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] += ways[: len(ways) - rank].copy()
    return min(1.0, 2 * float(ways[: round(2 * least) + 1].sum() / ways.sum()))


def _normal(ranks: np.ndarray, plus: float) -> float:
    """Two-sided p by the normal distribution: variance sum of r^2 / 4, which is that corrected for ties."""
    spread = float((ranks**2).sum()) / 4
    return erfc(abs(plus - ranks.sum() / 2) / sqrt(2 * spread)) if spread > 0 else nan


# Many recipes: their ranks on every fold or table, Friedman's test, and how far mean ranks must lie apart.


@dataclass(frozen=True, eq=False, repr=False)
class Ranks(Brief):
    """H0: all recipes are as good, their ranks differ by chance.

    ranks : float64 (n, k), rank of every recipe on each of n samples, 1 for the best, equal ones sharing theirs.
    mean : float64 (k,). chi_square, p : Friedman's with the correction for ties, df k - 1; NaN where all are tied.
    chi_square_plain : without that correction, as textbooks print it. f, f_p : Iman and Davenport's from it, less
    timid, degrees of freedom k - 1 and (k - 1)(n - 1).
    critical : mean ranks that lie as far apart differ at the level (Nemenyi).
    """

    ranks: np.ndarray
    mean: np.ndarray
    chi_square: float
    p: float
    chi_square_plain: float
    f: float
    f_p: float
    critical: float
    level: float = LEVEL

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """Recipes that cannot be told apart, best first: the bars of a critical-difference diagram, none in another."""
        order = np.argsort(self.mean, kind="stable")
        result = []
        for i, first in enumerate(order):
            near = self.mean[order] - self.mean[first] < self.critical
            last = int(np.flatnonzero(near)[-1])
            if last > i and (not result or last > result[-1][-1]):
                result.append((i, last))
        return [tuple(order[i : last + 1].tolist()) for i, last in result]


def friedman(scores: np.ndarray, higher_is_better: bool = True, level: float = LEVEL) -> Ranks:
    """Ranks of k recipes by their scores, float64 (n, k), on n samples (tables; folds of one table overlap).

    TreecoreError for less than 3 recipes (2 have Wilcoxon's test) or 2 samples.
    Source: Friedman (1937), Iman and Davenport (1980), Nemenyi (1963); Demsar (2006), JMLR 7.
    """
    from scipy import special

    scores = np.asarray(scores, float)
    if scores.ndim != 2 or scores.shape[0] < 2 or scores.shape[1] < 3 or not np.isfinite(scores).all():
        remedy = "Give a row of numbers per sample and a column per recipe"
        raise TreecoreError("Ranks need scores of 3 recipes or more on 2 samples", where="scores", remedy=remedy)
    ranks = np.array([shared_ranks(-row if higher_is_better else row) for row in scores])
    n, k = ranks.shape
    mean = ranks.mean(axis=0)
    between = n * float(((mean - (k + 1) / 2) ** 2).sum())
    within = float(((ranks - (k + 1) / 2) ** 2).sum()) / (n * (k - 1))  # k (k + 1) / 12 without ties
    plain, chi = 12 * between / (k * (k + 1)), between / within if within > 0 else nan
    rest = n * (k - 1) - plain
    f = (n - 1) * plain / rest if rest > 1e-9 else inf
    p, f_p = float(special.chdtrc(k - 1, chi)), float(special.fdtrc(k - 1, (k - 1) * (n - 1), f))
    return Ranks(ranks, mean, chi, p, plain, f, f_p, critical_difference(k, n, level), level)


def critical_difference(n_recipes: int, n_samples: int, level: float = LEVEL) -> float:
    """How far mean ranks must lie apart: q sqrt(k (k + 1) / (6 n)), q the studentized range's over sqrt(2).

    Source: Nemenyi (1963), as in Demsar (2006).
    """
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(1 - level, n_recipes, np.inf)) / sqrt(2)
    return q * sqrt(n_recipes * (n_recipes + 1) / (6 * n_samples))
