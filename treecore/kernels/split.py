"""Splitting a node: its rows go to its children."""

from treecore.criteria.impurity import impurity
from treecore.jit import jit, kernel, passage
from treecore.kernels.limits import may_split
from treecore.kernels.rows import add_row, mean_target
from treecore.kernels.state import MULTIWAY, N_NODES, ORDERED


@kernel
def put_row(growing, child, row, n_classes):
    """Count one row into a child; `stop` holds the child's number of rows for now."""
    add_row(growing.stats[child.id], row, n_classes)
    child.weight += row.weight
    child.n_rows += row.weight > 0.0
    child.stop += 1


@kernel
def send_rows(problem, growing, node):
    """Fill growing.side with each row's branch and sum up the children.

    Rows with a missing value stand at the end of the slice; they wait until the heaviest child is known.
    """
    codes, order = problem.codes[node.feature], growing.order[node.feature]
    side, nodes = growing.side, growing.nodes
    feature, n_classes = problem.features[node.feature], problem.rules[0].n_classes
    at = node.start
    while at < node.stop and codes[order[at]] != feature.n_codes:
        row = order[at]
        if node.level_start >= 0:
            branch = growing.level_branch[node.level_start + codes[row]]
        else:
            branch = int(codes[row] > node.low)
        if branch < 0:  # a level that an imposed grouping does not name: routing must know where it went
            branch = 0
            growing.level_branch[node.level_start + codes[row]] = 0
        side[row] = branch
        put_row(growing, nodes[node.first_child + branch], problem.rows[row], n_classes)
        at += 1
    node.missing_branch = heaviest_child(nodes, node)
    while at < node.stop:
        side[order[at]] = node.missing_branch
        put_row(growing, nodes[node.first_child + node.missing_branch], problem.rows[order[at]], n_classes)
        at += 1


@kernel
def heaviest_child(nodes, node):
    """The branch with the largest weight, the first among equals."""
    heaviest = 0
    for b in range(1, node.n_children):
        if nodes[node.first_child + b].weight > nodes[node.first_child + heaviest].weight:
            heaviest = b
    return heaviest


@kernel
def order_by_mean(problem, growing, node):
    """Let the child with the smaller mean target come first.

    Always for subsets, whose sides have no order of their own; for thresholds when the rules say so.
    """
    rules, feature = problem.rules[0], problem.features[node.feature]
    ordered = feature.splitter == ORDERED
    if feature.splitter == MULTIWAY or (ordered and rules.order_by_mean == 0):
        return
    a, b = growing.nodes[node.first_child], growing.nodes[node.first_child + 1]
    mean_a = mean_target(growing.stats[a.id], a.weight, rules.n_classes)
    if mean_a <= mean_target(growing.stats[b.id], b.weight, rules.n_classes):
        return
    swap_children(growing, a, b)
    node.missing_branch = 1 - node.missing_branch
    for i in range(node.start, node.stop):
        row = growing.order[node.feature, i]
        growing.side[row] = 1 - growing.side[row]
    node.low_branch = 1
    if not ordered:
        for v in range(node.level_start, node.level_start + feature.n_codes):
            if growing.level_branch[v] >= 0:
                growing.level_branch[v] = 1 - growing.level_branch[v]


@kernel
def swap_children(growing, a, b):
    """Exchange what two sibling leaves have summed up."""
    for s in range(growing.stats.shape[1]):
        growing.stats[a.id, s], growing.stats[b.id, s] = growing.stats[b.id, s], growing.stats[a.id, s]
    a.weight, b.weight = b.weight, a.weight
    a.n_rows, b.n_rows = b.n_rows, a.n_rows
    a.stop, b.stop = b.stop, a.stop


@kernel
def partition(growing, node):
    """Reorder every feature's slice of the node so that each child's rows are together, still sorted."""
    side, moved, nodes = growing.side, growing.moved, growing.nodes
    for f in range(growing.order.shape[0]):
        order = growing.order[f]
        if node.n_children == 2:
            partition_two(order, side, moved, node.start, node.stop)
            continue
        for b in range(node.n_children):
            growing.levels[b].order = nodes[node.first_child + b].start
        for i in range(node.start, node.stop):
            b = side[order[i]]
            moved[growing.levels[b].order] = order[i]
            growing.levels[b].order += 1
        for i in range(node.start, node.stop):
            order[i] = moved[i]


@kernel
def partition_two(order, side, moved, start, stop):
    """Stable partition into two, without a branch on the side."""
    left, right = start, 0
    for i in range(start, stop):
        row = order[i]
        s = side[row]
        order[left] = row
        moved[right] = row
        left += 1 - s
        right += s
    for i in range(right):
        order[left + i] = moved[i]


@passage
def make_children(problem, growing, node):
    """Give the node its children, with their rows summed up and, if they may be split, sorted apart."""
    nodes, rules = growing.nodes, problem.rules[0]
    first, k = growing.counts[N_NODES], node.n_children
    growing.counts[N_NODES] += k
    node.first_child = first
    for i in range(first, first + k):
        nodes[i].id, nodes[i].parent, nodes[i].depth = i, node.id, node.depth + 1
        nodes[i].feature, nodes[i].first_child, nodes[i].level_start = -1, -1, -1
    send_rows(problem, growing, node)
    order_by_mean(problem, growing, node)
    at, searchable = node.start, node.sort_rows
    for i in range(first, first + k):
        child = nodes[i]
        child.start = at
        at += child.stop
        child.stop = at
        child.impurity = impurity(rules.criterion, growing.stats[i], child.weight)
        searchable += may_split(rules, growing.stats, child)
    if searchable > 0:
        partition(growing, node)


@jit
def split_nodes(problem, growing, ids):
    """Split the nodes with these ids, in this order. There must be room for their children."""
    for i in ids:
        make_children(problem, growing, growing.nodes[i])
