"""The training rows that pass through each node of a grown tree."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.tree.predict import route
from treecore.tree.target import has_target
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Passing(Brief):
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
    def of(cls, tree: Tree, train: Table) -> "Passing":
        """TreecoreError if these are not the rows that the tree was grown on."""
        routes = route(tree, train)
        weight = routes.share * np.where(has_target(tree, train), train.case_weights, 0.0)[routes.row]
        kept = weight > 0
        if not np.isclose(weight.sum(), tree.weight[0], rtol=1e-6):
            raise TreecoreError(
                f"The tree was grown on rows of weight {tree.weight[0]:g}, those given weigh {weight.sum():g}",
                where="train",
                remedy="Give the same rows to tc.prune as to tc.grow",
            )
        place, size = _places(tree)
        at = place[routes.node[kept]]
        order = np.argsort(at, kind="stable")
        at = at[order]
        begin, end = np.searchsorted(at, place), np.searchsorted(at, place + size)
        return cls(routes.row[kept][order], weight[kept][order], begin, end, place, size, at)

    def at(self, node: int) -> tuple[np.ndarray, np.ndarray]:
        """(int64 (m,) rows at a node, ascending, each once; float64 (m,) their weights there)."""
        here = slice(self.begin[node], self.end[node])
        rows, place = np.unique(self.row[here], return_inverse=True)
        return rows, np.bincount(place, self.weight[here], len(rows))


def _places(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """int64 (n_nodes,) twice: place in depth-first order, and the number of nodes of the subtree."""
    size = tree.add_up(np.ones(tree.n_nodes, np.int64))
    place = np.zeros(tree.n_nodes, np.int64)
    for t in np.flatnonzero(~tree.is_leaf).tolist():
        children = list(tree.children(t))
        place[children] = place[t] + 1 + np.concatenate([[0], np.cumsum(size[children])[:-1]])
    return place, size
