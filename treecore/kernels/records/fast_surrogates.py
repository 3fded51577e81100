"""Surrogates of binary splits, of rows that count once: the fast twin of find_surrogates.

Where rows lack values they are listed while the tree grows, as they say where those rows go; else in one walk over the
grown tree, which does not depend on them. Source: Breiman et al. (1984), section 5.3; what rpart 4.1 counts.
"""

import numpy as np

from treecore.engine.jit import inner, jit, kernel, piece
from treecore.kernels.codes import STAYS
from treecore.kernels.general.surrogate_search import LEAST_ROWS
from treecore.kernels.records.nodes import center_at, note_gap, weight_of
from treecore.kernels.records.record_block import (
    N_BACKUP_TABLES,
    N_BACKUPS,
    NEITHER,
    all_records,
    mark,
    n_records,
    next_place,
    split_children,
    take_aside,
)
from treecore.kernels.records.records import class_of, differs, row_of, unsigned_row
from treecore.kernels.state import SURROGATES

FAR = np.int32(2**30)
"""More than the rows of any table."""


@inner
def count_sides(records, goes_left, ahead):
    """ahead[i] = rows that go left less rows that go right, of the first i + 1 records; uint32 (n,), modulo 2**32.
    Returns (how many go left, how many go right)."""
    n_left, n_right = np.uint32(0), np.uint32(0)
    for i in range(records.shape[0]):
        goes = goes_left[unsigned_row(records[i])]
        n_left += np.uint32(goes == 1)
        n_right += np.uint32(goes == 0)
        ahead[i] = n_left - n_right
    return np.int64(n_left), np.int64(n_right)


@inner
def allowed_cuts(records, goes_left):
    """(first, last) such that the cuts behind the first:last + 1 records have LEAST_ROWS on either side of which it is
    known where they go. There must be twice as many."""
    first, last, n = np.int64(0), np.int64(records.shape[0]), 0
    while n < LEAST_ROWS:
        n += goes_left[unsigned_row(records[first])] != NEITHER
        first += 1
    n = 0
    while n < LEAST_ROWS:
        last -= 1
        n += goes_left[unsigned_row(records[last])] != NEITHER
    return first, last


@inner
def extreme_leads(records, ahead, first, last):
    """(least, most) of `ahead` at the cuts between different values behind the first:last + 1 records."""
    behind = piece(records, first, last + 1)
    leads = piece(ahead, first - 1, last)
    least, most = FAR, -FAR
    for i in range(leads.shape[0]):
        lead, is_cut = np.int32(leads[i]), np.int32(differs(behind[i])) != 0  # of one size, to be taken together
        least = min(least, lead if is_cut else FAR)
        most = max(most, lead if is_cut else -FAR)
    return np.int64(least), np.int64(most)


@inner
def first_cut_of(records, ahead, first, least, most):
    """Records below the first cut, from the one behind the first ones on, whose lead is one of these."""
    n_low = first
    while True:
        if np.int64(np.int32(ahead[n_low - 1])) in (least, most) and differs(records[n_low]):
            return n_low
        n_low += 1


@kernel
def judge_groups(rows, block, records, f, left_is_larger, table):
    """Rows that a nominal feature sends as the node's split does, if each level goes where most of its rows go.

    -1 if it is none to use: see surrogates.best_grouping. table : int8, where the side of each level is written, -1 for
    one that is not there; or empty.
    """
    goes_left, errs_on, n = block.goes_left, rows.rules[0].errs_on, records.shape[0]
    agree, unlike, n_left, left, begin = 0, 0, 0, np.int64(0), 0
    table[:] = -1
    for i in range(n):
        left += np.int64(goes_left[unsigned_row(records[i])])
        if i + 1 < n and not differs(records[i + 1]):
            continue
        right = i + 1 - begin - left
        goes = left > right or (left == right and left_is_larger)
        if table.shape[0] > 0:
            table[rows.keys[block.rows[row_of(records[i])], f]] = 0 if goes else 1
        agree += left if goes else right
        unlike += right if goes else left
        n_left += i + 1 - begin if goes else 0
        left, begin = np.int64(0), i + 1
    enough = unlike >= errs_on if errs_on > 0 else min(n_left, n - n_left) >= LEAST_ROWS
    return agree if enough else -1


