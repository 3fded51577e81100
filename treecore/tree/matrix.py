"""Rows of a matrix as the values that routing reads."""

import numpy as np

from treecore.errors import TreecoreError
from treecore.kernels.codes import UNSEEN
from treecore.tree.cells import bins_of
from treecore.tree.schema import Schema


def matrix_values(schema: Schema, f: int, rows: np.ndarray) -> np.ndarray:
    """(n_rows,): the numbers of a feature as the matrix has them, or the indices of its levels.

    Raises TreecoreError where the matrix has not one column of numbers for each of the tree's features.
    """
    own = schema.own
    if rows.ndim != 2 or rows.shape[1] != len(own) or rows.dtype.kind not in "biuf":
        raise TreecoreError(
            f"A matrix of shape {rows.shape} and type {rows.dtype} does not belong to {len(own)} features",
            where="rows",
            remedy="Give numbers, one column per feature in the order of the tree's schema, or a DataFrame",
        )
    feature, numbers = schema.features[f], rows[:, own.index(f)]
    if feature.numeric:
        return numbers
    if feature.cuts is not None:
        return bins_of(feature, numbers)
    level = np.trunc(numbers.astype(np.float64))
    level[level < 0] = np.nan
    level[level >= len(feature.levels)] = np.nan if feature.kind == "ordinal" else UNSEEN
    return level
