"""Twin bars: in every node, do the rows of the tree's figures and other rows differ significantly?

The split of a node was chosen because it parts the *training* rows well, so a difference below it can have two causes:
the other rows come from elsewhere, or the tree has learned chance (over-fitting). The test cannot tell which.
"""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.criteria.significance import expected_counts, pearson
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.evaluation.corrections import CORRECTIONS, adjust
from treecore.evaluation.homogeneity import exact_p, rate_ratio, welch
from treecore.target import Target
from treecore.tree.target import has_target
from treecore.tree.tree import Tree

FEW_ROWS, NO_SPREAD, CHI_SQUARE, FISHER, EXACT, MONTE_CARLO, WELCH, RATES = range(8)
METHODS = (
    "not tested: too few rows",
    "not tested: nothing varies",
    "chi-square",
    "Fisher's exact test",
    "exact test",
    "Monte-Carlo exact test",
    "Welch's t",
    "exact test of two rates",
)
"""What was done at a node; the first two are no tests."""
LEAST_ROWS = 5
"""Rows that both sides need for a test."""
LEAST_EXPECTED = 5.0
"""Chi-square's p is good where every expected count is at least this (Cochran 1954); else an exact test."""
LEVEL = 0.05


@dataclass(frozen=True, eq=False, repr=False)
class NodeTests(Brief):
    """One test per node, as if it were the only one.

    stats : float64 (n_nodes, 2, S), statistics of the training rows and of the others, see Tree.stats; each side's
        weights are scaled so that they add up to its number of rows. Shares of rows (missing values) stay shares.
    method : int8 (n_nodes,), place in METHODS. statistic, df, p_value : float64 (n_nodes,), NaN where untested;
        chi-square, t, or the ratio of the others' rate to that of the training rows, which has no df. The exact tests
        have chi-square as statistic too, but p from all tables with these margins (counts rounded to whole rows).
    scaled : were weights scaled at all?
    """

    tree: Tree
    stats: np.ndarray
    method: np.ndarray
    statistic: np.ndarray
    df: np.ndarray
    p_value: np.ndarray
    scaled: bool = False

    @property
    def rows(self) -> np.ndarray:
        """float64 (n_nodes, 2): rows of each side in every node."""
        return self.tree.weight_of(self.stats)

    @property
    def tested(self) -> np.ndarray:
        """bool (n_nodes,)."""
        return ~np.isnan(self.p_value)


@dataclass(frozen=True, eq=False, repr=False)
class Twins(Brief):
    """The tests of a tree's nodes, judged together.

    other : what the other rows are called. adjusted : float64 (n_nodes,), p adjusted for all tested nodes, NaN where
    untested. differs : bool (n_nodes,), adjusted <= level.
    """

    tests: NodeTests
    other: str
    correction: str
    level: float
    adjusted: np.ndarray
    differs: np.ndarray

    @property
    def first(self) -> str:
        """What the rows are called that the others are compared with: those of the tree's figures."""
        return self.tests.tree.figures_of

    @property
    def n_tested(self) -> int:
        return int(self.tests.tested.sum())


def twins(
    tree: Tree,
    stats_train: np.ndarray,
    stats_other: np.ndarray,
    n_train: int | None = None,
    n_other: int | None = None,
    *,
    other: str = "validation",
    correction: str = "holm",
    level: float = LEVEL,
) -> Twins:
    """Test every node and correct for their number; see node_tests and judged."""
    return judged(node_tests(tree, stats_train, stats_other, n_train, n_other), other, correction, level)


def judged(tests: NodeTests, other: str = "validation", correction: str = "holm", level: float = LEVEL) -> Twins:
    """The tests with their p-values adjusted (a name in CORRECTIONS); TreecoreError for a level outside (0, 1)."""
    if not 0 < level < 1:
        raise TreecoreError(f"A level of {level:g} is not possible", where="level", remedy="Choose one such as 0.05")
    CORRECTIONS[correction]
    adjusted = adjust(tests.p_value, correction)
    return Twins(tests, other, correction, float(level), adjusted, adjusted <= level)