@inner
def list_groups(rows, block, nodes, place, start, n_listed, left_is_larger):
    """Write the tables of the levels of the nominal ones among these surrogates."""
    for j in range(start, start + n_listed):
        backup = nodes.backups[j]
        f = np.int64(backup.feature)
        if rows.nominal[f]:
            begin = nodes.counts[N_BACKUP_TABLES]
            stop = begin + np.int64(rows.absent[f])
            backup.low, backup.high, backup.low_branch, nodes.counts[N_BACKUP_TABLES] = begin, 0, 0, stop
            here = all_records(block, place, f)
            judge_groups(rows, block, here, f, left_is_larger, piece(nodes.backup_tables, begin, stop))


@inner
def make_room(backups, start, n, agree):
    """The place of a surrogate that sends `agree` rows alike, among n from `start` on: behind those as good as it.

    The worse ones move on; the last one must be one to be lost, or none.
    """
    at = start + n - 1
    while at > start and backups[at - 1].agree < agree:
        backups[at] = backups[at - 1]
        at -= 1
    return at


@kernel
def list_backups(rows, block, nodes, place, left, right):
    """Write the surrogates of the node at this place, which is split and `left` of whose rows go left, `right` right;
    block.goes_left says which, NEITHER for those without the value that is asked for."""
    waiting, ahead, goes_left, backups = block.waiting[place], block.sums, block.goes_left, nodes.backups
    node, start, n_listed = nodes.of[waiting.node], nodes.counts[N_BACKUPS], np.int64(0)
    most_listed = min(rows.rules[0].max_surrogates, block.best.shape[0] - 1)
    # one row that goes alone cannot be told from the others by a cut with more on either side
    if most_listed == 0 or min(left, right) < LEAST_ROWS:
        return
    # the last branch counts as larger, of equal ones
    larger, left_is_larger = max(left, right), left > right or (left == right and node.swapped != 0)
    for f in range(block.best.shape[0]):
        if f == node.feature:
            continue
        here, first, known_left, known_right = all_records(block, place, f), np.int64(0), left, right
        if rows.nominal[f]:
            agree = np.int64(judge_groups(rows, block, here, f, left_is_larger, piece(nodes.backup_tables, 0, 0)))
        else:
            here = piece(here, 0, block.known[place, f])
            known_left, known_right = count_sides(here, goes_left, ahead)
            if known_left + known_right < 2 * LEAST_ROWS:
                continue
            first, last = allowed_cuts(here, goes_left)
            least, most = extreme_leads(here, ahead, first, last)
            agree = max(known_right + most, known_left - least)
        if agree <= (larger if n_listed < most_listed else np.int64(backups[start + n_listed - 1].agree)):
            continue
        n_listed = min(n_listed + 1, most_listed)
        backup = backups[make_room(backups, start, n_listed, agree)]
        backup.n_used = 0
        if rows.nominal[f]:
            backup.feature, backup.agree = f, agree
            continue
        # an extreme that is worse than the other one is none to look for
        least, most = known_left - agree, agree - known_right
        n_low = first_cut_of(here, ahead, first, least, most)
        backup.feature, backup.agree, backup.low_branch = f, agree, int(np.int32(ahead[n_low - 1]) != most)
        backup.low = rows.keys[block.rows[row_of(here[n_low - 1])], f]
        backup.high = rows.keys[block.rows[row_of(here[n_low])], f]
    list_groups(rows, block, nodes, place, start, n_listed, left_is_larger)
    backed = nodes.backed[waiting.node]
    backed.start, backed.count, backed.larger = start, n_listed, larger
    nodes.counts[N_BACKUPS] = start + n_listed


@inner
def usual_side(rules, left, right, swapped):
    """Where rows go that no surrogate knows a branch for: to the one of more weight, as block.goes_left says it."""
    if rules.missing != SURROGATES or rules.surrogate_majority == 0:
        return NEITHER
    a, b = weight_of(left, rules.n_classes), weight_of(right, rules.n_classes)
    if a == b:
        return NEITHER if rules.majority_ties == 2 else int((swapped == 0) == (rules.majority_ties == 0))
    return int(a > b)


@inner
def side_by_backups(rows, nodes, i, row, usual):
    """Where a row goes by the first surrogate of node i whose feature it has a value of; `usual` if there is none."""
    for j in range(nodes.backed[i].start, nodes.backed[i].start + nodes.backed[i].count):
        test = nodes.backups[j]
        key = rows.keys[row, test.feature]
        if key != rows.absent[test.feature]:
            test.n_used += 1
            return int((key <= test.low) == (test.low_branch == 0))
    return usual


