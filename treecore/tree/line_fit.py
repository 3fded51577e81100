"""Lines fitted to the rows of a tree's nodes: few features each, found one after the other. Those of numbers are found
by least squares, those of the log-odds of two classes by maximum likelihood.

Sources: Quinlan (1992), Learning with continuous classes (M5); Wang and Witten (1997), M5', for the error by which a
term of numbers must pay and for smoothing. Landwehr, Hall and Frank (2005), Logistic model trees, for logistic
regression in the leaves; le Cessie and van Houwelingen (1992) for its ridge; Rao (1948) for the score by which the next
feature is found; Akaike (1974) for what a term must pay.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.target import answered_by_lines
from treecore.tree.columns import TreeColumns
from treecore.tree.leaf_lines import LARGEST, LeafLines
from treecore.tree.node_statistics import true_target
from treecore.tree.predict import route
from treecore.tree.values import plain_numbers

AnyTree = TypeVar("AnyTree", bound=TreeColumns)
CONSTANT, LINEAR = "constant", "linear"
COLLINEAR = 1e-6
"""A feature of which the terms so far leave no larger share of its squares adds nothing to a line."""
SAVED = 1e-12
"""Share of an error by which a term must lower it: less is rounding."""
LEAST_RIDGE = 1e-2
"""Of lines of log-odds, which have no best coefficients without one where a line parts the classes."""
MOST_STEPS = 100
"""Of Newton's method; it takes about 6, and more where a line parts the classes."""


def with_lines(tree: AnyTree, rows: Table) -> AnyTree:
    """The tree whose nodes answer with lines fitted to these rows, where its settings of growth ask for that; else the
    tree as it is."""
    if tree.growth.get("leaf_model", CONSTANT) != LINEAR:
        return tree
    growth = tree.growth
    return replace(
        tree,
        lines=fitted_lines(
            tree, rows, int(growth["line_features"]), float(growth["line_ridge"]), float(growth["line_smoothing"])
        ),
    )


def refitted(tree: AnyTree, rows: Table) -> AnyTree:
    """The tree with its lines, if it has any, fitted to these rows: after rows have changed their nodes."""
    return tree if tree.lines is None else with_lines(tree, rows)


def adjusted_error(error: np.ndarray, n: np.ndarray, n_parameters: np.ndarray | int) -> np.ndarray:
    """float64: M5's estimate of the root mean squared error on new rows, (n + v) / (n - v) times that in training.

    error : sum of squares on n rows. n_parameters : v, how many numbers were fitted. With as many parameters as rows
    the factor is 10, as in Weka.
    """
    factor = np.where(n > n_parameters, (n + n_parameters) / np.where(n > n_parameters, n - n_parameters, 1.0), 10.0)
    return factor * np.sqrt(error / np.maximum(n, 1e-300))


def fitted_lines(tree: TreeColumns, rows: Table, most: int, ridge: float = 0.0, smoothing: float = 0.0) -> LeafLines:
    """A line for every node, of the rows that the tree sends there.

    most : terms of a line at most. They are chosen greedily among the numeric features: the one that lowers the sum of
    squares most, the first of equals, as long as M5's adjusted error falls with it. A missing value counts as the mean
    of the node's rows. Of classes see logistic_lines.
    ridge : lambda; the coefficients minimise the squares plus lambda times the weight of the rows times the sum of
    (coefficient times standard deviation)². smoothing : k of M5; a node answers with (n p + k q) / (n + k) all the way
    up, p what comes from below, where n rows are, and q the line of the node above; 0 for none.
    """
    fitting, fit = _Fitting.of(tree, rows), FITS[tree.target_kind.link]
    made = [fit(fitting, nodes, at, entry, most, ridge) for nodes, at, entry in _levels(tree, fitting)]
    lines = _joined(tree, made)
    if smoothing > 0:
        lines = _smoothed(tree, fitting, lines, smoothing)
    return _with_errors(tree, fitting, lines)


