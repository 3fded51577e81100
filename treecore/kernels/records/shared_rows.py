"""Growing on sorted records where rows may be shared among branches, and where cuts are judged as in J48: the tree that
the general kernels grow, to the last bit.

The rules are theirs; only where rows stand is different. Of two branches the larger one waits, and rows keep their
numbers there. The smaller one is split first: the part of a shared row that goes there is a row of its own, with a
number behind all that are in use, which is free again once all below that branch is done.
"""

import math
from typing import NamedTuple

import numpy as np

from treecore.criteria import CRITERIA
from treecore.criteria.impurity import ROUGH, impurity_by_code, rough_entropy_decrease, squared_error_decrease
from treecore.criteria.split_scores import MDL_GAIN_RATIO
from treecore.engine.jit import bits_of, inner, jit, kernel, lending, number_of, piece
from treecore.kernels.codes import SHARED
from treecore.kernels.constraints import good_enough, may_split
from treecore.kernels.general.ordered_cuts import (
    BETTER,
    UNKNOWN,
    compare_roughly,
    least_rise,
    scan_ordered,
    sum_line,
    value_of_best,
    value_of_classes,
)
from treecore.kernels.general.scores import finish, is_useful, least_step, least_weight, select
from treecore.kernels.general.search_nodes import sum_left_side, value_to_reach
from treecore.kernels.general.split_nodes import gain_of
from treecore.kernels.random_features import key_of_child
from treecore.kernels.records.record_block import MOST_WAITING, WAITING
from treecore.kernels.records.records import differs, label_of, record_of, row_of, unsigned_row
from treecore.kernels.state import N_NODES, OPEN, SHARE, WHOLE_GAIN, Problem
from treecore.kernels.sums import has_cancelled, recenter_children

DONE, UNFINISHED, NO_ROOM = range(3)
"""Nothing waits; nodes wait, perhaps for room in growing.nodes; rows have become too many for the block."""
FIRST, SECOND = np.uint32(1), np.uint32(2)
"""Marks of a row: it goes to the branch that waits, to that which is split first. The bits from 5 on are its number in
the latter."""
_LOW, _ONE = np.uint32(31), np.uint32(1)
_GINI, _ENTROPY = CRITERIA["gini"].code, CRITERIA["entropy"].code


class SharedBlock(NamedTuple):
    """Records of rows and parts of rows, numbered from 0 on; room for m of them.

    records : uint32 (2 * d * m,), as in RecordBlock. rows : int32 (m,), the number that each has among all rows.
    weight : float64 (m,), the part of it. marks : uint32 (m,), see FIRST. near : bool (d,), are there values so near
        that no cut parts them?
    waiting : WAITING (MOST_WAITING + 1,). known : int64 (MOST_WAITING + 1, d), as in RecordBlock. top : int64, as many,
        how many numbers of rows are in use when it is split. counts : int64 (1,), how many nodes wait.
    response, target : float64 (m,), the target less the center of the node at work, and as it is; (0,) for classes.
    first, second, both, bounds : float64 (m,), of two classes: weights up to each record, and of the cut behind it a
        bound of its value, -inf where there is none. Of numbers: the weight and the response of each record, the weight
        up to it, and the value. excess : float64 (m,), what the responses up to each record exceed their mean by; (0,)
        for classes.
    """

    records: np.ndarray
    rows: np.ndarray
    weight: np.ndarray
    marks: np.ndarray
    near: np.ndarray
    waiting: np.ndarray
    known: np.ndarray
    top: np.ndarray
    counts: np.ndarray
    response: np.ndarray
    target: np.ndarray
    first: np.ndarray
    second: np.ndarray
    both: np.ndarray
    excess: np.ndarray
    bounds: np.ndarray


