"""A tree as nested shares of the training rows: the view of the whole when the diagram shows a part."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class TreeOutline(Brief):
    """The heaviest nodes of a tree; entry i of each array is one node, parents before children.

    node : int64 ids. depth : int64. left, weight : float64, where the node's training weight begins along the
    root's, and its amount: a child lies within its parent, siblings side by side in branch order.
    value : int64 class index or float64 mean. words : what leads to the node and what it predicts.
    n_left_out : nodes of the tree that are not in the outline.
    """

    node: np.ndarray
    depth: np.ndarray
    left: np.ndarray
    weight: np.ndarray
    value: np.ndarray
    words: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]
    n_left_out: int


def outline(tree: Tree, limit: int = 1000) -> TreeOutline:
    """The `limit` heaviest nodes (a parent is never lighter than its child, so they hang together)."""
    order = np.lexsort((np.arange(tree.n_nodes), -tree.weight))
    node = np.sort(order[:limit])
    views = [tree.node(int(i)) for i in node]
    return TreeOutline(
        node=node,
        depth=tree.node_depth[node].astype(np.int64),
        left=_left_edges(tree)[node],
        weight=tree.weight[node],
        value=tree.summary[node],
        words=tuple((v.condition or "every row", v.predicted) for v in views),
        classes=tree.classes,
        n_left_out=tree.n_nodes - len(node),
    )


def _left_edges(tree: Tree) -> np.ndarray:
    """float64 (n_nodes,): weight to the left of each node. Siblings are adjacent, so their sums are too."""
    before = np.cumsum(tree.weight) - tree.weight
    left = np.zeros(tree.n_nodes)
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        left[nodes] = left[above] + before[nodes] - before[tree.first_child[above]]
    return left
