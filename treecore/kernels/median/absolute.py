"""The best split of each node by absolute error: the mean distance of the target from the node's weighted median.

Medians do not follow from sums: a node's targets are ranked, and every cut is judged by a set of rows that grows.
"""

import math

import numpy as np

from treecore.engine.jit import inner, jit, kernel, passage
from treecore.kernels.drawn import draw, drawn_between
from treecore.kernels.general.scores import worth
from treecore.kernels.general.search import close_all, write_split
from treecore.kernels.general.shares import load_shares
from treecore.kernels.limits import good_enough
from treecore.kernels.median.absolute_levels import scan_absolute_levels, sides_of_cut
from treecore.kernels.median.absolute_scan import fill_line, known_or_missing, scan_absolute
from treecore.kernels.median.medians import Ranked, error_of_part, room_for
from treecore.kernels.median.targets import median_and_error, rank_targets, sort_targets
from treecore.kernels.state import N_LEVELS, ONE_DRAWN, OPEN, ORDERED, OWN_VALUE, GrowState, Problem


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
    drawn = math.nan
    if rules.cuts == ONE_DRAWN and feature.splitter == ORDERED:
        drawn = drawn_on_line(node.key, f, line, known, values)
    if feature.splitter != ORDERED:
        values, known = ranked.place, n
        scan.value, by_cuts = scan_absolute_levels(problem, growing, node, ranked, f, n, weight, n_rows, error, bar)
    if by_cuts:
        for below in range(2 if known < n else 1):
            value, at = scan_absolute(ranked, known, n, below, rules, values, drawn, weight, n_rows, error, bar)
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
def drawn_on_line(key, f, line, known, values):
    """The number drawn between the least and the greatest value in line[:known] of rows with a weight above 0."""
    first, last = 0, known - 1
    while first < last and line[first].weight <= 0.0:
        first += 1
    while first < last and line[last].weight <= 0.0:
        last -= 1
    return drawn_between(key, f, values[line[first].code], values[line[last].code])


@passage
def search_by_error(problem, growing, node, ranked):
    """Find the node's split and write it to its fields; they stay a leaf's if there is none.

    The winner is the first candidate, in feature order and then in the order of its scan, whose score reaches the
    largest one less tolerance: equal scores differ in their last bits.
    """
    rules, scans, drawn, n, step = problem.rules[0], growing.scans, growing.drawn, problem.rules[0].n_drawn, 0
    d, winner, best, bar, slack = scans.shape[0], 0, -math.inf, math.inf, rules.tolerance * node.impurity
    if n > 0:
        close_all(growing, node, n)
    else:
        n = d
    while True:
        if step >= n and best == -math.inf and step < d:  # nothing that was drawn offers a split
            draw(node.key, drawn, step, step + 1)
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
        f = winner if is_last else drawn[step]
        scan_by_error(problem, growing, node, ranked, f, bar)
        if is_last:
            break
        best = max(best, scans[f].score)
        step += 1
    node.feature = winner
    node.score, node.gain = scans[winner].score, scans[winner].gain
    write_split(problem, growing, node)


@inner
def may_be_parted(rules, node):
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
    """search_absolute, with its working memory."""
    for i in range(first, stop):
        if growing.counts[N_LEVELS] + growing.levels.shape[0] > growing.level_branch.shape[0]:
            return i
        node = growing.nodes[i]
        if node.n_children == 0 and may_be_parted(problem.rules[0], node):
            load_shares(problem, growing, node)
            n = sort_targets(growing.order[0], node.start, node.stop, growing.rows, ranked.targets, ranked.line)
            median, _ = median_and_error(ranked.targets, n)
            n_ranks, size = rank_targets(ranked.targets, n, median, ranked.rank, ranked.values), 1
            while size < n_ranks:
                size *= 2
            ranked.set[0].n_targets, ranked.set[0].size = n, size
            search_by_error(problem, growing, node, ranked)
    return stop


@jit
def fill_errors(problem, growing, ranked, first, medians):
    """node_errors for the nodes from `first` on, one for each of `medians`, with its working memory."""
    for i in range(medians.shape[0]):
        node = growing.nodes[first + i]
        load_shares(problem, growing, node)
        n = sort_targets(growing.order[0], node.start, node.stop, growing.rows, ranked.targets, ranked.line)
        medians[i], error = median_and_error(ranked.targets, n)
        node.impurity = error / node.weight if n > 0 else 0.0


def search_absolute(problem: Problem, growing: GrowState, first: int, stop: int) -> int:
    """Search the nodes first:stop by absolute error, but for those that have a split already.

    node_errors has set their impurity. growing.side serves as working memory.
    Returns where it stopped: before `stop` if level_branch has no room for another table of levels.
    """
    return search_ranked(problem, growing, _room(growing, first, stop), first, stop)


def node_errors(problem: Problem, growing: GrowState, first: int, stop: int) -> np.ndarray:
    """Set the impurity of the nodes first:stop to their mean absolute error.

    Their rows must stand in growing.order[0, start:stop]: those of leaves too, so every parent needs `sort_rows`.
    Returns float64 (stop - first,), their medians around the training mean; 0 for a node without weight.
    """
    medians = np.zeros(stop - first)
    fill_errors(problem, growing, _room(growing, first, stop), first, medians)
    return medians


def _room(growing: GrowState, first: int, stop: int) -> Ranked:
    nodes = growing.nodes[first:stop]
    return room_for(int((nodes["stop"] - nodes["start"]).max(initial=1)), len(growing.levels), growing.side)