@inner
def add_record(rows, block, stats, record, center):
    """Add one row to statistics around this center."""
    if rows.rules[0].n_classes > 0:
        stats[class_of(record, block.label)] += 1.0
        return
    y = rows.response[block.rows[row_of(record)]] - center
    stats[0] += 1.0
    stats[1] += y
    stats[2] += y * y


@kernel
def send_by_backups(rows, block, nodes, place, middle):
    """List the surrogates of the node at this place, of whose rows with a value `middle` go left, and let them send the
    others. block.left and block.right become the statistics of the children. Returns (rows that go left, right)."""
    waiting, rules, left, right, goes_left = (
        block.waiting[place],
        rows.rules[0],
        block.left,
        block.right,
        block.goes_left,
    )
    i = waiting.node
    node = nodes.of[i]
    here, k = all_records(block, place, node.feature), block.known[place, node.feature]
    unknown, center, n_left, n_right = piece(here, k, here.shape[0]), center_at(nodes, i), middle, k - middle
    mark(block, unknown, NEITHER)
    list_backups(rows, block, nodes, place, n_left, n_right)
    if unknown.shape[0] == 0:
        return n_left, n_right
    usual = usual_side(rules, left, right, node.swapped)
    for j in range(unknown.shape[0]):
        at, side = row_of(unknown[j]), usual
        if rules.missing == SURROGATES:
            side = side_by_backups(rows, nodes, i, block.rows[at], usual)
        goes_left[at] = side
        if side == 1:
            n_left += 1
            add_record(rows, block, left, unknown[j], center)
        elif side == 0:
            n_right += 1
            add_record(rows, block, right, unknown[j], center)
    note_gap(nodes, i, unknown.shape[0], float(unknown.shape[0]), STAYS if usual == NEITHER else 1 - usual)
    return n_left, n_right


@inner
def may_have_backups(node):
    """Has the node a split, and rows enough for a surrogate of it or of one below?"""
    return node.feature >= 0 and node.n_rows >= 2 * LEAST_ROWS


@inner
def mark_levels(rows, block, nodes, place, node):
    """Write which rows of the node at this place go left, by the levels that do."""
    goes_left, side = block.goes_left, 0
    here = all_records(block, place, node.feature)
    for i in range(here.shape[0]):
        at = row_of(here[i])
        if i == 0 or differs(here[i]):
            side = np.int64(nodes.tables[np.int64(node.low) + np.int64(rows.keys[block.rows[at], node.feature])])
        goes_left[at] = side == 0


@inner
def visit(rows, block, nodes, place):
    """List the surrogates of the node at this place; its children wait there afterwards, the smaller one on top."""
    waiting = block.waiting[place]
    i, n = waiting.node, waiting.stop - waiting.start
    node = nodes.of[i]
    child = np.int64(node.first_child)
    left = np.int64(nodes.of[child].n_rows)
    if rows.nominal[node.feature]:
        mark_levels(rows, block, nodes, place, node)
    else:
        here = all_records(block, place, node.feature)
        mark(block, piece(here, 0, left), 1)
        mark(block, piece(here, left, n), 0)
    list_backups(rows, block, nodes, place, left, n - left)
    left_too, right_too = may_have_backups(nodes.of[child]), may_have_backups(nodes.of[child + 1])
    if left_too or right_too:
        split_children(block, place, child, left, n - left, left_too, right_too)


@kernel
def walk(rows, block, nodes, smallest, budget):
    """Visit waiting nodes until none is left, or about `budget` records were looked at; those with fewer than
    `smallest` rows are set aside. Returns what is left of the budget."""
    while budget > 0:
        place = next_place(block, nodes, smallest)
        if place < 0:
            break
        budget -= n_records(block, place)
        visit(rows, block, nodes, place)
    return budget


@jit
def walk_aside(rows, block, nodes, sorter, smallest, budget):
    """Visit the nodes that were set aside with at least `smallest` rows and what is below them, one in a block after
    the other, until about `budget` records were looked at; smaller ones are set aside. Returns whether any are left."""
    while True:
        budget = walk(rows, block, nodes, smallest, budget)
        if budget <= 0:
            return True
        n = take_aside(rows, block, nodes, sorter, smallest)
        if n == 0:
            return False
        budget -= n * block.best.shape[0]
