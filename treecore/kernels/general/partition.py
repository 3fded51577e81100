"""Which branch each row of a node takes, and the rows sorted by branch: whole ones, and those shared by branches."""

import math

import numpy as np

from treecore.engine.jit import inner, jit, kernel
from treecore.kernels.codes import SHARED, STAYS
from treecore.kernels.state import NODE_VALUE, ORDERED, OWN_VALUE, SHARE, STAY, SURROGATES
from treecore.kernels.sums import add_row

# Rows of which only a part is at a node.


@kernel
def load_shares(problem, growing, node):
    """Let growing.rows weigh what is at this node of its rows, and have its responses; nothing to do where rows are
    whole."""
    if growing.share.shape[0] == 0:
        return
    by_numbers = problem.targets.shape[0] > 0
    for i in range(node.start, node.stop):
        row, share = growing.order[0, i], growing.share[i]
        growing.rows[row].weight = problem.rows[row].weight * share
        growing.rows[row].case = problem.rows[row].case * share
        if by_numbers:
            growing.rows[row].response = problem.targets[row] - node.center


@jit
def missing_entries(problem, growing, ids):
    """int64 (len(ids),): entries of each node that its split may not know: those without a value, which stand last, and
    of a split by levels those of weight 0, whose level no other row may have."""
    entries = np.zeros(ids.shape[0], np.int64)
    for i in range(ids.shape[0]):
        node = growing.nodes[ids[i]]
        codes, order, missing = problem.codes[node.feature], growing.order[node.feature], node.stop
        while missing > node.start and codes[order[missing - 1]] == problem.features[node.feature].n_codes:
            missing -= 1
        entries[i] = node.stop - missing
        if node.level_start >= 0:
            for at in range(node.start, missing):
                entries[i] += problem.rows[order[at]].weight <= 0.0
    return entries


# Which branch each row of a node takes.

ABSENT = -3
"""In growing.side, of a row that is not sent yet: a branch is 0 or more, and SHARED and STAYS are other numbers."""


@inner
def put_row(growing, child, row, n_classes):
    """Count one row into a child; `stop` holds the child's number of rows for now."""
    add_row(growing.stats[child.id], row, n_classes)
    child.weight += row.weight
    child.n_rows += row.weight > 0.0
    child.stop += 1


@kernel
def put_part(growing, child, row, share, n_classes):
    """Count a share of a row into a child."""
    stats = growing.stats[child.id]
    if n_classes > 0:
        stats[row.label] += row.weight * share
    else:
        stats[0] += row.weight * share
        stats[1] += row.weight * share * row.response
        stats[2] += row.weight * share * row.response * row.response
    child.weight += row.weight * share
    child.n_rows += row.weight > 0.0
    child.stop += 1


@inner
def branch_of(problem, growing, node, code):
    """The branch of a known code, -1 for a level that the split does not name.

    Between the neighbours of a cut may stand rows of weight 0.
    """
    if node.level_start < 0:
        if node.low < code < node.high:
            return int(not is_below(problem, node.feature, node.low, node.high, value_of(problem, node.feature, code)))
        return int(code > node.low)
    if node.n_cuts == 0:
        return growing.level_branch[node.level_start + code]
    branch = 0
    while branch < node.n_cuts and code > growing.level_branch[node.level_start + branch]:
        branch += 1
    return branch


@kernel
def send_known(problem, growing, node):
    """Send the rows with a known value, which stand first.

    growing.levels[b].weight becomes the case weight that branch b gets.
    Returns (position of the first row without a value, how many of those before it are marked as ABSENT): rows of
    weight 0 with a level that no other row has.
    """
    codes, order = problem.codes[node.feature], growing.order[node.feature]
    feature, n_classes = problem.features[node.feature], problem.rules[0].n_classes
    for b in range(node.n_children):
        growing.levels[b].weight = 0.0
    at, n_absent = node.start, 0
    while at < node.stop and codes[order[at]] != feature.n_codes:
        row = order[at]
        branch = branch_of(problem, growing, node, codes[row])
        if branch < 0 and growing.rows[row].weight <= 0.0:
            growing.side[row] = ABSENT
            n_absent += 1
            at += 1
            continue
        if branch < 0:  # a level that an imposed grouping does not name: routing must know where it went
            branch = 0
            growing.level_branch[node.level_start + codes[row]] = 0
        growing.side[row] = branch
        put_row(growing, growing.nodes[node.first_child + branch], growing.rows[row], n_classes)
        growing.levels[branch].weight += growing.rows[row].case
        at += 1
    return at, n_absent


