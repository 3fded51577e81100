"""The rows of one node again: summed up per value of a feature, as they were when its split was searched."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CRITERIA, CriterionArgs, by_code
from treecore.data.column import Column
from treecore.data.discretize import binned_column
from treecore.data.table import Table
from treecore.growing.inspect.judging import weights
from treecore.growing.settings.grow_settings import GrowSettings, in_cases
from treecore.growing.settings.parts import MISSING_STRATEGIES, SELECTORS, SPLIT_SCORES, THRESHOLD_RULES
from treecore.growing.settings.thresholds import rounded
from treecore.kernels.general.scores import SUM_TOLERANCE
from treecore.kernels.state import OWN_VALUE, SHARE, WHOLE_GAIN
from treecore.tree.missing import as_grown
from treecore.tree.node_statistics import true_target
from treecore.tree.predict import route
from treecore.tree.schema import FeatureSchema
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class NodeRows(Brief):
    """The rows of a table that pass through a node, with what judges its splits.

    rows : int64 (m,), positions in the table. labels : int32 (m,), their classes (0 without).
    weight : float64 (m,), times their share of the node, as altered by priors and costs.
    target : float64 (m,), less the node's center, of a numeric one; (m, 2), events and exposure, of counts.
    numbers : the same as it is.
    """

    tree: Tree
    node: int
    growth: GrowSettings
    judge: CriterionArgs
    rows: np.ndarray
    labels: np.ndarray
    weight: np.ndarray
    target: np.ndarray
    numbers: np.ndarray

    @cached_property
    def features(self) -> dict[str, FeatureSchema]:
        """What the tree knows of each feature, by its name."""
        return {feature.name: feature for feature in self.tree.schema.features}

    @cached_property
    def total(self) -> float:
        return float(self.weight.sum())

    @cached_property
    def all_count(self) -> bool:
        """Has every row a positive weight?"""
        return bool((self.weight > 0).all())

    @cached_property
    def stats(self) -> np.ndarray:
        """float64 (S,): the node's statistics."""
        return self.sums(np.zeros(len(self.rows), np.int64), 1)[0]

    def sums(self, group: np.ndarray, n: int) -> np.ndarray:
        """float64 (n, S): the statistics of each group of rows.

        group : int (m,), of each row; n for rows of no group.
        """
        classes = len(self.tree.classes)
        if self.tree.schema.counts is not None:
            return self.tree.target_kind.row_sums(group, n + 1, self.weight, self.target)[:n]
        if classes:
            cell = np.multiply(self.labels, n + 1, dtype=np.int64) + group
            return np.bincount(cell, self.weight, classes * (n + 1)).reshape(classes, n + 1)[:, :n].T
        powers = self.weight, self.weight * self.target, self.weight * self.target * self.target
        return np.stack([np.bincount(group, power, n + 1)[:n] for power in powers]).T

    @property
    def score(self):
        return SPLIT_SCORES[self.growth.score]

    @property
    def own(self) -> bool:
        """Is a missing value a value of its own?"""
        return MISSING_STRATEGIES[self.growth.missing].code == OWN_VALUE

    @property
    def absolute(self) -> bool:
        """Does the impurity need the rows themselves?"""
        return self.judge.code == CRITERIA["absolute_error"].code

    @property
    def tries_groupings(self) -> bool:
        """Are all groupings of levels tried, where they are not too many?"""
        return by_code(self.judge.code).tries_groupings(len(self.tree.classes))

    @property
    def whole_gain(self) -> bool:
        """Do features compete by the gain with the rows without a value shared among the branches?"""
        shared = MISSING_STRATEGIES[self.growth.missing].code == SHARE
        return shared and SELECTORS[self.growth.selector].code == WHOLE_GAIN

    def least_weight(self, known: float, ordered: bool) -> float:
        """Weight that a branch needs, when the rows with a known value weigh this much together; see
        kernels.general.scores."""
        growth, by_j48 = self.growth, self.score.name == "mdl_gain_ratio"
        if SELECTORS[growth.selector].code == WHOLE_GAIN:
            return 0.0  # asked of the winner only
        least = max(growth.min_share_leaf * float(self.tree.weight[0]), growth.min_weight_leaf)
        if growth.missing == "fractional":
            least -= SUM_TOLERANCE if by_j48 else 1e-9
        if by_j48 and ordered:
            least = max(least, min(0.1 * known / max(len(self.tree.classes), 1), 25.0) - SUM_TOLERANCE)
        return max(least, 0.0)


