"""Which nodes of a large tree are worth showing: those that most rows pass."""

from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from typing import Protocol

import numpy as np


class Branching(Protocol):
    """What has nodes with branches: a Tree, or two of them laid over each other; arrays have an entry per node."""

    parent: np.ndarray
    is_leaf: np.ndarray
    weight: np.ndarray
    node_depth: np.ndarray

    def children(self, node: int) -> Sequence[int]: ...

    def path(self, node: int) -> Sequence[int]: ...


def covering_nodes(
    tree: Branching,
    limit: int,
    deepest: int | None = None,
    opened: Collection[int] = (),
    closed: Collection[int] = (),
    keep: int | None = None,
    within: int = 0,
) -> np.ndarray:
    """Ids (ascending) of about `limit` nodes: from the root down, the node with the most weight is opened next.

    A node is shown with all its siblings, so that nothing of a split is out of sight. deepest : levels below the first
    that are shown unasked. opened, closed : nodes whose children are shown, or are not, whatever their weight (a closed
    node wins over what is opened below it). keep : a node that is shown with its path, unless an ancestor is closed.
    within : the node that comes first.
    """
    must = {int(node) for node in opened}
    if keep is not None:
        must |= set(tree.path(keep)[:-1])
    must -= set(closed)
    for node in list(must):
        must |= set(tree.path(node)[:-1]) - set(closed)
    shown, waiting = {within}, []
    lowest = np.inf if deepest is None else int(tree.node_depth[within]) + deepest

    def arrive(node: int) -> None:
        if tree.is_leaf[node] or node in closed or (tree.node_depth[node] >= lowest and node not in must):
            return
        heappush(waiting, (node not in must, -float(tree.weight[node]), node))

    arrive(within)
    while waiting:
        optional, _, node = heappop(waiting)
        children = tree.children(node)
        if optional and len(shown) + len(children) > limit:
            continue  # a narrower split may still fit
        shown.update(children)
        for child in children:
            arrive(child)
    return np.array(sorted(shown))