def new_block(problem: Problem, m: int, near: np.ndarray) -> SharedBlock:
    """A block with room for m rows, all of the problem's among them but not in order; memory that is not touched costs
    nothing."""
    d, n = problem.codes.shape
    by_numbers = len(problem.targets) > 0
    target = np.empty(m * by_numbers)
    target[:n] = problem.targets
    return SharedBlock(
        records=np.empty(2 * d * m, np.uint32), rows=np.arange(m, dtype=np.int32), weight=np.ones(m),
        marks=np.empty(m, np.uint32), near=near, waiting=np.zeros(MOST_WAITING + 1, WAITING),
        known=np.zeros((MOST_WAITING + 1, d), np.int64), top=np.full(MOST_WAITING + 1, n), counts=np.ones(1, np.int64),
        response=np.empty(m * by_numbers), target=target,
        first=np.empty(m), second=np.empty(m), both=np.empty(m), excess=np.empty(m * by_numbers),
        bounds=np.empty(m),
    )  # fmt: skip


@lending
def records_from(block, side, f, start, n):
    """The n records of feature f from `start` on, in this set of them."""
    m, d = block.rows.shape[0], block.known.shape[1]
    begin = (side * d + f) * m + start
    return piece(block.records, begin, begin + n)


@jit
def fill_shared(problem, growing, block):
    """Write the records of all rows, in the order of each feature, and let the root wait if it may be split."""
    order = growing.order
    for f in range(order.shape[0]):
        codes, records, known, last = problem.codes[f], records_from(block, 0, f, 0, order.shape[1]), 0, -1
        for i in range(order.shape[1]):
            at = order[f, i]
            code = codes[at]
            records[i] = record_of(at, max(problem.rows[at].label, 0), code != last)
            known += code != problem.features[f].n_codes
            last = code
        block.known[0, f] = known
    block.waiting[0].stop = order.shape[1]
    block.counts[0] = int(may_split(problem.rules[0], growing.nodes[0]))


# The best cut of each feature.


@kernel
def list_sums(records, weight, first, second, both):
    """Fill first, second and both of these records, see SharedBlock; returns what all weigh, by class and together."""
    a, b, c = 0.0, 0.0, 0.0
    for i in range(records.shape[0]):
        w = weight[unsigned_row(records[i])]
        of_second = w * float(label_of(records[i]))
        a += w - of_second
        b += of_second
        c += w
        first[i], second[i], both[i] = a, b, c
    return a, b, c


@kernel
def list_bounds(behind, first, second, both, bounds, by_entropy, all_a, all_b, weight, least):
    """Fill the bounds of the cuts in front of these records; returns how many leave `least` on both sides.

    all_a, all_b, weight : of all rows to part, by class and together. By Gini's index the bound is the value,
    see may_exceed. By entropy, a class with d more than its share on a side, relative to that share, adds to the
    divergence of the side d^2 / 2 of its share at most, and that times 1 - d where it has less: of the series of
    (1 + d) ln(1 + d) - d, whose terms are (-d)^i / (i (i - 1)), those from the third on sum up to at most |d|^3 / 2
    for d from -1 to 0, and to less than 0 above.
    """
    n_cuts, bend, per_a, per_b, part = 0, 0.0, 1.0, 1.0, 1.0 / weight
    if by_entropy:
        bend = math.log(2.0) * part
        per_a = 0.5 / (all_a * bend) if all_a > 0.0 else 0.0
        per_b = 0.5 / (all_b * bend) if all_b > 0.0 else 0.0
    for i in range(behind.shape[0]):
        n_left = both[i]
        n_right = weight - n_left
        per_pair = 1.0 / (n_left * n_right)
        a, b = first[i] - n_left * part * all_a, second[i] - n_left * part * all_b
        if_less, if_more = -2.0 * bend * n_right * n_right * per_pair, 2.0 * bend * n_left * n_left * per_pair
        by_a = a * a * per_a * (1.0 + a * per_a * (if_more if a > 0.0 else if_less))
        by_b = b * b * per_b * (1.0 + b * per_b * (if_more if b > 0.0 else if_less))
        bound = (by_a + by_b) * per_pair * (1.0 + 1e-9) + 1e-12
        bound = bound if bound >= 0.0 else math.inf  # no number, where rounding leaves no weight on the right
        is_cut = (differs(behind[i]) != 0) & (n_left >= least) & (n_right >= least)
        bounds[i] = bound if is_cut else -math.inf
        n_cuts += is_cut
    return n_cuts


