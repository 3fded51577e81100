"""Every split that was possible at a node, with its numbers."""

from dataclasses import dataclass, replace

import numpy as np

from treecore.data.column import Column
from treecore.data.table import Table
from treecore.growing.parts import THRESHOLD_RULES
from treecore.growing.settings import Growth
from treecore.kernels.candidates import multiway_gain, prefix_gains
from treecore.kernels.codes import LEVELS
from treecore.kernels.node_impurity import impurity_of
from treecore.tree.predict import route
from treecore.tree.tree import Tree


@dataclass(frozen=True)
class Candidate:
    """One split of one feature at a node.

    threshold : of an ordered feature, else None. branches : level names per branch of a nominal one, else ().
    stats : float64 (n_branches, S), n_rows : rows of positive weight per branch; both over known values.
    gain : impurity decrease (times the share of known values). chosen : the tree has this split.
    """

    feature: str
    threshold: float | None
    branches: tuple[tuple[str, ...], ...]
    gain: float
    stats: np.ndarray
    n_rows: tuple[int, ...]
    chosen: bool = False

    @property
    def groups(self) -> frozenset:
        """The branches without their order."""
        return frozenset(frozenset(b) for b in self.branches)


@dataclass(frozen=True, eq=False)
class Candidates:
    """All candidates of a node, best first; equal gains in feature order, then in scan order.

    Gains are divided by the features' costs, if they have any, to find the order.

    impurity, weight : of the node on the rows given, as altered by priors and costs.
    heuristic : features with too many levels for all their groupings to be listed.
    """

    node: int
    criterion: str
    impurity: float
    weight: float
    ranked: tuple[Candidate, ...]
    heuristic: tuple[str, ...] = ()

    def per_feature(self) -> tuple[Candidate, ...]:
        """The best candidate of every feature, best feature first."""
        best = {}
        for candidate in self.ranked:
            best.setdefault(candidate.feature, candidate)
        return tuple(best.values())

    def of(self, feature: str) -> tuple[Candidate, ...]:
        """One feature's candidates, best first."""
        return tuple(c for c in self.ranked if c.feature == feature)


@dataclass(frozen=True, eq=False)
class _Values:
    """A node's rows summed up per distinct known value of one feature, in code order."""

    column: Column
    codes: np.ndarray
    stats: np.ndarray
    weight: np.ndarray
    rows: np.ndarray


def candidates(tree: Tree, node: int, table: Table, limit: int = 20) -> Candidates:
    """Search one node again, on the rows of `table` that pass through it, and keep every candidate.

    table : normally the training rows. limit : most candidates kept per feature (the best ones).
    Limits on rows per leaf apply as they did when the tree was grown.
    """
    growth = Growth.from_dict(dict(tree.growth))
    node = tree.node(node).id
    rows, share = _rows_at(tree, node, table)
    weight = share if table.weights is None else share * table.weights[rows]
    if tree.classes:  # priors and costs alter weights while splits are judged
        weight = weight * tree.class_factor[table.column(tree.schema.target).codes[rows]]
    contributions = _contributions(tree, table, rows, weight)
    whole = contributions.sum(axis=0)
    total = float(weight.sum())
    found, heuristic, costs = [], [], dict(growth.costs)
    for f, name in enumerate(s.name for s in tree.schema.features):
        values = _per_value(table.column(name), rows, weight, contributions)
        if len(values.codes) > 1 and values.weight.any():
            best = _of_feature(tree, growth, values, total, limit)
            found += [(-c.gain / costs.get(name, 1.0), f, i, c) for i, c in best]
            if _is_heuristic(tree, growth, values):
                heuristic.append(name)
    impurity = impurity_of(tree.judge, whole, total)
    found = _in_order(found, growth.tolerance * impurity)
    ranked = tuple(_marked(tree, node, c) for *_, c in found)
    return Candidates(node, tree.criterion, impurity, total, ranked, tuple(heuristic))


def _in_order(found: list, tolerance: float) -> list:
    """By falling gain; gains within the tolerance of the first of a run are equal: feature, then scan order."""
    found.sort(key=lambda entry: entry[0])
    runs, start = [], 0
    for i in range(1, len(found) + 1):
        if i == len(found) or found[i][0] > found[start][0] + tolerance:
            runs += sorted(found[start:i], key=lambda entry: entry[1:3])
            start = i
    return runs


