"""Nodes of two rows: any feature in which they differ parts them, so that their keys say all there is to know."""

from treecore.criteria.impurity import binary_decrease, impurity, squared_error_decrease
from treecore.jit import inner, passage, row
from treecore.kernels.fast_state import N_NODES
from treecore.kernels.limits import gain_allowed
from treecore.kernels.nodes import is_second_first, new_child


@inner
def first_difference(rows, a, b):
    """The first feature in which two rows differ, both known; -1 for none. All such features part them alike."""
    keys_of_a, keys_of_b = row(rows.keys, a), row(rows.keys, b)
    for f in range(keys_of_a.shape[0]):
        if keys_of_a[f] != keys_of_b[f] and max(keys_of_a[f], keys_of_b[f]) != rows.absent[f]:
            return f
    return -1


@inner
def describe(rows, stats, a):
    """stats = those of one row."""
    for s in range(stats.shape[0]):
        stats[s] = 0.0
    if rows.rules[0].n_classes > 0:
        stats[rows.label[a]] = 1.0
    else:
        y = rows.response[a]
        stats[0], stats[1], stats[2] = 1.0, y, y * y


@inner
def gain_between(rows, node, known, left, right):
    """The decrease of the impurity between two rows, by the formula that every grower uses. known : of both."""
    if rows.rules[0].n_classes > 0:
        return binary_decrease(rows.judge, node.impurity, left, 1.0, right, 1.0)
    mean = known[1] / known[0]
    sum_left = left[1] - mean
    total = sum_left + (right[1] - mean)
    return squared_error_decrease(sum_left, 1.0, total - sum_left, 1.0)


@inner
def make_single(rows, nodes, parent, i, known):
    """Make node i the leaf of one row."""
    stats = nodes.stats[i]
    for s in range(stats.shape[0]):
        stats[s] = known[s]
    new_child(nodes, parent, i, 1)
    nodes.of[i].impurity = impurity(rows.judge, stats, 1.0)


@passage
def split_pair(rows, nodes, i, a, b, left, right):
    """Split node i, of the rows a and b of all, if they differ and the gain is enough. left, right : working memory for
    their statistics."""
    node, rules, f = nodes.of[i], rows.rules[0], first_difference(rows, a, b)
    if f < 0:
        return
    low, high = min(rows.keys[a, f], rows.keys[b, f]), max(rows.keys[a, f], rows.keys[b, f])
    is_first = rows.keys[a, f] == low
    describe(rows, left, a if is_first else b)
    describe(rows, right, b if is_first else a)
    gain = gain_between(rows, node, nodes.stats[i], left, right)
    if not gain_allowed(rules, node.impurity, 2.0, float(nodes.of[0].n_rows), gain):
        return
    child = nodes.counts[N_NODES]
    nodes.counts[N_NODES] += 2
    node.feature, node.first_child, node.gain, node.low, node.high = f, child, gain, low, high
    node.swapped = is_second_first(rules, left, 1.0, right, 1.0, False)
    make_single(rows, nodes, i, child, left)
    make_single(rows, nodes, i, child + 1, right)
