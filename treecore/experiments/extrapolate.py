"""What would more rows do? A power law through a learning curve, and how sure it is."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.errors import TreecoreError

POWERS = np.linspace(0.1, 2.0, 39)
N_DRAWS = 200
LEAST_PLACES = 4


@dataclass(frozen=True, eq=False, repr=False)
class Outlook(Brief):
    """score = limit + factor * n^-power, beyond the rows there are.

    at : float64 (m,), numbers of rows. score, low, high : float64 (m,), the curve and 90 % of those through repetitions
    drawn anew. limit, factor, power : of the curve.
    """

    at: np.ndarray
    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    limit: float
    factor: float
    power: float


def outlook(
    n_rows: np.ndarray, score: np.ndarray, until: float = 4.0, seed: int = 0, best: float | None = None
) -> Outlook:
    """The power law of least squares through mean scores, on to `until` times the most rows.

    n_rows : float64 (m,), m >= 4. score : float64 (m, r), finite. TreecoreError for less. best : what a score is where
    every answer is right, 1 or 0 (see Measure.best): the limit lies on this side of it.
    Source: Cortes et al. (1993); Figueroa et al. (2012).
    """
    n_rows, score = np.asarray(n_rows, float), np.asarray(score, float)
    if len(np.unique(n_rows)) < LEAST_PLACES or n_rows.min() < 1 or not np.isfinite(score).all():
        remedy = "Take more rows, or a measure that has a value everywhere"
        raise TreecoreError("This curve cannot be carried on", where="learning curve", remedy=remedy)
    at = np.geomspace(n_rows[-1], until * n_rows[-1], 12)
    curve, law = _fitted(n_rows, score.mean(axis=1), at, best)
    rng = np.random.RandomState(seed)
    r = score.shape[1]
    drawn = [_fitted(n_rows, score[:, rng.randint(0, r, r)].mean(axis=1), at, best)[0] for _ in range(N_DRAWS)]
    low, high = np.quantile(drawn, [0.05, 0.95], axis=0)
    return Outlook(at, curve, low, high, *law)


def _fitted(
    n: np.ndarray, y: np.ndarray, at: np.ndarray, best: float | None
) -> tuple[np.ndarray, tuple[float, float, float]]:
    """(values at the places, (limit, factor, power)): for every power the other two are a straight line's, through the
    best score where it would go beyond that."""
    x = n ** -POWERS[:, None]
    off, mean = x - x.mean(axis=1, keepdims=True), y - y.mean()
    factor = (off @ mean) / (off**2).sum(axis=1)
    limit = y.mean() - factor * x.mean(axis=1)
    if best is not None:
        beyond = limit > best if best > 0 else limit < best
        limit = np.where(beyond, best, limit)
        factor = np.where(beyond, (x @ (y - best)) / (x**2).sum(axis=1), factor)
    i = int(((y - limit[:, None] - factor[:, None] * x) ** 2).sum(axis=1).argmin())
    law = float(limit[i]), float(factor[i]), float(POWERS[i])
    return law[0] + law[1] * at ** -law[2], law
