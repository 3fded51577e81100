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
    values, found, first = numbers[present], np.empty(len(placed)), _first_rows(codes, len(numbers))
    for i, threshold in enumerate(placed.tolist()):
        stop = int(np.searchsorted(values, threshold, "right"))
        while stop < len(values) and values[stop] - threshold < slack:
            stop += 1
        start = stop - 1
        while start > 0 and values[start] - values[start - 1] <= slack:
            start -= 1
        near = present[start:stop]
        limit = _in_row_order(numbers[near[np.argsort(first[near])]], slack)
        while stop < len(values) and values[stop] - limit < slack:
            stop += 1
        # rows less than the slack above the limit pass the test: the largest of them says the same without a slack
        found[i] = max((v for v in values[start:stop].tolist() if v - limit < slack), default=limit)
    return found


def _first_rows(codes: np.ndarray, n_codes: int) -> np.ndarray:
    """int64 (n_codes + 1,): the first row of each code; anything for one without rows."""
    first = np.empty(n_codes + 1, np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of several rows of a code, the last one written stays
    return first


def _in_row_order(near: np.ndarray, slack: float) -> float:
    """Of these values, in the order of the rows that have them first, the last one that is larger by more than the
    slack than any before it. Once a value has come, it is no more when it comes again."""
    best = -np.inf
    for value in near.tolist():
        if value - best > slack:
            best = value
    return best