@kernel
def drop_near(problem, block, f, records):
    """Forget the cuts between values that count as one; returns how many these are."""
    codes, rows, bounds, n_dropped = problem.codes[f], block.rows, block.bounds, 0
    values, gap = problem.values[problem.features[f].value_start :], problem.rules[0].min_gap
    high = values[codes[rows[row_of(records[0])]]]
    for i in range(records.shape[0] - 1):
        if differs(records[i + 1]):
            low, high = high, values[codes[rows[row_of(records[i + 1])]]]
            if bounds[i] > -math.inf and high <= low + gap:
                bounds[i] = -math.inf
                n_dropped += 1
    return n_dropped


@inner
def just_below(bar):
    """A number that is exceeded by what reaches the bar."""
    return bar - 1e-15 * abs(bar) - 1e-300


@kernel
def list_numbers(records, weight, response, first, second, both):
    """Fill first, second and both of these records; returns the statistics of all."""
    a, b, c = 0.0, 0.0, 0.0
    for i in range(records.shape[0]):
        at = unsigned_row(records[i])
        w, y = weight[at], response[at]
        a += w
        b += w * y
        c += w * y * y
        first[i], second[i], both[i] = w, y, a
    return a, b, c


@kernel
def list_values(behind, first, second, both, excess, values, mean, weight, least):
    """Fill the values of the cuts in front of these records; returns how many leave `least` on both sides. mean,
    weight : of all rows to part. See ordered_cuts.exceeding."""
    total, n_cuts = 0.0, 0
    for i in range(behind.shape[0] + 1):
        total += first[i] * (second[i] - mean)
        excess[i] = total
    for i in range(behind.shape[0]):
        n_left = both[i]
        n_right = weight - n_left
        value = squared_error_decrease(excess[i], n_left, total - excess[i], n_right)
        is_cut = (differs(behind[i]) != 0) & (n_left >= least) & (n_right >= least)
        values[i] = value if is_cut else -math.inf
        n_cuts += is_cut
    return n_cuts


@kernel
def best_number(first, second, both, values, sums, bar):
    """best_by_bounds of a numeric target, whose values are known."""
    at = place_of_largest(values)
    if bar < math.inf:
        at = next_above(values, 0, just_below(bar))
    if at < 0 or at >= values.shape[0]:
        return -math.inf, -1, 0.0
    a, b, c = 0.0, 0.0, 0.0
    for i in range(at + 1):
        a += first[i]
        b += first[i] * second[i]
        c += first[i] * second[i] * second[i]
    sums[0, 0], sums[0, 1], sums[0, 2] = a, b, c
    return values[at], at, both[at]


@kernel
def place_of_largest(bounds):
    """Where the largest bound is, the first of equal ones; -1 where there is none."""
    top = np.int64(-1)  # numbers from 0 on are ordered as their bits are, and those below have less than 0
    for i in range(bounds.shape[0]):
        top = max(top, bits_of(bounds[i]))
    largest = number_of(top)
    for i in range(bounds.shape[0] if top >= 0 else 0):
        if bounds[i] == largest:
            return i
    return -1


@inner
def start_of(rules, judge, first, second, both, bounds, sums, weight, parent, step, bar, by_gini, by_entropy):
    """What a cut must exceed to be worth a look. Cuts whose values are within rounding count as equal, so that those
    clearly below the best one change nothing; where steps are larger, all that come before it do.

    The best one is no worse than that of the largest bound.
    """
    if step > 0.0:
        return step
    if bar < math.inf:
        return just_below(bar)
    at = place_of_largest(bounds)
    if at < 0:
        return -math.inf
    sums[0, 0], sums[0, 1], n_left = first[at], second[at], both[at]
    if by_entropy:
        value = rough_entropy_decrease(parent, sums[0], n_left, sums[2], weight) - ROUGH
    else:
        value = value_of_classes(by_gini, False, judge, rules.score, parent, sums, n_left, weight - n_left, True)
    return value - 2.0 * least_rise(rules, step, parent, True) - 1e-12 * parent if value > 0.0 else -math.inf


