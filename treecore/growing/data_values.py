"""Thresholds moved from between two values onto one of the data."""

import numpy as np

from treecore.kernels.state import Problem


def data_values(problem: Problem, feature: np.ndarray, placed: np.ndarray, slack: float) -> np.ndarray:
    """The largest training value not above each threshold; one above it by less than `slack` is not above it.

    feature : int64 (n,), of each threshold. placed : float64 (n,), none below all training values.
    With a slack, values are taken row after row, and one counts as larger only if it is by more than the slack.
    Source: behaviour of Weka 3.6 (J48), slack 1e-6; Quinlan (1993) without.
    """
    found = np.empty(len(placed))
    for f in np.unique(feature):
        begin, n = problem.features["value_start"][f], problem.features["n_codes"][f]
        # rows kept for other roles share the values
        present = np.flatnonzero(np.bincount(problem.codes[f], minlength=n)[:n])
        values = problem.values[begin + present]
        for i in np.flatnonzero(feature == f):
            stop = int(np.searchsorted(values, placed[i], "right"))
            while stop < len(values) and values[stop] - placed[i] < slack:
                stop += 1
            start = stop - 1
            while start > 0 and values[start] - values[start - 1] <= slack:
                start -= 1
            found[i] = values[start] if start == stop - 1 else _in_row_order(problem, f, present[start:stop], slack)
    return found


def _in_row_order(problem: Problem, f: int, codes: np.ndarray, slack: float) -> float:
    """Of the values with these codes, the last one that is larger by more than the slack than any before it."""
    rows = problem.codes[f]
    best = -np.inf
    for code in rows[(rows >= codes[0]) & (rows <= codes[-1])]:
        value = problem.values[problem.features["value_start"][f] + code]
        if value - best > slack:
            best = value
    return best
