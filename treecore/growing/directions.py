"""Directions for oblique splits: how candidates are looked for among a node's rows, a registry of small entries."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb

import numpy as np

from treecore.brief import Brief
from treecore.data.table_like import Terms
from treecore.errors import TreecoreError
from treecore.kernels.hill_climb import (
    EPSILON,
    climb_of_classes,
    climb_of_numbers,
    cuts_of_classes,
    cuts_of_numbers,
    line_of_classes,
)
from treecore.registry import Registry
from treecore.tree.oblique import weighted_sum


@dataclass(frozen=True, eq=False, repr=False)
class Cases(Brief):
    """Rows without missing numbers.

    x : float64 (n, d), features of more than one value, centred and over their deviation; quickest where those of a
    feature lie side by side. target : int64 (n,) classes, or float64 numbers where n_classes is 0. weight : float64
    (n,) > 0. price : of a coefficient, over its length.
    """

    x: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    n_classes: int
    price: float = 1.0

    @cached_property
    def answers(self) -> np.ndarray:
        """(n,): int64 classes, or float64 numbers around their mean."""
        if self.n_classes:
            return self.target.astype(np.int64)
        return self.target - np.average(self.target, weights=self.weight)

    @cached_property
    def sums(self) -> np.ndarray:
        """float64 (n, S), what is added up of each row: its weight by class, or w, wy and wy² around the mean."""
        if self.n_classes:
            return np.eye(self.n_classes)[self.target] * self.weight[:, None]
        y = self.answers
        return self.weight[:, None] * np.stack([np.ones(len(y)), y, y * y], axis=1)

    @cached_property
    def total(self) -> np.ndarray:
        if self.n_classes:
            return np.bincount(self.target, self.weight, self.n_classes)
        return self.sums.sum(axis=0)

    @cached_property
    def responses(self) -> np.ndarray:
        """float64 (n, m), centred: one column for two classes or a numeric target, else one for each class."""
        raw = np.eye(self.n_classes)[self.target] if self.n_classes else self.target[:, None].astype(float)
        raw = raw[:, 1:] if self.n_classes == 2 else raw
        return raw - np.average(raw, axis=0, weights=self.weight)

    @property
    def square(self) -> np.ndarray:
        """float64 (d, d), products of the features, added up over the weighted rows."""
        once = (self.weight == 1.0).all()
        return self.x.T @ (self.x if once else self.x * self.weight[:, None])

    def some(self, rows: np.ndarray) -> "Cases":
        """These rows of it (indices): they save their share of the bits, so that a coefficient costs as much less."""
        part = Cases(self.x.T.take(rows, axis=1).T, self.target[rows], self.weight[rows], self.n_classes)
        share = part.weight.sum() / self.weight.sum()
        return replace(part, price=share * self.coefficient_bits / part._length)

    @cached_property
    def coefficient_bits(self) -> float:
        """The price of what a coefficient takes to be told: bits that it must save."""
        return self.price * self._length

    @property
    def _length(self) -> float:
        """Half the logarithm of the weight, and which of the features it is of.

        Source: Rissanen (1978), Modeling by shortest data description.
        """
        return 0.5 * float(np.log2(max(self.weight.sum(), 2.0))) + float(np.log2(self.x.shape[1]))

    @property
    def whole_bits(self) -> float:
        """Bits to tell the classes without a cut."""
        return float(_class_bits(self.total))

    def bits_of_sides(self, low: np.ndarray) -> np.ndarray:
        """float64 (...), bits to tell the target on both sides. low : float64 (..., S), sums of the low side."""
        both = low, self.total - low
        if self.n_classes:
            return _class_bits(both[0]) + _class_bits(both[1])
        left = sum(np.maximum(s[..., 2] - s[..., 1] ** 2 / np.maximum(s[..., 0], EPSILON), 0.0) for s in both)
        return 0.5 * self.total[0] * np.log2(np.maximum(left / max(self.total[2], EPSILON), EPSILON))

    def best_cuts(self, lines: np.ndarray) -> np.ndarray:
        """float64 (m, 2): (bits, where), the fewest bits that a cut leaves in each of these lines, float64 (m, n), of
        places, and the middle between the rows that it parts; (inf, nan) where none does."""
        lines = np.ascontiguousarray(lines)
        if self.n_classes:
            return cuts_of_classes(lines, self.answers, self.weight, self.total)
        order = np.argsort(lines, axis=1)  # equal places are never parted: their order does not matter
        return cuts_of_numbers(order, lines, self.answers, self.weight, self.total)

    def cuts_bits(self, lines: np.ndarray) -> np.ndarray:
        """float64 (m,): the fewest bits that a threshold leaves on each of these lines; infinite without any."""
        return self.best_cuts(lines)[:, 0]

    def cut_bits(self, place: np.ndarray) -> float:
        """The same of one line, float64 (n,)."""
        return float(self.best_cuts(place[None])[0, 0])

    def best_feature(self) -> tuple[float, int]:
        """(bits, f): the fewest bits that a cut leaves on a single feature, and on which; (inf, -1) without any."""
        return self.best_line(self.x.T, np.zeros(self.x.shape[1]), np.inf)

    def best_line(self, lines: np.ndarray, prices: np.ndarray, limit: float) -> tuple[float, int]:
        """(bits, j): the fewest bits that a cut leaves with the price of its line, if fewer than `limit`, and on which.

        lines : float64 (m, n), places. prices : float64 (m,), bits. (inf, -1) where no line leaves so few.
        """
        if self.n_classes:
            lines = np.ascontiguousarray(lines)
            return line_of_classes(lines, prices, limit, self.answers, self.weight, self.total)
        told = self.cuts_bits(lines) + prices
        j = int(told.argmin()) if len(told) else -1
        return (float(told[j]), j) if j >= 0 and told[j] < limit else (np.inf, -1)

    @cached_property
    def columns(self) -> np.ndarray:
        """float64 (d + 1, n): the features, and 1, as the threshold is one coefficient more."""
        return np.ascontiguousarray(np.vstack([self.x.T, np.ones(len(self.x))]))  # vstack keeps the order of x

    @cached_property
    def prices(self) -> np.ndarray:
        """float64 (d + 1,): bits that the coefficients cost; the threshold's nothing."""
        return np.append(np.full(self.x.shape[1], self.coefficient_bits), 0.0)

    def climb(self, features: np.ndarray, rounds: int, w: np.ndarray) -> float:
        """The bits left after so many rounds of kernels.hill_climb over these columns; w (d + 1,) is written on."""
        climb = climb_of_classes if self.n_classes else climb_of_numbers
        return climb(self.columns, features, rounds, w, self.prices, self.answers, self.weight, self.total)


