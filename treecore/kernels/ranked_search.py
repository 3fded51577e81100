"""The best split of each node by a loss that sums do not give, of ordered and of nominal features.

Absolute error, pinball loss and Huber loss (kernels.ranked_losses) are distances from what answers for the node: its
weighted median, another quantile, a mean that far rows do not pull. A node's targets are ranked, and every cut is
judged by a set of rows that grows.
"""

import math

import numpy as np

from treecore.engine.jit import allocating, inner, jit, kernel, passage
from treecore.kernels.constraints import good_enough
from treecore.kernels.general.level_groups import sort_levels
from treecore.kernels.general.partition import load_shares
from treecore.kernels.general.scores import worth
from treecore.kernels.general.search_nodes import close_all, write_split
from treecore.kernels.random_features import draw, random_between
from treecore.kernels.ranked_losses import (
    BALANCED,
    MOST_STEPS,
    Ranked,
    add,
    add_part,
    add_square,
    answer_and_error,
    clear,
    error_around,
    error_of_part,
    error_of_set,
    huber_around,
    huber_of_set,
    next_center,
    rank_targets,
    room_for,
    sort_targets,
)
from treecore.kernels.state import (
    MULTIWAY,
    N_LEVELS,
    ONE_LEVEL,
    ONE_RANDOM,
    OPEN,
    ORDERED,
    OWN_VALUE,
    GrowState,
    Problem,
)


@kernel
def fill_line(codes, order, start, stop, rows, ranked, at):
    """Let ranked.line[at:] be the rows order[start:stop]."""
    for i in range(start, stop):
        row, item = order[i], ranked.line[at + i - start]
        item.weight = rows[row].weight
        item.code = codes[row]
        counts = item.weight > 0.0
        item.index = ranked.rank[row] if counts else 0
        item.value = ranked.values[item.index] if counts else 0.0


@inner
def too_small(rules, n_left, rows_left, weight, n_rows):
    """Does either side fall short of what a leaf needs?"""
    least = min(n_left, weight - n_left)
    return min(rows_left, n_rows - rows_left) < rules.min_rows_leaf or least < rules.min_weight_leaf


@kernel
def errors_beyond(ranked, n):
    """ranked.rest[i] = error of the set with line[i:n], wherever the code changes at i."""
    line, huber = ranked.line, ranked.set[0].delta > 0.0
    for i in range(n - 1, 0, -1):
        add(ranked, line[i], 1.0)
        if huber:
            add_square(ranked, line[i], 1.0)
        if line[i].code != line[i - 1].code:
            ranked.rest[i] = huber_of_set(ranked) if huber else error_of_set(ranked)


@passage
def scan_line(ranked, known, n, below, rules, values, threshold, weight, n_rows, error, bar):
    """The best decrease of the mean loss among the cuts of line[:known]; O(n log n).

    line[known:n] : rows that stand left of every cut if `below` is 1, right of it if it is 0.
    values : by code, ascending along the line. threshold : the one cut to try parts the values up to it from those
        above; not a number where all are. weight, n_rows, error : of line[:n].
    bar : stop at the first cut whose decrease reaches it; infinity looks at all of them.
    Returns (decrease, position of the last low row); (-inf, -1) when no cut leaves enough rows on both sides.
    """
    line, n_left, rows_left, huber = ranked.line, 0.0, 0, ranked.set[0].delta > 0.0
    clear(ranked)
    if below == 0:
        add_part(ranked, known, n, 1.0)
    errors_beyond(ranked, known)
    clear(ranked)
    if below == 1:
        add_part(ranked, known, n, 1.0)
        for i in range(known, n):
            n_left += line[i].weight
            rows_left += line[i].weight > 0.0
    best, best_at, no_rows = -math.inf, -1, rows_left
    for i in range(known - 1):
        add(ranked, line[i], 1.0)
        if huber:
            add_square(ranked, line[i], 1.0)
        n_left += line[i].weight
        rows_left += line[i].weight > 0.0
        code, last = line[i + 1].code, line[i].code
        if code == last or rows_left == no_rows or too_small(rules, n_left, rows_left, weight, n_rows):
            continue
        if threshold == threshold and not values[last] <= threshold < values[code]:
            continue
        below_it = huber_of_set(ranked) if huber else error_of_set(ranked)
        decrease = (error - below_it - ranked.rest[i + 1]) / weight
        if decrease > best and values[code] - values[last] > rules.min_gap:
            best, best_at = decrease, i
            if best >= bar:
                break
    return best, best_at


