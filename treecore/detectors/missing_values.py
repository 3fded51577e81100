"""Missing values that tell something of the target, and numbers that stand for a missing value."""

import re
from typing import NamedTuple

import numpy as np

from treecore.criteria.significance import SignificanceTest, chi_square, f_test
from treecore.data.column import Column, number_labels
from treecore.data.table import Table
from treecore.detectors.finding import MISSING, OWN_VALUE, Finding
from treecore.figures import brief, number, p_value, percent
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.missing import OWN_VALUE as ASKED

LEAST_ROWS_WITH_GAPS = 15
"""Rows without a value, and rows with one: of fewer a rate says little."""
LEVEL = 0.01
"""Chance of one false alarm in a whole table, whatever the number of its features."""
LEAST_EXPECTED = 5
"""Rows of a class that a test needs on either side; rarer classes are tested together."""
LEAST_SHARE, LEAST_RATIO, LEAST_SPREADS = 0.05, 1.25, 0.2
"""A difference of shares, or their ratio, and one of means in standard deviations: what is smaller changes no tree,
however sure it is in many rows."""


def speaking_blanks(table: Table) -> list[Finding]:
    """Features whose missing values tell something of the target, tested for all features together (Bonferroni).

    Features that are missing in the same rows are one finding.
    """
    if table.target is None:
        return []
    rows = np.flatnonzero(~table.target_column.missing)
    alike: dict[bytes, list[Column]] = {}
    for column in table.feature_columns if len(rows) >= 2 * LEAST_ROWS_WITH_GAPS else ():
        if not column.n_missing:
            continue
        gaps = column.missing[rows]
        if LEAST_ROWS_WITH_GAPS <= np.count_nonzero(gaps) <= len(rows) - LEAST_ROWS_WITH_GAPS:
            alike.setdefault(np.packbits(gaps).tobytes(), []).append(column)
    spoken = _spoken_classes if table.task == "classification" else _spoken_numbers
    result = (
        (columns, *spoken(table, rows, columns[0].missing[rows], len(alike))) for columns in alike.values()
    )  # fmt: skip
    return [
        Finding("speaking_blanks", columns[0].name, float(size), text, OWN_VALUE,
                others=tuple(column.name for column in columns[1:]), growth=(("missing", "own_value"),))
        for columns, size, text in result if text
    ]  # fmt: skip


def asks_for_blanks(growth: GrowSettings) -> bool | None:
    """Can a split ask whether a value is missing? None where it never can: a permutation test takes known values."""
    if growth.selector == "conditional":
        return None
    return growth.missing in ASKED or growth.selector == "chaid"


def _spoken_classes(table: Table, rows: np.ndarray, gaps: np.ndarray, n_tests: int) -> tuple[float, str]:
    """(rate where the value is missing less the rate where it is known, the sentence; "" where it is chance)."""
    classes = table.classes
    cell = gaps * len(classes) + table.target_column.codes[rows]
    counts = np.bincount(cell, minlength=2 * len(classes)).reshape(2, len(classes)).astype(float)
    test = _tested(counts)
    shares = counts / counts.sum(axis=1, keepdims=True)
    k = _telling_class(counts, shares)
    known, missing = shares[:, k]
    is_large = abs(missing - known) >= LEAST_SHARE or max(missing, known) >= LEAST_RATIO * min(missing, known)
    if test is None or test.p_value * n_tests > LEVEL or not is_large:
        return 0.0, ""
    told = f"{table.target} is '{classes[k]}' in {percent(missing)} of {_without(gaps, percent(known))}"
    return missing - known, f"{told} ({_chance(test, n_tests)})."


def _tested(counts: np.ndarray) -> SignificanceTest | None:
    """Chi-square of the rows, float64 (2, n_classes), rare classes taken together; None where too few are left."""
    expected = counts.sum(axis=0) * counts.sum(axis=1).min() / counts.sum()
    rare = expected < LEAST_EXPECTED
    together = counts[:, rare].sum(axis=1, keepdims=True)
    counts = np.hstack([counts[:, ~rare], *([together] if expected[rare].sum() >= LEAST_EXPECTED else [])])
    return chi_square(counts) if counts.shape[1] > 1 else None


def _telling_class(counts: np.ndarray, shares: np.ndarray) -> int:
    """The rarer one of two classes, of equals the last; of more the one whose rates differ most."""
    if counts.shape[1] == 2:
        return 0 if counts[:, 0].sum() < counts[:, 1].sum() else 1
    return int(np.abs(shares[1] - shares[0]).argmax())


def _spoken_numbers(table: Table, rows: np.ndarray, gaps: np.ndarray, n_tests: int) -> tuple[float, str]:
    """The same of a target of numbers: the mean where the value is missing less the mean where it is known.

    Tested by ranks, which a few large numbers do not move.
    """
    y = table.target_column.values()[rows]
    known, missing = float(y[~gaps].mean()), float(y[gaps].mean())
    _, place, size = np.unique(y, return_inverse=True, return_counts=True)
    rank = (np.cumsum(size) - (size - 1) / 2 - (len(y) + 1) / 2)[place]
    test = f_test(np.array([(len(r), r.sum(), (r * r).sum()) for r in (rank[~gaps], rank[gaps])]))
    spread = float(y.std())
    if not spread or abs(missing - known) < LEAST_SPREADS * spread or test.p_value * n_tests > LEVEL:
        return 0.0, ""
    told = f"{table.target} is {brief(missing)} on average in {_without(gaps, brief(known))}"
    return missing - known, f"{told} ({_chance(test, n_tests)})."


def _without(gaps: np.ndarray, known: str) -> str:
    n = int(np.count_nonzero(gaps))
    return f"the {n:,} rows without a value, {known} in the {len(gaps) - n:,} with one"


def _chance(test: SignificanceTest, n_tests: int) -> str:
    p = p_value(min(test.p_value * n_tests, 1.0))
    text = f"p {p}" if p.startswith("<") else f"p = {p}"
    return text + (f", corrected for {n_tests} features with missing values" if n_tests > 1 else "")


# Codes for missing among numbers: 9999, -1 or 0, which a tree takes for very large or very small values.

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
    result = []
    for name in names:
        column = table.column(name)
        if column.n_distinct > LEAST_REST:
            edges = _edges(column.numbers, column.present())
            if edges:
                result.append(_finding(name, edges, int(np.count_nonzero(~column.missing))))
    return result


def _edges(distinct: np.ndarray, present: np.ndarray) -> list[Edge]:
    """What stands far off at the two ends, the larger gap first."""
    there = (present > 0) & np.isfinite(distinct)
    values, counts = distinct[there], present[there]
    if counts.sum() < LEAST_ROWS:
        return []
    result: list[Edge] = []
    for _ in range(2):  # codes at one end would widen the spread by which those at the other are judged
        upper, lower = _edge(values, counts), _edge(-values[::-1], counts[::-1], sign=-1)
        if edge := upper or lower:
            result.append(edge)
            rest = ~np.isin(values, edge.codes)
            values, counts = values[rest], counts[rest]
    return sorted(result, key=lambda edge: -edge.gap / edge.spread)


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
