"""The rows of one node again, summed up per value or level of a feature, as when its split was searched."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from treecore.brief import Brief
from treecore.criteria import CRITERIA, CriterionArgs, by_code, needs_rows
from treecore.criteria.row_losses import RowLoss, loss_of
from treecore.data.column import Column
from treecore.data.discretize import binned_column
from treecore.data.table import Table
from treecore.growing.search.split_worth import weights
from treecore.growing.settings.grow_settings import GrowSettings, in_cases
from treecore.growing.settings.parts import MISSING_STRATEGIES, SELECTORS, SPLIT_SCORES, THRESHOLD_RULES
from treecore.growing.settings.problem import n_features_per_split
from treecore.growing.settings.thresholds import rounded
from treecore.kernels.general.scores import SUM_TOLERANCE
from treecore.kernels.log_rank_search import cut_statistics
from treecore.kernels.random_features import are_open, key_at, random_threshold
from treecore.kernels.ranked_losses import prefix_errors, room_for
from treecore.kernels.state import OWN_VALUE, SHARE, WHOLE_GAIN
from treecore.target.survival import log_rank_test
from treecore.tree.missing import as_grown
from treecore.tree.node_statistics import true_target
from treecore.tree.predict import route
from treecore.tree.schema import FeatureSchema
from treecore.tree.tree import Tree

# Which features were drawn at a node, where a tree draws some at every node.


def key_of(tree: Tree, node: int, growth: GrowSettings) -> int:
    """By which features are drawn at the node; see kernels.random_features."""
    way = pairwise(tree.path(node))
    return key_at(growth.seed, tuple(int(below - tree.first_child[above]) for above, below in way))


def features_not_sampled(tree: Tree, node: int, growth: GrowSettings, offering: tuple[str, ...]) -> frozenset[str]:
    """Names of the features not drawn at the node. offering : those that offer a split there."""
    names = [feature.name for feature in tree.schema.features]
    n = n_features_per_split(growth, len(names))
    if not n:
        return frozenset()
    offers = np.array([[name in offering] for name in names])
    is_open = are_open(np.array([key_of(tree, node, growth)], np.uint64), n, offers)[:, 0]
    return frozenset(name for name, drawn in zip(names, is_open, strict=True) if not drawn)


def random_threshold_at(tree: Tree, node: int, growth: GrowSettings, feature: str, values: np.ndarray) -> float:
    """The number that is drawn between the feature's values at the node, float64 (v,), ascending."""
    f = [described.name for described in tree.schema.features].index(feature)
    return random_threshold(key_of(tree, node, growth), f, float(values[0]), float(values[-1]))


# Groupings of levels into two: of few levels as a table of both, of many told by orders of the levels.


@dataclass(frozen=True, eq=False, repr=False)
class Groupings(Brief):
    """Which levels are in branch 0: in an order of them, all up to a place, or the one in that place alone.

    As an array, bool (n, v), they would take the square of the levels. They are asked like one: [i] is the row of one
    grouping, bool (v,), [positions] these groupings.

    place : int (k, v), of every level in each of k orders. order, last : int (n,), the order and the place in it.
    """

    place: np.ndarray
    order: np.ndarray
    last: np.ndarray
    alone: bool = False

    def __len__(self) -> int:
        return len(self.last)

    def __getitem__(self, chosen):
        if np.ndim(chosen):
            return replace(self, order=self.order[chosen], last=self.last[chosen])
        return self._has(self.place[self.order[chosen]], self.last[chosen])

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[i] for i in range(len(self)))

    def has(self, level: int) -> np.ndarray:
        """See has."""
        return self._has(self.place[self.order, level], self.last)

    def sums(self, of: np.ndarray) -> np.ndarray:
        """See sums."""
        by_place = of[np.argsort(self.place, axis=1)]
        return (by_place if self.alone else np.cumsum(by_place, axis=1))[self.order, self.last]

    def _has(self, place: np.ndarray, last: np.ndarray) -> np.ndarray:
        return place == last if self.alone else place <= last


def up_to_each(place: np.ndarray) -> Groupings:
    """In each of these orders, int (k, v), all levels up to a place, for every place but the last."""
    k, v = place.shape
    return Groupings(place, np.repeat(np.arange(k), v - 1), np.tile(np.arange(v - 1), k))


def each_alone(v: int) -> Groupings:
    """Every level apart from all others."""
    return Groupings(np.arange(v)[None], np.zeros(v, np.int64), np.arange(v), alone=True)


