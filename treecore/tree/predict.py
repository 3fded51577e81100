"""What a tree answers for rows."""

import numpy as np

from treecore.errors import TreecoreError
from treecore.tree.blocks import RoutedRows, over_blocks, whole_routes
from treecore.tree.columns import TreeColumns
from treecore.tree.values import n_rows_of


def route(tree: TreeColumns, rows) -> RoutedRows:
    """Send the rows of a Table, DataFrame or matrix down the tree."""
    node, shared = _ends(tree, rows)
    if not shared:
        return whole_routes(node)
    parts, at = [], 0
    for begin in [*sorted(shared), len(node)]:
        parts.append((np.arange(at, begin), node[at:begin], np.ones(begin - at)))
        if begin < len(node):
            routes = shared[begin]
            parts.append((routes.row + begin, routes.node, routes.share))
            at = begin + int(routes.row[-1]) + 1
    return RoutedRows(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _ends(tree: TreeColumns, rows) -> tuple[np.ndarray, dict[int, RoutedRows]]:
    """(int64 (n_rows,), first row -> Routes): the nodes rows end in, and the blocks in which some row is shared."""
    node, shared = np.empty(n_rows_of(rows), np.int64), {}

    def take(here: slice, ends: np.ndarray | RoutedRows) -> None:
        if isinstance(ends, RoutedRows):
            shared[here.start] = ends
        else:
            node[here] = ends

    over_blocks(tree, rows, take)
    return node, shared


def end_nodes(tree: TreeColumns, rows) -> np.ndarray:
    """int64 (n_rows,): the node each row ends in; the one of largest share where there are several."""
    node, shared = _ends(tree, rows)
    for begin, routes in shared.items():
        largest = np.lexsort((routes.node, -routes.share, routes.row))
        first = np.flatnonzero(np.diff(routes.row[largest], prepend=-1))
        node[begin : begin + len(first)] = routes.node[largest][first]
    return node


def probabilities(tree: TreeColumns, rows) -> np.ndarray:
    """float64 (n_rows, n_classes): class shares of the end nodes, averaged by share."""
    if not tree.classes:
        remedy = "Use predict, which gives the means"
        raise TreecoreError("A tree that predicts numbers has no class shares", where="predict_proba", remedy=remedy)
    return answered_with(tree, rows, tree.proba)


def answered_with(tree: TreeColumns, rows, shares: np.ndarray) -> np.ndarray:
    """float64 (n_rows, n_classes): these shares, float64 (n_nodes, n_classes), of the nodes that rows end in, averaged
    for rows that are shared among several."""
    return _answers(tree, rows, shares, lambda _, routes: _averaged(routes, shares))


def predictions(tree: TreeColumns, rows) -> np.ndarray:
    """Class labels (object; None where no node answers) or float64 means."""
    if not tree.classes:
        return _answers(tree, rows, tree.value, _mixed)
    names = np.array([*tree.classes, None], object)
    return _answers(tree, rows, names[tree.value], lambda tree, routes: names[_mixed_labels(tree, routes)])


def predicted_labels(tree: TreeColumns, rows) -> np.ndarray:
    """int64 (n_rows,): index of the class that answers for each row; -1 where nothing does.

    A row that is shared among several nodes gets the class of least expected cost by its mixed probabilities.
    """
    return _answers(tree, rows, np.asarray(tree.value, np.int64), _mixed_labels)


def _answers(tree: TreeColumns, rows, answer: np.ndarray, mixed) -> np.ndarray:
    """(n_rows, ...): what the nodes answer. answer : (n_nodes, ...), of each. mixed : (tree, Routes) -> answers of
    rows of which some are shared."""
    found = np.empty((n_rows_of(rows), *answer.shape[1:]), answer.dtype)

    def take(here: slice, ends: np.ndarray | RoutedRows) -> None:
        if isinstance(ends, RoutedRows):
            found[here] = mixed(tree, ends)
        else:
            np.take(answer, ends, axis=0, out=found[here], mode="clip")  # other modes fill a copy first

    over_blocks(tree, rows, take)
    return found


def _mixed(tree: TreeColumns, routes: RoutedRows) -> np.ndarray:
    """float64 (n_rows, n_classes) or (n_rows,): shares of classes, or means, averaged by share."""
    if not tree.classes:
        return np.bincount(routes.row, routes.share * tree.value[routes.node])
    return _averaged(routes, tree.proba)


def _averaged(routes: RoutedRows, shares: np.ndarray) -> np.ndarray:
    """float64 (n_rows, n_classes): shares of the nodes, averaged by the parts of each row."""
    weighted = routes.share[:, None] * shares[routes.node]
    return np.stack([np.bincount(routes.row, part) for part in weighted.T], axis=1)


def _mixed_labels(tree: TreeColumns, routes: RoutedRows) -> np.ndarray:
    """int64 (n_rows,): see predicted_labels. A row that is not shared has its node's label."""
    mixed = _mixed(tree, routes)
    best = np.argmax(mixed, axis=1) if tree.loss is None else np.argmin(mixed @ tree.loss, axis=1)
    best[np.isnan(mixed).any(axis=1)] = -1
    alone = np.bincount(routes.row)[routes.row] == 1
    best[routes.row[alone]] = tree.value[routes.node[alone]]
    return best