@kernel
def known_or_missing(ranked, known, n, rules, n_left, rows_left, weight, n_rows, error):
    """Decrease by parting line[:known], whose weight and rows are n_left and rows_left, from the rest of line[:n]."""
    if too_small(rules, n_left, rows_left, weight, n_rows):
        return -math.inf
    left = error_of_part(ranked, 0, known)
    return (error - left - error_of_part(ranked, known, n)) / weight


# All groupings of a few levels into two by such a loss; terms as in scan_levels.

STRIDE = 64
"""Targets between two marks: the sums of each level are kept at marks, what is between them is found by walking."""


@kernel
def scan_groups(rules, targets, loss, levels, n_levels, weight, n_rows, error, bar):
    """The best decrease of all 2^(v-1) - 1 partitions of v levels into two, the last level always on the right.

    loss : a SET record. The grouping is left in levels.side. O(m + 2^v v log m) for m rows.
    """
    marks = sums_at_marks(targets, n_levels, 3 if loss.delta > 0.0 else 2)
    best, everything = -math.inf, (1 << n_levels) - 1
    for subset in range(1, 1 << (n_levels - 1)):
        n_left, rows_left = 0.0, 0
        for v in range(n_levels - 1):
            if subset >> v & 1:
                n_left += levels[v].weight
                rows_left += levels[v].n_rows
        if min(rows_left, n_rows - rows_left) < rules.min_rows_leaf:
            continue
        if min(n_left, weight - n_left) < rules.min_weight_leaf:
            continue
        remaining = 0.0
        for side in range(2):
            remaining += error_of_group(targets, marks, everything - subset if side == 1 else subset, loss)
        if error - remaining > best * weight:
            best = (error - remaining) / weight
            for v in range(n_levels):
                levels[v].side = 1 - (subset >> v & 1)
            if best >= bar:
                break
    return best


@allocating
def sums_at_marks(targets, n_levels, n_powers):
    """float64 (marks, v, n_powers): w, w y (w y^2) of each level before every STRIDE-th target; last, of all."""
    n = targets.shape[0]
    n_marks = (n + STRIDE - 1) // STRIDE + 1
    marks = np.zeros((n_marks, n_levels, n_powers))
    for mark in range(1, n_marks):
        for v in range(n_levels):
            for p in range(n_powers):
                marks[mark, v, p] = marks[mark - 1, v, p]
        for i in range((mark - 1) * STRIDE, min(mark * STRIDE, n)):
            target = targets[i]
            if target.code >= 0:
                marks[mark, target.code, 0] += target.weight
                marks[mark, target.code, 1] += target.weight * target.value
                if n_powers == 3:
                    marks[mark, target.code, 2] += target.weight * target.value * target.value
    return marks


@inner
def sum_at_mark(marks, mark, subset, which):
    """Sum of w (which = 0), w y (1) or w y^2 (2) of the subset's levels at a mark."""
    total = 0.0
    for v in range(marks.shape[1]):
        if subset >> v & 1:
            total += marks[mark, v, which]
    return total


@kernel
def error_of_group(targets, marks, subset, loss):
    """Error of the rows whose level is in the subset: bisect the marks for the share of the weight, then walk."""
    if loss.delta > 0.0:
        return huber_of_group(targets, marks, subset, loss.delta)
    low, high = 0, marks.shape[0] - 1
    weight, target_sum = sum_at_mark(marks, high, subset, 0), sum_at_mark(marks, high, subset, 1)
    while high - low > 1:
        middle = (low + high) // 2
        if sum_at_mark(marks, middle, subset, 0) < loss.share * weight:
            low = middle
        else:
            high = middle
    below, target_below = sum_at_mark(marks, low, subset, 0), sum_at_mark(marks, low, subset, 1)
    last = 0.0
    for i in range(low * STRIDE, targets.shape[0]):
        target = targets[i]
        if target.code < 0 or not subset >> target.code & 1:
            continue
        last = target.value
        if below + target.weight >= loss.share * weight:
            break
        below += target.weight
        target_below += target.weight * target.value
    return max(error_around(last, below, target_below, weight, target_sum, loss), 0.0)


