"""What a tree answers for rows."""

from dataclasses import dataclass

import numpy as np

from treecore.errors import TreecoreError
from treecore.kernels.codes import THRESHOLD
from treecore.kernels.route import QUICK, TEST, Routing, walk, walk_shared
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree
from treecore.tree.values import bins_of, value_matrix


@dataclass(frozen=True)
class Routes:
    """Where rows end: entry i says that `share[i]` of row `row[i]` ends in node `node[i]`.

    row, node : int64; share : float64, sums to 1 for every row. Sorted by row.
    """

    row: np.ndarray
    node: np.ndarray
    share: np.ndarray

    @property
    def whole(self) -> bool:
        """Does every row end in one node?"""
        return not len(self.row) or len(self.row) == self.row[-1] + 1


def route(tree: Tree, rows) -> Routes:
    """Send a Table's or DataFrame's rows down the tree."""
    routing, values = routing_of(tree, rows)
    n = values.shape[1]
    end = np.zeros(n, np.int64)
    if tree.is_leaf.all() or walk(routing, _quick(routing.nodes), values, end):
        return Routes(np.arange(n), end, np.ones(n))
    return _shared_routes(routing, values)


def routing_of(tree: Tree, rows) -> tuple[Routing, np.ndarray]:
    """The kernels' view of the tree, and float64 (slots, n_rows) of the rows' values that it asks for."""
    by_bins = _asked_by_bins(tree)
    routing, features = _routing(tree, by_bins)
    values = value_matrix(tree.schema, features, rows)
    more = [bins_of(tree.schema.features[f], values[features == f][0]) for f in by_bins]
    return routing, np.concatenate([values, np.array(more).reshape(len(by_bins), values.shape[1])])


def end_nodes(tree: Tree, rows) -> np.ndarray:
    """int64 (n_rows,): the node each row ends in; the one of largest share where there are several."""
    routes = route(tree, rows)
    largest = np.lexsort((routes.node, -routes.share, routes.row))
    first = np.unique(routes.row[largest], return_index=True)[1]
    return routes.node[largest][first]


def probabilities(tree: Tree, rows) -> np.ndarray:
    """float64 (n_rows, n_classes): class shares of the end nodes, averaged by share."""
    if not tree.classes:
        remedy = "Use predict, which gives the means"
        raise TreecoreError("A tree that predicts numbers has no class shares", where="predict_proba", remedy=remedy)
    return _mixed(tree, route(tree, rows))


def _mixed(tree: Tree, routes: Routes) -> np.ndarray:
    n_rows = int(routes.row[-1]) + 1 if len(routes.row) else 0
    result = np.zeros((n_rows, len(tree.classes)))
    np.add.at(result, routes.row, routes.share[:, None] * tree.proba[routes.node])
    return result


def predictions(tree: Tree, rows) -> np.ndarray:
    """Class labels (object; None where no node answers) or float64 means."""
    if tree.classes:
        return np.array([*tree.classes, None], object)[predicted_labels(tree, rows)]
    routes = route(tree, rows)
    return np.bincount(routes.row, routes.share * tree.value[routes.node])


def predicted_labels(tree: Tree, rows) -> np.ndarray:
    """int64 (n_rows,): index of the class that answers for each row; -1 where nothing does.

    A row that is shared among several nodes gets the class of least expected cost by its mixed probabilities.
    """
    routes = route(tree, rows)
    if routes.whole:
        return np.asarray(tree.value[routes.node], np.int64)
    mixed = _mixed(tree, routes)
    best = np.argmax(mixed, axis=1) if tree.loss is None else np.argmin(mixed @ tree.loss, axis=1)
    return np.where(np.isnan(mixed).any(axis=1), -1, best)


