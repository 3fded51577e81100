"""Have two groups of rows the same classes, or the same mean? Tests of many pairs, corrected for their number."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.criteria.significance import WITHIN_ROUNDING
from treecore.registry import Registry
from treecore.target.effects import effects_of, variances_of
from treecore.tree.splits import ranges

MOST_TABLES = 2_000
"""An exact test lists all tables with these margins up to so many, and draws some where there are more."""
STAGES = (99, 999, 9_999)
"""Draws in all after each stage; the next one is for pairs that fewer than ENOUGH of them settle."""
ENOUGH = 10
SEED = 20_250_101
SLACK = 1e-7
"""Tables whose probabilities differ relatively by less are equally probable, as in R's fisher.test."""


def exact_p(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(p, drawn) of the exact conditional test of each 2 x K table of whole numbers, float64 (m, 2, K).

    p : float64 (m,), the probability, with margins as they are, of all tables that are no more probable than this one.
    drawn : bool (m,), True where it was estimated by random tables (from a fixed seed), as there are too many to list;
        never for two classes. An estimate is (b + 1) / (draws + 1), b draws being no more probable.
    Source: Fisher (1935); for more classes Freeman and Halton (1951), Biometrika 38.
    """
    first, columns = _margins(tables)
    rest = columns[:, ::-1].cumsum(axis=1)[:, ::-1] - columns  # rows of the classes that follow
    log_factorial = _log_factorials(int(columns.sum(axis=1).max(initial=0)))
    n_tables = np.minimum(columns[:, :-1], first.sum(axis=1)[:, None]).astype(np.float64) + 1
    n_tables = n_tables.prod(axis=1)
    drawn = (n_tables > MOST_TABLES) & ((columns > 0).sum(axis=1) > 2)
    observed = _log_weight(first, columns, log_factorial)
    p = np.ones(len(tables))
    for part in _batches(np.flatnonzero(~drawn), n_tables):
        p[part] = _listed(columns[part], rest[part], first[part].sum(axis=1), observed[part], log_factorial)
    if drawn.any():
        p[drawn] = _sampled(columns[drawn], rest[drawn], first[drawn].sum(axis=1), observed[drawn], log_factorial)
    return p, drawn


def _margins(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int64 (m, K) each: the row of fewer counts and the class sums; the most frequent class last."""
    tables = np.rint(tables).astype(np.int64)
    columns = tables.sum(axis=1)
    smaller = np.argmin(tables.sum(axis=2), axis=1)
    order = np.argsort(columns, axis=1, kind="stable")
    first = tables[np.arange(len(tables)), smaller]
    return np.take_along_axis(first, order, 1), np.take_along_axis(columns, order, 1)


def _log_factorials(most: int) -> np.ndarray:
    from scipy import special

    return special.gammaln(np.arange(most + 1) + 1.0)


def _log_weight(first: np.ndarray, columns: np.ndarray, log_factorial: np.ndarray) -> np.ndarray:
    """float64 (m,): ln of the product of C(columns, first), proportional to a table's probability."""
    return (log_factorial[columns] - log_factorial[first] - log_factorial[columns - first]).sum(axis=-1)


def _batches(pairs: np.ndarray, size: np.ndarray, room: int = 1_000_000):
    """The pairs in parts whose tables fit in memory."""
    batch = (np.cumsum(size[pairs]) // room).astype(np.int64)
    return np.split(pairs, np.flatnonzero(np.diff(batch)) + 1) if len(pairs) else []


def _listed(columns, rest, n_first, observed, log_factorial) -> np.ndarray:
    """p by going through all tables, class by class; every table so far is one entry of these arrays."""
    pair, left, weight = np.arange(len(columns)), n_first, np.zeros(len(columns))
    for k in range(columns.shape[1]):
        count, after = columns[pair, k], rest[pair, k]
        low = np.maximum(left - after, 0)
        n = np.minimum(count, left) - low + 1
        parent = np.repeat(np.arange(len(pair)), n)
        x = ranges(low, n)
        count = count[parent]
        weight = weight[parent] + log_factorial[count] - log_factorial[x] - log_factorial[count - x]
        pair, left = pair[parent], left[parent] - x
    n_all = columns.sum(axis=1)
    total = log_factorial[n_all] - log_factorial[n_first] - log_factorial[n_all - n_first]
    extreme = weight <= (observed + SLACK)[pair]
    share = np.exp(weight[extreme] - total[pair[extreme]])
    return np.minimum(np.bincount(pair[extreme], share, len(columns)), 1.0)


def _sampled(columns, rest, n_first, observed, log_factorial) -> np.ndarray:
    """p by random tables; few draws settle that a p is large, small ones get all of them."""
    rng = np.random.default_rng(SEED)
    beyond, done, waiting = np.zeros(len(columns)), np.zeros(len(columns)), np.arange(len(columns))
    for before, stage in zip((0, *STAGES), STAGES, strict=False):
        draws = stage - before
        for part in _batches(waiting, np.full(len(columns), draws)):
            weight = _random_weights(rng, columns[part], rest[part], n_first[part], draws, log_factorial)
            beyond[part] += np.count_nonzero(weight <= observed[part, None] + SLACK, axis=1)
        done[waiting] = stage
        waiting = waiting[beyond[waiting] < ENOUGH]
    return (beyond + 1) / (done + 1)


def _random_weights(rng, columns, rest, n_first, draws: int, log_factorial) -> np.ndarray:
    """float64 (m, draws): _log_weight of random tables with these margins; one hypergeometric draw per class."""
    left = np.repeat(n_first[:, None], draws, axis=1)
    weight = np.zeros(left.shape)
    for count, after in zip(columns.T[:, :, None], rest.T[:, :, None], strict=True):
        x = rng.hypergeometric(count, after, left) if after.any() else left
        weight += log_factorial[count] - log_factorial[x] - log_factorial[count - x]
        left = left - x
    return weight


def welch(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(t, degrees of freedom, two-sided p) of Welch's t test between the two rows of each pair.

    stats : float64 (m, 2, 3), (w, wy, wyy) of each group with w its number of rows, > 1; the order of t's sign is
    second less first. NaN where neither group varies: there is no t.
    Source: Welch (1947), Biometrika 34; degrees of freedom by Satterthwaite (1946).
    """
    from scipy import special

    n, wy, wyy = np.moveaxis(stats, -1, 0)
    mean = wy / n
    within = wyy - wy * mean
    square = np.where(within > WITHIN_ROUNDING * wyy, within, 0.0) / (n - 1) / n  # squared standard errors
    both = square.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (mean[:, 1] - mean[:, 0]) / np.sqrt(both)
        df = both**2 / (square**2 / (n - 1)).sum(axis=1)
    t = np.where(both > 0, t, np.nan)
    return t, df, 2 * special.stdtr(df, -np.abs(t))


def squared_errors(stats: np.ndarray) -> np.ndarray:
    """float64 (..., 2): squared standard errors of the mean outcomes of control and treated.

    stats : float64 (..., 6), of target.EffectTarget, with two rows of each arm or more.
    """
    n = np.stack([stats[..., 0] - stats[..., 1], stats[..., 1]], axis=-1)
    return np.stack(variances_of(stats), axis=-1) / (n - 1)


def welch_of_effects(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(t, degrees of freedom, two-sided p) of the second effect of each pair less the first; NaN where nothing varies.

    stats : float64 (m, 2, 6), of target.EffectTarget. A contrast of four means with variances of their own.
    Source: Welch (1947); degrees of freedom by Satterthwaite (1946).
    """
    from scipy import special

    square = squared_errors(stats).reshape(len(stats), 4)
    n = np.stack([stats[..., 0] - stats[..., 1], stats[..., 1]], axis=-1).reshape(len(stats), 4)
    both, effect = square.sum(axis=1), effects_of(stats)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (effect[:, 1] - effect[:, 0]) / np.sqrt(both)
        df = both**2 / (square**2 / (n - 1)).sum(axis=1)
    t = np.where(both > 0, t, np.nan)
    return t, df, 2 * special.stdtr(df, -np.abs(t))


def rate_ratio(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(second rate over first, two-sided exact p of their being one) of each pair; NaN, NaN without any event.

    stats : float64 (m, 2, 2), (exposure, events) of each group. Given all events, those of one group are binomial by
    its share of the exposure; p is twice the smaller tail. Source: Przyborowski and Wilenski (1940), Biometrika 31.
    """
    from scipy.special import betainc

    exposure, events = np.moveaxis(stats, -1, 0)
    first, all_events = events[:, 0], events.sum(axis=1)
    share = exposure[:, 0] / exposure.sum(axis=1)
    some = all_events > 0
    fewer, more = np.ones(len(stats)), np.ones(len(stats))
    at = some & (first < all_events)
    fewer[at] = betainc((all_events - first)[at], first[at] + 1.0, 1.0 - share[at])
    at = some & (first > 0)
    more[at] = betainc(first[at], (all_events - first)[at] + 1.0, share[at])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (events[:, 1] / exposure[:, 1]) / (first / exposure[:, 0])
    return np.where(some, ratio, np.nan), np.where(some, np.minimum(1.0, 2.0 * np.minimum(fewer, more)), np.nan)


# What many tests at once do to a p-value: one entry per correction.


@dataclass(frozen=True)
class Correction:
    """A way to adjust the p-values of a family of tests.

    adjusted : float64 (m,) p-values, ascending -> float64 (m,), ascending too, none above 1; a test is beyond chance
        where this is at most the level. keeps : what then holds at the level.
    """

    name: str
    label: str
    formula: str
    keeps: str
    source: str
    adjusted: Callable


def adjust(p_values: np.ndarray, correction: str) -> np.ndarray:
    """float64 (m,), adjusted p-values in the order given; NaN, for no test, stays and is not counted."""
    p_values = np.asarray(p_values, np.float64)
    tested = np.flatnonzero(~np.isnan(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    result = np.full(len(p_values), np.nan)
    result[order] = CORRECTIONS[correction].adjusted(p_values[order])
    return result


def _holm(p: np.ndarray) -> np.ndarray:
    return np.minimum(np.maximum.accumulate(np.arange(len(p), 0, -1) * p), 1.0)


def _benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    return np.minimum(np.minimum.accumulate((len(p) / np.arange(1, len(p) + 1) * p)[::-1])[::-1], 1.0)


CORRECTIONS = Registry(
    "correction",
    Correction(
        "holm",
        "Holm",
        r"\tilde p_{(i)} = \max_{j \le i} \min(1, (m - j + 1)\, p_{(j)})",
        "the chance of even one false alarm in the whole tree is at most the level",
        "Holm (1979), Scandinavian Journal of Statistics 6; holds however the tests depend on each other.",
        _holm,
    ),
    Correction(
        "benjamini_hochberg",
        "Benjamini-Hochberg",
        r"\tilde p_{(i)} = \min_{j \ge i} \min(1, \tfrac{m}{j}\, p_{(j)})",
        "of the marked nodes, the share of false alarms is expected to be at most the level",
        "Benjamini and Hochberg (1995), JRSS B 57; for tests that are independent or positively dependent.",
        _benjamini_hochberg,
    ),
    Correction(
        "none",
        "None",
        r"\tilde p = p",
        "each node alone raises a false alarm with a chance of the level: expect that share of all nodes",
        "No correction: every node is judged as if it were the only one.",
        lambda p: p,
    ),
)