@kernel
def huber_of_group(targets, marks, subset, delta):
    """The same by Huber loss: steps as in ranked_losses.huber_of_set, sums from the marks."""
    weight, target, square = group_below(targets, marks, subset, targets.shape[0])
    if weight <= 0.0:
        return 0.0
    low, high, center = targets[0].value, targets[targets.shape[0] - 1].value, target / weight
    lower = upper = 0.0, 0.0, 0.0
    for _ in range(MOST_STEPS):
        lower = group_below(targets, marks, subset, first_target(targets, center - delta, False))
        upper = group_below(targets, marks, subset, first_target(targets, center + delta, True))
        middle = upper[0] - lower[0]
        pull = upper[1] - lower[1] - center * middle + delta * (weight - upper[0] - lower[0])
        low, high = (center, high) if pull > 0.0 else (low, center)
        new = next_center(center, low, high, pull, middle)
        if abs(pull) <= BALANCED * delta * weight or new == center:
            break
        center = new
    within = upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]
    above = weight - upper[0], target - upper[1], square - upper[2]
    return max(huber_around(center, delta, lower, within, above), 0.0)


@kernel
def group_below(targets, marks, subset, at):
    """Sums (w, w y, w y^2) of the subset's rows among the first `at` targets."""
    mark = at // STRIDE
    weight, target = sum_at_mark(marks, mark, subset, 0), sum_at_mark(marks, mark, subset, 1)
    square = sum_at_mark(marks, mark, subset, 2)
    for i in range(mark * STRIDE, at):
        item = targets[i]
        if item.code >= 0 and subset >> item.code & 1:
            weight += item.weight
            target += item.weight * item.value
            square += item.weight * item.value * item.value
    return weight, target, square


@inner
def first_target(targets, least, beyond):
    """The first of the ascending targets that is at least so large, or larger if `beyond`."""
    low, high = 0, targets.shape[0]
    while low < high:
        middle = (low + high) // 2
        if targets[middle].value < least or (beyond and targets[middle].value == least):
            low = middle + 1
        else:
            high = middle
    return low


# Nominal features by such a loss: binary groupings of the levels, one level or all of them apart.
#
# Everywhere: targets = the ITEM records of the node's rows of positive weight, ascending; levels = the LEVEL records of
# the levels present among the rows line[:n] that are parted, level v being line[begin[v]:begin[v + 1]]; weight, n_rows
# and error = weight, number and error of these rows.


@passage
def scan_levels(problem, growing, node, ranked, f, n, weight, n_rows, error, bar):
    """The best decrease of a nominal feature, its groups left in growing.levels as `search.scan_feature` does.

    Returns (decrease, False), or (-inf, True) if the line is to be cut: it is sorted by the answers of the levels then.
    """
    rules, splitter, levels = problem.rules[0], problem.features[f].splitter, growing.levels
    decrease, by_cuts, targets = -math.inf, False, ranked.targets[: ranked.set[0].n_targets]
    n_levels = count_levels(ranked, n, levels)
    growing.scans[f].n_levels = n_levels
    name_levels(problem.codes[f], ranked.line[n - 1].code, targets, levels, n_levels)
    if splitter == ONE_LEVEL:
        decrease = part_one_level(rules, ranked, levels, n_levels, weight, n_rows, error, bar)
    elif splitter == MULTIWAY:
        decrease = part_all_levels(rules, ranked, targets, levels, n_levels, weight, error)
    elif n_levels <= rules.max_exhaustive:
        decrease = scan_groups(rules, targets, ranked.set[0], levels, n_levels, weight, n_rows, error, bar)
    else:
        by_cuts = True
        level_errors(ranked, targets, levels, n_levels)
        line_up_levels(problem, growing, node, ranked, f, n_levels)
    return decrease, by_cuts