@kernel
def next_above(bounds, first, limit):
    """The first place from this one on with a bound above the limit; behind all, if there is none."""
    while first < bounds.shape[0] and not bounds[first] > limit:
        first += 1
    return first


@kernel
def best_by_bounds(rules, judge, first, second, both, bounds, sums, weight, parent, step, bar, by_gini, by_entropy):
    """What scan_ordered returns but for the number of cuts, from the bounds of those that there are; sums[0] becomes
    the left side of the best one."""
    to_beat = start_of(rules, judge, first, second, both, bounds, sums, weight, parent, step, bar, by_gini, by_entropy)
    slack, best, best_at, best_left, error = least_rise(rules, step, parent, True), -math.inf, -1, 0.0, 0.0
    i = next_above(bounds, 0, to_beat)
    while i < bounds.shape[0] and best < bar:
        sums[0, 0], sums[0, 1], n_left, verdict = first[i], second[i], both[i], UNKNOWN
        if by_entropy:
            verdict, best, to_beat, error = compare_roughly(
                judge, parent, sums, n_left, weight, best, best_left, to_beat, slack, error, bar
            )
            best_at, best_left = (i, n_left) if verdict == BETTER else (best_at, best_left)
        if verdict == UNKNOWN:
            n_right = weight - n_left
            value = value_of_classes(by_gini, by_entropy, judge, rules.score, parent, sums, n_left, n_right, True)
            if value > to_beat:
                best, best_at, best_left, to_beat = value, i, n_left, value + slack
        i = next_above(bounds, i + 1, to_beat - error)
    best = value_of_best(judge, parent, sums, best, best_left, weight, error)
    if best_at >= 0:
        sums[0, 0], sums[0, 1] = first[best_at], second[best_at]
    return best, best_at, best_left


@inner
def forget_ends(bounds, min_rows):
    """Forget the cuts that leave fewer rows on a side; returns how many there were."""
    n, n_cuts = bounds.shape[0], 0
    for i in range(min(min_rows - 1, n)):
        for at in (i, n - 1 - i):
            n_cuts += bounds[at] > -math.inf
            bounds[at] = -math.inf
    return n_cuts


@inner
def line_up_records(problem, block, f, records, line):
    """Let line be the rows of these records. Their codes are counted on, as nobody asks for more than whether they
    differ, but where some values count as one."""
    code, near = 0, block.near[f]
    for i in range(records.shape[0]):
        at, entry = row_of(records[i]), line[i]
        code += differs(records[i]) * (i > 0)
        entry.weight, entry.label = block.weight[at], label_of(records[i])
        entry.code = problem.codes[f, block.rows[at]] if near else code