@dataclass(frozen=True, eq=False, repr=False)
class _Fitting(Brief):
    """The rows, each once for every node that its route ends in.

    features : indices of those that lines may have. values : float64 (features, n_rows). row, end : int64 (m,), and
    weight, y : float64 (m,), of the rows with a target and a weight; of classes y is 1 for the second one, else 0, and
    weights are those by priors. case : float64 (m,), weights as they are. unit : rows per weight of one.
    """

    features: np.ndarray
    values: np.ndarray
    row: np.ndarray
    end: np.ndarray
    weight: np.ndarray
    case: np.ndarray
    y: np.ndarray
    unit: float

    @classmethod
    def of(cls, tree: TreeColumns, rows: Table) -> "_Fitting":
        named = [f for f, feature in enumerate(tree.schema.features) if feature.numeric and not feature.terms]
        features, routes = np.array(named, np.int64), route(tree, rows)
        y = true_target(tree, rows)[routes.row]
        weight = routes.share * rows.case_weights[routes.row]
        known = (weight > 0) & tree.target_kind.is_known(y)
        row, end, weight, y = routes.row[known], routes.node[known], weight[known], y[known]
        case = weight
        if tree.classes:
            weight, y = weight * tree.prior_factor[y], y.astype(float)
        n_rows = len(np.unique(row))
        unit = n_rows / weight.sum() if n_rows else 1.0
        values = plain_numbers(tree.schema, features, rows)
        values[~(np.abs(values) < LARGEST)] = np.nan
        return cls(features, values, row, end, weight, case, y, unit)

    def means(self, f: int, place: np.ndarray, entry: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
        """(means float64 (n,) of feature f at each place, NaN without known values; values less them, 0 where missing).

        place : int64 (m,), 0 to n - 1, of these entries.
        """
        x, weight = self.values[f, self.row[entry]], self.weight[entry]
        known = ~np.isnan(x)
        scale = np.abs(x[known]).max(initial=0.0) or 1.0  # squares of large numbers are still numbers
        total = np.bincount(place, weight * known, n)
        sums = np.bincount(place, weight * np.where(known, x / scale, 0.0), n)
        mean = np.divide(sums, total, out=np.full(n, np.nan), where=total > 0) * scale
        return mean, np.where(known, x - mean[place], 0.0)


@dataclass(frozen=True, eq=False, repr=False)
class _LevelLines(Brief):
    """The lines of some nodes: intercept (n,), and of up to k terms each place among the features (-1: none),
    coefficient, fill, low and high, (n, k)."""

    nodes: np.ndarray
    intercept: np.ndarray
    place: np.ndarray
    coefficient: np.ndarray
    fill: np.ndarray
    low: np.ndarray
    high: np.ndarray


def _levels(tree: TreeColumns, fitting: _Fitting):
    """(nodes of a depth, place among them of each entry there, these entries), from the deepest to the root."""
    at = fitting.end.copy()
    for depth in range(tree.depth, -1, -1):
        nodes = tree.levels[depth]
        entry = np.flatnonzero(tree.node_depth[at] == depth)
        yield nodes, np.searchsorted(nodes, at[entry]), entry
        at[entry] = tree.parent[at[entry]]


def _level(fitting: _Fitting, nodes: np.ndarray, at: np.ndarray, entry: np.ndarray, most: int, ridge: float):
    """The lines of all nodes of a depth at once: nothing takes as long as there are nodes or rows of one node."""
    n, weight = len(nodes), fitting.weight[entry]
    total = np.bincount(at, weight, n)
    some = total > 0
    mean = np.divide(np.bincount(at, weight * fitting.y[entry], n), total, out=np.full(n, np.nan), where=some)
    left = fitting.y[entry] - mean[at]  # what the terms so far leave of the target
    columns: list[np.ndarray] = []
    basis: list[np.ndarray] = []
    place = np.full((n, most), -1)
    error, growing = np.bincount(at, weight * left**2, n), some & (total * fitting.unit > 2)
    least = 1e-20 * np.bincount(at, weight * fitting.y[entry] ** 2, n)
    for k in range(most):
        best, saved = _next_feature(fitting, at, entry, basis, left, growing, place[:, :k], weight)
        after = np.maximum(error - saved, 0.0)
        now, then = (adjusted_error(e, total * fitting.unit, v) for e, v in ((error, k + 1), (after, k + 2)))
        growing = growing & (best >= 0) & (then < now * (1 - SAVED)) & (total * fitting.unit > k + 2) & (error > least)
        if not growing.any():
            break
        place[:, k] = np.where(growing, best, -1)
        column = _columns(fitting, place[:, k], at, entry, n)
        columns.append(column)
        z = _apart(column[0], basis, at, weight, n)
        basis.append(z)
        left = left - _along(z, left, at, weight, n)
        error = np.where(growing, np.bincount(at, weight * left**2, n), error)
    return _solved(nodes, at, weight, fitting.y[entry] - mean[at], mean, place, columns, ridge, n)


def _next_feature(
    fitting: _Fitting, at, entry, basis: list, left: np.ndarray, growing: np.ndarray, chosen: np.ndarray,
    weight: np.ndarray,
):  # fmt: skip
    """(place among the features of the one that lowers each node's squares most, -1 for none; by how much).

    growing : bool (n,), the nodes whose lines may still have one more; the rows of others are not looked at.
    weight : float64 (m,), by which squares count.
    """
    n, here = len(growing), growing[at]
    if not here.all():
        at, entry, left, basis = at[here], entry[here], left[here], [z[here] for z in basis]
        weight = weight[here]
    best, most = np.full(n, -1), np.zeros(n)
    for f in range(len(fitting.features)):
        _, centred = fitting.means(f, at, entry, n)
        scale = np.abs(centred).max(initial=0.0)
        if not scale > 0:
            continue
        centred = centred / scale
        whole = np.bincount(at, weight * centred**2, n)
        z = _apart(centred, basis, at, weight, n)
        squares = np.bincount(at, weight * z**2, n)
        usable = (squares > COLLINEAR * whole) & ~(chosen == f).any(axis=1) & (whole > 0)
        product = np.bincount(at, weight * z * left, n)
        saved = np.divide(product**2, squares, out=np.zeros(n), where=usable)
        better = usable & (saved > most * (1 + 1e-10))
        best, most = np.where(better, f, best), np.where(better, saved, most)
    return best, most


def _apart(x: np.ndarray, basis: list[np.ndarray], at: np.ndarray, weight: np.ndarray, n: int) -> np.ndarray:
    """What of x is orthogonal to the columns of the basis within every node (modified Gram-Schmidt)."""
    for z in basis:
        x = x - _along(z, x, at, weight, n)
    return x


def _along(z: np.ndarray, x: np.ndarray, at: np.ndarray, weight: np.ndarray, n: int) -> np.ndarray:
    """The part of x along z within every node; 0 where z is."""
    squares, product = np.bincount(at, weight * z**2, n), np.bincount(at, weight * z * x, n)
    return np.divide(product, squares, out=np.zeros(n), where=squares > 0)[at] * z


def _columns(fitting: _Fitting, chosen: np.ndarray, at: np.ndarray, entry: np.ndarray, n: int):
    """(centred values of the feature that each node has chosen, its mean, least and largest value there, (n,))."""
    f = chosen[at]
    x = np.where(f < 0, np.nan, fitting.values[np.maximum(f, 0), fitting.row[entry]])
    known, weight = ~np.isnan(x), fitting.weight[entry]
    total = np.bincount(at, weight * known, n)
    mean = np.divide(np.bincount(at, weight * np.where(known, x, 0.0), n), total, out=np.zeros(n), where=total > 0)
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, at[known], x[known])
    np.maximum.at(high, at[known], x[known])
    mean = np.clip(mean, low, high)
    return np.where(known, x - mean[at], 0.0), mean, low, high