def sums(first: np.ndarray | Groupings, of: np.ndarray) -> np.ndarray:
    """(n, ...), for each grouping the sum of what the levels in branch 0 have. of : (v, ...)."""
    return first.sums(of) if isinstance(first, Groupings) else first.astype(of.dtype) @ of


def has(first: np.ndarray | Groupings, level: int) -> np.ndarray:
    """bool (n,): has each grouping this level in branch 0?"""
    return first.has(level) if isinstance(first, Groupings) else first[:, level]


NO_LABELS = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class NodeRows(Brief):
    """The rows of a table that pass through a node, with what judges its splits.

    rows : int64 (m,), positions in the table. labels : int32 (m,), their classes (0 without).
    weight : float64 (m,), times their share of the node, as altered by priors and costs.
    target : float64 (m,), less the node's center, of a numeric one; (m, 2), events and exposure, of counts.
    numbers : the same as it is. label : int64 (m,), see Target.row_labels; (0,) of another target.
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
    label: np.ndarray

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
    def row_loss(self) -> RowLoss | None:
        """The loss whose mean is the impurity, where that needs the rows themselves."""
        return loss_of(self.judge.loss) if needs_rows(self.judge) else None

    @property
    def tries_groupings(self) -> bool:
        """Are all groupings of levels tried, where they are not too many?"""
        return self.score.by_times or by_code(self.judge.code).tries_groupings(len(self.tree.classes))

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
    named = measure or tree.criterion
    judge = CRITERIA[named].judge(tree.loss, tree.schema.row_loss if named == tree.criterion else None)
    if tree.classes:
        codes = target.codes[rows]
        weight = weight * tree.class_factor[codes]
        y = numbers = np.zeros(len(rows))
    else:
        numbers = true_target(tree, table)[rows]
        y = numbers if tree.schema.counts is not None else numbers - tree.center[node]
    growth, label = in_cases(GrowSettings.from_dict(dict(tree.growth))), NO_LABELS
    if tree.schema.counts is not None:
        label = tree.target_kind.row_labels(table)[rows]
    return NodeRows(tree, node, growth, judge, rows, codes, weight, y, numbers, label)


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
class FeatureValues(Brief):
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


def values_of(here: NodeRows, column: Column) -> FeatureValues:
    """Sums per value, or per bin where the tree's numeric features branch by bins, without sorting the rows."""
    feature = here.features.get(column.name)
    in_bins = column.kind == "numeric" and feature is not None and feature.branches_by_bins
    if in_bins and feature is not None and feature.cuts is not None:
        column = _by_bins(here, column, feature.cuts)
    codes = column.codes[here.rows]
    n_codes = column.n_distinct + here.own
    by_code = column.numbers if column.kind == "numeric" else np.arange(column.n_distinct, dtype=np.float64)
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
    return FeatureValues(
        column, present, stats, weights(here.judge, stats), counted[present], by_code[present], at, in_bins
    )


def _by_bins(here: NodeRows, column: Column, cuts: tuple[float, ...]) -> Column:
    """The column with bins as levels that have no order: a split parts all of them."""
    column = replace(column, distinct=rounded(THRESHOLD_RULES[here.growth.threshold], column.numbers))
    return replace(binned_column(column, np.array(cuts)), kind="nominal")