def node_rows(tree: Tree, node: int, table: Table, measure: str = "") -> NodeRows:
    """The rows of `table` at a node. measure : a criterion to judge by, "" for the tree's own."""
    rows, share = _rows_at(tree, node, table)
    weight = share if table.weights is None else share * table.weights[rows]
    target, codes = table.column(tree.schema.target), np.zeros(len(rows), np.int32)
    judge = CRITERIA[measure or tree.criterion].judge(tree.loss)
    if tree.classes:
        codes = target.codes[rows]
        weight = weight * tree.class_factor[codes]
        y = numbers = np.zeros(len(rows))
    else:
        numbers = true_target(tree, table)[rows]
        y = numbers if tree.schema.counts is not None else numbers - tree.center[node]
    growth = in_cases(GrowSettings.from_dict(dict(tree.growth)))
    return NodeRows(tree, node, growth, judge, rows, codes, weight, y, numbers)


def _rows_at(tree: Tree, node: int, table: Table) -> tuple[np.ndarray, np.ndarray]:
    """(int64 (m,), float64 (m,)): the rows that reach a node, and the share of each that does."""
    above = np.zeros(tree.n_nodes, bool)
    above[tree.path(node)[:-1]] = True
    # tests beside the way to the node and below it do not matter
    routes = route(as_grown(tree.pruned_at(~above)), table)
    here = routes.node == np.count_nonzero(~tree.below(~above)[:node])
    share = np.bincount(routes.row[here], routes.share[here], table.n_rows)
    rows = np.flatnonzero(share > 0)
    return rows, share[rows]


@dataclass(frozen=True, eq=False, repr=False)
class Values(Brief):
    """A node's rows summed up per distinct value of one feature, in code order; only known values, unless missing is a
    value of its own: then it is the last one where it occurs, with the code column.n_distinct.

    numbers : float64 (v,), what thresholds stand between, for an ordered feature.
    code_of_row : int (m,), position among these values of each of the node's rows, v where it has none.
    in_bins : these are the bins by which a numeric feature branches; `column` has them as levels.
    """

    column: Column
    codes: np.ndarray
    stats: np.ndarray
    weight: np.ndarray
    rows: np.ndarray
    numbers: np.ndarray
    code_of_row: np.ndarray
    in_bins: bool = False

    @property
    def ordered(self) -> bool:
        return self.column.kind in ("numeric", "ordinal")

    @property
    def has_missing(self) -> bool:
        """Is the last value the missing one?"""
        return len(self.codes) > 0 and self.codes[-1] == self.column.n_distinct


def values_of(here: NodeRows, column: Column) -> Values:
    """Sums per value, or per bin where the tree's numeric features branch by bins, without sorting the rows."""
    feature = here.features.get(column.name)
    in_bins = column.kind == "numeric" and feature is not None and feature.branches_by_bins
    if in_bins:
        column = _by_bins(here, column, feature.cuts)
    codes = column.codes[here.rows]
    n_codes = column.n_distinct + here.own
    by_code = column.distinct if column.kind == "numeric" else np.arange(column.n_distinct, dtype=np.float64)
    by_code = np.append(by_code, np.nan)
    rule = THRESHOLD_RULES[here.growth.threshold]
    if column.kind == "numeric" and rule.precision != "float64":
        by_code, codes = _merged(rounded(rule, by_code), codes)
    # values of which all rows have weight 0 are not there
    positive = codes if here.all_count else codes[here.weight > 0]
    counted = np.bincount(positive, minlength=column.n_distinct + 1)[:n_codes]
    present = np.flatnonzero(counted).astype(np.int32)
    at, n = codes, len(present)
    if n < n_codes:
        place = np.full(column.n_distinct + 1, n, np.int32)
        place[present] = np.arange(n, dtype=np.int32)
        at = place[codes]
    stats = here.sums(at, n)
    return Values(column, present, stats, weights(here.judge, stats), counted[present], by_code[present], at, in_bins)


def _by_bins(here: NodeRows, column: Column, cuts: tuple[float, ...]) -> Column:
    """The column with bins as levels that have no order: a split parts all of them."""
    column = replace(column, distinct=rounded(THRESHOLD_RULES[here.growth.threshold], column.distinct))
    return replace(binned_column(column, np.array(cuts)), kind="nominal")


def _merged(by_code: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values that rounding made equal share the first one's code."""
    first = np.arange(len(by_code), dtype=np.int32)
    same = np.append(False, by_code[1:] == by_code[:-1])
    first[same] = 0
    return by_code, np.maximum.accumulate(first)[codes]


def counting_in_average(here: NodeRows, table: Table) -> set[str]:
    """Features that count in the average gain (growing.settings.parts.Selector); all of them where each has many
    levels."""
    most = SELECTORS[here.growth.selector].many_levels * table.n_rows
    columns = [table.column(f.name) for f in here.tree.schema.features]
    few = {c.name for c in columns if c.kind == "numeric" or c.n_distinct < most}
    return few or {c.name for c in columns}