def _solved(nodes, at, weight, y, mean, place, columns: list, ridge: float, n: int) -> _LevelLines:
    """Coefficients by the normal equations of the centred columns, scaled to squares of 1."""
    k = len(columns)
    moments, right = np.zeros((n, k, k)), np.zeros((n, k))
    for i, (x, *_) in enumerate(columns):
        right[:, i] = np.bincount(at, weight * x * y, n)
        for j in range(i + 1):
            moments[:, i, j] = moments[:, j, i] = np.bincount(at, weight * x * columns[j][0], n)
    scale = np.sqrt(np.diagonal(moments, axis1=1, axis2=2))
    scale = np.where(scale > 0, scale, 1.0)
    moments = moments / (scale[:, :, None] * scale[:, None, :])
    used = place[:, :k] >= 0
    diagonal = np.arange(k)
    moments[:, diagonal, diagonal] = np.where(used, 1.0 + ridge, 1.0)
    coefficient = np.linalg.solve(moments, (right / scale)[:, :, None])[:, :, 0] / scale if k else np.zeros((n, 0))
    fill, low, high = (np.stack([c[i] for c in columns], axis=1) if k else np.zeros((n, 0)) for i in (1, 2, 3))
    coefficient = np.where(used, coefficient, 0.0)
    intercept = mean - (coefficient * np.where(used, fill, 0.0)).sum(axis=1)
    return _LevelLines(nodes, intercept, place[:, :k], coefficient, fill, low, high)


