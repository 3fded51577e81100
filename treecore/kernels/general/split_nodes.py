"""Splitting a node: its rows go to its children."""

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import impurity_by_code
from treecore.criteria.split_scores import DECREASE, cut_value
from treecore.engine.jit import jit, kernel
from treecore.kernels.constraints import bound_children, may_split
from treecore.kernels.general.partition import (
    load_shares,
    partition,
    route_of_missing,
    send_absent,
    send_known,
    send_missing,
    spread,
)
from treecore.kernels.random_features import key_of_child
from treecore.kernels.state import N_ENTRIES, N_NODES, OPEN, ORDERED, SHARE
from treecore.kernels.sums import in_wrong_order, recenter_children

_ABSOLUTE = CRITERIA["absolute_error"].code


@kernel
def order_by_mean(problem, growing, node, first_missing):
    """Let the child with the smaller mean target come first.

    Always for subsets, whose sides have no order of their own; for thresholds when the rules say so.
    """
    feature, a = problem.features[node.feature], growing.nodes[node.first_child]
    ordered, b = feature.splitter == ORDERED, growing.nodes[node.first_child + (node.n_children > 1)]
    if not in_wrong_order(problem, node, growing.stats[a.id], a.weight, growing.stats[b.id], b.weight):
        return
    swap_children(growing, a, b)
    if node.missing_branch >= 0:
        node.missing_branch = 1 - node.missing_branch
    for i in range(node.start, first_missing):
        row = growing.order[node.feature, i]
        if growing.side[row] >= 0:
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
    first, second = growing.levels[0].weight, growing.levels[1].weight
    growing.levels[0].weight, growing.levels[1].weight = second, first


@kernel
def gain_of(problem, growing, node):
    """Decrease of the impurity over the rows that are with the children, times their share of the node's weight.

    For an impurity that does not follow from statistics, what the search found.
    """
    if problem.judge.code == _ABSOLUTE:
        return node.gain
    judge, known, weight, remaining = problem.judge, growing.sums[2], 0.0, 0.0
    for s in range(known.shape[0]):
        known[s] = 0.0
    for i in range(node.first_child, node.first_child + node.n_children):
        weight += growing.nodes[i].weight
        remaining += growing.nodes[i].weight * impurity_by_code(judge, growing.stats[i], growing.nodes[i].weight)
        for s in range(known.shape[0]):
            known[s] += growing.stats[i, s]
    if weight <= 0.0:
        return 0.0
    parent, share = impurity_by_code(judge, known, weight), weight / node.weight
    a = growing.nodes[node.first_child]
    if node.n_children == 2 and 0.0 < a.weight < weight:
        b = growing.nodes[node.first_child + 1]
        return share * cut_value(
            judge, DECREASE, parent, growing.stats[a.id], a.weight, growing.stats[b.id], b.weight, None
        )
    return share * (parent - remaining / weight)


@kernel
def make_children(problem, growing, node, special):
    """Give the node its children, with their rows summed up and, if they may be split, sorted apart."""
    nodes = growing.nodes
    first, k = growing.counts[N_NODES], node.n_children
    growing.counts[N_NODES] += k
    node.first_child = first
    for i in range(first, first + k):
        nodes[i].id, nodes[i].parent, nodes[i].depth = i, node.id, node.depth + 1
        nodes[i].feature, nodes[i].first_child, nodes[i].level_start = -1, -1, -1
        nodes[i].center, nodes[i].key = node.center, key_of_child(node.key, i - first)
    if special is not None:
        load_shares(problem, growing, node)
    first_missing, n_absent = send_known(problem, growing, node)
    named = node.missing_branch != OPEN
    if special is not None:
        if not named:
            node.gain = gain_of(problem, growing, node)
    order_by_mean(problem, growing, node, first_missing)
    if not named:
        node.missing_branch = route_of_missing(problem, growing, node, first_missing, special)
    staying = send_missing(problem, growing, node, first_missing, special) if first_missing < node.stop else 0
    if n_absent > 0:
        staying += send_absent(problem, growing, node, first_missing, special)
    if special is not None:
        if named:
            node.gain = gain_of(problem, growing, node)
        if problem.rules[0].monotonic != 0:
            bound_children(problem, growing, node)
    sort_apart(problem, growing, node, first_missing, n_absent, staying, special)


@kernel
def sort_apart(problem, growing, node, first_missing, n_absent, staying, special):
    """Give the children their slices and, if any of them may be split, sort their rows into them."""
    nodes, rules, first = growing.nodes, problem.rules[0], node.first_child
    apart = rules.missing == SHARE and (first_missing < node.stop or n_absent > 0)
    at, searchable = growing.counts[N_ENTRIES] if apart else node.start, node.sort_rows
    if problem.targets.shape[0] > 0:
        recenter_children(problem, growing, node)
    for i in range(first, first + node.n_children):
        child = nodes[i]
        child.start = at
        at += child.stop
        child.stop = at
        child.impurity = impurity_by_code(problem.judge, growing.stats[i], child.weight)
        searchable += may_split(rules, child)
    if special is not None:
        if apart:
            keep_apart(problem, growing, node, at, searchable)
            return
    if searchable > 0:
        partition(growing, node, staying, special)


@kernel
def keep_apart(problem, growing, node, stop, searchable):
    """The children's rows stand behind all entries in use, up to `stop`; nowhere if no child may be split."""
    if searchable > 0:
        growing.counts[N_ENTRIES] = stop
        spread(problem, growing, node)
        return
    for i in range(node.first_child, node.first_child + node.n_children):
        growing.nodes[i].start, growing.nodes[i].stop = 0, 0


@jit
def split_nodes(problem, growing, ids, special):
    """Split the nodes with these ids, in this order. There must be room for their children.

    special : None where rows are whole, none goes where the node's usual value goes, and the search left the gain;
        True otherwise.
    """
    for i in ids:
        make_children(problem, growing, growing.nodes[i], special)
