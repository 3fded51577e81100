"""Conditional inference trees: a test chooses the feature, and says when to stop; then its best split is found.

Source: Hothorn, Hornik & Zeileis (2006), Unbiased Recursive Partitioning, JCGS 15; details as recorded from partykit.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.criteria.max_tail import log_max_tail
from treecore.criteria.significance import log_chi2_tail
from treecore.errors import TreecoreError
from treecore.growing.search.branches import CodedSplit, present_codes
from treecore.kernels.state import ORDERED, Problem
from treecore.registry import Registry

# Permutation tests: how unlikely is what ties target and feature, if the target's values were dealt out at random?
#
# The statistic is made of the linear statistic t = sum w g h' between a transformation g of the feature and an
# influence function h of the target; mu and S are its expectation and covariance over all permutations. It is the
# quadratic form c = (t - mu)' S+ (t - mu), or the largest |t - mu| in standard deviations. Weights count cases: weight
# 2 is two rows.
# Source: Strasser & Weber (1999), Mathematical Methods of Statistics 8; Hothorn, Hornik & Zeileis (2006), JCGS 15.

RANK_TOLERANCE = 1e-10
"""Variances below this share of the largest one count as 0."""
ONE = np.ones(1)
PART = 8192
"""Of two vectors no longer than that BLAS sums the products on one core."""


def association(
    influence: np.ndarray, scores: np.ndarray, weight: np.ndarray, maximum: bool = False
) -> tuple[float, int]:
    """The statistic c, and its degrees of freedom (the rank of S): (0.0, 0) when nothing varies.

    influence : float64 (n, q), h of every row: indicators of the classes, or the target itself.
    scores : float64 (n, p), g of every row: indicators of the levels, or the feature itself.
    weight : float64 (n,), case weights. Either matrix may be one-dimensional when q or p is 1.
    maximum : the largest entry in standard deviations in place of c.

    S is a Kronecker product, so c = (n - 1) trace(G+ X H+ X') with the scatter matrices G and H around the
    means and the cross products X; n = sum of the weights.
    """
    n = weight.sum()
    if n <= 1:
        return 0.0, 0
    h, g = (_centered(np.asarray(m, float).reshape(len(weight), -1), weight) for m in (influence, scores))
    cross = (g.T * weight) @ h
    g_scatter, h_scatter = ((m.T * weight) @ m for m in (g, h))
    (g_inverse, g_rank), (h_inverse, h_rank) = _pseudo_inverse(g_scatter), _pseudo_inverse(h_scatter)
    if maximum:
        variance = np.outer(np.diag(g_scatter), np.diag(h_scatter)) / (n - 1)
        z = np.divide(np.abs(cross), np.sqrt(variance), out=np.zeros_like(cross), where=variance > 0)
        return float(z.max()), g_rank * h_rank
    statistic = (n - 1) * np.sum((g_inverse @ cross) * (cross @ h_inverse))
    return float(statistic), g_rank * h_rank


def _centered(columns: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Columns around their weighted means, in units of their ranges: a rank must not depend on the units."""
    spans = np.ptp(columns, axis=0)
    columns = columns - np.average(columns, axis=0, weights=weight)
    return np.divide(columns, spans, out=np.zeros_like(columns), where=spans > 0)


def _pseudo_inverse(scatter: np.ndarray) -> tuple[np.ndarray, int]:
    """Moore-Penrose inverse of a symmetric matrix, and its rank."""
    values, vectors = np.linalg.eigh(scatter)
    kept = values > RANK_TOLERANCE * max(values.max(initial=0), 0)
    vectors = vectors[:, kept]
    return (vectors / values[kept]) @ vectors.T, int(kept.sum())


@dataclass(frozen=True, eq=False, repr=False)
class Influence(Brief):
    """The target of some rows as the statistics need it; the fast form of `association`.

    For indicators the diagonal of weights inverts the scatter matrix as far as the statistic can tell (it is a
    generalized inverse), and a number has one variance: no matrix is left to invert.

    label : int64 (n,), or None for numbers; y : float64 (n,), around its mean; weight : float64 (n,), all > 0.
    total : their sum. mean, spread : float64 (q,), of h: shares and weights of the classes, or (0) and the
        sum of squares. rank : of its scatter matrix, 0 when the target does not vary.
    """

    label: np.ndarray | None
    y: np.ndarray
    weight: np.ndarray
    total: float
    mean: np.ndarray
    spread: np.ndarray
    rank: int

    @classmethod
    def of(cls, problem: Problem, rows: np.ndarray, weight: np.ndarray) -> "Influence":
        """Of these training rows, int64 (n,), with these weights."""
        n_classes, total = int(problem.rules["n_classes"][0]), float(weight.sum())
        if n_classes:
            label = problem.rows["label"][rows]
            counts = np.bincount(label, weight, n_classes)
            return cls(label, weight, weight, total, counts / (total or 1), counts, max(0, int(np.sum(counts > 0)) - 1))
        y = problem.targets[rows]
        varies = len(y) > 0 and y.min() < y.max()
        y = y - np.average(y, weights=weight) if varies else np.zeros(len(y))
        return cls(None, y, weight, total, np.zeros(1), np.array([_dot(weight, y * y)]), int(varies))

    @property
    def shares(self) -> np.ndarray:
        """float64 (K,): of the classes that have rows; (1,) for numbers."""
        return ONE if self.label is None else self.mean[self.mean > 0]

    @cached_property
    def counts_once(self) -> bool:
        """Has every row a weight of 1?"""
        return bool((self.weight == 1.0).all())

    def sums(self, groups: np.ndarray, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
        """(weight, float64 (n_groups,); sum of w h, float64 (n_groups, q)) of groups of rows, int64 (n,)."""
        weights = np.bincount(groups, self.weight, n_groups)
        if self.label is None:
            return weights, np.bincount(groups, self.weight * self.y, n_groups)[:, None]
        q = len(self.mean)
        return weights, np.bincount(groups * q + self.label, self.weight, n_groups * q).reshape(n_groups, q)

    def with_number(self, z: np.ndarray, maximum: bool) -> float:
        """The statistic for g = z, float64 (n,), finite."""
        z = z / (max(z.max(initial=0), -z.min(initial=0)) or 1)
        once = self.counts_once
        z -= z.sum() / self.total if once else np.average(z, weights=self.weight)
        wz = z if once else self.weight * z
        cross = np.array([_dot(wz, self.y)]) if self.label is None else np.bincount(self.label, wz, len(self.mean))
        statistic = self._largest if maximum else self._quadratic
        return float(statistic(cross[None], np.array([_dot(wz, z)]))[0])

    def with_groups(self, weights: np.ndarray, sums: np.ndarray, maximum: bool) -> float:
        """The statistic for g = indicators of the groups that `sums` returned."""
        cross = sums - np.outer(weights, self.mean)
        if maximum:
            return float(self._largest(cross, weights * (self.total - weights) / self.total).max())
        return float(self._quadratic(cross, weights).sum())

    def two_sample(self, weights: np.ndarray, sums: np.ndarray, maximum: bool) -> np.ndarray:
        """The statistic, float64 (m,), of each of m partitions: weight and sum of w h of one part."""
        spread = weights * (self.total - weights) / self.total
        statistic = self._largest if maximum else self._quadratic
        return statistic(sums - weights[:, None] * self.mean, spread)

    def _largest(self, cross: np.ndarray, g_spread: np.ndarray) -> np.ndarray:
        """The largest |cross_k| in standard deviations, float64 (m,); 0 where nothing varies."""
        h_spread = self.spread if self.label is None else self.spread * (self.total - self.spread) / self.total
        variance = np.outer(g_spread, h_spread) / (self.total - 1)
        return np.sqrt(np.divide(cross * cross, variance, out=np.zeros_like(cross), where=variance > 0)).max(axis=1)

    def _quadratic(self, cross: np.ndarray, g_spread: np.ndarray) -> np.ndarray:
        """(n - 1) sum over k of cross^2 / (g_spread spread_k), float64 (m,); 0 where nothing varies."""
        inverse = np.divide(1.0, self.spread, out=np.zeros_like(self.spread), where=self.spread > 0)
        top = (self.total - 1) * (cross * cross @ inverse)
        return np.divide(top, g_spread, out=np.zeros_like(top), where=g_spread > 0)


def _dot(a: np.ndarray, b: np.ndarray) -> float:
    """a @ b in parts that BLAS leaves to one core: of longer ones the sum depends on how many cores there are, and
    cores that wait for each other take three times as much of the processor."""
    return sum(float(a[i : i + PART] @ b[i : i + PART]) for i in range(0, len(a), PART))


TIE = 1e-10
"""Scores within this share of the best one are equal."""


@dataclass(frozen=True)
class Statistic:
    """What is made of the linear statistic. maximum : its largest entry, in place of the quadratic form."""

    name: str
    label: str
    note: str
    maximum: bool


STATISTICS = Registry(
    "test statistic",
    Statistic("quadratic", "Quadratic form", "All differences between the groups count, as in a chi-square.", False),
    Statistic("maximum", "Maximum", "The largest difference alone counts, in standard deviations.", True),
)
"""With a number or two classes on both sides they are the same test, told as z or as its square."""


@dataclass(frozen=True)
class Adjustment:
    """How many tests a p-value pays for. n_tests : (features that vary at the node, all features) -> m."""

    name: str
    label: str
    note: str
    n_tests: Callable[[int, int], int]


ADJUSTMENTS = Registry(
    "p-value adjustment",
    Adjustment("bonferroni", "Bonferroni", "For the features that vary at the node, as partykit does.", lambda v, d: v),
    Adjustment("bonferroni_all", "Bonferroni, all features", "For every feature, as party does.", lambda v, d: d),
    Adjustment("none", "None", "Every feature is judged as if it were the only one.", lambda v, d: 1),
)


@dataclass(frozen=True)
class Tested:
    """One feature's test at a node.

    statistic, df : permutation statistic and its degrees of freedom; 0, 0 where feature or target do not vary, and
        then every p-value is 1.
    p_value : chi-square, or of the largest of correlated normal numbers; log_p : its natural logarithm, finite where
        p_value is 0.
    adjusted : 1 - (1 - p)^m for m tests.
    """

    feature: int
    statistic: float
    df: int
    log_p: float
    adjusted: float

    @property
    def p_value(self) -> float:
        return math.exp(self.log_p)

    @property
    def adjusted_p(self) -> float:
        """The name that CHAID's tests have for it."""
        return self.adjusted


class ConditionalSearch:
    """The split of a node: the feature with the smallest p-value, then this feature's best cut or grouping.

    alpha : no split unless the smallest adjusted p-value is below it, or it is 1. adjustment : name in ADJUSTMENTS.
    min_rows_split : weight a node needs. min_rows_leaf : weight of known rows that each branch needs;
        min_share_leaf : the same as a share of the node's weight (partykit: 0.01), rounded up; the larger counts.
    min_count_leaf : known rows of positive weight that each branch needs.
    tries : when the first feature has no cut that the limits allow, the next ones with a p-value within alpha get
        their turn, so many features in all (partykit: 2).
    test_statistic, split_statistic : names in STATISTICS, by which features are tested and then cuts compared.

    Levels of an order count as 1, 2, 3 ..., those that no training row has left out.
    Rows without a value of a feature count neither in its test nor in its split, and Found leaves their branch open.
    Groupings of up to rules["max_exhaustive"] levels are all tried; beyond, levels are sorted by mean target or by
    each class's share and cut. Of features with equal p-values the last one wins, of equal cuts the first (partykit).
    """

    def __init__(
        self,
        problem: Problem,
        alpha: float = 0.05,
        adjustment: str = "bonferroni",
        min_rows_leaf: float = 7,
        min_rows_split: float = 20,
        min_share_leaf: float = 0.0,
        tries: int = 2,
        min_count_leaf: int = 1,
        test_statistic: str = "quadratic",
        split_statistic: str = "quadratic",
    ):
        if not 0 <= alpha <= 1:
            raise TreecoreError(f"alpha is {alpha}", where="alpha", remedy="Give a probability, such as 0.05")
        self.problem, self.alpha, self.adjustment = problem, alpha, ADJUSTMENTS[adjustment]
        self.min_rows_leaf, self.min_rows_split = min_rows_leaf, min_rows_split
        self.min_share_leaf, self.tries, self.min_count_leaf = min_share_leaf, tries, min_count_leaf
        self._tests_maximum = STATISTICS[test_statistic].maximum
        self._splits_by_maximum = STATISTICS[split_statistic].maximum
        self._of_rows: dict[int, np.ndarray] = {}

    def __call__(self, rows: np.ndarray, weight: np.ndarray) -> CodedSplit | None:
        """The node's split, or None. rows : int64 (n,), training rows at the node; weight : float64 (n,), of these.

        Found.score = -ln p of the feature's test, before the adjustment.
        """
        if weight.sum() < self.min_rows_split:
            return None
        left = [
            t for t in self.tested(rows, weight, self.alpha) if t.df and (t.adjusted < self.alpha or self.alpha == 1)
        ]
        splits = (self.split_by(test, rows, weight) for test in by_significance(left)[: self.tries])
        return next((split for split in splits if split is not None), None)

    def tested(self, rows: np.ndarray, weight: np.ndarray, alpha: float = 1.0) -> tuple[Tested, ...]:
        """Every feature's test on these rows, in the order of the features.

        alpha : of an adjusted p that is surely above it, a lower bound will do.
        """
        rows, weight = _positive(rows, weight)
        everything = Influence.of(self.problem, rows, weight)
        d = len(self.problem.features)
        facts = [self._statistic(feature, rows, weight, everything) for feature in range(d)]
        m = self.adjustment.n_tests(sum(df > 0 for _, df, *_ in facts), d)
        if self._tests_maximum:
            enough = -math.expm1(math.log1p(-alpha) / m) if alpha < 1 and m else 1.0
            logs = [log_max_tail(z, groups, classes, enough) if df else 0.0 for z, df, groups, classes in facts]
        else:
            logs = log_chi2_tail(*zip(*(fact[:2] for fact in facts), strict=True)).tolist()
        return tuple(Tested(f, *facts[f][:2], logs[f], _adjusted(logs[f], m)) for f in range(d))

    def _statistic(self, feature, rows, weight, everything: Influence) -> tuple[float, int, np.ndarray, np.ndarray]:
        """(statistic, df, shares of the feature's groups, of the classes) of a feature, where a number has one share;
        statistic and df are 0 if it cannot be tested."""
        untested = 0.0, 0, ONE, ONE
        record = self.problem.features[feature]
        if record["splitter"] == ORDERED:
            z, target = self._numbers(feature)[rows], everything
            missing = np.isnan(z)
            if missing.any():
                z, target = z[~missing], Influence.of(self.problem, rows[~missing], weight[~missing])
            if target.rank == 0 or target.total <= 1 or z.min() == z.max():
                return untested
            return target.with_number(z, self._tests_maximum), target.rank, ONE, target.shares
        codes, target = self._known(feature, rows, weight, everything)
        if target.rank == 0 or target.total <= 1 or codes.min() == codes.max():
            return untested
        weights, sums = target.sums(codes, int(record["n_codes"]))
        df = target.rank * (int(np.count_nonzero(weights)) - 1)
        return target.with_groups(weights, sums, self._tests_maximum), df, weights[weights > 0], target.shares

    def _numbers(self, feature: int) -> np.ndarray:
        """float64 (n,): what stands for the value of every training row in the test of an ordered feature; NaN for
        missing. It is kept, as every node asks for it."""
        if feature not in self._of_rows:
            self._of_rows[feature] = np.append(self._scores(feature), np.nan)[self.problem.codes[feature]]
        return self._of_rows[feature]

    def _scores(self, feature: int) -> np.ndarray:
        """float64 (n_codes,): the numbers that stand for the values; levels are numbered without those of no row."""
        record = self.problem.features[feature]
        start, n_codes = int(record["value_start"]), int(record["n_codes"])
        values = self.problem.values[start : start + n_codes]
        if not record["ordinal"]:
            return values
        present = np.bincount(self.problem.codes[feature], minlength=n_codes + 1)[:n_codes] > 0
        return np.cumsum(present, dtype=np.float64)

    def _known(self, feature, rows, weight, everything: Influence | None = None) -> tuple[np.ndarray, Influence]:
        """The codes of the rows that have a value, int32, and their target (`everything` if none is missing)."""
        codes = self.problem.codes[feature][rows]
        known = codes != self.problem.features["n_codes"][feature]
        if everything is not None and known.all():
            return codes, everything
        return codes[known], Influence.of(self.problem, rows[known], weight[known])

    def split_by(self, test: Tested, rows: np.ndarray, weight: np.ndarray) -> CodedSplit | None:
        """The split of the tested feature with the largest two-sample statistic, or None if the limits allow none."""
        least = max(self.min_rows_leaf, math.ceil(self.min_share_leaf * weight.sum()))
        rows, weight = _positive(rows, weight)
        codes, target = self._known(test.feature, rows, weight)
        present, at = present_codes(codes, int(self.problem.features["n_codes"][test.feature]))
        weights, sums = target.sums(at, len(present))
        counts = np.bincount(at, minlength=len(present))
        limits = least, self.min_count_leaf
        record = self.problem.features[test.feature]
        if record["splitter"] == ORDERED:
            of_low, sums_low, n_low = (np.cumsum(a, axis=0)[:-1] for a in (weights, sums, counts))
            cut = _best(target, of_low, sums_low, n_low, limits, self._splits_by_maximum)
            return None if cut is None else CodedSplit(test.feature, -test.log_p, cuts=present[[cut]].astype(np.int64))
        if len(present) <= self.problem.rules["max_exhaustive"][0]:
            sides = _every_grouping(len(present))
        else:
            sides = _sorted_groupings(weights, sums)
        best = _best(target, sides @ weights, sides @ sums, sides @ counts, limits, self._splits_by_maximum)
        if best is None:
            return None
        branch_of_level = np.full(record["n_codes"], -1, np.int64)
        branch_of_level[present] = sides[best] != sides[best, 0]
        return CodedSplit(test.feature, -test.log_p, branch_of_level=branch_of_level)


def _positive(rows: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows that count."""
    counts = weight > 0
    return (rows, weight) if counts.all() else (rows[counts], weight[counts])


def _adjusted(log_p: float, m: int) -> float:
    """1 - (1 - p)^m, exact for small p."""
    p = math.exp(log_p)
    return 1.0 if p >= 1 else -math.expm1(m * math.log1p(-p))


def _first_best(scores: np.ndarray) -> int:
    """Position of the first score that equals the largest, up to rounding; scores are >= 0."""
    return int(np.argmax(scores >= scores.max() * (1 - TIE)))


def by_significance(tests: list[Tested]) -> list[Tested]:
    """Smallest p-value first; of equal ones, up to rounding, the last feature (partykit)."""
    left, turn = list(tests), []
    while left:
        scores = np.array([-test.log_p for test in reversed(left)])
        turn.append(left.pop(len(left) - 1 - _first_best(scores)))
    return turn


def _best(target: Influence, weights: np.ndarray, sums: np.ndarray, counts: np.ndarray, limits, maximum) -> int | None:
    """The best of m partitions (weight, sum of w h and rows of one side each); None if the limits allow none.

    limits : (weight, rows) that either side needs.
    """
    least, rows = limits
    allowed = (weights >= least) & (target.total - weights >= least)
    allowed &= (counts >= rows) & (len(target.weight) - counts >= rows)
    statistics = np.where(allowed, target.two_sample(weights, sums, maximum), 0.0)
    return _first_best(statistics) if statistics.max(initial=0) > 0 else None


def _every_grouping(n_levels: int) -> np.ndarray:
    """float64 (2^(n_levels - 1) - 1, n_levels): 1 for the levels on the other side than the first level."""
    numbers = np.arange(1, 2 ** (n_levels - 1))[:, None]
    return np.hstack([np.zeros((len(numbers), 1)), (numbers >> np.arange(n_levels - 1)) & 1])


def _sorted_groupings(weights: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Prefixes of the levels sorted by mean of h, one order per column of h: float64 (q (n_levels - 1), n_levels)."""
    orders = np.argsort(sums / weights[:, None], axis=0, kind="stable").T
    return np.vstack([(np.argsort(order) <= np.arange(len(order) - 1)[:, None]) for order in orders]).astype(float)