@inner
def scan_shared(problem, growing, block, place, node, f, bar):
    """search_nodes.scan_feature of an ordered feature at the node at this place."""
    rules, judge, scan, sums, line = problem.rules[0], problem.judge, growing.scans[f], growing.sums, growing.line
    waiting, k, parent, n_classes = block.waiting[place], block.known[place, f], node.impurity, rules.n_classes
    scan.value, scan.gain, scan.score = -math.inf, -math.inf, -math.inf
    scan.missing_branch, scan.share, scan.n_levels = OPEN, 1.0, 0
    if k == 0:
        return
    usual = n_classes == 2 and judge.scale == 1.0
    by_gini, by_entropy = usual and judge.code == _GINI, usual and judge.code == _ENTROPY
    records, weight = records_from(block, waiting.side, f, waiting.start, k), node.weight
    first, second, both, bounds = block.first, block.second, block.both, piece(block.bounds, 0, k - 1)
    if by_gini or by_entropy:
        a, b, weight = list_sums(records, block.weight, first, second, both)
        sums[2, 0], sums[2, 1] = a, b
    elif n_classes == 0:
        weight, a, b = list_numbers(records, block.weight, block.response, first, second, both)
        sums[2, 0], sums[2, 1], sums[2, 2] = weight, a, b
    else:
        line_up_records(problem, block, f, records, line)
        weight, _ = sum_line(line, k, n_classes, sums[2])
    if k < waiting.stop - waiting.start:
        parent = impurity_by_code(judge, sums[2], weight)
    else:
        weight = node.weight
        for s in range(sums.shape[1]):
            sums[2, s] = growing.stats[node.id, s]
    scan.share = weight / node.weight
    step, least = least_step(rules, scan.share, True), least_weight(rules, weight, True)
    if by_gini or by_entropy or n_classes == 0:
        behind, all_a, all_b = piece(records, 1, k), sums[2, 0], sums[2, 1]
        if n_classes == 0:
            mean = sums[2, 1] / weight
            n_cuts = list_values(behind, first, second, both, block.excess, bounds, mean, weight, least)
        else:
            n_cuts = list_bounds(behind, first, second, both, bounds, by_entropy, all_a, all_b, weight, least)
        n_cuts -= forget_ends(bounds, rules.min_rows_leaf)
        if block.near[f]:
            n_cuts -= drop_near(problem, block, f, records)
        if n_classes == 0:
            scan.value, at, n_left = best_number(first, second, both, bounds, sums, bar)
        else:
            scan.value, at, n_left = best_by_bounds(
                rules, judge, first, second, both, bounds, sums, weight, parent, step, bar, by_gini, by_entropy
            )
    else:
        for s in range(sums.shape[1]):
            sums[0, s] = 0.0
        scan.value, at, n_left, n_cuts = scan_ordered(
            problem, 0.0, f, line, k, sums, 0.0, np.int64(0), weight, k, parent, least, step, bar, True
        )
        sum_left_side(rules, line, at + 1, sums, True)
    scan.at = at
    finish(problem, growing, node, f, weight, parent, n_left, n_cuts, k, True)


@kernel
def scan_features(problem, growing, block, place, node, first, stop, bar):
    """scan_shared of these features."""
    for f in range(first, stop):
        scan_shared(problem, growing, block, place, node, f, bar)


@inner
def load_responses(block, place, node):
    """Let block.response be around the center of this node."""
    waiting = block.waiting[place]
    records = records_from(block, waiting.side, 0, waiting.start, waiting.stop - waiting.start)
    for i in range(records.shape[0] if block.response.shape[0] > 0 else 0):
        at = row_of(records[i])
        block.response[at] = block.target[at] - node.center


@kernel
def search_shared(problem, growing, block, place):
    """search_nodes.search; returns whether the node has a split."""
    node, rules, scans = growing.nodes[block.waiting[place].node], problem.rules[0], growing.scans
    load_responses(block, place, node)
    scan_features(problem, growing, block, place, node, 0, scans.shape[0], math.inf)
    winner, bar = select(problem, growing, node, True)
    if winner < 0 or not good_enough(rules, node, growing.nodes[0].weight, scans[winner].gain):
        return False
    bar = value_to_reach(problem, node, scans[winner], problem.features[winner].cost, bar)
    if bar < math.inf:  # to stop at the first cut that reaches it
        scan_features(problem, growing, block, place, node, winner, winner + 1, bar)
    if rules.selector == WHOLE_GAIN and not is_useful(problem, growing, node, scans[winner]):
        return False
    node.feature, node.score, node.gain = winner, scans[winner].score, scans[winner].gain
    return True


# A node that has a split: its children, and their records.


@inner
def put_weight(growing, block, child, record, weight):
    """Count so much of a row into a child; `stop` holds the child's number of rows."""
    stats = growing.stats[child.id]
    if block.response.shape[0] == 0:
        stats[label_of(record)] += weight
    else:
        response = block.response[row_of(record)]
        stats[0] += weight
        stats[1] += weight * response
        stats[2] += weight * response * response
    child.weight += weight
    child.n_rows += 1
    child.stop += 1


