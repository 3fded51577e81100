"""Growing with oblique splits: sums of features are offered beside the features, and why a node asks such a sum."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from treecore.data.table import Table
from treecore.data.table_like import Terms
from treecore.errors import TreecoreError
from treecore.figures import brief
from treecore.growing.directions import DIRECTIONS, NO_SUMS, Cases, Direction, as_terms, without_small
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.inspect.node_values import node_rows
from treecore.growing.loop import Progress
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.oblique import oblique_nodes, with_sums, with_useful_surrogates
from treecore.tree.tree import Tree

MOST_SUMS = 64
"""Sums that are offered at most: each is one feature more to be searched."""
FEWEST_ROWS = 4
AHEAD = 3
"""Levels whose nodes are looked at before the tree is grown anew."""
Grower = Callable[[Table, GrowSettings, tuple[ForcedSplit, ...]], Tree]


def grow_with_sums(
    table: Table, growth: GrowSettings, grow: Grower, imposed: tuple[ForcedSplit, ...] = (), progress=None
) -> Tree:
    """The tree of these settings where splits may also ask for a weighted sum of numeric features, w · x + w0 > 0.

    Some levels at a time, each node looks for directions among its rows; below a node that found one, nodes do so when
    the tree has grown anew with what was found. A direction is offered if it tells the target in so
    many bits fewer than the best single feature that its further coefficients are paid for: each costs half the
    logarithm of the node's weight and that of the number of features, times the price (0: any that is better pays). It
    is then a feature as others are, to all nodes, and the settings' own criterion and limits decide. Features are
    standardised for the search; the sums are in the table's units. Rows without one of the values have no sum: the
    settings' way with missing values sends them on. A table of fewer than two numeric features has no sums.
    grow : makes a tree of a table with such features and settings without oblique splits. imposed, progress : see
    growing.grower.grow_tree; the sums that imposed splits ask for are offered from the start.
    Raises TreecoreError for a target that the directions have no meaning for, and for too many rows to try all.
    """
    plain, search = replace(growth, oblique=NO_SUMS), SumSearch(table, growth, progress)
    _check(table, search.way)
    wished = dict.fromkeys(split.terms for split in imposed if split.terms)

    def grown(wide: Table, settings: GrowSettings) -> Tree:
        names = {column.terms: column.name for column in wide.columns if column.terms}
        return grow(wide, settings, tuple(replace(s, feature=names.get(s.terms, s.feature)) for s in imposed))

    sums, wide, level = dict(wished), with_sums(table, tuple(wished)), 0
    draft = _draft(table, plain)
    tree = grown(wide, _down_to(AHEAD - 1, draft))
    while len(sums) < MOST_SUMS and level <= tree.depth:
        result = _new_sums(tree, tree.apply(wide), range(level, level + AHEAD), search, sums, growth)
        new = list(result)[: MOST_SUMS - len(sums)]
        level = 1 + min(result.values()) if result else level + AHEAD
        if new:
            sums, wide = sums | dict.fromkeys(new), with_sums(wide, new)
        if new or tree.growth["max_depth"] != draft.max_depth:
            tree = grown(wide, _down_to(level + AHEAD - 1, draft) if new else draft)
    used = _used(tree) | wished
    if draft != plain or len(used) < len(sums):
        tree = grown(with_sums(table, [terms for terms in sums if terms in used]), plain)
    return replace(with_useful_surrogates(tree), growth=growth.to_dict())


def _draft(table: Table, growth: GrowSettings) -> GrowSettings:
    """The settings of the trees in between: surrogates send no row where none lacks a value, and take long to list."""
    return growth if any(c.n_missing for c in table.feature_columns) else replace(growth, max_surrogates=0)


def _down_to(level: int, growth: GrowSettings) -> GrowSettings:
    """No deeper than this level, where the splits down to there do not depend on those below."""
    if growth.max_leaves is not None or growth.patience:
        return growth
    return replace(growth, max_depth=level if growth.max_depth is None else min(level, growth.max_depth))


def _check(table: Table, way: Direction) -> None:
    if table.task == "regression" and not way.for_numbers:
        fitting = ", ".join(w.name for w in DIRECTIONS.values() if w.for_numbers)
        raise TreecoreError(
            f"{way.label} needs a target of classes", where="oblique", remedy=f"Choose one of: {fitting}"
        )


def _used(tree: Tree) -> dict[Terms, None]:
    """The sums that a tree asks for."""
    return dict.fromkeys(tree.schema.features[f].terms for f in tree.splits.feature[oblique_nodes(tree)])


def _new_sums(
    tree: Tree, ends: np.ndarray, levels: range, search: "SumSearch", sums: dict[Terms, None], growth: GrowSettings
) -> dict[Terms, int]:
    """Sums beside these that nodes of these levels found, and on which level: not of nodes below one that found one.

    ends : int64 (n_rows,), the nodes that the rows end in.
    """
    result: dict[Terms, int] = {}
    away = np.zeros(tree.n_nodes, bool)
    for level in levels:
        there = np.flatnonzero(tree.node_depth == level)
        away[there] = level > 0 and away[tree.parent[there]]
        for node, rows in _to_be_split(tree, ends, there[~away[there]], growth):
            new = [terms for terms in search.sums(rows) if terms not in sums]
            away[node] = bool(new)
            result |= {terms: level for terms in new if terms not in result}
    return result


def _to_be_split(tree: Tree, ends: np.ndarray, nodes: np.ndarray, growth: GrowSettings) -> list[tuple[int, np.ndarray]]:
    """Those of these nodes of one level that have more than one answer and may be split, and their rows (int64)."""
    fewest = max(FEWEST_ROWS, growth.min_rows_split, 2 * growth.min_rows_leaf)
    nodes = nodes[(tree.impurity[nodes] > 0) & (tree.n_rows[nodes] >= fewest)]
    if not len(nodes) or (growth.max_depth is not None and tree.node_depth[nodes[0]] >= growth.max_depth):
        return []
    above = np.arange(tree.n_nodes)
    for _ in range(tree.depth - tree.node_depth[nodes[0]]):
        above = np.where(tree.node_depth[above] > tree.node_depth[nodes[0]], tree.parent[above], above)
    wanted = np.zeros(tree.n_nodes, bool)
    wanted[nodes] = True
    rows = np.flatnonzero(wanted[above][ends])
    above = above[ends[rows]].astype(np.min_scalar_type(tree.n_nodes))  # short numbers are sorted far sooner
    order = np.argsort(above, kind="stable")
    begin, stop = (np.searchsorted(above[order], nodes, side) for side in ("left", "right"))
    return [(node, rows[order[b:s]]) for node, b, s in zip(nodes.tolist(), begin, stop, strict=True)]


class Standardised(NamedTuple):
    """Rows of a node as Cases. rows : int64 (n,). features : int64 (d,), those that vary there, among the numeric ones.
    names : (d,). scale : float64 (d,), their deviations."""

    cases: Cases
    rows: np.ndarray
    features: np.ndarray
    names: list[str]
    scale: np.ndarray


class SumSearch:
    """The search for sums of one fit. Its random starts follow each other from the settings' seed.

    values : float64 (d, n), of the numeric features. known : bool (n,), rows that have all of them and count.
    """

    def __init__(self, table: Table, growth: GrowSettings, progress: Callable | None):
        self.way, self._price = DIRECTIONS[growth.oblique], growth.coefficient_price
        self._random, self._progress = np.random.default_rng(growth.seed), progress
        self._seen: set[int] = set()
        columns = [c for c in table.feature_columns if c.kind == "numeric"]
        self._names, self._weight = [c.name for c in columns], table.case_weights
        self._values = np.array([c.values() for c in columns]).reshape(len(columns), table.n_rows)
        self._n_classes, target = len(table.classes), table.target_column
        self._target = target.codes if self._n_classes else target.values()
        self._known = ~np.isnan(self._values).any(axis=0) & ~target.missing & (self._weight > 0)

    def sums(self, rows: np.ndarray) -> list[Terms]:
        """The best sum of the features among these rows of a node, as a list; [] where none is worth its length, and
        where they were looked at before."""
        n_seen = len(self._seen)
        self._seen.add(hash(rows.tobytes()))
        if len(self._seen) == n_seen:
            return []
        if self._progress is not None:
            self._progress(Progress(len(self._seen), 1))
        there = self.standardised(rows)
        chosen = None if there is None else self._chosen(there.cases)
        if there is None or chosen is None:
            return []
        values = self._values[there.features[:, None], there.rows]
        return [as_terms(there.names, chosen[0] / there.scale, values, there.cases, chosen[1])]

    def standardised(self, rows: np.ndarray) -> Standardised | None:
        """Those of these rows that have all values; None where they have nothing to add up or one answer alone."""
        rows = rows[self._known[rows]]
        if len(self._names) < 2 or len(rows) < FEWEST_ROWS:
            return None
        x, target = self._values.take(rows, axis=1), self._target[rows]
        mean = x.mean(axis=1)
        x -= mean[:, None]
        scale = np.sqrt(np.einsum("ij,ij->i", x, x) / len(rows))
        varies = np.flatnonzero(scale > 1e-12 * np.abs(mean))
        if len(varies) < 2 or (target == target[0]).all():
            return None
        if len(varies) < len(x):
            x, scale = x[varies], scale[varies]
        x /= scale[:, None]
        cases = Cases(x.T, target, self._weight[rows], self._n_classes, self._price)
        return Standardised(cases, rows, varies, [self._names[f] for f in varies], scale)

    def _chosen(self, cases: Cases) -> tuple[np.ndarray, float] | None:
        """(weights, bits) of the best direction, if it is worth its length."""
        least = cases.coefficient_bits
        if cases.n_classes and cases.whole_bits <= least:
            return None
        single, _ = cases.best_feature()
        if cases.n_classes and single <= least:
            return None  # so few bits cannot pay for a second coefficient; those of numbers have no least
        return _worth_it(cases, single, self.way.find(cases, self._random))


def _worth_it(cases: Cases, single: float, found: np.ndarray) -> tuple[np.ndarray, float] | None:
    """(weights, bits) of the direction that saves most, unless one feature, which leaves `single` bits, does as well.

    Coefficients are only dropped of a direction that could pay for two of them as it is.
    """
    least, chosen = single - 1e-9, None
    for w, line in zip(found, found @ cases.x.T, strict=True):
        if cases.best_line(line[None], np.array([cases.coefficient_bits]), single)[1] < 0:
            continue
        fewer = without_small(cases, w, least)
        if fewer is not None:
            least, chosen = fewer[1] + cases.coefficient_bits * (np.count_nonzero(fewer[0]) - 1) - 1e-9, fewer
    return chosen


# Why a node asks this weighted sum, and what the features that were left out of it would save, in sentences.

MOST_NAMES = 5


def why_sum(tree: Tree, node: int, train: Table) -> str:
    """What a coefficient must save, in bits to tell the target of the node's training rows, the loss by the features
    that were left out of the sum, and by the best single feature instead of it; "" for any other split.

    The loss is that beside the best direction of all features, as the tree's way to find them finds it there.
    """
    growth = GrowSettings.from_dict(dict(tree.growth))
    terms = {} if tree.is_leaf[node] else dict(tree.schema.features[tree.splits.feature[node]].terms)
    if not terms or growth.oblique == NO_SUMS:
        return ""
    search = SumSearch(train, growth, None)
    there = search.standardised(node_rows(tree, node, train).rows)
    if there is None or not set(terms) <= set(there.names):
        return ""
    mine = there.cases.cut_bits(_weights(there, terms) @ there.cases.x.T)
    single, _ = there.cases.best_feature()
    least = there.cases.coefficient_bits
    instead = f"The best single feature would take {brief(max(single - mine, 0.0))} bits more to tell the target here."
    paid = f"A further coefficient must save {brief(least)} bits."
    return " ".join([instead, paid, _left_out(there, terms, mine, search, growth.seed)])


def _weights(there: Standardised, terms: dict[str, float]) -> np.ndarray:
    """float64 (d,): of the standardised features."""
    return np.array([terms.get(name, 0.0) for name in there.names]) * there.scale


def _left_out(there: Standardised, terms: dict[str, float], mine: float, search: SumSearch, seed: int) -> str:
    names = [name for name in there.names if name not in terms]
    if not names:
        return "No feature was left out of the sum."
    result = search.way.find(there.cases, np.random.default_rng(seed))
    whole = float(there.cases.cuts_bits(result @ there.cases.x.T).min()) if len(result) else mine
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    loss = f"{brief(mine - whole)} bits are lost by that" if whole < mine - 1e-9 else "nothing is lost by that"
    return f"Left out: {', '.join(names[:MOST_NAMES])}{more}; {loss}."
