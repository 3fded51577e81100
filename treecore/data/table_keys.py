"""The features of a table as the fast kernels read them: made once and kept with the table."""

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from treecore.data.column import Column, frozen

AT_ONCE = 4096


class Keys(NamedTuple):
    """matrix : uint32 (n_rows, d), see Column.keys. absent : uint32 (d,), the key of missing values; n_absent : int64
    (d,), how many there are. The first two are read-only, which is part of the type for which kernels are compiled."""

    matrix: np.ndarray
    absent: np.ndarray
    n_absent: np.ndarray


def keys_of_columns(columns: tuple[Column, ...]) -> Keys:
    """The keys of these columns; without a copy where they stand one behind the other already."""
    keys = [column.keys for column in columns]
    absent = frozen(np.array([column.absent for column in columns], np.uint32))
    n_absent = np.array([column.n_missing for column in columns], np.int64)
    return Keys(_side_by_side(keys), absent, n_absent)


def _side_by_side(columns: list[np.ndarray]) -> np.ndarray:
    """The arrays as the columns of one matrix: a view if they are columns of one already, in this order."""
    first, n, d = columns[0], len(columns[0]), len(columns)
    begin, row = first.__array_interface__["data"][0], (4 * d,)
    together = first.base is not None and n > 1 and all(
        column.base is first.base and column.strides == row and column.__array_interface__["data"][0] == begin + 4 * j
        for j, column in enumerate(columns)
    )  # fmt: skip
    if together:
        return as_strided(first, (n, d), (4 * d, 4), writeable=False)
    matrix = np.empty((n, d), np.uint32)
    for at in range(0, n, AT_ONCE):  # some rows at a time, so that what is written stays near
        matrix[at : at + AT_ONCE] = np.array([column[at : at + AT_ONCE] for column in columns]).T
    return frozen(matrix)
