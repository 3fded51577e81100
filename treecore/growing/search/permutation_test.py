"""Permutation tests: how unlikely is what ties target and feature, if the target's values were dealt out at random?

The statistic is the quadratic form c = (t - mu)' S+ (t - mu) of the linear statistic t = sum w g h' between a
transformation g of the feature and an influence function h of the target; mu and S are its expectation and
covariance over all permutations. Weights count cases: weight 2 is two rows.
Source: Strasser & Weber (1999), Mathematical Methods of Statistics 8; Hothorn, Hornik & Zeileis (2006), JCGS 15.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.kernels.state import Problem

RANK_TOLERANCE = 1e-10
"""Variances below this share of the largest one count as 0."""
PART = 8192
"""Of two vectors no longer than that BLAS sums the products on one core."""


def association(influence: np.ndarray, scores: np.ndarray, weight: np.ndarray) -> tuple[float, int]:
    """The statistic c, and its degrees of freedom (the rank of S): (0.0, 0) when nothing varies.

    influence : float64 (n, q), h of every row: indicators of the classes, or the target itself.
    scores : float64 (n, p), g of every row: indicators of the levels, or the feature itself.
    weight : float64 (n,), case weights. Either matrix may be one-dimensional when q or p is 1.

    S is a Kronecker product, so c = (n - 1) trace(G+ X H+ X') with the scatter matrices G and H around the
    means and the cross products X; n = sum of the weights.
    """
    n = weight.sum()
    if n <= 1:
        return 0.0, 0
    h, g = (_centered(np.asarray(m, float).reshape(len(weight), -1), weight) for m in (influence, scores))
    cross = (g.T * weight) @ h
    (g_inverse, g_rank), (h_inverse, h_rank) = (_pseudo_inverse((m.T * weight) @ m) for m in (g, h))
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
            return cls(label, weight, weight, total, counts / (total or 1), counts, max(0, np.sum(counts > 0) - 1))
        y = problem.targets[rows]
        varies = len(y) > 0 and y.min() < y.max()
        y = y - np.average(y, weights=weight) if varies else np.zeros(len(y))
        return cls(None, y, weight, total, np.zeros(1), np.array([_dot(weight, y * y)]), int(varies))

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

    def with_number(self, z: np.ndarray) -> float:
        """c for g = z, float64 (n,), finite."""
        z = z / (max(z.max(initial=0), -z.min(initial=0)) or 1)
        once = self.counts_once
        z -= z.sum() / self.total if once else np.average(z, weights=self.weight)
        wz = z if once else self.weight * z
        cross = np.array([_dot(wz, self.y)]) if self.label is None else np.bincount(self.label, wz, len(self.mean))
        return float(self._quadratic(cross[None], np.array([_dot(wz, z)]))[0])

    def with_groups(self, weights: np.ndarray, sums: np.ndarray) -> float:
        """c for g = indicators of the groups that `sums` returned."""
        return float(self._quadratic(sums - np.outer(weights, self.mean), weights).sum())

    def two_sample(self, weights: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """c, float64 (m,), for each of m ways to part the rows in two: weight and sum of w h of one part."""
        spread = weights * (self.total - weights) / self.total
        return self._quadratic(sums - weights[:, None] * self.mean, spread)

    def _quadratic(self, cross: np.ndarray, g_spread: np.ndarray) -> np.ndarray:
        """(n - 1) sum over k of cross^2 / (g_spread spread_k), float64 (m,); 0 where nothing varies."""
        inverse = np.divide(1.0, self.spread, out=np.zeros_like(self.spread), where=self.spread > 0)
        top = (self.total - 1) * (cross * cross @ inverse)
        return np.divide(top, g_spread, out=np.zeros_like(top), where=g_spread > 0)


def _dot(a: np.ndarray, b: np.ndarray) -> float:
    """a @ b in parts that BLAS leaves to one core: of longer ones the sum depends on how many cores there are, and
    cores that wait for each other take three times as much of the processor."""
    return sum(float(a[i : i + PART] @ b[i : i + PART]) for i in range(0, len(a), PART))
