"""The features of a table as the fast kernels read them: made once and kept with the table."""

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from treecore.data.column import Column


class Keys(NamedTuple):
    """matrix : uint32 (d, n_rows), see Column.keys. absent : uint32 (d,), the key of missing values; n_absent : int64
    (d,), how many there are."""

    matrix: np.ndarray
    absent: np.ndarray
    n_absent: np.ndarray


def keys_of_columns(columns: tuple[Column, ...]) -> Keys:
    """The keys of these columns; without a copy where they stand one behind the other already."""
    keys = [column.keys for column in columns]
    absent = np.array([column.absent for column in columns], np.uint32)
    n_absent = np.array([column.n_missing for column in columns], np.int64)
    return Keys(_stacked(keys), absent, n_absent)


def _stacked(rows: list[np.ndarray]) -> np.ndarray:
    """The arrays as the rows of one matrix: a view if they are rows of one already, in this order."""
    first, n = rows[0], len(rows[0])
    begin, step = first.__array_interface__["data"][0], first.nbytes
    together = first.base is not None and n > 0 and all(
        row.base is first.base and row.strides == (4,) and row.__array_interface__["data"][0] == begin + i * step
        for i, row in enumerate(rows)
    )  # fmt: skip
    if not together:
        return np.stack(rows)
    return as_strided(first, (len(rows), n), (step, 4), writeable=False)
