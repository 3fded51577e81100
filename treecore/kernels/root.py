"""Before growing: do the features have few values, and is the root worth a search?"""

from treecore.criteria.impurity import impurity
from treecore.jit import jit
from treecore.kernels.fast_state import N_NODES
from treecore.kernels.limits import split_allowed


@jit
def plant_root(rows, nodes, weight):
    """Make node 0 a leaf of all rows, which weigh so much and have the statistics that are there already; returns
    whether purity and the limits allow a search at it."""
    node, stats, n, rules = nodes.of[0], nodes.stats[0], rows.keys.shape[0], rows.rules[0]
    node.parent, node.first_child, node.feature, node.depth = -1, -1, -1, 0
    node.n_rows, node.swapped = n, 0
    node.impurity = impurity(rows.judge, stats, weight)
    nodes.counts[N_NODES] = 1
    return n >= rules.min_rows_split and split_allowed(rules, stats, node.impurity, weight, n, 0)


@jit
def have_few_values(keys, seen):
    """Has each column at most half as many values as rows, in a sample of the rows?

    keys : uint32 (n, d). seen : uint32 (m,), working memory for as many rows as are looked at at most.
    """
    step = keys.shape[0] // seen.shape[0] + 1
    for f in range(keys.shape[1]):
        n_seen, n_sampled = 0, 0
        for i in range(0, keys.shape[0], step):
            key, at = keys[i, f], n_seen
            n_sampled += 1
            while at > 0 and seen[at - 1] > key:
                at -= 1
            if at > 0 and seen[at - 1] == key:
                continue
            for j in range(n_seen, at, -1):
                seen[j] = seen[j - 1]
            seen[at] = key
            n_seen += 1
        if n_seen > n_sampled // 2:
            return False
    return True