@kernel
def largest_branch(growing, node, by, ties):
    """The branch that is largest so far.

    by : 0 case weight, 1 rows of positive weight, 2 all rows, of which a child's `stop` is the number for now.
    ties : 0 the first of equals, 1 the last, 2 STAYS.
    """
    best, branch = -1.0, 0
    for b in range(node.n_children):
        child = growing.nodes[node.first_child + b]
        size = growing.levels[b].weight
        if by > 0:
            size = float(child.n_rows if by == 1 else child.stop)
        if size == best and ties == 2:
            branch = STAYS
        if size > best or (size == best and ties == 1):
            best, branch = size, b
    return branch


@kernel
def branch_of_number(problem, growing, node, number):
    """The branch of any number, whether or not a row has it."""
    if node.n_cuts == 0:
        low = is_below(problem, node.feature, node.low, node.high, number)
        return node.low_branch if low else 1 - node.low_branch
    branch = 0
    while branch < node.n_cuts:
        last = growing.level_branch[node.level_start + branch]
        if is_below(problem, node.feature, last, last + 1, number):
            break
        branch += 1
    return branch


@inner
def value_of(problem, f, code):
    """What a code of an ordered feature stands for."""
    return problem.values[problem.features[f].value_start + code]


@inner
def is_below(problem, f, low, high, number):
    """Is it on the low side of the threshold between these two codes? As growing.settings.parts places thresholds."""
    rules, feature = problem.rules[0], problem.features[f]
    if low < 0 or high >= feature.n_codes:
        return high >= feature.n_codes
    values = problem.values[feature.value_start : feature.value_start + feature.n_codes]
    threshold = values[low] * (1.0 - rules.cut_at) + values[high] * rules.cut_at
    if feature.ordinal != 0:
        threshold = math.floor(low * (1.0 - rules.cut_at) + high * rules.cut_at) + 0.5
    elif rules.on_data != 0:
        middle, threshold = threshold, values[low]
        for code in problem.codes[f]:
            if low < code < high and threshold < values[code] <= middle:
                threshold = values[code]
    return number <= threshold if rules.closed != 0 else number < threshold


@kernel
def branch_of_usual_value(problem, growing, node, first_missing):
    """The branch of the mean of the known values, of their heaviest level if they have no mean."""
    f = node.feature
    codes, order, feature = problem.codes[f], growing.order[f], problem.features[f]
    if first_missing == node.start:
        return 0
    if feature.splitter == ORDERED:
        total, weight = 0.0, 0.0
        for i in range(node.start, first_missing):
            w = growing.rows[order[i]].case
            total += w * problem.values[feature.value_start + codes[order[i]]]
            weight += w
        return branch_of_number(problem, growing, node, total / max(weight, 1e-300))
    best, usual, i = -1.0, codes[order[node.start]], node.start
    while i < first_missing:
        code, weight = codes[order[i]], 0.0
        while i < first_missing and codes[order[i]] == code:
            weight += growing.rows[order[i]].case
            i += 1
        if weight > best:
            best, usual = weight, code
    return branch_of(problem, growing, node, usual)


@kernel
def route_of_missing(problem, growing, node, first_missing, special):
    """Where rows without a value go: a branch, STAYS or SHARED.

    Called when the known rows are with the children.
    """
    rules = problem.rules[0]
    if rules.missing == STAY or (rules.missing == SURROGATES and rules.surrogate_majority == 0):
        return STAYS
    if special is not None:
        if rules.missing == SHARE:
            return SHARED
        if rules.missing == NODE_VALUE:
            return branch_of_usual_value(problem, growing, node, first_missing)
    by = rules.majority_rows * (1 if rules.missing == OWN_VALUE else 2)
    return largest_branch(growing, node, by, rules.majority_ties)


@kernel
def surrogate_branch(problem, growing, node, row):
    """The branch that the first surrogate with a known value names, else node.missing_branch."""
    for s in range(node.surrogate_start, node.surrogate_start + node.n_surrogates):
        test = growing.surrogates[s]
        code = problem.codes[test.feature, row]
        if code == problem.features[test.feature].n_codes:
            continue
        if test.level_start >= 0:
            branch = growing.level_branch[test.level_start + code]
        else:
            branch = test.low_branch if code <= test.low else 1 - test.low_branch
        if branch >= 0:
            test.n_used += 1
            return branch
    return node.missing_branch


@kernel
def send_missing(problem, growing, node, first_missing, special):
    """Send the rows without a value; returns how many stay at the node."""
    order, staying = growing.order[node.feature], 0
    node.missing_rows, node.missing_weight = node.stop - first_missing, 0.0
    for b in range(node.n_children):
        growing.levels[b].key = growing.levels[b].weight
    for i in range(first_missing, node.stop):
        node.missing_weight += growing.rows[order[i]].case
        staying += send_unknown(problem, growing, node, order[i], special)
    return staying


