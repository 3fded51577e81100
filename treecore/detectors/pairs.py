"""Features that say what another one says already."""

from itertools import combinations

import numpy as np

from treecore.data.column import Column
from treecore.data.table import Table
from treecore.detectors.finding import Finding, once

MOST_COLUMNS, MOST_ROWS, LEAST_ROWS = 60, 20_000, 20
ROWS_PER_VALUE = 3
"""Rows for each value of the column that tells another one: with fewer, everything follows from anything."""


def duplicates(table: Table) -> list[Finding]:
    """Features that are another one under other names of its values, or on another scale."""
    return [
        Finding("duplicate", b, 1.0, f"It repeats {a}: each value of one goes with one value of the other.")
        for a, b, both in _told(table)
        if both
    ]


def functions(table: Table) -> list[Finding]:
    """Features that follow from another one, which tells more."""
    return [
        Finding("function", b, 1.0, f"It follows from {a}: each value of {a} goes with one value of it.")
        for a, b, both in _told(table)
        if not both
    ]


@once
def _told(table: Table) -> list[tuple[str, str, bool]]:
    """(a, b, does a follow from b as well?) of features that b follows from a; each b once."""
    if table.n_rows < LEAST_ROWS:
        return []
    columns = [c for c in table.feature_columns if (c.present() > 0).sum() > 1][:MOST_COLUMNS]
    rows = np.linspace(0, table.n_rows - 1, min(table.n_rows, MOST_ROWS)).astype(int)
    found: dict[str, tuple[str, str, bool]] = {}
    for a, b in combinations(columns, 2):
        one, other, both = _relation(a, b, rows)
        if one is not None and other.name not in found and one.name not in found:
            found[other.name] = (one.name, other.name, both)
    return list(found.values())


def _ranks(codes: np.ndarray) -> np.ndarray:
    """int64 (n,): codes of some rows counted anew, without those that no row has."""
    there = np.bincount(codes) > 0
    return (np.cumsum(there) - 1)[codes]


def _relation(a: Column, b: Column, rows: np.ndarray) -> tuple[Column | None, Column | None, bool]:
    """(the one that tells, the one that is told, do both tell each other?); (None, None, False) for neither."""
    known = rows[~a.missing[rows] & ~b.missing[rows]]
    if len(known) < LEAST_ROWS:
        return None, None, False
    x, y = (_ranks(c.codes[known]) for c in (a, b))
    n_x, n_y = x.max() + 1, y.max() + 1
    if n_x != n_y and max(n_x, n_y) * ROWS_PER_VALUE > len(known):
        return None, None, False  # the one that tells has more values
    n_pairs = len(np.unique(x.astype(np.int64) * n_y + y))
    if n_x == n_y == n_pairs and n_x > 1:
        scaled = a.kind == b.kind == "numeric" and (np.array_equal(x, y) or np.array_equal(x, n_y - 1 - y))
        return (a, b, True) if scaled or n_x * ROWS_PER_VALUE <= len(known) else (None, None, False)
    if n_pairs == n_x and 1 < n_y < n_x and n_x * ROWS_PER_VALUE <= len(known):
        return a, b, False
    if n_pairs == n_y and 1 < n_x < n_y and n_y * ROWS_PER_VALUE <= len(known):
        return b, a, False
    return None, None, False