@kernel
def count_levels(ranked, n, levels):
    """Fill the levels' ids, weights and rows and ranked.begin; returns how many levels there are.

    A level of which all rows have weight 0 is not there: its rows stand among those of the next one, or of the last.
    """
    v, last = -1, -1
    for i in range(n):
        item = ranked.line[i]
        if item.code != last:
            last = item.code
            if v < 0 or levels[v].n_rows > 0:  # else its place is taken, with its rows
                v += 1
                ranked.begin[v] = i
            levels[v].id, levels[v].weight, levels[v].n_rows = last, 0.0, 0
        levels[v].weight += item.weight
        levels[v].n_rows += item.weight > 0.0
    if v > 0 and levels[v].n_rows == 0:
        v -= 1
    ranked.begin[v + 1] = n
    return v + 1


@kernel
def name_levels(codes, largest, targets, levels, n_levels):
    """Let each target's code be the index of its level, -1 for rows beyond the largest code. Uses levels.order."""
    for v in range(n_levels):
        levels[levels[v].id].order = v
    for i in range(targets.shape[0]):
        code = codes[targets[i].index]
        targets[i].code = levels[code].order if code <= largest else -1


@allocating
def level_errors(ranked, targets, levels, n_levels):
    """levels.key = what answers for each level; returns the sum of the levels' errors."""
    loss = ranked.set[0]
    if loss.delta > 0.0:
        return huber_of_levels(ranked, levels, n_levels)
    # w and w y so far; the error but for the sum of all w y
    sums = np.zeros((n_levels, 3))
    for i in range(targets.shape[0]):
        target = targets[i]
        v = target.code
        if v < 0:
            continue
        below, least = sums[v, 0], loss.share * levels[v].weight
        sums[v, 0] += target.weight
        if below < least <= sums[v, 0]:
            levels[v].key = target.value
            sums[v, 2] = error_around(target.value, below, sums[v, 1], levels[v].weight, 0.0, loss)
        elif below == least:
            levels[v].key = 0.5 * levels[v].key + 0.5 * target.value
        sums[v, 1] += target.weight * target.value
    total = 0.0
    for v in range(n_levels):
        levels[v].key = levels[v].key if levels[v].n_rows > 0 else 0.0
        total += max(sums[v, 2] + loss.up * sums[v, 1], 0.0)
    return total


@kernel
def huber_of_levels(ranked, levels, n_levels):
    """The same by Huber loss, level by level along the line."""
    total = 0.0
    for v in range(n_levels):
        total += error_of_part(ranked, ranked.begin[v], ranked.begin[v + 1])
        levels[v].key = ranked.set[0].center if levels[v].n_rows > 0 else 0.0
    return total


@passage
def part_all_levels(rules, ranked, targets, levels, n_levels, weight, error):
    """Decrease with one branch per level; -inf unless two levels have enough rows."""
    filled = 0
    for v in range(n_levels):
        filled += levels[v].n_rows >= rules.min_rows_leaf and levels[v].weight >= rules.min_weight_leaf
    remaining = level_errors(ranked, targets, levels, n_levels)
    return (error - remaining) / weight if filled >= 2 else -math.inf


@allocating
def part_one_level(rules, ranked, levels, n_levels, weight, n_rows, error, bar):
    """The best decrease by parting one level from all others; it is left in levels.side as 0."""
    best, begin, own = -math.inf, ranked.begin, np.empty(n_levels)
    for v in range(n_levels):
        own[v] = error_of_part(ranked, begin[v], begin[v + 1])
    clear(ranked)
    add_part(ranked, 0, begin[n_levels], 1.0)
    for v in range(n_levels):
        if too_small(rules, levels[v].weight, levels[v].n_rows, weight, n_rows):
            continue
        add_part(ranked, begin[v], begin[v + 1], -1.0)
        others = huber_of_set(ranked) if ranked.set[0].delta > 0.0 else error_of_set(ranked)
        decrease = (error - own[v] - others) / weight
        add_part(ranked, begin[v], begin[v + 1], 1.0)
        if decrease > best:
            best = decrease
            for u in range(n_levels):
                levels[u].side = int(u != v)
            if best >= bar:
                break
    return best


@passage
def line_up_levels(problem, growing, node, ranked, f, n_levels):
    """Sort the line by the answers of the levels (levels.key): a heuristic where there are too many to try all."""
    levels, begin, n = growing.levels, ranked.begin, 0
    sort_levels(levels, n_levels)
    for i in range(n_levels):
        v = levels[i].order
        start, stop = node.start + begin[v], node.start + begin[v + 1]
        fill_line(problem.codes[f], growing.order[f], start, stop, growing.rows, ranked, n)
        for at in range(n, n + stop - start):  # a unit apart and more, so that no cut falls short of min_gap
            ranked.place[ranked.line[at].code] = i * (1.0 + problem.rules[0].min_gap)
        n += stop - start