def _rows_at(tree: Tree, node: int, table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Row positions that pass through the node and their shares."""
    routes = route(tree, table)
    inside = tree.descendants(node)
    inside[node] = True
    here = inside[routes.node]
    share = np.bincount(routes.row[here], routes.share[here], table.n_rows)
    rows = np.flatnonzero(share > 0)
    return rows, share[rows]


def _contributions(tree: Tree, table: Table, rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """float64 (len(rows), S): what each row adds to a node's statistics."""
    target = table.column(tree.schema.target)
    if tree.classes:
        result = np.zeros((len(rows), len(tree.classes) + 1))
        result[np.arange(len(rows)), target.codes[rows]] = weight
        return result[:, :-1]
    y = target.values()[rows] - tree.center
    return np.stack([weight, weight * y, weight * y * y], axis=1)


def _per_value(column: Column, rows: np.ndarray, weight: np.ndarray, contributions: np.ndarray) -> _Values:
    codes = column.codes[rows]
    known = codes < column.n_distinct
    present, position = np.unique(codes[known], return_inverse=True)
    stats = np.zeros((len(present), contributions.shape[1]))
    np.add.at(stats, position, contributions[known])
    sums = np.bincount(position, weight[known], len(present))
    n_rows = np.bincount(position, weight[known] > 0, len(present)).astype(np.int64)
    return _Values(column, present, stats, sums, n_rows)


def _of_feature(tree: Tree, growth: Growth, values: _Values, total: float, limit: int) -> list[tuple]:
    """(position in the scan, candidate) of the best admissible candidates of one feature."""
    ordered = values.column.kind in ("numeric", "ordinal")
    if not ordered and growth.nominal == "multiway":
        return [(0, _multiway(tree, values, total))] if _enough_branches(tree, growth, values) else []
    orders = [np.arange(len(values.codes))] if ordered else _level_orders(tree, growth, values)
    parent = impurity_of(tree.judge, values.stats.sum(axis=0), values.weight.sum())
    gains = np.array([_gains(tree, growth, values, order, parent) for order in orders])
    gains *= values.weight.sum() / total
    best = np.argsort(-gains, axis=None, kind="stable")
    unique = {}
    for position in best[: np.count_nonzero(np.isfinite(gains))]:
        i, cut = divmod(int(position), gains.shape[1])
        candidate = _binary(growth, values, orders[i], cut, float(gains[i, cut]), ordered)
        unique.setdefault((candidate.threshold, candidate.groups), (int(position), candidate))
        if len(unique) == limit:
            break
    return list(unique.values())


def _gains(tree: Tree, growth: Growth, values: _Values, order: np.ndarray, parent: float) -> np.ndarray:
    min_weight = growth.min_share_leaf * tree.weight[0]
    per_value = values.stats[order], values.weight[order], values.rows[order]
    return prefix_gains(tree.judge, parent, *per_value, growth.min_rows_leaf, min_weight)


def _enough_branches(tree: Tree, growth: Growth, values: _Values) -> bool:
    """Do at least two levels hold the least rows and weight of a branch?"""
    enough = (values.rows >= growth.min_rows_leaf) & (values.weight >= growth.min_share_leaf * tree.weight[0])
    return np.count_nonzero(enough) >= 2


def _is_heuristic(tree: Tree, growth: Growth, values: _Values) -> bool:
    nominal = values.column.kind in ("nominal", "boolean") and growth.nominal == "subset"
    return nominal and len(tree.classes) > 2 and len(values.codes) > growth.max_exhaustive


def _level_orders(tree: Tree, growth: Growth, values: _Values) -> list[np.ndarray]:
    """Orders of the levels whose cuts are the groupings to try; see kernels.levels.scan_subsets."""
    stats, weight = values.stats, np.maximum(values.weight, 1e-300)
    if len(tree.classes) <= 2:
        mean = stats[:, 1] / weight
        return [np.argsort(mean, kind="stable")]
    n = len(values.codes)
    if n > growth.max_exhaustive:
        return [np.argsort(stats[:, k] / weight, kind="stable") for k in range(len(tree.classes))]
    return [_in_front(subset, n) for subset in range(1, 1 << (n - 1))]


def _in_front(subset: int, n: int) -> np.ndarray:
    """The levels of this subset first, as an order whose only new cut is the one behind them."""
    inside = [v for v in range(n) if subset >> v & 1]
    return np.array(inside + [v for v in range(n) if not subset >> v & 1])


def _binary(growth: Growth, values: _Values, order: np.ndarray, cut: int, gain: float, ordered: bool) -> Candidate:
    sides = order[: cut + 1], order[cut + 1 :]
    stats = np.stack([values.stats[side].sum(axis=0) for side in sides])
    n_rows = tuple(int(values.rows[side].sum()) for side in sides)
    if ordered:
        low, high = (_number(values.column, values.codes[i], growth) for i in (cut, cut + 1))
        threshold = float(THRESHOLD_RULES[growth.threshold].place(np.array([low]), np.array([high]))[0])
        return Candidate(values.column.name, threshold, (), gain, stats, n_rows)
    names = tuple(tuple(values.column.levels[c] for c in sorted(values.codes[side])) for side in sides)
    return Candidate(values.column.name, None, names, gain, stats, n_rows)


def _number(column: Column, code: int, growth: Growth) -> float:
    value = float(column.distinct[code]) if column.kind == "numeric" else float(code)
    return float(np.float32(value)) if THRESHOLD_RULES[growth.threshold].precision == "float32" else value


def _multiway(tree: Tree, values: _Values, total: float) -> Candidate:
    parent = impurity_of(tree.judge, values.stats.sum(axis=0), values.weight.sum())
    gain = multiway_gain(tree.judge, parent, values.stats, values.weight) * (values.weight.sum() / total)
    names = tuple((values.column.levels[c],) for c in values.codes)
    n_rows = tuple(int(r) for r in values.rows)
    return Candidate(values.column.name, None, names, float(gain), values.stats, n_rows)


def _marked(tree: Tree, node: int, candidate: Candidate) -> Candidate:
    """The candidate with its statistics as the rows are counted, flagged if the tree has this split here."""
    if tree.classes:
        stats = np.divide(candidate.stats, tree.class_factor, out=candidate.stats * 0, where=tree.class_factor > 0)
        candidate = replace(candidate, stats=stats)
    if tree.is_leaf[node] or tree.node(node).feature != candidate.feature:
        return candidate
    if candidate.threshold is not None:
        chosen = bool(np.isclose(candidate.threshold, tree.splits.threshold[node], rtol=1e-12, atol=0))
    else:
        chosen = candidate.groups <= _groups(tree, node) if candidate.groups else False
    if not chosen:
        return candidate
    return replace(candidate, chosen=True)


def _groups(tree: Tree, node: int) -> frozenset:
    """The levels of each branch of a node's split, without their order."""
    assert tree.splits.kind[node] == LEVELS
    branch = tree.splits.levels(node)
    levels = tree.schema.features[tree.splits.feature[node]].levels
    ids = set(branch[branch >= 0].tolist())
    return frozenset(frozenset(levels[v] for v in np.flatnonzero(branch == b)) for b in ids)