def _merged(by_code: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """FeatureValues that rounding made equal share the first one's code."""
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


# Gains by losses of single rows of many splits of a node at once.


def cut_errors(here: NodeRows, values: FeatureValues, low: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """float64 (n,): drop of the mean loss by each cut. low, missing : as in enumerate_splits.Splits."""
    order = np.argsort(values.code_of_row, kind="stable")
    order = order[values.code_of_row[order] < len(values.codes)]
    sizes = np.bincount(values.code_of_row[order], minlength=len(values.codes))
    ends = np.cumsum(sizes)
    total = sizes.sum()
    n_missing = sizes[-1] if values.has_missing else 0
    known, unknown = order[: total - n_missing], order[total - n_missing :]
    gain = np.empty(len(low))
    whole, weight = _running(here, order)[-1], here.weight[order].sum()
    for side in (-1, 1, 0):
        chosen = missing == side
        if not chosen.any():
            continue
        line = np.concatenate([unknown, known]) if side == 0 else np.concatenate([known, unknown])
        at = ends[low[chosen]] + (n_missing if side == 0 else 0)
        gain[chosen] = (whole - _on_both_sides(here, line, at)) / weight
    return gain


def group_errors(here: NodeRows, values: FeatureValues, first) -> np.ndarray:
    """float64 (n,): drop of the mean loss by each grouping (see Splits.first)."""
    inside = np.flatnonzero(values.code_of_row < len(values.codes))
    code = values.code_of_row[inside]
    whole, weight = _error(here, inside), here.weight[inside].sum()
    if first is None:
        total = sum(_error(here, inside[code == v]) for v in range(len(values.codes)))
        return np.array([(whole - total) / weight])
    if isinstance(first, Groupings) and not first.alone:
        parts = _up_to_each(here, inside, code, first)
    else:
        parts = np.array([_error(here, inside[has[code]]) + _error(here, inside[~has[code]]) for has in first])
    return (whole - parts) / weight


def _up_to_each(here: NodeRows, rows: np.ndarray, code: np.ndarray, first: Groupings) -> np.ndarray:
    """float64 (n,): loss after each grouping, of rows with these codes: one walk along each order."""
    result = np.empty(len(first))
    for k, place in enumerate(first.place):
        chosen, at = first.order == k, place[code]
        ends = np.cumsum(np.bincount(at, minlength=len(place)))
        result[chosen] = _on_both_sides(here, rows[np.argsort(at, kind="stable")], ends[first.last[chosen]])
    return result


def _on_both_sides(here: NodeRows, line: np.ndarray, at: np.ndarray) -> np.ndarray:
    """float64 (n,): loss of the first `at` of these rows and of the others, together."""
    low, high = (np.append(0.0, _running(here, part)) for part in (line, line[::-1]))
    return low[at] + high[len(line) - at]


def _running(here: NodeRows, line: np.ndarray) -> np.ndarray:
    """float64: loss of the first 1, 2, ... of these rows (positions among the node's)."""
    y, w = here.target[line], here.weight[line]
    distinct, rank = np.unique(y, return_inverse=True)
    ranked = room_for(max(len(line), 2), 2, rank.astype(np.int32), here.judge.loss)
    center = np.median(y)
    ranked.values[: len(distinct)] = distinct - center
    ranked.line["value"][: len(line)], ranked.line["weight"][: len(line)] = y - center, w
    ranked.line["index"][: len(line)] = rank
    ranked.set["n_targets"] = ranked.set["n_ranks"] = len(distinct)
    ranked.set["size"] = 1 << max(len(distinct) - 1, 0).bit_length()
    return prefix_errors(ranked, len(line))


def _error(here: NodeRows, rows: np.ndarray) -> float:
    """Loss around what answers best."""
    assert here.row_loss is not None
    return here.row_loss.best_and_total(here.target[rows], here.weight[rows])[1]


# Log-rank statistics of many splits of a node at once.


def cut_tests(here: NodeRows, values: FeatureValues, low: np.ndarray) -> np.ndarray:
    """float64 (n,): the log-rank statistic of each cut after the value `low`, -inf where nothing varies."""
    place = np.arange(len(values.codes))
    return _tests_in_order(here, values, place, low)


def group_tests(here: NodeRows, values: FeatureValues, first: np.ndarray | Groupings) -> np.ndarray:
    """float64 (n,): the same of each grouping of levels."""
    if isinstance(first, Groupings):
        result = np.empty(len(first))
        for k, place in enumerate(first.place):
            result[first.order == k] = _tests_in_order(here, values, place, first.last[first.order == k])
        return result
    rows = _known(here, values)
    tests = (
        log_rank_test(here.label[rows] // 2, here.label[rows] % 2, side[values.code_of_row[rows]], here.weight[rows])
        for side in first
    )
    return np.array([-np.inf if math.isnan(test.statistic) else test.statistic for test in tests])


def _known(here: NodeRows, values: FeatureValues) -> np.ndarray:
    """Positions of the node's rows that have a value and count."""
    return np.flatnonzero((values.code_of_row < len(values.codes)) & (here.weight > 0))


def _tests_in_order(here: NodeRows, values: FeatureValues, place: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Of parting the values up to each place from those after it. place : int (v,), of each value."""
    rows = _known(here, values)
    at = place[values.code_of_row[rows]]
    rows = rows[np.argsort(at, kind="stable")]
    ends = np.cumsum(np.bincount(at, minlength=len(place)))[last]
    return cut_statistics(here.label[rows], here.weight[rows])[ends - 1]
