"""Before growing: do the features have few values, and is the root worth a search?"""

import numpy as np

from treecore.criteria.impurity import impurity
from treecore.engine.jit import jit
from treecore.kernels.buckets.buckets import SLOTS, slot_of
from treecore.kernels.limits import split_allowed
from treecore.kernels.records.state import N_NODES

SAMPLED = 100
"""Rows that show whether features have few values."""


@jit
def plant_root(rows, nodes, weight):
    """Make node 0 a leaf of all rows, which weigh so much and have the statistics that are there already; returns
    whether purity and the limits allow a search at it."""
    node, stats, n, rules = nodes.of[0], nodes.stats[0], rows.keys.shape[0], rows.rules[0]
    node.parent, node.first_child, node.feature, node.depth = -1, -1, -1, 0
    node.n_rows, node.swapped, node.key = n, 0, rules.root_key
    node.impurity = impurity(rows.judge, stats, weight)
    nodes.counts[N_NODES] = 1
    return n >= rules.min_rows_split and split_allowed(rules, node.impurity, weight, n, 0)


@jit
def have_few_values(keys, behind):
    """Has each column at most half as many values as rows, in a sample of SAMPLED rows at most? None lacks a value.

    keys : uint32 (n, d). behind : uint32 (d,), a key above all of each column's.
    """
    seen = np.empty(SLOTS, np.uint32)
    step = keys.shape[0] // SAMPLED + 1
    n_sampled = (keys.shape[0] + step - 1) // step
    for f in range(keys.shape[1]):
        n_seen, seen[:] = 0, behind[f]
        for i in range(0, keys.shape[0], step):
            key = keys[i, f]
            slot = slot_of(key, seen, behind[f])
            n_seen += np.int64(seen[slot] != key)
            seen[slot] = key
        if n_seen > n_sampled // 2:
            return False
    return True