def _asked_by_bins(tree: Tree) -> np.ndarray:
    """int64: numeric features of surrogates that have a branch for each bin."""
    by_bins = [f for f, feature in enumerate(tree.schema.features) if feature.branches_by_bins]
    return np.intersect1d(tree.surrogates.feature, np.array(by_bins, np.int64)).astype(np.int64)


def _routing(tree: Tree, by_bins: np.ndarray) -> tuple[Routing, np.ndarray]:
    """The kernels' view of a tree and the features they need, in slot order.

    by_bins : the bins of these features stand in more slots behind them, for surrogates.
    """
    used = np.union1d(tree.splits.feature[~tree.is_leaf], tree.surrogates.feature).astype(np.int64)
    slot = np.full(len(tree.schema.features) + 1, -1)
    slot[used] = np.arange(len(used))
    nodes = _tests(tree.splits, slot, offset=0)
    nodes["first_child"], nodes["n_children"] = tree.first_child, tree.n_children
    if tree.surrogates_asked:
        nodes["surrogate_start"], nodes["surrogate_stop"] = tree.surrogate_start[:-1], tree.surrogate_start[1:]
    levels = np.concatenate([tree.splits.level_branch, tree.surrogates.level_branch])
    slot[by_bins] = len(used) + np.arange(len(by_bins))
    surrogates = _tests(tree.surrogates, slot, offset=len(tree.splits.level_branch))
    return Routing(nodes, surrogates, levels, tree.splits.cuts, _shares(tree)), used


def _tests(splits: Splits, slot: np.ndarray, offset: int) -> np.ndarray:
    tests = np.zeros(len(splits), TEST)
    for name in ("kind", "threshold", "closed", "low_branch", "missing_branch", "unseen_branch"):
        tests[name] = getattr(splits, name)
    tests["slot"] = slot[splits.feature]
    tests["level_start"] = splits.level_start[:-1] + offset
    tests["cut_start"], tests["cut_stop"] = splits.cut_start[:-1], splits.cut_start[1:]
    return tests


def _quick(nodes: np.ndarray) -> np.ndarray:
    """QUICK records of the nodes. x < t is the same as x <= the number next below t."""
    quick, limit = np.zeros(len(nodes), QUICK), nodes["threshold"]
    # nothing is below an infinite threshold, and there is no next number to say so
    plain = (nodes["kind"] == THRESHOLD) & (nodes["n_children"] == 2) & ((nodes["closed"] != 0) | (limit > -np.inf))
    quick["limit"] = np.where(nodes["closed"] != 0, limit, np.nextafter(limit, -np.inf))
    quick["slot"] = np.where(plain, nodes["slot"], -1)
    quick["low"] = nodes["first_child"] + nodes["low_branch"]
    quick["high"] = nodes["first_child"] + 1 - nodes["low_branch"]
    return quick


def _shares(tree: Tree) -> np.ndarray:
    """float64 (n_nodes,): a node's weight over that of its parent's children together; 1 at the root."""
    weight = tree.weight if tree.share_weight is None else tree.share_weight
    together = np.bincount(tree.parent[1:], weight[1:], minlength=tree.n_nodes)
    share = np.ones(tree.n_nodes)
    share[1:] = weight[1:] / np.maximum(together[tree.parent[1:]], 1e-300)
    return share


def _shared_routes(routing: Routing, values: np.ndarray) -> Routes:
    n_nodes = len(routing.nodes)
    room = n_nodes + 4 * values.shape[1]
    out = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    waiting, waiting_share = np.zeros(n_nodes, np.int64), np.zeros(n_nodes)
    parts, row = [], 0
    while row < values.shape[1]:
        written, row = walk_shared(routing, values, row, waiting, waiting_share, *out)
        parts.append([a[:written].copy() for a in out])
    columns = [np.concatenate(p) for p in zip(*parts, strict=True)] if parts else [a[:0] for a in out]
    return Routes(*columns)


__all__ = ["Routes", "end_nodes", "predicted_labels", "predictions", "probabilities", "route", "routing_of"]
