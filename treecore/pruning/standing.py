"""Which nodes of a grown tree are in the pruned one, and where."""

from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.tree.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class Standing(Brief):
    """The pruned tree's structure in the ids of the grown one; entry i is node i of the pruned tree.

    nodes : int64, parents first, siblings adjacent. place : int64, the node of the grown tree whose place it takes:
        itself, or the topmost of those that it was raised over. leaf : bool, it has no branches any more, or never had.
    """

    nodes: np.ndarray
    place: np.ndarray
    leaf: np.ndarray

    @property
    def any_raised(self) -> bool:
        return bool((self.nodes != self.place).any())

    @property
    def raised(self) -> np.ndarray:
        """int64: positions of the nodes that stand in the place of another one."""
        return np.flatnonzero(self.nodes != self.place)


def stand(tree: Tree, cut: np.ndarray, replaced_by: np.ndarray) -> Standing:
    """cut : bool (n_nodes,), leaves in the pruned tree. replaced_by : int32 (n_nodes,), a descendant or -1."""
    if not (replaced_by >= 0).any():
        nodes = np.flatnonzero(~tree.below(cut))
        return Standing(nodes, nodes, cut[nodes] | tree.is_leaf[nodes])
    nodes, place, leaf = [], [], []
    waiting = [0]
    for p in waiting:  # grows while it is read: breadth first, so that siblings stay together
        node = p
        while replaced_by[node] >= 0:
            node = int(replaced_by[node])
        nodes.append(node)
        place.append(p)
        leaf.append(bool(cut[node] or tree.is_leaf[node]))
        if not leaf[-1]:
            waiting += tree.children(node)
    return Standing(np.array(nodes, np.int64), np.array(place, np.int64), np.array(leaf, bool))
