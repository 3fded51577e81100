"""Blanks that speak: rows without a value of a feature that differ in the target from those with one."""

import numpy as np

from treecore.criteria.significance import Test, chi_square, f_test
from treecore.data.column import Column
from treecore.data.table import Table
from treecore.detectors.finding import OWN_VALUE, Finding
from treecore.figures import number, p_value, percent
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.tree.missing import OWN_VALUE as ASKED

LEAST_ROWS = 15
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
    for column in table.feature_columns if len(rows) >= 2 * LEAST_ROWS else ():
        if not column.n_missing:
            continue
        gaps = column.missing[rows]
        if LEAST_ROWS <= np.count_nonzero(gaps) <= len(rows) - LEAST_ROWS:
            alike.setdefault(np.packbits(gaps).tobytes(), []).append(column)
    spoken = _spoken_classes if table.task == "classification" else _spoken_numbers
    found = (
        (columns, *spoken(table, rows, columns[0].missing[rows], len(alike))) for columns in alike.values()
    )  # fmt: skip
    return [
        Finding("speaking_blanks", columns[0].name, float(size), text, OWN_VALUE,
                others=tuple(column.name for column in columns[1:]), growth=(("missing", "own_value"),))
        for columns, size, text in found if text
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
    k = _class_told(counts, shares)
    known, missing = shares[:, k]
    is_large = abs(missing - known) >= LEAST_SHARE or max(missing, known) >= LEAST_RATIO * min(missing, known)
    if test is None or test.p_value * n_tests > LEVEL or not is_large:
        return 0.0, ""
    told = f"{table.target} is '{classes[k]}' in {percent(missing)} of {_without(gaps, percent(known))}"
    return missing - known, f"{told} ({_chance(test, n_tests)})."


def _tested(counts: np.ndarray) -> Test | None:
    """Chi-square of the rows, float64 (2, n_classes), rare classes taken together; None where too few are left."""
    expected = counts.sum(axis=0) * counts.sum(axis=1).min() / counts.sum()
    rare = expected < LEAST_EXPECTED
    together = counts[:, rare].sum(axis=1, keepdims=True)
    counts = np.hstack([counts[:, ~rare], *([together] if expected[rare].sum() >= LEAST_EXPECTED else [])])
    return chi_square(counts) if counts.shape[1] > 1 else None


def _class_told(counts: np.ndarray, shares: np.ndarray) -> int:
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
    told = f"{table.target} is {number(missing)} on average in {_without(gaps, number(known))}"
    return missing - known, f"{told} ({_chance(test, n_tests)})."


def _without(gaps: np.ndarray, known: str) -> str:
    n = int(np.count_nonzero(gaps))
    return f"the {n:,} rows without a value, {known} in the {len(gaps) - n:,} with one"


def _chance(test: Test, n_tests: int) -> str:
    p = p_value(min(test.p_value * n_tests, 1.0))
    told = f"p {p}" if p.startswith("<") else f"p = {p}"
    return told + (f", corrected for {n_tests} features with missing values" if n_tests > 1 else "")