def node_tests(
    tree: Tree,
    stats_train: np.ndarray,
    stats_other: np.ndarray,
    n_train: int | None = None,
    n_other: int | None = None,
) -> NodeTests:
    """Chi-square, exact or Welch's test of homogeneity in every node.

    stats_train, stats_other : float64 (n_nodes, S), see tree.tally.node_statistics.
    n_train, n_other : rows behind them in the whole tree, see rows_judged; None: the weights count rows.
    A chi-square with an expected count below 5 gives way to the exact conditional test, which is Fisher's for two
    classes. Nodes with fewer than 5 rows on a side, or with one class only, are not tested.
    """
    shape = (tree.n_nodes, tree.stats.shape[1])
    for given in (stats_train, stats_other):
        if np.shape(given) != shape:
            raise TreecoreError(
                f"Statistics of shape {np.shape(given)} are not of this tree",
                where="twins",
                remedy=f"Give node_statistics of this tree, of shape {shape}",
            )
    sides = [_scaled(tree, s, n) for s, n in ((stats_train, n_train), (stats_other, n_other))]
    scaled = not all(np.allclose(a, b) for a, b in zip(sides, (stats_train, stats_other), strict=True))
    pairs = np.stack(sides, axis=1)
    return NodeTests(tree, pairs, *pair_tests(pairs, tree.target_kind), scaled)


def rows_judged(tree: Tree, table: Table) -> int:
    """Rows of positive weight whose target the tree can judge: the number behind node_statistics."""
    return int(np.count_nonzero(has_target(tree, table) & (table.case_weights > 0)))


def _scaled(tree: Tree, stats: np.ndarray, n: int | None) -> np.ndarray:
    stats = np.asarray(stats, np.float64)
    weight = tree.weight_of(stats[0])
    return stats if n is None or weight <= 0 else stats * (n / weight)


def pair_tests(stats: np.ndarray, target: Target) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(method, statistic, df, p_value), as in NodeTests, of each pair of groups of rows: have they the same class mix,
    mean, or rate?

    stats : float64 (m, 2, S), of both groups, see Tree.stats; they count rows. target : the kind that they are of.
    """
    tests = {"classification": _class_tests, "regression": _mean_tests, "counts": _rate_tests}
    return tests[target.task](np.asarray(stats, np.float64))


def _untested(n_pairs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    return np.full(n_pairs, FEW_ROWS, np.int8), *(np.full(n_pairs, np.nan) for _ in range(3))


def _class_tests(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    made = _untested(len(stats))
    n_classes = (stats.sum(axis=1) > 0).sum(axis=1)
    enough = (stats.sum(axis=2) >= LEAST_ROWS - 1e-9).all(axis=1)
    made[0][enough & (n_classes < 2)] = NO_SPREAD
    pairs = np.flatnonzero(enough & (n_classes > 1))
    tables = stats[pairs]
    statistic, df, log_p = pearson(tables)
    p, method = np.exp(log_p), np.full(len(pairs), CHI_SQUARE)
    expected = expected_counts(tables)
    small = ((expected < LEAST_EXPECTED) & (tables.sum(axis=1, keepdims=True) > 0)).any(axis=(1, 2))
    p[small], drawn = exact_p(tables[small])
    method[small] = np.where(n_classes[pairs][small] == 2, FISHER, np.where(drawn, MONTE_CARLO, EXACT))
    for column, values in zip(made, (method, statistic, df, p), strict=True):
        column[pairs] = values
    return made


def _mean_tests(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    made = _untested(len(stats))
    pairs = np.flatnonzero((stats[:, :, 0] >= LEAST_ROWS - 1e-9).all(axis=1))
    t, df, p = welch(stats[pairs])
    tested = ~np.isnan(p)
    made[0][pairs] = np.where(tested, WELCH, NO_SPREAD)
    for column, values in zip(made[1:], (t, df, p), strict=True):
        column[pairs] = np.where(tested, values, np.nan)
    return made


def _rate_tests(stats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    made = _untested(len(stats))
    pairs = np.flatnonzero((stats[:, :, 0] >= LEAST_ROWS - 1e-9).all(axis=1))
    ratio, p = rate_ratio(stats[pairs, :, 1:3])
    made[0][pairs] = np.where(np.isnan(p), NO_SPREAD, RATES)
    made[1][pairs], made[3][pairs] = np.where(np.isnan(p), np.nan, ratio), p
    return made
