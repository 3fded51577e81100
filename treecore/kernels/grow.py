"""The exact grower: one small loop for every criterion, kind of feature, weight and limit.

It is the reference that faster kernels must agree with, and it compiles quickly enough to grow the
first tree of a session. Rows are sorted once per feature; a split is a stable partition of each
feature's slice, so that every node finds its rows sorted already.
"""

from treecore.criteria.impurity import impurity
from treecore.jit import jit, kernel
from treecore.kernels.edits import edit_at, impose
from treecore.kernels.frontier import pop, push
from treecore.kernels.partition import order_by_mean, partition, send_rows
from treecore.kernels.rows import add_row
from treecore.kernels.search import search
from treecore.kernels.state import (
    DONE,
    N_FRONTIER,
    N_KNOWN,
    N_LEAVES,
    N_LEVELS,
    N_NODES,
    N_SEARCHED,
    NEEDS_ROOM,
    PAUSED,
)


@jit
def sort_by_code(codes, n_codes, order):
    """order = rows by ascending code, missing last, equal codes by row number: a counting sort."""
    begin = [0] * (n_codes + 2)
    for code in codes:
        begin[code + 1] += 1
    for v in range(n_codes + 1):
        begin[v + 1] += begin[v]
    for row in range(codes.shape[0]):
        order[begin[codes[row]]] = row
        begin[codes[row]] += 1


@kernel
def finish_node(rules, stats, node):
    """Impurity of a node whose statistics are complete; it is a leaf until a search finds a split."""
    node.impurity = impurity(rules.criterion, stats[node.id], node.weight)
    node.feature = -1
    node.first_child = -1
    node.level_start = -1


@kernel
def may_split(rules, stats, node):
    """Do purity and the limits allow a search at this node?

    A regression node is pure up to what sums around the training mean can resolve.
    """
    pure = node.impurity <= 0.0
    if rules.n_classes == 0:
        pure = node.impurity * node.weight <= 1e-14 * stats[node.id, 2]
    return (
        not pure
        and node.depth < rules.max_depth
        and node.stop - node.start >= rules.min_rows_split
        and node.n_rows >= 2 * rules.min_rows_leaf
        and node.weight >= rules.min_weight_split
    )


@kernel
def split(problem, growing, node):
    """Make the node's children and sort their rows apart; they are searched when their turn comes."""
    nodes, counts, rules = growing.nodes, growing.counts, problem.rules[0]
    first, k = counts[N_NODES], node.n_children
    node.first_child = first
    counts[N_NODES] += k
    counts[N_LEAVES] += k - 1
    for i in range(first, first + k):
        nodes[i].id = i
        nodes[i].parent = node.id
        nodes[i].depth = node.depth + 1
        nodes[i].edit = edit_at(problem.edits, node.edit, i - first) if node.edit >= 0 else -1
    send_rows(problem, growing, node)
    order_by_mean(problem, growing, node)
    at, searchable = node.start, 0
    for i in range(first, first + k):
        nodes[i].start = at
        at += nodes[i].stop
        nodes[i].stop = at
        finish_node(rules, growing.stats, nodes[i])
        searchable += nodes[i].edit >= 0 or may_split(rules, growing.stats, nodes[i])
    if searchable > 0:
        partition(growing, node)


@kernel
def start(rows, rules, nodes, stats, counts):
    """Make the root, node 0, of all rows."""
    root = nodes[0]
    root.parent = -1
    root.stop = rows.shape[0]
    for i in range(root.stop):
        row = rows[i]
        add_row(stats[0], row, rules.n_classes)
        root.weight += row.weight
        root.n_rows += row.weight > 0.0
    finish_node(rules, stats, root)
    counts[N_NODES] = 1
    counts[N_LEAVES] = 1


@kernel
def fits(growing, node, max_leaves):
    """Are there leaves to spend on this node's split? If not, it stays a leaf for good."""
    if growing.counts[N_LEAVES] + node.n_children - 1 <= max_leaves:
        return True
    node.feature = -1
    node.n_children = 0
    node.level_start = -1
    return False


@kernel
def has_room(growing):
    """Is there room for the children of any split?"""
    return growing.counts[N_NODES] + growing.levels.shape[0] <= growing.nodes.shape[0]


@kernel
def search_new(problem, growing):
    """Search the newest nodes, last first, and queue those that split; False if room for their levels runs out."""
    nodes, counts, rules = growing.nodes, growing.counts, problem.rules[0]
    while counts[N_KNOWN] > counts[N_SEARCHED]:
        if counts[N_LEVELS] + growing.levels.shape[0] > growing.level_branch.shape[0]:
            return False
        counts[N_KNOWN] -= 1
        node = nodes[counts[N_KNOWN]]
        found = impose(problem, growing, node)
        if not found and may_split(rules, growing.stats, node):
            found = search(problem, growing, node)
        if found:
            push(nodes, growing.frontier, counts, rules.best_first, node.id)
    return True


@jit
def grow(problem, growing, budget):
    """Split nodes until none is left, `budget` (row, feature) pairs were looked at, or room runs out.

    The first call, with no nodes yet, makes the root. Nodes are searched when they are made, so that
    best-first growth can choose among them.
    """
    nodes, counts, rules = growing.nodes, growing.counts, problem.rules[0]
    if counts[N_NODES] == 0:
        start(problem.rows, rules, nodes, growing.stats, counts)
        nodes[0].edit = edit_at(problem.edits, -1, 0)
        counts[N_KNOWN] = 1
    while True:
        if not search_new(problem, growing):
            return NEEDS_ROOM
        if counts[N_FRONTIER] == 0:
            return DONE
        if not has_room(growing):
            return NEEDS_ROOM
        if budget <= 0:
            return PAUSED
        node = nodes[pop(nodes, growing.frontier, counts, rules.best_first)]
        if fits(growing, node, rules.max_leaves):
            budget -= (node.stop - node.start) * problem.codes.shape[0]
            counts[N_SEARCHED] = counts[N_NODES]
            split(problem, growing, node)
            counts[N_KNOWN] = counts[N_NODES]
