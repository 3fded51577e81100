"""Thresholds moved from between two values onto one of the data."""

import numpy as np

from treecore.data.column import Column
from treecore.kernels.state import Problem


def data_values(problem: Problem, feature: np.ndarray, placed: np.ndarray, slack: float) -> np.ndarray:
    """values_on_data of thresholds of several features. feature : int64 (n,), of each."""
    found = np.empty(len(placed))
    for f in np.unique(feature):
        begin, n = problem.features["value_start"][f], problem.features["n_codes"][f]
        here = feature == f
        found[here] = on_data(problem.codes[f], problem.values[begin : begin + n], placed[here], slack)
    return found


def values_on_data(column: Column, placed: np.ndarray, slack: float) -> np.ndarray:
    """The largest of the column's values not above each threshold; one above it by less than `slack` is not above it.

    placed : float64 (n,), none below all values.
    With a slack, values are taken row after row, and one counts as larger only if it is by more than the slack; then
    the largest value that is above it by less than the slack takes its place, as rows with this value pass, too.
    Source: behaviour of Weka 3.6 (J48), slack 1e-6; Quinlan (1993) without.
    """
    return on_data(column.codes, column.distinct, placed, slack)


def on_data(codes: np.ndarray, numbers: np.ndarray, placed: np.ndarray, slack: float) -> np.ndarray:
    """The same of a column given as codes, int32 (n_rows,), and what they stand for, ascending."""
    # rows kept for other roles share the values
    present = np.flatnonzero(np.bincount(codes, minlength=len(numbers))[: len(numbers)])
    values = numbers[present]
    stop = np.searchsorted(values, placed, "right")
    found = values[stop - 1]
    below, above = (values[np.clip(at, 0, len(values) - 1)] for at in (stop - 2, stop))
    near = np.flatnonzero((stop > 1) & (found - below <= slack) | (stop < len(values)) & (above - placed < slack))
    first = _first_rows(codes, len(numbers)) if len(near) else None
    for i in near:
        found[i] = _in_row_order(values, present, first, float(placed[i]), slack)
    return found


def _in_row_order(values: np.ndarray, present: np.ndarray, first: np.ndarray, placed: float, slack: float) -> float:
    """What a threshold among values that are near each other becomes, taken row after row. Once a value has come, it
    is no more when it comes again. present : the code of each value. first : the first row of each code."""
    stop = int(np.searchsorted(values, placed, "right"))
    while stop < len(values) and values[stop] - placed < slack:
        stop += 1
    start = stop - 1
    while start > 0 and values[start] - values[start - 1] <= slack:
        start -= 1
    near, limit = present[start:stop], -np.inf
    for value in values[start:stop][np.argsort(first[near])].tolist():
        limit = value if value - limit > slack else limit
    while stop < len(values) and values[stop] - limit < slack:
        stop += 1
    # rows less than the slack above the limit pass the test: the largest of them says the same without a slack
    return max((v for v in values[start:stop].tolist() if v - limit < slack), default=limit)


def _first_rows(codes: np.ndarray, n_codes: int) -> np.ndarray:
    """int64 (n_codes + 1,): the first row of each code; anything for one without rows."""
    first = np.empty(n_codes + 1, np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of several rows of a code, the last one written stays
    return first
