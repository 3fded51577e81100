"""How many values of a feature there are at every node, without a look at the rows of each."""

import numpy as np

from treecore.pruning.passing import Passing
from treecore.tree.tree import Tree


class DistinctValues:
    """Counts the values of a feature among the rows of every node at once, however deep the tree.

    Nodes are in depth-first order. Rows of one value, in the order of the nodes where they end, count one each there
    and above; each one after the first counts one less where its way meets the way of the one before, and above.
    """

    def __init__(self, tree: Tree, passing: Passing):
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