def _class_bits(counts: np.ndarray) -> np.ndarray:
    """float64 (...): n H of class counts (..., K), in bits."""
    counts = np.maximum(counts, 0.0)
    return _n_log_n(counts.sum(axis=-1)) - _n_log_n(counts).sum(axis=-1)


def _n_log_n(n: np.ndarray) -> np.ndarray:
    return n * np.log2(np.where(n > 0, n, 1.0))


# A direction in the user's units: small coefficients dropped, few digits, and only where it is worth its length.

DIGITS = (2, 3, 4, 6, 9, 13)
"""How many a coefficient may have; the fewest that part the rows as well as all of them."""


def without_small(cases: Cases, w: np.ndarray, limit: float = np.inf) -> tuple[np.ndarray, float] | None:
    """(weights, bits): of the largest coefficients so many, at least two, that the bits left and the price of those
    beyond the first are fewest; None where these come to no fewer than `limit`.

    w : float64 (d,), of standardised features.
    """
    order = np.argsort(-np.abs(w), kind="stable")[: np.count_nonzero(w)]
    lines = np.cumsum(cases.x.T[order] * w[order, None], axis=0)[1:]  # of the first two, the first three, ...
    prices = cases.coefficient_bits * np.arange(1.0, len(lines) + 1)
    told, n = cases.best_line(lines, prices, limit)
    if n < 0:
        return None
    kept = np.zeros_like(w)
    kept[order[: n + 2]] = w[order[: n + 2]]
    return kept, told - float(prices[n])


def as_terms(names: list[str], weights: np.ndarray, values: np.ndarray, cases: Cases, limit: float) -> Terms:
    """The sum of the features with a weight, the first one's being 1, in the fewest digits that leave no more
    bits than `limit`.

    names, weights : (d,), in the user's units. values : float64 (d, n), the features there.
    """
    kept = np.flatnonzero(weights)
    scaled = weights[kept] / weights[kept[0]]
    result: Terms = ()
    for digits in DIGITS:
        numbers = [float(f"{w:.{digits}g}") for w in scaled]
        result = tuple((names[f], number) for f, number in zip(kept, numbers, strict=True))
        if cases.cut_bits(weighted_sum(values[kept], numbers)) <= limit + 1e-9:
            break
    return result


# Hill climbing over the coefficients of a hyperplane, one at a time, with restarts.

RESTARTS = 2
ROUNDS = 4
FEW_ROWS, MOST_ROWS = 150, 1000
"""Rows that the first round from every start sees, and the climb to the summit; of more, as many drawn at random."""


