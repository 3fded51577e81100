"""The numbers of the nodes, whatever order they were made in."""

import numpy as np

from treecore.tree.splits import ranges


def level_by_level(first_child: np.ndarray, n_children: np.ndarray) -> np.ndarray:
    """int64 (n_nodes,): ids by depth, and within a depth in the order of their parents and branches.

    first_child, n_children : of nodes whose siblings have ids in a row; a leaf has 0 children.
    """
    levels, nodes = [], np.zeros(1, np.int64)
    while len(nodes):
        levels.append(nodes)
        inner = nodes[n_children[nodes] > 0]
        nodes = ranges(first_child[inner], n_children[inner])
    return np.concatenate(levels)


def taken(records: np.ndarray, places: np.ndarray) -> np.ndarray:
    """records[places], as rows of plain numbers: field by field, as NumPy copies records, takes many times as long."""
    numbers = records.view(np.uint32).reshape(len(records), -1)
    return np.take(numbers, places, axis=0).view(records.dtype).reshape(len(places))


def renumbered(nodes: np.ndarray, order: np.ndarray) -> np.ndarray:
    """NODE records in this order, pointing at each other by their new ids. order : int64 (n_nodes,), the old ids of
    those that are part of the tree."""
    new, nodes = np.empty(len(nodes) + 1, np.int64), taken(nodes, order)
    new[order], new[-1] = np.arange(len(order)), -1
    nodes["id"] = np.arange(len(order))
    for name in ("parent", "first_child"):
        nodes[name] = new[nodes[name]]
    return nodes
