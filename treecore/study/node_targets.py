"""The targets of the rows at every node, of any table: where a tree of quantiles or Huber means has them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.criteria.row_losses import weighted_quantile
from treecore.data.table import Table
from treecore.pruning.rows_at_nodes import depth_first_places
from treecore.tree.node_statistics import true_target
from treecore.tree.predict import route
from treecore.tree.tree import Tree

OUTER = (0.1, 0.9)
"""The quantiles between which most rows of a node lie."""


@dataclass(frozen=True, eq=False, repr=False)
class NodeTargets(Brief):
    """Known targets in an order in which those of every node stand together, its descendants' among them.

    target, weight : float64 (n,); a row stands once for each of its ends. begin, end : int64 (n_nodes,).
    """

    tree: Tree
    target: np.ndarray
    weight: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, tree: Tree, table: Table) -> "NodeTargets":
        """Of the rows of a table that has the tree's columns and its target."""
        routes = route(tree, table)
        target = true_target(tree, table)[routes.row]
        weight = routes.share * table.case_weights[routes.row]
        counted = (weight > 0) & ~np.isnan(target)
        place, size = depth_first_places(tree)
        at = place[routes.node[counted]]
        order = np.argsort(at, kind="stable")
        begin, end = np.searchsorted(at[order], place), np.searchsorted(at[order], place + size)
        return cls(tree, target[counted][order], weight[counted][order], begin, end)

    def spread(self, node: int) -> tuple[float, float, float] | None:
        """(10 % quantile, what the rows would answer by the tree's own loss, 90 % quantile); None without rows."""
        here = slice(int(self.begin[node]), int(self.end[node]))
        y, w = self.target[here], self.weight[here]
        if not len(y):
            return None
        low, high = (weighted_quantile(y, w, share) for share in OUTER)
        assert self.tree.schema.row_loss is not None
        return low, self.tree.schema.row_loss.best(y, w), high


def targets_by_role(tree: Tree, rows: Mapping[str, Table]) -> dict[str, NodeTargets]:
    """Role -> the targets of its rows; {} for a tree that answers with no quantile and no Huber mean."""
    if tree.schema.row_loss is None:
        return {}
    return {role: NodeTargets.of(tree, part) for role, part in rows.items()}
