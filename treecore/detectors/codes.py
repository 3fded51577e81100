"""Codes for missing among numbers: 9999, -1 or 0, which a tree takes for very large or very small values."""

import re
from typing import NamedTuple

import numpy as np

from treecore.data.column import number_labels
from treecore.data.table import Table
from treecore.detectors.finding import MISSING, Finding
from treecore.figures import number, percent

LEAST_ROWS, LEAST_TIMES, LEAST_REST = 30, 3, 5
"""Rows with a value; rows with the code; different values besides it."""
MOST_CODES = 3
"""On one side, as 997, 998 and 999 for three reasons."""
MOST_SHARE = 0.6
"""Of the known values: what is commoner is the usual value, and the others are what is far off."""
TAIL, DIGITS = 5, 1e15
SPREADS, SPREADS_OF_ZERO, STEPS = 1.0, 1.25, 3.0
"""A gap, in standard deviations of the other values; of 0, which is a value more often, larger; and in steps between
those nearest to it."""
REPEATED = re.compile("9+[6-9]|88+|77+")
LIMITS = tuple(float(sign * 2**n - (sign > 0)) for n in (15, 31) for sign in (1, -1))
"""The last whole numbers of 16 and 32 bits."""


class Edge(NamedTuple):
    """Values at one end. codes : ascending. n : their rows. gap : to the nearest other value, nearest. spread : of
    the others."""

    codes: tuple[float, ...]
    n: int
    gap: float
    nearest: float
    spread: float


def missing_codes(table: Table) -> list[Finding]:
    """Numbers, features and the target, whose last value repeats itself, looks like a code, and stands far off."""
    names = [n for n in (*table.features, table.target) if n is not None and table.column(n).kind == "numeric"]
    found = []
    for name in names:
        column = table.column(name)
        if column.n_distinct > LEAST_REST:
            edges = _edges(column.distinct, column.present())
            if edges:
                found.append(_finding(name, edges, int(np.count_nonzero(~column.missing))))
    return found


def _edges(distinct: np.ndarray, present: np.ndarray) -> list[Edge]:
    """What stands far off at the two ends, the larger gap first."""
    there = (present > 0) & np.isfinite(distinct)
    values, counts = distinct[there], present[there]
    if counts.sum() < LEAST_ROWS:
        return []
    found: list[Edge] = []
    for _ in range(2):  # codes at one end would widen the spread by which those at the other are judged
        upper, lower = _edge(values, counts), _edge(-values[::-1], counts[::-1], sign=-1)
        if edge := upper or lower:
            found.append(edge)
            rest = ~np.isin(values, edge.codes)
            values, counts = values[rest], counts[rest]
    return sorted(found, key=lambda edge: -edge.gap / edge.spread)


def _edge(values: np.ndarray, counts: np.ndarray, sign: int = 1) -> Edge | None:
    """At the upper end of values, ascending; sign : -1 where they are turned over."""
    for k in range(1, min(MOST_CODES, len(values) - LEAST_REST) + 1):
        ends, rest, n = values[-k:] * sign, values[:-k], int(counts[-k:].sum())
        if not _is_code(ends[0], rest * sign, sign) or counts[-k] < LEAST_TIMES or n > MOST_SHARE * counts.sum():
            return None
        gap, step = values[-k] - rest[-1], np.diff(rest[-TAIL - 1 :]).max()
        spread = _spread(rest, counts[:-k])
        wanted = SPREADS_OF_ZERO if ends[0] == 0 else SPREADS
        if spread > 0 and gap >= max(wanted * spread, STEPS * step):
            return Edge(tuple(sorted(ends.tolist())), n, float(gap), float(rest[-1] * sign), float(spread))
    return None


def _is_code(value: float, rest: np.ndarray, sign: int) -> bool:
    """Nines, eights or sevens (99, -999, 99.9, 88) and 96 to 98, below numbers of which none is negative also 0 and -1,
    -7, -8 and -9, and the last numbers that a computer has.

    sign : of the end, 1 for the upper one.
    """
    if value in LIMITS:
        return True
    digits = number_labels(np.array([abs(value)]))[0].replace(".", "") if abs(value) < DIGITS else ""
    is_repeated = REPEATED.fullmatch(digits) is not None
    if sign < 0 and (rest >= 0).all():
        return value in (0, -1, -7, -8, -9) or (value < 0 and is_repeated)
    return is_repeated and (value > 0) == (sign > 0)


def _spread(values: np.ndarray, counts: np.ndarray) -> float:
    """Of the middle nine tenths of the rows, as the standard deviation that a normal distribution would have."""
    place = np.cumsum(counts) / counts.sum()
    low, high = values[np.searchsorted(place, (0.05, 0.95))]
    return float((high - low) / 3.29) or float(np.sqrt(np.cov(values, fweights=counts)))


def _finding(name: str, edges: list[Edge], n_known: int) -> Finding:
    words = tuple(label for edge in edges for label in number_labels(np.array(edge.codes)))
    n, told = sum(edge.n for edge in edges), " and ".join(words)
    far = ", ".join(
        f"{number(edge.gap)} away from the nearest other value, {number(edge.nearest)}: "
        f"{number(round(edge.gap / edge.spread, 1))} times the spread of the others" for edge in edges
    )  # fmt: skip
    has = "stand" if len(words) > 1 else "stands"
    text = f"{told} {has} in {n:,} rows ({percent(n / n_known)}), {far}. This is probably a code for a missing value."
    return Finding("missing_codes", name, edges[0].gap / edges[0].spread, text, MISSING.format(told),
                   reading=(("missing_in", ((name, words),)),))  # fmt: skip