def logistic_lines(fitting: _Fitting, nodes: np.ndarray, at, entry, most: int, ridge: float) -> _LevelLines:
    """Lines of the log-odds of the second class for all nodes of a depth at once.

    The coefficients b minimise the log loss of the rows, by weight, plus half of lambda times the weight of the rows
    times the sum of (b times standard deviation)², lambda being the ridge and at least LEAST_RIDGE; the intercept is
    free. The next feature is the one of the largest score statistic (Rao): how steeply the likelihood of the line so
    far rises with it. It stays when it lowers Akaike's criterion, twice the log loss of the rows plus twice how many
    numbers are fitted. A node whose rows are all of one class answers with a constant, as if there were half a row more
    of either class: no share is 0 or 1.
    """
    n, weight, y = len(nodes), fitting.weight[entry], fitting.y[entry]
    total, second = np.bincount(at, weight, n), np.bincount(at, weight * y, n)
    one_class = (second <= 0) | (second >= total)
    half = np.where(one_class, 0.5 / fitting.unit, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        intercept = np.where(total > 0, np.log((second + half) / (total - second + half)), np.nan)
    lines = _LogOdds(intercept, np.zeros((n, 0)), _log_loss(intercept[at], y, weight, at, n))
    columns: list[np.ndarray] = []
    place, growing = np.full((n, most), -1), ~one_class & (total * fitting.unit > 2)
    for k in range(most):
        share = _share(lines.line(columns, at))
        curve = weight * share * (1 - share)  # the rows' weights in the squares that the likelihood is locally
        left = np.divide(y - share, share * (1 - share), out=np.zeros(len(y)), where=curve > 0)
        basis: list[np.ndarray] = []
        for z in [np.ones(len(y)), *(x for x, *_ in columns)]:
            basis.append(_apart(z, basis, at, curve, n))
        best, _ = _next_feature(fitting, at, entry, basis, left, growing, place[:, :k], curve)
        growing = growing & (best >= 0) & (total * fitting.unit > k + 2)
        if not growing.any():
            break
        tried = [*columns, _columns(fitting, np.where(growing, best, -1), at, entry, n)]
        longer = _likeliest(lines, tried, at, weight, y, total, max(ridge, LEAST_RIDGE), growing)
        pays = longer.loss * fitting.unit + 1 < lines.loss * fitting.unit
        growing = growing & pays & (longer.loss < lines.loss * (1 - SAVED))
        if not growing.any():
            break
        place[:, k] = np.where(growing, best, -1)
        columns.append(_columns(fitting, place[:, k], at, entry, n))
        lines = longer.only_where(growing, lines)
    fill, low, high = (np.stack([c[i] for c in columns], axis=1) if columns else np.zeros((n, 0)) for i in (1, 2, 3))
    used = place[:, : len(columns)] >= 0
    intercept = lines.intercept - (lines.slope * np.where(used, fill, 0.0)).sum(axis=1)
    return _LevelLines(nodes, intercept, place[:, : len(columns)], lines.slope, fill, low, high)


@dataclass(frozen=True, eq=False, repr=False)
class _LogOdds(Brief):
    """Lines of log-odds of some nodes in centred columns: intercept (n,), slope (n, k), and loss (n,), the log loss of
    their rows."""

    intercept: np.ndarray
    slope: np.ndarray
    loss: np.ndarray

    def line(self, columns: list, at: np.ndarray) -> np.ndarray:
        """float64 (m,): the log-odds of rows in these places."""
        line = self.intercept[at]
        for (x, *_), slope in zip(columns, self.slope.T, strict=True):
            line = line + slope[at] * x
        return line

    def only_where(self, changed: np.ndarray, before: "_LogOdds") -> "_LogOdds":
        """These lines at some nodes (bool (n,)), at others those before, with one slope more of 0."""
        slope = np.pad(before.slope, ((0, 0), (0, 1)))
        return _LogOdds(
            np.where(changed, self.intercept, before.intercept),
            np.where(changed[:, None], self.slope, slope),
            np.where(changed, self.loss, before.loss),
        )


def _share(line: np.ndarray) -> np.ndarray:
    """1 / (1 + e^-s) of log-odds, without an overflow."""
    small = np.exp(-np.abs(line))
    return np.where(line < 0, small, 1.0) / (1.0 + small)


def _log_loss(line: np.ndarray, y: np.ndarray, weight: np.ndarray, at: np.ndarray, n: int) -> np.ndarray:
    """float64 (n,): sum of weight * -log of the share of the class that a row has, by its place."""
    return np.bincount(at, weight * np.logaddexp(0.0, np.where(y > 0, -line, line)), n)


def _likeliest(start: _LogOdds, columns: list, at, weight, y, total, ridge: float, growing: np.ndarray) -> _LogOdds:
    """The lines of least penalised log loss in these columns, by Newton's method with halved steps where it must.

    start : lines in all columns but the last one. Nodes that are not growing stay as they are.
    """
    n, k = len(total), len(columns)
    x = np.stack([np.ones(len(y)), *(column for column, *_ in columns)])
    spread = np.stack([np.bincount(at, weight * z**2, n) for z in x[1:]], axis=1) / np.maximum(total, 1e-300)[:, None]
    scale = np.concatenate([np.ones((n, 1)), np.where(spread > 0, np.sqrt(spread), 1.0)], axis=1)
    x = x / scale.T[:, at]  # columns of deviation 1: all numbers are about as large
    b = np.concatenate([start.intercept[:, None], start.slope, np.zeros((n, 1))], axis=1) * scale
    penalty = np.concatenate([np.zeros((n, 1)), np.repeat((ridge * total)[:, None], k, axis=1)], axis=1)

    def cost(b: np.ndarray) -> np.ndarray:
        return _log_loss((b[at].T * x).sum(axis=0), y, weight, at, n) + (penalty * b**2).sum(axis=1) / 2

    now, moving = cost(b), growing.copy()
    for _ in range(MOST_STEPS):
        share = _share((b[at].T * x).sum(axis=0))
        gradient = np.stack([np.bincount(at, weight * (share - y) * z, n) for z in x], axis=1) + penalty * b
        hessian = np.empty((n, k + 1, k + 1))
        for i in range(k + 1):
            for j in range(i + 1):
                inner = np.bincount(at, weight * share * (1 - share) * x[i] * x[j], n)
                hessian[:, i, j] = hessian[:, j, i] = inner
        diagonal = np.arange(k + 1)
        hessian[:, diagonal, diagonal] += penalty + 1e-12 * total[:, None]
        hessian[~moving] = np.eye(k + 1)
        step = np.where(moving[:, None], np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0], 0.0)
        falls = (step * gradient).sum(axis=1)  # by which the cost would fall twice, were it square
        moving = moving & (falls > 1e-20 * total)
        if not moving.any():
            break
        tried = cost(b - step)
        for _ in range(40):
            too_far = moving & (tried > now + 1e-14 * np.abs(now))
            if not too_far.any():
                break
            step = np.where(too_far[:, None], step / 2, step)
            tried = cost(b - step)
        b = np.where(moving[:, None], b - step, b)
        now = np.where(moving, tried, now)
    loss = _log_loss((b[at].T * x).sum(axis=0), y, weight, at, n)
    return _LogOdds(b[:, 0], (b / scale)[:, 1:], loss)


