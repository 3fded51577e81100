"""Thresholds by absolute error: every cut between two neighbouring values of the node, in ascending order."""

import math

from treecore.engine.jit import inner, kernel, passage
from treecore.kernels.median.medians import add, add_part, clear, error_of_part, error_of_set


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
    line = ranked.line
    for i in range(n - 1, 0, -1):
        add(ranked, line[i], 1.0)
        if line[i].code != line[i - 1].code:
            ranked.rest[i] = error_of_set(ranked)


@passage
def scan_absolute(ranked, known, n, below, rules, values, drawn, weight, n_rows, error, bar):
    """The best decrease of the mean absolute error among the cuts of line[:known]; O(n log n).

    line[known:n] : rows that stand left of every cut if `below` is 1, right of it if it is 0.
    values : by code, ascending along the line. drawn : the one cut to try parts the values up to it from those above;
        not a number where all are. weight, n_rows, error : of line[:n].
    bar : stop at the first cut whose decrease reaches it; infinity looks at all of them.
    Returns (decrease, position of the last low row); (-inf, -1) when no cut leaves enough rows on both sides.
    """
    line, n_left, rows_left = ranked.line, 0.0, 0
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
        n_left += line[i].weight
        rows_left += line[i].weight > 0.0
        code, last = line[i + 1].code, line[i].code
        if code == last or rows_left == no_rows or too_small(rules, n_left, rows_left, weight, n_rows):
            continue
        if drawn == drawn and not values[last] <= drawn < values[code]:
            continue
        decrease = (error - error_of_set(ranked) - ranked.rest[i + 1]) / weight
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