@kernel
def sides_of_cut(levels, n_levels, place, last):
    """levels.side = which side of a cut after the level with code `last`."""
    for v in range(n_levels):
        levels[v].side = int(place[levels[v].id] > place[last])


@kernel
def scan_by_error(problem, growing, node, ranked, f, bar):
    """Fill growing.scans[f] with the best split of feature f at a node, as `search.scan_feature` does."""
    rules, feature, scan = problem.rules[0], problem.features[f], growing.scans[f]
    codes, order, line = problem.codes[f], growing.order[f], ranked.line
    scan.value, scan.gain, scan.score, scan.share = -math.inf, -math.inf, -math.inf, 1.0
    scan.missing_branch, scan.n_levels = OPEN, 0
    weight, n_rows, error, n = node.weight, node.n_rows, node.impurity * node.weight, node.stop - node.start
    if codes[order[node.start]] == codes[order[node.stop - 1]]:
        return
    fill_line(codes, order, node.start, node.stop, growing.rows, ranked, 0)
    known, known_weight, known_rows = known_part(line, n, feature.n_codes)
    missing_count = rules.missing == OWN_VALUE and (feature.splitter != ORDERED or known_rows < node.n_rows)
    if known < n and not missing_count:
        if known_weight <= 0.0 or line[0].code == line[known - 1].code:
            return
        n, weight, n_rows, error = known, known_weight, known_rows, error_of_part(ranked, 0, known)
    scan.share = weight / node.weight
    values, by_cuts = problem.values[feature.value_start : feature.value_start + feature.n_codes], True
    threshold = math.nan
    if rules.cuts == ONE_RANDOM and feature.splitter == ORDERED:
        threshold = random_cut_on_line(node.key, f, line, known, values)
    if feature.splitter != ORDERED:
        values, known = ranked.place, n
        scan.value, by_cuts = scan_levels(problem, growing, node, ranked, f, n, weight, n_rows, error, bar)
    if by_cuts:
        for below in range(2 if known < n else 1):
            value, at = scan_line(ranked, known, n, below, rules, values, threshold, weight, n_rows, error, bar)
            if value > scan.value:
                scan.value, scan.at, scan.missing_branch = value, node.start + at, 1 - below if known < n else OPEN
                if value >= bar:
                    break
    if known < n and scan.value < bar:
        value = known_or_missing(ranked, known, n, rules, known_weight, known_rows, weight, n_rows, error)
        if value > scan.value:
            scan.value, scan.at, scan.missing_branch = value, node.start + known - 1, 1
    if scan.value > -math.inf:
        if feature.splitter != ORDERED and by_cuts:
            sides_of_cut(growing.levels, scan.n_levels, values, line[scan.at - node.start].code)
        scan.gain = scan.value * scan.share
        scan.score = worth(rules, scan.gain, feature.cost)


@kernel
def known_part(line, n, missing):
    """(how many of line[:n] have a value, weight of these and how many of them count); missing ones stand last."""
    weight, n_rows, at = 0.0, 0, 0
    while at < n and line[at].code != missing:
        weight += line[at].weight
        n_rows += line[at].weight > 0.0
        at += 1
    return at, weight, n_rows


@kernel
def random_cut_on_line(key, f, line, known, values):
    """The number drawn between the least and the greatest value in line[:known] of rows with a weight above 0."""
    first, last = 0, known - 1
    while first < last and line[first].weight <= 0.0:
        first += 1
    while first < last and line[last].weight <= 0.0:
        last -= 1
    return random_between(key, f, values[line[first].code], values[line[last].code])