@kernel
def recenter_shared(problem, growing, block, node, records, middle, k):
    """sums.recenter_children, for which the node's rows are written where it looks for them: those of the first
    `middle` of these records go to branch 0, all from k on to both."""
    if not (has_cancelled(growing.stats[node.first_child]) or has_cancelled(growing.stats[node.first_child + 1])):
        return
    node.start, node.stop = 0, records.shape[0]
    for i in range(records.shape[0]):
        at = row_of(records[i])
        growing.order[node.feature, i], growing.side[at] = at, SHARED if i >= k else int(i >= middle)
        growing.rows[at].weight = block.weight[at]
    recenter_children(problem, growing, node)


@kernel
def make_children(problem, growing, block, place, node):
    """split_nodes.make_children of a cut; growing.levels[b].weight becomes the share of rows without a value
    that goes to branch b, 0 if that is too small. Returns whether each child may be split."""
    f, first, waiting, rules = node.feature, growing.counts[N_NODES], block.waiting[place], problem.rules[0]
    k, n, middle = block.known[place, f], waiting.stop - waiting.start, growing.scans[f].at + 1
    records = records_from(block, waiting.side, f, waiting.start, n)
    growing.counts[N_NODES] += 2
    node.first_child, node.n_children, node.missing_branch = first, 2, SHARED
    codes, rows = problem.codes[f], block.rows
    node.low, node.high = codes[rows[row_of(records[middle - 1])]], codes[rows[row_of(records[middle])]]
    for b in range(2):
        child = growing.nodes[first + b]
        child.id, child.parent, child.depth = first + b, node.id, node.depth + 1
        child.feature, child.first_child, child.level_start = -1, -1, -1
        child.center, child.key = node.center, key_of_child(node.key, b)
        for i in range(0 if b == 0 else middle, middle if b == 0 else k):
            put_weight(growing, block, child, records[i], block.weight[row_of(records[i])])
    if rules.missing == SHARE or rules.score == MDL_GAIN_RATIO:  # as state.is_special_split
        node.gain = gain_of(problem, growing, node)
    left, right = growing.nodes[first].weight, growing.nodes[first + 1].weight
    for b in range(2):
        growing.levels[b].key = left if b == 0 else right  # as sums.part_of wants it
        share = growing.levels[b].key / (left + right)
        growing.levels[b].weight = share if share > rules.min_share else 0.0
    node.missing_rows, node.missing_weight = n - k, 0.0
    for i in range(k, n):
        weight = block.weight[row_of(records[i])]
        node.missing_weight += weight
        for b in range(2):
            share = growing.levels[b].weight
            if share > 0.0:
                put_weight(growing, block, growing.nodes[first + b], records[i], weight * share)
    if block.response.shape[0] > 0:
        recenter_shared(problem, growing, block, node, records, middle, k)
    for b in range(2):
        child = growing.nodes[first + b]
        child.impurity = impurity_by_code(problem.judge, growing.stats[first + b], child.weight)
    return may_split(rules, growing.nodes[first]), may_split(rules, growing.nodes[first + 1])


@kernel
def mark_rows(growing, block, place, node, first, of_first, of_second):
    """Mark the rows of a node and note the parts that they have in its branches: `first` is the branch that waits.
    of_first, of_second : FIRST and SECOND, or 0 for a branch that needs no records. Returns the numbers in use."""
    waiting, weight, marks, top = block.waiting[place], block.weight, block.marks, block.top[place]
    k, n, middle = block.known[place, node.feature], waiting.stop - waiting.start, growing.scans[node.feature].at + 1
    records = records_from(block, waiting.side, node.feature, waiting.start, n)
    for i in range(k):
        at = unsigned_row(records[i])
        marks[at] = np.uint32(at << np.uint64(5)) | (of_first if (i >= middle) == (first == 1) else of_second)
    to_first, to_second = growing.levels[first].weight, growing.levels[1 - first].weight
    of_first, of_second = of_first if to_first > 0.0 else 0, of_second if to_second > 0.0 else 0
    for i in range(k, n):
        at = row_of(records[i])
        there = at
        if of_first != 0 and of_second != 0:
            there = top
            block.rows[there] = block.rows[at]
            if block.target.shape[0] > 0:
                block.target[there] = block.target[at]
            top += 1
        whole = weight[at]
        if of_second != 0:
            weight[there] = whole * to_second
        if of_first != 0:
            weight[at] = whole * to_first
        marks[at] = np.uint32(there << 5) | np.uint32(of_first | of_second)
    return top