FITS: dict[str, Callable[..., _LevelLines]] = {"identity": _level, "logit": logistic_lines}
"""Link of a target -> the lines of all nodes of a depth, of its rows."""


def _joined(tree: TreeColumns, made: list[_LevelLines]) -> _LevelLines:
    """The lines of all nodes, in the order of their ids."""
    most = max(level.place.shape[1] for level in made)
    order = np.argsort(np.concatenate([level.nodes for level in made]))

    def wide(name: str, nothing: float) -> np.ndarray:
        parts = (getattr(level, name) for level in made)
        return np.concatenate([np.pad(p, ((0, 0), (0, most - p.shape[1])), constant_values=nothing) for p in parts])[
            order
        ]

    intercept = np.concatenate([level.intercept for level in made])[order]
    columns = {name: wide(name, 0.0) for name in ("coefficient", "fill", "low", "high")}
    return _LevelLines(np.arange(tree.n_nodes), intercept, wide("place", -1), **columns)


def _smoothed(tree: TreeColumns, fitting: _Fitting, lines: _LevelLines, k: float) -> _LevelLines:
    """Every node's line mixed with those of the nodes above it, folded into one line."""
    n_nodes, n_features = tree.n_nodes, len(fitting.features)
    dense = np.zeros((n_nodes, n_features + 1))
    node, j = np.nonzero(lines.place >= 0)
    dense[node, lines.place[node, j]] = lines.coefficient[node, j]
    dense[:, -1] = np.nan_to_num(lines.intercept)
    n = _weights(tree, fitting) * fitting.unit
    mixed, below, above = dense.copy(), np.arange(n_nodes), tree.parent.astype(np.int64)
    for _ in range(tree.depth):
        some = above >= 0
        share = (n[below] / (n[below] + k))[some, None]
        mixed[some] = share * mixed[some] + (1 - share) * dense[above[some]]
        below = np.where(some, above, below)
        above = np.where(some, tree.parent[np.maximum(above, 0)], -1)
    place = np.tile(np.arange(n_features), (n_nodes, 1))
    fill, low, high = _ranges(tree, fitting)
    coefficient = mixed[:, :-1]
    place = np.where(coefficient != 0, place, -1)
    intercept = np.where(np.isnan(lines.intercept), np.nan, mixed[:, -1])
    return _LevelLines(lines.nodes, intercept, place, coefficient, fill, low, high)


