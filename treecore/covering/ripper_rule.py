"""One rule of RIPPER: grown by FOIL's gain, then cut back on rows of its own."""

from dataclasses import dataclass

import numpy as np

from treecore.covering.found import Test
from treecore.covering.rows import Rows

SMALL = 1e-6
"""Numbers that differ by no more are equal."""


@dataclass(frozen=True)
class Antecedent:
    """A test with its gain. right, rate : weight of the class it finds, and (right + 1) / (covered + 1)."""

    test: Test
    gain: float
    right: float
    rate: float


def grown(rows: Rows, wanted: int, at: np.ndarray, tests: tuple[Test, ...], least: float) -> tuple[Test, ...]:
    """The tests with more behind them, while a test gains and finds weight `least` of the class or more.

    at : positions of the rows to grow on, which pass `tests`.
    """
    weight = float(rows.weight[at].sum())
    if weight <= SMALL:
        return tests
    rate = (_right(rows, wanted, at) + 1.0) / (weight + 1.0)
    used = {t.feature for t in tests if rows.n_levels[t.feature]}
    while len(at) and 1.0 - rate > SMALL:
        free = [f for f in range(rows.n_features) if f not in used]
        best = _best(rows, wanted, at, free, rate)
        if best is None or least - best.right > SMALL:
            break
        if rows.n_levels[best.test.feature]:
            used.add(best.test.feature)
        tests, at, rate = (*tests, best.test), at[best.test.holds(rows.values, at)], best.rate
    return tests


def _right(rows: Rows, wanted: int, at: np.ndarray) -> float:
    return float(rows.weight[at][rows.labels[at] == wanted].sum())


def _best(rows: Rows, wanted: int, at: np.ndarray, free: list[int], rate: float) -> Antecedent | None:
    """The test of most gain above 0, the first of equals."""
    best = None
    for feature in free:
        found = (_of_levels if rows.n_levels[feature] else _of_numbers)(rows, wanted, at, feature, rate)
        if found is not None and found.gain > (best.gain if best else 0.0):
            best = found
    return best


def _of_levels(rows: Rows, wanted: int, at: np.ndarray, feature: int, rate: float) -> Antecedent | None:
    column = rows.values[feature][at]
    at = at[~np.isnan(column)]
    levels, weight = rows.values[feature][at].astype(int), rows.weight[at]
    covered = np.bincount(levels, weight, rows.n_levels[feature])
    right = np.bincount(levels, weight * (rows.labels[at] == wanted), rows.n_levels[feature])
    rates = (right + 1.0) / (covered + 1.0)
    gain = right * (_log2(rates) - _log2(rate))
    level = int(np.argmax(gain))
    return Antecedent(Test(feature, "=", float(level)), float(gain[level]), float(right[level]), float(rates[level]))


def _of_numbers(rows: Rows, wanted: int, at: np.ndarray, feature: int, rate: float) -> Antecedent | None:
    """Up to every value, or from it on: whichever gains more, the second where they are equal."""
    column = rows.values[feature][at]
    known = ~np.isnan(column)
    if not known.any():
        return None
    values, place = np.unique(column[known], return_inverse=True)
    weight = rows.weight[at][known]
    covered = np.bincount(place, weight)
    right = np.bincount(place, weight * (rows.labels[at][known] == wanted))
    up, up_right = np.cumsum(covered), np.cumsum(right)
    on, on_right = up[-1] - up + covered, up_right[-1] - up_right + right
    first, second = (r * (_log2((r + 1.0) / (c + 1.0)) - _log2(rate)) for r, c in ((up_right, up), (on_right, on)))
    best = int(np.argmax(np.maximum(first, second)))
    low = bool(first[best] > second[best])
    c, r, gain = (up[best], up_right[best], first[best]) if low else (on[best], on_right[best], second[best])
    return Antecedent(
        Test(feature, "<=" if low else ">=", float(values[best])), float(gain), float(r), (r + 1) / (c + 1)
    )


def _log2(x):
    return np.log(x) / np.log(2.0)


def pruned(rows: Rows, wanted: int, at: np.ndarray, tests: tuple[Test, ...], whole: bool) -> tuple[Test, ...]:
    """The first tests alone, as many as are most accurate on the rows `at`; fewer where that is equal.

    whole : rows that are left out rightly count as right, too, as for a rule within its list.
    """
    total = float(rows.weight[at].sum())
    if total <= SMALL:
        return tests
    keep, most, refused = 0, (_right(rows, wanted, at) + 1.0) / (total + 2.0), 0.0
    for n, test in enumerate(tests, 1):
        inside = test.holds(rows.values, at)
        out = at[~inside]
        refused += float(rows.weight[out].sum()) - _right(rows, wanted, out)
        at = at[inside]
        right, covered = _right(rows, wanted, at), float(rows.weight[at].sum())
        worth = (right + refused) / total if whole else (right + 1.0) / (covered + 2.0)
        if worth > most:
            keep, most = n, worth
    return tests[:keep]
