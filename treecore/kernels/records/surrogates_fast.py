"""Surrogates of a grown binary tree, in one walk over it: of rows that count once and lack no value.

The fast twin of find_surrogates, which fills in the surrogates while a tree grows. Here the tree does not depend on
them: no row needs one. Source: Breiman et al. (1984), section 5.3; what rpart 4.1 counts.
"""

from typing import NamedTuple

import numpy as np

from treecore.engine.jit import inner, jit, kernel, piece
from treecore.kernels.general.surrogates import LEAST_ROWS
from treecore.kernels.records.block import all_records, mark, n_records, next_place, split_children
from treecore.kernels.records.fill import take_aside
from treecore.kernels.records.records import differs, row_of, unsigned_row

BACKUP = np.dtype([("feature", "i4"), ("low", "u4"), ("high", "u4"), ("low_branch", "i4"), ("agree", "i4")])
"""A surrogate: low and high are the keys on either side of its cut, or low is where the table of its levels begins in
Backups.tables; it sends `agree` rows as its node's split does."""
FAR = np.int32(2**30)
"""More than the rows of any table."""


class Backups(NamedTuple):
    """The surrogates found so far.

    of : BACKUP (capacity,). start, count : int64 (n_nodes,), those of a node are of[start:start + count], the one that
    agrees best first; count is 0 at nodes that were not come to. tables : int8, the side of each level, -1 for one that
    is not there. used : int64 (2,), how many surrogates and entries of the tables there are.
    """

    of: np.ndarray
    start: np.ndarray
    count: np.ndarray
    tables: np.ndarray
    used: np.ndarray


@inner
def count_sides(records, goes_left, ahead):
    """ahead[i] = rows that go left less rows that go right, of the first i + 1 records; uint32 (n,), modulo 2**32."""
    lead = np.uint32(0)
    for i in range(records.shape[0]):
        lead += np.uint32(2 * np.int64(goes_left[unsigned_row(records[i])]) - 1)
        ahead[i] = lead


@inner
def extreme_leads(records, ahead):
    """(least, most) of `ahead` at the cuts between different values with LEAST_ROWS on either side."""
    n = records.shape[0]
    behind = piece(records, LEAST_ROWS, n - LEAST_ROWS + 1)
    leads = piece(ahead, LEAST_ROWS - 1, n - LEAST_ROWS)
    least, most = FAR, -FAR
    for i in range(leads.shape[0]):
        lead, is_cut = np.int32(leads[i]), np.int32(differs(behind[i])) != 0  # of one size, to be taken together
        least = min(least, lead if is_cut else FAR)
        most = max(most, lead if is_cut else -FAR)
    return np.int64(least), np.int64(most)


@inner
def first_cut_of(records, ahead, least, most):
    """Records below the first cut whose lead is one of these."""
    n_low = LEAST_ROWS
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
def list_groups(rows, block, backups, place, start, kept, left_is_larger):
    """Write the tables of the levels of the nominal ones among these surrogates."""
    for j in range(start, start + kept):
        found = backups.of[j]
        f = np.int64(found.feature)
        if rows.nominal[f]:
            begin = backups.used[1]
            found.low, found.high, found.low_branch = begin, 0, 0
            backups.used[1] = begin + np.int64(rows.absent[f])
            here = all_records(block, place, f)
            judge_groups(rows, block, here, f, left_is_larger, piece(backups.tables, begin, backups.used[1]))


@inner
def make_room(backups, start, n, agree):
    """The place of a surrogate that sends `agree` rows alike, among n from `start` on: behind those as good as it.

    The worse ones move on; the last one must be one to be lost, or none.
    """
    of, at = backups.of, start + n - 1
    while at > start and of[at - 1].agree < agree:
        of[at] = of[at - 1]
        at -= 1
    return at


@inner
def list_backups(rows, block, backups, place, winner, node, left, swapped, most_kept):
    """Write the surrogates of the node at this place, `left` of whose rows go left; block.goes_left says which.

    swapped : does the right side come first in the tree?
    """
    waiting, ahead, goes_left = block.waiting[place], block.sums, block.goes_left
    n, start, kept = waiting.stop - waiting.start, backups.used[0], np.int64(0)
    right = n - left
    left_is_larger = left > right or (left == right and swapped != 0)  # the last branch counts as larger, of equal ones
    for f in range(block.best.shape[0]):
        if f == winner:
            continue
        here = all_records(block, place, f)
        if rows.nominal[f]:
            agree = np.int64(judge_groups(rows, block, here, f, left_is_larger, piece(backups.tables, 0, 0)))
        else:
            count_sides(here, goes_left, ahead)
            least, most = extreme_leads(here, ahead)
            agree = max(right + most, left - least)
        if agree <= (max(left, right) if kept < most_kept else np.int64(backups.of[start + kept - 1].agree)):
            continue
        kept = min(kept + 1, most_kept)
        found = backups.of[make_room(backups, start, kept, agree)]
        if rows.nominal[f]:
            found.feature, found.agree = f, agree
            continue
        # an extreme that is worse than the other one is none to look for
        least, most = left - agree, agree - right
        n_low = first_cut_of(here, ahead, least, most)
        found.feature, found.agree, found.low_branch = f, agree, int(np.int32(ahead[n_low - 1]) != most)
        found.low = rows.keys[block.rows[row_of(here[n_low - 1])], f]
        found.high = rows.keys[block.rows[row_of(here[n_low])], f]
    list_groups(rows, block, backups, place, start, kept, left_is_larger)
    backups.start[node], backups.count[node] = start, kept
    backups.used[0] = start + kept


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
def visit(rows, block, nodes, backups, place, most_kept):
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
    # one row that goes alone cannot be told from the others by a cut with more on either side
    if min(left, n - left) >= LEAST_ROWS:
        list_backups(rows, block, backups, place, node.feature, i, left, node.swapped, most_kept)
    left_too, right_too = may_have_backups(nodes.of[child]), may_have_backups(nodes.of[child + 1])
    if left_too or right_too:
        split_children(block, place, child, left, left_too, right_too)


@kernel
def walk(rows, block, nodes, backups, most_kept, smallest, budget):
    """Visit waiting nodes until none is left, or about `budget` records were looked at; those with fewer than
    `smallest` rows are set aside. Returns what is left of the budget."""
    while budget > 0:
        place = next_place(block, nodes, smallest)
        if place < 0:
            break
        budget -= n_records(block, place)
        visit(rows, block, nodes, backups, place, most_kept)
    return budget


@jit
def walk_aside(rows, block, nodes, sorter, backups, most_kept, smallest, budget):
    """Visit the nodes that were set aside with at least `smallest` rows and what is below them, one in a block after
    the other, until about `budget` records were looked at; smaller ones are set aside. Returns whether any are left."""
    while True:
        budget = walk(rows, block, nodes, backups, most_kept, smallest, budget)
        if budget <= 0:
            return True
        n = take_aside(rows, block, nodes, sorter, smallest)
        if n == 0:
            return False
        budget -= n * block.best.shape[0]