@kernel
def send_absent(problem, growing, node, first_missing, special):
    """Send the rows of weight 0 whose level no other row of the node has, which send_known marked: as if they had no
    value, but in rpart they stay. Returns how many stay at the node."""
    order, staying = growing.order[node.feature], 0
    for b in range(node.n_children):
        growing.levels[b].key = growing.levels[b].weight
    for i in range(node.start, first_missing):
        if growing.side[order[i]] == ABSENT:
            if problem.rules[0].errs_on > 0:
                growing.side[order[i]] = node.n_children
                staying += 1
            else:
                staying += send_unknown(problem, growing, node, order[i], special)
    return staying


@kernel
def send_unknown(problem, growing, node, at, special):
    """Send a row whose branch the node's split does not know; returns 1 if it stays at the node, else 0."""
    branch = node.missing_branch
    if node.n_surrogates > 0 and problem.rules[0].missing == SURROGATES:
        branch = surrogate_branch(problem, growing, node, at)
    if branch == STAYS:
        growing.side[at] = node.n_children
        return 1
    growing.side[at] = branch
    if special is not None:
        if branch == SHARED:
            share_row(problem, growing, node, growing.rows[at])
            return 0
    put_row(growing, growing.nodes[node.first_child + branch], growing.rows[at], problem.rules[0].n_classes)
    return 0


@kernel
def share_row(problem, growing, node, row):
    """Count a row into every branch by its share of the known case weight, which growing.levels[b].key holds."""
    known = 0.0
    for b in range(node.n_children):
        known += growing.levels[b].key
    for b in range(node.n_children):
        if growing.levels[b].key / known > problem.rules[0].min_share:
            child = growing.nodes[node.first_child + b]
            put_part(growing, child, row, growing.levels[b].key / known, problem.rules[0].n_classes)


@kernel
def partition(growing, node, staying, special):
    """Reorder every feature's slice of the node so that each child's rows are together, still sorted.

    staying : rows that go to no child; they end up behind those of the last one.
    """
    side, spare, nodes = growing.side, growing.spare, growing.nodes
    for f in range(growing.order.shape[0]):
        order = growing.order[f]
        if node.n_children == 2 and staying == 0 and (f > 0 or growing.share.shape[0] == 0):
            partition_two(order, side, spare, node.start, node.stop)
            continue
        for b in range(node.n_children):
            growing.levels[b].order = nodes[node.first_child + b].start
        growing.levels[node.n_children].order = node.stop - staying
        if special is not None:
            if f == 0 and growing.share.shape[0] > 0:
                sort_shares(growing, node)
        for i in range(node.start, node.stop):
            b = side[order[i]]
            spare[growing.levels[b].order - node.start] = order[i]
            growing.levels[b].order += 1
        for i in range(node.start, node.stop):
            order[i] = spare[i - node.start]


@kernel
def sort_shares(growing, node):
    """The shares, which stand beside order[0], in the order its rows are about to have."""
    for i in range(node.start, node.stop):
        growing.part[i - node.start] = growing.share[i]
        growing.spare[i - node.start] = growing.levels[growing.side[growing.order[0, i]]].order
        growing.levels[growing.side[growing.order[0, i]]].order += 1
    for i in range(node.stop - node.start):
        growing.share[growing.spare[i]] = growing.part[i]
    for b in range(node.n_children):
        growing.levels[b].order = growing.nodes[node.first_child + b].start
    growing.levels[node.n_children].order = node.stop


@kernel
def partition_two(order, side, spare, start, stop):
    """Stable partition into two, without a branch on the side."""
    left, right = start, 0
    for i in range(start, stop):
        row = order[i]
        s = side[row]
        order[left] = row
        spare[right] = row
        left += 1 - s
        right += s
    for i in range(right):
        order[left + i] = spare[i]


@kernel
def spread(problem, growing, node):
    """Write every feature's slice of each child behind all entries in use: rows that are shared stand in several.

    growing.levels[b].key holds the case weight of the rows that branch b got for their value.
    """
    nodes, levels, first, known = growing.nodes, growing.levels, node.first_child, 0.0
    for b in range(node.n_children):
        known += levels[b].key
    for f in range(growing.order.shape[0]):
        for b in range(node.n_children):
            levels[b].order = nodes[first + b].start
        for i in range(node.start, node.stop):
            branch = growing.side[growing.order[f, i]]
            if branch != SHARED:
                put_entry(growing, f, i, branch, 1.0)
                continue
            for b in range(node.n_children):
                if levels[b].key / known > problem.rules[0].min_share:
                    put_entry(growing, f, i, b, levels[b].key / known)


@inner
def put_entry(growing, f, i, branch, part):
    """Append the row at position i of a feature's order, or a part of it, to a branch."""
    to = growing.levels[branch].order
    growing.order[f, to] = growing.order[f, i]
    if f == 0:
        growing.share[to] = growing.share[i] * part
    growing.levels[branch].order += 1