@kernel
def part_shared(block, place, n_first):
    """Send the records of the node at this place where its rows are marked to go: the n_first of the branch that waits
    come first, and behind a gap of one record those of the other."""
    waiting, marks, d = block.waiting[place], block.marks, block.known.shape[1]
    start, n, side, m = waiting.start, waiting.stop - waiting.start, waiting.side, block.rows.shape[0]
    for f in range(d):
        here, there = records_from(block, side, f, start, n), records_from(block, 1 - side, f, start, m - start)
        a, b, since_a, since_b = np.uint64(0), np.uint64(n_first + 1), np.uint32(0), np.uint32(0)
        known_a, known_b, k = np.uint64(0), np.uint64(0), block.known[place, f]
        for part in range(2):
            for i in range(0 if part == 0 else k, k if part == 0 else n):
                record = here[i]
                mark = marks[unsigned_row(record)]
                to_a, to_b = mark & _ONE, (mark >> _ONE) & _ONE
                since_a |= record & _ONE
                since_b |= record & _ONE
                there[a] = record | since_a
                there[b] = (mark & ~_LOW) | (record & _LOW) | since_b
                since_a &= to_a - _ONE
                since_b &= to_b - _ONE
                a += np.uint64(to_a)
                b += np.uint64(to_b)
            if part == 0:
                known_a, known_b = a, b
        block.known[place, f], block.known[place + 1, f] = known_a, known_b - np.uint64(n_first + 1)


@kernel
def split_shared(problem, growing, block, place):
    """Split the node at this place; of its children the larger one waits below the other, if both may be split."""
    waiting = block.waiting[place]
    node = growing.nodes[waiting.node]
    left_too, right_too = make_children(problem, growing, block, place, node)
    block.counts[0] = place + int(left_too) + int(right_too)
    if not (left_too or right_too):
        return
    left, right = growing.nodes[node.first_child], growing.nodes[node.first_child + 1]
    first = int(not left_too or (right_too and right.stop > left.stop))
    waits, other = growing.nodes[node.first_child + first], growing.nodes[node.first_child + 1 - first]
    both = left_too and right_too
    top, of_second = block.top[place], SECOND if both else np.uint32(0)
    block.top[place + 1] = mark_rows(growing, block, place, node, first, FIRST, of_second)
    part_shared(block, place, waits.stop)
    start, side = waiting.start, 1 - waiting.side
    waiting.node, waiting.stop, waiting.side = waits.id, start + waits.stop, side
    block.top[place] = top
    if both:
        above = block.waiting[place + 1]
        above.node, above.start, above.side = other.id, waiting.stop + 1, side
        above.stop = above.start + other.stop


@jit
def grow_shared(problem, growing, block, budget):
    """Split waiting nodes until none is left (DONE), or about `budget` records were looked at or growing.nodes is full
    (UNFINISHED), or rows have become too many for the block (NO_ROOM)."""
    m = block.rows.shape[0]
    while block.counts[0] > 0:
        place = block.counts[0] - 1
        waiting = block.waiting[place]
        n = waiting.stop - waiting.start
        if budget <= 0 or growing.counts[N_NODES] + 2 > growing.nodes.shape[0]:
            return UNFINISHED
        if max(block.top[place], waiting.start + n + 2) + n > m or place + 1 >= MOST_WAITING:
            return NO_ROOM
        budget -= n * growing.scans.shape[0]
        if search_shared(problem, growing, block, place):
            split_shared(problem, growing, block, place)
        else:
            block.counts[0] = place
    return DONE
