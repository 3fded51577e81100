"""Is a split more than chance? Tests of independence between branch and target."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.criteria.chi_square_tail import log_tail, log_tails
from treecore.engine import compiling

PART, FEW = "explain", 500
"""The part of the kernels that has the tails (see treecore.warm); so few are found sooner than it is compiled."""
TINY = 1e-250
"""Below this a tail probability is taken from its series: the libraries' underflow and cannot be compared."""
WITHIN_ROUNDING, BETWEEN_ROUNDING = 1e-13, 1e-26
"""Sums of squares below these shares of the sum of w y^2 are 0: the one is a difference, the other squares one."""


@dataclass(frozen=True)
class SignificanceTest:
    """What a test says about a split.

    df : degrees of freedom; of an F test the pair (between, within); 0 for a permutation test.
    log_p : natural logarithm of p_value, exact to about 1e-12 relative where p_value itself is 0.
    """

    __test__ = False  # not a class of tests, whatever pytest makes of its name

    name: str
    statistic: float
    df: float | tuple[float, float]
    p_value: float
    log_p: float


def chi_square(table: np.ndarray) -> SignificanceTest:
    """Pearson's chi-square test, without a continuity correction.

    table : float64 (branches, classes), weights; empty rows and columns do not count.
    """
    statistic, df, log_p = pearson(np.asarray(table, np.float64))
    return _test("chi_square", statistic, float(df), log_p)


def g_test(table: np.ndarray) -> SignificanceTest:
    """The likelihood-ratio test, 2 sum O ln(O / E); table as for chi_square."""
    table = np.asarray(table, np.float64)
    expected, df = expected_counts(table), _degrees(table)
    seen = table > 0
    terms = table[seen] * np.log(table[seen] / expected[seen])
    statistic = max(2.0 * float(terms.sum()), 0.0) if df > 0 else 0.0
    return _test("g_test", statistic, float(df), log_chi2_tail(statistic, df))


def f_test(stats: np.ndarray) -> SignificanceTest:
    """One-way analysis of variance.

    stats : float64 (branches, 3), (w, wy, wyy) of each; empty branches do not count. Infinite when the branches
    explain everything; p = 1 without degrees of freedom.
    """
    stats = np.asarray(stats, np.float64)
    stats = stats[stats[:, 0] > 0]
    if len(stats) < 2 or stats[:, 0].sum() <= len(stats):
        return _test("f_test", 0.0, 0.0, 0.0)
    statistic, df, log_p = anova(stats)
    return _test("f_test", statistic, tuple(map(float, df)), log_p)


def _test(name: str, statistic, df, log_p) -> SignificanceTest:
    return SignificanceTest(name, float(statistic), df, float(np.exp(log_p)), float(log_p))


