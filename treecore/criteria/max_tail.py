"""The tail of the largest of correlated standard normal numbers, as the maximum statistic of permutation tests has it.

Such a statistic is the largest |z| of a table of z: a row per group of the feature, a column per class of the target.
Where either side is one number it has one row or column. The z are those of multinomial counts: those of a side with
shares p have the correlations -sqrt(p_i p_j / ((1 - p_i) (1 - p_j))), those of the table their products.
Source: Strasser & Weber (1999), Mathematical Methods of Statistics 8; Hothorn, Hornik & Zeileis (2006), JCGS 15.
"""

import numpy as np

SMALL, SMALL_TABLE = 1e-5, 1e-3
"""Probabilities below are found from pairs of z: three at once are then too rare to count, beside the accuracy that one
side has, or two."""
HIGHEST, N_STEPS = 200.0, 800
"""The integral over frequencies goes so far, at least in so many steps."""
POINTS, SEED = 25_000, 1
"""Of the lattice that integrates over a table of z (as many as partykit takes), and what shifts it: p is the same every
time."""
MOST_Z = 60
"""Of a table of more z the upper bound is told, whatever it is: the lattice would take too long."""


def log_max_tail(statistic: float, groups: np.ndarray, classes: np.ndarray, enough: float = 1.0) -> float:
    """Natural logarithm of P(max |z| > statistic).

    groups, classes : float64 (L,) and (K,), the shares of either side, all positive; (1,) for a number. enough : of a
    probability that is surely larger, a lower bound will do, which takes no integral.

    p is right to some 1e-6 where one side is a number or has two shares, to some 1e-3 with three or more on both.
    Small ones, and those of more than MOST_Z numbers, are Hunter's bound, from above, whose excess vanishes with p.
    Source: Hunter (1976), J. Applied Probability 13.
    """
    from scipy.special import log_ndtr

    sides = [side for side in (_z_of(groups), _z_of(classes)) if len(side) > 1]
    single = np.log(2) + log_ndtr(-statistic)
    if not sides:
        return float(min(single, 0.0))
    correlation = _correlation(sides[0]) if len(sides) == 1 else np.kron(*map(_correlation, sides))
    least, bound = _bounds(statistic, correlation, single)
    if least > enough:
        return float(np.log(least))
    if bound < np.log(SMALL if len(sides) == 1 else SMALL_TABLE) or len(correlation) > MOST_Z:
        return float(min(bound, 0.0))
    inside = _inside_of_one(statistic, sides[0]) if len(sides) == 1 else _inside(statistic, correlation)
    return float(np.log1p(-min(inside, 1.0 - SMALL**2)))


def _z_of(shares: np.ndarray) -> np.ndarray:
    """The shares that have a z of their own: two tell the same, and count as one number."""
    return shares[:1] if len(shares) < 3 else shares / shares.sum()


def _correlation(shares: np.ndarray) -> np.ndarray:
    root = np.sqrt(shares / (1 - shares))
    result = -np.outer(root, root)
    np.fill_diagonal(result, 1.0)
    return result


def _inside_of_one(limit: float, shares: np.ndarray) -> float:
    """P(all |z| <= limit) for one side of shares.

    Its z are independent normal y with variances p, told that their sum is 0. So the probability is the density of
    that sum at 0 with every y in its interval, over the density without: the integral of the product of the
    characteristic functions of the cut y.
    """
    from scipy.special import wofz

    deviation, edge = np.sqrt(shares)[:, None], limit * np.sqrt(1 - shares)[:, None]
    # midpoints are exact while a period of the sum is longer than its range; the edges let the product fall slowly
    step = min(HIGHEST / N_STEPS, np.pi / (deviation * edge).sum())
    s = np.arange(step / 2, HIGHEST, step)
    at = s * deviation
    cut = np.exp(-edge * edge / 2) * np.exp(1j * edge * at) * wofz((at + 1j * edge) / np.sqrt(2))
    product = np.prod(np.exp(-at * at / 2) - cut.real, axis=0)
    return float(2 * product.sum() * step / np.sqrt(2 * np.pi))


def _inside(limit: float, correlation: np.ndarray) -> float:
    """P(all |z| <= limit), by the lattice of Genz; SciPy does it."""
    from scipy.stats import multivariate_normal

    edges, drawn = np.full(len(correlation), limit), np.random.default_rng(SEED)
    normal = multivariate_normal(cov=correlation, allow_singular=True, maxpts=POINTS, abseps=1e-4, releps=1e-4)
    return float(normal.cdf(edges, lower_limit=-edges, rng=drawn))


def _bounds(limit: float, correlation: np.ndarray, single: float) -> tuple[float, float]:
    """A lower bound of the probability (Dawson & Sankoff, 1967), and the logarithm of Hunter's upper one: the sum of
    P(|z_i| > limit) less P(both) along the tree of likeliest pairs."""
    from scipy.special import log_ndtr

    # P(|a| > c and |b| > c) over P(|a| > c): a = c + t/c has about the density exp(-t), and b given a is normal
    t, weights = np.polynomial.laguerre.laggauss(40)
    a = limit + t / max(limit, 1.0)
    log_density = -a * a / 2 - np.log(2 * np.pi) / 2 + t - np.log(max(limit, 1.0)) + np.log(weights)
    rest = np.sqrt(np.maximum(1 - correlation**2, 1e-15))[..., None]
    mean = np.abs(correlation)[..., None] * a
    both = np.exp(log_ndtr((mean - limit) / rest)) + np.exp(log_ndtr((-mean - limit) / rest))
    share = 2 * np.exp(log_density - single) * both
    pair = np.minimum(share.sum(-1), 1.0)
    inside = np.zeros(len(pair), bool)
    inside[0], best, covered = True, pair[0].copy(), 0.0
    for _ in range(len(pair) - 1):
        nearest = int(np.argmax(np.where(inside, -1.0, best)))
        covered += best[nearest]
        inside[nearest] = True
        best = np.maximum(best, pair[nearest])
    one = np.exp(single)
    ones, both = len(pair) * one, one * (pair.sum() - np.trace(pair)) / 2
    k = int(2 * both / ones) + 1 if ones > 0 else 1
    least = 2 / (k + 1) * ones - 2 / (k * (k + 1)) * both
    return float(least), single + float(np.log(len(pair) - covered))
