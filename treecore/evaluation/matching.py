"""Which node of one tree holds much the same rows as a node of another."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.tree.predict import RoutedRows, route
from treecore.tree.tree import Tree

EQUAL = 1e-9
"""Overlaps that differ by less are equal."""


@dataclass(frozen=True, eq=False, repr=False)
class Passage(Brief):
    """The rows of a table on their way through one tree; `weight` : float64 (n_rows,), their case weights."""

    tree: Tree
    routes: RoutedRows
    weight: np.ndarray

    @classmethod
    def of(cls, tree: Tree, table: Table) -> "Passage":
        return cls(tree, route(tree, table), table.case_weights)

    def through(self, node: int) -> np.ndarray:
        """float64 (n_rows,): the share of each row that passes through a node or ends there."""
        under = self.tree.descendants(node)
        under[node] = True
        share = self.routes.share * under[self.routes.node]
        return np.bincount(self.routes.row, share, len(self.weight))

    @cached_property
    def weights(self) -> np.ndarray:
        """float64 (n_nodes,): weight of the rows in every node."""
        amount = self.routes.share * self.weight[self.routes.row]
        return self.tree.add_up(np.bincount(self.routes.node, amount, self.tree.n_nodes))

    def in_common(self, share: np.ndarray) -> np.ndarray:
        """float64 (n_nodes,): weight that every node has in common with rows of which `share` (n_rows,) is given.

        Of a row that goes down several branches in both, the smaller of the two shares is common.
        """
        if self.routes.whole:
            amount = (share * self.weight)[self.routes.row]
            return self.tree.add_up(np.bincount(self.routes.node, amount, self.tree.n_nodes))
        row, node, part = self._passed
        return np.bincount(node, self.weight[row] * np.minimum(share[row], part), self.tree.n_nodes)

    @cached_property
    def _passed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(row, node, share of the row that passes there), one entry for each node on the way of a row."""
        rows, nodes, shares = [], [], []
        row, node, share = self.routes.row, self.routes.node, self.routes.share
        while len(node):
            rows, nodes, shares = [*rows, row], [*nodes, node], [*shares, share]
            node = self.tree.parent[node].astype(np.int64)
            up = node >= 0
            row, node, share = row[up], node[up], share[up]
        key = np.concatenate(rows) * self.tree.n_nodes + np.concatenate(nodes)
        places, entry = np.unique(key, return_inverse=True)
        return *np.divmod(places, self.tree.n_nodes), np.bincount(entry, np.concatenate(shares))


def best_match(one: Passage, node: int, other: Passage) -> tuple[int, float]:
    """(the node of the other tree that shares most of its rows with this one, the overlap from 0 to 1).

    Overlap: weight in both nodes over weight in either. Of equal ones the node nearest in depth wins, then the first;
    (0, 0.0) for a node without rows.
    """
    common = other.in_common(one.through(node))
    either = one.weights[node] + other.weights - common
    overlap = np.divide(common, either, out=np.zeros(len(common)), where=either > 0)
    if not overlap.max() > 0:
        return 0, 0.0
    best = np.flatnonzero(overlap >= overlap.max() - EQUAL)
    away = np.abs(other.tree.node_depth[best] - one.tree.node_depth[node])
    found = int(best[np.argmin(away)])
    return found, float(overlap[found])