@passage
def search_by_error(problem, growing, node, ranked):
    """Find the node's split and write it to its fields; they stay a leaf's if there is none.

    The winner is the first candidate, in feature order and then in the order of its scan, whose score reaches the
    largest one less tolerance: equal scores differ in their last bits.
    """
    rules, scans, queue, n, step = problem.rules[0], growing.scans, growing.queue, problem.rules[0].n_sampled, 0
    d, winner, best, bar, slack = scans.shape[0], 0, -math.inf, math.inf, rules.tolerance * node.impurity
    if n > 0:
        close_all(growing, node, n)
    else:
        n = d
    while True:
        if step >= n and best == -math.inf and step < d:  # nothing that was drawn offers a split
            draw(node.key, queue, step, step + 1)
            n = step + 1
        is_last = step == n
        if is_last:
            # the last round looks at the winner again, to stop at the first cut that reaches the bar
            while scans[winner].score < best - slack:
                winner += 1
            scan = scans[winner]
            if not good_enough(rules, node, growing.nodes[0].weight, scan.gain):
                return
            bar = scan.value - slack
            if rules.cost_form == 0:
                bar = min(scan.value, (best - slack) * problem.features[winner].cost / scan.share)
        f = winner if is_last else queue[step]
        scan_by_error(problem, growing, node, ranked, f, bar)
        if is_last:
            break
        best = max(best, scans[f].score)
        step += 1
    node.feature = winner
    node.score, node.gain = scans[winner].score, scans[winner].gain
    write_split(problem, growing, node)


@inner
def may_have_split(rules, node):
    """Do purity and the limits allow a search? Equal targets have an error of exactly 0."""
    return (
        node.impurity > 0.0
        and node.impurity >= rules.min_impurity
        and node.depth < rules.max_depth
        and node.stop - node.start >= rules.min_rows_split
        and node.n_rows >= 2 * rules.min_rows_leaf
        and node.weight >= rules.min_weight_split
    )


@jit
def search_ranked(problem, growing, ranked, first, stop):
    """search_row_losses, with its working memory."""
    for i in range(first, stop):
        if growing.counts[N_LEVELS] + growing.levels.shape[0] > growing.level_branch.shape[0]:
            return i
        node = growing.nodes[i]
        if node.n_children == 0 and may_have_split(problem.rules[0], node):
            load_shares(problem, growing, node)
            n = sort_targets(growing.order[0], node.start, node.stop, growing.rows, ranked.targets, ranked.line)
            answer, _ = answer_and_error(ranked.targets, n, ranked.set[0])
            n_ranks, size = rank_targets(ranked.targets, n, answer, ranked.rank, ranked.values), 1
            while size < n_ranks:
                size *= 2
            ranked.set[0].n_targets, ranked.set[0].size, ranked.set[0].n_ranks = n, size, n_ranks
            search_by_error(problem, growing, node, ranked)
    return stop


@jit
def fill_errors(problem, growing, ranked, first, answers):
    """node_errors for the nodes from `first` on, one for each of `answers`, with its working memory."""
    for i in range(answers.shape[0]):
        node = growing.nodes[first + i]
        load_shares(problem, growing, node)
        n = sort_targets(growing.order[0], node.start, node.stop, growing.rows, ranked.targets, ranked.line)
        answers[i], error = answer_and_error(ranked.targets, n, ranked.set[0])
        node.impurity = error / node.weight if n > 0 else 0.0


def search_row_losses(problem: Problem, growing: GrowState, first: int, stop: int) -> int:
    """Search the nodes first:stop by the loss of their rows, but for those that have a split already.

    node_errors has set their impurity. growing.side serves as working memory.
    Returns where it stopped: before `stop` if level_branch has no room for another table of levels.
    """
    return search_ranked(problem, growing, _room(problem, growing, first, stop), first, stop)


def node_errors(problem: Problem, growing: GrowState, first: int, stop: int) -> np.ndarray:
    """Set the impurity of the nodes first:stop to the mean loss of their rows.

    Their rows must stand in growing.order[0, start:stop]: those of leaves too, so every parent needs `sort_rows`.
    Returns float64 (stop - first,), what answers for them around the training mean; 0 for a node without weight.
    """
    answers = np.zeros(stop - first)
    fill_errors(problem, growing, _room(problem, growing, first, stop), first, answers)
    return answers


def _room(problem: Problem, growing: GrowState, first: int, stop: int) -> Ranked:
    nodes = growing.nodes[first:stop]
    most = int((nodes["stop"] - nodes["start"]).max(initial=1))
    return room_for(most, len(growing.levels), growing.side, problem.judge.loss)