def pearson(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(chi-square, df, log p) of each table; tables : float64 (..., branches, classes)."""
    statistic, df = _deviation(tables)
    return statistic, df, log_chi2_tail(statistic, df)


def _deviation(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(chi-square, df) of each table."""
    expected, df = expected_counts(tables), _degrees(tables)
    off = np.divide((tables - expected) ** 2, expected, out=np.zeros_like(tables), where=expected > 0)
    return off.sum(axis=(-2, -1)) * (df > 0), df


def expected_counts(tables: np.ndarray) -> np.ndarray:
    """float64 (..., branches, classes): the weights if every branch had the mix of all together; tables alike."""
    row, column = tables.sum(axis=-1, keepdims=True), tables.sum(axis=-2, keepdims=True)
    total = row.sum(axis=-2, keepdims=True)
    return np.divide(row * column, total, out=np.zeros_like(tables), where=total > 0)


def _degrees(tables: np.ndarray) -> np.ndarray:
    """int64 (...): (branches with rows - 1) (classes with rows - 1) of each table."""
    row, column = ((tables.sum(axis=axis) > 0).sum(axis=-1) for axis in (-1, -2))
    return np.maximum(row - 1, 0) * np.maximum(column - 1, 0)


def anova(stats: np.ndarray) -> tuple[np.ndarray, tuple, np.ndarray]:
    """(F, (df between, df within), log p) of each set of branches; stats : float64 (..., branches, 3), weights > 0."""
    w, wy, wyy = np.moveaxis(stats, -1, 0)
    weight, r = w.sum(axis=-1), w.shape[-1]
    mean = wy / w
    between = (w * (mean - (wy.sum(axis=-1) / weight)[..., None]) ** 2).sum(axis=-1)
    within = (wyy - wy * mean).sum(axis=-1)
    size = wyy.sum(axis=-1)
    between = np.where(between > BETWEEN_ROUNDING * size, between, 0.0)
    within = np.where(within > WITHIN_ROUNDING * size, within, 0.0)
    df = (np.full(np.shape(weight), r - 1.0), weight - r)
    testable = (df[0] > 0) & (df[1] > 0) & (between > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = np.where(testable, (between / df[0]) / (within / df[1]), 0.0)
    return f, df, np.where(testable, log_f_tail(f, *(np.where(testable, d, 1.0) for d in df)), 0.0)


def log_chi2_tail(statistic, df) -> np.ndarray:
    """ln P(chi-square with df degrees of freedom > statistic); 0 without degrees of freedom.

    statistic, df : numbers or arrays, whole numbers the latter.
    """
    x, n = np.broadcast_arrays(np.asarray(statistic, np.float64), np.asarray(df, np.int64))
    if x.size <= FEW and not compiling.is_loaded(PART) and np.isfinite(x).all():
        pairs = zip(x.ravel().tolist(), n.ravel().tolist(), strict=True)
        return np.array([log_tail.py_func(*pair) for pair in pairs]).reshape(x.shape)
    result = log_tails(x.ravel(), n.ravel()).reshape(x.shape)
    compiling.note(PART)
    return result


def log_f_tail(statistic, df_between, df_within) -> np.ndarray:
    """ln P(F > statistic); -inf for an infinite statistic."""
    from scipy import special

    f, b, a = np.broadcast_arrays(np.asarray(statistic, np.float64), df_between / 2, df_within / 2)
    p = special.fdtrc(2 * b, 2 * a, f)
    deep = p < TINY
    log_p = np.asarray(np.log(np.where(deep, 1.0, p)))
    # the integral of t^(b-1) (1-t)^(a-1) from z = odds / (1 + odds) to 1 by parts, over and over:
    # z^(b-1) (1-z)^a / a (1 + (b-1)/(a+1) / odds + (b-1)(b-2)/((a+1)(a+2)) / odds^2 + ...)
    f, a, b = f[deep], a[deep], b[deep]
    odds = f * (b / a)
    series = _series(lambda n: (b - n) / (a + n) / odds)
    with np.errstate(invalid="ignore"):
        tail = (b - 1) * (np.log(odds) - np.log1p(odds)) - a * np.log1p(odds)
    log_p[deep] = np.where(np.isinf(f), -np.inf, tail - np.log(a) - special.betaln(a, b) + np.log(series))
    return log_p


def _series(ratio) -> np.ndarray:
    """1 + r1 + r1 r2 + ..., until the terms no longer count; ratio(n) : float64, the n-th ratio of two terms."""
    term = ratio(1)
    total, n = 1.0 + term, 1
    while np.any(np.abs(term) > 1e-17 * total) and n < 10_000:
        n += 1
        term = term * ratio(n)
        total = total + term
    return total


def permutation_test(
    target: np.ndarray, branch: np.ndarray, weight: np.ndarray, n_permutations: int, seed: int
) -> SignificanceTest:
    """How often the target, dealt to the rows at random, depends on the branch at least as much as it does.

    target : (n,) class numbers (integers: the statistic is chi-square) or responses (floats: the sum of squares
    between the branches). branch : int (n,). weight : float64 (n,); branch and weight stay where they are.
    Returns a Test with p = (b + 1) / (m + 1), b of m permutations being at least as extreme.
    """
    kept = np.asarray(weight) > 0
    target, weight = np.asarray(target)[kept], np.asarray(weight, np.float64)[kept]
    if not len(target):
        return SignificanceTest("permutation", 0.0, 0.0, 1.0, 0.0)
    _, branch = np.unique(np.asarray(branch)[kept], return_inverse=True)
    in_branch = np.zeros((len(branch), branch.max() + 1))
    in_branch[np.arange(len(branch)), branch] = weight
    rng = np.random.default_rng(seed)
    statistic: Callable[[np.ndarray, np.ndarray], np.ndarray] = _between
    if target.dtype.kind in "biu":
        _, target = np.unique(target, return_inverse=True)
        statistic, size = _chi_squares, float(weight.sum())
        draw = _permuted_tables if np.all(weight == weight[0]) else _permuted
    else:
        target = target - np.average(target, weights=weight)
        size, draw = (weight * target**2).sum(), _permuted
    observed = float(statistic(target[None], in_branch)[0])
    least = observed - 1e-12 * size  # equal statistics may differ in their last bits
    b = int((draw(rng, target, in_branch, n_permutations, statistic) >= least).sum())
    p = (b + 1) / (n_permutations + 1)
    return SignificanceTest("permutation", observed, 0.0, p, float(np.log(p)))


def _permuted(rng, target: np.ndarray, in_branch: np.ndarray, m: int, statistic) -> np.ndarray:
    """float64 (m,): the statistic of m permutations, about a million numbers at a time."""
    chunk = max(1, 1_000_000 // len(target))
    sizes = [min(chunk, m - begin) for begin in range(0, m, chunk)]
    parts = [statistic(rng.permuted(np.tile(target, (size, 1)), axis=1), in_branch) for size in sizes]
    return np.concatenate([np.empty(0), *parts])


def _permuted_tables(rng, target: np.ndarray, in_branch: np.ndarray, m: int, statistic) -> np.ndarray:
    """What _permuted gives for class numbers and rows of one weight, at a cost that does not grow with the rows.

    Only the tables are drawn: each class is dealt to the places that the branches have left, branch by branch,
    which is a hypergeometric draw each.
    """
    places = (in_branch > 0).sum(axis=0)
    free = np.tile(places, (m, 1))
    tables = np.empty((m, len(places), target.max() + 1))
    for k, count in enumerate(np.bincount(target)):
        left, behind = np.full(m, count), free.sum(axis=1)
        for b in range(len(places)):
            behind -= free[:, b]
            tables[:, b, k] = drawn = rng.hypergeometric(free[:, b], behind, left)
            free[:, b] -= drawn
            left -= drawn
    return _deviation(tables * in_branch.max())[0]


def _between(responses: np.ndarray, in_branch: np.ndarray) -> np.ndarray:
    """float64 (m,): sum of squares between the branches; responses (m, n), in_branch (n, branches) the weights."""
    sums, weight = responses @ in_branch, in_branch.sum(axis=0)
    mean = sums.sum(axis=1) / weight.sum()
    return (weight * (sums / weight - mean[:, None]) ** 2).sum(axis=1)


def _chi_squares(labels: np.ndarray, in_branch: np.ndarray) -> np.ndarray:
    """float64 (m,): chi-square of labels (m, n) from 0 against the branches."""
    tables = [(labels == k).astype(np.float64) @ in_branch for k in range(labels.max() + 1)]
    return _deviation(np.stack(tables, axis=-1))[0]