def _weights(tree: TreeColumns, fitting: _Fitting) -> np.ndarray:
    """float64 (n_nodes,): of the rows at each node."""
    return tree.add_up(np.bincount(fitting.end, fitting.weight, tree.n_nodes))


def _ranges(tree: TreeColumns, fitting: _Fitting) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(mean, least, largest), float64 (n_nodes, features): of the rows at each node; its parent's without values."""
    shape = tree.n_nodes, len(fitting.features)
    fill, low, high = np.full(shape, np.nan), np.full(shape, np.inf), np.full(shape, -np.inf)
    for nodes, at, entry in _levels(tree, fitting):
        for f in range(shape[1]):
            chosen = np.full(len(nodes), f)
            _, *found = _columns(fitting, chosen, at, entry, len(nodes))
            fill[nodes, f], low[nodes, f], high[nodes, f] = found
    for nodes in tree.levels[1:]:
        above, none = tree.parent[nodes], np.isinf(low[nodes])
        for column in (fill, high, low):
            column[nodes] = np.where(none, column[above], column[nodes])
    return fill, low, high


def _with_errors(tree: TreeColumns, fitting: _Fitting, made: _LevelLines) -> LeafLines:
    """The columns, with what the rows that were fitted lose: squares, or what their labels cost."""
    used = made.place >= 0
    node, j = np.nonzero(used)
    columns = {name: getattr(made, name)[node, j] for name in ("coefficient", "fill", "low", "high")}
    start = np.concatenate([[0], np.cumsum(used.sum(axis=1))])
    feature, none = fitting.features[made.place[node, j]], np.zeros(tree.n_nodes)
    lines = LeafLines(made.intercept, start, feature, **columns, error=none, inside=none)
    kind = answered_by_lines(tree.classes)
    values = fitting.values[np.searchsorted(fitting.features, lines.used)]
    names = ("error", *kind.kept_losses)
    through, at = {name: none.copy() for name in names}, fitting.end.copy()
    for depth in range(tree.depth, -1, -1):
        entry = np.flatnonzero(tree.node_depth[at] == depth)
        said = lines.answers(values, fitting.row[entry], at[entry])
        for name, off in zip(names, kind.line_losses(tree, fitting.y[entry], said), strict=True):
            through[name] += np.bincount(at[entry], fitting.case[entry] * off, tree.n_nodes)
        at[entry] = tree.parent[at[entry]]
    ends = kind.line_losses(tree, fitting.y, lines.answers(values, fitting.row, fitting.end))
    inside = [np.bincount(fitting.end, fitting.case * lost, tree.n_nodes) for lost in ends]
    kept = {
        name: np.stack([through[name], here], axis=1) for name, here in zip(kind.kept_losses, inside[1:], strict=True)
    }
    return replace(lines, error=through["error"], inside=inside[0], **kept)


__all__ = ["CONSTANT", "LINEAR", "adjusted_error", "fitted_lines", "refitted", "with_lines"]