def climbed(cases: Cases, starts: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """float64 (1, d): the summit above these starts (m, d), the best single feature and random ones.

    One round is climbed from each of them, and on from where fewest bits are left, those of the coefficients counted.
    Source: Murthy, Kasif and Salzberg (1994), A system for induction of oblique decision trees.
    """
    cases = _some_rows(cases, MOST_ROWS, random)
    few, d = _some_rows(cases, FEW_ROWS, random), cases.x.shape[1]
    single = np.eye(d)[few.best_feature()[1]]
    starts = np.vstack([starts, single, random.standard_normal((RESTARTS, d))])
    starts /= np.maximum(np.sqrt((starts * starts).sum(axis=1, keepdims=True)), EPSILON)
    planes = np.column_stack([starts, np.zeros(len(starts))])
    order = np.append(d, random.permutation(d))  # the threshold first
    left = [few.climb(order, 1, plane) for plane in planes]
    best = planes[int(np.argmin(left + (planes != 0) @ few.prices))]
    if np.count_nonzero(best[:-1]) > 1 and _pays(cases, best[:-1]):
        best[:-1] /= np.linalg.norm(best[:-1])
        best[-1] = 0.0
        cases.climb(np.append(d, random.permutation(d)), ROUNDS, best)
    return best[None, :-1]


def _pays(cases: Cases, w: np.ndarray) -> bool:
    """Does a direction leave fewer bits than the best single feature, those of its further coefficients counted?"""
    price = cases.coefficient_bits * (np.count_nonzero(w) - 1)
    return cases.best_line((cases.x @ w)[None], np.array([price]), cases.best_feature()[0])[1] >= 0


def _some_rows(cases: Cases, n: int, random: np.random.Generator) -> Cases:
    """So many of the rows, or all where there are no more."""
    return cases if len(cases.x) <= n else cases.some(np.sort(random.choice(len(cases.x), n, replace=False)))


# Every hyperplane that parts the rows of a small node in a way of its own.

MOST = 300_000
NUDGE = 1e-6
"""By how much, in deviations, a hyperplane passes the rows that it is laid through."""


def n_hyperplanes(n: int, d: int) -> int:
    """2^d · C(n, d): hyperplanes through d of n rows, each of them on either side. Source: Heath (1992)."""
    return 2**d * comb(n, d)


def all_best(cases: Cases, _random=None) -> np.ndarray:
    """float64 (1, d): the direction of the hyperplane that leaves the fewest bits, over all of them.

    With no more rows than features, those are parted by every direction in general position; none is looked for then.
    Raises TreecoreError where there are more than MOST.
    """
    (n, d), best, result = cases.x.shape, np.inf, None
    if n_hyperplanes(n, d) > MOST:
        raise TreecoreError(
            f"{n} rows and {d} features have {n_hyperplanes(n, d):,} hyperplanes to be tried".replace(",", " "),
            where="oblique",
            remedy=f"At most {MOST:,} are: choose hill climbing, or fewer rows or features".replace(",", " "),
        )
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=d)))
    for rows in itertools.combinations(range(n), d):
        corner = np.column_stack([cases.x[list(rows)], np.ones(d)])
        plane = np.linalg.svd(corner)[2][-1]
        if np.linalg.norm(plane[:-1]) < 1e-9:
            continue
        plane = plane / np.linalg.norm(plane[:-1])
        nudges = NUDGE * signs @ np.linalg.pinv(corner).T
        for w in plane + nudges:
            low = cases.x @ w[:-1] + w[-1] <= 0
            if not 0 < np.count_nonzero(low) < n:
                continue
            bits = float(cases.bits_of_sides(cases.sums[low].sum(axis=0)[None])[0])
            if bits < best - 1e-9:
                best, result = bits, w[:-1]
    return np.empty((0, d)) if result is None else result[None]


# Ways to find directions among the rows of a node: a registry of small entries.

MOST_CLASSES = 5
"""Classes that get a direction of their own, those of most rows first."""
RIDGE = 1e-3
"""Of the mean variance, which is 1 in standardised features: keeps what cannot be told apart solvable."""

SURE = 3.0
"""Mean size of the logarithm of the odds where logistic fits begin, at most."""


@dataclass(frozen=True)
class Direction:
    """A way to find directions.

    find : (Cases, numpy Generator) -> float64 (m, d), weights of the standardised features, none or several to choose
    from. for_numbers : has it a meaning for a numeric target? source : where it is described.
    """

    name: str
    label: str
    note: str
    source: str
    find: Callable[[Cases, np.random.Generator], np.ndarray]
    for_numbers: bool = True


def discriminants(cases: Cases, _random=None) -> np.ndarray:
    """Fisher's directions: classes far apart for their scatter within, which is all of it less that of the means."""
    if cases.n_classes == 2:
        return _fisher(cases, cases.target == 1)[None, :-1]
    weight = np.bincount(cases.answers, cases.weight, cases.n_classes)
    there = weight > 0
    means = (cases.sums.T @ cases.x)[there] / weight[there, None]
    between = (means * weight[there, None]).T @ means
    within = (cases.square - between) / weight.sum() + RIDGE * np.eye(len(between))
    centers = np.sqrt(weight[there])[:, None] * (means - weight[there] @ means / weight.sum())
    root = np.linalg.cholesky(within)
    _, size, result = np.linalg.svd(np.linalg.solve(root, centers.T).T, full_matrices=False)
    m = min(len(centers) - 1, MOST_CLASSES)
    return np.linalg.solve(root.T, result[:m][size[:m] > 0].T).T


