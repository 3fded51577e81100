"""Rows of every node by the groups of any column, a feature or not: who is treated differently?"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import isnan, nan

import numpy as np

from treecore.brief import Brief, text_table
from treecore.data.column import Column, number_labels
from treecore.data.frames import AnyFrame, as_kind
from treecore.data.gaps import Gap
from treecore.data.level_index import places_among
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import count, counted, exact, p_value, percent
from treecore.judging.interest import interest_named, place_of_class, segment_rates, wilson
from treecore.study.homogeneity import adjust
from treecore.study.segments import QUANTILE
from treecore.study.twins import LEVEL, METHODS, pair_tests
from treecore.tree.node_statistics import add_up_statistics, true_labels, true_target
from treecore.tree.predict import route
from treecore.tree.short_text import shorten
from treecore.tree.tree import Tree

MOST_LEVELS, MOST_BINS = 6, 5
"""Levels, or different numbers, that are groups of their own; into so many ranges more numbers are parted."""
OTHERS, MISSING = "all others", "missing"


@dataclass(frozen=True, eq=False, repr=False)
class Grouping(Brief):
    """The groups that a column parts rows into; the last two are all other values, and rows without a value.

    names : of all groups. ordered : have they an order? levels : labels that are groups of their own; () where cuts,
    ascending, part numbers into ranges, each of which holds its lower end. n_others : levels in "all others".
    """

    column: str
    names: tuple[str, ...]
    ordered: bool
    levels: tuple[str, ...] = ()
    cuts: tuple[float, ...] = ()
    n_others: int = 0

    def __len__(self) -> int:
        return len(self.names)

    def places(self, column: Column) -> np.ndarray:
        """int64 (n_rows,): the group of each row."""
        others, missing = len(self) - 2, len(self) - 1
        if self.cuts:
            if column.kind != "numeric":
                remedy = "Read it as numbers, as in the rows that the groups were made from"
                raise TreecoreError("The groups are ranges of numbers", where=f"Column '{column.name}'", remedy=remedy)
            of_code = np.searchsorted(self.cuts, column.numbers, side="right")
        else:
            labels = number_labels(column.numbers) if column.kind == "numeric" else column.level_names
            of_code = places_among(self.levels, labels)
            of_code = np.where(of_code < 0, others, of_code)
        return np.append(of_code, missing).astype(np.int64)[column.codes]


def grouping(
    column: Column, weights: np.ndarray | None = None, levels: int = MOST_LEVELS, bins: int = MOST_BINS
) -> Grouping:
    """The groups of a column: its commonest levels, few numbers one by one, more in ranges of about as many rows.

    weights : float64 (n_rows,), by which rows are counted; None: 1 each. levels, bins : how many there are at most.
    """
    weights = np.ones(column.n_rows) if weights is None else weights
    weight = np.bincount(column.codes, weights, column.n_distinct + 1)[:-1]
    met = np.flatnonzero(weight > 0)
    numeric = column.kind == "numeric"
    if numeric and len(met) > levels:
        cuts = _quantile_cuts(column.numbers[met], weight[met], bins)
        ends = [exact(cut) for cut in cuts]
        between = [f"{low} to {high}" for low, high in pairwise(ends)]
        return Grouping(column.name, (f"< {ends[0]}", *between, f"≥ {ends[-1]}", OTHERS, MISSING), True, cuts=cuts)
    labels = number_labels(column.numbers) if numeric else column.level_names
    # one level alone is named as shortly as "all others"
    most = levels if len(met) > levels + 1 else len(met)
    shown = np.sort(met[np.argsort(-weight[met], kind="stable")[:most]])
    named = tuple(labels[i] for i in shown)
    rest = (_other_than(named, OTHERS), _other_than(named, MISSING))
    ordered = numeric or column.kind == "ordinal"
    return Grouping(column.name, (*named, *rest), ordered, named, n_others=len(met) - len(shown))


def _other_than(names: tuple[str, ...], name: str) -> str:
    """The name, in brackets where a level is called so."""
    while name in names:
        name = f"({name})"
    return name


def _quantile_cuts(values: np.ndarray, weight: np.ndarray, bins: int) -> tuple[float, ...]:
    """Between neighbours of these ascending numbers, where the shares of the rows below are nearest to even ones."""
    below, values = weight.cumsum()[:-1] / weight.sum(), values.tolist()
    after = np.unique([np.argmin(np.abs(below - i / bins)) for i in range(1, bins)])
    return tuple(Gap(values[i], values[i + 1], closed=False).printed(values[i + 1]) for i in after.tolist())


@dataclass(frozen=True)
class GroupRate:
    """One group among the rows of a node.

    rows, share : weight of its rows, and their part of the node's. rate : share of the class of interest, the mean of
    the target, or the rate, hazard ratio or effect that these rows have; low, high : 95 % of it. told : what the tree
    says of these rows by the nodes where they end. others : the rate of all other rows of the node; difference : the
    rate less that. p_value : of the test between the two, corrected for the number of groups (Holm), NaN where there
    are too few rows; method : by which test.
    """

    name: str
    rows: float
    share: float
    rate: float
    low: float
    high: float
    told: float
    others: float
    difference: float
    p_value: float
    method: str

    def differs(self, level: float = LEVEL) -> bool:
        """Does it differ from the other rows of the node beyond chance?"""
        return self.p_value <= level


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Brief):
    """How the groups of a column fare in every node of a tree.

    k, name : the class of interest; None for other targets. stats : float64 (n_nodes, n_groups, S), of the rows that
    pass through or end in each node: weight of the other classes and of that of interest, else as in Tree.stats, of
    numbers around the node's center. told : float64 (n_nodes, n_groups), what the tree says of them on average; NaN
    without rows. per_row : rows per weight in the whole table, by which the tests scale weights.
    """

    tree: Tree
    grouping: Grouping
    k: int | None
    name: str | None
    stats: np.ndarray
    told: np.ndarray
    per_row: float = 1.0

    @property
    def column(self) -> str:
        return self.grouping.column

    @property
    def names(self) -> tuple[str, ...]:
        """Of all groups, also those without rows."""
        return self.grouping.names

    @property
    def label(self) -> str | None:
        """What texts call the class of interest; None for numbers."""
        return None if self.k is None else self.tree.class_names[self.k]

    @property
    def rows(self) -> np.ndarray:
        """float64 (n_nodes, n_groups): weight of the rows."""
        return self.stats[..., 0] if self.k is None else self.stats.sum(axis=-1)

    @property
    def shares(self) -> np.ndarray:
        """float64 (n_nodes, n_groups): of the rows of each node; 0 in a node without any."""
        rows = self.rows
        return rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-300)

    @property
    def rates(self) -> np.ndarray:
        """float64 (n_nodes, n_groups): share of the class of interest, or what rows of another target would be answered
        with by themselves; NaN without rows."""
        return self._rates(self.stats)

    def _rates(self, stats: np.ndarray, nodes: np.ndarray | slice = slice(None)) -> np.ndarray:
        if self.k is None:
            answers = self.tree.target_kind.answer_of(stats) + self.tree.center[nodes][:, None]
            return np.where(stats[..., 0] > 0, answers, nan)
        weight = stats.sum(axis=-1)
        return np.divide(stats[..., 1], weight, out=np.full(weight.shape, nan), where=weight > 0)

    def of_node(self, node: int) -> tuple[GroupRate, ...]:
        """The groups that have rows in a node, tested against its other rows."""
        return self._of_nodes(np.array([node]), by_node=True)[0]

    def differing(self, nodes: np.ndarray | None = None, level: float = LEVEL) -> tuple[tuple[int, GroupRate], ...]:
        """(node, group) where a group differs from the other rows beyond chance, the surest first.

        nodes : int64, the leaves where None. The p-values are corrected for all groups in all of these nodes.
        """
        nodes = np.flatnonzero(self.tree.is_leaf) if nodes is None else np.asarray(nodes, np.int64)
        result = zip(nodes.tolist(), self._of_nodes(nodes, by_node=False), strict=True)
        sure = [(node, group) for node, groups in result for group in groups if group.differs(level)]
        return tuple(sorted(sure, key=lambda pair: pair[1].p_value))

    def _of_nodes(self, nodes: np.ndarray, by_node: bool) -> list[tuple[GroupRate, ...]]:
        """Of each node. by_node : are p-values corrected within each node, or in all of them together?"""
        stats, rows, told = self.stats[nodes], self.rows[nodes], self.told[nodes]
        whole = stats.sum(axis=1, keepdims=True)
        rest = whole - stats if self.k is None else np.maximum(whole - stats, 0.0)
        rates, others = self._rates(stats, nodes), self._rates(rest, nodes)
        low, high = self._intervals(stats, rates)
        pairs = np.stack([rest, stats], axis=2) * self.per_row
        there = (rows > 0) & (rows < rows.sum(axis=1, keepdims=True))
        method, _, _, p = pair_tests(pairs[there], self.tree.target_kind)
        adjusted, methods = np.full(rows.shape, nan), np.full(rows.shape, METHODS[0], object)
        adjusted[there], methods[there] = p, [METHODS[m] for m in method.tolist()]
        adjusted = np.stack([adjust(each, "holm") for each in adjusted]) if by_node else _all_adjusted(adjusted)
        share = rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-300)
        return [
            tuple(
                GroupRate(
                    self.names[g],
                    float(rows[i, g]),
                    float(share[i, g]),
                    float(rates[i, g]),
                    float(low[i, g]),
                    float(high[i, g]),
                    float(told[i, g]),
                    float(others[i, g]),
                    float(rates[i, g] - others[i, g]),
                    float(adjusted[i, g]),
                    methods[i, g],
                )
                for g in np.flatnonzero(rows[i] > 0).tolist()
            )
            for i in range(len(nodes))
        ]

    def _intervals(self, stats: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self.k is not None:
            return wilson(stats[..., 1], stats.sum(axis=-1))
        if self.tree.schema.counts is not None:
            ends = [self.tree.target_kind.interval(of) for of in stats.reshape(-1, stats.shape[-1])]
            return tuple(np.array(ends).reshape(*stats.shape[:-1], 2).transpose(2, 0, 1))
        w, wy, wyy = np.moveaxis(stats, -1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            half = QUANTILE * np.sqrt(np.maximum(wyy / w - (wy / w) ** 2, 0.0) / w)
        return rates - half, rates + half

    # ------------------------------------------------------------ in words

    @property
    def noun(self) -> str:
        """What rates are: "rate" of a class or of counts, "mean", "hazard ratio" or "effect"."""
        return "rate" if self.k is not None else self.tree.target_kind.observed_noun

    def rate_text(self, rate: float) -> str:
        """A rate in few digits."""
        return percent(rate) if self.k is not None else self.tree.target_kind.figure_text(self.tree, rate)

    def __str__(self) -> str:
        """The rates of the groups among all rows, and what to know of them first."""
        groups, show = self.of_node(0), self.rate_text
        rows = ((g.name, count(g.rows, ","), show(g.rate), show(g.others), p_value(g.p_value)) for g in groups)
        head = (self.column, "rows", self.noun, "others", "p")
        return f"{self.text(0)}\n\n{text_table(head, rows, len(groups), 'groups more')}"

    def text(self, node: int) -> str:
        """ "In this leaf, region North: 21.0 % of 140 rows are “churn”, 9.0 % of the others (p = 0.002).";
        where no group differs beyond chance, that, and which one is furthest off."""
        place = "In all rows" if node == 0 else f"In this {'leaf' if self.tree.is_leaf[node] else 'node'}"
        groups = self.of_node(node)
        if len(groups) < 2:
            whose = "No row is here" if not groups else f"All rows here are of one group, {shorten(groups[0].name, 60)}"
            return f"{whose}: there is nothing to compare."
        sure = sorted((g for g in groups if g.differs()), key=lambda g: g.p_value)
        if sure:
            more = f"; {counted(len(sure) - 1, 'more group')} differ{'s' * (len(sure) == 2)}" * (len(sure) > 1)
            return f"{place}, {self.of_group(sure[0])}{more}."
        tested = [g for g in groups if not isnan(g.p_value)]
        if not tested:
            return f"{place} the groups of {self._called} have too few rows to compare, or all are alike."
        far = max(tested, key=lambda g: abs(g.difference))
        none = f"{place}, no group of {self._called} differs significantly from the others"
        return f"{none}. Furthest: {self.of_group(far)}."

    @property
    def _called(self) -> str:
        return shorten(self.column, 40)

    def of_group(self, group: GroupRate) -> str:
        """ "region North: 21.0 % of 140 rows are “churn”, 9.0 % of the others (p = 0.002)"."""
        name, said = f"{self._called} {shorten(group.name, 60)}", p_value(group.p_value)
        p = f"p {said}" if said[:1] in "<–" else f"p = {said}"
        rows = counted_rows(group.rows)
        if self.k is None:
            quantity = shorten(self.tree.target_kind.observed_quantity(self.tree), 45)
            rate, others = self.rate_text(group.rate), self.rate_text(group.others)
            return f"{name}: {quantity} {rate} of {rows}, the others {others} ({p})"
        verb = "is" if group.rows == 1 else "are"
        rate = f"{percent(group.rate)} of {rows} {verb} “{shorten(self.label or '', 40)}”"
        return f"{name}: {rate}, {percent(group.others)} of the others ({p})"

    # ------------------------------------------------------------ as a table

    def columns(self, nodes: np.ndarray | None = None) -> dict[str, list]:
        """node, leaf, group, and the figures of GroupRate, a row per node and group with rows; nodes : all if None."""
        nodes = np.arange(self.tree.n_nodes) if nodes is None else np.asarray(nodes, np.int64)
        result = zip(nodes.tolist(), self._of_nodes(nodes, by_node=True), strict=True)
        lines = [(node, bool(self.tree.is_leaf[node]), *vars(g).values()) for node, groups in result for g in groups]
        heads = ("node", "leaf", "group", *list(GroupRate.__dataclass_fields__)[1:])
        return {head: [line[i] for line in lines] for i, head in enumerate(heads)}

    def to_frame(self, kind: str = "pandas", nodes: np.ndarray | None = None) -> AnyFrame:
        """A frame of this kind of these columns; shares are from 0 to 1."""
        import pyarrow as pa

        return as_kind(pa.table(self.columns(nodes)).to_pandas(), kind)


def _all_adjusted(p: np.ndarray) -> np.ndarray:
    return adjust(p.ravel(), "holm").reshape(p.shape)


def counted_rows(weight: float) -> str:
    """ "1 row", "140 rows", "13.5 rows"."""
    return f"{count(weight, ',')} {'row' if weight == 1 else 'rows'}"


def groups(
    tree: Tree,
    table: Table | Mapping[str, Table],
    column: str | Column | Mapping[str, Column],
    class_of_interest: str | None = None,
    by: Grouping | None = None,
) -> Groups:
    """How the groups of a column fare in every node: their rows, their rates, and what the tree says of them.

    table : rows with a target; role -> Table counts all of them together. column : the name of one in the table, be it
    a feature, left out, or never asked for; or a Column of the same rows. class_of_interest : whose rate is told; by
    itself the rarer of two classes, of more the rarest; None for numbers. by : groups that were made before; by itself
    those of the (first) table, see `grouping`.
    Rows without a target, or of a class that the tree does not know, are not counted.
    """
    class_of_interest = interest_named(tree, class_of_interest)
    k = place_of_class(tree, class_of_interest)
    parts = list(table.values()) if isinstance(table, Mapping) else [table]
    if isinstance(column, Mapping):
        if not isinstance(table, Mapping) or table.keys() - column.keys():
            remedy = "Give one column of the table, or tables and columns of the same roles"
            raise TreecoreError("Columns are given by role, and not every table has one", where="column", remedy=remedy)
        columns = [column[role] for role in table]
    else:
        columns = [column if isinstance(column, Column) else part.column(column) for part in parts]
    if any(c.n_rows != part.n_rows for c, part in zip(columns, parts, strict=True)):
        remedy = "Give a column of the same rows"
        raise TreecoreError(
            f"It has {columns[0].n_rows} rows, the table {parts[0].n_rows}", where="column", remedy=remedy
        )
    by = by or grouping(columns[0], parts[0].case_weights)
    counts = [_counted(tree, part, by.places(c), len(by), k) for part, c in zip(parts, columns, strict=True)]
    stats, told, weight = (sum(found[i] for found in counts) for i in range(3))
    n_rows = sum(found[3] for found in counts)
    told = np.divide(told, weight, out=np.full(told.shape, nan), where=weight > 0)
    rows = float(stats[0].sum() if k is not None else stats[0, :, 0].sum())
    return Groups(tree, by, k, class_of_interest, stats, told, n_rows / rows if rows > 0 else 1.0)


def _counted(tree: Tree, table: Table, group: np.ndarray, n_groups: int, k: int | None) -> tuple:
    """(statistics of each node and group, what the tree says of them times the weight that it is said of, that weight,
    rows that are counted). group : int64 (n_rows,)."""
    routes = route(tree, table)
    weight = routes.share * routes.of_rows(table.case_weights)
    cell = routes.node * n_groups + routes.of_rows(group)
    sums = lambda amounts: np.bincount(cell, amounts, tree.n_nodes * n_groups).reshape(-1, n_groups)  # noqa: E731
    if k is not None:
        label = true_labels(tree, table)
        known, label = label >= 0, routes.of_rows(label)
        kinds = [np.where((label >= 0) & (label != k), weight, 0.0), np.where(label == k, weight, 0.0)]
        ends = np.stack([sums(amounts) for amounts in kinds], axis=2)
        rows = ends.sum(axis=2)
    else:
        kind, truth = tree.target_kind, true_target(tree, table)
        known, truth = kind.is_known(truth), routes.of_rows(truth)
        truth = truth - tree.center[routes.node] if kind.around_center else truth
        ends = kind.row_sums(cell, tree.n_nodes * n_groups, weight, truth).reshape(tree.n_nodes, n_groups, -1)
        rows = kind.per_of(ends)
    stats = np.stack([add_up_statistics(tree, ends[:, g]) for g in range(n_groups)], axis=1)
    rates = segment_rates(tree, k)
    answered = np.where(np.isnan(rates)[:, None], 0.0, rows)
    told, answered = _below(tree, answered * np.nan_to_num(rates)[:, None]), _below(tree, answered)
    return stats, told, answered, int(np.count_nonzero(known & (table.case_weights > 0)))


def _below(tree: Tree, ends: np.ndarray) -> np.ndarray:
    """float64 (n_nodes, ...): amounts of the nodes where rows end, added up over all nodes below."""
    total = np.array(ends)
    for nodes in reversed(tree.levels[1:]):
        np.add.at(total, tree.parent[nodes], total[nodes])
    return total
