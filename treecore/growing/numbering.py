"""The numbers of the nodes, whatever order they were made in."""

import numpy as np


def level_by_level(first_child: np.ndarray, n_children: np.ndarray) -> np.ndarray:
    """int64 (n_nodes,): ids by depth, and within a depth in the order of their parents and branches.

    first_child, n_children : of nodes whose siblings have ids in a row; a leaf has 0 children.
    """
    levels, nodes = [], np.zeros(1, np.int64)
    while len(nodes):
        levels.append(nodes)
        inner = nodes[n_children[nodes] > 0]
        n = n_children[inner].astype(np.int64)
        branch = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        nodes = np.repeat(first_child[inner].astype(np.int64), n) + branch
    return np.concatenate(levels)


def renumbered(nodes: np.ndarray, order: np.ndarray) -> np.ndarray:
    """NODE records in this order, pointing at each other by their new ids. order : int64 (n_nodes,), the old ids."""
    nodes, new = nodes[order], np.empty(len(order) + 1, np.int64)
    new[order], new[-1] = np.arange(len(order)), -1
    nodes["id"] = np.arange(len(order))
    for name in ("parent", "first_child"):
        nodes[name] = new[nodes[name]]
    return nodes


def binary_levels(first_child: np.ndarray, swapped: np.ndarray) -> np.ndarray:
    """level_by_level where every inner node has two children; -1 as the first child of a leaf.

    swapped : bool (n_nodes,), inner nodes whose second child comes first.
    """
    levels, nodes = [], np.zeros(1, np.int64)
    while len(nodes):
        levels.append(nodes)
        inner = nodes[first_child[nodes] >= 0]
        nodes = np.repeat(first_child[inner].astype(np.int64), 2)
        nodes[::2] += swapped[inner]
        nodes[1::2] += ~swapped[inner]
    return np.concatenate(levels)