def _fisher(cases: Cases, is_class: np.ndarray) -> np.ndarray:
    """float64 (d + 1,): Fisher's direction between a class, bool (n,), and the rest, both of which have rows, and the
    threshold above which the odds are for the class, were both spread normally and alike."""
    both = np.stack([cases.weight * ~is_class, cases.weight * is_class])
    weight = both.sum(axis=1)
    means = both @ cases.x / weight[:, None]
    within = (cases.square - (means * weight[:, None]).T @ means) / weight.sum()
    within.flat[:: len(within) + 1] += RIDGE  # the diagonal
    w = np.linalg.solve(within, means[1] - means[0])
    return np.append(w, np.log(weight[1] / weight[0]) - w @ (means[0] + means[1]) / 2)


def ridge(cases: Cases, _random=None) -> np.ndarray:
    """Least squares with a small penalty, of the numeric target or of each class against the rest."""
    y = cases.responses[:, _commonest(cases)] if cases.responses.shape[1] > 1 else cases.responses
    right = cases.x.T @ (cases.weight[:, None] * y)
    return np.linalg.solve(cases.square + RIDGE * cases.weight.sum() * np.eye(len(right)), right).T


def logistic(cases: Cases, _random=None) -> np.ndarray:
    """Logistic regression with a small penalty, of each class against the rest."""
    classes = [1] if cases.n_classes == 2 else _commonest(cases)
    return np.array([_logistic(cases, cases.target == k) for k in classes])


def _logistic(cases: Cases, is_class: np.ndarray, rounds: int = 12) -> np.ndarray:
    """float64 (d,), by Newton's steps from Fisher's direction, where that tells no row too surely to be moved."""
    from scipy.linalg import lapack

    x, beta, penalty = cases.x.T, _fisher(cases, is_class), RIDGE * cases.weight.sum()
    bent = np.empty((len(beta), x.shape[1]))
    odds = beta[:-1] @ x + beta[-1]
    scale = min(1.0, SURE / np.abs(odds).mean())
    beta, odds = beta * scale, odds * scale
    for _ in range(rounds):
        p = 0.5 + 0.5 * np.tanh(0.5 * odds)
        off, bent[-1] = cases.weight * (is_class - p), np.sqrt(cases.weight * p * (1 - p))
        np.multiply(x, bent[-1], out=bent[:-1])
        square = bent @ bent.T
        square.flat[:: len(square) + 1] += penalty
        _, step, _ = lapack.dposv(square, np.append(x @ off, off.sum()) - penalty * beta)
        beta = beta + step
        if np.abs(step).max() < 5e-2 * (1 + np.abs(beta).max()):  # what is left is about the square of it
            break
        odds = beta[:-1] @ x + beta[-1]
    return beta[:-1]


def _commonest(cases: Cases) -> np.ndarray:
    """Up to MOST_CLASSES classes of the rows."""
    weight = np.bincount(cases.target, cases.weight, cases.n_classes)
    kept = np.argsort(-weight, kind="stable")[:MOST_CLASSES]
    return kept[weight[kept] > 0]


def _climbed(cases: Cases, random: np.random.Generator) -> np.ndarray:
    start = ridge(cases) if not cases.n_classes else discriminants(cases)
    return climbed(cases, start, random)


def _nothing(cases: Cases, _random=None) -> np.ndarray:
    return np.empty((0, cases.x.shape[1]))


NO_SUMS = "none"
DIRECTIONS = Registry(
    "way to find directions",
    Direction(NO_SUMS, "None: one feature a split", "", "", _nothing),
    Direction("discriminant", "Linear discriminant", "The direction in which the classes' means are farthest apart for "
              "their scatter.", "Fisher (1936)", discriminants, for_numbers=False),
    Direction("ridge", "Least squares (ridge)", "The fit of the target, or of each class against the rest.",
              "Hoerl and Kennard (1970)", ridge),
    Direction("logistic", "Logistic regression", "The fit of the odds of each class against the rest.",
              "Cox (1958)", logistic, for_numbers=False),
    Direction("climb", "Hill climbing", "One coefficient after the other is set to its best value, from the best "
              "fit, the best single feature and random starts.", "Murthy, Kasif and Salzberg (1994), OC1", _climbed),
    Direction("exhaustive", "Every hyperplane", "All 2^d·C(n, d) ways in which a hyperplane can part n rows; small "
              "tables only.", "Heath (1992)", all_best),
)  # fmt: skip
