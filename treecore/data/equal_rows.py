"""Rows that are equal: which, and how many more there are than different ones."""

from collections.abc import Iterable, Sequence

import numpy as np

from treecore.data.column import Column


def first_rows(columns: Iterable[np.ndarray]) -> np.ndarray:
    """int64, ascending: the first one of each set of equal rows. columns : int or float64 (n_rows,) each; NaN is equal
    to NaN."""
    group = None
    for values in columns:
        _, code = np.unique(values, return_inverse=True)
        group = (
            code if group is None else np.unique(group * (int(code.max(initial=0)) + 1) + code, return_inverse=True)[1]
        )
    return np.sort(np.unique(group, return_index=True)[1]) if group is not None else np.zeros(0, np.int64)


def row_hashes(columns: Sequence[Column]) -> np.ndarray:
    """uint64 (n_columns, n_rows): a random number for each value of each column.

    Their sums tell rows apart: two different ones have the same with a chance of 1 in 2^64. A sum without one column
    is that of the others.
    """
    rng = np.random.default_rng(len(columns))
    drawn = (rng.integers(0, 2**64, column.n_distinct + 1, np.uint64)[column.codes] for column in columns)
    return np.stack(list(drawn))
