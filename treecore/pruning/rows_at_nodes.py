"""The training rows that pass through each node of a grown tree, and how many values of a feature they have."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.tree.node_statistics import has_target
from treecore.tree.predict import route
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class RowsAtNodes(Brief):
    """Rows in an order in which those of every node stand together.

    row : int64 (n,), of the table; a row stands once for each of its ends. weight : float64 (n,), case weight times
    share, above 0. begin, end : int64 (n_nodes,), where each node's rows stand, its descendants' among them.
    place, size : int64 (n_nodes,), place of each node in depth-first order, and how many nodes from there on are it and
    its descendants. end_place : int64 (n,), ascending, place of the node where each row ends.
    """

    row: np.ndarray
    weight: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    place: np.ndarray
    size: np.ndarray
    end_place: np.ndarray

    @classmethod
    def of(cls, tree: Tree, train: Table) -> "RowsAtNodes":
        """TreecoreError if these are not the rows that the tree was grown on."""
        routes = route(tree, train)
        weight = routes.share * np.where(has_target(tree, train), train.case_weights, 0.0)[routes.row]
        counted = weight > 0
        if not np.isclose(weight.sum(), tree.weight[0], rtol=1e-6):
            raise TreecoreError(
                f"The tree was grown on rows of weight {tree.weight[0]:g}, those given weigh {weight.sum():g}",
                where="train",
                remedy="Give the same rows to tc.prune as to tc.grow",
            )
        place, size = depth_first_places(tree)
        at = place[routes.node[counted]]
        order = np.argsort(at, kind="stable")
        at = at[order]
        begin, end = np.searchsorted(at, place), np.searchsorted(at, place + size)
        return cls(routes.row[counted][order], weight[counted][order], begin, end, place, size, at)

    def at(self, node: int) -> tuple[np.ndarray, np.ndarray]:
        """(int64 (m,) rows at a node, ascending, each once; float64 (m,) their weights there)."""
        here = slice(self.begin[node], self.end[node])
        rows, place = np.unique(self.row[here], return_inverse=True)
        return rows, np.bincount(place, self.weight[here], len(rows))


def depth_first_places(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """int64 (n_nodes,) twice: place in depth-first order, and the number of nodes of the subtree."""
    size = tree.add_up(np.ones(tree.n_nodes, np.int64))
    place = np.zeros(tree.n_nodes, np.int64)
    for t in np.flatnonzero(~tree.is_leaf).tolist():
        children = list(tree.children(t))
        place[children] = place[t] + 1 + np.concatenate([[0], np.cumsum(size[children])[:-1]])
    return place, size


# How many values of a feature there are at every node, without a look at the rows of each.


class DistinctValues:
    """Counts the values of a feature among the rows of every node at once, however deep the tree.

    Nodes are in depth-first order. Rows of one value, in the order of the nodes where they end, count one each there
    and above; each one after the first counts one less where its way meets the way of the one before, and above.
    """

    def __init__(self, tree: Tree, passing: RowsAtNodes):
        self._passing, self._n_nodes = passing, tree.n_nodes
        above = np.zeros(tree.n_nodes, np.int32)
        above[passing.place[1:]] = passing.place[tree.parent[1:]]
        self._least_above = _least_of_stretches(above)

    def at_nodes(self, values: np.ndarray) -> np.ndarray:
        """int64 (n_nodes,): distinct values at each node. values : float64 (n_rows,), NaN where missing."""
        value, end = values[self._passing.row], self._passing.end_place
        order = np.lexsort((end, value))
        order = order[: len(order) - np.count_nonzero(np.isnan(value))]  # NaN comes last
        value, end = value[order], end[order]
        again = value[1:] == value[:-1]
        counted = self._counts(end) - self._counts(self._meeting(end[:-1][again], end[1:][again]))
        total = np.concatenate([[0], np.cumsum(counted)])
        place = self._passing.place
        return total[place + self._passing.size] - total[place]

    def _counts(self, places: np.ndarray) -> np.ndarray:
        return np.bincount(places, minlength=self._n_nodes)

    def _meeting(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Place of the lowest node with both of these below it, or one of them; first <= second.

        Its child on the way to the second is the node between the two, in depth-first order, that has the topmost
        parent.
        """
        met, apart = first.copy(), first < second
        begin, length = first[apart] + 1, (second - first)[apart]
        step = np.frexp(length)[1] - 1  # the largest power of two in the length
        last = second[apart] + 1 - (1 << step)
        met[apart] = np.minimum(self._least_above[step, begin], self._least_above[step, last])
        return met


def _least_of_stretches(of: np.ndarray) -> np.ndarray:
    """int32 (steps, n): in row k the least of the 2**k entries from each one on, where there are so many."""
    n = len(of)
    least = np.empty((max(n.bit_length(), 1), n), np.int32)
    least[0] = of
    for k in range(1, len(least)):
        half = 1 << (k - 1)
        least[k] = least[k - 1]
        least[k, : n - half] = np.minimum(least[k - 1, : n - half], least[k - 1, half:])
    return least
