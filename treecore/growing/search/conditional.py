"""Conditional inference trees: a test chooses the feature, and says when to stop; then its best split is found.

Source: Hothorn, Hornik & Zeileis (2006), Unbiased Recursive Partitioning, JCGS 15; details as recorded from partykit.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.criteria.significance import log_chi2_tail
from treecore.errors import TreecoreError
from treecore.growing.search.branches import present_codes
from treecore.growing.search.found import Found
from treecore.growing.search.permutation_test import Influence
from treecore.kernels.state import ORDERED, Problem
from treecore.registry import Registry

TIE = 1e-10
"""Scores within this share of the best one are equal."""


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

    statistic, df : quadratic permutation statistic and its degrees of freedom; 0, 0 where feature or target do
        not vary, and then every p-value is 1.
    p_value : chi-square; log_p : its natural logarithm, finite where p_value is 0.
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
    ):
        if not 0 <= alpha <= 1:
            raise TreecoreError(f"alpha is {alpha}", where="alpha", remedy="Give a probability, such as 0.05")
        self.problem, self.alpha, self.adjustment = problem, alpha, ADJUSTMENTS[adjustment]
        self.min_rows_leaf, self.min_rows_split = min_rows_leaf, min_rows_split
        self.min_share_leaf, self.tries, self.min_count_leaf = min_share_leaf, tries, min_count_leaf
        self._of_rows: dict[int, np.ndarray] = {}

    def __call__(self, rows: np.ndarray, weight: np.ndarray) -> Found | None:
        """The node's split, or None. rows : int64 (n,), training rows at the node; weight : float64 (n,), of these.

        Found.score = -ln p of the feature's test, before the adjustment.
        """
        total = weight.sum()
        if total < self.min_rows_split:
            return None
        least = max(self.min_rows_leaf, math.ceil(self.min_share_leaf * total))
        left = [t for t in self.tested(rows, weight) if t.df and (t.adjusted < self.alpha or self.alpha == 1)]
        for _ in range(min(self.tries, len(left))):
            test = left.pop(_last_best(np.array([-t.log_p for t in left])))
            found = self._split(test, *_positive(rows, weight), least)
            if found is not None:
                return found
        return None

    def tested(self, rows: np.ndarray, weight: np.ndarray) -> tuple[Tested, ...]:
        """Every feature's test on these rows, in the order of the features."""
        rows, weight = _positive(rows, weight)
        everything = Influence.of(self.problem, rows, weight)
        d = len(self.problem.features)
        facts = [self._statistic(feature, rows, weight, everything) for feature in range(d)]
        m = self.adjustment.n_tests(sum(df > 0 for _, df in facts), d)
        logs = log_chi2_tail(*zip(*facts, strict=True)).tolist()
        return tuple(Tested(f, *facts[f], logs[f], _adjusted(logs[f], m)) for f in range(d))

    def _statistic(self, feature, rows, weight, everything: Influence) -> tuple[float, int]:
        """(statistic, df) of a feature; (0.0, 0) if it cannot be tested."""
        record = self.problem.features[feature]
        if record["splitter"] == ORDERED:
            z, target = self._numbers(feature)[rows], everything
            missing = np.isnan(z)
            if missing.any():
                z, target = z[~missing], Influence.of(self.problem, rows[~missing], weight[~missing])
            if target.rank == 0 or target.total <= 1 or z.min() == z.max():
                return 0.0, 0
            return target.with_number(z), target.rank
        codes, target = self._known(feature, rows, weight, everything)
        if target.rank == 0 or target.total <= 1 or codes.min() == codes.max():
            return 0.0, 0
        weights, sums = target.sums(codes, int(record["n_codes"]))
        return target.with_groups(weights, sums), target.rank * (np.count_nonzero(weights) - 1)

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

    def _split(self, test: Tested, rows, weight, least: float) -> Found | None:
        """The feature's split with the largest two-sample statistic, or None if the limits allow none."""
        codes, target = self._known(test.feature, rows, weight)
        present, at = present_codes(codes, int(self.problem.features["n_codes"][test.feature]))
        weights, sums = target.sums(at, len(present))
        counts = np.bincount(at, minlength=len(present))
        limits = least, self.min_count_leaf
        record = self.problem.features[test.feature]
        if record["splitter"] == ORDERED:
            low = (np.cumsum(a, axis=0)[:-1] for a in (weights, sums, counts))
            cut = _best(target, *low, limits)
            return None if cut is None else Found(test.feature, -test.log_p, cuts=present[[cut]].astype(np.int64))
        if len(present) <= self.problem.rules["max_exhaustive"][0]:
            sides = _every_grouping(len(present))
        else:
            sides = _sorted_groupings(weights, sums)
        best = _best(target, sides @ weights, sides @ sums, sides @ counts, limits)
        if best is None:
            return None
        branch_of_level = np.full(record["n_codes"], -1, np.int64)
        branch_of_level[present] = sides[best] != sides[best, 0]
        return Found(test.feature, -test.log_p, branch_of_level=branch_of_level)


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


def _last_best(scores: np.ndarray) -> int:
    """Position of the last one, as of partykit's features with equal p-values."""
    return len(scores) - 1 - _first_best(scores[::-1])


def _best(target: Influence, weights: np.ndarray, sums: np.ndarray, counts: np.ndarray, limits) -> int | None:
    """The best of m partitions (weight, sum of w h and rows of one side each); None if the limits allow none.

    limits : (weight, rows) that either side needs.
    """
    least, rows = limits
    allowed = (weights >= least) & (target.total - weights >= least)
    allowed &= (counts >= rows) & (len(target.weight) - counts >= rows)
    statistics = np.where(allowed, target.two_sample(weights, sums), 0.0)
    return _first_best(statistics) if statistics.max(initial=0) > 0 else None


def _every_grouping(n_levels: int) -> np.ndarray:
    """float64 (2^(n_levels - 1) - 1, n_levels): 1 for the levels on the other side than the first level."""
    numbers = np.arange(1, 2 ** (n_levels - 1))[:, None]
    return np.hstack([np.zeros((len(numbers), 1)), (numbers >> np.arange(n_levels - 1)) & 1])


def _sorted_groupings(weights: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Prefixes of the levels sorted by mean of h, one order per column of h: float64 (q (n_levels - 1), n_levels)."""
    orders = np.argsort(sums / weights[:, None], axis=0, kind="stable").T
    return np.vstack([(np.argsort(order) <= np.arange(len(order) - 1)[:, None]) for order in orders]).astype(float)
